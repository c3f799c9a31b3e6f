/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the assembler. Two passes over the text: the first lays out code and collects symbols, the second encodes;
 * then control codes are assigned to what was written without them.
 */
#ifndef HEDDLE_ISA_ASM_INTERNAL_H
#define HEDDLE_ISA_ASM_INTERNAL_H

#include <stdint.h>

#include <heddle/asm.h>
#include <heddle/isa.h>
#include <heddle/isa_tables.h>
#include "base/text.h"

/* Packing: words that become pairs of short ones, and the new places of all (isa/doc/13-short-words.md). */

enum { PACK_ROUNDS = 8 };

/* A word may be in a pair if it has a short form and is not marked to stay long. A word without one at its new place
 * stays long, so that rounds end: after PACK_ROUNDS of them all do. */
struct pack_word {
  struct heddle_isa_word word;
  bool stays, begins; /* begins: a kernel or function, which starts a place */
  bool paired;        /* one of two in a place */
  uint32_t pc;        /* its place */
};

struct pack {
  struct pack_word *at; /* `words` of them, and one behind, with the size of the code as pc */
  size_t words;
  unsigned rounds;
};

#define ASM_TEXT_MAX (16u << 20)
#define ASM_SYMBOLS_MAX (1u << 20)
#define ASM_ERRORS_MAX 100u
#define ASM_BARRIERS_UNSAID UINT32_MAX /* of a kernel, until the end: no `.barriers` */

/* A place in the text that moves right; `line_start` gives the column. */
struct cursor {
  const char *at, *end, *line_start;
  unsigned line;
};

struct symbol {
  char *name;
  int64_t value;
  uint32_t scope; /* 0 = file, else index of the kernel + 1 */
  bool is_label;
};

/* One instruction word as it is being made. */
struct item {
  struct heddle_isa_word word;
  uint16_t enc; /* enum heddle_isa_enc; meaningless when raw */
  unsigned line, column;
  bool raw;      /* .word: kept as it is */
  bool explicit; /* control code was written */
  bool label;    /* some label names this place */
  bool stays;    /* behind .pack off: no short word */
};

struct assembler {
  const char *file;
  const struct heddle_asm_options *options;
  uint8_t stall[8]; /* by enum heddle_stall: what is scheduled for */
  struct heddle_program *p;
  struct symbol *symbol; /* sorted after the first pass */
  size_t symbols, symbols_room;
  struct item *item;
  size_t items, items_room;
  size_t kernels_room, variables_room, addresses_room; /* of the program */
  uint32_t scope;                                      /* current kernel + 1, or 0 */
  uint32_t kernels_seen;                               /* in the second pass */
  uint32_t shared;                                     /* of the current kernel */
  bool first_pass, out_of_memory, pending_label;
  bool unpacked;             /* behind .pack off */
  const struct pack *places; /* places of items, once some are short; NULL: all are long */
  unsigned errors;
};

/* array_room (array.h); when it fails, a->out_of_memory is set. assemble.c */
bool asm_room(struct assembler *a, void *list, size_t *room, size_t need, size_t each);

/* The program's copy of a name; when it fails, a->out_of_memory is set. assemble.c */
const char *asm_keep_name(struct assembler *a, const char *name);

/* Place of an item, or the end of the code. assemble.c */
uint32_t asm_pc(const struct assembler *a, size_t item);

/* ---- messages (assemble.c) */
void asm_error(struct assembler *a, const struct cursor *c, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void asm_warn_item(struct assembler *a, const struct item *i, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- lexing (lex.c): each takes what it names from the cursor, or leaves it alone and says false */
void lex_blank(struct cursor *c);
bool lex_done(struct cursor *c); /* end of statement or line */
bool lex_char(struct cursor *c, char ch);
bool lex_text(struct cursor *c, const char *text);               /* blanks in `text` match any blanks */
bool lex_suffix(struct cursor *c, const char *text);             /* just this, with no letter or digit behind it */
bool lex_name(struct cursor *c, char *buf, size_t size);         /* letters digits _ $ */
bool lex_quoted_label(struct cursor *c, char *buf, size_t size); /* `(.L_x_0): L_x_0 */
bool lex_dotted_name(struct cursor *c, char *buf, size_t size);  /* also dots */
bool lex_long_word(const struct cursor *c, size_t most);         /* in this line, one of more characters */
bool lex_number(struct cursor *c, uint64_t *value);              /* decimal, 0x, 0b; false on overflow */
/* R0-R254, RZ=255; P0-P6, PT=7; B0-B15; UR and UP likewise. `prefix` as heddle_isa_kind_prefix. */
bool lex_register(struct cursor *c, const char *prefix, unsigned *index);

/* ---- symbols (symbols.c) */
bool symbol_define(struct assembler *a, const struct cursor *c, const char *name, int64_t value, bool is_label);
void symbols_seal(struct assembler *a); /* end of the first pass */
void symbols_free(struct assembler *a);
/* number | symbol [(+|-) number]; in the first pass unknown symbols read as 0 */
bool lex_expression(struct assembler *a, struct cursor *c, int64_t *value);

/* ---- instructions (instruction.c) */
bool asm_instruction(struct assembler *a, struct cursor *c, uint32_t next, struct item *out); /* next: behind it */

/* ---- other spellings (lex.c) */
/* An instruction and its suffixes, fields by their number; false: none, with what to write instead, or NULL. */
bool spelling_mnemonic(const char *text, enum heddle_isa_op *op, uint64_t *field, bool *has);
const char *spelling_hint(const char *text);
/* Words without a meaning, which are skipped: in front of the operands, behind them; false with a message. */
void spelling_front(struct cursor *c, enum heddle_isa_op op);
bool spelling_back(struct assembler *a, struct cursor *c, enum heddle_isa_op op);
/* Is this operand, which the suffixes make meaningless, not written? */
bool spelling_leaves_out(const struct cursor *c, const struct heddle_isa_instr *in, unsigned operand,
                         const uint64_t *field);
/* Behind the register of an address. */
bool spelling_address(struct assembler *a, struct cursor *c, const struct heddle_isa_instr *in);

/* ---- operands (operand.c) */
struct operand_value {
  struct cursor place; /* its place, for messages */
  uint8_t kind;        /* enum heddle_isa_kind */
  unsigned reg;
  bool neg, abs, reuse;
  const char *part; /* token of the part suffix, or NULL */
  uint32_t imm, cbank, coff;
};
bool asm_operand(struct assembler *a, struct cursor *c, enum heddle_isa_op op, const struct heddle_isa_elem *e,
                 bool in_address, struct operand_value *out);
/* The operand's fields into *w, by the chosen encoding. */
bool asm_put_operand(struct assembler *a, const struct heddle_isa_encoding *enc, unsigned operand,
                     const struct operand_value *v, struct heddle_isa_word *w);

/* A number or a register as its field holds it; false with a message when it does not fit. */
bool asm_fit(struct assembler *a, const struct cursor *at, enum heddle_isa_field f, int64_t v, bool is_signed,
             uint64_t *raw);
bool asm_fit_register(struct assembler *a, const struct cursor *at, enum heddle_isa_field f, unsigned index,
                      uint64_t *raw);

/* ---- control codes (schedule.c) */
void asm_schedule(struct assembler *a);

/* ---- directives (directive.c): the cursor is behind the dot */
bool asm_directive(struct assembler *a, struct cursor *c);
void asm_close_kernel(struct assembler *a);
/* Those of module variables (symbols.c); *known false: it is none of them. */
bool asm_global_directive(struct assembler *a, struct cursor *c, const char *name, bool *known);

/* Immediates as text. */

/* An immediate as asm_immediate reads it; `type` is enum heddle_isa_imm_type. */
void print_immediate(struct text_room *p, uint32_t imm, unsigned type);

#endif
