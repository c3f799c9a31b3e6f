/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions that are written as several operations: of integers, of fields, element by element.
 */
#include <string.h>
#include "compiler/lower/lower.h"

/* Integer instructions that are written as several operations of the graph. */

/* a == 0 ? 1 : 0 */
void lower_cnot(struct lower *l, const struct insn *in) {
  enum ptx_type t = lower_promote(in->type);
  struct ir_operand a = lower_read_extended(l, &in->o[1], in->type);
  struct ir_insn *is_zero = lower_temp(l, IR_SETP, t, IR_PRED, 2, (struct ir_operand[]){a, ir_bits(0)});
  is_zero->comparison.cmp = IR_EQ;
  struct ir_operand src[3] = {ir_bits(1), ir_bits(0), lower_result(is_zero)};
  lower_into(l, lower_write(l, &in->o[0], in->type), IR_SELP, t, 3, src);
}

/* ---- saturating sums: on overflow the limit on the side of the first operand's sign ---- */

enum { LUT_SUM = 0x42, LUT_DIFFERENCE = 0x18 }; /* operands and result: signs that cannot be without overflow */

struct ir_operand lower_saturated(struct lower *l, bool difference, struct ir_operand a, struct ir_operand b) {
  struct ir_operand d = lower_two(l, difference ? IR_SUB : IR_ADD, PTX_S32, a, b);
  struct ir_insn *signs = lower_temp(l, IR_LOP3, PTX_B32, IR_32, 3, (struct ir_operand[]){a, b, d});
  signs->lut = difference ? LUT_DIFFERENCE : LUT_SUM;
  struct ir_insn *over =
      lower_temp(l, IR_SETP, PTX_S32, IR_PRED, 2, (struct ir_operand[]){lower_result(signs), ir_bits(0)});
  over->comparison.cmp = IR_LT;
  struct ir_operand limit = lower_two(l, IR_SHR, PTX_S32, a, ir_bits(31));
  limit = lower_two(l, IR_XOR, PTX_B32, limit, ir_bits(INT32_MAX));
  return lower_three(l, IR_SELP, PTX_S32, limit, d, lower_result(over));
}

/* Bits 47:16 of the product of two 24-bit numbers, or its low 32. */
static struct ir_operand product24(struct lower *l, const struct insn *in, bool high) {
  struct ir_operand f[2];
  for (unsigned k = 0; k < 2; k++) {
    struct ir_operand a = lower_read(l, &in->o[k + 1], in->type);
    f[k] = lower_three(l, IR_BFE, in->type, a, ir_bits(0), ir_bits(24));
  }
  if (!high) return lower_two(l, IR_MUL, in->type, f[0], f[1]);
  enum ptx_type wide = lower_signed(in->type) ? PTX_S64 : PTX_U64;
  struct ir_operand p = lower_result(lower_temp(l, IR_MULWIDE, in->type, IR_64, 2, f));
  return lower_cvt(l, PTX_U32, PTX_U64, lower_two(l, IR_SHR, wide, p, ir_bits(16)));
}

void lower_sat(struct lower *l, const struct insn *in) {
  unsigned op = in->row->op;
  if (given(in, K_PART) && in->w.value[K_PART] != PART_HI) {
    lower_refuse(l, in, ".sat goes with .hi alone");
    return;
  }
  struct ir_operand a, b;
  if (op == IR_ADD || op == IR_SUB) {
    a = lower_read(l, &in->o[1], PTX_S32);
    b = lower_read(l, &in->o[2], PTX_S32);
  } else {
    if (op == IR_MAD24)
      a = product24(l, in, true);
    else {
      struct ir_operand x = lower_read(l, &in->o[1], PTX_S32), y = lower_read(l, &in->o[2], PTX_S32);
      a = lower_two(l, IR_MULHI, PTX_S32, x, y);
    }
    b = lower_read(l, &in->o[3], PTX_S32);
  }
  const struct ir_operand sum = lower_saturated(l, op == IR_SUB, a, b);
  lower_copy(l, lower_write(l, &in->o[0], PTX_S32), sum);
}

void lower_mul24(struct lower *l, const struct insn *in) {
  if (in->w.value[K_PART] == PART_WIDE) {
    lower_refuse(l, in, ".wide is not supported here");
    return;
  }
  struct ir_operand src[2] = {product24(l, in, in->w.value[K_PART] == PART_HI)};
  bool mad = in->row->op == IR_MAD24;
  if (mad) src[1] = lower_read(l, &in->o[3], in->type);
  struct ir_value *dst = lower_write(l, &in->o[0], in->type);
  if (mad)
    lower_into(l, dst, IR_ADD, in->type, 2, src);
  else
    lower_copy(l, dst, src[0]);
}

/* ---- dot products: dp2a is two products of a half and a byte ---- */

static struct ir_operand piece(struct lower *l, enum ptx_type t, struct ir_operand a, unsigned at, unsigned bits) {
  return lower_three(l, IR_BFE, t, a, ir_bits(at), ir_bits(bits));
}

void lower_dot(struct lower *l, const struct insn *in) {
  enum ptx_type ta = in->w.type[0], tb = in->w.type[1], sum = lower_signed(ta) || lower_signed(tb) ? PTX_S32 : PTX_U32;
  if (!(tb == PTX_U32 || tb == PTX_S32) || (given(in, K_PART) && in->w.value[K_PART] == PART_WIDE)) {
    lower_refuse(l, in, "this combination is not supported");
    return;
  }
  struct ir_operand src[3] = {lower_read(l, &in->o[1], PTX_B32), lower_read(l, &in->o[2], PTX_B32),
                              lower_read(l, &in->o[3], sum)};
  struct ir_value *dst = lower_write(l, &in->o[0], sum);
  if (in->row->op == IR_DP4A) {
    lower_into(l, dst, IR_DP4A, ta, 3, src)->type2 = (uint8_t)tb;
    return;
  }
  unsigned first = in->w.value[K_PART] == PART_HI ? 16 : 0;
  struct ir_operand a0 = piece(l, ta, src[0], 0, 16), b0 = piece(l, tb, src[1], first, 8);
  struct ir_operand a1 = piece(l, ta, src[0], 16, 16), b1 = piece(l, tb, src[1], first + 8, 8);
  struct ir_operand half = lower_three(l, IR_MAD, sum, a0, b0, src[2]);
  lower_into(l, dst, IR_MAD, sum, 3, (struct ir_operand[]){a1, b1, half});
}

/* c + |a - b|; there is no 64-bit operation for it */
void lower_sad(struct lower *l, const struct insn *in) {
  enum ptx_type t = lower_promote(in->type);
  struct ir_operand a = lower_read_extended(l, &in->o[1], in->type), b = lower_read_extended(l, &in->o[2], in->type);
  struct ir_operand c = lower_read(l, &in->o[3], in->type);
  struct ir_value *dst = lower_write(l, &in->o[0], in->type);
  if (ptx_type_bytes(t) == 4) {
    lower_into(l, dst, IR_SAD, t, 3, (struct ir_operand[]){a, b, c});
    return;
  }
  struct ir_operand most = lower_two(l, IR_MAX, t, a, b), least = lower_two(l, IR_MIN, t, a, b);
  struct ir_operand distance = lower_two(l, IR_SUB, t, most, least);
  lower_into(l, dst, IR_ADD, t, 2, (struct ir_operand[]){distance, c});
}

/* Fields and masks: szext, bmsk, fns, cvt.pack; elect, which is a mask's lowest bit. */

/* A position or width: the low five bits with .wrap, 32 at most with .clamp. */
static struct ir_operand amount(struct lower *l, const struct insn *in, const struct ptx_operand *o) {
  struct ir_operand a = lower_read(l, o, PTX_U32);
  return in->w.value[K_WRAP] ? lower_two(l, IR_AND, PTX_B32, a, ir_bits(31))
                             : lower_two(l, IR_MIN, PTX_U32, a, ir_bits(32));
}

void lower_szext(struct lower *l, const struct insn *in) {
  struct ir_operand src[3] = {lower_read(l, &in->o[1], in->type), ir_bits(0), amount(l, in, &in->o[2])};
  lower_into(l, lower_write(l, &in->o[0], in->type), IR_BFE, in->type, 3, src);
}

void lower_bmsk(struct lower *l, const struct insn *in) {
  struct ir_operand src[4] = {ir_bits(UINT32_MAX), ir_bits(0), amount(l, in, &in->o[1]), amount(l, in, &in->o[2])};
  lower_into(l, lower_write(l, &in->o[0], PTX_B32), IR_BFI, PTX_B32, 4, src);
}

static struct ir_operand emit_setp(struct lower *l, enum ir_cmp cmp, enum ptx_type t, struct ir_operand a,
                                   struct ir_operand b) {
  struct ir_insn *i = lower_temp(l, IR_SETP, t, IR_PRED, 2, (struct ir_operand[]){a, b});
  i->comparison.cmp = (uint8_t)cmp;
  return lower_result(i);
}

/* Position of the bit before which `rank` bits of m are set, found by halving; 31 when there are not so many. */
static struct ir_operand ranked(struct lower *l, struct ir_operand m, struct ir_operand rank) {
  struct ir_operand at = ir_bits(0);
  for (unsigned width = 16; width; width /= 2) {
    struct ir_operand part = lower_three(l, IR_BFE, PTX_U32, m, at, ir_bits(width));
    struct ir_operand count = lower_one(l, IR_POPC, PTX_B32, part);
    struct ir_operand above = emit_setp(l, IR_GE, PTX_U32, rank, count);
    struct ir_operand left = lower_two(l, IR_SUB, PTX_U32, rank, count);
    rank = lower_three(l, IR_SELP, PTX_B32, left, rank, above);
    struct ir_operand further = lower_two(l, IR_ADD, PTX_U32, at, ir_bits(width));
    at = lower_three(l, IR_SELP, PTX_B32, further, at, above);
  }
  return at;
}

/* fns d, mask, base, offset: backwards is forwards on the mask turned round; an offset of 0 asks for the bit `base`.
 * The least of all offsets has no size: silicon gives 0. */
void lower_fns(struct lower *l, const struct insn *in) {
  struct ir_operand m = lower_read(l, &in->o[1], PTX_B32), base = lower_read(l, &in->o[2], PTX_U32);
  struct ir_operand offset = lower_read(l, &in->o[3], PTX_S32);
  struct ir_operand back = emit_setp(l, IR_LT, PTX_S32, offset, ir_bits(0));
  struct ir_operand none = emit_setp(l, IR_EQ, PTX_S32, offset, ir_bits(0));
  struct ir_operand from =
      lower_three(l, IR_SELP, PTX_B32, lower_two(l, IR_SUB, PTX_U32, ir_bits(31), base), base, back);
  m = lower_three(l, IR_SELP, PTX_B32, lower_one(l, IR_BREV, PTX_B32, m), m, back);
  struct ir_operand single = lower_two(l, IR_SHL, PTX_B32, ir_bits(1), from);
  struct ir_operand onward = lower_two(l, IR_SHL, PTX_B32, ir_bits(UINT32_MAX), from);
  m = lower_two(l, IR_AND, PTX_B32, m, lower_three(l, IR_SELP, PTX_B32, single, onward, none));
  struct ir_operand rank = lower_two(l, IR_SUB, PTX_U32, lower_one(l, IR_ABS, PTX_S32, offset), ir_bits(1));
  rank = lower_three(l, IR_SELP, PTX_B32, ir_bits(0), rank, none);
  struct ir_operand there = emit_setp(l, IR_LT, PTX_U32, rank, lower_one(l, IR_POPC, PTX_B32, m));
  struct ir_operand at = ranked(l, m, rank);
  at = lower_three(l, IR_SELP, PTX_B32, lower_two(l, IR_SUB, PTX_U32, ir_bits(31), at), at, back);
  at = lower_three(l, IR_SELP, PTX_B32, at, ir_bits(UINT32_MAX), there);
  struct ir_operand least = emit_setp(l, IR_EQ, PTX_S32, offset, ir_bits((uint32_t)INT32_MIN));
  lower_into(l, lower_write(l, &in->o[0], PTX_B32), IR_SELP, PTX_B32, 3, (struct ir_operand[]){ir_bits(0), at, least});
}

/* cvt.pack.sat.u8.s32.b32 d, a, b, c: a above b, and above them the lower part of c. Without c they fill the result. */
void lower_pack(struct lower *l, const struct insn *in) {
  enum ptx_type d = in->w.type[0];
  unsigned bits = 8 * ptx_type_bytes(d);
  bool more = in->w.types == 3, is_signed = lower_signed(d);
  if (in->w.type[1] != PTX_S32 || bits != (more ? 8 : 16) || (more && in->w.type[2] != PTX_B32) ||
      in->operands != (more ? 4u : 3u)) {
    lower_refuse(l, in, "this conversion is not supported");
    return;
  }
  uint32_t most = (UINT32_C(1) << (bits - is_signed)) - 1, least = is_signed ? ~most : 0;
  struct ir_operand part[2];
  for (unsigned k = 0; k < 2; k++) {
    struct ir_operand a = lower_read(l, &in->o[k + 1], PTX_S32);
    a = lower_two(l, IR_MAX, PTX_S32, a, ir_bits(least));
    part[k] = lower_two(l, IR_MIN, PTX_S32, a, ir_bits(most));
  }
  struct ir_operand c =
      more ? lower_two(l, IR_SHL, PTX_B32, lower_read(l, &in->o[3], PTX_B32), ir_bits(16)) : ir_bits(0);
  struct ir_operand above = lower_result(
      lower_temp(l, IR_BFI, PTX_B32, IR_32, 4, (struct ir_operand[]){part[0], c, ir_bits(bits), ir_bits(bits)}));
  lower_into(l, lower_write(l, &in->o[0], PTX_B32), IR_BFI, PTX_B32, 4,
             (struct ir_operand[]){part[1], above, ir_bits(0), ir_bits(bits)});
}

/* elect.sync d|p, members: the lowest of them */
void lower_elect(struct lower *l, const struct insn *in) {
  const struct ptx_operand *o = &in->o[0];
  if (o->kind != PTX_OP_PAIR) {
    lower_refuse(l, in, "a register and a predicate d|p are wanted");
    return;
  }
  struct ir_operand m = lower_read(l, &in->o[1], PTX_U32);
  lower_src(lower_emit(l, IR_WARPSYNC, PTX_B32), m);
  struct ir_operand lowest = lower_two(l, IR_AND, PTX_B32, m, lower_one(l, IR_NEG, PTX_S32, m));
  struct ir_insn *lane = lower_temp(l, IR_SREG, PTX_U32, IR_32, 0, NULL);
  lane->sreg = IR_LANEMASK_EQ;
  struct ir_operand is = emit_setp(l, IR_EQ, PTX_U32, lower_result(lane), lowest);
  struct ir_operand number = lower_one(l, IR_BFIND, PTX_U32, lowest);
  struct ir_value *d = lower_write(l, &o->element[0], PTX_B32), *p = lower_write(l, &o->element[1], PTX_PRED);
  lower_copy(l, d, number);
  lower_copy(l, p, is);
}

/* What the machine does element by element: pairs of F32 in a 64-bit register, atomics of vectors (PTX says of each
 * element alone that it is atomic), registers of 128 bits, which are two of 64. */

void lower_singles(struct lower *l, const struct insn *in) {
  struct ir_operand half[3][2], sum[2];
  const unsigned n = in->operands - 1;
  for (unsigned k = 0; k < n; k++) {
    struct ir_operand pair = lower_read(l, &in->o[k + 1], PTX_B64);
    struct ir_insn *i = lower_temp(l, IR_UNPACK, PTX_B64, IR_32, 1, &pair);
    lower_dst(i, ir_value_new(l->f, IR_32));
    for (unsigned h = 0; h < 2; h++) half[k][h] = ir_use(i->dst[h]);
  }
  for (unsigned h = 0; h < 2; h++) {
    struct ir_operand src[3];
    for (unsigned k = 0; k < n; k++) src[k] = half[k][h];
    struct ir_insn *i = lower_temp(l, (enum ir_op)in->row->op, PTX_F32, IR_32, n, src);
    i->arithmetic.round = in->w.value[K_ROUND];
    i->arithmetic.ftz = given(in, K_FTZ);
    sum[h] = lower_result(i);
  }
  lower_into(l, lower_write(l, &in->o[0], PTX_B64), IR_PACK, PTX_B64, 2, sum);
}

/* ---- atomics ---- */

static unsigned vector_element_bytes(const struct insn *in) {
  if (given(in, K_BF16)) return in->w.value[K_BF16] == BF16_PAIR ? 4 : 2;
  return ptx_type_bytes(in->type);
}

/* What one element gets must not be what another adds. */
static bool elements_apart(const struct ptx_operand *got, const struct ptx_operand *added, unsigned n) {
  for (unsigned k = 0; k < n; k++)
    for (unsigned j = k + 1; j < n; j++)
      if (got[k].kind == PTX_OP_NAME && added[j].kind == PTX_OP_NAME && got[k].name == added[j].name) return false;
  return true;
}

static void one_element(struct lower *l, const struct insn *in, struct ptx_operand *o, unsigned bytes) {
  struct insn each = *in;
  each.o = o;
  each.w.given &= ~GIVEN(K_VECTOR);
  if (bytes == 2 || given(in, K_BF16))
    lower_atom_loop(l, &each);
  else
    lower_atom(l, &each);
}

void lower_atom_vector(struct lower *l, const struct insn *in) {
  const unsigned n = in->w.value[K_VECTOR], bytes = vector_element_bytes(in), first = in->row->op == IR_RED ? 0 : 1;
  struct ptx_operand got[8] = {{.kind = PTX_OP_SINK}}, added[8], o[3];
  if (!given(in, K_SPACE) || in->w.value[K_SPACE] != PTX_GLOBAL || in->operands != first + 2) {
    lower_refuse(l, in, "vectors are of .global memory");
    return;
  }
  if (!lower_elements(l, in, &in->o[first + 1], n, added)) return;
  if (first && in->o[0].kind != PTX_OP_SINK && !lower_elements(l, in, &in->o[0], n, got)) return;
  if (first && in->o[0].kind != PTX_OP_SINK && !elements_apart(got, added, n)) {
    lower_refuse(l, in, "a result that a later element adds is not supported");
    return;
  }
  struct ir_value *const guard = l->guard;
  const bool invert = l->guard_invert;
  for (unsigned k = 0; k < n; k++) {
    memcpy(o, in->o, in->operands * sizeof *o);
    if (first) o[0] = in->o[0].kind == PTX_OP_SINK ? in->o[0] : got[k];
    o[first].bits += (uint64_t)k * bytes;
    o[first + 1] = added[k];
    l->guard = guard; /* a loop uses it up */
    l->guard_invert = invert;
    one_element(l, in, o, bytes);
  }
}

/* ---- 128 bits ---- */

void lower_mov_128(struct lower *l, const struct insn *in) {
  struct ptx_operand to[2], from[2];
  struct ir_operand v[2];
  if (!lower_elements(l, in, &in->o[0], 2, to) || !lower_elements(l, in, &in->o[1], 2, from)) return;
  for (unsigned k = 0; k < 2; k++) v[k] = lower_one(l, IR_COPY, PTX_B64, lower_read(l, &from[k], PTX_B64));
  for (unsigned k = 0; k < 2; k++)
    if (to[k].kind != PTX_OP_SINK) lower_into(l, lower_write(l, &to[k], PTX_B64), IR_COPY, PTX_B64, 1, &v[k]);
}
