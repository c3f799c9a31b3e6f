/* SPDX-License-Identifier: Apache-2.0
 * What a litmus file says of its outcomes. */
#include "lab/verify/litmus/src/read_parts.h"

#define CONSTANT 0x8000u

static uint16_t new_node(struct reader *r, struct condition *c, enum condition_op op, unsigned a, unsigned b) {
  if (c->nodes == CONDITION_NODES) {
    (void)read_fail(r, &r->w, "a condition of more than 128 parts%s", "");
    return 0;
  }
  c->node[c->nodes] = (struct condition_node){(uint8_t)op, (uint16_t)a, (uint16_t)b};
  return (uint16_t)c->nodes++;
}

/* "P0", or "0", is 0; -1: no such thread. */
static int thread_of(const struct test *t, const char *text) {
  for (int k = 0; k < t->threads; k++) {
    char name[8];
    (void)snprintf(name, sizeof name, "P%d", k);
    if (strcmp(name, text) == 0 || strcmp(name + 1, text) == 0) return k;
  }
  return -1;
}

static unsigned first_value(const struct test *t, unsigned thread) {
  unsigned n = 0;
  for (unsigned k = 0; k < thread; k++) n += t->thread[k].regs;
  return n;
}

/* 5, P0:r1, x, [x] */
static unsigned read_operand(struct reader *r, struct condition *c) {
  const struct word at = r->w;
  char name[TEST_WORD];
  if (read_is_number(r) && *r->at != ':') {
    if (c->constants == CONDITION_NODES) {
      (void)read_fail(r, &at, "a condition of more than 128 numbers%s", "");
      return 0;
    }
    return read_number(r, &c->constant[c->constants]) ? CONSTANT + c->constants++ : 0;
  }
  const bool square = read_is(r, "[");
  if (square) read_next(r);
  if (read_is_number(r)) {
    (void)snprintf(name, sizeof name, "%.15s", at.text);
    read_next(r);
  } else if (!read_name(r, name, sizeof name) || (square && !read_take(r, "]"))) {
    return 0;
  }
  const int thread = thread_of(r->t, name);
  if (thread >= 0 && read_is(r, ":")) {
    read_next(r);
    const struct word of = r->w;
    if (!read_name(r, name, sizeof name)) return 0;
    for (unsigned k = 0; k < r->t->thread[thread].regs; k++)
      if (strcmp(r->t->thread[thread].reg_name[k], name) == 0) return first_value(r->t, (unsigned)thread) + k;
    (void)read_fail(r, &of, "the thread has no register '%s'", name);
    return 0;
  }
  const int loc = read_loc(r->t, name);
  if (loc >= 0) return first_value(r->t, r->t->threads) + (unsigned)loc;
  (void)read_fail(r, &at, "'%s' is neither a location nor a register", name);
  return 0;
}

static uint16_t any(struct reader *r, struct condition *c);

static uint16_t read_term(struct reader *r, struct condition *c) {
  if (r->bad) return 0;
  if (read_is(r, "~")) {
    read_next(r);
    const uint16_t n = read_term(r, c);
    return new_node(r, c, COND_NOT, n, 0);
  }
  if (read_is(r, "(")) {
    if (++r->depth > 32) {
      (void)read_fail(r, &r->w, "too many parentheses within each other%s", "");
      return 0;
    }
    read_next(r);
    const uint16_t n = any(r, c);
    r->depth--;
    (void)read_take(r, ")");
    return n;
  }
  if (read_is(r, "true")) {
    read_next(r);
    return new_node(r, c, COND_TRUE, 0, 0);
  }
  const unsigned a = read_operand(r, c);
  const bool equal = read_is(r, "==") || read_is(r, "=");
  if (!equal && !read_is(r, "!=")) (void)read_fail(r, &r->w, "expected == or !=%s", "");
  read_next(r);
  const unsigned b = read_operand(r, c);
  return new_node(r, c, equal ? COND_EQUAL : COND_DIFFERENT, a, b);
}

static uint16_t all(struct reader *r, struct condition *c) {
  uint16_t n = read_term(r, c);
  while (!r->bad && read_is(r, "/\\")) {
    read_next(r);
    n = new_node(r, c, COND_AND, n, read_term(r, c));
  }
  return n;
}

static uint16_t any(struct reader *r, struct condition *c) {
  uint16_t n = all(r, c);
  while (!r->bad && read_is(r, "\\/")) {
    read_next(r);
    n = new_node(r, c, COND_OR, n, all(r, c));
  }
  return n;
}

bool read_condition(struct reader *r, struct condition *c) {
  const bool not = read_is(r, "~");
  if (not ) read_next(r);
  c->kind = not ? CONDITION_NEVER : read_is(r, "forall") ? CONDITION_ALWAYS : CONDITION_EXISTS;
  if (!read_is(r, "exists") && (not || !read_is(r, "forall")))
    return read_fail(r, &r->w, "expected exists, ~exists or forall, not '%s'", r->w.text);
  read_next(r);
  c->top = any(r, c);
  return !r->bad;
}

static uint32_t operand_value(const struct condition *c, const uint32_t *value, uint16_t k) {
  return k >= CONSTANT ? c->constant[k - CONSTANT] : value[k];
}

/* Operands stand before what they are operands of. */
bool condition_holds(const struct condition *c, const uint32_t *value) {
  bool is[CONDITION_NODES] = {false};
  for (unsigned k = 0; k < c->nodes; k++) {
    const struct condition_node *n = &c->node[k];
    const uint16_t a = n->a, b = n->b;
    is[k] = n->op == COND_TRUE        ? true
            : n->op == COND_NOT       ? !is[a]
            : n->op == COND_AND       ? is[a] && is[b]
            : n->op == COND_OR        ? is[a] || is[b]
            : n->op == COND_DIFFERENT ? operand_value(c, value, a) != operand_value(c, value, b)
                                      : operand_value(c, value, a) == operand_value(c, value, b);
  }
  return is[c->top];
}

bool condition_true(const struct condition *c, const struct outcomes *o) {
  unsigned n = 0;
  for (unsigned k = 0; k < o->count; k++) n += condition_holds(c, o->value[k]);
  return c->kind == CONDITION_EXISTS ? n > 0 : c->kind == CONDITION_NEVER ? n == 0 : n == o->count;
}
