// SPDX-License-Identifier: Apache-2.0
// The result of an instruction of the uniform datapath, from the words of isa/doc in plain arithmetic.
#pragma once
#include <cstdint>

extern "C" {
#include <heddle/isa.h>
#include <heddle/isa_tables.h>
}

struct Operands {
  uint32_t a = 0, b = 0;
  uint64_t c = 0;
  bool ps[3] = {}; // negation applied
  unsigned up = 0; // all uniform predicates
};

struct Result {
  uint64_t data = 0; // of one word, or of two
  bool pd[2] = {};
  unsigned named = 0, value = 0; // UR2UP: which predicates it writes, and their values
};

Result uniform_result(const heddle_isa_dec &d, const Operands &o);
