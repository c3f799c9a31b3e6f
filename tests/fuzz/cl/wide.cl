// SPDX-License-Identifier: Apache-2.0
// 64-bit integers and doubles.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void wide(__global long *out, __global const ulong *in, double d) {
  int i = get_local_id(0);
  ulong a = in[i], b = in[i + 1] | 1;
  long s = (long)a;
  double x = (double)s * d, y = (double)a;
  out[4 * i] = (long)(a / b) + s % (long)b + (s >> (b & 63)) + (long)(a << (i & 63)) + (long)mul_hi(a, b);
  out[4 * i + 1] = (long)(x / (y + 1.0)) + (x < y ? 1 : isnan(x) ? 2 : 3);
  out[4 * i + 2] = as_long(fma(x, y, d)) ^ as_long(fmax(x, d));
  out[4 * i + 3] = (long)(float)x + (s < 0 ? -s : s) + popcount(a) + (long)clz(b) + (long)rotate(a, (ulong)13);
}
