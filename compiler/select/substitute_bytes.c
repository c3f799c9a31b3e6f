/* SPDX-License-Identifier: Apache-2.0
 * What the RTL lacks: permutations of bytes, absolute differences, fields whose length is in a register. */
#include "compiler/select/substitute.h"

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

bool sub_permute(struct substitute *s) {
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

bool sub_difference(struct substitute *s) {
  const struct mir_insn *i = s->insn;
  const bool is_signed = sub_field(i, ISA_F_SIGN) == ISA_SIGN_S32;
  struct mir_operand a = sub_reg(s, i->src[0]), most = sub_extreme(s, a, i->src[1], is_signed, true);
  struct mir_operand least = sub_extreme(s, a, i->src[1], is_signed, false);
  (void)sub_last(s, ISA_OP_IADD3, most, sub_minus(least), sub_reg(s, i->src[2]));
  return true;
}

/* The low n bits, by two shifts: those of 32 bits clamp at 32. */
bool sub_extend(struct substitute *s) {
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

bool sub_mask(struct substitute *s) {
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
