/* SPDX-License-Identifier: Apache-2.0
 *
 * The spoilers. Streams come from programs.h through the fake.
 */
#include "mutations.h"

#include <string.h>

#define NOT_FOUND ((size_t)-1)

/* ---- finding places ---- */

static bool is_op(const struct retire_record *r, enum isa_op op)
{
  struct isa_dec d;
  return r->kind == RECORD_ISSUE && isa_decode((struct isa_word){r->u.issue.lo, r->u.issue.hi}, &d) && d.op == op;
}

static size_t find_kind(const struct stream *s, size_t from, uint32_t kind)
{
  for (size_t i = from; i < s->n; i++)
    if (s->r[i].kind == kind) return i;
  return NOT_FOUND;
}

/* The n-th issue of this operation, counted within its warp's own stream. */
static size_t find_issue(const struct stream *s, size_t from, enum isa_op op)
{
  for (size_t i = from; i < s->n; i++)
    if (is_op(&s->r[i], op)) return i;
  return NOT_FOUND;
}

static bool same_insn(const struct record_id *a, const struct record_id *b)
{
  return a != NULL && b != NULL && a->slot == b->slot && a->gen == b->gen && a->seq == b->seq;
}

/* First, last record of a kind that belongs to the instruction issued at `issue`. */
static size_t of_insn(const struct stream *s, size_t issue, uint32_t kind)
{
  for (size_t i = issue + 1; i < s->n; i++)
    if (s->r[i].kind == kind && same_insn(record_id_of(&s->r[i]), &s->r[issue].u.issue.id)) return i;
  return NOT_FOUND;
}

static size_t last_of_insn(const struct stream *s, size_t issue, uint32_t kind)
{
  size_t last = NOT_FOUND;
  for (size_t i = issue + 1; i < s->n; i++)
    if (s->r[i].kind == kind && same_insn(record_id_of(&s->r[i]), &s->r[issue].u.issue.id)) last = i;
  return last;
}

/* Issue of the next instruction of the same warp. */
static size_t next_issue(const struct stream *s, size_t issue)
{
  struct record_id id = s->r[issue].u.issue.id;
  id.seq++;
  for (size_t i = issue + 1; i < s->n; i++)
    if (s->r[i].kind == RECORD_ISSUE && same_insn(&s->r[i].u.issue.id, &id)) return i;
  return NOT_FOUND;
}

static size_t write_of(const struct stream *s, enum isa_op op)
{
  const size_t i = find_issue(s, 0, op);
  return i == NOT_FOUND ? i : of_insn(s, i, RECORD_WRITE);
}

#define RECORD_OR_FAIL(var, expr) \
  const size_t var = (expr);      \
  if (var == NOT_FOUND) return false

/* ---- identity and sequence ---- */

static bool slot_empty(struct stream *s) { RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD)); s->r[i].u.write.id.slot = 15; return true; }
static bool slot_absent(struct stream *s) { RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD)); s->r[i].u.write.id.slot = 77; return true; }
static bool generation(struct stream *s) { RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD)); s->r[i].u.write.id.gen++; return true; }
static bool seq_gap(struct stream *s) { RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_IMAD)); s->r[i].u.issue.id.seq++; return true; }
static bool seq_twice(struct stream *s) { RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_IMAD)); stream_insert(s, i + 1, &s->r[i]); return true; }
static bool seq_unknown(struct stream *s) { RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD)); s->r[i].u.write.id.seq += 1000; return true; }
static bool beat_absent(struct stream *s) { RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD)); s->r[i].u.write.beat = 40; return true; }
static bool kind_absent(struct stream *s) { s->r[0].kind = 99; return true; }

/* ---- issue ---- */

static bool issue_pc(struct stream *s) { RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_FADD)); s->r[i].u.issue.pc += 16; return true; }
static bool issue_word(struct stream *s) { RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_FADD)); s->r[i].u.issue.hi ^= 1ull << 41; return true; }
static bool issue_active(struct stream *s) { RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_FADD)); s->r[i].u.issue.active ^= 1u << 3; return true; }
static bool issue_exec(struct stream *s) { RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_BRA)); s->r[i].u.issue.exec ^= 1u << 3; return true; }
static bool issue_ps(struct stream *s) { RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_SEL)); s->r[i].u.issue.ps[0] ^= 1u << 31; return true; }
static bool issue_hash(struct stream *s) { RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_BSYNC)); s->r[i].u.issue.dhash ^= 1ull << 60; return true; }

static bool issue_after_end(struct stream *s)
{
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_EXIT));
  struct retire_record r = s->r[i];
  r.u.issue.id.seq++;
  stream_insert(s, i + 1, &r);
  return true;
}

static bool issue_for_trap(struct stream *s)
{
  RECORD_OR_FAIL(t, find_kind(s, 0, RECORD_TRAP));
  struct retire_record r = {.kind = RECORD_ISSUE, .cycle = s->r[t].cycle};
  r.u.issue.id = s->r[t].u.trap.id;
  r.u.issue.pc = s->r[t].u.trap.pc;
  r.u.issue.active = r.u.issue.exec = s->r[t].u.trap.lanes;
  s->r[t] = r;
  return true;
}

/* The last access before a fence that returns nothing, or the last result. */
static bool behind_fence(struct stream *s, bool results)
{
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

static bool fence_access(struct stream *s) { return behind_fence(s, false); }
static bool fence_result(struct stream *s) { return behind_fence(s, true); }

/* ---- barriers ---- */

static bool barrier_early(struct stream *s)
{
  RECORD_OR_FAIL(bar, find_kind(s, 0, RECORD_BARRIER));
  RECORD_OR_FAIL(arrive, find_issue(s, 0, ISA_OP_BAR_SYNC));
  RECORD_OR_FAIL(next, next_issue(s, arrive));
  if (next < bar) return false;
  stream_move(s, next, bar);
  return true;
}

static bool barrier_release(struct stream *s)
{
  RECORD_OR_FAIL(bar, find_kind(s, 0, RECORD_BARRIER));
  RECORD_OR_FAIL(arrive, find_issue(s, 0, ISA_OP_BAR_SYNC));
  stream_move(s, bar, arrive + 1);
  return true;
}

/* ---- operands ---- */

static size_t operands_of(const struct stream *s, enum isa_op op, uint32_t kind)
{
  const size_t i = find_issue(s, 0, op);
  return i == NOT_FOUND ? i : of_insn(s, i, kind);
}

static bool operand_value(struct stream *s) { RECORD_OR_FAIL(i, operands_of(s, ISA_OP_IMAD, RECORD_OPERANDS)); s->r[i].u.operands.data[4][0] ^= 4; return true; }
static bool operand_special(struct stream *s) { RECORD_OR_FAIL(i, operands_of(s, ISA_OP_S2R, RECORD_OPERANDS)); s->r[i].u.operands.data[2][1] ^= 1; return true; }
static bool operand_slot(struct stream *s) { RECORD_OR_FAIL(i, operands_of(s, ISA_OP_IMAD, RECORD_OPERANDS)); s->r[i].u.operands.used |= 2; return true; }
static bool operand_double(struct stream *s) { RECORD_OR_FAIL(i, operands_of(s, ISA_OP_IMAD, RECORD_OPERANDS)); stream_insert(s, i + 1, &s->r[i]); return true; }
static bool operand_port(struct stream *s) { RECORD_OR_FAIL(i, operands_of(s, ISA_OP_IMAD, RECORD_OPERANDS)); s->r[i].kind = RECORD_OPERANDS_MEMORY; return true; }
static bool operand_missing(struct stream *s) { RECORD_OR_FAIL(i, operands_of(s, ISA_OP_STG_E, RECORD_OPERANDS_MEMORY)); stream_drop(s, i); return true; }

static bool operand_lane(struct stream *s)
{
  for (size_t i = 0; i < s->n; i++) {
    struct record_operands *o = &s->r[i].u.operands;
    if (s->r[i].kind != RECORD_OPERANDS || o->mask == 0 || o->mask == 0xff) continue;
    o->mask = 0xff;
    return true;
  }
  return false;
}

/* ---- writeback ---- */

static bool write_value(struct stream *s) { RECORD_OR_FAIL(i, write_of(s, ISA_OP_FADD)); s->r[i].u.write.mask |= 0; for (unsigned k = 0; k < 4; k++) s->r[i].u.write.data[k] ^= 1; return s->r[i].u.write.mask != 0; }
static bool write_load(struct stream *s) { RECORD_OR_FAIL(i, write_of(s, ISA_OP_LDS)); s->r[i].u.write.data[0] ^= 0x80000000u; return true; }
static bool write_register(struct stream *s) { RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD)); s->r[i].u.write.rd++; return true; }
static bool write_double(struct stream *s) { RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD)); stream_insert(s, i + 1, &s->r[i]); return true; }
static bool write_missing(struct stream *s) { RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMNMX)); stream_drop(s, i); return true; }

static bool write_nothing(struct stream *s)
{
  RECORD_OR_FAIL(st, find_issue(s, 0, ISA_OP_STG_E));
  RECORD_OR_FAIL(p, of_insn(s, st, RECORD_OPERANDS_MEMORY));
  struct retire_record r = {.kind = RECORD_WRITE, .cycle = s->r[p].cycle};
  r.u.write = (struct record_write){.id = s->r[st].u.issue.id, .rd = 5, .mask = 1};
  stream_insert(s, p + 1, &r);
  return true;
}

static bool write_lane(struct stream *s)
{
  for (size_t i = 0; i < s->n; i++) {
    struct record_write *w = &s->r[i].u.write;
    if (s->r[i].kind != RECORD_WRITE || w->mask == 0 || w->mask == 0xff) continue;
    w->mask = 0xff;
    return true;
  }
  return false;
}

static bool write_before_read(struct stream *s)
{
  RECORD_OR_FAIL(issue, find_issue(s, 0, ISA_OP_IMAD));
  RECORD_OR_FAIL(w, of_insn(s, issue, RECORD_WRITE));
  stream_move(s, w, issue + 1);
  return true;
}

static bool write_before_perform(struct stream *s)
{
  RECORD_OR_FAIL(issue, find_issue(s, 0, ISA_OP_LDG_E));
  RECORD_OR_FAIL(g, of_insn(s, issue, RECORD_GLOBAL));
  RECORD_OR_FAIL(w, of_insn(s, issue, RECORD_WRITE));
  stream_move(s, w, g);
  return true;
}

/* ---- predicates ---- */

static size_t predicate_of(const struct stream *s) { const size_t i = find_issue(s, 0, ISA_OP_ISETP); return i == NOT_FOUND ? i : of_insn(s, i, RECORD_PREDICATE); }
static bool predicate_value(struct stream *s) { RECORD_OR_FAIL(i, predicate_of(s)); s->r[i].u.predicate.d1 ^= 1; return true; }
static bool predicate_register(struct stream *s) { RECORD_OR_FAIL(i, predicate_of(s)); s->r[i].u.predicate.pd0 = 4; return true; }
static bool predicate_double(struct stream *s) { RECORD_OR_FAIL(i, predicate_of(s)); stream_insert(s, i + 1, &s->r[i]); return true; }

static bool predicate_missing(struct stream *s)
{
  const size_t first = find_issue(s, 0, ISA_OP_ISETP);
  if (first == NOT_FOUND) return false;
  RECORD_OR_FAIL(second, next_issue(s, first)); /* P5, which is written again and never read */
  RECORD_OR_FAIL(third, next_issue(s, second));
  RECORD_OR_FAIL(p, of_insn(s, third, RECORD_PREDICATE));
  stream_drop(s, p);
  return true;
}

static bool predicate_lane(struct stream *s)
{
  for (size_t i = 0; i < s->n; i++) {
    struct record_predicate *p = &s->r[i].u.predicate;
    if (s->r[i].kind != RECORD_PREDICATE || p->mask == 0 || p->mask == 0xff) continue;
    p->mask = 0xff;
    return true;
  }
  return false;
}

/* ---- performs ---- */

static size_t perform_of(const struct stream *s, enum isa_op op, uint32_t kind)
{
  const size_t i = find_issue(s, 0, op);
  return i == NOT_FOUND ? i : of_insn(s, i, kind);
}

static bool perform_access(struct stream *s) { RECORD_OR_FAIL(i, perform_of(s, ISA_OP_STG_E, RECORD_GLOBAL)); s->r[i].u.global.access = RECORD_ATOMIC; return true; }
static bool perform_lanes(struct stream *s) { RECORD_OR_FAIL(i, perform_of(s, ISA_OP_STG_E, RECORD_GLOBAL)); s->r[i].u.global.lanes &= s->r[i].u.global.lanes - 1; return s->r[i].u.global.lanes != 0; }
static bool perform_double(struct stream *s) { RECORD_OR_FAIL(i, perform_of(s, ISA_OP_STG_E, RECORD_GLOBAL)); stream_insert(s, i + 1, &s->r[i]); return true; }
static bool perform_sector(struct stream *s) { RECORD_OR_FAIL(i, perform_of(s, ISA_OP_STG_E, RECORD_GLOBAL)); s->r[i].u.global.sector += 0x100; return true; }
static bool perform_row(struct stream *s) { RECORD_OR_FAIL(i, perform_of(s, ISA_OP_LDS, RECORD_SHARED)); s->r[i].u.shared.row[3] ^= 1; return true; }
static bool perform_bank(struct stream *s) { RECORD_OR_FAIL(i, perform_of(s, ISA_OP_LDS, RECORD_SHARED)); s->r[i].u.shared.bank_en ^= 2; return true; }
static bool perform_strobe(struct stream *s) { RECORD_OR_FAIL(i, perform_of(s, ISA_OP_STG_E, RECORD_GLOBAL)); s->r[i].u.global.wstrb ^= 1u << 31; return true; }
static bool perform_strobe_shared(struct stream *s) { RECORD_OR_FAIL(i, perform_of(s, ISA_OP_STS, RECORD_SHARED)); s->r[i].u.shared.wstrb[0] = 7; return true; }
static bool perform_data(struct stream *s) { RECORD_OR_FAIL(i, perform_of(s, ISA_OP_STG_E, RECORD_GLOBAL)); s->r[i].u.global.wdata[__builtin_ctz(s->r[i].u.global.wstrb)] ^= 1; return true; }
static bool perform_data_shared(struct stream *s) { RECORD_OR_FAIL(i, perform_of(s, ISA_OP_ATOMS, RECORD_SHARED)); s->r[i].u.shared.wdata[__builtin_ctz(s->r[i].u.shared.bank_en)]++; return true; }
static bool perform_result(struct stream *s) { RECORD_OR_FAIL(i, perform_of(s, ISA_OP_LDG_E, RECORD_GLOBAL)); s->r[i].u.global.rdata[17] ^= 1; return true; }
static bool perform_result_shared(struct stream *s) { RECORD_OR_FAIL(i, perform_of(s, ISA_OP_ATOMS, RECORD_SHARED)); s->r[i].u.shared.rdata[__builtin_ctz(s->r[i].u.shared.bank_en)]++; return true; }
static bool perform_result_atomic(struct stream *s) { RECORD_OR_FAIL(i, perform_of(s, ISA_OP_RED_E, RECORD_GLOBAL)); s->r[i].u.global.rdata[0]++; return true; }
static bool perform_missing(struct stream *s) { RECORD_OR_FAIL(e, find_issue(s, 0, ISA_OP_SEL)); RECORD_OR_FAIL(st, next_issue(s, e)); RECORD_OR_FAIL(g, last_of_insn(s, st, RECORD_GLOBAL)); stream_drop(s, g); return true; }

static bool perform_extra(struct stream *s)
{
  for (size_t i = 0; i < s->n; i++) {
    if (s->r[i].kind != RECORD_SHARED || s->r[i].u.shared.access != RECORD_STORE || (s->r[i].u.shared.lanes & 1u) != 0) continue;
    s->r[i].u.shared.lanes |= 1; /* lane 0 is off: @!P0 STS */
    return true;
  }
  return false;
}

/* Colliding lanes in two passes, the higher one first. */
static bool perform_collide(struct stream *s)
{
  RECORD_OR_FAIL(i, perform_of(s, ISA_OP_ATOMS, RECORD_SHARED));
  s->r[i].u.shared.lanes &= ~1u;
  return true;
}

static bool perform_order(struct stream *s)
{
  for (size_t i = find_issue(s, 0, ISA_OP_STG_E); i != NOT_FOUND; i = find_issue(s, i + 1, ISA_OP_STG_E)) {
    const size_t other = next_issue(s, i);
    if (other == NOT_FOUND || !is_op(&s->r[other], ISA_OP_STG_E)) continue;
    const size_t a = last_of_insn(s, i, RECORD_GLOBAL), b = of_insn(s, other, RECORD_GLOBAL);
    const size_t first = of_insn(s, i, RECORD_GLOBAL);
    if (a == NOT_FOUND || b == NOT_FOUND || first < other || b < a) continue; /* both in flight at once */
    if (of_insn(s, other, RECORD_OPERANDS_MEMORY) > first) continue;
    stream_move(s, b, first);
    return true;
  }
  return false;
}

static bool perform_order_shared(struct stream *s)
{
  for (size_t i = find_issue(s, 0, ISA_OP_STS); i != NOT_FOUND; i = find_issue(s, i + 1, ISA_OP_STS)) {
    const size_t load = next_issue(s, i);
    if (load == NOT_FOUND || !is_op(&s->r[load], ISA_OP_LDS)) continue;
    const size_t mine = of_insn(s, i, RECORD_SHARED), its = of_insn(s, load, RECORD_SHARED);
    if (mine == NOT_FOUND || its == NOT_FOUND || mine < load) continue;
    stream_move(s, its, mine);
    return true;
  }
  return false;
}

static bool perform_after_trap(struct stream *s)
{
  RECORD_OR_FAIL(t, find_kind(s, 0, RECORD_TRAP));
  const struct record_trap trap = s->r[t].u.trap;
  for (size_t i = 0; i < t; i++) {
    if (!is_op(&s->r[i], ISA_OP_STG_E) || s->r[i].u.issue.id.slot != trap.id.slot || s->r[i].u.issue.id.seq <= trap.id.seq) continue;
    struct retire_record r = {.kind = RECORD_GLOBAL, .cycle = s->r[t].cycle};
    r.u.global = (struct record_global){.id = s->r[i].u.issue.id, .access = RECORD_STORE, .lanes = ~0u, .sector = (FAKE_BASE + FAKE_BYTES / 2) / 32};
    stream_insert(s, t, &r);
    return true;
  }
  return false;
}

/* ---- poison ---- */

/* MOV R21, 1 then MOV R21, 2. */
static size_t twin_moves(const struct stream *s)
{
  for (size_t i = 0; i < s->n; i++) {
    if (!is_op(&s->r[i], ISA_OP_MOV)) continue;
    const size_t k = next_issue(s, i);
    if (k == NOT_FOUND || !is_op(&s->r[k], ISA_OP_MOV)) continue;
    const size_t a = of_insn(s, i, RECORD_WRITE), b = of_insn(s, k, RECORD_WRITE);
    if (a != NOT_FOUND && b != NOT_FOUND && s->r[a].u.write.rd == s->r[b].u.write.rd) return i;
  }
  return NOT_FOUND;
}

/* The IMAD that writes R2, and the IMAD.WIDE of the same warp that reads it. */
static size_t wide_after(const struct stream *s, size_t i)
{
  do i = next_issue(s, i);
  while (i != NOT_FOUND && !is_op(&s->r[i], ISA_OP_IMAD_WIDE));
  return i;
}

static bool poison_raw(struct stream *s)
{
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_IMAD));
  RECORD_OR_FAIL(wide, wide_after(s, i));
  RECORD_OR_FAIL(ops, of_insn(s, wide, RECORD_OPERANDS));
  RECORD_OR_FAIL(w, of_insn(s, i, RECORD_WRITE));
  stream_move(s, w, ops);
  return true;
}

/* The write appears in the very cycle of the read. */
static bool poison_raw_cycle(struct stream *s)
{
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_IMAD));
  RECORD_OR_FAIL(w, of_insn(s, i, RECORD_WRITE));
  RECORD_OR_FAIL(wide, wide_after(s, i));
  RECORD_OR_FAIL(ops, of_insn(s, wide, RECORD_OPERANDS));
  const uint64_t cycle = s->r[ops].cycle;
  stream_move(s, w, ops - 1);
  s->r[ops - 1].cycle = cycle;
  return true;
}

/* A consumer issues before the load that it needs is performed. */
static bool poison_pending(struct stream *s)
{
  RECORD_OR_FAIL(load, find_issue(s, 0, ISA_OP_LDG_E));
  const uint8_t slot = s->r[load].u.issue.id.slot;
  RECORD_OR_FAIL(g, last_of_insn(s, load, RECORD_GLOBAL));
  size_t use = load;
  do use = next_issue(s, use);
  while (use != NOT_FOUND && !is_op(&s->r[use], ISA_OP_IADD3));
  if (use == NOT_FOUND) return false;
  /* move the last perform and all writes behind the consumer's issue */
  for (size_t w = of_insn(s, load, RECORD_WRITE); w != NOT_FOUND && w < use; w = of_insn(s, load, RECORD_WRITE)) {
    stream_drop(s, w);
    use--;
  }
  stream_move(s, g, use);
  return s->r[use - 1].u.issue.id.slot == slot;
}

static bool poison_war(struct stream *s)
{
  RECORD_OR_FAIL(st, find_issue(s, 0, ISA_OP_STS)); /* STS [..], R20; MOV R20, R10 */
  RECORD_OR_FAIL(ops, of_insn(s, st, RECORD_OPERANDS_MEMORY));
  RECORD_OR_FAIL(mov, next_issue(s, st));
  RECORD_OR_FAIL(w, of_insn(s, mov, RECORD_WRITE));
  stream_move(s, ops, w);
  s->r[w].cycle = s->r[w + 1].cycle;
  for (size_t i = 0; i < s->n; i++) /* the access itself comes later still */
    if (s->r[i].kind == RECORD_SHARED && i < w && same_insn(&s->r[i].u.shared.id, &s->r[st].u.issue.id)) return true;
  return true;
}

static bool poison_waw(struct stream *s)
{
  RECORD_OR_FAIL(i, twin_moves(s));
  RECORD_OR_FAIL(k, next_issue(s, i));
  RECORD_OR_FAIL(a, of_insn(s, i, RECORD_WRITE));
  RECORD_OR_FAIL(b, of_insn(s, k, RECORD_WRITE));
  stream_move(s, a, b);
  return true;
}


static bool poison_pred_raw(struct stream *s)
{
  RECORD_OR_FAIL(set, find_issue(s, 0, ISA_OP_ISETP));
  RECORD_OR_FAIL(p, of_insn(s, set, RECORD_PREDICATE));
  size_t bra = set;
  do bra = next_issue(s, bra);
  while (bra != NOT_FOUND && !is_op(&s->r[bra], ISA_OP_BRA));
  if (bra == NOT_FOUND) return false;
  stream_move(s, p, bra);
  return true;
}

static bool poison_pred_waw(struct stream *s)
{
  RECORD_OR_FAIL(first, find_issue(s, 0, ISA_OP_ISETP));
  RECORD_OR_FAIL(second, next_issue(s, first));
  RECORD_OR_FAIL(third, next_issue(s, second));
  RECORD_OR_FAIL(a, of_insn(s, second, RECORD_PREDICATE));
  RECORD_OR_FAIL(b, of_insn(s, third, RECORD_PREDICATE));
  stream_move(s, a, b);
  return true;
}

/* ---- blocks, traps ---- */

static size_t second_block(const struct stream *s) { return find_kind(s, find_kind(s, 0, RECORD_BLOCK_START) + 1, RECORD_BLOCK_START); }
static bool block_grid(struct stream *s) { RECORD_OR_FAIL(i, second_block(s)); s->r[i].u.block_start.ctaid[1] = 1; return true; }
static bool block_double(struct stream *s) { RECORD_OR_FAIL(i, second_block(s)); s->r[i].u.block_start.ctaid[0] = 0; return true; }
static bool block_slots(struct stream *s) { RECORD_OR_FAIL(i, second_block(s)); s->r[i].u.block_start.warps = s->r[0].u.block_start.warps; return true; }
static bool block_warps(struct stream *s) { RECORD_OR_FAIL(i, second_block(s)); s->r[i].u.block_start.warps |= 1u << 14; return true; }
static bool block_shared(struct stream *s) { RECORD_OR_FAIL(i, second_block(s)); s->r[i].u.block_start.shared_base -= 4; return true; }
static bool block_shared_far(struct stream *s) { RECORD_OR_FAIL(i, second_block(s)); s->r[i].u.block_start.shared_base = 1u << 20; return true; }
static bool block_missing(struct stream *s) { size_t i = s->n; while (i-- > 0 && s->r[i].kind != RECORD_BLOCK_END) continue; stream_drop(s, i); return true; }

static bool block_end(struct stream *s)
{
  RECORD_OR_FAIL(end, find_kind(s, 0, RECORD_BLOCK_END));
  size_t exit = end;
  while (exit-- > 0 && !is_op(&s->r[exit], ISA_OP_EXIT)) continue;
  for (size_t i = exit + 1; i < end; i++) /* accesses that are drained after the last EXIT come first */
    if (s->r[i].kind != RECORD_ISSUE) stream_move(s, i, exit++);
  stream_move(s, end, exit);
  return true;
}

static bool trap_lanes(struct stream *s) { RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_TRAP)); s->r[i].u.trap.lanes ^= 1; return true; }
static bool trap_addr(struct stream *s) { RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_TRAP)); s->r[i].u.trap.addr ^= 4; return true; }
static bool trap_missing(struct stream *s) { RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_TRAP)); stream_drop(s, i); return true; }

static bool trap_unexpected(struct stream *s)
{
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_FADD));
  struct retire_record r = {.kind = RECORD_TRAP, .cycle = s->r[i].cycle};
  r.u.trap = (struct record_trap){.cause = HEDDLE_TRAP_ILLEGAL, .id = s->r[i].u.issue.id, .pc = s->r[i].u.issue.pc, .lanes = 1};
  stream_insert(s, i, &r);
  return true;
}

static bool issue_after_trap(struct stream *s)
{
  RECORD_OR_FAIL(t, find_kind(s, 0, RECORD_TRAP));
  struct retire_record r = {.kind = RECORD_ISSUE, .cycle = s->r[t].cycle};
  r.u.issue.id = s->r[t].u.trap.id;
  size_t last = t;
  while (last-- > 0 && s->r[last].kind != RECORD_ISSUE) continue;
  r.u.issue.id.seq = s->r[last].u.issue.id.seq + 1;
  stream_insert(s, t + 1, &r);
  return true;
}

static bool nothing(struct stream *s) { (void)s; return true; }

#define M(fn, kind, program) {#fn, CHECKER_##kind, PROGRAM_##program, fn}
const struct mutation mutations[] = {
    M(slot_empty, IDENTITY_SLOT, MIX), M(slot_absent, RECORD_FORM, MIX), M(generation, IDENTITY_GEN, MIX),
    M(seq_gap, SEQUENCE_GAP, MIX), M(seq_twice, SEQUENCE_GAP, MIX), M(seq_unknown, SEQUENCE_UNKNOWN, MIX),
    M(beat_absent, RECORD_FORM, MIX), M(kind_absent, RECORD_FORM, MIX),
    M(issue_pc, ISSUE_PC, MIX), M(issue_word, ISSUE_WORD, MIX), M(issue_active, ISSUE_ACTIVE, MIX), M(issue_exec, ISSUE_EXEC, MIX),
    M(issue_ps, ISSUE_PS, MIX), M(issue_hash, ISSUE_HASH, MIX), M(issue_after_end, ISSUE_ENDED, MIX),
    M(issue_after_trap, ISSUE_ENDED, ADDRESS), M(issue_for_trap, ISSUE_TRAP, ILLEGAL), M(fence_access, ORDER_FENCE, MIX),
    M(fence_result, ORDER_FENCE, MIX),
    M(barrier_early, BARRIER_EARLY, MIX), M(barrier_release, BARRIER_RELEASE, MIX),
    M(operand_value, OPERAND_VALUE, MIX), M(operand_special, OPERAND_VALUE, MIX), M(operand_slot, OPERAND_EXTRA, MIX),
    M(operand_lane, OPERAND_EXTRA, MIX), M(operand_double, OPERAND_DOUBLE, MIX), M(operand_port, OPERAND_PORT, MIX),
    M(operand_missing, OPERAND_MISSING, MIX),
    M(write_value, WRITEBACK_VALUE, MIX), M(write_load, WRITEBACK_VALUE, MIX), M(write_register, WRITEBACK_REGISTER, MIX),
    M(write_nothing, WRITEBACK_EXTRA, MIX), M(write_lane, WRITEBACK_EXTRA, MIX), M(write_double, WRITEBACK_DOUBLE, MIX),
    M(write_before_read, WRITEBACK_EARLY, MIX), M(write_before_perform, WRITEBACK_EARLY, MIX), M(write_missing, WRITEBACK_MISSING, MIX),
    M(predicate_value, PREDICATE_VALUE, MIX), M(predicate_register, PREDICATE_REGISTER, MIX), M(predicate_lane, PREDICATE_EXTRA, MIX),
    M(predicate_double, PREDICATE_DOUBLE, MIX), M(predicate_missing, PREDICATE_MISSING, MIX),
    M(perform_access, PERFORM_ACCESS, MIX), M(perform_lanes, PERFORM_LANES, MIX), M(perform_collide, PERFORM_LANES, MIX),
    M(perform_extra, PERFORM_EXTRA, MIX), M(perform_double, PERFORM_DOUBLE, MIX), M(perform_sector, PERFORM_ADDRESS, MIX),
    M(perform_row, PERFORM_ADDRESS, MIX), M(perform_bank, PERFORM_ADDRESS, MIX), M(perform_strobe, PERFORM_STROBE, MIX),
    M(perform_strobe_shared, PERFORM_STROBE, MIX), M(perform_data, PERFORM_DATA, MIX), M(perform_data_shared, PERFORM_DATA, MIX),
    M(perform_result, PERFORM_RESULT, MIX), M(perform_result_shared, PERFORM_RESULT, MIX), M(perform_result_atomic, PERFORM_RESULT, MIX),
    M(perform_order, PERFORM_ORDER, MIX), M(perform_order_shared, PERFORM_ORDER, MIX), M(perform_after_trap, PERFORM_TRAP, ADDRESS),
    M(perform_missing, PERFORM_MISSING, MIX),
    M(poison_raw, POISON_RAW, MIX), M(poison_raw_cycle, POISON_RAW, MIX), M(poison_pending, POISON_RAW, MIX), M(poison_war, POISON_WAR, MIX),
    M(poison_waw, POISON_WAW, MIX), M(poison_pred_raw, POISON_PRED_RAW, MIX), M(poison_pred_waw, POISON_PRED_WAW, MIX),
    M(block_grid, BLOCK_GRID, MIX), M(block_double, BLOCK_DOUBLE, MIX), M(block_slots, BLOCK_SLOTS, MIX), M(block_warps, BLOCK_WARPS, MIX),
    M(block_shared, BLOCK_SHARED, MIX), M(block_shared_far, BLOCK_SHARED, MIX), M(block_end, BLOCK_END, MIX), M(block_missing, BLOCK_MISSING, MIX),
    M(trap_lanes, TRAP_MISMATCH, ADDRESS), M(trap_addr, TRAP_MISMATCH, ADDRESS), M(trap_missing, TRAP_MISSING, ADDRESS),
    M(trap_unexpected, TRAP_UNEXPECTED, MIX), M(nothing, UNDEFINED_READ, UNDEFINED),
};
const unsigned mutation_count = sizeof mutations / sizeof mutations[0];
