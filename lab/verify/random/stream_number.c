/* SPDX-License-Identifier: Apache-2.0
 * Directed stream: floating-point instructions on numbers of every class, each lane on others. */
#include "lab/verify/random/streams.h"

#include <heddle/isa_tables.h>
#include "base/splitmix64.h"

#define E(...) random_emit(p, __VA_ARGS__)

enum { FORMATS = 3, LOADS = 2, BLOCK_BYTES = NUMBER_BYTES / FORMATS / LOADS, AT = REG_ADDRESS, CLASSES = 5 };

/* Exponents of FP32 at which a conversion changes its mind: FP16's least and largest numbers and half of the least of
 * them, how far a fraction is shifted, integers of 32 bits. */
static uint64_t border(struct random_program *p) {
  static const uint8_t exponent[] = {81, 82, 101, 102, 103, 112, 113, 125, 126, 142, 143, 149, 150, 157, 158, 159};
  return exponent[random_below(p, sizeof exponent)];
}

/* Sign, exponent of `e` bits, fraction of `f`: zero, denormal, normal, infinite, no number. */
static uint64_t draw_number(struct random_program *p, unsigned e, unsigned f) {
  const uint64_t sign = (uint64_t)random_below(p, 2) << (e + f), one = ((uint64_t)1 << (e - 1)) - 1,
                 top = ((uint64_t)1 << e) - 1;
  uint64_t fraction = splitmix64(&p->rng) & (((uint64_t)1 << f) - 1);
  if (random_chance(p, 25)) fraction = random_chance(p, 50) ? 1 : ((uint64_t)1 << f) - 1;
  if (fraction == 0) fraction = (uint64_t)1 << (f - 1);
  if (random_chance(p, 12)) { /* n + 1/2 and its neighbours: conversions are asked which way */
    const unsigned size = 1 + random_below(p, f - 1);
    const uint64_t half = (uint64_t)1 << (f - 1 - size), below = half | (half - 1);
    fraction = (fraction & ~below) | half;
    return (sign | (one + size) << f | fraction) + (random_chance(p, 30) ? (uint64_t)random_below(p, 3) - 1 : 0);
  }
  if (f == 23 && random_chance(p, 12)) return sign | border(p) << f | fraction;
  switch (random_below(p, CLASSES)) {
  case 0:
    return sign;
  case 1:
    return sign | fraction;
  case 2: /* many near 1, so that sums and products stay numbers */
    return sign | (random_chance(p, 60) ? one - 2 + random_below(p, 5) : 1 + splitmix64(&p->rng) % (top - 1)) << f |
           fraction;
  case 3:
    return sign | top << f;
  default:
    return sign | top << f | fraction;
  }
}

void random_fill_numbers(struct random_program *p, uint8_t *at) {
  for (unsigned i = 0; i < NUMBER_BYTES; i += 8) {
    const unsigned format = i / BLOCK_BYTES / LOADS;
    uint64_t v = format == 2 ? draw_number(p, 11, 52) : 0;
    for (unsigned k = 0; k < 2 && format == 0; k++) v |= draw_number(p, 8, 23) << (32 * k);
    for (unsigned k = 0; k < 4 && format == 1; k++) v |= draw_number(p, 5, 10) << (16 * k);
    for (unsigned b = 0; b < 8; b++) at[i + b] = (uint8_t)(v >> (8 * b));
  }
}

/* A product less what it was rounded to, or a neighbour of that: all of its upper bits go. */
static void cancel(struct random_program *p, unsigned format) {
  static const char *const product[] = {"FMUL", "HMUL2", "DMUL"}, *const sum[] = {"FFMA", "HFMA2", "DFMA"};
  const unsigned step = format == 2 ? 2 : 1, a = REG_DATA, b = REG_DATA + 4, c = b + step;
  E("%s R%u, R%u, R%u ;\n", product[format], c, a, b);
  if (random_chance(p, 30)) E("IADD3 R%u, R%u, %s, RZ ;\n", c, c, random_chance(p, 50) ? "0x1" : "-0x1");
  E("%s R%u, R%u, %sR%u, %sR%u ;\n", sum[format], c, a, format == 0 && random_chance(p, 20) ? "-" : "", b, "-", c);
}

void stream_number(struct random_program *p, const struct node *n) {
  static const uint8_t kind[FORMATS] = {ISA_IMM_F32, ISA_IMM_F16X2, ISA_IMM_F64};
  static const uint8_t unit[FORMATS] = {ISA_UNIT_FMA, ISA_UNIT_HALF, ISA_UNIT_FP64};
  unsigned format = random_below(p, FORMATS);
  char text[320];
  (void)n;
  /* Conversions have halves; comparisons of FP32 are the ALU's. */
  if (!random_has(p, unit[format]) && !(format == 1 && random_has(p, ISA_UNIT_CVT))) format = 0;
  E("LOP3.LUT R%u, R%u, 0x%x, RZ, 0x3c ;\nIMAD.WIDE R%u, R%u, 0x10, RZ ;\n", AT + 2, REG_LANE, random_below(p, 32), AT,
    AT + 2);
  E("IADD3 R%u, P6, PT, R%u, c[0x0][input], RZ ;\nIADD3.X R%u, RZ, c[0x0][input+4], RZ, P6, !PT ;\n", AT, AT, AT + 1);
  for (unsigned i = 0; i < LOADS; i++)
    E("LDG.E.128 R%u, [R%u+0x%x] ;\n", REG_DATA + 4 * i, AT, NUMBERS_AT + (format * LOADS + i) * BLOCK_BYTES);
  if (random_chance(p, 40) && random_has(p, unit[format])) cancel(p, format);
  p->dense = true;
  for (unsigned i = 5 + random_below(p, 5); i-- > 0;) {
    random_insn_number(p, kind[format], text, sizeof text);
    E("%s", text);
  }
  p->dense = false;
}
