// Threads of one warp exchange values through shared memory as if they ran in step.
// run: --grid 1 --block 32 --arg in:in --arg out:128:-
// says: without a __syncwarp
__global__ void k(const int *in, int *out) {
  __shared__ int room[32];
  const int i = threadIdx.x;
  room[i] = in[i];
  // mended: __syncwarp();
  out[i] = room[i ^ 1]; // told: race with line 7
}
