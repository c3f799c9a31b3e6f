/* SPDX-License-Identifier: Apache-2.0
 * The second of two files whose kernels are linked with each other. */
#include "check.h"

__device__ int table[4];
static __device__ int amount = 5;
static __global__ void tell(int *at) {
  *at = amount;
}

__device__ int twice(int x) {
  return 2 * x;
}

namespace {
__global__ void hidden(int *at) {
  *at = 12;
}
}
template <class T> __global__ void fill(T *at, T from) {
  at[threadIdx.x] = from + (T)twice(threadIdx.x);
}

int other_amount(int *there) {
  int got = 7, filled[8];
  hidden<<<1, 1>>>(there);
  fill<int><<<1, 2>>>(there + 1, 6);
  fill<float><<<1, 2>>>((float *)there + 3, 0.5f);
  OK(cudaMemcpy(filled, there, sizeof filled, cudaMemcpyDeviceToHost));
  SAY(filled[0] == 12 && filled[2] == 8 && filled[4] == 0x40200000); /* 2.5 */
  OK(cudaMemcpyToSymbol(amount, &got, sizeof got));
  tell<<<1, 1>>>(there);
  OK(cudaGetLastError());
  OK(cudaMemcpy(&got, there, sizeof got, cudaMemcpyDeviceToHost));
  return got;
}
