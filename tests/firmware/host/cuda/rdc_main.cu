/* SPDX-License-Identifier: Apache-2.0
 * The first of two files whose kernels are linked with each other: a variable and a function of the other, statics
 * and unnamed kernels of the same names in both, and a kernel of a template that is the same one. */
#include "check.h"

extern __device__ int table[4];
__device__ int twice(int x);
int other_amount(int *there);

static __device__ int amount = 1;
static __global__ void tell(int *at) {
  *at = amount;
}
namespace {
__global__ void hidden(int *at) {
  *at = 11;
}
}
template <class T> __global__ void fill(T *at, T from) {
  at[threadIdx.x] = from + (T)twice(threadIdx.x);
}
__global__ void sums(int *at) {
  at[threadIdx.x] = twice(threadIdx.x) + table[threadIdx.x & 3] + amount;
}

int main() {
  int *there, got[8], told;
  const int values[4] = {100, 200, 300, 400};
  OK(cudaMalloc(&there, sizeof got));
  OK(cudaMemcpyToSymbol(table, values, sizeof values));
  sums<<<1, 8>>>(there);
  OK(cudaGetLastError());
  OK(cudaMemcpy(got, there, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 8; i++) SAY(got[i] == 2 * i + values[i & 3] + 1);
  tell<<<1, 1>>>(there);
  OK(cudaGetLastError());
  OK(cudaMemcpy(&told, there, sizeof told, cudaMemcpyDeviceToHost));
  hidden<<<1, 1>>>(there);
  fill<int><<<1, 4>>>(there + 1, 5);
  OK(cudaMemcpy(got, there, sizeof got, cudaMemcpyDeviceToHost));
  SAY(got[0] == 11 && got[1] == 5 && got[4] == 11);
  printf("%d and %d\n", told, other_amount(there));
}
