// SPDX-License-Identifier: Apache-2.0
// reset_sync: asserted at once, between edges and where no clock runs, even for less than a cycle; released at an edge,
// as many of them later as it says.
#include "tests/rtl/lib/test.h"

int main(int argc, char **argv) {
  Verilated::randReset(2);
  Verilated::randSeed(1);
  Vtop top;
  Checks check;
  Random r{1};
  const unsigned hold[2] = {1, 5};
  uint64_t short_resets = 0, released[2] = {}, edges = 0; // edges: in a row that found no reset
  const auto look = [&](const char *when) {
    for (unsigned i = 0; i < 2; i++) check.that((top.rst_no >> i & 1) == (edges >= hold[i] + 3), when, i);
  };
  const auto assert_reset = [&] {
    top.arst_ni = 0;
    top.eval();
    edges = 0;
    look("asserted without an edge");
  };
  top.clk_i = 0;
  top.arst_ni = 1;
  top.eval();
  assert_reset();
  for (uint64_t n = cycles(argc, argv) / 10; n > 0; n--) {
    if (top.arst_ni != 0 && r.percent(8)) {
      assert_reset();
      if (r.percent(30)) { // and gone again before an edge
        top.arst_ni = 1;
        top.eval();
        look("still asserted");
        short_resets++;
      }
    } else if (top.arst_ni == 0 && r.percent(50)) {
      top.arst_ni = 1;
      top.eval();
      look("not released but at an edge");
    }
    top.clk_i = 1;
    top.eval();
    edges = top.arst_ni != 0 ? edges + 1 : 0;
    look("after an edge");
    for (unsigned i = 0; i < 2; i++) released[i] += edges == hold[i] + 3;
    top.clk_i = 0;
    top.eval();
    look("after a falling edge");
  }
  check.that(short_resets > 100 && released[0] > 100 && released[1] > 100, "resets came and went");
  return check.finish("resets");
}
