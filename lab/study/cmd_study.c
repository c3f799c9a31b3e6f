/* SPDX-License-Identifier: Apache-2.0
 * heddle study: what can be learnt about SIMT machines with this one. */
#include <string.h>

#include "lab/study/study.h"

static const struct tool_group groups[] = {
    {"divergence:", study_divergence_options}, {"bounds:", study_bounds_options}, {0}};
static const char *const usage[] = {"divergence [KERNEL ...] [options]", "divergence --trace FILE [options]",
                                    "bounds [KERNEL ...] [options]", NULL};
static const char *const examples[] = {"heddle study divergence mandelbrot vm --branches",
                                       "heddle study divergence ifelse --on rtl --config tiny -o divergence",
                                       "heddle study bounds vecadd sgemm8x8 --config sm -o bounds", NULL};
static const char about[] =
    "divergence: issue slots and lanes in them under both divergence units, under dynamic warp formation with and "
    "without lanes that threads keep, under thread-block compaction, and without warps, by replay of what each thread "
    "did. Each kernel of firmware/kernels runs under both units; the replay of either must be what ran, issue by "
    "issue. See docs/study-divergence.md.\nbounds: the cycles of each kernel beside those that could not be fewer: of "
    "issue, of each pipe, of the load/store unit, of AXI's channels; and beside what a block alone takes, as often as "
    "the machine has to be filled. In lockstep. See docs/study-bounds.md.";

static int study_main(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
  } table[] = {{"divergence", study_divergence}, {"bounds", study_bounds}};
  for (unsigned i = 0; argc > 1 && i < sizeof table / sizeof *table; i++)
    if (strcmp(argv[1], table[i].name) == 0) return table[i].run(argc - 1, argv + 1);
  return tool_usage("study", "expected: divergence, bounds");
}

const struct tool_command cmd_study = {"study",    "what can be learnt about SIMT machines: divergence, bounds",
                                       study_main, usage,
                                       about,      groups,
                                       examples,   "divergence bounds"};
