/* SPDX-License-Identifier: Apache-2.0
 *
 * Directed stream: what lets parked lanes go, and what leads lanes elsewhere, while up to 31 paths wait.
 */
#include <stdio.h>
#include "lab/verify/random/streams.h"

/* Part of stream_release.c: arms that wait for each other by WARPSYNC at places of their own, and give each other turns
 * by YIELD meanwhile; loops with YIELD around which others are parked; WARPSYNC of some lanes inside of BSYNC of all;
 * lanes that leave while others wait at a WARPSYNC that names them.
 *
 * At the end all lanes that are left meet by WARPSYNC, for YIELD lets nobody go there. While some wait at WARPSYNC
 * nobody comes with another mask: lanes that are not named wait at BSYNC until those have gone on. */

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
static bool stream_cross(struct random_program *p, unsigned id) {
  static void (*const kind[])(struct random_program *, unsigned) = {leaving, arms, loop, sync_inside, exchange_word};
  const unsigned first = p->leaves ? 0 : 1, kinds = !p->limits.its ? 1 : p->races ? 4 : 5;
  if (first >= kinds || !random_chance(p, p->limits.its ? 40 : 15)) return false;
  kind[first + random_below(p, kinds - first)](p, id);
  E("WARPSYNC 0xffffffff ;\n");
  return true;
}

/* Directed stream: what lets parked lanes go, and what leads lanes elsewhere, while up to 31 paths wait.
 *
 * Lane after lane first leaves for the end and waits; the lanes that are left then do one thing. Whichever barrier they
 * use is emptied before; all lanes meet at the end again. */

enum { TARGET = REG_ADDRESS, LANES = 32 };

struct spot {
  unsigned id, waiting;         /* lanes below `waiting` have left */
  unsigned inner, other, outer; /* convergence barriers */
  unsigned from;                /* lanes from this one on have P6, if `exact` */
  bool exact;
};

static unsigned draw_waiting(struct random_program *p) {
  switch (random_below(p, 4)) {
  case 0:
    return 0;
  case 1:
    return 1;
  case 2:
    return 2 + random_below(p, 6);
  default: /* under `its` a turn ends after 64 branches, and then those that wait come first */
    return p->limits.its ? 8 + random_below(p, 20) : random_chance(p, 20) ? 31 : 8 + random_below(p, 23);
  }
}

static void leave_one_by_one(struct random_program *p, const struct spot *t) {
  if (t->waiting == 0) return;
  E("MOV R%u, RZ ;\ndig_%u:\nISETP.GT.U32.AND P6, PT, R%u, R%u, PT ;\nIADD3 R%u, R%u, 0x1, RZ ;\n", STEP, t->id,
    REG_LANE, STEP, STEP, STEP);
  E("@P6 BRA dug_%u ;\nBRA rest_%u ;\ndug_%u:\n", t->id, t->id, t->id);
  if (t->waiting > 1) E("ISETP.LT.U32.AND P6, PT, R%u, 0x%x, PT ;\n@P6 BRA dig_%u ;\n", STEP, t->waiting, t->id);
}

/* P6 for some of the lanes that are left, never for none of them if the warp has its last lane. */
static void choose_lanes(struct random_program *p, struct spot *t) {
  t->from = t->waiting == LANES - 1 ? LANES - 1 : t->waiting + 1 + random_below(p, LANES - 1 - t->waiting);
  if (random_chance(p, 30)) t->from = LANES - 1;
  t->exact = random_chance(p, 70);
  if (t->exact)
    E("ISETP.GE.U32.AND P6, PT, R%u, 0x%x, PT ;\n", REG_LANE, t->from);
  else {
    const unsigned ps = random_below(p, PRED_DATA_COUNT);
    E("ISETP.GE.U32.OR P6, PT, R%u, 0x%x, %sP%u ;\n", REG_LANE, t->from, random_chance(p, 50) ? "!" : "", ps);
  }
}

/* ---- what lets lanes go: those with P6 park at the inner barrier */

static void arm(struct random_program *p, struct spot *t) {
  const char *to = random_chance(p, 20) ? "top" : "out"; /* for readers alone */
  E("top_%u:\nBMOV.SET B%u, RZ ;\nBSSY B%u, %s_%u ;\n", t->id, t->inner, t->inner, to, t->id);
  choose_lanes(p, t);
}

static void park_lanes(struct random_program *p, const struct spot *t) {
  E("park_%u:\nBSYNC B%u ;\nout_%u:\n", t->id, t->inner, t->id);
}

static void by_peers(struct random_program *p, struct spot *t) {
  arm(p, t);
  E("@P6 BRA park_%u ;\n", t->id);
  put_divergent_insn(p);
  park_lanes(p, t);
}

static void by_break(struct random_program *p, struct spot *t) {
  arm(p, t);
  E("@P6 BRA park_%u ;\nBREAK B%u ;\nBRA out_%u ;\n", t->id, t->inner, t->id);
  park_lanes(p, t);
}

/* Their peers say that those who park are all the members. */
static void by_mask(struct random_program *p, struct spot *t) {
  arm(p, t);
  E("BMOV.SET B%u, 0x0 ;\n@P6 BSSY B%u, out_%u ;\nBMOV.GET.CLEAR R%u, B%u ;\n@P6 BRA park_%u ;\n", t->other, t->other,
    t->id, MASK, t->other, t->id);
  if (t->exact && random_chance(p, 50))
    E("BMOV.SET B%u, 0x%x ;\n", t->inner, UINT32_MAX << t->from);
  else
    E("BMOV.SET B%u, R%u ;\n", t->inner, MASK);
  E("BRA out_%u ;\n", t->id);
  park_lanes(p, t);
}

/* Often a third group is at the outer barrier by then, and no path waits. */
static void by_leaving(struct random_program *p, struct spot *t) {
  if (t->waiting == 0 && random_chance(p, 60)) {
    t->waiting = 1 + random_below(p, LANES - 2);
    E("ISETP.LT.U32.AND P6, PT, R%u, 0x%x, PT ;\n@P6 BRA join_%u ;\n", REG_LANE, t->waiting, t->id);
  }
  arm(p, t);
  E("@P6 BRA park_%u ;\n%s ;\n", t->id, random_chance(p, 50) ? "EXIT" : "KILL");
  park_lanes(p, t);
}

/* Those who park are the lanes from `from` on, or all that are left. */
static void by_warpsync(struct random_program *p, struct spot *t) {
  arm(p, t);
  E("BMOV.GET.CLEAR R%u, B%u ;\n", MASK, t->inner);
  if (t->exact && random_chance(p, 40)) {
    const bool lower = random_chance(p, 50);
    if (lower) E("ISETP.LT.U32.AND P6, PT, R%u, 0x%x, PT ;\n", REG_LANE, t->from);
    E("@%sP6 WARPSYNC 0x%x ;\n", lower ? "!" : "", UINT32_MAX << t->from);
  } else {
    E("@%sP6 BRA park_%u ;\n", random_chance(p, 50) ? "!" : "", t->id);
    put_divergent_insn(p);
    E("park_%u:\nWARPSYNC R%u ;\n", t->id, MASK);
  }
  E("out_%u:\n", t->id);
}

/* its: lanes wait at one barrier at three places, and more come to the second when others wait there and elsewhere. */
static void by_places(struct random_program *p, struct spot *t) {
  const bool sync = random_chance(p, 40);
  char wait[24];
  E("BMOV.SET B%u, RZ ;\nBSSY B%u, out_%u ;\n", t->inner, t->inner, t->id);
  (void)snprintf(wait, sizeof wait, "BSYNC B%u ;\n", t->inner);
  if (sync) E("BMOV.GET.CLEAR R%u, B%u ;\n", MASK, t->inner);
  if (sync) (void)snprintf(wait, sizeof wait, "WARPSYNC R%u ;\n", MASK);
  E("SHF.R.U32.HI R%u, RZ, 0x%x, R%u ;\nLOP3.LUT R%u, R%u, 0x3, RZ, 0xc0 ;\n", STEP, random_below(p, 4), REG_LANE, STEP,
    STEP);
  for (unsigned k = 0; k < 3; k++)
    E("ISETP.EQ.U32.AND P6, PT, R%u, 0x%x, PT ;\n@P6 BRA place%u_%u ;\n", STEP, k, k, t->id);
  for (unsigned i = random_below(p, 3); i-- > 0;) E("NANOSLEEP 0x1 ;\n");
  E("%sBRA out_%u ;\nplace0_%u:\n%sBRA out_%u ;\nplace2_%u:\n", wait, t->id, t->id, wait, t->id, t->id);
  for (unsigned i = random_below(p, 5); i-- > 0;) E("NANOSLEEP 0x1 ;\n");
  E("place1_%u:\n%sout_%u:\n", t->id, wait, t->id);
}

/* its: a turn is over with its 64th jump, while the others wait after the loop. */
static void by_turn(struct random_program *p, struct spot *t) {
  const bool twice = random_chance(p, 40);
  choose_lanes(p, t);
  E("MOV R%u, 0x%x ;\nturn_%u:\n", STEP, 66 + random_below(p, 64), t->id);
  if (twice) E("%s next_%u ;\n", random_chance(p, 50) ? "JMP" : "BRA", t->id);
  put_divergent_insn(p);
  if (twice) E("next_%u:\n", t->id);
  E("IADD3 R%u, R%u, -0x1, RZ ;\nISETP.NE.AND P6, PT, R%u, RZ, P6 ;\n", STEP, STEP, STEP);
  E("@P6 %s turn_%u ;\n", random_chance(p, 50) ? "JMP" : "BRA", t->id);
}

/* its: a YIELD of all the others. What it does not find parked BREAK lets go. */
static void by_yield(struct random_program *p, struct spot *t) {
  arm(p, t);
  E("@P6 BRA park_%u ;\n", t->id);
  for (unsigned i = 0; i < 3; i++) E("YIELD ;\n");
  E("BREAK B%u ;\nBRA out_%u ;\n", t->inner, t->id);
  park_lanes(p, t);
}

/* ---- what leads elsewhere: those with P6, nobody or everybody */

static void choose_any(struct random_program *p, struct spot *t) {
  if (random_chance(p, 60))
    choose_lanes(p, t);
  else
    E("ISETP.%s.U32.AND P6, PT, R%u, RZ, PT ;\n", random_chance(p, 50) ? "LT" : "GE", REG_LANE);
}

static const char *no(struct random_program *p) {
  return random_chance(p, 30) ? "!" : "";
}

/* One label for all, or one of two by a predicate, as a pair less `add`, which the text says; or just as it comes out
 * of some unit. */
static void two_targets(struct random_program *p, const struct spot *t, unsigned at, char add[16]) {
  const int off = random_chance(p, 40) ? (random_chance(p, 50) ? 0x20 : -0x40) : 0;
  const bool two = random_chance(p, 60), carried = random_chance(p, 60);
  char text[200];
  add[0] = '\0';
  E("MOV R%u, RZ ;\nMOV R%u, to_one_%u ;\n", at + 1, at, t->id);
  if (two) E("@P%u MOV R%u, to_two_%u ;\n", random_below(p, PRED_DATA_COUNT), at, t->id);
  if (carried) {
    random_carry(p, text, sizeof text, at, at,
                 !two && !p->limits.its && t->outer != random_bregs() - 1); /* not over it */
    E("%s", text);
    for (unsigned i = random_below(p, 4); i-- > 0;) put_divergent_insn(p);
    return;
  }
  if (off == 0) return;
  (void)snprintf(add, 16, off < 0 ? "-0x%x" : "+0x%x", off < 0 ? 0u - (unsigned)off : (unsigned)off);
  E("IADD3 R%u, R%u, 0x%x, RZ ;\n", at, at, 0u - (unsigned)off); /* no label lies so low */
}

static void by_branch(struct random_program *p, struct spot *t) {
  choose_any(p, t);
  const char *jump = random_chance(p, 50) ? "JMP" : "BRA";
  E("@%sP6 %s there_%u ;\n", no(p), jump, t->id);
  put_divergent_insn(p);
  E("there_%u:\n", t->id);
}

static void by_table(struct random_program *p, struct spot *t) {
  char add[16];
  choose_any(p, t);
  two_targets(p, t, TARGET, add);
  if (random_chance(p, 20))
    E("@%sP6 BRX RZ+to_two_%u ;\nto_one_%u:\n", no(p), t->id, t->id);
  else
    E("@%sP6 BRX R%u%s ;\nto_one_%u:\n", no(p), TARGET, add, t->id);
  put_divergent_insn(p);
  E("to_two_%u:\n", t->id);
}

/* Functions of this node alone: before and after the call. */
static void functions(struct random_program *p, const struct spot *t, const char *name) {
  E("%s_%u:\n", name, t->id);
  put_divergent_insn(p);
  E("RET R%u ;\n", REG_RETURN);
}

static void by_call(struct random_program *p, struct spot *t) {
  char add[16] = "";
  const bool back = random_chance(p, 50);
  E("BRA over_%u ;\n", t->id);
  functions(p, t, "to_one");
  E("over_%u:\n", t->id);
  E("MOV R%u, back_%u ;\nMOV R%u, RZ ;\n", REG_RETURN, t->id, REG_RETURN + 1);
  const bool far = random_chance(p, 60);
  choose_any(p, t);
  if (far) two_targets(p, t, TARGET, add);
  if (far && random_chance(p, 20))
    E("@%sP6 CALL.ABS RZ+to_two_%u ;\n", no(p), t->id);
  else if (far)
    E("@%sP6 CALL.ABS R%u%s ;\n", no(p), TARGET, add);
  else
    E("@%sP6 CALL.REL to_%s_%u ;\n", no(p), back ? "one" : "two", t->id);
  E("back_%u:\nBRA join_%u ;\n", t->id, t->id);
  functions(p, t, "to_two");
}

/* Some return early, to one of two places. */
static void by_return(struct random_program *p, struct spot *t) {
  char add[16];
  two_targets(p, t, REG_RETURN, add);
  E("CALL.REL sub_%u ;\nto_one_%u:\n", t->id, t->id);
  put_divergent_insn(p);
  E("to_two_%u:\nBRA join_%u ;\nsub_%u:\n", t->id, t->id, t->id);
  choose_any(p, t);
  if (random_chance(p, 20))
    E("@%sP6 RET RZ+to_one_%u ;\n", no(p), t->id);
  else
    E("@%sP6 RET R%u%s ;\n", no(p), REG_RETURN, add);
  put_divergent_insn(p);
  E("RET R%u%s ;\n", REG_RETURN, add);
}

/* its: those who have left are still on their way when the others do their one thing. */
static void rest(struct random_program *p, const struct spot *t) {
  E("BRA join_%u ;\nrest_%u:\n", t->id, t->id);
  for (unsigned i = 0; i < 5 && p->limits.its; i++) E("NANOSLEEP 0x1 ;\n");
}

/* The lanes that wait do so at a barrier of the outside, or at WARPSYNC where YIELD would let them go. */
static void run_spot(struct random_program *p, struct spot *t, void (*what)(struct random_program *, struct spot *)) {
  const bool yields = what == by_yield;
  const unsigned half = random_bregs() / 2;
  t->outer = (t->inner + 1 + random_below(p, half - 1)) % (2 * half);
  t->other = (t->inner + half + random_below(p, half)) % (2 * half);
  if (!yields) E("BMOV.SET B%u, 0x0 ;\nBSSY B%u, join_%u ;\n", t->outer, t->outer, t->id);
  leave_one_by_one(p, t);
  what(p, t);
  rest(p, t);
  E("join_%u:\n", t->id);
  if (yields)
    E("WARPSYNC 0xffffffff ;\n");
  else
    E("BSYNC B%u ;\n", t->outer);
}

void stream_release(struct random_program *p, const struct node *n) {
  static void (*const kind[])(struct random_program *, struct spot *) = {
      by_break, by_mask,   by_warpsync, by_yield,   by_peers,   by_branch,  by_table,  by_call,
      by_call,  by_return, by_return,   by_leaving, by_leaving, by_leaving, by_leaving};
  const unsigned kinds = sizeof kind / sizeof *kind - (p->leaves ? 0 : 4);
  struct spot t = {.id = n->id, .waiting = draw_waiting(p)};
  if (stream_cross(p, n->id)) return;
  t.inner = random_below(p, random_bregs());
  if (p->limits.its && random_chance(p, 12)) {
    t.waiting = random_below(p, 3);
    run_spot(p, &t, by_places);
    return;
  }
  if (p->limits.its && random_chance(p, 12)) {
    t.waiting = random_below(p, 3);
    run_spot(p, &t, by_turn);
    return;
  }
  run_spot(p, &t, kind[random_below(p, kinds)]);
}
