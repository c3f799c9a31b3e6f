// The block that comes last adds up what the others have left (threadFenceReduction of the CUDA samples).
// run: --grid 4 --block 64 --arg in:in --arg out:16:/dev/null --arg out:4:- --arg out:4:-
__global__ void k(const int *in, volatile int *part, int *out, unsigned *count) {
  __shared__ int room[64];
  __shared__ bool last;
  const int i = threadIdx.x;
  room[i] = in[blockIdx.x * 64 + i];
  for (int s = 32; s > 0; s /= 2) {
    __syncthreads();
    if (i < s) room[i] += room[i + s];
  }
  if (i == 0) {
    part[blockIdx.x] = room[0];
    __threadfence();
    last = atomicInc(count, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && i == 0) {
    int sum = 0;
    for (int b = 0; b < gridDim.x; b++) sum += part[b];
    out[0] = sum;
  }
}
