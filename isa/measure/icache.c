/* SPDX-License-Identifier: Apache-2.0
 * The instruction cache: lines, and the time of those that wait for them. */
#include "icache.h"

#include <stdlib.h>

struct line {
  uint64_t tag; /* line number + 1; 0: none */
  uint64_t there;
};

struct icache {
  struct icache_config c;
  unsigned lines, places;
  uint64_t *place; /* until when each place for a line on its way is taken */
  struct line line[];
};

struct icache *icache_new(const struct icache_config *c) {
  if (c->bytes < ICACHE_LINE || (c->bytes & (c->bytes - 1)) != 0) return NULL;
  const unsigned lines = c->bytes / ICACHE_LINE, places = c->ahead > 0 ? c->ahead : 1;
  struct icache *i = calloc(1, sizeof *i + lines * sizeof(struct line));
  uint64_t *place = calloc(places, sizeof *place);
  if (!i || !place) {
    free(i);
    free(place);
    return NULL;
  }
  i->c = *c;
  i->lines = lines;
  i->places = places;
  i->place = place;
  return i;
}

void icache_free(struct icache *c) {
  if (c) free(c->place);
  free(c);
}

/* The place that is free first. */
static uint64_t *first_free(struct icache *c) {
  uint64_t *p = c->place;
  for (unsigned i = 1; i < c->places; i++)
    if (c->place[i] < *p) p = &c->place[i];
  return p;
}

/* A line is asked for at `now`, or as soon as a place is free. When it is there. */
static uint64_t refill(struct icache *c, uint64_t number, uint64_t now, struct icache_counts *n) {
  struct line *l = &c->line[number % c->lines];
  uint64_t *p = first_free(c);
  *p = (*p > now ? *p : now) + c->c.latency;
  *l = (struct line){number + 1, *p};
  n->refills++;
  return *p;
}

static uint64_t look_up(struct icache *c, uint64_t number, uint64_t now, struct icache_counts *n) {
  const struct line *l = &c->line[number % c->lines];
  n->lookups++;
  if (l->tag == number + 1) {
    n->late += l->there > now;
    return l->there > now ? l->there : now;
  }
  n->misses++;
  return refill(c, number, now, n);
}

/* Lines behind one that was looked up, while there are places for them. */
static void look_ahead(struct icache *c, uint64_t number, uint64_t now, struct icache_counts *n) {
  for (unsigned k = 1; k <= c->c.ahead && number + k <= c->c.last / ICACHE_LINE; k++) {
    if (c->line[(number + k) % c->lines].tag == number + k + 1) continue;
    if (c->c.latency > 0 && *first_free(c) > now) return;
    (void)refill(c, number + k, now, n);
  }
}

/* When the bytes from `from` to `to` are there. */
static uint64_t arrives(struct icache *c, uint32_t from, uint32_t to, uint64_t now, struct icache_counts *n) {
  uint64_t there = now;
  for (uint64_t number = from / ICACHE_LINE; number <= to / ICACHE_LINE; number++) {
    const uint64_t at = look_up(c, number, now, n);
    if (at > there) there = at;
    look_ahead(c, number, now, n);
  }
  return there;
}

void icache_fetch(struct icache *c, uint32_t address, uint64_t now, struct icache_counts *n) {
  const uint64_t number = address / ICACHE_LINE;
  const bool here = c->line[number % c->lines].tag == number + 1;
  const uint64_t asked = here ? now : now > c->c.latency ? now - c->c.latency : 0;
  (void)arrives(c, address, address, asked, n);
}

struct warp {
  size_t next;
  uint64_t ready;
};

static void advance_warp(struct icache *c, const struct icache_code *code, const struct icache_stream *s,
                         struct warp *w, uint64_t now, struct icache_counts *n) {
  if (w->next == s->n) return;
  const uint32_t i = s->insn[w->next];
  w->ready = arrives(c, code->at[i], code->at[i] + code->bytes[i] - 1, now, n);
}

/* The next warp in turn that may issue at `now`; `warps`: none, and *soonest is when one may (UINT64_MAX: never). */
static unsigned choose_warp(const struct warp *w, const struct icache_stream *s, unsigned warps, unsigned from,
                            uint64_t now, uint64_t *soonest) {
  *soonest = UINT64_MAX;
  for (unsigned k = 0; k < warps; k++) {
    const unsigned i = (from + k) % warps;
    if (w[i].next == s[i].n) continue;
    if (w[i].ready <= now) return i;
    if (w[i].ready < *soonest) *soonest = w[i].ready;
  }
  return warps;
}

static void run_warps(struct icache *c, const struct icache_code *code, const struct icache_stream *s, struct warp *w,
                      unsigned warps, struct icache_counts *n) {
  uint64_t now = 0, soonest;
  unsigned turn = 0;
  for (unsigned i = 0; i < warps; i++) advance_warp(c, code, &s[i], &w[i], now, n);
  for (;;) {
    const unsigned i = choose_warp(w, s, warps, turn, now, &soonest);
    if (i == warps && soonest == UINT64_MAX) break;
    if (i == warps) {
      n->stalls += soonest - now;
      now = soonest;
      continue;
    }
    const uint32_t insn = s[i].insn[w[i].next++];
    const unsigned bytes = code->bytes[insn];
    now += (uint64_t)c->c.beats * (bytes > code->word ? (bytes + code->word - 1) / code->word : 1);
    advance_warp(c, code, &s[i], &w[i], now, n);
    turn = (i + 1) % warps;
  }
  n->cycles += now;
}

bool icache_time(const struct icache_config *c, const struct icache_code *code, const struct icache_stream *stream,
                 unsigned warps, struct icache_counts *n) {
  struct icache *i = icache_new(c);
  struct warp *w = calloc(warps + 1, sizeof *w);
  if (i && w) run_warps(i, code, stream, w, warps, n);
  const bool ok = i && w;
  icache_free(i);
  free(w);
  return ok;
}
