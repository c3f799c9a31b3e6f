/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: the parts of program_decode.
 */
#ifndef HEDDLE_CORE_DECODE_H
#define HEDDLE_CORE_DECODE_H

#include "cmodel/core/state.h"

/* Where rows of immediates and constants go. `row` NULL: they are only counted. */
struct pool {
  uint32_t (*row)[HEDDLE_LANES];
  size_t used;
};

/* Operand k. False: a constant outside its bank. */
bool operand_decode(const struct heddle_model *m, const struct heddle_isa_dec *dec, unsigned k, struct pool *pool,
                    struct dsrc *d);
/* The special register that S2R, S2UR, CS2R read; otherwise nothing. */
void special_decode(struct dop *op, const struct heddle_isa_dec *dec);
void memory_decode(struct dop *op, const struct heddle_isa_dec *dec, const struct sem_def *def);
void control_decode(struct dop *op, const struct heddle_isa_dec *dec, const struct sem_def *def, uint32_t next);

#endif
