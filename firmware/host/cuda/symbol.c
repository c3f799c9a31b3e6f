/* SPDX-License-Identifier: Apache-2.0
 * Variables of programs: copies to and from them. */
#include "firmware/host/cuda/internal.h"

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

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
  return cuda_known(stream) ? cudaMemcpyToSymbol(symbol, from, bytes, offset, kind) : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  return cuda_known(stream) ? cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind) : cudaErrorInvalidResourceHandle;
}
