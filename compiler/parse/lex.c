/* SPDX-License-Identifier: Apache-2.0
 *
 * Text to tokens: see lex.h.
 */
#include "lex.h"

#include <string.h>

#include <heddle/program.h>

void ptx_lex_init(struct ptx_lexer *x, struct ptx_diag *d, const char *text, size_t size) {
  *x = (struct ptx_lexer){.start = text, .at = text, .end = text + size, .line_start = text, .line = 1, .diag = d};
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool ptx_lex_is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$';
}

static struct ptx_pos here(const struct ptx_lexer *x) {
  return (struct ptx_pos){.line = x->line, .column = (uint32_t)(x->at - x->line_start) + 1};
}

/* The character `n` places on; 0 behind the end. */
static char peek(const struct ptx_lexer *x, size_t n) {
  return (size_t)(x->end - x->at) > n ? x->at[n] : '\0';
}

static void new_line(struct ptx_lexer *x) {
  x->at++;
  x->line++;
  x->line_start = x->at;
}

static void skip_line(struct ptx_lexer *x) {
  const char *nl = memchr(x->at, '\n', (size_t)(x->end - x->at));
  x->at = nl != NULL ? nl : x->end;
}

static void skip_comment(struct ptx_lexer *x) {
  const struct ptx_pos start = here(x);
  x->at += 2;
  while (x->at < x->end) {
    if (*x->at == '\n') {
      new_line(x);
    } else if (*x->at == '*' && peek(x, 1) == '/') {
      x->at += 2;
      return;
    } else {
      x->at++;
    }
  }
  ptx_error(x->diag, start, "this comment has no end");
}

/* Blanks, comments, and lines for a preprocessor. */
static void skip_blank(struct ptx_lexer *x) {
  while (x->at < x->end) {
    const char c = *x->at;
    if (c == '\n') {
      new_line(x);
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f') {
      x->at++;
    } else if (c == '/' && peek(x, 1) == '/') {
      skip_line(x);
    } else if (c == '/' && peek(x, 1) == '*') {
      skip_comment(x);
    } else if (c == '#') {
      ptx_error(x->diag, here(x), "lines for a preprocessor (#...) are not supported");
      skip_line(x);
    } else {
      return;
    }
  }
}

static void scan_name(struct ptx_lexer *x, struct ptx_token *t) {
  t->kind = PTX_T_NAME;
  x->at++;
  while (x->at < x->end && ptx_lex_is_word(*x->at)) x->at++;
  t->length = (size_t)(x->at - t->text);
  if (t->length > HEDDLE_SYMBOL_MAX) ptx_error(x->diag, t->pos, "a name of more than %u characters", HEDDLE_SYMBOL_MAX);
}

/* ".shared::cta" is one word. */
static void scan_word(struct ptx_lexer *x, struct ptx_token *t) {
  t->kind = PTX_T_WORD;
  t->text = ++x->at;
  while (x->at < x->end) {
    if (ptx_lex_is_word(*x->at))
      x->at++;
    else if (*x->at == ':' && peek(x, 1) == ':' && ptx_lex_is_word(peek(x, 2)))
      x->at += 2;
    else
      break;
  }
  t->length = (size_t)(x->at - t->text);
}

/* A backslash takes the next character with it; a string ends at its line. */
static void take_string(struct ptx_lexer *x, struct ptx_token *t) {
  t->kind = PTX_T_STRING;
  t->text = ++x->at;
  while (x->at < x->end && *x->at != '"' && *x->at != '\n')
    x->at += *x->at == '\\' && x->end - x->at > 1 && x->at[1] != '\n' ? 2 : 1;
  t->length = (size_t)(x->at - t->text);
  if (peek(x, 0) == '"')
    x->at++;
  else
    ptx_error(x->diag, t->pos, "this string has no end");
}

static bool take_punct(struct ptx_lexer *x, struct ptx_token *t) {
  static const char one[] = "(){}[],;:@!|&^~+-*/%<>=?", two[] = "<<>><=>===!=&&||";
  const char c = *x->at, d = peek(x, 1);
  if (c == '\0' || strchr(one, c) == NULL) return false;
  t->kind = PTX_T_PUNCT;
  t->punct = (unsigned)c;
  t->length = 1;
  for (const char *p = two; *p != '\0'; p += 2) {
    if (c != p[0] || d != p[1]) continue;
    t->punct = PTX_TWO(c, d);
    t->length = 2;
  }
  x->at += t->length;
  return true;
}

/* Whether the text at x->at is glued to a word, so that ".5" would be part of an opcode. */
static bool behind_word(const struct ptx_lexer *x) {
  return x->at > x->start && ptx_lex_is_word(x->at[-1]);
}

static bool starts_name(const struct ptx_lexer *x) {
  const char c = *x->at;
  if (c == '%' || c == '$') return ptx_lex_is_word(peek(x, 1));
  return ptx_lex_is_word(c) && !is_digit(c);
}

/* Bytes that no text has are told once for all that stand together. */
static void skip_foreign(struct ptx_lexer *x) {
  const unsigned char c = (unsigned char)*x->at;
  if (c > ' ' && c < 127) {
    ptx_error(x->diag, here(x), "unexpected character '%c'", c);
    x->at++;
    return;
  }
  ptx_error(x->diag, here(x), "unexpected byte 0x%02x", c);
  do x->at++;
  while (x->at < x->end && ((unsigned char)*x->at >= 127 || (unsigned char)*x->at < '\t'));
}

void ptx_lex(struct ptx_lexer *x, struct ptx_token *t) {
  for (const char *before = x->at;;) {
    skip_blank(x);
    *t = (struct ptx_token){
        .kind = PTX_T_END, .pos = here(x), .text = x->at, .glued = x->at == before && x->at > x->start};
    if (x->at == x->end) return;
    if (is_digit(*x->at) || (*x->at == '.' && is_digit(peek(x, 1)) && !behind_word(x)))
      ptx_lex_number(x, t);
    else if (starts_name(x))
      scan_name(x, t);
    else if (*x->at == '.' && ptx_lex_is_word(peek(x, 1)))
      scan_word(x, t);
    else if (*x->at == '"')
      take_string(x, t);
    else if (!take_punct(x, t)) {
      skip_foreign(x);
      continue;
    }
    return;
  }
}
