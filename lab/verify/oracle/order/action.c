/* SPDX-License-Identifier: Apache-2.0
 *
 * What the word of an instruction says of memory, and the sums of atomics.
 */
#include <math.h>
#include <string.h>
#include "lab/verify/oracle/order/internal.h"

/* Atomics as isa/doc/04-memory.md words them, by the host's own arithmetic: IEEE 754 in round to nearest, and where
 * that leaves a choice (NaN) the words of isa/doc/02-instructions.md and 08-half-double-conversions.md. */

static uint32_t add_f32(uint32_t v, uint32_t b) {
  float x, y;
  memcpy(&x, &v, 4);
  memcpy(&y, &b, 4);
  const volatile float sum = x + y;
  const float s = sum;
  uint32_t bits;
  memcpy(&bits, &s, 4);
  return isnan(s) ? 0x7fffffffu : bits;
}

static bool nan64(uint64_t v) {
  return (v << 1) > UINT64_C(0x7ff0000000000000) << 1;
}

static uint64_t add_f64(uint64_t v, uint64_t b) {
  const uint64_t quiet = UINT64_C(1) << 51;
  if (nan64(b)) return b | quiet;
  if (nan64(v)) return v | quiet;
  double x, y;
  memcpy(&x, &v, 8);
  memcpy(&y, &b, 8);
  const volatile double sum = x + y;
  const double s = sum;
  uint64_t bits;
  memcpy(&bits, &s, 8);
  return isnan(s) ? UINT64_C(0xfff8000000000000) : bits;
}

static double half_value(uint32_t h) {
  const int e = (int)(h >> 10 & 31), m = (int)(h & 1023);
  const double x =
      e == 31 ? (m != 0 ? (double)NAN : (double)INFINITY) : ldexp(e == 0 ? m : m + 1024, e == 0 ? -24 : e - 25);
  return (h >> 15 & 1) != 0 ? -x : x;
}

/* Nearest even of a sum of two halves, which a double holds exactly: whole steps of 2^-24 at least. */
static uint32_t half_of(double x) {
  const uint32_t sign = signbit(x) != 0 ? 0x8000u : 0;
  const double m = fabs(x);
  if (isnan(x)) return 0x7fffu;
  if (m == 0) return sign;
  if (m >= 65520.0) return sign | 0x7c00u;
  int e;
  (void)frexp(m, &e);
  const int step = e - 11 < -24 ? -24 : e - 11;
  const double n = nearbyint(ldexp(m, -step)); /* below 2048, or 2048 itself, which is the next exponent's 1024 */
  return sign | (uint32_t)(n + (double)(step + 24) * 1024.0);
}

static uint32_t add_f16x2(uint32_t v, uint32_t b) {
  const uint32_t lo = half_of(half_value(v & 0xffff) + half_value(b & 0xffff));
  return lo | half_of(half_value(v >> 16) + half_value(b >> 16)) << 16;
}

static uint64_t lesser(bool first, uint64_t v, uint64_t b) {
  return first ? v : b;
}

static uint64_t narrow(unsigned aop, uint32_t v, uint32_t b) {
  switch (aop) {
  case ISA_AOP_ADD:
    return v + b;
  case ISA_AOP_ADD_F32:
    return add_f32(v, b);
  case ISA_AOP_ADD_F16X2:
    return add_f16x2(v, b);
  case ISA_AOP_MIN:
    return lesser(v < b, v, b);
  case ISA_AOP_MIN_S32:
    return lesser((int32_t)v < (int32_t)b, v, b);
  case ISA_AOP_MAX:
    return lesser(v > b, v, b);
  case ISA_AOP_MAX_S32:
    return lesser((int32_t)v > (int32_t)b, v, b);
  case ISA_AOP_INC:
    return v >= b ? 0 : v + 1;
  case ISA_AOP_DEC:
    return v == 0 || v > b ? b : v - 1;
  case ISA_AOP_AND:
    return v & b;
  case ISA_AOP_OR:
    return v | b;
  case ISA_AOP_XOR:
    return v ^ b;
  default: /* .EXCH */
    return b;
  }
}

static uint64_t wide_result(unsigned aop, uint64_t v, uint64_t b) {
  switch (aop) {
  case ISA_AOP_ADD_64:
    return v + b;
  case ISA_AOP_ADD_F64:
    return add_f64(v, b);
  case ISA_AOP_MIN_U64:
    return lesser(v < b, v, b);
  case ISA_AOP_MIN_S64:
    return lesser((int64_t)v < (int64_t)b, v, b);
  case ISA_AOP_MAX_U64:
    return lesser(v > b, v, b);
  case ISA_AOP_MAX_S64:
    return lesser((int64_t)v > (int64_t)b, v, b);
  case ISA_AOP_AND_64:
    return v & b;
  case ISA_AOP_OR_64:
    return v | b;
  case ISA_AOP_XOR_64:
    return v ^ b;
  default: /* .EXCH.64 */
    return b;
  }
}

void order_atomic_apply(const struct action *a, uint8_t *p, const uint32_t b[2], const uint32_t c[2]) {
  uint64_t v = 0, x = b[0], y = c[0];
  memcpy(&v, p, a->bytes);
  if (a->bytes == 8) {
    x |= (uint64_t)b[1] << 32;
    y |= (uint64_t)c[1] << 32;
  }
  if (a->cas)
    v = v == x ? y : v;
  else
    v = a->bytes == 8 ? wide_result(a->aop, v, x) : narrow(a->aop, (uint32_t)v, (uint32_t)x);
  memcpy(p, &v, a->bytes);
}

/* What the word of an instruction says of memory (isa/doc/04-memory.md, 10-matrices.md). */

static unsigned size_bytes(unsigned size) {
  switch (size) {
  case ISA_SIZE_U8:
  case ISA_SIZE_S8:
    return 1;
  case ISA_SIZE_U16:
  case ISA_SIZE_S16:
    return 2;
  case ISA_SIZE_64:
    return 8;
  case ISA_SIZE_128:
    return 16;
  default:
    return 4;
  }
}

static void take_registers(const struct heddle_isa_dec *d, struct action *a) {
  memset(a->reg, ISA_RZ, sizeof a->reg);
  for (unsigned s = 0; s < 3; s++)
    for (unsigned k = 0; d->src[s].kind == ISA_REG && d->src[s].reg != ISA_RZ && k < d->src[s].words; k++)
      if (2 * s + k < ACTION_OPERANDS) a->reg[2 * s + k] = (uint8_t)(d->src[s].reg + k);
}

static void take_matrix(const struct heddle_isa_dec *d, struct action *a) {
  a->act = ACT_MATRIX;
  a->bytes = 16;
  a->matrices = (uint8_t)(1u << heddle_isa_get(d->word, ISA_F_NUM));
  a->turned = heddle_isa_get(d->word, ISA_F_TRANS) == ISA_TRANS_MT88;
}

static void take_access(const struct heddle_isa_dec *d, const struct heddle_isa_instr *info, struct action *a) {
  const enum heddle_isa_enc enc = (enum heddle_isa_enc)d->enc;
  a->strong = heddle_isa_enc_owns(enc, ISA_F_STRONG) && heddle_isa_get(d->word, ISA_F_STRONG) >= ISA_STRONG_STRONG_GPU;
  if (info->access == ISA_ACCESS_ATOM || info->access == ISA_ACCESS_RED) {
    a->act = ACT_ATOMIC;
    a->cas = heddle_isa_enc_owns(enc, ISA_F_CAS);
    a->aop = (uint8_t)(a->cas ? 0 : heddle_isa_get(d->word, info->access == ISA_ACCESS_RED ? ISA_F_ROP : ISA_F_AOP));
    a->bytes = (uint8_t)(4u * d->src[1].words);
    return;
  }
  const bool copy = a->copy = info->access == ISA_ACCESS_COPY;
  a->act = copy ? ACT_COPY : info->access == ISA_ACCESS_LOAD ? ACT_LOAD : ACT_STORE;
  a->size = (uint8_t)heddle_isa_get(d->word, copy ? ISA_F_CSIZE : ISA_F_SIZE); /* numbered alike */
  a->bytes = (uint8_t)size_bytes(a->size);
}

bool order_action_of(struct heddle_isa_word w, struct action *a) {
  struct heddle_isa_dec d;
  *a = (struct action){.act = ACT_NONE};
  if (!heddle_isa_decode(w, &d)) return false;
  const struct heddle_isa_instr *info = heddle_isa_instr_info((enum heddle_isa_op)d.op);
  if (info->space == ISA_SPACE_NONE || info->space == ISA_SPACE_CONST) return false;
  a->space = info->space;
  a->wide = d.src[0].words == 2;
  a->offset = (int32_t)heddle_isa_get_signed(w, ISA_F_OFF24);
  a->words = d.has_rd && d.rd != ISA_RZ ? d.rd_words : 0;
  a->rd = d.rd;
  take_registers(&d, a);
  if (d.op == ISA_OP_LDSM_16)
    take_matrix(&d, a);
  else
    take_access(&d, info, a);
  return true;
}

uint32_t order_action_word(const struct action *a, const uint8_t *bytes, unsigned k) {
  uint32_t v = 0;
  memcpy(&v, bytes + 4 * k, a->bytes < 4 ? a->bytes : 4);
  if (a->act == ACT_LOAD && a->size == ISA_SIZE_S8) return (uint32_t)(int8_t)v;
  if (a->act == ACT_LOAD && a->size == ISA_SIZE_S16) return (uint32_t)(int16_t)v;
  return v;
}
