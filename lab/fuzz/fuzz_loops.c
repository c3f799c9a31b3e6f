/* SPDX-License-Identifier: Apache-2.0
 * A loop that waits (for a lock, for data) as one that counts: often it is its jumps that matter, and what it waits for
 * needs many lines that none can leave alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/fuzz/fuzz_reduce.h"

#define ROUNDS 0x80u /* more than any bound on the jumps of a turn (isa/doc) */

/* The label of a guarded jump backwards in line `end`: its line, and the predicate. */
static bool loop_of(const struct fuzz_lines *l, unsigned end, unsigned *start, char pred[8], bool *negated) {
  char guard[8], to[64];
  int last = 0;
  const char *line = l->line[end];
  if (sscanf(line, "@%7[!P0-6] BRA %62[^; ] ;%n", guard, to, &last) != 2 || last == 0 || line[last] != '\0')
    return false;
  *negated = guard[0] == '!';
  (void)snprintf(pred, 8, "%s", guard + *negated);
  (void)strcat(to, ":");
  for (unsigned i = end; i-- > 0;)
    if (!l->gone[i] && strcmp(l->line[i], to) == 0) {
      *start = i;
      return true;
    }
  return false;
}

static bool counts(const char *line) {
  unsigned to, from;
  int last = 0;
  return sscanf(line, "IADD3 R%u, R%u, 0x1, RZ ;%n", &to, &from, &last) == 2 && last != 0 && to == from;
}

/* Lines start to end as a loop that counts up in `reg`, in the places of the first two instructions of it. */
static bool counted(struct reduction *r, unsigned start, unsigned end, const char *reg, const char *pred,
                    bool negated) {
  char text[96];
  unsigned put = 0;
  struct fuzz_lines l;
  bool ok = reduce_copy(r, &l);
  if (!ok) return false;
  for (unsigned i = start + 1; i < end && ok; i++) {
    if (!fuzz_lines_live(&l, i)) continue;
    if (put == 0) (void)snprintf(text, sizeof text, "IADD3 %s, %s, 0x1, RZ ;", reg, reg);
    if (put == 1)
      (void)snprintf(text, sizeof text, "ISETP.%s.AND %s, PT, %s, 0x%x, PT ;", negated ? "GE" : "LT", pred, reg,
                     ROUNDS);
    if (put == 0 && counts(l.line[i])) break; /* it does already */
    if (put < 2)
      ok = fuzz_lines_set(&l, i, text);
    else
      l.gone[i] = true;
    put++;
  }
  if (ok && put >= 2) return reduce_try(r, &l);
  if (ok) fuzz_lines_clear(&l);
  return false;
}

bool reduce_loops(struct reduction *r) {
  char pred[8], reg[8];
  unsigned start;
  bool negated;
  for (unsigned end = 0; end < r->lines.lines; end++) {
    if (!fuzz_lines_live(&r->lines, end) || !loop_of(&r->lines, end, &start, pred, &negated)) continue;
    for (unsigned n = 0; n < 255 && !reduce_over(r); n++) {
      (void)snprintf(reg, sizeof reg, "R%u", n);
      if (fuzz_lines_name(&r->lines, reg) && counted(r, start, end, reg, pred, negated)) return true;
    }
  }
  return false;
}
