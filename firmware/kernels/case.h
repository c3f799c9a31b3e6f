/* SPDX-License-Identifier: Apache-2.0
 *
 * For the files of host/, which build their cases: buffers first, then case_seal, then the host's expected values,
 * and the launches. Errors come from case_seal alone, which fails without memory. */
#ifndef HEDDLE_KERNEL_CASE_H
#define HEDDLE_KERNEL_CASE_H

#include "firmware/kernels/kernels.h"

/* Numbers from the state of a splitmix64. */
uint32_t case_word(uint64_t *state);
float case_float(uint64_t *state);                          /* finite, over a wide range, some zeros and subnormals */
float case_between(uint64_t *state, float low, float high); /* evenly */

enum case_kind {
  CASE_IN,   /* filled by the caller; the launches may not write it */
  CASE_OUT,  /* noise before, so that a lost store shows */
  CASE_INOUT /* filled by the caller; written by the launches */
};
/* Buffers have the numbers 0, 1, ... in the order of these calls. The first contents, zeroed; NULL: no memory, or 0
 * bytes requested. */
void *case_buffer(struct kernel_case *c, enum case_kind kind, size_t bytes);
/* False: some buffer has no memory. Before case_seal it can be called before filling. */
bool case_has_memory(const struct kernel_case *c);
/* Noise in the CASE_OUT buffers; `expect` of every buffer = its first contents. */
void case_seal(struct kernel_case *c, uint64_t *state);
/* Expected content of buffer `number` at the end, to be written by the caller. */
void *case_expect(struct kernel_case *c, unsigned number);
/* Buffer `number` holds floats that need only be near (KERNEL_NEAR). */
void case_near(struct kernel_case *c, unsigned number, double relative, double absolute);

/* One more launch, of one thread until it gets a shape. */
struct kernel_launch *case_launch(struct kernel_case *c, const char *entry);
void launch_line(struct kernel_launch *l, uint32_t threads, uint32_t block); /* enough blocks for all threads */
void launch_plane(struct kernel_launch *l, uint32_t width, uint32_t height, uint32_t block_x, uint32_t block_y);
/* Arguments in the kernel's order. */
void launch_buffer(struct kernel_launch *l, unsigned number);
void launch_u32(struct kernel_launch *l, uint32_t v);
void launch_u64(struct kernel_launch *l, uint64_t v);
void launch_float(struct kernel_launch *l, float v);
void launch_local(struct kernel_launch *l, unsigned bytes); /* a `__local` pointer argument */

#endif
