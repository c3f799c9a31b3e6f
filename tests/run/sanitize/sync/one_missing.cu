// A named barrier of two warps, and one of them goes by.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
// says: never completes
__global__ void k(const int *in, int *out) {
  if (threadIdx.x < 32) // broken
    asm volatile("bar.sync 1, 64;" ::: "memory"); // told: sync
  out[threadIdx.x] = in[threadIdx.x];
}
