// A row too many: with less room between buffers it would be the neighbour that is overwritten.
// run: --grid 1 --block 64 --arg out:4096:/dev/null --arg inout:in:/dev/null --arg s32:20
// says: argument 0
__global__ void k(int *out, int *other, int rows) {
  for (int r = 0; r < rows; r++) out[64 * r + threadIdx.x] = r; // broken, told: memory
  // mended: for (int r = 0; r < 16; r++) out[64 * r + threadIdx.x] = r;
  other[threadIdx.x] = rows;
}
