// SPDX-License-Identifier: Apache-2.0
// Sum: each thread adds every so-many-th element, then the block adds its threads' sums as a tree in `partial` (one
// word a thread). out[block] = the block's sum; a second launch of one block adds those.
__kernel void reduce(__global const float *in, __global float *out, __local float *partial, uint n) {
  uint t = get_local_id(0);
  float sum = 0;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i];
  partial[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint span = get_local_size(0) / 2; span > 0; span /= 2) {
    if (t < span) partial[t] += partial[t + span];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) out[get_group_id(0)] = partial[0];
}
