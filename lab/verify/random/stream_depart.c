/* SPDX-License-Identifier: Apache-2.0
 * Directed stream: a whole block leaves while others go on, and the next one may take its place. It does so by a
 * guarded EXIT, behind which words are fetched that it never executes. */
#include "lab/verify/random/streams.h"

#include <stdio.h>

#define E(...) random_emit(p, __VA_ARGS__)

/* What the end leaves to compare would be missing from most blocks otherwise: few leave. */
bool depart_fits(const struct random_program *p) {
  const bool shares = p->knobs.value[KNOB_STREAM_SHARE].high != 0; /* others wait for it */
  return random_blocks(p) > 1 && p->launch.trap == 0 && !shares;
}

void stream_depart(struct random_program *p, const struct node *n) {
  const unsigned blocks = random_blocks(p), one = random_below(p, blocks), threads = random_threads(p);
  const unsigned at = REG_ADDRESS;
  const bool kill = random_chance(p, 20);
  (void)n;
  E("MOV R%u, R%u ;\n", at, REG_THREAD);
  if (random_chance(p, 70)) { /* block number `one` alone */
    E("IADD3 R%u, R%u, 0x%x, RZ ;\nISETP.LT.U32.AND P6, PT, R%u, 0x%x, PT ;\n", at, at, 0u - one * threads, at,
      threads);
  } else { /* the first blocks, or the last ones */
    E("ISETP.%s.U32.AND P6, PT, R%u, 0x%x, PT ;\n", random_chance(p, 50) ? "LT" : "GE", at, one * threads);
  }
  E("@P6 %s ;\n", kill ? "KILL" : "EXIT");
}
