/* SPDX-License-Identifier: Apache-2.0
 * Lines as DWARF 4: a line program of special opcodes (a step of the address and of the line in one byte) where they
 * reach. */
#include "isa/asm/dwarf.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION = 4, LINE_BASE = -5, LINE_RANGE = 14, ADDRESS_BYTES = 8 };

static void byte(struct bytes *b, unsigned v) {
  bytes_add(b, &(uint8_t){(uint8_t)v}, 1);
}

static void put_dwarf_number(struct bytes *b, uint64_t v, unsigned n) {
  for (unsigned i = 0; i < n; i++) byte(b, (unsigned)(v >> (8 * i)) & 0xff);
}

static void put_dwarf_text(struct bytes *b, const char *s) {
  bytes_add(b, s, strlen(s) + 1);
}

static void uleb(struct bytes *b, uint64_t v) {
  for (; v >= 0x80; v >>= 7) byte(b, 0x80 | (unsigned)(v & 0x7f));
  byte(b, (unsigned)v);
}

static void sleb(struct bytes *b, int64_t v) {
  for (; v < -0x40 || v >= 0x40; v = (v - (v & 0x7f)) / 0x80) byte(b, 0x80 | (unsigned)(v & 0x7f));
  byte(b, (unsigned)(v & 0x7f));
}

/* Four bytes that hold the length of what follows them. */
static size_t open_length(struct bytes *b) {
  size_t at = b->size;
  put_dwarf_number(b, 0, 4);
  return at;
}

static void close_length(struct bytes *b, size_t at) {
  if (!b->bad) put_u32(b->at + at, (uint32_t)(b->size - at - 4));
}

/* ---- the unit */

enum { TAG_COMPILE_UNIT = 0x11, AT_NAME = 0x03, AT_STMT_LIST = 0x10, AT_LOW_PC = 0x11, AT_HIGH_PC = 0x12 };
enum { AT_LANGUAGE = 0x13, AT_PRODUCER = 0x25, LANG_ASSEMBLER = 0x8001 };
enum { FORM_ADDR = 0x01, FORM_DATA2 = 0x05, FORM_DATA8 = 0x07, FORM_STRING = 0x08, FORM_SEC_OFFSET = 0x17 };

static void write_abbrev(struct bytes *b) {
  static const uint8_t unit[] = {1,
                                 TAG_COMPILE_UNIT,
                                 0,
                                 AT_PRODUCER,
                                 FORM_STRING,
                                 AT_LANGUAGE,
                                 FORM_DATA2,
                                 AT_NAME,
                                 FORM_STRING,
                                 AT_STMT_LIST,
                                 FORM_SEC_OFFSET,
                                 AT_LOW_PC,
                                 FORM_ADDR,
                                 AT_HIGH_PC,
                                 FORM_DATA8,
                                 0,
                                 0,
                                 0};
  bytes_add(b, unit, sizeof unit);
}

static void write_info(const struct heddle_program *p, struct bytes *b) {
  const size_t length = open_length(b);
  put_dwarf_number(b, VERSION, 2);
  put_dwarf_number(b, 0, 4); /* offset in .debug_abbrev */
  byte(b, ADDRESS_BYTES);
  uleb(b, 1);
  put_dwarf_text(b, "heddle");
  put_dwarf_number(b, LANG_ASSEMBLER, 2);
  put_dwarf_text(b, p->source[0]);
  put_dwarf_number(b, 0, 4); /* offset in .debug_line */
  put_dwarf_number(b, 0, 8);
  put_dwarf_number(b, p->code_bytes, 8);
  close_length(b, length);
}

/* ---- its lines */

static void write_header(const struct heddle_program *p, struct bytes *b) {
  static const uint8_t operands[DWARF_OPCODE_BASE - 1] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
  put_dwarf_number(b, VERSION, 2);
  const size_t length = open_length(b);
  byte(b, ISA_STEP); /* addresses are counted in these */
  byte(b, 1);        /* operations of an instruction */
  byte(b, 1);        /* is_stmt */
  byte(b, (unsigned)LINE_BASE & 0xff);
  byte(b, LINE_RANGE);
  byte(b, DWARF_OPCODE_BASE);
  bytes_add(b, operands, sizeof operands);
  byte(b, 0); /* no folders */
  for (uint32_t i = 0; i < p->sources; i++) {
    put_dwarf_text(b, p->source[i][0] ? p->source[i] : "-"); /* an empty name would end the list */
    for (unsigned k = 0; k < 3; k++) uleb(b, 0);             /* folder, time, size */
  }
  byte(b, 0);
  close_length(b, length);
}

static void put_extended_op(struct bytes *b, unsigned op, unsigned operand_bytes) {
  byte(b, DWARF_EXTENDED);
  uleb(b, 1 + operand_bytes);
  byte(b, op);
}

/* One row, `words` behind the last and `lines` below it. */
static void put_line_row(struct bytes *b, uint32_t words, int64_t lines) {
  if (lines < LINE_BASE || lines >= LINE_BASE + LINE_RANGE) {
    byte(b, DWARF_ADVANCE_LINE);
    sleb(b, lines);
    lines = 0;
  }
  const uint64_t special = (uint64_t)(lines - LINE_BASE) + (uint64_t)LINE_RANGE * words + DWARF_OPCODE_BASE;
  if (special <= 255) {
    byte(b, (unsigned)special);
    return;
  }
  byte(b, DWARF_ADVANCE_PC);
  uleb(b, words);
  byte(b, (unsigned)(lines - LINE_BASE) + DWARF_OPCODE_BASE);
}

static void write_line(const struct heddle_program *p, struct bytes *b) {
  const size_t length = open_length(b);
  uint32_t pc = 0, file = 0;
  int64_t line = 1;
  write_header(p, b);
  put_extended_op(b, DWARF_SET_ADDRESS, ADDRESS_BYTES);
  put_dwarf_number(b, 0, ADDRESS_BYTES);
  for (uint32_t i = 0; i < p->lines; i++) {
    const struct heddle_line *l = &p->line[i];
    if (l->source != file) {
      byte(b, DWARF_SET_FILE);
      uleb(b, l->source + 1);
      file = l->source;
    }
    put_line_row(b, (l->pc - pc) / ISA_STEP, (int64_t)l->line - line);
    pc = l->pc;
    line = l->line;
  }
  byte(b, DWARF_ADVANCE_PC);
  uleb(b, (p->code_bytes - pc) / ISA_STEP);
  put_extended_op(b, DWARF_END_SEQUENCE, 0);
  close_length(b, length);
}

/* What a compiler has written. */
static void copy_debug(const struct heddle_program *p, struct dwarf_lines *out) {
  for (unsigned s = 0; s < HEDDLE_DEBUG_SECTIONS; s++)
    if (p->debug[s]) bytes_add(&out->debug[s], p->debug[s], p->debug_bytes[s]);
}

void dwarf_write(const struct heddle_program *p, struct dwarf_lines *out) {
  if (p->lines == 0) return;
  write_line(p, &out->line);
  copy_debug(p, out);
  if (p->debug[HEDDLE_DEBUG_INFO]) return;
  write_abbrev(&out->debug[HEDDLE_DEBUG_ABBREV]);
  write_info(p, &out->debug[HEDDLE_DEBUG_INFO]);
}

bool dwarf_bad(const struct dwarf_lines *d) {
  bool bad = d->line.bad;
  for (unsigned s = 0; s < HEDDLE_DEBUG_SECTIONS; s++) bad = bad || d->debug[s].bad;
  return bad;
}

void dwarf_free(struct dwarf_lines *d) {
  free(d->line.at);
  for (unsigned s = 0; s < HEDDLE_DEBUG_SECTIONS; s++) free(d->debug[s].at);
}
