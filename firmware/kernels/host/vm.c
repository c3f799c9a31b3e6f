/* SPDX-License-Identifier: Apache-2.0
 * Byte code on the host: the same programs, one after the other. */
#include <math.h>
#include <string.h>

#include "firmware/kernels/case.h"
#include "firmware/kernels/host/host.h"
#include "firmware/kernels/host/vm_host.h"

struct state {
  const uint8_t *code;
  const uint32_t *input;
  uint32_t pc, stack[VM_STACK], words[VM_WORDS], registers[VM_REGISTERS], calls[VM_CALLS];
  uint32_t height, depth, steps;
  enum vm_end end;
  bool ended;
};

static void end_program(struct state *s, enum vm_end why) {
  s->ended = true;
  s->end = why;
}

static void push_word(struct state *s, uint32_t v) {
  if (s->height < VM_STACK)
    s->stack[s->height++] = v;
  else
    end_program(s, VM_OVERFLOW);
}

static uint32_t pop_word(struct state *s) {
  if (s->height > 0) return s->stack[--s->height];
  end_program(s, VM_UNDERFLOW);
  return 0;
}

static float real(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static uint32_t bits(float f) {
  uint32_t b;
  memcpy(&b, &f, sizeof b);
  return b;
}

static uint32_t signed_quotient(uint32_t a, uint32_t b) {
  if (b == 0) return UINT32_MAX;
  return (uint32_t)((int64_t)(int32_t)a / (int32_t)b);
}

static void one_operand(struct state *s, uint32_t op) {
  const uint32_t a = pop_word(s);
  uint32_t v = 0;
  if (op == VM_NOT) v = a ^ UINT32_MAX;
  if (op == VM_NEG) v = ~a + 1;
  if (op == VM_POPC)
    for (unsigned i = 0; i < 32; i++) v += a >> i & 1;
  if (op == VM_CLZ)
    for (v = 0; v < 32 && !(a >> (31 - v) & 1);) v++;
  if (op == VM_I2F) v = bits((float)(int32_t)a);
  if (op == VM_F2I) v = (uint32_t)(int32_t)real(a);
  if (op == VM_FSQRT) v = bits(sqrtf(real(a)));
  push_word(s, v);
}

static uint32_t integers(uint32_t op, uint32_t a, uint32_t b) {
  const uint64_t twice = (uint64_t)a << 32 | a;
  const int64_t wide = (int32_t)a;
  if (op == VM_ADD) return a + b;
  if (op == VM_SUB) return a - b;
  if (op == VM_MUL) return (uint32_t)((uint64_t)a * b);
  if (op == VM_DIV) return b == 0 ? UINT32_MAX : a / b;
  if (op == VM_REM) return b == 0 ? a : a - a / b * b;
  if (op == VM_DIVS) return signed_quotient(a, b);
  if (op == VM_AND) return a & b;
  if (op == VM_OR) return a | b;
  if (op == VM_XOR) return a ^ b;
  if (op == VM_SHL) return (uint32_t)((uint64_t)a << b % 32);
  if (op == VM_SHR) return (uint32_t)((uint64_t)a >> b % 32);
  if (op == VM_SAR) return (uint32_t)(wide >> b % 32);
  if (op == VM_ROTL) return (uint32_t)(twice >> (32 - b % 32));
  if (op == VM_EQ) return a == b ? 1 : 0;
  if (op == VM_LT) return a < b ? 1 : 0;
  if (op == VM_LTS) return wide < (int32_t)b ? 1 : 0;
  if (op == VM_MIN) return a < b ? a : b;
  return a > b ? a : b;
}

static void two_operands(struct state *s, uint32_t op) {
  const uint32_t b = pop_word(s), a = pop_word(s);
  if (op == VM_FADD)
    push_word(s, bits(real(a) + real(b)));
  else if (op == VM_FMUL)
    push_word(s, bits(real(a) * real(b)));
  else if (op == VM_FDIV)
    push_word(s, bits(real(a) / real(b)));
  else if (op == VM_FLT)
    push_word(s, real(a) < real(b));
  else
    push_word(s, integers(op, a, b));
}

static uint32_t fetch(struct state *s, unsigned bytes) {
  uint32_t v = 0;
  for (unsigned i = bytes; i-- > 0;) v = v * 256 + s->code[s->pc + i];
  s->pc += bytes;
  return v;
}

static void order_stack(struct state *s, uint32_t op) {
  const uint32_t top = pop_word(s);
  if (op == VM_DROP) return;
  if (op == VM_DUP) {
    push_word(s, top);
    push_word(s, top);
    return;
  }
  const uint32_t second = pop_word(s), third = op == VM_ROT ? pop_word(s) : 0;
  if (op != VM_SWAP) push_word(s, second);
  push_word(s, top);
  push_word(s, op == VM_ROT ? third : second);
}

static void control(struct state *s, uint32_t op) {
  if (op == VM_RET) {
    if (s->depth)
      s->pc = s->calls[--s->depth];
    else
      end_program(s, VM_CALL_DEPTH);
    return;
  }
  const uint32_t condition = op == VM_JZ || op == VM_JNZ ? pop_word(s) : 0, to = fetch(s, 2);
  if (op == VM_CALL && s->depth == VM_CALLS)
    end_program(s, VM_CALL_DEPTH);
  else if (op == VM_CALL)
    s->calls[s->depth++] = s->pc;
  if (op == VM_JUMP || op == VM_CALL || (condition == 0) == (op == VM_JZ)) s->pc = to;
}

static void access_words(struct state *s, uint32_t op) {
  if (op == VM_BYTE) push_word(s, fetch(s, 1));
  if (op == VM_WORD) push_word(s, fetch(s, 4));
  if (op == VM_GET) push_word(s, s->registers[fetch(s, 1) % VM_REGISTERS]);
  if (op == VM_SET) s->registers[fetch(s, 1) % VM_REGISTERS] = pop_word(s);
  if (op == VM_LOAD) push_word(s, s->words[pop_word(s) % VM_WORDS]);
  if (op == VM_INPUT) push_word(s, s->input[pop_word(s) % VM_INPUTS]);
  if (op == VM_STORE) {
    const uint32_t at = pop_word(s) % VM_WORDS;
    s->words[at] = pop_word(s);
  }
}

static void run_instruction(struct state *s) {
  const uint32_t op = s->code[s->pc++];
  if (op >= VM_OPCODES)
    end_program(s, VM_BAD_OPCODE);
  else if (op == VM_HALT)
    end_program(s, VM_DONE);
  else if (op >= VM_ADD)
    two_operands(s, op);
  else if (op >= VM_NOT)
    one_operand(s, op);
  else if (op >= VM_DUP && op <= VM_ROT)
    order_stack(s, op);
  else if (op >= VM_JUMP && op <= VM_RET)
    control(s, op);
  else
    access_words(s, op);
}

void vm_run(const uint8_t *code, const uint32_t input[VM_INPUTS], uint32_t out[3]) {
  struct state s = {.code = code, .input = input};
  memcpy(s.registers, input, sizeof s.registers);
  for (; !s.ended && s.steps < VM_FUEL; s.steps++) run_instruction(&s);
  out[0] = s.ended && s.end == VM_DONE ? pop_word(&s) : 0;
  out[1] = (s.ended ? (uint32_t)s.end : VM_NO_FUEL) | s.steps << 8;
  out[2] = 0;
  for (unsigned i = 0; i < VM_WORDS; i++) out[2] = (out[2] << 5 | out[2] >> 27) + s.words[i];
}

bool vm_prepare(struct kernel_case *c, uint64_t seed, unsigned scale) {
  const uint32_t n = scale ? 75 * scale : 40;
  uint8_t *code = case_buffer(c, CASE_IN, VM_PROGRAMS * VM_PROGRAM_BYTES);
  uint32_t *entry = case_buffer(c, CASE_IN, n * 4), *inputs = case_buffer(c, CASE_IN, n * VM_INPUTS * 4);
  case_buffer(c, CASE_OUT, n * 12);
  if (!case_has_memory(c)) return false;
  for (uint32_t i = 0; i < VM_PROGRAMS; i++) vm_assemble(vm_programs[i], code + i * VM_PROGRAM_BYTES);
  for (uint32_t t = 0; t < n; t++) entry[t] = t * 5 % VM_PROGRAMS * VM_PROGRAM_BYTES;
  for (uint32_t i = 0; i < n * VM_INPUTS; i++) {
    const uint32_t word = case_word(&seed);
    inputs[i] = word >> case_word(&seed) % 32;
  }
  case_seal(c, &seed);
  uint32_t *out = case_expect(c, 3);
  for (uint32_t t = 0; t < n; t++) vm_run(code + entry[t], inputs + t * VM_INPUTS, out + 3 * t);
  struct kernel_launch *l = case_launch(c, "vm");
  launch_line(l, n, 32);
  for (unsigned b = 0; b < 4; b++) launch_buffer(l, b);
  launch_u32(l, n);
  return true;
}
