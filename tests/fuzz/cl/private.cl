// SPDX-License-Identifier: Apache-2.0
// Private arrays, structures by value, calls.
struct point {
  int x, y;
  float w[3];
};

__attribute__((noinline)) struct point turn(struct point p, int by) {
  struct point q = {p.y + by, -p.x, {p.w[1], p.w[2], p.w[0]}};
  return q;
}

__attribute__((noinline)) int sum(const int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i] * (i + 1);
  return s;
}

__kernel void private_arrays(__global int *out, __global const int *in, int n) {
  int a[12], i = get_global_id(0);
  struct point p = {in[i], n, {1.0f, 2.0f, 3.0f}};
  for (int k = 0; k < 12; k++) a[k] = in[k & 7] ^ k;
  a[n % 12u] += i;
  for (int k = 0; k < (n & 3); k++) p = turn(p, a[k]);
  out[i] = sum(a, n & 15 ? 12 : 6) + p.x - p.y + (int)p.w[0];
}
