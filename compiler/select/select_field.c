/* SPDX-License-Identifier: Apache-2.0
 *
 * Bit fields. Silicon takes the low byte of position and length in the 32-bit forms, the whole word in the 64-bit ones
 * (tests/silicon/ops).
 */
#include "compiler/select/select.h"

/* The low byte of a position or length. */
static struct mir_operand byte_of(struct select *s, struct ir_operand o) {
  if (o.kind == IR_CONST) return sel_imm((uint32_t)o.bits & 0xff);
  struct mir_operand r = sel_new(s, 1);
  sel_lop3(s, r, sel_low(s, o), mir_imm(0xff), mir_zero(), 0xc0);
  return r;
}

static bool constant_amount(struct ir_operand o, unsigned mask, unsigned most, unsigned *v) {
  if (o.kind != IR_CONST) return false;
  uint64_t x = o.bits & (mask ? mask : UINT32_MAX);
  *v = x > most ? most : (unsigned)x;
  return true;
}

static void extend_field(struct select *s, struct mir_operand rd, struct mir_operand x, struct mir_operand length,
                         bool is_signed) {
  struct mir_insn *m = sel_op(s, ISA_OP_SGXT, rd, sel_reg(s, x), length, mir_none());
  mir_set(m, ISA_F_SIGN, is_signed ? ISA_SIGN_S32 : ISA_SIGN_U32);
}

/* Bits pos .. pos + n - 1 of x, all known; pos, n at most 32. */
static void extract_word(struct select *s, struct mir_operand rd, struct mir_operand x, unsigned pos, unsigned n,
                         bool is_signed) {
  const unsigned type = is_signed ? ISA_SHTYPE_S32 : ISA_SHTYPE_U32;
  struct mir_operand t = x;
  if (n == 0) {
    sel_mov(s, rd, mir_zero());
    return;
  }
  if (pos > 0) {
    t = pos + n >= 32 ? rd : sel_new(s, 1);
    (void)sel_shf(s, t, mir_zero(), mir_imm(pos), x, true, type, true);
  } else if (n >= 32) {
    sel_mov(s, rd, x);
  }
  if (pos + n >= 32) return;
  if (is_signed)
    extend_field(s, rd, t, mir_imm(n), true);
  else
    sel_lop3(s, rd, t, mir_imm((UINT32_C(1) << n) - 1), mir_zero(), 0xc0);
}

static void extract_32(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool is_signed = sel_is_signed(i->type);
  unsigned pos, n;
  struct mir_operand x = sel_low(s, i->src[0]);
  if (constant_amount(i->src[1], 0xff, 32, &pos) && constant_amount(i->src[2], 0xff, 32, &n)) {
    extract_word(s, sel_dst(s, 0), x, pos, n, is_signed);
    return;
  }
  struct mir_operand p = byte_of(s, i->src[1]), length = byte_of(s, i->src[2]), t = sel_new(s, 1);
  (void)sel_shf(s, t, mir_zero(), p, x, true, is_signed ? ISA_SHTYPE_S32 : ISA_SHTYPE_U32, true);
  extend_field(s, sel_dst(s, 0), t, length, is_signed);
}

static void shift_pair(struct select *s, struct mir_operand rd, struct mir_operand lo, struct mir_operand hi,
                       struct mir_operand n, bool right, unsigned type) {
  (void)sel_shf(s, mir_word(rd, 0), lo, n, hi, right, type, false);
  (void)sel_shf(s, mir_word(rd, 1), lo, n, hi, right, type, true);
}

/* 64 - min(length, 64) */
static struct mir_operand room_above(struct select *s, struct ir_operand length) {
  unsigned n;
  if (constant_amount(length, 0, 64, &n)) return sel_imm(64 - n);
  struct mir_operand t = sel_new(s, 1), r = sel_new(s, 1);
  struct mir_insn *m = sel_op(s, ISA_OP_IMNMX, t, sel_low(s, length), mir_imm(64), mir_none());
  mir_set(m, ISA_F_SIGN, ISA_SIGN_U32);
  m->ps[0] = sel_choice(true);
  sel_iadd(s, r, mir_none(), sel_neg(t), mir_imm(64), mir_zero());
  return r;
}

static void extract_64(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool is_signed = sel_is_signed(i->type);
  const unsigned type = is_signed ? ISA_SHTYPE_S64 : ISA_SHTYPE_U64;
  struct mir_operand lo = sel_reg(s, sel_low(s, i->src[0])), hi = sel_reg(s, sel_high(s, i->src[0]));
  unsigned pos, n;
  bool known = constant_amount(i->src[1], 0, 64, &pos) && constant_amount(i->src[2], 0, 64, &n);
  if (known && !is_signed && n <= 32 && (pos >= 32 || pos + n <= 32)) { /* within one word */
    struct mir_operand d = sel_dst_pair(s, 0), t = sel_new(s, 1);
    extract_word(s, t, pos >= 32 ? hi : lo, pos & 31, pos == 64 ? 0 : n, false);
    sel_mov(s, mir_word(d, 0), t);
    sel_mov(s, mir_word(d, 1), mir_zero());
    return;
  }
  struct mir_operand v = sel_new(s, 2), w = sel_new(s, 2), u = room_above(s, i->src[2]);
  shift_pair(s, v, lo, hi, sel_low(s, i->src[1]), true, type);
  shift_pair(s, w, mir_word(v, 0), mir_word(v, 1), u, false, ISA_SHTYPE_U64);
  shift_pair(s, sel_dst_pair(s, 0), mir_word(w, 0), mir_word(w, 1), u, true, type);
}

/* BFE a pos len */
void select_bfe(struct select *s) {
  if (sel_is_64(s->insn->type))
    extract_64(s);
  else
    extract_32(s);
}

enum { CHOOSE = 0xe2 }; /* LOP3: b ? a : c, bit by bit */

static void insert_32(struct select *s) {
  const struct ir_insn *i = s->insn;
  struct mir_operand a = sel_low(s, i->src[0]), b = sel_low(s, i->src[1]), t = sel_new(s, 1), mask;
  struct mir_operand p = byte_of(s, i->src[2]), length = byte_of(s, i->src[3]);
  unsigned pos, n;
  if (constant_amount(i->src[2], 0xff, 32, &pos) && constant_amount(i->src[3], 0xff, 32, &n)) {
    mask = sel_imm((uint32_t)(((UINT64_C(1) << n) - 1) << pos));
  } else {
    mask = sel_new(s, 1);
    (void)sel_op(s, ISA_OP_BMSK, mask, sel_reg(s, p), length, mir_none());
  }
  (void)sel_shf(s, t, a, p, mir_zero(), false, ISA_SHTYPE_U32, false);
  sel_lop3(s, sel_dst(s, 0), t, mask, b, CHOOSE);
}

/* ~(~0 << n) << pos */
static struct mir_operand mask_64(struct select *s, struct mir_operand pos, struct mir_operand n) {
  struct mir_operand ones = sel_reg(s, mir_imm(UINT32_MAX)), t = sel_new(s, 2), u = sel_new(s, 2), r = sel_new(s, 2);
  shift_pair(s, t, ones, ones, n, false, ISA_SHTYPE_U64);
  for (unsigned w = 0; w < 2; w++) sel_lop3(s, mir_word(u, w), mir_word(t, w), mir_zero(), mir_zero(), 0x0f);
  shift_pair(s, r, mir_word(u, 0), mir_word(u, 1), pos, false, ISA_SHTYPE_U64);
  return r;
}

static void insert_64(struct select *s) {
  const struct ir_insn *i = s->insn;
  struct mir_operand lo = sel_reg(s, sel_low(s, i->src[0])), hi = sel_reg(s, sel_high(s, i->src[0])), t = sel_new(s, 2),
                     mask[2];
  struct mir_operand p = sel_low(s, i->src[2]), length = sel_low(s, i->src[3]);
  unsigned pos, n;
  if (constant_amount(i->src[2], 0, 64, &pos) && constant_amount(i->src[3], 0, 64, &n)) {
    uint64_t ones = n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX, v = pos < 64 ? ones << pos : 0;
    for (unsigned w = 0; w < 2; w++) mask[w] = sel_imm((uint32_t)(v >> (32 * w)));
  } else {
    struct mir_operand m = mask_64(s, p, length);
    for (unsigned w = 0; w < 2; w++) mask[w] = mir_word(m, w);
  }
  shift_pair(s, t, lo, hi, p, false, ISA_SHTYPE_U64);
  struct mir_operand b[2] = {sel_low(s, i->src[1]), sel_high(s, i->src[1])}, d = sel_dst_pair(s, 0);
  for (unsigned w = 0; w < 2; w++) sel_lop3(s, mir_word(d, w), mir_word(t, w), mask[w], b[w], CHOOSE);
}

/* BFI a b pos len: a into b */
void select_bfi(struct select *s) {
  if (sel_is_64(s->insn->type))
    insert_64(s);
  else
    insert_32(s);
}
