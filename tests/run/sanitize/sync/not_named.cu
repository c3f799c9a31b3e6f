// The mask of a __syncwarp does not name all that execute it.
// run: --grid 1 --block 32 --arg in:in --arg out:128:-
// says: does not name
__global__ void k(const int *in, int *out) {
  __shared__ int room[32];
  const int i = threadIdx.x;
  room[i] = in[i];
  __syncwarp(0x0000ffff); // broken, told: sync
  // mended: __syncwarp();
  out[i] = room[i ^ 1];
}
