/* SPDX-License-Identifier: Apache-2.0
 *
 * One path: its threads run alone, each at its own pace, until each of them stands where they meet.
 */
#include "lab/verify/oracle/threads/internal.h"
#include "base/splitmix64.h"

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
    if (rest != p.who && w->t[l].pc != pc) return threads_wrong(m, "threads of one path stand at two PCs");
    pc = w->t[l].pc;
  }
  return run_together(m, w, s, p);
}
