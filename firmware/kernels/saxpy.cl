// SPDX-License-Identifier: Apache-2.0
// y = alpha x + y in a loop that strides by the whole grid, so that any grid does.
__kernel void saxpy(float alpha, __global const float *x, __global float *y, uint n) {
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = fma(alpha, x[i], y[i]);
}
