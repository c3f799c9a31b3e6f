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

int other_amount(int *there) {
  int got = 7;
  OK(cudaMemcpyToSymbol(amount, &got, sizeof got));
  tell<<<1, 1>>>(there);
  OK(cudaGetLastError());
  OK(cudaMemcpy(&got, there, sizeof got, cudaMemcpyDeviceToHost));
  return got;
}
