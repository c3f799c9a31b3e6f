/* SPDX-License-Identifier: Apache-2.0
 *
 * Uniform operands and results that are wrong, missing, doubled, or pass each other.
 */
#include "mutations_uniform.h"

#include "cosim/kit/conform/stream_find.h"

static size_t record_of(const struct stream *s, enum heddle_isa_op op, uint32_t kind) {
  const size_t i = find_issue(s, 0, op);
  return i == NOT_FOUND ? i : of_insn(s, i, kind);
}

/* ---- operands ---- */

bool spoil_uniform_read_value(struct stream *s) {
  RECORD_OR_FAIL(i, record_of(s, ISA_OP_UIADD3, HEDDLE_RECORD_UNIFORM_READ));
  s->r[i].u.uniform_read.data[1] ^= 0x80;
  return true;
}
bool spoil_uniform_read_extra(struct stream *s) {
  RECORD_OR_FAIL(i, record_of(s, ISA_OP_UIADD3, HEDDLE_RECORD_UNIFORM_READ));
  s->r[i].u.uniform_read.used |= 8; /* a second word of c */
  return true;
}
bool spoil_uniform_read_twice(struct stream *s) {
  RECORD_OR_FAIL(i, record_of(s, ISA_OP_UIADD3, HEDDLE_RECORD_UNIFORM_READ));
  stream_insert(s, i + 1, &s->r[i]);
  return true;
}
bool spoil_uniform_read_missing(struct stream *s) {
  RECORD_OR_FAIL(i, record_of(s, ISA_OP_UISETP, HEDDLE_RECORD_UNIFORM_READ));
  s->r[i].u.uniform_read.used &= (uint8_t)(s->r[i].u.uniform_read.used - 1);
  return true;
}
bool spoil_uniform_read_word(struct stream *s) {
  RECORD_OR_FAIL(i, record_of(s, ISA_OP_UIADD3, HEDDLE_RECORD_UNIFORM_READ));
  s->r[i].u.uniform_read.used |= 1u << HEDDLE_RECORD_UNIFORM;
  return true;
}

/* ---- results ---- */

bool spoil_uniform_write_value(struct stream *s) {
  RECORD_OR_FAIL(i, record_of(s, ISA_OP_UIMAD_WIDE, HEDDLE_RECORD_UNIFORM_WRITE));
  s->r[i].u.uniform_write.data[1] ^= 1; /* of a pair the upper word */
  return true;
}
bool spoil_uniform_write_register(struct stream *s) {
  RECORD_OR_FAIL(i, record_of(s, ISA_OP_UIADD3, HEDDLE_RECORD_UNIFORM_WRITE));
  s->r[i].u.uniform_write.rd = (uint8_t)(s->r[i].u.uniform_write.rd + 20);
  return s->r[i].u.uniform_write.used != 0;
}
bool spoil_uniform_write_twice(struct stream *s) {
  RECORD_OR_FAIL(i, record_of(s, ISA_OP_VOTEU, HEDDLE_RECORD_UNIFORM_WRITE));
  if (s->r[i].u.uniform_write.used == 0) return false;
  struct heddle_retire_record again = s->r[i];
  again.u.uniform_write.pred = 0;
  stream_insert(s, i, &again);
  return true;
}
bool spoil_uniform_write_missing(struct stream *s) {
  RECORD_OR_FAIL(i, record_of(s, ISA_OP_VOTEU, HEDDLE_RECORD_UNIFORM_WRITE));
  if (s->r[i].u.uniform_write.used == 0) return false;
  s->r[i].u.uniform_write.used = 0;
  return true;
}
bool spoil_uniform_write_early(struct stream *s) {
  RECORD_OR_FAIL(read, record_of(s, ISA_OP_UIADD3, HEDDLE_RECORD_UNIFORM_READ));
  RECORD_OR_FAIL(write, record_of(s, ISA_OP_UIADD3, HEDDLE_RECORD_UNIFORM_WRITE));
  if (write < read) return false;
  stream_move(s, write, read);
  return true;
}
bool spoil_uniform_write_word(struct stream *s) {
  RECORD_OR_FAIL(i, record_of(s, ISA_OP_UIADD3, HEDDLE_RECORD_UNIFORM_WRITE));
  s->r[i].u.uniform_write.used |= 1u << HEDDLE_RECORD_RESULT;
  return true;
}
bool spoil_uniform_write_place(struct stream *s) {
  RECORD_OR_FAIL(i, record_of(s, ISA_OP_UIADD3, HEDDLE_RECORD_UNIFORM_WRITE));
  s->r[i].u.uniform_write.rd = 63;
  return s->r[i].u.uniform_write.used != 0;
}
bool spoil_uniform_write_upt(struct stream *s) {
  RECORD_OR_FAIL(i, record_of(s, ISA_OP_UISETP, HEDDLE_RECORD_UNIFORM_WRITE));
  s->r[i].u.uniform_write.pred |= 0x80;
  return true;
}

bool spoil_uniform_predicate_value(struct stream *s) {
  RECORD_OR_FAIL(i, record_of(s, ISA_OP_UISETP, HEDDLE_RECORD_UNIFORM_WRITE));
  s->r[i].u.uniform_write.value ^= 1u << 3;
  return (s->r[i].u.uniform_write.pred >> 3 & 1u) != 0;
}
bool spoil_uniform_predicate_register(struct stream *s) {
  RECORD_OR_FAIL(i, record_of(s, ISA_OP_UISETP, HEDDLE_RECORD_UNIFORM_WRITE));
  s->r[i].u.uniform_write.pred |= 1u << 6;
  return true;
}
bool spoil_uniform_predicate_twice(struct stream *s) {
  RECORD_OR_FAIL(i, record_of(s, ISA_OP_UISETP, HEDDLE_RECORD_UNIFORM_WRITE));
  struct heddle_retire_record again = s->r[i];
  again.u.uniform_write.used = 0;
  again.u.uniform_write.pred = 1u << 2;
  stream_insert(s, i, &again);
  return true;
}

/* ---- what passes ---- */

/* The result of `writer` comes only after `reader` has issued; an instruction of the same warp. */
static bool passes(struct stream *s, enum heddle_isa_op writer, enum heddle_isa_op reader) {
  RECORD_OR_FAIL(first, find_issue(s, 0, writer));
  RECORD_OR_FAIL(write, of_insn(s, first, HEDDLE_RECORD_UNIFORM_WRITE));
  for (size_t i = write + 1; i < s->n; i++)
    if (is_op(&s->r[i], reader) && s->r[i].u.issue.id.slot == s->r[first].u.issue.id.slot) {
      stream_move(s, write, i);
      return true;
    }
  return false;
}

bool spoil_uniform_raw(struct stream *s) {
  return passes(s, ISA_OP_UMOV, ISA_OP_UIADD3);
}
bool spoil_uniform_pred_raw(struct stream *s) {
  return passes(s, ISA_OP_UISETP, ISA_OP_USHF);
}
bool spoil_uniform_all_raw(struct stream *s) {
  return passes(s, ISA_OP_UR2UP, ISA_OP_UP2UR);
}
