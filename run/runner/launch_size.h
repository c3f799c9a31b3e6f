/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes of a launch as a person gives them: blocks and threads of a block, or all threads (OpenCL's global size). The
 * first step of `heddle run` (docs/how-a-launch-travels.md, A 1). */
#ifndef HEDDLE_LAUNCH_SIZE_H
#define HEDDLE_LAUNCH_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/program.h>

struct launch_size { /* [0] is 0 where it was not given */
  uint32_t grid[3], block[3], global[3];
};

bool launch_size_take(const char *text, uint32_t size[3]); /* "4", "4,2", "4,2,1", each at least 1 */
/* Does the block depend on the kernel? */
bool launch_size_waits(const struct launch_size *s);
/* Makes grid and block complete. Without a block all threads are put into blocks that the kernel requires, or of at
 * most 64. `p` may be NULL. False: a message. */
bool launch_size_finish(struct launch_size *s, const struct heddle_promise *p, char *err, size_t err_bytes);

#endif
