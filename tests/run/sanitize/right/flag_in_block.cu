// One warp waits for the flag of another one, in global memory; then parts of a warp meet by masks.
// run: --grid 1 --block 64 --arg in:in --arg out:256:- --arg out:4:-
__global__ void k(const int *in, int *out, int *flag) {
  __shared__ int room[64];
  const int i = threadIdx.x;
  if (i < 32) {
    room[i] = in[i];
    __threadfence_block();
    atomicAdd(flag, 1);
  } else {
    while (*(volatile int *)flag < 32) {}
    __threadfence_block();
    room[i] = room[i - 32] + 1;
  }
  __syncthreads();
  const unsigned half = i % 32 < 16 ? 0x0000ffff : 0xffff0000;
  __syncwarp(half);
  const int other = room[i ^ 5];
  __syncwarp(half);
  room[i] = other;
  __syncthreads();
  out[i] = room[63 - i];
}
