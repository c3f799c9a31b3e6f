/* SPDX-License-Identifier: Apache-2.0
 *
 * One case of a kernel of firmware/kernels on a runner: its launches one after the other over the same buffers, then
 * the comparison with what the host computed. */
#ifndef HEDDLE_KERNEL_RUN_H
#define HEDDLE_KERNEL_RUN_H

#include "kernels.h"
#include "runner.h"
#include "source.h"

struct kernel_totals {
  unsigned kernels, failed, lacking;
  uint64_t launches, retired, cycles, checked, lanes, performs, divergent, barriers, differences, axi[8];
  uint32_t counter[RUN_COUNTERS];
  struct run_end end; /* of the last launch */
};

/* DIR/NAME.s assembled, or the PTX compiled as `o` says. NULL: message on stderr. */
struct heddle_program *kernel_program(const char *dir, const struct kernel_info *k, enum kernel_form form,
                                      const struct source_options *o);

/* Launch `number` of the case. `now`: what its buffers hold, borrowed; NULL: their first contents. */
bool kernel_job(struct job *j, const struct heddle_program *p, const struct kernel_case *c, unsigned number,
                uint8_t *const now[], char *why, size_t why_bytes);

/* All launches of `c` over `now`, which holds afterwards what they left; adds to `t`. False: why in `why`. */
bool kernel_launches(struct runner *r, const struct heddle_program *p, const struct kernel_case *c,
                     uint8_t *const now[], struct kernel_totals *t, char *why, size_t why_bytes);

/* The same from the first contents on, and the comparison. */
bool kernel_run(struct runner *r, const struct heddle_program *p, const struct kernel_case *c, struct kernel_totals *t,
                char *why, size_t why_bytes);

#endif
