/* SPDX-License-Identifier: Apache-2.0
 * The first of two files: kernels and variables of the same name in both. */
#include "check.h"

static __device__ int amount = 1;
static __global__ void add(int *at) {
  at[threadIdx.x] += amount;
}

void add_in_other(int *at);
int plain(int); /* of a C++ file without kernels */

int main() {
  int *there, got = -1;
  OK(cudaMalloc(&there, 128));
  OK(cudaMemset(there, 0, 128));
  add<<<1, 32>>>(there);
  add_in_other(there);
  add<<<1, 32>>>(there);
  OK(cudaMemcpy(&got, there + 5, sizeof got, cudaMemcpyDeviceToHost));
  printf("%d\n", plain(got));
}
