// SPDX-License-Identifier: Apache-2.0
// usage: cells CYCLES SEED: runs cells_tb.sv and prints a line for each of its counts, for test_cells.sh.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include <Vcells_tb.h>
#include "tests/rtl/random.h"
#include <verilated.h>

// An operand: now and then all bits, none, one, all but one, all below one.
static uint64_t operand(Random *random) {
  const uint64_t any = random->next(), one = uint64_t{1} << random->below(64);
  const uint64_t special[] = {0, ~uint64_t{0}, one, ~one, one - 1};
  const uint32_t which = random->below(16);
  return which < sizeof special / sizeof *special ? special[which] : any;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const long cycles = strtol(argv[1], nullptr, 10);
  VerilatedContext context;
  context.randReset(2);
  context.randSeed(static_cast<int>(strtol(argv[2], nullptr, 10)));
  Vcells_tb top(&context);
  Random random{strtoull(argv[2], nullptr, 10)};
  for (long cycle = 0; cycle < cycles; cycle++) {
    for (auto &word : top.random_i.m_storage) word = random.u32();
    top.a_i = operand(&random);
    top.b_i = operand(&random);
    for (int level = 0; level < 2; level++) {
      top.clk_i = static_cast<CData>(level);
      top.eval();
      context.timeInc(1);
    }
  }
  printf("compared %" PRIu32 "\n", top.compared_o);
  printf("memories %08" PRIx32 "\n", top.memories_o);
  printf("wrong %08" PRIx32 "\n", top.wrong_o);
  printf("races %08" PRIx32 "\n", top.races_o);
  printf("relied %08" PRIx32 "\n", top.relied_o);
  printf("products %08" PRIx32 "\n", top.products_o);
  printf("signs %08" PRIx32 "\n", top.signs_o);
  top.final();
  return 0;
}
