// The mask names a lane that ends without coming.
// run: --grid 1 --block 32 --div its --arg in:in --arg out:128:-
// says: which end without coming to it
__global__ void k(const int *in, int *out) {
  const int i = threadIdx.x;
  if (i >= 8) {
    volatile int *mine = out + i;
#pragma unroll 1
    for (int t = 0; t < 200; t++) *mine = in[t];
    return;
  }
  __syncwarp(0x000000ff | (in[1] & 0x100)); // broken, told: sync
  // mended: __syncwarp(0x000000ff);
  out[i] = in[i];
}
