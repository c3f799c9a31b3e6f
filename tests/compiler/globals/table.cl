/* SPDX-License-Identifier: Apache-2.0
 * Variables of program scope, as OpenCL C 2.0 has them (tests/run/test_globals.sh). table.ptx is what
 * tests/silicon/build-ptx.sh makes of it with -cl-std=CL2.0. */
global uint counter = 1000;
global uint seen[64];
global uint weight[4] = {3, 5, 7, 11};
global uint *row[2] = {weight + 2, seen};

kernel void k(global uint *out) {
  const uint i = get_global_id(0);
  atomic_add(&counter, 1);
  row[1][i] = weight[i & 3] * i; /* seen */
  barrier(CLK_GLOBAL_MEM_FENCE);
  const uint other = i ^ 1; /* of the same block */
  out[i] = seen[other] * 16 + row[0][i & 1] + (counter >= 1032 ? 100000 : 0);
}
