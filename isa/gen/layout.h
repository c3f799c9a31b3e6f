/* SPDX-License-Identifier: Apache-2.0
 *
 * The bits of an encoding in runs: whom each belongs to. For those that describe an encoding to readers.
 */
#ifndef HEDDLE_GEN_LAYOUT_H
#define HEDDLE_GEN_LAYOUT_H

#include "isa/gen/spec.h"

struct layout_run {
  unsigned hi, lo;
  unsigned field;  /* SPEC_NONE: reserved, zero */
  bool fixed;      /* the field has one value here */
  uint64_t value;  /* ... this */
  char operand;    /* 'a', 'b', 'c': the run is its slot or changes it; 0: neither */
  bool of_operand; /* it changes it: negate, absolute, part */
};

/* From bit 127 down; returns how many. */
unsigned layout_of(const struct spec *s, const struct enc *e, struct layout_run run[SPEC_WORD_BITS]);

unsigned layout_reserved(const struct spec *s, const struct enc *e); /* bits of nobody */

/* What a field holds: a set's name, or its kind. */
const char *layout_kind(const struct spec *s, const struct field *fl);

#endif
