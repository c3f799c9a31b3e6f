/* SPDX-License-Identifier: Apache-2.0
 *
 * SIMD video instructions: halves (vadd2 ...) or bytes (vadd4 ...) of words. Elements are picked from both sources at
 * once (%r1.h30: half 3 above half 0, of b and of a); each result goes to its place in c, or all are added to c.
 */
#include <string.h>

#include "compiler/lower/lower.h"

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
static struct ir_operand compute(struct lower *l, const struct insn *in, struct ir_operand a, struct ir_operand b) {
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

static struct ir_operand clamped(struct lower *l, struct ir_operand v, enum ptx_type d, unsigned bits) {
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
    v = compute(l, in, x[0], x[1]);
    if (given(in, K_SAT)) v = clamped(l, v, t[0], y.bits);
    struct ir_operand put[4] = {v, c, ir_bits(lane * y.bits), ir_bits(y.bits)};
    c = given(in, K_ATOM) ? lower_two(l, IR_ADD, PTX_U32, c, v)
                          : lower_result(lower_temp(l, IR_BFI, PTX_B32, IR_32, 4, put));
  }
  lower_copy(l, lower_write(l, &d, PTX_B32), c);
}
