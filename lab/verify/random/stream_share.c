/* SPDX-License-Identifier: Apache-2.0
 *
 * Directed streams: warps and blocks that wait for each other, and tell each other something.
 */
#include <stdio.h>
#include "lab/verify/random/streams.h"

/* Directed stream: named barriers with counts. Some warps of a block wait for each other while others go on; some
 * arrive and do not wait. A barrier of the whole block closes each, so that no warp meets the next use of a number
 * early. */

#define E(...) random_emit(p, __VA_ARGS__)

/* One way of waiting at barrier `id` for `warps` warps. */
static void wait_at(struct random_program *p, unsigned id, unsigned warps) {
  const unsigned ps = random_below(p, PRED_DATA_COUNT), pd = random_below(p, PRED_DATA_COUNT);
  const char *no = random_chance(p, 50) ? "!" : "";
  switch (random_below(p, 4)) {
  case 0:
    E("BAR.RED.POPC R%u, 0x%x, 0x%x, %sP%u ;\n", random_data(p), id, 32 * warps, no, ps);
    break;
  case 1:
    E("BAR.RED.%s P%u, 0x%x, 0x%x, %sP%u ;\n", random_chance(p, 50) ? "AND" : "OR", pd, id, 32 * warps, no, ps);
    break;
  default:
    E("BAR.SYNC 0x%x, 0x%x ;\n", id, 32 * warps);
    break;
  }
}

/* P6: is this warp among the first `k`? */
static void among(struct random_program *p, unsigned k) {
  E("ISETP.LT.U32.AND P6, PT, R%u, 0x%x, PT ;\n", REG_WARP_INDEX, k);
}

/* The first ones wait for each other; the others do so at another barrier, or go on. */
static void meet_in_parts(struct random_program *p, unsigned id, unsigned first, unsigned k, unsigned warps) {
  among(p, k);
  E("@!P6 BRA rest_%u ;\n", id);
  wait_at(p, first, k);
  if (random_chance(p, 50)) wait_at(p, first, k);
  E("BRA all_%u ;\nrest_%u:\n", id, id);
  if (random_chance(p, 70)) wait_at(p, (first + 1) % random_barriers(), warps - k);
  E("all_%u:\n", id);
}

/* The first ones store to shared memory, arrive and go on; the others wait and read what one of them stored. */
static void hand_over(struct random_program *p, unsigned id, unsigned first, unsigned k, unsigned warps) {
  among(p, k);
  E("@!P6 BRA rest_%u ;\n", id);
  E("LEA R%u, R%u, R%u, 0x2 ;\nSTS [R%u], R%u ;\n", REG_ADDRESS, REG_LANE, REG_WARP_SHARED, REG_ADDRESS,
    random_data(p));
  E("BAR.ARV 0x%x, 0x%x ;\nBRA all_%u ;\nrest_%u:\nBAR.SYNC 0x%x, 0x%x ;\n", first, 32 * warps, id, id, first,
    32 * warps);
  const unsigned rd = random_data(p);
  E("LEA R%u, R%u, 0x%x, 0x2 ;\nLDS R%u, [R%u] ;\nall_%u:\n", REG_ADDRESS, REG_LANE,
    random_below(p, k) * WARP_SHARED_BYTES, rd, REG_ADDRESS, id);
}

/* A while: a loop, or a load that the next one's address needs. */
static void delay(struct random_program *p, const char *name, unsigned id, unsigned round) {
  const unsigned turns = 1 + random_below(p, 24), at = REG_ADDRESS;
  if (random_chance(p, 30)) {
    E("LDG.E R%u, [R%u+0x%x] ;\nLOP3.LUT R%u, R%u, RZ, RZ, 0xc0 ;\n", at, REG_OWN, OWN_AT, at, at);
    return;
  }
  E("MOV R%u, 0x%x ;\n%s_%u_%u:\nIADD3 R%u, R%u, -0x1, RZ ;\n", at, turns, name, round, id, at, at);
  E("ISETP.NE.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA %s_%u_%u ;\n", at, name, round, id);
}

/* Those who arrive and go on often come last, so that it is they who complete the barrier, or there are no others. The
 * same one is used again at once, by other warps: whoever it still held would be in the way. */
static void arrive_last(struct random_program *p, unsigned id, unsigned first, unsigned k, unsigned warps) {
  for (unsigned round = 0; round < 3; round++) {
    const bool none = random_chance(p, 20), swapped = random_chance(p, 50), late = random_chance(p, 70);
    among(p, swapped ? warps - k : k);
    E("@%sP6 BRA rest_%u_%u ;\n", swapped ? "" : "!", round, id);
    if (late) delay(p, "late", id, round);
    E("BAR.ARV 0x%x, 0x%x ;\nBRA all_%u_%u ;\nrest_%u_%u:\n", first, 32 * warps, round, id, round, id);
    if (!late) delay(p, "soon", id, round);
    if (none)
      E("BAR.ARV 0x%x, 0x%x ;\n", first, 32 * warps);
    else
      wait_at(p, first, warps);
    E("all_%u_%u:\n", round, id);
    wait_at(p, (first + 3) % random_barriers(), warps);
  }
}

/* Between two barriers of all everybody may read what everybody stored. */
static void look_around(struct random_program *p, unsigned first, unsigned warps) {
  E("BAR.SYNC 0x%x, 0x%x ;\n", first, random_chance(p, 50) ? 0 : 32 * warps);
  for (unsigned i = 0; i < 3; i++) {
    const unsigned warp = random_below(p, warps), rd = random_data(p);
    E("LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\nLDS R%u, [R%u+0x%x] ;\n", REG_ADDRESS, random_data(p),
      SHARED_WARP_BYTES - 4, rd, REG_ADDRESS, warp * WARP_SHARED_BYTES);
  }
}

void stream_barrier(struct random_program *p, const struct node *n) {
  const unsigned warps = random_warps(p), k = 1 + random_below(p, warps - 1),
                 first = random_below(p, random_barriers());
  switch (random_below(p, 5)) {
  case 0:
    meet_in_parts(p, n->id, first, k, warps);
    break;
  case 1:
    hand_over(p, n->id, first, k, warps);
    break;
  case 2:
    look_around(p, first, warps);
    break;
  default:
    arrive_last(p, n->id, first, k, warps);
    break;
  }
  wait_at(p, (first + 2) % random_barriers(), warps);
}

/* Directed stream: warps of a block that tell each other something through global memory, by a flag behind a fence or
 * by a barrier. What is read does not depend on who is first. */

enum {
  BESIDE = REG_ADDRESS,
  FOUND = REG_ADDRESS + 2,
  SENT = REG_ADDRESS + 3,
  NEAR = REG_STREAM,
  OTHER = REG_STREAM + 2
};

static const char *strong_order(struct random_program *p) {
  static const char *const s[] = {".STRONG.GPU", ".STRONG.SYS"};
  return s[random_below(p, 2)];
}

/* BESIDE: the record of another warp of the block, `ahead` warps further, round about. */
static void find_other_record(struct random_program *p, unsigned ahead) {
  E("MOV R%u, 0x%x ;\nISETP.GE.U32.AND P6, PT, R%u, 0x%x, PT ;\n@P6 MOV R%u, 0x%x ;\n", OTHER, ahead, REG_WARP_INDEX,
    random_warps(p) - ahead, OTHER, ahead - random_warps(p));
  E("IMAD.WIDE R%u, R%u, 0x%x, R%u ;\n", BESIDE, OTHER, WARP_BYTES, REG_WARP);
}

/* A word for each lane, a fence, then the flag, which is this node's own number. */
static void send(struct random_program *p, unsigned flag) {
  static const char *const fence[] = {".GPU", ".SYS"};
  E("LEA R%u, P6, R%u, R%u, 0x2 ;\nIADD3.X R%u, R%u, RZ, RZ, P6, !PT ;\n", NEAR, REG_LANE, REG_WARP, NEAR + 1,
    REG_WARP + 1);
  const char *scope = fence[random_below(p, 2)];
  const unsigned value = random_data(p);
  E("STG.E%s [R%u+0x%x], R%u ;\nMEMBAR%s ;\n", random_chance(p, 50) ? "" : strong_order(p), NEAR, MAIL_AT, value,
    scope);
  E("MOV R%u, 0x%x ;\n", SENT, flag);
  if (random_chance(p, 50))
    E("STG.E%s [R%u+0x%x], R%u ;\n", strong_order(p), REG_WARP, MAIL_AT + MAIL_FLAG, SENT);
  else
    E("ATOMG.E.EXCH%s RZ, [R%u+0x%x], R%u ;\n", strong_order(p), REG_WARP, MAIL_AT + MAIL_FLAG, SENT);
}

/* All warps send before any waits. The flag falls behind a barrier, for the next launch. */
static void by_flag(struct random_program *p, unsigned id) {
  const unsigned flag = id + 1;
  send(p, flag);
  find_other_record(p, 1 + random_below(p, random_warps(p) - 1));
  E("BSSY B0, there_%u ;\nspin_%u:\n", id, id);
  if (random_chance(p, 30)) E("NANOSLEEP 0x%x ;\n", random_below(p, 64));
  E("LDG.E%s R%u, [R%u+0x%x] ;\nISETP.NE.U32.AND P6, PT, R%u, 0x%x, PT ;\n@P6 BRA spin_%u ;\nthere_%u:\nBSYNC B0 ;\n",
    strong_order(p), FOUND, BESIDE, MAIL_AT + MAIL_FLAG, FOUND, flag, id, id);
  E("MEMBAR.GPU ;\nLEA R%u, P6, R%u, R%u, 0x2 ;\nIADD3.X R%u, R%u, RZ, RZ, P6, !PT ;\n", BESIDE, REG_LANE, BESIDE,
    BESIDE + 1, BESIDE + 1);
  const unsigned rd = random_data(p);
  E("LDG.E%s R%u, [R%u+0x%x] ;\n", strong_order(p), rd, BESIDE, MAIL_AT);
  E("BAR.SYNC 0x0 ;\nSTG.E.STRONG.GPU [R%u+0x%x], RZ ;\n", REG_WARP, MAIL_AT + MAIL_FLAG);
}

/* Between two barriers: scratch that another warp's lanes and that warp itself stored to. */
static void by_barrier(struct random_program *p) {
  E("BAR.SYNC 0x0 ;\n");
  find_other_record(p, 1 + random_below(p, random_warps(p) - 1));
  for (unsigned i = 0; i < 2; i++) {
    unsigned at = 0;
    if (random_chance(p, 50))
      at = 4 * random_below(p, SCRATCH_WARP_BYTES / 4);
    else {
      at = OWN_AT + THREAD_BYTES * random_below(p, 32);
      at += 4 * random_below(p, SCRATCH_THREAD_BYTES / 4);
    }
    E("LDG.E R%u, [R%u+0x%x] ;\n", random_data(p), BESIDE, at);
  }
  E("BAR.SYNC 0x0 ;\n");
}

/* A byte for each thread of the grid, half a sector off: neighbouring warps, also of two blocks, go to one sector at
 * the same time, each lane to its own byte. */
static void neighbours(struct random_program *p) {
  E("BAR.SYNC 0x0 ;\nMOV R%u, c[0x0][out] ;\nMOV R%u, c[0x0][out+4] ;\n", BESIDE, BESIDE + 1);
  E("IADD3 R%u, P6, PT, R%u, R%u, RZ ;\nIADD3.X R%u, R%u, RZ, RZ, P6, !PT ;\n", BESIDE, BESIDE, REG_THREAD, BESIDE + 1,
    BESIDE + 1);
  char add[80];
  const unsigned at = random_reach(add, sizeof add, BESIDE, REG_ADDRESS + 2, random_neighbours_at(p));
  E("%s", add);
  for (unsigned i = 0; i < 3; i++) {
    if (random_chance(p, 75))
      E("STG.E.U8 [R%u+0x%x], R%u ;\n", BESIDE, at, random_data(p));
    else
      E("LDG.E.U8 R%u, [R%u+0x%x] ;\n", random_data(p), BESIDE, at);
  }
}

void stream_talk(struct random_program *p, const struct node *n) {
  const unsigned what = random_below(p, 100);
  if (what < 50)
    by_flag(p, n->id);
  else if (what < 75)
    neighbours(p);
  else
    by_barrier(p);
}

/* Directed stream: blocks that tell each other something through global memory: by flags, by a lock, by who comes last,
 * by counters. A block waits for blocks of lower numbers alone, which have begun before it: none waits for ever,
 * however few run at a time. What memory holds at the end does not depend on who is first, nor does what a thread
 * keeps; what it has read before it was allowed to is thrown away, and may lie in a cache.
 *
 * Each such stream of a program has an area of its own behind all else: a record that all share, then one for each
 * block. */

enum {
  ALL = REG_ADDRESS, /* pair: the record that all share */
  OWN = REG_STREAM,  /* pair: this block's; then the lane's word of it */
  FAR = REG_STREAM + 2,
  BLOCK = REG_STREAM + 4,
  SEEN = REG_STREAM + 5,
  WORD = REG_STREAM + 6,
  LEFT = REG_STREAM + 7
};

/* Of a record: a word for each lane; a line further the flag, so that it has another bank. Of the one that all share: a
 * lock, what it protects, how many have come, what the last one has made of it, counters. */
#define FLAG 128u
#define LOCK 0u
#define GUARDED 128u /* two words that a lock protects, in two lines */
#define GUARDED_TOO 4u
#define CAME 8u
#define TOTAL 132u
#define COUNTERS 16u
#define RECORD 256u

static unsigned area_bytes(const struct random_program *p) {
  return RECORD * (1 + random_blocks(p));
}

unsigned share_bytes(const struct random_program *p) {
  return p->knobs.value[KNOB_STREAM_SHARE].high == 0 ? 0 : SHARE_AREAS * area_bytes(p) + RECORD;
}

/* Whoever leaves early, or traps, would be waited for. */
bool share_fits(const struct random_program *p) {
  return random_blocks(p) > 1 && p->launch.launches == 1 && p->launch.trap == 0 && !p->leaves;
}

/* Which of the program's streams of this kind it is. */
static unsigned rank_of(const struct random_program *p, const struct node *n) {
  unsigned rank = 0;
  for (const struct node *o = p->node; o < n; o++) rank += o->kind == NODE_STREAM && o->stream == n->stream;
  return rank;
}

static const char *weak_often(struct random_program *p) {
  return random_chance(p, 80) ? "" : strong_order(p);
}

static void fence_blocks(struct random_program *p) {
  E("MEMBAR.%s ;\n", random_chance(p, 50) ? "GPU" : "SYS");
}

/* ALL and OWN, and the number of the block, x first. */
static void find_records(struct random_program *p, unsigned area) {
  const uint32_t *g = p->launch.grid;
  const unsigned at = (random_share_at(p) + 127u) / 128 * 128 + area * area_bytes(p);
  E("MOV R%u, c[0x0][out] ;\nMOV R%u, c[0x0][out+4] ;\n", ALL, ALL + 1);
  E("IADD3 R%u, P6, PT, R%u, 0x%x, RZ ;\nIADD3.X R%u, R%u, RZ, RZ, P6, !PT ;\n", ALL, ALL, at, ALL + 1, ALL + 1);
  E("S2R R%u, SR_CTAID.Z ;\nS2R R%u, SR_CTAID.Y ;\nS2R R%u, SR_CTAID.X ;\n", BLOCK, SEEN, WORD);
  E("IMAD R%u, R%u, 0x%x, R%u ;\nIMAD R%u, R%u, 0x%x, R%u ;\n", BLOCK, BLOCK, g[1], SEEN, BLOCK, BLOCK, g[0], WORD);
  E("IMAD.WIDE.U32 R%u, R%u, 0x%x, R%u ;\nIADD3 R%u, P6, PT, R%u, 0x%x, RZ ;\nIADD3.X R%u, R%u, RZ, RZ, P6, !PT ;\n",
    OWN, BLOCK, RECORD, ALL, OWN, OWN, RECORD, OWN + 1, OWN + 1);
}

/* `to` becomes the address of the lane's word, or of another lane's. */
static void of_lane(struct random_program *p, unsigned to, unsigned turn) {
  E("LOP3.LUT R%u, R%u, 0x%x, RZ, 0x3c ;\n", LEFT, REG_LANE, turn);
  E("LEA R%u, P6, R%u, R%u, 0x2 ;\nIADD3.X R%u, R%u, RZ, RZ, P6, !PT ;\n", to, LEFT, to, to + 1, to + 1);
}

/* One warp of the block goes on; at the end all meet there. */
static void one_warp(struct random_program *p, unsigned id, const char *where, unsigned warp) {
  if (random_warps(p) == 1) return;
  E("ISETP.NE.U32.AND P6, PT, R%u, 0x%x, PT ;\n@P6 BRA %s_%u ;\n", REG_WARP_INDEX, warp, where, id);
}

static unsigned any_warp(struct random_program *p) {
  return random_below(p, random_warps(p));
}

static void at_least(struct random_program *p, unsigned ahead) {
  E("ISETP.GE.U32.AND P6, PT, R%u, 0x%x, PT ;\n", BLOCK, ahead);
}

/* ---- flags: each block takes what the one so many before it has left, and hands on what it has made of it */

/* Before it may: it keeps nothing of it, but its cache may. */
static void look_early(struct random_program *p) {
  for (unsigned i = random_below(p, 3); i-- > 0;) E("@P6 LDG.E R%u, [R%u] ;\n", SEEN, FAR);
}

static void await(struct random_program *p, unsigned id) {
  E("BSSY B0, there_%u ;\n@!P6 BRA there_%u ;\nspin_%u:\n", id, id, id);
  if (random_chance(p, 30)) E("NANOSLEEP 0x%x ;\n", random_below(p, 64));
  if (random_chance(p, 20)) look_early(p);
  E("LDG.E%s R%u, [R%u+0x%x] ;\nISETP.NE.U32.AND P6, PT, R%u, 0x%x, PT ;\n@P6 BRA spin_%u ;\nthere_%u:\nBSYNC B0 ;\n",
    strong_order(p), SEEN, FAR, FLAG, SEEN, id + 1, id, id);
}

static void raise(struct random_program *p, unsigned id) {
  E("MOV R%u, 0x%x ;\n", SEEN, id + 1);
  if (random_chance(p, 50))
    E("STG.E%s [R%u+0x%x], R%u ;\n", strong_order(p), OWN, FLAG, SEEN);
  else
    E("ATOMG.E.EXCH%s RZ, [R%u+0x%x], R%u ;\n", strong_order(p), OWN, FLAG, SEEN);
}

static void hand_on_word(struct random_program *p, unsigned id) {
  const unsigned blocks = random_blocks(p), ahead = 1 + random_below(p, blocks - 1 < 3 ? blocks - 1 : 3);
  const unsigned turn = random_chance(p, 50) ? 0 : random_below(p, 32), data = random_data(p), waits = any_warp(p);
  const bool meets = random_warps(p) > 1 && random_chance(p, 70);
  const unsigned stores = meets ? any_warp(p) : waits, raises = meets ? any_warp(p) : waits;
  E("MOV R%u, 0x%x ;\nIMAD.WIDE R%u, R%u, 0x1, R%u ;\n", SEEN, 0u - ahead * RECORD, FAR, SEEN, OWN);
  at_least(p, ahead);
  look_early(p);
  one_warp(p, id, "waited", waits);
  at_least(p, ahead);
  await(p, id);
  fence_blocks(p);
  if (random_warps(p) > 1) E("waited_%u:\n", id);
  if (meets) E("BAR.SYNC 0x0 ;\n");
  one_warp(p, id, "stored", stores);
  E("MOV R%u, RZ ;\n", WORD);
  of_lane(p, FAR, turn);
  at_least(p, ahead);
  E("@P6 LDG.E%s R%u, [R%u] ;\nIMAD R%u, R%u, 0x3, R%u ;\n", weak_often(p), WORD, FAR, WORD, WORD, data);
  E("MOV R%u, R%u ;\nMOV R%u, R%u ;\n", FAR, OWN, FAR + 1, OWN + 1);
  of_lane(p, FAR, 0);
  E("STG.E%s [R%u], R%u ;\n", weak_often(p), FAR, WORD);
  E("MOV R%u, R%u ;\n", random_data(p), WORD);
  if (random_warps(p) > 1) E("stored_%u:\n", id);
  if (meets) E("BAR.SYNC 0x0 ;\n");
  one_warp(p, id, "raised", raises);
  fence_blocks(p);
  raise(p, id);
  if (random_warps(p) > 1) E("raised_%u:\n", id);
}

/* ---- a lock: the first lane of each warp adds to two words, which nobody else sees meanwhile */

static void take_lock(struct random_program *p, unsigned id) {
  const unsigned data = random_data(p);
  E("BSSY B0, out_%u ;\nISETP.NE.U32.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA out_%u ;\n", id, REG_LANE, id);
  if (random_chance(p, 60)) E("LDG.E R%u, [R%u+0x%x] ;\n", SEEN, ALL, GUARDED);
  E("again_%u:\nMOV R%u, 0x1 ;\nATOMG.E.CAS R%u, [R%u+0x%x], RZ, R%u ;\n", id, WORD, SEEN, ALL, LOCK, WORD);
  E("ISETP.NE.U32.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA again_%u ;\n", SEEN, id);
  fence_blocks(p);
  E("LDG.E R%u, [R%u+0x%x] ;\nLDG.E R%u, [R%u+0x%x] ;\n", WORD, ALL, GUARDED, LEFT, ALL, GUARDED_TOO);
  E("IADD3 R%u, R%u, R%u, RZ ;\nIADD3 R%u, R%u, R%u, RZ ;\n", WORD, WORD, data, LEFT, LEFT, data);
  E("STG.E [R%u+0x%x], R%u ;\nSTG.E [R%u+0x%x], R%u ;\n", ALL, GUARDED, WORD, ALL, GUARDED_TOO, LEFT);
  fence_blocks(p);
  E("STG.E%s [R%u+0x%x], RZ ;\nout_%u:\nBSYNC B0 ;\n", strong_order(p), ALL, LOCK, id);
}

/* ---- who comes last adds up what all have left */

static void come_last(struct random_program *p, unsigned id) {
  const unsigned data = random_data(p), blocks = random_blocks(p), reduces = any_warp(p);
  one_warp(p, id, "out", reduces);
  E("BSSY B0, last_%u ;\nISETP.NE.U32.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA last_%u ;\n", id, REG_LANE, id);
  E("LDG.E R%u, [R%u] ;\nSTG.E%s [R%u], R%u ;\n", SEEN, OWN, weak_often(p), OWN, data);
  fence_blocks(p);
  E("MOV R%u, 0x1 ;\nATOMG.E.ADD R%u, [R%u+0x%x], R%u ;\n", WORD, SEEN, ALL, CAME, WORD);
  E("ISETP.NE.U32.AND P6, PT, R%u, 0x%x, PT ;\n@P6 BRA last_%u ;\n", SEEN, blocks - 1, id);
  fence_blocks(p);
  E("MOV R%u, RZ ;\nMOV R%u, 0x%x ;\nMOV R%u, R%u ;\nMOV R%u, R%u ;\n", WORD, LEFT, blocks, FAR, ALL, FAR + 1, ALL + 1);
  E("sum_%u:\nLDG.E R%u, [R%u+0x%x] ;\nIADD3 R%u, R%u, R%u, RZ ;\n", id, SEEN, FAR, RECORD, WORD, WORD, SEEN);
  E("MOV R%u, 0x1 ;\nIMAD.WIDE.U32 R%u, R%u, 0x%x, R%u ;\n", SEEN, FAR, SEEN, RECORD, FAR);
  E("IADD3 R%u, R%u, -0x1, RZ ;\nISETP.NE.U32.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA sum_%u ;\n", LEFT, LEFT, LEFT, id);
  E("STG.E [R%u+0x%x], R%u ;\nlast_%u:\nBSYNC B0 ;\n", ALL, TOTAL, WORD, id);
  if (random_warps(p) > 1) E("out_%u:\n", id);
}

/* ---- counters: each has one operation that may come in any order */

static void add_to_counters(struct random_program *p) {
  static const char *const op[] = {"ADD", "MAX", "MIN", "OR", "AND", "XOR"};
  for (unsigned i = 1 + random_below(p, 4); i-- > 0;) {
    const unsigned k = random_below(p, sizeof op / sizeof *op);
    const char *order = weak_often(p);
    E("RED.E.%s%s [R%u+0x%x], R%u ;\n", op[k], order, ALL, COUNTERS + 4 * k, random_data(p));
    if (random_chance(p, 30)) E("LDG.E R%u, [R%u+0x%x] ;\n", SEEN, ALL, COUNTERS + 4 * k);
  }
}

void stream_share(struct random_program *p, const struct node *n) {
  const unsigned area = rank_of(p, n), what = random_below(p, 100);
  if (area >= SHARE_AREAS) {
    E("NOP ;\n");
    return;
  }
  find_records(p, area);
  if (what < 45)
    hand_on_word(p, n->id);
  else if (what < 70)
    take_lock(p, n->id);
  else if (what < 85)
    come_last(p, n->id);
  else
    add_to_counters(p);
}
