// A barrier in a branch that a part of a warp takes.
// run: --grid 1 --block 32 --arg in:in --arg out:128:-
// says: which are elsewhere
__global__ void k(const int *in, int *out) {
  __shared__ int room[32];
  const int i = threadIdx.x;
  room[i] = 0;
  if (in[i] > 500) {  // broken
    __syncthreads();  // broken, told: sync with line 13
    room[i] = in[i];  // broken
  }                   // broken
  // mended: if (in[i] > 500) room[i] = in[i];
  __syncthreads();
  out[i] = room[31 - i];
}
