/* SPDX-License-Identifier: Apache-2.0
 *
 * How the parser looks at tokens and words.
 */
#include <stdio.h>
#include <string.h>
#include "compiler/ir/ast.h"
#include "compiler/parse/parse.h"

/* Types and state spaces as words. */

static const struct {
  const char *word;
  unsigned bytes;
} types[] = {
    [PTX_NO_TYPE] = {"", 0}, [PTX_PRED] = {"pred", 0}, [PTX_B8] = {"b8", 1},      [PTX_B16] = {"b16", 2},
    [PTX_B32] = {"b32", 4},  [PTX_B64] = {"b64", 8},   [PTX_U8] = {"u8", 1},      [PTX_U16] = {"u16", 2},
    [PTX_U32] = {"u32", 4},  [PTX_U64] = {"u64", 8},   [PTX_S8] = {"s8", 1},      [PTX_S16] = {"s16", 2},
    [PTX_S32] = {"s32", 4},  [PTX_S64] = {"s64", 8},   [PTX_F16] = {"f16", 2},    [PTX_F16X2] = {"f16x2", 4},
    [PTX_F32] = {"f32", 4},  [PTX_F64] = {"f64", 8},   [PTX_B128] = {"b128", 16},
};

static const char *const spaces[] = {
    [PTX_GENERIC] = "",      [PTX_REG] = "reg",     [PTX_SREG] = "sreg",   [PTX_CONST] = "const",
    [PTX_GLOBAL] = "global", [PTX_LOCAL] = "local", [PTX_PARAM] = "param", [PTX_SHARED] = "shared",
};

unsigned ptx_type_bytes(enum ptx_type t) {
  return types[t].bytes;
}

const char *ptx_type_word(enum ptx_type t) {
  return types[t].word;
}

const char *ptx_space_word(enum ptx_space s) {
  return spaces[s];
}

enum ptx_type ptx_type_of_word(const char *word) {
  for (unsigned t = PTX_PRED; t <= PTX_B128; t++)
    if (strcmp(word, types[t].word) == 0) return (enum ptx_type)t;
  return PTX_NO_TYPE;
}

enum ptx_space ptx_space_of_word(const char *word) {
  for (unsigned s = PTX_REG; s <= PTX_SHARED; s++)
    if (strcmp(word, spaces[s]) == 0) return (enum ptx_space)s;
  return PTX_GENERIC;
}

/* How the parser looks at tokens, says what it expected, and finds the next place to go on. */

void ptx_next(struct ptx_parser *p) {
  if (p->has_ahead)
    p->now = p->ahead;
  else
    ptx_lex(&p->lex, &p->now);
  p->has_ahead = false;
}

const struct ptx_token *ptx_peek(struct ptx_parser *p) {
  if (!p->has_ahead) ptx_lex(&p->lex, &p->ahead);
  p->has_ahead = true;
  return &p->ahead;
}

bool ptx_is(const struct ptx_parser *p, unsigned punct) {
  return p->now.kind == PTX_T_PUNCT && p->now.punct == punct;
}

static bool text_is(const struct ptx_token *t, const char *text) {
  return strlen(text) == t->length && memcmp(t->text, text, t->length) == 0;
}

bool ptx_is_word(const struct ptx_parser *p, const char *word) {
  return p->now.kind == PTX_T_WORD && text_is(&p->now, word);
}

bool ptx_is_name(const struct ptx_parser *p, const char *name) {
  return p->now.kind == PTX_T_NAME && text_is(&p->now, name);
}

bool ptx_take(struct ptx_parser *p, unsigned punct) {
  if (!ptx_is(p, punct)) return false;
  ptx_next(p);
  return true;
}

bool ptx_wrong(struct ptx_parser *p, const char *what) {
  const struct ptx_token *t = &p->now;
  const int n = t->length < 60 ? (int)t->length : 60;
  switch (t->kind) {
  case PTX_T_END:
    if (!p->ended) ptx_error(p->diag, t->pos, "expected %s, found the end of the text", what);
    p->ended = true;
    break;
  case PTX_T_WORD:
    ptx_error(p->diag, t->pos, "expected %s, found '.%.*s'", what, n, t->text);
    break;
  case PTX_T_STRING:
    ptx_error(p->diag, t->pos, "expected %s, found a string", what);
    break;
  default:
    ptx_error(p->diag, t->pos, "expected %s, found '%.*s'", what, n, t->text);
  }
  return false;
}

bool ptx_expect(struct ptx_parser *p, unsigned punct, const char *where) {
  char what[80];
  if (ptx_take(p, punct)) return true;
  snprintf(what, sizeof what, "'%c' %s", (char)punct, where);
  return ptx_wrong(p, what);
}

const char *ptx_intern_token(struct ptx_parser *p, const struct ptx_token *t) {
  return ptx_intern(p->arena, t->text, t->length);
}

const char *ptx_take_name(struct ptx_parser *p, const char *what) {
  if (p->now.kind != PTX_T_NAME) {
    ptx_wrong(p, what);
    return NULL;
  }
  const char *name = ptx_intern_token(p, &p->now);
  ptx_next(p);
  return name;
}

/* Nothing of the rest is read: what follows would only be told for the sake of this error. */
static void skip_all(struct ptx_parser *p) {
  p->ended = true;
  p->lex.at = p->lex.end;
  p->has_ahead = false;
  ptx_next(p);
}

bool ptx_enter(struct ptx_parser *p) {
  if (p->depth < PTX_DEPTH_MAX) {
    p->depth++;
    return true;
  }
  ptx_error(p->diag, p->now.pos, "nested more than %d deep", PTX_DEPTH_MAX);
  skip_all(p);
  return false;
}

void ptx_leave(struct ptx_parser *p) {
  p->depth--;
}

static bool at_end(struct ptx_parser *p) {
  if (ptx_errors(p->diag) >= PTX_ERRORS_MAX) skip_all(p);
  return p->now.kind == PTX_T_END;
}

void ptx_sync_statement(struct ptx_parser *p) {
  unsigned open = p->braces;
  for (p->braces = 0; !at_end(p); ptx_next(p)) {
    if (ptx_take(p, ';')) return;
    if (ptx_is(p, '{')) open++;
    if (ptx_is(p, '}') && open-- == 0) return;
  }
}

void ptx_sync_module(struct ptx_parser *p) {
  unsigned open = p->braces;
  for (p->braces = 0; !at_end(p); ptx_next(p)) {
    if (open == 0 && ptx_take(p, ';')) return;
    if (ptx_is(p, '{')) open++;
    if (ptx_is(p, '}') && (open == 0 || --open == 0)) {
      ptx_next(p);
      return;
    }
  }
}
