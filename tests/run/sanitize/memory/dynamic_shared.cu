// Dynamic shared memory for 32 numbers, and 64 threads.
// run: --grid 1 --block 64 --shared 128 --arg in:in --arg out:256:-
// says: shared memory of the block (128 bytes)
__global__ void k(const int *in, int *out) {
  extern __shared__ int room[];
  const int i = threadIdx.x;
  room[i] = in[i]; // broken, told: memory
  // mended: if (i < 32) room[i] = in[i];
  out[i] = i < 32 ? room[i] : 0;
}
