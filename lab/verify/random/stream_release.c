/* SPDX-License-Identifier: Apache-2.0
 * Directed stream: what lets parked lanes go, and what leads lanes elsewhere, while up to 31 paths wait.
 *
 * Lane after lane first leaves for the end and waits; the lanes that are left then do one thing. Whichever barrier they
 * use is emptied before; all lanes meet at the end again. */
#include "lab/verify/random/streams.h"

#include <stdio.h>

#define E(...) random_emit(p, __VA_ARGS__)

enum { STEP = REG_STREAM, MASK = REG_STREAM + 1, TARGET = REG_ADDRESS, LANES = 32 };

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

static void put_divergent_insn(struct random_program *p) {
  char text[320];
  p->place = p->limits.its ? PLACE_ARM : PLACE_ANY;
  random_insn(p, text, sizeof text);
  E("%s", text);
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
