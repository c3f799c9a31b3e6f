// SPDX-License-Identifier: Apache-2.0
// A dot product: each work item takes every 64th pair, then halves of the group add up in local memory, which the host
// gives as an argument.
// run: heddle run examples/programs/dot.cl --global 64 --local 64 --arg in:examples/programs/x.npy --arg in:examples/programs/x.npy --arg u32:256 --arg local:256 --arg out:4:f32:-
kernel void dot_product(global const float *x, global const float *y, uint n, local float *part, global float *result) {
  const uint i = get_local_id(0);
  float sum = 0;
  for (uint k = i; k < n; k += get_local_size(0)) sum += x[k] * y[k];
  part[i] = sum;
  for (uint half_of = get_local_size(0) / 2; half_of > 0; half_of /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < half_of) part[i] += part[i + half_of];
  }
  if (i == 0) *result = part[0];
}
