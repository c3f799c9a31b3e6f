/* SPDX-License-Identifier: Apache-2.0
 * Directed stream: named barriers with counts. Some warps of a block wait for each other while others go on; some
 * arrive and do not wait. A barrier of the whole block closes each, so that no warp meets the next use of a number
 * early. */
#include "lab/verify/random/streams.h"

#include <stdio.h>

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
