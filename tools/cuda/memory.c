/* SPDX-License-Identifier: Apache-2.0
 * Memory of the device and copies. A pointer of the device is its address there: the board's memory ends far below
 * where a host program lies (heddle-nvcc links it so that it can lie anywhere), which is how cudaMemcpyDefault tells.
 */
#include "tools/cuda/internal.h"

#include <stdlib.h>
#include <string.h>

static uint64_t address_of(const void *pointer) {
  return (uint64_t)(uintptr_t)pointer;
}

static cudaError_t allocate(void **pointer, uint64_t bytes) {
  uint64_t at = 0;
  if (!pointer) return cudaErrorInvalidValue;
  cudaError_t e = cuda_ready();
  if (e == cudaSuccess && bytes > 0) e = cuda_from_driver(heddle_mem_alloc(cuda.context, bytes, &at), NULL);
  if (e == cudaSuccess) *pointer = (void *)(uintptr_t)at;
  return e;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  cuda_enter();
  return cuda_leave(allocate(pointer, bytes));
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  enum { ROW = 256 };
  cuda_enter();
  if (!pitch || width > SIZE_MAX - ROW) return cuda_leave(cudaErrorInvalidValue);
  const size_t row = (width + ROW - 1) / ROW * ROW;
  if (height > 0 && row > SIZE_MAX / height) return cuda_leave(cudaErrorMemoryAllocation);
  const cudaError_t e = allocate(pointer, row * height);
  if (e == cudaSuccess) *pitch = row;
  return cuda_leave(e);
}

cudaError_t cudaFree(void *pointer) {
  cuda_enter();
  cudaError_t e = cuda_settle();
  if (e == cudaSuccess) e = cuda_from_driver(heddle_mem_free(cuda.context, address_of(pointer)), NULL);
  return cuda_leave(e);
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

/* ---- of the host: no copy goes faster for it */

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  cuda_enter();
  if (!pointer) return cuda_leave(cudaErrorInvalidValue);
  if (flags & ~(cudaHostAllocPortable | cudaHostAllocWriteCombined)) return cuda_leave(cudaErrorNotSupported);
  *pointer = bytes > 0 ? malloc(bytes) : NULL;
  return cuda_leave(*pointer || bytes == 0 ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
  return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void *pointer) {
  free(pointer);
  return cudaSuccess;
}

/* ---- copies */

static bool is_device(const void *pointer) {
  return address_of(pointer) < cuda_attribute(HEDDLE_ATTRIBUTE_MEMORY_BYTES);
}

static enum cudaMemcpyKind kind_of(const void *to, const void *from) {
  if (is_device(to)) return is_device(from) ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
  return is_device(from) ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}

cudaError_t cuda_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  if (bytes == 0) return cudaSuccess;
  if (!to || !from) return cudaErrorInvalidValue;
  switch (kind == cudaMemcpyDefault ? kind_of(to, from) : kind) {
  case cudaMemcpyHostToHost:
    memcpy(to, from, bytes);
    return cudaSuccess;
  case cudaMemcpyHostToDevice:
    return cuda_from_driver(heddle_memcpy_to_device(cuda.context, address_of(to), from, bytes), NULL);
  case cudaMemcpyDeviceToHost:
    return cuda_from_driver(heddle_memcpy_to_host(cuda.context, to, address_of(from), bytes), NULL);
  case cudaMemcpyDeviceToDevice:
    return cuda_from_driver(heddle_memcpy_on_device(cuda.context, address_of(to), address_of(from), bytes), NULL);
  default:
    return cudaErrorInvalidMemcpyDirection;
  }
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  cuda_enter();
  const cudaError_t e = cuda_settle();
  return cuda_leave(e == cudaSuccess ? cuda_copy(to, from, bytes, kind) : e);
}

/* Done when it returns, as a copy from pageable memory may be. */
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
  (void)stream;
  return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind) {
  cuda_enter();
  cudaError_t e = cuda_settle();
  if (e == cudaSuccess && (width > to_pitch || width > from_pitch)) e = cudaErrorInvalidPitchValue;
  for (size_t y = 0; e == cudaSuccess && y < height; y++)
    e = cuda_copy((char *)to + y * to_pitch, (const char *)from + y * from_pitch, width, kind);
  return cuda_leave(e);
}

cudaError_t cudaMemset(void *to, int value, size_t bytes) {
  cuda_enter();
  cudaError_t e = cuda_settle();
  if (e == cudaSuccess && bytes > 0)
    e = cuda_from_driver(heddle_memset8(cuda.context, address_of(to), (uint8_t)value, bytes), NULL);
  return cuda_leave(e);
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
  (void)stream;
  return cudaMemset(to, value, bytes);
}

/* ---- variables of programs */

/* Where bytes of one lie. */
static cudaError_t part_of(const void *symbol, size_t bytes, size_t offset, void **at) {
  uint64_t address = 0, size = 0;
  cudaError_t e = cuda_settle();
  if (e == cudaSuccess) e = cuda_variable(symbol, &address, &size);
  if (e == cudaSuccess && (offset > size || bytes > size - offset)) e = cudaErrorInvalidValue;
  if (e == cudaSuccess) *at = (void *)(uintptr_t)(address + offset);
  return e;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind) {
  void *at = NULL;
  cuda_enter();
  const bool fits = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
  cudaError_t e = fits ? part_of(symbol, bytes, offset, &at) : cudaErrorInvalidMemcpyDirection;
  if (e == cudaSuccess) e = cuda_copy(at, from, bytes, kind);
  return cuda_leave(e);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
  void *at = NULL;
  cuda_enter();
  const bool fits = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
  cudaError_t e = fits ? part_of(symbol, bytes, offset, &at) : cudaErrorInvalidMemcpyDirection;
  if (e == cudaSuccess) e = cuda_copy(to, at, bytes, kind);
  return cuda_leave(e);
}

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
  cuda_enter();
  return cuda_leave(address ? part_of(symbol, 0, 0, address) : cudaErrorInvalidValue);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  uint64_t address = 0, size = 0;
  cuda_enter();
  cudaError_t e = bytes ? cuda_ready() : cudaErrorInvalidValue;
  if (e == cudaSuccess) e = cuda_variable(symbol, &address, &size);
  if (e == cudaSuccess) *bytes = size;
  return cuda_leave(e);
}
