/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions of the compiler's own table, with registers of fitting types: what a mutator puts into PTX so that it
 * gets as far as selection and allocation. Mostly right; what is not must be refused.
 */
#include <stdio.h>
#include <string.h>

#include "compiler/lower/lower.h"
#include "tests/fuzz/ptx_text.h"
#include "base/splitmix64.h"

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
