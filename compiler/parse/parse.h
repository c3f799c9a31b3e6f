/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the parser: tokens, and recursive descent over them.
 */
#ifndef HEDDLE_COMPILER_PARSE_PARSE_H
#define HEDDLE_COMPILER_PARSE_PARSE_H

#include "compiler/ir/ast.h"
#include "compiler/ir/diag.h"

/* Text to tokens. Blanks and comments are skipped. Text that is no token is reported and skipped, so that the parser
 * only ever sees valid tokens. */

enum ptx_token_kind {
  PTX_T_END,
  PTX_T_NAME,   /* identifier, also %r1; the sink _ is one */
  PTX_T_WORD,   /* .word, .shared::cta: text behind the dot */
  PTX_T_INT,    /* bits; is_unsigned: by suffix or size */
  PTX_T_F32,    /* 0f... */
  PTX_T_F64,    /* 0d..., decimal */
  PTX_T_STRING, /* text between the quotes, escapes as they are */
  PTX_T_PUNCT   /* punct: the character, or PTX_TWO of two */
};

/* Operators of two characters. */
#define PTX_TWO(a, b) ((unsigned)(a) << 8 | (unsigned)(b))

struct ptx_token {
  enum ptx_token_kind kind;
  struct ptx_pos pos;
  unsigned punct;
  bool glued; /* directly behind the token before */
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

/* Inside the parser: recursive descent, one token ahead (two where a label or a cast begins). A false result: the
 * error has been reported; the reader of statements then goes on behind the next ';' or '}'. */

enum {
  PTX_TEXT_MAX = 64 << 20,
  PTX_DEPTH_MAX = 64, /* blocks, parentheses and signs inside each other */
  PTX_VECTOR_MAX = 8,
  PTX_DIMENSIONS_MAX = 8,
  PTX_REGISTERS_MAX = 1 << 18,   /* of one function */
  PTX_RANGE_NAME_MAX = 1000,     /* characters before <n> */
  PTX_INITIALISED_MAX = 16 << 20 /* bytes of one variable */
};
#define PTX_VARIABLE_MAX (UINT64_C(1) << 40) /* bytes */

struct ptx_parser {
  struct ptx_lexer lex;
  struct ptx_token now, ahead;
  bool has_ahead;
  struct ptx_arena *arena;
  struct ptx_diag *diag;
  struct ptx_module *module;
  struct ptx_variable **last_variable; /* where the next one of the module goes */
  struct ptx_function **last_function;
  bool head_checked;
  bool ended; /* the text's end has been reported, or an error that caused it */
  unsigned depth;
  unsigned braces; /* of the vector or initialiser being read, so that recovery passes them */
  uint32_t registers;
};

/* ---- tokens (parse_token.c) ---- */
void ptx_next(struct ptx_parser *p);
const struct ptx_token *ptx_peek(struct ptx_parser *p); /* the one behind `now` */
bool ptx_is(const struct ptx_parser *p, unsigned punct);
bool ptx_is_word(const struct ptx_parser *p, const char *word);
bool ptx_is_name(const struct ptx_parser *p, const char *name);
bool ptx_take(struct ptx_parser *p, unsigned punct);                      /* if it is there */
bool ptx_expect(struct ptx_parser *p, unsigned punct, const char *where); /* "expected ';' WHERE" */
bool ptx_wrong(struct ptx_parser *p, const char *what);                   /* "expected WHAT, found ..."; false */
const char *ptx_take_name(struct ptx_parser *p, const char *what);        /* interned; NULL with an error */
const char *ptx_intern_token(struct ptx_parser *p, const struct ptx_token *t);
bool ptx_enter(struct ptx_parser *p); /* one level deeper; false with an error, and the rest of the text is not read */
void ptx_leave(struct ptx_parser *p);
void ptx_sync_statement(struct ptx_parser *p); /* behind the next ';', or before the '}' of the block */
void ptx_sync_module(struct ptx_parser *p);    /* behind the next ';' or the braces that come first */

/* ---- constant expressions (parse_expression.c) ---- */
struct ptx_constant {
  enum { PTX_C_S64, PTX_C_U64, PTX_C_F64, PTX_C_F32 } kind;
  struct ptx_pos pos;
  uint64_t bits;
};
bool ptx_parse_expression(struct ptx_parser *p, struct ptx_constant *c);
bool ptx_parse_integer(struct ptx_parser *p, uint64_t *bits); /* an expression that is an integer */
/* A plain number, as directives have: at most `most`. */
bool ptx_parse_number(struct ptx_parser *p, const char *what, uint64_t most, uint64_t *value);

/* ---- operands (parse_operand.c) ---- */
bool ptx_parse_operand(struct ptx_parser *p, struct ptx_operand *o, bool lists); /* lists: (a, b) is one, as in call */
bool ptx_parse_name_list(struct ptx_parser *p, struct ptx_operand *o);           /* a, b, c */

/* ---- variables (parse_variable.c) ---- */
struct ptx_shape { /* dimensions, outermost first, a vector's elements last */
  unsigned dims;
  uint64_t dim[PTX_DIMENSIONS_MAX + 1];
  bool open; /* dim[0] was "[]" */
};
/* `now`: the word of a state space. To the end of the declaration; *tail moves on. */
bool ptx_parse_variables(struct ptx_parser *p, bool is_extern, struct ptx_variable ***tail);
bool ptx_parse_parameters(struct ptx_parser *p, struct ptx_variable **list); /* `now`: '(' */

/* ---- functions, statements, directives (parse_function.c) ---- */
bool ptx_parse_function(struct ptx_parser *p); /* `now`: .entry or .func */
bool ptx_parse_pragma(struct ptx_parser *p);   /* behind .pragma: the strings */
bool ptx_parse_file(struct ptx_parser *p);     /* behind .file, .loc: into the module's lines */
bool ptx_parse_loc(struct ptx_parser *p);
bool ptx_parse_version(struct ptx_parser *p); /* behind .version, .target, .address_size: into the module */
bool ptx_parse_target(struct ptx_parser *p);
bool ptx_parse_address_size(struct ptx_parser *p);

#endif
