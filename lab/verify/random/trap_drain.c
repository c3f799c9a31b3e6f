/* SPDX-License-Identifier: Apache-2.0
 * What is under way when a program traps: of the warp that traps, in front of it and behind; of all others, in this
 * block and in those beside it. */
#include <stdio.h>

#include "lab/verify/random/streams.h"

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
void trap_queue_up(struct random_program *p) {
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
void trap_drains(struct random_program *p, unsigned id) {
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
