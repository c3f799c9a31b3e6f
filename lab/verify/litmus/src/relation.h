/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of events and relations between them, as bits. An execution has at most 32 events, so a set is a word and a
 * relation a word for each event: bit b of row[a] says that a is related to b.
 */
#ifndef LITMUS_RELATION_H
#define LITMUS_RELATION_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define EVENTS_MAX 32u

struct relation {
  uint32_t row[EVENTS_MAX];
};

static inline uint32_t events_all(unsigned n) {
  return n >= 32 ? UINT32_MAX : (UINT32_C(1) << n) - 1;
}

static inline void relation_add(struct relation *r, unsigned a, unsigned b) {
  r->row[a] |= UINT32_C(1) << b;
}

static inline bool relation_has(const struct relation *r, unsigned a, unsigned b) {
  return (r->row[a] >> b & 1u) != 0;
}

/* n: how many events there are; what is above them is neither read nor written. */
static inline void relation_clear(struct relation *r, unsigned n) {
  memset(r->row, 0, n * sizeof r->row[0]);
}

/* r = its transitive closure. */
static inline void relation_close(struct relation *r, unsigned n) {
  for (unsigned k = 0; k < n; k++)
    for (unsigned a = 0; a < n; a++)
      if (relation_has(r, a, k)) r->row[a] |= r->row[k];
}

static inline bool relation_irreflexive(const struct relation *r, unsigned n) {
  for (unsigned a = 0; a < n; a++)
    if (relation_has(r, a, a)) return false;
  return true;
}

#endif
