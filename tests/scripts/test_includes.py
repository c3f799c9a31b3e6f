# SPDX-License-Identifier: Apache-2.0
"""scripts/check-includes.py refuses each kind of include that it exists for, in a tree of a few files.

usage: test_includes.py ROOT
"""
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(sys.argv.pop(1), "scripts/check-includes.py")
spec = importlib.util.spec_from_file_location("check_includes", SCRIPT)
check_includes = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_includes)
LAYERS = check_includes.LAYERS


class Tree(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.root = held.name
        self.write("isa/include/heddle/isa.h", "")
        self.write("base/array.h", "#include <stddef.h>\n")
        self.write("cosim/checker/replay.h", "#include <heddle/isa.h>\n")
        self.write("cosim/checker/replay.c", '#include "replay.h"\n#include "base/array.h"\n#include "gen/isa_sem.h"\n')
        self.write("run/runner/replay.h", "")
        self.write("build/gen/isa_sem.h", "")

    def write(self, path, text):
        whole = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "w", encoding="utf-8") as f:
            f.write(text)

    def check(self, want, *more):
        """`want`: what the one line that it prints says, or None where nothing is wrong."""
        ran = subprocess.run([sys.executable, "-B", SCRIPT, self.root, *more], capture_output=True, text=True, check=False)
        *wrong, total = ran.stdout.splitlines()
        self.assertEqual((ran.returncode, len(wrong)), (1, 1) if want else (0, 0), ran.stdout + ran.stderr)
        if want:
            self.assertIn(want, wrong[0])
        self.assertIn("files", total)

    def includes(self, file, line, want, *more):
        self.write(file, f"#include {line}\n")
        self.check(want, *more)

    def built(self, *folders):
        flags = " ".join(f"-I{os.path.join(self.root, f)}" for f in ("", "build", "build/gen", *folders))
        self.write("build/compile_commands.json", json.dumps([{
            "directory": self.root, "command": f"cc {flags} -c x.c", "file": os.path.join(self.root, "cosim/checker/replay.c")}]))
        return "--build", os.path.join(self.root, "build")

    def test_right(self):
        self.check(None)
        self.check(None, *self.built())

    def test_two_headers_of_one_name(self):
        self.includes("run/runner/verdict.c", '"replay.h"', 'is not its own header: write "run/runner/replay.h"')

    def test_header_found_by_a_folder_list(self):
        self.includes("cosim/session/verdict.c", '"replay.h"', "is not beside it")

    def test_file_beside_comes_first(self):
        self.write("tools/base/array.h", "")
        self.includes("tools/x.c", '"base/array.h"', "tools/base/array.h comes first")

    def test_own_header_is_also_generated(self):
        self.write("build/gen/replay.h", "")
        self.check('"replay.h" is two files', *self.built())

    def test_public_header_twice(self):
        self.write("cosim/include/heddle/isa.h", "")
        os.remove(os.path.join(self.root, "cosim/checker/replay.h"))
        self.write("cosim/checker/replay.c", "")
        self.check("<heddle/isa.h> is two files")

    def test_public_header_by_its_path(self):
        self.includes("tools/x.c", '"isa/include/heddle/isa.h"', "write <heddle/isa.h>")

    def test_public_header_that_nobody_has(self):
        self.includes("tools/x.c", "<heddle/none.h>", "no <heddle/none.h>", *self.built())

    def test_generated_header_that_nobody_makes(self):
        self.includes("tools/x.c", '"gen/none.h"', 'no "gen/none.h"', *self.built())

    def test_upward_path(self):
        self.includes("tools/x.c", '"../base/array.h"', "write its path from the root")

    def test_each_layer(self):
        """One include of the layer above it, in each, fails by the names of both."""
        for below, above in zip(LAYERS, LAYERS[1:]):
            with self.subTest(below):
                header = os.path.join(above, "above.hpp")
                self.write(header, "")
                self.includes(f"{below}/x.c", f'"{header}"', f"{below}/ is before {above}/ and includes nothing of it")
                os.remove(os.path.join(self.root, below, "x.c"))
                os.remove(os.path.join(self.root, header))

    def test_public_header_of_a_folder_above(self):
        self.write("cosim/include/heddle/trace.h", "")
        self.includes("cmodel/x.c", "<heddle/trace.h>", "cmodel/ is before cosim/include/")

    def test_file_of_the_tree_in_angles(self):
        self.includes("tools/x.c", "<base/array.h>", "write it in quotes")

    def test_further_include_folder(self):
        self.check("further include folders", *self.built("tools/run"))

    def test_copied_sources_find_each_other(self):
        self.write("cosim/kit/c/heddle_bench.h", "")
        self.includes("cosim/kit/dpi/heddle_dpi.c", '"heddle_bench.h"', None)


if __name__ == "__main__":
    unittest.main()
