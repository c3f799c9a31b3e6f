// SPDX-License-Identifier: Apache-2.0
// A picture of 16 x 16, each point the mean of the 9 round it. A group reads its 8 x 8 and the border into local memory.
// run: heddle run examples/programs/blur.cl --global 16,16 --local 8,8 --arg in:examples/programs/x.npy --arg out:1024:f32:-
#define SIDE 16
#define TILE 8

int inside(int v) {
  return clamp(v, 0, SIDE - 1);
}

__attribute__((reqd_work_group_size(TILE, TILE, 1))) kernel void blur(global const float *in, global float *out) {
  local float tile[TILE + 2][TILE + 2];
  const int x = get_local_id(0), y = get_local_id(1), left = get_group_id(0) * TILE - 1, top = get_group_id(1) * TILE - 1;
  for (int row = y; row < TILE + 2; row += TILE)
    for (int column = x; column < TILE + 2; column += TILE)
      tile[row][column] = in[inside(top + row) * SIDE + inside(left + column)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int dy = 0; dy < 3; dy++)
    for (int dx = 0; dx < 3; dx++) sum += tile[y + dy][x + dx];
  out[get_global_id(1) * SIDE + get_global_id(0)] = sum / 9;
}
