#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads mappings of Surfer, as its manual words them (https://docs.surfer-project.org/book/plugins/mapping).

usage: surfer.py show MAPPING VALUE            the text of a value (binary digits), or the value itself
       surfer.py names OP UNIT ISA_PKG.sv VECTORS   the two mappings of the instruction set, against the package
                                               that the RTL is compiled with, and the mnemonics of example words
"""
import re
import sys

RADIX = {"0b": 2, "0o": 8, "0x": 16}


def read(path):
    """Name, bits, {value: text}. What is no mapping fails."""
    name = bits = None
    text = {}
    for number, line in enumerate(open(path, encoding="ascii"), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if m := re.fullmatch(r"Name\s*=\s*(.+)", line):
            assert name is None, (path, number)
            name = m[1]
        elif m := re.fullmatch(r"Bits\s*=\s*(\d+)", line):
            assert bits is None, (path, number)
            bits = int(m[1])
        else:
            key, what = line.split(None, 1)
            digits = key.replace("_", "")
            value = int(digits[2:], RADIX[digits[:2]]) if digits[:2] in RADIX else int(digits)
            assert value not in text, f"{path}:{number}: {key} is there already"
            text[value] = what
    width = max(v.bit_length() for v in text)
    assert bits is None or bits >= width, (path, bits, width)
    return name, bits or width, text


def enum_of(package, prefix, kind):
    """Width and {value: NAME} of an enumeration."""
    m = re.search(r"typedef enum logic \[(\d+):0\] \{([^}]*)\} " + kind + ";", package)
    items = re.findall(prefix + r"_(\w+) = \d+'d(\d+)", m[2])
    return int(m[1]) + 1, {int(v): n for n, v in items}


def names(op_file, unit_file, package, vectors):
    package = open(package, encoding="ascii").read()
    for path, prefix, kind, least in ((op_file, "OP", "op_e", 100), (unit_file, "UNIT", "unit_e", 8)):
        name, bits, text = read(path)
        width, known = enum_of(package, prefix, kind)
        as_named = {v: re.sub(r"\W", "_", t).upper() for v, t in text.items()}
        assert name == f"Heddle {prefix.lower()}" and bits == width, (path, name, bits, width)
        assert as_named == known and len(known) >= least, path
    shown = set(read(op_file)[2].values())
    words = [line.split()[1] for line in open(vectors, encoding="ascii") if not line.startswith("#")]
    assert len(words) > 300 and set(words) == shown, set(words) ^ shown
    print(f"{len(shown)} mnemonics, all of {len(words)} words")


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "show":
        _, width, mapping = read(sys.argv[2])
        assert len(sys.argv[3]) <= width, (sys.argv[3], width)
        print(mapping.get(int(sys.argv[3], 2), sys.argv[3]))
    elif len(sys.argv) == 6 and sys.argv[1] == "names":
        names(*sys.argv[2:])
    else:
        sys.exit(__doc__)
