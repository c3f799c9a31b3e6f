// SPDX-License-Identifier: Apache-2.0
// A program to debug, in OpenCL C; both.cu is the same in CUDA C, line by line: numbers come back in reverse order.
constant uint steps[4] = {0, 100, 200, 300};
uint twice(uint value) {
  uint result = value * 2;
  return result;
}
uint peek(local uint *room, constant uint *from, float part, uint at);
kernel void reverse(global uint *out) {
  local uint tile[64];
  uint i = get_local_id(0), more = 0;
  if (i % 2 == 1)
    more = steps[1];
  tile[i] = twice(i) + more;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = peek(tile, steps, i * 0.5f, i);
}

uint peek(local uint *room, constant uint *from, float part, uint at) {
  uint own[2] = {room[63 - at], from[at % 4]};
  uint *p = own;
  return p[0];
}
