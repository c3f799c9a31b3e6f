// A histogram of ten bins, and a value that belongs to none.
// run: --grid 1 --block 64 --arg in:in --arg out:40:-
// says: 28 bytes beyond its end
__global__ void k(const int *in, int *out) {
  const int bin = in[threadIdx.x] / 55;
  atomicAdd(&out[bin], 1); // broken, told: memory
  // mended: if (bin < 10) atomicAdd(&out[bin], 1);
}
