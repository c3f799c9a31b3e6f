/* SPDX-License-Identifier: Apache-2.0
 * What orders accesses, for the race check: clocks, and what makes them known to whom. */
#include <stdlib.h>
#include <string.h>

#include <heddle/isa_tables.h>
#include "base/array.h"
#include "run/sanitize/race.h"

/* Clocks of the race check. */

static struct clock *clock_share(struct clock *c) {
  if (c) c->refs++;
  return c;
}

void clock_drop(struct clock *c) {
  if (c && --c->refs == 0) free(c);
}

static bool comes_before(const struct clock_item *a, const struct clock_item *b) {
  return a->warp != b->warp ? a->warp < b->warp : a->time > b->time;
}

/* Appends what the items of its warp, all at least as late, do not say already. */
static void append_item(struct clock *c, struct clock_item i) {
  uint32_t said = 0;
  for (uint32_t k = c->items; k > 0 && c->item[k - 1].warp == i.warp; k--) said |= c->item[k - 1].lanes;
  i.lanes &= ~said;
  if (i.lanes == 0) return;
  struct clock_item *last = c->items ? &c->item[c->items - 1] : NULL;
  if (last && last->warp == i.warp && last->time == i.time)
    last->lanes |= i.lanes;
  else
    c->item[c->items++] = i;
}

/* All that `a`, `b` and `more` (lanes 0: nothing) know; the caller's. NULL: nothing, or no memory (*lost is set). */
static struct clock *clock_join(const struct clock *a, const struct clock *b, struct clock_item more, bool *lost) {
  const uint32_t na = a ? a->items : 0, nb = b && b != a ? b->items : 0;
  if (na + nb == 0 && more.lanes == 0) return NULL;
  struct clock *c = malloc(sizeof *c + (na + nb + 1u) * sizeof *c->item);
  if (!c) {
    *lost = true;
    return NULL;
  }
  *c = (struct clock){.refs = 1};
  for (uint32_t i = 0, k = 0, m = more.lanes == 0; i < na || k < nb || !m;) {
    const struct clock_item *next = m ? NULL : &more;
    if (i < na && (!next || comes_before(&a->item[i], next))) next = &a->item[i];
    if (k < nb && (!next || comes_before(&b->item[k], next))) next = &b->item[k];
    append_item(c, *next);
    if (next == &more)
      m = 1;
    else if (i < na && next == &a->item[i])
      i++;
    else
      k++;
  }
  return c;
}

uint32_t clock_unknown(const struct clock *c, uint32_t warp, uint32_t lanes, uint32_t time) {
  uint32_t low = 0, high = c ? c->items : 0;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (c->item[middle].warp < warp)
      low = middle + 1;
    else
      high = middle;
  }
  for (; c && low < c->items && c->item[low].warp == warp && c->item[low].time >= time; low++)
    lanes &= ~c->item[low].lanes;
  return lanes;
}

/* Does `a` know all that `b` does? */
static bool covers(const struct clock *a, const struct clock *b) {
  for (uint32_t k = 0; k < b->items; k++)
    if (clock_unknown(a, b->item[k].warp, b->item[k].lanes, b->item[k].time) != 0) return false;
  return true;
}

/* Clocks stay shared where they can: then they are the same at a glance. */
void clock_learn(struct clock **to, struct clock *other, struct clock_item more, bool *lost) {
  if (more.lanes == 0 && (other == NULL || other == *to)) return;
  if (more.lanes == 0 && *to != NULL && covers(*to, other)) return;
  struct clock *c =
      more.lanes == 0 && (*to == NULL || covers(other, *to)) ? clock_share(other) : clock_join(*to, other, more, lost);
  clock_drop(*to);
  *to = c;
}

/* What orders: barriers, WARPSYNC, fences with strong accesses, and waiting for asynchronous copies.
 *
 * A fence before a strong store hands on what its thread knew; a strong load that reads there has acquired it once a
 * fence follows. On the machine a BAR hands on as a fence does, and acquires for what does not read a cache: stores,
 * atomics, strong loads (`seen`; rule 3 of isa/doc/15-memory-model.md). In PTX it does neither: it hands on to other
 * blocks what its warps had fenced, and what they had read a fence behind it acquires. */

static const struct clock_item nothing = {0, 0, 0};

static void learn_clock(struct race *r, struct clock **to, struct clock *what) {
  clock_learn(to, what, nothing, &r->lost);
}

static void forget_clock(struct clock **c) {
  clock_drop(*c);
  *c = NULL;
}

/* ---- launches and blocks */

struct race *race_new(const struct race_options *o) {
  struct race *r = calloc(1, sizeof *r);
  const struct heddle_launch *l = o->launch;
  if (!r) return NULL;
  r->o = *o;
  r->warps_of_block = (l->block[0] * l->block[1] * l->block[2] + HEDDLE_LANES - 1) / HEDDLE_LANES;
  r->global = shadow_new(o->mem_base, o->mem_bytes);
  r->warp = calloc(o->slots, sizeof *r->warp);
  r->spare = calloc(o->slots + 1, sizeof *r->spare);
  if (r->global && r->warp && r->spare) return r;
  race_free(r);
  return NULL;
}

static void release_drop(struct released *k) {
  clock_drop(k->common);
  clock_drop(k->own);
  *k = (struct released){0};
}

static void warp_free(struct warp_state *w) {
  if (!w) return;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) {
    clock_drop(w->own[i]);
    for (unsigned s = 0; s < SCOPES; s++) {
      clock_drop(w->acquired[s][i]);
      release_drop(&w->released[s][i]);
    }
  }
  clock_drop(w->common);
  clock_drop(w->seen);
  clock_drop(w->barrier);
  free(w);
}

/* Its shadow goes to the next one. */
static void block_free(struct race *r, struct block_state *b) {
  for (unsigned i = 0; i < BARRIERS_OF_BLOCK; i++) {
    clock_drop(b->arrived[i]);
    clock_drop(b->fenced[i]);
  }
  if (b->shared) r->spare[r->spares++] = b->shared;
  free(b);
}

void race_free(struct race *r) {
  if (!r) return;
  for (unsigned i = 0; r->warp && i < r->o.slots; i++) {
    struct warp_state *w = r->warp[i];
    if (w && w->index == 0) block_free(r, w->block);
    warp_free(w);
  }
  for (unsigned i = 0; i < r->spares; i++) shadow_free(r->spare[i]);
  for (size_t i = 0; i < r->syncs; i++) {
    clock_drop(r->sync[i].all);
    clock_drop(r->sync[i].block_only);
    clock_drop(r->sync[i].arrived);
  }
  shadow_free(r->global);
  free(r->warp);
  free(r->spare);
  free(r->sync);
  free(r->sync_by.slot);
  free(r);
}

/* Is what PTX promises to be judged, or what the machine does? */
static bool is_ptx(const struct race *r) {
  return r->o.program->ordered;
}

bool race_lost(const struct race *r) {
  return r->lost;
}

/* Warps of a block live in the slots that the model says one by one; here they are made with their first event. */
static void begin_block(struct race *r, const struct heddle_event *e) {
  struct block_state *b = calloc(1, sizeof *b);
  if (!b) {
    r->lost = true;
    return;
  }
  b->first = (uint32_t)(2 * (e->by.block * r->warps_of_block + 1));
  const uint32_t bytes = r->o.launch->shared_bytes;
  if (bytes != 0) b->shared = r->spares > 0 ? r->spare[--r->spares] : shadow_new(0, bytes);
  for (unsigned i = 0; i < e->warps; i++) {
    struct warp_state *w = calloc(1, sizeof *w);
    if (w) *w = (struct warp_state){.id = b->first + 2 * i, .time = 1, .index = i, .block = b};
    r->warp[e->slots[i]] = w;
    r->lost = r->lost || !w;
  }
}

static void end_warps_block(struct race *r, const struct heddle_event *e) {
  if (r->warp[e->slots[0]]) block_free(r, r->warp[e->slots[0]]->block);
  for (unsigned i = 0; i < e->warps; i++) {
    warp_free(r->warp[e->slots[i]]);
    r->warp[e->slots[i]] = NULL;
  }
}

/* ---- barriers */

/* All that the warp's lanes know, and have done. */
static void hand_on_clocks(struct race *r, struct warp_state *w, struct clock **to) {
  clock_learn(to, w->common, (struct clock_item){w->id, CLOCK_ALL, w->time}, &r->lost);
  for (unsigned i = 0; i < HEDDLE_LANES; i++)
    if (w->own[i]) learn_clock(r, to, w->own[i]);
}

static void hand_on_seen(struct race *r, struct warp_state *w, struct clock **to) {
  if (w->seen) learn_clock(r, to, w->seen);
  for (unsigned i = 0; i < HEDDLE_LANES; i++)
    if (w->acquired[SCOPE_GPU][i]) learn_clock(r, to, w->acquired[SCOPE_GPU][i]);
}

/* What a strong store of the lane hands on to readers of that scope: of its last fence, or of the last BAR. */
static void hand_release(struct race *r, struct warp_state *w, unsigned lane, unsigned scope, struct clock **to) {
  const struct released *k = &w->released[scope][lane];
  if (w->barrier && (k->time == 0 || is_ptx(r))) learn_clock(r, to, w->barrier);
  if (k->time == 0) return;
  clock_learn(to, k->common, (struct clock_item){w->id, 1u << lane, k->time}, &r->lost);
  if (k->own) learn_clock(r, to, k->own);
}

static void hand_on_fenced(struct race *r, struct warp_state *w, struct clock **to) {
  for (unsigned i = 0; is_ptx(r) && i < HEDDLE_LANES; i++) hand_release(r, w, i, SCOPE_GPU, to);
}

static void arrive_at_barrier(struct race *r, struct warp_state *w, unsigned barrier) {
  hand_on_clocks(r, w, &w->block->arrived[barrier]);
  hand_on_fenced(r, w, &w->block->fenced[barrier]);
  w->time++;
}

/* What is asked most often of a clock. */
static void note_known(struct warp_state *w) {
  const struct clock *c = w->common;
  for (uint32_t i = 0; c && i < c->items; i++) {
    const uint32_t n = (c->item[i].warp - w->block->first) / 2;
    if (c->item[i].warp < w->block->first || c->item[i].warp % 2 != 0 || n >= HEDDLE_LANES) continue;
    if (c->item[i].lanes == CLOCK_ALL && c->item[i].time > w->known[n]) w->known[n] = c->item[i].time;
  }
}

static void pass_barrier(struct race *r, struct warp_state *w, struct clock *all, struct clock *fenced,
                         struct clock *seen) {
  clock_drop(w->common);
  w->common = clock_share(all);
  clock_drop(w->barrier);
  w->barrier = clock_share(is_ptx(r) ? fenced : all);
  if (seen) learn_clock(r, &w->seen, seen);
  note_known(w);
  for (unsigned i = 0; i < HEDDLE_LANES; i++) {
    forget_clock(&w->own[i]);
    for (unsigned s = 0; s < SCOPES && !is_ptx(r); s++)
      if (w->released[s][i].time != 0) release_drop(&w->released[s][i]); /* the barrier hands on more */
  }
  w->time++;
}

static void release_barrier(struct race *r, const struct heddle_event *e) {
  struct block_state *b = r->warp[e->slots[0]]->block;
  struct clock *all = b->arrived[e->barrier], *fenced = b->fenced[e->barrier], *seen = NULL;
  b->arrived[e->barrier] = b->fenced[e->barrier] = NULL;
  for (uint32_t rest = e->waiting; rest != 0; rest &= rest - 1) {
    struct warp_state *w = r->warp[e->slots[__builtin_ctz(rest)]];
    hand_on_clocks(r, w, &all);
    hand_on_fenced(r, w, &fenced);
    hand_on_seen(r, w, &seen);
  }
  for (uint32_t rest = e->waiting; rest != 0; rest &= rest - 1)
    pass_barrier(r, r->warp[e->slots[__builtin_ctz(rest)]], all, fenced, seen);
  clock_drop(all);
  clock_drop(fenced);
  clock_drop(seen);
}

/* Lanes that have met at a WARPSYNC know of each other. */
static void reconverge(struct race *r, struct warp_state *w, uint32_t lanes, uint32_t live) {
  struct clock *all = NULL;
  const bool whole = (live & ~lanes) == 0;
  clock_learn(&all, NULL, (struct clock_item){w->id, whole ? CLOCK_ALL : lanes, w->time++}, &r->lost);
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) learn_clock(r, &all, w->own[__builtin_ctz(rest)]);
  if (whole) learn_clock(r, &w->common, all);
  if (whole) note_known(w);
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    struct clock **own = &w->own[__builtin_ctz(rest)];
    clock_drop(*own);
    *own = whole ? NULL : clock_share(all);
  }
  clock_drop(all);
}

/* ---- fences and strong accesses */

static void fence_lanes(struct race *r, struct warp_state *w, uint32_t lanes, unsigned scope) {
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = (unsigned)__builtin_ctz(rest);
    learn_clock(r, &w->own[i], w->acquired[scope][i]);
    if (scope == SCOPE_GPU && w->seen) learn_clock(r, &w->own[i], w->seen);
    forget_clock(&w->acquired[SCOPE_BLOCK][i]);
    if (scope == SCOPE_GPU) forget_clock(&w->acquired[SCOPE_GPU][i]);
    for (unsigned s = scope; s < SCOPES; s++) {
      release_drop(&w->released[s][i]);
      w->released[s][i] = (struct released){clock_share(w->common), clock_share(w->own[i]), w->time};
    }
  }
  w->time++;
}

/* What is known of the place. NULL: nothing, and `make` is false or there is no memory. */
static struct place_sync *sync_at(struct race *r, uint64_t key, bool make) {
  const uint64_t *at = map_find(&r->sync_by, key, 0);
  if (at) return &r->sync[*at];
  if (!make || !array_room(&r->sync, &r->sync_room, r->syncs + 1, sizeof *r->sync) ||
      !map_at(&r->sync_by, key, 0, r->syncs))
    return NULL;
  r->sync[r->syncs] = (struct place_sync){.all = NULL};
  return &r->sync[r->syncs++];
}

static void take_released(struct race *r, struct warp_state *w, unsigned lane, unsigned scope,
                          const struct place_sync *p) {
  if (scope == SCOPE_GPU && p->all) learn_clock(r, &w->acquired[SCOPE_GPU][lane], p->all);
  if (p->block != w->block->first || !p->block_only || p->block_only == w->common) return;
  learn_clock(r, &w->acquired[SCOPE_BLOCK][lane], p->block_only);
  learn_clock(r, &w->acquired[SCOPE_GPU][lane], p->block_only);
}

/* An arrival at an mbarrier, or the end of its phase. */
static void mbarrier(struct race *r, struct warp_state *w, unsigned lane, struct place_sync *p, bool ends) {
  if (p->block != w->block->first) {
    forget_clock(&p->block_only);
    forget_clock(&p->arrived);
  }
  p->block = w->block->first;
  hand_release(r, w, lane, SCOPE_BLOCK, &p->arrived);
  if (ends && p->arrived) learn_clock(r, &p->block_only, p->arrived);
}

void race_strong(struct race *r, struct warp_state *w, unsigned lane, const struct race_strong *s) {
  const bool knows = w->barrier || w->released[SCOPE_BLOCK][lane].time != 0, hands = s->hands && knows;
  struct place_sync *p = sync_at(r, s->key, hands);
  if (!p) {
    r->lost = r->lost || hands;
    return;
  }
  if (s->arrives || s->ends) {
    mbarrier(r, w, lane, p, s->ends);
    return;
  }
  /* The usual case behind a BAR: all that there is to know of it is known. */
  const bool barrier = w->barrier && w->barrier == w->common && w->released[SCOPE_BLOCK][lane].time == 0;
  if (barrier && s->goes_on && p->block == w->block->first && p->block_only == w->barrier &&
      (s->scope == SCOPE_BLOCK || p->all == w->barrier))
    return;
  if (s->takes) take_released(r, w, lane, s->scope, p);
  if (!s->hands) return;
  if (!s->goes_on) forget_clock(&p->all);
  if (!s->goes_on || p->block != w->block->first) forget_clock(&p->block_only);
  p->block = w->block->first;
  hand_release(r, w, lane, SCOPE_BLOCK, &p->block_only);
  if (s->scope == SCOPE_GPU) hand_release(r, w, lane, SCOPE_GPU, &p->all);
}

/* ---- asynchronous copies */

void race_raise(struct warp_state *w, unsigned n) {
  if (n < COUNTERS) w->group[n][w->groups[n]++ % GROUPS_MOST] = w->copies;
}

/* The warp has waited for its first `copies` copies. */
static void waited(struct race *r, struct warp_state *w, uint32_t copies) {
  if (copies != 0) clock_learn(&w->common, NULL, (struct clock_item){w->id + 1, CLOCK_ALL, copies}, &r->lost);
}

/* All but the youngest k of those that raised the counter. */
static void await(struct race *r, struct warp_state *w, unsigned n, uint32_t k) {
  if (n < COUNTERS && w->groups[n] > k && k < GROUPS_MOST)
    waited(r, w, w->group[n][(w->groups[n] - 1 - k) % GROUPS_MOST]);
}

/* ---- events */

static void control(struct race *r, struct warp_state *w, const struct heddle_event *e) {
  const struct heddle_isa_word word = e->dec->word;
  switch (e->dec->op) {
  case ISA_OP_MEMBAR: {
    const bool of_block = heddle_isa_get(word, ISA_F_SCOPE) == ISA_SCOPE_CTA ||
                          heddle_program_order(r->o.program, e->by.pc) == HEDDLE_ORDER_FENCE_CTA;
    const unsigned scope = of_block ? SCOPE_BLOCK : SCOPE_GPU;
    if (scope == SCOPE_GPU && !is_ptx(r)) waited(r, w, w->copies);
    fence_lanes(r, w, e->by.lanes, scope);
    break;
  }
  case ISA_OP_BAR_ARV:
    arrive_at_barrier(r, w, e->barrier);
    break;
  case ISA_OP_LDGDEPBAR:
    race_raise(w, e->dec->ctl.wbar);
    break;
  case ISA_OP_DEPBAR_LE:
    await(r, w, (unsigned)heddle_isa_get(word, ISA_F_SBN), (uint32_t)heddle_isa_get(word, ISA_F_SBK));
    break;
  default:
    break;
  }
}

void race_event(struct race *r, const struct heddle_event *e) {
  if (e->kind == HEDDLE_EVENT_BLOCK) begin_block(r, e);
  if (e->kind == HEDDLE_EVENT_BLOCK_END) end_warps_block(r, e);
  for (unsigned i = 0; i < e->warps; i++)
    if (!r->warp[e->slots[i]]) return; /* no memory for the block, or it has ended */
  if (e->kind == HEDDLE_EVENT_RELEASE) release_barrier(r, e);
  if (e->kind == HEDDLE_EVENT_CONTROL) control(r, r->warp[e->by.slot], e);
  if (e->kind == HEDDLE_EVENT_RECONVERGED) reconverge(r, r->warp[e->by.slot], e->by.lanes, e->live);
}
