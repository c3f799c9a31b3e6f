// An array of the thread's own, and an index from the input that lies far behind.
// run: --grid 1 --block 32 --arg in:in --arg out:128:-
// says: local memory
__global__ void k(const int *in, int *out) {
  int own[8];
  for (int i = 0; i < 8; i++) own[i] = in[i];
  out[threadIdx.x] = own[in[1] + threadIdx.x]; // broken, told: memory
  // mended: out[threadIdx.x] = own[(in[1] + threadIdx.x) % 8];
}
