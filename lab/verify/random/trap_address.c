/* SPDX-License-Identifier: Apache-2.0
 * Traps of addresses: misaligned, out of range, behind the end of a constant bank. */
#include "lab/verify/random/streams.h"
#include "lab/verify/random/window.h"

#define E(...) random_emit(p, __VA_ARGS__)

enum { AT = REG_ADDRESS };

/* P6 for lanes from one on, or for those below it; lane 0 has it, or has it not. */
static void split_lanes(struct random_program *p, bool first) {
  const unsigned lanes = trap_lanes(p);
  E("ISETP.%s.U32.AND P6, PT, R%u, 0x%x, PT ;\n", first ? "LT" : "GE", REG_LANE, 1 + random_below(p, lanes));
}

/* Some lanes are misaligned, others out of range: the lowest one says what it is. */
static void mixed(struct random_program *p, bool outside_first) {
  const unsigned d = random_data(p);
  split_lanes(p, outside_first);
  E("LOP3.LUT R%u, R%u, 0x2, RZ, 0xfc ;\nMOV R%u, R%u ;\n@P6 MOV R%u, 0x40 ;\n@P6 MOV R%u, RZ ;\n", AT, REG_OWN, AT + 1,
    REG_OWN + 1, AT, AT + 1);
  if (random_chance(p, 50))
    E("LDG.E R%u, [R%u+0x%x] ;\n", d, AT, OWN_AT);
  else
    E("STG.E [R%u+0x%x], R%u ;\n", AT, OWN_AT, d);
}

void trap_misaligned(struct random_program *p) {
  if (p->at_edge) {
    edge_misaligned(p);
    return;
  }
  const unsigned d = REG_DATA + 4 * random_below(p, REG_DATA_COUNT / 4);
  if (random_chance(p, 25)) {
    mixed(p, false);
    return;
  }
  switch (random_below(p, 4)) {
  case 0:
    E("LDG.E.64 R%u, [R%u+0x%x] ;\n", d, REG_OWN, OWN_AT + 4);
    break;
  case 1:
    E("STS [R%u+0x%x], R%u ;\n", REG_SHARED, SHARED_AT + 1 + random_below(p, 3), d);
    break;
  case 2:
    E("LDL.128 R%u, [RZ+0x8] ;\n", d);
    break;
  default:
    E("ATOMG.E.ADD R%u, [R%u+0x%x], R%u ;\n", d, REG_OWN, OWN_AT + 2, d);
    break;
  }
}

/* Nothing of the grid's lies below 64 KiB; the address space ends at 40 bits. */
void trap_out_of_range(struct random_program *p) {
  if (p->at_edge) {
    edge_out_of_range(p);
    return;
  }
  const unsigned d = random_data(p);
  if (random_chance(p, 25)) {
    mixed(p, true);
    return;
  }
  switch (random_below(p, 4)) {
  case 0: { /* buffers may lie across 4 GiB */
    const bool low = random_chance(p, 50), bottom = random_chance(p, 50) && (low || p->launch.base >> 31 != 1);
    E("MOV R%u, 0x%x ;\nMOV R%u, 0x%x ;\n", AT, low ? 0x40 : 0xfffffffc, AT + 1, bottom ? 0 : 0xff);
    if (random_chance(p, 50))
      E("LDG.E R%u, [R%u] ;\n", d, AT);
    else
      E("%s [R%u], R%u ;\n", random_chance(p, 50) ? "STG.E" : "RED.E.ADD", AT, d);
    break;
  }
  case 1:
    E("STS [RZ+0x%x], R%u ;\n", (unsigned)heddle_isa_field_most(ISA_F_OFF24) & ~3u, d);
    break;
  case 2:
    E("LDL R%u, [RZ-0x4] ;\n", d);
    break;
  default:
    E("MOV R%u, RZ ;\nMOV R%u, 0x3000000 ;\nST.E [R%u], R%u ;\n", AT, AT + 1, AT, d);
    break;
  }
}

/* A bank that ends after an odd number of words: its last one and what is behind it, as a pair. */
static bool pair_outside(struct random_program *p, unsigned d) {
  const unsigned b = 1 + random_below(p, 2);
  if (!random_has(p, ISA_UNIT_FP64) || p->bank_used[b] % 8 != 4) return false;
  E("DADD R%u, R%u, c[0x%x][0x%x] ;\n", d & ~1u, d & ~1u, b, p->bank_used[b] - 4);
  return true;
}

void trap_const_range(struct random_program *p, unsigned d) {
  if (p->at_edge) {
    edge_const_range(p);
    return;
  }
  if (random_chance(p, 30) && pair_outside(p, d)) return;
  if (random_chance(p, 30))
    E("LDC R%u, c[0x3][RZ+0x100] ;\n", d);
  else if (random_chance(p, 50)) /* the upper lanes alone, or the last one */
    E("IMAD R%u, R%u, 0x4, RZ ;\nLDC R%u, c[0x3][R%u+0x%x] ;\n", AT, REG_LANE, d, AT,
      0x100 - 4 * (trap_lanes(p) - 1) + 4 * random_below(p, trap_lanes(p)));
  else
    E("IADD3 R%u, R%u, c[0x3][0x%x], RZ ;\n", d, d, 0x100 + 4 * random_below(p, 100));
}
