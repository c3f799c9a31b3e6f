/* SPDX-License-Identifier: Apache-2.0
 *
 * wmma: its shapes and fragments, and how it is done with the machine's products.
 */
#include <string.h>
#include "compiler/lower/lower_matrix.h"

/* Shapes of wmma, and where the elements of its fragments lie. */

struct wmma {
  const char *shape;
  uint8_t m, n, k;
};
enum matrix_part { MATRIX_A, MATRIX_B, MATRIX_SUM };
enum { WMMA_REGISTERS = 8 }; /* most of a fragment */
static inline bool wmma_swapped(const struct wmma *q) {
  return q->n == 32;
}
static inline unsigned wmma_left_tiles(const struct wmma *q) {
  return q->m == 32 || q->n == 32 ? 2 : 1;
}
static inline unsigned wmma_right_tiles(const struct wmma *q) {
  return q->n == 16 ? 2 : 1;
}

struct wmma_fragment {
  unsigned registers, given; /* that it needs; that PTX gives it */
  unsigned each;             /* of a tile */
  unsigned bytes, pieces;    /* of an element; elements in a register */
  bool left, sum;
  unsigned outer_tile, inner_tile; /* from a tile to the next */
};
struct wmma_spot {
  unsigned outer, inner;
};

static const struct wmma shapes[] = {{"m16n16k16", 16, 16, 16},
                                     {"m32n8k16", 32, 8, 16},
                                     {"m8n32k16", 8, 32, 16},
                                     {"m16n16k8", 16, 16, 8},
                                     {"m8n8k4", 8, 8, 4}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static const struct wmma *wmma_shape(struct matrix_words *w) {
  const char *words[SHAPES];
  for (unsigned k = 0; k < SHAPES; k++) words[k] = shapes[k].shape;
  return &shapes[matrix_choose(w, words, SHAPES)];
}

/* usual elements of C and D */
static enum element wmma_sum(enum element a) {
  return a == ELEMENT_F64 ? ELEMENT_F64 : a == ELEMENT_U8 || a == ELEMENT_S8 ? ELEMENT_S32 : ELEMENT_F32;
}

static bool is_right(const struct wmma *q, enum matrix_part part, enum element e) {
  switch (e) {
  case ELEMENT_F16:
    return q->k == 16;
  case ELEMENT_BF16:
  case ELEMENT_U8:
  case ELEMENT_S8:
    return part != MATRIX_SUM && q->k == 16;
  case ELEMENT_TF32:
    return part != MATRIX_SUM && q->k == 8;
  case ELEMENT_F64:
    return q->k == 4;
  case ELEMENT_S32:
    return part == MATRIX_SUM && q->k == 16;
  case ELEMENT_F32:
    return part == MATRIX_SUM && q->k != 4;
  default:
    return false;
  }
}

/* False: there is no such matrix. */
static bool wmma_fragment(const struct wmma *q, enum matrix_part part, enum element e, struct wmma_fragment *f) {
  if (!is_right(q, part, e)) return false;
  const unsigned bytes = element_bytes(e), tiles = wmma_left_tiles(q) * wmma_right_tiles(q);
  *f = (struct wmma_fragment){.bytes = bytes, .pieces = bytes < 4 ? 4 / bytes : 1, .sum = part == MATRIX_SUM};
  if (f->sum) {
    f->each = bytes == 4 ? 4 : 2;
    f->registers = tiles * f->each;
    f->outer_tile = wmma_left_tiles(q) > 1 ? 16 : 0;
    f->inner_tile = wmma_right_tiles(q) > 1 ? 8 : 0;
    f->given = f->registers;
    return true;
  }
  const struct mma_shape *s = mma_find(e, wmma_sum(e), q->k);
  f->left = (part == MATRIX_A) != wmma_swapped(q);
  f->each = f->left ? s->a : s->b;
  f->registers = f->each * (f->left ? wmma_left_tiles(q) : wmma_right_tiles(q));
  f->outer_tile = f->left ? 16 : 8;
  f->given = e == ELEMENT_F16 ? WMMA_REGISTERS : f->registers;
  return true;
}

/* its first element, in lane 0 */
static struct wmma_spot wmma_spot_of(const struct wmma_fragment *f, unsigned r) {
  const unsigned tile = r / f->each, k = r % f->each;
  struct wmma_spot at = {tile * f->outer_tile, tile * f->inner_tile};
  if (f->sum) {
    at.outer += 8 * (f->bytes == 4 ? k / 2 : f->pieces == 2 ? k : 0);
    at.inner += f->pieces == 2 ? 0 : k % 2;
  } else if (f->left) {
    at.outer += 8 * (k % 2);
    at.inner += 4 * f->pieces * (k / 2);
  } else {
    at.inner += 4 * f->pieces * k;
  }
  return at;
}

/* ---- for lists: shapes of the same depth have the same elements ---- */

static bool is_first_of_depth(unsigned n) {
  return n == 0 || shapes[n - 1].k != shapes[n].k;
}

/* "m16n16k16|m32n8k16|m8n32k16" */
static void add_shapes(char *text, size_t size, unsigned n) {
  for (unsigned k = n; k < SHAPES && shapes[k].k == shapes[n].k; k++) {
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", k == n ? " " : "|", shapes[k].shape);
  }
}

static bool put_transfer(struct matrix_form *f, unsigned n, enum matrix_part part, bool store) {
  static const char *const parts[] = {"a", "b", "c"};
  size_t used = 0;
  *f = (struct matrix_form){
      .name = "wmma", .optional = "global|shared|shared::cta", .note = "stride in elements", .least = 2, .most = 3};
  snprintf(f->required, sizeof f->required, "%s %s sync aligned row|col", store ? "store" : "load",
           store ? "d" : parts[part]);
  add_shapes(f->required, sizeof f->required, n);
  for (unsigned e = 0; e < ELEMENTS && used < sizeof f->types; e++)
    if (is_right(&shapes[n], part, (enum element)e))
      used += (size_t)snprintf(f->types + used, sizeof f->types - used, "%s%s", used ? " " : "",
                               element_word((enum element)e));
  return used > 0;
}

static bool put_product(struct matrix_form *f, unsigned n, enum element e) {
  const char *ab = e == ELEMENT_U8 ? "u8|s8" : element_word(e), *c = element_word(wmma_sum(e));
  if (!is_right(&shapes[n], MATRIX_A, e) || e == ELEMENT_S8) return false;
  *f = (struct matrix_form){.name = "wmma",
                            .optional = e == ELEMENT_U8 ? "satfinite" : "",
                            .note = e == ELEMENT_F16 ? "D C, of F16 A and B" : "D A B C",
                            .least = 4,
                            .most = 4,
                            .sequence = true};
  snprintf(f->required, sizeof f->required, "mma sync aligned row|col row|col");
  add_shapes(f->required, sizeof f->required, n);
  if (e == ELEMENT_F16)
    snprintf(f->types, sizeof f->types, "f32|f16 f32|f16");
  else
    snprintf(f->types, sizeof f->types, "%s %s %s %s", c, ab, ab, c);
  return true;
}

bool wmma_form(unsigned k, struct matrix_form *f) {
  static const enum matrix_part parts[] = {MATRIX_A, MATRIX_B, MATRIX_SUM, MATRIX_SUM};
  for (unsigned kind = 0; kind < 4; kind++)
    for (unsigned n = 0; n < SHAPES; n++)
      if (is_first_of_depth(n) && put_transfer(f, n, parts[kind], kind == 3) && k-- == 0) return true;
  for (unsigned n = 0; n < SHAPES; n++)
    for (unsigned e = 0; e < ELEMENTS; e++)
      if (is_first_of_depth(n) && put_product(f, n, (enum element)e) && k-- == 0) return true;
  return false;
}

/* wmma: matrices of 16x16, 32x8 and 8x32 as two of the machine's. PTX leaves open where the elements of a fragment lie:
 * here they lie as the machine's instructions want them, so that a layout in memory matters to loads and stores alone.
 *
 * The machine multiplies 16 rows (left) by 8 columns (right); of F64 8 by 8. 8x32 is done as the transposed 32x8, B to
 * the left. `outer` counts rows of the left matrix or columns of the right one, and rows of the sum; `inner` the other
 * way. Tiles follow each other in the registers. PTX gives A and B of F16 eight registers, whatever they need: those
 * that are left over repeat the others, so that a program that scales a fragment changes nothing else. */

/* ---- memory ---- */

struct grid { /* a matrix in memory, as a lane sees it */
  struct lower *l;
  struct address a;         /* of the lane's first element */
  struct ir_operand stride; /* in elements */
  unsigned bytes;
  bool outer_strided; /* elements follow each other along `inner` */
};

static bool is_wide(const struct grid *g) {
  return g->a.space == PTX_GLOBAL || g->a.space == PTX_GENERIC;
}

static struct ir_operand grid_times(struct grid *g, struct ir_operand x, struct ir_operand y) {
  if (!is_wide(g)) return lower_two(g->l, IR_MUL, PTX_U32, x, y);
  return lower_result(lower_temp(g->l, IR_MULWIDE, PTX_U32, IR_64, 2, (struct ir_operand[]){x, y}));
}

static struct ir_operand plus(struct grid *g, struct ir_operand x, struct ir_operand y) {
  return lower_two(g->l, IR_ADD, is_wide(g) ? PTX_U64 : PTX_U32, x, y);
}

/* Lane 4g + t begins at outer g, inner t * `step`. */
static void enter_lane(struct grid *g, unsigned step) {
  struct lower *l = g->l;
  struct ir_insn *id = lower_temp(l, IR_SREG, PTX_U32, IR_32, 0, NULL);
  id->sreg = IR_LANEID;
  struct ir_operand outer = lower_two(l, IR_SHR, PTX_U32, lower_result(id), ir_bits(2));
  struct ir_operand inner = lower_two(l, IR_AND, PTX_B32, lower_result(id), ir_bits(3));
  struct ir_operand bytes = ir_bits(g->bytes), both = ir_bits((uint64_t)g->bytes * step);
  struct ir_operand far = grid_times(g, g->outer_strided ? outer : inner, g->stride);
  far = lower_two(l, IR_MUL, is_wide(g) ? PTX_U64 : PTX_U32, far, g->outer_strided ? bytes : both);
  struct ir_operand near = grid_times(g, g->outer_strided ? inner : outer, g->outer_strided ? both : bytes);
  g->a.base = plus(g, g->a.base, plus(g, far, near));
}

static struct address element_at(struct grid *g, struct wmma_spot at) {
  const unsigned far = g->outer_strided ? at.outer : at.inner, near = g->outer_strided ? at.inner : at.outer;
  struct address a = g->a;
  if (far) a.base = plus(g, a.base, grid_times(g, g->stride, ir_bits((uint64_t)far * g->bytes)));
  a.offset += (int64_t)near * g->bytes;
  return a;
}

static enum ptx_type type_of(unsigned bytes) {
  return bytes == 1 ? PTX_U8 : bytes == 2 ? PTX_U16 : bytes == 4 ? PTX_B32 : PTX_F64;
}

/* Are the elements of a register one access? */
static bool in_one(const struct grid *g, const struct wmma_fragment *f) {
  return f->pieces == 1 || g->outer_strided;
}

static struct ir_operand load_register(struct grid *g, const struct wmma_fragment *f, unsigned r) {
  struct wmma_spot at = wmma_spot_of(f, r);
  if (in_one(g, f)) return lower_load(g->l, element_at(g, at), type_of(f->bytes * f->pieces));
  struct ir_operand word = lower_load(g->l, element_at(g, at), type_of(f->bytes));
  for (unsigned k = 1; k < f->pieces; k++) {
    at.inner++;
    const unsigned bits = 8 * f->bytes;
    struct ir_operand x = lower_load(g->l, element_at(g, at), type_of(f->bytes));
    struct ir_operand src[4] = {x, word, ir_bits((uint64_t)k * bits), ir_bits(bits)};
    word = lower_result(lower_temp(g->l, IR_BFI, PTX_B32, IR_32, 4, src));
  }
  return word;
}

static void store_register(struct grid *g, const struct wmma_fragment *f, unsigned r, struct ir_operand v) {
  struct wmma_spot at = wmma_spot_of(f, r);
  if (in_one(g, f)) {
    lower_store(g->l, element_at(g, at), type_of(f->bytes * f->pieces), v);
    return;
  }
  for (unsigned k = 0; k < f->pieces; k++, at.inner++) {
    struct ir_operand x = k ? lower_two(g->l, IR_SHR, PTX_U32, v, ir_bits(8 * f->bytes * (uint64_t)k)) : v;
    lower_store(g->l, element_at(g, at), type_of(f->bytes), x);
  }
}

/* ---- wmma.load, wmma.store ---- */

/* From one row (or column) to the next where no stride is given. */
static unsigned natural_stride(const struct wmma *q, enum matrix_part part, bool row) {
  if (part == MATRIX_A) return row ? q->k : q->m;
  if (part == MATRIX_B) return row ? q->n : q->k;
  return row ? q->n : q->m;
}

struct transfer {
  const struct wmma *q;
  enum matrix_part part;
  enum ptx_space space;
  struct wmma_fragment f;
  bool row;
};

static const char *const layouts[] = {"row", "col"};

static bool read_transfer(struct lower *l, const struct insn *in, struct matrix_words *w, struct transfer *t) {
  matrix_sync(w);
  t->row = matrix_choose(w, layouts, 2) == 0;
  t->q = wmma_shape(w);
  t->space = matrix_space(w, true);
  const enum element e = matrix_element(w);
  matrix_end(w);
  if (w->wrong) return false;
  if (in->operands != 2 && in->operands != 3)
    lower_refuse(l, in, "2 or 3 operands are wanted");
  else if (!wmma_fragment(t->q, t->part, e, &t->f))
    lower_refuse(l, in, "this shape is not supported for this type");
  else
    return true;
  return false;
}

static bool open_grid(struct lower *l, const struct insn *in, const struct transfer *t, const struct ptx_operand *at,
                      struct grid *g) {
  *g = (struct grid){.l = l, .bytes = t->f.bytes};
  if (!lower_address(l, in, at, t->space, &g->a)) return false;
  g->stride = in->operands == 3 ? lower_read(l, &in->o[2], PTX_U32) : ir_bits(natural_stride(t->q, t->part, t->row));
  const bool turned = t->part == MATRIX_B || (t->part == MATRIX_SUM && wmma_swapped(t->q));
  g->outer_strided = t->row != turned;
  enter_lane(g, t->f.sum ? 2 : t->f.pieces);
  return true;
}

static enum ptx_type register_type(const struct wmma_fragment *f) {
  return f->bytes == 8 ? PTX_F64 : PTX_B32;
}

static void write_register(struct lower *l, const struct ptx_operand *o, enum ptx_type t, struct ir_operand v) {
  lower_into(l, lower_write(l, o, t), IR_COPY, t, 1, &v);
}

static void load_fragment(struct lower *l, const struct insn *in, struct matrix_words *w, enum matrix_part part) {
  struct transfer t = {.part = part};
  struct ptx_operand list[WMMA_REGISTERS];
  struct ir_operand v[WMMA_REGISTERS];
  struct grid g;
  if (!read_transfer(l, in, w, &t) || !matrix_registers(l, &in->o[0], t.f.given, list) ||
      !open_grid(l, in, &t, &in->o[1], &g))
    return;
  for (unsigned r = 0; r < t.f.registers; r++) v[r] = load_register(&g, &t.f, r);
  for (unsigned r = 0; r < t.f.given; r++) write_register(l, &list[r], register_type(&t.f), v[r % t.f.registers]);
}

static void store_fragment(struct lower *l, const struct insn *in, struct matrix_words *w) {
  struct transfer t = {.part = MATRIX_SUM};
  struct ptx_operand list[WMMA_REGISTERS];
  struct grid g;
  if (!read_transfer(l, in, w, &t) || !matrix_registers(l, &in->o[1], t.f.given, list) ||
      !open_grid(l, in, &t, &in->o[0], &g))
    return;
  for (unsigned r = 0; r < t.f.registers; r++)
    store_register(&g, &t.f, r, lower_read(l, &list[r], register_type(&t.f)));
}

/* ---- wmma.mma ---- */

struct multiply {
  const struct wmma *q;
  enum element a, b, c, d;
  bool sat;
};

/* ".d.c" of F16, ".d.a.b.c" of all others. */
static bool read_multiply(struct lower *l, const struct insn *in, struct matrix_words *w, struct multiply *x) {
  matrix_sync(w);
  (void)matrix_choose(w, layouts, 2);
  (void)matrix_choose(w, layouts, 2);
  x->q = wmma_shape(w);
  if (x->q->k == 4) (void)matrix_take(w, "rn");
  x->d = matrix_element(w);
  x->c = matrix_element(w);
  x->a = x->b = ELEMENT_F16;
  if (x->c != ELEMENT_F16 && x->c != ELEMENT_F32) {
    x->a = x->c;
    x->b = matrix_element(w);
    x->c = matrix_element(w);
  }
  x->sat = x->d == ELEMENT_S32 && matrix_take(w, "satfinite");
  matrix_end(w);
  if (w->wrong) return false;
  const bool integers = wmma_sum(x->a) == ELEMENT_S32 && wmma_sum(x->b) == ELEMENT_S32;
  if (in->operands != 4)
    lower_refuse(l, in, "4 operands are wanted");
  else if ((x->a != x->b && !integers) || (x->d != x->c && x->a != ELEMENT_F16))
    lower_refuse(l, in, "these types do not go together");
  else
    return true;
  return false;
}

/* The registers of an operand; those that repeat others are left out. */
static bool read_fragment(struct lower *l, const struct insn *in, const struct multiply *x, enum matrix_part part,
                          struct ir_operand *v) {
  struct wmma_fragment f;
  struct ptx_operand list[WMMA_REGISTERS];
  const enum element e = part == MATRIX_A ? x->a : part == MATRIX_B ? x->b : x->c;
  if (!wmma_fragment(x->q, part, e, &f)) {
    lower_refuse(l, in, "this shape is not supported for these types");
    return false;
  }
  if (!matrix_registers(l, &in->o[1 + (unsigned)part], f.given, list)) return false;
  for (unsigned r = 0; r < f.registers; r++) v[r] = lower_read(l, &list[r], register_type(&f));
  return true;
}

/* F16 sums as F32 ones: a register of two becomes two. */
static void widen_sums(struct lower *l, struct ir_operand v[WMMA_REGISTERS]) {
  struct ir_operand from[4];
  memcpy(from, v, sizeof from);
  for (unsigned k = 0; k < 4; k++) {
    struct ir_operand half[2];
    lower_halves(l, from[k], half);
    for (unsigned h = 0; h < 2; h++) v[2 * k + h] = lower_cvt(l, PTX_F32, PTX_F16, half[h]);
  }
}

/* And back, to nearest: what silicon does with an F32 sum that shall be F16. */
static void narrow(struct lower *l, struct ir_operand v[WMMA_REGISTERS]) {
  for (unsigned k = 0; k < 4; k++) {
    struct ir_operand half[2];
    for (unsigned h = 0; h < 2; h++) half[h] = lower_cvt(l, PTX_F16, PTX_F32, v[2 * k + h]);
    v[k] = lower_two(l, IR_PACK, PTX_B32, half[0], half[1]);
  }
}

/* One tile of the sum. TF32 is added in two steps of four products, as on silicon: its sums are cut after each. */
static void multiply_tile(struct lower *l, const struct multiply *x, const struct mma_shape *s, uint8_t lut,
                          const struct ir_operand *left, const struct ir_operand *right, const struct ir_operand *c,
                          struct ir_operand *sum) {
  const unsigned steps = x->a == ELEMENT_TF32 ? 2 : 1;
  const struct mma_shape *step = steps == 1 ? s : mma_find(x->a, x->c, s->k / 2);
  for (unsigned n = 0; n < steps; n++) {
    const struct ir_insn *i =
        mma_emit(l, step, lut, x->sat, left + n * step->a, right + n * step->b, n ? sum : c, NULL);
    for (unsigned k = 0; k < s->c; k++) sum[k] = ir_use(i->dst[k]);
  }
}

static void multiply_fragments(struct lower *l, const struct insn *in, struct matrix_words *w) {
  struct multiply x;
  struct wmma_fragment d, all; /* what is written, what is computed */
  struct ir_operand v[3][WMMA_REGISTERS], sum[WMMA_REGISTERS];
  struct ptx_operand list[WMMA_REGISTERS];
  if (!read_multiply(l, in, w, &x)) return;
  for (unsigned part = MATRIX_A; part <= MATRIX_SUM; part++)
    if (!read_fragment(l, in, &x, (enum matrix_part)part, v[part])) return;
  if (!wmma_fragment(x.q, MATRIX_SUM, x.d, &d) || !matrix_registers(l, &in->o[0], d.given, list)) return;
  const bool mixed = x.d != x.c;
  const enum element computed = mixed ? ELEMENT_F32 : x.d;
  const struct mma_shape *s = mma_find(x.a, computed, x.q->k);
  if (!s || !wmma_fragment(x.q, MATRIX_SUM, computed, &all)) {
    lower_refuse(l, in, "these types do not go together");
    return;
  }
  if (mixed && x.c == ELEMENT_F16) widen_sums(l, v[MATRIX_SUM]);
  const bool turned = wmma_swapped(x.q), a_signed = x.a == ELEMENT_S8, b_signed = x.b == ELEMENT_S8;
  const uint8_t lut = (uint8_t)((turned ? b_signed : a_signed) | (turned ? a_signed : b_signed) << 1);
  const struct ir_operand *left = v[turned ? MATRIX_B : MATRIX_A], *right = v[turned ? MATRIX_A : MATRIX_B];
  for (unsigned tile = 0; tile < all.registers / all.each; tile++) {
    const unsigned up = wmma_left_tiles(x.q) > 1 ? tile : 0, over = wmma_right_tiles(x.q) > 1 ? tile : 0;
    multiply_tile(l, &x, s, lut, left + up * s->a, right + over * s->b, v[MATRIX_SUM] + tile * s->c, sum + tile * s->c);
  }
  if (mixed && x.d == ELEMENT_F16) narrow(l, sum);
  for (unsigned r = 0; r < d.registers; r++) write_register(l, &list[r], register_type(&d), sum[r]);
}

void lower_wmma(struct lower *l, const struct insn *in) {
  static const char *const parts[] = {"a", "b", "c"}, *const what[] = {"load", "store", "mma"};
  struct matrix_words w = matrix_words_of(l, in);
  switch (matrix_choose(&w, what, 3)) {
  case 0:
    load_fragment(l, in, &w, (enum matrix_part)matrix_choose(&w, parts, 3));
    break;
  case 1:
    matrix_expect(&w, "d");
    store_fragment(l, in, &w);
    break;
  default:
    multiply_fragments(l, in, &w);
  }
}
