/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of a program as DWARF 4, in the sections .debug_line, .debug_info and .debug_abbrev of its file: what
 * `addr2line` and `readelf --debug-dump=decodedline` want. One compile unit without a folder: names of files are as
 * they were given. */
#ifndef HEDDLE_ASM_DWARF_H
#define HEDDLE_ASM_DWARF_H

#include "base/array.h"
#include <heddle/program.h>

/* Numbers of the DWARF standard, section 7. */
enum dwarf_line_op {
  DWARF_EXTENDED,
  DWARF_COPY,
  DWARF_ADVANCE_PC,
  DWARF_ADVANCE_LINE,
  DWARF_SET_FILE,
  DWARF_SET_COLUMN,
  DWARF_NEGATE_STMT,
  DWARF_BASIC_BLOCK,
  DWARF_CONST_ADD_PC,
  DWARF_FIXED_ADVANCE_PC,
  DWARF_PROLOGUE_END,
  DWARF_EPILOGUE_BEGIN,
  DWARF_SET_ISA,
  DWARF_OPCODE_BASE
};
enum { DWARF_END_SEQUENCE = 1, DWARF_SET_ADDRESS = 2 };

struct dwarf_lines {
  struct bytes line, debug[HEDDLE_DEBUG_SECTIONS]; /* the latter as the program has them, else a unit for the lines */
};

void dwarf_write(const struct heddle_program *p, struct dwarf_lines *out); /* out zeroed; nothing without lines */
bool dwarf_bad(const struct dwarf_lines *d);                               /* there was no memory */
void dwarf_free(struct dwarf_lines *d);

/* Lines of one unit of DWARF 2 to 4, as `size` untrusted bytes of .debug_line, into p. Another version, or a damaged
 * unit, leaves p without lines: a program runs without them. */
void dwarf_read(const uint8_t *at, size_t size, struct heddle_program *p);

#endif
