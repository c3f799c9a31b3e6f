// SPDX-License-Identifier: Apache-2.0
// a[i] = b[index[i]]: loads that do not lie beside each other.
__kernel void permute(__global uint *a, __global const uint *b, __global const uint *index, uint n) {
  uint i = get_global_id(0);
  if (i < n) a[i] = b[index[i]];
}
