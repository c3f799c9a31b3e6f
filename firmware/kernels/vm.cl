/* SPDX-License-Identifier: Apache-2.0
 *
 * An interpreter of byte code: each thread runs a program of its own on a stack, registers, words and return addresses
 * in private memory. Helpers stay functions of their own. Output: result, how it ended and after how many steps, a sum
 * over the words. */
#include "vm_ops.h"
#pragma OPENCL FP_CONTRACT OFF

#define NOINLINE __attribute__((noinline))

struct machine {
  uint stack[VM_STACK], word[VM_WORDS], r[VM_REGISTERS];
  ushort back[VM_CALLS];
  uint depth, level, end; /* end: enum vm_end + 1 */
};

NOINLINE void push(struct machine *m, uint v) {
  if (m->depth == VM_STACK)
    m->end = VM_OVERFLOW + 1;
  else
    m->stack[m->depth++] = v;
}

NOINLINE uint pop(struct machine *m) {
  if (m->depth) return m->stack[--m->depth];
  m->end = VM_UNDERFLOW + 1;
  return 0;
}

NOINLINE uint operand(__global const uchar *p, uint bytes) {
  uint v = 0;
  for (uint i = 0; i < bytes; i++) v |= (uint)p[i] << (8 * i);
  return v;
}

NOINLINE uint monadic(uint op, uint a) {
  switch (op) {
  case VM_NOT: return ~a;
  case VM_NEG: return 0 - a;
  case VM_POPC: return popcount(a);
  case VM_CLZ: return clz(a);
  case VM_I2F: return as_uint((float)(int)a);
  case VM_F2I: return (uint)(int)as_float(a);
  default: return as_uint(sqrt(as_float(a)));
  }
}

NOINLINE uint dyadic(uint op, uint a, uint b) {
  switch (op) {
  case VM_ADD: return a + b;
  case VM_SUB: return a - b;
  case VM_MUL: return a * b;
  case VM_DIV: return b ? a / b : ~0u;
  case VM_REM: return b ? a % b : a;
  case VM_DIVS: return !b ? ~0u : b == ~0u ? 0 - a : (uint)((int)a / (int)b);
  case VM_AND: return a & b;
  case VM_OR: return a | b;
  case VM_XOR: return a ^ b;
  case VM_SHL: return a << (b & 31);
  case VM_SHR: return a >> (b & 31);
  case VM_SAR: return (uint)((int)a >> (b & 31));
  case VM_ROTL: return rotate(a, b);
  case VM_EQ: return a == b;
  case VM_LT: return a < b;
  case VM_LTS: return (int)a < (int)b;
  case VM_MIN: return min(a, b);
  case VM_MAX: return max(a, b);
  case VM_FADD: return as_uint(as_float(a) + as_float(b));
  case VM_FMUL: return as_uint(as_float(a) * as_float(b));
  case VM_FDIV: return as_uint(as_float(a) / as_float(b));
  default: return as_float(a) < as_float(b);
  }
}

NOINLINE void shuffle_stack(struct machine *m, uint op) {
  const uint c = pop(m), b = op == VM_DUP || op == VM_DROP ? 0 : pop(m), a = op == VM_ROT ? pop(m) : 0;
  switch (op) {
  case VM_DUP: push(m, c), push(m, c); break;
  case VM_SWAP: push(m, c), push(m, b); break;
  case VM_OVER: push(m, b), push(m, c), push(m, b); break;
  case VM_ROT: push(m, b), push(m, c), push(m, a); break;
  default: break;
  }
}

/* The address that follows a call: where it goes, or 0xffff. */
NOINLINE void enter(struct machine *m, uint from) {
  if (m->level == VM_CALLS)
    m->end = VM_CALL_DEPTH + 1;
  else
    m->back[m->level++] = (ushort)from;
}

NOINLINE uint leave(struct machine *m) {
  if (m->level) return m->back[--m->level];
  m->end = VM_CALL_DEPTH + 1;
  return 0;
}

/* One instruction at `pc`: where the next one is. */
uint step(struct machine *m, __global const uchar *program, uint pc, __global const uint *input) {
  const uint op = program[pc++];
  __global const uchar *p = program + pc;
  switch (op) {
  case VM_HALT: m->end = VM_DONE + 1; return pc;
  case VM_BYTE: push(m, operand(p, 1)); return pc + 1;
  case VM_WORD: push(m, operand(p, 4)); return pc + 4;
  case VM_DUP:
  case VM_DROP:
  case VM_SWAP:
  case VM_OVER:
  case VM_ROT: shuffle_stack(m, op); return pc;
  case VM_JUMP: return operand(p, 2);
  case VM_JZ: return pop(m) ? pc + 2 : operand(p, 2);
  case VM_JNZ: return pop(m) ? operand(p, 2) : pc + 2;
  case VM_CALL: enter(m, pc + 2); return operand(p, 2);
  case VM_RET: return leave(m);
  case VM_GET: push(m, m->r[operand(p, 1) % VM_REGISTERS]); return pc + 1;
  case VM_SET: m->r[operand(p, 1) % VM_REGISTERS] = pop(m); return pc + 1;
  case VM_LOAD: push(m, m->word[pop(m) % VM_WORDS]); return pc;
  case VM_STORE: {
    const uint to = pop(m) % VM_WORDS;
    m->word[to] = pop(m);
    return pc;
  }
  case VM_INPUT: push(m, input[pop(m) % VM_INPUTS]); return pc;
  case VM_NOT:
  case VM_NEG:
  case VM_POPC:
  case VM_CLZ:
  case VM_I2F:
  case VM_F2I:
  case VM_FSQRT: push(m, monadic(op, pop(m))); return pc;
  default:
    if (op < VM_OPCODES) {
      const uint b = pop(m), a = pop(m);
      push(m, dyadic(op, a, b));
    } else
      m->end = VM_BAD_OPCODE + 1;
    return pc;
  }
}

__kernel void vm(__global const uchar *code, __global const uint *entry, __global const uint *inputs,
                 __global uint *out, uint n) {
  const uint t = get_global_id(0);
  if (t >= n) return;
  struct machine m;
  for (uint i = 0; i < VM_WORDS; i++) m.word[i] = 0;
  for (uint i = 0; i < VM_REGISTERS; i++) m.r[i] = inputs[VM_INPUTS * t + i];
  m.depth = m.level = m.end = 0;
  uint steps = 0, pc = 0;
  while (!m.end && steps < VM_FUEL) {
    pc = step(&m, code + entry[t], pc, inputs + VM_INPUTS * t);
    steps++;
  }
  uint sum = 0;
  for (uint i = 0; i < VM_WORDS; i++) sum = rotate(sum, 5u) + m.word[i];
  out[3 * t] = m.end == VM_DONE + 1 ? pop(&m) : 0;
  out[3 * t + 1] = (m.end ? m.end - 1 : VM_NO_FUEL) | steps << 8;
  out[3 * t + 2] = sum;
}
