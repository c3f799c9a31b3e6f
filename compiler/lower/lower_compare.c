/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons and choices. set and slct are a comparison and a choice; halves of an f16x2 are compared one by one.
 */
#include <string.h>

#include "compiler/lower/lower.h"

static bool is_unsigned(enum ptx_type t) {
  return t == PTX_U16 || t == PTX_U32 || t == PTX_U64;
}

/* The relation; false: told. */
static bool read_relation(struct lower *l, const struct insn *in, enum ptx_type t, uint8_t *cmp) {
  uint8_t v = in->w.value[K_CMP];
  *cmp = v & (uint8_t)~CMP_UNSIGNED;
  bool bits = !lower_float(t) && !lower_signed(t) && !is_unsigned(t);
  bool right = v & CMP_UNSIGNED ? is_unsigned(t) : lower_float(t) ? true : bits ? v == IR_EQ || v == IR_NE : v <= IR_GE;
  right = right && (!given(in, K_FTZ) || t == PTX_F32 || t == PTX_F16 || t == PTX_F16X2);
  right = right && given(in, K_BOOL) == (in->operands == 4);
  if (!right)
    lower_refuse(l, in, "this comparison is not supported for .%s with %u operands", ptx_type_word(t), in->operands);
  return right;
}

struct comparison {
  enum ptx_type type;
  struct ir_operand a, b, with; /* with: NONE, or a predicate to combine with */
  uint8_t cmp, combine;
  bool invert, ftz;
};

/* The predicate to combine with, if there is one. */
static void read_with(struct lower *l, const struct insn *in, struct comparison *c) {
  if (!given(in, K_BOOL)) return;
  struct ptx_operand with = in->o[3];
  c->invert = with.invert;
  with.invert = false;
  c->with = lower_read(l, &with, PTX_PRED);
}

static bool read_comparison(struct lower *l, const struct insn *in, enum ptx_type t, struct comparison *c) {
  *c = (struct comparison){.type = lower_promote(t), .combine = in->w.value[K_BOOL], .ftz = given(in, K_FTZ)};
  if (!read_relation(l, in, t, &c->cmp)) return false;
  c->a = lower_read_extended(l, &in->o[1], t);
  c->b = lower_read_extended(l, &in->o[2], t);
  read_with(l, in, c);
  return true;
}

static void fill_comparison(struct ir_insn *i, const struct comparison *c) {
  lower_src(i, c->a);
  lower_src(i, c->b);
  if (c->with.kind != IR_NONE) lower_src(i, c->with);
  i->comparison.cmp = c->cmp;
  i->comparison.combine = c->combine;
  i->comparison.combine_invert = c->invert;
  i->comparison.ftz = c->ftz;
}

static struct ir_operand compare_values(struct lower *l, const struct comparison *c) {
  struct ir_insn *i = lower_temp(l, IR_SETP, c->type, IR_PRED, 0, NULL);
  fill_comparison(i, c);
  return lower_result(i);
}

/* One half (0: low) of a pair as a comparison of F16. */
static struct ir_operand compare_half(struct lower *l, const struct comparison *pair, unsigned half) {
  struct comparison c = *pair;
  struct ir_operand *sides[2] = {&c.a, &c.b};
  c.type = PTX_F16;
  for (unsigned k = 0; k < 2; k++) {
    struct ir_operand both[2];
    lower_halves(l, *sides[k], both);
    *sides[k] = both[half];
  }
  return compare_values(l, &c);
}

struct results { /* p|q; q: NULL, or the second */
  const struct ptx_operand *p, *q;
};

static struct results results_of(const struct insn *in) {
  const struct ptx_operand *o = &in->o[0];
  if (o->kind != PTX_OP_PAIR) return (struct results){o, NULL};
  return (struct results){&o->element[0], o->element[1].kind == PTX_OP_SINK ? NULL : &o->element[1]};
}

/* A comparison and its opposite. */
static void write_both(struct lower *l, struct results to, const struct comparison *c) {
  struct ir_value *dst = lower_write(l, to.p, PTX_PRED), *other = to.q ? lower_write(l, to.q, PTX_PRED) : NULL;
  struct ir_insn *i = lower_into(l, dst, IR_SETP, c->type, 0, NULL);
  if (other) lower_dst(i, other);
  fill_comparison(i, c);
}

/* The halves' verdicts; both before a predicate is written that may be read. */
static void write_each(struct lower *l, struct results to, struct ir_operand low, struct ir_operand high) {
  if (l->guard && to.q) l->guard = lower_one(l, IR_COPY, PTX_PRED, ir_use(l->guard)).value; /* it may be one of them */
  lower_copy(l, lower_write(l, to.p, PTX_PRED), low);
  if (to.q) lower_copy(l, lower_write(l, to.q, PTX_PRED), high);
}

void lower_setp(struct lower *l, const struct insn *in) {
  struct comparison c;
  if (!read_comparison(l, in, in->type, &c)) return;
  if (in->type == PTX_F16X2) {
    struct ir_operand low = compare_half(l, &c, 0), high = compare_half(l, &c, 1);
    write_each(l, results_of(in), low, high);
  } else {
    write_both(l, results_of(in), &c);
  }
}

/* ---- bf16, bf16x2: as FP32 numbers, whose upper halves they are ---- */

static bool read_bf16(struct lower *l, const struct insn *in, struct comparison *c) {
  const unsigned halves = in->w.value[K_BF16];
  const char *last = in->s->word[in->s->words - 1];
  if (halves > BF16_PAIR || strncmp(last, "bf16", 4) != 0) {
    lower_refuse(l, in, "these types do not go together");
    return false;
  }
  *c = (struct comparison){.type = PTX_F32, .combine = in->w.value[K_BOOL]};
  if (!read_relation(l, in, PTX_F32, &c->cmp)) return false;
  c->a = lower_read(l, &in->o[1], halves == BF16_PAIR ? PTX_B32 : PTX_B16);
  c->b = lower_read(l, &in->o[2], halves == BF16_PAIR ? PTX_B32 : PTX_B16);
  read_with(l, in, c);
  return true;
}

static struct comparison bf16_half(struct lower *l, const struct comparison *pair, unsigned half) {
  struct comparison c = *pair;
  c.a =
      half ? lower_two(l, IR_AND, PTX_B32, c.a, ir_bits(0xffff0000)) : lower_two(l, IR_SHL, PTX_B32, c.a, ir_bits(16));
  c.b =
      half ? lower_two(l, IR_AND, PTX_B32, c.b, ir_bits(0xffff0000)) : lower_two(l, IR_SHL, PTX_B32, c.b, ir_bits(16));
  return c;
}

void lower_bf16_setp(struct lower *l, const struct insn *in) {
  struct comparison c, half[2];
  if (!read_bf16(l, in, &c)) return;
  for (unsigned k = 0; k < 2; k++) half[k] = bf16_half(l, &c, k);
  if (in->w.value[K_BF16] == BF16_PAIR) {
    struct ir_operand low = compare_values(l, &half[0]), high = compare_values(l, &half[1]);
    write_each(l, results_of(in), low, high);
  } else {
    write_both(l, results_of(in), &half[0]);
  }
}

/* What a true comparison gives in the type d. */
static uint64_t truth(enum ptx_type d) {
  return d == PTX_F32                     ? 0x3f800000
         : d == PTX_F16 || d == PTX_F16X2 ? 0x3c00
         : d == PTX_U16 || d == PTX_S16   ? 0xffff
                                          : 0xffffffff;
}

static bool set_types_match(enum ptx_type d, enum ptx_type s) {
  if (s == PTX_F16X2) return d == PTX_F16X2 || d == PTX_U32 || d == PTX_S32;
  if (d == PTX_F16X2) return false;
  if (d == PTX_F16 || d == PTX_U16 || d == PTX_S16) return s == PTX_F16;
  return s != PTX_PRED && ptx_type_bytes(s) > 1;
}

void lower_set(struct lower *l, const struct insn *in) {
  enum ptx_type d = in->w.type[0], s = in->w.type[1];
  struct comparison c;
  if (!set_types_match(d, s)) {
    lower_refuse(l, in, "these types do not go together");
    return;
  }
  if (!read_comparison(l, in, s, &c)) return;
  struct ir_value *dst = lower_write(l, &in->o[0], d);
  struct ir_operand yes = ir_bits(s == PTX_F16X2 && d != PTX_F16X2 ? 0xffff : truth(d)), no = ir_bits(0);
  if (s != PTX_F16X2) {
    lower_into(l, dst, IR_SELP, PTX_B32, 3, (struct ir_operand[]){yes, no, compare_values(l, &c)});
    return;
  }
  struct ir_operand half[2];
  for (unsigned k = 0; k < 2; k++) half[k] = lower_three(l, IR_SELP, PTX_B32, yes, no, compare_half(l, &c, k));
  lower_into(l, dst, IR_PACK, PTX_B32, 2, half);
}

void lower_bf16_set(struct lower *l, const struct insn *in) {
  struct comparison c, half;
  const bool two = in->w.value[K_BF16] == BF16_PAIR;
  struct ir_operand set[2];
  if (two && ptx_type_bytes(in->type) != 4) {
    lower_refuse(l, in, "these types do not go together");
    return;
  }
  if (!read_bf16(l, in, &c)) return;
  for (unsigned k = 0; k < (two ? 2u : 1u); k++) {
    half = bf16_half(l, &c, k);
    set[k] =
        lower_three(l, IR_SELP, PTX_B32, ir_bits(two ? 0xffff : truth(in->type)), ir_bits(0), compare_values(l, &half));
  }
  struct ir_value *dst = lower_write(l, &in->o[0], in->type);
  if (two)
    lower_into(l, dst, IR_PACK, PTX_B32, 2, set);
  else
    lower_copy(l, dst, set[0]);
}

void lower_selp(struct lower *l, const struct insn *in) {
  struct ir_operand src[3] = {lower_read(l, &in->o[1], in->type), lower_read(l, &in->o[2], in->type),
                              lower_read(l, &in->o[3], PTX_PRED)};
  lower_into(l, lower_write(l, &in->o[0], in->type), IR_SELP, lower_promote(in->type), 3, src);
}

/* c >= 0 ? a : b; a NaN is not, -0 is */
void lower_slct(struct lower *l, const struct insn *in) {
  enum ptx_type t = in->w.type[1];
  if ((t != PTX_S32 && t != PTX_F32) || (given(in, K_FTZ) && t != PTX_F32)) {
    lower_refuse(l, in, "the second type must be .s32 or .f32");
    return;
  }
  struct ir_operand src[3] = {lower_read(l, &in->o[1], in->type), lower_read(l, &in->o[2], in->type)};
  struct comparison c = {
      .type = t, .a = lower_read(l, &in->o[3], t), .b = ir_bits(0), .cmp = IR_GE, .ftz = given(in, K_FTZ)};
  src[2] = compare_values(l, &c);
  lower_into(l, lower_write(l, &in->o[0], in->type), IR_SELP, lower_promote(in->type), 3, src);
}

void lower_testp(struct lower *l, const struct insn *in) {
  struct ir_operand a = lower_read(l, &in->o[1], in->type);
  lower_into(l, lower_write(l, &in->o[0], PTX_PRED), IR_TESTP, in->type, 1, &a)->test = in->w.value[K_TESTP];
}
