/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that are wrong, missing, doubled or early; reads and writes of registers that pass each other.
 */
#include "cosim/kit/conform/mutations.h"
#include "cosim/kit/conform/stream_find.h"

/* ---- performs ---- */

static size_t perform_of(const struct stream *s, enum heddle_isa_op op, uint32_t kind) {
  const size_t i = find_issue(s, 0, op);
  return i == NOT_FOUND ? i : of_insn(s, i, kind);
}

bool spoil_perform_access(struct stream *s) {
  RECORD_OR_FAIL(i, perform_of(s, ISA_OP_STG_E, HEDDLE_RECORD_GLOBAL));
  s->r[i].u.global.access = HEDDLE_RECORD_ATOMIC;
  return true;
}
bool spoil_perform_lanes(struct stream *s) {
  RECORD_OR_FAIL(i, perform_of(s, ISA_OP_STG_E, HEDDLE_RECORD_GLOBAL));
  s->r[i].u.global.lanes &= s->r[i].u.global.lanes - 1;
  return s->r[i].u.global.lanes != 0;
}
bool spoil_perform_double(struct stream *s) {
  RECORD_OR_FAIL(i, perform_of(s, ISA_OP_STG_E, HEDDLE_RECORD_GLOBAL));
  stream_insert(s, i + 1, &s->r[i]);
  return true;
}
bool spoil_perform_sector(struct stream *s) {
  RECORD_OR_FAIL(i, perform_of(s, ISA_OP_STG_E, HEDDLE_RECORD_GLOBAL));
  s->r[i].u.global.sector += 0x100;
  return true;
}
bool spoil_perform_row(struct stream *s) {
  RECORD_OR_FAIL(i, perform_of(s, ISA_OP_LDS, HEDDLE_RECORD_SHARED));
  s->r[i].u.shared.row[3] ^= 1;
  return true;
}
bool spoil_perform_bank(struct stream *s) {
  RECORD_OR_FAIL(i, perform_of(s, ISA_OP_LDS, HEDDLE_RECORD_SHARED));
  s->r[i].u.shared.bank_en ^= 2;
  return true;
}
bool spoil_perform_strobe(struct stream *s) {
  RECORD_OR_FAIL(i, perform_of(s, ISA_OP_STG_E, HEDDLE_RECORD_GLOBAL));
  s->r[i].u.global.wstrb ^= 1u << 31;
  return true;
}
bool spoil_perform_strobe_shared(struct stream *s) {
  RECORD_OR_FAIL(i, perform_of(s, ISA_OP_STS, HEDDLE_RECORD_SHARED));
  s->r[i].u.shared.wstrb[0] = 7;
  return true;
}
bool spoil_perform_data(struct stream *s) {
  RECORD_OR_FAIL(i, perform_of(s, ISA_OP_STG_E, HEDDLE_RECORD_GLOBAL));
  s->r[i].u.global.wdata[__builtin_ctz(s->r[i].u.global.wstrb)] ^= 1;
  return true;
}
bool spoil_perform_data_shared(struct stream *s) {
  RECORD_OR_FAIL(i, perform_of(s, ISA_OP_ATOMS, HEDDLE_RECORD_SHARED));
  s->r[i].u.shared.wdata[__builtin_ctz(s->r[i].u.shared.bank_en)]++;
  return true;
}
bool spoil_perform_result(struct stream *s) {
  RECORD_OR_FAIL(i, perform_of(s, ISA_OP_LDG_E, HEDDLE_RECORD_GLOBAL));
  s->r[i].u.global.rdata[17] ^= 1;
  return true;
}
bool spoil_perform_result_shared(struct stream *s) {
  RECORD_OR_FAIL(i, perform_of(s, ISA_OP_ATOMS, HEDDLE_RECORD_SHARED));
  s->r[i].u.shared.rdata[__builtin_ctz(s->r[i].u.shared.bank_en)]++;
  return true;
}
bool spoil_perform_result_atomic(struct stream *s) {
  RECORD_OR_FAIL(i, perform_of(s, ISA_OP_RED_E, HEDDLE_RECORD_GLOBAL));
  s->r[i].u.global.rdata[0]++;
  return true;
}
bool spoil_perform_missing(struct stream *s) {
  RECORD_OR_FAIL(e, find_issue(s, 0, ISA_OP_SEL));
  RECORD_OR_FAIL(st, next_issue(s, e));
  RECORD_OR_FAIL(g, last_of_insn(s, st, HEDDLE_RECORD_GLOBAL));
  stream_drop(s, g);
  return true;
}

bool spoil_perform_extra(struct stream *s) {
  for (size_t i = 0; i < s->n; i++) {
    if (s->r[i].kind != HEDDLE_RECORD_SHARED || s->r[i].u.shared.access != HEDDLE_RECORD_STORE ||
        (s->r[i].u.shared.lanes & 1u) != 0)
      continue;
    s->r[i].u.shared.lanes |= 1; /* lane 0 is off: @!P0 STS */
    return true;
  }
  return false;
}

/* Colliding lanes in two passes, the higher one first. */
bool spoil_perform_collide(struct stream *s) {
  RECORD_OR_FAIL(i, perform_of(s, ISA_OP_ATOMS, HEDDLE_RECORD_SHARED));
  s->r[i].u.shared.lanes &= ~1u;
  return true;
}

bool spoil_perform_order(struct stream *s) {
  for (size_t i = find_issue(s, 0, ISA_OP_STG_E); i != NOT_FOUND; i = find_issue(s, i + 1, ISA_OP_STG_E)) {
    const size_t other = next_issue(s, i);
    if (other == NOT_FOUND || !is_op(&s->r[other], ISA_OP_STG_E)) continue;
    const size_t a = last_of_insn(s, i, HEDDLE_RECORD_GLOBAL), b = of_insn(s, other, HEDDLE_RECORD_GLOBAL);
    const size_t first = of_insn(s, i, HEDDLE_RECORD_GLOBAL);
    if (a == NOT_FOUND || b == NOT_FOUND || first < other || b < a) continue; /* both in flight at once */
    if (of_insn(s, other, HEDDLE_RECORD_OPERANDS_MEMORY) > first) continue;
    stream_move(s, b, first);
    return true;
  }
  return false;
}

bool spoil_perform_order_shared(struct stream *s) {
  for (size_t i = find_issue(s, 0, ISA_OP_STS); i != NOT_FOUND; i = find_issue(s, i + 1, ISA_OP_STS)) {
    const size_t load = next_issue(s, i);
    if (load == NOT_FOUND || !is_op(&s->r[load], ISA_OP_LDS)) continue;
    const size_t mine = of_insn(s, i, HEDDLE_RECORD_SHARED), its = of_insn(s, load, HEDDLE_RECORD_SHARED);
    if (mine == NOT_FOUND || its == NOT_FOUND || mine < load) continue;
    stream_move(s, its, mine);
    return true;
  }
  return false;
}

/* An access to a sector that has been accessed before. */
static size_t sector_again(const struct stream *s) {
  for (size_t i = 0; i < s->n; i++)
    for (size_t k = i + 1; s->r[i].kind == HEDDLE_RECORD_GLOBAL && s->r[i].u.global.stamp != 0 && k < s->n; k++)
      if (s->r[k].kind == HEDDLE_RECORD_GLOBAL && s->r[k].u.global.sector == s->r[i].u.global.sector) return k;
  return NOT_FOUND;
}
bool spoil_perform_stamp(struct stream *s) {
  RECORD_OR_FAIL(i, sector_again(s));
  s->r[i].u.global.stamp = 0;
  return true;
}
bool spoil_perform_stamp_bank(struct stream *s) {
  RECORD_OR_FAIL(i, sector_again(s));
  s->r[i].u.global.bank = 1;
  return true;
}

bool spoil_perform_after_trap(struct stream *s) {
  RECORD_OR_FAIL(t, find_kind(s, 0, HEDDLE_RECORD_TRAP));
  const struct heddle_record_trap trap = s->r[t].u.trap;
  for (size_t i = 0; i < t; i++) {
    if (!is_op(&s->r[i], ISA_OP_STG_E) || s->r[i].u.issue.id.slot != trap.id.slot ||
        s->r[i].u.issue.id.seq <= trap.id.seq)
      continue;
    struct heddle_retire_record r = {.kind = HEDDLE_RECORD_GLOBAL, .cycle = s->r[t].cycle};
    r.u.global = (struct heddle_record_global){.id = s->r[i].u.issue.id,
                                               .access = HEDDLE_RECORD_STORE,
                                               .lanes = ~0u,
                                               .sector = (FAKE_BASE + FAKE_BYTES / 2) / 32,
                                               .stamp = r.cycle};
    stream_insert(s, t, &r);
    return true;
  }
  return false;
}

/* ---- poison ---- */

/* MOV R21, 1 then MOV R21, 2. */
static size_t twin_moves(const struct stream *s) {
  for (size_t i = 0; i < s->n; i++) {
    if (!is_op(&s->r[i], ISA_OP_MOV)) continue;
    const size_t k = next_issue(s, i);
    if (k == NOT_FOUND || !is_op(&s->r[k], ISA_OP_MOV)) continue;
    const size_t a = of_insn(s, i, HEDDLE_RECORD_WRITE), b = of_insn(s, k, HEDDLE_RECORD_WRITE);
    if (a != NOT_FOUND && b != NOT_FOUND && s->r[a].u.write.rd == s->r[b].u.write.rd) return i;
  }
  return NOT_FOUND;
}

/* The IMAD that writes R2, and the IMAD.WIDE of the same warp that reads it. */
static size_t wide_after(const struct stream *s, size_t i) {
  do i = next_issue(s, i);
  while (i != NOT_FOUND && !is_op(&s->r[i], ISA_OP_IMAD_WIDE));
  return i;
}

bool spoil_poison_raw(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_IMAD));
  RECORD_OR_FAIL(wide, wide_after(s, i));
  RECORD_OR_FAIL(ops, of_insn(s, wide, HEDDLE_RECORD_OPERANDS));
  RECORD_OR_FAIL(w, of_insn(s, i, HEDDLE_RECORD_WRITE));
  stream_move(s, w, ops);
  return true;
}

/* The write appears in the very cycle of the read. */
bool spoil_poison_raw_cycle(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_IMAD));
  RECORD_OR_FAIL(w, of_insn(s, i, HEDDLE_RECORD_WRITE));
  RECORD_OR_FAIL(wide, wide_after(s, i));
  RECORD_OR_FAIL(ops, of_insn(s, wide, HEDDLE_RECORD_OPERANDS));
  const uint64_t cycle = s->r[ops].cycle;
  stream_move(s, w, ops - 1);
  s->r[ops - 1].cycle = cycle;
  return true;
}

/* The write appears behind the issue of its reader and so long before the read that this could have seen it; but the
 * words had been fetched already and waited for their beat. */
bool spoil_poison_raw_raced(struct stream *s) {
  RECORD_OR_FAIL(load, find_issue(s, 0, ISA_OP_LDG_E));
  RECORD_OR_FAIL(w, of_insn(s, load, HEDDLE_RECORD_WRITE));
  size_t use = load;
  do use = next_issue(s, use);
  while (use != NOT_FOUND && !is_op(&s->r[use], ISA_OP_IADD3));
  if (use == NOT_FOUND || w > use) return false;
  RECORD_OR_FAIL(ops, of_insn(s, use, HEDDLE_RECORD_OPERANDS));
  stream_move(s, w, use);
  s->r[use].cycle += 4;
  for (size_t k = use + 1; k < s->n; k++) s->r[k].cycle += 8;
  s->r[ops].u.operands.data[0][0] ^= 1;
  return s->r[use].kind == HEDDLE_RECORD_WRITE && s->r[use].u.write.beat == s->r[ops].u.operands.beat;
}

/* A consumer issues before the load that it needs is performed. */
bool spoil_poison_pending(struct stream *s) {
  RECORD_OR_FAIL(load, find_issue(s, 0, ISA_OP_LDG_E));
  const uint8_t slot = s->r[load].u.issue.id.slot;
  RECORD_OR_FAIL(g, last_of_insn(s, load, HEDDLE_RECORD_GLOBAL));
  size_t use = load;
  do use = next_issue(s, use);
  while (use != NOT_FOUND && !is_op(&s->r[use], ISA_OP_IADD3));
  if (use == NOT_FOUND) return false;
  /* move the last perform and all writes behind the consumer's issue */
  for (size_t w = of_insn(s, load, HEDDLE_RECORD_WRITE); w != NOT_FOUND && w < use;
       w = of_insn(s, load, HEDDLE_RECORD_WRITE)) {
    stream_drop(s, w);
    use--;
  }
  stream_move(s, g, use);
  return s->r[use - 1].u.issue.id.slot == slot;
}

bool spoil_poison_war(struct stream *s) {
  RECORD_OR_FAIL(st, find_issue(s, 0, ISA_OP_STS)); /* STS [..], R20; MOV R20, R10 */
  RECORD_OR_FAIL(ops, of_insn(s, st, HEDDLE_RECORD_OPERANDS_MEMORY));
  RECORD_OR_FAIL(mov, next_issue(s, st));
  RECORD_OR_FAIL(w, of_insn(s, mov, HEDDLE_RECORD_WRITE));
  stream_move(s, ops, w);
  s->r[w].cycle = s->r[w + 1].cycle;
  return true;
}

bool spoil_poison_waw(struct stream *s) {
  RECORD_OR_FAIL(i, twin_moves(s));
  RECORD_OR_FAIL(k, next_issue(s, i));
  RECORD_OR_FAIL(a, of_insn(s, i, HEDDLE_RECORD_WRITE));
  RECORD_OR_FAIL(b, of_insn(s, k, HEDDLE_RECORD_WRITE));
  stream_move(s, a, b);
  return true;
}

bool spoil_poison_pred_raw(struct stream *s) {
  RECORD_OR_FAIL(set, find_issue(s, 0, ISA_OP_ISETP));
  RECORD_OR_FAIL(p, of_insn(s, set, HEDDLE_RECORD_PREDICATE));
  size_t bra = set;
  do bra = next_issue(s, bra);
  while (bra != NOT_FOUND && !is_op(&s->r[bra], ISA_OP_BRA));
  if (bra == NOT_FOUND) return false;
  stream_move(s, p, bra);
  return true;
}

bool spoil_poison_pred_waw(struct stream *s) {
  RECORD_OR_FAIL(first, find_issue(s, 0, ISA_OP_ISETP));
  RECORD_OR_FAIL(second, next_issue(s, first));
  RECORD_OR_FAIL(third, next_issue(s, second));
  RECORD_OR_FAIL(a, of_insn(s, second, HEDDLE_RECORD_PREDICATE));
  RECORD_OR_FAIL(b, of_insn(s, third, HEDDLE_RECORD_PREDICATE));
  stream_move(s, a, b);
  return true;
}

/* Records of local memory, and of accesses that reach all three memories. */

/* The record is the first of the first instruction of that name, of that access. */

static size_t record_of(const struct stream *s, enum heddle_isa_op op, uint8_t access) {
  const size_t issue = find_issue(s, 0, op);
  for (size_t i = issue; i != NOT_FOUND && i < s->n; i++)
    if (s->r[i].kind == HEDDLE_RECORD_GLOBAL && s->r[i].u.global.access == access &&
        same_insn(&s->r[i].u.global.id, &s->r[issue].u.issue.id))
      return i;
  return NOT_FOUND;
}

/* The programs that they are for have both. */
static struct heddle_record_global *stored(struct stream *s) {
  const size_t i = record_of(s, ISA_OP_STL, HEDDLE_RECORD_LOCAL_STORE);
  return i == NOT_FOUND ? NULL : &s->r[i].u.global;
}

static struct heddle_record_global *loaded_local(struct stream *s) {
  const size_t i = record_of(s, ISA_OP_LDL, HEDDLE_RECORD_LOCAL_LOAD);
  return i == NOT_FOUND ? NULL : &s->r[i].u.global;
}

static bool spoil_access(struct stream *s) {
  struct heddle_record_global *g = stored(s);
  if (g == NULL) return false;
  g->access = HEDDLE_RECORD_LOCAL_LOAD;
  return true;
}
static bool spoil_space(struct stream *s) {
  struct heddle_record_global *g = stored(s);
  if (g == NULL) return false;
  g->access = HEDDLE_RECORD_STORE;
  return true;
}
static bool spoil_lanes(struct stream *s) {
  struct heddle_record_global *g = stored(s);
  if (g == NULL) return false;
  g->lanes &= g->lanes - 1;
  return true;
}
static bool spoil_double(struct stream *s) {
  RECORD_OR_FAIL(i, record_of(s, ISA_OP_STL, HEDDLE_RECORD_LOCAL_STORE));
  stream_insert(s, i + 1, &s->r[i]);
  return true;
}
static bool spoil_slice(struct stream *s) {
  struct heddle_record_global *g = stored(s);
  if (g == NULL) return false;
  g->sector ^= 1u << 20;
  return true;
}
static bool spoil_word(struct stream *s) {
  struct heddle_record_global *g = stored(s);
  if (g == NULL) return false;
  g->sector += 16;
  return true;
}
static bool spoil_quarter(struct stream *s) {
  struct heddle_record_global *g = stored(s);
  if (g == NULL) return false;
  g->sector ^= 1;
  return true;
}
static bool spoil_strobe(struct stream *s) {
  struct heddle_record_global *g = stored(s);
  if (g == NULL) return false;
  g->wstrb ^= 1;
  return true;
}
static bool spoil_data(struct stream *s) {
  struct heddle_record_global *g = stored(s);
  if (g == NULL) return false;
  g->wdata[5] ^= 4;
  return true;
}
static bool spoil_result(struct stream *s) {
  struct heddle_record_global *g = loaded_local(s);
  if (g == NULL) return false;
  g->rdata[9] ^= 1;
  return true;
}
static bool spoil_missing(struct stream *s) {
  RECORD_OR_FAIL(i, record_of(s, ISA_OP_STL, HEDDLE_RECORD_LOCAL_STORE));
  /* and nobody asks for that word later in the warp */
  for (size_t k = s->n; k-- > i;)
    if (s->r[k].kind == HEDDLE_RECORD_GLOBAL && s->r[k].u.global.access == HEDDLE_RECORD_LOCAL_STORE) {
      stream_drop(s, k);
      return true;
    }
  return false;
}
/* The load after the store, before it. */
static bool spoil_order(struct stream *s) {
  for (size_t i = find_issue(s, 0, ISA_OP_STL); i != NOT_FOUND; i = find_issue(s, i + 1, ISA_OP_STL)) {
    const size_t load = next_issue(s, i);
    if (load == NOT_FOUND || !is_op(&s->r[load], ISA_OP_LDL)) continue;
    const size_t its = of_insn(s, load, HEDDLE_RECORD_GLOBAL);
    if (its == NOT_FOUND) continue;
    for (size_t k = load + 1; k < its; k++)
      if (s->r[k].kind == HEDDLE_RECORD_GLOBAL && same_insn(&s->r[k].u.global.id, &s->r[i].u.issue.id) &&
          s->r[k].u.global.sector == s->r[its].u.global.sector && of_insn(s, load, HEDDLE_RECORD_OPERANDS_MEMORY) < k) {
        stream_move(s, its, k);
        return true;
      }
  }
  return false;
}
/* Lanes 10 to 19 are in shared memory. */
static bool spoil_window(struct stream *s) {
  RECORD_OR_FAIL(i, record_of(s, ISA_OP_ST_E, HEDDLE_RECORD_STORE));
  s->r[i].u.global.lanes |= 1u << 12;
  return true;
}
static bool spoil_extra(struct stream *s) {
  for (size_t i = 0; i < s->n; i++)
    if (s->r[i].kind == HEDDLE_RECORD_GLOBAL && s->r[i].u.global.access == HEDDLE_RECORD_LOCAL_STORE &&
        (s->r[i].u.global.lanes & 0xff00) == 0xfc00) { /* @P0 STL.U8: lanes 8 and 9 are off */
      s->r[i].u.global.lanes |= 0x200;
      return true;
    }
  return false;
}

const struct mutation local_mutations[] = {
    {"local_access", HEDDLE_CHECKER_PERFORM_ACCESS, PROGRAM_LOCAL, spoil_access},
    {"local_space", HEDDLE_CHECKER_PERFORM_ACCESS, PROGRAM_LOCAL, spoil_space},
    {"local_lanes", HEDDLE_CHECKER_PERFORM_LANES, PROGRAM_LOCAL, spoil_lanes},
    {"local_double", HEDDLE_CHECKER_PERFORM_DOUBLE, PROGRAM_LOCAL, spoil_double},
    {"local_slice", HEDDLE_CHECKER_PERFORM_ADDRESS, PROGRAM_LOCAL, spoil_slice},
    {"local_word", HEDDLE_CHECKER_PERFORM_ADDRESS, PROGRAM_LOCAL, spoil_word},
    {"local_quarter", HEDDLE_CHECKER_PERFORM_ADDRESS, PROGRAM_LOCAL, spoil_quarter},
    {"local_strobe", HEDDLE_CHECKER_PERFORM_STROBE, PROGRAM_LOCAL, spoil_strobe},
    {"local_data", HEDDLE_CHECKER_PERFORM_DATA, PROGRAM_LOCAL, spoil_data},
    {"local_result", HEDDLE_CHECKER_PERFORM_RESULT, PROGRAM_LOCAL, spoil_result},
    {"local_missing", HEDDLE_CHECKER_PERFORM_MISSING, PROGRAM_LOCAL, spoil_missing},
    {"local_order", HEDDLE_CHECKER_PERFORM_ORDER, PROGRAM_LOCAL, spoil_order},
    {"local_window", HEDDLE_CHECKER_PERFORM_ACCESS, PROGRAM_LOCAL, spoil_window},
    {"local_extra", HEDDLE_CHECKER_PERFORM_EXTRA, PROGRAM_LOCAL, spoil_extra},
};
const unsigned local_mutation_count = sizeof local_mutations / sizeof *local_mutations;
