/* SPDX-License-Identifier: Apache-2.0
 *
 * Text to tokens. Blanks and comments are skipped; what is no token is told and left out, so that the parser only ever
 * sees tokens that make sense.
 */
#ifndef HEDDLE_PTX_LEX_H
#define HEDDLE_PTX_LEX_H

#include "compiler/ir/ast.h"

enum ptx_token_kind {
  PTX_T_END,
  PTX_T_NAME,   /* identifier, also %r1; the sink _ is one */
  PTX_T_WORD,   /* .word, .shared::cta: text behind the dot */
  PTX_T_INT,    /* bits; is_unsigned: by suffix or size */
  PTX_T_F32,    /* 0f... */
  PTX_T_F64,    /* 0d..., decimal */
  PTX_T_STRING, /* text between the quotes, escapes as they stand */
  PTX_T_PUNCT   /* punct: the character, or PTX_TWO of two */
};

/* Operators of two characters. */
#define PTX_TWO(a, b) ((unsigned)(a) << 8 | (unsigned)(b))

struct ptx_token {
  enum ptx_token_kind kind;
  struct ptx_pos pos;
  unsigned punct;
  bool glued; /* nothing stands between it and the token before */
  bool is_unsigned;
  uint64_t bits;
  const char *text; /* into the source; of a word and a string: see above */
  size_t length;
};

struct ptx_lexer {
  const char *start, *at, *end, *line_start;
  uint32_t line;
  struct ptx_diag *diag;
};

void ptx_lex_init(struct ptx_lexer *x, struct ptx_diag *d, const char *text, size_t size);
void ptx_lex(struct ptx_lexer *x, struct ptx_token *t); /* END again and again at the end */

/* ---- for lex_number.c ---- */
bool ptx_lex_is_word(char c); /* letters, digits, _ $ */
/* A number at x->at, which is a digit, or a point before one. A malformed one is told, skipped, and reads as 0. */
void ptx_lex_number(struct ptx_lexer *x, struct ptx_token *t);

#endif
