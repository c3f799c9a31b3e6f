/* SPDX-License-Identifier: Apache-2.0
 * A choice of two moved values is a move and another one under a guard, and a jump to a place that was moved under a
 * guard is a branch under it: less is needed then, where no line could go by itself since each makes what the next one
 * reads. A jump to a jump goes to where that one does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/fuzz/fuzz_reduce.h"

struct choice {
  unsigned to, from[2]; /* registers */
  char pred[8];         /* from[0] if it holds */
};

static bool is_choice(const char *line, struct choice *c) {
  int end = 0;
  const int n = sscanf(line, "SEL R%u, R%u, R%u, %7[!P0-9] ;%n", &c->to, &c->from[0], &c->from[1], c->pred, &end);
  return n == 4 && end != 0 && line[end] == '\0';
}

/* The last move into that register before line `to`; what is moved follows in `value`. */
static bool moved(const struct fuzz_lines *l, unsigned to, unsigned reg, unsigned *at, char value[64]) {
  for (unsigned i = to; i-- > 0;) {
    unsigned d;
    if (!fuzz_lines_live(l, i) || sscanf(l->line[i], "MOV R%u, %63[^; ] ;", &d, value) != 2 || d != reg) continue;
    *at = i;
    return true;
  }
  return false;
}

/* The choice in line `i`: move `first` of the two stays, the other one takes the choice's place. */
static bool guarded(struct reduction *r, unsigned i, const struct choice *c, unsigned first) {
  struct fuzz_lines l;
  unsigned at[2];
  char value[2][64], text[96];
  const bool negated = c->pred[0] == '!', negate = first == 0 ? !negated : negated;
  if (!moved(&r->lines, i, c->from[0], &at[0], value[0]) || !moved(&r->lines, i, c->from[1], &at[1], value[1]) ||
      !reduce_copy(r, &l))
    return false;
  (void)snprintf(text, sizeof text, "MOV R%u, %s ;", c->to, value[first]);
  bool ok = fuzz_lines_set(&l, at[first], text);
  (void)snprintf(text, sizeof text, "@%s%s MOV R%u, %s ;", negate ? "!" : "", c->pred + negated, c->to,
                 value[1 - first]);
  ok = ok && fuzz_lines_set(&l, i, text);
  if (!ok) return false;
  if (at[0] != at[1]) l.gone[at[1 - first]] = true;
  return reduce_try(r, &l);
}

/* The jump in line `i`, through a register: as a branch of those who moved a place into it under a guard. The others
 * go on. */
static bool branches(struct reduction *r, unsigned i) {
  unsigned reg, d;
  int end = 0;
  if (sscanf(r->lines.line[i], "BRX R%u ;%n", &reg, &end) != 1 || end == 0) return false;
  for (unsigned k = i; k-- > 0 && !reduce_over(r);) {
    char guard[8], place[64], text[96];
    struct fuzz_lines l;
    if (!fuzz_lines_live(&r->lines, k) ||
        sscanf(r->lines.line[k], "@%7[!P0-9] MOV R%u, %63[^; ] ;", guard, &d, place) != 3 || d != reg)
      continue;
    (void)snprintf(text, sizeof text, "@%s BRA %s ;", guard, place);
    return reduce_copy(r, &l) && fuzz_lines_set(&l, i, text) && reduce_try(r, &l);
  }
  return false;
}

/* The jump that a label stands before, if all take it: to where. */
static bool goes_on(const struct fuzz_lines *l, unsigned label, char to[64]) {
  static const char *const jump[] = {"BRA %63[^; ] ;%n", "JMP %63[^; ] ;%n"};
  unsigned i = label;
  while (i < l->lines && !fuzz_lines_live(l, i)) i++;
  for (unsigned k = 0; k < 2 && i < l->lines; k++) {
    int end = 0;
    if (sscanf(l->line[i], jump[k], to, &end) == 1 && end != 0 && l->line[i][end] == '\0') return true;
  }
  return false;
}

/* Who goes to line `i`, a label, goes to `to`. */
static bool lead_on(struct reduction *r, unsigned i, const char *to) {
  char name[64];
  struct fuzz_lines l;
  bool ok = true, any = false;
  (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(r->lines.line[i], ":"), r->lines.line[i]);
  if (strcmp(name, to) == 0 || !reduce_copy(r, &l)) return false;
  for (unsigned k = 0; k < l.lines && ok; k++) {
    char *text = fuzz_lines_live(&l, k) ? fuzz_line_renamed(l.line[k], name, to, -1) : NULL;
    any = any || text;
    if (text) ok = fuzz_lines_set(&l, k, text);
    free(text);
  }
  if (ok && any) return reduce_try(r, &l);
  if (ok) fuzz_lines_clear(&l);
  return false;
}

bool reduce_jumps(struct reduction *r) {
  char to[64];
  for (unsigned i = 0; i < r->lines.lines && !reduce_over(r); i++) {
    const char *line = r->lines.line[i];
    const bool label = !r->lines.gone[i] && !fuzz_lines_is_instruction(line) && line[strcspn(line, ": ")] == ':';
    if (label && goes_on(&r->lines, i, to) && lead_on(r, i, to)) return true;
  }
  return false;
}

bool reduce_choices(struct reduction *r) {
  for (unsigned i = 0; i < r->lines.lines && !reduce_over(r); i++) {
    struct choice c;
    if (fuzz_lines_live(&r->lines, i) && branches(r, i)) return true;
    if (fuzz_lines_live(&r->lines, i) && is_choice(r->lines.line[i], &c) &&
        (guarded(r, i, &c, 0) || guarded(r, i, &c, 1)))
      return true;
  }
  return false;
}
