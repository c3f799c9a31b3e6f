/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix instructions: their words and operands, what the machine multiplies at once, mma.sync.
 */
#include <string.h>
#include "compiler/lower/lower_matrix.h"

/* Words and operands of matrix instructions. */

static const struct {
  const char *word;
  uint8_t bytes;
} elements[ELEMENTS] = {[ELEMENT_F16] = {"f16", 2},   [ELEMENT_BF16] = {"bf16", 2}, [ELEMENT_TF32] = {"tf32", 4},
                        [ELEMENT_F64] = {"f64", 8},   [ELEMENT_U8] = {"u8", 1},     [ELEMENT_S8] = {"s8", 1},
                        [ELEMENT_E4M3] = {"e4m3", 1}, [ELEMENT_E5M2] = {"e5m2", 1}, [ELEMENT_F32] = {"f32", 4},
                        [ELEMENT_S32] = {"s32", 4},   [ELEMENT_U4] = {"u4", 0},     [ELEMENT_S4] = {"s4", 0},
                        [ELEMENT_B1] = {"b1", 0}};

unsigned element_bytes(enum element e) {
  return elements[e].bytes;
}

const char *element_word(enum element e) {
  return elements[e].word;
}

struct matrix_words matrix_words_of(struct lower *l, const struct insn *in) {
  return (struct matrix_words){.l = l, .in = in, .at = 1};
}

static const char *next_modifier(const struct matrix_words *w) {
  return w->at < w->in->s->words ? w->in->s->word[w->at] : "";
}

static void refuse_modifier(struct matrix_words *w) {
  if (w->wrong) return;
  w->wrong = true;
  if (*next_modifier(w))
    lower_refuse(w->l, w->in, ".%s is not supported here", next_modifier(w));
  else
    lower_refuse(w->l, w->in, "a modifier is missing at the end");
}

bool matrix_take(struct matrix_words *w, const char *word) {
  if (w->wrong || strcmp(next_modifier(w), word) != 0) return false;
  w->at++;
  return true;
}

void matrix_expect(struct matrix_words *w, const char *word) {
  if (!matrix_take(w, word)) refuse_modifier(w);
}

/* the next one, "" behind the last */
static const char *matrix_any(struct matrix_words *w) {
  const char *word = next_modifier(w);
  if (w->wrong || !*word) return "";
  w->at++;
  return word;
}

unsigned matrix_choose(struct matrix_words *w, const char *const *list, unsigned n) {
  for (unsigned k = 0; k < n; k++)
    if (matrix_take(w, list[k])) return k;
  refuse_modifier(w);
  return 0;
}

enum element matrix_element(struct matrix_words *w) {
  for (unsigned k = 0; k < ELEMENTS; k++)
    if (matrix_take(w, elements[k].word)) return (enum element)k;
  refuse_modifier(w);
  return ELEMENT_F16;
}

void matrix_end(struct matrix_words *w) {
  if (*next_modifier(w)) refuse_modifier(w);
}

void matrix_sync(struct matrix_words *w) {
  matrix_expect(w, "sync");
  (void)matrix_take(w, "aligned");
}

enum ptx_space matrix_space(struct matrix_words *w, bool global) {
  if (matrix_take(w, "shared") || matrix_take(w, "shared::cta")) return PTX_SHARED;
  if (global && matrix_take(w, "global")) return PTX_GLOBAL;
  return PTX_GENERIC;
}

bool matrix_registers(struct lower *l, const struct ptx_operand *o, unsigned n, struct ptx_operand *list) {
  if (n == 1 && o->kind != PTX_OP_VECTOR) {
    list[0] = *o;
    return true;
  }
  if (o->kind != PTX_OP_VECTOR || o->elements != n) {
    ptx_error(l->d, o->pos, "a vector of %u registers is wanted here", n);
    return false;
  }
  for (unsigned k = 0; k < n; k++) list[k] = o->element[k];
  return true;
}

/* What the machine multiplies at once, and one such instruction. */

static enum element element_family(enum element e) {
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

/* of its registers */
static enum ptx_type mma_type(const struct mma_shape *s) {
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

struct mma { /* as written */
  const struct mma_shape *shape;
  bool upper_half; /* of 16 rows */
  unsigned steps;  /* F64 of 16 rows: how many fours deep; else 0 */
  unsigned parts;  /* of a register of A and B, which are bytes of the instruction: nibbles 2, bits 8; else 1 */
  enum { MMA_BITS_BOTH, MMA_BITS_DIFFER } bits; /* which are counted: .and, .xor */
  bool sat;
  uint8_t lut;
};

/* mma.sync of 4-bit and 1-bit integers. The machine multiplies bytes: a register of eight nibbles is two of four bytes,
 * one of 32 bits is eight; their products are summed one after the other. Which element of a row stands where is the
 * same in A and B, so it does not matter that each part takes every second, or eighth, of them. */

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

/* Of registers with q->parts parts; the first `results` sums into d. */
static void mma_parts(struct lower *l, const struct mma *q, const struct ir_operand *a, const struct ir_operand *b,
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

/* mma.sync. Fragments lie in registers as the machine has them (isa/doc/10-matrices.md), so each
 * shape that it has is one instruction. m8n8k16 is the upper half of m16n8k16. F64 of 16 rows is two
 * of 8, four products at a time: sums of F64 are rounded after each product, so this is exact. Of
 * numbers smaller than a byte: above. */

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
