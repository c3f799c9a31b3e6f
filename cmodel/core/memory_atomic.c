/* SPDX-License-Identifier: Apache-2.0
 *
 * What an atomic makes of the value in memory (isa/doc/04-memory.md).
 */
#include <math.h>
#include <string.h>

#include "cmodel/core/memory_part.h"
#include "base/number.h"

/* Both sets number their operations alike; RED only lacks the exchanges. */
_Static_assert((int)ISA_ROP_ADD_F16X2 == (int)ISA_AOP_ADD_F16X2 && (int)ISA_ROP_MIN_U64 == (int)ISA_AOP_MIN_U64 &&
                   (int)ISA_ROP_MAX_S64 == (int)ISA_AOP_MAX_S64 && (int)ISA_ROP_DEC == (int)ISA_AOP_DEC &&
                   (int)ISA_ROP_XOR_64 == (int)ISA_AOP_XOR_64,
               "sets aop and rop");

#define F32_NAN 0x7fffffffu
#define F64_QUIET (UINT64_C(1) << 51)
#define F64_NAN UINT64_C(0xfff8000000000000)
#define F16_NAN 0x7fffu

/* ---- sums, rounded to nearest even: the host's own addition is that, but for NaNs ---- */

static uint32_t add_f32(uint32_t x, uint32_t y) {
  float a, b;
  memcpy(&a, &x, sizeof a);
  memcpy(&b, &y, sizeof b);
  const float r = a + b;
  uint32_t u;
  memcpy(&u, &r, sizeof u);
  return isnan(r) ? F32_NAN : u;
}

/* As DADD: a NaN of b, else of a, comes back quiet. */
static uint64_t add_f64(uint64_t x, uint64_t y) {
  double a, b;
  memcpy(&a, &x, sizeof a);
  memcpy(&b, &y, sizeof b);
  if (isnan(b)) return y | F64_QUIET;
  if (isnan(a)) return x | F64_QUIET;
  const double r = a + b;
  uint64_t u;
  memcpy(&u, &r, sizeof u);
  return isnan(r) ? F64_NAN : u;
}

static double power_of_two(int exponent) {
  const uint64_t u = (uint64_t)(1023 + exponent) << 52;
  double v;
  memcpy(&v, &u, sizeof v);
  return v;
}

static double f16_value(uint32_t h) {
  const int exponent = (int)(h >> 10 & 31);
  const double fraction = h & 0x3ff;
  double v = exponent == 0 ? fraction * power_of_two(-24) : (fraction + 1024) * power_of_two(exponent - 25);
  if (exponent == 31) v = fraction == 0 ? HUGE_VAL : (double)NAN;
  return (h & 0x8000) != 0 ? -v : v;
}

/* `v` is not a NaN. Multiples of the last place, rounded to even; a carry grows into the exponent by itself. */
static uint32_t f16_round(double v) {
  const uint32_t sign = signbit(v) ? 0x8000u : 0;
  const double size = fabs(v);
  if (size >= 65520) return sign | 0x7c00; /* half way to 2^16, and above */
  uint64_t u;
  memcpy(&u, &size, sizeof u);
  const int exponent = (int)(u >> 52) - 1023, place = exponent < -14 ? -24 : exponent - 10; /* of the last bit */
  const double scaled = size * power_of_two(-place);                                        /* below 2^11, exact */
  uint32_t whole = (uint32_t)scaled;
  const double rest = scaled - whole;
  whole += rest > 0.5 || (rest == 0.5 && (whole & 1) != 0);
  return sign | (((uint32_t)(place + 24) << 10) + whole);
}

/* The sum of two halves is exact in a double. */
static uint32_t add_half(uint32_t x, uint32_t y) {
  const double r = f16_value(x & 0xffff) + f16_value(y & 0xffff);
  return isnan(r) ? F16_NAN : f16_round(r);
}

/* ---- the rest ---- */

static uint64_t smaller(bool less, bool minimum, uint64_t v, uint64_t b) {
  return less == minimum ? v : b;
}

static uint64_t min_or_max(const struct dop *op, uint64_t v, uint64_t b) {
  const bool signed64 = (int64_t)v < (int64_t)b, signed32 = (int32_t)v < (int32_t)b;
  switch (op->atomic) {
  case ISA_AOP_MIN_S32:
  case ISA_AOP_MAX_S32:
    return smaller(signed32, op->atomic == ISA_AOP_MIN_S32, v, b);
  case ISA_AOP_MIN_S64:
  case ISA_AOP_MAX_S64:
    return smaller(signed64, op->atomic == ISA_AOP_MIN_S64, v, b);
  default:
    return smaller(v < b, op->atomic == ISA_AOP_MIN || op->atomic == ISA_AOP_MIN_U64, v, b);
  }
}

static uint64_t new_value(const struct dop *op, uint64_t v, uint64_t b, uint64_t c) {
  if (op->access == SEM_CAS) return v == b ? c : v;
  switch (op->atomic) {
  case ISA_AOP_ADD:
  case ISA_AOP_ADD_64:
    return v + b;
  case ISA_AOP_ADD_F32:
    return add_f32((uint32_t)v, (uint32_t)b);
  case ISA_AOP_ADD_F64:
    return add_f64(v, b);
  case ISA_AOP_ADD_F16X2:
    return add_half((uint32_t)v, (uint32_t)b) | (uint64_t)add_half((uint32_t)v >> 16, (uint32_t)b >> 16) << 16;
  case ISA_AOP_INC:
    return v >= b ? 0 : v + 1;
  case ISA_AOP_DEC:
    return v == 0 || v > b ? b : v - 1;
  case ISA_AOP_AND:
  case ISA_AOP_AND_64:
    return v & b;
  case ISA_AOP_OR:
  case ISA_AOP_OR_64:
    return v | b;
  case ISA_AOP_XOR:
  case ISA_AOP_XOR_64:
    return v ^ b;
  case ISA_AOP_EXCH:
  case ISA_AOP_EXCH_64:
    return b;
  default:
    return min_or_max(op, v, b);
  }
}

/* The operations of the set `aop` on two words; the rest of them, 0 to 31, are on one where they exist. */
#define WIDE_OPS                                                                                                       \
  (1u << ISA_AOP_ADD_64 | 1u << ISA_AOP_ADD_F64 | 1u << ISA_AOP_MIN_U64 | 1u << ISA_AOP_MIN_S64 |                      \
   1u << ISA_AOP_MAX_U64 | 1u << ISA_AOP_MAX_S64 | 1u << ISA_AOP_AND_64 | 1u << ISA_AOP_OR_64 | 1u << ISA_AOP_XOR_64 | \
   1u << ISA_AOP_EXCH_64)
#define NARROW_OPS                                                                                                     \
  (1u << ISA_AOP_ADD | 1u << ISA_AOP_ADD_F32 | 1u << ISA_AOP_ADD_F16X2 | 1u << ISA_AOP_MIN | 1u << ISA_AOP_MIN_S32 |   \
   1u << ISA_AOP_MAX | 1u << ISA_AOP_MAX_S32 | 1u << ISA_AOP_INC | 1u << ISA_AOP_DEC | 1u << ISA_AOP_AND |             \
   1u << ISA_AOP_OR | 1u << ISA_AOP_XOR | 1u << ISA_AOP_EXCH)

bool heddle_atomic(unsigned op, bool wide, uint64_t v, uint64_t b, uint64_t c, uint64_t *out) {
  const uint64_t mask = wide ? UINT64_MAX : UINT32_MAX;
  const bool swap = op == HEDDLE_COMPARE_SWAP;
  if (!swap && (op > 31 || ((wide ? WIDE_OPS : NARROW_OPS) >> op & 1u) == 0)) return false;
  const struct dop d = {.access = swap ? SEM_CAS : SEM_ATOM, .atomic = (uint8_t)op, .bytes = wide ? 8 : 4};
  const number_unit host = number_unit_begin();
  *out = new_value(&d, v & mask, b & mask, c & mask) & mask;
  number_unit_end(host);
  return true;
}

static uint64_t load_bytes(const uint8_t *p, unsigned bytes) {
  uint64_t v = 0;
  for (unsigned k = 0; k < bytes; k++) v |= (uint64_t)p[k] << (8 * k);
  return v;
}

static void store_bytes(uint8_t *p, unsigned bytes, uint64_t v) {
  for (unsigned k = 0; k < bytes; k++) p[k] = (uint8_t)(v >> (8 * k));
}

/* As below, while other threads of the host do it too: bytes change only if they are still those that were read. */
static uint64_t exchange_32(const struct dop *op, uint8_t *p, uint64_t b, uint64_t c) {
  uint32_t *at = (uint32_t *)(void *)p, v = __atomic_load_n(at, __ATOMIC_RELAXED), after;
  do {
    const uint64_t value = new_value(op, load_bytes((uint8_t *)&v, 4), b, c);
    store_bytes((uint8_t *)&after, 4, value);
  } while (!__atomic_compare_exchange_n(at, &v, after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return load_bytes((uint8_t *)&v, 4);
}

static uint64_t exchange_64(const struct dop *op, uint8_t *p, uint64_t b, uint64_t c) {
  uint64_t *at = (uint64_t *)(void *)p, v = __atomic_load_n(at, __ATOMIC_RELAXED), after;
  do {
    const uint64_t value = new_value(op, load_bytes((uint8_t *)&v, 8), b, c);
    store_bytes((uint8_t *)&after, 8, value);
  } while (!__atomic_compare_exchange_n(at, &v, after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return load_bytes((uint8_t *)&v, 8);
}

static uint64_t exchange_atomic(const struct dop *op, uint8_t *p, uint64_t b, uint64_t c) {
  const bool wide = op->bytes == 8;
  const uint64_t v = wide ? load_bytes(p, 8) : load_bytes(p, 4), after = new_value(op, v, b, c);
  if (wide)
    store_bytes(p, 8, after);
  else
    store_bytes(p, 4, after);
  return v;
}

static void atomic_lane(const struct dop *op, uint8_t *p, unsigned i, const struct rows_of *r, bool together) {
  const bool wide = op->bytes == 8;
  const uint64_t b = r->b[0][i] | (wide ? (uint64_t)r->b[1][i] << 32 : 0);
  const uint64_t c = op->access != SEM_CAS ? 0 : r->c[0][i] | (wide ? (uint64_t)r->c[1][i] << 32 : 0);
  uint64_t v;
  if (together)
    v = wide ? exchange_64(op, p, b, c) : exchange_32(op, p, b, c);
  else
    v = exchange_atomic(op, p, b, c);
  r->d[0][i] = (uint32_t)v;
  if (wide) r->d[1][i] = (uint32_t)(v >> 32);
}

static void add_lane(uint8_t *p, unsigned i, const struct rows_of *r) {
  const uint32_t v = (uint32_t)load_bytes(p, 4);
  store_bytes(p, 4, v + r->b[0][i]);
  r->d[0][i] = v;
}

void part_atomic(const struct part *t, const struct dop *op, const struct rows_of *r, bool together) {
  const bool plain = op->access != SEM_CAS && op->atomic == ISA_AOP_ADD && !together;
  for (uint32_t rest = t->lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    if (plain)
      add_lane(t->v.byte + t->at[i], i, r);
    else
      atomic_lane(op, t->v.byte + t->at[i], i, r, together);
  }
}
