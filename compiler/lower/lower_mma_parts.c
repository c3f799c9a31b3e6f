/* SPDX-License-Identifier: Apache-2.0
 *
 * mma.sync of 4-bit and 1-bit integers. The machine multiplies bytes: a register of eight nibbles is two of four bytes,
 * one of 32 bits is eight; their products are summed one after the other. Which element of a row stands where is the
 * same in A and B, so it does not matter that each part takes every second, or eighth, of them.
 */
#include "compiler/lower/lower_matrix.h"

enum { NIBBLES = 2, BITS = 8 }; /* parts of a register */

static struct ir_operand op_constant(struct lower *l, enum ir_op op, struct ir_operand a, uint32_t b) {
  return lower_two(l, op, PTX_B32, a, ir_bits(b));
}

/* In the upper half of each byte, so that a byte has the nibble's sign: 16 times the number. */
static struct ir_operand nibbles(struct lower *l, struct ir_operand a, unsigned part) {
  return op_constant(l, IR_AND, part == 0 ? op_constant(l, IR_SHL, a, 4) : a, 0xf0f0f0f0);
}

static struct ir_operand bits(struct lower *l, struct ir_operand a, unsigned part) {
  return op_constant(l, IR_AND, part > 0 ? op_constant(l, IR_SHR, a, part) : a, 0x01010101);
}

/* 1 for 0, -1 for 1. */
static struct ir_operand signs(struct lower *l, struct ir_operand a, unsigned part) {
  return op_constant(l, IR_OR, op_constant(l, IR_MUL, bits(l, a, part), 0xff), 0x01010101);
}

static void extract_part(struct lower *l, const struct mma *q, unsigned part, unsigned n, const struct ir_operand *from,
                         struct ir_operand *to) {
  for (unsigned k = 0; k < n; k++)
    to[k] = from[k].kind == IR_CONST     ? from[k] /* a row that is not there */
            : q->parts == NIBBLES        ? nibbles(l, from[k], part)
            : q->bits == MMA_BITS_DIFFER ? signs(l, from[k], part)
                                         : bits(l, from[k], part);
}

/* What the sum of all products says of the elements: of nibbles it is 256 times too much; of signs it is what agrees
 * less what differs. */
static struct ir_operand meaning(struct lower *l, const struct mma *q, struct ir_operand sum) {
  if (q->parts == NIBBLES) return lower_two(l, IR_SHR, PTX_S32, sum, ir_bits(8));
  if (q->bits != MMA_BITS_DIFFER) return sum;
  const unsigned all = BITS * q->shape->k;
  return lower_two(l, IR_SHR, PTX_S32, lower_two(l, IR_SUB, PTX_S32, ir_bits(all), sum), ir_bits(1));
}

void mma_parts(struct lower *l, const struct mma *q, const struct ir_operand *a, const struct ir_operand *b,
               const struct ir_operand *c, struct ir_value *const *d, unsigned results) {
  struct ir_operand sum[4], left[4], right[4];
  for (unsigned k = 0; k < 4; k++) sum[k] = ir_bits(0);
  for (unsigned part = 0; part < q->parts; part++) {
    extract_part(l, q, part, q->shape->a, a, left);
    extract_part(l, q, part, q->shape->b, b, right);
    const struct ir_insn *i = mma_emit(l, q->shape, q->lut, false, left, right, sum, NULL);
    for (unsigned k = 0; k < 4; k++) sum[k] = ir_use(i->dst[k]);
  }
  for (unsigned k = 0; k < results; k++) {
    const struct ir_operand part = meaning(l, q, sum[k]);
    sum[k] = q->sat ? lower_saturated(l, false, c[k], part) : lower_two(l, IR_ADD, PTX_S32, c[k], part);
  }
  for (unsigned k = 0; k < results; k++) lower_copy(l, d[k], sum[k]);
}
