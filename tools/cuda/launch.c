/* SPDX-License-Identifier: Apache-2.0
 * Kernels: what stands in <<<>>>, launches, what a kernel takes of the device. */
#include "tools/cuda/internal.h"

#include <string.h>

#include <heddle/explain.h>

/* Between <<<>>> and the stub of the kernel; each thread's own. Arguments may hold launches of their own. */
struct configuration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
};
enum { CONFIGURATIONS_MAX = 16 };
static _Thread_local struct configuration pushed[CONFIGURATIONS_MAX];
static _Thread_local unsigned depth;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  if (depth == CONFIGURATIONS_MAX) return 1; /* the stub is not called */
  pushed[depth++] = (struct configuration){grid, block, shared, stream};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, cudaStream_t *stream) {
  if (depth == 0) return cudaErrorMissingConfiguration;
  const struct configuration *c = &pushed[--depth];
  *grid = c->grid;
  *block = c->block;
  *shared = c->shared;
  *stream = c->stream;
  return cudaSuccess;
}

static cudaError_t launch(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared) {
  struct heddle_function *f;
  struct cuda_image *image;
  struct heddle_function_info info = {.name = "kernel"};
  char name[400];
  cudaError_t e = cuda_settle();
  if (e == cudaSuccess) e = cuda_kernel(kernel, &f, &image);
  if (e != cudaSuccess) return e;
  if (shared > UINT32_MAX) return cudaErrorInvalidValue;
  (void)heddle_function_describe(f, &info);
  e = cuda_from_driver(heddle_function_launch(f, (struct heddle_size){grid.x, grid.y, grid.z},
                                              (struct heddle_size){block.x, block.y, block.z}, (uint32_t)shared,
                                              arguments),
                       heddle_name_text(info.name, name, sizeof name));
  if (e == cudaSuccess) cuda.running = image;
  return e;
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                             cudaStream_t stream) {
  (void)stream; /* one queue */
  cuda_enter();
  return cuda_leave(launch(kernel, grid, block, arguments, shared));
}

/* ---- what a kernel takes */

enum { WARP = 32, BLOCK_THREADS_MAX = 1024 };

/* Blocks of so many threads that an SM holds at once. */
static uint64_t blocks_of(const struct heddle_function_info *k, uint64_t threads, uint64_t shared) {
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

static cudaError_t describe(const void *kernel, struct heddle_function_info *info) {
  struct heddle_function *f;
  struct cuda_image *image;
  cudaError_t e = cuda_ready();
  if (e == cudaSuccess) e = cuda_kernel(kernel, &f, &image);
  return e == cudaSuccess ? cuda_from_driver(heddle_function_describe(f, info), "a kernel") : e;
}

static void fill(struct cudaFuncAttributes *out, const struct heddle_function_info *k) {
  const uint64_t shared = cuda_attribute(HEDDLE_ATTRIBUTE_SHARED_BYTES);
  uint64_t threads = cuda_attribute(HEDDLE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  while (threads > 0 && blocks_of(k, threads, 0) == 0) threads -= threads > WARP ? WARP : threads;
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
  const cudaError_t e = out ? describe(kernel, &info) : cudaErrorInvalidValue;
  if (e == cudaSuccess) fill(out, &info);
  return cuda_leave(e);
}

/* There is nothing to set: all shared memory is open to each launch. What it could not have is refused. */
cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value) {
  struct heddle_function_info info;
  cuda_enter();
  cudaError_t e = describe(kernel, &info);
  if (e != cudaSuccess) return cuda_leave(e);
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) return cuda_leave(cudaSuccess);
  const uint64_t has = cuda_attribute(HEDDLE_ATTRIBUTE_SHARED_BYTES);
  const bool fits = value >= 0 && info.shared_bytes + (uint64_t)value <= has;
  return cuda_leave(attribute == cudaFuncAttributeMaxDynamicSharedMemorySize && fits ? cudaSuccess
                                                                                     : cudaErrorInvalidValue);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int threads, size_t shared) {
  struct heddle_function_info info;
  cuda_enter();
  const cudaError_t e = blocks && threads > 0 ? describe(kernel, &info) : cudaErrorInvalidValue;
  if (e == cudaSuccess) *blocks = (int)blocks_of(&info, (uint64_t)threads, shared);
  return cuda_leave(e);
}
