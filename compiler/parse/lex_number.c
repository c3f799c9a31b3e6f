/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers: 12, 12U, 0x1f, 017, 0b101, 0f3f800000, 0d3ff0000000000000, 1.5, .5e-3, 1e10.
 */
#include "compiler/parse/lex.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

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

void ptx_lex_number(struct ptx_lexer *x, struct ptx_token *t) {
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
