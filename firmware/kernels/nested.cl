// SPDX-License-Identifier: Apache-2.0
// Divergence inside divergence: a loop whose length depends on the data, left in its middle by some, with a branch of
// which one arm calls a function that branches.
__attribute__((noinline)) uint step(uint v) {
  v = 3 * v + 1;
  return v & 4 ? v ^ 0x10 : v;
}

__kernel void nested(__global const uint *in, __global uint *out, uint n) {
  uint i = get_global_id(0);
  if (i >= n) return;
  uint v = in[i], sum = 0, steps = 0;
  if ((v & 3) == 0) {
    out[i] = 7;
    return;
  }
  while (steps < 40 && v > 1) {
    sum += v & 0xff;
    if (sum > 2000) {
      out[i] = ~sum;
      return;
    }
    v = v & 1 ? step(v) : v >> 1;
    steps++;
  }
  out[i] = sum + (steps << 16);
}
