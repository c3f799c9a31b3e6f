/* SPDX-License-Identifier: Apache-2.0
 *
 * Directed streams: numbers of every class; values that are equal, one apart, or each other's negation.
 */
#include <stdio.h>

#include <heddle/isa_tables.h>
#include "base/splitmix64.h"
#include "lab/verify/random/streams.h"

/* Directed stream: floating-point instructions on numbers of every class, each lane on others. */

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

/* Directed stream: relations of values. Arithmetic, comparisons, clamps, conversions and atomics change their mind
 * where operands are equal, one apart or opposite, where one of two words differs, where exponents lie just so far from
 * each other, and where a number passes a limit; random words hardly ever do. Two quads of registers are made so, lane
 * by lane, and instructions take their operands from them. */

enum { FIRST = REG_STREAM, SECOND = REG_STREAM + 4, QUAD = 4, COUNTS = 7 };

/* Limits of counts (the first ones), of integers, and of the ranges that conversions and special functions have. */
static uint32_t center(struct random_program *p) {
  static const uint32_t centers[] = {0,          0,          0x20,       0x40,       0x60,       0x80,       0x100,
                                     0x8000,     0x10000,    0x7fffffff, 0x80000000, 0x3f800000, 0x4f000000, 0xcf000000,
                                     0x4f800000, 0x47000000, 0x43000000, 0x42ff0000, 0xc3000000, 0x7f800000, 0xff800000,
                                     0x00800000, 0x80800000, 0x4b000000, 0x4b800000, 0x477ff000, 0x33800000, 0x38800000,
                                     0x41e00000, 0x43e00000, 0x3ff00000, 0x7c007c00, 0x3c003c00, 0xffffffff};
  const unsigned all = sizeof centers / sizeof *centers;
  return centers[random_below(p, random_chance(p, 35) ? COUNTS : all)];
}

/* Word i of the first quad: 32 numbers in a row about a limit, lane by lane; that limit; anything. */
static void first_word(struct random_program *p, unsigned i) {
  const uint32_t c = center(p), less = random_below(p, 32);
  switch (random_below(p, 4)) {
  case 0:
    E("MOV R%u, R%u ;\n", FIRST + i, random_data(p));
    return;
  case 1:
    E("MOV R%u, 0x%x ;\n", FIRST + i, c);
    break;
  default:
    E("IADD3 R%u, R%u, 0x%x, RZ ;\n", FIRST + i, REG_LANE, c - less);
    break;
  }
  p->related_value = c;
}

/* Word i of the second quad, out of that of the first. */
static void second_word(struct random_program *p, unsigned i, const char *guard) {
  static const uint8_t apart[] = {1, 23, 24, 25, 100, 101, 125, 126, 127, 128, 149, 155, 156};
  const unsigned a = FIRST + i, b = SECOND + i, k = random_below(p, sizeof apart), n = random_below(p, 32);
  const uint32_t exponent = (uint32_t)apart[k] << 23;
  switch (random_below(p, 11)) {
  case 0:
    E("%sIADD3 R%u, R%u, 0x1, RZ ;\n", guard, b, a);
    break;
  case 1:
    E("%sIADD3 R%u, R%u, -0x1, RZ ;\n", guard, b, a);
    break;
  case 2: /* the other sign, of a number or of an integer */
    E("%sLOP3.LUT R%u, R%u, 0x80000000, RZ, 0x3c ;\n", guard, b, a);
    break;
  case 3:
    E("%sIMAD R%u, R%u, 0xffffffff, RZ ;\n", guard, b, a);
    break;
  case 4:
    E("%sLOP3.LUT R%u, R%u, 0x%x, RZ, 0x3c ;\n", guard, b, a, 1u << n);
    break;
  case 5: /* exponents so far apart */
    E("%sIADD3 R%u, R%u, 0x%x, RZ ;\n", guard, b, a, random_chance(p, 50) ? exponent : 0u - exponent);
    break;
  case 6:
    E("%sIADD3 R%u, R%u, 0x%x, RZ ;\n", guard, b, REG_LANE, center(p) - n);
    break;
  default:
    E("%sMOV R%u, R%u ;\n", guard, b, a);
    break;
  }
}

/* Some lanes have one relation, others another. */
static void relate(struct random_program *p) {
  p->related_value = 0;
  for (unsigned i = 0; i < QUAD; i++) first_word(p, i);
  for (unsigned i = 0; i < QUAD; i++) second_word(p, i, "");
  E("LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\nISETP.NE.U32.AND P6, PT, R%u, RZ, PT ;\n", AT, REG_LANE,
    1 + random_below(p, 31), AT);
  for (unsigned i = 0; i < QUAD; i++) second_word(p, i, "@P6 ");
}

static void put_arithmetic(struct random_program *p) {
  char text[320];
  for (unsigned n = 5 + random_below(p, 5); n-- > 0;) {
    random_insn(p, text, sizeof text);
    E("%s", text);
  }
}

/* The thread's own 16 bytes of global or shared memory: directly, or some lanes by generic addresses to the one, the
 * others to the other. */
enum where { OWN_GLOBAL, OWN_SHARED, OWN_GENERIC };

static void own_address(struct random_program *p, enum where w, unsigned off) {
  if (w == OWN_SHARED) {
    E("IADD3 R%u, R%u, 0x%x, RZ ;\n", AT, REG_SHARED, SHARED_AT);
    return;
  }
  E("IADD3 R%u, P6, PT, R%u, 0x%x, RZ ;\nIADD3.X R%u, R%u, RZ, RZ, P6, !PT ;\n", AT, REG_OWN, OWN_AT + off, AT + 1,
    REG_OWN + 1);
  if (w != OWN_GENERIC) return;
  const unsigned shared = random_below(p, PRED_DATA_COUNT);
  E("@P%u IADD3 R%u, R%u, 0x%x, RZ ;\n@P%u MOV R%u, 0x1000000 ;\n", shared, AT, REG_SHARED, SHARED_AT, shared, AT + 1);
}

/* Memory holds the first quad, or the second one; operands come from either. */
static void atomics(struct random_program *p) {
  static const char *const stores[] = {"STG.E.128", "STS.128", "ST.E.128"};
  static const char *const loads[] = {"LDG.E.128", "LDS.128", "LD.E.128"};
  static const char *const atomic[] = {"ATOMG.E", "ATOMS", "ATOM.E"};
  const enum where w = (enum where)random_below(p, 3);
  const bool reduces = w == OWN_GLOBAL && random_chance(p, 15);
  own_address(p, w, 16 * random_below(p, SCRATCH_THREAD_BYTES / 16));
  for (unsigned n = 1 + random_below(p, 3); n-- > 0;) {
    char text[320], place[24];
    const bool two = random_chance(p, 50);
    p->related_at = two ? 2 * random_below(p, 2) : random_below(p, QUAD);
    E("%s [R%u], R%u ;\n", stores[w], AT, random_chance(p, 80) ? (unsigned)FIRST : (unsigned)SECOND);
    snprintf(place, sizeof place, "[R%u+0x%x]", AT, 4 * p->related_at);
    random_atomic(p, text, sizeof text, "", reduces ? "RED.E" : atomic[w], place, two ? 8 : 4, true);
    E("%s", text);
    if (random_chance(p, 40)) {
      random_atomic(p, text, sizeof text, "", reduces ? "RED.E" : atomic[w], place, two ? 8 : 4, true);
      E("%s", text);
    }
  }
  E("%s R%u, [R%u] ;\n", loads[w], REG_DATA + QUAD * random_below(p, REG_DATA_COUNT / QUAD), AT);
}

void stream_relation(struct random_program *p, const struct node *n) {
  (void)n;
  relate(p);
  p->related = true;
  if (random_chance(p, 60))
    put_arithmetic(p);
  else
    atomics(p);
  p->related = false;
}
