/* SPDX-License-Identifier: Apache-2.0
 * Taking things from the text. */
#include <string.h>

#include "isa/asm/internal.h"

static bool is_digit(char ch) {
  return ch >= '0' && ch <= '9';
}
static bool is_name(char ch) {
  return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || is_digit(ch) || ch == '_' || ch == '$';
}

/* A comment that ends in its line. */
static const char *behind_comment(const struct cursor *c) {
  if (c->end - c->at < 4 || c->at[0] != '/' || c->at[1] != '*') return NULL;
  for (const char *p = c->at + 2; p + 1 < c->end && *p != '\n'; p++)
    if (p[0] == '*' && p[1] == '/') return p + 2;
  return NULL;
}

/* Blanks and comments, but not the end of the line. */
void lex_blank(struct cursor *c) {
  while (c->at < c->end) {
    const char *behind = behind_comment(c);
    if (behind) {
      c->at = behind;
    } else if (*c->at == ' ' || *c->at == '\t' || *c->at == '\r') {
      c->at++;
    } else if (*c->at == '#' || (*c->at == '/' && c->at + 1 < c->end && c->at[1] == '/')) {
      while (c->at < c->end && *c->at != '\n') c->at++;
    } else {
      return;
    }
  }
}

bool lex_done(struct cursor *c) {
  lex_blank(c);
  return c->at >= c->end || *c->at == '\n' || *c->at == ';';
}

bool lex_char(struct cursor *c, char ch) {
  lex_blank(c);
  if (c->at >= c->end || *c->at != ch) return false;
  c->at++;
  return true;
}

bool lex_text(struct cursor *c, const char *text) {
  struct cursor saved = *c;
  for (; *text; text++) {
    if (*text == ' ') continue;
    if (!lex_char(c, *text)) {
      *c = saved;
      return false;
    }
  }
  return true;
}

bool lex_suffix(struct cursor *c, const char *text) {
  size_t n = strlen(text);
  if ((size_t)(c->end - c->at) < n || memcmp(c->at, text, n) != 0) return false;
  if (c->at + n < c->end && is_name(c->at[n])) return false;
  c->at += n;
  return true;
}

static bool take_identifier(struct cursor *c, char *buf, size_t size, bool dots) {
  lex_blank(c);
  const char *start = c->at;
  if (start >= c->end || !is_name(*start) || is_digit(*start)) return false;
  const char *p = start;
  while (p < c->end && (is_name(*p) || (dots && *p == '.'))) p++;
  size_t n = (size_t)(p - start);
  if (n >= size) return false;
  memcpy(buf, start, n);
  buf[n] = 0;
  c->at = p;
  return true;
}

bool lex_name(struct cursor *c, char *buf, size_t size) {
  return take_identifier(c, buf, size, false);
}
bool lex_quoted_label(struct cursor *c, char *buf, size_t size) {
  struct cursor probe = *c;
  if (!lex_text(&probe, "`(")) return false;
  lex_char(&probe, '.');
  if (!lex_name(&probe, buf, size) || !lex_char(&probe, ')')) return false;
  *c = probe;
  return true;
}
bool lex_dotted_name(struct cursor *c, char *buf, size_t size) {
  return take_identifier(c, buf, size, true);
}

bool lex_long_word(const struct cursor *c, size_t most) {
  struct cursor p = *c;
  for (lex_blank(&p); p.at < p.end && *p.at != '\n'; lex_blank(&p)) {
    const char *start = p.at;
    while (p.at < p.end && is_name(*p.at)) p.at++;
    if ((size_t)(p.at - start) > most) return true;
    if (p.at == start) p.at++;
  }
  return false;
}

static int digit_value(char ch) {
  if (is_digit(ch)) return ch - '0';
  if (ch >= 'a' && ch <= 'f') return ch - 'a' + 10;
  if (ch >= 'A' && ch <= 'F') return ch - 'A' + 10;
  return 99;
}

bool lex_number(struct cursor *c, uint64_t *value) {
  lex_blank(c);
  const char *p = c->at;
  unsigned base = 10;
  if (c->end - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) base = 16;
  if (c->end - p > 2 && p[0] == '0' && (p[1] == 'b' || p[1] == 'B')) base = 2;
  if (base != 10) p += 2;
  const char *digits = p;
  uint64_t v = 0;
  while (p < c->end && (unsigned)digit_value(*p) < base) {
    const unsigned digit = (unsigned)digit_value(*p++);
    if (v > (UINT64_MAX - digit) / base) return false;
    v = v * base + digit;
  }
  if (p == digits || (p < c->end && is_name(*p))) return false;
  c->at = p;
  *value = v;
  return true;
}

bool lex_register(struct cursor *c, const char *prefix, unsigned *index) {
  char name[8];
  struct cursor saved = *c;
  size_t n = strlen(prefix);
  char file = prefix[n - 1];
  unsigned top = file == 'R' ? 254 : file == 'P' ? 6 : 15;
  char null_name = file == 'R' ? 'Z' : file == 'P' ? 'T' : 0;
  if (lex_name(c, name, sizeof name) && strncmp(name, prefix, n) == 0 && name[n]) {
    const char *digits = name + n;
    if (null_name && digits[0] == null_name && !digits[1]) {
      *index = file == 'R' ? ISA_RZ : ISA_PT;
      return true;
    }
    unsigned v = 0;
    size_t i = 0;
    while (is_digit(digits[i]) && v < 1000) v = v * 10 + (unsigned)(digits[i++] - '0');
    if (i > 0 && !digits[i] && v <= top && !(digits[0] == '0' && digits[1])) {
      *index = v;
      return true;
    }
  }
  *c = saved;
  return false;
}
