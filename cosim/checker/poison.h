/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside checker/ only: reads before, after and across writes (poison.c). Here the usual cases, in which nothing is
 * wrong.
 */
#ifndef HEDDLE_CHECKER_POISON_H
#define HEDDLE_CHECKER_POISON_H

#include "cosim/checker/ledger.h"

bool poison_predicates(struct heddle_checker *c, const struct heddle_isa_dec *d, uint32_t active, uint32_t exec);
bool poison_pending(struct heddle_checker *c, const struct heddle_isa_dec *d,
                    uint32_t lanes); /* the model says PENDING; always false */
bool poison_suspect(struct heddle_checker *c, unsigned slot, uint32_t lanes);
void poison_written(struct heddle_checker *c);
/* A wrong value in `bad`: did the read overtake an older write? Then true, and the difference is noted. */
bool poison_raced(struct heddle_checker *c, unsigned slot, uint32_t bad);
bool poison_overwrite(struct heddle_checker *c, unsigned rd, uint32_t lanes);
bool poison_predicate(struct heddle_checker *c, unsigned pd, uint32_t lanes);
/* The instruction that issues reads a uniform register or predicate before it is written; a uniform write of c->e
 * passes an older one. */
bool poison_uniforms(struct heddle_checker *c, const struct heddle_isa_dec *d);
bool poison_uniform_write(struct heddle_checker *c, unsigned place);
/* Remember a write for reads that come too early to see it. False: there are more of them than there can be. */
bool poison_late(struct heddle_checker *c, unsigned pd, uint32_t lanes);
bool poison_shadow(struct heddle_checker *c, unsigned rd, uint32_t lanes);

/* The word of e's result that register r is, or -1. */
static inline int result_word(const struct entry *e, unsigned r) {
  const int k = (int)r - (int)e->rd;
  return k >= 0 && k < e->rd_words ? k : -1;
}

/* How often the present entry itself still owes register r: once or not at all. */
static inline unsigned owes_register(const struct entry *e, unsigned r) {
  const int k = result_word(e, r);
  return k >= 0 && (e->owes & OWES_RESULT(k)) != 0 ? 1 : 0;
}

/* A slot is read. Mostly nobody else owes or has just written its register, and nobody has marked the entry. */
static inline bool poison_read(struct heddle_checker *c, unsigned slot, uint32_t lanes) {
  const unsigned r = c->e->slot.reg[slot];
  const struct warp *w = c->w;
  if (r == NO_REG) return true;
  if (!c->e->marked && (w->pend_write[r] == 0 || w->pend_write[r] <= owes_register(c->e, r)) &&
      (uint32_t)c->now->cycle - w->written[r] >= c->cfg.read_age)
    return true;
  return poison_suspect(c, slot, lanes);
}

/* A register is written that somebody is still to read, or to write. Mostly c->e alone is to write it. */
static inline bool poison_write(struct heddle_checker *c, unsigned rd, uint32_t lanes) {
  return (c->w->pend_read[rd] == 0 && c->w->pend_write[rd] < 2) || poison_overwrite(c, rd, lanes);
}

/* The instruction that issues reads a predicate before it is written. Most read none. */
static inline bool poison_issue(struct heddle_checker *c, const struct heddle_isa_dec *d, uint32_t active,
                                uint32_t exec) {
  const bool reads = d->guard.index < ISA_PT || d->ps[0].index < ISA_PT || d->ps[1].index < ISA_PT ||
                     d->ps[2].index < ISA_PT || d->op == ISA_OP_P2R || d->op == ISA_OP_UP2UR;
  return !reads || poison_predicates(c, d, active, exec);
}

static inline bool poison_uniform(struct heddle_checker *c, const struct heddle_isa_dec *d) {
  const bool reads = d->src[0].kind == ISA_UREG || d->src[1].kind == ISA_UREG || d->src[2].kind == ISA_UREG;
  return !reads || poison_uniforms(c, d);
}

/* Writes of this very cycle were shown before the issue that has just been judged. */
static inline void poison_issued(struct heddle_checker *c) {
  if (c->w->wrote == c->now->cycle) poison_written(c);
}

#endif
