// A block that is no multiple of a warp, threads that leave behind the barrier, padding that nobody writes, a partial last warp.
// run: --grid 3 --block 50 --arg in:in --arg out:1200:/dev/null --arg s32:130
struct pair {
  char c;
  int v;
};
__global__ void k(const int *in, int *out, int n) {
  __shared__ int room[64];
  const int i = blockIdx.x * 50 + threadIdx.x;
  struct pair p;
  p.c = (char)in[i];
  p.v = in[i + 1];
  room[threadIdx.x] = __shfl_sync(__activemask(), p.v, 0);
  __syncthreads();
  if (i >= n) return;
  out[2 * i] = p.c;
  out[2 * i + 1] = room[threadIdx.x % 10];
}
