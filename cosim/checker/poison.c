/* SPDX-License-Identifier: Apache-2.0
 *
 * Dependencies between the instructions of one warp, judged from the records' order: a read before its older
 * write, a read after a younger write, writes out of order. The values may even agree by chance: the order is
 * wrong all the same. In control mode the program's codes are at fault, in scoreboard mode the hardware.
 */
#include <string.h>

#include "cosim/checker/internal.h"

static bool poisoned(struct heddle_checker *c, enum heddle_checker_kind k, const char *subject, uint32_t lanes,
                     const struct entry *other) {
  const char *blame =
      c->cfg.scoreboard
          ? "the hardware's dependency check failed (scoreboard mode)"
          : "the program's control code does not wait for it: stall count or wait mask too small (control mode)";
  const char *verb = k == HEDDLE_CHECKER_POISON_WAR ? "was overwritten by the younger" : "still awaits the write of";
  return differ_mask(c, k, subject, lanes, "%s %s seq %u (pc 0x%x); %s", subject, verb, other->seq, other->pc, blame);
}

/* An older entry whose result in register r is not even known yet: its access has not been performed. */
static struct entry *unknown_writer(struct warp *w, uint32_t seq, unsigned r, uint32_t lanes) {
  struct entry *e;
  for (struct walk it = walk_open(w); (e = walk_next(w, &it)) != NULL;) {
    const int k = result_word(e, r);
    if (e->seq < seq && k >= 0 && (e->wb_open[k] & ~entry_known(e, (unsigned)k) & lanes) != 0) return e;
  }
  return NULL;
}

/* An older open entry that still owes register r in some of `lanes`. */
static struct entry *older_writer(struct warp *w, uint32_t seq, unsigned r, uint32_t lanes) {
  struct entry *e;
  for (struct walk it = walk_open(w); (e = walk_next(w, &it)) != NULL;) {
    const int k = result_word(e, r);
    if (e->seq < seq && k >= 0 && (e->wb_open[k] & lanes) != 0) return e;
  }
  return NULL;
}

static struct entry *older_predicate(struct warp *w, uint32_t seq, unsigned p, uint32_t lanes) {
  struct entry *e;
  for (struct walk it = walk_open(w); (e = walk_next(w, &it)) != NULL;) {
    if (e->seq >= seq) continue;
    for (unsigned rest = e->pd_written; rest != 0; rest &= rest - 1) {
      const unsigned i = (unsigned)__builtin_ctz(rest);
      if (e->pd[i] == p && (e->pd_open[i] & lanes) != 0) return e;
    }
  }
  return NULL;
}

/* The place of the oldest of `n` remembered writes may be taken when no read can come too early for it any more. */
static bool forgotten(struct heddle_checker *c, uint64_t cycle, uint32_t lanes, unsigned age, unsigned n,
                      const char *what) {
  if (lanes == 0 || cycle + age <= c->now->cycle || !checker_on(c, HEDDLE_CHECKER_CAPACITY)) return true;
  return differ(c, HEDDLE_CHECKER_CAPACITY, what, "more than %u %s within %u cycles", n, what, age);
}

bool poison_late(struct heddle_checker *c, unsigned pd, uint32_t lanes) {
  struct warp *w = c->w;
  const unsigned n = c->capacity.predicates;
  if (c->cfg.pred_age == 0 || pd == ISA_PT) return true; /* the order of records says it all */
  struct late *l = &w->late[w->late_next];
  if (!forgotten(c, l->cycle, l->lanes, c->cfg.pred_age, n, "predicate writes of a warp")) return false;
  w->late_next = w->late_next + 1 == n ? 0 : w->late_next + 1;
  *l = (struct late){c->now->cycle, c->e->seq, lanes, pd};
  return true;
}

/* Issue reads the predicate file before its record is shown: it does not see a write that is younger than pred_age. */
static const struct late *late_writer(const struct heddle_checker *c, unsigned p, uint32_t lanes) {
  for (unsigned i = 0; i < c->capacity.predicates && c->cfg.pred_age != 0; i++) {
    const struct late *l = &c->w->late[i];
    if (l->pd == p && l->cycle + c->cfg.pred_age > c->now->cycle && (l->lanes & lanes) != 0 && l->seq < c->e->seq)
      return l;
  }
  return NULL;
}

/* A word that was written too late to be read: by an instruction that may be long forgotten. */
static bool too_late(struct heddle_checker *c, enum heddle_checker_kind k, const char *subject, uint32_t lanes,
                     uint32_t writer) {
  const struct entry *o = ledger_find(c, c->w, writer);
  if (o != NULL) return poisoned(c, k, subject, lanes, o);
  return differ_mask(c, k, subject, lanes, "%s was written too late to be read here, by seq %u", subject, writer);
}

static bool predicate_ready(struct heddle_checker *c, bool uniform, unsigned index, uint32_t lanes) {
  if (index >= ISA_PT || !checker_on(c, HEDDLE_CHECKER_POISON_PRED_RAW)) return true;
  const unsigned p = uniform ? PLACE_UP + index : index;
  if (uniform) lanes = UNIFORM_LANE;
  const struct entry *o = c->w->pend_pred[p] != 0 ? older_predicate(c->w, c->e->seq, p, lanes) : NULL;
  const struct late *l = o == NULL ? late_writer(c, p, lanes) : NULL;
  if (o == NULL && l == NULL) return true;
  char subject[8];
  snprintf(subject, sizeof subject, uniform ? "UP%u" : "P%u", index);
  return o != NULL ? poisoned(c, HEDDLE_CHECKER_POISON_PRED_RAW, subject, lanes, o)
                   : too_late(c, HEDDLE_CHECKER_POISON_PRED_RAW, subject, lanes, l->seq);
}

/* P2R reads every predicate, but those that an immediate does not name; UP2UR every uniform one. */
static bool all_ready(struct heddle_checker *c, const struct heddle_isa_dec *d, uint32_t exec) {
  if (d->op != ISA_OP_P2R && d->op != ISA_OP_UP2UR) return true;
  const unsigned named = d->src[1].kind == ISA_IMM ? d->imm : ~0u;
  for (unsigned p = 0; p < ISA_PT; p++)
    if ((named >> p & 1u) != 0 && !predicate_ready(c, d->op == ISA_OP_UP2UR, p, exec)) return false;
  return true;
}

bool poison_predicates(struct heddle_checker *c, const struct heddle_isa_dec *d, uint32_t active, uint32_t exec) {
  return predicate_ready(c, d->uniform, d->guard.index, active) &&
         predicate_ready(c, d->ps_uniform, d->ps[0].index, exec) &&
         predicate_ready(c, d->ps_uniform, d->ps[1].index, exec) &&
         predicate_ready(c, d->ps_uniform, d->ps[2].index, exec) && all_ready(c, d, exec);
}

/* Issue reads uniform registers as it reads predicates: before its record is shown. */
static bool uniform_ready(struct heddle_checker *c, unsigned r) {
  const struct entry *o = NULL;
  if (c->w->pend_write[PLACE_UR + r] != 0) o = older_writer(c->w, c->e->seq, PLACE_UR + r, UNIFORM_LANE);
  const struct late *l = o == NULL ? late_writer(c, 2 * PLACE_UP + r, UNIFORM_LANE) : NULL;
  if ((o == NULL && l == NULL) || !checker_on(c, HEDDLE_CHECKER_POISON_RAW)) return true;
  char subject[8];
  snprintf(subject, sizeof subject, "UR%u", r);
  return o != NULL ? poisoned(c, HEDDLE_CHECKER_POISON_RAW, subject, UNIFORM_LANE, o)
                   : too_late(c, HEDDLE_CHECKER_POISON_RAW, subject, UNIFORM_LANE, l->seq);
}

bool poison_uniforms(struct heddle_checker *c, const struct heddle_isa_dec *d) {
  if (c->e->exec == 0) return true;
  for (unsigned o = 0; o < 3; o++) {
    const struct heddle_isa_src *s = &d->src[o];
    for (unsigned k = 0; s->kind == ISA_UREG && s->reg != ISA_RZ && k < s->words; k++)
      if (!uniform_ready(c, s->reg + k)) return false;
  }
  return true;
}

bool poison_uniform_write(struct heddle_checker *c, unsigned place) {
  if (c->w->pend_write[place] < 2 || !checker_on(c, HEDDLE_CHECKER_POISON_WAW)) return true;
  const struct entry *o = older_writer(c->w, c->e->seq, place, UNIFORM_LANE);
  if (o == NULL) return true;
  char subject[8];
  snprintf(subject, sizeof subject, "UR%u", place - PLACE_UR);
  return poisoned(c, HEDDLE_CHECKER_POISON_WAW, subject, UNIFORM_LANE, o);
}

/* The model cannot go on: say which register of the word waits for an access that has not been performed. */
bool poison_pending(struct heddle_checker *c, const struct heddle_isa_dec *d, uint32_t lanes) {
  char subject[8];
  for (unsigned o = 0; o < 3; o++) {
    for (unsigned k = 0; d->src[o].kind == ISA_REG && d->src[o].reg != ISA_RZ && k < d->src[o].words; k++) {
      const struct entry *p = unknown_writer(c->w, c->e->seq, d->src[o].reg + k, lanes);
      if (p == NULL) continue;
      snprintf(subject, sizeof subject, "R%u", d->src[o].reg + k);
      return checker_on(c, HEDDLE_CHECKER_POISON_RAW) ? poisoned(c, HEDDLE_CHECKER_POISON_RAW, subject, lanes, p)
                                                      : refused(c, HEDDLE_ERROR_PENDING, "issue");
    }
  }
  for (unsigned k = 0; d->has_rd && d->rd != ISA_RZ && k < d->rd_words; k++) {
    const struct entry *p = unknown_writer(c->w, c->e->seq, d->rd + k, lanes);
    if (p == NULL) continue;
    snprintf(subject, sizeof subject, "R%u", d->rd + k);
    return checker_on(c, HEDDLE_CHECKER_POISON_WAW) ? poisoned(c, HEDDLE_CHECKER_POISON_WAW, subject, lanes, p)
                                                    : refused(c, HEDDLE_ERROR_PENDING, "issue");
  }
  return refused(c, HEDDLE_ERROR_PENDING, "issue");
}

bool poison_shadow(struct heddle_checker *c, unsigned rd, uint32_t lanes) {
  const unsigned n = c->capacity.writes;
  struct sm *on = c->w->sm;
  struct shadow *s = &on->shadow[on->shadow_next];
  if (!forgotten(c, s->cycle, s->lanes, c->cfg.read_age, n, "register writes")) return false;
  on->shadow_next = on->shadow_next + 1 == n ? 0 : on->shadow_next + 1;
  *s = (struct shadow){.cycle = c->now->cycle, .seq = c->e->seq, .lanes = lanes, .rd = (uint8_t)rd};
  s->slot = (uint8_t)warp_slot(c->w);
  c->w->written[rd % 256] = (uint32_t)c->now->cycle;
  c->w->wrote = c->now->cycle;
  return true;
}

/* A write younger than read_age was not there yet when the registers were read. Latest first: before one that is old
 * enough all are. */
static bool in_shadow(const struct heddle_checker *c, unsigned r, uint32_t lanes, uint32_t *writer) {
  const struct sm *on = c->w->sm;
  const unsigned slot = warp_slot(c->w), n = c->capacity.writes;
  unsigned at = on->shadow_next;
  for (unsigned i = 0; i < n; i++) {
    at = at == 0 ? n - 1 : at - 1;
    const struct shadow *s = &on->shadow[at];
    if (s->cycle + c->cfg.read_age <= c->now->cycle) return false;
    if (s->slot != slot || s->rd != r) continue;
    if (s->seq >= c->e->seq || (s->lanes & lanes) == 0) continue;
    *writer = s->seq;
    return true;
  }
  return false;
}

static bool check_raw(struct heddle_checker *c, unsigned r, uint32_t lanes) {
  const struct entry *o = NULL;
  uint32_t writer;
  if (c->w->pend_write[r] > owes_register(c->e, r)) o = older_writer(c->w, c->e->seq, r, lanes);
  if (o == NULL && !in_shadow(c, r, lanes, &writer)) return true;
  if (!checker_on(c, HEDDLE_CHECKER_POISON_RAW)) return true;
  char subject[8];
  snprintf(subject, sizeof subject, "R%u", r);
  return o != NULL ? poisoned(c, HEDDLE_CHECKER_POISON_RAW, subject, lanes, o)
                   : too_late(c, HEDDLE_CHECKER_POISON_RAW, subject, lanes, writer);
}

static bool check_war(struct heddle_checker *c, unsigned slot, uint32_t lanes) {
  const struct entry *e = c->e;
  if (!e->marked) return true;
  uint32_t over = e->marks.war_old[slot];
  if (e->marks.war_cycle < c->now->cycle) over |= e->marks.war_new[slot];
  if ((over & lanes) == 0 || !checker_on(c, HEDDLE_CHECKER_POISON_WAR)) return true;
  char subject[8];
  snprintf(subject, sizeof subject, "R%u", e->slot.reg[slot]);
  return differ_mask(c, HEDDLE_CHECKER_POISON_WAR, subject, over & lanes,
                     "%s was overwritten by a younger instruction before seq %u read it; %s", subject, e->seq,
                     c->cfg.scoreboard ? "the hardware's dependency check failed (scoreboard mode)"
                                       : "a read counter is missing in the program's control codes (control mode)");
}

bool poison_suspect(struct heddle_checker *c, unsigned slot, uint32_t lanes) {
  return check_raw(c, c->e->slot.reg[slot], lanes) && check_war(c, slot, lanes);
}

static struct marks *marks_of(struct entry *o) {
  if (!o->marked) memset(&o->marks, 0, sizeof o->marks);
  o->marked = true;
  return &o->marks;
}

static void mark_overwritten(struct entry *o, unsigned slot, uint32_t lanes, uint64_t cycle) {
  struct marks *m = marks_of(o);
  if (m->war_cycle != cycle) {
    for (unsigned s = 0; s < HEDDLE_RECORD_SLOTS; s++) {
      m->war_old[s] |= m->war_new[s];
      m->war_new[s] = 0;
    }
    m->war_cycle = cycle;
  }
  m->war_new[slot] |= lanes;
}

/* Beat k of a reader is read k cycles after its issue record or later: a write shown before that is seen. One that is
 * shown in that cycle or later may be in time all the same, or not: the value tells. */
static bool races(const struct heddle_checker *c, const struct entry *reader, uint32_t lanes) {
  const unsigned beat = (unsigned)__builtin_ctz(lanes) / c->cfg.lanes;
  return reader->seq > c->e->seq && c->now->cycle >= reader->cycle + beat;
}

static void mark_raced(struct entry *o, unsigned slot, uint32_t lanes, uint32_t writer) {
  struct marks *m = marks_of(o);
  m->raced[slot] |= lanes;
  m->racer[slot] = writer;
}

void poison_written(struct heddle_checker *c) {
  struct entry *e = c->e;
  const uint8_t warp = (uint8_t)warp_slot(c->w);
  const uint32_t first = c->cfg.lanes < 32 ? (1u << c->cfg.lanes) - 1 : ~0u; /* of beat 0 */
  for (unsigned rest = e->owes & OWES_OPERANDS; rest != 0; rest &= rest - 1) {
    const unsigned s = (unsigned)__builtin_ctz(rest);
    if (e->slot.reg[s] == NO_REG || c->w->written[e->slot.reg[s]] != (uint32_t)c->now->cycle) continue;
    for (unsigned i = 0; i < c->capacity.writes; i++) {
      const struct shadow *w = &c->w->sm->shadow[i];
      if (w->cycle != c->now->cycle || w->slot != warp || w->rd != e->slot.reg[s]) continue;
      const uint32_t lanes = w->lanes & e->ops_open[s] & first;
      if (lanes != 0) mark_raced(e, s, lanes, w->seq);
    }
  }
}

bool poison_raced(struct heddle_checker *c, unsigned slot, uint32_t bad) {
  const struct entry *e = c->e;
  const uint32_t raced = e->marked ? e->marks.raced[slot] & bad : 0;
  if (raced == 0 || !checker_on(c, HEDDLE_CHECKER_POISON_RAW)) return false;
  char subject[8];
  snprintf(subject, sizeof subject, "R%u", e->slot.reg[slot]);
  return !too_late(c, HEDDLE_CHECKER_POISON_RAW, subject, raced, e->marks.racer[slot]);
}

bool poison_overwrite(struct heddle_checker *c, unsigned rd, uint32_t lanes) {
  struct entry *o;
  if (c->w->pend_read[rd] != 0) {
    for (struct walk it = walk_open(c->w); (o = walk_next(c->w, &it)) != NULL;)
      for (unsigned rest = o->owes & OWES_OPERANDS; rest != 0; rest &= rest - 1) {
        const unsigned s = (unsigned)__builtin_ctz(rest);
        if (o->slot.reg[s] != rd || (o->ops_open[s] & lanes) == 0) continue;
        if (o->seq < c->e->seq) mark_overwritten(o, s, lanes, c->now->cycle);
        if (races(c, o, lanes)) mark_raced(o, s, lanes, c->e->seq);
      }
  }
  if (c->w->pend_write[rd] < 2 || !checker_on(c, HEDDLE_CHECKER_POISON_WAW)) return true;
  o = older_writer(c->w, c->e->seq, rd, lanes);
  if (o == NULL) return true;
  char subject[8];
  snprintf(subject, sizeof subject, "R%u", rd);
  return poisoned(c, HEDDLE_CHECKER_POISON_WAW, subject, lanes, o);
}

bool poison_predicate(struct heddle_checker *c, unsigned pd, uint32_t lanes) {
  if (pd == ISA_PT || c->w->pend_pred[pd] < 2 || !checker_on(c, HEDDLE_CHECKER_POISON_PRED_WAW)) return true;
  const struct entry *o = older_predicate(c->w, c->e->seq, pd, lanes);
  if (o == NULL) return true;
  char subject[8];
  snprintf(subject, sizeof subject, pd < PLACE_UP ? "P%u" : "UP%u", pd % PLACE_UP);
  return poisoned(c, HEDDLE_CHECKER_POISON_PRED_WAW, subject, lanes, o);
}
