/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of this folder with inputs and the memory that they must leave behind, computed by plain C on the
 * host. Every launch of a kernel has more blocks than fit on a core at once. */
#ifndef HEDDLE_KERNELS_H
#define HEDDLE_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kernel_compare {
  KERNEL_EXACT,      /* equals `expect` byte by byte */
  KERNEL_PERMUTATION /* 32-bit words: the same multiset as `expect`, any order (results of racing atomics) */
};

struct kernel_arg {
  bool is_buffer;
  uint64_t scalar;        /* !is_buffer: raw bits */
  unsigned bytes_scalar;  /* 4 or 8 */
  uint8_t *init, *expect; /* is_buffer: contents before and after; owned */
  size_t bytes;
  enum kernel_compare compare;
};

#define KERNEL_ARGS 8u

struct kernel_case {
  uint32_t grid[3], block[3];
  struct kernel_arg arg[KERNEL_ARGS];
  unsigned args;
};

struct kernel_info {
  const char *name; /* entry, and NAME.s in this folder */
  const char *what;
  bool (*prepare)(struct kernel_case *c, uint64_t seed, unsigned scale);
};

/* All kernels; ends with a NULL name. */
extern const struct kernel_info kernel_table[];
const struct kernel_info *kernel_find(const char *name);

/* Inputs and expected memory. `scale` 1 gives at least 10,000 warp instructions; 0 a small launch for quick tests.
 * The same seed gives the same case. False: no memory. */
bool kernel_prepare(const struct kernel_info *k, uint64_t seed, unsigned scale, struct kernel_case *c);
void kernel_case_clear(struct kernel_case *c);

/* Does `got` (arg->bytes bytes) hold what arg expects? On failure *at = first wrong byte. */
bool kernel_matches(const struct kernel_arg *arg, const uint8_t *got, size_t *at);

#endif
