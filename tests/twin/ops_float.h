/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the twin's floats: formats, rounding, and the host's four directions. */
#ifndef TWIN_OPS_FLOAT_H
#define TWIN_OPS_FLOAT_H

#include "tests/twin/ops.h"

struct format {
  unsigned precision; /* bits of the significand with the hidden one */
  int least;          /* exponent of the smallest normal number */
  unsigned bits;
};
static const struct format half_format = {11, -14, 16}, single_format = {24, -126, 32}, double_format = {53, -1022, 64};

uint64_t format_infinity(const struct format *f);
/* (-1)^sign * m * 2^e, m not 0, rounded once as the .rn .rz .rm .rp of `mode` says (none: .rn). An odd m may stand for
 * what is above or below it, when it has two bits more than the format. .ftz: to zero when tiny after rounding as if
 * the exponent had no least value. */
uint64_t round_to(const struct format *f, bool sign, uint64_t m, int e, uint64_t mode);
/* A finite number apart; false: zero. */
bool take_apart(const struct format *f, uint64_t bits, bool *sign, uint64_t *m, int *e);

void direction_set(uint64_t mode); /* of the host */
void direction_back(void);
/* a * b + c towards zero, the last bit set when something was cut off. */
double odd_sum(double product, double c);

static inline bool nan32(uint32_t a) {
  return (a & 0x7fffffff) > 0x7f800000;
}
static inline bool nan64(uint64_t a) {
  return (a & ~(UINT64_C(1) << 63)) > UINT64_C(0x7ff) << 52;
}
static inline bool nan16(uint16_t a) {
  return (a & 0x7fff) > 0x7c00;
}
static inline uint64_t quiet64(uint64_t a) {
  return a | UINT64_C(1) << 51;
}
static inline uint32_t flush32(uint32_t a, uint64_t m) {
  return m & M_ftz && (a & 0x7f800000) == 0 ? a & 0x80000000 : a;
}
float number32(uint32_t bits);
uint32_t bits32(float f);
double number64(uint64_t bits);
uint64_t bits64(double d);
#define NAN32 0x7fffffffu
#define NAN16 0x7fffu
#define NAN64 UINT64_C(0xfff8000000000000)

/* The relation of two numbers, or of an unordered pair. */
bool relation_float(bool less, bool equal, bool unordered, uint64_t m);
/* The class of a number by its magnitude's bits. */
bool testp(const struct format *f, uint64_t bits, uint64_t m);
/* Clamped to [0, 1]; NaN and -0: +0. */
uint32_t sat32(uint32_t a);
uint32_t made32(float r, uint64_t m); /* a result: canonical NaN, .sat */

#endif
