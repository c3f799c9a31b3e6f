/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines as DWARF 4, written and read.
 */
#include "dwarf.h"

#include <stdlib.h>
#include <string.h>

/* Lines as DWARF 4: a line program of special opcodes (a step of the address and of the line in one byte) where they
 * reach. */

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

/* Lines from .debug_line. The bytes are untrusted: each is taken from what is left of them, and every row is checked
 * before it is kept. */

enum { VERSION_MIN = 2, VERSION_MAX = 4, NAME_MAX_BYTES = 4096 };

struct reader {
  const uint8_t *at, *end;
  bool bad;
};

struct header {
  unsigned version, instruction_bytes, line_range, opcode_base;
  int line_base;
  uint8_t operands[256]; /* by opcode */
};

struct row {
  uint64_t pc;
  int64_t line;
  uint64_t file; /* from 1 */
};

static uint64_t take_dwarf_number(struct reader *r, unsigned n) {
  uint64_t v = 0;
  if ((size_t)(r->end - r->at) < n) {
    r->bad = true;
    r->at = r->end;
    return 0;
  }
  for (unsigned i = 0; i < n; i++) v |= (uint64_t)r->at[i] << (8 * i);
  r->at += n;
  return v;
}

static uint64_t leb(struct reader *r, bool is_signed) {
  uint64_t v = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const uint64_t b = take_dwarf_number(r, 1);
    v |= (b & 0x7f) << shift;
    if (b & 0x80) continue;
    if (is_signed && (b & 0x40) && shift + 7 < 64) v |= ~UINT64_C(0) << (shift + 7);
    return v;
  }
  r->bad = true;
  return 0;
}

static const char *take_dwarf_text(struct reader *r) {
  const char *s = (const char *)r->at;
  const uint8_t *end = memchr(r->at, 0, (size_t)(r->end - r->at));
  if (!end || end - r->at > NAME_MAX_BYTES) {
    r->bad = true;
    r->at = r->end;
    return "";
  }
  r->at = end + 1;
  return s;
}

/* Files into p; folders are left out of their names. */
static void read_files(struct reader *r, struct heddle_program *p) {
  while (!r->bad && *take_dwarf_text(r)) {}
  for (const char *name; !r->bad && *(name = take_dwarf_text(r));) {
    for (unsigned k = 0; k < 3; k++) (void)leb(r, false);
    uint32_t source;
    if (heddle_program_add_source(p, name, &source) != HEDDLE_SUCCESS) r->bad = true;
  }
}

/* From behind the unit's length to the first opcode. */
static void read_line_header(struct reader *r, struct header *h, struct heddle_program *p) {
  h->version = (unsigned)take_dwarf_number(r, 2);
  if (h->version < VERSION_MIN || h->version > VERSION_MAX) r->bad = true;
  const uint64_t bytes = take_dwarf_number(r, 4);
  if (r->bad || bytes > (size_t)(r->end - r->at)) {
    r->bad = true;
    return;
  }
  struct reader in = {r->at, r->at + bytes, false};
  r->at += bytes;
  h->instruction_bytes = (unsigned)take_dwarf_number(&in, 1);
  if (h->version >= 4 && take_dwarf_number(&in, 1) != 1) in.bad = true;
  (void)take_dwarf_number(&in, 1);                 /* is_stmt */
  const int base = (int)take_dwarf_number(&in, 1); /* a signed byte */
  h->line_base = base < 128 ? base : base - 256;
  h->line_range = (unsigned)take_dwarf_number(&in, 1);
  h->opcode_base = (unsigned)take_dwarf_number(&in, 1);
  for (unsigned op = 1; op < h->opcode_base; op++) h->operands[op] = (uint8_t)take_dwarf_number(&in, 1);
  read_files(&in, p);
  r->bad = in.bad || h->line_range == 0 || h->opcode_base < DWARF_OPCODE_BASE || p->sources == 0;
}

/* Rows ascend, lie in the code, and name a file that there is. */
static void keep_row(struct reader *r, const struct row *x, struct heddle_program *p) {
  const bool lies = x->pc <= p->code_bytes && x->pc % ISA_STEP == 0 && x->line >= 0 && x->line <= INT32_MAX &&
                    x->file >= 1 && x->file <= p->sources;
  if (!lies || (p->lines > 0 && x->pc < p->line[p->lines - 1].pc) ||
      heddle_program_add_line(p, (uint32_t)x->pc, (uint32_t)x->file - 1, (unsigned)x->line) != HEDDLE_SUCCESS)
    r->bad = true;
}

/* True: the sequence has ended. */
static bool read_extended(struct reader *r, struct row *x, struct heddle_program *p) {
  const uint64_t bytes = leb(r, false);
  if (r->bad || bytes == 0 || bytes > (size_t)(r->end - r->at)) {
    r->bad = true;
    return true;
  }
  const uint8_t *behind = r->at + bytes;
  const uint64_t op = take_dwarf_number(r, 1);
  if (op == DWARF_SET_ADDRESS && bytes <= 9) x->pc = take_dwarf_number(r, (unsigned)bytes - 1);
  r->at = behind;
  if (op != DWARF_END_SEQUENCE) return false;
  x->line = 0; /* behind it nobody knows */
  if (x->pc < p->code_bytes) keep_row(r, x, p);
  return true;
}

static void standard(struct reader *r, const struct header *h, unsigned op, struct row *x, struct heddle_program *p) {
  switch (op) {
  case DWARF_COPY:
    keep_row(r, x, p);
    break;
  case DWARF_ADVANCE_PC:
    x->pc += leb(r, false) * h->instruction_bytes;
    break;
  case DWARF_ADVANCE_LINE:
    x->line = (int64_t)((uint64_t)x->line + leb(r, true));
    break;
  case DWARF_SET_FILE:
    x->file = leb(r, false);
    break;
  case DWARF_CONST_ADD_PC:
    x->pc += (255 - h->opcode_base) / h->line_range * h->instruction_bytes;
    break;
  case DWARF_FIXED_ADVANCE_PC:
    x->pc += take_dwarf_number(r, 2);
    break;
  default:
    for (unsigned k = 0; k < h->operands[op]; k++) (void)leb(r, false);
    break;
  }
}

static void read_program(struct reader *r, const struct header *h, struct heddle_program *p) {
  struct row x = {.line = 1, .file = 1};
  while (!r->bad && r->at < r->end) {
    const unsigned op = (unsigned)take_dwarf_number(r, 1);
    if (op >= h->opcode_base) {
      const unsigned special = op - h->opcode_base;
      x.pc += special / h->line_range * h->instruction_bytes;
      x.line = (int64_t)((uint64_t)x.line + (uint64_t)(h->line_base + (int)(special % h->line_range)));
      keep_row(r, &x, p);
    } else if (op == DWARF_EXTENDED) {
      if (read_extended(r, &x, p)) x = (struct row){.line = 1, .file = 1};
    } else {
      standard(r, h, op, &x, p);
    }
  }
}

void dwarf_read(const uint8_t *at, size_t size, struct heddle_program *p) {
  struct reader r = {at, at + size, size == 0};
  struct header h = {0};
  const uint64_t bytes = take_dwarf_number(&r, 4);
  if (r.bad || bytes > (size_t)(r.end - r.at)) return;
  r.end = r.at + bytes;
  read_line_header(&r, &h, p);
  if (!r.bad) read_program(&r, &h, p);
  if (r.bad) heddle_program_drop_lines(p);
}
