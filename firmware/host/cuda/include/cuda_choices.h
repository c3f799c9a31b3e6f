/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of the CUDA runtime that is C++ throughout: the block size with which most warps are on the device,
 * launches with type-checked arguments. cuda_runtime.h includes it. */
#ifndef HEDDLE_CUDA_CHOICES_H
#define HEDDLE_CUDA_CHOICES_H

#include "cuda_runtime_api.h"

/* Among sizes in steps of a warp, from `limit` down (0: the kernel's limit), the first with most threads at once. */
template <class Kernel, class SharedOf>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, Kernel kernel,
                                                                  SharedOf shared_of, int limit = 0) {
  cudaFuncAttributes a;
  int sms = 0, best = 0;
  if (!grid || !block) return cudaErrorInvalidValue;
  cudaError_t e = cudaFuncGetAttributes(&a, (const void *)kernel);
  if (e == cudaSuccess) e = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int most = limit > 0 && limit < a.maxThreadsPerBlock ? limit : a.maxThreadsPerBlock;
  for (int n = most; e == cudaSuccess && n > 0; n = (n - 1) / 32 * 32) {
    int blocks = 0;
    e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)kernel, n, shared_of(n));
    if (e != cudaSuccess || blocks * n <= best) continue;
    best = blocks * n;
    *block = n;
    *grid = blocks * sms;
  }
  return e == cudaSuccess && best == 0 ? cudaErrorInvalidConfiguration : e;
}

template <class Kernel>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, Kernel kernel, size_t shared = 0,
                                                      int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      grid, block, kernel, [shared](int) { return shared; }, limit);
}
template <class Kernel>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, Kernel kernel, size_t shared = 0,
                                                               int limit = 0, unsigned flags = 0) {
  (void)flags;
  return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, shared, limit);
}

template <class T> struct heddle_as_declared { typedef T type; };
/* Each argument is converted to what the kernel takes. */
template <class... T>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(T...),
                                      typename heddle_as_declared<T>::type... arguments) {
  void *all[sizeof...(T) + 1] = {(void *)&arguments...};
  return cudaLaunchKernelExC(config, (const void *)kernel, all);
}

template <class T> inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaCreateChannelDesc(int(8 * sizeof(T)), 0, 0, 0, cudaChannelFormatKindNone);
}

#endif
