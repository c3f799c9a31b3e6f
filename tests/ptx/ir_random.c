/* SPDX-License-Identifier: Apache-2.0
 *
 * Random graphs; see the header. Loops end because their conditions come from a hash that a thread stirs in every block
 * (`walk`, different in every thread, or `common`, the same as long as threads take the same way), or by a counter.
 */
#include "ir_random.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"

enum { WORDS = 6, LONGS = 4, PREDICATES = 4 };

struct maker {
  const struct random_ir *shape;
  struct ir_function *f;
  uint64_t state;
  struct ir_value *word[WORDS], *wide[LONGS], *predicate[PREDICATES], *walk, *common, *base, *tid;
  struct ir_block *b, *last; /* being filled; last in the layout */
  struct ir_block *loop_next, *loop_end;
  unsigned statements;
  bool side; /* with shape->common: at the moment, the half that is the same in all threads */
};

static uint32_t dice(struct maker *m, uint32_t n) {
  m->state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t x = m->state;
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)((x ^ x >> 31) >> 16) % n;
}

static struct ir_insn *emit(struct maker *m, enum ir_op op, enum ptx_type t, struct ir_value *dst) {
  struct ir_insn *i = ir_insn_new(m->f, op, t, (struct ptx_pos){1, 1});
  if (dst) i->dst[i->dsts++] = dst;
  ir_append(m->b, i);
  return i;
}

static struct ir_insn *emit2(struct maker *m, enum ir_op op, enum ptx_type t, struct ir_value *dst, struct ir_operand a,
                             struct ir_operand b) {
  struct ir_insn *i = emit(m, op, t, dst);
  i->src[i->sources++] = a;
  if (b.kind != IR_NONE) i->src[i->sources++] = b;
  return i;
}

static struct ir_value *fresh(struct maker *m, enum ir_class c) {
  return ir_value_new(m->f, c);
}
static const struct ir_operand none = {.kind = IR_NONE};

static uint64_t constant(struct maker *m, unsigned bits) {
  static const uint64_t edges[] = {0,  1,   2,    3,    7,      8,      16,     31,         32,         33,
                                   63, 255, 0x7f, 0x80, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff};
  uint64_t x = dice(m, 4) ? edges[dice(m, sizeof edges / sizeof *edges)]
                          : (uint64_t)dice(m, UINT32_MAX) << 32 | dice(m, UINT32_MAX);
  if (dice(m, 4) == 0) x = ~x;
  return bits == 64 ? x : x & ((UINT64_C(1) << bits) - 1);
}

/* One of n variables to read; to write: those of one side stand below n / 2. */
static uint32_t one_to_read(struct maker *m, uint32_t n) {
  return dice(m, m->shape->common && m->side ? n / 2 : n);
}
static uint32_t one_to_write(struct maker *m, uint32_t n) {
  if (!m->shape->common) return dice(m, n);
  return dice(m, n / 2) + (m->side ? 0 : n / 2);
}

static struct ir_operand word(struct maker *m) {
  return dice(m, 5) ? ir_use(m->word[one_to_read(m, WORDS)]) : ir_bits(constant(m, 32));
}
static struct ir_operand narrow_word(struct maker *m, unsigned bits) {
  return dice(m, 5) ? ir_use(m->word[one_to_read(m, WORDS)]) : ir_bits(constant(m, bits));
}
static struct ir_operand wide(struct maker *m) {
  return dice(m, 5) ? ir_use(m->wide[one_to_read(m, LONGS)]) : ir_bits(constant(m, 64));
}
static struct ir_operand predicate(struct maker *m) {
  return ir_use(m->predicate[one_to_read(m, PREDICATES)]);
}
static struct ir_value *a_predicate(struct maker *m) {
  return m->predicate[one_to_write(m, PREDICATES)];
}
static struct ir_value *a_word(struct maker *m) {
  return m->word[one_to_write(m, WORDS)];
}
static struct ir_value *a_wide(struct maker *m) {
  return m->wide[one_to_write(m, LONGS)];
}

/* ---- instructions ---- */

static struct ir_insn *arithmetic(struct maker *m) {
  static const uint8_t ops[] = {IR_ADD, IR_ADD, IR_SUB, IR_MUL, IR_MULHI, IR_MIN,
                                IR_MAX, IR_AND, IR_OR,  IR_XOR, IR_AND,   IR_XOR};
  enum ir_op op = (enum ir_op)ops[dice(m, sizeof ops)];
  bool is_wide = dice(m, 3) == 0, s = dice(m, 2);
  enum ptx_type t = is_wide ? (s ? PTX_S64 : PTX_U64) : s ? PTX_S32 : PTX_U32;
  if (op == IR_AND || op == IR_OR || op == IR_XOR) t = is_wide ? PTX_B64 : PTX_B32;
  return is_wide ? emit2(m, op, t, a_wide(m), wide(m), wide(m)) : emit2(m, op, t, a_word(m), word(m), word(m));
}

static struct ir_insn *products(struct maker *m) {
  bool s = dice(m, 2);
  struct ir_insn *i;
  switch (dice(m, 5)) {
  case 0:
    return emit2(m, IR_MULWIDE, s ? PTX_S32 : PTX_U32, a_wide(m), word(m), word(m));
  case 1:
    i = emit2(m, IR_MADWIDE, s ? PTX_S32 : PTX_U32, a_wide(m), word(m), word(m));
    i->src[i->sources++] = wide(m);
    return i;
  case 2:
    i = emit2(m, IR_MAD, s ? PTX_S64 : PTX_U64, a_wide(m), wide(m), wide(m));
    i->src[i->sources++] = wide(m);
    return i;
  case 3: {
    uint64_t d = constant(m, 32);
    return emit2(m, dice(m, 2) ? IR_DIV : IR_REM, s ? PTX_S32 : PTX_U32, a_word(m), ir_use(a_word(m)),
                 ir_bits(d ? d : 3));
  }
  default:
    i = emit2(m, IR_MAD, s ? PTX_S32 : PTX_U32, a_word(m), word(m), word(m));
    i->src[i->sources++] = word(m);
    return i;
  }
}

static struct ir_insn *shifts(struct maker *m) {
  struct ir_operand by = dice(m, 4) ? ir_bits(dice(m, 70)) : word(m);
  static const uint8_t words[] = {PTX_B32, PTX_S32, PTX_U32}, wides[] = {PTX_B64, PTX_S64, PTX_U64};
  unsigned k = dice(m, 3);
  enum ir_op op = k ? IR_SHR : IR_SHL;
  if (dice(m, 2)) return emit2(m, op, (enum ptx_type)words[k], a_word(m), word(m), by);
  return emit2(m, op, (enum ptx_type)wides[k], a_wide(m), wide(m), by);
}

static struct ir_insn *conversions(struct maker *m) {
  struct ir_insn *i;
  static const uint8_t narrows[] = {PTX_U8, PTX_S8, PTX_U16, PTX_S16};
  switch (dice(m, 5)) {
  case 0:
    i = emit2(m, IR_CVT, PTX_U32, a_word(m), wide(m), none), i->type2 = PTX_U64;
    break;
  case 1:
    i = emit2(m, IR_CVT, PTX_S64, a_wide(m), word(m), none), i->type2 = PTX_S32;
    break;
  case 2:
    i = emit2(m, IR_CVT, PTX_U64, a_wide(m), word(m), none), i->type2 = PTX_U32;
    break;
  case 3:
    i = emit2(m, IR_CVT, dice(m, 2) ? PTX_U32 : PTX_S32, a_word(m), ir_use(a_word(m)), none),
    i->type2 = narrows[dice(m, 4)];
    break;
  default:
    i = emit2(m, IR_CVT, PTX_S64, a_wide(m), ir_use(a_word(m)), none), i->type2 = narrows[dice(m, 4)];
    break;
  }
  return i;
}

static struct ir_insn *choices(struct maker *m) {
  struct ir_insn *i;
  switch (dice(m, 6)) {
  case 0:
    i = emit2(m, IR_SELP, PTX_B32, a_word(m), word(m), word(m));
    i->src[i->sources++] = predicate(m);
    return i;
  case 1:
    i = emit2(m, IR_SELP, PTX_B64, a_wide(m), wide(m), wide(m));
    i->src[i->sources++] = predicate(m);
    return i;
  case 2:
    return emit2(m, IR_NOT, PTX_PRED, a_predicate(m), predicate(m), none);
  case 3:
    return emit2(m, dice(m, 2) ? IR_AND : IR_OR, PTX_PRED, a_predicate(m), predicate(m), predicate(m));
  default:
    if (dice(m, 3))
      i = emit2(m, IR_SETP, dice(m, 2) ? PTX_S32 : PTX_U32, a_predicate(m), word(m), word(m));
    else
      i = emit2(m, IR_SETP, dice(m, 2) ? PTX_S64 : PTX_U64, a_predicate(m), wide(m), wide(m));
    i->cmp = (uint8_t)dice(m, 6);
    if (dice(m, 4) == 0) {
      i->combine = (uint8_t)(1 + dice(m, 3));
      i->combine_invert = dice(m, 2);
      i->src[i->sources++] = predicate(m);
    }
    return i;
  }
}

static struct ir_insn *bits(struct maker *m) {
  struct ir_insn *i = NULL;
  switch (dice(m, 6)) {
  case 0:
    return emit2(m, IR_NOT, PTX_B32, a_word(m), word(m), none);
  case 1:
    return emit2(m, IR_NOT, PTX_B64, a_wide(m), wide(m), none);
  case 2:
    i = emit2(m, IR_LOP3, PTX_B32, a_word(m), word(m), word(m));
    i->src[i->sources++] = word(m);
    i->lut = (uint8_t)dice(m, 256);
    return i;
  case 3:
    i = emit2(m, IR_BFE, dice(m, 2) ? PTX_S32 : PTX_U32, a_word(m), word(m), ir_bits(dice(m, 40)));
    i->src[i->sources++] = ir_bits(dice(m, 40));
    return i;
  case 4:
    return emit2(m, IR_NEG, PTX_S32, a_word(m), word(m), none);
  default:
    return emit2(m, IR_PACK, PTX_B64, a_wide(m), word(m), word(m));
  }
}

/* 16-bit numbers in words whose upper bits are anything; then a word of them, so that no variable stays narrow. */
static struct ir_insn *narrows(struct maker *m) {
  static const uint8_t ops[] = {IR_ADD, IR_SUB, IR_MUL, IR_AND, IR_OR, IR_XOR, IR_MIN};
  enum ir_op op = (enum ir_op)ops[dice(m, sizeof ops)];
  bool s = dice(m, 2), logic = op == IR_AND || op == IR_OR || op == IR_XOR;
  struct ir_value *v = fresh(m, IR_32);
  emit2(m, op, logic ? PTX_B16 : s ? PTX_S16 : PTX_U16, v, narrow_word(m, 16), narrow_word(m, 16));
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
  struct ir_insn *i = emit2(m, op, real_type(is_wide), a_real(m, is_wide), real(m, is_wide), real(m, is_wide));
  if (op == IR_FMA) i->src[i->sources++] = real(m, is_wide);
  if (op != IR_MIN && op != IR_MAX) i->round = (uint8_t)dice(m, 4);
  if (is_wide) return i;
  i->ftz = dice(m, 3) == 0;
  i->sat = op != IR_MIN && op != IR_MAX && dice(m, 4) == 0;
  i->keep_nan = (op == IR_MIN || op == IR_MAX) && dice(m, 3) == 0;
  return i;
}

static struct ir_insn *float_sign(struct maker *m, bool is_wide) {
  struct ir_insn *i =
      emit2(m, dice(m, 2) ? IR_NEG : IR_ABS, real_type(is_wide), a_real(m, is_wide), real(m, is_wide), none);
  i->ftz = !is_wide && dice(m, 3) == 0;
  return i;
}

static struct ir_insn *float_compare(struct maker *m, bool is_wide) {
  struct ir_insn *i = emit2(m, IR_SETP, real_type(is_wide), a_predicate(m), real(m, is_wide), real(m, is_wide));
  i->cmp = (uint8_t)dice(m, 14);
  i->ftz = !is_wide && dice(m, 3) == 0;
  if (dice(m, 4)) return i;
  i->combine = (uint8_t)(1 + dice(m, 3));
  i->combine_invert = dice(m, 2);
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
    i = emit2(m, IR_CVT, real_type(is_wide), a_real(m, is_wide), pair ? wide(m) : ir_use(a_word(m)), none);
    i->type2 = (uint8_t)number;
    i->round = (uint8_t)dice(m, 4);
    return i;
  }
  if (kind == 2) {
    i = emit2(m, IR_CVT, number, a_real(m, pair), real(m, from_wide), none);
    i->round = (uint8_t)(IR_RNI + dice(m, 4));
  } else {
    i = emit2(m, IR_CVT, real_type(is_wide), a_real(m, is_wide), real(m, from_wide), none);
    i->round = (uint8_t)(is_wide == from_wide ? IR_RNI + dice(m, 4) : !is_wide ? dice(m, 4) : IR_RN);
    i->sat = is_wide != from_wide && !is_wide && dice(m, 4) == 0;
  }
  i->type2 = (uint8_t)real_type(from_wide);
  i->ftz = (!from_wide || (!is_wide && kind < 2)) && dice(m, 3) == 0;
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

/* In the thread's own bytes, from the 192nd on: base + 192 + (word & 0x1c) + 0 .. 32 */
static struct ir_insn *memory(struct maker *m) {
  struct ir_value *offset = fresh(m, IR_32), *wide_offset = fresh(m, IR_64), *address = fresh(m, IR_64);
  emit2(m, IR_AND, PTX_B32, offset, word(m), ir_bits(0x1c));
  emit2(m, IR_CVT, PTX_U64, wide_offset, ir_use(offset), none)->type2 = PTX_U32;
  emit2(m, IR_ADD, PTX_S64, address, ir_use(m->base), ir_use(wide_offset));
  struct ir_insn *i = emit(m, dice(m, 2) ? IR_LD : IR_ST, PTX_U32, NULL);
  static const uint8_t types[] = {PTX_U32, PTX_U32, PTX_U8, PTX_S8, PTX_S16};
  i->type = i->op == IR_LD ? types[dice(m, sizeof types)] : PTX_U32;
  i->space = dice(m, 2) ? PTX_GLOBAL : PTX_GENERIC;
  i->src[i->sources++] = ir_use(address);
  i->imm = 192 + 4 * (int64_t)dice(m, 9);
  if (i->op == IR_LD)
    i->dst[i->dsts++] = a_word(m);
  else
    i->src[i->sources++] = word(m);
  return i;
}

static void stir(struct maker *m) {
  for (unsigned k = 0; k < 2; k++) {
    struct ir_value *v = k ? m->common : m->walk;
    struct ir_insn *i = emit2(m, IR_MAD, PTX_U32, v, ir_use(v), ir_bits(1664525));
    i->src[i->sources++] = ir_bits(1013904223 + dice(m, 1000));
  }
}

static void work(struct maker *m) {
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

/* ---- blocks ---- */

static struct ir_block *block(struct maker *m) {
  return ir_block_new(m->f);
}

static void start(struct maker *m, struct ir_block *b) {
  if (m->last)
    ir_block_place(m->last, b);
  else
    m->f->first = b;
  m->b = m->last = b;
}

static void go(struct maker *m, struct ir_block *to) {
  emit(m, IR_BR, PTX_NO_TYPE, NULL);
  ir_edge(m->f, m->b, to);
}

/* A predicate: of this thread, of all that came the same way, or any. */
static struct ir_operand condition(struct maker *m, bool ends) {
  struct ir_value *p = fresh(m, IR_PRED), *bit = fresh(m, IR_32);
  unsigned kind = dice(m, ends ? 2 : 3);
  m->side = m->shape->common && dice(m, 2);
  if (kind == 2) return predicate(m);
  emit2(m, IR_AND, PTX_B32, bit, ir_use(kind ? m->common : m->walk), ir_bits(UINT64_C(3) << (8 + dice(m, 20))));
  emit2(m, IR_SETP, PTX_U32, p, ir_use(bit), ir_bits(0))->cmp = dice(m, 2) ? IR_NE : IR_EQ;
  return ir_use(p);
}

static void choose(struct maker *m, struct ir_operand p, struct ir_block *yes, struct ir_block *no) {
  struct ir_insn *i = emit(m, IR_CBR, PTX_PRED, NULL);
  i->src[i->sources++] = p;
  i->invert = dice(m, 2);
  ir_edge(m->f, m->b, i->invert ? no : yes);
  ir_edge(m->f, m->b, i->invert ? yes : no);
}

/* succ[0 .. 3] by two bits of walk or common. */
static void choose_four(struct maker *m, struct ir_block **to) {
  struct ir_value *index = fresh(m, IR_32), *shifted = fresh(m, IR_32);
  emit2(m, IR_SHR, PTX_U32, shifted, ir_use(dice(m, 2) ? m->common : m->walk), ir_bits(9));
  emit2(m, IR_AND, PTX_B32, index, ir_use(shifted), ir_bits(3));
  struct ir_insn *i = emit(m, IR_BRX, PTX_U32, NULL);
  i->src[i->sources++] = ir_use(index);
  for (unsigned k = 0; k < 4; k++) ir_edge(m->f, m->b, to[k]);
}

static void finish(struct maker *m) {
  unsigned at = 0;
  for (unsigned k = 0; k < WORDS + LONGS + 2; k++) {
    struct ir_value *v = k < WORDS            ? m->word[k]
                         : k < WORDS + LONGS  ? m->wide[k - WORDS]
                         : k == WORDS + LONGS ? m->walk
                                              : m->common;
    unsigned bytes = v->class == IR_64 ? 8 : 4;
    struct ir_insn *i = emit2(m, IR_ST, bytes == 8 ? PTX_B64 : PTX_B32, NULL, ir_use(m->base), ir_use(v));
    at = (at + bytes - 1) / bytes * bytes;
    i->space = PTX_GLOBAL;
    i->imm = at;
    at += bytes;
  }
  emit(m, IR_EXIT, PTX_NO_TYPE, NULL);
}

static void set(struct maker *m, struct ir_value *v, unsigned k) {
  enum ptx_type t = v->class == IR_64 ? PTX_U64 : PTX_U32;
  struct ir_operand from = ir_bits(constant(m, v->class == IR_64 ? 64 : 32));
  const bool common = m->shape->common && k < (t == PTX_U64 ? LONGS : WORDS) / 2u;
  if (common)
    emit2(m, IR_COPY, t, v, from, none);
  else if (k % 2 == 0 && t == PTX_U64)
    emit2(m, IR_CVT, t, v, ir_use(m->tid), none)->type2 = PTX_U32;
  else if (k % 2 == 0)
    emit2(m, IR_MUL, t, v, ir_use(m->tid), ir_bits(2654435761u + k));
  else
    emit2(m, IR_COPY, t, v, from, none);
}

static void begin(struct maker *m) {
  start(m, block(m));
  m->tid = fresh(m, IR_32);
  emit(m, IR_SREG, PTX_U32, m->tid)->sreg = IR_TID_X;
  struct ir_value *cta = fresh(m, IR_32), *slot = fresh(m, IR_64);
  emit(m, IR_SREG, PTX_U32, cta)->sreg = IR_CTAID_X;
  m->base = fresh(m, IR_64);
  emit2(m, IR_MULWIDE, PTX_U32, slot, ir_use(m->tid), ir_bits(RANDOM_SLOT));
  emit2(m, IR_ADD, PTX_S64, m->base, ir_use(slot), ir_bits(0x1000));
  for (unsigned k = 0; k < WORDS; k++) set(m, m->word[k] = fresh(m, IR_32), k);
  for (unsigned k = 0; k < LONGS; k++) set(m, m->wide[k] = fresh(m, IR_64), k);
  m->walk = fresh(m, IR_32);
  m->common = fresh(m, IR_32);
  emit2(m, IR_MUL, PTX_U32, m->walk, ir_use(m->tid), ir_bits(0x9e3779b1));
  emit2(m, IR_MUL, PTX_U32, m->common, ir_use(cta), ir_bits(77777));
  stir(m);
  for (unsigned k = 0; k < PREDICATES; k++) {
    m->predicate[k] = fresh(m, IR_PRED);
    const bool apart = m->shape->common ? k >= PREDICATES / 2 : k % 2;
    emit2(m, IR_SETP, PTX_U32, m->predicate[k], apart ? ir_use(m->word[m->shape->common ? WORDS - 2 : 0]) : ir_use(cta),
          ir_bits(k * 1000000000u))
        ->cmp = IR_LT;
  }
}

/* ---- a wild graph ---- */

static void wild(struct maker *m) {
  unsigned n = m->shape->blocks;
  struct ir_block **b = calloc(n + 2, sizeof *b), *to[4];
  for (unsigned k = 0; k <= n; k++) b[k] = block(m);
  go(m, b[0]);
  for (unsigned k = 0; k < n; k++) {
    start(m, b[k]);
    work(m);
    for (unsigned e = 0; e < 4; e++)
      to[e] = dice(m, 10) < 7 ? b[k + 1 + dice(m, k + 4 > n ? n - k : 4)] : b[dice(m, n + 1)];
    unsigned kind = dice(m, 8);
    if (m->shape->exits && kind == 0 && k > 1)
      finish(m);
    else if (kind < 2)
      go(m, to[0]);
    else if (kind < 7)
      choose(m, condition(m, true), to[0], to[1]);
    else
      choose_four(m, to);
  }
  start(m, b[n]);
  finish(m);
  free(b);
}

/* ---- statements ---- */

static void sequence(struct maker *m, unsigned depth, bool together);

static void statement_if(struct maker *m, unsigned depth) {
  struct ir_block *yes = block(m), *no = dice(m, 2) ? block(m) : NULL, *after = block(m);
  choose(m, condition(m, false), yes, no ? no : after);
  start(m, yes);
  sequence(m, depth - 1, false);
  if (m->b) go(m, after);
  if (no) {
    start(m, no);
    sequence(m, depth - 1, false);
    if (m->b) go(m, after);
  }
  start(m, after);
}

/* if (a || b) x; else y; : x is reached by two ways */
static void statement_or(struct maker *m, unsigned depth) {
  struct ir_block *second = block(m), *yes = block(m), *no = block(m), *after = block(m);
  choose(m, condition(m, false), yes, second);
  start(m, second);
  work(m);
  choose(m, condition(m, false), yes, no);
  start(m, yes);
  sequence(m, depth - 1, false);
  if (m->b) go(m, after);
  start(m, no);
  sequence(m, depth - 1, false);
  if (m->b) go(m, after);
  start(m, after);
}

static void statement_switch(struct maker *m, unsigned depth) {
  struct ir_block *to[4], *after = block(m);
  for (unsigned k = 0; k < 4; k++) to[k] = dice(m, 5) ? block(m) : k ? to[k - 1] : after;
  choose_four(m, to);
  for (unsigned k = 0; k < 4; k++) {
    if (to[k] == after || (k && to[k] == to[k - 1])) continue;
    start(m, to[k]);
    sequence(m, depth - 1, false);
    if (!m->b) continue;
    /* falling through now and then */
    struct ir_block *next = k < 3 && to[k + 1] != after && to[k + 1] != to[k] && dice(m, 3) == 0 ? to[k + 1] : after;
    go(m, next);
  }
  start(m, after);
}

static void statement_loop(struct maker *m, unsigned depth) {
  struct ir_block *head = block(m), *next = block(m), *after = block(m), *old_next = m->loop_next,
                  *old_end = m->loop_end;
  bool tested_first = dice(m, 2);
  struct ir_block *body = tested_first ? block(m) : head;
  go(m, head);
  start(m, head);
  if (tested_first) {
    stir(m);
    choose(m, condition(m, true), after, body);
    start(m, body);
  }
  m->loop_next = next;
  m->loop_end = after;
  sequence(m, depth - 1, false);
  m->loop_next = old_next;
  m->loop_end = old_end;
  if (m->b) go(m, next);
  start(m, next);
  stir(m);
  if (tested_first)
    go(m, head);
  else
    choose(m, condition(m, true), head, after);
  start(m, after);
}

/* for (k = 0; k < 2 or 3; k++) with the same number in every thread: barriers may stand in it */
static void statement_count(struct maker *m, unsigned depth, bool together) {
  struct ir_block *head = block(m), *after = block(m);
  struct ir_value *k = fresh(m, IR_32), *p = fresh(m, IR_PRED);
  struct ir_block *old_next = m->loop_next, *old_end = m->loop_end;
  m->loop_next = m->loop_end = NULL;
  emit2(m, IR_COPY, PTX_U32, k, ir_bits(0), none);
  go(m, head);
  start(m, head);
  sequence(m, depth - 1, together);
  m->loop_next = old_next;
  m->loop_end = old_end;
  if (!m->b) {
    start(m, after);
    return;
  }
  emit2(m, IR_ADD, PTX_U32, k, ir_use(k), ir_bits(1));
  emit2(m, IR_SETP, PTX_U32, p, ir_use(k), ir_bits(2 + dice(m, 2)))->cmp = IR_LT;
  choose(m, ir_use(p), head, after);
  start(m, after);
}

/* Leaves the sequence: m->b is NULL afterwards. */
static void statement_leave(struct maker *m) {
  if (m->loop_next && dice(m, 3))
    go(m, dice(m, 2) ? m->loop_next : m->loop_end);
  else if (m->shape->exits)
    finish(m);
  else
    return;
  m->b = NULL;
}

static void barrier(struct maker *m) {
  struct ir_insn *i = emit(m, IR_BAR, PTX_NO_TYPE, NULL);
  i->src[i->sources++] = ir_bits(0);
  i->src[i->sources++] = ir_bits(0);
}

/* Spins until a word of memory that is never written has its value: volatile, at once. */
static void poll(struct maker *m) {
  struct ir_block *head = block(m), *after = block(m);
  struct ir_value *v = fresh(m, IR_32), *p = fresh(m, IR_PRED);
  go(m, head);
  start(m, head);
  struct ir_insn *i = emit2(m, IR_LD, PTX_U32, v, ir_bits(0), none);
  i->space = PTX_GLOBAL;
  i->is_volatile = true;
  emit2(m, IR_SETP, PTX_U32, p, ir_use(v), ir_bits(0))->cmp = IR_NE;
  choose(m, ir_use(p), head, after);
  start(m, after);
}

/* together: every thread that has not ended comes here, at once if the compiler sees to it. */
static void sequence(struct maker *m, unsigned depth, bool together) {
  for (unsigned n = 1 + dice(m, m->shape->length); n && m->b; n--) {
    work(m);
    if (m->shape->barriers && together && dice(m, 2)) barrier(m);
    if (m->shape->polls && dice(m, 8) == 0) poll(m);
    if (!depth || m->statements > 200) continue;
    m->statements++;
    switch (dice(m, 8)) {
    case 0:
    case 1:
      statement_if(m, depth);
      break;
    case 2:
      statement_or(m, depth);
      break;
    case 3:
      statement_switch(m, depth);
      break;
    case 4:
      statement_loop(m, depth);
      break;
    case 5:
      statement_count(m, depth, together);
      break;
    case 6:
      if (dice(m, 2) && !together) statement_leave(m);
      break;
    default:
      break;
    }
  }
}

struct random_made ir_random(const struct random_ir *shape) {
  struct random_made r = {.arena = ptx_arena_new(SIZE_MAX / 4)};
  struct maker m = {.shape = shape, .state = shape->seed * 77};
  r.f = ptx_alloc(r.arena, sizeof *r.f);
  *r.f = (struct ir_function){.name = "random", .entry = true, .arena = r.arena};
  m.f = r.f;
  begin(&m);
  if (shape->blocks) {
    wild(&m);
  } else {
    sequence(&m, shape->depth, true);
    if (shape->barriers) barrier(&m);
    finish(&m);
  }
  return r;
}

void ir_random_free(struct random_made *m) {
  ptx_arena_free(m->arena);
}

bool ir_random_expect(const struct ir_function *f, uint8_t global[WARP_GLOBAL]) {
  struct ir_warp *r = calloc(1, sizeof *r);
  bool good = true;
  for (unsigned lane = 0; lane < 32 && good; lane++) {
    r->f = f;
    r->lanes = UINT32_C(1) << lane;
    r->seed = 1;
    r->steps_most = 20000;
    good = ir_warp_run(r) == NULL;
  }
  memcpy(global, r->global, WARP_GLOBAL);
  free(r);
  return good;
}

const char *ir_random_compare(const struct ir_function *f, enum warp_unit unit, uint64_t seed, unsigned check_uniform,
                              const uint8_t global[WARP_GLOBAL]) {
  struct ir_warp *r = calloc(1, sizeof *r);
  r->f = f;
  r->lanes = UINT32_MAX;
  r->unit = unit;
  r->seed = seed;
  r->steps_most = 2000000;
  r->check_uniform = check_uniform;
  const char *wrong = ir_warp_run(r);
  if (!wrong && memcmp(r->global, global, WARP_GLOBAL) != 0) wrong = "another result";
  free(r);
  return wrong;
}
