/* SPDX-License-Identifier: Apache-2.0
 *
 * A request passes the array: it is looked up, or sent on, and fences wait for acknowledgements.
 */
#include <string.h>
#include "cosim/port/l1_internal.h"

/* The array: sets of ways, valid sector by sector, and only those of the present epoch. */

static unsigned set_of(const struct l1 *c, struct name n) {
  return (unsigned)((n.key ^ n.key >> 18) & (c->sets - 1)); /* warp slots begin above bit 18 */
}

/* A tag is the name without the bits that choose the set. */
static bool is_line(const struct l1 *c, const struct way *w, struct name n) {
  const uint64_t ignored = (c->sets - 1) | (bug(c, BUG_TAG_SHORT) ? c->sets : 0);
  const bool kind = w->name.is_local == n.is_local || bug(c, BUG_LOCAL_MIXED);
  return w->valid != 0 && w->epoch == c->epoch && kind && ((w->name.key ^ n.key) & ~ignored) == 0;
}

/* NULL: no sector of it is there */
static struct way *l1_find(struct l1 *c, struct name n) {
  struct way *set = c->ways + (size_t)set_of(c, n) * c->o.ways;
  for (unsigned i = 0; i < c->o.ways; i++)
    if (is_line(c, &set[i], n)) return &set[i];
  return NULL;
}

static const uint8_t *l1_read(const struct l1 *c, const struct way *w, unsigned s) {
  if (bug(c, BUG_HIT_WAY) && c->o.ways > 1) w = c->ways + ((size_t)(w - c->ways) ^ 1u);
  return w->data + HEDDLE_LINE_PORT_SECTOR * (bug(c, BUG_HIT_SECTOR) ? s ^ 1u : s);
}

void l1_array_drop(struct l1 *c, struct name n, unsigned sectors) {
  struct way *w = l1_find(c, n);
  if (w != NULL) w->valid &= (uint8_t)~sectors;
}

static bool is_empty(const struct l1 *c, const struct way *w) {
  return w->valid == 0 || w->epoch != c->epoch;
}

/* One that is empty, else the one that was used longest ago. */
static struct way *victim(struct l1 *c, unsigned set) {
  struct way *first = c->ways + (size_t)set * c->o.ways, *oldest = first;
  for (unsigned i = 0; i < c->o.ways; i++) {
    if (is_empty(c, &first[i])) return &first[i];
    if (first[i].used < oldest->used) oldest = &first[i];
  }
  return oldest;
}

static void replace(struct l1 *c, struct way *w, struct name n) {
  if (!is_empty(c, w)) {
    struct l1_event *e = l1_event(c, L1_DROP, NULL);
    e->line = w->name.key;
    e->is_local = w->name.is_local;
    e->sectors = w->valid;
    e->cause = L1_REPLACED;
    c->stats.replaced++;
  }
  if (is_empty(c, w) || !bug(c, BUG_REPLACE_VALID)) w->valid = 0;
  w->name = n;
  w->epoch = c->epoch;
}

unsigned l1_keep(struct l1 *c, struct name n, unsigned sectors, const uint8_t *data, uint32_t number, bool beside) {
  struct way *w = beside ? NULL : l1_find(c, n);
  if (w == NULL) {
    w = victim(c, set_of(c, n) ^ (beside ? 1u : 0u));
    replace(c, w, n);
  }
  for (unsigned s = 0; s < SECTORS; s++) {
    if ((sectors >> s & 1u) == 0) continue;
    memcpy(w->data + HEDDLE_LINE_PORT_SECTOR * s, data + HEDDLE_LINE_PORT_SECTOR * s, HEDDLE_LINE_PORT_SECTOR);
    w->number[s] = number;
  }
  w->valid |= (uint8_t)sectors;
  w->used = ++c->clock_of_use;
  return (unsigned)(w - c->ways);
}

/* The next epoch; when the first one comes again, copies that it had are forgotten before they count again. */
void l1_empty(struct l1 *c) {
  c->epoch = (c->epoch + 1) & ((1u << c->o.epoch_bits) - 1);
  if (c->epoch == 0 && !bug(c, BUG_EPOCH_WRAP)) {
    for (unsigned i = 0; i < c->sets * c->o.ways; i++) c->ways[i].valid = 0;
    c->stats.walks++;
  }
  c->stats.emptied++;
  for (unsigned i = 0; i < c->o.mshrs; i++) {
    if (!bug(c, BUG_FILL_OVER_ACQUIRE)) c->fill[i].keep = 0;
    if (!bug(c, BUG_JOIN_AFTER_ACQUIRE)) c->fill[i].join = 0;
  }
}

/* Acknowledgements, and the fences that wait for them. */

/* Is this one of those that the fence waits for? */
static bool counts(const struct l1 *c, const struct fence *f, const struct access *e) {
  if (f->scope != L1_GPU || e->order > f->upto) return false;
  if (bug(c, BUG_FENCE_OWN_WARP) && e->r.slot != f->slot) return false;
  if (bug(c, BUG_FENCE_NO_ATOMICS) && e->r.kind == HEDDLE_LINE_PORT_ATOM) return false;
  return !bug(c, BUG_FENCE_UNSENT) || (e->sent && e->sent_at <= f->since);
}

/* Memory has performed a store or atomic; what it answered with an error it has not. Nobody is told of local memory. */
void l1_acknowledge(struct l1 *c, struct access *e) {
  if (e->acked) return;
  e->acked = true;
  if (!e->err && !e->r.is_local) l1_event(c, L1_ACK, e)->lanes = lanes_in(&e->r, e->r.sectors);
  for (unsigned i = 0; i < c->fences; i++) {
    struct fence *f = &c->fence[i];
    if (!counts(c, f, e) || f->left == 0) continue;
    f->left--;
    if (bug(c, BUG_ACK_TWICE) && e->r.kind == HEDDLE_LINE_PORT_ATOM && f->left != 0) f->left--;
  }
}

static void emptied(struct l1 *c, const struct fence *f) {
  const bool ivall = f->scope == L1_EMPTY;
  if (!bug(c, ivall ? BUG_IVALL_KEEPS : BUG_FENCE_KEEPS) && (ivall || !bug(c, BUG_FENCE_FIRST))) l1_empty(c);
  struct l1_event *e = l1_event(c, L1_DROP, NULL);
  e->slot = f->slot;
  e->gen = f->gen;
  e->seq = f->seq;
  e->all = true;
  e->cause = ivall ? L1_IVALL : L1_BY_FENCE;
}

/* The channel stops no warp: one that fences again while its fence waits is told of the last one, for both. */
static struct fence *fence_place(struct l1 *c, uint8_t slot) {
  for (unsigned i = 0; i < c->fences; i++)
    if (c->fence[i].slot == slot) return &c->fence[i];
  return c->fences < L1_FENCES ? &c->fence[c->fences++] : NULL;
}

bool heddle_l1_fence(struct l1 *c, uint8_t slot, uint8_t gen, uint32_t seq, enum l1_scope scope) {
  const unsigned before = c->fences;
  struct fence *f = fence_place(c, slot);
  if (f == NULL) return false;
  if (c->fences == before && f->scope == L1_GPU && scope != L1_GPU) {
    f->gen = gen;
    f->seq = seq;
    f->told = scope;
    return true;
  }
  *f = (struct fence){
      .slot = slot, .gen = gen, .seq = seq, .scope = scope, .told = scope, .upto = c->passed, .since = c->cycle};
  for (unsigned t = 0; t < c->o.tags; t++) {
    const struct access *e = &c->access[t];
    if (e->where == AWAY && writes(e) && !e->acked && counts(c, f, e)) f->left++;
  }
  if (scope == L1_GPU && bug(c, BUG_FENCE_FIRST)) l1_empty(c);
  return true;
}

bool heddle_l1_fenced(const struct l1 *c, uint8_t slot) {
  for (unsigned i = 0; i < c->fences; i++)
    if (c->fence[i].slot == slot) return false;
  return true;
}

/* A fence ends before its warp's next request passes. */
static bool l1_held(const struct l1 *c, unsigned slot) {
  return !bug(c, BUG_FENCE_NO_HOLD) && !heddle_l1_fenced(c, (uint8_t)slot);
}

static void end_fence(struct l1 *c, unsigned i) {
  const struct fence f = c->fence[i];
  if (f.scope != L1_CTA) emptied(c, &f);
  struct l1_event *e = l1_event(c, L1_FENCE, NULL);
  e->slot = f.slot;
  e->gen = f.gen;
  e->seq = f.seq;
  e->scope = (uint8_t)f.told;
  c->ended = f.slot;
  c->stats.fences++;
  c->moved = c->cycle;
  memmove(&c->fence[i], &c->fence[i + 1], (--c->fences - i) * sizeof f);
  for (unsigned k = 0; k < c->fences && bug(c, BUG_FENCE_OTHERS); k++) c->fence[k].left = 0;
}

/* One a cycle. */
void l1_fences(struct l1 *c) {
  c->ended = -1;
  for (unsigned i = 0; i < c->fences; i++) {
    if (c->fence[i].left != 0) continue;
    end_fence(c, i);
    return;
  }
}

/* A request passes: it is looked up, or sent on, and what it makes too old is given up. */

/* ---- what gives sectors up ---------------------------------------------------------------------- */

/* Of fills under way; sectors that will not be kept. */
static unsigned overtake(struct l1 *c, struct name n, unsigned sectors, bool keep, bool join) {
  unsigned lost = 0;
  for (unsigned i = 0; i < c->o.mshrs; i++) {
    struct fill *f = &c->fill[i];
    if (!f->used || f->came || !same_name(f->name, n)) continue;
    c->stats.overtaken += (unsigned)__builtin_popcount(f->keep & sectors);
    if (!keep) lost |= f->keep & sectors;
    if (!keep) f->keep &= (uint8_t)~sectors;
    if (!join) f->join &= (uint8_t)~sectors;
  }
  return lost;
}

/* Is the bug on that this access leaves something of its kind: of stores, atomics, strong loads? */
static bool bug_leaves(const struct l1 *c, enum l1_cause cause, const enum l1_bug of[3]) {
  return bug(c, of[cause]);
}

static unsigned dropped(const struct l1 *c, const struct access *e, enum l1_cause cause) {
  static const enum l1_bug kept[3] = {BUG_DROP_LOST, BUG_ATOMIC_KEPT, BUG_STRONG_KEPT};
  const unsigned s = e->r.sectors;
  if (bug_leaves(c, cause, kept)) return 0;
  if (cause != L1_STORE) return s;
  if (bug(c, BUG_CTA_STORE_KEPT) && e->r.scope == HEDDLE_LINE_PORT_CTA) return 0;
  if (bug(c, BUG_DROP_LATE)) return 0;
  if (bug(c, BUG_DROP_SECTOR)) return (s << 1 | s >> 3) & 15u;
  return bug(c, BUG_DROP_FIRST) ? s & (0u - s) : s;
}

static void drop_sectors(struct l1 *c, const struct access *e, enum l1_cause cause) {
  static const enum l1_bug keep[3] = {BUG_FILL_OVER_STORE, BUG_FILL_OVER_ATOMIC, BUG_FILL_OVER_STRONG};
  static const enum l1_bug join[3] = {BUG_JOIN_AFTER_STORE, BUG_JOIN_AFTER_ATOMIC, BUG_JOIN_AFTER_STRONG};
  l1_array_drop(c, e->name, dropped(c, e, cause));
  (void)overtake(c, e->name, e->r.sectors, bug_leaves(c, cause, keep), bug_leaves(c, cause, join));
  struct l1_event *v = l1_event(c, L1_DROP, e);
  v->lanes = lanes_in(&e->r, e->r.sectors);
  v->sectors = e->r.sectors;
  v->cause = (uint8_t)cause;
}

/* ---- stores to local memory --------------------------------------------------------------------- */

static void update(struct way *w, const struct gathered *g, unsigned s) {
  for (unsigned i = HEDDLE_LINE_PORT_SECTOR * s; i < HEDDLE_LINE_PORT_SECTOR * (s + 1); i++)
    if ((g->strb[i / 64] >> i % 64 & 1u) != 0) w->data[i] = g->data[i];
}

/* A sector that it writes whole is there from now on; of one that is there it changes some bytes. */
static void store_local(struct l1 *c, const struct access *e) {
  for (unsigned s = 0; s < SECTORS; s++) {
    if ((e->r.sectors >> s & 1) == 0) continue;
    struct way *w = l1_find(c, e->name);
    const bool there = w != NULL && (w->valid >> s & 1) != 0, whole = sector_strobes(e->w.strb, s) == UINT32_MAX;
    if (bug(c, BUG_LOCAL_STALE) && there) continue;
    if (whole || (bug(c, BUG_LOCAL_PART) && !there))
      (void)l1_keep(c, e->name, 1u << s, e->w.data, 0, false);
    else if (there)
      update(w, &e->w, s);
  }
  const unsigned lost = overtake(c, e->name, e->r.sectors, bug(c, BUG_FILL_OVER_LOCAL), false);
  if (lost == 0) return;
  struct l1_event *v = l1_event(c, L1_DROP, NULL); /* no drop of its own: a sector that is there stays */
  v->line = e->name.key;
  v->is_local = true;
  v->sectors = (uint8_t)lost;
  v->cause = L1_REPLACED;
}

/* ---- loads that are looked up ------------------------------------------------------------------- */

/* Where the sectors of a load are to come from. */
struct plan {
  unsigned there, joins, asks; /* sectors */
  uint8_t on[4];               /* fills that are joined */
};

static int joinable(const struct l1 *c, struct name n, unsigned s) {
  int any = -1;
  for (unsigned i = 0; i < c->o.mshrs; i++) {
    const struct fill *f = &c->fill[i];
    if (!f->used || f->came || !same_name(f->name, n)) continue;
    if ((f->join >> s & 1) != 0) return (int)i;
    if (f->join != 0) any = (int)i;
  }
  return bug(c, BUG_JOIN_ANY) ? any : -1;
}

static struct plan plan_of(struct l1 *c, const struct access *e) {
  struct plan p = {.there = 0};
  const struct way *w = l1_find(c, e->name);
  if (w != NULL) p.there = w->valid & e->r.sectors;
  for (unsigned s = 0; s < SECTORS; s++) {
    if ((e->r.sectors >> s & 1) == 0 || (p.there >> s & 1u) != 0) continue;
    const int f = joinable(c, e->name, s);
    if (f < 0) {
      p.asks |= 1u << s;
      continue;
    }
    p.joins |= 1u << s;
    p.on[s] = (uint8_t)f;
  }
  return p;
}

static void hit(struct l1 *c, struct access *e, unsigned sectors) {
  struct way *w = l1_find(c, e->name);
  struct l1_event *v = l1_event(c, L1_HIT, e);
  w->used = ++c->clock_of_use;
  for (unsigned s = 0; s < SECTORS; s++) {
    if ((sectors >> s & 1u) == 0) continue;
    memcpy(e->data + HEDDLE_LINE_PORT_SECTOR * s, l1_read(c, w, s), HEDDLE_LINE_PORT_SECTOR);
    v->number[s] = w->number[s];
  }
  v->sectors = (uint8_t)sectors;
  v->lanes = lanes_in(&e->r, sectors);
}

static void merge(struct l1 *c, struct access *e, const struct plan *p) {
  uint64_t fills = 0;
  struct l1_event *v = l1_event(c, L1_MERGE, e);
  for (unsigned s = 0; s < SECTORS; s++) {
    if ((e->missing >> s & 1) == 0) continue;
    fills |= UINT64_C(1) << e->on[s];
    v->number[s] = c->fill[e->on[s]].r.number;
  }
  v->sectors = e->missing;
  v->lanes = lanes_in(&e->r, e->missing);
  e->waits = (unsigned)__builtin_popcountll(fills);
  if (p->joins == 0) return;
  c->stats.joined++;
  if (!bug(c, BUG_SECTOR_LOST)) return;
  e->missing &= (uint8_t)-e->missing;
  e->waits = 1;
}

/* False: no place for a fill. */
static bool look_up(struct l1 *c, struct access *e) {
  const struct plan p = plan_of(c, e);
  const int place = p.asks != 0 ? l1_fill_free(c) : 0;
  if (place < 0) return false;
  c->stats.loads++;
  if (p.there == e->r.sectors) c->stats.hits++;
  if (p.there != 0) hit(c, e, p.there);
  e->missing = (uint8_t)(p.joins | p.asks);
  for (unsigned s = 0; s < SECTORS; s++) e->on[s] = (p.asks >> s & 1u) != 0 ? (uint8_t)place : p.on[s];
  if (p.asks != 0) l1_fill_begin(c, (unsigned)place, e, p.asks);
  e->where = WAITS;
  if (e->missing != 0)
    merge(c, e, &p);
  else
    l1_ready(c, e);
  return true;
}

/* ---- a pass ------------------------------------------------------------------------------------- */

static struct name line_name(const struct l1 *c, const struct heddle_line_port_request *r) {
  if (!r->is_local) return (struct name){r->line, false};
  const uint64_t slot = bug(c, BUG_LOCAL_SLOT) ? 0 : r->slot;
  return (struct name){slot << 18 | r->word, true};
}

static bool looked_up(struct l1 *c, const struct access *e) {
  if (e->r.kind != HEDDLE_LINE_PORT_LOAD) return false;
  if (e->r.is_local || e->r.scope <= HEDDLE_LINE_PORT_CTA) return true;
  if (!bug(c, BUG_STRONG_HIT)) return false;
  const struct way *w = l1_find(c, e->name);
  return w != NULL && (e->r.sectors & ~w->valid) == 0;
}

static void send_on(struct l1 *c, struct access *e) {
  switch (e->r.kind) {
  case HEDDLE_LINE_PORT_STORE:
    c->stats.stores++;
    if (e->r.is_local)
      store_local(c, e);
    else
      drop_sectors(c, e, L1_STORE);
    break;
  case HEDDLE_LINE_PORT_ATOM:
    c->stats.atomics++;
    drop_sectors(c, e, L1_ATOMIC);
    break;
  case HEDDLE_LINE_PORT_LOAD:
    c->stats.strong++;
    drop_sectors(c, e, L1_STRONG);
    break;
  default: /* refills of read-only caches */
    break;
  }
  e->where = AWAY;
  l1_leave(c, false, e->r.tag);
}

void l1_pass(struct l1 *c) {
  if (c->queue.count == 0 || c->ended >= 0) return; /* a cycle shows its fence last: what passes with it came before */
  struct access *e = &c->access[c->queue.item[0]];
  if (e->r.kind != HEDDLE_LINE_PORT_FETCH && l1_held(c, e->r.slot)) return;
  e->name = line_name(c, &e->r);
  e->order = c->passed + 1;
  if (!looked_up(c, e))
    send_on(c, e);
  else if (!look_up(c, e))
    return;
  c->passed++;
  c->moved = c->cycle;
  memmove(c->queue.item, c->queue.item + 1, --c->queue.count * sizeof *c->queue.item);
}
