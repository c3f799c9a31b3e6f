// SPDX-License-Identifier: Apache-2.0
// Switches, dense and sparse; a small machine that interprets its input.
__attribute__((noinline)) int dense(int op, int a, int b) {
  switch (op & 15) {
  case 0: return a + b;
  case 1: return a - b;
  case 2: return a * b;
  case 3: return a & b;
  case 4: return a | b;
  case 5: return a ^ b;
  case 6: return a << (b & 31);
  case 7: return a >> (b & 31);
  case 8: return a < b ? a : b;
  case 9: return b ? a / b : 0;
  case 10: return b ? a % b : 0;
  default: return ~a;
  }
}

__kernel void machine(__global int *out, __global const uchar *code, int steps) {
  int stack[8], top = 0, acc = get_local_id(0), pc = 0;
  for (int i = 0; i < 8; i++) stack[i] = i;
  while (steps-- > 0) {
    uchar c = code[pc++ & 63];
    switch (c) {
    case 1: stack[top++ & 7] = acc; break;
    case 2: acc = stack[--top & 7]; break;
    case 100: pc = acc; continue;
    case 200: if (acc < 0) goto done; break;
    case 255: acc = -acc; /* fall through */
    case 254: acc++; break;
    default: acc = dense(c, acc, stack[c & 7]);
    }
  }
done:
  out[get_local_id(0)] = acc;
}
