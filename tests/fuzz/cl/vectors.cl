// SPDX-License-Identifier: Apache-2.0
// Vectors: loads, stores, swizzles, comparisons, conversions.
__kernel void vectors(__global float4 *out, __global const int4 *in, __global uchar4 *bytes, float2 by) {
  int i = get_local_id(0);
  int4 a = in[i], b = in[i + 1].wzyx;
  float4 f = convert_float4(a) * by.xyxy + (float4)(0.5f, -1.0f, by.x, by.y);
  f.s02 = f.s13 - f.s31;
  int4 m = a < b;
  f = m.x ? f : f.yxwz;
  bytes[i] = convert_uchar4(as_uint4(f) >> 24) + (uchar4)(1, 2, 3, 4);
  short2 s = (short2)((short)a.x, (short)b.y);
  s *= (short2)(3, -5);
  f.w += s.x + s.y;
  vstore2(f.xy, i, (__global float *)out + 64);
  out[i] = f;
}
