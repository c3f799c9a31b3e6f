/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader of lists (docs/order-list.md). Every complaint names line, column and what to do.
 */
#include <string.h>

#include "base/array.h"
#include "lab/verify/oracle/order/order_list.h"

static const char *const semantics_word[LIST_SEMANTICS] = {"weak", "relaxed", "acquire", "release", "acqrel", "sc"};
static const char *const scope_word[LIST_SCOPES] = {"", "cta", "cluster", "gpu", "sys"};

/* The index of a word, n: none of them. "" is none. */
static unsigned word_index(const char *w, const char *const *words, unsigned n) {
  unsigned k = 0;
  while (k < n && (words[k][0] == '\0' || strcmp(w, words[k]) != 0)) k++;
  return k;
}

static bool list_no_memory(struct list *l) {
  return order_too_much(l->o, "no memory");
}

/* ---- declarations ---- */

static bool on_stamps(struct list *l, struct list_line *t) {
  static const char *const word[] = {"", "none", "partial", "total"};
  const char *w = list_line_word(t, "'total', 'partial' or 'none'");
  if (w == NULL) return false;
  if (l->stamps != LIST_UNSAID) return list_line_fail(t, 0, "a second line 'stamps'; keep one");
  l->stamps = (enum list_stamps)word_index(w, word, 4);
  if (l->stamps > LIST_TOTAL) {
    l->stamps = LIST_UNSAID;
    return list_line_fail(t, 1, "stamps '%.40s'; write total, partial or none", w);
  }
  return true;
}

static bool on_granule(struct list *l, struct list_line *t) {
  uint64_t n;
  if (!list_line_number(t, "the granule", PLACE_BYTES, &n)) return false;
  if (l->granule != 0) return list_line_fail(t, 0, "a second line 'granule'; keep one");
  if (l->events != 0) return list_line_fail(t, 0, "'granule' comes before the first event");
  if (n == 0 || (n & (n - 1)) != 0) return list_line_fail(t, 1, "a granule is 1, 2, 4, 8, 16 or 32 bytes");
  l->granule = (uint32_t)n;
  return true;
}

static bool on_scopes(struct list *l, struct list_line *t) {
  if (l->scoped) return list_line_fail(t, 0, "a second line 'scopes'; keep one");
  if (l->events != 0) return list_line_fail(t, 0, "'scopes' comes before the first event");
  l->scoped = true;
  for (const char *w; (w = list_line_word(t, "a scope")) != NULL;) {
    const unsigned k = word_index(w, scope_word, LIST_SCOPES);
    if (k == LIST_SCOPES) return list_line_fail(t, t->taken - 1, "scope '%.40s'; there are cta, cluster, gpu, sys", w);
    if (l->scopes[k]) return list_line_fail(t, t->taken - 1, "scope '%.40s' is named twice", w);
    l->scopes[k] = true;
    if (t->taken == t->words) return true;
  }
  return false;
}

static bool take_given_word(struct list_line *t, const char *want) {
  const char *w = list_line_word(t, want);
  return w != NULL && (strcmp(w, want) == 0 || list_line_fail(t, t->taken - 1, "'%.40s' where '%s' belongs", w, want));
}

static bool on_thread(struct list *l, struct list_line *t) {
  uint64_t number, block, cluster = UINT32_MAX;
  if (!list_line_number(t, "the thread", UINT32_MAX - 1, &number) || !take_given_word(t, "block") ||
      !list_line_number(t, "the block", UINT32_MAX - 1, &block))
    return false;
  if (t->taken < t->words &&
      (!take_given_word(t, "cluster") || !list_line_number(t, "the cluster", UINT32_MAX - 1, &cluster)))
    return false;
  uint64_t *index = map_at(&l->threads_by, 0, number, NOBODY);
  if (index == NULL) return list_no_memory(l);
  if (*index != NOBODY)
    return list_line_fail(t, 1, "thread %u is in line %u already; drop one", (unsigned)number, l->thread[*index].line);
  if (l->threads >= l->o->most || !array_room(&l->thread, &l->threads_room, l->threads + 1, sizeof *l->thread))
    return order_too_much(l->o, "more threads than the limit (--accesses), or no memory for them");
  *index = (uint32_t)l->threads;
  l->thread[l->threads++] = (struct list_thread){
      .number = (uint32_t)number, .block = (uint32_t)block, .cluster = (uint32_t)cluster, .line = t->number};
  return true;
}

/* ---- events ---- */

/* scopes may be left out, and then all are declared. */
static bool scope_declared(struct list *l, struct list_line *t, unsigned scope) {
  return !l->scoped || l->scopes[scope] ||
         list_line_fail(t, t->taken - 1, "scope %s is not declared; add it to the line 'scopes'", scope_word[scope]);
}

/* Semantics, scope, "arrive", "at STAMP": each at most once. */
static bool take_rest(struct list *l, struct list_line *t, struct list_event *e) {
  bool semantics = false;
  while (t->taken < t->words) {
    const char *w = list_line_word(t, "");
    const unsigned k = word_index(w, semantics_word, LIST_SEMANTICS), s = word_index(w, scope_word, LIST_SCOPES);
    if (k < LIST_SEMANTICS && !semantics) {
      semantics = true;
      e->semantics = (uint8_t)k;
    } else if (s < LIST_SCOPES && e->scope == LIST_THREAD) {
      e->scope = (uint8_t)s;
      if (!scope_declared(l, t, s)) return false;
    } else if (strcmp(w, "arrive") == 0 && e->kind == LIST_BARRIER && !e->arrives) {
      e->arrives = true;
    } else if (strcmp(w, "at") == 0 && !e->stamped) {
      e->stamped = true;
      if (!list_line_number(t, "the stamp", UINT64_MAX, &e->stamp)) return false;
      if (l->stamps == LIST_NONE)
        return list_line_fail(t, t->taken - 1, "a stamp, and the list says 'stamps none'; say partial or total");
    } else {
      return list_line_fail(t, t->taken - 1, "'%.40s' is not known here, or is there twice", w);
    }
  }
  return true;
}

/* Which semantics an event may have: a mask. */
static bool sensible(const struct list *l, struct list_line *t, const struct list_event *e) {
  static const uint8_t allowed[] = {
      [LIST_LOAD] = 1 << LIST_WEAK | 1 << LIST_RELAXED | 1 << LIST_ACQUIRE,
      [LIST_STORE] = 1 << LIST_WEAK | 1 << LIST_RELAXED | 1 << LIST_RELEASE,
      [LIST_ATOMIC] = 1 << LIST_WEAK | 1 << LIST_RELAXED | 1 << LIST_ACQUIRE | 1 << LIST_RELEASE | 1 << LIST_ACQREL,
      [LIST_FENCE] = 1 << LIST_ACQUIRE | 1 << LIST_RELEASE | 1 << LIST_ACQREL | 1 << LIST_SC,
      [LIST_BARRIER] = 1 << LIST_SC};
  if ((allowed[e->kind] >> e->semantics & 1u) == 0)
    return list_line_fail(t, 0, "'%s' with %s; write a fence of its own before or behind it", t->word[0],
                          semantics_word[e->semantics]);
  if (e->semantics >= LIST_ACQUIRE && e->scope == LIST_THREAD)
    return list_line_fail(t, t->words, "%s without a scope; add cta, cluster, gpu or sys",
                          semantics_word[e->semantics]);
  if (l->stamps == LIST_TOTAL && list_accesses(e) && !e->stamped)
    return list_line_fail(t, t->words, "no stamp, and the list says 'stamps total'; add 'at N', or say partial");
  return true;
}

static bool take_who(struct list *l, struct list_line *t, struct list_event *e) {
  uint64_t number, order;
  if (!list_line_number(t, "the thread", UINT32_MAX - 1, &number)) return false;
  const uint64_t *index = map_at(&l->threads_by, 0, number, NOBODY);
  if (index == NULL) return list_no_memory(l);
  if (*index == NOBODY)
    return list_line_fail(t, 1, "thread %u is not declared; add 'thread %u block B' before it", (unsigned)number,
                          (unsigned)number);
  if (!list_line_number(t, "the number in program order", UINT32_MAX - 1, &order)) return false;
  uint64_t *line = map_at(&l->orders, *index, order, NOBODY);
  if (line == NULL) return list_no_memory(l);
  if (*line != NOBODY)
    return list_line_fail(t, 2, "thread %u has number %u in line %u already; each event has its own", (unsigned)number,
                          (unsigned)order, (unsigned)*line);
  *line = t->number;
  e->thread = (uint32_t)*index;
  e->order = (uint32_t)order;
  e->line = t->number;
  return true;
}

static bool add_event(struct list *l, const struct list_event *e) {
  if (l->events >= l->o->most || !array_room(&l->event, &l->events_room, l->events + 1, sizeof *l->event))
    return order_too_much(l->o, "more events than the limit (--accesses), or no memory for them");
  l->event[l->events++] = *e;
  return true;
}

static bool on_access(struct list *l, struct list_line *t, enum list_kind kind) {
  struct list_event e = {.kind = (uint8_t)kind};
  if (!take_who(l, t, &e) || !list_line_place(t, &e.space, &e.at, &e.bytes)) return false;
  if (list_reads(&e) && !list_line_value(t, "the value that was read", e.bytes, e.saw)) return false;
  if (list_writes(&e) && !list_line_value(t, "the value that was written", e.bytes, e.left)) return false;
  if (e.space == ISA_SPACE_SHARED) e.owner = l->thread[e.thread].block;
  if (e.space == ISA_SPACE_LOCAL) e.owner = e.thread;
  return take_rest(l, t, &e) && sensible(l, t, &e) && add_event(l, &e);
}

static bool on_load(struct list *l, struct list_line *t) {
  return on_access(l, t, LIST_LOAD);
}
static bool on_store(struct list *l, struct list_line *t) {
  return on_access(l, t, LIST_STORE);
}
static bool on_atomic(struct list *l, struct list_line *t) {
  return on_access(l, t, LIST_ATOMIC);
}

static bool on_fence(struct list *l, struct list_line *t) {
  struct list_event e = {.kind = LIST_FENCE, .semantics = LIST_SC};
  if (!take_who(l, t, &e) || !take_rest(l, t, &e) || !sensible(l, t, &e)) return false;
  l->o->r->fences++;
  if (e.semantics != LIST_ACQREL) return add_event(l, &e);
  /* Both at one place; as one node they would keep older writes before younger reads, too. */
  struct list_event release = e;
  e.semantics = LIST_ACQUIRE;
  release.semantics = LIST_RELEASE;
  release.stamped = false;
  return add_event(l, &e) && add_event(l, &release);
}

/* The instance of a barrier that an event names. */
static bool take_instance(struct list *l, struct list_line *t, struct list_event *e) {
  uint64_t id, number, participants;
  if (!list_line_number(t, "the barrier", UINT32_MAX - 1, &id) ||
      !list_line_number(t, "the instance", UINT32_MAX - 1, &number) ||
      !list_line_number(t, "the number of participants", UINT32_MAX - 1, &participants))
    return false;
  if (participants == 0) return list_line_fail(t, 5, "a barrier of no thread; drop the line");
  uint64_t *index = map_at(&l->barriers_by, id, number, NOBODY);
  if (index == NULL) return list_no_memory(l);
  if (*index == NOBODY) {
    if (!array_room(&l->barrier, &l->barriers_room, l->barriers + 1, sizeof *l->barrier)) return list_no_memory(l);
    *index = (uint32_t)l->barriers;
    l->barrier[l->barriers++] = (struct list_barrier){
        .id = (uint32_t)id, .number = (uint32_t)number, .participants = (uint32_t)participants, .line = t->number};
  }
  struct list_barrier *b = &l->barrier[*index];
  if (b->participants != participants)
    return list_line_fail(t, 5, "%u participants, line %u says %u; all lines of an instance say the same",
                          (unsigned)participants, b->line, b->participants);
  e->instance = (uint32_t)*index;
  b->came++;
  return true;
}

static bool on_barrier(struct list *l, struct list_line *t) {
  struct list_event e = {.kind = LIST_BARRIER, .semantics = LIST_SC};
  return take_who(l, t, &e) && take_instance(l, t, &e) && take_rest(l, t, &e) && sensible(l, t, &e) && add_event(l, &e);
}

/* ---- memory at the start and at the end ---- */

static bool each_once(struct list *l, struct list_line *t, struct map *seen, uint64_t at, unsigned bytes) {
  for (unsigned n = 0; n < bytes; n++) {
    uint64_t *line = map_at(seen, ISA_SPACE_GLOBAL, at + n, NOBODY);
    if (line == NULL) return list_no_memory(l);
    if (*line != NOBODY)
      return list_line_fail(t, 1, "byte 0x%llx is in line %u already; name each once", (unsigned long long)(at + n),
                            (unsigned)*line);
    *line = t->number;
  }
  return true;
}

static bool take_memory(struct list *l, struct list_line *t, struct map *seen, struct list_event *e) {
  if (!list_line_place(t, &e->space, &e->at, &e->bytes) || !list_line_value(t, "the value", e->bytes, e->saw))
    return false;
  if (e->space != ISA_SPACE_GLOBAL)
    return list_line_fail(t, 1, "only global memory has contents at the start and the end; drop the line");
  e->line = t->number;
  return each_once(l, t, seen, e->at, e->bytes);
}

static bool on_memory(struct list *l, struct list_line *t) {
  struct list_event e = {.kind = LIST_FINAL};
  if (!take_memory(l, t, &l->starts, &e)) return false;
  if (l->o->locations >= l->o->most) return order_too_much(l->o, "more of memory than the limit (--accesses)");
  struct location *place = order_location_at(l->o, ISA_SPACE_GLOBAL, 0, e.at / PLACE_BYTES);
  if (place == NULL) return false;
  const unsigned first = (unsigned)(e.at % PLACE_BYTES);
  memcpy(place->bytes + first, e.saw, e.bytes);
  memcpy(place->initial + first, e.saw, e.bytes);
  place->known |= order_mask(first, e.bytes);
  return true;
}

static bool on_final(struct list *l, struct list_line *t) {
  struct list_event e = {.kind = LIST_FINAL, .thread = NOBODY};
  return take_memory(l, t, &l->ends, &e) && add_event(l, &e);
}

/* ---- the whole ---- */

static bool on_end(struct list *l, struct list_line *t) {
  (void)t;
  l->ended = true;
  return true;
}

static const struct {
  const char *word;
  bool (*take)(struct list *l, struct list_line *t);
} keyword[] = {{"load", on_load},       {"store", on_store},     {"atomic", on_atomic}, {"fence", on_fence},
               {"barrier", on_barrier}, {"thread", on_thread},   {"memory", on_memory}, {"final", on_final},
               {"stamps", on_stamps},   {"granule", on_granule}, {"scopes", on_scopes}, {"end", on_end}};
enum { KEYWORDS = sizeof keyword / sizeof *keyword, EVENTS = 5 /* the first of them */ };

static bool take_keyword(struct list *l, struct list_line *t) {
  const char *w = list_line_word(t, "a keyword");
  unsigned k = 0;
  while (k < KEYWORDS && strcmp(w, keyword[k].word) != 0) k++;
  if (l->ended) return list_line_fail(t, 0, "a line behind 'end'; drop one of the two");
  if (k == KEYWORDS) return list_line_fail(t, 0, "'%.40s' is no keyword of version %u", w, LIST_VERSION);
  if (k < EVENTS && l->stamps == LIST_UNSAID)
    return list_line_fail(t, 0, "an event before the line 'stamps total', 'stamps partial' or 'stamps none'");
  if (k < EVENTS) l->o->r->records++;
  return keyword[k].take(l, t) && list_line_over(t);
}

static bool take_version(struct list_line *t) {
  uint64_t version;
  if (!list_line_next(t) || strcmp(t->word[0], LIST_FIRST_WORD) != 0)
    return list_line_fail(t, 0, "a list begins with '%s %u'", LIST_FIRST_WORD, LIST_VERSION);
  t->taken = 1;
  if (!list_line_number(t, "the version", UINT32_MAX, &version)) return false;
  if (version != LIST_VERSION)
    return list_line_fail(t, 1, "version %u; this program reads version %u", (unsigned)version, LIST_VERSION);
  return list_line_over(t);
}

bool list_read(struct list *l, FILE *f) {
  struct list_line t = {.o = l->o, .f = f};
  if (!take_version(&t)) return false;
  while (list_line_next(&t))
    if (!take_keyword(l, &t)) return false;
  if (l->o->r->outcome != ORDER_HOLDS) return false;
  if (ferror(f)) return list_line_fail(&t, 0, "cannot be read to its end");
  if (!l->ended) return list_line_fail(&t, 0, "no line 'end': the list is not whole; write it when the run is over");
  if (l->events == 0) return list_line_fail(&t, 0, "no event; a list of nothing shows nothing");
  if (l->granule == 0) l->granule = 1;
  return true;
}
