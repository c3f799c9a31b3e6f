// SPDX-License-Identifier: Apache-2.0
// Each number of a block, twice as large, in reverse order, by way of shared memory: a small program to debug.
// run: heddle run examples/programs/reverse.cu --grid 2 --block 64 --arg out:512:u32:-
__device__ unsigned twice(unsigned value) {
  unsigned result = value * 2;
  return result;
}

__global__ void reverse(unsigned *out) {
  __shared__ unsigned tile[64];
  unsigned i = threadIdx.x, more = 0;
  if (i % 2 == 1)
    more = 100;
  tile[i] = twice(i) + more;
  __syncthreads();
  out[blockIdx.x * blockDim.x + i] = tile[63 - i];
}
