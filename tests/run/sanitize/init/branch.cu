// A branch on what nobody wrote.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
__global__ void k(const int *in, int *out) {
  __shared__ int limit;
  if (threadIdx.x == 0 && in[0] == 1) limit = in[1]; // broken
  // mended: if (threadIdx.x == 0) limit = in[1];
  __syncthreads();
  if (in[threadIdx.x] < limit) // told: init
    out[threadIdx.x] = in[threadIdx.x];
}
