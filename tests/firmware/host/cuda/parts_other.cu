/* SPDX-License-Identifier: Apache-2.0
 * The second of two files. */
static __device__ int amount = 100;
static __global__ void add(int *at) {
  at[threadIdx.x] += amount;
}

void add_in_other(int *at) {
  add<<<1, 32>>>(at);
}
