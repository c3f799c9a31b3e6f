/* SPDX-License-Identifier: Apache-2.0
 * Memory of the device. A pointer of the device is its address there: the board's memory ends far below where a host
 * program lies (heddle-nvcc links it so that it can lie anywhere), which is how cudaMemcpyDefault tells. */
#include "firmware/host/cuda/internal.h"

enum { ROW = 256 };

cudaError_t cuda_allocate(void **pointer, uint64_t bytes) {
  uint64_t at = 0;
  if (!pointer) return cudaErrorInvalidValue;
  cudaError_t e = cuda_ready();
  if (e == cudaSuccess && bytes > 0) e = cuda_from_queue(heddle_mem_alloc(cuda.context, bytes, &at), NULL);
  if (e == cudaSuccess) *pointer = (void *)(uintptr_t)at;
  return e;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  cuda_enter();
  return cuda_leave(cuda_allocate(pointer, bytes));
}

static cudaError_t allocate_rows(void **pointer, size_t *pitch, size_t width, size_t height) {
  if (!pitch || width > SIZE_MAX - ROW) return cudaErrorInvalidValue;
  const size_t row = (width + ROW - 1) / ROW * ROW;
  if (height > 0 && row > SIZE_MAX / height) return cudaErrorMemoryAllocation;
  const cudaError_t e = cuda_allocate(pointer, row * height);
  if (e == cudaSuccess) *pitch = row;
  return e;
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  cuda_enter();
  return cuda_leave(allocate_rows(pointer, pitch, width, height));
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent) {
  struct cudaPitchedPtr p = {.xsize = extent.width, .ysize = extent.height};
  cuda_enter();
  if (!pointer) return cuda_leave(cudaErrorInvalidValue);
  if (extent.depth > 0 && extent.height > SIZE_MAX / extent.depth) return cuda_leave(cudaErrorMemoryAllocation);
  const cudaError_t e = allocate_rows(&p.ptr, &p.pitch, extent.width, extent.height * extent.depth);
  if (e == cudaSuccess) *pointer = p;
  return cuda_leave(e);
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
  cuda_enter();
  return cuda_leave(cuda_is_stream(stream) ? cuda_allocate(pointer, bytes) : cudaErrorInvalidResourceHandle);
}

cudaError_t cuda_release(void *pointer) {
  const struct cuda_block *b;
  const cudaError_t e = cuda_settle();
  if (e != cudaSuccess || cuda_release_managed(pointer)) return e;
  b = cuda_twin(pointer); /* is freed with its block alone */
  return b ? cudaErrorInvalidValue
           : cuda_from_driver(heddle_mem_free(cuda.context, (uint64_t)(uintptr_t)pointer), NULL);
}

cudaError_t cudaFree(void *pointer) {
  cuda_enter();
  return cuda_leave(cuda_release(pointer));
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  cuda_enter();
  return cuda_leave(cuda_is_stream(stream) ? cuda_release(pointer) : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total) {
  uint64_t f = 0, t = 0;
  cuda_enter();
  if (!free_bytes || !total) return cuda_leave(cudaErrorInvalidValue);
  cudaError_t e = cuda_ready();
  if (e == cudaSuccess) e = cuda_from_driver(heddle_mem_info(cuda.context, &f, &t), NULL);
  if (e != cudaSuccess) return cuda_leave(e);
  *free_bytes = f;
  *total = t;
  return cuda_leave(e);
}
