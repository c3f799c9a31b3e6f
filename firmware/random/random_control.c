/* SPDX-License-Identifier: Apache-2.0
 * Random control instructions that are legal where they stand: hints anywhere; barriers between warps, WARPSYNC and
 * BMOV where all lanes are together. */
#include <stdio.h>

#include "node.h"
#include "splitmix64.h"

static const char *guard(struct random_program *p) {
  static const char *const text[] = {"@P0 ", "@!P1 ", "@P2 ", "@!P3 ", "@!PT "};
  return random_chance(p, 60) ? "" : text[random_below(p, sizeof text / sizeof *text)];
}

static unsigned data(struct random_program *p) {
  return REG_DATA + random_below(p, REG_DATA_COUNT);
}

/* Above 0 it says nothing of units that answer in any order: lint wants a guard there, so that nothing rests on it. */
static void random_depbar(struct random_program *p, char *buf, size_t size) {
  const char *g = guard(p);
  const unsigned limit = random_below(p, 4);
  snprintf(buf, size, "%sDEPBAR.LE SB%u, 0x%x ;\n", g, random_below(p, 6), *g != '\0' ? limit : 0);
}

void random_hint(struct random_program *p, char *buf, size_t size) {
  switch (random_below(p, p->place == PLACE_ANY ? 5 : 4)) {
  case 0:
    snprintf(buf, size, "%sNANOSLEEP R%u ;\n", guard(p), data(p));
    break;
  case 1:
    snprintf(buf, size, "%sNANOSLEEP 0x%x ;\n", guard(p), (uint32_t)splitmix64(&p->rng));
    break;
  case 2:
    random_depbar(p, buf, size);
    break;
  case 3:
    snprintf(buf, size, "%sNOP ;\n", guard(p));
    break;
  default:
    snprintf(buf, size, "%sYIELD ;\n", guard(p));
    break;
  }
}

/* All threads of the block, as a count or as 0, which says the same until warps have ended. */
static unsigned everybody(struct random_program *p) {
  return p->leaves || random_chance(p, 50) ? 0 : 32 * random_warps(p);
}

/* The sum of true lanes; whether all are true, or any. Kinds may meet: a warp says how it comes. */
static void reduce(struct random_program *p, char *buf, size_t size) {
  const unsigned id = random_below(p, 16), count = everybody(p), ps = random_below(p, PRED_DATA_COUNT);
  const char *no = random_chance(p, 50) ? "!" : "";
  if (random_chance(p, 50))
    snprintf(buf, size, "BAR.RED.POPC R%u, 0x%x, 0x%x, %sP%u ;\n", data(p), id, count, no, ps);
  else
    snprintf(buf, size, "BAR.RED.%s P%u, 0x%x, 0x%x, %sP%u ;\n", random_chance(p, 50) ? "AND" : "OR",
             random_below(p, PRED_DATA_COUNT), id, count, no, ps);
}

/* Arrivals complete their barrier without anybody's waiting; who waits elsewhere then knows that they have. */
static void arrive(struct random_program *p, char *buf, size_t size) {
  const unsigned warps = random_warps(p), id = random_below(p, 15);
  snprintf(buf, size, "BAR.ARV 0x%x, 0x%x ;\nBAR.SYNC 0x%x, 0x%x ;\n", id, 32 * warps, id + 1, everybody(p));
}

/* B15 belongs to nobody else. */
static void move(struct random_program *p, char *buf, size_t size) {
  char from[16];
  if (random_chance(p, 50))
    snprintf(from, sizeof from, "R%u", data(p));
  else
    snprintf(from, sizeof from, "0x%x", (uint32_t)splitmix64(&p->rng));
  snprintf(buf, size, "%sBMOV.SET B15, %s ;\n%sBMOV.GET%s R%u, B15 ;\nBMOV.GET R%u, B%u ;\n", guard(p), from, guard(p),
           random_chance(p, 50) ? ".CLEAR" : "", data(p), data(p), random_below(p, 16));
}

/* Lanes that do not exist are not waited for. */
static void meet(struct random_program *p, char *buf, size_t size) {
  if (random_chance(p, 50))
    snprintf(buf, size, "WARPSYNC 0xffffffff ;\n");
  else
    snprintf(buf, size, "MOV R%u, 0xffffffff ;\nWARPSYNC R%u ;\n", REG_ADDRESS, REG_ADDRESS);
}

void random_control(struct random_program *p, char *buf, size_t size) {
  static void (*const make[])(struct random_program *, char *, size_t) = {reduce, reduce, move, meet, arrive};
  make[random_below(p, p->leaves ? 4 : 5)](p, buf, size); /* who has left does not arrive */
}
