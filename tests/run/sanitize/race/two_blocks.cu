// A block reads what its neighbour writes.
// run: --grid 2 --block 32 --arg in:in --arg out:256:-
// says: threads of two blocks
__global__ void k(const int *in, int *out) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  out[i] = in[i];
  __syncthreads();
  if (threadIdx.x == 0) out[i] += out[i ^ 32]; // broken, told: race with line 6, race with line 8
  // mended: if (threadIdx.x == 0) out[i] += out[i ^ 16];
}
