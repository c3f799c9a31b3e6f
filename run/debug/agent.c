/* SPDX-License-Identifier: Apache-2.0
 * Agent expressions (gdb's manual, appendix F). What no condition needs (floats, tracing, printing) ends in a refusal.
 */
#include "run/debug/agent.h"

#include <string.h>

enum op {
  OP_ADD = 0x02,
  OP_SUB,
  OP_MUL,
  OP_DIV_SIGNED,
  OP_DIV_UNSIGNED,
  OP_REM_SIGNED,
  OP_REM_UNSIGNED,
  OP_LSH,
  OP_RSH_SIGNED,
  OP_RSH_UNSIGNED,
  OP_LOG_NOT = 0x0e,
  OP_BIT_AND,
  OP_BIT_OR,
  OP_BIT_XOR,
  OP_BIT_NOT,
  OP_EQUAL,
  OP_LESS_SIGNED,
  OP_LESS_UNSIGNED,
  OP_EXT,
  OP_REF8,
  OP_REF16,
  OP_REF32,
  OP_REF64,
  OP_IF_GOTO = 0x20,
  OP_GOTO,
  OP_CONST8,
  OP_CONST16,
  OP_CONST32,
  OP_CONST64,
  OP_REG,
  OP_END,
  OP_DUP,
  OP_POP,
  OP_ZERO_EXT,
  OP_SWAP,
  OP_PICK = 0x32,
  OP_ROT
};

enum { STACK = 64, STEPS_MAX = 4096 };

struct machine {
  const struct target *t;
  unsigned slot, lane;
  const uint8_t *code;
  size_t bytes, at;
  uint64_t stack[STACK];
  unsigned depth;
  bool bad;
};

/* An operand, highest byte first. */
static uint64_t read_operand(struct machine *m, unsigned n) {
  uint64_t v = 0;
  if (m->bytes - m->at < n) {
    m->bad = true;
    return 0;
  }
  for (unsigned i = 0; i < n; i++) v = v << 8 | m->code[m->at++];
  return v;
}

static void push_value(struct machine *m, uint64_t v) {
  if (m->depth == STACK)
    m->bad = true;
  else
    m->stack[m->depth++] = v;
}

static uint64_t pop(struct machine *m) {
  if (m->depth == 0) {
    m->bad = true;
    return 0;
  }
  return m->stack[--m->depth];
}

static uint64_t divide_values(struct machine *m, enum op op, uint64_t a, uint64_t b) {
  const bool overflows = a == UINT64_C(1) << 63 && b == UINT64_MAX;
  if (b == 0) {
    m->bad = true;
    return 0;
  }
  switch (op) {
  case OP_DIV_SIGNED:
    return overflows ? a : (uint64_t)((int64_t)a / (int64_t)b);
  case OP_REM_SIGNED:
    return overflows ? 0 : (uint64_t)((int64_t)a % (int64_t)b);
  case OP_DIV_UNSIGNED:
    return a / b;
  default:
    return a % b;
  }
}

static uint64_t shift(enum op op, uint64_t a, uint64_t b) {
  const bool minus = (a >> 63 & 1) != 0;
  if (b > 63) return op == OP_RSH_SIGNED && minus ? UINT64_MAX : 0;
  if (op == OP_LSH) return a << b;
  return op == OP_RSH_SIGNED && minus ? ~(~a >> b) : a >> b;
}

static uint64_t binary(struct machine *m, enum op op, uint64_t a, uint64_t b) {
  switch (op) {
  case OP_ADD:
    return a + b;
  case OP_SUB:
    return a - b;
  case OP_MUL:
    return a * b;
  case OP_LSH:
  case OP_RSH_SIGNED:
  case OP_RSH_UNSIGNED:
    return shift(op, a, b);
  case OP_BIT_AND:
    return a & b;
  case OP_BIT_OR:
    return a | b;
  case OP_BIT_XOR:
    return a ^ b;
  case OP_EQUAL:
    return a == b;
  case OP_LESS_SIGNED:
    return (int64_t)a < (int64_t)b;
  case OP_LESS_UNSIGNED:
    return a < b;
  default:
    return divide_values(m, op, a, b);
  }
}

static bool is_binary(unsigned op) {
  return (op >= OP_ADD && op <= OP_RSH_UNSIGNED) || (op >= OP_BIT_AND && op <= OP_BIT_XOR) ||
         (op >= OP_EQUAL && op <= OP_LESS_UNSIGNED);
}

static uint64_t little(const uint8_t *b, size_t n) {
  uint64_t v = 0;
  for (size_t i = n; i-- > 0;) v = v << 8 | b[i];
  return v;
}

static uint64_t load_memory(struct machine *m, uint64_t at, unsigned n) {
  uint8_t b[8] = {0};
  if (target_look(m->t, m->slot, m->lane, at, b, n) != n) m->bad = true;
  return little(b, n);
}

static uint64_t reg(struct machine *m, unsigned number) {
  uint8_t b[TARGET_REGISTER_BYTES] = {0};
  if (target_read(m->t, m->slot, m->lane, number, b) != TARGET_KNOWN) m->bad = true;
  return little(b, 8);
}

static uint64_t extend_value(uint64_t v, uint64_t bits, bool is_signed) {
  if (bits == 0 || bits > 63) return v;
  const uint64_t low = v & ((UINT64_C(1) << bits) - 1);
  return is_signed && (low >> (bits - 1) & 1) != 0 ? low | UINT64_MAX << bits : low;
}

static void jump(struct machine *m, uint64_t to) {
  if (to >= m->bytes)
    m->bad = true;
  else
    m->at = (size_t)to;
}

/* The i-th from above comes on top of the stack, too. */
static void pick(struct machine *m, uint64_t i) {
  if (i >= m->depth)
    m->bad = true;
  else
    push_value(m, m->stack[m->depth - 1 - i]);
}

static void rearrange_stack(struct machine *m, unsigned op) {
  const uint64_t c = pop(m), b = op == OP_POP || op == OP_DUP ? 0 : pop(m), a = op == OP_ROT ? pop(m) : 0;
  if (op == OP_DUP || op == OP_SWAP || op == OP_ROT) push_value(m, c);
  if (op == OP_DUP) push_value(m, c);
  if (op == OP_ROT) push_value(m, a);
  if (op == OP_SWAP || op == OP_ROT) push_value(m, b);
}

static void unary(struct machine *m, unsigned op) {
  switch (op) {
  case OP_LOG_NOT:
    push_value(m, pop(m) == 0);
    break;
  case OP_BIT_NOT:
    push_value(m, ~pop(m));
    break;
  case OP_EXT:
  case OP_ZERO_EXT: {
    const uint64_t bits = read_operand(m, 1);
    push_value(m, extend_value(pop(m), bits, op == OP_EXT));
    break;
  }
  case OP_REF8:
  case OP_REF16:
  case OP_REF32:
  case OP_REF64:
    push_value(m, load_memory(m, pop(m), 1u << (op - OP_REF8)));
    break;
  default:
    m->bad = true;
  }
}

static void execute_op(struct machine *m, unsigned op) {
  if (is_binary(op)) {
    const uint64_t b = pop(m), a = pop(m);
    push_value(m, binary(m, (enum op)op, a, b));
  } else if (op >= OP_CONST8 && op <= OP_CONST64) {
    push_value(m, read_operand(m, 1u << (op - OP_CONST8)));
  } else if (op == OP_REG) {
    push_value(m, reg(m, (unsigned)read_operand(m, 2)));
  } else if (op == OP_GOTO || op == OP_IF_GOTO) {
    const uint64_t to = read_operand(m, 2);
    if (op == OP_GOTO || pop(m) != 0) jump(m, to);
  } else if (op == OP_PICK) {
    pick(m, read_operand(m, 1));
  } else if (op == OP_DUP || op == OP_POP || op == OP_SWAP || op == OP_ROT) {
    rearrange_stack(m, op);
  } else {
    unary(m, op);
  }
}

bool agent_evaluate(const struct target *t, unsigned slot, unsigned lane, const uint8_t *code, size_t bytes,
                    uint64_t *value) {
  struct machine m = {.t = t, .slot = slot, .lane = lane, .code = code, .bytes = bytes};
  for (unsigned i = 0; i < STEPS_MAX && !m.bad && m.at < m.bytes; i++) {
    const unsigned op = m.code[m.at++];
    if (op == OP_END) {
      *value = pop(&m);
      return !m.bad;
    }
    execute_op(&m, op);
  }
  return false;
}
