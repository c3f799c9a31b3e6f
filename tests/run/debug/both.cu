// SPDX-License-Identifier: Apache-2.0
// A program to debug, in CUDA C; both.cl is the same in OpenCL C, line by line: numbers come back in reverse order.
__constant__ unsigned steps[4] = {0, 100, 200, 300};
__device__ unsigned twice(unsigned value) {
  unsigned result = value * 2;
  return result;
}
__device__ unsigned peek(unsigned *room, const unsigned *from, float part, unsigned at);
__global__ void reverse(unsigned *out) {
  __shared__ unsigned tile[64];
  unsigned i = threadIdx.x, more = 0;
  if (i % 2 == 1)
    more = steps[1];
  tile[i] = twice(i) + more;
  __syncthreads();
  out[blockIdx.x * blockDim.x + i] = peek(tile, steps, i * 0.5f, i);
}

__device__ unsigned peek(unsigned *room, const unsigned *from, float part, unsigned at) {
  unsigned own[2] = {room[63 - at], from[at % 4]};
  unsigned *p = own;
  return p[0];
}
