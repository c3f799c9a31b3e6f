/* SPDX-License-Identifier: Apache-2.0
 * Traps of control: a PC that cannot be, lanes that come apart, barriers that nobody completes. */
#include "lab/verify/random/streams.h"
#include "lab/verify/random/window.h"

#include <string.h>

#define E(...) random_emit(p, __VA_ARGS__)

enum { AT = REG_ADDRESS };

/* Some lanes alone go astray, each to a place of its own: misaligned, beyond the code, or in the upper half. */
static void bad_lanes(struct random_program *p, unsigned id, const char *jump) {
  const bool first = random_chance(p, 40);
  E("MOV R%u, spared_%u ;\nMOV R%u, RZ ;\n", AT, id, AT + 1);
  E("ISETP.%s.U32.AND P6, PT, R%u, 0x%x, PT ;\n", first ? "LT" : "GE", REG_LANE,
    first + random_below(p, trap_lanes(p))); /* one lane at least */
  switch (random_below(p, 3)) {
  case 0: /* where it would be, and a few bytes more */
    E("LOP3.LUT R%u, R%u, 0xf, RZ, 0xc0 ;\n@P6 IADD3 R%u, R%u, R%u, RZ ;\n", AT + 2, REG_LANE, AT, AT, AT + 2);
    E("@P6 LOP3.LUT R%u, R%u, 0x%x, RZ, 0xfc ;\n", AT, AT, ISA_STEP / 2);
    break;
  case 1: { /* every other lane's is aligned */
    const unsigned from = random_chance(p, 50) ? 0x7ffff000 : 0x2000000;
    E("@P6 IMAD R%u, R%u, 0x%x, RZ ;\n@P6 IADD3 R%u, R%u, 0x%x, RZ ;\n", AT, REG_LANE,
      random_chance(p, 50) ? 0x10u : ISA_STEP / 2, AT, AT, from);
    break;
  }
  default:
    E("@P6 IADD3 R%u, R%u, 0x1, RZ ;\n", AT + 1, REG_LANE);
    break;
  }
  E("%s R%u%s ;\n", jump, AT, random_chance(p, 30) ? "+0x10" : "");
}

void trap_bad_pc(struct random_program *p, unsigned id) {
  if (p->at_edge) {
    edge_bad_pc(p);
    return;
  }
  static const char *const jump[] = {"BRX", "CALL.ABS", "RET"};
  static const uint32_t low[] = {ISA_STEP / 2, 0x10, 0x7ffffff0, 0xfffffff0}, high[] = {0, 1, 0, 0xffffffff};
  const unsigned k = random_below(p, 13);
  if (k > 6) {
    bad_lanes(p, id, jump[random_below(p, 3)]);
    return;
  }
  if (k == 6) { /* some lanes alone, the last one among them or lane 0 */
    const bool first = random_chance(p, 40);
    const unsigned bad = random_below(p, 4);
    E("MOV R%u, spared_%u ;\nMOV R%u, RZ ;\n", AT, id, AT + 1);
    E("ISETP.%s.U32.AND P6, PT, R%u, 0x%x, PT ;\n", first ? "LT" : "GE", REG_LANE,
      first ? 1 + random_below(p, trap_lanes(p)) : random_below(p, trap_lanes(p)));
    E("@P6 MOV R%u, 0x%x ;\n@P6 MOV R%u, 0x%x ;\n%s R%u ;\n", AT, low[bad], AT + 1, high[bad], jump[random_below(p, 3)],
      AT);
    return;
  }
  if (k == 5) {
    const unsigned to = ISA_STEP / 2 + 16 * random_below(p, 100);
    E("%s RZ+0x%x ;\n", jump[random_below(p, 3)], to);
    return;
  }
  if (k == 4) {
    E("JMP 0x%x ;\n", 16 * random_below(p, 100) + ISA_STEP / 2);
    return;
  }
  E("MOV R%u, 0x%x ;\nMOV R%u, 0x%x ;\n%s R%u ;\n", AT, low[k], AT + 1, high[k], jump[random_below(p, 3)], AT);
}

/* What wants all lanes of a warp is given some: 1 to 31 of a whole warp, or all that a ragged one has. */
static void torn(struct random_program *p) {
  const unsigned d = REG_DATA + 4 * random_below(p, REG_DATA_COUNT / 4);
  char text[320];
  const unsigned from = 1 + random_below(p, 31);
  E("ISETP.%s.U32.AND P6, PT, R%u, 0x%x, PT ;\n", trap_lanes(p) < 32 || random_chance(p, 50) ? "LT" : "GE", REG_LANE,
    from);
  if (random_has(p, ISA_UNIT_TENSOR) && random_chance(p, 60)) {
    do random_insn_tensor(p, text, sizeof text);
    while (strchr(text, '@') != NULL); /* executed by all who come */
    E("BSSY B0, torn_%u ;\n@!P6 BRA torn_%u ;\n%s", d, d, text);
    E("torn_%u:\nBSYNC B0 ;\n", d);
    return;
  }
  const unsigned off = 16 * random_below(p, 8), matrices = 1u << random_below(p, 3);
  E("@P6 LDSM.16.M%s88.%u R%u, [R%u+0x%x] ;\n", random_chance(p, 50) ? "T" : "", matrices, d, REG_WARP_SHARED, off);
}

void trap_divergence(struct random_program *p) {
  if (random_chance(p, 50)) {
    torn(p);
    return;
  }
  static const char *const text[] = {"BMOV.SET B7, RZ ;\nBSYNC B7 ;\n", "WARPSYNC 0x0 ;\n", "WARPSYNC RZ ;\n"};
  E("%s", text[random_below(p, 3)]);
}

/* Two lanes, or groups of them, wait at two barriers for each other. */
void trap_deadlock(struct random_program *p, unsigned id) {
  E("BSSY B0, one_%u ;\nBSSY B1, two_%u ;\nISETP.EQ.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA two_%u ;\none_%u:\nBSYNC B0 ;\n"
    "two_%u:\nBSYNC B1 ;\n",
    id, id, REG_LANE, id, id, id);
}

void trap_barrier(struct random_program *p) {
  switch (random_below(p, 3)) {
  case 0: { /* no multiple of 32 */
    const unsigned warps = random_below(p, 8);
    E("BAR.SYNC 0x%x, 0x%x ;\n", random_barriers() - 2, 32 * warps + 1 + random_below(p, 31));
    break;
  }
  case 1:
    E("BAR.SYNC 0x%x, 0x%x ;\n", random_barriers() - 2, 32 * (random_warps(p) + 1));
    break;
  default:
    E("BAR.ARV 0x%x, 0x0 ;\n", random_barriers() - 2);
    break;
  }
}
