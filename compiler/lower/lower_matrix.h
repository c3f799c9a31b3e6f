/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix instructions: what their files share. Their words come in a fixed order, and a type may come several times:
 * they are read here, not by lower_words.c.
 */
#ifndef HEDDLE_PTX_LOWER_MATRIX_H
#define HEDDLE_PTX_LOWER_MATRIX_H

#include "compiler/lower/lower.h"

/* ---- matrix_words.c ---- */
enum element { /* of a matrix, as written; halves of what the machine calls one kind lie together */
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
  bool wrong; /* told; from here on nothing matches */
};
struct matrix_words matrix_words_of(struct lower *l, const struct insn *in);
bool matrix_take(struct matrix_words *w, const char *word);   /* is it the next one? Then goes on */
void matrix_expect(struct matrix_words *w, const char *word); /* refuses what else comes */
const char *matrix_any(struct matrix_words *w);               /* the next one, "" behind the last */
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

/* The n registers of a fragment, {a, b} or one alone; false: told. */
bool matrix_registers(struct lower *l, const struct ptx_operand *o, unsigned n, struct ptx_operand *list);

/* ---- lower_mbarrier.c ---- */
/* cp.async.mbarrier, when what was copied has arrived */
void lower_mbarrier_copies(struct lower *l, const struct insn *in, struct matrix_words *w);

/* ---- mma_shape.c ---- */
struct mma_shape { /* what the machine multiplies at once */
  uint8_t mode;    /* enum ir_mma */
  uint8_t a, b, c; /* registers (F64: pairs) of A, B, C and D */
  uint8_t k;
};
enum element element_family(enum element e); /* S8: U8, E5M2: E4M3, S4: U4: one instruction takes both */
/* Elements of A, of C and D; NULL: there is no such instruction. */
const struct mma_shape *mma_find(enum element a, enum element c, unsigned k);
enum ptx_type mma_type(const struct mma_shape *s); /* of its registers */
/* D = A B + C into d, or (NULL) into fresh values; under the statement's guard. `lut` as of IR_MMA. */
struct ir_insn *mma_emit(struct lower *l, const struct mma_shape *s, uint8_t lut, bool sat, const struct ir_operand *a,
                         const struct ir_operand *b, const struct ir_operand *c, struct ir_value *const *d);

/* ---- lower_mma.c ---- */
struct mma { /* as written */
  const struct mma_shape *shape;
  bool upper_half; /* of 16 rows */
  unsigned steps;  /* F64 of 16 rows: how many fours deep; else 0 */
  unsigned parts;  /* of a register of A and B, which are bytes of the instruction: nibbles 2, bits 8; else 1 */
  enum { MMA_BITS_BOTH, MMA_BITS_DIFFER } bits; /* which are counted: .and, .xor */
  bool sat;
  uint8_t lut;
};

/* ---- lower_mma_parts.c ---- */
/* Of registers with q->parts parts; the first `results` sums into d. */
void mma_parts(struct lower *l, const struct mma *q, const struct ir_operand *a, const struct ir_operand *b,
               const struct ir_operand *c, struct ir_value *const *d, unsigned results);

/* ---- wmma_fragment.c ---- */
struct wmma {
  const char *shape;
  uint8_t m, n, k;
};
enum matrix_part { MATRIX_A, MATRIX_B, MATRIX_SUM };
enum { WMMA_REGISTERS = 8 }; /* most of a fragment */
const struct wmma *wmma_shape(struct matrix_words *w);
enum element wmma_sum(enum element a); /* usual elements of C and D */
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
/* False: there is no such matrix. */
bool wmma_fragment(const struct wmma *q, enum matrix_part part, enum element e, struct wmma_fragment *f);
struct wmma_spot {
  unsigned outer, inner;
};
struct wmma_spot wmma_spot_of(const struct wmma_fragment *f, unsigned r); /* its first element, in lane 0 */

#endif
