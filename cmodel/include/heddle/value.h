/* SPDX-License-Identifier: Apache-2.0
 *
 * Result of an instruction: a pure function of rows of 32 lanes, as the model computes it. No registers, no control
 * flow, no memory: a caller with these of its own can use the model's arithmetic. */
#ifndef HEDDLE_VALUE_H
#define HEDDLE_VALUE_H

#include <heddle/api.h>
#include <heddle/isa.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A row is 32 words, lane by lane, at a multiple of 64 bytes; the words of a wide operand are rows that follow each
 * other. */
struct heddle_value_rows {
  const uint32_t *a, *b, *c; /* operands, minus and bars applied but where the instruction does so itself
                              * (ISA_MODIFY_OWN); rows that no operand names may be anything */
  uint32_t *d;               /* the result, in the lanes `exec`; others keep what they have */
  uint32_t exec;             /* lanes that execute, not 0; of the uniform datapath lane 0 for the warp */
  uint32_t ps[3];            /* source predicates after negation, bit = lane */
  uint32_t pd[2];            /* results; meaningful in the lanes `exec` */
  uint32_t p[7];             /* P0 to P6 (or UP0 to UP6): read and written by instructions that name them all */
  uint32_t p_written[7];     /* lanes in which these did */
};

/* False: an instruction of control or memory, or a read of a special register: it has no value of its own. */
HEDDLE_API bool heddle_has_value(const struct heddle_isa_dec *d);
HEDDLE_API bool heddle_value(const struct heddle_isa_dec *d, struct heddle_value_rows *r);

#ifdef __cplusplus
}
#endif

#endif
