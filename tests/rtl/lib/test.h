// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of the cells: random numbers, a clock, a count of checks.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <Vtop.h>
#include "tests/rtl/random.h"
#include <verilated.h>

struct Checks {
  uint64_t done = 0, failed = 0;
  void that(bool ok, const char *what, unsigned index = 0) {
    done++;
    if (!ok && failed++ < 20) std::printf("failed: %s (%u)\n", what, index);
  }
  int finish(const char *name) const {
    std::printf("%s: %llu checks, %llu failed\n", name, static_cast<unsigned long long>(done),
                static_cast<unsigned long long>(failed));
    return failed == 0 && done != 0 ? 0 : 1;
  }
};

inline uint64_t cycles(int argc, char **argv) {
  return argc > 1 ? std::strtoull(argv[argc - 1], nullptr, 0) : 200000;
}

inline void clock(Vtop &top) {
  top.clk_i = 1;
  top.eval();
  top.clk_i = 0;
  top.eval();
}
