/* SPDX-License-Identifier: Apache-2.0
 * Numbers of the device that are asked for one by one, and what may be wished of it. */
#include "firmware/host/cuda/internal.h"

/* Those that are members of the properties; 0: it is not there, and nobody has it. */
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
      {cudaDevAttrTextureAlignment, (int)p->textureAlignment},
      {cudaDevAttrGpuOverlap, p->deviceOverlap},
      {cudaDevAttrKernelExecTimeout, p->kernelExecTimeoutEnabled},
      {cudaDevAttrIntegrated, p->integrated},
      {cudaDevAttrCanMapHostMemory, p->canMapHostMemory},
      {cudaDevAttrComputeMode, p->computeMode},
      {cudaDevAttrEccEnabled, p->ECCEnabled},
      {cudaDevAttrPciBusId, p->pciBusID},
      {cudaDevAttrPciDeviceId, p->pciDeviceID},
      {cudaDevAttrPciDomainId, p->pciDomainID},
      {cudaDevAttrTccDriver, p->tccDriver},
      {cudaDevAttrMemoryClockRate, p->memoryClockRate},
      {cudaDevAttrGlobalMemoryBusWidth, p->memoryBusWidth},
      {cudaDevAttrAsyncEngineCount, p->asyncEngineCount},
      {cudaDevAttrStreamPrioritiesSupported, p->streamPrioritiesSupported},
      {cudaDevAttrIsMultiGpuBoard, p->isMultiGpuBoard},
      {cudaDevAttrPageableMemoryAccess, p->pageableMemoryAccess},
      {cudaDevAttrComputePreemptionSupported, p->computePreemptionSupported},
      {cudaDevAttrCanUseHostPointerForRegisteredMem, p->canUseHostPointerForRegisteredMem},
      {cudaDevAttrReservedSharedMemoryPerBlock, (int)p->reservedSharedMemPerBlock},
      {cudaDevAttrMemoryPoolsSupported, p->memoryPoolsSupported},
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
  cudaError_t e = value ? cuda_properties(&p, device) : cudaErrorInvalidValue;
  if (e == cudaSuccess) e = attribute(&p, a, value);
  return cuda_leave(e);
}

/* ---- limits: what they are, but for the heap. A wish below them is granted as it stands. */

enum { HEAP_MOST = 63 << 20 }; /* all variables of a program have 64 MiB */

static cudaError_t limit_of(enum cudaLimit limit, size_t *value) {
  enum { STACK = 1 << 16, PRINTED = 1 << 16, HEAP = 8 << 20 };
  switch (limit) {
  case cudaLimitStackSize:
    *value = STACK;
    return cudaSuccess;
  case cudaLimitPrintfFifoSize:
    *value = PRINTED;
    return cudaSuccess;
  case cudaLimitMallocHeapSize:
    *value = cuda.heap_bytes ? cuda.heap_bytes : HEAP;
    return cudaSuccess;
  case cudaLimitPersistingL2CacheSize:
    *value = 0;
    return cudaSuccess;
  default:
    return cudaErrorUnsupportedLimit;
  }
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
  cuda_enter();
  return cuda_leave(value ? limit_of(limit, value) : cudaErrorInvalidValue);
}

/* For what is compiled from now on: not while a program that has a heap is there. */
static cudaError_t set_heap(size_t bytes) {
  for (const struct cuda_image *i = cuda.images; i; i = i->next)
    if (i->module && heddle_module_global(i->module, "heddle_heap", NULL, NULL) == HEDDLE_SUCCESS)
      return cudaErrorInvalidValue;
  if (bytes > HEAP_MOST) {
    cuda_say("cudaDeviceSetLimit: a heap has at most %d bytes, not %zu", HEAP_MOST, bytes);
    return cudaErrorUnsupportedLimit;
  }
  cuda.heap_bytes = bytes ? (uint32_t)bytes : 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  size_t has = 0;
  cuda_enter();
  const cudaError_t e = limit_of(limit, &has);
  if (limit == cudaLimitMallocHeapSize) return cuda_leave(set_heap(value));
  if (e == cudaSuccess && value > has) {
    cuda_say("cudaDeviceSetLimit: %zu bytes are more than there are, %zu", value, has);
    return cuda_leave(cudaErrorUnsupportedLimit);
  }
  return cuda_leave(e);
}

/* ---- hints that nothing follows from */

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
  cuda_enter();
  return cuda_leave(config <= cudaFuncCachePreferEqual ? cuda_ready() : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
  cuda_enter();
  if (config) *config = cudaFuncCachePreferNone;
  return cuda_leave(config ? cuda_ready() : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
  cuda_enter();
  return cuda_leave(config <= cudaSharedMemBankSizeEightByte ? cuda_ready() : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
  cuda_enter();
  if (config) *config = cudaSharedMemBankSizeFourByte;
  return cuda_leave(config ? cuda_ready() : cudaErrorInvalidValue);
}

cudaError_t cudaProfilerStart(void) {
  cuda_enter();
  return cuda_leave(cuda_ready());
}

cudaError_t cudaProfilerStop(void) {
  return cudaProfilerStart();
}

/* ---- other devices: there are none */

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  cuda_enter();
  if (!can) return cuda_leave(cudaErrorInvalidValue);
  *can = 0;
  return cuda_leave(device == 0 && peer == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  cuda_enter();
  (void)peer;
  return cuda_leave(flags == 0 ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  cuda_enter();
  return cuda_leave(peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice);
}
