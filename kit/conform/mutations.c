/* SPDX-License-Identifier: Apache-2.0
 *
 * The spoilers. Streams come from programs.h through the fake.
 */
#include "mutations.h"

#include "mutations_form.h"
#include "mutations_order.h"
#include "mutations_uniform.h"
#include "stream_find.h"

/* ---- identity and sequence ---- */

static bool slot_empty(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.id.slot = 15;
  return true;
}
static bool slot_absent(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.id.slot = 77;
  return true;
}
static bool generation(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.id.gen++;
  return true;
}
static bool partition(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.id.partition ^= 1;
  return true;
}
static bool machine(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.id.sm = 1;
  return true;
}
static bool seq_gap(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_IMAD));
  s->r[i].u.issue.id.seq++;
  return true;
}
static bool seq_twice(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_IMAD));
  stream_insert(s, i + 1, &s->r[i]);
  return true;
}
static bool seq_unknown(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.id.seq += 1000;
  return true;
}
static bool beat_absent(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.beat = 40;
  return true;
}
static bool kind_absent(struct stream *s) {
  s->r[0].kind = 99;
  return true;
}

/* ---- issue ---- */

static bool issue_pc(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_FADD));
  s->r[i].u.issue.pc += 16;
  return true;
}
static bool issue_word(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_FADD));
  s->r[i].u.issue.word[1] ^= 1ull << 41;
  return true;
}
static bool issue_active(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_FADD));
  s->r[i].u.issue.active ^= 1u << 3;
  return true;
}
static bool issue_exec(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_BRA));
  s->r[i].u.issue.exec ^= 1u << 3;
  return true;
}
static bool issue_ps(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_SEL));
  s->r[i].u.issue.ps[0] ^= 1u << 31;
  return true;
}
static bool issue_hash(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_BSYNC));
  s->r[i].u.issue.dhash ^= 1ull << 60;
  return true;
}
static bool issue_clock(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_SEL));
  s->r[i].u.issue.clock++;
  return true;
}

static bool issue_after_end(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_EXIT));
  struct retire_record r = s->r[i];
  r.u.issue.id.seq++;
  stream_insert(s, i + 1, &r);
  return true;
}

static bool issue_for_trap(struct stream *s) {
  RECORD_OR_FAIL(t, find_kind(s, 0, RECORD_TRAP));
  struct retire_record r = {.kind = RECORD_ISSUE, .cycle = s->r[t].cycle};
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
    const struct record_id *id = record_id_of(&s->r[i]);
    if (id == NULL || id->slot != slot) continue;
    if (kind == RECORD_ISSUE) return false; /* nothing was put off until the fence */
    const bool store = (kind == RECORD_GLOBAL && s->r[i].u.global.access == RECORD_STORE);
    if (results ? kind != RECORD_WRITE : !store) continue;
    if (results && s->r[i].u.write.mask == 0) continue;
    stream_move(s, i, fence);
    return true;
  }
  return false;
}

static bool fence_access(struct stream *s) {
  return behind_fence(s, false);
}
static bool fence_result(struct stream *s) {
  return behind_fence(s, true);
}

/* ---- barriers ---- */

static bool barrier_early(struct stream *s) {
  RECORD_OR_FAIL(bar, find_kind(s, 0, RECORD_BARRIER));
  RECORD_OR_FAIL(arrive, find_issue(s, 0, ISA_OP_BAR_SYNC));
  RECORD_OR_FAIL(next, next_issue(s, arrive));
  if (next < bar) return false;
  stream_move(s, next, bar);
  return true;
}

static bool barrier_release(struct stream *s) {
  RECORD_OR_FAIL(bar, find_kind(s, 0, RECORD_BARRIER));
  RECORD_OR_FAIL(arrive, find_issue(s, 0, ISA_OP_BAR_SYNC));
  stream_move(s, bar, arrive + 1);
  return true;
}

/* ---- operands ---- */

static size_t operands_of(const struct stream *s, enum isa_op op, uint32_t kind) {
  const size_t i = find_issue(s, 0, op);
  return i == NOT_FOUND ? i : of_insn(s, i, kind);
}

static bool operand_value(struct stream *s) {
  RECORD_OR_FAIL(i, operands_of(s, ISA_OP_IMAD, RECORD_OPERANDS));
  s->r[i].u.operands.data[2][0] ^= 4; /* rows: a, b, c */
  return true;
}
static bool operand_special(struct stream *s) {
  RECORD_OR_FAIL(i, operands_of(s, ISA_OP_S2R, RECORD_OPERANDS));
  s->r[i].u.operands.data[0][1] ^= 1;
  return true;
}
static bool operand_slot(struct stream *s) {
  RECORD_OR_FAIL(i, operands_of(s, ISA_OP_IMAD, RECORD_OPERANDS));
  s->r[i].u.operands.used |= 8;
  s->r[i].u.operands.index[3] = 1;
  return true;
}
static bool operand_twice(struct stream *s) {
  RECORD_OR_FAIL(i, operands_of(s, ISA_OP_IMAD, RECORD_OPERANDS));
  s->r[i].u.operands.index[1] = s->r[i].u.operands.index[0];
  return true;
}
static bool operand_absent(struct stream *s) {
  RECORD_OR_FAIL(i, operands_of(s, ISA_OP_IMAD, RECORD_OPERANDS));
  s->r[i].u.operands.index[1] = RECORD_WORDS;
  return true;
}
static bool operand_double(struct stream *s) {
  RECORD_OR_FAIL(i, operands_of(s, ISA_OP_IMAD, RECORD_OPERANDS));
  stream_insert(s, i + 1, &s->r[i]);
  return true;
}
static bool operand_port(struct stream *s) {
  RECORD_OR_FAIL(i, operands_of(s, ISA_OP_IMAD, RECORD_OPERANDS));
  s->r[i].kind = RECORD_OPERANDS_MEMORY;
  return true;
}
static bool operand_missing(struct stream *s) {
  RECORD_OR_FAIL(i, operands_of(s, ISA_OP_STG_E, RECORD_OPERANDS_MEMORY));
  stream_drop(s, i);
  return true;
}

static bool operand_lane(struct stream *s) {
  for (size_t i = 0; i < s->n; i++) {
    struct record_operands *o = &s->r[i].u.operands;
    if (s->r[i].kind != RECORD_OPERANDS || o->mask == 0 || o->mask == 0xff) continue;
    o->mask = 0xff;
    return true;
  }
  return false;
}

/* ---- writeback ---- */

static bool write_value(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_FADD));
  s->r[i].u.write.mask |= 0;
  for (unsigned k = 0; k < 4; k++) s->r[i].u.write.data[k] ^= 1;
  return s->r[i].u.write.mask != 0;
}
static bool write_load(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_LDS));
  s->r[i].u.write.data[0] ^= 0x80000000u;
  return true;
}
static bool write_register(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.rd++;
  return true;
}
static bool write_double(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  stream_insert(s, i + 1, &s->r[i]);
  return true;
}
static bool write_missing(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMNMX));
  stream_drop(s, i);
  return true;
}

static bool write_nothing(struct stream *s) {
  RECORD_OR_FAIL(st, find_issue(s, 0, ISA_OP_STG_E));
  RECORD_OR_FAIL(p, of_insn(s, st, RECORD_OPERANDS_MEMORY));
  struct retire_record r = {.kind = RECORD_WRITE, .cycle = s->r[p].cycle};
  r.u.write = (struct record_write){.id = s->r[st].u.issue.id, .rd = 5, .mask = 1};
  stream_insert(s, p + 1, &r);
  return true;
}

static bool write_lane(struct stream *s) {
  for (size_t i = 0; i < s->n; i++) {
    struct record_write *w = &s->r[i].u.write;
    if (s->r[i].kind != RECORD_WRITE || w->mask == 0 || w->mask == 0xff) continue;
    w->mask = 0xff;
    return true;
  }
  return false;
}

static bool write_before_read(struct stream *s) {
  RECORD_OR_FAIL(issue, find_issue(s, 0, ISA_OP_IMAD));
  RECORD_OR_FAIL(w, of_insn(s, issue, RECORD_WRITE));
  stream_move(s, w, issue + 1);
  return true;
}

static bool write_before_perform(struct stream *s) {
  RECORD_OR_FAIL(issue, find_issue(s, 0, ISA_OP_LDG_E));
  RECORD_OR_FAIL(g, of_insn(s, issue, RECORD_GLOBAL));
  RECORD_OR_FAIL(w, of_insn(s, issue, RECORD_WRITE));
  stream_move(s, w, g);
  return true;
}

static bool write_row(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.row += 4;
  return true;
}
static bool write_bank(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.bank ^= 1;
  return true;
}
static bool write_port(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.port = RECORD_PORTS;
  return true;
}

/* ---- predicates ---- */

static size_t predicate_of(const struct stream *s) {
  const size_t i = find_issue(s, 0, ISA_OP_ISETP);
  return i == NOT_FOUND ? i : of_insn(s, i, RECORD_PREDICATE);
}
static bool predicate_value(struct stream *s) {
  RECORD_OR_FAIL(i, predicate_of(s));
  s->r[i].u.predicate.value[(s->r[i].u.predicate.used & 1u) != 0 ? 0 : 1].data ^= 1;
  return true;
}
static bool predicate_register(struct stream *s) {
  RECORD_OR_FAIL(i, predicate_of(s));
  s->r[i].u.predicate.value[(s->r[i].u.predicate.used & 1u) != 0 ? 0 : 1].index = 4;
  return true;
}
static bool predicate_double(struct stream *s) {
  RECORD_OR_FAIL(i, predicate_of(s));
  stream_insert(s, i + 1, &s->r[i]);
  return true;
}

static bool predicate_missing(struct stream *s) {
  const size_t first = find_issue(s, 0, ISA_OP_ISETP);
  if (first == NOT_FOUND) return false;
  RECORD_OR_FAIL(second, next_issue(s, first)); /* P5, which is written again and never read */
  RECORD_OR_FAIL(third, next_issue(s, second));
  RECORD_OR_FAIL(p, of_insn(s, third, RECORD_PREDICATE));
  stream_drop(s, p);
  return true;
}

static bool predicate_lane(struct stream *s) {
  for (size_t i = 0; i < s->n; i++) {
    struct record_predicate_value *p = &s->r[i].u.predicate.value[0];
    if (s->r[i].kind != RECORD_PREDICATE || (s->r[i].u.predicate.used & 1u) == 0) continue;
    if (p->mask == 0 || p->mask == 0xff) continue;
    p->mask = 0xff;
    return true;
  }
  return false;
}

/* ---- blocks, traps ---- */

static size_t second_block(const struct stream *s) {
  return find_kind(s, find_kind(s, 0, RECORD_BLOCK_START) + 1, RECORD_BLOCK_START);
}
static bool block_grid(struct stream *s) {
  RECORD_OR_FAIL(i, second_block(s));
  s->r[i].u.block_start.ctaid[1] = 1;
  return true;
}
static bool block_double(struct stream *s) {
  RECORD_OR_FAIL(i, second_block(s));
  s->r[i].u.block_start.ctaid[0] = 0;
  return true;
}
static bool block_slots(struct stream *s) {
  RECORD_OR_FAIL(i, second_block(s));
  s->r[i].u.block_start.warps = s->r[0].u.block_start.warps;
  return true;
}
static bool block_warps(struct stream *s) {
  RECORD_OR_FAIL(i, second_block(s));
  s->r[i].u.block_start.warps |= 1u << 14;
  return true;
}
static bool block_shared(struct stream *s) {
  RECORD_OR_FAIL(i, second_block(s));
  s->r[i].u.block_start.shared_base -= 4;
  return true;
}
static bool block_shared_far(struct stream *s) {
  RECORD_OR_FAIL(i, second_block(s));
  s->r[i].u.block_start.shared_base = 1u << 20;
  return true;
}
static bool registers_overlap(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_WARP_START));
  RECORD_OR_FAIL(other, find_kind(s, i + 1, RECORD_WARP_START)); /* of the other partition */
  RECORD_OR_FAIL(k, find_kind(s, other + 1, RECORD_WARP_START));
  s->r[k].u.warp_start.reg_base = (uint16_t)(s->r[i].u.warp_start.reg_base + 1);
  return true;
}
static bool registers_far(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_WARP_START));
  s->r[i].u.warp_start.reg_base = FAKE_REGS - 1;
  return true;
}
static bool registers_twice(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_WARP_START));
  stream_insert(s, i + 1, &s->r[i]);
  return true;
}
static bool registers_missing(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_WARP_START));
  stream_drop(s, i);
  return true;
}
static bool warp_block(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_WARP_START));
  s->r[i].u.warp_start.bslot ^= 1;
  return true;
}
static bool block_missing(struct stream *s) {
  size_t i = s->n;
  while (i-- > 0 && s->r[i].kind != RECORD_BLOCK_END) continue;
  stream_drop(s, i);
  return true;
}

static bool block_end(struct stream *s) {
  RECORD_OR_FAIL(end, find_kind(s, 0, RECORD_BLOCK_END));
  size_t exit = end;
  while (exit-- > 0 && !is_op(&s->r[exit], ISA_OP_EXIT)) continue;
  for (size_t i = exit + 1; i < end; i++) /* accesses that are drained after the last EXIT come first */
    if (s->r[i].kind != RECORD_ISSUE) stream_move(s, i, exit++);
  stream_move(s, end, exit);
  for (size_t i = 0; i < s->n; i++) s->r[i].cycle = i + 1; /* one in each, as it was */
  return true;
}

/* More register writes in one cycle than there are ports. */
static bool writes_at_once(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD_WIDE));
  for (size_t k = 1; k < 5; k++) {
    if (s->r[i + k].kind != RECORD_WRITE) return false;
    s->r[i + k].cycle = s->r[i].cycle;
  }
  return true;
}

static bool trap_lanes(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_TRAP));
  s->r[i].u.trap.lanes ^= 1;
  return true;
}
static bool trap_addr(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_TRAP));
  s->r[i].u.trap.addr ^= 4;
  return true;
}
static bool trap_missing(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_TRAP));
  stream_drop(s, i);
  return true;
}

static bool trap_unexpected(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_FADD));
  struct retire_record r = {.kind = RECORD_TRAP, .cycle = s->r[i].cycle};
  r.u.trap = (struct record_trap){
      .cause = HEDDLE_TRAP_ILLEGAL, .id = s->r[i].u.issue.id, .pc = s->r[i].u.issue.pc, .lanes = 1};
  stream_insert(s, i, &r);
  return true;
}

static bool issue_after_trap(struct stream *s) {
  RECORD_OR_FAIL(t, find_kind(s, 0, RECORD_TRAP));
  struct retire_record r = {.kind = RECORD_ISSUE, .cycle = s->r[t].cycle};
  r.u.issue.id = s->r[t].u.trap.id;
  size_t last = t;
  while (last-- > 0 && s->r[last].kind != RECORD_ISSUE) continue;
  r.u.issue.id.seq = s->r[last].u.issue.id.seq + 1;
  stream_insert(s, t + 1, &r);
  return true;
}

/* The trap record comes before the last thing that the machine did. */
static bool trap_early(struct stream *s) {
  RECORD_OR_FAIL(t, find_kind(s, 0, RECORD_TRAP));
  if (t == 0 || s->r[t - 1].kind == RECORD_ISSUE || s->r[t - 1].kind == RECORD_WARP_START) return false;
  stream_move(s, t, t - 1);
  s->r[t - 1].cycle = s->r[t].cycle;
  return true;
}

static bool nothing(struct stream *s) {
  (void)s;
  return true;
}

#define M(fn, kind, program)                                                                                           \
  { #fn, CHECKER_##kind, PROGRAM_##program, fn }
const struct mutation mutations[] = {
    M(writes_at_once, CAPACITY, MIX),
    M(slot_empty, IDENTITY_SLOT, MIX),
    M(slot_absent, RECORD_FORM, MIX),
    M(generation, IDENTITY_GEN, MIX),
    M(spoil_generation_first, IDENTITY_GEN, MIX),
    M(spoil_generation_stays, IDENTITY_GEN, MIX),
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
    M(spoil_perform_access, PERFORM_ACCESS, MIX),
    M(spoil_perform_lanes, PERFORM_LANES, MIX),
    M(spoil_perform_collide, PERFORM_LANES, MIX),
    M(spoil_perform_extra, PERFORM_EXTRA, MIX),
    M(spoil_perform_double, PERFORM_DOUBLE, MIX),
    M(spoil_perform_sector, PERFORM_ADDRESS, MIX),
    M(spoil_perform_row, PERFORM_ADDRESS, MIX),
    M(spoil_perform_bank, PERFORM_ADDRESS, MIX),
    M(spoil_perform_strobe, PERFORM_STROBE, MIX),
    M(spoil_perform_strobe_shared, PERFORM_STROBE, MIX),
    M(spoil_perform_data, PERFORM_DATA, MIX),
    M(spoil_perform_data_shared, PERFORM_DATA, MIX),
    M(spoil_perform_result, PERFORM_RESULT, MIX),
    M(spoil_perform_result_shared, PERFORM_RESULT, MIX),
    M(spoil_perform_result_atomic, PERFORM_RESULT, MIX),
    M(spoil_perform_order, PERFORM_ORDER, MIX),
    M(spoil_perform_order_shared, PERFORM_ORDER, MIX),
    M(spoil_perform_stamp, PERFORM_STAMP, MIX),
    M(spoil_perform_stamp_bank, PERFORM_STAMP, MIX),
    M(spoil_perform_after_trap, PERFORM_TRAP, ADDRESS),
    M(spoil_perform_missing, PERFORM_MISSING, MIX),
    M(spoil_poison_raw, POISON_RAW, MIX),
    M(spoil_poison_raw_cycle, POISON_RAW, MIX),
    M(spoil_poison_raw_raced, POISON_RAW, MIX),
    M(spoil_poison_pending, POISON_RAW, MIX),
    M(spoil_poison_war, POISON_WAR, MIX),
    M(spoil_poison_waw, POISON_WAW, MIX),
    M(spoil_poison_pred_raw, POISON_PRED_RAW, MIX),
    M(spoil_poison_pred_waw, POISON_PRED_WAW, MIX),
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
    M(spoil_form_block_slot, RECORD_FORM, MIX),
    M(spoil_form_block_machine, RECORD_FORM, MIX),
    M(spoil_form_warp_seq, RECORD_FORM, MIX),
    M(spoil_form_barrier, RECORD_FORM, MIX),
    M(spoil_form_barrier_block, RECORD_FORM, MIX),
    M(spoil_form_barrier_dead, RECORD_FORM, MIX),
    M(spoil_form_barrier_machine, RECORD_FORM, MIX),
    M(spoil_form_cause, RECORD_FORM, ADDRESS),
    M(spoil_form_cause_none, RECORD_FORM, ADDRESS),
    M(spoil_form_rows, RECORD_FORM, MIX),
    M(spoil_form_cycle, RECORD_FORM, MIX),
    M(spoil_form_cycle_far, RECORD_FORM, UNIFORM),
    M(spoil_uniform_read_value, OPERAND_VALUE, UNIFORM),
    M(spoil_uniform_read_extra, OPERAND_EXTRA, UNIFORM),
    M(spoil_uniform_read_twice, OPERAND_DOUBLE, UNIFORM),
    M(spoil_uniform_read_missing, WRITEBACK_EARLY, UNIFORM),
    M(spoil_uniform_read_word, RECORD_FORM, UNIFORM),
    M(spoil_uniform_write_value, WRITEBACK_VALUE, UNIFORM),
    M(spoil_uniform_write_register, WRITEBACK_REGISTER, UNIFORM),
    M(spoil_uniform_write_twice, WRITEBACK_DOUBLE, UNIFORM),
    M(spoil_uniform_write_missing, WRITEBACK_MISSING, UNIFORM),
    M(spoil_uniform_write_early, WRITEBACK_EARLY, UNIFORM),
    M(spoil_uniform_write_word, RECORD_FORM, UNIFORM),
    M(spoil_uniform_write_place, RECORD_FORM, UNIFORM),
    M(spoil_uniform_write_upt, RECORD_FORM, UNIFORM),
    M(spoil_uniform_predicate_value, PREDICATE_VALUE, UNIFORM),
    M(spoil_uniform_predicate_register, PREDICATE_REGISTER, UNIFORM),
    M(spoil_uniform_predicate_twice, PREDICATE_DOUBLE, UNIFORM),
    M(spoil_uniform_raw, POISON_RAW, UNIFORM),
    M(spoil_uniform_pred_raw, POISON_PRED_RAW, UNIFORM),
    M(spoil_uniform_all_raw, POISON_PRED_RAW, UNIFORM),
    M(nothing, UNDEFINED_READ, UNDEFINED),
};
const unsigned mutation_count = sizeof mutations / sizeof mutations[0];
