/* SPDX-License-Identifier: Apache-2.0
 *
 * The model executes the launch as far as what was told allows, access by access.
 */
#include <string.h>

#include <heddle/isa_tables.h>
#include "cosim/digest/internal.h"

/* Cuts of a space: which warp slots' accesses may be performed now. */

/* The end of the cut that begins at mark `at`. */
static size_t cut_end(const struct told_marks *m, size_t at) {
  while (at < m->n && m->at[at].more) at++;
  return at + 1;
}

static void load_cut(struct order *o) {
  const struct told_marks *m = o->marks;
  memset(o->left, 0, sizeof o->left);
  o->left_all = 0;
  o->cut = 0;
  if (o->at >= m->n) return;
  const size_t end = cut_end(m, o->at);
  if (end > m->n) return; /* its last marks were lost: those that came name what is in no order */
  for (; o->at < end; o->at++) {
    const struct told_mark *k = &m->at[o->at];
    if (o->left[k->slot] != 0) o->wrong = "a cut has two marks of one warp slot";
    o->left[k->slot] = k->n;
    o->left_all += k->n;
  }
  o->cut = ++o->cuts;
}

static void order_begin(struct order *o, const struct told_marks *marks, bool whole) {
  *o = (struct order){.marks = marks};
  if (whole && marks->n != 0 && marks->at[marks->n - 1].more) o->wrong = "the last cut has no last mark";
  load_cut(o);
}

static bool order_allows(const struct order *o, unsigned slot, bool *named) {
  *named = o->cut != 0 && o->left[slot] != 0;
  return *named || o->cut == 0;
}

/* May the slot's next access be performed, as far as cuts go? *named: a cut names it. */
static void order_performed(struct order *o, unsigned slot) {
  if (o->cut == 0 || o->left[slot] == 0) return;
  o->left[slot]--;
  if (--o->left_all == 0) load_cut(o);
}

/* Accesses of the launch that is told: they wait, by warp slot and space, until their cut lets them be performed. */

#define LINE 128u

/* The model has refused something: the last word. */
static void run_fail(struct heddle_digest_judge *j, enum heddle_error s, const char *what) {
  j->over = true;
  switch (s) {
  case HEDDLE_ERROR_UNDEFINED:
    judge_say(j, HEDDLE_DIGEST_UNDEFINED, "the program: %s", heddle_model_diag(j->model));
    break;
  case HEDDLE_ERROR_HOST_MEMORY:
    judge_say(j, HEDDLE_DIGEST_NO_MEMORY, "no memory for the model");
    break;
  default:
    judge_say(j, HEDDLE_DIGEST_DIFFERENCE, "%s: the model refuses it: %s", what, heddle_model_diag(j->model));
    break;
  }
}

static void put_access(struct queue *q, uint32_t seq, uint32_t lanes, unsigned rd) {
  if (lanes != 0) q->at[(q->head + q->n++) % ACCESSES] = (struct access){seq, lanes, (uint8_t)rd};
}

/* A line each, that of the lowest lane first. */
static void put_lines(struct queue *q, const struct heddle_effect *fx, uint32_t lanes) {
  while (lanes != 0) {
    const uint64_t line = fx->mem_addr[__builtin_ctz(lanes)] / LINE;
    uint32_t in = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const unsigned l = (unsigned)__builtin_ctz(rest);
      if (fx->mem_addr[l] / LINE == line) in |= UINT32_C(1) << l;
    }
    put_access(q, fx->seq, in, fx->dec.rd);
    lanes &= ~in;
  }
}

static bool perform_access(struct heddle_digest_judge *j, unsigned slot, const struct access *a) {
  struct heddle_performed p;
  struct live *v = &j->live[slot];
  p.rd_words = 0;
  const enum heddle_error s = heddle_perform_values(j->model, slot, a->seq, a->lanes, &p);
  if (s != HEDDLE_SUCCESS) {
    run_fail(j, s, "an access");
    return false;
  }
  for (unsigned k = 0; k < p.rd_words; k++)
    if ((p.rd_done >> k & 1u) != 0) made_row(&v->made, a->seq, a->rd + k, p.rd_lanes, p.rd_value[k], p.rd_unknown[k]);
  return true;
}

/* What goes where. Nobody but the thread sees local memory: it is accessed at once. */
static void run_accesses(struct heddle_digest_judge *j, unsigned slot, const struct heddle_effect *fx) {
  struct live *v = &j->live[slot];
  uint32_t in[3] = {0, 0, 0};
  for (uint32_t rest = fx->mem_lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint64_t window = fx->mem_addr[l] >> 56;
    const unsigned space = fx->mem_space == ISA_SPACE_GENERIC  ? (unsigned)(window < 2 ? window : 2)
                           : fx->mem_space == ISA_SPACE_GLOBAL ? 0
                           : fx->mem_space == ISA_SPACE_SHARED ? 1
                                                               : 2;
    in[space] |= UINT32_C(1) << l;
  }
  put_lines(&v->queue[SPACE_GLOBAL], fx, in[0]);
  put_access(&v->queue[SPACE_SHARED], fx->seq, in[1], fx->dec.rd);
  const struct access local = {fx->seq, in[2], fx->dec.rd};
  if (in[2] != 0) (void)perform_access(j, slot, &local);
}

/* What no cut names comes last; of a launch without a good end it may not have been at all. */
static bool allowed(struct heddle_digest_judge *j, unsigned slot, enum space space) {
  bool named;
  if (!order_allows(&j->order[space], slot, &named)) return false;
  return named || run_good(j) || j->stage >= STAGE_UNNAMED || block_of(j, &j->live[slot])->ended;
}

/* What may be performed of a slot. False: nothing. */
static bool run_perform(struct heddle_digest_judge *j, unsigned slot, enum space space) {
  struct queue *q = &j->live[slot].queue[space];
  bool moved = false;
  while (q->n != 0 && !run_over(j) && allowed(j, slot, space)) {
    if (!perform_access(j, slot, &q->at[q->head])) return false;
    q->head = (q->head + 1) % ACCESSES;
    q->n--;
    j->stats.accesses[space]++;
    order_performed(&j->order[space], slot);
    moved = true;
  }
  return moved;
}

/* The model executes the launch as far as what was told allows: each warp issues until something holds it, accesses
 * wait for their cut. Whatever is allowed stays allowed until it is done, so that any order of doing it comes to the
 * same; if nothing is allowed and something is missing, the order cannot be obeyed. */

/* ---- barriers ---- */

/* BAR.RED has its result when the barrier lets its warp go. */
static void reduced(struct heddle_digest_judge *j, unsigned slot) {
  struct live *v = &j->live[slot];
  uint32_t value[HEDDLE_LANES], pred = 0;
  if (!v->reduces || heddle_warp_waiting(j->model, slot)) return;
  v->reduces = false;
  for (unsigned l = 0; l < HEDDLE_LANES; l++) {
    value[l] = v->red_register ? heddle_reg(j->model, slot, v->red_rd, l) : 0;
    if (!v->red_register && heddle_pred(j->model, slot, v->red_pd, l)) pred |= UINT32_C(1) << l;
  }
  if (v->red_register)
    made_row(&v->made, v->red_seq, v->red_rd, v->red_lanes, value, 0);
  else
    made_predicate(&v->made, v->red_seq, v->red_pd, v->red_lanes, pred);
}

static void release_block_barriers(struct heddle_digest_judge *j, const struct told_block *b) {
  for (unsigned id = 0; id < 16; id++) {
    if (heddle_barrier_release(j->model, b->bslot, id) != HEDDLE_SUCCESS) continue;
    for (unsigned i = 0; i < b->warps; i++) reduced(j, j->told.warp[b->first + i].slot);
  }
}

static void note_reduction(struct live *v, const struct heddle_effect *fx) {
  v->reduces = fx->bar_wait && (fx->rd_pending || fx->bar_pd);
  if (!v->reduces) return;
  v->red_seq = fx->seq;
  v->red_lanes = fx->exec;
  v->red_register = fx->rd_pending;
  v->red_rd = fx->dec.rd;
  v->red_pd = fx->dec.pd0;
}

/* ---- traps ---- */

/* The core may not have come so far: then the model is to begin again, and leave the instruction out. Behind a loss
 * nothing is concluded from what a block that goes on does. */
static bool leave_out(const struct heddle_digest_judge *j, const struct told_warp *w, uint32_t seq) {
  return !run_good(j) && !w->ended && w->hold == UINT32_MAX &&
         (!j->whole || (uint64_t)w->sums * HEDDLE_DIGEST_WINDOW <= seq);
}

/* Instruction seq of this warp traps in the model; `stops`: nobody may issue any more. */
static void traps(struct heddle_digest_judge *j, struct live *v, uint32_t seq, bool stops) {
  struct told_warp *w = warp_of(j, v);
  const struct heddle_trap *t = heddle_model_trap(j->model);
  const bool told = j->told.trapped && j->told.trap_warp == v->warp && j->told.trap.seq == seq;
  if (told && t->seq == seq) {
    j->trap_seen = true;
    v->stopped = (uint64_t)w->sums * HEDDLE_DIGEST_WINDOW <= seq; /* an access that traps lets others go on */
    j->over = stops;
    return;
  }
  v->stopped = true;
  if (!told && leave_out(j, w, seq)) {
    w->hold = seq;
    j->again = true;
    return;
  }
  judge_wrong(j, HEDDLE_DIGEST_WRONG_TRAP, v->warp, seq / HEDDLE_DIGEST_WINDOW, HEDDLE_DIGEST_WINDOW, &v->made, 0, 0);
  judge_say(j, HEDDLE_DIGEST_DIFFERENCE, "the model traps without a reported trap: %s at seq %u pc 0x%x",
            heddle_cause_name(t->cause), seq, t->pc);
  j->over = true;
}

/* ---- issue ---- */

static bool reads_clock(const struct heddle_isa_dec *d) {
  const enum heddle_isa_field f = d->op == ISA_OP_CS2R ? ISA_F_SREG2 : d->op == ISA_OP_S2UR ? ISA_F_USREG : ISA_F_SREG;
  if (d->op != ISA_OP_S2R && d->op != ISA_OP_CS2R && d->op != ISA_OP_S2UR) return false;
  const uint64_t r = heddle_isa_get(d->word, f); /* the three sets number registers alike */
  return r == ISA_SREG_SR_CLOCKLO || r == ISA_SREG_SR_CLOCKHI;
}

/* The model's warp has the clock that it is told next. */
static bool set_clock(struct heddle_digest_judge *j, unsigned slot) {
  const struct live *v = &j->live[slot];
  const struct told_warp *w = warp_of(j, v);
  if (v->clocks >= w->clocks) return true;
  const enum heddle_error s = heddle_warp_clock(j->model, slot, w->clock[v->clocks]);
  if (s != HEDDLE_SUCCESS) run_fail(j, s, "a clock");
  return s == HEDDLE_SUCCESS;
}

static bool took_clock(struct heddle_digest_judge *j, unsigned slot, uint32_t seq) {
  struct live *v = &j->live[slot];
  if (v->clocks < warp_of(j, v)->clocks) {
    v->clocks++;
    return set_clock(j, slot);
  }
  if (!run_good(j) && !warp_of(j, v)->ended) { /* it was not told any more: so far the warp had not come */
    v->stopped = true;
    return true;
  }
  judge_wrong(j, HEDDLE_DIGEST_WRONG_CLOCK, v->warp, seq / HEDDLE_DIGEST_WINDOW, HEDDLE_DIGEST_WINDOW, &v->made, 0, 0);
  v->stopped = true;
  return true;
}

/* How far the core went, as far as is known: a window is told when the one behind the next begins. */
static uint64_t went(const struct heddle_digest_judge *j, const struct told_warp *w, size_t number) {
  if (w->ended) return w->insns;
  uint64_t n = w->sums == 0 ? 0 : (uint64_t)(w->sums + 1) * HEDDLE_DIGEST_WINDOW + 1;
  const bool traps = j->told.trapped && j->told.trap_warp == number;
  if (traps && n < (uint64_t)j->told.trap.seq) n = j->told.trap.seq;
  if (traps && !j->trap_due && n > j->told.trap.seq) n = j->told.trap.seq;
  if (traps && j->trap_due && n == j->told.trap.seq) n++;
  if (j->stage > STAGE_UNNAMED && !traps) n += j->stage - STAGE_UNNAMED;
  return n < w->hold ? n : w->hold;
}

static void issued(struct heddle_digest_judge *j, unsigned slot) {
  struct live *v = &j->live[slot];
  const struct heddle_effect *fx = &j->fx;
  v->issued++;
  j->stats.instructions++;
  made_issue(&v->made, fx);
  if (v->made.no_memory) run_fail(j, HEDDLE_ERROR_HOST_MEMORY, "");
  if (reads_clock(&fx->dec) && !took_clock(j, slot, fx->seq)) return;
  run_accesses(j, slot, fx);
  note_reduction(v, fx);
  v->ended = fx->warp_ended;
  if (fx->traps) traps(j, v, fx->seq, false);
  if (fx->bar_wait || fx->warp_ended || fx->dec.op == ISA_OP_BAR_ARV) release_block_barriers(j, block_of(j, v));
}

static void issue_refused(struct heddle_digest_judge *j, unsigned slot, enum heddle_error s) {
  struct live *v = &j->live[slot];
  if (s == HEDDLE_ERROR_PENDING)
    v->stands = STAND_RESULT;
  else if (s == HEDDLE_ERROR_STATE && heddle_warp_pending(j->model, slot) != 0)
    v->stands = STAND_DRAIN;
  else if (s == HEDDLE_ERROR_TRAPPED)
    traps(j, v, j->fx.seq, true);
  else
    run_fail(j, s, "an instruction");
}

static bool full(const struct live *v) {
  return v->queue[SPACE_GLOBAL].n + HEDDLE_LANES > ACCESSES || v->queue[SPACE_SHARED].n + 1 > ACCESSES;
}

/* False: it may not issue, and v->stands says why. */
static bool may_issue(struct heddle_digest_judge *j, unsigned slot) {
  struct live *v = &j->live[slot];
  v->stands = STAND_GOES;
  if (v->ended || v->stopped)
    v->stands = STAND_ENDED;
  else if (heddle_warp_waiting(j->model, slot))
    v->stands = STAND_BARRIER;
  else if (v->issued >= went(j, warp_of(j, v), v->warp))
    v->stands = STAND_TOLD;
  else if (full(v))
    v->stands = STAND_FULL;
  return v->stands == STAND_GOES;
}

static bool issue_some(struct heddle_digest_judge *j, unsigned slot) {
  bool moved = false;
  while (!run_over(j) && may_issue(j, slot)) {
    if (j->limit != 0 && j->stats.instructions >= j->limit) {
      judge_say(j, HEDDLE_DIGEST_LIMIT, "more than %llu warp instructions", (unsigned long long)j->limit);
      j->over = true;
      break;
    }
    const enum heddle_error s = heddle_warp_issue(j->model, slot, &j->fx);
    if (s == HEDDLE_SUCCESS)
      issued(j, slot);
    else
      issue_refused(j, slot, s);
    if (s != HEDDLE_SUCCESS) break;
    moved = true;
  }
  return moved;
}

/* ---- blocks ---- */

static bool free_slots(const struct heddle_digest_judge *j, const struct told_block *b) {
  for (unsigned i = 0; i < b->warps; i++)
    if (j->live[j->told.warp[b->first + i].slot].used) return false;
  return !j->block_live[b->bslot];
}

static bool start_told_block(struct heddle_digest_judge *j) {
  if (run_over(j) || j->next_block == j->told.blocks) return false;
  const struct told_block *b = &j->told.block[j->next_block];
  uint8_t slots[HEDDLE_DIGEST_SLOTS];
  if (!free_slots(j, b)) return false;
  for (unsigned i = 0; i < b->warps; i++) slots[i] = j->told.warp[b->first + i].slot;
  const enum heddle_error s = heddle_block_start(j->model, b->bslot, b->ctaid, slots, b->warps);
  if (s != HEDDLE_SUCCESS) {
    run_fail(j, s, "a block");
    return false;
  }
  for (unsigned i = 0; i < b->warps; i++) {
    struct live *v = &j->live[slots[i]];
    v->used = true;
    v->ended = v->stopped = v->reduces = false;
    v->warp = b->first + i;
    v->issued = 0;
    v->clocks = 0;
    if (!set_clock(j, slots[i])) return false;
  }
  j->block_live[b->bslot] = true;
  j->next_block++;
  return true;
}

static bool end_told_block(struct heddle_digest_judge *j, struct told_block *b) {
  for (unsigned i = 0; i < b->warps; i++) {
    const struct live *v = &j->live[j->told.warp[b->first + i].slot];
    if (!v->ended || v->queue[SPACE_GLOBAL].n != 0 || v->queue[SPACE_SHARED].n != 0) return false;
  }
  const enum heddle_error s = heddle_block_end(j->model, b->bslot);
  if (s != HEDDLE_SUCCESS) {
    run_fail(j, s, "the end of a block");
    return false;
  }
  for (unsigned i = 0; i < b->warps; i++) {
    struct live *v = &j->live[j->told.warp[b->first + i].slot];
    judge_warp(j, v);
    made_clear(&v->made);
    v->used = false;
  }
  j->block_live[b->bslot] = false;
  j->blocks_ended++;
  return true;
}

static bool end_blocks(struct heddle_digest_judge *j) {
  bool moved = false;
  for (unsigned slot = 0; slot < HEDDLE_DIGEST_SLOTS && !run_over(j); slot++) {
    const struct live *v = &j->live[slot];
    if (!v->used || !v->ended) continue;
    struct told_block *b = block_of(j, v);
    if (b->ended && end_told_block(j, b)) moved = true;
  }
  return moved;
}

/* ---- the whole ---- */

/* Is something still to be judged? Of a launch without a good end: blocks that were told to have ended, windows that
 * were told of others, the trap. */
static bool left(const struct heddle_digest_judge *j) {
  if (run_good(j)) return j->blocks_ended != j->told.blocks;
  for (size_t b = j->next_block; b < j->told.blocks; b++)
    if (j->told.block[b].ended || j->told.trapped) return true;
  for (unsigned slot = 0; slot < HEDDLE_DIGEST_SLOTS; slot++) {
    const struct live *v = &j->live[slot];
    if (!v->used) continue;
    const struct told_warp *w = &j->told.warp[v->warp];
    const bool traps = j->told.trapped && j->told.trap_warp == v->warp;
    const uint64_t told = (uint64_t)w->sums * HEDDLE_DIGEST_WINDOW;
    if (traps && !j->trap_seen && v->issued < (uint64_t)j->told.trap.seq + (j->trap_due ? 1 : 0)) return true;
    if (j->told.block[w->block].ended || (!v->ended && !v->stopped && v->issued < told)) return true;
    for (unsigned s = 0; s < SPACES; s++)
      if (v->queue[s].n != 0 && v->queue[s].at[v->queue[s].head].seq < told) return true;
  }
  return false;
}

static bool move_launch(struct heddle_digest_judge *j) {
  bool moved = start_told_block(j);
  for (unsigned slot = 0; slot < HEDDLE_DIGEST_SLOTS; slot++) {
    if (!j->live[slot].used) continue;
    moved = issue_some(j, slot) || moved;
    for (unsigned s = 0; s < SPACES; s++) moved = run_perform(j, slot, (enum space)s) || moved;
  }
  return end_blocks(j) || moved;
}

/* Nothing moves. False: that is all. */
static bool further(struct heddle_digest_judge *j) {
  const bool more = left(j);
  if (!more && (!j->told.trapped || j->trap_due)) return false;
  if (more && !run_good(j) && j->stage < STAGE_LAST) {
    j->stage++;
    return true;
  }
  if (j->told.trapped && !j->trap_due) {
    j->trap_due = true;
    return true;
  }
  j->stuck = true;
  return false;
}

void run_launch_told(struct heddle_digest_judge *j) {
  for (unsigned s = 0; s < SPACES; s++) order_begin(&j->order[s], &j->told.mark[s], j->whole);
  do {
    while (!run_over(j) && move_launch(j)) {}
  } while (!run_over(j) && further(j));
}
