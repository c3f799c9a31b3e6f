// SPDX-License-Identifier: Apache-2.0
// A line from every other work item.
// run: heddle run examples/programs/hello.cl --global 8 --local 4
kernel void hello(void) {
  const uint i = get_global_id(0);
  if (i % 2 == 0) printf("work item %u of %u, group %u\n", i, (uint)get_global_size(0), (uint)get_group_id(0));
}
