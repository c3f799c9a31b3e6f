// A helper with a barrier in it, called from several places, and a loop that clang unrolls.
// run: --grid 1 --block 64 --launches 2 --arg in:in --arg out:256:-
__device__ void put(int *room, int i, int v) {
  room[i] = v;
  __syncthreads();
}
__global__ void k(const int *in, int *out) {
  __shared__ int room[2][64];
  const int i = threadIdx.x;
  int v = in[i];
#pragma unroll
  for (int t = 0; t < 6; t++) {
    put(room[t % 2], i, v);
    v += room[t % 2][(i + 9) % 64];
  }
  put(room[0], i, v);
  out[i] = room[0][i ^ 33];
}
