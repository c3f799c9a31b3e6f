// SPDX-License-Identifier: Apache-2.0
// What clang at -O0 reads through generic addresses of constants: a table of functions, and arrays with initial values.
// run: --grid 1 --block 4 --arg out:16:s32:- --arg s32:2
// prints: 119 130 138 151
struct row { int a[3]; };
__device__ __noinline__ int sum(const int *p, int n) {
  int s = 0;
  for (int k = 0; k < n; k++) s += p[k];
  return s;
}
__device__ __noinline__ int one(int x) { return x + 1; }
__device__ __noinline__ int two(int x) { return x + 2; }
typedef int (*step)(int);
__device__ step const table[2] = {one, two};
extern "C" __global__ void k(int *out, int n) {
  const int weight[4] = {10, 20, 29, 41};
  const row rows[2] = {{{1, 2, 3}}, {{70, 30, n}}};
  const int i = threadIdx.x;
  out[i] = table[i % 2](sum(rows[1].a, 3) + weight[i] + sum(rows[0].a, 3));
}
