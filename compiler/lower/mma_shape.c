/* SPDX-License-Identifier: Apache-2.0
 *
 * What the machine multiplies at once, and one such instruction. */
#include "compiler/lower/lower_matrix.h"

enum element element_family(enum element e) {
  return e == ELEMENT_S8 ? ELEMENT_U8 : e == ELEMENT_E5M2 ? ELEMENT_E4M3 : e == ELEMENT_S4 ? ELEMENT_U4 : e;
}

static const struct {
  enum element a, c;
  struct mma_shape shape;
} products[] = {{ELEMENT_F16, ELEMENT_F32, {IR_MMA_F16_K16_F32, 4, 2, 4, 16}},
                {ELEMENT_F16, ELEMENT_F32, {IR_MMA_F16_K8_F32, 2, 1, 4, 8}},
                {ELEMENT_BF16, ELEMENT_F32, {IR_MMA_BF16_K16_F32, 4, 2, 4, 16}},
                {ELEMENT_BF16, ELEMENT_F32, {IR_MMA_BF16_K8_F32, 2, 1, 4, 8}},
                {ELEMENT_TF32, ELEMENT_F32, {IR_MMA_TF32_K8_F32, 4, 2, 4, 8}},
                {ELEMENT_TF32, ELEMENT_F32, {IR_MMA_TF32_K4_F32, 2, 1, 4, 4}},
                {ELEMENT_F16, ELEMENT_F16, {IR_MMA_F16_K16_F16, 4, 2, 2, 16}},
                {ELEMENT_F16, ELEMENT_F16, {IR_MMA_F16_K8_F16, 2, 1, 2, 8}},
                {ELEMENT_U8, ELEMENT_S32, {IR_MMA_I8_K16, 2, 1, 4, 16}},
                {ELEMENT_U8, ELEMENT_S32, {IR_MMA_I8_K32, 4, 2, 4, 32}},
                {ELEMENT_E4M3, ELEMENT_F32, {IR_MMA_F8_K32, 4, 2, 4, 32}},
                {ELEMENT_F64, ELEMENT_F64, {IR_MMA_F64, 1, 1, 2, 4}}};
enum { PRODUCTS = sizeof products / sizeof *products };

const struct mma_shape *mma_find(enum element a, enum element c, unsigned k) {
  for (unsigned n = 0; n < PRODUCTS; n++)
    if (products[n].a == element_family(a) && products[n].c == c && products[n].shape.k == k) return &products[n].shape;
  return NULL;
}

/* What is no instruction of the machine: half of one, several of one, bytes made of nibbles or bits. */
static const struct {
  const char *shapes, *types, *optional, *note;
} sequences[] = {{"m8n8k16", "s32 u8|s8 u8|s8 s32", "satfinite", "D A B C"},
                 {"m16n8k4|m16n8k8|m16n8k16", "f64 f64 f64 f64", "", "D A B C"},
                 {"m8n8k32|m16n8k32|m16n8k64", "s32 u4|s4 u4|s4 s32", "satfinite", "D A B C"},
                 {"m8n8k128|m16n8k128|m16n8k256", "s32 b1 b1 s32 and|xor popc", "", "D A B C"}};
enum { SEQUENCES = sizeof sequences / sizeof *sequences };

bool mma_form(unsigned k, struct matrix_form *f) {
  if (k >= PRODUCTS + SEQUENCES) return false;
  *f = (struct matrix_form){.name = "mma", .optional = "", .note = "D A B C", .least = 4, .most = 4, .sequence = true};
  if (k >= PRODUCTS) {
    f->optional = sequences[k - PRODUCTS].optional;
    f->note = sequences[k - PRODUCTS].note;
    snprintf(f->required, sizeof f->required, "sync aligned %s row col", sequences[k - PRODUCTS].shapes);
    snprintf(f->types, sizeof f->types, "%s", sequences[k - PRODUCTS].types);
    return true;
  }
  const enum element a = products[k].a;
  const char *c = element_word(products[k].c);
  const char *ab = a == ELEMENT_U8 ? "u8|s8" : a == ELEMENT_E4M3 ? "e4m3|e5m2" : element_word(a);
  if (a == ELEMENT_U8) f->optional = "satfinite";
  snprintf(f->required, sizeof f->required, "sync aligned m%un8k%u row col", a == ELEMENT_F64 ? 8u : 16u,
           products[k].shape.k);
  snprintf(f->types, sizeof f->types, "%s %s %s %s", c, ab, ab, c);
  return true;
}

enum ptx_type mma_type(const struct mma_shape *s) {
  return s->mode == IR_MMA_F64 ? PTX_F64 : PTX_B32;
}

static void add_sources(struct ir_insn *i, const struct ir_operand *list, unsigned n) {
  for (unsigned k = 0; k < n; k++) lower_src(i, list[k]);
}

struct ir_insn *mma_emit(struct lower *l, const struct mma_shape *s, uint8_t lut, bool sat, const struct ir_operand *a,
                         const struct ir_operand *b, const struct ir_operand *c, struct ir_value *const *d) {
  struct ir_insn *i = lower_emit(l, IR_MMA, mma_type(s));
  i->matrix.mode = s->mode;
  i->matrix.kinds = lut;
  i->matrix.sat = sat;
  for (unsigned k = 0; k < s->c; k++) lower_dst(i, d ? d[k] : ir_value_new(l->f, ir_class_of(mma_type(s))));
  add_sources(i, a, s->a);
  add_sources(i, b, s->b);
  add_sources(i, c, s->c);
  return i;
}
