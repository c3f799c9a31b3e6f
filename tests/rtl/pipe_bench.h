// SPDX-License-Identifier: Apache-2.0
// Shared by benches of pipes and units that compute: the operation that all lanes of a warp instruction perform, and
// the options of a bench.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <heddle/isa_gen.h>
#include "tests/rtl/arguments.h"
#include "tests/rtl/random.h"
extern "C" {
#include <heddle/isa.h>
}

// The part that is the same in all lanes.
struct Operation {
  heddle_isa_op op;
  heddle_isa_word word{0, 0};
  unsigned neg = 0, abs = 0; // bit 0 operand a, 1 b, 2 c
  Operation(heddle_isa_op o) : op(o) {}
  Operation &set(heddle_isa_field f, uint64_t v) {
    word = heddle_isa_put(word, f, v);
    return *this;
  }
  bool operator==(const Operation &o) const {
    return op == o.op && word.lo == o.word.lo && word.hi == o.word.hi && neg == o.neg && abs == o.abs;
  }
};

struct Options {
  uint64_t count;    // random vectors of each operation and mode
  bool full = false; // the long run: each operation and rounding has LONG vectors, or the bench fails
  static constexpr uint64_t LONG = 1000000;
  uint64_t seed = 1;
  unsigned fault = 0;  // lab/verify/faults: the run must then fail
  std::string silicon; // directory of measured results, or none
  // `vectors` without --count and --full; what is no option ends the program with status 2.
  Options(int argc, char **argv, uint64_t vectors) : count(vectors) {
    Arguments args(argc, argv);
    full = args.flag("--full");
    count = args.number("--count", full ? LONG : vectors);
    seed = args.number("--seed", seed);
    fault = args.small("--fault", fault);
    silicon = args.text("--silicon", silicon);
    args.all();
  }
};
