/* SPDX-License-Identifier: Apache-2.0
 * How a block ends: warp after warp leaves, and those that are left wait for each other at named barriers, at which the
 * others have ended before, or end while they wait. And what a warp does last: it uses the last of its registers. */
#include "lab/verify/random/node.h"

#define E(...) random_emit(p, __VA_ARGS__)

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
