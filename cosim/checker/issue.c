/* SPDX-License-Identifier: Apache-2.0
 *
 * Issue records: the model executes this warp's next instruction and must agree on all of it.
 */
#include <heddle/isa_tables.h>
#include "cosim/checker/internal.h"
#include "cosim/checker/pages.h"

static bool check_sequence(struct heddle_checker *c, const struct heddle_record_issue *r) {
  return same(c, HEDDLE_CHECKER_SEQUENCE_GAP, "sequence number", c->w->next_seq, r->id.seq);
}

/* Asked once: the first instruction of a warp. */
static bool check_based(struct heddle_checker *c, const struct heddle_record_issue *r) {
  if (r->id.seq != 0 || c->w->based || !checker_on(c, HEDDLE_CHECKER_BLOCK_REGISTERS) ||
      !heddle_record_shows(c->cfg.hidden, HEDDLE_RECORD_WARP_START))
    return true;
  return differ(c, HEDDLE_CHECKER_BLOCK_REGISTERS, "registers", "the warp issues before it has taken registers");
}

static bool check_after_trap(struct heddle_checker *c, const struct heddle_record_issue *r) {
  if (!c->trap_seen) return true;
  c->begun_late++;
  if ((!sm_stopped(c, r->id.sm) && !all_stopped(c)) || !checker_on(c, HEDDLE_CHECKER_ISSUE_ENDED)) return true;
  return differ(c, HEDDLE_CHECKER_ISSUE_ENDED, "issue", "seq %u issues after the trap record", r->id.seq);
}

static bool check_ended(struct heddle_checker *c, const struct heddle_record_issue *r) {
  const struct past *last = &c->w->ring[(r->id.seq - 1) % RING];
  const bool ended = r->id.seq != 0 && last->valid && last->seq == r->id.seq - 1 && last->warp_ended;
  if (!ended || !checker_on(c, HEDDLE_CHECKER_ISSUE_ENDED)) return true;
  return differ(c, HEDDLE_CHECKER_ISSUE_ENDED, "issue", "seq %u issues after its warp has ended", r->id.seq);
}

static bool check_waiting(struct heddle_checker *c, const struct heddle_record_issue *r) {
  if (!checker_on(c, HEDDLE_CHECKER_BARRIER_EARLY) || !heddle_warp_waiting(c->model, warp_at(c, c->w))) return true;
  return differ(c, HEDDLE_CHECKER_BARRIER_EARLY, "barrier", "seq %u issues while its warp waits at a barrier",
                r->id.seq);
}

static bool check_pc(struct heddle_checker *c, const struct heddle_record_issue *r) {
  return same(c, HEDDLE_CHECKER_ISSUE_PC, "pc", c->e->pc, r->pc);
}

static bool check_word(struct heddle_checker *c, const struct heddle_record_issue *r) {
  const struct heddle_isa_word w = c->e->word;
  if (w.lo == r->word[0] && w.hi == r->word[1]) return true;
  return w.hi != r->word[1] ? same(c, HEDDLE_CHECKER_ISSUE_WORD, "word, high half", w.hi, r->word[1])
                            : same(c, HEDDLE_CHECKER_ISSUE_WORD, "word, low half", w.lo, r->word[0]);
}

static bool check_active(struct heddle_checker *c, const struct heddle_record_issue *r) {
  return same(c, HEDDLE_CHECKER_ISSUE_ACTIVE, "active mask", c->e->active, r->active);
}

static bool check_exec(struct heddle_checker *c, const struct heddle_record_issue *r) {
  return same(c, HEDDLE_CHECKER_ISSUE_EXEC, "executing lanes", c->e->exec, r->exec);
}

static bool check_ps(struct heddle_checker *c, const struct heddle_record_issue *r, unsigned i) {
  static const char *const name[3] = {"ps0", "ps1", "ps2"};
  const uint32_t exec = judged_lanes(c, c->e->exec, c->e->fx.ps_unknown[i]);
  return same(c, HEDDLE_CHECKER_ISSUE_PS, name[i], c->e->fx.ps[i] & exec, r->ps[i] & exec);
}

static bool check_sources(struct heddle_checker *c, const struct heddle_record_issue *r) {
  const uint32_t *want = c->e->fx.ps;
  if (!shows(c, HEDDLE_RECORD_OPTION_ISSUE_PS)) return true;
  const uint32_t *unknown = c->e->fx.ps_unknown;
  const uint32_t wrong = (want[0] ^ r->ps[0]) | (want[1] ^ r->ps[1]) | (want[2] ^ r->ps[2]);
  return ((wrong | unknown[0] | unknown[1] | unknown[2]) & c->e->exec) == 0 ||
         (check_ps(c, r, 0) && check_ps(c, r, 1) && check_ps(c, r, 2));
}

static bool check_hash(struct heddle_checker *c, const struct heddle_record_issue *r) {
  return !shows(c, HEDDLE_RECORD_OPTION_ISSUE_DHASH) ||
         same(c, HEDDLE_CHECKER_ISSUE_HASH, "divergence hash", c->e->fx.dhash, r->dhash);
}

/* The clock that the model's warp reads: the cycle of the record, as far ahead as its SM's clock was at the first
 * issue there; where no record shows it, as the device has declared. */
static bool set_clock(struct heddle_checker *c, const struct heddle_record_issue *r) {
  struct sm *on = c->w->sm;
  if (!on->clock_known)
    on->clock_ahead = shows(c, HEDDLE_RECORD_OPTION_ISSUE_CLOCK) ? r->clock - c->now->cycle : c->cfg.clock_ahead;
  on->clock_known = true;
  const enum heddle_error s = heddle_warp_clock(c->model, warp_at(c, c->w), c->now->cycle + on->clock_ahead);
  return s == HEDDLE_SUCCESS || refused(c, s, "clock");
}

static bool check_clock(struct heddle_checker *c, const struct heddle_record_issue *r) {
  return !shows(c, HEDDLE_RECORD_OPTION_ISSUE_CLOCK) ||
         same(c, HEDDLE_CHECKER_ISSUE_CLOCK, "clock", c->now->cycle + c->w->sm->clock_ahead, r->clock);
}

/* Copies are waited for by fences of GPU and SYS scope alone. */
static bool awaits_copies(const struct entry *e) {
  return e->op == ISA_OP_MEMBAR && heddle_isa_get(e->word, ISA_F_SCOPE) != ISA_SCOPE_CTA;
}

/* Earlier accesses of the warp are performed, loads and atomics written back, before a fence takes effect. */
static bool check_fence(struct heddle_checker *c) {
  if (c->w->open_count == 0 || c->e->exec == 0 || !c->drains[c->e->op]) return true;
  if (c->cache != NULL) return c->e->op == ISA_OP_MEMBAR || cache_performed(c, c->e->seq); /* its record tells when */
  if (!checker_on(c, HEDDLE_CHECKER_ORDER_FENCE)) return true;
  struct entry *o;
  for (struct walk it = walk_open(c->w); (o = walk_next(c->w, &it)) != NULL;) {
    if (!entry_is_memory(o) || (c->w->trapped && o->seq >= c->w->trap_seq)) continue;
    if (entry_copies(o) && !awaits_copies(c->e)) continue;
    uint32_t owed = o->mem_open | o->store_open;
    for (unsigned k = 0; k < 4; k++) owed |= o->wb_open[k];
    if (owed != 0)
      return differ_mask(c, HEDDLE_CHECKER_ORDER_FENCE, "fence", owed,
                         "seq %u (pc 0x%x) is not wholly performed and written back", o->seq, o->pc);
  }
  return true;
}

static bool goes_elsewhere(unsigned op) {
  const uint8_t f = heddle_isa_instr_info((enum heddle_isa_op)op)->flow;
  return f == ISA_FLOW_BRANCH || f == ISA_FLOW_CALL || f == ISA_FLOW_RETURN;
}

static bool check_refused(struct heddle_checker *c, enum heddle_error s, const struct heddle_record_issue *r) {
  struct heddle_isa_dec d;
  const struct entry *e = c->e;
  if (s == HEDDLE_ERROR_PENDING && heddle_isa_decode((struct heddle_isa_word){r->word[0], r->word[1]}, &d))
    return poison_pending(c, &d, r->active);
  const bool begun = e->fx.seq == e->seq && heddle_warp_pending(c->model, warp_at(c, c->w)) != 0;
  return (!begun || check_fence(c)) && refused(c, s, "issue");
}

static bool check_status(struct heddle_checker *c, enum heddle_error s, const struct heddle_record_issue *r) {
  if (s == HEDDLE_SUCCESS) return true;
  if (s == HEDDLE_ERROR_TRAPPED)
    return !checker_on(c, HEDDLE_CHECKER_ISSUE_TRAP)
               ? refused(c, s, "issue")
               : differ(c, HEDDLE_CHECKER_ISSUE_TRAP, "trap", "the model traps here and issues nothing: %s",
                        heddle_model_diag(c->model));
  if (s == HEDDLE_ERROR_UNDEFINED && checker_on(c, HEDDLE_CHECKER_UNDEFINED_READ))
    return differ(c, HEDDLE_CHECKER_UNDEFINED_READ, "undefined", "%s", heddle_model_diag(c->model));
  return check_refused(c, s, r);
}

static void count_issue(struct heddle_checker *c) {
  const struct entry *e = c->e;
  c->stats.issued++;
  c->w->sm->issued++;
  c->stats.lanes_executed += e->fx.dec.uniform ? e->exec & UNIFORM_LANE : count_lanes(e->exec);
  if (e->fx.bar_wait) c->stats.barrier_waits++;
  if (e->exec == 0 || e->exec == e->active) return;
  if (goes_elsewhere(e->op)) c->stats.divergent_branches++;
}

/* Constant memory is read-only during a launch: no record names the moment, and none is needed. What lies in a page
 * that is to come is read when the result is shown. */
static bool perform_constant(struct heddle_checker *c) {
  note_constants(c);
  return c->e->mem_space != ISA_SPACE_CONST || c->e->mem_lanes == 0 || c->paging != NULL ||
         perform_do(c, c->e->mem_lanes);
}

static bool compare_issue(struct heddle_checker *c, const struct heddle_record_issue *r) {
  const struct entry *e = c->e;
  return check_pc(c, r) && check_word(c, r) && check_active(c, r) && poison_issue(c, &e->fx.dec, e->active, e->exec) &&
         poison_uniform(c, &e->fx.dec) && check_exec(c, r) && check_sources(c, r) && check_hash(c, r) &&
         check_clock(c, r) && check_fence(c) && groups_performed(c);
}

/* Under `its` the implementation chooses among the paths, and names one by its lowest lane. */
static enum heddle_error issue_in_model(struct heddle_checker *c, const struct heddle_record_issue *r,
                                        struct heddle_effect *fx) {
  const unsigned at = warp_at(c, c->w);
  if (!c->cfg.its) return heddle_warp_issue(c->model, at, fx);
  const unsigned lane = r->active != 0 ? (unsigned)__builtin_ctz(r->active) : 0;
  const enum heddle_error s = heddle_warp_choose(c->model, at, lane);
  return s == HEDDLE_SUCCESS ? heddle_warp_issue(c->model, at, fx) : s;
}

/* Of what does not issue the model tells the place; a report names the word that is there, not the one before it. */
static void name_trap(const struct heddle_checker *c, struct heddle_effect *fx) {
  if (!code_word(c, fx->pc, &fx->dec.word)) fx->dec.word = (struct heddle_isa_word){0, 0};
}

/* What a cache's judge knows of an instruction from its issue on. */
static void note_cache(struct heddle_checker *c) {
  cache_issue(c);
  cache_fence_issues(c);
  cache_arrives(c);
}

bool judge_issue(struct heddle_checker *c, const struct heddle_record_issue *r) {
  if (!identify(c, &r->id) || !check_sequence(c, r) || !check_based(c, r) || !check_after_trap(c, r) ||
      !check_ended(c, r) || !check_waiting(c, r) || (c->cache != NULL && !cache_may_issue(c, r->id.seq)))
    return false;
  struct warp *w = c->w;
  struct entry *e = ledger_add(w, w->next_seq);
  if (e == NULL)
    return differ(c, HEDDLE_CHECKER_CAPACITY, "instructions", "more than %u instructions are under way at once",
                  c->capacity.entries);
  c->e = e;
  e->cycle = w->sm->issued_at = c->now->cycle;
  if (!set_clock(c, r)) return false;
  const enum heddle_error s = issue_in_model(c, r, &e->fx);
  if (s == HEDDLE_ERROR_TRAPPED) name_trap(c, &e->fx);
  ledger_note(w, e);
  if (!check_status(c, s, r) || !compare_issue(c, r)) return false;
  w->next_seq++;
  count_issue(c);
  counters_issue(c);
  /* What is behind the first is refused, what would trap as well. */
  if (!w->trapped && (e->traps || s == HEDDLE_ERROR_TRAPPED)) {
    w->trapped = true;
    w->trap_seq = e->seq;
  }
  ledger_open(c, w, e);
  paging_issue(c);
  group_closes(c);
  if (c->cache != NULL) note_cache(c);
  poison_issued(c);
  return perform_constant(c) && local_issue(c);
}
