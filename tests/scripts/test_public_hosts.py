# SPDX-License-Identifier: Apache-2.0
"""scripts/public-hosts.py: a program that compiles, and others that do not; its commands run; the table of all.

usage: test_public_hosts.py ROOT heddle-nvcc heddle
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT, NVCC, HEDDLE = sys.argv[1:4]
del sys.argv[1:4]
MAKEFILE = """main: main.cu
\t$(CC) -I../include main.cu -o main
run: main
\t./main data 5000 30
"""
RIGHT = """#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include "shared.h"
__global__ void fill(int *p) { p[threadIdx.x] = VALUE; }
int main(int, char **argv) {
  int *p, last = 0, n = atoi(argv[2]);
  cudaMalloc(&p, n * sizeof *p);
  for (int turn = atoi(argv[3]); turn > 0; turn--) fill<<<1, n>>>(p);
  cudaMemcpy(&last, p + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  puts(last == VALUE ? "PASS" : "FAIL");
}
"""


class PublicHosts(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder, self.out = pathlib.Path(held.name, "public"), pathlib.Path(held.name, "out")
        self.write("include/shared.h", "#define VALUE 7\n")
        self.write("bare-cuda/main.cu", RIGHT)
        for name, text in (("lacks", "void elsewhere();\nint main() { elsewhere(); }\n"), ("right", RIGHT),
                           ("wrong", "int main() {\n  return no_such_name;\n}\n")):
            self.write(f"{name}-cuda/Makefile", MAKEFILE)
            self.write(f"{name}-cuda/main.cu", text)
        self.write("other-hip/Makefile", "main:\n\tfalse\n")

    def write(self, path, text):
        whole = self.folder / path
        whole.parent.mkdir(parents=True, exist_ok=True)
        whole.write_text(text)

    def call(self, status, *command):
        ran = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, status, ran.stdout + ran.stderr)
        return ran.stdout

    def script(self, *arguments, status=0):
        return self.call(status, sys.executable, "-B", os.path.join(ROOT, "scripts/public-hosts.py"), *arguments)

    def build(self, *more):
        return self.script("build", self.folder, self.out, "--nvcc", NVCC, *more)

    def test_what_compiles_runs_and_is_in_the_table(self):
        self.assertIn("1 of 4 built", self.build())
        self.assertFalse((self.folder / "right-cuda/main").exists())
        built = json.loads((self.out / "built.json").read_text())
        self.assertEqual([(name, b["state"]) for name, b in built.items()],
                         [("bare", "no Makefile"), ("lacks", "does not link"), ("right", "built"),
                          ("wrong", "does not compile")])
        self.assertIn("elsewhere", built["lacks"]["why"])
        self.assertIn("no_such_name", built["wrong"]["why"])
        self.assertEqual((self.out / "hosts.txt").read_text(), "right.1: cd src/right-cuda && ./main data 256 1\n"
                         "right.2: cd src/right-cuda && ./main data 5000 1\n")
        said = self.out / "model.json"
        self.call(1, HEDDLE, "hosts", self.out, "--pass", "PASS", "--json", said)  # no block has 5,000 threads
        self.assertEqual([h["note"].split(":")[0] for h in json.loads(said.read_text())["hosts"]], ["passed", "refused"])
        self.assertEqual(self.script("table", self.out, said).splitlines(),
                         ["| bare | no Makefile |  |", f"| lacks | does not link: {built['lacks']['why']} |  |",
                          "| right | built | passed |",
                          f"| wrong | does not compile: {built['wrong']['why']} |  |"])

    def test_one_is_built_and_not_again(self):
        self.assertIn("1 of 1 built", self.build("--only", "right"))
        self.write("right-cuda/main.cu", "int main() {")
        self.assertIn("1 of 4 built", self.build())

    def test_the_best_command_is_in_the_table(self):
        self.out.mkdir()
        (self.out / "built.json").write_text(json.dumps(
            {n: {"state": "built", "why": "", "commands": []} for n in ("a", "b", "c")}))
        hosts = (("a.1", "failed: status 1", ""), ("a.2", "refused", "FP64 | of fpga"), ("b.1", "too long", ""),
                 ("b.2", "differs", ""))
        (self.out / "model.json").write_text(json.dumps(
            {"hosts": [{"name": n, "note": note, "why": why} for n, note, why in hosts]}))
        (self.out / "lockstep.json").write_text(json.dumps({"hosts": [{"name": "c.1", "note": "passed"}]}))
        self.assertEqual(self.script("table", self.out, self.out / "model.json", self.out / "lockstep.json").splitlines(),
                         ["| a | built | FP64 \\| of fpga |  |", "| b | built | too long |  |", "| c | built |  | passed |"])

    def test_usage(self):
        self.script("build", self.folder, status=2)
        self.script("build", self.folder / "none", self.out, status=1)


if __name__ == "__main__":
    unittest.main()
