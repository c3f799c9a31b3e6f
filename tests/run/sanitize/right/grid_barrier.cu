// A barrier of the whole grid, counted by one thread of each block.
// run: --grid 4 --block 64 --arg in:in --arg out:1024:- --arg out:8:-
__device__ void grid_barrier(unsigned *count, unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1);
    while (*(volatile unsigned *)count < goal) {}
    __threadfence();
  }
  __syncthreads();
}
__global__ void k(const int *in, int *out, unsigned *count) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  int v = in[i];
  for (int t = 1; t <= 3; t++) {
    out[i] = v;
    grid_barrier(count, (2 * t - 1) * 4);
    v += out[(i + 77) % 256];
    grid_barrier(count, 2 * t * 4);
  }
  out[i] = v;
}
