# SPDX-License-Identifier: Apache-2.0
"""What run_reach.py has found: which programs make which mutants differ from the design. A line a program."""
import json
import os
import struct

LIMIT = 1 << 15   # numbers lie below it (watch.hpp: limit)
COUNT = struct.Struct("<III")   # reached, differs, early


def counts(path):
    """(reached, differs): sets of numbers, of the file that a watched device has written."""
    with open(path, "rb") as f:
        data = f.read()
    if len(data) != LIMIT * COUNT.size:
        raise ValueError(f"{path}: {len(data)} bytes instead of {LIMIT * COUNT.size}: was it a watched device that ran?")
    numbered = list(enumerate(COUNT.iter_unpack(data)))
    return ({n for n, (reached, _, early) in numbered if reached or early},
            {n for n, (reached, differs, early) in numbered if differs or (early and not reached)})


class Reach:
    """By configuration, seed and program: numbers of the mutants that differ, and of those that are reached alone."""

    def __init__(self, path):
        self.rows = {}
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as lines:
                for line in lines:
                    try:
                        r = json.loads(line)
                    except ValueError:
                        continue   # cut off by a stop
                    self.rows[r["config"], r["seed"], r["program"]] = (frozenset(r["differs"]), frozenset(r["same"]))

    def known(self, config, seed, program):
        return (config, seed, program) in self.rows

    def differs(self, number, config, seed, program):
        """Could this program tell the mutant from the design? Yes where nothing is known."""
        row = self.rows.get((config, seed, program))
        return row is None or number in row[0]

    def programs(self, number, config, seed):
        """(how many reach it, how many make it differ)"""
        rows = [r for (c, s, _), r in self.rows.items() if (c, s) == (config, seed)]
        differs = sum(number in d for d, _ in rows)
        return differs + sum(number in s for _, s in rows), differs
