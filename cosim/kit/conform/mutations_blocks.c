/* SPDX-License-Identifier: Apache-2.0
 *
 * Spoilers of what the machine has: its form, blocks, their warps and registers, traps.
 */
#include "cosim/kit/conform/mutations.h"
#include "cosim/kit/conform/stream_find.h"

/* Each names something that the machine does not have. */

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

/* Spoilers of blocks, the warps and registers of them, and of traps. */

/* ---- blocks, traps ---- */

static size_t second_block(const struct stream *s) {
  return find_kind(s, find_kind(s, 0, HEDDLE_RECORD_BLOCK_START) + 1, HEDDLE_RECORD_BLOCK_START);
}
bool spoil_block_grid(struct stream *s) {
  RECORD_OR_FAIL(i, second_block(s));
  s->r[i].u.block_start.ctaid[1] = 1;
  return true;
}
bool spoil_block_double(struct stream *s) {
  RECORD_OR_FAIL(i, second_block(s));
  s->r[i].u.block_start.ctaid[0] = 0;
  return true;
}
bool spoil_block_slots(struct stream *s) {
  RECORD_OR_FAIL(i, second_block(s));
  s->r[i].u.block_start.warps = s->r[0].u.block_start.warps;
  return true;
}
bool spoil_block_warps(struct stream *s) {
  RECORD_OR_FAIL(i, second_block(s));
  s->r[i].u.block_start.warps |= 1u << 14;
  return true;
}
bool spoil_block_shared(struct stream *s) {
  RECORD_OR_FAIL(i, second_block(s));
  s->r[i].u.block_start.shared_base -= 4;
  return true;
}
bool spoil_block_shared_far(struct stream *s) {
  RECORD_OR_FAIL(i, second_block(s));
  s->r[i].u.block_start.shared_base = 1u << 20;
  return true;
}
bool spoil_registers_overlap(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, HEDDLE_RECORD_WARP_START));
  RECORD_OR_FAIL(other, find_kind(s, i + 1, HEDDLE_RECORD_WARP_START)); /* of the other partition */
  RECORD_OR_FAIL(k, find_kind(s, other + 1, HEDDLE_RECORD_WARP_START));
  s->r[k].u.warp_start.reg_base = (uint16_t)(s->r[i].u.warp_start.reg_base + 1);
  return true;
}
bool spoil_registers_far(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, HEDDLE_RECORD_WARP_START));
  s->r[i].u.warp_start.reg_base = FAKE_REGS - 1;
  return true;
}
bool spoil_registers_twice(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, HEDDLE_RECORD_WARP_START));
  stream_insert(s, i + 1, &s->r[i]);
  return true;
}
bool spoil_registers_missing(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, HEDDLE_RECORD_WARP_START));
  stream_drop(s, i);
  return true;
}
bool spoil_warp_block(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, HEDDLE_RECORD_WARP_START));
  s->r[i].u.warp_start.bslot ^= 1;
  return true;
}
bool spoil_block_missing(struct stream *s) {
  size_t i = s->n;
  while (i-- > 0 && s->r[i].kind != HEDDLE_RECORD_BLOCK_END) continue;
  stream_drop(s, i);
  return true;
}

bool spoil_block_end(struct stream *s) {
  RECORD_OR_FAIL(end, find_kind(s, 0, HEDDLE_RECORD_BLOCK_END));
  size_t exit = end;
  while (exit-- > 0 && !is_op(&s->r[exit], ISA_OP_EXIT)) continue;
  for (size_t i = exit + 1; i < end; i++) /* accesses that are drained after the last EXIT come first */
    if (s->r[i].kind != HEDDLE_RECORD_ISSUE) stream_move(s, i, exit++);
  stream_move(s, end, exit);
  for (size_t i = 0; i < s->n; i++) s->r[i].cycle = i + 1; /* one in each, as it was */
  return true;
}

bool spoil_trap_lanes(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, HEDDLE_RECORD_TRAP));
  s->r[i].u.trap.lanes ^= 1;
  return true;
}
bool spoil_trap_addr(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, HEDDLE_RECORD_TRAP));
  s->r[i].u.trap.addr ^= 4;
  return true;
}
bool spoil_trap_missing(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, HEDDLE_RECORD_TRAP));
  stream_drop(s, i);
  return true;
}

bool spoil_trap_unexpected(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_FADD));
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_TRAP, .cycle = s->r[i].cycle};
  r.u.trap = (struct heddle_record_trap){
      .cause = HEDDLE_TRAP_ILLEGAL, .id = s->r[i].u.issue.id, .pc = s->r[i].u.issue.pc, .lanes = 1};
  stream_insert(s, i, &r);
  return true;
}

bool spoil_issue_after_trap(struct stream *s) {
  RECORD_OR_FAIL(t, find_kind(s, 0, HEDDLE_RECORD_TRAP));
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_ISSUE, .cycle = s->r[t].cycle};
  r.u.issue.id = s->r[t].u.trap.id;
  size_t last = t;
  while (last-- > 0 && s->r[last].kind != HEDDLE_RECORD_ISSUE) continue;
  r.u.issue.id.seq = s->r[last].u.issue.id.seq + 1;
  stream_insert(s, t + 1, &r);
  return true;
}

/* The trap record comes before the last thing that the machine did. */
bool spoil_trap_early(struct stream *s) {
  RECORD_OR_FAIL(t, find_kind(s, 0, HEDDLE_RECORD_TRAP));
  if (t == 0 || s->r[t - 1].kind == HEDDLE_RECORD_ISSUE || s->r[t - 1].kind == HEDDLE_RECORD_WARP_START) return false;
  stream_move(s, t, t - 1);
  s->r[t - 1].cycle = s->r[t].cycle;
  return true;
}
