/* SPDX-License-Identifier: Apache-2.0
 * A list, strings and a variable of a function, all in program scope (tests/run/test_globals.sh). list.ptx is what
 * tests/silicon/build-ptx.sh makes of it with -cl-std=CL2.0. */
struct node {
  int value;
  global struct node *next;
};
global struct node c = {30, 0};
global struct node b = {20, &c};
global struct node a = {10, &b};
constant char *const global names[3] = {"zero", "one", "two"};
static global int table[2][3] = {{1, 2, 3}, {4, 5, 6}};

int count(void) {
  static global int n = 100;
  return atomic_inc((volatile global int *)&n);
}

/* Six threads. */
kernel void k(global int *out) {
  const int i = get_global_id(0);
  int sum = 0;
  for (global struct node *p = &a; p; p = p->next) sum += p->value;
  out[i] = sum * 1000 + table[i & 1][i % 3];
  if (i == 0) out[0] = count() + count();
  table[i & 1][i % 3] = i;
  out[i] += names[i % 3][0] * 100000;
}
