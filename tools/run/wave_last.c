/* SPDX-License-Identifier: Apache-2.0
 * A failed run once more, with a wave of its last cycles (--wave-last). */
#include <inttypes.h>
#include <unistd.h>

#include "tools/run/runner.h"

struct run_end run_end_of(const struct run_result *r) {
  return (struct run_end){.status = r->status, .stopped = r->stopped, .diagnosis = r->diagnosis};
}

bool run_wave_again(const struct run_options *o, const struct run_end *first, struct run_options *again) {
  const bool failed = first->status == RUN_DIFFERENCE || first->status == RUN_LIMIT;
  if (!o->wave || o->wave_last == 0 || o->wave_from != 0 || !failed) return false;
  *again = *o;
  again->wave_from = first->stopped > o->wave_last ? first->stopped - o->wave_last : 1;
  again->trace = again->stream = again->cov = NULL; /* they are of the first run */
  return true;
}

void run_wave_tell(const struct run_options *again, const struct run_end *first, const struct run_end *second) {
  if (access(again->wave, R_OK) != 0)
    tool_error("%s: the wave could not be written", again->wave);
  else if (second->stopped == first->stopped && signature_equal(&first->diagnosis, &second->diagnosis))
    tool_log("wave: %s has the failure in cycle %" PRIu64 " and the %" PRIu64 " before it", again->wave, first->stopped,
             first->stopped - again->wave_from);
  else
    tool_error("%s: the run done again ended otherwise: %s in cycle %" PRIu64 " instead of %s in cycle %" PRIu64,
               again->wave, run_status_name(second->status), second->stopped, run_status_name(first->status),
               first->stopped);
}
