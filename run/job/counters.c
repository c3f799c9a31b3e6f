/* SPDX-License-Identifier: Apache-2.0
 * Event counters in words. */
#include "counters.h"

#include <inttypes.h>

#include <heddle/host_regs.h>

/* By enum heddle_counter. */
static const char *const names[HEDDLE_COUNTERS] = {"issued", "not_selected", "wait",   "stall", "pipe",
                                                   "fetch",  "sync",         "memory", "const", "other"};

/* By enum heddle_cache_counter. */
static const char *const cache_names[HEDDLE_CACHE_COUNTERS] = {"loads",  "hit",    "joined",   "asked",  "by",
                                                               "stores", "strong", "replaced", "errors", "emptied"};

static bool has_cache(const uint64_t counter[RUN_COUNTERS]) {
  uint64_t any = 0;
  for (unsigned i = 0; i < HEDDLE_CACHE_COUNTERS; i++) any |= counter[RUN_CACHE_COUNTERS + i];
  return any != 0;
}

const char *profile_name(unsigned counter) {
  return names[counter];
}

void profile_print(FILE *to, const char *name, uint64_t retired, uint64_t cycles,
                   const uint64_t counter[RUN_COUNTERS]) {
  fprintf(to, "%s: %" PRIu64 " warp instructions", name, retired);
  if (cycles > 0) fprintf(to, ", %" PRIu64 " cycles; warp cycles:", cycles);
  for (unsigned i = 1; i < HEDDLE_COUNTERS && cycles > 0; i++) fprintf(to, " %s %" PRIu64, names[i], counter[i]);
  fputc('\n', to);
  if (!has_cache(counter)) return;
  fprintf(to, "%s: cache:", name);
  for (unsigned i = 0; i < HEDDLE_CACHE_COUNTERS; i++)
    fprintf(to, " %s %" PRIu64, cache_names[i], counter[RUN_CACHE_COUNTERS + i]);
  fputc('\n', to);
}

json_t *profile_json(const uint64_t counter[RUN_COUNTERS]) {
  json_t *j = json_object();
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++)
    (void)json_object_set_new(j, names[i], json_integer((json_int_t)counter[i]));
  if (!has_cache(counter)) return j;
  json_t *cache = json_object();
  for (unsigned i = 0; i < HEDDLE_CACHE_COUNTERS; i++)
    (void)json_object_set_new(cache, cache_names[i], json_integer((json_int_t)counter[RUN_CACHE_COUNTERS + i]));
  (void)json_object_set_new(j, "cache", cache);
  return j;
}
