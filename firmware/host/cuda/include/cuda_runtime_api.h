/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA runtime as far as libheddle-cuda has it (firmware/host/cuda), in C and C++. Names, numbers and orders of
 * arguments are the usual ones; docs/opencl-and-cuda.md has differences in meaning. Calls of cuda_refused.h are
 * refused; all else is missing. */
#ifndef HEDDLE_CUDA_RUNTIME_API_H
#define HEDDLE_CUDA_RUNTIME_API_H

#include "driver_types.h"

#ifdef __cplusplus
#define HEDDLE_CUDA_DEFAULT(value) = value
extern "C" {
#else
#define HEDDLE_CUDA_DEFAULT(value)
#endif

#define CUDART_VERSION 11000
#define __CUDART_API_VERSION CUDART_VERSION // NOLINT(bugprone-reserved-identifier): CUDA's word

const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);

/* ---- the device: there is one, number 0, chosen by $HEDDLE_BOARD */

cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted);
cudaError_t cudaSetDeviceFlags(unsigned flags); /* nothing to set */
cudaError_t cudaGetDeviceFlags(unsigned *flags);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetPCIBusId(char *text, int bytes, int device);
cudaError_t cudaDeviceSynchronize(void);
/* Frees all memory and modules; a kernel's error is cleared. */
cudaError_t cudaDeviceReset(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaDriverGetVersion(int *version);
/* Limits are fixed: SetLimit accepts values up to them, and changes nothing. The heap of kernels alone can change (8
 * MiB; 63 MiB at most), before the first use of a program that calls malloc. */
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

/* ---- memory */

cudaError_t cudaMalloc(void **pointer, size_t bytes);
cudaError_t cudaFree(void *pointer);
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent);
cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
/* One pointer for host and device. From a launch until a call that waits it is the device's alone: a host that touches
 * it then is stopped by SIGSEGV. */
cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags HEDDLE_CUDA_DEFAULT(cudaMemAttachGlobal));
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                 cudaStream_t stream HEDDLE_CUDA_DEFAULT(0));
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int device);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes HEDDLE_CUDA_DEFAULT(0),
                                     unsigned flags HEDDLE_CUDA_DEFAULT(cudaMemAttachSingle));
cudaError_t cudaMallocHost(void **pointer, size_t bytes);
cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags); /* Mapped: as managed memory */
cudaError_t cudaFreeHost(void *pointer);
cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void *pointer);
/* A copy on the device, brought there at each launch, and back by the call that waits. */
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags);
cudaError_t cudaHostGetFlags(unsigned *flags, void *host);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *pointer);

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream HEDDLE_CUDA_DEFAULT(0));
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                                cudaStream_t stream HEDDLE_CUDA_DEFAULT(0));
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream HEDDLE_CUDA_DEFAULT(0));
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p); /* of pointers; arrays are refused */
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream HEDDLE_CUDA_DEFAULT(0));
cudaError_t cudaMemset(void *to, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream HEDDLE_CUDA_DEFAULT(0));
cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream HEDDLE_CUDA_DEFAULT(0));
cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent extent);
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr to, int value, struct cudaExtent extent,
                              cudaStream_t stream HEDDLE_CUDA_DEFAULT(0));
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset HEDDLE_CUDA_DEFAULT(0),
                               enum cudaMemcpyKind kind HEDDLE_CUDA_DEFAULT(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset HEDDLE_CUDA_DEFAULT(0),
                                 enum cudaMemcpyKind kind HEDDLE_CUDA_DEFAULT(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream HEDDLE_CUDA_DEFAULT(0));
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream HEDDLE_CUDA_DEFAULT(0));
cudaError_t cudaGetSymbolAddress(void **address, const void *symbol);
cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol);

/* ---- streams and events: all of them are one queue, in order */

cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest); /* 0, 0 */
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream); /* waits */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags HEDDLE_CUDA_DEFAULT(0));
/* Called before it returns, by the same thread. */
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned flags);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream HEDDLE_CUDA_DEFAULT(0));
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream HEDDLE_CUDA_DEFAULT(0),
                                     unsigned flags HEDDLE_CUDA_DEFAULT(0));
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event); /* waits */
/* Cycles of the grids between both, a million of them a millisecond; copies take none. */
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to);

/* ---- kernels */

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                             cudaStream_t stream);
/* All blocks are on the device at once, or it is refused. */
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                                        cudaStream_t stream);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **arguments);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *kernel);
cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig config);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int threads, size_t shared);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel, int threads,
                                                                   size_t shared, unsigned flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *kernel, int blocks, int threads);

/* ---- what clang calls by itself */

// NOLINTBEGIN(bugprone-reserved-identifier): the names are clang's
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared HEDDLE_CUDA_DEFAULT(0),
                                     cudaStream_t stream HEDDLE_CUDA_DEFAULT(0));
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, cudaStream_t *stream);
// NOLINTEND(bugprone-reserved-identifier)

#ifdef __cplusplus
}
#endif

#include "cuda_refused.h"

#endif
