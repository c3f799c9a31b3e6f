/* SPDX-License-Identifier: Apache-2.0
 * Part of stream_release.c: arms that wait for each other by WARPSYNC at places of their own, and give each other turns
 * by YIELD meanwhile; loops with YIELD around which others are parked; WARPSYNC of some lanes inside of BSYNC of all;
 * lanes that leave while others wait at a WARPSYNC that names them.
 *
 * At the end all lanes that are left meet by WARPSYNC, for YIELD lets nobody go there. While some wait at WARPSYNC
 * nobody comes with another mask: lanes that are not named wait at BSYNC until those have gone on. */
#include "lab/verify/random/streams.h"

#include <stdio.h>

#define E(...) random_emit(p, __VA_ARGS__)

enum { STEP = REG_STREAM, MASK = REG_STREAM + 1, SOME = REG_STREAM + 2, SEEN = REG_STREAM + 3 };

static void put_divergent_insn(struct random_program *p) {
  char text[320];
  p->place = p->limits.its ? PLACE_ARM : PLACE_ANY;
  random_insn(p, text, sizeof text);
  E("%s", text);
}

/* Its turn is over, or that of some of its lanes; or not. */
static void give_way(struct random_program *p) {
  const unsigned ps = random_below(p, PRED_DATA_COUNT);
  switch (random_below(p, 5)) {
  case 0:
    E("NANOSLEEP 0x1 ;\n");
    break;
  case 1:
    E("@P%u YIELD ;\n", ps);
    break;
  case 2:
    E("@!P%u NANOSLEEP 0x2 ;\n", ps);
    break;
  default:
    E("YIELD ;\n");
    break;
  }
}

/* P6 for lanes from one on that is drawn. */
static void choose_upper(struct random_program *p) {
  E("ISETP.GE.U32.AND P6, PT, R%u, 0x%x, PT ;\n", REG_LANE, 1 + random_below(p, 31));
}

/* The mask of the lanes that are here, or of those with P6, by a convergence barrier that is empty again. */
static void mask_of(struct random_program *p, unsigned barrier, unsigned id, const char *guard, unsigned to) {
  E("BMOV.SET B%u, RZ ;\n%sBSSY B%u, join_%u ;\nBMOV.GET.CLEAR R%u, B%u ;\n", barrier, guard, barrier, id, to, barrier);
}

/* Four arms, each with the same number of WARPSYNCs of all lanes, at places of its own. */
static void arms(struct random_program *p, unsigned id) {
  const unsigned rounds = 1 + random_below(p, 3);
  E("SHF.R.U32.HI R%u, RZ, 0x%x, R%u ;\nLOP3.LUT R%u, R%u, 0x3, RZ, 0xc0 ;\n", STEP, random_below(p, 4), REG_LANE, STEP,
    STEP);
  for (unsigned k = 1; k < 4; k++) E("ISETP.EQ.U32.AND P6, PT, R%u, 0x%x, PT ;\n@P6 BRA arm%u_%u ;\n", STEP, k, k, id);
  for (unsigned k = 0; k < 4; k++) {
    E("arm%u_%u:\n", k, id);
    for (unsigned r = 0; r < rounds; r++) {
      for (unsigned i = random_below(p, 3); i > 0; i--) give_way(p);
      if (random_chance(p, 50)) put_divergent_insn(p);
      E("WARPSYNC 0xffffffff ;\n");
    }
    if (k < 3) E("BRA join_%u ;\n", id);
  }
  E("join_%u:\n", id);
}

/* Lanes go round as often as they like, YIELD in each turn, while the others are parked: YIELD lets them go as soon as
 * it is executed by all those that are not; of those that turn some may leave. */
static void loop(struct random_program *p, unsigned id) {
  const unsigned barrier = random_below(p, random_bregs()), turns = 1 + random_below(p, 3);
  E("BMOV.SET B%u, RZ ;\nBSSY B%u, out_%u ;\n", barrier, barrier, id);
  choose_upper(p);
  E("@%sP6 BRA park_%u ;\nLOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\nturn_%u:\n", random_chance(p, 50) ? "!" : "", id, STEP,
    REG_LANE, (1u << turns) - 1, id);
  put_divergent_insn(p);
  give_way(p);
  if (p->leaves && random_chance(p, 50)) E("@P%u EXIT ;\n", random_below(p, PRED_DATA_COUNT));
  E("ISETP.NE.U32.AND P6, PT, R%u, RZ, PT ;\nIADD3 R%u, R%u, -0x1, RZ ;\n@P6 BRA turn_%u ;\n", STEP, STEP, STEP, id);
  if (random_chance(p, 50)) {
    const unsigned ps = random_below(p, PRED_DATA_COUNT);
    E("@P%u BREAK B%u ;\n@P%u BRA out_%u ;\n", ps, barrier, ps, id);
  }
  E("park_%u:\nBSYNC B%u ;\nout_%u:\n", id, barrier, id);
}

/* Some lanes wait for each other at two places while all others are parked for all; some of them BREAK out then. */
static void sync_inside(struct random_program *p, unsigned id) {
  const unsigned outer = random_below(p, random_bregs()),
                 inner = (outer + 1 + random_below(p, random_bregs() - 1)) % random_bregs();
  const unsigned ps = random_below(p, PRED_DATA_COUNT), out = random_below(p, PRED_DATA_COUNT);
  E("BMOV.SET B%u, RZ ;\nBSSY B%u, join_%u ;\n", outer, outer, id);
  choose_upper(p);
  mask_of(p, inner, id, "@P6 ", MASK);
  E("@!P6 BRA join_%u ;\n@P%u BRA two_%u ;\n", id, ps, id);
  put_divergent_insn(p);
  E("WARPSYNC R%u ;\n", MASK);
  put_divergent_insn(p);
  if (random_chance(p, 60)) E("@P%u BREAK B%u ;\n@P%u BRA after_%u ;\n", out, outer, out, id);
  E("BRA join_%u ;\ntwo_%u:\n", id, id);
  for (unsigned i = random_below(p, 4); i > 0; i--) E("NANOSLEEP 0x1 ;\n");
  E("WARPSYNC R%u ;\njoin_%u:\nBSYNC B%u ;\nafter_%u:\n", MASK, id, outer, id);
}

/* A word of the warp's goes to and fro between two arms; each waits for the other's with YIELD. Both are there. */
static void exchange_word(struct random_program *p, unsigned id) {
  const unsigned at = 4 * random_below(p, SHARED_WARP_BYTES / 4), rounds = 1 + random_below(p, 3);
  const unsigned from = 1 + random_below(p, 31), barrier = random_below(p, random_bregs());
  E("STS [R%u+0x%x], RZ ;\n", REG_WARP_SHARED, at);
  mask_of(p, barrier, id, "", MASK);
  E("LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\nISETP.EQ.U32.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA join_%u ;\n", SOME, MASK,
    UINT32_MAX << from, SOME, id);
  E("ISETP.EQ.U32.AND P6, PT, R%u, R%u, PT ;\n@P6 BRA join_%u ;\n", SOME, MASK, id);
  E("ISETP.GE.U32.AND P6, PT, R%u, 0x%x, PT ;\n@P6 BRA second_%u ;\n", REG_LANE, from, id);
  for (unsigned arm = 0; arm < 2; arm++) {
    if (arm == 1) E("BRA join_%u ;\nsecond_%u:\n", id, id);
    for (unsigned r = 0; r < 2 * rounds; r++) {
      if (r % 2 == arm) {
        E("MOV R%u, 0x%x ;\nSTS [R%u+0x%x], R%u ;\n", STEP, r + 1, REG_WARP_SHARED, at, STEP);
        continue;
      }
      E("wait%u_%u_%u:\n", arm, r, id);
      if (random_chance(p, 80)) E("YIELD ;\n");
      E("LDS R%u, [R%u+0x%x] ;\nISETP.LT.U32.AND P6, PT, R%u, 0x%x, PT ;\n@P6 BRA wait%u_%u_%u ;\n", SEEN,
        REG_WARP_SHARED, at, SEEN, r + 1, arm, r, id);
    }
  }
  E("join_%u:\n", id);
}

/* What is waited for is all lanes that there are, those that have left before among them or not. */
static void leaving(struct random_program *p, unsigned id) {
  char mask[16] = "0xffffffff";
  const bool some = random_chance(p, 50);
  if (random_chance(p, 50)) {
    mask_of(p, random_below(p, random_bregs()), id, "", MASK);
    (void)snprintf(mask, sizeof mask, "R%u", MASK);
  }
  choose_upper(p);
  E("@%sP6 BRA wait_%u ;\n", random_chance(p, 50) ? "!" : "", id);
  put_divergent_insn(p);
  if (p->limits.its && random_chance(p, 50)) give_way(p);
  if (some) E("@P%u EXIT ;\n", random_below(p, PRED_DATA_COUNT));
  if (random_chance(p, 50)) put_divergent_insn(p);
  E("%s ;\nwait_%u:\nWARPSYNC %s ;\njoin_%u:\n", random_chance(p, 50) ? "EXIT" : "KILL", id, mask, id);
}

/* What goes to and fro lies where copies that nobody awaits may go. */
bool stream_cross(struct random_program *p, unsigned id) {
  static void (*const kind[])(struct random_program *, unsigned) = {leaving, arms, loop, sync_inside, exchange_word};
  const unsigned first = p->leaves ? 0 : 1, kinds = !p->limits.its ? 1 : p->races ? 4 : 5;
  if (first >= kinds || !random_chance(p, p->limits.its ? 40 : 15)) return false;
  kind[first + random_below(p, kinds - first)](p, id);
  E("WARPSYNC 0xffffffff ;\n");
  return true;
}
