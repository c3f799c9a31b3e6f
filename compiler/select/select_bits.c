/* SPDX-License-Identifier: Apache-2.0
 *
 * Shifts, fields, counting and finding bits, bytes.
 */
#include "compiler/select/select.h"

/* Shifts. Amounts clamp at the width. */

struct shift {
  struct mir_operand lo, hi;
  unsigned n; /* below 64 */
  bool right, is_signed;
};

/* rd = x shifted by n, 0 <= n < 32, zeros or signs coming in */
static void shift_word(struct select *s, const struct shift *h, struct mir_operand rd, struct mir_operand x,
                       unsigned n) {
  if (n == 0)
    sel_mov(s, rd, x);
  else if (h->right)
    (void)sel_shf(s, rd, mir_zero(), mir_imm(n), x, true, h->is_signed ? ISA_SHTYPE_S32 : ISA_SHTYPE_U32, true);
  else
    (void)sel_shf(s, rd, x, mir_imm(n), mir_zero(), false, ISA_SHTYPE_U32, false);
}

/* The word that bits leave for the other one. */
static void near_word(struct select *s, const struct shift *h, struct mir_operand rd) {
  if (h->n < 32)
    shift_word(s, h, rd, h->right ? h->hi : h->lo, h->n);
  else if (h->is_signed)
    shift_word(s, h, rd, h->hi, 31);
  else
    sel_mov(s, rd, mir_zero());
}

/* The word that bits come to from the other one. */
static void far_word(struct select *s, const struct shift *h, struct mir_operand rd) {
  if (h->n >= 32)
    shift_word(s, h, rd, h->right ? h->hi : h->lo, h->n - 32);
  else if (h->n == 0)
    sel_mov(s, rd, h->right ? h->lo : h->hi);
  else
    (void)sel_shf(s, rd, h->lo, mir_imm(h->n), h->hi, h->right, ISA_SHTYPE_U64, !h->right);
}

/* By a known amount: only what is wanted is read. The far word needs both words of the operand and is written first. */
static void by_constant(struct select *s, bool right, bool is_signed, unsigned n) {
  const struct ir_operand a = s->insn->src[0];
  const bool low_only = sel_narrow(s, 0);
  bool reads_lo = right ? n < 32 : n < 32 || !low_only, reads_hi = right || (n < 32 && !low_only);
  struct shift h = {.n = n, .right = right, .is_signed = is_signed};
  h.lo = reads_lo ? sel_low(s, a) : mir_zero();
  h.hi = reads_hi ? sel_high(s, a) : mir_zero();
  struct mir_operand d = sel_dst(s, 0);
  if (right) {
    far_word(s, &h, mir_word(d, 0));
    if (!low_only) near_word(s, &h, mir_word(d, 1));
  } else {
    if (!low_only) far_word(s, &h, mir_word(d, 1));
    near_word(s, &h, mir_word(d, 0));
  }
}

static void by_number(struct select *s, bool right, bool is_signed) {
  const struct ir_insn *i = s->insn;
  const unsigned type = is_signed ? ISA_SHTYPE_S64 : ISA_SHTYPE_U64;
  struct mir_operand lo = sel_reg(s, sel_low(s, i->src[0])), n = sel_low(s, i->src[1]);
  if (sel_narrow(s, 0) && !right) {
    (void)sel_shf(s, sel_dst(s, 0), lo, n, mir_zero(), false, type, false);
    return;
  }
  struct mir_operand hi = sel_reg(s, sel_high(s, i->src[0])), d = sel_dst(s, 0);
  if (d.words == 1) {
    (void)sel_shf(s, d, lo, n, hi, true, type, false);
    return;
  }
  (void)sel_shf(s, mir_word(d, right ? 0 : 1), lo, n, hi, right, type, !right);
  (void)sel_shf(s, mir_word(d, right ? 1 : 0), lo, n, hi, right, type, right);
}

static void wide(struct select *s, bool right, bool is_signed) {
  const struct ir_insn *i = s->insn;
  struct sel_scaled x;
  if (!sel_narrow(s, 0) && sel_is_scaled(s, i, &x)) {
    struct mir_operand index = sel_low(s, x.index);
    sel_imad_wide(s, sel_dst(s, 0), index, mir_imm(x.scale), mir_zero(), x.is_signed);
  } else if (i->src[1].kind != IR_CONST) {
    by_number(s, right, is_signed);
  } else if (i->src[1].bits < 64 || is_signed) {
    by_constant(s, right, is_signed, i->src[1].bits < 64 ? (unsigned)i->src[1].bits : 63);
  } else {
    sel_mov(s, sel_dst(s, 0), mir_zero());
  }
}

/* SHL, SHR */
void select_shift(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool right = i->op == IR_SHR, is_signed = right && sel_is_signed(i->type);
  if (sel_is_64(i->type)) {
    wide(s, right, is_signed);
    return;
  }
  struct mir_operand a = sel_low(s, i->src[0]), n = sel_low(s, i->src[1]);
  if (right) /* {a:0} >> n, the upper word */
    (void)sel_shf(s, sel_dst(s, 0), mir_zero(), n, a, true, is_signed ? ISA_SHTYPE_S32 : ISA_SHTYPE_U32, true);
  else
    (void)sel_shf(s, sel_dst(s, 0), a, n, mir_zero(), false, ISA_SHTYPE_U32, false);
}

/* SHF: the operands are low, high, amount. */
void select_funnel(struct select *s) {
  const struct ir_insn *i = s->insn;
  struct mir_operand lo = sel_low(s, i->src[0]), hi = sel_low(s, i->src[1]), n = sel_low(s, i->src[2]);
  struct mir_insn *m = sel_shf(s, sel_dst(s, 0), lo, n, hi, i->funnel.right, ISA_SHTYPE_U32, !i->funnel.right);
  mir_set(m, ISA_F_WRAP, i->funnel.wrap);
}

/* Bit fields. Silicon takes the low byte of position and length in the 32-bit forms, the whole word in the 64-bit ones
 * (tests/silicon/ops). */

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

/* Counting and finding bits; bytes. */

static void flo(struct select *s, struct mir_operand rd, struct mir_operand x, bool is_signed, bool left) {
  struct mir_insn *m = sel_op(s, ISA_OP_FLO, rd, mir_none(), x, mir_none());
  mir_set(m, ISA_F_SIGN, is_signed ? ISA_SIGN_S32 : ISA_SIGN_U32);
  mir_set(m, ISA_F_SH, left ? ISA_SH_SH : ISA_SH_NONE);
}

static struct mir_operand not_zero(struct select *s, struct mir_operand x) {
  struct mir_operand p = sel_new_predicate(s);
  struct mir_insn *m = sel_op(s, ISA_OP_ISETP, mir_none(), sel_reg(s, x), mir_zero(), mir_none());
  mir_set(m, ISA_F_ICMP, ISA_ICMP_NE);
  m->pd[0] = p;
  return p;
}

static void at_most(struct select *s, struct mir_operand rd, struct mir_operand x, uint32_t most) {
  struct mir_insn *m = sel_op(s, ISA_OP_IMNMX, rd, x, mir_imm(most), mir_none());
  mir_set(m, ISA_F_SIGN, ISA_SIGN_U32);
  m->ps[0] = sel_choice(true);
}

/* The topmost one of 64 bits; a word of zeros gives all ones, which another 32 does not change. */
static void find_64(struct select *s, struct mir_operand rd, struct mir_operand lo, struct mir_operand hi, bool left) {
  struct mir_operand t = sel_new(s, 1), u = sel_new(s, 1), more = sel_new(s, 1), p = not_zero(s, hi);
  flo(s, t, hi, false, left);
  flo(s, u, lo, false, left);
  sel_lop3(s, more, left ? u : t, mir_imm(32), mir_zero(), 0xfc);
  sel_sel(s, rd, left ? t : more, left ? more : u, p);
}

/* BFIND: of a negative number the topmost zero. */
void select_bfind(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool is_signed = sel_is_signed(i->type);
  struct mir_operand lo = sel_low(s, i->src[0]);
  if (!sel_is_64(i->type)) {
    flo(s, sel_dst(s, 0), lo, is_signed, i->shift_amount);
    return;
  }
  struct mir_operand hi = sel_high(s, i->src[0]);
  if (is_signed) {
    struct mir_operand sign = sel_new(s, 1), l = sel_new(s, 1), h = sel_new(s, 1);
    (void)sel_shf(s, sign, mir_zero(), mir_imm(31), hi, true, ISA_SHTYPE_S32, true);
    sel_lop3(s, l, sign, lo, mir_zero(), 0x3c);
    sel_lop3(s, h, sign, hi, mir_zero(), 0x3c);
    lo = l;
    hi = h;
  }
  find_64(s, sel_dst(s, 0), lo, hi, i->shift_amount);
}

static void popc(struct select *s, struct mir_operand rd, struct mir_operand x) {
  (void)sel_op(s, ISA_OP_POPC, rd, mir_none(), x, mir_none());
}

static void count_64(struct select *s, struct mir_operand lo, struct mir_operand hi) {
  struct mir_operand t = sel_new(s, 1), u = sel_new(s, 1);
  if (s->insn->op == IR_POPC) {
    popc(s, t, lo);
    popc(s, u, hi);
    sel_iadd(s, sel_dst(s, 0), mir_none(), t, u, mir_zero());
    return;
  }
  find_64(s, t, lo, hi, true);
  at_most(s, sel_dst(s, 0), t, 64);
}

/* POPC, CLZ, BREV */
void select_count(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool wide = sel_is_64(i->type);
  struct mir_operand lo = sel_low(s, i->src[0]), hi = wide ? sel_high(s, i->src[0]) : mir_zero();
  if (i->op == IR_BREV) {
    struct mir_operand d = wide ? sel_dst_late(s, 0) : sel_dst(s, 0);
    (void)sel_op(s, ISA_OP_BREV, mir_word(d, 0), mir_none(), wide ? hi : lo, mir_none());
    if (d.words == 2) (void)sel_op(s, ISA_OP_BREV, mir_word(d, 1), mir_none(), lo, mir_none());
    sel_finish(s, 0, d);
  } else if (wide) {
    count_64(s, lo, hi);
  } else if (i->op == IR_POPC) {
    popc(s, sel_dst(s, 0), lo);
  } else {
    struct mir_operand t = sel_new(s, 1);
    flo(s, t, lo, false, true);
    at_most(s, sel_dst(s, 0), t, 32);
  }
}

/* PRMT a b selector; DP4A a b c, bytes of a and b signed by type and type2 */
void select_bytes(struct select *s) {
  const struct ir_insn *i = s->insn;
  struct mir_operand a = sel_low(s, i->src[0]), b = sel_low(s, i->src[1]), c = sel_low(s, i->src[2]);
  if (i->op == IR_PRMT) {
    mir_set(sel_op(s, ISA_OP_PRMT, sel_dst(s, 0), a, c, b), ISA_F_PRMT, i->permute);
    return;
  }
  struct mir_insn *m = sel_op(s, ISA_OP_IDP4A, sel_dst(s, 0), a, b, c);
  mir_set(m, ISA_F_BYTEA, sel_is_signed(i->type) ? ISA_BYTE8_S8 : ISA_BYTE8_U8);
  mir_set(m, ISA_F_BYTEB, sel_is_signed(i->type2) ? ISA_BYTE8_S8 : ISA_BYTE8_U8);
}
