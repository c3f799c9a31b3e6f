/* SPDX-License-Identifier: Apache-2.0
 *
 * A mutator for PTX: statements are doubled, dropped, moved, invented, taken from another file; registers defined
 * first.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/splitmix64.h"
#include "compiler/lower/lower.h"
#include "tests/fuzz/ptx_text.h"

/* Every declared register gets a value where it is declared. A program in which nothing is read before it is written
 * must do the same at every level, which one with such reads need not. */

enum { VALUES_MOST = 256, VALUE_BYTES = 320 };

/* "mov.b32 %r3, 5;" and the like; characters, 0 where there is no such register. */
static int value(char *out, const char *name, int length, enum ptx_type type, int number, uint64_t *state) {
  const unsigned zeros = text_pick(state, 63);
  const uint64_t noise = splitmix64(state) >> zeros;
  char which[16] = "";
  if (number >= 0) snprintf(which, sizeof which, "%d", number);
  const char *word = ptx_type_word(type);
  if (length > 200) return 0;
  if (type == PTX_PRED)
    return snprintf(out, VALUE_BYTES, " setp.ne.u32 %.*s%s, %u, 0;", length, name, which, (unsigned)(noise & 1));
  if (type == PTX_F32)
    return snprintf(out, VALUE_BYTES, " mov.f32 %.*s%s, 0f%08X;", length, name, which, (unsigned)noise);
  if (type == PTX_F64)
    return snprintf(out, VALUE_BYTES, " mov.f64 %.*s%s, 0d%016llX;", length, name, which, (unsigned long long)noise);
  const unsigned bytes = ptx_type_bytes(type);
  const uint64_t bits = bytes < 8 ? noise & ((UINT64_C(1) << 8 * bytes) - 1) : noise;
  if (bytes == 1) return snprintf(out, VALUE_BYTES, " cvt.u8.u32 %.*s%s, %u;", length, name, which, (unsigned)bits);
  if (type == PTX_F16 || type == PTX_F16X2) word = type == PTX_F16 ? "b16" : "b32";
  return snprintf(out, VALUE_BYTES, " mov.%s %.*s%s, 0x%llx;", word, length, name, which, (unsigned long long)bits);
}

/* Behind the declaration that ends before byte `to`. */
static size_t values(const struct text *t, size_t from, size_t to, uint64_t *state, char *out) {
  size_t used = 0;
  for (unsigned k = 0; k < t->registers; k++) {
    const struct text_register *r = &t->reg[k];
    const struct text_token *n = &t->token[r->name];
    const char *name = (const char *)t->data + n->at;
    if (n->at < from || n->at >= to) continue;
    for (int i = r->count > 0 ? 0 : -1; i < (int)r->count && i < VALUES_MOST; i++)
      used += (size_t)value(out + used, name, (int)n->size, r->type, i, state);
  }
  return used;
}

char *text_define(const uint8_t *data, size_t size, uint64_t *state, size_t *bytes) {
  struct text *t = malloc(sizeof *t);
  uint8_t *copy = malloc(size + 1);
  if (t == NULL || copy == NULL) abort();
  memcpy(copy, data, size);
  text_read(t, copy, size, size);
  size_t room = size, used = 0, at = 0;
  for (unsigned k = 0; k < t->registers; k++)
    room += VALUE_BYTES * (t->reg[k].count < VALUES_MOST ? t->reg[k].count + 1 : VALUES_MOST);
  char *out = malloc(room + 1);
  if (out == NULL) abort();
  for (unsigned k = 0; k < t->statements; k++) {
    if (!text_is(t, t->statement[k].first, ".reg")) continue;
    const size_t to = text_end(t, t->statement[k]);
    memcpy(out + used, copy + at, to - at);
    used += to - at;
    used += values(t, text_begin(t, t->statement[k]), to, state, out + used);
    at = to;
  }
  memcpy(out + used, copy + at, size - at);
  *bytes = used + size - at;
  free(copy);
  free(t);
  return out;
}

/* Two PTX files become one: the first, with a function or a run of statements of the second. Registers of the
 * statements get names that the first has. */

enum { RUN_BYTES = 8192, RUN_MAX = 12, NAME_BYTES = 200 };

struct pair {
  struct text into, from;
};

/* A whole function in front of one of the first file, under a name of its own. */
static bool splice_function(struct pair *p, uint64_t *state) {
  struct text *t = &p->into;
  const struct text *u = &p->from;
  char piece[RUN_BYTES], name[32];
  if (u->functions == 0 || t->functions == 0) return false;
  const struct text_span f = u->function[text_pick(state, u->functions)];
  const size_t begin = text_begin(u, f), n = text_end(u, f) - begin;
  if (n + sizeof name > sizeof piece) return false;
  memcpy(piece, u->data + begin, n);
  piece[n] = '\n';
  size_t used = n + 1;
  for (uint32_t k = f.first; k + 1 < f.end; k++) {
    if (!text_is(u, k, ".entry")) continue;
    const size_t at = u->token[k + 1].at + u->token[k + 1].size - begin;
    snprintf(name, sizeof name, "_%u", text_pick(state, 1000));
    memmove(piece + at + strlen(name), piece + at, used - at);
    memcpy(piece + at, name, strlen(name));
    used += strlen(name);
    break;
  }
  return text_replace(t, text_begin(t, t->function[text_pick(state, t->functions)]), 0, piece, used);
}

/* A declared register of the same size, in the function round `token`; NULL: none. */
static const struct text_register *like(const struct text *t, uint32_t token, enum ptx_type type, uint64_t *state) {
  const struct text_span f = text_function_of(t, token);
  const struct text_register *chosen = NULL;
  unsigned found = 0;
  for (unsigned k = 0; k < t->registers; k++) {
    const struct text_register *r = &t->reg[k];
    const bool fits = r->name >= f.first && r->name < f.end && (r->type == PTX_PRED) == (type == PTX_PRED) &&
                      ptx_type_bytes(r->type) == ptx_type_bytes(type);
    if (fits && text_pick(state, ++found) == 0) chosen = r;
  }
  return chosen;
}

/* The declaration that a word of the second file belongs to. */
static const struct text_register *declared(const struct text *u, uint32_t k) {
  const struct text_token *w = &u->token[k];
  for (unsigned i = 0; i < u->registers; i++) {
    const struct text_token *n = &u->token[u->reg[i].name];
    const bool same = w->size >= n->size && memcmp(u->data + w->at, u->data + n->at, n->size) == 0;
    const bool whole =
        u->reg[i].count > 0 ? isdigit(u->data[w->at + w->size - 1]) && w->size > n->size : w->size == n->size;
    if (same && whole) return &u->reg[i];
  }
  return NULL;
}

/* The same register of the second file gets the same one here: its number decides. */
static size_t rename_register(const struct pair *p, uint32_t k, uint32_t token, uint64_t seed, char *out, size_t room) {
  const struct text *t = &p->into, *u = &p->from;
  const struct text_register *was = declared(u, k);
  uint64_t number = seed;
  for (uint32_t i = 0; i < u->token[k].size; i++) number = number * 31 + u->data[u->token[k].at + i];
  const struct text_register *r = was != NULL ? like(t, token, was->type, &number) : NULL;
  const struct text_token *name = r != NULL ? &t->token[r->name] : &u->token[k];
  const uint8_t *data = r != NULL ? t->data : u->data;
  if (name->size + 12 > room || name->size > NAME_BYTES) return 0;
  memcpy(out, data + name->at, name->size);
  if (r == NULL || r->count == 0) return name->size;
  return name->size + (size_t)snprintf(out + name->size, room - name->size, "%u", text_pick(&number, r->count));
}

static size_t renamed(const struct pair *p, struct text_span s, uint32_t token, uint64_t seed, char *out, size_t room) {
  const struct text *u = &p->from;
  size_t used = 0;
  for (uint32_t k = s.first; k < s.end && used + 2 < room; k++) {
    const size_t n = u->token[k].word ? rename_register(p, k, token, seed, out + used, room - used - 2) : 0;
    if (u->token[k].word && n == 0) return 0;
    used += n;
    if (!u->token[k].word) out[used++] = (char)u->data[u->token[k].at];
    if (u->token[k].word && k + 1 < s.end && (u->token[k + 1].word || n > 3)) out[used++] = ' ';
  }
  return used;
}

static bool splice_statements(struct pair *p, uint64_t *state) {
  struct text *t = &p->into;
  const struct text *u = &p->from;
  char piece[RUN_BYTES];
  size_t used = 0;
  if (t->statements == 0 || u->statements == 0) return false;
  const struct text_span before = t->statement[text_pick(state, t->statements)];
  const unsigned first = text_pick(state, u->statements), n = 1 + text_pick(state, RUN_MAX);
  const uint64_t seed = splitmix64(state);
  for (unsigned k = first; k < first + n && k < u->statements && used + 1 < sizeof piece; k++) {
    if (text_is(u, u->statement[k].first, ".reg")) continue;
    used += renamed(p, u->statement[k], before.first, seed, piece + used, sizeof piece - used - 1);
    piece[used++] = '\n';
  }
  return text_replace(t, text_begin(t, before), 0, piece, used);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                                 size_t most, unsigned seed) {
  uint64_t state = seed;
  struct pair *p = malloc(sizeof *p);
  uint8_t *copy = malloc(b_size + 1);
  size_t size = 0;
  if (p == NULL || copy == NULL) abort();
  if (a_size > 0 && b_size > 0 && a_size <= most) {
    memcpy(out, a, a_size);
    memcpy(copy, b, b_size);
    text_read(&p->into, out, a_size, most);
    text_read(&p->from, copy, b_size, b_size);
    const bool made = text_pick(&state, 3) == 0 ? splice_function(p, &state) : splice_statements(p, &state);
    if (made) size = p->into.size;
  }
  free(copy);
  free(p);
  return size;
}

/* A mutator for PTX: statements are doubled, dropped, moved, invented; operands, words, constants, guards and branch
 * targets exchanged; functions and statements taken over from another file. One in eight times libFuzzer's own way. */

enum { PIECE_MAX = 1024, STEPS_MAX = 8 };

static struct text_span any_statement(const struct text *t, uint64_t *state) {
  return t->statement[text_pick(state, t->statements)];
}

/* A token of the statement that is a word behind its opcode. */
static uint32_t any_operand(const struct text *t, struct text_span s, uint64_t *state) {
  const uint32_t opcode = text_opcode(t, s);
  uint32_t chosen = UINT32_MAX;
  unsigned found = 0;
  for (uint32_t k = opcode == UINT32_MAX ? s.end : opcode + 1; k < s.end; k++)
    if (t->token[k].word && text_pick(state, ++found) == 0) chosen = k;
  return chosen;
}

static bool replace_token(struct text *t, uint32_t k, const void *with, size_t n) {
  return text_replace(t, t->token[k].at, t->token[k].size, with, n);
}

/* ---- whole statements ---- */

static bool drop_statement(struct text *t, uint64_t *state) {
  const struct text_span s = any_statement(t, state);
  const size_t at = text_begin(t, s);
  return text_replace(t, at, text_end(t, s) - at, "", 0);
}

static bool copy_statement(struct text *t, uint64_t *state, bool move) {
  char piece[PIECE_MAX];
  const struct text_span s = any_statement(t, state);
  const size_t from = text_begin(t, s), n = text_end(t, s) - from;
  if (n > sizeof piece) return false;
  memcpy(piece, t->data + from, n);
  if (move && !text_replace(t, from, n, "", 0)) return false;
  if (t->statements == 0) return false;
  return text_replace(t, text_begin(t, any_statement(t, state)), 0, piece, n);
}

static bool make_statement(struct text *t, uint64_t *state) {
  char piece[PIECE_MAX];
  const struct text_span s = any_statement(t, state);
  const size_t n = text_make(t, s.first, state, piece, sizeof piece);
  return text_replace(t, text_begin(t, s), 0, piece, n);
}

/* ---- inside a statement ---- */

/* One dotted part of the opcode becomes another word of the compiler's tables, goes, or gets a neighbour. */
static bool change_word(struct text *t, uint64_t *state) {
  const uint32_t k = text_opcode(t, any_statement(t, state));
  char with[64];
  enum kind kind;
  unsigned words = 0, rows = 0;
  if (k == UINT32_MAX) return false;
  const size_t end = t->token[k].at + t->token[k].size;
  size_t at = t->token[k].at + text_pick(state, t->token[k].size), after = at;
  while (at > t->token[k].at && t->data[at - 1] != '.') at--;
  while (after < end && t->data[after] != '.') after++;
  while (words_text(words, &kind) != NULL) words++;
  while (lower_row(rows) != NULL) rows++;
  if (at == t->token[k].at) {
    const char *name = lower_row(text_pick(state, rows))->name;
    return text_replace(t, at, after - at, name, strlen(name));
  }
  const unsigned way = text_pick(state, 4);
  if (way == 0) return text_replace(t, at - 1, after - at + 1, "", 0);
  const char *word = text_pick(state, 2) == 0
                         ? ptx_type_word((enum ptx_type)(PTX_PRED + text_pick(state, PTX_F64 - PTX_PRED + 1)))
                         : words_text(text_pick(state, words), &kind);
  snprintf(with, sizeof with, "%s%s", word, way == 1 ? "." : "");
  return text_replace(t, at, way == 1 ? 0 : after - at, with, strlen(with));
}

/* "%r", "%fd", "$L__BB": what names of one kind have in common. */
static size_t stem(const struct text *t, uint32_t k) {
  size_t n = t->token[k].size;
  while (n > 0 && isdigit(t->data[t->token[k].at + n - 1])) n--;
  return n;
}

static bool alike(const struct text *t, uint32_t a, uint32_t b) {
  const size_t n = stem(t, a);
  return n == stem(t, b) && memcmp(t->data + t->token[a].at, t->data + t->token[b].at, n) == 0;
}

/* Another operand, mostly one of the same kind. */
static bool change_operand(struct text *t, uint64_t *state) {
  char piece[PIECE_MAX];
  const uint32_t k = any_operand(t, any_statement(t, state), state);
  if (k == UINT32_MAX) return false;
  uint32_t from = UINT32_MAX;
  for (unsigned tries = 0; tries < 32; tries++) {
    const uint32_t other = any_operand(t, any_statement(t, state), state);
    if (other == UINT32_MAX) continue;
    from = other;
    if (alike(t, k, other) || text_pick(state, 32) == 0) break;
  }
  if (from == UINT32_MAX || t->token[from].size > sizeof piece) return false;
  const size_t n = t->token[from].size;
  memcpy(piece, t->data + t->token[from].at, n);
  return replace_token(t, k, piece, n);
}

static bool swap_operands(struct text *t, uint64_t *state) {
  char a[PIECE_MAX], b[PIECE_MAX];
  const struct text_span s = any_statement(t, state);
  const uint32_t x = any_operand(t, s, state), y = any_operand(t, s, state);
  if (x >= y || y == UINT32_MAX) return false;
  const size_t n = t->token[x].size, m = t->token[y].size;
  if (n > sizeof a || m > sizeof b) return false;
  memcpy(a, t->data + t->token[x].at, n);
  memcpy(b, t->data + t->token[y].at, m);
  return replace_token(t, y, a, n) && replace_token(t, x, b, m);
}

static bool change_constant(struct text *t, uint64_t *state) {
  char constant[32];
  const size_t n = text_constant(state, constant, sizeof constant);
  const bool any = text_pick(state, 4) == 0;
  for (unsigned tries = 0; tries < 32; tries++) {
    const uint32_t k = any_operand(t, any_statement(t, state), state);
    if (k != UINT32_MAX && (any || isdigit(t->data[t->token[k].at]))) return replace_token(t, k, constant, n);
  }
  return false;
}

static bool change_guard(struct text *t, uint64_t *state) {
  char guard[PIECE_MAX];
  const struct text_span s = any_statement(t, state);
  const uint32_t k = text_opcode(t, s);
  unsigned found = 0, chosen = 0;
  if (k == UINT32_MAX) return false;
  const size_t at = text_begin(t, s), n = t->token[k].at - at;
  if (n > 0 && text_pick(state, 2) == 0) return text_replace(t, at, n, "", 0);
  if (n > 0) return text_replace(t, at + 1, t->data[at + 1] == '!', "!", t->data[at + 1] != '!');
  for (unsigned r = 0; r < t->registers; r++)
    if (t->reg[r].type == PTX_PRED && text_pick(state, ++found) == 0) chosen = r;
  if (found == 0) return false;
  const struct text_register *r = &t->reg[chosen];
  snprintf(guard, sizeof guard, "@%s%.*s", text_pick(state, 2) == 0 ? "!" : "", (int)t->token[r->name].size,
           (const char *)t->data + t->token[r->name].at);
  if (r->count > 0)
    snprintf(guard + strlen(guard), sizeof guard - strlen(guard), "%u ", text_pick(state, r->count));
  else if (strlen(guard) + 1 < sizeof guard)
    strcat(guard, " ");
  return text_replace(t, at, 0, guard, strlen(guard));
}

/* ---- the flow of control ---- */

/* "L1:" statements of the function round `token`; UINT32_MAX: none. */
static uint32_t any_label(const struct text *t, uint32_t token, uint64_t *state) {
  const struct text_span f = text_function_of(t, token);
  uint32_t chosen = UINT32_MAX;
  unsigned found = 0;
  for (unsigned k = 0; k < t->statements; k++) {
    const struct text_span s = t->statement[k];
    const bool label = s.end == s.first + 2 && s.first >= f.first && s.first < f.end && text_is(t, s.first + 1, ":");
    if (label && text_pick(state, ++found) == 0) chosen = s.first;
  }
  return chosen;
}

static bool add_label(struct text *t, uint64_t *state) {
  char label[32];
  snprintf(label, sizeof label, "\n$X%u:\n", text_pick(state, 1 << 16));
  return text_replace(t, text_begin(t, any_statement(t, state)), 0, label, strlen(label));
}

static bool add_branch(struct text *t, uint64_t *state) {
  char piece[PIECE_MAX];
  const struct text_span s = any_statement(t, state);
  const uint32_t label = any_label(t, s.first, state);
  if (label == UINT32_MAX) return add_label(t, state);
  int n = snprintf(piece, sizeof piece, "@%%p%u bra %.*s;\n", text_pick(state, 4), (int)t->token[label].size,
                   (const char *)t->data + t->token[label].at);
  if (n < 0 || (size_t)n >= sizeof piece) return false;
  return text_replace(t, text_begin(t, s), 0, piece, (size_t)n);
}

static bool change_target(struct text *t, uint64_t *state) {
  char piece[PIECE_MAX];
  for (unsigned tries = 0; tries < 32; tries++) {
    const struct text_span s = any_statement(t, state);
    const uint32_t k = text_opcode(t, s), label = any_label(t, s.first, state);
    if (k == UINT32_MAX || label == UINT32_MAX || t->token[k].size < 3) continue;
    const bool branches = memcmp(t->data + t->token[k].at, "br", 2) == 0 && k + 1 < s.end;
    const size_t n = t->token[label].size;
    if (!branches || n > sizeof piece) continue;
    memcpy(piece, t->data + t->token[label].at, n);
    return replace_token(t, k + 1, piece, n);
  }
  return add_branch(t, state);
}

static bool step(struct text *t, uint64_t *state) {
  if (t->statements == 0) return false;
  switch (text_pick(state, 20)) {
  case 0:
  case 1:
    return drop_statement(t, state);
  case 2:
  case 3:
    return copy_statement(t, state, false);
  case 4:
  case 5:
    return copy_statement(t, state, true);
  case 6:
  case 7:
    return change_word(t, state);
  case 8:
  case 9:
    return change_operand(t, state);
  case 10:
    return swap_operands(t, state);
  case 11:
  case 12:
    return change_constant(t, state);
  case 13:
    return change_guard(t, state);
  case 14:
    return change_target(t, state);
  case 15:
    return add_branch(t, state);
  case 16:
    return add_label(t, state);
  default:
    return make_statement(t, state);
  }
}

/* Steps one by one. Of a text that the front end takes mostly those alone that it still takes: else hardly any would
 * get behind it. False: nothing is changed. */
static bool walk(struct text *t, uint64_t *state, unsigned steps) {
  uint8_t *before = malloc(t->size + 1);
  bool made = false;
  if (before == NULL) abort();
  const bool strict = text_pick(state, 8) != 0 && text_lowers(t->data, t->size);
  for (unsigned k = 0; k < steps; k++) {
    const size_t size = t->size;
    before = realloc(before, size + 1);
    if (before == NULL) abort();
    memcpy(before, t->data, size);
    if (!step(t, state)) continue;
    if (strict && !text_lowers(t->data, t->size)) {
      memcpy(t->data, before, size);
      text_read(t, t->data, size, t->most);
    } else {
      made = true;
    }
  }
  free(before);
  return made;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  uint64_t state = seed;
  bool made = false;
  struct text *t = malloc(sizeof *t);
  if (t == NULL) abort();
  text_read(t, data, size, most);
  if (text_pick(&state, 8) != 0 && size <= most) made = walk(t, &state, 1 + text_pick(&state, STEPS_MAX));
  size = t->size;
  free(t);
  return made ? size : LLVMFuzzerMutate(data, size, most);
}
