/* SPDX-License-Identifier: Apache-2.0
 *
 * Between the generated tables and the functions that read them.
 */
#ifndef HEDDLE_ISA_INTERNAL_H
#define HEDDLE_ISA_INTERNAL_H

#include <heddle/isa_tables.h>

extern const uint64_t isa_hash_value;
extern const char *const isa_unit_names[ISA_UNIT_COUNT];
extern const uint8_t isa_unit_latency[ISA_UNIT_COUNT]; /* 0 fixed, 1 variable, 2 control */
extern const char *const isa_mem_names[ISA_MEM_COUNT];
extern const struct heddle_isa_set isa_set_table[ISA_SET_COUNT];
extern const struct heddle_isa_field_info isa_field_table[ISA_F_COUNT];
extern const struct heddle_isa_instr isa_instr_table[ISA_OP_COUNT];
extern const struct heddle_isa_encoding isa_encoding_table[ISA_ENC_COUNT];

/* Opcode fields, and the first encoding of each value of these strung together. */
extern const uint8_t isa_key_fields[];
extern const unsigned isa_key_field_count;
extern const uint16_t isa_key_table[];

/* Rows of the tables that short words name; `kind` by enum short_kind. There is at least one entry of each. */
enum short_kind { SHORT_NONE, SHORT_INT, SHORT_HIGH, SHORT_OFFSET, SHORT_CONST };
struct short_row {
  struct heddle_isa_word bits;
  uint8_t kind;
};
extern const struct short_row isa_short_rows[];
extern const struct heddle_isa_word isa_short_codes[]; /* in their place */
extern const unsigned isa_short_row_count, isa_short_code_count;
extern const struct heddle_isa_word isa_short_code_mask;

#endif
