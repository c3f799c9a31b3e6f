# SPDX-License-Identifier: Apache-2.0
"""The scripts of the study: toggles of a made wave, tables of made figures, a page that says something else."""
import os
import sys
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../../lab/study/control"))
import common  # noqa: E402
import tables  # noqa: E402
import toggles  # noqa: E402

HEADER = """$scope module top $end
$var wire 1 ! clk_i $end
$scope module u_dep $end
$scope module gen_counter[0] $end
$var wire 4 a plane_q[0] [3:0] $end
$var wire 4 a alias_of_it [3:0] $end
$var wire 4 n something_else [3:0] $end
$upscope $end
$upscope $end
$scope module u_regfile $end
$scope module gen_bank[0] $end
$scope module u_ram $end
$var wire 1 r rd_en_i $end
$upscope $end
$upscope $end
$upscope $end
$upscope $end
$enddefinitions $end
"""
CHANGES = "#0,0!,b1010 a,b0 n,0r,#1,1!,b1001 a,#2,0!,#3,1!,1r,b1111 n,#4,0!,#5,1!,#6,0!,#7,1!,0r,b1000 a".replace(",", "\n")
".join("#0,0!,b1010 a,b0 n,0r,#1,1!,b1001 a,#2,0!,#3,1!,1r,b1111 n,#4,0!,#5,1!,#6,0!,#7,1!,0r,b1000 a".split(","))


class Toggles(unittest.TestCase):
    def test_bits_that_change_and_cycles_that_read(self):
        seen = toggles.Wave(iter((HEADER + CHANGES).splitlines()))
        self.assertEqual(seen.sums["counters"], 3)  # 1010 1001 1000: two bits, then one; the first value is none
        self.assertEqual(seen.sums["bank_reads"], 2)  # high from 3 to 7, a cycle is two units
        self.assertEqual(seen.bits["counters"], 4)
        self.assertEqual(seen.sums["scoreboard"], 0)

    def test_a_wave_without_a_clock_is_refused(self):
        with self.assertRaises(common.Failed):
            toggles.Wave(iter((HEADER + "#0\nb1010 a\n").splitlines()))


def kernel(cycles):
    return {"kernels": {"k": {"cycles": cycles, "warp_instructions": 10}}}


class Tables(unittest.TestCase):
    figures = {"cycles": {"configs": {"tiny": {"variants": {
        name: kernel(cycles) for name, cycles in zip(tables.VARIANT_NAMES, (100, 110, 144, 90, 100, 100, 100, 100))}}}}}

    def test_cycles_are_told_against_the_codes_as_compiled(self):
        text = tables.table_cycles(self.figures)
        self.assertIn("| scoreboard, no codes at all | +44.0 % | +44.0 % `k` to +44.0 % `k` |", text)
        self.assertIn("| counters await everything, stalls of 1 | −10.0 % |", text)
        self.assertIn("| codes as compiled | 0 |  |", text)

    def test_a_page_gets_its_tables_and_keeps_the_rest(self):
        page = "before\n<!-- study: cycles -->\nold\n<!-- end -->\nafter\n"
        after = tables.renewed(page, self.figures)
        self.assertNotIn("old", after)
        self.assertTrue(after.startswith("before\n<!-- study: cycles -->\n|"))
        self.assertTrue(after.endswith("<!-- end -->\nafter\n"))
        self.assertEqual(tables.renewed(after, self.figures), after)

    def test_a_table_that_nobody_makes_is_an_error(self):
        with self.assertRaises(common.Failed):
            tables.renewed("<!-- study: colours -->\n<!-- end -->\n", self.figures)


if __name__ == "__main__":
    unittest.main()
