// Barriers that not all come to: tests/tools/test_sanitize.py says what the comments mean.
#include <cuda/barrier>

// A barrier in memory that counts one thread more than the block has.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
// says: the phase of an mbarrier never ends
__global__ void phase(const int *in, int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> all;
  __shared__ int room[64];
  const int i = threadIdx.x;
  if (i == 0) init(&all, blockDim.x + 1); // broken
  // mended: if (i == 0) init(&all, blockDim.x);
  __syncthreads();
  room[i] = in[i];
  all.arrive_and_wait(); // told: sync
  out[i] = room[63 - i];
}
