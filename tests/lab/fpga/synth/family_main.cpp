// SPDX-License-Identifier: Apache-2.0
// usage: family CYCLES: runs family_tb.sv on random inputs. Exit status 0: the netlist is always the same as its text,
// the wrong one is not.
#include <cstdio>
#include <cstdlib>

#include <Vfamily_tb.h>
#include "tests/rtl/random.h"
#include <verilated.h>

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  const long cycles = strtol(argv[1], nullptr, 10);
  VerilatedContext context;
  Vfamily_tb top(&context);
  Random random{1};
  long other = 0, noticed = 0;
  for (long cycle = 0; cycle < cycles; cycle++) {
    for (auto &word : top.r_i.m_storage) word = random.u32();
    top.clk_i = 0;
    top.eval();
    other += !top.same_o;
    noticed += top.wrong_o;
    top.clk_i = 1;
    top.eval();
  }
  printf("%ld cycles, %ld differ; of the wrong one %ld\n", cycles, other, noticed);
  top.final();
  return other != 0 || noticed == 0;
}
