/* SPDX-License-Identifier: Apache-2.0
 *
 * Cost of an instruction set in bits, and changes of a variant against its base.
 */
#ifndef HEDDLE_GEN_REPORT_H
#define HEDDLE_GEN_REPORT_H

#include "isa/gen/spec.h"

/* One format and the encodings in it. */
struct format_report {
  unsigned encodings, only_model;
  unsigned free_bits; /* that the format leaves to its instructions */
  unsigned reserved_least, reserved_most;
  u128 reserved_always;    /* bits that none of its encodings owns */
  unsigned immediate_bits; /* of its widest encoding: immediates, offsets and other numbers */
};

struct report {
  unsigned instructions, encodings, model_instructions, model_encodings, model_values;
  unsigned opcode_bits, opcodes_used, opcodes_free;
  unsigned registers, uniform_registers; /* that a program can name, RZ and URZ not counted */
  unsigned reserved_least, reserved_most;
  u128 never_used; /* bits that no encoding owns */
  struct format_report format[SPEC_FORMATS_MAX];
};

void report_make(const struct spec *s, struct report *r);

/* For a field that differs from the base: moved, narrowed, or absent. */
struct field_change {
  const struct field *was, *is; /* `was` NULL: new */
};

struct changes {
  unsigned n, moved, narrowed, added;
  struct field_change field[SPEC_FIELDS_MAX];
  unsigned registers_lost, uniform_registers_lost;
  unsigned instructions_added, encodings_added;
};

void report_compare(const struct spec *base, const struct spec *s, struct changes *c);

/* The file that a variant imports first, or NULL: it is no variant. */
const char *report_base(const struct spec *s);

/* `base` may be NULL. */
void report_text(const struct spec *s, const struct spec *base, FILE *f);
/* NULL: no memory, or a name of a file is no UTF-8, which JSON has to be. The caller lets it go. */
struct json_t *report_json(const struct spec *s, const struct spec *base);

#endif
