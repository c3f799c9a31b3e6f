// SPDX-License-Identifier: Apache-2.0
// How often each letter stands in a file: counted in shared memory, then added to what other blocks found.
// run: heddle run examples/programs/histogram.cu --grid 2 --block 64 --arg in:LICENSE --arg u32:4096 --arg out:104:u32:-
__global__ void histogram(const unsigned char *text, unsigned bytes, unsigned *count) {
  __shared__ unsigned here[26];
  if (threadIdx.x < 26) here[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < bytes; i += gridDim.x * blockDim.x) {
    const unsigned letter = (text[i] | 32) - 'a';
    if (letter < 26) atomicAdd(&here[letter], 1);
  }
  __syncthreads();
  if (threadIdx.x < 26) atomicAdd(&count[threadIdx.x], here[threadIdx.x]);
}
