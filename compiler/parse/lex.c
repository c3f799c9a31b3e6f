/* SPDX-License-Identifier: Apache-2.0
 *
 * Text to tokens: see parse.h.
 */
#include <math.h>
#include <string.h>

#include <heddle/program.h>
#include "base/number.h"
#include "compiler/parse/parse.h"

static bool ptx_lex_is_word(char c);

/* Numbers: 12, 12U, 0x1f, 017, 0b101, 0f3f800000, 0d3ff0000000000000, 1.5, .5e-3, 1e10. */

enum { DECIMAL_MAX = 400 }; /* characters; a double needs at most 17 digits, but some write all of them */

static unsigned digit_value(char c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A') + 10;
  return 16;
}

/* Digits of `base` from *p on. False when they do not fit 64 bits. */
static bool digits(const char **p, const char *end, unsigned base, uint64_t *value) {
  bool fits = true;
  *value = 0;
  for (; *p < end && digit_value(**p) < base; ++*p) {
    const unsigned d = digit_value(**p);
    if (*value > (UINT64_MAX - d) / base) fits = false;
    *value = *value * base + d;
  }
  return fits;
}

static const char *skip_decimal(const char *p, const char *end) {
  while (p < end && digit_value(*p) < 10) p++;
  return p;
}

/* Where a decimal floating-point number at `p` ends; NULL when it is none. */
static const char *float_end(const char *p, const char *end) {
  const char *q = skip_decimal(p, end);
  bool is_float = false;
  if (q < end && *q == '.') {
    q = skip_decimal(q + 1, end);
    is_float = true;
  }
  if (q < end && (*q == 'e' || *q == 'E')) {
    const char *r = q + 1;
    if (r < end && (*r == '+' || *r == '-')) r++;
    if (r < end && digit_value(*r) < 10) return skip_decimal(r, end);
  }
  return is_float ? q : NULL;
}

static const char *take_float(struct ptx_token *t, const char *end) {
  char text[DECIMAL_MAX + 1], *stop;
  const size_t n = (size_t)(end - t->text);
  t->kind = PTX_T_F64;
  if (n > DECIMAL_MAX) return "this number is too long";
  memcpy(text, t->text, n);
  text[n] = '\0';
  const double d = number_read(text, &stop);
  if (*stop != '\0') return "this number cannot be read";
  if (isinf(d)) return "this number does not fit a double";
  memcpy(&t->bits, &d, sizeof d);
  return NULL;
}

/* 0f and 0d: raw bits, every digit written. */
static const char *take_raw(struct ptx_token *t, const char **p, const char *end, bool is_double) {
  const char *first = *p;
  t->kind = is_double ? PTX_T_F64 : PTX_T_F32;
  const bool fits = digits(p, end, 16, &t->bits);
  if (fits && *p - first == (is_double ? 16 : 8)) return NULL;
  return is_double ? "0d needs 16 hexadecimal digits" : "0f needs 8 hexadecimal digits";
}

static const char *take_integer(struct ptx_token *t, const char **p, const char *end, unsigned base) {
  const char *first = *p;
  const bool fits = digits(p, end, base, &t->bits);
  if (*p == first) return base == 16 ? "0x needs hexadecimal digits" : "0b needs binary digits";
  t->is_unsigned = t->bits >> 63 != 0;
  if (*p < end && *p[0] == 'U') {
    t->is_unsigned = true;
    ++*p;
  }
  return fits ? NULL : "this number does not fit 64 bits";
}

/* Behind the prefix, or from the first digit on: *p moves to the number's end. */
static const char *scan_number(struct ptx_token *t, const char **p, const char *end) {
  const char c = end - *p > 1 && **p == '0' ? (*p)[1] : '\0', *stop;
  if (c != '\0' && strchr("xXbBfFdD", c) != NULL) *p += 2;
  switch (c) {
  case 'x':
  case 'X':
    return take_integer(t, p, end, 16);
  case 'b':
  case 'B':
    return take_integer(t, p, end, 2);
  case 'f':
  case 'F':
    return take_raw(t, p, end, false);
  case 'd':
  case 'D':
    return take_raw(t, p, end, true);
  default:
    break;
  }
  stop = float_end(*p, end);
  if (stop == NULL) return take_integer(t, p, end, c >= '0' && c <= '9' ? 8 : 10);
  *p = stop;
  return take_float(t, stop);
}

/* A number at x->at, which is a digit, or a point before one. A malformed one is told, skipped, and reads as 0. */
static void ptx_lex_number(struct ptx_lexer *x, struct ptx_token *t) {
  t->kind = PTX_T_INT;
  const char *wrong = scan_number(t, &x->at, x->end);
  if (x->at < x->end && ptx_lex_is_word(*x->at)) {
    if (wrong == NULL) wrong = "this number is malformed";
    while (x->at < x->end && ptx_lex_is_word(*x->at)) x->at++;
  }
  t->length = (size_t)(x->at - t->text);
  if (wrong == NULL) return;
  ptx_error(x->diag, t->pos, "%s: %.*s", wrong, t->length < 40 ? (int)t->length : 40, t->text);
  t->bits = 0;
}

/* Text to tokens: see parse.h. */

void ptx_lex_init(struct ptx_lexer *x, struct ptx_diag *d, const char *text, size_t size) {
  *x = (struct ptx_lexer){.start = text, .at = text, .end = text + size, .line_start = text, .line = 1, .diag = d};
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* letters, digits, _ $ */
static bool ptx_lex_is_word(char c) {
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
