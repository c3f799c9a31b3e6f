// SPDX-License-Identifier: Apache-2.0
// The textbook's conditional: if (x[i] != 0) x[i] = x[i] - y[i]; else x[i] = z[i];
__kernel void ifelse(__global float *x, __global const float *y, __global const float *z, uint n) {
  uint i = get_global_id(0);
  if (i >= n) return;
  if (x[i] != 0)
    x[i] = x[i] - y[i];
  else
    x[i] = z[i];
}
