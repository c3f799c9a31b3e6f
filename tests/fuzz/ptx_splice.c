/* SPDX-License-Identifier: Apache-2.0
 *
 * Two PTX files become one: the first, with a function or a run of statements of the second. Registers of the
 * statements get names that the first has.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/ptx_text.h"
#include "base/splitmix64.h"

enum { PIECE_MAX = 8192, RUN_MAX = 12, NAME_BYTES = 200 };

struct pair {
  struct text into, from;
};

/* A whole function in front of one of the first file, under a name of its own. */
static bool splice_function(struct pair *p, uint64_t *state) {
  struct text *t = &p->into;
  const struct text *u = &p->from;
  char piece[PIECE_MAX], name[32];
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
  char piece[PIECE_MAX];
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
