/* SPDX-License-Identifier: Apache-2.0
 *
 * Shapes of wmma, and where the elements of its fragments lie.
 */
#include <string.h>

#include "compiler/lower/lower_matrix.h"

static const struct wmma shapes[] = {{"m16n16k16", 16, 16, 16},
                                     {"m32n8k16", 32, 8, 16},
                                     {"m8n32k16", 8, 32, 16},
                                     {"m16n16k8", 16, 16, 8},
                                     {"m8n8k4", 8, 8, 4}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

const struct wmma *wmma_shape(struct matrix_words *w) {
  const char *words[SHAPES];
  for (unsigned k = 0; k < SHAPES; k++) words[k] = shapes[k].shape;
  return &shapes[matrix_choose(w, words, SHAPES)];
}

enum element wmma_sum(enum element a) {
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

bool wmma_fragment(const struct wmma *q, enum matrix_part part, enum element e, struct wmma_fragment *f) {
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

struct wmma_spot wmma_spot_of(const struct wmma_fragment *f, unsigned r) {
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
