// Accesses out of bounds: tests/tools/test_sanitize.py says what the comments mean.

// Blocks of the device's heap: before and beyond one, after it was given back, given back twice, one that is none.
// run: --grid 1 --block 32 --arg in:in --arg out:128:/dev/null
// says: 4 bytes beyond its end
// says: 4 bytes before it
// says: use after free of a block of 36 bytes
// says: double free of a block of 36 bytes
// says: free of an address 4 bytes inside of a block of 40 bytes
__global__ void heap(const int *in, int *out) {
  const int i = threadIdx.x;
  int *volatile mine = (int *)malloc(36), *volatile other = (int *)malloc(40);
  for (int t = 0; t < 9; t++) mine[t] = in[t];
  mine[in[0] + 9] = 1; // broken, told: memory with line -2
  other[in[0] - 1] = 1; // broken, told: memory with line -3
  other[0] = 1;
  int sum = mine[in[0]] + other[0];
  free(mine);
  sum += ((volatile int *)mine)[3]; // broken, told: memory with line -1
  free(mine); // broken, told: memory with line -2
  free(other + 1); // broken, told: memory with line -9
  // mended: free(other);
  out[i] = sum;
}
