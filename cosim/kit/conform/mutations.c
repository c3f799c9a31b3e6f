/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of spoilers, and what is left of a stream where a device shows less. Streams come from programs.h through
 * the fake.
 */
#include "mutations.h"

#include <string.h>

#include <heddle/retire_fields.h>
#include "base/splitmix64.h"
#include "cosim/kit/conform/set.h"
#include "cosim/kit/conform/stream_find.h"

/* Spoiled streams that still show where less is shown, and are called otherwise there, or pass: each with its reason.
 */

#define P0 1u
#define P1 2u

static const struct conform_lower lower[] = {
    {"writes_at_once", P0 | P1, HEDDLE_CHECKER_NONE,
     "a core that does not show banks may have any number of write ports"},
    {"write_before_read", P0, HEDDLE_CHECKER_NONE, "it is early only beside its operands, which are not shown"},
    {"poison_raw", P0, HEDDLE_CHECKER_NONE, "a read that is too early shows where operands do, if its result is right"},
    {"poison_raw_cycle", P0, HEDDLE_CHECKER_NONE, "a read that is too early shows where operands do"},
    {"poison_raw_raced", P0, HEDDLE_CHECKER_NONE, "a read that is too early shows where operands do"},
    {"form_cycle", P0, HEDDLE_CHECKER_NONE, "its cycle falls behind that of a record which is not shown"},
    {"uniform_write_early", P0, HEDDLE_CHECKER_NONE, "it is early only beside its operands, which are not shown"},
};

const struct conform_lower *conform_lower_of(const char *name, unsigned profile) {
  for (size_t i = 0; i < sizeof lower / sizeof *lower; i++)
    if (strcmp(lower[i].name, name) == 0 && (lower[i].profiles >> profile & 1u) != 0) return &lower[i];
  return NULL;
}

/* A stream as a device shows it that shows less. */

const struct heddle_record_hidden conform_profile[CONFORM_PROFILES] = {HEDDLE_RECORD_HIDDEN_P0, HEDDLE_RECORD_HIDDEN_P1,
                                                                       HEDDLE_RECORD_HIDDEN_P2};

/* The bytes of a field that may be left out. */
static void fill_field(struct heddle_retire_record *r, const struct heddle_record_field *f, uint64_t *noise) {
  uint8_t *const body = (uint8_t *)&r->u + f->offset;
  for (unsigned row = 0; row < f->rows; row++)
    for (unsigned k = 0; k < f->columns * f->step; k++)
      body[row * f->row_step + k] = noise != NULL ? (uint8_t)(splitmix64(noise) >> 40) : 0;
}

void conform_hide(struct stream *s, struct heddle_record_hidden h, uint64_t *noise) {
  size_t n = 0;
  for (size_t i = 0; i < s->n; i++) {
    struct heddle_retire_record r = s->r[i];
    /* Collected operands come with the others where they have no record of their own. */
    if (r.kind == HEDDLE_RECORD_OPERANDS_MEMORY && !heddle_record_shows(h, HEDDLE_RECORD_OPERANDS_MEMORY))
      r.kind = HEDDLE_RECORD_OPERANDS;
    if (HEDDLE_RECORD_IS_KIND(r.kind) && !heddle_record_shows(h, (enum heddle_record_kind)r.kind)) continue;
    if (HEDDLE_RECORD_IS_KIND(r.kind))
      for (unsigned k = 0; k < record_layouts[r.kind].fields; k++) {
        const struct heddle_record_field *f = &record_fields[record_layouts[r.kind].first + k];
        if (f->option >= 0 && !heddle_record_shows_field(h, (enum heddle_record_option)f->option))
          fill_field(&r, f, noise);
      }
    s->r[n++] = r;
  }
  s->n = n;
}

bool conform_same(const struct stream *a, const struct stream *b) {
  return a->n == b->n && memcmp(a->r, b->r, a->n * sizeof *a->r) == 0;
}

/* The spoilers. Streams come from programs.h through the fake. */

/* ---- identity and sequence ---- */

static bool spoil_slot_empty(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.id.slot = 15;
  return true;
}
static bool spoil_slot_absent(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.id.slot = 77;
  return true;
}
static bool spoil_generation(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.id.gen++;
  return true;
}
static bool spoil_partition(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.id.partition ^= 1;
  return true;
}
static bool spoil_machine(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.id.sm = 1;
  return true;
}
static bool spoil_seq_gap(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_IMAD));
  s->r[i].u.issue.id.seq++;
  return true;
}
static bool spoil_seq_twice(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_IMAD));
  stream_insert(s, i + 1, &s->r[i]);
  return true;
}
static bool spoil_seq_unknown(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.id.seq += 1000;
  return true;
}
static bool spoil_beat_absent(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.beat = 40;
  return true;
}
static bool spoil_kind_absent(struct stream *s) {
  s->r[0].kind = 99;
  return true;
}

/* ---- issue ---- */

static bool spoil_issue_pc(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_FADD));
  s->r[i].u.issue.pc += 16;
  return true;
}
static bool spoil_issue_word(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_FADD));
  s->r[i].u.issue.word[1] ^= 1ull << 41;
  return true;
}
static bool spoil_issue_active(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_FADD));
  s->r[i].u.issue.active ^= 1u << 3;
  return true;
}
static bool spoil_issue_exec(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_BRA));
  s->r[i].u.issue.exec ^= 1u << 3;
  return true;
}
static bool spoil_issue_ps(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_SEL));
  s->r[i].u.issue.ps[0] ^= 1u << 31;
  return true;
}
static bool spoil_issue_hash(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_BSYNC));
  s->r[i].u.issue.dhash ^= 1ull << 60;
  return true;
}
static bool spoil_issue_clock(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_SEL));
  s->r[i].u.issue.clock++;
  return true;
}

static bool spoil_issue_after_end(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_EXIT));
  struct heddle_retire_record r = s->r[i];
  r.u.issue.id.seq++;
  stream_insert(s, i + 1, &r);
  return true;
}

static bool spoil_issue_for_trap(struct stream *s) {
  RECORD_OR_FAIL(t, find_kind(s, 0, HEDDLE_RECORD_TRAP));
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_ISSUE, .cycle = s->r[t].cycle};
  r.u.issue.id = s->r[t].u.trap.id;
  r.u.issue.pc = s->r[t].u.trap.pc;
  r.u.issue.active = r.u.issue.exec = s->r[t].u.trap.lanes;
  s->r[t] = r;
  return true;
}

/* The last access before a fence that returns nothing, or the last result. */
static bool behind_fence(struct stream *s, bool results) {
  RECORD_OR_FAIL(fence, find_issue(s, 0, ISA_OP_MEMBAR));
  const uint8_t slot = s->r[fence].u.issue.id.slot;
  for (size_t i = fence; i-- > 0;) {
    const uint32_t kind = s->r[i].kind;
    const struct heddle_record_id *id = heddle_record_id_of(&s->r[i]);
    if (id == NULL || id->slot != slot) continue;
    if (kind == HEDDLE_RECORD_ISSUE) return false; /* nothing was put off until the fence */
    const bool store = (kind == HEDDLE_RECORD_GLOBAL && s->r[i].u.global.access == HEDDLE_RECORD_STORE);
    if (results ? kind != HEDDLE_RECORD_WRITE : !store) continue;
    if (results && s->r[i].u.write.mask == 0) continue;
    stream_move(s, i, fence);
    return true;
  }
  return false;
}

static bool spoil_fence_access(struct stream *s) {
  return behind_fence(s, false);
}
static bool spoil_fence_result(struct stream *s) {
  return behind_fence(s, true);
}

/* ---- barriers ---- */

static bool spoil_barrier_early(struct stream *s) {
  RECORD_OR_FAIL(bar, find_kind(s, 0, HEDDLE_RECORD_BARRIER));
  RECORD_OR_FAIL(arrive, find_issue(s, 0, ISA_OP_BAR_SYNC));
  RECORD_OR_FAIL(next, next_issue(s, arrive));
  if (next < bar) return false;
  stream_move(s, next, bar);
  return true;
}

static bool spoil_barrier_release(struct stream *s) {
  RECORD_OR_FAIL(bar, find_kind(s, 0, HEDDLE_RECORD_BARRIER));
  RECORD_OR_FAIL(arrive, find_issue(s, 0, ISA_OP_BAR_SYNC));
  stream_move(s, bar, arrive + 1);
  return true;
}

static bool spoil_nothing(struct stream *s) {
  (void)s;
  return true;
}

#define M(name, kind, program)                                                                                         \
  { #name, HEDDLE_CHECKER_##kind, PROGRAM_##program, spoil_##name }
const struct mutation mutations[] = {
    M(writes_at_once, CAPACITY, MIX),
    M(slot_empty, IDENTITY_SLOT, MIX),
    M(slot_absent, RECORD_FORM, MIX),
    M(generation, IDENTITY_GEN, MIX),
    M(generation_first, IDENTITY_GEN, MIX),
    M(generation_stays, IDENTITY_GEN, MIX),
    M(partition, IDENTITY_PARTITION, MIX),
    M(machine, RECORD_FORM, MIX),
    M(seq_gap, SEQUENCE_GAP, MIX),
    M(seq_twice, SEQUENCE_GAP, MIX),
    M(seq_unknown, SEQUENCE_UNKNOWN, MIX),
    M(beat_absent, RECORD_FORM, MIX),
    M(kind_absent, RECORD_FORM, MIX),
    M(issue_pc, ISSUE_PC, MIX),
    M(issue_word, ISSUE_WORD, MIX),
    M(issue_active, ISSUE_ACTIVE, MIX),
    M(issue_exec, ISSUE_EXEC, MIX),
    M(issue_ps, ISSUE_PS, MIX),
    M(issue_hash, ISSUE_HASH, MIX),
    M(issue_clock, ISSUE_CLOCK, MIX),
    M(issue_after_end, ISSUE_ENDED, MIX),
    M(issue_after_trap, ISSUE_ENDED, ADDRESS),
    M(issue_for_trap, ISSUE_TRAP, ILLEGAL),
    M(fence_access, ORDER_FENCE, MIX),
    M(fence_result, ORDER_FENCE, MIX),
    M(barrier_early, BARRIER_EARLY, MIX),
    M(barrier_release, BARRIER_RELEASE, MIX),
    M(operand_value, OPERAND_VALUE, MIX),
    M(operand_special, OPERAND_VALUE, MIX),
    M(operand_slot, OPERAND_EXTRA, MIX),
    M(operand_twice, RECORD_FORM, MIX),
    M(operand_absent, RECORD_FORM, MIX),
    M(operand_lane, OPERAND_EXTRA, MIX),
    M(operand_double, OPERAND_DOUBLE, MIX),
    M(operand_port, OPERAND_PORT, MIX),
    M(operand_missing, OPERAND_MISSING, MIX),
    M(write_value, WRITEBACK_VALUE, MIX),
    M(write_load, WRITEBACK_VALUE, MIX),
    M(write_register, WRITEBACK_REGISTER, MIX),
    M(write_row, WRITEBACK_ROW, MIX),
    M(write_bank, WRITEBACK_ROW, MIX),
    M(write_port, RECORD_FORM, MIX),
    M(write_nothing, WRITEBACK_EXTRA, MIX),
    M(write_lane, WRITEBACK_EXTRA, MIX),
    M(write_double, WRITEBACK_DOUBLE, MIX),
    M(write_before_read, WRITEBACK_EARLY, MIX),
    M(write_before_perform, WRITEBACK_EARLY, MIX),
    M(write_missing, WRITEBACK_MISSING, MIX),
    M(predicate_value, PREDICATE_VALUE, MIX),
    M(predicate_register, PREDICATE_REGISTER, MIX),
    M(predicate_lane, PREDICATE_EXTRA, MIX),
    M(predicate_double, PREDICATE_DOUBLE, MIX),
    M(predicate_missing, PREDICATE_MISSING, MIX),
    M(perform_access, PERFORM_ACCESS, MIX),
    M(perform_lanes, PERFORM_LANES, MIX),
    M(perform_collide, PERFORM_LANES, MIX),
    M(perform_extra, PERFORM_EXTRA, MIX),
    M(perform_double, PERFORM_DOUBLE, MIX),
    M(perform_sector, PERFORM_ADDRESS, MIX),
    M(perform_row, PERFORM_ADDRESS, MIX),
    M(perform_bank, PERFORM_ADDRESS, MIX),
    M(perform_strobe, PERFORM_STROBE, MIX),
    M(perform_strobe_shared, PERFORM_STROBE, MIX),
    M(perform_data, PERFORM_DATA, MIX),
    M(perform_data_shared, PERFORM_DATA, MIX),
    M(perform_result, PERFORM_RESULT, MIX),
    M(perform_result_shared, PERFORM_RESULT, MIX),
    M(perform_result_atomic, PERFORM_RESULT, MIX),
    M(perform_order, PERFORM_ORDER, MIX),
    M(perform_order_shared, PERFORM_ORDER, MIX),
    M(perform_stamp, PERFORM_STAMP, MIX),
    M(perform_stamp_bank, PERFORM_STAMP, MIX),
    M(perform_after_trap, PERFORM_TRAP, ADDRESS),
    M(perform_missing, PERFORM_MISSING, MIX),
    M(poison_raw, POISON_RAW, MIX),
    M(poison_raw_cycle, POISON_RAW, MIX),
    M(poison_raw_raced, POISON_RAW, MIX),
    M(poison_pending, POISON_RAW, MIX),
    M(poison_war, POISON_WAR, MIX),
    M(poison_waw, POISON_WAW, MIX),
    M(poison_pred_raw, POISON_PRED_RAW, MIX),
    M(poison_pred_waw, POISON_PRED_WAW, MIX),
    M(block_grid, BLOCK_GRID, MIX),
    M(block_double, BLOCK_DOUBLE, MIX),
    M(block_slots, BLOCK_SLOTS, MIX),
    M(block_warps, BLOCK_WARPS, MIX),
    M(block_shared, BLOCK_SHARED, MIX),
    M(block_shared_far, BLOCK_SHARED, MIX),
    M(registers_overlap, BLOCK_REGISTERS, MIX),
    M(registers_far, BLOCK_REGISTERS, MIX),
    M(registers_twice, BLOCK_REGISTERS, MIX),
    M(registers_missing, BLOCK_REGISTERS, MIX),
    M(warp_block, BLOCK_SLOTS, MIX),
    M(block_end, BLOCK_END, MIX),
    M(block_missing, BLOCK_MISSING, MIX),
    M(trap_lanes, TRAP_MISMATCH, ADDRESS),
    M(trap_addr, TRAP_MISMATCH, ADDRESS),
    M(trap_missing, TRAP_MISSING, ADDRESS),
    M(trap_early, TRAP_LATE, ADDRESS),
    M(trap_early, TRAP_LATE, ILLEGAL),
    M(trap_unexpected, TRAP_UNEXPECTED, MIX),
    M(form_block_slot, RECORD_FORM, MIX),
    M(form_block_machine, RECORD_FORM, MIX),
    M(form_warp_seq, RECORD_FORM, MIX),
    M(form_barrier, RECORD_FORM, MIX),
    M(form_barrier_block, RECORD_FORM, MIX),
    M(form_barrier_dead, RECORD_FORM, MIX),
    M(form_barrier_machine, RECORD_FORM, MIX),
    M(form_cause, RECORD_FORM, ADDRESS),
    M(form_cause_none, RECORD_FORM, ADDRESS),
    M(form_rows, RECORD_FORM, MIX),
    M(form_cycle, RECORD_FORM, MIX),
    M(form_cycle_far, RECORD_FORM, UNIFORM),
    M(uniform_read_value, OPERAND_VALUE, UNIFORM),
    M(uniform_read_extra, OPERAND_EXTRA, UNIFORM),
    M(uniform_read_twice, OPERAND_DOUBLE, UNIFORM),
    M(uniform_read_missing, WRITEBACK_EARLY, UNIFORM),
    M(uniform_read_word, RECORD_FORM, UNIFORM),
    M(uniform_write_value, WRITEBACK_VALUE, UNIFORM),
    M(uniform_write_register, WRITEBACK_REGISTER, UNIFORM),
    M(uniform_write_twice, WRITEBACK_DOUBLE, UNIFORM),
    M(uniform_write_missing, WRITEBACK_MISSING, UNIFORM),
    M(uniform_write_early, WRITEBACK_EARLY, UNIFORM),
    M(uniform_write_word, RECORD_FORM, UNIFORM),
    M(uniform_write_place, RECORD_FORM, UNIFORM),
    M(uniform_write_upt, RECORD_FORM, UNIFORM),
    M(uniform_predicate_value, PREDICATE_VALUE, UNIFORM),
    M(uniform_predicate_register, PREDICATE_REGISTER, UNIFORM),
    M(uniform_predicate_twice, PREDICATE_DOUBLE, UNIFORM),
    M(uniform_raw, POISON_RAW, UNIFORM),
    M(uniform_pred_raw, POISON_PRED_RAW, UNIFORM),
    M(uniform_all_raw, POISON_PRED_RAW, UNIFORM),
    M(nothing, UNDEFINED_READ, UNDEFINED),
};
const unsigned mutation_count = sizeof mutations / sizeof mutations[0];
