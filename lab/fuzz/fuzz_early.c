/* SPDX-License-Identifier: Apache-2.0
 * Constants are moved before all else: where lanes part, what stands between two jumps is one reason less for them to
 * come in the order that matters. */
#include <stdio.h>
#include <string.h>

#include "lab/fuzz/fuzz_reduce.h"

/* A number, or a place in the program. */
static bool moves_constant(const char *line) {
  unsigned reg;
  char value[64];
  int last = 0;
  return sscanf(line, "MOV R%u, %63[^; ] ;%n", &reg, value, &last) == 2 && last != 0 && strchr("RUc", *value) == NULL;
}

/* The line to the front of the kernel or function that it is in. */
static void to_front(struct fuzz_lines *l, unsigned i) {
  unsigned first = i;
  for (unsigned k = i; k-- > 0 && (l->gone[k] || l->line[k][0] != '.');)
    if (fuzz_lines_live(l, k)) first = k;
  char *const line = l->line[i];
  const bool gone = l->gone[i];
  memmove(l->line + first + 1, l->line + first, (i - first) * sizeof *l->line);
  memmove(l->gone + first + 1, l->gone + first, (i - first) * sizeof *l->gone);
  l->line[first] = line, l->gone[first] = gone;
}

bool reduce_early(struct reduction *r) {
  struct fuzz_lines l;
  bool other = false, moved = false;
  if (reduce_over(r) || !reduce_copy(r, &l)) return false;
  for (unsigned i = 0; i < l.lines; i++) {
    if (!l.gone[i] && l.line[i][0] == '.') other = false;
    if (!fuzz_lines_live(&l, i)) continue;
    if (!moves_constant(l.line[i])) {
      other = true;
    } else if (other) {
      to_front(&l, i);
      moved = true;
    }
  }
  if (moved) return reduce_try(r, &l);
  fuzz_lines_clear(&l);
  return false;
}
