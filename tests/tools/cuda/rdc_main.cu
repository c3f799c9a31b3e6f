/* SPDX-License-Identifier: Apache-2.0
 * The first of two files whose kernels are linked with each other: a variable and a function of the other, and statics
 * of the same names in both. */
#include "check.h"

extern __device__ int table[4];
__device__ int twice(int x);
int other_amount(int *there);

static __device__ int amount = 1;
static __global__ void tell(int *at) {
  *at = amount;
}
__global__ void sums(int *at) {
  at[threadIdx.x] = twice(threadIdx.x) + table[threadIdx.x & 3] + amount;
}

int main() {
  int *there, got[8];
  const int values[4] = {100, 200, 300, 400};
  OK(cudaMalloc(&there, sizeof got));
  OK(cudaMemcpyToSymbol(table, values, sizeof values));
  sums<<<1, 8>>>(there);
  OK(cudaGetLastError());
  OK(cudaMemcpy(got, there, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 8; i++) SAY(got[i] == 2 * i + values[i & 3] + 1);
  tell<<<1, 1>>>(there);
  OK(cudaGetLastError());
  OK(cudaMemcpy(got, there, sizeof *got, cudaMemcpyDeviceToHost));
  printf("%d and %d\n", got[0], other_amount(there));
}
