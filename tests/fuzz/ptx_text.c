/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool in_word(const struct text *t, size_t at) {
  const uint8_t c = t->data[at];
  if (isalnum(c) || c == '_' || c == '$' || c == '%' || c == '.') return true;
  /* "shared::cta" */
  return c == ':' && ((at + 1 < t->size && t->data[at + 1] == ':') || (at > 0 && t->data[at - 1] == ':'));
}

/* Behind blanks and comments. */
static size_t skip(const struct text *t, size_t at) {
  while (at < t->size) {
    const bool slash = t->data[at] == '/' && at + 1 < t->size;
    if (isspace(t->data[at])) {
      at++;
    } else if (slash && t->data[at + 1] == '/') {
      while (at < t->size && t->data[at] != '\n') at++;
    } else if (slash && t->data[at + 1] == '*') {
      at += 2;
      while (at < t->size && !(t->data[at] == '/' && t->data[at - 1] == '*')) at++;
      if (at < t->size) at++;
    } else {
      break;
    }
  }
  return at;
}

static void read_tokens(struct text *t) {
  t->tokens = 0;
  for (size_t at = skip(t, 0); at < t->size && t->tokens < TEXT_TOKENS_MAX; at = skip(t, at)) {
    const size_t begin = at;
    const bool word = in_word(t, at);
    while (at < t->size && word && in_word(t, at)) at++;
    if (!word && t->data[at] == '"')
      for (at++; at < t->size && t->data[at] != '"' && t->data[at] != '\n';) at++;
    if (!word && at < t->size) at++;
    t->token[t->tokens++] = (struct text_token){(uint32_t)begin, (uint32_t)(at - begin), word};
  }
}

/* The character of a token that is no word, else 0. */
static char mark(const struct text *t, uint32_t k) {
  return t->token[k].word ? '\0' : (char)t->data[t->token[k].at];
}

/* The closing brace of the one at `k`, or the last token. */
static uint32_t matching(const struct text *t, uint32_t k) {
  unsigned depth = 0;
  for (;; k++) {
    depth += mark(t, k) == '{';
    depth -= mark(t, k) == '}';
    if (depth == 0 || k + 1 == t->tokens) return k;
  }
}

static void add(struct text_span *list, unsigned *n, uint32_t first, uint32_t end) {
  if (*n < TEXT_SPANS_MAX && first < end) list[(*n)++] = (struct text_span){first, end};
}

static void read_spans(struct text *t) {
  unsigned depth = 0;
  uint32_t start = 0, function = 0;
  t->statements = t->functions = 0;
  for (uint32_t k = 0; k < t->tokens; k++) {
    const char c = mark(t, k);
    if (c == '{' && k > start && (depth > 0 || mark(t, k - 1) == '=')) {
      k = matching(t, k); /* of a vector, an initialiser */
      continue;
    }
    if (c == '{') {
      if (depth++ == 0) function = start;
    } else if (c == '}' && depth > 0) {
      if (--depth == 0) add(t->function, &t->functions, function, k + 1);
    } else if (c == ';' || (c == ':' && k == start + 1)) {
      if (depth > 0) add(t->statement, &t->statements, start, k + 1);
    } else {
      continue;
    }
    start = k + 1;
  }
}

static enum ptx_type type_of(const struct text *t, uint32_t k) {
  char word[16];
  const struct text_token *o = &t->token[k];
  if (o->size < 2 || o->size > sizeof word || t->data[o->at] != '.') return PTX_NO_TYPE;
  memcpy(word, t->data + o->at + 1, o->size - 1);
  word[o->size - 1] = '\0';
  return ptx_type_of_word(word);
}

/* ".reg .b32 %r<5>, %x;" */
static void read_registers(struct text *t, struct text_span s) {
  if (s.end - s.first < 4 || !text_is(t, s.first, ".reg")) return;
  const enum ptx_type type = type_of(t, s.first + 1);
  for (uint32_t k = s.first + 2; k + 1 < s.end && t->registers < TEXT_REGISTERS_MAX && type != PTX_NO_TYPE; k++) {
    if (!t->token[k].word) continue;
    unsigned count = 0;
    const bool range = mark(t, k + 1) == '<' && k + 3 < s.end;
    const struct text_token *n = &t->token[k + 2];
    for (uint32_t i = 0; range && i < n->size && i < 6 && isdigit(t->data[n->at + i]); i++)
      count = count * 10 + (unsigned)(t->data[n->at + i] - '0');
    t->reg[t->registers++] = (struct text_register){k, type, count};
    if (range) k += 3;
  }
}

void text_read(struct text *t, uint8_t *data, size_t size, size_t most) {
  t->data = data;
  t->size = size;
  t->most = most;
  t->registers = 0;
  read_tokens(t);
  read_spans(t);
  for (unsigned k = 0; k < t->statements; k++) read_registers(t, t->statement[k]);
}

bool text_replace(struct text *t, size_t at, size_t gone, const void *with, size_t n) {
  if (t->size - gone + n > t->most) return false;
  memmove(t->data + at + n, t->data + at + gone, t->size - at - gone);
  if (n > 0) memcpy(t->data + at, with, n);
  text_read(t, t->data, t->size - gone + n, t->most);
  return true;
}

bool text_is(const struct text *t, uint32_t token, const char *what) {
  const struct text_token *k = &t->token[token];
  return k->size == strlen(what) && memcmp(t->data + k->at, what, k->size) == 0;
}

size_t text_begin(const struct text *t, struct text_span s) {
  return t->token[s.first].at;
}

size_t text_end(const struct text *t, struct text_span s) {
  return t->token[s.end - 1].at + t->token[s.end - 1].size;
}

uint32_t text_opcode(const struct text *t, struct text_span s) {
  uint32_t k = s.first;
  if (mark(t, k) == '@') {
    k++;
    if (k < s.end && mark(t, k) == '!') k++;
    k++;
  }
  const bool names = k < s.end && t->token[k].word && isalpha(t->data[t->token[k].at]);
  return names && mark(t, s.end - 1) == ';' ? k : UINT32_MAX;
}

struct text_span text_function_of(const struct text *t, uint32_t token) {
  for (unsigned k = 0; k < t->functions; k++)
    if (t->function[k].first <= token && token < t->function[k].end) return t->function[k];
  return (struct text_span){0, t->tokens};
}
