/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX as its mutators see it: tokens, statements, functions and declared registers, found by their looks in any bytes
 * whatever. Offsets are bytes of `data`; spans are tokens. After a change everything is looked for again.
 */
#ifndef HEDDLE_FUZZ_PTX_TEXT_H
#define HEDDLE_FUZZ_PTX_TEXT_H

#include <stdbool.h>

#include "compiler/ir/ast.h"
#include "tests/fuzz/fuzz.h"
#include "base/splitmix64.h"

enum { TEXT_TOKENS_MAX = 1 << 14, TEXT_SPANS_MAX = 1 << 12, TEXT_REGISTERS_MAX = 256 };

struct text_token {
  uint32_t at, size;
  bool word; /* letters, digits and _ $ % . ; else one character, or a string */
};

struct text_span { /* tokens [first, end) */
  uint32_t first, end;
};

struct text_register { /* ".reg .b32 %r<5>": name "%r", count 5; of a single one 0 */
  uint32_t name;       /* token */
  enum ptx_type type;
  unsigned count;
};

struct text {
  uint8_t *data;
  size_t size, most; /* bytes there are, bytes there may be */
  unsigned tokens, statements, functions, registers;
  struct text_token token[TEXT_TOKENS_MAX];
  struct text_span statement[TEXT_SPANS_MAX]; /* with ';'; labels with ':'; of bodies only */
  struct text_span function[TEXT_SPANS_MAX];  /* from its directives to its last '}' */
  struct text_register reg[TEXT_REGISTERS_MAX];
};

void text_read(struct text *t, uint8_t *data, size_t size, size_t most);

/* Bytes [at, at + gone) become the `n` of `with`; all is read again. False: no room. */
bool text_replace(struct text *t, size_t at, size_t gone, const void *with, size_t n);

bool text_is(const struct text *t, uint32_t token, const char *what);
size_t text_begin(const struct text *t, struct text_span s); /* bytes */
size_t text_end(const struct text *t, struct text_span s);
/* The token of the opcode behind a guard; UINT32_MAX: no instruction. */
uint32_t text_opcode(const struct text *t, struct text_span statement);
/* The function around a token; all tokens, where there is none. */
struct text_span text_function_of(const struct text *t, uint32_t token);

static inline unsigned text_pick(uint64_t *state, size_t n) {
  return n > 0 ? (unsigned)(splitmix64(state) % n) : 0;
}

/* ---- ptx_text.c: an instruction by the compiler's own table, over registers that are declared round `token`.
 * Characters written, without zero. ---- */
size_t text_make(const struct text *t, uint32_t token, uint64_t *state, char *out, size_t room);
size_t text_make_row(const struct text *t, uint32_t token, unsigned row, uint64_t *state, char *out, size_t room);
/* A constant that is worth trying. */
size_t text_constant(uint64_t *state, char *out, size_t room);

/* ---- ptx_mutate.c: the text, in which every declared register is given a value first; malloc'ed ---- */
char *text_define(const uint8_t *data, size_t size, uint64_t *state, size_t *bytes);

/* ---- ptx_text.c: parsed and lowered without an error ---- */
bool text_lowers(const uint8_t *data, size_t size);

#endif
