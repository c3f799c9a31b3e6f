/* SPDX-License-Identifier: Apache-2.0
 *
 * Pending results along a stretch of code, for both ways of making control codes. By place: the time of a result of
 * fixed latency, and the counters of those of variable latency.
 */
#ifndef HEDDLE_ISA_ASM_SCHEDULE_H
#define HEDDLE_ISA_ASM_SCHEDULE_H

#include <heddle/hazard.h>

enum { PENDING_STALL_MAX = 15 };

/* Time runs in stall counts; 0 is where the stretch begins. All zero: nothing is on its way. */
struct pending {
  int ready[HEDDLE_HAZARD_PLACES];       /* from when on the place may be touched */
  uint8_t counter[HEDDLE_HAZARD_PLACES]; /* mask of the counters that must be zero first */
  uint8_t early[HEDDLE_HAZARD_PLACES]; /* mask of counters that show, once zero, that it need not be `ready` any more */
};

/* Results that must be there. */
struct pending_needs {
  int ready;
  unsigned wait; /* mask of counters */
};

/* Before the instruction issues: sources, and results too, since they are written in order. */
struct pending_needs pending_before(const struct pending *p, const struct heddle_isa_dec *d);

/* Results of an instruction that issues at `now`. Those of variable latency are known by `counter`; those of a fixed
 * one by time, and by the write counter that the instruction names, if it names one. */
void pending_fixed(struct pending *p, const struct heddle_isa_dec *d, int now, const uint8_t stall[8],
                   unsigned counter);
void pending_variable(struct pending *p, const struct heddle_isa_dec *d, unsigned counter);

/* These have been waited for. */
void pending_done(struct pending *p, unsigned counters);

#endif
