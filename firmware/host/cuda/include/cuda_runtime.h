/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA runtime in C++: symbols, kernels and typed pointers as they are. Declarations for kernels are there
 * before the file begins (../../../../compiler/device/cuda.h). */
#ifndef HEDDLE_CUDA_RUNTIME_H
#define HEDDLE_CUDA_RUNTIME_H

#include <stdint.h> /* programs lean on it */
#include <stdlib.h> /* before clang's own <new>, which wants it */

#include "cuda_runtime_api.h"

#ifdef __cplusplus
template <class T> inline cudaError_t cudaMalloc(T **pointer, size_t bytes) {
  return cudaMalloc((void **)(void *)pointer, bytes);
}
template <class T> inline cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
  return cudaMallocPitch((void **)(void *)pointer, pitch, width, height);
}
template <class T> inline cudaError_t cudaMallocHost(T **pointer, size_t bytes) {
  return cudaMallocHost((void **)(void *)pointer, bytes);
}
template <class T> inline cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned flags) {
  return cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
template <class T>
inline cudaError_t cudaMallocManaged(T **pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void **)(void *)pointer, bytes, flags);
}
template <class T> inline cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync((void **)(void *)pointer, bytes, stream);
}
template <class T> inline cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned flags) {
  return cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
template <class T> inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags) {
  return cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}
template <class T> inline cudaError_t cudaGetSymbolAddress(void **address, const T &symbol) {
  return cudaGetSymbolAddress(address, (const void *)&symbol);
}
template <class T> inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol) {
  return cudaGetSymbolSize(bytes, (const void *)&symbol);
}
template <class T>
inline cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                                    cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, stream);
}
template <class T> inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *out, T *kernel) {
  return cudaFuncGetAttributes(out, (const void *)kernel);
}
template <class T> inline cudaError_t cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel, int threads, size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads, shared);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T kernel, int threads,
                                                                          size_t shared, unsigned flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)kernel, threads, shared, flags);
}
template <class T> inline cudaError_t cudaFuncSetCacheConfig(T *kernel, cudaFuncCache config) {
  return cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <class T> inline cudaError_t cudaFuncSetSharedMemConfig(T *kernel, cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig((const void *)kernel, config);
}
template <class T>
inline cudaError_t cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                                               cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, shared, stream);
}
inline cudaError_t cudaMemPrefetchAsync(const void *at, size_t bytes, cudaMemLocation where, unsigned flags,
                                        cudaStream_t stream = 0) {
  (void)flags; /* there are none */
  return cudaMemPrefetchAsync(at, bytes, where.type == cudaMemLocationTypeDevice ? where.id : cudaCpuDeviceId, stream);
}
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags = 0) {
  (void)flags;
  return cudaGraphInstantiate(out, graph, NULL, NULL, 0);
}
#endif

#ifdef __cplusplus
#include "cuda_choices.h"
#endif

#if defined(__CUDACC__) && !defined(__CUDA_ARCH__) && !defined(__HEDDLE__)
#include "cuda_managed.h"
#endif

#endif
