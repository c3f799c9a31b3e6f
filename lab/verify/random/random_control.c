/* SPDX-License-Identifier: Apache-2.0
 * Random control instructions that are legal where they stand: hints anywhere; barriers between warps, WARPSYNC and
 * BMOV where all lanes are together. */
#include <stdio.h>

#include "lab/verify/random/node.h"
#include "base/splitmix64.h"

static const char *draw_hint_guard(struct random_program *p) {
  static const char *const text[] = {"@P0 ", "@!P1 ", "@P2 ", "@!P3 ", "@!PT "};
  return random_chance(p, 60) ? "" : text[random_below(p, sizeof text / sizeof *text)];
}

static unsigned draw_data(struct random_program *p) {
  return REG_DATA + random_below(p, REG_DATA_COUNT);
}

/* Above 0 it says nothing of units that answer in any order: lint wants a guard there, so that nothing rests on it. */
static void random_depbar(struct random_program *p, char *buf, size_t size) {
  const char *g = draw_hint_guard(p);
  const unsigned limit = random_chance(p, 20) ? (unsigned)heddle_isa_field_most(ISA_F_SBK) : random_below(p, 4);
  snprintf(buf, size, "%sDEPBAR.LE SB%u, 0x%x ;\n", g, random_below(p, 6), *g != '\0' ? limit : 0);
}

static uint32_t mask(struct random_program *p) {
  static const uint32_t ends[] = {0, UINT32_MAX};
  return random_chance(p, 20) ? ends[random_below(p, 2)] : (uint32_t)splitmix64(&p->rng);
}

/* What the machine alone knows, for programs that may read it: rare among all that is drawn. */
static void look_at_machine(struct random_program *p, char *buf, size_t size) {
  static const char *const what[] = {"WARPID", "SMID", "NWARPID", "NSMID", "CLOCKLO", "CLOCKHI"};
  const char *name = what[random_below(p, 6)];
  const unsigned rd = draw_data(p);
  snprintf(buf, size, "%sS2R R%u, SR_%s ;\n", draw_hint_guard(p), rd, name);
}

void random_hint(struct random_program *p, char *buf, size_t size) {
  if (p->machine && random_chance(p, 40)) {
    look_at_machine(p, buf, size);
    return;
  }
  switch (random_below(p, p->place == PLACE_ANY ? 5 : 4)) {
  case 0:
    if (random_knob_chance(p, KNOB_OPERAND_ZERO))
      snprintf(buf, size, "%sNANOSLEEP RZ ;\n", draw_hint_guard(p));
    else {
      const char *reuse = random_chance(p, 20) ? ".reuse" : "";
      const unsigned time = draw_data(p);
      snprintf(buf, size, "%sNANOSLEEP R%u%s ;\n", draw_hint_guard(p), time, reuse);
    }
    break;
  case 1: {
    const uint32_t time = mask(p);
    snprintf(buf, size, "%sNANOSLEEP 0x%x ;\n", draw_hint_guard(p), time);
    break;
  }
  case 2:
    random_depbar(p, buf, size);
    break;
  case 3:
    snprintf(buf, size, "%sNOP ;\n", draw_hint_guard(p));
    break;
  default:
    snprintf(buf, size, "%sYIELD ;\n", draw_hint_guard(p));
    break;
  }
}

/* All threads of the block, as a count or as 0, which says the same until warps have ended. */
static unsigned everybody(struct random_program *p) {
  return p->leaves || random_chance(p, 50) ? 0 : 32 * random_warps(p);
}

/* A guard that is true in every lane, and what makes it so: barriers want whole warps. */
static const char *whole_guard(struct random_program *p, char g[80]) {
  const bool no = random_chance(p, 50);
  g[0] = '\0';
  if (random_chance(p, 30))
    snprintf(g, 80, "ISETP.%s.U32.AND P6, PT, R%u, 0x20, PT ;\n@%sP6 ", no ? "GE" : "LT", REG_LANE, no ? "!" : "");
  return g;
}

/* A predicate as a source. */
static void source(struct random_program *p, char ps[8]) {
  const char *no = random_chance(p, 50) ? "!" : "";
  if (random_chance(p, 15))
    snprintf(ps, 8, "%sPT", no);
  else
    snprintf(ps, 8, "%sP%u", no, random_below(p, PRED_DATA_COUNT));
}

/* The sum of true lanes; whether all are true, or any. Kinds may meet: a warp says how it comes. */
static void reduce(struct random_program *p, char *buf, size_t size) {
  const unsigned id = random_below(p, random_barriers()), count = everybody(p);
  char g[80], ps[8], to[8];
  const int n = snprintf(buf, size, "%s", whole_guard(p, g));
  source(p, ps);
  if (random_chance(p, 50)) {
    snprintf(to, sizeof to, "R%u", draw_data(p));
    snprintf(buf + n, size - (size_t)n, "BAR.RED.POPC %s, 0x%x, 0x%x, %s ;\n", random_chance(p, 10) ? "RZ" : to, id,
             count, ps);
  } else {
    snprintf(to, sizeof to, "P%u", random_below(p, PRED_DATA_COUNT));
    const char *pd = random_chance(p, 10) ? "PT" : to, *combine = random_chance(p, 50) ? "AND" : "OR";
    snprintf(buf + n, size - (size_t)n, "BAR.RED.%s %s, 0x%x, 0x%x, %s ;\n", combine, pd, id, count, ps);
  }
}

/* Arrivals complete their barrier without anybody's waiting; who waits elsewhere then knows that they have. */
static void arrive_ahead(struct random_program *p, char *buf, size_t size) {
  const unsigned warps = random_warps(p), id = random_below(p, random_barriers() - 1);
  char g[80], h[80];
  const unsigned count = everybody(p);
  const char *waiting = whole_guard(p, h), *arriving = whole_guard(p, g);
  snprintf(buf, size, "%sBAR.ARV 0x%x, 0x%x ;\n%sBAR.SYNC 0x%x, 0x%x ;\n", arriving, id, 32 * warps, waiting, id + 1,
           count);
}

/* Lanes are together, so that no barrier has members: one is used as a register, and left without. */
static void move_mask(struct random_program *p, char *buf, size_t size) {
  const unsigned b = random_below(p, random_bregs());
  char from[16], to[8] = "RZ";
  if (random_chance(p, 10))
    snprintf(from, sizeof from, "RZ");
  else if (random_chance(p, 40))
    snprintf(from, sizeof from, "R%u", draw_data(p));
  else
    snprintf(from, sizeof from, "0x%x", mask(p));
  if (random_chance(p, 90)) snprintf(to, sizeof to, "R%u", draw_data(p));
  const unsigned rd = draw_data(p);
  const char *get = draw_hint_guard(p), *leave = draw_hint_guard(p), *set = draw_hint_guard(p);
  snprintf(buf, size, "%sBMOV.SET B%u, %s ;\n%sBREAK B%u ;\n%sBMOV.GET R%u, B%u ;\nBMOV.GET.CLEAR %s, B%u ;\n", set, b,
           from, leave, b, get, rd, b, to, b);
}

/* Lanes that do not exist are not waited for. */
static void sync_warp(struct random_program *p, char *buf, size_t size) {
  if (random_chance(p, 50))
    snprintf(buf, size, "WARPSYNC 0xffffffff ;\n");
  else
    snprintf(buf, size, "MOV R%u, 0xffffffff ;\nWARPSYNC R%u ;\n", REG_ADDRESS, REG_ADDRESS);
}

void random_control(struct random_program *p, char *buf, size_t size) {
  static void (*const make[])(struct random_program *, char *, size_t) = {reduce, reduce, move_mask, sync_warp,
                                                                          arrive_ahead};
  make[random_below(p, p->leaves ? 4 : 5)](p, buf, size); /* who has left does not arrive */
}
