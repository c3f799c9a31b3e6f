# SPDX-License-Identifier: Apache-2.0
"""Where lab/fpga/synth/plant.py plants: never in what only the retire port shows; what it changes is that cell alone."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "..", "lab", "fpga", "synth"))
import plant


def lut(a, b, out):
    return {"type": "LUT4", "parameters": {"INIT": "1000100010001000"}, "attributes": {},
            "port_directions": {"A": "input", "B": "input", "C": "input", "D": "input", "Z": "output"},
            "connections": {"A": [a], "B": [b], "C": ["0"], "D": ["0"], "Z": [out]}}


def register(d, q):
    return {"type": "TRELLIS_FF", "parameters": {}, "attributes": {},
            "port_directions": {"CLK": "input", "DI": "input", "Q": "output"}, "connections": {"CLK": [2], "DI": [d], "Q": [q]}}


def machine():
    """`shown` and the register after it lead to the retire port alone; `first` to both, `last` to the other port."""
    def port(direction, *bits):
        return {"direction": direction, "bits": list(bits)}
    ports = {"clk_i": port("input", 2), "in_i": port("input", 3, 4), "data_o": port("output", 12), "ret_data_o": port("output", 11)}
    cells = {"first": lut(3, 4, 10), "shown": lut(10, 4, 13), "kept": register(13, 11), "last": lut(10, 3, 12)}
    return {"ports": ports, "cells": cells, "netnames": {n: {"bits": p["bits"], "attributes": {}} for n, p in ports.items()}}


class Plant(unittest.TestCase):
    def test_not_in_what_is_only_shown(self):
        drawn = {plant.Planter(machine(), seed, set()).draw("LUT4", lambda cell: True)[0] for seed in range(40)}
        self.assertEqual(drawn, {"first", "last"})

    def test_not_where_it_is_told(self):
        drawn = {plant.Planter(machine(), seed, {"first"}).draw("LUT4", lambda cell: True)[0] for seed in range(40)}
        self.assertEqual(drawn, {"last"})

    def test_one_entry_beside_the_right_cell(self):
        for seed in range(8):
            module = machine()
            planter = plant.Planter(module, seed, {"first"})
            planter.number = 5
            planter.lut_bit()
            right, wrong = module["cells"]["last"], module["cells"]["planted_5"]
            self.assertEqual(right["parameters"], machine()["cells"]["last"]["parameters"])
            flipped = [i for i, (a, b) in enumerate(zip(right["parameters"]["INIT"], wrong["parameters"]["INIT"])) if a != b]
            self.assertEqual(len(flipped), 1)
            self.assertGreaterEqual(flipped[0], 12)  # C and D are 0: entries 0 to 3
            choice = module["cells"]["planted_5_12"]
            self.assertEqual((choice["connections"]["GOOD"], choice["connections"]["BAD"], choice["connections"]["Z"]),
                             (right["connections"]["Z"], wrong["connections"]["Z"], [12]))


if __name__ == "__main__":
    unittest.main()
