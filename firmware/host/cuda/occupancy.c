/* SPDX-License-Identifier: Apache-2.0
 * What kernels take of the device, and how many blocks it holds at once. */
#include "firmware/host/cuda/internal.h"

#include <string.h>

#include <heddle/host.h>

enum { WARP = 32 };

uint64_t cuda_blocks_of(const struct heddle_function_info *k, uint64_t threads, uint64_t shared) {
  const uint64_t warps = (threads + WARP - 1) / WARP, registers = warps * k->registers,
                 bytes = k->shared_bytes + shared;
  uint64_t n = cuda_attribute(HEDDLE_ATTRIBUTE_BLOCK_SLOTS), of[3];
  if (threads == 0 || threads > cuda_attribute(HEDDLE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)) return 0;
  of[0] = cuda_attribute(HEDDLE_ATTRIBUTE_WARP_SLOTS) / warps;
  of[1] = registers > 0 ? cuda_attribute(HEDDLE_ATTRIBUTE_WARP_REGISTERS) / registers : n;
  of[2] = bytes > 0 ? cuda_attribute(HEDDLE_ATTRIBUTE_SHARED_BYTES) / bytes : n;
  for (unsigned i = 0; i < 3; i++)
    if (of[i] < n) n = of[i];
  return n;
}

cudaError_t cuda_describe(const void *kernel, struct heddle_function_info *info) {
  struct heddle_function *f;
  struct cuda_image *image;
  cudaError_t e = cuda_ready();
  if (e == cudaSuccess) e = cuda_kernel(kernel, &f, &image);
  return e == cudaSuccess ? cuda_from_driver(heddle_function_describe(f, info), "a kernel") : e;
}

void cuda_function_attributes(struct cudaFuncAttributes *out, const struct heddle_function_info *k) {
  const uint64_t shared = cuda_attribute(HEDDLE_ATTRIBUTE_SHARED_BYTES);
  const uint64_t device = cuda_attribute(HEDDLE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  uint64_t threads = heddle_host_block_threads(&k->promise);
  if (threads > device) threads = device;
  while (threads > 0 && cuda_blocks_of(k, threads, 0) == 0) threads -= threads > WARP ? WARP : threads;
  memset(out, 0, sizeof *out);
  out->sharedSizeBytes = k->shared_bytes;
  out->localSizeBytes = k->local_bytes;
  out->numRegs = (int)k->registers;
  out->maxThreadsPerBlock = (int)threads;
  out->maxDynamicSharedSizeBytes = (int)(shared > k->shared_bytes ? shared - k->shared_bytes : 0);
  out->ptxVersion = 70;
  out->binaryVersion = 70;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *kernel) {
  struct heddle_function_info info;
  cuda_enter();
  const cudaError_t e = out ? cuda_describe(kernel, &info) : cudaErrorInvalidValue;
  if (e == cudaSuccess) cuda_function_attributes(out, &info);
  return cuda_leave(e);
}

/* There is nothing to set: all shared memory is open to each launch. What it could not have is refused. */
cudaError_t cuda_set_attribute(const struct heddle_function_info *k, enum cudaFuncAttribute attribute, int value) {
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) return cudaSuccess;
  const uint64_t has = cuda_attribute(HEDDLE_ATTRIBUTE_SHARED_BYTES);
  const bool fits = value >= 0 && k->shared_bytes + (uint64_t)value <= has;
  return attribute == cudaFuncAttributeMaxDynamicSharedMemorySize && fits ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value) {
  struct heddle_function_info info;
  cuda_enter();
  const cudaError_t e = cuda_describe(kernel, &info);
  return cuda_leave(e == cudaSuccess ? cuda_set_attribute(&info, attribute, value) : e);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int threads, size_t shared) {
  struct heddle_function_info info;
  cuda_enter();
  const cudaError_t e = blocks && threads > 0 ? cuda_describe(kernel, &info) : cudaErrorInvalidValue;
  if (e == cudaSuccess) *blocks = (int)cuda_blocks_of(&info, (uint64_t)threads, shared);
  return cuda_leave(e);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel, int threads,
                                                                   size_t shared, unsigned flags) {
  if (flags <= cudaOccupancyDisableCachingOverride)
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, shared);
  cuda_enter();
  return cuda_leave(cudaErrorInvalidValue);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *kernel, int blocks, int threads) {
  struct heddle_function_info k;
  cuda_enter();
  cudaError_t e = bytes && blocks > 0 && threads > 0 ? cuda_describe(kernel, &k) : cudaErrorInvalidValue;
  if (e == cudaSuccess && cuda_blocks_of(&k, (uint64_t)threads, 0) < (uint64_t)blocks) e = cudaErrorInvalidValue;
  if (e == cudaSuccess) *bytes = cuda_attribute(HEDDLE_ATTRIBUTE_SHARED_BYTES) / (unsigned)blocks - k.shared_bytes;
  return cuda_leave(e);
}

/* How cache and shared memory are divided is nothing that can be chosen: taken, as hints are. */
cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config) {
  struct heddle_function_info k;
  cuda_enter();
  return cuda_leave(config <= cudaFuncCachePreferEqual ? cuda_describe(kernel, &k) : cudaErrorInvalidValue);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig config) {
  struct heddle_function_info k;
  cuda_enter();
  return cuda_leave(config <= cudaSharedMemBankSizeEightByte ? cuda_describe(kernel, &k) : cudaErrorInvalidValue);
}
