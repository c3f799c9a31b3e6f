/* SPDX-License-Identifier: Apache-2.0 */
#include "fragments.h"

#include <string.h>

/* Where an element lies: register, lane, lowest bit. */
struct place {
  unsigned reg, lane, bit;
};

/* Row and column of A that register r holds in lane 4g + t: row g + 8(r mod 2), columns wt + 4w(r/2) ... + w - 1. */
static struct place place_a(struct shape s, unsigned row, unsigned column) {
  if (s.bits_ab == 64) return (struct place){0, 4 * row + column, 0};
  const unsigned w = 32 / s.bits_ab, g = row % 8, t = column / w % 4;
  return (struct place){row / 8 + column / (4 * w) * 2, 4 * g + t, column % w * s.bits_ab};
}

/* B: rows wt + 4wr ... + w - 1, column g. */
static struct place place_b(struct shape s, unsigned row, unsigned column) {
  if (s.bits_ab == 64) return (struct place){0, 4 * column + row, 0};
  const unsigned w = 32 / s.bits_ab, t = row / w % 4;
  return (struct place){row / (4 * w), 4 * column + t, row % w * s.bits_ab};
}

/* C and D. 32 bits: s: row g + 8(s/2), column 2t + s mod 2. 16 bits: row g + 8s, columns 2t and 2t + 1. 64 bits: a pair
 * s: row g, column 2t + s. */
static struct place place_d(struct shape s, unsigned row, unsigned column) {
  const unsigned lane = row % 8 * 4 + column / 2;
  if (s.bits_cd == 64) return (struct place){column % 2 * 2, lane, 0};
  if (s.bits_cd == 16) return (struct place){row / 8, lane, column % 2 * 16};
  return (struct place){row / 8 * 2 + column % 2, lane, 0};
}

/* An element of 64 bits goes on in the next register. */
static void put(uint32_t *row[4], struct place p, uint64_t v, unsigned bits) {
  row[p.reg][p.lane] |= (uint32_t)v << p.bit;
  if (bits == 64) row[p.reg + 1][p.lane] |= (uint32_t)(v >> 32);
}

void fragments_put(struct rows *r, const struct matrices *m) {
  const struct shape s = m->shape;
  uint32_t *a[4] = {r->a, r->a_up[0], r->a_up[1], r->a_up[2]}, *b[4] = {r->b, r->b_up[0], r->b_up[1], r->b_up[2]};
  uint32_t *c[4] = {r->c[0], r->c[1], r->c[2], r->c[3]}, *d[4] = {r->d[0], r->d[1], r->d[2], r->d[3]};
  memset(r->a, 0, sizeof r->a);
  memset(r->a_up, 0, sizeof r->a_up);
  memset(r->b, 0, sizeof r->b);
  memset(r->b_up, 0, sizeof r->b_up);
  memset(r->c, 0, sizeof r->c);
  memset(r->d, 0, sizeof r->d);
  for (unsigned k = 0; k < s.k; k++) {
    for (unsigned i = 0; i < s.m; i++) put(a, place_a(s, i, k), m->a[i][k], s.bits_ab);
    for (unsigned j = 0; j < s.n; j++) put(b, place_b(s, k, j), m->b[k][j], s.bits_ab);
  }
  for (unsigned i = 0; i < s.m; i++)
    for (unsigned j = 0; j < s.n; j++) {
      put(c, place_d(s, i, j), m->c[i][j], s.bits_cd);
      put(d, place_d(s, i, j), m->d[i][j], s.bits_cd);
    }
}

uint64_t fragments_get(const uint32_t d[4][32], struct shape s, unsigned i, unsigned j) {
  const struct place p = place_d(s, i, j);
  if (s.bits_cd == 64) return d[p.reg][p.lane] | (uint64_t)d[p.reg + 1][p.lane] << 32;
  return s.bits_cd == 32 ? d[p.reg][p.lane] : (d[p.reg][p.lane] >> p.bit) & 0xffffu;
}
