/* SPDX-License-Identifier: Apache-2.0
 * Shared by the generators: declarations of functions, and the spare normal number. */
#ifndef HEDDLE_CURAND_STATE_H
#define HEDDLE_CURAND_STATE_H

#ifndef __CUDA__
#error "curand_kernel.h is for kernels: CUDA C, by heddle-nvcc or heddle cc"
#endif

#define QUALIFIERS static __forceinline__ __device__

/* The second number of each normal pair waits here. */
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
