/* SPDX-License-Identifier: Apache-2.0
 * Rows of the table with their choices made. */
#include "tests/twin/table.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* How many words lie between the brackets that `p` points at; *end behind them. */
static unsigned words(const char *p, const char **end) {
  char close = *p == '{' ? '}' : '>';
  unsigned n = 1;
  for (p++; *p != close; p++) n += *p == ',';
  *end = p + 1;
  return n;
}

/* The k-th of them. */
static void word(const char *p, unsigned k, char *to, size_t size) {
  for (p++; k > 0; p++) k -= *p == ',';
  size_t n = strcspn(p, ",}>");
  if (n >= size) n = size - 1;
  memcpy(to, p, n);
  to[n] = '\0';
}

static void add(char *text, const char *more) {
  assert(strlen(text) + strlen(more) < TWIN_TEXT);
  memcpy(text + strlen(text), more, strlen(more) + 1);
}

static unsigned type_bytes(const char *w) {
  size_t n = strlen(w);
  return n >= 2 && strcmp(w + n - 2, "64") == 0   ? 8
         : n >= 2 && strcmp(w + n - 2, "32") == 0 ? 4
         : n >= 2 && strcmp(w + n - 2, "16") == 0 ? 2
                                                  : 1;
}

static void choose(const char *p, unsigned k, unsigned *names, struct variant_text *t) {
  char w[24];
  word(p, k, w, sizeof w);
  add(t->ptx, w);
  if (*p == '<') {
    (void)snprintf(t->word[*names], sizeof t->word[0], "_%s", w + 1);
    ++*names;
    return;
  }
  t->has_modifiers = true;
  if (w[0] == '\0') return;
  if (t->modifiers[0]) add(t->modifiers, " | ");
  add(t->modifiers, "M_");
  add(t->modifiers, w + 1);
}

void variant_expand(const struct variant *v, struct variant_text *t) {
  unsigned group = 0, names = 0;
  memset(t, 0, sizeof *t);
  for (const char *p = twin_rows[v->row].ptx, *end; *p; p = end) {
    if (*p == '{' || *p == '<') {
      (void)words(p, &end);
      choose(p, v->choice[group++], &names, t);
    } else {
      end = p + strcspn(p, "{<");
      char part[64];
      (void)snprintf(part, sizeof part, "%.*s", (int)(end - p), p);
      add(t->ptx, part);
    }
  }
  if (t->modifiers[0] == '\0') add(t->modifiers, "0");
  unsigned vector = strstr(t->ptx, ".v2.") ? 2 : strstr(t->ptx, ".v4.") ? 4 : 1;
  t->bytes = vector * type_bytes(t->ptx);
}

/* Of "_u8" ...: whether it has negative numbers, and how many bits for the others. */
static bool range(const char *w, bool *has_sign, unsigned *bits) {
  *has_sign = w[1] == 's';
  *bits = 8 * type_bytes(w) - *has_sign;
  return w[0] == '_' && (w[1] == 's' || w[1] == 'u');
}

/* PTX has .sat on conversions between integers only where the result cannot hold all that is converted. */
bool variant_legal(const struct variant *v) {
  struct variant_text t;
  bool to_sign, from_sign;
  unsigned to, from;
  variant_expand(v, &t);
  if (strncmp(t.ptx, "cvt.sat.", 8) != 0 || !range(t.word[0], &to_sign, &to) || !range(t.word[1], &from_sign, &from))
    return true;
  return to < from || (from_sign && !to_sign);
}

/* ---- numbers ---- */

static unsigned row_variants(const struct twin_row *r) {
  unsigned n = 1;
  for (const char *p = r->ptx + strcspn(r->ptx, "{<"), *end; *p; p = end + strcspn(end, "{<")) n *= words(p, &end);
  return n;
}

unsigned twin_variants(void) {
  unsigned n = 0;
  for (unsigned k = 0; k < twin_row_count; k++) n += row_variants(&twin_rows[k]);
  return n;
}

struct variant twin_variant(unsigned number) {
  struct variant v = {0};
  for (unsigned n; number >= (n = row_variants(&twin_rows[v.row])); v.row++) number -= n;
  const char *text = twin_rows[v.row].ptx;
  unsigned group = 0;
  for (const char *p = text + strcspn(text, "{<"), *end; *p; p = end + strcspn(end, "{<")) {
    unsigned n = words(p, &end);
    assert(group < TWIN_CHOICES);
    v.choice[group++] = (uint8_t)(number % n);
    number /= n;
  }
  return v;
}

unsigned twin_variant_number(const struct variant *v) {
  unsigned number = 0, scale = 1, group = 0;
  const char *text = twin_rows[v->row].ptx;
  for (unsigned k = 0; k < v->row; k++) number += row_variants(&twin_rows[k]);
  for (const char *p = text + strcspn(text, "{<"), *end; *p; p = end + strcspn(end, "{<")) {
    number += scale * v->choice[group++];
    scale *= words(p, &end);
  }
  return number;
}
