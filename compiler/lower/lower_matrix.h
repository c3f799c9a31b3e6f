/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix instructions: what their files share. Their words come in a fixed order, and a type may come several times:
 * they are read here, not by lower_words.c.
 */
#ifndef HEDDLE_PTX_LOWER_MATRIX_H
#define HEDDLE_PTX_LOWER_MATRIX_H

#include "compiler/lower/lower.h"

/* ---- lower_mma.c ---- */
enum element { /* of a matrix, as written; halves of one kind of the machine are contiguous */
               ELEMENT_F16,
               ELEMENT_BF16,
               ELEMENT_TF32,
               ELEMENT_F64,
               ELEMENT_U8,
               ELEMENT_S8,
               ELEMENT_E4M3,
               ELEMENT_E5M2,
               ELEMENT_F32,
               ELEMENT_S32,
               ELEMENT_U4,
               ELEMENT_S4,
               ELEMENT_B1,
               ELEMENTS
};
unsigned element_bytes(enum element e); /* 0: less than one */

struct matrix_words { /* a cursor over the words of a statement */
  struct lower *l;
  const struct insn *in;
  unsigned at;
  bool wrong; /* reported; from here on nothing matches */
};
struct matrix_words matrix_words_of(struct lower *l, const struct insn *in);
bool matrix_take(struct matrix_words *w, const char *word);   /* is it the next one? Then goes on */
void matrix_expect(struct matrix_words *w, const char *word); /* refuses what else comes */
unsigned matrix_choose(struct matrix_words *w, const char *const *list, unsigned n); /* one of them: its index */
enum element matrix_element(struct matrix_words *w);
void matrix_end(struct matrix_words *w);                          /* refuses what is left */
void matrix_sync(struct matrix_words *w);                         /* ".sync.aligned", or ".sync" of old */
enum ptx_space matrix_space(struct matrix_words *w, bool global); /* GENERIC where nothing is said */

struct matrix_form { /* for lists: words without dots, as of struct ptx_listed */
  const char *name, *optional, *note;
  char required[100], types[60];
  unsigned least, most; /* operands */
  bool sequence;        /* of types; else one of them */
};
/* The k-th form there is; false behind the last. */
bool ldmatrix_form(unsigned k, struct matrix_form *f); /* stmatrix, movmatrix too */
bool mbarrier_form(unsigned k, struct matrix_form *f);
bool async_form(unsigned k, struct matrix_form *f);
bool mma_form(unsigned k, struct matrix_form *f);
bool wmma_form(unsigned k, struct matrix_form *f);
const char *element_word(enum element e);

/* The n registers of a fragment, {a, b} or one alone; false: reported. */
bool matrix_registers(struct lower *l, const struct ptx_operand *o, unsigned n, struct ptx_operand *list);

/* ---- lower_mma.c ---- */
struct mma_shape { /* what the machine multiplies at once */
  uint8_t mode;    /* enum ir_mma */
  uint8_t a, b, c; /* registers (F64: pairs) of A, B, C and D */
  uint8_t k;
};
/* Elements of A, of C and D; NULL: there is no such instruction. */
const struct mma_shape *mma_find(enum element a, enum element c, unsigned k);
/* D = A B + C into d, or (NULL) into fresh values; under the statement's guard. `lut` as of IR_MMA. */
struct ir_insn *mma_emit(struct lower *l, const struct mma_shape *s, uint8_t lut, bool sat, const struct ir_operand *a,
                         const struct ir_operand *b, const struct ir_operand *c, struct ir_value *const *d);

#endif
