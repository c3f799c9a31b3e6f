/* SPDX-License-Identifier: Apache-2.0
 * Lines from .debug_line. The bytes are untrusted: each is taken from what is left of them, and every row is checked
 * before it is kept. */
#include "isa/asm/dwarf.h"

#include <string.h>

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
    if (heddle_program_add_source(p, name) < 0) r->bad = true;
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
      !heddle_program_add_line(p, (uint32_t)x->pc, (uint32_t)x->file - 1, (unsigned)x->line))
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
