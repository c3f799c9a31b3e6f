// A shared array of 64 elements, and an index of 64.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
// says: array "k(int const*, int*)::room" (256 bytes at 0x0): 4 bytes beyond its end
__global__ void k(const int *in, int *out) {
  __shared__ int room[64];
  const int i = threadIdx.x;
  room[i] = in[i];
  __syncthreads();
  out[i] = room[i + 1]; // broken, told: memory
  // mended: out[i] = room[(i + 1) % 64];
}
