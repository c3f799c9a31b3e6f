/* SPDX-License-Identifier: Apache-2.0
 * The functions of the runtime, one after another: what they do, and what they say of what cannot be. */
#include "check.h"

#include <cstring>

__global__ void add(int *at, int stride, int n) {
  __shared__ int room[32];
  room[threadIdx.x] = at[blockIdx.x * stride + threadIdx.x];
  __syncthreads();
  at[blockIdx.x * stride + threadIdx.x] = room[threadIdx.x] + n;
}

__global__ void __launch_bounds__(48, 2) few(int *at) {
  at[threadIdx.x] = 1;
}

static void memory() {
  int rows[3][8], *there, *host, *other;
  size_t pitch, before, after, total;
  for (int y = 0; y < 3; y++)
    for (int x = 0; x < 8; x++) rows[y][x] = 10 * y + x;
  OK(cudaMemGetInfo(&before, &total));
  OK(cudaMallocPitch(&there, &pitch, sizeof rows[0], 3));
  OK(cudaMemGetInfo(&after, &total));
  SAY(pitch >= sizeof rows[0] && pitch % 256 == 0 && before - after >= 3 * pitch && before <= total);
  OK(cudaMemcpy2D(there, pitch, rows, sizeof rows[0], sizeof rows[0], 3, cudaMemcpyHostToDevice));
  IS(cudaMemcpy2D(there, 16, rows, sizeof rows[0], sizeof rows[0], 3, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  add<<<3, 8>>>(there, int(pitch / sizeof(int)), 100);
  OK(cudaHostAlloc(&host, 3 * sizeof rows[0], cudaHostAllocDefault));
  OK(cudaMemcpy2D(host, sizeof rows[0], there, pitch, sizeof rows[0], 3, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 24; i++) SAY(host[i] == 100 + 10 * (i / 8) + i % 8);
  OK(cudaMalloc(&other, 64));
  OK(cudaMemset(other, 0x5a, 64));
  OK(cudaMemcpyAsync(there, other, 32, cudaMemcpyDeviceToDevice));
  OK(cudaMemsetAsync(other, 0, 64));
  OK(cudaMemcpy(host, there, 32, cudaMemcpyDeviceToHost));
  SAY(host[0] == 0x5a5a5a5a && host[7] == host[0]);
  IS(cudaMemcpy(other, host, 1 << 20, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  IS(cudaMemcpy(other, host, 4, cudaMemcpyKind(7)), cudaErrorInvalidMemcpyDirection);
  IS(cudaFree(other + 1), cudaErrorInvalidValue);
  IS(cudaMalloc(&host, size_t(1) << 40), cudaErrorMemoryAllocation);
  IS(cudaHostAlloc(&other, 64, 8), cudaErrorInvalidValue);
  IS(cudaPeekAtLastError(), cudaErrorInvalidValue);
  IS(cudaGetLastError(), cudaErrorInvalidValue);
  OK(cudaPeekAtLastError());
  OK(cudaFreeHost(host));
  OK(cudaFree(NULL));
  OK(cudaFree(there)); /* the rest is the exit's */
}

static void device() {
  cudaDeviceProp p;
  int n, value;
  OK(cudaGetDeviceCount(&n));
  SAY(n == 1);
  OK(cudaSetDevice(0));
  OK(cudaGetDevice(&n));
  SAY(n == 0);
  IS(cudaSetDevice(1), cudaErrorInvalidDevice);
  OK(cudaGetDeviceProperties(&p, 0));
  SAY(p.warpSize == 32 && p.multiProcessorCount >= 1 && p.maxThreadsPerBlock >= 32 && strlen(p.name) > 0);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0));
  SAY(value == p.maxThreadsPerBlock);
  IS(cudaDeviceGetAttribute(&value, cudaDeviceAttr(12345), 0), cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

static void kernels() {
  cudaFuncAttributes a;
  cudaDeviceProp p;
  int blocks = -1, *there;
  OK(cudaGetDeviceProperties(&p, 0));
  OK(cudaFuncGetAttributes(&a, add));
  SAY(a.sharedSizeBytes == 128 && a.numRegs > 0 && a.maxThreadsPerBlock >= 32);
  cudaFuncAttributes of_few;
  int size = 0;
  OK(cudaFuncGetAttributes(&of_few, few));
  SAY(of_few.maxThreadsPerBlock == 48);
  OK(cudaOccupancyMaxPotentialBlockSize(&blocks, &size, few));
  SAY(size > 0 && size <= 48);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 32, 0));
  SAY(blocks >= 1 && blocks <= p.maxBlocksPerMultiProcessor);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 32, p.sharedMemPerBlock / 2));
  SAY(blocks == 1);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 32, p.sharedMemPerBlock));
  SAY(blocks == 0);
  OK(cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize, 256));
  IS(cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize, int(p.sharedMemPerBlock)),
     cudaErrorInvalidValue);
  OK(cudaMalloc(&there, 256));
  OK(cudaMemset(there, 0, 256));
  (void)cudaGetLastError();
  add<<<0, 32>>>(there, 0, 1);
  IS(cudaGetLastError(), cudaErrorInvalidConfiguration);
  add<<<1, 2048>>>(there, 0, 1);
  IS(cudaGetLastError(), cudaErrorInvalidConfiguration);
  add<<<1, 32, 1 << 30>>>(there, 0, 1);
  IS(cudaGetLastError(), cudaErrorLaunchOutOfResources);
  int stride = 0, n = 5;
  void *arguments[] = {&there, &stride, &n};
  OK(cudaLaunchKernel(add, dim3(1), dim3(32), arguments));
  OK(cudaMemcpy(&n, there + 31, sizeof n, cudaMemcpyDeviceToHost));
  SAY(n == 5);
  IS(cudaLaunchKernel((const void *)&n, dim3(1), dim3(32), arguments, 0, 0), cudaErrorInvalidDeviceFunction);
  (void)cudaGetLastError();
}

static void queue() {
  cudaStream_t one, two;
  cudaEvent_t event;
  int *there, got = 0;
  OK(cudaStreamCreate(&one));
  OK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  OK(cudaMalloc(&there, 128));
  OK(cudaMemsetAsync(there, 0, 128, one));
  add<<<1, 32, 0, one>>>(there, 0, 3);
  OK(cudaEventRecord(event, one));
  OK(cudaStreamWaitEvent(two, event));
  add<<<1, 32, 0, two>>>(there, 0, 4);
  OK(cudaMemcpyAsync(&got, there, 4, cudaMemcpyDeviceToHost, two));
  OK(cudaStreamSynchronize(two));
  SAY(got == 7);
  OK(cudaStreamQuery(one));
  OK(cudaEventQuery(event));
  OK(cudaEventDestroy(event));
  IS(cudaEventDestroy(event), cudaErrorInvalidResourceHandle);
  OK(cudaStreamDestroy(one));
  OK(cudaStreamDestroy(two));
  OK(cudaFree(there));
  (void)cudaGetLastError();
}

int main() {
  device();
  memory();
  kernels();
  queue();
  OK(cudaDeviceReset());
  memory(); /* as at the start */
  SAY(strcmp(cudaGetErrorName(cudaErrorMisalignedAddress), "cudaErrorMisalignedAddress") == 0);
  puts("all calls");
}
