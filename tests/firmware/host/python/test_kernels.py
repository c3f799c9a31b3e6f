#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: test_kernels.py HEDDLE [CONFIG]...
The eight kernels of tests/silicon from Python: equal to a real GPU's buffers, bit for bit, on the model as a device, on
the model by steps, and two of them in lockstep on each machine that is named. What is recorded is a case of HEDDLE."""
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import silicon

import heddle

LOCKSTEP = ("saxpy", "histogram")
HEDDLE, CONFIGS = "", []


class Kernels(unittest.TestCase):
    def test_on_the_model(self):
        self.assertEqual(len(silicon.CASES), 8)
        with heddle.Device("model") as d:
            for name, case in silicon.CASES.items():
                self.assertTrue(silicon.golden(case))
                with self.subTest(name):
                    self.assertEqual(silicon.wrong(case, silicon.run(d, name)), [])

    def test_the_comparison_sees_a_bit(self):
        case = silicon.CASES["vecadd"]
        with heddle.Device("model") as d:
            given = silicon.run(d, "vecadd")
        given[2].view(np.uint32)[999] ^= 1
        self.assertEqual(silicon.wrong(case, given), [2])

    def test_by_steps(self):
        for name in ("vecadd", "reduce", "transpose"):
            case = silicon.CASES[name]
            program = heddle.load(silicon.FOLDER / case["ptx"])
            with heddle.Model(program, case["kernel"], grid=case["grid"], block=case["block"],
                              arguments=silicon.arguments(case)) as m, self.subTest(name):
                self.assertGreater(m.run(), 100)
                self.assertEqual(silicon.wrong(case, m.arguments), [])

    def test_recorded(self):
        self.addCleanup(os.environ.pop, "HEDDLE_RECORD")
        with tempfile.TemporaryDirectory() as folder:
            os.environ["HEDDLE_RECORD"] = folder
            with heddle.Device("model", memory=1 << 20) as d:
                for name in LOCKSTEP:
                    silicon.run(d, name)
            done = subprocess.run([HEDDLE, "cases", folder, "--on", "model"], check=True, text=True,
                                  capture_output=True)
        self.assertIn("2 passed, 0 failed", done.stdout + done.stderr)

    def test_in_lockstep(self):
        for config in CONFIGS:
            with heddle.Device(f"lockstep:{config}", memory=1 << 20) as d:
                for name in LOCKSTEP:
                    with self.subTest(f"{name} on {config}"):
                        self.assertEqual(silicon.wrong(silicon.CASES[name], silicon.run(d, name)), [])


if __name__ == "__main__":
    HEDDLE, *CONFIGS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
