// A shuffle of all lanes in a branch that some take.
// run: --grid 1 --block 32 --arg in:in --arg out:128:-
__global__ void k(const int *in, int *out) {
  const int i = threadIdx.x;
  int v = in[i];
  if (in[i] % 2 == 0) { // broken
    v += __shfl_xor_sync(0xffffffff, v, 2); // broken, told: sync
  } // broken
  // mended: v += __shfl_xor_sync(0xffffffff, v, 2);
  out[i] = v;
}
