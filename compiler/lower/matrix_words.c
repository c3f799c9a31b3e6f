/* SPDX-License-Identifier: Apache-2.0
 *
 * Words and operands of matrix instructions.
 */
#include <string.h>

#include "compiler/lower/lower_matrix.h"

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

const char *matrix_any(struct matrix_words *w) {
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
