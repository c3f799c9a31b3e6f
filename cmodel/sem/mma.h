/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sem/ only: where the elements of a matrix lie in the registers of a
 * warp (isa/doc/10-matrices.md, "Where elements lie"), for shapes m16n8.
 *
 * Matrices are turned into planes with the 16 rows of A, C and D side by side:
 * what is done to one column of D is a loop over 16 neighbours, and an element
 * of B is the same for all of them. All operands are read before the first
 * write, since the destination may be a source.
 */
#ifndef HEDDLE_SEM_MMA_H
#define HEDDLE_SEM_MMA_H

#include "cmodel/sem/lane.h"

#define MMA_M 16u /* rows of A, C, D */
#define MMA_N 8u  /* columns of B, C, D */
#define MMA_K 32u /* most columns of A, rows of B */

#define MMA_ALONE __attribute__((noinline))

/* Where register n of an operand begins. */
#define MMA_REG(n) ((size_t)(n)*SEM_LANES)

/* Raw elements. */
struct mma_a {
  _Alignas(64) uint32_t at[MMA_K][MMA_M];
};
struct mma_b {
  _Alignas(64) uint32_t at[MMA_N][MMA_K];
};
struct mma_c {
  _Alignas(64) uint32_t at[MMA_N][MMA_M];
};

/* Element i (of w, lowest bits first) of a register. */
static inline uint32_t mma_element(uint32_t reg, unsigned i, unsigned w) {
  const unsigned bits = 32 / w;
  return w == 1 ? reg : (reg >> (i * bits)) & ((1u << bits) - 1u);
}

/* Lane 4g + t of two registers that stand for rows g and g + 8 is word 4 * row + t of both together. */
struct mma_words {
  _Alignas(64) uint32_t at[2 * SEM_LANES];
};

/* By t, then row. (The loops are kept out of line: by themselves they become shuffles.) */
struct mma_block {
  _Alignas(64) uint32_t at[4][MMA_M];
};

static MMA_ALONE void mma_by_column(struct mma_block *to, const uint32_t *words) {
  for (unsigned i = 0; i < MMA_M; i++)
    for (unsigned t = 0; t < 4; t++) to->at[t][i] = words[4 * i + t];
}

static MMA_ALONE void mma_by_row(uint32_t *words, const struct mma_block *from) {
  for (unsigned i = 0; i < MMA_M; i++)
    for (unsigned t = 0; t < 4; t++) words[4 * i + t] = from->at[t][i];
}

/* A of `columns`, w elements a register. */
static inline void mma_read_a(struct mma_a *m, const uint32_t *a, unsigned columns, unsigned w) {
  for (unsigned first = 0; first < columns; first += 4 * w) {
    struct mma_block x;
    mma_by_column(&x, a + MMA_REG(first / (4 * w) * 2));
    for (unsigned t = 0; t < 4; t++)
      for (unsigned e = 0; e < w; e++)
        for (unsigned i = 0; i < MMA_M; i++) m->at[first + w * t + e][i] = mma_element(x.at[t][i], e, w);
  }
}

/* B of `rows`. Lane 4g + t: column g. */
static inline void mma_read_b(struct mma_b *m, const uint32_t *b, unsigned rows, unsigned w) {
  for (unsigned first = 0; first < rows; first += 4 * w)
    for (unsigned g = 0; g < MMA_N; g++)
      for (unsigned t = 0; t < 4; t++)
        for (unsigned e = 0; e < w; e++)
          m->at[g][first + w * t + e] = mma_element(b[MMA_REG(first / (4 * w)) + 4 * (size_t)g + t], e, w);
}

/* C and D with elements of 32 bits: registers s and s + 2 hold columns 2t + s. */
static inline void mma_read_c(struct mma_c *m, const uint32_t *c) {
  for (unsigned s = 0; s < 2; s++) {
    struct mma_words words;
    struct mma_block x;
    memcpy(words.at, c + MMA_REG(s), sizeof words.at / 2);
    memcpy(words.at + SEM_LANES, c + MMA_REG(s + 2), sizeof words.at / 2);
    mma_by_column(&x, words.at);
    for (unsigned t = 0; t < 4; t++) memcpy(m->at[2 * t + s], x.at[t], sizeof x.at[t]);
  }
}

static inline void mma_write_d(uint32_t *d, const struct mma_c *m) {
  for (unsigned s = 0; s < 2; s++) {
    struct mma_words words;
    struct mma_block x;
    for (unsigned t = 0; t < 4; t++) memcpy(x.at[t], m->at[2 * t + s], sizeof x.at[t]);
    mma_by_row(words.at, &x);
    memcpy(d + MMA_REG(s), words.at, sizeof words.at / 2);
    memcpy(d + MMA_REG(s + 2), words.at + SEM_LANES, sizeof words.at / 2);
  }
}

/* C and D with elements of 16 bits: columns 2t and 2t + 1 in one register. */
static inline void mma_read_c16(struct mma_c *m, const uint32_t *c) {
  struct mma_block x;
  mma_by_column(&x, c);
  for (unsigned t = 0; t < 4; t++)
    for (unsigned e = 0; e < 2; e++)
      for (unsigned i = 0; i < MMA_M; i++) m->at[2 * t + e][i] = mma_element(x.at[t][i], e, 2);
}

static inline void mma_write_d16(uint32_t *d, const struct mma_c *m) {
  struct mma_block x;
  for (size_t t = 0; t < 4; t++)
    for (unsigned i = 0; i < MMA_M; i++) x.at[t][i] = m->at[2 * t][i] | m->at[2 * t + 1][i] << 16;
  mma_by_row(d, &x);
}

#endif
