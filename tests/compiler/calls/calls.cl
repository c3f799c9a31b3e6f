/* SPDX-License-Identifier: Apache-2.0
 * Calls of every kind. The same text is OpenCL C for clang (scripts/made-ptx.sh makes calls_O0.ptx and calls_O2.ptx of
 * it, in data.zip; it lets functions recurse) and plain C for ../test_calls.c, which runs it natively for the expected values: hence no vector
 * literals of OpenCL, and every type has its size in both. */
#ifdef __OPENCL_C_VERSION__
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
#endif
#define NOINLINE __attribute__((noinline))
typedef int (*operation)(int, int);
struct record { /* without padding: copies read all of it */
  long b;
  int a;
  float f;
  short c[4];
};

/* ---- recursion */
NOINLINE int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
NOINLINE int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
int is_odd(int n);
NOINLINE int is_even(int n) {
  return n == 0 ? 1 : is_odd(n - 1);
}
NOINLINE int is_odd(int n) {
  return n == 0 ? 0 : is_even(n - 1);
}
NOINLINE void quicksort(int *a, int low, int high) {
  if (low >= high) return;
  int pivot = a[(low + high) / 2], i = low, j = high;
  while (i <= j) {
    while (a[i] < pivot) i++;
    while (a[j] > pivot) j--;
    if (i > j) break;
    int t = a[i];
    a[i++] = a[j];
    a[j--] = t;
  }
  quicksort(a, low, j);
  quicksort(a, i, high);
}
NOINLINE int tree(int depth, int x) {
  if (depth == 0) return x;
  int r = tree(depth - 1, x * 2 + 1);
  if (x & 1)
    r += tree(depth - 1, x + 3);
  else if (x % 3 == 0)
    return r * 5;
  return r ^ tree(depth - 1 - (depth > 1 && (x & 2)), x * 7);
}

/* ---- arguments and results */
NOINLINE struct record change(struct record s, int k) {
  s.a += k;
  s.b ^= (long)k << 33;
  s.c[k & 3] = (short)k;
  s.f *= 2;
  return s;
}
NOINLINE long many(int a, long b, int c, double d, int e, uchar f, long g, float h, long i, short j, long k, char l) {
  return a + b * 2 + c * 3 + (long)(d * 5) + e * 7 + f * 11 + g * 13 + (long)(h * 17) + i * 19 + j * 23 + k * 29 +
         l * 31;
}
NOINLINE uchar narrow(char a, ushort b, uchar c) {
  return (uchar)(a * 3 + b + c);
}

/* ---- divergence inside */
NOINLINE int collatz(int n) {
  int s = 0;
  while (n != 1) {
    if (n & 1)
      n = 3 * n + 1;
    else
      n /= 2;
    if (++s > 40) return -s;
  }
  return s;
}
NOINLINE int gcd(int a, int b) {
  while (b) {
    int t = a % b;
    a = b;
    b = t;
  }
  return a;
}
NOINLINE int nest(int a, int b) {
  int r = 0;
  for (int i = 0; i < a % 7; i++) {
    if ((i ^ b) & 1) {
      r += collatz(i + b + 1);
    } else if (b % 3 == 0) {
      r -= gcd(a + i, b + 1);
    } else {
      r ^= collatz(a + 1) << (i & 3);
      if (r > 5000) break;
    }
  }
  return r;
}
NOINLINE float quotient(float a, float b) {
  return b > 2 ? a / b : a * b; /* an expansion with a branch of its own */
}

/* ---- through pointers */
NOINLINE int nest_one(int a, int b) {
  return nest(a, b) + 1;
}
NOINLINE int nests(int a, int b) {
  int s = 0;
  for (int k = 0; k < (b & 3); k++) s += nest(b, a + k);
  return s;
}
NOINLINE int either(int a, int b) {
  return a > b ? gcd(a, b + 1) : collatz(b + 1);
}
NOINLINE int pick(operation *table, int k, int a, int b) {
  return table[k & 3](a, b);
}
NOINLINE int walk(operation *table, int depth, int x) {
  int r = pick(table, x, x, depth);
  if (depth <= 0) return r;
  if (x & 1) return r + walk(table, depth - 1, x / 2 + 5);
  r -= walk(table, depth - 1, x * 3 + 1) * 3;
  if (x & 2) r += walk(table, depth - 2, x + 1);
  return r;
}

static void store_recursions(__global int *o, int t) {
  int a[20], h = 0;
  for (int i = 0; i < 20; i++) a[i] = (i * 7919 + t * 104729) % 101;
  quicksort(a, 0, t % 19);
  for (int i = 0; i < 20; i++) h = h * 31 + a[i];
  o[0] = fib(t % 11);
  o[1] = ackermann(t % 3, t % 5);
  o[2] = is_even(t % 40);
  o[3] = h;
  o[4] = tree(t % 6, t);
}

static void store_arguments(__global int *o, int t) {
  struct record s = {(long)t * 1234567891011L, t, t * 0.5f, {1, 2, 3, 4}};
  s = change(s, t);
  s = change(s, t + 1);
  o[5] = s.a;
  o[6] = (int)(s.b >> 20) ^ (int)s.f;
  o[7] = s.c[0] + 10 * s.c[1] + 100 * s.c[2] + 1000 * s.c[3];
  o[8] = (int)many(t, t * 2, 3, t + 4.5, 5, (uchar)(t * 3), 7, t * 0.25f, t, (short)-t, 11, (char)t);
  o[9] = narrow((char)-t, (ushort)(t * 1000), (uchar)t);
}

__kernel void calls(__global int *out, int n) {
  int t = (int)get_local_id(0), s = 0;
  __global int *o = out + t * 16;
  operation table[4] = {nest_one, nests, either, nest_one};
  if (n == 9) table[3] = nests;
  store_recursions(o, t);
  store_arguments(o, t);
  o[10] = nest(t * 5 + 1, t);
  for (int i = 0; i < (t & 7); i++) {
    if ((t + i) % 3 == 1) {
      s += nests(i, t);
    } else {
      if (t & 8) s ^= either(t, i);
      s += pick(table, i + t, t, i);
    }
  }
  o[11] = s;
  o[12] = walk(table, t % 5, t);
  o[13] = t % 5 == 0 ? walk(table, 2, t + n) : table[t & 3](t, n);
  o[14] = (int)(quotient(t * 1e-40f, 3.0f + t) * 1e30f) + (int)quotient(t, t % 5);
  o[15] = t % 7 == 3 ? tree(3, t) : either(t, 20);
}
