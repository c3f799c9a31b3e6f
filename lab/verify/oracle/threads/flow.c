/* SPDX-License-Identifier: Apache-2.0
 *
 * Where threads go (isa/doc/03-divergence.md), a path at a time.
 */
#include "base/splitmix64.h"
#include "lab/verify/oracle/threads/internal.h"

/* Where threads go (isa/doc/03-divergence.md). A path is who goes together; under `stack` the youngest goes on, under
 * `its` whichever is drawn. */

uint32_t threads_live(const struct warp *w) {
  uint32_t live = 0;
  for (unsigned l = 0; l < LANES; l++)
    if (!w->t[l].exited) live |= 1u << l;
  return live;
}

void threads_push(struct warp *w, uint32_t who) {
  if (who != 0) w->path[w->paths++].who = who;
}

/* Behind an instruction that has been looked at. */
static uint32_t next_pc(const struct machine *m, uint32_t pc) {
  return pc + m->code[pc / ISA_STEP].bytes;
}

static void go(struct warp *w, uint32_t who, uint32_t pc) {
  for (uint32_t rest = who; rest != 0; rest &= rest - 1) w->t[__builtin_ctz(rest)].pc = pc;
}

static uint32_t parked(const struct warp *w, unsigned x) {
  uint32_t p = 0;
  for (unsigned l = 0; l < LANES; l++)
    if (w->t[l].park == x + 1) p |= 1u << l;
  return p;
}

/* Who is parked at x and a member goes on after the place where it parked: those of one place together. */
static void release_parked(const struct machine *m, struct warp *w, unsigned x) {
  uint32_t free = parked(w, x) & w->b[x];
  w->b[x] &= ~free;
  while (free != 0) {
    const uint32_t pc = w->t[__builtin_ctz(free)].park_pc;
    uint32_t who = 0;
    for (uint32_t rest = free; rest != 0; rest &= rest - 1) {
      struct thread *t = &w->t[__builtin_ctz(rest)];
      if (t->park_pc != pc) continue;
      who |= rest & (0 - rest);
      t->park = 0;
      t->pc = next_pc(m, pc);
    }
    threads_push(w, who);
    free &= ~who;
  }
  if (x == MEET_W && parked(w, x) == 0) w->b[x] = 0;
}

static void check_barrier(const struct machine *m, struct warp *w, unsigned x) {
  const uint32_t p = parked(w, x) & w->b[x];
  const uint32_t awaited = w->b[x] & (m->o->twist == THREADS_EXIT_STAYS ? ~0u : threads_live(w));
  if (p == 0) return;
  if ((awaited & ~p) == 0 || m->o->twist == (x == MEET_W ? THREADS_SYNC_PASSES : THREADS_RELEASE_EARLY))
    release_parked(m, w, x);
}

static void park_threads(struct warp *w, unsigned x, uint32_t who) {
  for (uint32_t rest = who; rest != 0; rest &= rest - 1) {
    struct thread *t = &w->t[__builtin_ctz(rest)];
    t->park = (uint8_t)(x + 1);
    t->park_pc = t->pc;
  }
}

static bool wrong_place(const struct machine *m, const struct warp *w, unsigned x, uint32_t pc) {
  const uint32_t p = parked(w, x);
  return !m->h->its && p != 0 && w->t[__builtin_ctz(p)].park_pc != pc;
}

/* Each thread goes where its own target is. */
static bool scatter(struct machine *m, struct warp *w, const struct heddle_isa_dec *d, uint32_t who, uint32_t exec,
                    uint32_t pc) {
  const uint64_t offset = (uint64_t)heddle_isa_get_signed(d->word, ISA_F_OFF32);
  uint32_t target[LANES], same = 0;
  for (uint32_t rest = exec; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint64_t t = (threads_operand(m, w, d, 0, 0, l) | (uint64_t)threads_operand(m, w, d, 0, 1, l) << 32) + offset;
    if (t >> 32 != 0 || t % ISA_STEP != 0 || t >= m->l->code_bytes) return threads_trap(m, "a register target", pc);
    target[l] = (uint32_t)t;
    if (m->o->twist == THREADS_CALL_FALLS && d->op == ISA_OP_RET) target[l] = next_pc(m, target[l]);
  }
  const uint32_t first = target[__builtin_ctz(exec)];
  for (uint32_t rest = exec; rest != 0; rest &= rest - 1)
    if (target[__builtin_ctz(rest)] == first) same |= rest & (0 - rest);
  go(w, who & ~exec, next_pc(m, pc));
  threads_push(w, who & ~exec);
  threads_push(w, exec & ~same); /* they stand here still */
  go(w, same, first);
  threads_push(w, same);
  return true;
}

static bool branch_threads(struct machine *m, struct warp *w, const struct heddle_isa_dec *d, uint32_t who,
                           uint32_t exec, uint32_t pc) {
  int64_t target;
  if (d->op == ISA_OP_JMP)
    target = (int64_t)heddle_isa_get(d->word, ISA_F_ABS32);
  else if (d->op == ISA_OP_BRA || d->op == ISA_OP_CALL_REL)
    target = (int64_t)next_pc(m, pc) + heddle_isa_get_signed(d->word, ISA_F_REL);
  else
    return scatter(m, w, d, who, exec, pc);
  if (target < 0 || target % ISA_STEP != 0 || target >= m->l->code_bytes) return threads_trap(m, "a target", pc);
  go(w, who & ~exec, next_pc(m, pc));
  threads_push(w, who & ~exec);
  go(w, exec, (uint32_t)target);
  threads_push(w, exec); /* the taken ones first */
  return true;
}

static bool sync_on(struct machine *m, struct warp *w, unsigned x, uint32_t who, uint32_t exec, uint32_t pc) {
  if ((exec & ~w->b[x]) != 0 || wrong_place(m, w, x, pc)) return threads_trap(m, "BSYNC where it does not belong", pc);
  park_threads(w, x, exec);
  go(w, who & ~exec, next_pc(m, pc));
  check_barrier(m, w, x);
  threads_push(w, who & ~exec);
  return true;
}

static bool warpsync(struct machine *m, struct warp *w, const struct heddle_isa_dec *d, uint32_t who, uint32_t exec,
                     uint32_t pc) {
  const uint32_t mask = threads_operand(m, w, d, 1, 0, (unsigned)__builtin_ctz(exec));
  const uint32_t there = parked(w, MEET_W);
  if ((exec & ~mask) != 0 || (there != 0 && w->b[MEET_W] != mask) || wrong_place(m, w, MEET_W, pc))
    return threads_trap(m, "WARPSYNC with a mask that does not fit", pc);
  w->b[MEET_W] = mask;
  return sync_on(m, w, MEET_W, who, exec, pc);
}

static void exit_threads(struct machine *m, struct warp *w, uint32_t who, uint32_t exec, uint32_t pc) {
  for (uint32_t rest = exec; rest != 0; rest &= rest - 1) w->t[__builtin_ctz(rest)].exited = true;
  for (unsigned x = 0; x <= MEET_W; x++) check_barrier(m, w, x);
  go(w, who & ~exec, next_pc(m, pc));
  threads_push(w, who & ~exec);
}

/* its: a barrier whose every member has exited, is parked at it, or yields, lets its lanes go. */
static void yield(const struct machine *m, struct warp *w, uint32_t exec) {
  if (!m->h->its || m->o->twist == THREADS_YIELD_HOLDS) return;
  for (unsigned x = 0; x < BARRIERS; x++)
    if ((parked(w, x) & w->b[x]) != 0 && (w->b[x] & threads_live(w) & ~parked(w, x) & ~exec) == 0)
      release_parked(m, w, x);
}

static void move_barrier(const struct machine *m, struct warp *w, const struct heddle_isa_dec *d, uint32_t exec) {
  if (d->op == ISA_OP_BMOV_SET) {
    const unsigned x = (unsigned)heddle_isa_get(d->word, ISA_F_BX);
    w->b[x] = threads_operand(m, w, d, 1, 0, (unsigned)__builtin_ctz(exec));
    check_barrier(m, w, x);
    return;
  }
  const unsigned x = (unsigned)heddle_isa_get(d->word, ISA_F_BXS);
  for (uint32_t rest = exec; rest != 0; rest &= rest - 1) threads_set(w, d, 0, (unsigned)__builtin_ctz(rest), w->b[x]);
  if (heddle_isa_get(d->word, ISA_F_CLEAR) == ISA_CLEAR_CLEAR) w->b[x] = 0;
}

/* Those that stay together at the next word. */
static bool stay(const struct machine *m, struct warp *w, uint32_t who, uint32_t pc) {
  go(w, who, next_pc(m, pc));
  threads_push(w, who);
  return true;
}

static bool threads_flow(struct machine *m, struct warp *w, const struct step *s, struct path p, uint32_t exec) {
  const struct heddle_isa_dec *d = &s->d;
  const uint32_t pc = w->t[__builtin_ctz(p.who)].pc;
  const unsigned x = (unsigned)heddle_isa_get(d->word, ISA_F_BX);
  if (exec == 0) return stay(m, w, p.who, pc);
  switch (d->op) {
  case ISA_OP_BSSY:
    w->b[x] |= exec;
    break;
  case ISA_OP_BSYNC:
    return sync_on(m, w, x, p.who, exec, pc);
  case ISA_OP_BREAK:
    if (m->o->twist != THREADS_BREAK_STAYS) w->b[x] &= ~exec;
    check_barrier(m, w, x);
    break;
  case ISA_OP_BMOV_GET:
  case ISA_OP_BMOV_SET:
    move_barrier(m, w, d, exec);
    break;
  case ISA_OP_WARPSYNC:
    return warpsync(m, w, d, p.who, exec, pc);
  case ISA_OP_YIELD:
    yield(m, w, exec);
    break;
  case ISA_OP_EXIT:
  case ISA_OP_KILL:
    exit_threads(m, w, p.who, exec, pc);
    return true;
  case ISA_OP_BPT_TRAP:
    return threads_trap(m, "BPT", pc);
  case ISA_OP_BRA:
  case ISA_OP_JMP:
  case ISA_OP_BRX:
  case ISA_OP_CALL_REL:
  case ISA_OP_CALL_ABS:
  case ISA_OP_RET:
    return branch_threads(m, w, d, p.who, exec, pc);
  default:
    break; /* hints (NANOSLEEP, NOP), fences */
  }
  return stay(m, w, p.who, pc);
}

/* One path: its threads run alone, each at its own pace, until each of them stands where they meet. */

static bool must_meet(const struct heddle_isa_dec *d) {
  const struct heddle_isa_instr *i = heddle_isa_instr_info((enum heddle_isa_op)d->op);
  if (i->space == ISA_SPACE_CONST) return d->op == ISA_OP_ULDC;
  return d->unit == ISA_UNIT_MEM || d->unit == ISA_UNIT_BR || d->unit == ISA_UNIT_TENSOR || d->uniform ||
         d->rd_uniform || d->pd_uniform || threads_talks(d);
}

static const struct step *step_at(struct machine *m, uint32_t pc) {
  if (pc % ISA_STEP != 0 || pc >= m->l->code_bytes) return NULL;
  struct step *s = &m->code[pc / ISA_STEP];
  if (s->looked) return s;
  struct heddle_isa_word w;
  uint32_t bytes;
  s->looked = true;
  s->legal = heddle_isa_fetch(m->l->code, pc, &w, &bytes) && heddle_isa_decode(w, &s->d) &&
             heddle_isa_max_reg(&s->d) < (int)m->l->regs;
  s->bytes = (uint8_t)bytes;
  if (!s->legal) return s;
  s->meets = must_meet(&s->d);
  return s;
}

/* Until the next instruction is one at which threads meet. */
static const struct step *alone(struct machine *m, struct warp *w, unsigned lane) {
  struct thread *t = &w->t[lane];
  for (const struct step *s;; t->pc += s->bytes) {
    s = step_at(m, t->pc);
    if (s == NULL || !s->legal) return (void)threads_trap(m, "a PC or a word that is none", t->pc), NULL;
    if (s->meets) return s;
    if (++m->steps > m->most) {
      m->r->outcome = THREADS_TOO_LONG;
      return NULL;
    }
    if (!threads_guard(w, &s->d, lane)) continue;
    const bool constant = heddle_isa_instr_info((enum heddle_isa_op)s->d.op)->space == ISA_SPACE_CONST;
    if (constant ? !threads_constant(m, w, s, lane) : !threads_value(m, w, s, 1u << lane)) return NULL;
  }
}

/* All together, at the same PC. */
static bool run_together(struct machine *m, struct warp *w, const struct step *s, struct path p) {
  const struct heddle_isa_dec *d = &s->d;
  uint32_t exec = 0;
  if (m->steps > m->most) {
    m->r->outcome = THREADS_TOO_LONG;
    return false;
  }
  for (uint32_t rest = p.who; rest != 0; rest &= rest - 1)
    if (threads_guard(w, d, (unsigned)__builtin_ctz(rest))) exec |= rest & (0 - rest);
  m->r->meetings++;
  m->steps += (unsigned)__builtin_popcount(p.who);
  w->clock++;
  if (d->op == ISA_OP_BAR_SYNC || d->op == ISA_OP_BAR_ARV || d->op == ISA_OP_BAR_RED || d->op == ISA_OP_BAR_RED_POPC) {
    if (!threads_barrier(m, w, s, p.who, exec)) return false;
  } else if (d->unit == ISA_UNIT_BR) {
    return threads_flow(m, w, s, p, exec);
  } else if (d->op == ISA_OP_ULDC) {
    if (exec != 0 && !threads_constant(m, w, s, 0)) return false;
  } else if (d->unit == ISA_UNIT_MEM) {
    if (!threads_access(m, w, s, exec)) return false;
  } else if (threads_talks(d)) {
    threads_talk(m, w, d, exec);
  } else if (exec != 0 && !threads_value(m, w, s, d->uniform ? 1u : exec)) {
    return false;
  }
  for (uint32_t rest = p.who; rest != 0; rest &= rest - 1) w->t[__builtin_ctz(rest)].pc += s->bytes;
  threads_push(w, p.who);
  return true;
}

/* Which path: under `stack` the youngest; under `its` any. */
static struct path take_path(struct machine *m, struct warp *w) {
  unsigned k = w->paths - 1;
  if (m->h->its) k = (unsigned)(splitmix64(&m->dice) % w->paths);
  const struct path p = w->path[k];
  for (w->paths--; k < w->paths; k++) w->path[k] = w->path[k + 1];
  return p;
}

bool threads_turn(struct machine *m, struct warp *w) {
  const struct path p = take_path(m, w);
  const struct step *s = NULL;
  uint32_t pc = 0;
  for (uint32_t rest = p.who; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    s = alone(m, w, l);
    if (s == NULL) return false;
    if (rest != p.who && w->t[l].pc != pc) return threads_wrong(m, "threads of one path are at two PCs");
    pc = w->t[l].pc;
  }
  return run_together(m, w, s, p);
}
