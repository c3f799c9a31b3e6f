// SPDX-License-Identifier: Apache-2.0
// printf of CUDA C: vprintf. Formats and strings lie in global memory here.
__device__ char word[8] = "hello";
__global__ void print(int n, double x) {
  const int i = threadIdx.x;
  for (int k = 0; k < n; k++) printf("%d.%d %s\n", i, k, word);
  if (i == 0) printf("%f %5.1e %p %llu %u %c%c\n", x, x / 3, (void *)0x1234, 1ull << 63, 4000000000u, 'o', 'k');
}
