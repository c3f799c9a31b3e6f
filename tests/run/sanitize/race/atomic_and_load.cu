// An atomic orders nothing for a plain load beside it.
// run: --grid 1 --block 64 --arg out:256:- --arg inout:in:-
__global__ void k(int *out, int *count) {
  atomicAdd(&count[0], 1);
  // mended: __syncthreads();
  out[threadIdx.x] = count[0]; // told: race with line 4
}
