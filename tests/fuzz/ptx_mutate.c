/* SPDX-License-Identifier: Apache-2.0
 *
 * A mutator for PTX: statements are doubled, dropped, moved, invented; operands, words, constants, guards and branch
 * targets exchanged; functions and statements taken over from another file. One in eight times libFuzzer's own way.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/lower/lower.h"
#include "tests/fuzz/ptx_text.h"

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
