// SPDX-License-Identifier: Apache-2.0
// out[i] = a[i] + b[i].
__kernel void vecadd(__global const float *a, __global const float *b, __global float *out, uint n) {
  uint i = get_global_id(0);
  if (i < n) out[i] = a[i] + b[i];
}
