/* SPDX-License-Identifier: Apache-2.0
 * The one device, and what it is. */
#include "tools/cuda/internal.h"

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

static void fill(struct cudaDeviceProp *p) {
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
  p->memoryClockRate = CLOCK_KHZ;
  p->memoryBusWidth = of(HEDDLE_ATTRIBUTE_AXI_BITS);
  p->maxThreadsPerMultiProcessor = of(HEDDLE_ATTRIBUTE_WARP_SLOTS) * WARP;
  p->maxBlocksPerMultiProcessor = of(HEDDLE_ATTRIBUTE_BLOCK_SLOTS);
}

static cudaError_t properties(struct cudaDeviceProp *p, int device) {
  if (!p) return cudaErrorInvalidValue;
  if (device != 0) return cudaErrorInvalidDevice;
  const cudaError_t e = cuda_ready();
  if (e == cudaSuccess) fill(p);
  return e;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device) {
  cuda_enter();
  return cuda_leave(properties(prop, device));
}

/* Those that are members of the properties. */
static cudaError_t attribute(const struct cudaDeviceProp *p, enum cudaDeviceAttr a, int *value) {
  const struct {
    enum cudaDeviceAttr attribute;
    int value;
  } all[] = {
      {cudaDevAttrMaxThreadsPerBlock, p->maxThreadsPerBlock},
      {cudaDevAttrMaxBlockDimX, p->maxThreadsDim[0]},
      {cudaDevAttrMaxBlockDimY, p->maxThreadsDim[1]},
      {cudaDevAttrMaxBlockDimZ, p->maxThreadsDim[2]},
      {cudaDevAttrMaxGridDimX, p->maxGridSize[0]},
      {cudaDevAttrMaxGridDimY, p->maxGridSize[1]},
      {cudaDevAttrMaxGridDimZ, p->maxGridSize[2]},
      {cudaDevAttrMaxSharedMemoryPerBlock, (int)p->sharedMemPerBlock},
      {cudaDevAttrTotalConstantMemory, (int)p->totalConstMem},
      {cudaDevAttrWarpSize, p->warpSize},
      {cudaDevAttrMaxPitch, (int)p->memPitch},
      {cudaDevAttrMaxRegistersPerBlock, p->regsPerBlock},
      {cudaDevAttrClockRate, p->clockRate},
      {cudaDevAttrMultiProcessorCount, p->multiProcessorCount},
      {cudaDevAttrConcurrentKernels, p->concurrentKernels},
      {cudaDevAttrL2CacheSize, p->l2CacheSize},
      {cudaDevAttrMaxThreadsPerMultiProcessor, p->maxThreadsPerMultiProcessor},
      {cudaDevAttrUnifiedAddressing, p->unifiedAddressing},
      {cudaDevAttrComputeCapabilityMajor, p->major},
      {cudaDevAttrComputeCapabilityMinor, p->minor},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, (int)p->sharedMemPerMultiprocessor},
      {cudaDevAttrMaxRegistersPerMultiprocessor, p->regsPerMultiprocessor},
      {cudaDevAttrManagedMemory, p->managedMemory},
      {cudaDevAttrConcurrentManagedAccess, p->concurrentManagedAccess},
      {cudaDevAttrCooperativeLaunch, p->cooperativeLaunch},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, (int)p->sharedMemPerBlockOptin},
      {cudaDevAttrMaxBlocksPerMultiprocessor, p->maxBlocksPerMultiProcessor},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].attribute == a) return *value = all[i].value, cudaSuccess;
  return cudaErrorInvalidValue;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr a, int device) {
  struct cudaDeviceProp p;
  cuda_enter();
  cudaError_t e = value ? properties(&p, device) : cudaErrorInvalidValue;
  if (e == cudaSuccess) e = attribute(&p, a, value);
  return cuda_leave(e);
}
