// SPDX-License-Identifier: Apache-2.0
// printf of OpenCL C: by values (clang 14) or in a buffer (clang 19); a line for each of two work items.
kernel void print(global float *f, float x, char c) {
  const int i = get_global_id(0);
  printf("%d %5.2f|%-6x|%%|%c%s %ld %#lx\n", i - 1, x + i, i + 200, c + i, "str", (long)i << 40, (long)-1);
  printf("%v4hlf %v2d %.1v3hlf %v4hhu %v2lu\n", (float4)(x, 1, 2, i), (int2)(i, -i), (float3)(1, 2, 3), (uchar4)(i, 250, 3, 4),
         (ulong2)(i, 1UL << 40));
  if (i == 0) printf("%*d %hhd %hd %g %e %i\n", 6, 42, 300, 70000, 1e10f * x, (double)x, -7);
  if (i == 1) printf("no arguments\n");
}
