// Eight bytes at an address that is a multiple of four.
// run: --grid 1 --block 32 --arg in:in --arg out:256:/dev/null
// says: misaligned
__global__ void k(const int *in, long long *out) {
  out[threadIdx.x] = *(const long long *)(in + threadIdx.x); // broken, told: memory
  // mended: out[threadIdx.x] = *(const long long *)(in + 2 * threadIdx.x);
}
