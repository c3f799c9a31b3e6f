# SPDX-License-Identifier: Apache-2.0
"""The formal tops and the planted bugs: what is to be proved, with which sentence."""
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "faults"))
import edits as texts  # noqa: E402

ALSO = re.compile(r"^// also (\w+): (\w+)((?: [A-Z]\w*=\d+)*)$", re.M)
MACRO = re.compile(r"^\s*`(PROVE|BOUND|REACH|GIVEN|ASSERT|ASSERT_IF|ASSUME|ASSUME_IF)\((.*)")
INSTANCE = re.compile(r"^\s+([a-z]\w*) (?:#\(.*\) )?(u_\w+) \($", re.M)


class Bad(Exception):
    """A file of this folder that is not as it must be."""


@dataclass
class Property:
    name: str
    kind: str  # proved, bounded, reached
    depth: int  # of bounded ones
    sentence: str


@dataclass
class Top:
    name: str
    path: Path
    module: str
    config: str
    constants: dict  # of the configuration or, if it has none of that name, parameters of the top: otherwise than they are
    quick: bool
    free: bool  # memories give any word when they are read
    properties: dict = field(default_factory=dict)
    bounds: dict = field(default_factory=dict)  # of assertions inside the RTL: name to depth
    without: dict = field(default_factory=dict)  # ... that the top cannot prove, and why


@dataclass
class Planted:
    name: str
    where: str   # FILE:LINE
    edits: list
    top: str
    breaks: list
    sentence: str

    def files(self):
        """{name: text with the bug in it} of the files that it changes."""
        changed = {}
        for edit in self.edits:
            if not edit.file.startswith("rtl/") or not (ROOT / edit.file).is_file():
                raise Bad(f"{edit.where}: there is no {edit.file} in rtl/")
            try:
                changed[edit.file] = edit.apply(changed.get(edit.file) or (ROOT / edit.file).read_text(encoding="latin-1"))
            except texts.Bad as error:
                raise Bad(f"{error}: {self.name} does not apply to the RTL as it is now") from None
        return changed


def labelled(text):
    """The macros in a file: (macro, arguments, sentence in the comment above)."""
    comment, code = [], False  # code: since the comment
    for line in text.splitlines():
        stripped = line.strip()
        macro = MACRO.match(line)
        if macro:
            arguments = [a.strip(" );") for a in macro.group(2).split(",")]
            yield macro.group(1), arguments, " ".join(comment)
        if stripped.startswith("// ---"):  # the title of a part
            comment = []
        elif stripped.startswith("//"):
            comment, code = ([] if code else comment) + [stripped.lstrip("/ ")], False
        elif not stripped or macro:
            comment = []
        else:
            code = True


def read_top(path):
    """A file's tops: one for the configuration that it names, and one for each that it is also proved for."""
    text = path.read_text()
    config = re.search(r"^// config: (\w+)$", text, re.M)
    dut = re.search(r"^  ([a-z]\w*) (?:#\(.*\) )?u_dut \($", text, re.M)
    if not config or not dut:
        raise Bad(f"{path}: needs a line '// config: NAME' and an instance u_dut")
    cases = [(path.stem[: -len("_formal")], config.group(1), "")] + ALSO.findall(text)
    return [read_case(path, text, dut.group(1), *case) for case in cases]


def read_case(path, text, module, name, config, constants):
    top = Top(name, path, module, config, dict(c.split("=") for c in constants.split()), "\n// quick\n" in text,
              "\n// memories: free\n" in text)
    for depth, name in re.findall(r"^// within (\d+): (\S+)$", text, re.M):
        top.bounds[name] = int(depth)
    for assertion, case, why in re.findall(r"^// without (\S+?)(?: in (\w+))?: (.+)$", text, re.M):
        if case in ("", name):
            top.without[assertion] = why
    for macro, arguments, sentence in labelled(text):
        if macro not in ("PROVE", "BOUND", "REACH"):
            continue
        depth = int(arguments.pop(0)) if macro == "BOUND" else 0
        kind = {"PROVE": "proved", "BOUND": "bounded", "REACH": "reached"}[macro]
        if not sentence or arguments[0] in top.properties:
            raise Bad(f"{path}: {arguments[0]}: needs a sentence, and a name of its own")
        top.properties[arguments[0]] = Property(arguments[0], kind, depth, sentence)
    return top


def read_tops(folder):
    tops = {}
    for top in (top for path in sorted(folder.glob("*_formal.sv")) for top in read_top(path)):
        if top.name in tops:
            raise Bad(f"{top.path}: {top.name}: that is {tops[top.name].path.name}'s name")
        tops[top.name] = top
    return tops


def read_planted(folder, tops):
    found, names = [], {}
    for path in sorted((folder / "planted").glob("*.txt")):
        try:
            listed = list(texts.read(path, ("name", "what"), ("breaks",)))
        except texts.Bad as error:
            raise Bad(error) from None
        for where, words, edits in listed:
            name = words["name"]
            if names.setdefault(name, where) != where:
                raise Bad(f"{where}: {name}: that is the name of {names[name]}")
            for line in words["breaks"]:
                top, _, breaks = line.partition(": ")
                for broken in breaks.split() or [breaks]:
                    if top not in tops or broken not in tops[top].properties:
                        raise Bad(f"{where}: {top} has no property {broken}")
                found.append(Planted(name, where, edits, top, breaks.split(), words["what"]))
    return found


def stale(planted):
    """Refuses planted bugs that the RTL has left: asked of all, whatever is to be proved, so that none is lost unseen."""
    for bug in planted:
        bug.files()


def unplanted(tops, planted):
    """Properties that no planted bug breaks."""
    broken = {(p.top, name) for p in planted for name in p.breaks}
    return [f"{t.name}.{p.name}" for t in tops.values() for p in t.properties.values()
            if p.kind != "reached" and (t.name, p.name) not in broken]


def module_file(module):
    return next(iter((ROOT / "rtl").rglob(f"{module}.sv")), None)


def rtl_sentence(top, name):
    """The comment of an assertion inside the RTL: u_dut.u_turn.a_onehot."""
    module = top.module
    parts = name.split(".")
    for part in parts[1:-1]:
        if part.startswith("u_"):
            text = module_file(module).read_text() if module_file(module) else ""
            module = {u: m for m, u in INSTANCE.findall(text)}.get(part.split("[")[0], "")
    path = module_file(module)
    for _, arguments, sentence in labelled(path.read_text()) if path else ():
        if arguments[0] == parts[-1]:
            return f"{sentence} (in {module}.sv)"
    return f"an assertion in {module or top.module}.sv"
