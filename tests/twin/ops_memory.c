/* SPDX-License-Identifier: Apache-2.0
 * The twin's memory and atomics. */
#include "tests/twin/ops.h"

uint64_t load(const uint8_t *from, unsigned bytes, bool is_signed) {
  uint64_t v = 0;
  for (unsigned k = 0; k < bytes; k++) v |= (uint64_t)from[k] << (8 * k);
  if (is_signed && bytes < 8 && v >> (8 * bytes - 1) & 1) v |= UINT64_MAX << (8 * bytes);
  return v;
}

void store(uint8_t *to, unsigned bytes, uint64_t v) {
  for (unsigned k = 0; k < bytes; k++) to[k] = (uint8_t)(v >> (8 * k));
}

unsigned ops_open;

static bool tiny32(uint32_t a) {
  return (a & 0x7f800000) == 0 && (a & 0x7fffff) != 0;
}

static uint64_t extreme(bool less, enum twin_atom op, uint64_t old, uint64_t b) {
  return less == (op == A_min) ? old : b;
}

static uint64_t updated(enum twin_atom op, unsigned bytes, bool is_signed, uint64_t old, uint64_t b, uint64_t c) {
  bool less = is_signed ? (bytes == 4 ? (int32_t)old < (int32_t)b : (int64_t)old < (int64_t)b) : old < b;
  switch (op) {
  case A_add:
    return old + b;
  case A_min:
  case A_max:
    return extreme(less, op, old, b);
  case A_and:
    return old & b;
  case A_or:
    return old | b;
  case A_xor:
    return old ^ b;
  case A_exch:
    return b;
  case A_cas:
    return old == b ? c : old;
  case A_inc:
    return old >= b ? 0 : old + 1;
  default:
    return old == 0 || old > b ? b : old - 1;
  }
}

uint64_t atom(uint8_t *at, enum twin_atom op, unsigned bytes, bool is_signed, bool is_float, uint64_t b, uint64_t c) {
  uint64_t old = load(at, bytes, false), v;
  if (is_float)
    v = bytes == 4 ? add_f32((uint32_t)old, (uint32_t)b, M_rn) : add_f64(old, b, M_rn);
  else
    v = updated(op, bytes, is_signed, old, bytes == 4 ? (uint32_t)b : b, bytes == 4 ? (uint32_t)c : c);
  if (is_float && bytes == 4 && (tiny32((uint32_t)old) || tiny32((uint32_t)b) || tiny32((uint32_t)v)))
    ops_open |= OPEN_TINY_SUM;
  store(at, bytes, v);
  return old;
}
