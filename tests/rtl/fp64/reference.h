// SPDX-License-Identifier: Apache-2.0
// Results of FP64 instructions and conversions of 64-bit numbers, from isa/doc/08: MPFR for everything that rounds,
// plain C for what does not. Nothing here follows the hardware.
#pragma once
#include <cstdint>
#define MPFR_USE_INTMAX_T 1 // mpfr_set_uj, mpfr_set_sj
#include <mpfr.h>

#include "tests/rtl/fp64/fp64_bench.h"

enum class Format { F32, F64, F16 };

// An integer type.
struct Integer {
  unsigned bits;
  bool uns;
};

class Reference {
public:
  Reference();
  ~Reference();
  // DADD, DMUL, DFMA; signs: negation and absolute value of a, b, c from bit 0 on. rnd: ISA_RND_*.
  uint64_t arithmetic(heddle_isa_op op, unsigned rnd, unsigned neg, unsigned abs, const Vector &v);
  uint64_t from_int(Integer from, Format to, unsigned rnd, uint64_t b);
  uint64_t to_int(Format from, Integer to, unsigned irnd, bool ftz, bool neg, bool abs, uint64_t b);
  uint64_t convert(Format from, Format to, unsigned rnd, bool ftz, bool sat, bool neg, bool abs, uint64_t b);
  uint64_t integral(unsigned irnd, bool neg, bool abs, uint64_t b);

private:
  uint64_t round_to(Format to, unsigned rnd, bool ftz); // the exact value x_
  mpfr_t a_, b_, c_, x_, r24_, r53_, r11_;
};

uint64_t minimum(bool max, unsigned neg, unsigned abs, const Vector &v);
// Both predicates of DSETP: bit 0 pd0, bit 1 pd1.
unsigned compare(unsigned fcmp, unsigned join, unsigned neg, unsigned abs, const Vector &v);

bool is_nan(Format f, uint64_t bits);
double value_of(Format f, uint64_t bits); // not of a NaN
