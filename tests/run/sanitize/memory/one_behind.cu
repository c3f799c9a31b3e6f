// The last thread stores behind the end of the buffer.
// run: --grid 1 --block 64 --arg in:in --arg out:252:- --arg s32:63
// says: argument 1, int* (252 bytes at 0x111000): 4 bytes beyond its end
__global__ void k(const int *in, int *out, int n) {
  const int i = threadIdx.x;
  if (i <= n) out[i] = in[i]; // broken, told: memory
  // mended: if (i < n) out[i] = in[i];
}
