// SPDX-License-Identifier: Apache-2.0
// bins[v] += how often v is in data[0..n): a histogram of the block in local memory, added to the global one.
#define BINS 256
__kernel void histogram(__global const uchar *data, __global uint *bins, uint n) {
  __local uint count[BINS];
  for (uint i = get_local_id(0); i < BINS; i += get_local_size(0)) count[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&count[data[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < BINS; i += get_local_size(0))
    if (count[i] > 0) atomic_add(&bins[i], count[i]);
}
