/* SPDX-License-Identifier: Apache-2.0
 * Copies of 4, 8 or 16 bytes from global to shared memory, in groups of the warp: cp.async. */
#ifndef HEDDLE_CUDA_PIPELINE_H
#define HEDDLE_CUDA_PIPELINE_H

#include <cuda_awbarrier_primitives.h>

/* `bytes` and `zeros` are constants where they are inlined. */
__HEDDLE_MB void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0) {
  const unsigned at = __heddle_shared(to), rest = (unsigned)(bytes - zeros);
#define __HEDDLE_COPY(BYTES)                                                                                           \
  if (bytes == BYTES)                                                                                                  \
  __asm__ volatile("cp.async.ca.shared.global [%0], [%1], " #BYTES ", %2;" ::"r"(at), "l"(from), "r"(rest) : "memory")
  __HEDDLE_COPY(4);
  __HEDDLE_COPY(8);
  __HEDDLE_COPY(16);
#undef __HEDDLE_COPY
}
__HEDDLE_MB void __pipeline_commit() {
  __asm__ volatile("cp.async.commit_group;" ::: "memory");
}
/* All groups but the last n; of more than 7 all but 7. */
__HEDDLE_MB void __pipeline_wait_prior(size_t n) {
#define __HEDDLE_WAIT(N)                                                                                               \
  case N:                                                                                                              \
    __asm__ volatile("cp.async.wait_group " #N ";" ::: "memory");                                                      \
    break
  switch (n) {
    __HEDDLE_WAIT(0);
    __HEDDLE_WAIT(1);
    __HEDDLE_WAIT(2);
    __HEDDLE_WAIT(3);
    __HEDDLE_WAIT(4);
    __HEDDLE_WAIT(5);
    __HEDDLE_WAIT(6);
  default:
    __asm__ volatile("cp.async.wait_group 7;" ::: "memory");
  }
#undef __HEDDLE_WAIT
}
__HEDDLE_MB void __pipeline_arrive_on(__mbarrier_t *b) {
  __asm__ volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(__heddle_shared(b)) : "memory");
}

#endif
