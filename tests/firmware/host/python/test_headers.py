#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: test_headers.py INCLUDE HEDDLE
What the package says of C is what C says: every struct's size and every field's place, as the C compiler has them;
every function is in the libraries. And `heddle cc` makes the same PTX."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import silicon

import heddle
from heddle._library import ffi, lib

sys.path.insert(0, str(silicon.ROOT / "firmware/host/python"))
import declarations

EXAMPLES = silicon.ROOT / "examples/programs"


def structs():
    for name in ffi.list_types()[1]:
        kind = ffi.typeof(f"struct {name}")
        try:
            ffi.sizeof(kind)
        except ffi.error:  # opaque
            continue
        yield name, kind


class Headers(unittest.TestCase):
    def test_layouts(self):
        lines, own = [], []
        for name, kind in structs():
            own.append(f"{name} {ffi.sizeof(kind)}")
            lines.append(f'printf("{name} %zu\\n", sizeof(struct {name}));')
            for field, f in kind.fields:
                if f.bitshift < 0:
                    own.append(f"{name}.{field} {f.offset}")
                    lines.append(f'printf("{name}.{field} %zu\\n", offsetof(struct {name}, {field}));')
        self.assertGreater(len(own), 500)
        includes = "".join(f"#include <heddle/{h}.h>\n" for h in declarations.HEADERS)
        with tempfile.TemporaryDirectory() as folder:
            source, program = pathlib.Path(folder, "all.c"), pathlib.Path(folder, "all")
            source.write_text(f"#include <stddef.h>\n#include <stdio.h>\n{includes}int main(void) {{\n" +
                              "\n".join(lines) + "\n}\n")
            subprocess.run(["cc", "-std=c11", f"-I{INCLUDE}", source, "-o", program], check=True)
            said = subprocess.run([program], text=True, check=True, stdout=subprocess.PIPE).stdout
        self.assertEqual(said.splitlines(), own)

    def test_functions(self):
        declared = set(re.findall(r"(?<!enum )\b(heddle_\w+)\s*\(", declarations.declarations(INCLUDE)))
        self.assertGreater(len(declared), 250)
        missing = [name for name in sorted(declared) if not hasattr(lib, name)]
        self.assertEqual(missing, [])


def without_paths(ptx):
    """Headers lie elsewhere in an installed package: comments and the lines of files name them."""
    return [line.split(b"//")[0] for line in ptx.splitlines() if not line.lstrip().startswith(b".file")]


class Clang(unittest.TestCase):
    def test_as_heddle_cc(self):
        files = sorted(EXAMPLES.glob("*.c[lu]"))
        self.assertGreater(len(files), 5)
        with tempfile.TemporaryDirectory() as folder:
            for file in files:
                out = pathlib.Path(folder, "out.ptx")
                subprocess.run([HEDDLE, "cc", file, "-o", out], check=True)
                self.assertEqual(without_paths(heddle.load(file).ptx), without_paths(out.read_bytes()), file.name)


if __name__ == "__main__":
    INCLUDE, HEDDLE = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
