// SPDX-License-Identifier: Apache-2.0
// A value of one work item, told to all of its group by a function that takes it by value: the others have none. The
// first of 64 takes places for all, once.
int told(int v, local int *room) {
  room[get_local_id(0)] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  return room[9];
}
kernel void leader(global int *out, global int *taken) {
  local int room[64];
  int v;
  if (get_local_id(0) == 9) v = atomic_add(&taken[get_group_id(0)], 64);
  v = told(v, room) + taken[get_group_id(0)];
  out[get_global_id(0)] = v;
}
