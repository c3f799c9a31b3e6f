/* SPDX-License-Identifier: Apache-2.0
 * The one device, and what it is. */
#include "firmware/host/cuda/internal.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { CLOCK_KHZ = 1000000, WARP = 32, CONST_BYTES = 65536, GRID_MAX = INT_MAX };

uint64_t cuda_attribute(enum heddle_attribute a) {
  uint64_t v = 0;
  return cuda.device && heddle_device_attribute(cuda.device, a, &v) == HEDDLE_SUCCESS ? v : 0;
}

/* A program that asks goes on without one. */
cudaError_t cudaGetDeviceCount(int *count) {
  cuda_enter();
  if (!count) return cuda_leave(cudaErrorInvalidValue);
  const cudaError_t e = cuda.device ? cudaSuccess : cuda_ready();
  *count = cuda.device != NULL;
  return cuda_leave(e);
}

cudaError_t cudaSetDevice(int device) {
  cuda_enter();
  return cuda_leave(device == 0 ? cuda_ready() : cudaErrorInvalidDevice);
}

cudaError_t cudaGetDevice(int *device) {
  cuda_enter();
  if (!device) return cuda_leave(cudaErrorInvalidValue);
  *device = 0;
  return cuda_leave(cudaSuccess);
}

static cudaError_t version(int *out) {
  cuda_enter();
  if (out) *out = CUDART_VERSION;
  return cuda_leave(out ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaRuntimeGetVersion(int *out) {
  return version(out);
}

cudaError_t cudaDriverGetVersion(int *out) {
  return version(out);
}

static int of(enum heddle_attribute a) {
  return (int)cuda_attribute(a);
}

static void fill_properties(struct cudaDeviceProp *p) {
  memset(p, 0, sizeof *p);
  snprintf(p->name, sizeof p->name, "%s", heddle_device_name(cuda.device));
  p->totalGlobalMem = cuda_attribute(HEDDLE_ATTRIBUTE_MEMORY_BYTES);
  p->sharedMemPerBlock = p->sharedMemPerMultiprocessor = p->sharedMemPerBlockOptin =
      cuda_attribute(HEDDLE_ATTRIBUTE_SHARED_BYTES);
  p->regsPerBlock = p->regsPerMultiprocessor = of(HEDDLE_ATTRIBUTE_WARP_REGISTERS) * WARP;
  p->warpSize = WARP;
  p->memPitch = INT_MAX;
  p->maxThreadsPerBlock = of(HEDDLE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  p->maxThreadsDim[0] = of(HEDDLE_ATTRIBUTE_MAX_BLOCK_X);
  p->maxThreadsDim[1] = of(HEDDLE_ATTRIBUTE_MAX_BLOCK_Y);
  p->maxThreadsDim[2] = of(HEDDLE_ATTRIBUTE_MAX_BLOCK_Z);
  for (unsigned i = 0; i < 3; i++) p->maxGridSize[i] = GRID_MAX;
  p->clockRate = CLOCK_KHZ;
  p->totalConstMem = CONST_BYTES;
  p->major = 7;
  p->multiProcessorCount = of(HEDDLE_ATTRIBUTE_SMS);
  p->unifiedAddressing = 1;
  p->managedMemory = p->canMapHostMemory = p->cooperativeLaunch = 1;
  p->singleToDoublePrecisionPerfRatio = 1;
  p->memoryClockRate = CLOCK_KHZ;
  p->memoryBusWidth = of(HEDDLE_ATTRIBUTE_AXI_BITS);
  p->maxThreadsPerMultiProcessor = of(HEDDLE_ATTRIBUTE_WARP_SLOTS) * WARP;
  p->maxBlocksPerMultiProcessor = of(HEDDLE_ATTRIBUTE_BLOCK_SLOTS);
}

cudaError_t cuda_properties(struct cudaDeviceProp *p, int device) {
  if (!p) return cudaErrorInvalidValue;
  if (device != 0) return cudaErrorInvalidDevice;
  const cudaError_t e = cuda.device ? cuda.sticky : cuda_ready();
  if (e == cudaSuccess) fill_properties(p);
  return e;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device) {
  cuda_enter();
  return cuda_leave(cuda_properties(prop, device));
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted) {
  return wanted ? cudaGetDevice(device) : cudaErrorInvalidValue;
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  cuda_enter();
  const unsigned known = cudaDeviceScheduleSpin | cudaDeviceScheduleYield | cudaDeviceScheduleBlockingSync |
                         cudaDeviceMapHost | cudaDeviceLmemResizeToMax;
  return cuda_leave(flags & ~known ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  cuda_enter();
  if (flags) *flags = cudaDeviceMapHost;
  return cuda_leave(flags ? cuda_ready() : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int bytes, int device) {
  static const char id[] = "0000:00:00.0";
  cuda_enter();
  if (!text || bytes < (int)sizeof id) return cuda_leave(cudaErrorInvalidValue);
  if (device != 0) return cuda_leave(cudaErrorInvalidDevice);
  memcpy(text, id, sizeof id);
  return cuda_leave(cuda_ready());
}
