/* SPDX-License-Identifier: Apache-2.0
 *
 * What operations compute that ir_eval.c leaves out, from PTX's definitions. */
#include <math.h>
#include <string.h>

#include "tests/compiler/ir_warp.h"
#include "tests/compiler/select_judge.h"

static unsigned bits_of(unsigned type) {
  return 8 * ptx_type_bytes((enum ptx_type)type);
}

static uint64_t mask_of(unsigned bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

typedef unsigned __int128 big;

/* ADDC SUBC MADC: sums of all bits; what is above them is the carry, or below zero the borrow. */
static bool carries(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  const unsigned bits = bits_of(i->type), fixed = i->op == IR_MADC ? 3 : 2;
  const uint64_t in = i->sources > fixed ? s[fixed] & 1 : 0;
  big x = s[0], r;
  if (i->op == IR_SUBC) {
    r = x - s[1] - in;
    d[1] = x < (big)s[1] + in;
  } else if (i->op == IR_ADDC) {
    r = x + s[1] + in;
    d[1] = (uint64_t)(r >> bits) & 1;
  } else {
    struct ir_insn product = {.op = i->arithmetic.high ? IR_MULHI : IR_MUL, .type = i->type, .sources = 2, .dsts = 1};
    uint64_t p;
    if (!ir_eval(&product, s, &p)) return false;
    r = (big)p + s[2] + in;
    d[1] = (uint64_t)(r >> bits) & 1;
  }
  d[0] = (uint64_t)r & mask_of(bits);
  return true;
}

/* The special ways of PRMT, as the manual's table has them: byte n of {b, a} for each byte of the result. */
static bool permute(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  static const uint8_t table[7][4] = {[IR_PRMT_F4E] = {0x10, 0x11, 0x12, 0x13},
                                      [IR_PRMT_B4E] = {0x10, 0x17, 0x16, 0x15},
                                      [IR_PRMT_RC8] = {0x10, 0x10, 0x10, 0x10}};
  const unsigned n = s[2] & 3;
  uint64_t v = s[0] | s[1] << 32;
  d[0] = 0;
  for (unsigned k = 0; k < 4; k++) {
    unsigned from = 0;
    if (i->permute <= IR_PRMT_RC8)
      from = (n + table[i->permute][k]) & 7;
    else if (i->permute == IR_PRMT_ECL)
      from = k > n ? k : n;
    else if (i->permute == IR_PRMT_ECR)
      from = k < n ? k : n;
    else
      from = 2 * (n & 1) + (k & 1);
    d[0] |= (v >> (8 * from) & 0xff) << (8 * k);
  }
  return i->permute != IR_PRMT_INDEX;
}

static int64_t byte(uint64_t x, unsigned k, unsigned type) {
  uint8_t b = (uint8_t)(x >> (8 * k));
  return type == PTX_S32 ? (int8_t)b : b;
}

static bool dot(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  int64_t sum = (int64_t)s[2];
  for (unsigned k = 0; k < 4; k++) sum += byte(s[0], k, i->type) * byte(s[1], k, i->type2);
  d[0] = (uint64_t)sum & UINT32_MAX;
  return true;
}

static bool class_of_number(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  int c;
  if (i->type == PTX_F64) {
    double x;
    memcpy(&x, &s[0], 8);
    c = fpclassify(x);
  } else {
    float x;
    memcpy(&x, &s[0], 4);
    c = fpclassify(x);
  }
  const bool is[] = {[IR_TESTP_FINITE] = c != FP_NAN && c != FP_INFINITE,
                     [IR_TESTP_INFINITE] = c == FP_INFINITE,
                     [IR_TESTP_NUMBER] = c != FP_NAN,
                     [IR_TESTP_NOTANUMBER] = c == FP_NAN,
                     [IR_TESTP_NORMAL] = c == FP_NORMAL || c == FP_ZERO, /* as silicon says */
                     [IR_TESTP_SUBNORMAL] = c == FP_SUBNORMAL};
  d[0] = is[i->test];
  return true;
}

static bool is_nan(unsigned type, uint64_t x) {
  if (type == PTX_F64) return (x & INT64_MAX) > UINT64_C(0x7ff0000000000000);
  return (x & INT32_MAX) > 0x7f800000;
}

/* Bits 63:56 of a generic address name the space (isa/doc/04-memory.md). */
static bool space(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  d[0] = s[0] >> 56 == (i->memory.space == PTX_GLOBAL ? 0u : i->memory.space == PTX_SHARED ? 1u : 2u);
  return true;
}

bool select_expect(const struct ir_insn *i, const uint64_t *s, uint64_t *d) {
  const uint64_t sign = i->type == PTX_F64 ? UINT64_C(1) << 63 : UINT64_C(1) << 31;
  switch (i->op) {
  case IR_ADDC:
  case IR_SUBC:
  case IR_MADC:
    return carries(i, s, d);
  case IR_DP4A:
    return dot(i, s, d);
  case IR_TESTP:
    return class_of_number(i, s, d);
  case IR_COPYSIGN:
    return d[0] = (s[0] & sign) | (s[1] & ~sign), true;
  case IR_ISSPACEP:
    return space(i, s, d);
  default:
    if (i->op == IR_PRMT && i->permute != IR_PRMT_INDEX) return permute(i, s, d);
    if (!ir_eval(i, s, d)) return false;
    /* NaNs: tests/silicon/nan.txt, by way of PTX, in test_nan.c. */
    return (i->type != PTX_F32 && i->type != PTX_F64) || i->op == IR_SETP || i->op == IR_SELP || !is_nan(i->type, d[0]);
  }
}
