// SPDX-License-Identifier: Apache-2.0
// y = A x, A sparse in compressed rows: row r has the entries first[r] .. first[r+1]-1 of `column` and `value`.

/* A thread a row. */
__kernel void spmv_scalar(__global const uint *first, __global const uint *column, __global const float *value,
                          __global const float *x, __global float *y, uint rows) {
  uint r = get_global_id(0);
  if (r >= rows) return;
  float sum = 0;
  for (uint i = first[r]; i < first[r + 1]; i++) sum = fma(value[i], x[column[i]], sum);
  y[r] = sum;
}

/* 32 threads a row: each takes every 32nd entry, then a tree in local memory adds their sums. */
#define LANES 32
#define ROWS 4
__kernel __attribute__((reqd_work_group_size(LANES * ROWS, 1, 1))) void spmv_vector(
    __global const uint *first, __global const uint *column, __global const float *value, __global const float *x,
    __global float *y, uint rows) {
  __local float s[ROWS * LANES];
  uint t = get_local_id(0), lane = t % LANES, r = get_group_id(0) * ROWS + t / LANES;
  float sum = 0;
  if (r < rows)
    for (uint i = first[r] + lane; i < first[r + 1]; i += LANES) sum = fma(value[i], x[column[i]], sum);
  s[t] = sum;
  for (uint span = LANES / 2; span > 0; span /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < span) s[t] += s[t + span];
  }
  if (lane == 0 && r < rows) y[r] = s[t];
}
