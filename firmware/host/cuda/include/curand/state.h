/* SPDX-License-Identifier: Apache-2.0
 * What the generators share: how functions are declared, and the normal number that was made beside the last one. */
#ifndef HEDDLE_CURAND_STATE_H
#define HEDDLE_CURAND_STATE_H

#ifndef __CUDA__
#error "curand_kernel.h is for kernels: CUDA C, by heddle-nvcc or heddle cc"
#endif

#define QUALIFIERS static __forceinline__ __device__

/* Of each pair of normal numbers the second waits here. */
#define __HEDDLE_CURAND_PAIR                                                                                           \
  int boxmuller_flag;                                                                                                  \
  int boxmuller_flag_double;                                                                                           \
  float boxmuller_extra;                                                                                               \
  double boxmuller_extra_double;

template <class S> __heddle_fn void __heddle_no_pair(S *s) {
  s->boxmuller_flag = 0;
  s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0;
  s->boxmuller_extra_double = 0;
}

#endif
