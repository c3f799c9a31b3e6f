/* SPDX-License-Identifier: Apache-2.0
 * Programs that are meant to trap: one warp of each block does, all for the same cause, while others run. It is long: a
 * cause is some functions of ten lines, and there are eleven; the larger ones are apart (trap_illegal.c, trap_bus.c,
 * edge_trap.c).
 */
#include "verify/random/streams.h"
#include "verify/random/window.h"

#include <string.h>

#define E(...) random_emit(p, __VA_ARGS__)

/* Causes as the launch names them: isa/doc/05-barriers-traps.md. */
enum cause {
  ILLEGAL = 1,
  BAD_PC,
  MISALIGNED,
  OUT_OF_RANGE,
  WRITE_PROTECTED,
  CONST_RANGE,
  DIVERGENCE,
  DEADLOCK,
  BARRIER,
  BUS_ERROR,
  BREAKPOINT
};

enum { AT = REG_ADDRESS };

/* Nobody has left by then: the warp that traps is there, and has all of its lanes. */
bool random_make_trap(struct random_program *p) {
  static const uint8_t causes[] = {ILLEGAL,      ILLEGAL,         BAD_PC,      BAD_PC,     BAD_PC,     MISALIGNED,
                                   OUT_OF_RANGE, WRITE_PROTECTED, CONST_RANGE, DIVERGENCE, DIVERGENCE, DEADLOCK,
                                   BARRIER,      BREAKPOINT,      BUS_ERROR,   BUS_ERROR};
  static const uint8_t edges[] = {MISALIGNED,   OUT_OF_RANGE, OUT_OF_RANGE, OUT_OF_RANGE,    OUT_OF_RANGE,
                                  OUT_OF_RANGE, OUT_OF_RANGE, OUT_OF_RANGE, OUT_OF_RANGE,    OUT_OF_RANGE,
                                  BAD_PC,       BAD_PC,       CONST_RANGE,  WRITE_PROTECTED, WRITE_PROTECTED,
                                  CONST_RANGE,  CONST_RANGE,  CONST_RANGE,  BUS_ERROR,       BUS_ERROR,
                                  BUS_ERROR,    BUS_ERROR,    BUS_ERROR,    BUS_ERROR};
  p->at_edge = random_knob_chance(p, KNOB_TRAPS_EDGES);
  p->launch.trap = p->at_edge ? edges[random_below(p, sizeof edges)] : causes[random_below(p, sizeof causes)];
  if (p->launch.trap == DEADLOCK && random_threads(p) < 2) p->launch.trap = BREAKPOINT;
  if (p->launch.trap == BAD_PC && !p->at_edge && random_chance(p, 40)) p->tail = TAIL_OPEN;
  p->launch.launches = 1;
  p->leaves = false;
  return p->launch.trap != BUS_ERROR || random_place_errors(p);
}

/* Into the tail, at any of its words, but not behind the first one in error; all lanes, or some. */
static void to_tail(struct random_program *p, unsigned id) {
  const unsigned back = (unsigned)p->launch.error_at / 16; /* words from the code's end, the return among them */
  const unsigned k = random_below(p, p->tail == TAIL_ERRORS && back > 2 ? TAIL_WORDS + 2 - back : TAIL_WORDS);
  const bool some = random_chance(p, 30), open = p->tail == TAIL_OPEN;
  if (some || open) E("BSSY B0, tailed_%u ;\n", id);
  if (some) E("ISETP.EQ.AND P6, PT, R%u, RZ, PT ;\n@!P6 BRA tailed_%u ;\n", REG_LANE, id);
  if (open) code_end_enter(p);
  E("MOV R%u, tailed_%u ;\nMOV R%u, RZ ;\n", AT, id, AT + 1);
  if (p->tail == TAIL_ERRORS) E("ISETP.NE.AND P6, PT, RZ, RZ, PT ;\n"); /* nobody returns early */
  if (random_chance(p, 50))
    E("CALL.REL tail_%u ;\n", k);
  else
    E("MOV R%u, tail_%u ;\nMOV R%u, RZ ;\nBRX R%u ;\n", AT + 2, k, AT + 3, AT + 2);
  E("tailed_%u:\n", id);
  if (some || open) E("BSYNC B0 ;\n");
}

void random_write_tail(struct random_program *p) {
  if (p->tail == TAIL_NONE) return;
  if (ISA_STEP != ISA_WORD_BYTES) E(".pack off\n"); /* it is entered at, and its errors begin at, words counted */
  E(".func tail\n");
  if (p->tail == TAIL_OPEN) code_end_back(p);
  for (unsigned k = 0; k < TAIL_WORDS; k++) {
    const unsigned d = random_data(p);
    E("tail_%u:\n", k);
    if (p->tail == TAIL_ERRORS && k >= TAIL_BACK && k < TAIL_BACK + TAIL_BACKS) {
      E("@P6 RET R%u ;\n", AT);
      continue;
    }
    switch (random_below(p, 4)) {
    case 0:
      E("MOV R%u, 0x%x ;\n", d, random_edge(p));
      break;
    case 1:
      E("LDG.E R%u, [R%u+0x%x] ;\n", d, REG_OWN, OWN_AT + 4 * random_below(p, SCRATCH_THREAD_BYTES / 4));
      break;
    case 2:
      E("LDS R%u, [R%u+0x%x] ;\n", d, REG_SHARED, SHARED_AT);
      break;
    default:
      E("NOP ;\n");
      break;
    }
  }
  if (p->tail == TAIL_ERRORS) E("RET R%u ;\n", AT);
  if (p->tail == TAIL_OPEN) code_end_open(p);
  E(".end\n");
}

unsigned trap_lanes(const struct random_program *p) {
  return random_threads(p) < 32 ? random_threads(p) : 32;
}

/* P6 for lanes from one on, or for those below it; lane 0 has it, or has it not. */
static void part(struct random_program *p, bool first) {
  const unsigned lanes = trap_lanes(p);
  E("ISETP.%s.U32.AND P6, PT, R%u, 0x%x, PT ;\n", first ? "LT" : "GE", REG_LANE, 1 + random_below(p, lanes));
}

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

static void bad_pc(struct random_program *p, unsigned id) {
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

/* Some lanes are misaligned, others out of range: the lowest one says what it is. */
static void mixed(struct random_program *p, bool outside_first) {
  const unsigned d = random_data(p);
  part(p, outside_first);
  E("LOP3.LUT R%u, R%u, 0x2, RZ, 0xfc ;\nMOV R%u, R%u ;\n@P6 MOV R%u, 0x40 ;\n@P6 MOV R%u, RZ ;\n", AT, REG_OWN, AT + 1,
    REG_OWN + 1, AT, AT + 1);
  if (random_chance(p, 50))
    E("LDG.E R%u, [R%u+0x%x] ;\n", d, AT, OWN_AT);
  else
    E("STG.E [R%u+0x%x], R%u ;\n", AT, OWN_AT, d);
}

static void misaligned(struct random_program *p) {
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
static void out_of_range(struct random_program *p) {
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
    E("STS [RZ+0x7ffffc], R%u ;\n", d);
    break;
  case 2:
    E("LDL R%u, [RZ-0x4] ;\n", d);
    break;
  default:
    E("MOV R%u, RZ ;\nMOV R%u, 0x3000000 ;\nST.E [R%u], R%u ;\n", AT, AT + 1, AT, d);
    break;
  }
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

static void divergence(struct random_program *p) {
  if (random_chance(p, 50)) {
    torn(p);
    return;
  }
  static const char *const text[] = {"BMOV.SET B7, RZ ;\nBSYNC B7 ;\n", "WARPSYNC 0x0 ;\n", "WARPSYNC RZ ;\n"};
  E("%s", text[random_below(p, 3)]);
}

/* Two lanes, or groups of them, wait at two barriers for each other. */
static void deadlock(struct random_program *p, unsigned id) {
  E("BSSY B0, one_%u ;\nBSSY B1, two_%u ;\nISETP.EQ.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA two_%u ;\none_%u:\nBSYNC B0 ;\n"
    "two_%u:\nBSYNC B1 ;\n",
    id, id, REG_LANE, id, id, id);
}

static void barrier(struct random_program *p) {
  switch (random_below(p, 3)) {
  case 0: { /* no multiple of 32 */
    const unsigned warps = random_below(p, 8);
    E("BAR.SYNC 0xe, 0x%x ;\n", 32 * warps + 1 + random_below(p, 31));
    break;
  }
  case 1:
    E("BAR.SYNC 0xe, 0x%x ;\n", 32 * (random_warps(p) + 1));
    break;
  default:
    E("BAR.ARV 0xe, 0x0 ;\n");
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

static void const_range(struct random_program *p, unsigned d) {
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

/* What would trap as well, right behind: of control or of memory. The first in issue order is the one. */
static void second_trap(struct random_program *p) {
  const unsigned d = random_data(p);
  switch (random_below(p, 7)) {
  case 0:
    E("BPT.TRAP ;\n");
    break;
  case 1:
    E("JMP 0x%x ;\n", ISA_STEP / 2);
    break;
  case 2:
    E("MOV R%u, 0x4 ;\nMOV R%u, 0x1 ;\nBRX R%u ;\n", AT + 2, AT + 3, AT + 2);
    break;
  case 3:
    E("WARPSYNC RZ ;\n");
    break;
  case 4:
    E("STS [R%u+0x%x], R%u ;\n", REG_SHARED, SHARED_AT + 1, d);
    break;
  case 5:
    E("LDL R%u, [RZ-0x4] ;\n", d);
    break;
  default:
    E("IADD3 R%u, R%u, c[0x3][0x%x], RZ ;\n", d, d, 0x100 + 4 * random_below(p, 100));
    break;
  }
}

static void trap(struct random_program *p, unsigned id) {
  const unsigned d = random_data(p);
  unsigned at = 0;
  switch ((enum cause)p->launch.trap) {
  case ILLEGAL:
    trap_illegal(p);
    break;
  case BAD_PC:
    if (p->tail == TAIL_OPEN)
      to_tail(p, id);
    else
      bad_pc(p, id);
    break;
  case MISALIGNED:
    misaligned(p);
    break;
  case OUT_OF_RANGE:
    out_of_range(p);
    break;
  case WRITE_PROTECTED: /* nobody may write the input */
    if (p->at_edge) {
      edge_write_protected(p);
      break;
    }
    at = 4 * random_below(p, INPUT_WORDS);
    E("MOV R%u, c[0x0][input] ;\nMOV R%u, c[0x0][input+4] ;\n%s [R%u+0x%x], R%u ;\n", AT, AT + 1,
      random_chance(p, 50) ? "STG.E" : "RED.E.ADD", AT, at, d);
    break;
  case CONST_RANGE:
    const_range(p, d);
    break;
  case DIVERGENCE:
    divergence(p);
    break;
  case DEADLOCK:
    deadlock(p, id);
    break;
  case BARRIER:
    barrier(p);
    break;
  case BUS_ERROR:
    if (p->tail == TAIL_ERRORS)
      to_tail(p, id);
    else
      trap_bus(p);
    break;
  case BREAKPOINT:
    E("BPT.TRAP ;\n");
    break;
  }
}

/* At an edge every other block goes to another one, for the same cause: the first to trap is recorded, and what the
 * others have under way must not perform either. */
static void trap_apart(struct random_program *p, unsigned id) {
  const bool two = p->at_edge && p->tail == TAIL_NONE && p->launch.trap != BUS_ERROR && random_blocks(p) > 1;
  if (two) {
    const unsigned half = random_threads(p) * (random_blocks(p) / 2);
    E("ISETP.LT.U32.AND P6, PT, R%u, 0x%x, PT ;\n@P6 BRA other_%u ;\n", REG_THREAD, half, id);
  }
  trap(p, id);
  if (!two) return;
  E("BRA trapped_%u ;\nother_%u:\n", id, id);
  trap(p, id);
  E("trapped_%u:\n", id);
}

/* P6: not the warp that traps; that is one of each block, or one of the grid while all other blocks run on. Warp 0 has
 * all of its lanes, or all that there are. */
static void choose_warp(struct random_program *p, bool alone) {
  const unsigned threads = random_threads(p), whole = threads / 32, warp = whole > 1 ? random_below(p, whole) : 0;
  if (!alone) {
    E("ISETP.NE.U32.AND P6, PT, R%u, 0x%x, PT ;\n", REG_WARP_INDEX, warp);
    return;
  }
  const unsigned first = threads * random_below(p, random_blocks(p)) + 32 * warp;
  E("IADD3 R%u, R%u, 0x%x, RZ ;\nISETP.GE.U32.AND P6, PT, R%u, 0x%x, PT ;\n", AT, REG_THREAD, 0u - first, AT,
    trap_lanes(p));
}

/* What comes in front of a trap and behind it, in its own warp. */
static void trap_amid(struct random_program *p, const struct node *n) {
  const bool bus = p->launch.trap == BUS_ERROR; /* which is found late, and only if nothing else is */
  trap_under_way(p);
  if (ahead_fits(p) && random_chance(p, 50)) stream_ahead(p, n);
  trap_apart(p, n->id);
  if (bus && p->tail == TAIL_NONE && random_chance(p, 40))
    trap_queue_up(p);
  else if (bus && p->tail == TAIL_NONE)
    trap_under_way(p); /* younger ones wait after it */
  else if (!bus && random_chance(p, 50)) {
    if (random_chance(p, 30)) trap_under_way(p);
    second_trap(p);
  }
}

void stream_trap(struct random_program *p, const struct node *n) {
  if (p->launch.error_in == RANDOM_ERRORS_LOCAL) {
    trap_bus_local(p);
    return;
  }
  const bool meet = p->launch.trap != BUS_ERROR && random_chance(p, 25); /* where the model traps, too */
  const bool alone = !meet && random_blocks(p) > 1 && random_chance(p, 50), drains = !meet && random_chance(p, 60);
  choose_warp(p, alone);
  if (meet) /* the others wait for the one that traps */
    E("@P6 BAR.RED.%s P0, 0xd, 0x0, P0 ;\n", random_chance(p, 50) ? "OR" : "AND");
  E("@P6 BRA %s_%u ;\n", drains ? "drains" : "spared", n->id);
  if (drains) E("NANOSLEEP 0x%x ;\n", random_below(p, 1500));
  trap_amid(p, n);
  if (drains) {
    E("BRA spared_%u ;\ndrains_%u:\n", n->id, n->id);
    trap_drains(p, n->id);
  }
  E("spared_%u:\n", n->id);
}
