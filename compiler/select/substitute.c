/* SPDX-License-Identifier: Apache-2.0
 *
 * What the RTL lacks, done with what it has.
 */
#include "substitute.h"

/* What the RTL lacks: permutations of bytes, absolute differences, fields whose length is in a register. */

enum { AND = 0xc0, OR = 0xfc, NOT = 0x0f, MASK_OR = 0xea, CHOOSE = 0xca }; /* MASK_OR: (a & b) | c; CHOOSE: a ? b : c */
enum { BYTES = 4 };

/* ---- PRMT ---- */

/* Bytes of the result that come from one word and move by the same distance, or that repeat the sign of one byte. */
struct piece {
  bool high, sign;
  int move;      /* bytes to the left; of a sign the byte that has it */
  uint32_t mask; /* of the result */
};

static struct piece piece_of(uint32_t selector, unsigned k) {
  const unsigned digit = selector >> (4 * k) & 15, byte = digit & 3;
  const bool sign = digit >> 3;
  return (struct piece){.high = (digit >> 2 & 1) != 0,
                        .sign = sign,
                        .move = sign ? (int)byte : (int)k - (int)byte,
                        .mask = UINT32_C(0xff) << (8 * k)};
}

static unsigned pieces_of(uint32_t selector, struct piece *list) {
  unsigned n = 0;
  for (unsigned k = 0; k < BYTES; k++) {
    const struct piece p = piece_of(selector, k);
    unsigned j = 0;
    while (j < n && (list[j].high != p.high || list[j].sign != p.sign || list[j].move != p.move)) j++;
    if (j == n) list[n++] = (struct piece){.high = p.high, .sign = p.sign, .move = p.move};
    list[j].mask |= p.mask;
  }
  return n;
}

/* The word with the piece in its place, and bits that may be set in *there. */
static struct mir_operand moved(struct substitute *s, const struct piece *p, struct mir_operand x, uint32_t *there) {
  *there = UINT32_MAX;
  if (p->sign) {
    if (p->move < 3) x = sub_shift(s, x, 8 * (unsigned)(3 - p->move), false, false);
    return sub_shift(s, x, 31, true, true);
  }
  if (p->move > 0) {
    *there = UINT32_MAX << (8 * p->move);
    return sub_shift(s, x, 8 * (unsigned)p->move, false, false);
  }
  if (p->move == 0) return x;
  *there = UINT32_MAX >> (8 * -p->move);
  return sub_shift(s, x, 8 * (unsigned)-p->move, true, false);
}

static void permute_known(struct substitute *s, uint32_t selector, struct mir_operand low, struct mir_operand high) {
  struct piece list[BYTES];
  const unsigned n = pieces_of(selector, list);
  struct mir_operand r = mir_zero();
  for (unsigned k = 0; k < n; k++) {
    uint32_t there;
    struct mir_operand x = moved(s, &list[k], list[k].high ? high : low, &there);
    const bool clean = there == list[k].mask, first = k == 0;
    if (!clean)
      r = sub_lop3(s, x, mir_imm(list[k].mask), r, MASK_OR);
    else
      r = first ? x : sub_lop3(s, x, r, mir_zero(), OR);
  }
  sub_move(s, r);
}

/* From the lowest byte on: each comes in at the top. */
static void permute_any(struct substitute *s, struct mir_operand selector, struct mir_operand low,
                        struct mir_operand high, bool signs) {
  struct mir_operand r = mir_zero();
  for (unsigned k = 0; k < BYTES; k++) {
    struct mir_operand at =
        k == 0 ? sub_shift(s, selector, 3, false, false) : sub_shift(s, selector, 4 * k - 3, true, false);
    at = sub_lop3(s, at, mir_imm(0x38), mir_zero(), AND);
    struct mir_operand x = sub_funnel(s, low, at, high, true, ISA_SHTYPE_U64, false);
    if (signs) {
      struct mir_operand chosen = sub_shift(s, sub_shift(s, selector, 28 - 4 * k, false, false), 31, true, true);
      struct mir_operand copies = sub_shift(s, sub_shift(s, x, 24, false, false), 31, true, true);
      x = sub_lop3(s, chosen, copies, x, CHOOSE);
    }
    r = sub_funnel(s, r, mir_imm(8), x, true, ISA_SHTYPE_U64, false);
  }
  sub_move(s, r);
}

/* Digits that a mode has for 0 to 3, 16 bits each (isa/doc/02-instructions.md). */
static uint64_t selectors_of(uint64_t mode) {
  switch (mode) {
  case ISA_PRMT_F4E:
    return UINT64_C(0x6543543243213210);
  case ISA_PRMT_B4E:
    return UINT64_C(0x0123701267015670);
  case ISA_PRMT_RC8:
    return UINT64_C(0x3333222211110000);
  case ISA_PRMT_ECL:
    return UINT64_C(0x3333322232113210);
  case ISA_PRMT_ECR:
    return UINT64_C(0x3210221011100000);
  default:
    return UINT64_C(0x3232101032321010);
  }
}

static struct mir_operand selector_of(struct substitute *s, uint64_t digits, struct mir_operand n) {
  n = sub_lop3(s, sub_shift(s, n, 4, false, false), mir_imm(0x30), mir_zero(), AND);
  struct mir_operand lo = sub_reg(s, mir_imm((uint32_t)digits)), hi = sub_reg(s, mir_imm((uint32_t)(digits >> 32)));
  return sub_funnel(s, lo, n, hi, true, ISA_SHTYPE_U64, false);
}

/* PRMT */
static bool sub_permute(struct substitute *s) {
  const struct mir_insn *i = s->insn;
  const uint64_t mode = sub_field(i, ISA_F_PRMT), digits = selectors_of(mode);
  const bool plain = mode == ISA_PRMT_IDX;
  struct mir_operand low = sub_reg(s, i->src[0]), high = sub_reg(s, i->src[2]), by = i->src[1];
  if (by.kind == MIR_ZERO) by = mir_imm(0);
  if (by.kind == MIR_IMM) {
    permute_known(s, plain ? by.imm : (uint32_t)(digits >> (16 * (by.imm & 3))) & 0xffff, low, high);
    return true;
  }
  by = sub_reg(s, by);
  permute_any(s, plain ? by : selector_of(s, digits, by), low, high, plain);
  return true;
}

/* ---- VABSDIFF, SGXT, BMSK ---- */

static bool sub_difference(struct substitute *s) {
  const struct mir_insn *i = s->insn;
  const bool is_signed = sub_field(i, ISA_F_SIGN) == ISA_SIGN_S32;
  struct mir_operand a = sub_reg(s, i->src[0]), most = sub_extreme(s, a, i->src[1], is_signed, true);
  struct mir_operand least = sub_extreme(s, a, i->src[1], is_signed, false);
  (void)sub_last(s, ISA_OP_IADD3, most, sub_minus(least), sub_reg(s, i->src[2]));
  return true;
}

/* The low n bits, by two shifts: those of 32 bits clamp at 32. */
static bool sub_extend(struct substitute *s) {
  const struct mir_insn *i = s->insn;
  const unsigned type = sub_field(i, ISA_F_SIGN) == ISA_SIGN_S32 ? ISA_SHTYPE_S32 : ISA_SHTYPE_U32;
  const bool wrap = sub_field(i, ISA_F_WRAP) != 0;
  struct mir_operand x = sub_reg(s, i->src[0]), n = i->src[1], by;
  if (n.kind == MIR_IMM) {
    n.imm = wrap ? n.imm & 31 : n.imm > 32 ? 32 : n.imm;
    by = mir_imm(32 - n.imm);
  } else {
    n = sub_reg(s, n);
    n = wrap ? sub_lop3(s, n, mir_imm(31), mir_zero(), AND) : sub_extreme(s, n, mir_imm(32), false, false);
    by = sub_add(s, sub_minus(n), mir_imm(32), mir_zero());
  }
  x = sub_funnel(s, x, by, mir_zero(), false, ISA_SHTYPE_U32, false);
  sub_move(s, sub_funnel(s, mir_zero(), by, x, true, type, true));
  return true;
}

/* BMSK */
static bool sub_mask(struct substitute *s) {
  const struct mir_insn *i = s->insn;
  struct mir_operand at = sub_reg(s, i->src[0]), n = sub_reg(s, i->src[1]), ones = sub_reg(s, mir_imm(UINT32_MAX));
  if (sub_field(i, ISA_F_WRAP) != 0) {
    at = sub_lop3(s, at, mir_imm(31), mir_zero(), AND);
    n = sub_lop3(s, n, mir_imm(31), mir_zero(), AND);
  }
  ones = sub_funnel(s, ones, n, mir_zero(), false, ISA_SHTYPE_U32, false);
  ones = sub_lop3(s, ones, mir_zero(), mir_zero(), NOT);
  sub_move(s, sub_funnel(s, ones, at, mir_zero(), false, ISA_SHTYPE_U32, false));
  return true;
}

/* What the RTL lacks, done with what it has: integer and rounding instructions for which there is an exact sequence.
 * Where the RTL of the machine has the instruction itself (mir_in_rtl) it stays, and so does everything else.
 *
 * All of a sequence carries the guard of the instruction, and the last one of it alone writes the result. */

static struct mir_insn *insert_guarded(struct substitute *s, enum heddle_isa_op op, struct mir_operand rd,
                                       struct mir_operand a, struct mir_operand b, struct mir_operand c) {
  struct mir_insn *i = ptx_alloc(s->f->arena, sizeof *i);
  *i = (struct mir_insn){.op = (uint16_t)op, .guard = s->insn->guard, .rd = rd, .src = {a, b, c}, .pos = s->insn->pos};
  mir_insert_before(s->b, s->insn, i);
  return i;
}

struct mir_insn *sub_last(struct substitute *s, enum heddle_isa_op op, struct mir_operand a, struct mir_operand b,
                          struct mir_operand c) {
  struct mir_insn *i = insert_guarded(s, op, s->insn->rd, a, b, c);
  i->keeps_old = s->insn->keeps_old;
  return i;
}

struct mir_operand sub_1(struct substitute *s, enum heddle_isa_op op, struct mir_operand a, struct mir_operand b,
                         struct mir_operand c) {
  struct mir_operand r = mir_new(s->f, MIR_R, 1);
  (void)insert_guarded(s, op, r, a, b, c);
  return r;
}

struct mir_insn *sub_made(const struct substitute *s) {
  return s->insn->prev;
}

struct mir_operand sub_shift(struct substitute *s, struct mir_operand x, unsigned by, bool right, bool is_signed) {
  struct mir_operand r =
      right ? sub_1(s, ISA_OP_SHF, mir_zero(), mir_imm(by), x) : sub_1(s, ISA_OP_SHF, x, mir_imm(by), mir_zero());
  struct mir_insn *i = sub_made(s);
  mir_set(i, ISA_F_SHDIR, right ? ISA_SHDIR_R : ISA_SHDIR_L);
  mir_set(i, ISA_F_SHTYPE, is_signed ? ISA_SHTYPE_S32 : ISA_SHTYPE_U32);
  mir_set(i, ISA_F_SHHI, right ? ISA_HI_HI : ISA_HI_NONE);
  return r;
}

struct mir_operand sub_funnel(struct substitute *s, struct mir_operand lo, struct mir_operand by, struct mir_operand hi,
                              bool right, unsigned type, bool high) {
  struct mir_operand r = sub_1(s, ISA_OP_SHF, lo, by, hi);
  struct mir_insn *i = sub_made(s);
  mir_set(i, ISA_F_SHDIR, right ? ISA_SHDIR_R : ISA_SHDIR_L);
  mir_set(i, ISA_F_SHTYPE, type);
  mir_set(i, ISA_F_SHHI, high ? ISA_HI_HI : ISA_HI_NONE);
  return r;
}

struct mir_operand sub_add(struct substitute *s, struct mir_operand a, struct mir_operand b, struct mir_operand c) {
  return sub_1(s, ISA_OP_IADD3, a, b, c);
}

struct mir_operand sub_minus(struct mir_operand x) {
  x.neg = !x.neg;
  return x;
}

struct mir_operand sub_choose(struct substitute *s, struct mir_operand p, struct mir_operand yes,
                              struct mir_operand no) {
  struct mir_operand r = sub_1(s, ISA_OP_SEL, yes, no, mir_none());
  sub_made(s)->ps[0] = p;
  return r;
}

struct mir_operand sub_extreme(struct substitute *s, struct mir_operand a, struct mir_operand b, bool is_signed,
                               bool most) {
  struct mir_operand r = sub_1(s, ISA_OP_IMNMX, a, b, mir_none());
  mir_set(sub_made(s), ISA_F_SIGN, is_signed ? ISA_SIGN_S32 : ISA_SIGN_U32);
  sub_made(s)->ps[0] = most ? mir_not(mir_zero()) : mir_zero();
  return r;
}

struct mir_operand sub_lop3(struct substitute *s, struct mir_operand a, struct mir_operand b, struct mir_operand c,
                            unsigned lut) {
  struct mir_operand r = sub_1(s, ISA_OP_LOP3_LUT, a, b, c);
  mir_set(sub_made(s), ISA_F_LUT, lut);
  return r;
}

struct mir_operand sub_reg(struct substitute *s, struct mir_operand x) {
  const bool turned = x.neg;
  x.neg = false;
  if (x.kind == MIR_IMM || x.kind == MIR_CONST) x = sub_1(s, ISA_OP_MOV, mir_none(), x, mir_none());
  return turned ? sub_lop3(s, x, mir_zero(), mir_zero(), 0x0f) : x;
}

void sub_move(struct substitute *s, struct mir_operand x) {
  (void)sub_last(s, ISA_OP_MOV, mir_none(), x, mir_none());
}

uint64_t sub_field(const struct mir_insn *i, enum heddle_isa_field f) {
  for (unsigned k = 0; k < i->fields; k++)
    if (i->field[k].field == (uint8_t)f) return i->field[k].value;
  return heddle_isa_field_default(f);
}

/* ---- instructions ---- */

/* The upper word of what IMAD.WIDE gives. */
static bool product_high(struct substitute *s) {
  const struct mir_insn *i = s->insn;
  struct mir_operand t = mir_new(s->f, MIR_R, 2);
  struct mir_insn *m = insert_guarded(s, ISA_OP_IMAD_WIDE, t, i->src[0], i->src[1], i->src[2]);
  mir_set(m, ISA_F_SIGN, sub_field(i, ISA_F_SIGN));
  sub_move(s, mir_word(t, 1));
  return true;
}

static bool absolute(struct substitute *s) {
  struct mir_operand x = sub_reg(s, s->insn->src[1]), minus = x;
  minus.neg = true;
  struct mir_operand t = sub_1(s, ISA_OP_IADD3, minus, mir_zero(), mir_zero());
  struct mir_insn *m = sub_last(s, ISA_OP_IMNMX, x, t, mir_none());
  m->ps[0] = mir_not(mir_zero());
  return true;
}

/* Sums of 2, 4, 8 bits side by side, then of the four bytes in the topmost one. */
static bool population(struct substitute *s) {
  enum { AND = 0xc0 };
  struct mir_operand x = sub_reg(s, s->insn->src[1]);
  struct mir_operand half = sub_lop3(s, sub_shift(s, x, 1, true, false), mir_imm(0x55555555), mir_zero(), AND);
  half.neg = true;
  x = sub_1(s, ISA_OP_IADD3, x, half, mir_zero());
  half = sub_lop3(s, sub_shift(s, x, 2, true, false), mir_imm(0x33333333), mir_zero(), AND);
  x = sub_1(s, ISA_OP_IADD3, sub_lop3(s, x, mir_imm(0x33333333), mir_zero(), AND), half, mir_zero());
  x = sub_1(s, ISA_OP_IADD3, x, sub_shift(s, x, 4, true, false), mir_zero());
  x = sub_lop3(s, x, mir_imm(0x0f0f0f0f), mir_zero(), AND);
  x = sub_1(s, ISA_OP_IMAD, x, mir_imm(0x01010101), mir_zero());
  sub_move(s, sub_shift(s, x, 24, true, false));
  return true;
}

/* Halves of 1, 2, 4, 8, 16 bits change places. */
static bool reverse(struct substitute *s) {
  static const uint32_t mask[] = {0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff};
  enum { CHOOSE = 0xca }; /* index: mask, down, up */
  struct mir_operand x = sub_reg(s, s->insn->src[1]);
  for (unsigned k = 0; k < 5; k++) {
    struct mir_operand down = sub_shift(s, x, 1u << k, true, false), up = sub_shift(s, x, 1u << k, false, false);
    struct mir_operand m = sub_reg(s, mir_imm(mask[k]));
    x = sub_lop3(s, m, down, up, CHOOSE);
  }
  sub_move(s, x);
  return true;
}

/* The exponent of the number as a float, rounded towards zero. */
static bool highest_bit(struct substitute *s) {
  enum { XOR = 0x3c, BIAS = 127 };
  const struct mir_insn *i = s->insn;
  const bool from_above = sub_field(i, ISA_F_SH) != 0;
  struct mir_operand x = sub_reg(s, i->src[1]);
  if (sub_field(i, ISA_F_SIGN) == ISA_SIGN_S32) x = sub_lop3(s, x, sub_shift(s, x, 31, true, true), mir_zero(), XOR);
  struct mir_operand t = sub_1(s, ISA_OP_I2F, mir_none(), x, mir_none());
  mir_set(sub_made(s), ISA_F_ISRC, ISA_ITYPE_U32);
  mir_set(sub_made(s), ISA_F_RND, ISA_RND_RZ);
  t = sub_shift(s, t, 23, true, false);
  t.neg = from_above;
  t = sub_1(s, ISA_OP_IADD3, t, mir_imm(from_above ? BIAS + 31 : 0u - BIAS), mir_zero());
  struct mir_operand some = sub_compare(s, ISA_ICMP_NE, false, x, mir_zero());
  sub_last(s, ISA_OP_SEL, t, mir_imm(0xffffffff), mir_none())->ps[0] = some;
  return true;
}

typedef bool substitute_fn(struct substitute *s);

static substitute_fn *substitute_of(enum heddle_isa_op op) {
  switch (op) {
  case ISA_OP_IMAD_HI:
    return product_high;
  case ISA_OP_IABS:
    return absolute;
  case ISA_OP_SGXT:
    return sub_extend;
  case ISA_OP_POPC:
    return population;
  case ISA_OP_BREV:
    return reverse;
  case ISA_OP_FLO:
    return highest_bit;
  case ISA_OP_ISETP_EX:
    return sub_compare_high;
  case ISA_OP_PRMT:
    return sub_permute;
  case ISA_OP_VABSDIFF:
    return sub_difference;
  case ISA_OP_BMSK:
    return sub_mask;
  case ISA_OP_I2F:
    return sub_from_integer;
  case ISA_OP_F2I:
    return sub_to_integer;
  case ISA_OP_FMNMX:
    return sub_extreme_nan;
  case ISA_OP_F2F:
    return sub_half;
  case ISA_OP_F2FP_F16_F32_PACK_AB:
    return sub_halves;
  case ISA_OP_FRND:
    return sub_round;
  case ISA_OP_FCHK_DIVIDE:
    return sub_check_divide;
  default:
    return NULL;
  }
}

void mir_substitute(struct mir_function *f) {
  struct substitute s = {.f = f};
  if (f->whole_machine) return;
  for (s.b = f->first; s.b; s.b = s.b->next)
    for (struct mir_insn *i = s.b->first, *next; i; i = next) {
      next = i->next;
      substitute_fn *by = substitute_of((enum heddle_isa_op)i->op);
      s.insn = i;
      if (by && !mir_in_rtl(f, i) && by(&s)) mir_remove(s.b, i);
    }
}
