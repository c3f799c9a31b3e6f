/* SPDX-License-Identifier: Apache-2.0
 * Directed stream: relations of values. Arithmetic, comparisons, clamps, conversions and atomics change their mind
 * where operands are equal, one apart or opposite, where one of two words differs, where exponents lie just so far from
 * each other, and where a number passes a limit; random words hardly ever do. Two quads of registers are made so, lane
 * by lane, and instructions take their operands from them. */
#include "lab/verify/random/streams.h"

#include <stdio.h>

#define E(...) random_emit(p, __VA_ARGS__)

enum { FIRST = REG_STREAM, SECOND = REG_STREAM + 4, QUAD = 4, AT = REG_ADDRESS, COUNTS = 7 };

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
