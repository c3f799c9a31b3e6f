/* SPDX-License-Identifier: Apache-2.0
 *
 * Each names something that the machine does not have.
 */
#include "mutations_form.h"

#include "stream_find.h"

bool spoil_form_block_slot(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_BLOCK_START));
  s->r[i].u.block_start.bslot = 40;
  return true;
}
bool spoil_form_block_machine(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_BLOCK_START));
  s->r[i].u.block_start.sm = 1;
  return true;
}
bool spoil_form_warp_seq(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_WARP_START));
  s->r[i].u.warp_start.id.seq = 1;
  return true;
}

bool spoil_form_barrier(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_BARRIER));
  s->r[i].u.barrier.id = 16;
  return true;
}
bool spoil_form_barrier_block(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_BARRIER));
  s->r[i].u.barrier.bslot = 40;
  return true;
}
/* A slot whose block has ended, or has not begun, of the three that the machine of these tests has. */
bool spoil_form_barrier_dead(struct stream *s) {
  bool live[3] = {false};
  for (size_t i = 0; i < s->n; i++) {
    struct retire_record *r = &s->r[i];
    if (r->kind == RECORD_BLOCK_START) live[r->u.block_start.bslot % 3] = true;
    if (r->kind == RECORD_BLOCK_END) live[r->u.block_end.bslot % 3] = false;
    for (uint8_t b = 0; b < 3 && r->kind == RECORD_BARRIER; b++) {
      if (live[b]) continue;
      r->u.barrier.bslot = b;
      return true;
    }
  }
  return false;
}
bool spoil_form_barrier_machine(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_BARRIER));
  s->r[i].u.barrier.sm = 1;
  return true;
}

bool spoil_form_cause(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_TRAP));
  s->r[i].u.trap.cause = HEDDLE_CAUSES;
  return true;
}
bool spoil_form_cause_none(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_TRAP));
  s->r[i].u.trap.cause = HEDDLE_TRAP_NONE;
  return true;
}

bool spoil_form_rows(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_OPERANDS));
  s->r[i].u.operands.used |= 1u << RECORD_ROWS;
  return true;
}
