// SPDX-License-Identifier: Apache-2.0
// Memory of a size that is known at run time: a function gives it back when it returns, and has its own at each depth of
// recursion. Sums of 0 .. n - 1 twice, of 1 .. m for each depth m, and of both.
// run: --grid 1 --block 8 --arg out:96:s32:- --arg s32:3
// prints: 3 3 4 6 9 13 18 24 4 10 20 35 56 84 120 165 7 16 30 50 77 112 156 210
// clang: clang-19
// cc: -Xclang -target-feature -Xclang +ptx73
__device__ __noinline__ int sum(const int *p, int n) {
  int s = 0;
  for (int k = 0; k < n; k++) s += p[k];
  return s;
}
__device__ __noinline__ int numbers(int n) {
  int *room = (int *)__builtin_alloca(n * sizeof(int));
  for (int k = 0; k < n; k++) room[k] = k;
  return sum(room, n);
}
__device__ __noinline__ int depth(int n) {
  if (n == 0) return 0;
  int *room = (int *)__builtin_alloca(n * sizeof(int));
  for (int k = 0; k < n; k++) room[k] = k + 1;
  const int below = depth(n - 1);
  return sum(room, n) + below;
}
extern "C" __global__ void k(int *out, int n) {
  const int i = threadIdx.x;
  out[i] = numbers(n) + numbers(i);
  out[8 + i] = depth(i + 2);
  out[16 + i] = numbers(i + n) + depth(i + 2);
}
