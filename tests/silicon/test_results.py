#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""results.py says what is wrong. usage: test_results.py"""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import results  # noqa: E402


def said(*passed, **other):
    failed = len(passed) - sum(passed)
    cases = [{"name": f"c{i}", "passed": p} for i, p in enumerate(passed)]
    return {"cases": cases, "passed": sum(passed), "failed": failed, "exit": int(failed > 0), **other}


class Faults(unittest.TestCase):
    def wrong(self, words, *args):
        self.assertEqual([w for w in results.faults(*args) if words not in w], [])
        self.assertNotEqual(list(results.faults(*args)), [])

    def test_right(self):
        self.assertEqual(list(results.faults(said(True, True), 2, [])), [])
        self.assertEqual(list(results.faults(said(True, False), 2, ["c1"])), [])

    def test_wrong(self):
        self.wrong("c1 is not as on silicon", said(True, False), 2, [])
        self.wrong("take it out", said(True, True), 2, ["c1"])
        self.wrong("take it out", said(True, True), 2, ["gone"])
        self.wrong("twice", said(True, False), 2, ["c1", "c1"])
        self.wrong("1 cases, and there are 2", said(True), 2, [])
        self.wrong("0 cases", said(), 1, [])
        self.wrong("not what the list says", said(True, True, passed=1), 2, [])
        self.wrong("not what the list says", said(True, True, failed=1), 2, [])
        self.wrong("not what the list says", said(True, True, exit=1), 2, [])
        self.wrong("not what the list says", said(True, False, exit=0), 2, ["c1"])


if __name__ == "__main__":
    unittest.main()
