#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutants that change nothing that can be seen: equivalent.txt says which, and why.

A line is FILE | KIND | BEFORE | AFTER :: REASON, the first four as in the table of mutants (mutants.jsonl, "key"); what
follows it with blanks in front belongs to the reason. It holds for each place of that file with this text; with @N in front of the colons for the N-th of them alone, from 0 on
("occurrence"). What no place has any more is an error: the line is stale."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "faults"))


def whole_lines(lines):
    """[number, text], without comments and empty ones, each with the indented ones after it."""
    whole = []
    for number, line in enumerate(lines, 1):
        if line.startswith(" ") and line.strip() and whole:
            whole[-1][1] += " " + line.strip()
        elif line.strip() and not line.startswith("#"):
            whole.append([number, line])
    return whole


def read(path=HERE / "equivalent.txt"):
    """{key: reason}"""
    found = {}
    for number, line in whole_lines(path.read_text(encoding="latin-1").splitlines()):
        key, colon, reason = line.partition(" :: ")
        if not colon or key.count(" | ") < 3 or len(reason.split()) < 3:
            sys.exit(f"{path}:{number}: expected FILE | KIND | BEFORE | AFTER :: a reason in words")
        if key in found:
            sys.exit(f"{path}:{number}: the same mutant twice: {key}")
        found[key] = reason
    return found


def holds(known, mutant):
    """Whether one of the lines is about this mutant, a line of the table."""
    return mutant["key"] in known or f"{mutant['key']} @{mutant['occurrence']}" in known


def stale(keys, root, gen):
    """Those of the keys that no place in the sources has."""
    import place_c  # the readers of languages, which only this needs: a report does without pyslang and clang
    import place_sv
    import sites

    left = set()
    for language, mine in ((place_sv.Language(root, gen, ["tiny"]), [k for k in keys if k.startswith("rtl/")]),
                           (place_c.Language(root, gen), [k for k in keys if not k.startswith("rtl/")])):
        names = sorted({k.split(" | ")[0] for k in mine})
        gone = [n for n in names if not (root / n).exists()]
        found = language.find([n for n in names if n not in gone]) if names != gone else []
        sites.count_occurrences(found)
        have = {s.key for s in found} | {f"{s.key} @{s.occurrence}" for s in found}
        left |= {k for k in mine if k not in have}
    return sorted(left)


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1] in ("-h", "--help"):
        print(f"{__doc__}\n\nusage: equivalent.py GEN [FILE]     example: equivalent.py build/gen", file=sys.stderr)
        return 0 if sys.argv[1:] and sys.argv[1] in ("-h", "--help") else 2
    known = read(pathlib.Path(sys.argv[2])) if len(sys.argv) == 3 else read()
    old = stale(known, HERE.parents[2], pathlib.Path(sys.argv[1]).resolve())
    for key in old:
        print(f"stale: no place in the sources has this mutant any more: {key}", file=sys.stderr)
    print(f"{len(known)} equivalent mutants, {len(old)} of them stale")
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
