/* SPDX-License-Identifier: Apache-2.0 */
#include "lanes.h"

static const uint32_t edge[] = {0,           1,           2,           31,          32,          33,
                                63,          64,          65,          0xffffu,     0x10000u,    0x7fffffffu,
                                0x80000000u, 0x80000001u, 0xfffffffeu, 0xffffffffu, 0x80808080u, 0x7f80ff01u};
#define EDGES (sizeof edge / sizeof edge[0])

uint32_t lanes_operand(uint64_t *seed) {
  const uint32_t r = rnd32(seed);
  switch (rnd32(seed) % 5) {
  case 0:
    return edge[r % EDGES];
  case 1:
    return r % 40;
  case 2:
    return r >> rnd32(seed) % 32;
  case 3:
    return 0u - (r >> rnd32(seed) % 32);
  default:
    return r;
  }
}

static struct lane operands(unsigned long n, uint64_t *seed) {
  struct lane l = {.c1 = lanes_operand(seed)};
  if (n < EDGES * EDGES * EDGES) {
    l.a = edge[n % EDGES];
    l.b = edge[n / EDGES % EDGES];
    l.c = edge[n / EDGES / EDGES];
  } else {
    l.a = lanes_operand(seed);
    l.b = lanes_operand(seed);
    l.c = lanes_operand(seed);
  }
  const uint32_t p = rnd32(seed);
  l.p0 = (p & 1) != 0;
  l.p1 = (p & 2) != 0;
  l.p2 = (p & 4) != 0;
  return l;
}

static void put_lane(struct rows *r, unsigned i, const struct lane *l) {
  r->a[i] = l->a;
  r->b[i] = l->b;
  r->c[0][i] = l->c;
  r->c[1][i] = l->c1;
  r->d[0][i] = (uint32_t)l->d;
  r->d[1][i] = (uint32_t)(l->d >> 32);
  r->ps[0] |= (uint32_t)l->p0 << i;
  r->ps[1] |= (uint32_t)l->p1 << i;
  r->ps[2] |= (uint32_t)l->p2 << i;
  r->pd[0] |= (uint32_t)l->pd0 << i;
  r->pd[1] |= (uint32_t)l->pd1 << i;
}

void lanes_try(const struct lane_case *t, unsigned long random) {
  uint64_t seed = 1000 + t->variant;
  for (unsigned long n = 0; n < EDGES * EDGES * EDGES + random; n += 32) {
    struct rows rows = {.word = t->word, .d_words = t->d_words, .n_pd = t->n_pd};
    for (unsigned i = 0; i < 32; i++) {
      struct lane l = operands(n + i, &seed);
      t->ref(&l, t->variant);
      put_lane(&rows, i, &l);
    }
    rows_check(&rows, t->what);
  }
}
