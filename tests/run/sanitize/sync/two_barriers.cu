// Each warp has a barrier of its own in the source; they meet all the same.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
// says: meet at different barriers
__global__ void k(const int *in, int *out) {
  __shared__ int room[64];
  const int i = threadIdx.x;
  if (i < 32) {
    room[i] = in[i];
    __syncthreads(); // broken, told: sync
  } else {
    room[i] = in[i] * 2;
    __syncthreads(); // broken
  }
  // mended: __syncthreads();
  out[i] = room[63 - i];
}
