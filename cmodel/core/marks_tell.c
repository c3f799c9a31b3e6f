/* SPDX-License-Identifier: Apache-2.0
 *
 * Origins, and the words of a diagnosis.
 */
#include <stdio.h>
#include <string.h>

#include "cmodel/core/marks.h"

/* An origin: kind in bits 63:61, the row or byte in bits 60:21, the place of the instruction in steps of 8 below. */
#define KIND_SHIFT 61u
#define AT_SHIFT 21u
#define AT_MASK ((UINT64_C(1) << (KIND_SHIFT - AT_SHIFT)) - 1)
#define PC_UNIT 8u
#define PC_MASK ((UINT64_C(1) << AT_SHIFT) - 1)

_Static_assert(ISA_STEP % PC_UNIT == 0, "instructions lie at multiples of 8");

uint64_t marks_origin(enum mark_kind kind, uint64_t at, uint32_t pc) {
  return (uint64_t)kind << KIND_SHIFT | (at & AT_MASK) << AT_SHIFT | (pc / PC_UNIT & PC_MASK);
}

static void read_origin(struct heddle_undefined *u, uint64_t from) {
  const enum mark_kind kind = (enum mark_kind)(from >> KIND_SHIFT);
  const uint64_t at = from >> AT_SHIFT & AT_MASK;
  u->origin[0] = '\0';
  u->first_pc = (uint32_t)(from & PC_MASK) * PC_UNIT;
  u->loaded = kind == MARK_SHARED || kind == MARK_LOCAL;
  if (kind == MARK_REGISTER) (void)row_name((unsigned)at, u->origin, sizeof u->origin);
  if (kind == MARK_PREDICATE) (void)pred_name((unsigned)at, u->origin, sizeof u->origin);
  if (u->loaded)
    snprintf(u->origin, sizeof u->origin, "%s byte 0x%llx", kind == MARK_SHARED ? "shared" : "local",
             (unsigned long long)at);
}

enum heddle_status marks_tell_origin(struct heddle_model *m, uint64_t from) {
  struct heddle_undefined *u = &m->undefined;
  const size_t used = strlen(m->diag);
  read_origin(u, from);
  if (u->origin[0] != '\0')
    snprintf(m->diag + used, sizeof m->diag - used, "; %s was never written, %s at pc 0x%04x", u->origin,
             u->loaded ? "loaded" : "first read", u->first_pc);
  return HEDDLE_UNDEFINED;
}

static void note_undefined(struct heddle_model *m, const struct warp *w, uint32_t seq, uint32_t pc, uint32_t lanes,
                           const char *what) {
  struct heddle_undefined *u = &m->undefined;
  *u = (struct heddle_undefined){.warp_in_block = w->index, .seq = seq, .pc = pc, .lanes = lanes};
  memcpy(u->ctaid, w->block->ctaid, sizeof u->ctaid);
  snprintf(u->what, sizeof u->what, "%s", what);
}

enum heddle_status marks_tell(struct heddle_model *m, const struct warp *w, uint32_t seq, uint32_t pc, uint32_t lanes,
                              const char *what, uint64_t from) {
  const uint32_t i = op_index(pc), *id = w->block->ctaid;
  note_undefined(m, w, seq, pc, lanes, what);
  (void)model_fail(m, HEDDLE_UNDEFINED,
                   "undefined_read: %s in lanes 0x%08x, block (%u,%u,%u) warp %u seq %u pc 0x%08x %s", what, lanes,
                   id[0], id[1], id[2], w->index, seq, pc, heddle_isa_op_name((enum heddle_isa_op)m->dec[i].op));
  return marks_tell_origin(m, from);
}

enum heddle_status marks_tell_bytes(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t seq,
                                    uint32_t pc, uint32_t lanes, const uint64_t addr[HEDDLE_LANES]) {
  char bytes[80];
  const unsigned lowest = lowest_lane(lanes);
  (void)undefined_bytes(op, lanes, addr, bytes, sizeof bytes);
  note_undefined(m, w, seq, pc, lanes, bytes);
  m->undefined.has_addr = true;
  m->undefined.addr = addr[lowest];
  (void)model_fail(m, HEDDLE_UNDEFINED, "undefined_read: %s, block (%u,%u,%u) warp %u seq %u pc 0x%08x", bytes,
                   w->block->ctaid[0], w->block->ctaid[1], w->block->ctaid[2], w->index, seq, pc);
  return marks_tell_origin(m, marks_origin_of_bytes(m, w, op, pc, lowest, addr[lowest]));
}

const struct heddle_undefined *heddle_model_undefined(const struct heddle_model *m) {
  return &m->undefined;
}
