/* SPDX-License-Identifier: Apache-2.0
 * Event counters in words. */
#include "profile.h"

#include <inttypes.h>

#include "heddle/host_regs.h"

/* By enum heddle_counter. */
static const char *const names[HEDDLE_COUNTERS] = {"issued", "not_selected", "wait",   "stall", "pipe",
                                                   "fetch",  "sync",         "memory", "const", "other"};

const char *profile_name(unsigned counter) {
  return names[counter];
}

void profile_print(FILE *to, const char *name, uint64_t retired, uint64_t cycles,
                   const uint32_t counter[RUN_COUNTERS]) {
  fprintf(to, "%s: %" PRIu64 " warp instructions", name, retired);
  if (cycles > 0) fprintf(to, ", %" PRIu64 " cycles; warp cycles:", cycles);
  for (unsigned i = 1; i < HEDDLE_COUNTERS && cycles > 0; i++) fprintf(to, " %s %u", names[i], counter[i]);
  fputc('\n', to);
}

json_t *profile_json(const uint32_t counter[RUN_COUNTERS]) {
  json_t *j = json_object();
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) (void)json_object_set_new(j, names[i], json_integer(counter[i]));
  return j;
}
