/* SPDX-License-Identifier: Apache-2.0
 *
 * Video instructions, scalar and SIMD.
 */
#include <string.h>
#include "compiler/lower/lower.h"

/* Scalar video instructions: operands are words or parts of words (.b0 .. .b3, .h0, .h1), the result is computed in 64
 * bits, clamped, and combined with a third operand or put into a part of it. GPUs of today run them as sequences, and
 * do what PTX's text does not say; this is what an H200 was seen to do (tests/silicon/forms): into .h1 goes the upper
 * half of a result, a part's saturation takes what is below zero for large, vmad's c always has a sign. */

struct piece {
  unsigned at, bits;
};

static const struct {
  const char *name;
  struct piece part;
} parts[] = {{"b0", {0, 8}}, {"b1", {8, 8}}, {"b2", {16, 8}}, {"b3", {24, 8}}, {"h0", {0, 16}}, {"h1", {16, 16}}};

/* "%r1.b2": the register without its part. */
static struct ptx_operand without_part(struct lower *l, const struct ptx_operand *o, struct piece *part) {
  struct ptx_operand bare = *o;
  const char *dot = o->kind == PTX_OP_NAME ? strrchr(o->name, '.') : NULL;
  *part = (struct piece){0, 32};
  for (size_t k = 0; dot && k < sizeof parts / sizeof *parts; k++)
    if (strcmp(dot + 1, parts[k].name) == 0) {
      *part = parts[k].part;
      bare.name = ptx_intern(l->text, o->name, (size_t)(dot - o->name));
    }
  return bare;
}

/* An operand as a number of 64 bits. */
static struct ir_operand video_number(struct lower *l, const struct ptx_operand *o, enum ptx_type t) {
  struct piece part;
  struct ptx_operand bare = without_part(l, o, &part);
  bool negate = bare.negate;
  bare.negate = false;
  struct ir_operand v = lower_read(l, &bare, t);
  if (part.bits < 32) v = lower_three(l, IR_BFE, t, v, ir_bits(part.at), ir_bits(part.bits));
  v = lower_extend(l, v, t, 8);
  return negate ? lower_two(l, IR_SUB, PTX_S64, ir_bits(0), v) : v;
}

static struct ir_operand compare_s64(struct lower *l, enum ir_cmp cmp, struct ir_operand a, struct ir_operand b) {
  struct ir_insn *i = lower_temp(l, IR_SETP, PTX_S64, IR_PRED, 2, (struct ir_operand[]){a, b});
  i->comparison.cmp = (uint8_t)cmp;
  return lower_three(l, IR_SELP, PTX_B64, ir_bits(1), ir_bits(0), lower_result(i));
}

static struct ir_operand shifted(struct lower *l, const struct insn *in, struct ir_operand a, struct ir_operand b) {
  struct ir_operand by = b.kind == IR_CONST ? ir_bits(b.bits & UINT32_MAX) : lower_cvt(l, PTX_U32, PTX_U64, b);
  by = in->w.value[K_WRAP] ? lower_two(l, IR_AND, PTX_B32, by, ir_bits(31))
                           : lower_two(l, IR_MIN, PTX_U32, by, ir_bits(32));
  if (in->row->op == IR_SHR) return lower_two(l, IR_SHR, PTX_S64, a, by);
  struct ir_operand v = lower_two(l, IR_SHL, PTX_B64, a, by);
  /* 64 bits without a sign: what is clamped later is clamped as a signed number */
  bool large = given(in, K_SAT) && !lower_signed(in->w.type[1]);
  return large ? lower_two(l, IR_MIN, PTX_U64, v, ir_bits(INT64_MAX)) : v;
}

static struct ir_operand compute(struct lower *l, const struct insn *in, struct ir_operand a, struct ir_operand b) {
  switch ((enum ir_op)in->row->op) {
  case IR_SAD: {
    struct ir_operand most = lower_two(l, IR_MAX, PTX_S64, a, b), least = lower_two(l, IR_MIN, PTX_S64, a, b);
    return lower_two(l, IR_SUB, PTX_S64, most, least);
  }
  case IR_SHL:
  case IR_SHR:
    return shifted(l, in, a, b);
  case IR_SET:
    return compare_s64(l, (enum ir_cmp)(in->w.value[K_CMP] & (uint8_t)~CMP_UNSIGNED), a, b);
  default:
    return lower_two(l, (enum ir_op)in->row->op, PTX_S64, a, b);
  }
}

/* To what a word of type d holds. */
static struct ir_operand clamped(struct lower *l, struct ir_operand v, enum ptx_type d) {
  bool is_signed = lower_signed(d);
  uint64_t most = (UINT64_C(1) << (32 - is_signed)) - 1, least = is_signed ? ~most : 0;
  v = lower_two(l, IR_MAX, PTX_S64, v, ir_bits(least));
  return lower_two(l, IR_MIN, PTX_S64, v, ir_bits(most));
}

/* v, a word, in that part of c. */
static struct ir_operand insert_part(struct lower *l, struct ir_operand v, struct ir_operand c, struct piece part) {
  if (part.bits == 16 && part.at) v = lower_two(l, IR_SHR, PTX_U32, v, ir_bits(part.at));
  struct ir_operand src[4] = {v, c, ir_bits(part.at), ir_bits(part.bits)};
  return lower_result(lower_temp(l, IR_BFI, PTX_B32, IR_32, 4, src));
}

/* Behind a part of the destination, or a second operation, stands the operand that it works on; `second_type` is how
 * the second operation sees it. */
static bool finish_result(struct lower *l, const struct insn *in, enum ptx_type d, enum ptx_type second_type,
                          struct ir_operand v) {
  static const enum ir_op seconds[] = {[IR_A_ADD] = IR_ADD, [IR_A_MIN] = IR_MIN, [IR_A_MAX] = IR_MAX};
  struct piece part;
  struct ptx_operand to = without_part(l, &in->o[0], &part);
  bool second = given(in, K_ATOM);
  unsigned which = in->w.value[K_ATOM];
  if ((second && (part.bits < 32 || which > IR_A_MAX)) || (part.bits < 32 || second) != (in->operands == 4)) {
    lower_refuse(l, in, "this combination is not supported");
    return false;
  }
  if (given(in, K_SAT) && part.bits == 32) v = clamped(l, v, d);
  v = lower_cvt(l, PTX_U32, PTX_U64, v);
  if (given(in, K_SAT) && part.bits < 32)
    v = lower_two(l, IR_MIN, PTX_U32, v, ir_bits((UINT64_C(1) << (part.bits - lower_signed(d))) - 1));
  struct ir_operand c = in->operands == 4 ? lower_read(l, &in->o[3], PTX_B32) : ir_bits(0);
  struct ir_value *dst = lower_write(l, &to, PTX_B32);
  if (second)
    lower_into(l, dst, seconds[which], second_type, 2, (struct ir_operand[]){v, c});
  else if (part.bits < 32)
    lower_copy(l, dst, insert_part(l, v, c, part));
  else
    lower_copy(l, dst, v);
  return true;
}

static bool is_word(enum ptx_type t) {
  return t == PTX_U32 || t == PTX_S32;
}

void lower_video(struct lower *l, const struct insn *in) {
  bool sets = in->row->op == IR_SET, shifts = in->row->op == IR_SHL || in->row->op == IR_SHR;
  enum ptx_type d = sets ? PTX_U32 : in->w.type[0], ta = in->w.type[sets ? 0 : 1], tb = in->w.type[sets ? 1 : 2];
  if (in->w.types != (sets ? 2u : 3u) || !is_word(d) || !is_word(ta) || !is_word(tb) || (shifts && tb != PTX_U32)) {
    lower_refuse(l, in, "these types are not supported");
    return;
  }
  struct ir_operand a = video_number(l, &in->o[1], ta), b = video_number(l, &in->o[2], tb);
  finish_result(l, in, d, sets ? ta : d, compute(l, in, a, b));
}

/* Without a sign: nothing is below zero, but after a shift what is takes the largest number. */
static struct ir_operand vmad_clamped(struct lower *l, const struct insn *in, struct ir_operand v, bool is_signed) {
  if (is_signed) return clamped(l, v, PTX_S32);
  if (given(in, K_SCALE)) return lower_two(l, IR_MIN, PTX_U64, v, ir_bits(UINT32_MAX));
  return clamped(l, v, PTX_U32);
}

/* vmad: {-}(a * b) + {-}c, .po: a * b + c + 1; then scaled. The type of d says nothing. */
void lower_vmad(struct lower *l, const struct insn *in) {
  enum ptx_type ta = in->w.type[1], tb = in->w.type[2];
  struct piece part;
  (void)without_part(l, &in->o[0], &part);
  bool product = in->o[1].negate != in->o[2].negate, plus = given(in, K_PLUS);
  bool is_signed = lower_signed(ta) || lower_signed(tb) || product || in->o[3].negate;
  if (in->w.types != 3 || !is_word(in->type) || !is_word(ta) || !is_word(tb) || part.bits < 32 || (plus && product)) {
    lower_refuse(l, in, "this combination is not supported");
    return;
  }
  struct ir_operand v = lower_two(l, IR_MUL, PTX_S64, video_number(l, &in->o[1], ta), video_number(l, &in->o[2], tb));
  v = lower_two(l, IR_ADD, PTX_S64, v, video_number(l, &in->o[3], PTX_S32));
  if (plus) v = lower_two(l, IR_ADD, PTX_S64, v, ir_bits(1));
  if (given(in, K_SCALE)) v = lower_two(l, IR_SHR, PTX_S64, v, ir_bits(in->w.value[K_SCALE]));
  if (given(in, K_SAT)) v = vmad_clamped(l, in, v, is_signed);
  lower_copy(l, lower_write(l, &in->o[0], PTX_B32), lower_cvt(l, PTX_U32, PTX_U64, v));
}

/* SIMD video instructions: halves (vadd2 ...) or bytes (vadd4 ...) of words. Elements are picked from both sources at
 * once (%r1.h30: half 3 above half 0, of b and of a); each result goes to its place in c, or all are added to c. */

struct shape {
  unsigned lanes, bits;
  char letter; /* of parts: h, b */
};

enum { LANES_MOST = 4 };

/* The digits behind "%r1.h", the last one first; 0: no part; more than LANES_MOST: no digits. */
static unsigned digits_of(struct lower *l, const struct ptx_operand *o, const struct shape *y, struct ptx_operand *bare,
                          unsigned digit[LANES_MOST]) {
  const char *dot = o->kind == PTX_OP_NAME ? strrchr(o->name, '.') : NULL;
  *bare = *o;
  if (!dot) return 0;
  size_t n = strlen(dot + 1);
  if (dot[1] != y->letter || n < 2 || n > LANES_MOST + 1) return LANES_MOST + 1;
  for (unsigned k = 0; k + 1 < n; k++) {
    char c = dot[n - k];
    if (c < '0' || c > '7') return LANES_MOST + 1;
    digit[k] = (unsigned)(c - '0');
  }
  bare->name = ptx_intern(l->text, o->name, (size_t)(dot - o->name));
  return (unsigned)n - 1;
}

/* Which elements of {b, a} an operand takes; false: told. */
static bool selection(struct lower *l, const struct insn *in, const struct shape *y, unsigned which,
                      struct ptx_operand *bare, unsigned digit[LANES_MOST]) {
  unsigned n = digits_of(l, &in->o[which], y, bare, digit);
  bool right = n == 0 || n == y->lanes;
  for (unsigned k = 0; k < y->lanes; k++) {
    if (n == 0) digit[k] = k + (which == 2 ? y->lanes : 0);
    right = right && digit[k] < 2 * y->lanes;
  }
  if (!right || bare->negate) {
    ptx_error(l->d, in->o[which].pos, "'%s': this part is not supported",
              in->o[which].kind == PTX_OP_NAME ? in->o[which].name : "");
    return false;
  }
  return true;
}

/* Lanes of the destination that are written, a bit each; 0: told. */
static unsigned mask_of(struct lower *l, const struct insn *in, const struct shape *y, struct ptx_operand *bare) {
  unsigned digit[LANES_MOST] = {0}, n = digits_of(l, &in->o[0], y, bare, digit), mask = 0;
  bool right = n <= y->lanes;
  if (n == 0) return (1u << y->lanes) - 1;
  for (unsigned k = 0; k < n && right; k++) {
    right = digit[k] < y->lanes && (k == 0 || digit[k] > digit[k - 1]);
    mask |= 1u << digit[k];
  }
  if (right) return mask;
  ptx_error(l->d, in->o[0].pos, "'%s': this part is not supported", in->o[0].name);
  return 0;
}

static struct ir_operand compared(struct lower *l, const struct insn *in, struct ir_operand a, struct ir_operand b) {
  struct ir_insn *i = lower_temp(l, IR_SETP, PTX_S32, IR_PRED, 2, (struct ir_operand[]){a, b});
  i->comparison.cmp = in->w.value[K_CMP];
  return lower_three(l, IR_SELP, PTX_B32, ir_bits(1), ir_bits(0), lower_result(i));
}

/* a, b and what comes of them are numbers of at most 17 bits. */
static struct ir_operand lane_result(struct lower *l, const struct insn *in, struct ir_operand a, struct ir_operand b) {
  switch ((enum ir_op)in->row->op) {
  case IR_SET:
    return compared(l, in, a, b);
  case IR_SAD:
    return lower_one(l, IR_ABS, PTX_S32, lower_two(l, IR_SUB, PTX_S32, a, b));
  case IR_SHR: { /* rounded up from halves, below zero down */
    struct ir_operand sum = lower_two(l, IR_ADD, PTX_S32, a, b);
    struct ir_operand up = lower_two(l, IR_ADD, PTX_S32, lower_two(l, IR_SHR, PTX_S32, sum, ir_bits(31)), ir_bits(1));
    return lower_two(l, IR_SHR, PTX_S32, lower_two(l, IR_ADD, PTX_S32, sum, up), ir_bits(1));
  }
  default:
    return lower_two(l, (enum ir_op)in->row->op, PTX_S32, a, b);
  }
}

static struct ir_operand lane_clamped(struct lower *l, struct ir_operand v, enum ptx_type d, unsigned bits) {
  const bool is_signed = lower_signed(d);
  const uint32_t most = (UINT32_C(1) << (bits - is_signed)) - 1, least = is_signed ? ~most : 0;
  v = lower_two(l, IR_MAX, PTX_S32, v, ir_bits(least));
  return lower_two(l, IR_MIN, PTX_S32, v, ir_bits(most));
}

static bool types_right(struct lower *l, const struct insn *in, enum ptx_type t[3]) {
  const bool sets = in->row->op == IR_SET;
  bool right = in->w.types == (sets ? 2u : 3u) && !(given(in, K_SAT) && given(in, K_ATOM));
  right = right && (!given(in, K_ATOM) || in->w.value[K_ATOM] == IR_A_ADD);
  right = right && !(sets && in->w.value[K_CMP] > IR_GE);
  for (unsigned k = 0; k < 3; k++) {
    t[k] = sets ? (k ? in->w.type[k - 1] : PTX_U32) : in->w.type[k];
    right = right && (t[k] == PTX_U32 || t[k] == PTX_S32);
  }
  if (!right) lower_refuse(l, in, "this combination is not supported");
  return right;
}

void lower_simd(struct lower *l, const struct insn *in) {
  const bool halves = in->row->name[strlen(in->row->name) - 1] == '2';
  const struct shape y = halves ? (struct shape){2, 16, 'h'} : (struct shape){4, 8, 'b'};
  enum ptx_type t[3];
  struct ptx_operand d, bare[2];
  unsigned digit[2][LANES_MOST] = {{0}}, mask;
  if (!types_right(l, in, t) || !selection(l, in, &y, 1, &bare[0], digit[0]) ||
      !selection(l, in, &y, 2, &bare[1], digit[1]) || (mask = mask_of(l, in, &y, &d)) == 0)
    return;
  struct ir_operand word[2], v, c = lower_read(l, &in->o[3], PTX_B32);
  for (unsigned k = 0; k < 2; k++) word[k] = lower_read(l, &bare[k], PTX_B32);
  for (unsigned lane = 0; lane < y.lanes; lane++) {
    struct ir_operand x[2];
    if (!(mask >> lane & 1)) continue;
    for (unsigned k = 0; k < 2; k++) {
      const unsigned from = digit[k][lane];
      x[k] = lower_three(l, IR_BFE, t[k + 1], word[from / y.lanes], ir_bits(from % y.lanes * y.bits), ir_bits(y.bits));
    }
    v = lane_result(l, in, x[0], x[1]);
    if (given(in, K_SAT)) v = lane_clamped(l, v, t[0], y.bits);
    struct ir_operand put[4] = {v, c, ir_bits(lane * y.bits), ir_bits(y.bits)};
    c = given(in, K_ATOM) ? lower_two(l, IR_ADD, PTX_U32, c, v)
                          : lower_result(lower_temp(l, IR_BFI, PTX_B32, IR_32, 4, put));
  }
  lower_copy(l, lower_write(l, &d, PTX_B32), c);
}
