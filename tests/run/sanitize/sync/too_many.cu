// A named barrier counts more threads than the block has.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
// says: does not fit
__global__ void k(const int *in, int *out) {
  asm volatile("bar.sync 1, 96;" ::: "memory"); // broken, told: sync
  // mended: asm volatile("bar.sync 1, 64;" ::: "memory");
  out[threadIdx.x] = in[threadIdx.x];
}
