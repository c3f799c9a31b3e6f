/* SPDX-License-Identifier: Apache-2.0
 * Results on their way. Within a block times are absolute and a look at a place costs nothing for what is elsewhere;
 * where paths meet only what is on its way is kept. */
#include <stdlib.h>
#include <string.h>

#include "isa/lint/internal.h"

/* Which of the variable-latency units give their results in the order of issue (isa/doc/01). */
bool state_in_order(unsigned unit) {
  return unit == ISA_UNIT_FP64 || unit == ISA_UNIT_SFU;
}

static bool bit(const struct state *s, unsigned slot, unsigned place) {
  return (s->live[slot][place / 64] >> (place % 64) & 1) != 0;
}

bool state_live(const struct state *s, unsigned slot, unsigned place) {
  return bit(s, slot, place) && s->of[slot][place].ready > s->now;
}

void state_add(struct state *s, unsigned slot, unsigned place, struct pending p) {
  s->live[slot][place / 64] |= UINT64_C(1) << (place % 64);
  s->of[slot][place] = p;
}

static void forget_place(struct state *s, unsigned slot, unsigned place) {
  s->live[slot][place / 64] &= ~(UINT64_C(1) << (place % 64));
}

void state_drop(struct state *s, unsigned place) {
  for (unsigned slot = 0; slot < SLOTS; slot++) forget_place(s, slot, place);
}

void state_zero(struct state *s, unsigned counter) {
  memset(s->live[1 + counter], 0, sizeof s->live[1 + counter]);
  s->units[counter] = 0;
}

int state_next(const struct state *s, unsigned slot, int from) {
  unsigned place = (unsigned)(from + 1), word = place / 64;
  if (word >= PLACE_WORDS) return -1;
  uint64_t left = s->live[slot][word] >> (place % 64) << (place % 64);
  while (left == 0) {
    if (++word >= PLACE_WORDS) return -1;
    left = s->live[slot][word];
  }
  return (int)(word * 64 + (unsigned)__builtin_ctzll(left));
}

void state_fallen(struct state *s, unsigned c, unsigned k) {
  if (k == 0) {
    state_zero(s, c);
    return;
  }
  for (int p = state_next(s, 1 + c, -1); p >= 0; p = state_next(s, 1 + c, p)) {
    const struct pending *r = &s->of[1 + c][p];
    if (state_in_order(r->unit) && s->numbers[c][r->unit] - r->number > k) forget_place(s, 1 + c, (unsigned)p);
  }
}

void state_drop_unit(struct state *s, enum heddle_isa_unit u) {
  for (unsigned slot = 0; slot < SLOTS; slot++)
    for (int p = state_next(s, slot, -1); p >= 0; p = state_next(s, slot, p))
      if (s->of[slot][p].unit == u) forget_place(s, slot, (unsigned)p);
  for (unsigned c = 0; c < HEDDLE_HAZARD_COUNTERS; c++) s->units[c] &= (uint16_t) ~(1u << u);
}

void state_begin(struct state *s, const struct meeting *m) {
  s->now = 0;
  memset(s->live, 0, sizeof s->live);
  memset(s->numbers, 0, sizeof s->numbers);
  memcpy(s->units, m->units, sizeof s->units);
  for (uint32_t i = 0; i < m->entries; i++) {
    const struct entry *e = &m->entry[i];
    state_add(s, e->key % SLOTS, e->key / SLOTS,
              (struct pending){.ready = e->left == INT16_MAX ? NEVER : e->left,
                               .number = 0u - 1u - e->behind, /* itself, and those behind it */
                               .producer = e->producer,
                               .unit = e->unit});
  }
}

/* How many results of its unit raised the counter after this one. */
static uint8_t results_behind(const struct state *s, unsigned slot, const struct pending *p) {
  if (slot == 0 || p->unit >= ISA_UNIT_COUNT) return 0;
  const uint32_t n = s->numbers[slot - 1][p->unit] - p->number - 1;
  return (uint8_t)(n < COUNTER_MAX ? n : COUNTER_MAX);
}

static struct entry entry_of(const struct state *s, unsigned slot, unsigned place) {
  const struct pending *p = &s->of[slot][place];
  const int32_t left = p->ready == NEVER || p->ready - s->now > INT16_MAX ? INT16_MAX : p->ready - s->now;
  return (struct entry){.producer = p->producer,
                        .key = (uint16_t)(place * SLOTS + slot),
                        .left = (int16_t)left,
                        .behind = results_behind(s, slot, p),
                        .unit = p->unit};
}

static uint32_t list_entries(const struct state *s, struct entry *out) {
  uint32_t n = 0;
  for (unsigned w = 0; w < PLACE_WORDS; w++) {
    uint64_t any = 0;
    for (unsigned slot = 0; slot < SLOTS; slot++) any |= s->live[slot][w];
    for (; any != 0; any &= any - 1) {
      const unsigned place = w * 64 + (unsigned)__builtin_ctzll(any);
      for (unsigned slot = 0; slot < SLOTS; slot++)
        if (state_live(s, slot, place)) out[n++] = entry_of(s, slot, place);
    }
  }
  return n;
}

static bool worse(struct entry *a, const struct entry *b) {
  const struct entry old = *a;
  if (b->left > a->left) a->left = b->left, a->producer = b->producer;
  if (b->unit != a->unit) a->unit = ISA_UNIT_COUNT, a->behind = 0;
  if (b->behind < a->behind) a->behind = b->behind;
  return a->left != old.left || a->unit != old.unit || a->behind != old.behind;
}

/* The worst of both, by key. */
static uint32_t unite(const struct entry *a, uint32_t n, const struct entry *b, uint32_t m, struct entry *out,
                      bool *changed) {
  uint32_t i = 0, j = 0, k = 0;
  while (i < n || j < m) {
    if (j == m || (i < n && a[i].key < b[j].key)) {
      out[k++] = a[i++];
    } else if (i == n || b[j].key < a[i].key) {
      out[k++] = b[j++];
      *changed = true;
    } else {
      out[k] = a[i++];
      if (worse(&out[k++], &b[j++])) *changed = true;
    }
  }
  return k;
}

int state_meet(struct meeting *m, const struct state *s, struct entry *scratch) {
  bool changed = !m->reached;
  m->reached = true;
  if (!s) return changed;
  struct entry *mine = scratch, *both = scratch + SLOTS * HEDDLE_HAZARD_PLACES;
  for (unsigned c = 0; c < HEDDLE_HAZARD_COUNTERS; c++) {
    const uint16_t units = m->units[c] | s->units[c];
    if (units != m->units[c]) changed = true;
    m->units[c] = units;
  }
  bool grown = false;
  const uint32_t n = unite(m->entry, m->entries, mine, list_entries(s, mine), both, &grown);
  if (!grown) return changed;
  struct entry *e = n > m->entries ? realloc(m->entry, n * sizeof *e) : m->entry;
  if (!e) return -1;
  memcpy(e, both, n * sizeof *e);
  m->entry = e;
  m->entries = n;
  return 1;
}
