// Accesses out of bounds: tests/tools/test_sanitize.py says what the comments mean.

// Two arrays of the thread's own, and an index that is too large for the first; one of a function, too.
// run: --grid 1 --block 32 --arg in:in --arg out:128:-
// needs: clang 15
// says: array "first" (32 bytes): 4 bytes beyond its end
// says: array "table" (12 bytes): 8 bytes beyond its end
__device__ int of_table(const int *in, int n) {
  int table[3], other[5];
  for (int i = 0; i < 5; i++) {
    table[i % 3] = in[i];
    other[(i + n) % 5] = in[i + 1];
  }
  return table[n] + other[in[0] + n - 1]; // broken, told: memory
  // mended: return table[n % 3] + other[n % 5];
}
__global__ void own_arrays(const int *in, int *out) {
  int first[8], second[8];
  for (int i = 0; i < 8; i++) {
    first[in[i] % 8] = i;
    second[in[i + 8] % 8] = i;
  }
  for (int i = 0; i < 8; i++) first[i] = second[i] = in[i];
  first[in[0] + 8] = 1; // broken, told: memory
  out[threadIdx.x] = first[in[1] % 8] + second[in[2] % 8] + of_table(in, in[0] + 4);
}
