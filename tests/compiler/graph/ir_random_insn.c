/* SPDX-License-Identifier: Apache-2.0
 * Random instructions of random graphs. */
#include "tests/compiler/graph/ir_random.h"

/* ---- instructions ---- */

enum variable { WORD, WIDE, PREDICATE };

static struct ir_value *written(struct maker *m, enum variable v) {
  return v == WORD ? a_word(m) : v == WIDE ? a_wide(m) : a_predicate(m);
}

static struct ir_operand to_read(struct maker *m, enum variable v) {
  return v == WORD ? word(m) : v == WIDE ? wide(m) : predicate(m);
}

static struct ir_insn *of_one(struct maker *m, enum ir_op op, enum ptx_type t, enum variable to, struct ir_operand a) {
  return emit2(m, op, t, written(m, to), a, none);
}

static struct ir_insn *of_two(struct maker *m, enum ir_op op, enum ptx_type t, enum variable to, enum variable from) {
  const struct ir_operand a = to_read(m, from), b = to_read(m, from);
  return emit2(m, op, t, written(m, to), a, b);
}

static struct ir_insn *arithmetic(struct maker *m) {
  static const uint8_t ops[] = {IR_ADD, IR_ADD, IR_SUB, IR_MUL, IR_MULHI, IR_MIN,
                                IR_MAX, IR_AND, IR_OR,  IR_XOR, IR_AND,   IR_XOR};
  enum ir_op op = (enum ir_op)ops[dice(m, sizeof ops)];
  bool is_wide = dice(m, 3) == 0, s = dice(m, 2);
  enum ptx_type t = is_wide ? (s ? PTX_S64 : PTX_U64) : s ? PTX_S32 : PTX_U32;
  if (op == IR_AND || op == IR_OR || op == IR_XOR) t = is_wide ? PTX_B64 : PTX_B32;
  const enum variable of = is_wide ? WIDE : WORD;
  return of_two(m, op, t, of, of);
}

static struct ir_insn *products(struct maker *m) {
  bool s = dice(m, 2);
  struct ir_insn *i;
  switch (dice(m, 5)) {
  case 0:
    return of_two(m, IR_MULWIDE, s ? PTX_S32 : PTX_U32, WIDE, WORD);
  case 1:
    i = of_two(m, IR_MADWIDE, s ? PTX_S32 : PTX_U32, WIDE, WORD);
    i->src[i->sources++] = wide(m);
    return i;
  case 2:
    i = of_two(m, IR_MAD, s ? PTX_S64 : PTX_U64, WIDE, WIDE);
    i->src[i->sources++] = wide(m);
    return i;
  case 3: {
    uint64_t d = constant(m, 32);
    const struct ir_operand a = ir_use(a_word(m));
    const enum ir_op op = dice(m, 2) ? IR_DIV : IR_REM;
    return emit2(m, op, s ? PTX_S32 : PTX_U32, a_word(m), a, ir_bits(d ? d : 3));
  }
  default:
    i = of_two(m, IR_MAD, s ? PTX_S32 : PTX_U32, WORD, WORD);
    i->src[i->sources++] = word(m);
    return i;
  }
}

static struct ir_insn *shifts(struct maker *m) {
  struct ir_operand by = dice(m, 4) ? ir_bits(dice(m, 70)) : word(m);
  static const uint8_t words[] = {PTX_B32, PTX_S32, PTX_U32}, wides[] = {PTX_B64, PTX_S64, PTX_U64};
  unsigned k = dice(m, 3);
  enum ir_op op = k ? IR_SHR : IR_SHL;
  const enum variable of = dice(m, 2) ? WORD : WIDE;
  const struct ir_operand a = to_read(m, of);
  return emit2(m, op, (enum ptx_type)(of == WORD ? words : wides)[k], written(m, of), a, by);
}

static struct ir_insn *conversions(struct maker *m) {
  struct ir_insn *i;
  static const uint8_t narrows[] = {PTX_U8, PTX_S8, PTX_U16, PTX_S16};
  enum ptx_type t;
  switch (dice(m, 5)) {
  case 0:
    i = of_one(m, IR_CVT, PTX_U32, WORD, wide(m)), i->type2 = PTX_U64;
    break;
  case 1:
    i = of_one(m, IR_CVT, PTX_S64, WIDE, word(m)), i->type2 = PTX_S32;
    break;
  case 2:
    i = of_one(m, IR_CVT, PTX_U64, WIDE, word(m)), i->type2 = PTX_U32;
    break;
  case 3:
    t = dice(m, 2) ? PTX_U32 : PTX_S32;
    i = of_one(m, IR_CVT, t, WORD, ir_use(a_word(m))), i->type2 = narrows[dice(m, 4)];
    break;
  default:
    i = of_one(m, IR_CVT, PTX_S64, WIDE, ir_use(a_word(m))), i->type2 = narrows[dice(m, 4)];
    break;
  }
  return i;
}

static struct ir_insn *choices(struct maker *m) {
  struct ir_insn *i;
  switch (dice(m, 6)) {
  case 0:
    i = of_two(m, IR_SELP, PTX_B32, WORD, WORD);
    i->src[i->sources++] = predicate(m);
    return i;
  case 1:
    i = of_two(m, IR_SELP, PTX_B64, WIDE, WIDE);
    i->src[i->sources++] = predicate(m);
    return i;
  case 2:
    return of_one(m, IR_NOT, PTX_PRED, PREDICATE, predicate(m));
  case 3:
    return of_two(m, dice(m, 2) ? IR_AND : IR_OR, PTX_PRED, PREDICATE, PREDICATE);
  default:
    if (dice(m, 3))
      i = of_two(m, IR_SETP, dice(m, 2) ? PTX_S32 : PTX_U32, PREDICATE, WORD);
    else
      i = of_two(m, IR_SETP, dice(m, 2) ? PTX_S64 : PTX_U64, PREDICATE, WIDE);
    i->comparison.cmp = (uint8_t)dice(m, 6);
    if (dice(m, 4) == 0) {
      i->comparison.combine = (uint8_t)(1 + dice(m, 3));
      i->comparison.combine_invert = dice(m, 2);
      i->src[i->sources++] = predicate(m);
    }
    return i;
  }
}

static struct ir_insn *bits(struct maker *m) {
  struct ir_insn *i = NULL;
  enum ptx_type t;
  switch (dice(m, 6)) {
  case 0:
    return of_one(m, IR_NOT, PTX_B32, WORD, word(m));
  case 1:
    return of_one(m, IR_NOT, PTX_B64, WIDE, wide(m));
  case 2:
    i = of_two(m, IR_LOP3, PTX_B32, WORD, WORD);
    i->src[i->sources++] = word(m);
    i->lut = (uint8_t)dice(m, 256);
    return i;
  case 3:
    t = dice(m, 2) ? PTX_S32 : PTX_U32;
    i = of_one(m, IR_BFE, t, WORD, word(m));
    i->src[i->sources++] = ir_bits(dice(m, 40));
    i->src[i->sources++] = ir_bits(dice(m, 40));
    return i;
  case 4:
    return of_one(m, IR_NEG, PTX_S32, WORD, word(m));
  default:
    return of_two(m, IR_PACK, PTX_B64, WIDE, WORD);
  }
}

/* 16-bit numbers in words whose upper bits are anything; then a word of them, so that no variable stays narrow. */
static struct ir_insn *narrows(struct maker *m) {
  static const uint8_t ops[] = {IR_ADD, IR_SUB, IR_MUL, IR_AND, IR_OR, IR_XOR, IR_MIN};
  enum ir_op op = (enum ir_op)ops[dice(m, sizeof ops)];
  bool s = dice(m, 2), logic = op == IR_AND || op == IR_OR || op == IR_XOR;
  struct ir_value *v = fresh(m, IR_32);
  const struct ir_operand a = narrow_word(m, 16), b = narrow_word(m, 16);
  emit2(m, op, logic ? PTX_B16 : s ? PTX_S16 : PTX_U16, v, a, b);
  struct ir_insn *i = emit2(m, IR_CVT, s ? PTX_S32 : PTX_U32, a_word(m), ir_use(v), none);
  i->type2 = s ? PTX_S16 : PTX_U16;
  return i;
}

/* ---- floats: of numbers that are none too, and constants at the ends of the formats ---- */

static struct ir_operand real(struct maker *m, bool is_wide) {
  static const uint32_t edges[] = {0,          0x80000000, 1,          0x807fffff, 0x00800000, 0x3f800000,
                                   0xbf800000, 0x40490fdb, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
                                   0xffc12345, 0x7f812345, 0x4f000000, 0xdf000000, 0x33800001, 0x3effffff};
  if (dice(m, 3)) return is_wide ? wide(m) : word(m);
  const uint64_t x = edges[dice(m, sizeof edges / sizeof *edges)], exponent = x >> 23 & 0xff;
  if (!is_wide) return ir_bits(x);
  const uint64_t upper = exponent == 0 ? 0 : exponent == 255 ? 0x7ff : exponent + 896;
  return ir_bits(x >> 31 << 63 | upper << 52 | (x & 0x7fffff) << 29 | (x != 0 && x != 0x80000000 && dice(m, 2)));
}

static struct ir_value *a_real(struct maker *m, bool is_wide) {
  return is_wide ? a_wide(m) : a_word(m);
}

static enum ptx_type real_type(bool is_wide) {
  return is_wide ? PTX_F64 : PTX_F32;
}

static struct ir_insn *float_arithmetic(struct maker *m, bool is_wide) {
  static const uint8_t ops[] = {IR_ADD, IR_SUB, IR_MUL, IR_MIN, IR_MAX, IR_FMA};
  enum ir_op op = (enum ir_op)ops[dice(m, sizeof ops)];
  const struct ir_operand a = real(m, is_wide), b = real(m, is_wide);
  struct ir_insn *i = emit2(m, op, real_type(is_wide), a_real(m, is_wide), a, b);
  if (op == IR_FMA) i->src[i->sources++] = real(m, is_wide);
  if (op != IR_MIN && op != IR_MAX) i->arithmetic.round = (uint8_t)dice(m, 4);
  if (is_wide) return i;
  i->arithmetic.ftz = dice(m, 3) == 0;
  i->arithmetic.sat = op != IR_MIN && op != IR_MAX && dice(m, 4) == 0;
  i->arithmetic.keep_nan = (op == IR_MIN || op == IR_MAX) && dice(m, 3) == 0;
  return i;
}

static struct ir_insn *float_sign(struct maker *m, bool is_wide) {
  const struct ir_operand a = real(m, is_wide);
  struct ir_insn *i = of_one(m, dice(m, 2) ? IR_NEG : IR_ABS, real_type(is_wide), is_wide ? WIDE : WORD, a);
  i->arithmetic.ftz = !is_wide && dice(m, 3) == 0;
  return i;
}

static struct ir_insn *float_compare(struct maker *m, bool is_wide) {
  const struct ir_operand a = real(m, is_wide), b = real(m, is_wide);
  struct ir_insn *i = emit2(m, IR_SETP, real_type(is_wide), a_predicate(m), a, b);
  i->comparison.cmp = (uint8_t)dice(m, 14);
  i->comparison.ftz = !is_wide && dice(m, 3) == 0;
  if (dice(m, 4)) return i;
  i->comparison.combine = (uint8_t)(1 + dice(m, 3));
  i->comparison.combine_invert = dice(m, 2);
  i->src[i->sources++] = predicate(m);
  return i;
}

/* Between floats, and with integers of all widths. */
static struct ir_insn *float_conversion(struct maker *m, bool is_wide) {
  static const uint8_t integers[] = {PTX_S32, PTX_U32, PTX_S64, PTX_U64, PTX_S16, PTX_U16, PTX_S8, PTX_U8};
  const unsigned kind = dice(m, 4);
  const bool from_wide = kind < 2 ? dice(m, 2) : kind == 2 ? is_wide : false;
  const enum ptx_type number = (enum ptx_type)integers[dice(m, sizeof integers)];
  const bool pair = number == PTX_S64 || number == PTX_U64;
  struct ir_insn *i;
  if (kind == 3) { /* from an integer */
    i = of_one(m, IR_CVT, real_type(is_wide), is_wide ? WIDE : WORD, pair ? wide(m) : ir_use(a_word(m)));
    i->type2 = (uint8_t)number;
    i->arithmetic.round = (uint8_t)dice(m, 4);
    return i;
  }
  if (kind == 2) {
    i = of_one(m, IR_CVT, number, pair ? WIDE : WORD, real(m, from_wide));
    i->arithmetic.round = (uint8_t)(IR_RNI + dice(m, 4));
  } else {
    i = of_one(m, IR_CVT, real_type(is_wide), is_wide ? WIDE : WORD, real(m, from_wide));
    i->arithmetic.round = (uint8_t)(is_wide == from_wide ? IR_RNI + dice(m, 4) : !is_wide ? dice(m, 4) : IR_RN);
    i->arithmetic.sat = is_wide != from_wide && !is_wide && dice(m, 4) == 0;
  }
  i->type2 = (uint8_t)real_type(from_wide);
  i->arithmetic.ftz = (!from_wide || (!is_wide && kind < 2)) && dice(m, 3) == 0;
  return i;
}

static struct ir_insn *floats(struct maker *m) {
  const bool is_wide = dice(m, 2);
  const unsigned kind = dice(m, 8);
  return kind < 4    ? float_arithmetic(m, is_wide)
         : kind == 4 ? float_sign(m, is_wide)
         : kind == 5 ? float_compare(m, is_wide)
                     : float_conversion(m, is_wide);
}

/* base, or base + (word & 0x1c) */
static struct ir_value *address_in_slot(struct maker *m) {
  if (dice(m, 2)) return m->base;
  struct ir_value *offset = fresh(m, IR_32), *wide_offset = fresh(m, IR_64), *address = fresh(m, IR_64);
  emit2(m, IR_AND, PTX_B32, offset, word(m), ir_bits(0x1c));
  emit2(m, IR_CVT, PTX_U64, wide_offset, ir_use(offset), none)->type2 = PTX_U32;
  emit2(m, IR_ADD, PTX_S64, address, ir_use(m->base), ir_use(wide_offset));
  return address;
}

/* In the thread's own bytes, from the 192nd on: address + 192 + 0 .. 32 */
static struct ir_insn *memory(struct maker *m) {
  struct ir_value *address = address_in_slot(m);
  struct ir_insn *i = emit(m, dice(m, 2) ? IR_LD : IR_ST, PTX_U32, NULL);
  static const uint8_t types[] = {PTX_U32, PTX_U32, PTX_U8, PTX_S8, PTX_S16};
  i->type = types[dice(m, sizeof types)];
  i->memory.space = dice(m, 2) ? PTX_GLOBAL : PTX_GENERIC;
  i->src[i->sources++] = ir_use(address);
  i->memory.offset = 192 + 4 * (int64_t)dice(m, 9);
  if (i->op == IR_LD)
    i->dst[i->dsts++] = a_word(m);
  else
    i->src[i->sources++] = word(m);
  return i;
}

void stir(struct maker *m) {
  for (unsigned k = 0; k < 2; k++) {
    struct ir_value *v = k ? m->common : m->walk;
    struct ir_insn *i = emit2(m, IR_MAD, PTX_U32, v, ir_use(v), ir_bits(1664525));
    i->src[i->sources++] = ir_bits(1013904223 + dice(m, 1000));
  }
}

void work(struct maker *m) {
  for (unsigned n = dice(m, m->shape->work + 1); n; n--) {
    unsigned kind = dice(m, 12);
    m->side = m->shape->common && kind < 10 && dice(m, 2); /* not what is loaded */
    struct ir_insn *i = kind < 3                        ? arithmetic(m)
                        : kind < 4                      ? products(m)
                        : kind < 5                      ? shifts(m)
                        : kind < 6                      ? conversions(m)
                        : kind < 8                      ? choices(m)
                        : kind < 9                      ? bits(m)
                        : kind < 10 && m->shape->narrow ? narrows(m)
                        : kind < 11 && m->shape->floats ? floats(m)
                        : m->shape->memory              ? memory(m)
                                                        : arithmetic(m);
    if (!m->shape->guards || dice(m, 4)) continue;
    i->guard = predicate(m).value;
    i->guard_invert = dice(m, 2);
  }
  m->side = false;
  stir(m);
}
