/* SPDX-License-Identifier: Apache-2.0
 * Hosts that do wrong: each call says so by the specification's error, no memory of the host is touched, and the device
 * goes on. A number a case; the kernel behind each must still count to it. */
#include <cuda.h>
#include <cuda_runtime.h>

#include <thread>
#include <vector>

#include "check.h"

__global__ void count(int *at) {
  atomicAdd(at, 1);
}
__global__ void wrong(int *at, int what) {
  if (what == 0) *at = *(at + (1 << 28)); /* nobody's memory */
  if (what == 1) __trap();
  if (what == 2) *(long long *)((char *)at + 4) = 1; /* not aligned */
}

__global__ void __launch_bounds__(64) few(int *at) {
  if (threadIdx.x == 64) *at = 0;
}

static int *counter, cases;

/* After each case: the device is as usable as before. */
static void goes_on() {
  int got = -1;
  (void)cudaGetLastError();
  count<<<1, 1>>>(counter);
  OK(cudaGetLastError());
  OK(cudaMemcpy(&got, counter, sizeof got, cudaMemcpyDeviceToHost));
  SAY(got == ++cases);
}
#define CASE(call, error)                                                                                              \
  do {                                                                                                                 \
    IS(call, error);                                                                                                   \
    goes_on();                                                                                                         \
  } while (0)

static void begin() {
  OK(cudaMalloc(&counter, sizeof *counter));
  OK(cudaMemcpy(counter, &cases, sizeof cases, cudaMemcpyHostToDevice));
}

static void handles() {
  cudaStream_t stream, none = (cudaStream_t)&stream;
  cudaEvent_t event, other = (cudaEvent_t)&event;
  float ms;
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamDestroy(stream));
  CASE(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  CASE(cudaStreamSynchronize(none), cudaErrorInvalidResourceHandle);
  CASE(cudaMemsetAsync(counter, 0, 4, none), cudaErrorInvalidResourceHandle);
  CASE((count<<<1, 1, 0, none>>>(counter), cudaGetLastError()), cudaErrorInvalidResourceHandle);
  OK(cudaEventCreate(&event));
  CASE(cudaEventElapsedTime(&ms, event, event), cudaErrorInvalidResourceHandle); /* not recorded */
  CASE(cudaEventRecord(other), cudaErrorInvalidResourceHandle);
  CASE(cudaStreamWaitEvent(0, other), cudaErrorInvalidResourceHandle);
  OK(cudaEventDestroy(event));
  CASE(cudaEventSynchronize(event), cudaErrorInvalidResourceHandle);
  CASE(cudaSetDevice(-1), cudaErrorInvalidDevice);
}

static void memory() {
  int *there, *gone, local[4] = {1, 2, 3, 4};
  OK(cudaMalloc(&there, sizeof local));
  OK(cudaMalloc(&gone, sizeof local));
  OK(cudaFree(gone));
  CASE(cudaFree(gone), cudaErrorInvalidValue);
  CASE(cudaFree(local), cudaErrorInvalidValue);
  CASE(cudaMemcpy(gone, local, sizeof local, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CASE(cudaMemcpy(there, local, sizeof local + 1024, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CASE(cudaMemcpy(there, local, SIZE_MAX, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CASE(cudaMemcpy(nullptr, local, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CASE(cudaMemset(there, 0, SIZE_MAX - 8), cudaErrorInvalidValue);
  CASE(cudaMalloc(&gone, SIZE_MAX), cudaErrorMemoryAllocation);
  size_t pitch;
  CASE(cudaMallocPitch((void **)&gone, &pitch, SIZE_MAX / 2, 3), cudaErrorMemoryAllocation);
  CASE(cudaMallocManaged(&gone, SIZE_MAX), cudaErrorMemoryAllocation);
  CASE(cudaFreeHost(local), cudaErrorInvalidValue);
  CASE(cudaMemcpyToSymbol(local, local, 4), cudaErrorInvalidSymbol);
  CASE(cudaMemcpy3D(nullptr), cudaErrorInvalidValue);
  OK(cudaFree(there));
}

static void launches() {
  cudaDeviceProp p;
  void *arguments[] = {&counter};
  OK(cudaGetDeviceProperties(&p, 0));
  CASE((count<<<0, 1>>>(counter), cudaGetLastError()), cudaErrorInvalidConfiguration);
  CASE((count<<<1, 4096>>>(counter), cudaGetLastError()), cudaErrorInvalidConfiguration);
  CASE((count<<<1, 1, 1 << 28>>>(counter), cudaGetLastError()), cudaErrorLaunchOutOfResources);
  CASE((few<<<1, 96>>>(counter), cudaGetLastError()), cudaErrorInvalidValue); /* as a driver of CUDA 13 says it */
  CASE((few<<<1, 4096>>>(counter), cudaGetLastError()), cudaErrorInvalidConfiguration);
  CASE(cudaLaunchCooperativeKernel(few, dim3(1), dim3(8, 12), arguments), cudaErrorInvalidValue);
  few<<<1, dim3(8, 8)>>>(counter);
  OK(cudaDeviceSynchronize());
  CASE(cudaLaunchKernel((const void *)&p, dim3(1), dim3(1), arguments, 0, 0), cudaErrorInvalidDeviceFunction);
  CASE(cudaLaunchKernel((const void *)count, dim3(1), dim3(1), nullptr, 0, 0), cudaErrorInvalidValue);
  CASE(cudaLaunchCooperativeKernel(count, dim3(1 << 24), dim3(32), arguments), cudaErrorCooperativeLaunchTooLarge);
  CASE(cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize, -1), cudaErrorInvalidValue);
  CASE(cudaFuncGetAttributes(nullptr, count), cudaErrorInvalidValue);
}

/* A kernel that traps takes everything with it; a reset gives it back. */
static void traps() {
  static const cudaError_t errors[] = {cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorMisalignedAddress};
  for (int what = 0; what < 3; what++) {
    int *shared, *more;
    OK(cudaMallocManaged(&shared, 64));
    *shared = what;
    wrong<<<1, 32>>>(counter, what);
    IS(cudaDeviceSynchronize(), errors[what]);
    IS(cudaMallocManaged(&more, 64), errors[what]);
    OK(cudaDeviceReset());
    begin();
    IS(cudaFree(shared), cudaErrorInvalidValue); /* went with the reset */
    goes_on();
  }
}

/* Calls of several threads at once: each has its own error, all of them one device. */
static void threads() {
  enum { THREADS = 6, TURNS = 20 };
  std::vector<std::thread> all;
  for (int t = 0; t < THREADS; t++)
    all.emplace_back([t] {
      int *mine, got = 0;
      for (int i = 0; i < TURNS; i++) {
        OK(cudaMalloc(&mine, 256));
        OK(cudaMemset(mine, 0, 4));
        count<<<1, 32>>>(mine);
        OK(cudaMemcpy(&got, mine, sizeof got, cudaMemcpyDeviceToHost));
        SAY(got == 32);
        if (t % 2 == 0) IS(cudaFree(mine + 1), cudaErrorInvalidValue);
        IS(cudaGetLastError(), t % 2 == 0 ? cudaErrorInvalidValue : cudaSuccess);
        OK(cudaFree(mine));
      }
    });
  for (std::thread &t : all) t.join();
  goes_on();
}

static void driver() {
  CUmodule module = (CUmodule)&module;
  CUfunction function;
  CUdeviceptr at;
  CUcontext context = (CUcontext)&context;
  SAY(cuInit(7) == CUDA_ERROR_INVALID_VALUE);
  SAY(cuCtxPushCurrent(context) == CUDA_ERROR_INVALID_CONTEXT && cuCtxDestroy(context) == CUDA_ERROR_INVALID_CONTEXT);
  SAY(cuModuleGetFunction(&function, module, "count") == CUDA_ERROR_INVALID_HANDLE);
  SAY(cuModuleUnload(module) == CUDA_ERROR_INVALID_HANDLE);
  SAY(cuModuleLoadData(&module, "") == CUDA_ERROR_INVALID_IMAGE);
  SAY(cuMemAlloc(&at, 0) == CUDA_ERROR_INVALID_VALUE && cuMemFree(12345) == CUDA_ERROR_INVALID_VALUE);
  goes_on();
}

int main() {
  begin();
  handles();
  memory();
  launches();
  traps();
  threads();
  driver();
  printf("%d cases\n", cases);
}
