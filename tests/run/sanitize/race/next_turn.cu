// A tile is written again while another warp may still read it.
// run: --grid 1 --block 64 --arg in:in --arg out:256:- --arg s32:4
__global__ void k(const int *in, int *out, int turns) {
  __shared__ int room[64];
  const int i = threadIdx.x;
  int sum = 0;
  for (int t = 0; t < turns; t++) {
    room[i] = in[64 * t + i];
    __syncthreads();
    sum += room[63 - i]; // told: race with line 8
    // mended: __syncthreads();
  }
  out[i] = sum;
}
