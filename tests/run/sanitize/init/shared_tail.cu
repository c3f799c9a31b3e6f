// The last element is written by nobody.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
__global__ void k(const int *in, int *out) {
  __shared__ int room[64];
  const int i = threadIdx.x;
  if (i < 63) room[i] = in[i]; // broken
  // mended: room[i] = in[i];
  __syncthreads();
  out[i] = room[63 - i]; // told: init
}
