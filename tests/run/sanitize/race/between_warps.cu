// One warp reads what another one has stored, and no barrier stands between.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
__global__ void k(const int *in, int *out) {
  __shared__ int room[64];
  const int i = threadIdx.x;
  room[i] = in[i];
  // mended: __syncthreads();
  out[i] = room[63 - i]; // told: race with line 6, init
}
