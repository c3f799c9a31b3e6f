// SPDX-License-Identifier: Apache-2.0
// Floats: exact and approximate operations, comparisons, conversions.
__kernel void math(__global float *out, __global const float *in, float k) {
  int i = get_local_id(0);
  float a = in[i], b = in[i + 1];
  out[8 * i] = sqrt(a) + rsqrt(b) + native_recip(a);
  out[8 * i + 1] = a / b + fmin(a, b) - fmax(a, k);
  out[8 * i + 2] = a * b - b;
  out[8 * i + 3] = fma(a, b, k) + mad(a, k, b) + fabs(a) - copysign(a, b);
  out[8 * i + 4] = floor(a) + ceil(b) + trunc(k) + rint(a) + (float)(int)b + (float)(uint)k;
  out[8 * i + 5] = isless(a, b) + 2 * isunordered(a, b) + 4 * isgreaterequal(a, k) + 8 * (a != b);
  out[8 * i + 6] = select(a, b, (uint)i) + clamp(a, 0.0f, 1.0f) + step(a, b) + sign(k);
  out[8 * i + 7] = as_float(as_int(a) ^ 0x80000000) + (float)clz(as_uint(b)) + (float)mul24(i, 77) + (float)mul_hi(i, 1 << 30);
}
