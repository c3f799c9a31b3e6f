/* SPDX-License-Identifier: Apache-2.0
 * Directed stream: warps of a block that tell each other something through global memory, by a flag behind a fence or
 * by a barrier. What is read does not depend on who is first. */
#include "lab/verify/random/streams.h"

#include <stdio.h>

#define E(...) random_emit(p, __VA_ARGS__)

enum { FAR = REG_ADDRESS, SEEN = REG_ADDRESS + 2, WORD = REG_ADDRESS + 3, NEAR = REG_STREAM, OTHER = REG_STREAM + 2 };

static const char *strong_order(struct random_program *p) {
  static const char *const s[] = {".STRONG.GPU", ".STRONG.SYS"};
  return s[random_below(p, 2)];
}

/* FAR: the record of another warp of the block, `ahead` warps further, round about. */
static void find_other_record(struct random_program *p, unsigned ahead) {
  E("MOV R%u, 0x%x ;\nISETP.GE.U32.AND P6, PT, R%u, 0x%x, PT ;\n@P6 MOV R%u, 0x%x ;\n", OTHER, ahead, REG_WARP_INDEX,
    random_warps(p) - ahead, OTHER, ahead - random_warps(p));
  E("IMAD.WIDE R%u, R%u, 0x%x, R%u ;\n", FAR, OTHER, WARP_BYTES, REG_WARP);
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
  E("MOV R%u, 0x%x ;\n", WORD, flag);
  if (random_chance(p, 50))
    E("STG.E%s [R%u+0x%x], R%u ;\n", strong_order(p), REG_WARP, MAIL_AT + MAIL_FLAG, WORD);
  else
    E("ATOMG.E.EXCH%s RZ, [R%u+0x%x], R%u ;\n", strong_order(p), REG_WARP, MAIL_AT + MAIL_FLAG, WORD);
}

/* All warps send before any waits. The flag falls behind a barrier, for the next launch. */
static void by_flag(struct random_program *p, unsigned id) {
  const unsigned flag = id + 1;
  send(p, flag);
  find_other_record(p, 1 + random_below(p, random_warps(p) - 1));
  E("BSSY B0, there_%u ;\nspin_%u:\n", id, id);
  if (random_chance(p, 30)) E("NANOSLEEP 0x%x ;\n", random_below(p, 64));
  E("LDG.E%s R%u, [R%u+0x%x] ;\nISETP.NE.U32.AND P6, PT, R%u, 0x%x, PT ;\n@P6 BRA spin_%u ;\nthere_%u:\nBSYNC B0 ;\n",
    strong_order(p), SEEN, FAR, MAIL_AT + MAIL_FLAG, SEEN, flag, id, id);
  E("MEMBAR.GPU ;\nLEA R%u, P6, R%u, R%u, 0x2 ;\nIADD3.X R%u, R%u, RZ, RZ, P6, !PT ;\n", FAR, REG_LANE, FAR, FAR + 1,
    FAR + 1);
  const unsigned rd = random_data(p);
  E("LDG.E%s R%u, [R%u+0x%x] ;\n", strong_order(p), rd, FAR, MAIL_AT);
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
    E("LDG.E R%u, [R%u+0x%x] ;\n", random_data(p), FAR, at);
  }
  E("BAR.SYNC 0x0 ;\n");
}

/* A byte for each thread of the grid, half a sector off: neighbouring warps, also of two blocks, go to one sector at
 * the same time, each lane to its own byte. */
static void neighbours(struct random_program *p) {
  E("BAR.SYNC 0x0 ;\nMOV R%u, c[0x0][out] ;\nMOV R%u, c[0x0][out+4] ;\n", FAR, FAR + 1);
  E("IADD3 R%u, P6, PT, R%u, R%u, RZ ;\nIADD3.X R%u, R%u, RZ, RZ, P6, !PT ;\n", FAR, FAR, REG_THREAD, FAR + 1, FAR + 1);
  char add[80];
  const unsigned at = random_reach(add, sizeof add, FAR, REG_ADDRESS + 2, random_neighbours_at(p));
  E("%s", add);
  for (unsigned i = 0; i < 3; i++) {
    if (random_chance(p, 75))
      E("STG.E.U8 [R%u+0x%x], R%u ;\n", FAR, at, random_data(p));
    else
      E("LDG.E.U8 R%u, [R%u+0x%x] ;\n", random_data(p), FAR, at);
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
