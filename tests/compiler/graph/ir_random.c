/* SPDX-License-Identifier: Apache-2.0
 *
 * Random graphs; see the header. Loops end because their conditions come from a hash that a thread stirs in every block
 * (`walk`, different in every thread, or `common`, the same as long as threads take the same way), or by a counter.
 */
#include "tests/compiler/graph/ir_random.h"

#include <setjmp.h>

/* ---- blocks ---- */

static struct ir_block *block(struct maker *m) {
  return ir_block_new(m->f);
}

static void start(struct maker *m, struct ir_block *b) {
  if (m->last)
    ir_block_place(m->last, b);
  else
    m->f->first = b;
  m->b = m->last = b;
}

static void go(struct maker *m, struct ir_block *to) {
  emit(m, IR_BR, PTX_NO_TYPE, NULL);
  ir_edge(m->f, m->b, to);
}

/* A predicate: of this thread, of all that came the same way, or any. */
static struct ir_operand condition(struct maker *m, bool ends) {
  struct ir_value *p = fresh(m, IR_PRED), *bit = fresh(m, IR_32);
  unsigned kind = dice(m, ends ? 2 : 3);
  m->side = m->shape->common && dice(m, 2);
  if (kind == 2) return predicate(m);
  emit2(m, IR_AND, PTX_B32, bit, ir_use(kind ? m->common : m->walk), ir_bits(UINT64_C(3) << (8 + dice(m, 20))));
  emit2(m, IR_SETP, PTX_U32, p, ir_use(bit), ir_bits(0))->comparison.cmp = dice(m, 2) ? IR_NE : IR_EQ;
  return ir_use(p);
}

static void choose(struct maker *m, struct ir_operand p, struct ir_block *yes, struct ir_block *no) {
  struct ir_insn *i = emit(m, IR_CBR, PTX_PRED, NULL);
  i->src[i->sources++] = p;
  i->invert = dice(m, 2);
  ir_edge(m->f, m->b, i->invert ? no : yes);
  ir_edge(m->f, m->b, i->invert ? yes : no);
}

/* succ[0 .. 3] by two bits of walk or common. */
static void choose_four(struct maker *m, struct ir_block **to) {
  struct ir_value *index = fresh(m, IR_32), *shifted = fresh(m, IR_32);
  emit2(m, IR_SHR, PTX_U32, shifted, ir_use(dice(m, 2) ? m->common : m->walk), ir_bits(9));
  emit2(m, IR_AND, PTX_B32, index, ir_use(shifted), ir_bits(3));
  struct ir_insn *i = emit(m, IR_BRX, PTX_U32, NULL);
  i->src[i->sources++] = ir_use(index);
  for (unsigned k = 0; k < 4; k++) ir_edge(m->f, m->b, to[k]);
}

static void finish(struct maker *m) {
  unsigned at = 0;
  for (unsigned k = 0; k < WORDS + LONGS + 2; k++) {
    struct ir_value *v = k < WORDS            ? m->word[k]
                         : k < WORDS + LONGS  ? m->wide[k - WORDS]
                         : k == WORDS + LONGS ? m->walk
                                              : m->common;
    unsigned bytes = v->class == IR_64 ? 8 : 4;
    struct ir_insn *i = emit2(m, IR_ST, bytes == 8 ? PTX_B64 : PTX_B32, NULL, ir_use(m->base), ir_use(v));
    at = (at + bytes - 1) / bytes * bytes;
    i->memory.space = PTX_GLOBAL;
    i->memory.offset = at;
    at += bytes;
  }
  emit(m, IR_EXIT, PTX_NO_TYPE, NULL);
}

static void set(struct maker *m, struct ir_value *v, unsigned k) {
  enum ptx_type t = v->class == IR_64 ? PTX_U64 : PTX_U32;
  struct ir_operand from = ir_bits(constant(m, v->class == IR_64 ? 64 : 32));
  const bool common = m->shape->common && k < (t == PTX_U64 ? LONGS : WORDS) / 2u;
  if (common)
    emit2(m, IR_COPY, t, v, from, none);
  else if (k % 2 == 0 && t == PTX_U64)
    emit2(m, IR_CVT, t, v, ir_use(m->tid), none)->type2 = PTX_U32;
  else if (k % 2 == 0)
    emit2(m, IR_MUL, t, v, ir_use(m->tid), ir_bits(2654435761u + k));
  else
    emit2(m, IR_COPY, t, v, from, none);
}

static void begin(struct maker *m) {
  start(m, block(m));
  m->tid = fresh(m, IR_32);
  emit(m, IR_SREG, PTX_U32, m->tid)->sreg = IR_TID_X;
  struct ir_value *cta = fresh(m, IR_32), *slot = fresh(m, IR_64);
  emit(m, IR_SREG, PTX_U32, cta)->sreg = IR_CTAID_X;
  m->base = fresh(m, IR_64);
  emit2(m, IR_MULWIDE, PTX_U32, slot, ir_use(m->tid), ir_bits(RANDOM_SLOT));
  emit2(m, IR_ADD, PTX_S64, m->base, ir_use(slot), ir_bits(0x1000));
  for (unsigned k = 0; k < WORDS; k++) set(m, m->word[k] = fresh(m, IR_32), k);
  for (unsigned k = 0; k < LONGS; k++) set(m, m->wide[k] = fresh(m, IR_64), k);
  m->walk = fresh(m, IR_32);
  m->common = fresh(m, IR_32);
  emit2(m, IR_MUL, PTX_U32, m->walk, ir_use(m->tid), ir_bits(0x9e3779b1));
  emit2(m, IR_MUL, PTX_U32, m->common, ir_use(cta), ir_bits(77777));
  stir(m);
  for (unsigned k = 0; k < PREDICATES; k++) {
    m->predicate[k] = fresh(m, IR_PRED);
    const bool apart = m->shape->common ? k >= PREDICATES / 2 : k % 2;
    emit2(m, IR_SETP, PTX_U32, m->predicate[k], apart ? ir_use(m->word[m->shape->common ? WORDS - 2 : 0]) : ir_use(cta),
          ir_bits(k * 1000000000u))
        ->comparison.cmp = IR_LT;
  }
}

/* ---- a wild graph ---- */

static void wild(struct maker *m) {
  unsigned n = m->shape->blocks;
  struct ir_block **b = calloc(n + 2, sizeof *b), *to[4];
  for (unsigned k = 0; k <= n; k++) b[k] = block(m);
  go(m, b[0]);
  for (unsigned k = 0; k < n; k++) {
    start(m, b[k]);
    work(m);
    for (unsigned e = 0; e < 4; e++)
      to[e] = dice(m, 10) < 7 ? b[k + 1 + dice(m, k + 4 > n ? n - k : 4)] : b[dice(m, n + 1)];
    unsigned kind = dice(m, 8);
    if (m->shape->exits && kind == 0 && k > 1)
      finish(m);
    else if (kind < 2)
      go(m, to[0]);
    else if (kind < 7)
      choose(m, condition(m, true), to[0], to[1]);
    else
      choose_four(m, to);
  }
  start(m, b[n]);
  finish(m);
  free(b);
}

/* ---- statements ---- */

static void sequence(struct maker *m, unsigned depth, bool together);

static void statement_if(struct maker *m, unsigned depth) {
  struct ir_block *yes = block(m), *no = dice(m, 2) ? block(m) : NULL, *after = block(m);
  choose(m, condition(m, false), yes, no ? no : after);
  start(m, yes);
  sequence(m, depth - 1, false);
  if (m->b) go(m, after);
  if (no) {
    start(m, no);
    sequence(m, depth - 1, false);
    if (m->b) go(m, after);
  }
  start(m, after);
}

/* if (a || b) x; else y; : x is reached by two ways */
static void statement_or(struct maker *m, unsigned depth) {
  struct ir_block *second = block(m), *yes = block(m), *no = block(m), *after = block(m);
  choose(m, condition(m, false), yes, second);
  start(m, second);
  work(m);
  choose(m, condition(m, false), yes, no);
  start(m, yes);
  sequence(m, depth - 1, false);
  if (m->b) go(m, after);
  start(m, no);
  sequence(m, depth - 1, false);
  if (m->b) go(m, after);
  start(m, after);
}

static void statement_switch(struct maker *m, unsigned depth) {
  struct ir_block *to[4], *after = block(m);
  for (unsigned k = 0; k < 4; k++) to[k] = dice(m, 5) ? block(m) : k ? to[k - 1] : after;
  choose_four(m, to);
  for (unsigned k = 0; k < 4; k++) {
    if (to[k] == after || (k && to[k] == to[k - 1])) continue;
    start(m, to[k]);
    sequence(m, depth - 1, false);
    if (!m->b) continue;
    /* falling through now and then */
    struct ir_block *next = k < 3 && to[k + 1] != after && to[k + 1] != to[k] && dice(m, 3) == 0 ? to[k + 1] : after;
    go(m, next);
  }
  start(m, after);
}

static void statement_loop(struct maker *m, unsigned depth) {
  struct ir_block *head = block(m), *next = block(m), *after = block(m), *old_next = m->loop_next,
                  *old_end = m->loop_end;
  bool tested_first = dice(m, 2);
  struct ir_block *body = tested_first ? block(m) : head;
  go(m, head);
  start(m, head);
  if (tested_first) {
    stir(m);
    choose(m, condition(m, true), after, body);
    start(m, body);
  }
  m->loop_next = next;
  m->loop_end = after;
  sequence(m, depth - 1, false);
  m->loop_next = old_next;
  m->loop_end = old_end;
  if (m->b) go(m, next);
  start(m, next);
  stir(m);
  if (tested_first)
    go(m, head);
  else
    choose(m, condition(m, true), head, after);
  start(m, after);
}

/* for (k = 0; k < 2 or 3; k++) with the same number in every thread: barriers may stand in it */
static void statement_count(struct maker *m, unsigned depth, bool together) {
  struct ir_block *head = block(m), *after = block(m);
  struct ir_value *k = fresh(m, IR_32), *p = fresh(m, IR_PRED);
  struct ir_block *old_next = m->loop_next, *old_end = m->loop_end;
  m->loop_next = m->loop_end = NULL;
  emit2(m, IR_COPY, PTX_U32, k, ir_bits(0), none);
  go(m, head);
  start(m, head);
  sequence(m, depth - 1, together);
  m->loop_next = old_next;
  m->loop_end = old_end;
  if (!m->b) {
    start(m, after);
    return;
  }
  emit2(m, IR_ADD, PTX_U32, k, ir_use(k), ir_bits(1));
  emit2(m, IR_SETP, PTX_U32, p, ir_use(k), ir_bits(2 + dice(m, 2)))->comparison.cmp = IR_LT;
  choose(m, ir_use(p), head, after);
  start(m, after);
}

/* Leaves the sequence: m->b is NULL afterwards. */
static void statement_leave(struct maker *m) {
  if (m->loop_next && dice(m, 3))
    go(m, dice(m, 2) ? m->loop_next : m->loop_end);
  else if (m->shape->exits)
    finish(m);
  else
    return;
  m->b = NULL;
}

static void barrier(struct maker *m) {
  struct ir_insn *i = emit(m, IR_BAR, PTX_NO_TYPE, NULL);
  i->src[i->sources++] = ir_bits(0);
  i->src[i->sources++] = ir_bits(0);
}

/* Spins until a word of memory that is never written has its value: volatile, at once. */
static void poll(struct maker *m) {
  struct ir_block *head = block(m), *after = block(m);
  struct ir_value *v = fresh(m, IR_32), *p = fresh(m, IR_PRED);
  go(m, head);
  start(m, head);
  struct ir_insn *i = emit2(m, IR_LD, PTX_U32, v, ir_bits(0), none);
  i->memory.space = PTX_GLOBAL;
  i->memory.is_volatile = true;
  emit2(m, IR_SETP, PTX_U32, p, ir_use(v), ir_bits(0))->comparison.cmp = IR_NE;
  choose(m, ir_use(p), head, after);
  start(m, after);
}

/* together: every thread that has not ended comes here, at once if the compiler sees to it. */
static void sequence(struct maker *m, unsigned depth, bool together) {
  for (unsigned n = 1 + dice(m, m->shape->length); n && m->b; n--) {
    work(m);
    if (m->shape->barriers && together && dice(m, 2)) barrier(m);
    if (m->shape->polls && dice(m, 8) == 0) poll(m);
    if (!depth || m->statements > 200) continue;
    m->statements++;
    switch (dice(m, 8)) {
    case 0:
    case 1:
      statement_if(m, depth);
      break;
    case 2:
      statement_or(m, depth);
      break;
    case 3:
      statement_switch(m, depth);
      break;
    case 4:
      statement_loop(m, depth);
      break;
    case 5:
      statement_count(m, depth, together);
      break;
    case 6:
      if (dice(m, 2) && !together) statement_leave(m);
      break;
    default:
      break;
    }
  }
}

struct random_made ir_random(const struct random_ir *shape) {
  struct random_made r = {.arena = ptx_arena_new(SIZE_MAX / 4)};
  struct maker m = {.shape = shape, .state = shape->seed * 77};
  r.f = ptx_alloc(r.arena, sizeof *r.f);
  *r.f = (struct ir_function){.name = "random", .entry = true, .arena = r.arena};
  m.f = r.f;
  begin(&m);
  if (shape->blocks) {
    wild(&m);
  } else {
    sequence(&m, shape->depth, true);
    if (shape->barriers) barrier(&m);
    finish(&m);
  }
  return r;
}

void ir_random_free(struct random_made *m) {
  ptx_arena_free(m->arena);
}

bool ir_random_expect(const struct ir_function *f, uint8_t global[WARP_GLOBAL]) {
  struct ir_warp *r = calloc(1, sizeof *r);
  bool good = true;
  for (unsigned lane = 0; lane < 32 && good; lane++) {
    r->f = f;
    r->lanes = UINT32_C(1) << lane;
    r->seed = 1;
    r->steps_most = 20000;
    good = ir_warp_run(r) == NULL;
  }
  memcpy(global, r->global, WARP_GLOBAL);
  free(r);
  return good;
}

const char *ir_random_check(const struct ir_function *f, bool ssa, const uint8_t expected[WARP_GLOBAL]) {
  uint8_t got[WARP_GLOBAL];
  const char *wrong = ir_check(f, ssa);
  if (wrong) return wrong;
  if (!ir_random_expect(f, got)) return "does not end";
  return memcmp(got, expected, WARP_GLOBAL) != 0 ? "another result" : NULL;
}

const char *ir_random_compare(const struct ir_function *f, enum warp_unit unit, uint64_t seed, unsigned check_uniform,
                              const uint8_t global[WARP_GLOBAL]) {
  struct ir_warp *r = calloc(1, sizeof *r);
  r->f = f;
  r->lanes = UINT32_MAX;
  r->unit = unit;
  r->seed = seed;
  r->steps_most = 2000000;
  r->check_uniform = check_uniform;
  const char *wrong = ir_warp_run(r);
  if (!wrong && memcmp(r->global, global, WARP_GLOBAL) != 0) wrong = "another result";
  free(r);
  return wrong;
}
