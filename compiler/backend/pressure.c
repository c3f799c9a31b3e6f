/* SPDX-License-Identifier: Apache-2.0
 * How many words of a class are alive at each position: a segment tree with additions to ranges and maxima over them.
 */
#include "base/minmax.h"
#include "compiler/backend/allocate.h"

struct pressure {
  uint32_t size;  /* leaves, a power of two */
  int32_t *most;  /* largest count below a node, its own addition included */
  int32_t *added; /* to all leaves below */
};

struct pressure *pressure_new(const struct liveness *l, enum mir_class class) {
  struct pressure *p = live_alloc(l->f, sizeof *p);
  uint32_t positions = 2 * l->numbers;
  for (p->size = 1; p->size < positions;) p->size *= 2;
  p->most = live_alloc(l->f, 2 * (size_t)p->size * sizeof *p->most);
  p->added = live_alloc(l->f, 2 * (size_t)p->size * sizeof *p->added);
  int32_t *leaf = p->most + p->size;
  for (uint32_t w = 0; w < l->words; w++) {
    if (l->f->vreg[l->reg[w]].class != class) continue;
    for (const struct live_range *r = l->word[w].ranges; r; r = r->next) {
      leaf[r->start]++;
      if (r->end + 1 < p->size) leaf[r->end + 1]--;
    }
  }
  for (uint32_t k = 1; k < p->size; k++) leaf[k] += leaf[k - 1];
  for (uint32_t k = p->size - 1; k > 0; k--) p->most[k] = max_s32(p->most[2 * k], p->most[2 * k + 1]);
  return p;
}

struct span {
  uint32_t from, to;
};

static int32_t query(const struct pressure *p, struct span want, uint32_t node, struct span has) {
  if (want.to < has.from || has.to < want.from) return INT32_MIN / 2;
  if (want.from <= has.from && has.to <= want.to) return p->most[node];
  uint32_t middle = has.from + (has.to - has.from) / 2;
  return p->added[node] + max_s32(query(p, want, 2 * node, (struct span){has.from, middle}),
                                  query(p, want, 2 * node + 1, (struct span){middle + 1, has.to}));
}

uint32_t pressure_max(const struct pressure *p, uint32_t from, uint32_t to) {
  int32_t most = query(p, (struct span){from, to}, 1, (struct span){0, p->size - 1});
  return most > 0 ? (uint32_t)most : 0;
}

static void add_to_node(struct pressure *p, struct span want, int32_t words, uint32_t node, struct span has) {
  if (want.to < has.from || has.to < want.from) return;
  if (want.from <= has.from && has.to <= want.to) {
    p->most[node] += words;
    p->added[node] += words;
    return;
  }
  uint32_t middle = has.from + (has.to - has.from) / 2;
  add_to_node(p, want, words, 2 * node, (struct span){has.from, middle});
  add_to_node(p, want, words, 2 * node + 1, (struct span){middle + 1, has.to});
  p->most[node] = p->added[node] + max_s32(p->most[2 * node], p->most[2 * node + 1]);
}

void pressure_add(struct pressure *p, uint32_t from, uint32_t to, int32_t words) {
  add_to_node(p, (struct span){from, to}, words, 1, (struct span){0, p->size - 1});
}
