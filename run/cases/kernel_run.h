/* SPDX-License-Identifier: Apache-2.0
 * One case of a kernel of firmware/kernels, on a runner, or on any executor of a job. Its launches run in order over
 * the same buffers; then results are compared with the host's. */
#ifndef HEDDLE_KERNEL_RUN_H
#define HEDDLE_KERNEL_RUN_H

#include <stddef.h>

#include <heddle/machine.h>
#include <heddle/program.h>
#include "firmware/kernels/kernels.h"
#include "run/programs/source.h"
#include "run/runner/runner.h"

struct kernel_totals {
  unsigned kernels, failed, lacking, unfit;
  uint64_t launches, retired, cycles, checked, lanes, performs, divergent, barriers, differences, axi[8];
  uint64_t counter[RUN_COUNTERS];
  struct signature diagnosis; /* of the last launch */
};

/* DIR/NAME.s assembled, or the PTX compiled as `o` says. NULL: message on stderr. */
struct heddle_program *kernel_program(const char *dir, const struct kernel_info *k, enum kernel_form form,
                                      const struct source_options *o);

/* Launch `number` of the case. `now`: what its buffers hold, borrowed; NULL: their first contents. */
bool kernel_job(struct job *j, const struct heddle_program *p, const struct kernel_case *c, unsigned number,
                uint8_t *const now[], char *why, size_t why_bytes);

/* The lacking units for the first launch that the machine cannot run, in words; false: it lacks none. */
bool kernel_lacks(const struct heddle_machine *m, const struct heddle_program *p, const struct kernel_case *c,
                  char *text, size_t text_bytes);

/* Executes launch `number` of a case; `image` gets global memory [mem_base, mem_base + mem_bytes) as it is left. */
typedef bool (*kernel_execute)(void *ctx, unsigned number, const struct job *j, uint8_t *image, char *why,
                               size_t why_bytes);

/* The case: its launches one after another over the same buffers and module variables, each done by `execute`, then the
 * comparison with what the host computed. False: why in `why`. */
bool kernel_case_run(const struct heddle_program *p, const struct kernel_case *c, kernel_execute execute, void *ctx,
                     char *why, size_t why_bytes);

/* On a runner; adds to `t`. The launches alone, over `now`, which holds afterwards what they left; or the whole case.
 */
bool kernel_launches(struct runner *r, const struct heddle_program *p, const struct kernel_case *c,
                     uint8_t *const now[], struct kernel_totals *t, char *why, size_t why_bytes);
bool kernel_run(struct runner *r, const struct heddle_program *p, const struct kernel_case *c, struct kernel_totals *t,
                char *why, size_t why_bytes);

/* Instructions of a program that the RTL does not have yet, or a machine with other units lacks: computed from the
 * words, never from a list of names. */

/* Their names with modifiers, each once, by the alphabet, with ", " between; what does not fit ends in "...".
 * `units`: bit per enum heddle_isa_unit. How many there are; 0: the machine can run the program. */
unsigned rtl_lack(const struct heddle_program *p, uint32_t units, char *text, size_t size);

#endif
