/* SPDX-License-Identifier: Apache-2.0
 * Patterns by frequency. */
#include "patterns.h"

#include <stdlib.h>

struct pattern {
  u128 bits;
  size_t at; /* its item; after counting: where the equal ones begin */
  size_t uses;
  bool counts;
};

bool patterns_init(struct patterns *p, size_t n) {
  *p = (struct patterns){calloc(n + 1, sizeof *p->item), n, calloc(n + 1, sizeof *p->rank)};
  return p->item && p->rank;
}

void patterns_clear(struct patterns *p) {
  free(p->item);
  free(p->rank);
  *p = (struct patterns){0};
}

void patterns_set(struct patterns *p, size_t i, u128 bits, bool counts) {
  p->item[i] = (struct pattern){.bits = bits, .at = i, .counts = counts};
}

static int by_bits(const void *a, const void *b) {
  const struct pattern *x = a, *y = b;
  return (x->bits > y->bits) - (x->bits < y->bits);
}

static int by_uses(const void *a, const void *b) {
  const struct pattern *x = a, *y = b;
  if (x->uses != y->uses) return (x->uses < y->uses) - (x->uses > y->uses);
  return by_bits(a, b);
}

bool patterns_rank(struct patterns *p, unsigned *different) {
  struct pattern *kind = calloc(p->n + 1, sizeof *kind);
  if (!kind) return false;
  qsort(p->item, p->n, sizeof *p->item, by_bits);
  size_t kinds = 0;
  for (size_t i = 0; i < p->n; i++) {
    if (i == 0 || p->item[i].bits != p->item[i - 1].bits)
      kind[kinds++] = (struct pattern){.bits = p->item[i].bits, .at = i};
    kind[kinds - 1].uses += p->item[i].counts;
  }
  qsort(kind, kinds, sizeof *kind, by_uses);
  *different = 0;
  for (size_t k = 0; k < kinds; k++) {
    *different += kind[k].uses > 0;
    for (size_t i = kind[k].at; i < p->n && p->item[i].bits == kind[k].bits; i++)
      p->rank[p->item[i].at] = kind[k].uses > 0 ? (uint32_t)k : PATTERNS_NEVER;
  }
  free(kind);
  return true;
}
