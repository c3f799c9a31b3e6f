/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside cosim/platform: what a board does with what the driver tells it of a host (heddle_watch): call sites of
 * allocations, launches that are kept or counted, places in lockstep's reports. */
#ifndef HEDDLE_PLATFORM_WATCH_H
#define HEDDLE_PLATFORM_WATCH_H

#include "cosim/platform/pads.h"
#include "cosim/platform/platform.h"
#include "cosim/platform/record.h"
#include "cosim/platform/stats.h"

/* Each but the first may be NULL: nobody asks for it. All owned from when they stand here. */
struct watch {
  struct heddle_watch face;
  struct sites *sites;
  struct record *record;
  struct stats *stats;
  struct pads *pads;
  struct lockstep_port *lockstep; /* borrowed */
};

/* Into *port; `w` stays where it is. False: no memory. */
bool watch_bind(struct watch *w, struct heddle_port *port);
void watch_close(struct watch *w); /* tells what there is to tell, and frees */

#endif
