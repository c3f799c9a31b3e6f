/* SPDX-License-Identifier: Apache-2.0
 *
 * Spoilers of what is read and written: operands, registers, predicates.
 */
#include "mutations_values.h"

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
