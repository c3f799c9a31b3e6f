// SPDX-License-Identifier: Apache-2.0
// The heap of kernels as hosts see it: its size is asked for before the first launch, what one launch takes another one
// gives back, and new makes objects with virtual functions.
#include <cuda_runtime.h>
#include <cstdio>

#include "check.h"

struct shape {
  __device__ virtual ~shape() {}
  __device__ virtual int area() const = 0;
};
struct square : shape {
  int side;
  __device__ explicit square(int s) : side(s) {}
  __device__ int area() const override {
    return side * side;
  }
};

__device__ void *kept[64];

__global__ void fill(int *count) {
  void *const block = malloc(1000); /* with its head 64 units of 16 bytes */
  kept[threadIdx.x] = block;
  if (block) atomicAdd(count, 1);
}

__global__ void empty() {
  free(kept[threadIdx.x]);
}

__global__ void areas(int *sum) {
  shape *const s = new square(threadIdx.x);
  if (!s) return;
  atomicAdd(sum, s->area());
  delete s;
}

int main() {
  enum { HEAP = 32 * 1024 };
  size_t bytes = 0;
  int *count, found[3] = {0};
  SAY(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize) == cudaSuccess && bytes == 8 << 20);
  IS(cudaDeviceSetLimit(cudaLimitMallocHeapSize, size_t(1) << 32), cudaErrorUnsupportedLimit);
  OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, HEAP));
  SAY(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize) == cudaSuccess && bytes == HEAP);
  OK(cudaMalloc(&count, sizeof found));
  OK(cudaMemset(count, 0, sizeof found));
  fill<<<1, 64>>>(count);
  empty<<<1, 64>>>();
  fill<<<1, 64>>>(count + 1);
  empty<<<1, 64>>>();
  areas<<<1, 64>>>(count + 2);
  IS(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 2 * HEAP), cudaErrorInvalidValue);
  OK(cudaMemcpy(found, count, sizeof found, cudaMemcpyDeviceToHost));
  SAY(found[0] == 31 && found[1] == 31); /* the first 16 bytes are nobody's */
  SAY(found[2] == 63 * 64 * 127 / 6);
  puts("heap");
}
