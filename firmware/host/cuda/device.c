/* SPDX-License-Identifier: Apache-2.0
 *
 * The one device, and what it is. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <heddle/host.h>
#include "firmware/host/cuda/internal.h"

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

static cudaError_t cuda_properties(struct cudaDeviceProp *p, int device) {
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

/* ---- numbers of it that are asked for one by one, and what may be wished of it */

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

/* ---- what kernels take of it, and how many blocks it holds at once */

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

static cudaError_t cuda_describe(const void *kernel, struct heddle_function_info *info) {
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
