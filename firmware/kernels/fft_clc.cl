/* SPDX-License-Identifier: Apache-2.0
 *
 * Fast Fourier transforms, Stockham: 256 points a block of 128 threads, eight passes of radix 2, roots of one by sin and
 * cos of the OpenCL library. `inverse`: the other sign, and the factor 1 / 256. */
#pragma OPENCL FP_CONTRACT OFF

float2 times(float2 a, float2 b) {
  return (float2)(fma(a.x, b.x, -(a.y * b.y)), fma(a.x, b.y, a.y * b.x));
}

__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void fft_clc(__global const float2 *in, __global float2 *out,
                                                                       uint inverse) {
  __local float2 a[256], b[256];
  __local float2 *from = a, *to = b;
  const uint t = get_local_id(0), base = get_group_id(0) * 256;
  a[t] = in[base + t];
  a[t + 128] = in[base + t + 128];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint done = 1; done < 256; done *= 2) {
    const uint low = t & (done - 1);
    const float angle = (inverse ? M_PI_F : -M_PI_F) * (float)low / (float)done;
    const float2 x = from[t], y = times(from[t + 128], (float2)(cos(angle), sin(angle)));
    const uint at = 2 * t - low;
    to[at] = x + y;
    to[at + done] = x - y;
    barrier(CLK_LOCAL_MEM_FENCE);
    __local float2 *other = from;
    from = to;
    to = other;
  }
  const float factor = inverse ? 1.0f / 256 : 1.0f;
  out[base + t] = from[t] * factor;
  out[base + t + 128] = from[t + 128] * factor;
}
