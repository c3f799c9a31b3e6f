// A counter in shared memory that does not begin with 0.
// run: --grid 1 --block 64 --arg in:in --arg out:4:-
__global__ void k(const int *in, int *out) {
  __shared__ int count;
  // mended: if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (in[threadIdx.x] > 500) atomicAdd(&count, 1); // told: init
  __syncthreads();
  if (threadIdx.x == 0) out[0] = count;
}
