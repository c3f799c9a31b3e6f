# SPDX-License-Identifier: Apache-2.0
"""Sections of instructions in the chapters of isa/doc: `### NAME, ...` and what stands below it, up to the next heading
that is not deeper. isa/manual/README.md says what a section holds and what an example may say.

usage: sections.py     is there one of each instruction, and nothing wrong in any?
"""
import glob
import os
import re
import struct
import sys
from dataclasses import dataclass, field

HEADING = re.compile(r"(#+) (.*)")
MNEMONIC = re.compile(r"[A-Z][A-Z0-9]*(\.[A-Z0-9_]+)*")
NAMES = re.compile(rf"{MNEMONIC.pattern}(, {MNEMONIC.pattern})*")
SETTING = re.compile(r"(R|UR|P|UP|global|shared|bank[12]|trap)(?:(?<=[RP])(\d+))?(?:\[(\w+)\])? = (.*)")
LIMITS = {"R": 40, "UR": 16, "P": 6, "UP": 6}  # the runner uses those from here on; UR0 to UR3 too
FLOAT = re.compile(r"([-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?)([fd])")
EXPRESSION = re.compile(r"(?:0x[0-9a-fA-F]+|\d+|lane|GLOBAL|[-+*/%&|^~<>=!()?: ])+")
GLOBAL = 0x100000  # where `heddle run` puts the first buffer
BYTES = 4096  # of global and of shared memory
LANES = 32


class Wrong(Exception):
    """What is wrong in a line."""


@dataclass
class Setting:
    """`R4 = 7`, `P1[3] = 1`, `global[0x10] = 1, 2`: in front of the code it is made so, behind it must hold."""
    line: int
    what: str  # R UR P UP global shared bank1 bank2 trap
    number: int  # of the register or predicate
    index: int | None  # lane, or offset in bytes
    text: str

    @property
    def name(self):
        return self.what + (str(self.number) if self.what in LIMITS else "")

    def words(self, lane):
        """The words of one lane: two of a binary64 number or an address."""
        return words(self.text, lane)

    def memory(self):
        """The words from `index` on; an expression of lane stands for 32."""
        if "lane" in self.text:
            return [w for lane in range(LANES) for w in words(self.text, lane)]
        return [w for part in self.text.split(",") for w in words(part.strip(), 0)]


@dataclass
class Example:
    line: int
    before: list = field(default_factory=list)
    code: list = field(default_factory=list)  # (line, text)
    after: list = field(default_factory=list)


@dataclass
class Section:
    page: str
    line: int
    names: list
    chapter: str  # its title
    group: str  # the heading above
    blocks: list = field(default_factory=list)  # (kind, line, [text]): prose, op, example
    examples: list = field(default_factory=list)


def python(text):
    """An expression with `? :`, as Python has it."""
    text = re.sub(r"\(([^()]*\?[^()]*)\)", lambda m: python(m[1]), text)
    test, sign, rest = text.partition("?")
    yes, _, no = rest.partition(":")
    return f"({yes} if {test} else {python(no)})" if sign else f"({text})"


def words(text, lane):
    """The words of a value: a number, `1.5f`, `1.5d`, an expression of lane, or of &global."""
    number = FLOAT.fullmatch(text)
    if number:
        bits = struct.pack("<" + number[2], float(number[1]))
        return list(struct.unpack(f"<{len(bits) // 4}I", bits))
    wide = "&global" in text
    text = text.replace("&global", "GLOBAL")
    if not EXPRESSION.fullmatch(text):
        raise Wrong(f"'{text}' is no value")
    try:
        value = int(eval(python(text).replace("/", "//"), {"__builtins__": {}}, {"lane": lane, "GLOBAL": GLOBAL}))
    except (SyntaxError, TypeError, ValueError, ArithmeticError) as why:
        raise Wrong(f"'{text}' is no value: {why}") from None
    if not -1 << 31 <= value < 1 << 32:
        raise Wrong(f"'{text}' does not fit a word")
    return [value & 0xffffffff] + [0] * wide


def setting(line, match):
    what, number, index, text = match.groups()
    if (number is not None) != (what in LIMITS):
        raise Wrong(f"'{match[0]}': no such register")
    number = int(number or 0)
    if what in LIMITS and (number >= LIMITS[what] or what == "UR" and number < 4):
        raise Wrong(f"{what}{number} is the runner's; R0 to R39, UR4 to UR15, P0 to P5, UP0 to UP5 are free")
    if what not in LIMITS and (index is None) != (what == "trap"):
        raise Wrong(f"'{match[0]}': an offset in bytes belongs to memory, and to nothing else")
    try:
        index = None if index is None else int(index, 0)
    except ValueError:
        raise Wrong(f"'{index}' is no number") from None
    made = Setting(line, what, number, index, text.strip())
    if what in ("R", "P"):
        for lane in range(LANES):
            made.words(lane)
        if index is not None and index >= LANES:
            raise Wrong(f"there is no lane {index}")
    elif what in ("UR", "UP"):
        if "lane" in text or index is not None:
            raise Wrong(f"{what}{number} has one value, for all lanes")
        made.words(0)
    elif what != "trap" and (index % 4 or index + 4 * len(made.memory()) > BYTES):
        raise Wrong(f"{what} has {BYTES} bytes, in words")
    return made


def example(line, text):
    """An example of its lines."""
    made = Example(line)
    for at, row in enumerate(text, line + 1):
        row = re.sub(r"\s*((//|#).*)?$", "", row).strip()
        if not row:
            continue
        match = SETTING.fullmatch(row)
        try:
            if match:
                (made.after if made.code else made.before).append(setting(at, match))
            elif made.after:
                raise Wrong(f"'{row}': no line of assembly stands behind what must hold, and that it is not either")
            else:
                made.code.append((at, row))
        except Wrong as why:
            raise Wrong(f"{at}: {why}") from None
    if not made.after:
        raise Wrong(f"{line}: the example says nothing that must hold")
    for s in made.before:
        if s.what == "trap" or s.index is not None and s.what in LIMITS:
            raise Wrong(f"{s.line}: {s.name} of one lane, or a trap, is no state to begin with")
    traps = [s for s in made.after if s.what == "trap"]
    if traps and len(made.after) > 1:
        raise Wrong(f"{line}: where a trap ends the program, nothing else is looked at")
    for s in made.after:
        if s.what.startswith("bank"):
            raise Wrong(f"{s.line}: nothing writes a constant bank")
    return made


def read(path, root):
    """Sections of one chapter, and what is wrong in them (PAGE:LINE: ...)."""
    page = os.path.relpath(path, root)
    found, faults, chapter, group, section, fence = [], [], "", "", None, None
    with open(path, encoding="utf-8") as f:
        rows = f.read().split("\n")
    for line, row in enumerate(rows, 1):
        if fence:
            if row.rstrip() == fence:
                fence = None
            elif section:
                section.blocks[-1][2].append(row)
        elif row.startswith("```"):
            fence = re.match("`*", row)[0]
            kind = row[len(fence):].strip() or "nothing"
            if section and kind not in ("op", "example"):
                faults.append(f"{page}:{line}: a block of an instruction is op or example, not {kind}")
            if section:
                section.blocks.append((kind, line, []))
        elif heading := HEADING.fullmatch(row):
            depth, title = len(heading[1]), heading[2].replace("`", "")
            if depth <= 3:
                section = None
            chapter = title if depth == 1 else chapter
            group = title if depth <= 2 else group
            if depth == 3 and NAMES.fullmatch(title):
                section = Section(page, line, title.split(", "), chapter, group)
                found.append(section)
            elif section:
                section.blocks.append(("prose", line, [row]))
        elif section:
            if not section.blocks or section.blocks[-1][0] != "prose" or not section.blocks[-1][2]:
                section.blocks.append(("prose", line, []))
            if row or section.blocks[-1][2]:
                section.blocks[-1][2].append(row)
    for s in found:
        s.blocks = [b for b in s.blocks if b[0] != "prose" or any(b[2])]
        for kind, line, text in s.blocks:
            try:
                if kind == "example":
                    s.examples.append(example(line, text))
            except Wrong as why:
                faults.append(f"{page}:{why}")
    return found, faults


def instruction(row, names):
    """The instruction that a line of assembly holds: the longest name that its mnemonic begins with."""
    row = re.sub(r"^(\w+:|\[[^]]*\]|@!?\w+|\s+)*", "", row)
    word = re.match(r"[\w.]*", row)[0]
    while word and word not in names:
        word = word.rpartition(".")[0]
    return word


def check(section, names):
    """What a section lacks."""
    at = f"{section.page}:{section.line}: "
    kinds = [kind for kind, _, _ in section.blocks]
    for name in section.names:
        if name not in names:
            yield f"{at}{name}: the ISA file has no such instruction"
        elif not any(instruction(row, names) == name for e in section.examples for _, row in e.code):
            yield f"{at}{name}: no example has it"
    if kinds[:1] != ["prose"]:
        yield f"{at}{section.names[0]}: begins with no sentence"
    if "op" not in kinds:
        yield f"{at}{section.names[0]}: no block of its operation (op)"
    elif "example" in kinds and kinds.index("example") < kinds.index("op"):
        yield f"{at}{section.names[0]}: its example stands in front of its operation"


def chapters(root):
    return sorted(glob.glob(os.path.join(root, "isa/doc/[0-9]*.md")))


def instructions(isa):
    """The names of the instructions in an ISA file."""
    with open(isa, encoding="utf-8") as f:
        return re.findall(r"^insn\s+(\S+)", f.read(), re.M)


def read_all(paths, root, names):
    """The sections of these chapters by instruction; and all that is wrong in them."""
    sections, faults, by_name = [], [], {}
    for path in paths:
        found, wrong = read(path, root)
        sections += found
        faults += wrong
    for s in sections:
        faults += check(s, names)
        for name in s.names:
            if name in by_name:
                faults.append(f"{s.page}:{s.line}: {name}: has a section in {by_name[name].page}:"
                              f"{by_name[name].line} already")
            by_name[name] = s
    return by_name, faults


def missing(by_name, names, isa):
    return [f"{isa}: {name}: no section in isa/doc (### {name})" for name in names if name not in by_name]


def main():
    root = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    isa = os.path.join(root, "isa/heddle.isa")
    names = instructions(isa)
    by_name, faults = read_all(chapters(root), root, names)
    faults += missing(by_name, names, os.path.relpath(isa, root))
    print("".join(f + "\n" for f in faults) + f"{len(by_name)} of {len(names)} instructions; {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
