// Elements of the thread's own array that the input leaves out.
// run: --grid 1 --block 32 --arg in:in --arg out:128:-
__global__ void k(const int *in, int *out) {
  int own[16];
  for (int i = 0; i < 8; i++) own[in[i] % 8] = i; // broken
  // mended: for (int i = 0; i < 16; i++) own[i] = in[i];
  out[threadIdx.x] = own[in[threadIdx.x] % 16]; // told: init
}
