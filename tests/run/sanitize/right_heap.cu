// Programs that are right: tests/tools/test_sanitize.py says what the comments mean.

// Blocks of the device's heap: of many sizes, passed to other threads, used to their last byte, given back by others.
// run: --grid 2 --block 64 --arg in:in --arg out:512:/dev/null
__global__ void heap(const int *in, int *out) {
  __shared__ int *passed[64];
  const int i = threadIdx.x, n = in[i] % 40 + 1;
  int *mine = (int *)malloc(n * sizeof(int));
  for (int t = 0; t < n; t++) mine[t] = in[t];
  char *odd = new char[n];
  odd[n - 1] = 1;
  passed[i] = mine;
  __syncthreads();
  out[64 * blockIdx.x + i] = passed[63 - i][0] + odd[n - 1];
  __syncthreads();
  free(passed[i ^ 32]);
  delete[] odd;
  free(nullptr);
  int *again = (int *)malloc(n * sizeof(int));
  again[n - 1] = 2;
  free(again);
}
