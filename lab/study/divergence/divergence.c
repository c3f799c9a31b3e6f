/* SPDX-License-Identifier: Apache-2.0
 * Sums over the launches of a program. */
#include "divergence.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/splitmix64.h"

const char *rule_name(enum rule r) {
  static const char *const name[RULES] = {[RULE_STACK] = "stack",
                                          [RULE_ITS] = "its",
                                          [RULE_FORMED] = "dwf",
                                          [RULE_FORMED_LANES] = "dwf_lanes",
                                          [RULE_COMPACTED] = "tbc"};
  return name[r];
}

static void add_slots(struct slots *sum, const struct slots *s) {
  sum->issues += s->issues;
  sum->lanes += s->lanes;
}

static bool formed(struct divergence *d, const struct streams *s, const struct divergence_options *o, bool lanes,
                   struct replay_why *why) {
  struct formation f = o->formation;
  struct slots t;
  f.lanes = lanes;
  if (!replay_formation(s, &f, &t, why)) return false;
  add_slots(&d->slots[lanes ? RULE_FORMED_LANES : RULE_FORMED], &t);
  return true;
}

/* What no unit of ours does; and of this all threads' instructions must be in some slot. */
static bool others(struct divergence *d, const struct streams *s, const struct divergence_options *o,
                   struct replay_why *why) {
  struct slots t;
  uint64_t apart;
  if (!formed(d, s, o, false, why) || !formed(d, s, o, true, why)) return false;
  if (!replay_compaction(s, &t, &apart, why)) return false;
  add_slots(&d->slots[RULE_COMPACTED], &t);
  d->apart += apart;
  const struct thread_work w = streams_work(s);
  d->work.all += w.all;
  d->work.across += w.across;
  for (unsigned r = RULE_FORMED; r < RULES; r++) {
    if (d->slots[r].lanes == d->work.all) continue;
    (void)snprintf(why->text, sizeof why->text, "%s has %" PRIu64 " lanes in its slots, threads did %" PRIu64,
                   rule_name((enum rule)r), d->slots[r].lanes, d->work.all);
    return false;
  }
  return true;
}

static bool room_for_branches(struct divergence *d, const struct streams *s, struct replay_why *why) {
  if (d->branch == NULL) {
    d->branch = calloc((size_t)s->code.words + 1, sizeof *d->branch);
    d->words = s->code.words;
  }
  if (d->branch != NULL && d->words == s->code.words) return true;
  (void)snprintf(why->text, sizeof why->text, d->branch == NULL ? "no memory" : "launches of several programs");
  return false;
}

static bool replay(struct divergence *d, const struct streams *s, bool its, bool full,
                   const struct divergence_options *o, struct replay_why *why) {
  struct slots own, other = {0};
  if (full && !room_for_branches(d, s, why)) return false;
  if (!replay_unit(s, its, true, &own, full && !its ? d->branch : NULL, why)) return false;
  if (its) d->its_alone += own.issues;
  if (!full) return true;
  if (!replay_unit(s, !its, false, &other, its ? d->branch : NULL, why)) return false;
  add_slots(&d->slots[RULE_STACK], its ? &other : &own);
  add_slots(&d->slots[RULE_ITS], its ? &own : &other);
  return others(d, s, o, why);
}

bool divergence_add(struct divergence *d, const struct streams *s, bool its, bool full,
                    const struct divergence_options *o, char *why, size_t n) {
  struct replay_why w = {{0}};
  struct divergence_run *run = &d->run[its];
  if (!replay(d, s, its, full, o, &w)) {
    snprintf(why, n, "launch %" PRIu64 ": %s", run->launches, w.text);
    return false;
  }
  run->hash = splitmix64_mix(run->hash ^ streams_hash(s));
  run->launches++;
  run->issues += s->issues;
  return true;
}

bool divergence_same_threads(const struct divergence *d) {
  return d->run[0].launches == d->run[1].launches && d->run[0].hash == d->run[1].hash;
}

bool divergence_agree(const struct divergence *d, char *why, size_t n) {
  if (d->slots[RULE_STACK].issues != d->run[0].issues || d->its_alone != d->run[1].issues) {
    snprintf(why, n, "the replay takes %" PRIu64 " and %" PRIu64 " slots, the machine took %" PRIu64 " and %" PRIu64,
             d->slots[RULE_STACK].issues, d->its_alone, d->run[0].issues, d->run[1].issues);
    return false;
  }
  if (!divergence_same_threads(d) || d->slots[RULE_ITS].issues == d->run[1].issues) return true;
  snprintf(why, n, "threads did the same under both units; its should take %" PRIu64 " slots and took %" PRIu64,
           d->slots[RULE_ITS].issues, d->run[1].issues);
  return false;
}

void divergence_clear(struct divergence *d) {
  free(d->branch);
  *d = (struct divergence){0};
}
