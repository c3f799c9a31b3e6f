// SPDX-License-Identifier: Apache-2.0
// Running sums in dynamic shared memory, of which the launch says how much there is.
// run: heddle run examples/programs/scan.cu --grid 1 --block 64 --shared 256 --arg out:256:u32:-
__global__ void scan(unsigned *out) {
  extern __shared__ unsigned sum[];
  const unsigned i = threadIdx.x;
  sum[i] = i * i;
  __syncthreads();
  for (unsigned back = 1; back < blockDim.x; back *= 2) {
    const unsigned more = i >= back ? sum[i - back] : 0;
    __syncthreads();
    sum[i] += more;
    __syncthreads();
  }
  out[i] = sum[i];
}
