/* SPDX-License-Identifier: Apache-2.0
 *
 * The event counters of a cache, from its records: what they count is what records show.
 */
#include "cosim/checker/visibility.h"

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
