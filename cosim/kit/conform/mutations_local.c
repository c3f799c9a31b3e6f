/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of local memory, and of accesses that reach all three memories.
 */
#include "mutations_local.h"

#include "cosim/kit/conform/stream_find.h"

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
