// SPDX-License-Identifier: Apache-2.0
// Loops in loops, breaks, gotos, early ends.
__kernel void control(__global int *out, __global const int *in, int n) {
  int i = get_global_id(0), s = 0;
  if (i >= n) return;
  for (int a = 0; a < n; a++) {
    int v = in[a];
    if (v < 0) continue;
    if (v == 1000) break;
    while (v > 1) {
      if (v & 1) {
        v = 3 * v + 1;
        if (s > 100000) goto out;
      } else {
        v >>= 1;
      }
      s++;
    }
    do {
      s ^= v << a;
      for (int b = i; b > 0; b /= 2)
        if ((b ^ a) == 5) goto next;
    } while (--v > 0 && s & 3);
  next:
    s += (a > i && s != 0) || v == 3 ? 7 : -1;
  }
out:
  out[i] = s;
}
