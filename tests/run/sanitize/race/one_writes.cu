// One thread writes, all read.
// run: --grid 1 --block 96 --arg in:in --arg out:384:-
__global__ void k(const int *in, int *out) {
  __shared__ int all;
  if (threadIdx.x == 0) all = 0;
  __syncthreads();
  if (threadIdx.x == 40) all = in[0] + 7;
  // mended: __syncthreads();
  out[threadIdx.x] = all; // told: race with line 7
}
