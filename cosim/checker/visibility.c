/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of a cache's judge, and its copies. A copy has a place from the moment at which somebody asks for it until
 * it is closed and nobody waits; then it stays for reports until the place is needed.
 */
#include "visibility.h"

#include <stdlib.h>

/* ---- tables ---- */

static bool pool_new(struct pool *p, unsigned n, size_t bytes) {
  *p = (struct pool){.at = malloc(n * bytes), .bytes = bytes, .n = n};
  return p->at != NULL;
}

void *cache_take(struct pool *p) {
  void *x = p->spare;
  if (x == NULL) return p->begun < p->n ? p->at + p->bytes * p->begun++ : NULL;
  memcpy(&p->spare, x, sizeof p->spare);
  return x;
}

void cache_give(struct pool *p, void *x) {
  memcpy(x, &p->spare, sizeof p->spare);
  p->spare = x;
}

static bool tables(struct heddle_checker *c, struct visibility *v) {
  const struct capacity *n = &c->capacity;
  const unsigned waits = c->sms * n->waits;
  const size_t words = (size_t)c->stamps.global * (LINE_BYTES / 4) + HEDDLE_RECORD_SECTOR / 4;
  v->copies = c->sms * n->copies + GONE_KEPT;
  for (v->mask = 255; v->mask < v->copies; v->mask = 2 * v->mask + 1) continue;
  v->copy = calloc(v->copies, sizeof *v->copy);
  v->by_number = calloc(v->mask + 1u, sizeof *v->by_number);
  v->by_line = calloc(v->mask + 1u, sizeof *v->by_line);
  v->release = calloc(words * v->banks, sizeof *v->release);
  v->released = calloc((size_t)v->copies * v->banks, HEDDLE_RECORD_SECTOR / 4 * sizeof *v->released);
  v->warp = calloc(c->warps, sizeof *v->warp);
  v->sm = calloc(c->sms, sizeof *v->sm);
  return v->copy != NULL && v->by_number != NULL && v->by_line != NULL && v->release != NULL && v->released != NULL &&
         v->warp != NULL && v->sm != NULL && pool_new(&v->waits, waits, sizeof(struct wait)) &&
         pool_new(&v->overwrites, waits, sizeof(struct overwrite)) &&
         pool_new(&v->newers, waits, sizeof(struct newer)) && pool_new(&v->underways, waits, sizeof(struct underway)) &&
         pool_new(&v->pasts, c->sms * n->entries, sizeof(struct past_knowledge));
}

bool cache_allocate(struct heddle_checker *c) {
  if (c->cfg.cache_sectors == 0) return heddle_copies(c->model, 0) == HEDDLE_SUCCESS;
  struct visibility *v = c->cache = calloc(1, sizeof *v);
  if (v == NULL) return false;
  v->banks = c->cfg.memory_banks > 1 ? c->cfg.memory_banks : 1;
  if (!tables(c, v)) return false;
  for (unsigned k = 0; k < c->sms; k++) v->sm[k].next_number = 1;
  return heddle_copies(c->model, v->copies) == HEDDLE_SUCCESS;
}

void cache_free(struct heddle_checker *c) {
  struct visibility *v = c->cache;
  if (v == NULL) return;
  free(v->copy);
  free(v->by_number);
  free(v->by_line);
  free(v->waits.at);
  free(v->overwrites.at);
  free(v->newers.at);
  free(v->underways.at);
  free(v->pasts.at);
  free(v->release);
  free(v->released);
  free(v->warp);
  free(v->sm);
  free(v);
}

bool closes(const struct heddle_checker *c) {
  return (c->cfg.cache_promises & HEDDLE_CHECKER_CACHE_CLOSES) != 0;
}

bool copy_full(struct heddle_checker *c, const char *what) {
  return differ(c, HEDDLE_CHECKER_CAPACITY, what,
                "more %s than a cache of %u sectors and %u instructions under way can have", what, c->cfg.cache_sectors,
                c->capacity.entries);
}

/* ---- finding them ---- */

static struct copy **number_place(const struct visibility *v, unsigned sm, uint32_t number, unsigned s) {
  return &v->by_number[(4 * number + s + 0x9e5u * sm) & v->mask];
}

static struct copy **line_place(const struct visibility *v, uint64_t line, bool local) {
  return &v->by_line[(line * UINT64_C(0x9e3779b97f4a7c15) >> 40 ^ (local ? 1 : 0)) & v->mask];
}

struct copy *copy_find(const struct heddle_checker *c, unsigned sm, uint32_t number, unsigned s) {
  struct copy *k = *number_place(c->cache, sm, number, s);
  while (k != NULL && (k->number != number || k->sector % 4 != s || k->sm != sm)) k = k->next_number;
  return k;
}

struct copy *copies_of_line(const struct heddle_checker *c, uint64_t line, bool local) {
  return *line_place(c->cache, line, local);
}

unsigned copy_index(const struct heddle_checker *c, const struct copy *k) {
  return (unsigned)(k - c->cache->copy);
}

static void unlink_number(struct visibility *v, const struct copy *k) {
  struct copy **at = number_place(v, k->sm, k->number, k->sector % 4);
  while (*at != k) at = &(*at)->next_number;
  *at = k->next_number;
}

static void unlink_line(struct visibility *v, const struct copy *k) {
  struct copy **at = line_place(v, k->sector / 4, k->local);
  while (*at != k) at = &(*at)->next_line;
  *at = k->next_line;
}

/* A place: a fresh one, while few are kept for reports; else the one that has been given up longest ago. */
static struct copy *take_copy(struct visibility *v) {
  if (v->gone < GONE_KEPT && v->begun < v->copies) return &v->copy[v->begun++];
  struct copy *k = v->first_gone;
  if (k == NULL) return NULL;
  v->first_gone = k->next_gone;
  if (v->first_gone == NULL) v->last_gone = NULL;
  v->gone--;
  unlink_number(v, k);
  return k;
}

struct copy *copy_ask(struct heddle_checker *c, unsigned sm, uint32_t number, uint64_t sector, bool local) {
  struct visibility *v = c->cache;
  struct copy *k = take_copy(v);
  if (k == NULL) return NULL;
  struct copy **n = number_place(v, sm, number, sector % 4), **l = line_place(v, sector / 4, local);
  *k = (struct copy){.sector = sector,
                     .number = number,
                     .sm = (uint8_t)sm,
                     .local = local,
                     .state = COPY_ASKED,
                     .asked = c->now->cycle};
  k->next_number = *n;
  k->next_line = *l;
  *n = *l = k;
  return k;
}

/* ---- their life ---- */

static void clear_copy(struct visibility *v, struct copy *k) {
  while (k->overwrites != NULL) {
    struct overwrite *o = k->overwrites;
    k->overwrites = o->next;
    cache_give(&v->overwrites, o);
  }
  while (k->newer != NULL) {
    struct newer *o = k->newer;
    k->newer = o->next;
    cache_give(&v->newers, o);
  }
}

/* it is given up if nobody can read it any more */
static void copy_settle(struct heddle_checker *c, struct copy *k) {
  struct visibility *v = c->cache;
  if (!k->closed || k->waits != NULL || k->state == COPY_GONE) return;
  if (k->state == COPY_TAKEN && !k->local) (void)heddle_copy_drop(c->model, copy_index(c, k));
  if (k->overwritten != 0) v->stale--;
  clear_copy(v, k);
  unlink_line(v, k);
  k->state = COPY_GONE;
  k->next_gone = NULL;
  if (v->last_gone != NULL)
    v->last_gone->next_gone = k;
  else
    v->first_gone = k;
  v->last_gone = k;
  v->gone++;
}

static void copy_close(struct heddle_checker *c, struct copy *k, const char *why) {
  if (k->closed) return;
  if (k->state == COPY_TAKEN && k->waits == NULL) c->cache->sm[k->sm].kept--;
  k->closed = true;
  k->closed_at = c->now->cycle;
  (void)snprintf(k->why, sizeof k->why, "%s", why);
  copy_settle(c, k);
}

void copies_close(struct heddle_checker *c, unsigned sm, uint64_t sector, bool local, bool taken_only,
                  const char *why) {
  for (struct copy *k = copies_of_line(c, sector / 4, local), *next; k != NULL; k = next) {
    next = k->next_line;
    if (copy_of(k, sm, sector, local) && !(taken_only && k->state == COPY_ASKED)) copy_close(c, k, why);
  }
}

void copies_close_all(struct heddle_checker *c, unsigned sm, const char *why) {
  struct visibility *v = c->cache;
  for (unsigned i = 0; i < v->begun; i++)
    if (v->copy[i].sm == sm && (v->copy[i].state == COPY_ASKED || v->copy[i].state == COPY_TAKEN))
      copy_close(c, &v->copy[i], why);
}

/* ---- who waits ---- */

static bool is_wait(const struct wait *w, struct who who, uint32_t lanes) {
  return same_warp(w->who, who) && w->who.seq == who.seq && (w->lanes & lanes) != 0;
}

struct wait *copy_wait(const struct copy *k, struct who who, uint32_t lanes) {
  struct wait *w = k->waits;
  while (w != NULL && !is_wait(w, who, lanes)) w = w->next;
  return w;
}

bool wait_add(struct heddle_checker *c, struct copy *k, uint32_t lanes) {
  struct visibility *v = c->cache;
  struct wait *w = cache_take(&v->waits);
  if (w == NULL) return copy_full(c, "loads that wait");
  if (k->waits == NULL && k->state == COPY_TAKEN && !k->closed) v->sm[k->sm].kept--;
  *w = (struct wait){k->waits, who_is(c), lanes};
  k->waits = w;
  return true;
}

void wait_end(struct heddle_checker *c, struct copy *k, struct who who, uint32_t lanes) {
  struct visibility *v = c->cache;
  struct wait **at = &k->waits;
  while (*at != NULL && !is_wait(*at, who, lanes)) at = &(*at)->next;
  if (*at == NULL) return;
  struct wait *w = *at;
  *at = w->next;
  cache_give(&v->waits, w);
  if (k->waits == NULL && k->state == COPY_TAKEN && !k->closed) v->sm[k->sm].kept++;
  copy_settle(c, k);
}

/* ---- words ---- */

const char *who_text(const struct heddle_checker *c, struct who who, char text[WHO_TEXT]) {
  const struct warp *w = &c->warp[who.at];
  char sm[SM_TEXT];
  (void)snprintf(text, WHO_TEXT, "%swarp slot %u seq %u (pc 0x%x)", sm_text(c, w->sm->number, sm), warp_slot(w),
                 who.seq, who.pc);
  return text;
}

const char *copy_text(const struct copy *k, char *text, size_t room) {
  const int n = snprintf(text, room, "fill %u of sector 0x%llx", k->number, (unsigned long long)k->sector);
  if (n > 0 && (size_t)n < room && k->position != 0)
    (void)snprintf(text + n, room - (size_t)n, " (taken at position %llu, cycle %llu)", (unsigned long long)k->position,
                   (unsigned long long)k->taken);
  return text;
}

/* The event counters of a cache, from its records: what they count is what records show. */

void count(struct heddle_checker *c, const struct sm *s, enum heddle_cache_counter n, unsigned more) {
  sm_cache(c, s)->counted.of[n] += more;
}

void count_pass(struct heddle_checker *c, uint64_t line) {
  struct counted *n = &sm_cache(c, c->w->sm)->counted;
  const struct who me = who_is(c);
  const bool same = same_warp(n->who, me) && n->who.seq == me.seq && n->line == line && n->cycle == c->now->cycle;
  if (n->of[HEDDLE_CACHE_COUNTER_LOADS] == 0 || !same) count(c, c->w->sm, HEDDLE_CACHE_COUNTER_LOADS, 1);
  n->who = me;
  n->line = line;
  n->cycle = c->now->cycle;
}

void count_hit(struct heddle_checker *c, uint64_t line) {
  count_pass(c, line);
  count(c, c->w->sm, HEDDLE_CACHE_COUNTER_HIT, 1);
}

void count_drop(struct heddle_checker *c, const struct sm *s, const struct heddle_record_drop *r) {
  const unsigned sectors = (unsigned)__builtin_popcount(r->sectors);
  switch (r->cause) {
  case HEDDLE_RECORD_DROP_STORE:
  case HEDDLE_RECORD_DROP_ATOMIC:
    count(c, s, HEDDLE_CACHE_COUNTER_STORES, sectors);
    break;
  case HEDDLE_RECORD_DROP_STRONG:
    count(c, s, HEDDLE_CACHE_COUNTER_BY, 1);
    count(c, s, HEDDLE_CACHE_COUNTER_STRONG, sectors);
    break;
  case HEDDLE_RECORD_DROP_REPLACED:
    count(c, s, HEDDLE_CACHE_COUNTER_REPLACED, sectors);
    break;
  case HEDDLE_RECORD_DROP_ERROR:
    count(c, s, HEDDLE_CACHE_COUNTER_ERRORS, sectors);
    break;
  default:
    break;
  }
}

bool cache_count_judge(struct heddle_checker *c, const struct sm *s, const uint32_t *counter) {
  static const char *const name[HEDDLE_CACHE_COUNTERS] = {"loads",  "hit",    "joined",   "asked",  "by",
                                                          "stores", "strong", "replaced", "errors", "emptied"};
  for (unsigned n = 0; n < HEDDLE_CACHE_COUNTERS; n++)
    if (!same(c, HEDDLE_CHECKER_COUNTER_CACHE, name[n], sm_cache(c, s)->counted.of[n], counter[n])) return false;
  return true;
}
