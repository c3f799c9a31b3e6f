// SPDX-License-Identifier: Apache-2.0
// As sync.cu.
kernel void sync(global int *out) {
  local int step;
  int sum = 0;
  if (get_local_id(0) == 0) step = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 4; i++) {
    sum += step;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == i) step = step * 10;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_local_id(0)] = sum;
}
