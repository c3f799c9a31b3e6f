/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX as its mutators see it, and instructions of the compiler's own table.
 */
#include "ptx_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/splitmix64.h"
#include "compiler/ir/diag.h"
#include "compiler/ir/ir.h"
#include "compiler/lower/lower.h"

/* Does the front end take a text? Asked before the whole compiler is. */

enum { ARENA_BYTES = 64 << 20 };

static bool lowers(struct ptx_arena *a, struct ptx_diag *d, const uint8_t *data, size_t size) {
  if (setjmp(d->exit) != 0) return false;
  struct ptx_module *m = ptx_parse(a, d, (const char *)data, size, "fuzz.ptx");
  if (m == NULL || ptx_errors(d) > 0) return false;
  for (const struct ptx_function *k = m->functions; k != NULL; k = k->next)
    if (k->entry && !k->declaration && (ir_lower(a, d, m, k) == NULL || ptx_errors(d) > 0)) return false;
  return true;
}

bool text_lowers(const uint8_t *data, size_t size) {
  struct ptx_diag d;
  struct ptx_arena *a = ptx_arena_new(ARENA_BYTES);
  ptx_diag_init(&d, "fuzz.ptx", NULL, NULL);
  const bool ok = a != NULL && lowers(a, &d, data, size);
  ptx_arena_free(a);
  return ok;
}

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

/* Instructions of the compiler's own table, with registers of fitting types: what a mutator puts into PTX so that it
 * gets as far as selection and allocation. Mostly right; what is not must be refused. */

struct made {
  const struct text *t;
  struct text_span round; /* the function whose registers are taken */
  uint64_t *state;
  char *out;
  size_t used, room;
};

static void put(struct made *m, const char *s, size_t n) {
  if (n > m->room - m->used) n = m->room - m->used;
  memcpy(m->out + m->used, s, n);
  m->used += n;
}

static void put_text(struct made *m, const char *s) {
  put(m, s, strlen(s));
}

size_t text_constant(uint64_t *state, char *out, size_t room) {
  static const char *const fixed[] = {"0",
                                      "1",
                                      "2",
                                      "4",
                                      "7",
                                      "8",
                                      "16",
                                      "31",
                                      "32",
                                      "33",
                                      "63",
                                      "64",
                                      "127",
                                      "255",
                                      "256",
                                      "65535",
                                      "0x7fff",
                                      "-1",
                                      "-2",
                                      "-8",
                                      "0x80000000",
                                      "0x7fffffff",
                                      "0xffffffff",
                                      "0x1f1f",
                                      "0x5410",
                                      "0xff00ff",
                                      "-32768",
                                      "1000000007",
                                      "3",
                                      "10",
                                      "1024",
                                      "0f3F800000",
                                      "0f80000000",
                                      "0f7F800000",
                                      "0fFFC00001",
                                      "0f00000001",
                                      "0f4B000000",
                                      "0fBF000000",
                                      "0d3FF0000000000000",
                                      "0d7FF0000000000000",
                                      "0d8000000000000000",
                                      "0d0000000000000001",
                                      "0x8000000000000000",
                                      "0xffffffffffffffff",
                                      "0x100000000",
                                      "9223372036854775807"};
  const unsigned way = text_pick(state, 8);
  int n;
  if (way == 0)
    n = snprintf(out, room, "%u", text_pick(state, 1 << 16));
  else if (way == 1) {
    const unsigned zeros = text_pick(state, 64);
    n = snprintf(out, room, "0x%llx", (unsigned long long)splitmix64(state) >> zeros);
  } else if (way == 2)
    n = snprintf(out, room, "0f%08X", (unsigned)splitmix64(state));
  else
    n = snprintf(out, room, "%s", fixed[text_pick(state, sizeof fixed / sizeof *fixed)]);
  return n > 0 && (size_t)n < room ? (size_t)n : 0;
}

static bool holds(const struct text_register *r, enum ptx_type type) {
  if (type == PTX_PRED || r->type == PTX_PRED) return type == r->type;
  return ptx_type_bytes(r->type) == ptx_type_bytes(type);
}

/* A register of the type's size, often one of the first few of its range, so that they are read and written again. */
static void put_register(struct made *m, enum ptx_type type) {
  unsigned found = 0, chosen = 0;
  for (unsigned k = 0; k < m->t->registers; k++) {
    const struct text_register *r = &m->t->reg[k];
    const bool near = r->name >= m->round.first && r->name < m->round.end;
    if (near && holds(r, type) && text_pick(m->state, ++found) == 0) chosen = k;
  }
  if (found == 0) {
    put_text(m, "%r1");
    return;
  }
  const struct text_register *r = &m->t->reg[chosen];
  char number[16];
  put(m, (const char *)m->t->data + m->t->token[r->name].at, m->t->token[r->name].size);
  if (r->count == 0) return;
  const unsigned most = text_pick(m->state, 2) == 0 && r->count > 8 ? 8 : r->count;
  snprintf(number, sizeof number, "%u", text_pick(m->state, most));
  put_text(m, number);
}

static void put_source(struct made *m, enum ptx_type type) {
  char constant[32];
  if (type != PTX_PRED && text_pick(m->state, 5) == 0)
    put(m, constant, text_constant(m->state, constant, sizeof constant));
  else
    put_register(m, type);
}

static void put_address(struct made *m, bool wide) {
  static const char *const offsets[] = {"]", "]", "+4]", "+8]", "+16]", "+-4]", "+1]", "+4096]", "+0x7fffffff]"};
  put_text(m, "[");
  put_register(m, wide ? PTX_U64 : PTX_U32);
  put_text(m, offsets[text_pick(m->state, sizeof offsets / sizeof *offsets)]);
}

/* A word of the kind; false: the table has none. */
static const char *word_of(struct made *m, unsigned kind) {
  const char *word = NULL;
  enum kind is;
  unsigned found = 0;
  for (unsigned k = 0; words_text(k, &is) != NULL; k++)
    if (is == kind && text_pick(m->state, ++found) == 0) word = words_text(k, &is);
  return word;
}

static enum ptx_type type_among(struct made *m, uint32_t types) {
  enum ptx_type type = PTX_NO_TYPE;
  unsigned found = 0;
  for (unsigned k = PTX_PRED; k <= PTX_F64; k++)
    if ((types >> k & 1) != 0 && text_pick(m->state, ++found) == 0) type = (enum ptx_type)k;
  return type;
}

struct opcode {
  enum ptx_type type, other; /* other: the second, or the first again */
  unsigned vector;
  bool wide, global; /* mul.wide; an address of 64 bits */
};

static void put_type(struct made *m, enum ptx_type type) {
  put_text(m, ".");
  put_text(m, ptx_type_word(type));
}

static struct opcode put_opcode(struct made *m, const struct row *r) {
  struct opcode o = {.type = type_among(m, r->types), .global = true};
  o.other = o.type;
  put_text(m, r->name);
  for (unsigned kind = 0; kind < KINDS; kind++) {
    const bool must = (r->must >> kind & 1) != 0, may = (r->may >> kind & 1) != 0;
    const char *word = must || (may && text_pick(m->state, 3) == 0) ? word_of(m, kind) : NULL;
    if (word == NULL) continue;
    put_text(m, ".");
    put_text(m, word);
    if (kind == K_VECTOR) o.vector = word[1] == '2' ? 2 : 4;
    if (kind == K_PART) o.wide = strcmp(word, "wide") == 0;
    if (kind == K_SPACE) o.global = strcmp(word, "global") == 0;
  }
  if (o.type != PTX_NO_TYPE) put_type(m, o.type);
  if ((r->flags & (ROW_TWO | ROW_MORE)) != 0) put_type(m, o.other = type_among(m, r->types));
  if ((r->flags & ROW_MORE) != 0) put_type(m, o.other);
  return o;
}

/* A letter an operand: d destination, s source, o of the other type, p predicate, i 32 bits, w twice as wide, a
 * address, v vector (or one), V vector source. The last stands for all behind it. */
static const char *shape_of(const char *name, const struct opcode *o) {
  static const char *const shapes[][2] = {
      {"ld", "va"},     {"ldu", "va"},    {"st", "aV"},      {"atom", "das"}, {"red", "as"},      {"setp", "pssp"},
      {"set", "doop"},  {"selp", "dssp"}, {"slct", "dsso"},  {"cvt", "do"},   {"shl", "dsi"},     {"shr", "dsi"},
      {"bfe", "dsi"},   {"bfi", "dssi"},  {"popc", "is"},    {"clz", "is"},   {"bfind", "is"},    {"testp", "ps"},
      {"shfl", "dsii"}, {"vote", "dpi"},  {"match", "isi"},  {"bar", "ii"},   {"barrier", "ii"},  {"redux", "dsi"},
      {"dp4a", "isoi"}, {"dp2a", "isoi"}, {"lop3", "dsssi"}, {"cvta", "ds"},  {"isspacep", "pw"}, {"prefetch", "a"}};
  for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; k++)
    if (strcmp(shapes[k][0], name) == 0) return shapes[k][1];
  return o->wide ? "wssw" : "ds";
}

static void put_vector(struct made *m, const struct opcode *o, bool source) {
  for (unsigned k = 0; k < o->vector; k++) {
    put_text(m, k == 0 ? "{" : ", ");
    if (source)
      put_source(m, o->type);
    else
      put_register(m, o->type);
  }
  if (o->vector > 0) put_text(m, "}");
}

static void put_operand(struct made *m, const struct opcode *o, char shape) {
  const enum ptx_type type = o->type == PTX_NO_TYPE ? PTX_U32 : o->type;
  if ((shape == 'v' || shape == 'V') && o->vector > 0)
    put_vector(m, o, shape == 'V');
  else if (shape == 'd' || shape == 'v')
    put_register(m, type);
  else if (shape == 'p')
    put_register(m, PTX_PRED);
  else if (shape == 'i')
    put_source(m, PTX_U32);
  else if (shape == 'w')
    put_register(m, ptx_type_bytes(type) == 2 ? PTX_U32 : PTX_U64);
  else if (shape == 'a')
    put_address(m, o->global);
  else
    put_source(m, shape == 'o' ? o->other : type);
}

size_t text_make_row(const struct text *t, uint32_t token, unsigned row, uint64_t *state, char *out, size_t room) {
  struct made m = {.t = t, .round = text_function_of(t, token), .state = state, .out = out, .room = room};
  if (text_pick(state, 6) == 0) {
    put_text(&m, "@");
    put_register(&m, PTX_PRED);
    put_text(&m, " ");
  }
  const struct row *r = lower_row(row);
  const struct opcode o = put_opcode(&m, r);
  const char *shape = shape_of(r->name, &o);
  const unsigned n = r->least + text_pick(state, (size_t)(r->most - r->least) + 1);
  for (unsigned k = 0; k < n; k++) {
    put_text(&m, k == 0 ? " " : ", ");
    put_operand(&m, &o, *shape);
    if (shape[1] != '\0') shape++;
  }
  put_text(&m, ";\n");
  return m.used;
}

size_t text_make(const struct text *t, uint32_t token, uint64_t *state, char *out, size_t room) {
  unsigned rows = 0;
  while (lower_row(rows) != NULL) rows++;
  return text_make_row(t, token, text_pick(state, rows), state, out, room);
}
