/* SPDX-License-Identifier: Apache-2.0
 *
 * mma.sync. Fragments lie in registers as the machine has them (isa/doc/10-matrices.md), so each
 * shape that it has is one instruction. m8n8k16 is the upper half of m16n8k16. F64 of 16 rows is two
 * of 8, four products at a time: sums of F64 are rounded after each product, so this is exact. Of
 * numbers smaller than a byte: lower_mma_parts.c.
 */
#include <string.h>

#include "compiler/lower/lower_matrix.h"

/* Elements in a byte. */
static unsigned parts_of(enum element e) {
  return element_family(e) == ELEMENT_U4 ? 2 : e == ELEMENT_B1 ? 8 : 1;
}

/* "m16n8k16": m 16 or 8, n 8. 0: another one. */
static unsigned depth_of(const char *shape, unsigned *m) {
  static const struct {
    const char *word;
    uint8_t m;
    uint16_t k;
  } list[] = {{"m16n8k4", 16, 4},   {"m16n8k8", 16, 8},     {"m16n8k16", 16, 16},   {"m16n8k32", 16, 32},
              {"m16n8k64", 16, 64}, {"m16n8k128", 16, 128}, {"m16n8k256", 16, 256}, {"m8n8k4", 8, 4},
              {"m8n8k16", 8, 16},   {"m8n8k32", 8, 32},     {"m8n8k128", 8, 128}};
  for (size_t n = 0; n < sizeof list / sizeof *list; n++)
    if (strcmp(shape, list[n].word) == 0) {
      *m = list[n].m;
      return list[n].k;
    }
  return 0;
}

static void bit_operation(struct matrix_words *w, struct mma *q) {
  static const char *const words[] = {[MMA_BITS_BOTH] = "and", [MMA_BITS_DIFFER] = "xor"};
  q->bits = matrix_choose(w, words, 2) == MMA_BITS_BOTH ? MMA_BITS_BOTH : MMA_BITS_DIFFER;
  matrix_expect(w, "popc");
}

static bool read_mma(struct lower *l, const struct insn *in, struct mma *q) {
  struct matrix_words w = matrix_words_of(l, in);
  unsigned m = 0;
  matrix_sync(&w);
  const unsigned k = depth_of(matrix_any(&w), &m);
  if (k == 0) {
    w.at -= !w.wrong && w.at > 1;
    matrix_expect(&w, "m16n8k16");
  }
  matrix_expect(&w, "row");
  matrix_expect(&w, "col");
  q->sat = matrix_take(&w, "satfinite");
  const enum element d = matrix_element(&w), a = matrix_element(&w), b = matrix_element(&w), c = matrix_element(&w);
  const unsigned parts = parts_of(a);
  const enum element bytes = parts > 1 ? ELEMENT_U8 : a;
  if (a == ELEMENT_B1) bit_operation(&w, q);
  matrix_end(&w);
  if (w.wrong) return false;
  q->parts = parts;
  q->steps = a == ELEMENT_F64 && m == 16 && k <= 16 ? k / 4 : 0;
  q->shape = element_family(a) == element_family(b) && c == d ? mma_find(bytes, c, q->steps ? 4 : k / parts) : NULL;
  q->upper_half = m == 8 && element_family(bytes) == ELEMENT_U8;
  const bool left = a != element_family(a) || q->bits == MMA_BITS_DIFFER,
             right = b != element_family(b) || q->bits == MMA_BITS_DIFFER;
  q->lut = (uint8_t)(left | right << 1); /* bits that differ are told by signs */
  const bool whole = m == (a == ELEMENT_F64 ? 8 : 16) || (q->upper_half && q->shape && q->shape->k == 16) || q->steps;
  if (q->shape && whole && (!q->sat || (c == ELEMENT_S32 && a != ELEMENT_B1))) return true;
  lower_refuse(l, in, "this shape is not supported for these types");
  return false;
}

/* Registers of an operand as values of the machine's fragment; absent ones are zero. */
static bool read_fragment(struct lower *l, const struct ptx_operand *o, unsigned n, enum ptx_type t,
                          struct ir_operand *v) {
  struct ptx_operand list[8];
  if (!matrix_registers(l, o, n, list)) return false;
  for (unsigned k = 0; k < n; k++) v[k] = lower_read(l, &list[k], t);
  return true;
}

/* Rows g and g + 8 take turns in the registers of A, and follow each other in those of C. */
static void lower_double(struct lower *l, const struct insn *in, const struct mma *q) {
  struct ir_operand a[8], b[4], c[4];
  struct ptx_operand d[4];
  if (!matrix_registers(l, &in->o[0], 4, d) || !read_fragment(l, &in->o[1], 2 * q->steps, PTX_F64, a) ||
      !read_fragment(l, &in->o[2], q->steps, PTX_F64, b) || !read_fragment(l, &in->o[3], 4, PTX_F64, c))
    return;
  for (unsigned h = 0; h < 2; h++)
    for (unsigned n = 0; n < q->steps; n++) {
      const struct ir_insn *i = mma_emit(l, q->shape, 0, false, &a[2 * n + h], &b[n], &c[2 * h], NULL);
      for (unsigned k = 0; k < 2; k++) c[2 * h + k] = ir_use(i->dst[k]);
    }
  for (unsigned k = 0; k < 4; k++) lower_into(l, lower_write(l, &d[k], PTX_F64), IR_COPY, PTX_F64, 1, &c[k]);
}

void lower_mma(struct lower *l, const struct insn *in) {
  struct mma q = {0};
  struct ir_operand a[4] = {{0}}, b[4], c[4];
  struct ptx_operand d[4];
  if (!read_mma(l, in, &q)) return;
  if (in->operands != 4) {
    lower_refuse(l, in, "4 operands are wanted");
    return;
  }
  if (q.steps) {
    lower_double(l, in, &q);
    return;
  }
  const struct mma_shape *s = q.shape;
  const enum ptx_type t = mma_type(s);
  const unsigned rows = q.upper_half ? 2 : 1;
  for (unsigned k = 0; k < 4; k++) a[k] = c[k] = ir_bits(0);
  if (!matrix_registers(l, &in->o[0], s->c / rows, d) || !read_fragment(l, &in->o[1], s->a / rows, t, a) ||
      !read_fragment(l, &in->o[2], s->b, t, b) || !read_fragment(l, &in->o[3], s->c / rows, t, c))
    return;
  struct ir_value *to[4];
  for (unsigned k = 0; k < s->c; k++)
    to[k] = k < s->c / rows ? lower_write(l, &d[k], t) : ir_value_new(l->f, ir_class_of(t));
  if (q.parts > 1) {
    mma_parts(l, &q, a, b, c, to, s->c / rows);
    return;
  }
  mma_emit(l, s, q.lut, q.sat, a, b, c, to);
}
