// SPDX-License-Identifier: Apache-2.0
// Atomics, barriers, local memory.
__kernel void atomics(__global int *bins, __global uint *top, __local int *part, __global const int *in, int n) {
  __local int total;
  __local float rows[4][33];
  int i = get_local_id(0), old;
  if (i == 0) total = 0;
  part[i] = in[i];
  rows[i & 3][i & 31] = (float)in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = get_local_size(0) / 2; d > 0; d >>= 1) {
    if (i < d) part[i] += part[i + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  old = atomic_add(&total, part[i]);
  atomic_max(top, (uint)old);
  atomic_cmpxchg(&bins[in[i] & 7], old, n);
  atomic_inc(&bins[8]);
  atomic_xor(&bins[9], i);
  atomic_xchg(&bins[10], n);
  mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (i == 0) bins[11] = total + (int)rows[3][31];
}
