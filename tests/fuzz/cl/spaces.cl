// SPDX-License-Identifier: Apache-2.0
// Constants with initialisers, pointers of every space, generic choices.
struct entry {
  short key;
  int value[2];
};
__constant struct entry table[3] = {{1, {2, 3}}, {-4, {5, 6}}, {7, {-8, 9}}};
__constant float weight[5] = {0.1f, -0.2f, 0.3f, 1e10f, -0.0f};
__constant char text[] = "hello";

__attribute__((noinline)) int find(short key) {
  for (int i = 0; i < 3; i++)
    if (table[i].key == key) return table[i].value[i & 1];
  return -1;
}

__kernel void spaces(__global int *out, __constant int *c, __local short *l, short key) {
  int i = get_local_id(0), mine[4] = {1, 2, 3, 4};
  int *p = &mine[c[0] & 3];
  *p += find(key);
  l[i] = text[i % 5] + mine[i & 3];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = l[i ^ 1] + *p + (int)(weight[i % 5] * 10.0f) + c[i & 7];
}
