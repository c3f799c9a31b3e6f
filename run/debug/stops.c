/* SPDX-License-Identifier: Apache-2.0
 * Where a launch stops: breakpoints with their conditions, and places in memory that are watched. */
#include <string.h>

#include "run/debug/target.h"

/* Agent expressions (gdb's manual, appendix F). What no condition needs (floats, tracing, printing) ends in a refusal.
 */

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

/* Where a launch stops: breakpoints, and places in memory that are watched. */

static bool is_met(const struct target *t, unsigned w, unsigned lane, const struct target_break *b) {
  bool met = false;
  for (uint32_t at = 0; at < b->bytes && !met; at += 1 + b->condition[at]) {
    uint64_t value = 0;
    met = !agent_evaluate(t, w, lane, b->condition + at + 1, b->condition[at], &value) || value != 0;
  }
  return met;
}

uint32_t target_breaks(const struct target *t, unsigned w, uint32_t pc, uint32_t lanes) {
  unsigned i = 0;
  while (i < t->breaks && t->brk[i].pc != pc) i++;
  if (i == t->breaks) return 0;
  const struct target_break *b = &t->brk[i];
  uint32_t stops = b->bytes == 0 ? lanes : 0;
  for (uint32_t rest = b->bytes == 0 ? 0 : lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(rest);
    if (is_met(t, w, lane, b)) stops |= 1u << lane;
  }
  return stops;
}

bool target_break(struct target *t, const struct target_break *b, bool set) {
  unsigned i = 0;
  while (i < t->breaks && t->brk[i].pc != b->pc) i++;
  if (set && i == TARGET_BREAKS_MAX) return false;
  if (set && i == t->breaks) t->breaks++;
  if (set) t->brk[i] = *b;
  if (!set && i < t->breaks) t->brk[i] = t->brk[--t->breaks];
  return true;
}

void target_keep_breaks(struct target *t) {
  t->keeps = t->breaks;
  for (unsigned i = 0; i < t->breaks; i++) t->kept[i] = t->brk[i].pc;
}

bool target_is_kept(const struct target *t, uint32_t pc) {
  bool is = false;
  for (unsigned i = 0; i < t->keeps && !is; i++) is = t->kept[i] == pc;
  return is;
}

/* Behind the end of its thread nobody sees the place any more. */
static void read_watched(const struct target *t, struct target_watch *w) {
  const bool gone = w->thread != 0 && target_thread(t, w->slot, w->lane) != w->thread;
  w->known = !gone && target_look(t, w->slot, w->lane, w->address, w->was, w->bytes) == w->bytes;
}

static bool same_watch(const struct target_watch *a, const struct target_watch *b) {
  return a->kind == b->kind && a->address == b->address && a->bytes == b->bytes;
}

bool target_watch(struct target *t, unsigned slot, unsigned lane, const struct target_watch *w, bool set) {
  unsigned i = 0;
  while (i < t->watches && !same_watch(&t->watch[i], w)) i++;
  if (!set && i < t->watches) t->watch[i] = t->watch[--t->watches];
  if (!set || i < t->watches) return true;
  if (i == TARGET_WATCHES_MAX || w->bytes == 0 || w->bytes > TARGET_WATCH_BYTES) return false;
  struct target_watch *to = &t->watch[t->watches++];
  *to = *w;
  to->slot = slot;
  to->lane = lane;
  to->thread = w->address >> 56 != 0 ? target_thread(t, slot, lane) : 0;
  read_watched(t, to);
  return true;
}

static bool met(const struct target *t, struct target_watch *w) {
  const struct target_watch before = *w;
  w->touched = false;
  if (w->kind != TARGET_WRITES) return before.touched;
  read_watched(t, w);
  return before.known && w->known && memcmp(before.was, w->was, before.bytes) != 0;
}

bool target_met(struct target *t, struct target_stop *stop) {
  bool any = false;
  for (unsigned i = 0; i < t->watches; i++) {
    struct target_watch *w = &t->watch[i];
    if (!met(t, w)) continue;
    stop->why = TARGET_WATCH;
    stop->address = w->address;
    stop->kind = w->kind;
    any = true;
  }
  return any;
}

/* ---- accesses ---- */

/* Is the place seen by this lane? Shared memory is its block's, local memory its own. */
static bool is_owner(const struct target *t, const struct target_watch *w, const struct heddle_actor *by,
                     unsigned lane) {
  const uint32_t *b = t->job->launch.block;
  const uint64_t threads = (uint64_t)b[0] * b[1] * b[2], first = 1 + by->block * threads;
  if (w->address >> 56 == TARGET_SHARED >> 56) return w->thread >= first && w->thread - first < threads;
  return w->address >> 56 == 0 || w->thread == first + (uint64_t)by->warp * HEDDLE_LANES + lane;
}

static void touch(struct target *t, const struct heddle_observed_access *a, const uint64_t *addr, uint64_t window) {
  for (uint32_t rest = a->by.lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(rest);
    const uint64_t at = window | addr[lane];
    for (unsigned i = 0; i < t->watches; i++) {
      struct target_watch *w = &t->watch[i];
      const bool meets = at < w->address + w->bytes && w->address < at + a->bytes;
      if (meets && is_owner(t, w, &a->by, lane)) w->touched = true;
    }
  }
}

uint32_t target_observe(void *ctx, const struct heddle_observed_access *a) {
  struct target *t = ctx;
  const uint64_t window = a->space == ISA_SPACE_SHARED ? TARGET_SHARED : a->space == ISA_SPACE_LOCAL ? TARGET_LOCAL : 0;
  const bool reads = a->kind != HEDDLE_ACCESS_STORE && a->kind != HEDDLE_ACCESS_REDUCTION;
  bool any = false;
  for (unsigned i = 0; i < t->watches; i++)
    any = any || t->watch[i].kind == TARGET_ACCESSES || (reads && t->watch[i].kind == TARGET_READS);
  if (any) touch(t, a, a->addr, a->copy_addr ? 0 : window);
  if (any && a->copy_addr) touch(t, a, a->copy_addr, TARGET_SHARED);
  return a->by.lanes;
}
