/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs straight-line integer operations of a graph, by what ir.h says they mean. Bits that a rule leaves undefined are
 * filled with rubbish. For tests.
 */
#ifndef HEDDLE_TEST_IR_RUN_H
#define HEDDLE_TEST_IR_RUN_H

#include "tests/compiler/lower/lowered.h"

struct ir_run {
  const struct ir_function *f;
  uint64_t value[4096];
};

static inline unsigned run_bits(enum ptx_type t) {
  return t == PTX_PRED ? 1 : 8 * ptx_type_bytes(t);
}
static inline uint64_t run_mask(unsigned bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}
static inline bool run_signed(enum ptx_type t) {
  return t == PTX_S8 || t == PTX_S16 || t == PTX_S32 || t == PTX_S64;
}
static inline uint64_t run_extend(uint64_t v, enum ptx_type t) {
  unsigned bits = run_bits(t);
  v &= run_mask(bits);
  return run_signed(t) && v >> (bits - 1) ? v | ~run_mask(bits) : v;
}

static inline struct ir_value *run_find(const struct ir_function *f, const char *name) {
  for (const struct ir_insn *i = f->first->first; i; i = i->next) {
    for (unsigned k = 0; k < i->dsts; k++)
      if (i->dst[k]->name && strcmp(i->dst[k]->name, name) == 0) return i->dst[k];
    for (unsigned k = 0; k < i->sources; k++)
      if (i->src[k].kind == IR_VALUE && i->src[k].value->name && strcmp(i->src[k].value->name, name) == 0)
        return i->src[k].value;
  }
  return NULL;
}

static inline bool run_compare(enum ir_cmp cmp, enum ptx_type t, uint64_t a, uint64_t b) {
  a = run_extend(a, t);
  b = run_extend(b, t);
  bool less = run_signed(t) ? (int64_t)a < (int64_t)b : a < b;
  switch (cmp) {
  case IR_EQ:
    return a == b;
  case IR_NE:
    return a != b;
  case IR_LT:
    return less;
  case IR_LE:
    return less || a == b;
  case IR_GT:
    return !less && a != b;
  default:
    return !less;
  }
}

static inline uint64_t run_shift(const struct ir_insn *i, uint64_t a, uint64_t amount) {
  enum ptx_type t = (enum ptx_type)i->type;
  unsigned bits = run_bits(t);
  a = run_extend(a, t);
  if (i->op == IR_SHL) return amount >= bits ? 0 : a << amount;
  if (amount >= bits) amount = run_signed(t) ? bits - 1 : bits;
  if (amount >= 64) return 0;
  return run_signed(t) ? (uint64_t)((int64_t)a >> amount) : a >> amount;
}

static inline uint64_t run_field(const struct ir_insn *i, const uint64_t *s) {
  unsigned bits = run_bits((enum ptx_type)i->type);
  uint64_t at = s[i->sources - 2] & 0xff, length = s[i->sources - 1] & 0xff;
  if (i->op == IR_BFI) {
    uint64_t field = at >= bits ? 0 : (length >= 64 ? UINT64_MAX : run_mask((unsigned)length)) << at & run_mask(bits);
    return (s[1] & ~field) | (s[0] << (at & 63) & field);
  }
  uint64_t v = run_extend(s[0], (enum ptx_type)i->type), out = 0;
  if (!length) return 0;
  for (uint64_t k = 0; k < bits; k++) { /* beyond the field, or the value: the field's sign */
    uint64_t from = at + (k < length ? k : length - 1);
    if (from >= bits) from = bits - 1;
    bool in_field = k < length && at + k < bits;
    if (in_field || run_signed((enum ptx_type)i->type)) out |= (v >> from & 1) << k;
  }
  return out;
}

static inline uint64_t run_product_high(enum ptx_type t, uint64_t a, uint64_t b) {
  return run_extend(a, t) * run_extend(b, t) >> 32; /* 32-bit factors */
}

/* dst[0]; the operations that have two are in run_insn. */
static inline uint64_t run_value(const struct ir_insn *i, const uint64_t *s) {
  enum ptx_type t = (enum ptx_type)i->type;
  uint64_t a = run_extend(s[0], t), b = run_extend(s[1], t);
  switch (i->op) {
  case IR_COPY:
    return s[0];
  case IR_ADD:
    return a + b;
  case IR_SUB:
    return a - b;
  case IR_MUL:
  case IR_MULWIDE:
    return a * b;
  case IR_MULHI:
    return run_product_high(t, a, b);
  case IR_MAD:
    return a * b + s[2];
  case IR_MADWIDE:
    return a * b + s[2];
  case IR_DIV:
    return run_signed(t) ? (uint64_t)((int64_t)a / (int64_t)b) : a / b;
  case IR_REM:
    return run_signed(t) ? (uint64_t)((int64_t)a % (int64_t)b) : a % b;
  case IR_NEG:
    return -a;
  case IR_ABS:
    return (int64_t)a < 0 ? -a : a;
  case IR_MIN:
    return run_compare(IR_LT, t, a, b) ? a : b;
  case IR_MAX:
    return run_compare(IR_LT, t, a, b) ? b : a;
  case IR_SAD:
    return (run_compare(IR_LT, t, a, b) ? b - a : a - b) + s[2];
  case IR_AND:
    return a & b;
  case IR_OR:
    return a | b;
  case IR_XOR:
    return a ^ b;
  case IR_NOT:
    return ~a;
  case IR_LOP3: {
    uint64_t out = 0;
    for (unsigned k = 0; k < 32; k++)
      out |= (uint64_t)(i->lut >> ((s[0] >> k & 1) << 2 | (s[1] >> k & 1) << 1 | (s[2] >> k & 1)) & 1) << k;
    return out;
  }
  case IR_SHL:
  case IR_SHR:
    return run_shift(i, s[0], s[1]);
  case IR_BFE:
  case IR_BFI:
    return run_field(i, s);
  case IR_SETP:
    return run_compare((enum ir_cmp)i->comparison.cmp, t, s[0], s[1]);
  case IR_SELP:
    return s[2] ? s[0] : s[1];
  case IR_CVT:
    return run_extend(s[0], (enum ptx_type)i->type2);
  case IR_PACK:
    return t == PTX_B64 ? s[0] | s[1] << 32 : (s[0] & 0xffff) | s[1] << 16;
  case IR_UNPACK:
    return t == PTX_B64 ? s[0] & UINT32_MAX : (s[0] & 0xffff) | 0x5a5a0000;
  default:
    fail_msg("%s is not an operation of this runner", ir_op_name((enum ir_op)i->op));
    return 0;
  }
}

static inline void run_insn(struct ir_run *r, const struct ir_insn *i) {
  uint64_t s[IR_SRC_MAX] = {0};
  static const unsigned bits[] = {[IR_PRED] = 1, [IR_32] = 32, [IR_64] = 64};
  for (unsigned k = 0; k < i->sources; k++)
    s[k] = i->src[k].kind == IR_VALUE ? r->value[i->src[k].value->id] : i->src[k].bits;
  r->value[i->dst[0]->id] = run_value(i, s) & run_mask(bits[i->dst[0]->class]);
  if (i->op == IR_UNPACK)
    r->value[i->dst[1]->id] = i->type == PTX_B64 ? s[0] >> 32 : (s[0] >> 16 & 0xffff) | 0xc3c30000;
}

static inline void run_all(struct ir_run *r) {
  for (const struct ir_insn *i = r->f->first->first; i && i->op != IR_EXIT; i = i->next) run_insn(r, i);
}

#endif
