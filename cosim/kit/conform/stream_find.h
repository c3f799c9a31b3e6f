/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding places in a stream of records.
 */
#ifndef HEDDLE_CONFORM_STREAM_FIND_H
#define HEDDLE_CONFORM_STREAM_FIND_H

#include "cosim/kit/conform/fake.h"

#define NOT_FOUND ((size_t)-1)

/* ---- finding places ---- */

static inline bool is_op(const struct heddle_retire_record *r, enum heddle_isa_op op) {
  struct heddle_isa_dec d;
  return r->kind == HEDDLE_RECORD_ISSUE &&
         heddle_isa_decode((struct heddle_isa_word){r->u.issue.word[0], r->u.issue.word[1]}, &d) && d.op == op;
}

static inline size_t find_kind(const struct stream *s, size_t from, uint32_t kind) {
  for (size_t i = from; i < s->n; i++)
    if (s->r[i].kind == kind) return i;
  return NOT_FOUND;
}

/* The n-th issue of this operation, counted within its warp's own stream. */
static inline size_t find_issue(const struct stream *s, size_t from, enum heddle_isa_op op) {
  for (size_t i = from; i < s->n; i++)
    if (is_op(&s->r[i], op)) return i;
  return NOT_FOUND;
}

static inline bool same_insn(const struct heddle_record_id *a, const struct heddle_record_id *b) {
  return a != NULL && b != NULL && a->slot == b->slot && a->gen == b->gen && a->seq == b->seq;
}

/* First, last record of a kind that belongs to the instruction issued at `issue`. */
static inline size_t of_insn(const struct stream *s, size_t issue, uint32_t kind) {
  for (size_t i = issue + 1; i < s->n; i++)
    if (s->r[i].kind == kind && same_insn(heddle_record_id_of(&s->r[i]), &s->r[issue].u.issue.id)) return i;
  return NOT_FOUND;
}

static inline size_t last_of_insn(const struct stream *s, size_t issue, uint32_t kind) {
  size_t last = NOT_FOUND;
  for (size_t i = issue + 1; i < s->n; i++)
    if (s->r[i].kind == kind && same_insn(heddle_record_id_of(&s->r[i]), &s->r[issue].u.issue.id)) last = i;
  return last;
}

/* Issue of the next instruction of the same warp. */
static inline size_t next_issue(const struct stream *s, size_t issue) {
  struct heddle_record_id id = s->r[issue].u.issue.id;
  id.seq++;
  for (size_t i = issue + 1; i < s->n; i++)
    if (s->r[i].kind == HEDDLE_RECORD_ISSUE && same_insn(&s->r[i].u.issue.id, &id)) return i;
  return NOT_FOUND;
}

static inline size_t write_of(const struct stream *s, enum heddle_isa_op op) {
  const size_t i = find_issue(s, 0, op);
  return i == NOT_FOUND ? i : of_insn(s, i, HEDDLE_RECORD_WRITE);
}

#define RECORD_OR_FAIL(var, expr)                                                                                      \
  const size_t var = (expr);                                                                                           \
  if ((var) == NOT_FOUND) return false

#endif
