/* SPDX-License-Identifier: Apache-2.0
 *
 * Each names something that the machine does not have.
 */
#include "mutations_form.h"

#include "cosim/kit/conform/stream_find.h"

bool spoil_form_block_slot(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, HEDDLE_RECORD_BLOCK_START));
  s->r[i].u.block_start.bslot = 40;
  return true;
}
bool spoil_form_block_machine(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, HEDDLE_RECORD_BLOCK_START));
  s->r[i].u.block_start.sm = 1;
  return true;
}
bool spoil_form_warp_seq(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, HEDDLE_RECORD_WARP_START));
  s->r[i].u.warp_start.id.seq = 1;
  return true;
}

bool spoil_form_barrier(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, HEDDLE_RECORD_BARRIER));
  s->r[i].u.barrier.id = 16;
  return true;
}
bool spoil_form_barrier_block(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, HEDDLE_RECORD_BARRIER));
  s->r[i].u.barrier.bslot = 40;
  return true;
}
/* A slot whose block has ended, or has not begun, of the three that the machine of these tests has. */
bool spoil_form_barrier_dead(struct stream *s) {
  bool live[3] = {false};
  for (size_t i = 0; i < s->n; i++) {
    struct heddle_retire_record *r = &s->r[i];
    if (r->kind == HEDDLE_RECORD_BLOCK_START) live[r->u.block_start.bslot % 3] = true;
    if (r->kind == HEDDLE_RECORD_BLOCK_END) live[r->u.block_end.bslot % 3] = false;
    for (uint8_t b = 0; b < 3 && r->kind == HEDDLE_RECORD_BARRIER; b++) {
      if (live[b]) continue;
      r->u.barrier.bslot = b;
      return true;
    }
  }
  return false;
}
bool spoil_form_barrier_machine(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, HEDDLE_RECORD_BARRIER));
  s->r[i].u.barrier.sm = 1;
  return true;
}

bool spoil_form_cause(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, HEDDLE_RECORD_TRAP));
  s->r[i].u.trap.cause = HEDDLE_CAUSES;
  return true;
}
bool spoil_form_cause_none(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, HEDDLE_RECORD_TRAP));
  s->r[i].u.trap.cause = HEDDLE_TRAP_NONE;
  return true;
}

/* Every record of generation `from`, of that slot or (HEDDLE_RECORD_WARPS) of any, says another one. */
static bool rename_warps(struct stream *s, unsigned slot, unsigned from, int by) {
  bool any = false;
  for (size_t i = 0; i < s->n; i++) {
    struct heddle_record_id *id = (struct heddle_record_id *)heddle_record_id_of(&s->r[i]); /* of a record of ours */
    if (id == NULL || (slot != HEDDLE_RECORD_WARPS && id->slot != slot) || (from != 0 && id->gen != from)) continue;
    id->gen = (uint8_t)(id->gen + by);
    any = true;
  }
  return any;
}
/* A slot counts from 2 on, gap-free. */
bool spoil_generation_first(struct stream *s) {
  return rename_warps(s, 1, 0, 1);
}
/* The second warp of each slot is shown as the first. */
bool spoil_generation_stays(struct stream *s) {
  return rename_warps(s, HEDDLE_RECORD_WARPS, 2, -1);
}

/* A record in the middle is of the cycle before, or of none at all. */
static bool earlier(struct stream *s, uint64_t by) {
  const size_t i = s->n / 2;
  s->r[i].cycle = s->r[i - 1].cycle - by;
  return true;
}
bool spoil_form_cycle(struct stream *s) {
  return earlier(s, 1);
}
bool spoil_form_cycle_far(struct stream *s) {
  return earlier(s, s->r[s->n / 2 - 1].cycle);
}

bool spoil_form_rows(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, HEDDLE_RECORD_OPERANDS));
  s->r[i].u.operands.used |= 1u << HEDDLE_RECORD_ROWS;
  return true;
}
