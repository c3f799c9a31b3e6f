/* SPDX-License-Identifier: Apache-2.0
 *
 * A second opinion on control codes, by trying; and codes made weaker.
 */
#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/lint.h>
#include "tests/test.h"

static void put(struct places *p, unsigned at) {
  assert_true(p->count < sizeof p->at / sizeof *p->at);
  p->at[p->count++] = (uint16_t)at;
}

static void put_registers(struct places *p, bool uniform, unsigned first, unsigned words) {
  for (unsigned i = 0; first != 255 && i < words; i++) put(p, (uniform ? 1000 : 0) + first + i);
}

static void put_predicate(struct places *p, bool uniform, unsigned index) {
  if (index < 7) put(p, (uniform ? 3000 : 2000) + index);
}

static bool named(const struct heddle_isa_dec *d, const char *name) {
  return strcmp(heddle_isa_op_name((enum heddle_isa_op)d->op), name) == 0;
}

struct places reads_of(const struct heddle_isa_dec *d) {
  struct places p = {.count = 0};
  for (unsigned i = 0; i < 3; i++)
    if (d->src[i].kind == ISA_REG || d->src[i].kind == ISA_UREG)
      put_registers(&p, d->src[i].kind == ISA_UREG, d->src[i].reg, d->src[i].words);
  put_predicate(&p, d->uniform, d->guard.index);
  for (unsigned i = 0; i < 3; i++) put_predicate(&p, d->ps_uniform, d->ps[i].index);
  for (unsigned i = 0; i < 7 && named(d, "P2R"); i++) put_predicate(&p, false, i);
  for (unsigned i = 0; i < 7 && named(d, "UP2UR"); i++) put_predicate(&p, true, i);
  return p;
}

static struct places register_results_of(const struct heddle_isa_dec *d) {
  struct places p = {.count = 0};
  if (d->has_rd) put_registers(&p, d->rd_uniform, d->rd, d->rd_words);
  return p;
}

static struct places predicate_results_of(const struct heddle_isa_dec *d) {
  struct places p = {.count = 0};
  if (d->has_pd0) put_predicate(&p, d->pd_uniform, d->pd0);
  if (d->has_pd1) put_predicate(&p, d->pd_uniform, d->pd1);
  for (unsigned i = 0; i < 7 && named(d, "R2P"); i++) put_predicate(&p, false, i);
  for (unsigned i = 0; i < 7 && named(d, "UR2UP"); i++) put_predicate(&p, true, i);
  return p;
}

enum { FLIGHT_MAX = 96, STATES_MAX = 1 << 18, TABLE = 1 << 19, FOREVER = 255 };

struct flight {
  uint16_t place;
  uint8_t left, counter, unit, none; /* left: cycles, or FOREVER; counter: 0-5, or 7; none: 0 */
};

struct warp {
  uint32_t at, flights;
  struct flight f[FLIGHT_MAX]; /* by place, then counter */
};

struct search {
  const struct heddle_program *p;
  uint8_t stall[8];
  bool *hazard;
  struct warp **seen; /* hash table; also the states still to do, in order */
  struct warp **list;
  size_t states;
};

static size_t bytes_of(const struct warp *w) {
  return offsetof(struct warp, f) + w->flights * sizeof *w->f;
}

static uint64_t hash_of(const struct warp *w) {
  uint64_t h = 1469598103934665603u;
  const uint8_t *b = (const uint8_t *)w;
  for (size_t i = 0; i < bytes_of(w); i++) h = (h ^ b[i]) * 1099511628211u;
  return h ^ h >> 29;
}

static void go(struct search *s, const struct warp *w, uint64_t at) {
  if (at >= s->p->code_bytes / ISA_WORD_BYTES) return;
  struct warp n = *w;
  n.at = (uint32_t)at;
  size_t slot = hash_of(&n) % TABLE;
  for (; s->seen[slot] != NULL; slot = (slot + 1) % TABLE)
    if (s->seen[slot]->at == n.at && s->seen[slot]->flights == n.flights &&
        memcmp(s->seen[slot]->f, n.f, n.flights * sizeof *n.f) == 0)
      return;
  assert_true(s->states < STATES_MAX);
  s->seen[slot] = malloc(bytes_of(&n));
  assert_non_null(s->seen[slot]);
  memcpy(s->seen[slot], &n, bytes_of(&n));
  s->list[s->states++] = s->seen[slot];
}

static void drop(struct warp *w, uint32_t i) {
  memmove(&w->f[i], &w->f[i + 1], (w->flights - i - 1) * sizeof *w->f);
  w->flights--;
}

static void touch(struct search *s, struct warp *w, struct places p) {
  for (unsigned k = 0; k < p.count; k++)
    for (uint32_t i = w->flights; i-- > 0;)
      if (w->f[i].place == p.at[k]) {
        s->hazard[w->at] = true;
        drop(w, i);
      }
}

static void start(struct warp *w, struct places p, unsigned left, const struct heddle_isa_dec *d) {
  for (unsigned k = 0; k < p.count; k++) {
    const struct flight f = {p.at[k], (uint8_t)left, d->ctl.wbar < 6 ? d->ctl.wbar : 7, d->unit, 0};
    uint32_t i = 0;
    while (i < w->flights && w->f[i].place < f.place) i++;
    assert_true(w->flights < FLIGHT_MAX);
    memmove(&w->f[i + 1], &w->f[i], (w->flights - i) * sizeof *w->f);
    w->f[i] = f;
    w->flights++;
  }
}

/* isa/doc/01 and 06: by unit, registers and predicates. */
static unsigned latency(const struct search *s, const struct heddle_isa_dec *d, bool predicate) {
  const unsigned alu_pred = s->stall[HEDDLE_STALL_ALU_PRED];
  unsigned own = 0;
  switch ((enum heddle_isa_unit)d->unit) {
  case ISA_UNIT_ALU:
  case ISA_UNIT_BR:
    return predicate ? alu_pred : s->stall[HEDDLE_STALL_ALU_REG];
  case ISA_UNIT_FMA:
    own = s->stall[HEDDLE_STALL_FMA_REG];
    break;
  case ISA_UNIT_CVT:
    own = s->stall[HEDDLE_STALL_CVT_REG];
    break;
  case ISA_UNIT_HALF:
    own = s->stall[HEDDLE_STALL_HALF_REG];
    break;
  case ISA_UNIT_UNI:
    own = s->stall[HEDDLE_STALL_UNI_REG];
    break;
  default:
    return FOREVER;
  }
  return predicate && alu_pred > own ? alu_pred : own;
}

static void wait_for(struct warp *w, unsigned counters, bool memory) {
  for (uint32_t i = w->flights; i-- > 0;)
    if ((w->f[i].counter < 6 && (counters >> w->f[i].counter & 1)) || (memory && w->f[i].unit == ISA_UNIT_MEM))
      drop(w, i);
}

static void pass_time(struct warp *w, unsigned cycles) {
  for (uint32_t i = w->flights; i-- > 0;)
    if (w->f[i].left != FOREVER) {
      if (w->f[i].left <= cycles)
        drop(w, i);
      else
        w->f[i].left = (uint8_t)(w->f[i].left - cycles);
    }
}

static bool is_one_of(const char *name, const char *const *list) {
  for (; *list; list++)
    if (strcmp(name, *list) == 0) return true;
  return false;
}

static void go_away(struct search *s, struct warp *w) {
  if (w->flights > 0) s->hazard[w->at] = true;
}

static void leave(struct search *s, struct warp *w, const struct heddle_isa_dec *d) {
  static const char *const known[] = {"BRA", "CALL.REL", NULL}, *const unknown[] = {"BRX", "CALL.ABS", "RET", NULL},
                           *const calls[] = {"CALL.REL", "CALL.ABS", NULL}, *const ends[] = {"EXIT", "KILL", NULL};
  const char *name = heddle_isa_op_name((enum heddle_isa_op)d->op);
  const bool never = d->guard.index == 7 && d->guard.neg, always = d->guard.index == 7 && !d->guard.neg;
  const bool jumps = is_one_of(name, known), jmp = strcmp(name, "JMP") == 0, away = is_one_of(name, unknown);
  const uint64_t next = (uint64_t)w->at + 1;
  if (!never && jumps) go(s, w, (uint64_t)((int64_t)next + heddle_isa_get_signed(d->word, ISA_F_REL) / 16));
  if (!never && jmp) go(s, w, heddle_isa_get(d->word, ISA_F_ABS32) / 16);
  if (!never && away) go_away(s, w);
  if (!always || (!jumps && !jmp && !away && !is_one_of(name, ends))) go(s, w, next);
  const struct warp empty = {.at = 0, .flights = 0};
  if (!never && is_one_of(name, calls)) go(s, &empty, next);
}

static void run(struct search *s, const struct warp *from) {
  static const char *const drains[] = {"BAR.SYNC", "BAR.ARV", "BAR.RED", "BAR.RED.POPC", "MEMBAR", NULL};
  struct heddle_isa_dec d;
  struct warp w;
  memcpy(&w, from, bytes_of(from));
  if (!heddle_isa_decode(heddle_program_word(s->p, w.at * ISA_WORD_BYTES), &d)) return;
  const char *name = heddle_isa_op_name((enum heddle_isa_op)d.op);
  const bool whole = d.guard.index == 7 && !d.guard.neg;
  unsigned counters = d.ctl.wait;
  if (strcmp(name, "DEPBAR.LE") == 0) {
    assert_int_equal(heddle_isa_get(d.word, ISA_F_SBK), 0);
    if (whole) counters |= 1u << heddle_isa_get(d.word, ISA_F_SBN);
  }
  wait_for(&w, counters, whole && is_one_of(name, drains));
  touch(s, &w, reads_of(&d));
  touch(s, &w, register_results_of(&d));
  touch(s, &w, predicate_results_of(&d));
  start(&w, register_results_of(&d), latency(s, &d, false), &d);
  start(&w, predicate_results_of(&d), latency(s, &d, true), &d);
  pass_time(&w, d.ctl.stall > 0 ? d.ctl.stall : 1);
  leave(s, &w, &d);
}

static bool visited(const struct search *s, uint32_t at) {
  for (size_t i = 0; i < s->states; i++)
    if (s->list[i]->at == at) return true;
  return false;
}

/* With nothing on its way; not from a word that is no instruction. */
static void go_fresh(struct search *s, uint32_t at) {
  const struct warp w = {.at = 0, .flights = 0};
  struct heddle_isa_dec d;
  if (heddle_isa_decode(heddle_program_word(s->p, at * ISA_WORD_BYTES), &d)) go(s, &w, at);
}

size_t replay(const struct heddle_program *p, bool *hazard) {
  struct search s = {.p = p, .hazard = hazard};
  s.seen = calloc(TABLE, sizeof *s.seen);
  s.list = calloc(STATES_MAX, sizeof *s.list);
  assert_true(s.seen != NULL && s.list != NULL);
  memset(hazard, 0, p->code_bytes / ISA_WORD_BYTES * sizeof *hazard);
  for (uint32_t k = 0; k < p->kernels; k++) {
    const struct warp w = {.at = 0, .flights = 0};
    for (unsigned i = 0; i < 8; i++)
      if (p->kernel[k].stall[i] > s.stall[i]) s.stall[i] = p->kernel[k].stall[i];
    go(&s, &w, p->kernel[k].entry_pc / ISA_WORD_BYTES);
  }
  size_t done = 0;
  while (done < s.states) run(&s, s.list[done++]);
  for (uint32_t i = 0; i < p->code_bytes / ISA_WORD_BYTES; i++) { /* where only branches through registers lead */
    if (!visited(&s, i)) go_fresh(&s, i);
    while (done < s.states) run(&s, s.list[done++]);
  }
  for (size_t i = 0; i < s.states; i++) free(s.list[i]);
  free(s.list);
  free(s.seen);
  return s.states;
}

enum { INSNS_MAX = 4096 };

static struct heddle_isa_word weakened(struct heddle_isa_word w, struct heddle_lint_weaker what) {
  switch (what.part) {
  case HEDDLE_LINT_STALL:
    return heddle_isa_put(w, ISA_F_STALL, heddle_isa_get(w, ISA_F_STALL) - 1);
  case HEDDLE_LINT_STALL_LEAST:
    return heddle_isa_put(w, ISA_F_STALL, 1);
  case HEDDLE_LINT_WAIT:
    return heddle_isa_put(w, ISA_F_WAIT, heddle_isa_get(w, ISA_F_WAIT) & ~(1u << what.counter));
  case HEDDLE_LINT_WBAR:
    return heddle_isa_put(w, ISA_F_WBAR, 7);
  case HEDDLE_LINT_RBAR:
    return heddle_isa_put(w, ISA_F_RBAR, 7);
  }
  return w;
}

static void mark(void *ctx, const struct heddle_lint_finding *f) {
  bool *at = ctx;
  assert_int_not_equal(f->advice[0], '\0');
  at[f->pc / ISA_WORD_BYTES] = true;
}

bool weaken_agree(const struct heddle_program *p, const char *name) {
  bool tried[INSNS_MAX], said[INSNS_MAX] = {false}, any = false;
  const struct heddle_lint_options o = {.size = sizeof o, .finding = mark, .ctx = said};
  const uint32_t n = p->code_bytes / ISA_WORD_BYTES;
  assert_true(n <= INSNS_MAX);
  (void)replay(p, tried);
  const enum heddle_lint_verdict v = heddle_lint(p, &o, NULL);
  for (uint32_t i = 0; i < n; i++) {
    if (tried[i] != said[i]) fail_msg("%s: 0x%04x: lint %d, replay %d", name, i * ISA_WORD_BYTES, said[i], tried[i]);
    any = any || said[i];
  }
  assert_int_equal(v, any ? HEDDLE_LINT_FOUND : HEDDLE_LINT_PROVEN);
  return !any;
}

static void weaken(struct heddle_program *p, const char *name, struct heddle_lint_weaker what, struct weaken_tally *t) {
  char reason[160] = "", label[200];
  const struct heddle_isa_word w = heddle_program_word(p, what.pc);
  (void)snprintf(label, sizeof label, "%s, weaker at 0x%04x (part %d, counter %u)", name, what.pc, (int)what.part,
                 what.counter);
  const bool spare = heddle_lint_spare(p, NULL, what, reason, sizeof reason);
  heddle_isa_word_store(p->code + what.pc, weakened(w, what));
  const bool holds = weaken_agree(p, label);
  heddle_isa_word_store(p->code + what.pc, w);
  if (holds != spare) fail_msg("%s: proven %d, spare %d", label, holds, spare);
  if (holds && reason[0] == '\0') fail_msg("%s: no reason", label);
  if (holds && getenv("LINT_VERBOSE")) print_message("%s: %s\n", label, reason);
  t->weaker++;
  t->wrong += !holds;
  t->spare += holds;
}

void weaken_all(struct heddle_program *p, const char *name, struct weaken_tally *t) {
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    if (!heddle_isa_decode(heddle_program_word(p, pc), &d)) continue;
    if (d.ctl.stall > 1) weaken(p, name, (struct heddle_lint_weaker){pc, HEDDLE_LINT_STALL, 0}, t);
    if (d.ctl.stall > 2) weaken(p, name, (struct heddle_lint_weaker){pc, HEDDLE_LINT_STALL_LEAST, 0}, t);
    for (uint8_t c = 0; c < 6; c++)
      if (d.ctl.wait >> c & 1) weaken(p, name, (struct heddle_lint_weaker){pc, HEDDLE_LINT_WAIT, c}, t);
    if (d.ctl.wbar < 6) weaken(p, name, (struct heddle_lint_weaker){pc, HEDDLE_LINT_WBAR, 0}, t);
    if (d.ctl.rbar < 6) weaken(p, name, (struct heddle_lint_weaker){pc, HEDDLE_LINT_RBAR, 0}, t);
  }
}
