/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that are meant to trap: which warp, by what cause, and what is under way then. The causes: trap_*.c,
 * stream_edge.c.
 */
#include <stdio.h>
#include "lab/verify/random/streams.h"

/* What is under way when a program traps: of the warp that traps, in front of it and behind; of all others, in this
 * block and in those beside it. */

#define E(...) random_emit(p, __VA_ARGS__)

enum { AT = REG_ADDRESS, LINE = REG_STREAM };

/* A line for each lane, of which nobody uses what comes: a small cache has room for nothing else. */
void trap_sweep(struct random_program *p) {
  E("MOV R%u, c[0x0][out] ;\nMOV R%u, c[0x0][out+4] ;\nIMAD.WIDE R%u, R%u, 0x80, R%u ;\n", LINE, LINE + 1, LINE,
    REG_LANE, LINE);
  E("LDG.E RZ, [R%u+0x%x] ;\n", LINE, 4 * random_below(p, 32));
}

static void fence_before_trap(struct random_program *p) {
  static const char *const what[] = {"MEMBAR.CTA", "MEMBAR.GPU", "MEMBAR.SYS"};
  const unsigned n = random_below(p, 4);
  if (n == 3)
    E("CCTL.E.IVALL [R%u] ;\n", REG_OWN);
  else
    E("%s ;\n", what[n]);
}

/* Not waited for: what it writes is this thread's own. */
static void copy_unawaited(struct random_program *p) {
  E("IADD3 R%u, R%u, 0x%x, RZ ;\nLDGSTS.E.64 [R%u], [R%u+0x%x] ;\n", AT + 3, REG_SHARED, SHARED_AT, AT + 3, REG_OWN,
    OWN_AT + 8 * random_below(p, SCRATCH_THREAD_BYTES / 8));
}

/* Work of the same warp that is still under way when it traps. */
void trap_under_way(struct random_program *p) {
  for (unsigned i = random_below(p, 5); i-- > 0;) {
    const unsigned d = random_data(p), off = 4 * random_below(p, SCRATCH_THREAD_BYTES / 4);
    switch (random_below(p, random_has_async(p) ? 9 : 8)) {
    case 0:
      E("LDG.E R%u, [R%u+0x%x] ;\n", d, REG_OWN, OWN_AT + off);
      break;
    case 1:
      E("STG.E [R%u+0x%x], R%u ;\n", REG_OWN, OWN_AT + off, d);
      break;
    case 2:
      E("ATOMG.E.ADD R%u, [R%u+0x%x], R%u ;\n", d, REG_OWN, OWN_AT + off, d);
      break;
    case 3:
      E("STS [R%u+0x%x], R%u ;\n", REG_SHARED, SHARED_AT, d);
      break;
    case 4:
      E("LDS R%u, [R%u+0x%x] ;\n", d, REG_SHARED, SHARED_AT);
      break;
    case 5:
      fence_before_trap(p);
      break;
    case 6:
      E("STL [RZ+0x%x], R%u ;\n", off % LOCAL_BYTES, d);
      break;
    case 8:
      copy_unawaited(p);
      break;
    default: {
      const unsigned c = random_data(p), b = random_data(p);
      E("FFMA R%u, R%u, R%u, R%u ;\n", d, random_data(p), b, c);
      break;
    }
    }
  }
}

/* Accesses of that warp that wait behind what is in error, more than the unit's queue takes: none may perform after the
 * trap. */
static void trap_queue_up(struct random_program *p) {
  for (unsigned i = 4 + random_below(p, 10); i-- > 0;) {
    const unsigned d = REG_DATA + 4 * random_below(p, REG_DATA_COUNT / 4), off = 16 * random_below(p, 4);
    if (random_chance(p, 70))
      E("STG.E.128 [R%u+0x%x], R%u ;\n", REG_OWN, OWN_AT + off, d);
    else
      E("STS.128 [R%u+0x%x], R%u ;\n", REG_SHARED, SHARED_AT, d);
  }
}

/* Stores, atomics, copies, fences, emptyings of the cache, local memory, again and again, while a warp elsewhere traps:
 * whatever of it is on its way then has to end. */
static void trap_drains(struct random_program *p, unsigned id) {
  char text[320];
  E("MOV R%u, 0x%x ;\ndrains_again_%u:\n", REG_LOOP, 4 + random_below(p, 28), id);
  for (unsigned i = 3 + random_below(p, 5); i-- > 0;) {
    const unsigned d = random_data(p), off = 4 * random_below(p, SCRATCH_THREAD_BYTES / 4);
    switch (random_below(p, random_has_async(p) ? 9 : 8)) {
    case 0:
    case 1:
      E("STG.E [R%u+0x%x], R%u ;\n", REG_OWN, OWN_AT + off, d);
      break;
    case 2:
      E("%s.E.ADD %s[R%u+0x%x], R%u ;\n", off % 8 == 0 ? "RED" : "ATOMG", off % 8 == 0 ? "" : "RZ, ", REG_OWN,
        OWN_AT + off, d);
      break;
    case 3:
    case 4:
      fence_before_trap(p);
      break;
    case 5:
      E("STL [RZ+0x%x], R%u ;\nLDL R%u, [RZ+0x%x] ;\n", off % LOCAL_BYTES, d, d, (off + 4) % LOCAL_BYTES);
      break;
    case 6:
      trap_sweep(p);
      break;
    case 8:
      copy_unawaited(p);
      break;
    default:
      p->place = PLACE_ANY;
      random_memory(p, text, sizeof text);
      E("%s", text);
      break;
    }
  }
  E("IADD3 R%u, R%u, -0x1, RZ ;\nISETP.NE.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA drains_again_%u ;\n", REG_LOOP, REG_LOOP,
    REG_LOOP, id);
}

/* Programs that are meant to trap: one warp of each block does, all for the same cause, while others run. The causes
 * are in trap_*.c and stream_edge.c. */

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

unsigned trap_lanes(const struct random_program *p) {
  return random_threads(p) < 32 ? random_threads(p) : 32;
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
      trap_tail(p, id);
    else
      trap_bad_pc(p, id);
    break;
  case MISALIGNED:
    trap_misaligned(p);
    break;
  case OUT_OF_RANGE:
    trap_out_of_range(p);
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
    trap_const_range(p, d);
    break;
  case DIVERGENCE:
    trap_divergence(p);
    break;
  case DEADLOCK:
    trap_deadlock(p, id);
    break;
  case BARRIER:
    trap_barrier(p);
    break;
  case BUS_ERROR:
    if (p->tail == TAIL_ERRORS)
      trap_tail(p, id);
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
    E("@P6 BAR.RED.%s P0, 0x%x, 0x0, P0 ;\n", random_chance(p, 50) ? "OR" : "AND", random_barriers() - 3);
  E("@P6 BRA %s_%u ;\n", drains ? "drains" : "spared", n->id);
  if (drains) E("NANOSLEEP 0x%x ;\n", random_below(p, 1500));
  trap_amid(p, n);
  if (drains) {
    E("BRA spared_%u ;\ndrains_%u:\n", n->id, n->id);
    trap_drains(p, n->id);
  }
  E("spared_%u:\n", n->id);
}
