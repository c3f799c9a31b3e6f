// The first thread loads in front of the buffer.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
// says: 4 bytes before its beginning
__global__ void k(const int *in, int *out) {
  const int i = threadIdx.x;
  out[i] = in[i - 1]; // broken, told: memory
  // mended: out[i] = i > 0 ? in[i - 1] : 0;
}
