/* SPDX-License-Identifier: Apache-2.0
 *
 * Random control: single instructions that are legal where they stand, parts about the order of a warp's paths, how a
 * block ends.
 */
#include <stdio.h>
#include "base/splitmix64.h"
#include "lab/verify/random/node.h"

/* Parts of random programs that are about the order of a warp's paths: locks, and lanes that meet in unusual ways. Some
 * are for `its` alone.
 *
 * Under `its` paths in two arms use the convergence barriers of their depth at the same time, and wait for each other
 * there. So that none waits in a circle the inner one of two always has the lower number, b, and deeper ones have
 * numbers that only deeper paths use. */

#define E(...) random_emit(p, __VA_ARGS__)

enum { REG_LOCK = REG_ADDRESS, REG_GOT = REG_ADDRESS + 2, REG_VALUE = REG_ADDRESS + 3 };

/* Once it has the lock a lane counts up without an atomic, and leaves it. */
static void critical(struct random_program *p, unsigned at) {
  E("LDG.E.STRONG.GPU R%u, [R%u+0x%x] ;\nIADD3 R%u, R%u, 0x1, RZ ;\n", REG_VALUE, REG_LOCK, at + 4, REG_VALUE,
    REG_VALUE);
  E("STG.E.STRONG.GPU [R%u+0x%x], R%u ;\nMEMBAR.GPU ;\nSTG.E.STRONG.GPU [R%u+0x%x], RZ ;\n", REG_LOCK, at + 4,
    REG_VALUE, REG_LOCK, at);
}

static void try_lock(struct random_program *p, const struct node *n, unsigned at) {
  E("again_%u:\nMOV R%u, 0x1 ;\nATOMG.E.CAS R%u, [R%u+0x%x], RZ, R%u ;\n", n->id, REG_VALUE, REG_GOT, REG_LOCK, at,
    REG_VALUE);
}

/* The lanes meet after each attempt, so that it works under `stack`, too. */
static void lock_meeting(struct random_program *p, const struct node *n, unsigned b, unsigned at) {
  try_lock(p, n, at);
  E("BSSY B%u, skip_%u ;\nISETP.NE.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA skip_%u ;\n", b, n->id, REG_GOT, n->id);
  critical(p, at);
  E("skip_%u:\nBSYNC B%u ;\nISETP.NE.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA again_%u ;\n", n->id, b, REG_GOT, n->id);
}

/* its: those who have not got it spin by themselves. */
static void lock_spinning(struct random_program *p, const struct node *n, unsigned at) {
  try_lock(p, n, at);
  E("ISETP.NE.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA spin_%u ;\n", REG_GOT, n->id);
  critical(p, at);
  E("BRA out_%u ;\nspin_%u:\n", n->id, n->id);
  if (n->style & 4) E("NANOSLEEP 0x20 ;\n");
  E("BRA again_%u ;\n", n->id);
}

/* its: who has it waits for those who spin, until YIELD lets it go on. Nobody may wait at a convergence barrier for
 * these lanes then, since YIELD would let him go on as well: all lanes of the warp meet by WARPSYNC. */
static void lock_parked(struct random_program *p, const struct node *n, unsigned b, unsigned at) {
  E("BSSY B%u, got_%u ;\n", b, n->id);
  try_lock(p, n, at);
  E("ISETP.EQ.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA got_%u ;\nYIELD ;\nBRA again_%u ;\ngot_%u:\nBSYNC B%u ;\n", REG_GOT,
    n->id, n->id, n->id, b);
  critical(p, at);
}

/* A lock of the grid for two lanes of each warp, or one of the warp, for four lanes, rarely for more: lanes have it one
 * after the other, which takes long. */
static unsigned enter(struct random_program *p, const struct node *n) {
  const bool grid = n->trips == 1;
  if (grid || n->trips == 2 || n->style & 4) {
    const unsigned lanes = grid ? 2 : 4;
    E("LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\nISETP.NE.AND P6, PT, R%u, 0x%x, PT ;\n@P6 BRA out_%u ;\n", REG_VALUE,
      REG_LANE, 32 - lanes, REG_VALUE, lanes * n->pred, n->id);
  } else {
    E("@P%u BRA out_%u ;\n", n->pred, n->id);
  }
  if (grid)
    E("MOV R%u, c[0x0][out] ;\nMOV R%u, c[0x0][out+4] ;\n", REG_LOCK, REG_LOCK + 1);
  else
    E("MOV R%u, R%u ;\nMOV R%u, R%u ;\n", REG_LOCK, REG_WARP, REG_LOCK + 1, REG_WARP + 1);
  char add[80];
  const unsigned at = (grid ? random_grid_at(p) + SCRATCH_COUNTER_BYTES : SCRATCH_WARP_BYTES) + 8u * n->lock,
                 left = random_reach(add, sizeof add, REG_LOCK, REG_GOT, at);
  E("%s", add);
  return left;
}

void random_write_lock(struct random_program *p, const struct node *n, unsigned b, bool in_function) {
  const bool parked = p->limits.its && n->depth == 0 && !in_function && n->style & 2;
  if (!parked) E("BSSY B%u, out_%u ;\n", b + 1, n->id);
  const unsigned at = enter(p, n);
  if (parked)
    lock_parked(p, n, b, at);
  else if (p->limits.its && n->style & 1)
    lock_spinning(p, n, at);
  else
    lock_meeting(p, n, b, at);
  E("out_%u:\n", n->id);
  if (parked)
    E("WARPSYNC 0xffffffff ;\n");
  else
    E("BSYNC B%u ;\n", b + 1);
}

void random_write_save(struct random_program *p, const struct node *n, unsigned b, bool in_function) {
  const unsigned saved = REG_SAVED + n->depth + (in_function ? 3u : 0u);
  E("BSSY B%u, join_%u ;\nBMOV.GET.CLEAR R%u, B%u ;\n", b, n->id, saved, b);
  E("BSSY B%u, mid_%u ;\n@P%u BRA mid_%u ;\n", b, n->id, n->pred, n->id);
  random_write_list(p, n->child, in_function);
  E("mid_%u:\nBSYNC B%u ;\nBMOV.SET B%u, R%u ;\n", n->id, b, b, saved);
  E("@!P%u BRA join_%u ;\n", n->pred, n->id);
  random_write_list(p, n->child2, in_function);
  E("join_%u:\nBSYNC B%u ;\n", n->id, b);
}

void random_write_share(struct random_program *p, const struct node *n, unsigned b, bool in_function) {
  E("BSSY B%u, join_%u ;\nBSSY B%u, two_%u ;\n@P%u BRA two_%u ;\n", b + 1, n->id, b, n->id, n->pred, n->id);
  random_write_list(p, n->child, in_function);
  E("BSYNC B%u ;\nJMP join_%u ;\ntwo_%u:\n", b, n->id, n->id);
  random_write_list(p, n->child2, in_function);
  E("BSYNC B%u ;\njoin_%u:\nBSYNC B%u ;\n", b, n->id, b + 1);
}

void random_write_sync(struct random_program *p, const struct node *n, unsigned b) {
  E("BSSY B%u, join_%u ;\nBMOV.GET R%u, B%u ;\n@P%u BRA two_%u ;\n", b, n->id, REG_SAVED, b, n->pred, n->id);
  random_write_list(p, n->child, false);
  E("WARPSYNC R%u ;\nBRA join_%u ;\ntwo_%u:\n", REG_SAVED, n->id, n->id);
  random_write_list(p, n->child2, false);
  E("WARPSYNC R%u ;\njoin_%u:\nBSYNC B%u ;\n", REG_SAVED, n->id, b);
}

/* How a block ends: warp after warp leaves, and those that are left wait for each other at named barriers, at which the
 * others have ended before, or end while they wait. And what a warp does last: it uses the last of its registers. */

enum { ROUNDS = 3 };

/* What is known of who is left: nobody has gone before, if lanes do not leave elsewhere. */
static unsigned count_of(struct random_program *p, unsigned warps) {
  return p->leaves || random_chance(p, 50) ? 0 : 32 * warps;
}

static void arrive_others(struct random_program *p, unsigned id, unsigned warps, unsigned round) {
  E("ISETP.EQ.U32.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA first_%u ;\n", REG_WARP_INDEX, round);
  E("BAR.ARV 0x%x, 0x%x ;\nBRA past_%u ;\nfirst_%u:\n", id, 32 * warps, round, round);
  E("BAR.SYNC 0x%x, 0x%x ;\npast_%u:\n", id, 32 * warps, round);
}

static void meet_remaining(struct random_program *p, unsigned id, unsigned warps, unsigned round) {
  const unsigned ps = random_below(p, PRED_DATA_COUNT);
  switch (random_below(p, p->leaves || warps < 2 ? 3 : 4)) {
  case 0:
    E("BAR.SYNC 0x%x, 0x%x ;\n", id, count_of(p, warps));
    break;
  case 1: {
    const unsigned count = count_of(p, warps);
    E("BAR.RED.POPC R%u, 0x%x, 0x%x, P%u ;\n", random_data(p), id, count, ps);
    break;
  }
  case 2: {
    const unsigned count = count_of(p, warps);
    E("BAR.RED.OR P%u, 0x%x, 0x%x, !P%u ;\n", random_below(p, PRED_DATA_COUNT), id, count, ps);
    break;
  }
  default:
    arrive_others(p, id, warps, round);
    break;
  }
}

/* Those from `keep` on leave: at once, and the others wait a little first; or while the others wait. */
static void leave_warps(struct random_program *p, unsigned id, unsigned keep, unsigned round) {
  E("ISETP.GE.U32.AND P6, PT, R%u, 0x%x, PT ;\n", REG_WARP_INDEX, keep);
  if (random_chance(p, 60)) {
    E("@P6 EXIT ;\nNANOSLEEP 0x%x ;\n", random_below(p, 200));
    meet_remaining(p, id, keep, round);
    return;
  }
  E("@P6 BRA late_%u ;\nBAR.SYNC 0x%x, 0x0 ;\nBRA stays_%u ;\nlate_%u:\nNANOSLEEP 0x%x ;\n", round, id, round, round,
    random_below(p, 400));
  E("EXIT ;\nstays_%u:\n", round);
}

void random_write_end(struct random_program *p) {
  unsigned warps = random_warps(p), id = random_below(p, random_barriers());
  if (!random_knob_chance(p, KNOB_PROGRAM_ENDS)) return;
  E("// ending\n");
  for (unsigned round = 0; round < ROUNDS && warps > 1; round++, id = (id + 1) % random_barriers()) {
    warps = 1 + random_below(p, warps - 1);
    leave_warps(p, id, warps, round);
  }
}

/* What comes from memory into the last registers. */
static void load_last(struct random_program *p, unsigned first, const char *size) {
  switch (random_below(p, 4)) {
  case 0:
    E("LDS%s R%u, [R%u+0x%x] ;\n", size, first, REG_SHARED, SHARED_AT);
    break;
  case 1:
    E("LDL%s R%u, [RZ+0x%x] ;\n", size, first, 16 * random_below(p, LOCAL_BYTES / 16));
    break;
  case 2:
    E("LDC%s R%u, c[0x3][RZ+0x%x] ;\n", size, first, 16 * random_below(p, 16));
    break;
  default:
    E("LDG.E%s R%u, [R%u+0x%x] ;\n", size, first, REG_OWN, OWN_AT);
    break;
  }
}

/* One, two or four of them end exactly there; often nobody reads what comes, and the warp has ended when it does. */
void random_write_last(struct random_program *p) {
  static const char *const sizes[] = {"", ".64", ".128"};
  const unsigned most = p->regs % 4 == 0 ? 3 : p->regs % 2 == 0 ? 2 : 1;
  if (p->regs <= REG_COUNT) return;
  const unsigned k = random_below(p, most), first = p->regs - (1u << k);
  const unsigned d = REG_DATA + (random_below(p, REG_DATA_COUNT) & ~3u);
  switch (random_below(p, 4)) {
  case 0:
    load_last(p, first, sizes[k]);
    return;
  case 1:
    load_last(p, first, sizes[k]);
    break;
  case 2:
    if (k == 1)
      E("IMAD.WIDE R%u, R%u, R%u, R%u ;\n", first, REG_LANE, REG_THREAD, d);
    else
      for (unsigned i = 0; i < 1u << k; i++) E("IADD3 R%u, R%u, R%u, RZ ;\n", first + i, REG_LANE, d + i);
    break;
  default:
    if (k == 2)
      load_last(p, first, sizes[k]);
    else
      E("ATOMG.E.ADD%s R%u, [R%u+0x%x], R%u ;\n", sizes[k], first, REG_OWN, OWN_AT, d);
    break;
  }
  if (random_chance(p, 70)) E("STG.E%s [R%u+0x%x], R%u ;\n", sizes[k], REG_OWN, OWN_AT + 16, first);
}

/* Random control instructions that are legal where they stand: hints anywhere; barriers between warps, WARPSYNC and
 * BMOV where all lanes are together. */

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
