/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels in which a register of the warp could be written by one path while another still reads it, beside the same in
 * C. A kernel k(out, a, b, n) leaves one word for each thread. %t is its number in the block, %a %b %n the parameters,
 * %at the address of its word. %p %q are predicates, %i %x %y %c %d %e words, %la %lb %lc of 64 bits. */
#ifndef UNIPATH_KERNELS_H
#define UNIPATH_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

struct unipath_arguments {
  uint32_t a, b, n;
  uint32_t threads; /* of a block */
};

struct unipath_kernel {
  const char *name, *body; /* the result is in %x at the label "done" */
  uint32_t (*twin)(uint32_t t, uint32_t block, const struct unipath_arguments *p);
  bool its_only;
  const char *has; /* an instruction that must be there when everything goes over; NULL: none of the datapath */
};

enum { UNIPATH_KERNELS = 11 };
extern const struct unipath_kernel unipath_kernel[UNIPATH_KERNELS];

#endif
