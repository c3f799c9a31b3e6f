#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts, versions and lists of the tree that pages quote, taken from what they count.

usage: scripts/counts.py [--check | --write | NAME]     example: scripts/counts.py kernels
Without an argument: each name, its value, the file that it is taken from. NAME: its value alone.
A page marks what it quotes, within a line and without a blank:

  <!--count:kernels-->24<!--/-->         a number, or names in back-quotes (count:machines.names)

--write fills every mark of every page. --check finds marks that are out of date, typed versions that differ, and folders
that the README of the folder around them does not name.
Exit status: 0 nothing is wrong, 1 something is, 2 usage.
"""
import os
import re
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
MARK = re.compile(r"<!--count:([\w.-]+)-->(.*?)<!--/-->", re.S)
# Versions that are typed: words before the number, and the name of what it must be.
TYPED = (
    (r"[Rr]ecords(?:'| have| of) version (\d+)", "records.version"),
    (r"version of the records: (\d+)", "records.version"),
    (r"[Tt]races? (?:has |have |of )?version (\d+)", "traces.version"),
)
# What the first lines of a page say of itself.
OWN = {
    "docs/retire-port.md": "records.version",
    "docs/trace-format.md": "traces.version",
    "docs/stream-format.md": "streams.version",
}
# Folders without a word in the README of the folder that they are in: names that say it themselves, and others by page.
PLAIN = {"include", "lib", "img", "src", "__pycache__"}
UNNAMED = {
    "compiler/README.md": "device",
    "isa/README.md": "abi configs",
    "lab/fpga/README.md": "litex",
    "tests/README.md": "examples progress",
    "tests/install/README.md": "package",
    "tests/isa/README.md": "asm",
}
LAYOUT = "docs/where-is-x.md"  # names the folders of the root, which README.md does not


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as f:
        return f.read()


def files_of(root, folder, ending):
    return sorted(f.removesuffix(ending) for f in os.listdir(os.path.join(root, folder)) if f.endswith(ending))


def matches(path, pattern):
    return lambda root: re.findall(pattern, read(root, path), re.M)


def files(folder, ending):
    return lambda root: files_of(root, folder, ending)


# What is counted: where, and how its names are found.
NAMES = {
    "kernels": ("firmware/kernels/kernels.c", matches("firmware/kernels/kernels.c", r'^    \{"(\w+)", ')),
    "kernels.assembly": ("firmware/kernels/kernels.c",
                         matches("firmware/kernels/kernels.c", r'^    \{"(\w+)", "[^"]*",\s+(?!NULL)\w')),
    "machines": ("isa/configs/*.cfg", files("isa/configs", ".cfg")),
    "variants": ("isa/variants/*.isa", files("isa/variants", ".isa")),
    "instructions": ("isa/heddle.isa", matches("isa/heddle.isa", r"^insn +(\w+)")),
    "differences": ("cosim/include/heddle/checker.h", matches("cosim/include/heddle/checker.h", r'^  X\([A-Z_]+, "([\w.]+)"')),
    "records": ("cosim/retire/retire.records", matches("cosim/retire/retire.records", r"^record +(\w+)")),
}
VERSIONS = {
    "records.version": ("cosim/retire/retire.records", r"^records \w+ (\d+)"),
    "traces.version": ("cosim/include/heddle/trace.h", r"^#define TRACE_VERSION (\d+)u"),
    "streams.version": ("lab/fpga/board/stream/stream_pkg.sv", r"\bVERSION = 4'd(\d+)"),
    "notes.version": ("isa/asm/elf_note.h", r"^#define NOTE_VERSION (\d+)u"),
}


class Unknown(Exception):
    """A name of no count."""


def value(root, name):
    """The text that stands for it in a page."""
    if name in VERSIONS:
        path, pattern = VERSIONS[name]
        found = re.findall(pattern, read(root, path), re.M)
        if len(found) != 1:
            raise Unknown(f"{path} has {len(found)} versions")
        return found[0]
    whole = name.removesuffix(".names")
    if whole not in NAMES:
        raise Unknown(f"no count is named {name}; scripts/counts.py prints their names")
    names = NAMES[whole][1](root)
    if not names:
        raise Unknown(f"{NAMES[whole][0]} has none of them")
    return f"{len(names):,}" if whole == name else ", ".join(f"`{n}`" for n in names)


def pages(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith((".", "build")))
        yield from (os.path.relpath(os.path.join(folder, n), root) for n in sorted(names) if n.endswith(".md"))


def plain(text):
    return " ".join(text.split())


def filled(root, text):
    """A page whose marks have their values. A value that differs only in line ends stays."""
    def put(match):
        now = value(root, match[1])
        return match[0] if plain(match[2]) == now else f"<!--count:{match[1]}-->{now}<!--/-->"
    return MARK.sub(put, text)


def wrong_counts(root, page, text):
    def line(at):
        return text.count("\n", 0, at) + 1

    for match in MARK.finditer(text):
        try:
            now = value(root, match[1])
        except Unknown as why:
            yield f"{page}:{line(match.start())}: {why}"
            continue
        if plain(match[2]) != now:
            yield f"{page}:{line(match.start())}: {match[1]} is {now}, not {plain(match[2])}: scripts/counts.py --write"
    unmarked = MARK.sub(lambda m: "\n" * m[0].count("\n"), text)
    typed = [(pattern, name, len(unmarked)) for pattern, name in TYPED]
    if page in OWN:
        typed.append((r"\bVersion (\d+)\.", OWN[page], unmarked.find("\n#", 2) % (len(unmarked) + 1)))
    for pattern, name, end in typed:
        for match in re.finditer(pattern, unmarked[:end]):
            if match[1] != value(root, name):
                yield f"{page}:{line(match.start())}: '{plain(match[0])}': {name} is {value(root, name)}"


def wrong_folders(root, page, folder, text):
    """Folders of a folder that have files and that its page does not name."""
    for name in sorted(os.listdir(os.path.join(root, folder))):
        path = os.path.join(root, folder, name)
        left_out = name.startswith((".", "build")) or name in PLAIN or name in UNNAMED.get(page, "").split()
        has_files = os.path.isdir(path) and any(f for _, _, f in os.walk(path))
        if has_files and not left_out and not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text):
            yield f"{page}: does not name the folder {os.path.normpath(os.path.join(folder, name))}/"


def named(root):
    """Entries of UNNAMED that have gone into their page since."""
    for page, names in UNNAMED.items():
        text = read(root, page)
        yield from ((page, name) for name in names.split() if re.search(rf"(?<![\w-]){re.escape(name)}/", text))


def check(root):
    for page in pages(root):
        text = read(root, page)
        yield from wrong_counts(root, page, text)
        if page == LAYOUT or (os.path.basename(page) == "README.md" and page != "README.md"):
            yield from wrong_folders(root, page, "" if page == LAYOUT else os.path.dirname(page), text)


def write(root):
    for page in pages(root):
        text = read(root, page)
        new = filled(root, text)
        if new != text:
            with open(os.path.join(root, page), "w", encoding="utf-8") as f:
                f.write(new)
            print(page)


def main(words):
    if len(words) > 1 or words[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0 if len(words) == 1 else 2
    try:
        if not words:
            for name, (where, _) in {**NAMES, **VERSIONS}.items():
                print(f"{name:18} {value(ROOT, name):>5}  {where}")
        elif words == ["--check"]:
            found = list(check(ROOT))
            marks = sum(len(MARK.findall(read(ROOT, page))) for page in pages(ROOT))
            print(*found, sep="\n", end="\n" if found else "")
            for page, name in named(ROOT):
                print(f"UNNAMED of counts.py needs no {name} of {page} any more")
            print(f"{marks} marks, {len(found)} findings")
            return 1 if found or not marks else 0
        elif words == ["--write"]:
            write(ROOT)
        else:
            print(value(ROOT, words[0]))
    except Unknown as why:
        print(f"counts.py: error: {why}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
