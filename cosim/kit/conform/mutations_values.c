/* SPDX-License-Identifier: Apache-2.0
 *
 * Spoilers of what is read and written: operands, registers, predicates.
 */
#include "cosim/kit/conform/mutations.h"
#include "cosim/kit/conform/stream_find.h"

/* ---- operands ---- */

static size_t operands_of(const struct stream *s, enum heddle_isa_op op, uint32_t kind) {
  const size_t i = find_issue(s, 0, op);
  return i == NOT_FOUND ? i : of_insn(s, i, kind);
}

bool spoil_operand_value(struct stream *s) {
  RECORD_OR_FAIL(i, operands_of(s, ISA_OP_IMAD, HEDDLE_RECORD_OPERANDS));
  s->r[i].u.operands.data[2][0] ^= 4; /* rows: a, b, c */
  return true;
}
bool spoil_operand_special(struct stream *s) {
  RECORD_OR_FAIL(i, operands_of(s, ISA_OP_S2R, HEDDLE_RECORD_OPERANDS));
  s->r[i].u.operands.data[0][1] ^= 1;
  return true;
}
bool spoil_operand_slot(struct stream *s) {
  RECORD_OR_FAIL(i, operands_of(s, ISA_OP_IMAD, HEDDLE_RECORD_OPERANDS));
  s->r[i].u.operands.used |= 8;
  s->r[i].u.operands.index[3] = 1;
  return true;
}
bool spoil_operand_twice(struct stream *s) {
  RECORD_OR_FAIL(i, operands_of(s, ISA_OP_IMAD, HEDDLE_RECORD_OPERANDS));
  s->r[i].u.operands.index[1] = s->r[i].u.operands.index[0];
  return true;
}
bool spoil_operand_absent(struct stream *s) {
  RECORD_OR_FAIL(i, operands_of(s, ISA_OP_IMAD, HEDDLE_RECORD_OPERANDS));
  s->r[i].u.operands.index[1] = HEDDLE_RECORD_WORDS;
  return true;
}
bool spoil_operand_double(struct stream *s) {
  RECORD_OR_FAIL(i, operands_of(s, ISA_OP_IMAD, HEDDLE_RECORD_OPERANDS));
  stream_insert(s, i + 1, &s->r[i]);
  return true;
}
bool spoil_operand_port(struct stream *s) {
  RECORD_OR_FAIL(i, operands_of(s, ISA_OP_IMAD, HEDDLE_RECORD_OPERANDS));
  s->r[i].kind = HEDDLE_RECORD_OPERANDS_MEMORY;
  return true;
}
bool spoil_operand_missing(struct stream *s) {
  RECORD_OR_FAIL(i, operands_of(s, ISA_OP_STG_E, HEDDLE_RECORD_OPERANDS_MEMORY));
  stream_drop(s, i);
  return true;
}

bool spoil_operand_lane(struct stream *s) {
  for (size_t i = 0; i < s->n; i++) {
    struct heddle_record_operands *o = &s->r[i].u.operands;
    if (s->r[i].kind != HEDDLE_RECORD_OPERANDS || o->mask == 0 || o->mask == 0xff) continue;
    o->mask = 0xff;
    return true;
  }
  return false;
}

/* ---- writeback ---- */

bool spoil_write_value(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_FADD));
  for (unsigned k = 0; k < 4; k++) s->r[i].u.write.data[k] ^= 1;
  return s->r[i].u.write.mask != 0;
}
bool spoil_write_load(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_LDS));
  s->r[i].u.write.data[0] ^= 0x80000000u;
  return true;
}
bool spoil_write_register(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.rd++;
  return true;
}
bool spoil_write_double(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  stream_insert(s, i + 1, &s->r[i]);
  return true;
}
bool spoil_write_missing(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMNMX));
  stream_drop(s, i);
  return true;
}

bool spoil_write_nothing(struct stream *s) {
  RECORD_OR_FAIL(st, find_issue(s, 0, ISA_OP_STG_E));
  RECORD_OR_FAIL(p, of_insn(s, st, HEDDLE_RECORD_OPERANDS_MEMORY));
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_WRITE, .cycle = s->r[p].cycle};
  r.u.write = (struct heddle_record_write){.id = s->r[st].u.issue.id, .rd = 5, .mask = 1};
  stream_insert(s, p + 1, &r);
  return true;
}

bool spoil_write_lane(struct stream *s) {
  for (size_t i = 0; i < s->n; i++) {
    struct heddle_record_write *w = &s->r[i].u.write;
    if (s->r[i].kind != HEDDLE_RECORD_WRITE || w->mask == 0 || w->mask == 0xff) continue;
    w->mask = 0xff;
    return true;
  }
  return false;
}

bool spoil_write_before_read(struct stream *s) {
  RECORD_OR_FAIL(issue, find_issue(s, 0, ISA_OP_IMAD));
  RECORD_OR_FAIL(w, of_insn(s, issue, HEDDLE_RECORD_WRITE));
  stream_move(s, w, issue + 1);
  return true;
}

bool spoil_write_before_perform(struct stream *s) {
  RECORD_OR_FAIL(issue, find_issue(s, 0, ISA_OP_LDG_E));
  RECORD_OR_FAIL(g, of_insn(s, issue, HEDDLE_RECORD_GLOBAL));
  RECORD_OR_FAIL(w, of_insn(s, issue, HEDDLE_RECORD_WRITE));
  stream_move(s, w, g);
  return true;
}

bool spoil_write_row(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.row += 4;
  return true;
}
bool spoil_write_bank(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.bank ^= 1;
  return true;
}
bool spoil_write_port(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD));
  s->r[i].u.write.port = HEDDLE_RECORD_PORTS;
  return true;
}

/* More register writes in one cycle than there are ports. */
bool spoil_writes_at_once(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_IMAD_WIDE));
  for (size_t k = 1; k < 5; k++) {
    if (s->r[i + k].kind != HEDDLE_RECORD_WRITE) return false;
    s->r[i + k].cycle = s->r[i].cycle;
  }
  return true;
}

/* ---- predicates ---- */

static size_t predicate_of(const struct stream *s) {
  const size_t i = find_issue(s, 0, ISA_OP_ISETP);
  return i == NOT_FOUND ? i : of_insn(s, i, HEDDLE_RECORD_PREDICATE);
}
bool spoil_predicate_value(struct stream *s) {
  RECORD_OR_FAIL(i, predicate_of(s));
  s->r[i].u.predicate.value[(s->r[i].u.predicate.used & 1u) != 0 ? 0 : 1].data ^= 1;
  return true;
}
bool spoil_predicate_register(struct stream *s) {
  RECORD_OR_FAIL(i, predicate_of(s));
  s->r[i].u.predicate.value[(s->r[i].u.predicate.used & 1u) != 0 ? 0 : 1].index = 4;
  return true;
}
bool spoil_predicate_double(struct stream *s) {
  RECORD_OR_FAIL(i, predicate_of(s));
  stream_insert(s, i + 1, &s->r[i]);
  return true;
}

bool spoil_predicate_missing(struct stream *s) {
  const size_t first = find_issue(s, 0, ISA_OP_ISETP);
  if (first == NOT_FOUND) return false;
  RECORD_OR_FAIL(second, next_issue(s, first)); /* P5, which is written again and never read */
  RECORD_OR_FAIL(third, next_issue(s, second));
  RECORD_OR_FAIL(p, of_insn(s, third, HEDDLE_RECORD_PREDICATE));
  stream_drop(s, p);
  return true;
}

bool spoil_predicate_lane(struct stream *s) {
  for (size_t i = 0; i < s->n; i++) {
    struct heddle_record_predicate_value *p = &s->r[i].u.predicate.value[0];
    if (s->r[i].kind != HEDDLE_RECORD_PREDICATE || (s->r[i].u.predicate.used & 1u) == 0) continue;
    if (p->mask == 0 || p->mask == 0xff) continue;
    p->mask = 0xff;
    return true;
  }
  return false;
}

/* Uniform operands and results that are wrong, missing, doubled, or pass each other. */

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
