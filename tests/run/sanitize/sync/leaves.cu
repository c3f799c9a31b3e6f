// A barrier that a part of the threads comes to; the others have nothing to do, and end.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
// says: have ended and do not come to it
__global__ void k(const int *in, int *out) {
  __shared__ int room[64];
  const int i = threadIdx.x;
  if (i < 20) { // broken
    room[i] = in[i]; // broken
    __syncthreads(); // broken, told: sync
    out[i] = room[19 - i]; // broken
  } // broken
  // mended: if (i < 20) room[i] = in[i];
  // mended: __syncthreads();
  // mended: if (i < 20) out[i] = room[19 - i];
}
