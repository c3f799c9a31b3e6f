/* SPDX-License-Identifier: Apache-2.0
 *
 * Control codes of compiled code, from what the code says about where it goes.
 */

#include <heddle/hazard.h>
#include <heddle/isa_tables.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include "base/minmax.h"
#include "isa/asm/schedule.h"

#define CONTROL_NOWHERE UINT32_MAX

struct control_insn {
  struct heddle_isa_dec d;
  uint8_t stall, wait, wbar, reuse; /* to be written; wbar 7: none */
  bool leads;                       /* a block begins here */
};

struct control_block {
  uint32_t first, end; /* instructions; end is behind the last */
  uint32_t succ[2];    /* blocks, or CONTROL_NOWHERE */
  bool open;           /* goes where nobody knows */
};

struct control_code {
  struct control_insn *insn; /* owned */
  struct control_block *block;
  uint32_t insns, blocks;
};

/* Basic blocks of a stretch of code. Only branches make edges: an instruction that parks threads (BSYNC, WARPSYNC) lets
 * each of them go on at the next word, whatever others do meanwhile. */

struct search {
  unsigned place;
  bool found;
};

static void match_place(void *ctx, unsigned place) {
  struct search *s = ctx;
  s->found = s->found || s->place == place;
}

/* Does the instruction read or write the place? */
static bool control_touches(const struct heddle_isa_dec *d, unsigned place) {
  struct search s = {.place = place};
  heddle_hazard_each_source(d, match_place, &s);
  heddle_hazard_each_reg_result(d, match_place, &s);
  heddle_hazard_each_pred_result(d, match_place, &s);
  return s.found;
}

enum kind { STRAIGHT, JUMPS, LEAVES, UNKNOWN };

static enum kind flow_kind(const struct heddle_isa_dec *d) {
  int64_t target;
  switch (heddle_isa_flow_of(d)) {
  case ISA_FLOW_NEXT:
  case ISA_FLOW_SYNC:
    return STRAIGHT;
  case ISA_FLOW_EXIT:
  case ISA_FLOW_TRAP:
    return LEAVES;
  case ISA_FLOW_BRANCH: /* what names an absolute address may go out of the stretch */
    return heddle_isa_flow_target(d, 0, &target) && heddle_isa_enc_owns((enum heddle_isa_enc)d->enc, ISA_F_REL)
               ? JUMPS
               : UNKNOWN;
  default:
    return UNKNOWN;
  }
}

/* The instruction that a branch at `at` goes to, or CONTROL_NOWHERE. */
static uint32_t target_of(const struct control_code *c, uint32_t at) {
  int64_t t = -1;
  if (!heddle_isa_flow_target(&c->insn[at].d, (at + 1) * ISA_WORD_BYTES, &t)) return CONTROL_NOWHERE;
  return t >= 0 && t / ISA_WORD_BYTES < c->insns ? (uint32_t)(t / ISA_WORD_BYTES) : CONTROL_NOWHERE;
}

static void mark_leaders(struct control_code *c) {
  for (uint32_t i = 0; i < c->insns; i++) {
    enum kind k = flow_kind(&c->insn[i].d);
    if (k == STRAIGHT) continue;
    if (i + 1 < c->insns) c->insn[i + 1].leads = true;
    if (k == JUMPS && target_of(c, i) != CONTROL_NOWHERE) c->insn[target_of(c, i)].leads = true;
  }
  if (c->insns > 0) c->insn[0].leads = true;
}

static uint32_t block_at(const struct control_code *c, uint32_t insn) {
  uint32_t low = 0, high = c->blocks;
  if (insn >= c->insns) return CONTROL_NOWHERE;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (c->block[middle].first <= insn)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void find_successors(const struct control_code *c, struct control_block *b) {
  const uint32_t last = b->end - 1;
  const enum kind k = flow_kind(&c->insn[last].d);
  const bool falls = heddle_isa_flow_passes(&c->insn[last].d);
  b->succ[0] = falls ? block_at(c, b->end) : CONTROL_NOWHERE;
  b->succ[1] = k == JUMPS ? block_at(c, target_of(c, last)) : CONTROL_NOWHERE;
  b->open = k == UNKNOWN || (falls && b->succ[0] == CONTROL_NOWHERE) || (k == JUMPS && b->succ[1] == CONTROL_NOWHERE);
}

/* Finds the blocks of decoded instructions. False: no memory. */
static bool control_flow(struct control_code *c) {
  mark_leaders(c);
  for (uint32_t i = 0; i < c->insns; i++) c->blocks += c->insn[i].leads;
  c->block = calloc(c->blocks + 1, sizeof *c->block);
  if (!c->block) return false;
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->insns; i++) {
    if (c->insn[i].leads) c->block[n++].first = i;
    c->block[n - 1].end = i + 1;
  }
  for (uint32_t k = 0; k < c->blocks; k++) find_successors(c, &c->block[k]);
  return true;
}

/* Control codes of compiled code, from what the code says about where it goes. (What somebody wrote, with codes of his
 * own here and there: schedule.c.)
 *
 * Fixed latencies: time runs in stall counts within a block. What is not ready at the end of a block must be so where
 * it is first touched in each block that may follow (an instruction takes a cycle at least), or at that block's end.
 * Variable latencies: a result has a counter, and who touches it first waits for it. What is on its way is known across
 * branches: a block begins with all that its predecessors leave behind. Blocks are done in their order; where one leads
 * back, what the earlier block does not know of is waited for. (In a program of very many blocks every block begins
 * with everything on its way by every counter.) Where no latency is known, all results are variable ones. All of this
 * follows a thread. Other threads of the warp may run in between; that takes time and nothing else, since counters are
 * waited for until they are zero. Operands are read before the next instruction issues: no read counters.
 *
 * Groups of copies have a counter of their own, which what the code says waits for, and nobody else is given. */

enum { LOOK_AHEAD = 64, STATES_MAX = 1 << 15, COUNT_MAX = 60 };

/* What is on its way where a block begins. */
struct entry {
  uint8_t pending[HEDDLE_HAZARD_PLACES]; /* mask of counters that each place waits for */
  uint8_t count[HEDDLE_HAZARD_COUNTERS]; /* what a counter may stand at */
};

struct scheduler {
  struct control_code code;
  const uint8_t *stall; /* NULL: no latency is known */
  struct entry *in;     /* by block; NULL: everything may be on its way */
  /* of a block */
  const struct control_block *b;
  uint32_t at; /* current instruction */
  int now;     /* cycles since the block began */
  struct pending pending;
  uint8_t count[HEDDLE_HAZARD_COUNTERS]; /* what a counter may stand at */
  unsigned busy;                         /* mask of counters that something waits for */
  unsigned next;                         /* counter to hand out next */
  unsigned counters;                     /* those below it are handed out */
  unsigned shared, shares;               /* counter of the last result, how many more may have it */
  uint32_t due[HEDDLE_HAZARD_COUNTERS];  /* where the first result of a counter is needed */
};

static void add_waits(struct scheduler *s, struct control_insn *i, unsigned counters) {
  if (counters == 0) return;
  i->wait |= (uint8_t)counters;
  s->busy &= ~counters;
  for (unsigned c = 0; c < HEDDLE_HAZARD_COUNTERS; c++)
    if (counters >> c & 1) s->count[c] = 0;
  pending_done(&s->pending, counters);
}

static void lengthen(struct control_insn *i, int by) {
  i->stall = (uint8_t)(i->stall + by > PENDING_STALL_MAX ? PENDING_STALL_MAX : i->stall + by);
}

/* ---- which counter a result gets */

/* The first instruction behind `from` that touches a result of it; the end of what is looked at if there is none. */
static uint32_t first_use(const struct scheduler *s, uint32_t from);

struct user {
  const struct heddle_isa_dec *d;
  bool uses;
};

static void check_use(void *ctx, unsigned place) {
  struct user *u = ctx;
  u->uses = u->uses || control_touches(u->d, place);
}

static bool uses(const struct heddle_isa_dec *d, const struct heddle_isa_dec *producer) {
  struct user u = {.d = d};
  heddle_hazard_each_reg_result(producer, check_use, &u);
  if (!u.uses) heddle_hazard_each_pred_result(producer, check_use, &u);
  return u.uses;
}

static uint32_t first_use(const struct scheduler *s, uint32_t from) {
  uint32_t end = s->b->end - from > LOOK_AHEAD ? from + LOOK_AHEAD : s->b->end;
  for (uint32_t i = from + 1; i < end; i++)
    if (uses(&s->code.insn[i].d, &s->code.insn[from].d)) return i;
  return end;
}

/* Has it a result that only a counter tells of? */
static bool is_counted(const struct scheduler *s, const struct heddle_isa_dec *d) {
  return (!s->stall || heddle_isa_unit_is_variable((enum heddle_isa_unit)d->unit)) && heddle_hazard_has_result(d);
}

static bool same_kind(const struct heddle_isa_dec *a, const struct heddle_isa_dec *b) {
  return a->unit == b->unit &&
         heddle_isa_instr_info((enum heddle_isa_op)a->op)->mem == heddle_isa_instr_info((enum heddle_isa_op)b->op)->mem;
}

/* How many results of the kind are on their way together before the first of them is needed. */
static unsigned burst(const struct scheduler *s, uint32_t first_due) {
  unsigned n = 1;
  for (uint32_t i = s->at + 1; i < first_due; i++) {
    const struct heddle_isa_dec *d = &s->code.insn[i].d;
    if (!is_counted(s, d) || !same_kind(d, &s->code.insn[s->at].d)) continue;
    uint32_t due = first_use(s, i);
    if (due < first_due) first_due = due;
    n++;
  }
  return n;
}

static unsigned closest(const struct scheduler *s, uint32_t due) {
  unsigned best = 0, least = UINT32_MAX;
  for (unsigned c = 0; c < s->counters; c++) {
    uint32_t apart = due > s->due[c] ? due - s->due[c] : s->due[c] - due;
    if (apart < least) {
      least = apart;
      best = c;
    }
  }
  return best;
}

static unsigned lowest(const struct scheduler *s) {
  unsigned best = 0;
  for (unsigned c = 1; c < s->counters; c++)
    if (s->count[c] < s->count[best]) best = c;
  return best;
}

/* Results that come in a row share a counter when there are more of them than free counters. */
static unsigned take_counter(struct scheduler *s, const struct heddle_isa_dec *before) {
  const struct heddle_isa_dec *d = &s->code.insn[s->at].d;
  uint32_t due = first_use(s, s->at);
  unsigned idle = 0, c = s->shared;
  for (unsigned k = 0; k < s->counters; k++) idle += !(s->busy >> k & 1);
  if (s->shares > 0 && before && same_kind(before, d)) {
    s->shares--;
  } else if (idle > 0) {
    do c = s->next++ % s->counters;
    while (s->busy >> c & 1);
    s->shares = (burst(s, due) + idle - 1) / idle - 1;
  } else {
    c = closest(s, due);
    s->shares = 0;
  }
  if (s->count[c] >= COUNT_MAX) c = lowest(s);
  if (s->count[c] >= COUNT_MAX) add_waits(s, &s->code.insn[s->at], 1u << c);
  s->count[c]++;
  if (!(s->busy >> c & 1) || due < s->due[c]) s->due[c] = due;
  s->busy |= 1u << c;
  s->shared = c;
  return c;
}

/* ---- results */

static void record_results(struct scheduler *s, struct control_insn *i, const struct heddle_isa_dec **variable) {
  if (i->d.op == ISA_OP_LDGDEPBAR) i->wbar = HEDDLE_HAZARD_GROUPS;
  if (!is_counted(s, &i->d)) {
    if (s->stall) pending_fixed(&s->pending, &i->d, s->now, s->stall, HEDDLE_HAZARD_COUNTERS);
    return;
  }
  i->wbar = (uint8_t)take_counter(s, *variable);
  *variable = &i->d;
  pending_variable(&s->pending, &i->d, i->wbar);
}

/* ---- the end of a block */

/* Cycles from the start of a block to the first touch of a place, at least; to its end if there is none. */
static int cycles_to_touch(const struct control_code *c, const struct control_block *b, unsigned place, int enough) {
  int n = 0;
  while (n < enough && n < (int)(b->end - b->first) && !control_touches(&c->insn[b->first + (uint32_t)n].d, place)) n++;
  return n;
}

/* Cycles that must pass behind the last instruction for the sake of `place`. */
static int missing_behind(const struct scheduler *s, unsigned place) {
  int missing = s->pending.ready[place] - s->now, most = s->b->open ? missing : 0;
  for (unsigned k = 0; k < 2; k++) {
    if (s->b->succ[k] == CONTROL_NOWHERE) continue;
    const struct control_block *next = &s->code.block[s->b->succ[k]];
    most = max_s32(most, missing - cycles_to_touch(&s->code, next, place, missing));
  }
  return most;
}

static bool leads_back(const struct scheduler *s, unsigned k) {
  return s->b->succ[k] != CONTROL_NOWHERE && s->b->succ[k] <= (uint32_t)(s->b - s->code.block);
}

/* Counters to wait for at the end: something waits for them that a block which comes again does not know of, or they
 * may stand higher than it knows. */
static unsigned unknown_behind(const struct scheduler *s) {
  unsigned unknown = 0;
  for (unsigned p = 0; p < HEDDLE_HAZARD_PLACES && s->b->open; p++) unknown |= s->pending.counter[p];
  for (unsigned k = 0; k < 2; k++) {
    if (!s->in || !leads_back(s, k)) continue;
    const struct entry *e = &s->in[s->b->succ[k]];
    for (unsigned p = 0; p < HEDDLE_HAZARD_PLACES; p++) unknown |= s->pending.counter[p] & ~(unsigned)e->pending[p];
    for (unsigned c = 0; c < HEDDLE_HAZARD_COUNTERS; c++) unknown |= (unsigned)(s->count[c] > e->count[c]) << c;
  }
  return unknown;
}

/* What is still on its way is known to the blocks that follow. */
static void pass_to_successors(struct scheduler *s) {
  for (unsigned k = 0; k < 2; k++) {
    if (s->b->succ[k] == CONTROL_NOWHERE || leads_back(s, k)) continue;
    struct entry *e = &s->in[s->b->succ[k]];
    for (unsigned p = 0; p < HEDDLE_HAZARD_PLACES; p++) e->pending[p] |= s->pending.counter[p];
    for (unsigned c = 0; c < HEDDLE_HAZARD_COUNTERS; c++)
      if (s->count[c] > e->count[c]) e->count[c] = s->count[c];
  }
}

static void finish_block(struct scheduler *s) {
  struct control_insn *last = &s->code.insn[s->b->end - 1];
  if (!s->b->open && s->b->succ[0] == CONTROL_NOWHERE && s->b->succ[1] == CONTROL_NOWHERE) return;
  int stall = last->stall;
  s->now -= stall; /* when the last instruction issues */
  for (unsigned p = 0; p < HEDDLE_HAZARD_PLACES; p++)
    if (s->pending.ready[p] > s->now + stall) stall = max_s32(stall, missing_behind(s, p));
  last->stall = (uint8_t)(stall > PENDING_STALL_MAX ? PENDING_STALL_MAX : stall);
  add_waits(s, last, unknown_behind(s));
  if (s->in) pass_to_successors(s);
}

/* ---- a block */

static void begin_block(struct scheduler *s) {
  memset(&s->pending, 0, sizeof s->pending);
  if (s->in) {
    const struct entry *e = &s->in[s->b - s->code.block];
    memcpy(s->pending.counter, e->pending, sizeof s->pending.counter);
    memcpy(s->count, e->count, sizeof s->count);
  } else {
    memset(s->pending.counter, (1 << HEDDLE_HAZARD_COUNTERS) - 1, sizeof s->pending.counter);
    memset(s->count, COUNT_MAX, sizeof s->count);
  }
  s->now = 0;
  s->busy = s->shares = 0;
  for (unsigned p = 0; p < HEDDLE_HAZARD_PLACES; p++) s->busy |= s->pending.counter[p];
  for (unsigned c = 0; c < HEDDLE_HAZARD_COUNTERS; c++) s->due[c] = s->b->end;
}

static void schedule_block(struct scheduler *s) {
  const struct heddle_isa_dec *variable = NULL;
  begin_block(s);
  for (s->at = s->b->first; s->at < s->b->end; s->at++) {
    struct control_insn *i = &s->code.insn[s->at];
    const struct pending_needs n = pending_before(&s->pending, &i->d);
    if (n.ready > s->now && s->at > s->b->first) {
      lengthen(i - 1, n.ready - s->now);
      s->now = n.ready;
    }
    add_waits(s, i, n.wait);
    record_results(s, i, &variable);
    s->now += i->stall;
  }
  finish_block(s);
}

/* The register that operand k is, if the reuse cache can keep it, and give it: -1, or its number. */
static int keepable(const struct heddle_isa_dec *d, unsigned k) {
  const struct heddle_isa_src *x = &d->src[k];
  if (heddle_isa_encoding_info((enum heddle_isa_enc)d->enc)->reuse == ISA_FIELD_NONE) return -1;
  if (heddle_isa_unit_is_variable((enum heddle_isa_unit)d->unit)) return -1;
  return x->kind == ISA_REG && x->reg != ISA_RZ && x->words == 1 ? x->reg : -1;
}

static bool writes_reg(const struct heddle_isa_dec *d, int reg) {
  return d->has_rd && !d->rd_uniform && reg >= d->rd && reg < d->rd + d->rd_words;
}

/* Operands that the next instruction names in the same place stay in the reuse cache. Whoever finds one there does not
 * ask again: with one beat an instruction the next one could not have it yet. */
static void set_reuse(struct control_code *c) {
  int kept[3] = {-1, -1, -1}; /* by place */
  for (uint32_t i = 0; i < c->insns; i++) {
    struct control_insn *a = &c->insn[i];
    const struct control_insn *b = i + 1 < c->insns && !a[1].leads ? a + 1 : NULL;
    for (unsigned k = 0; k < 3; k++) {
      if (a->leads) kept[k] = -1;
      const int reg = keepable(&a->d, k);
      if (b && reg >= 0 && reg != kept[k] && reg == keepable(&b->d, k) && !writes_reg(&a->d, reg)) {
        a->reuse |= (uint8_t)(1u << k);
        kept[k] = reg;
      }
      if (writes_reg(&a->d, kept[k])) kept[k] = -1;
    }
  }
}

static struct heddle_isa_word coded(const struct control_insn *i) {
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)i->d.enc);
  struct heddle_isa_word w = i->d.word;
  w = heddle_isa_put(w, (enum heddle_isa_field)e->stall, i->stall);
  w = heddle_isa_put(w, (enum heddle_isa_field)e->wait, i->wait);
  w = heddle_isa_put(w, (enum heddle_isa_field)e->wbar, i->wbar);
  w = heddle_isa_put(w, (enum heddle_isa_field)e->rbar, 7);
  w = heddle_isa_put(w, (enum heddle_isa_field)e->yield, 0);
  if (e->reuse != ISA_FIELD_NONE) w = heddle_isa_put(w, (enum heddle_isa_field)e->reuse, i->reuse);
  return w;
}

static void store_word(uint8_t *to, struct heddle_isa_word w) {
  for (unsigned b = 0; b < 8; b++) {
    to[b] = (uint8_t)(w.lo >> (8 * b));
    to[8 + b] = (uint8_t)(w.hi >> (8 * b));
  }
}

static enum heddle_error decode_all(struct scheduler *s, const struct heddle_program *p, uint32_t first_pc) {
  for (uint32_t i = 0; i < s->code.insns; i++) {
    struct control_insn *c = &s->code.insn[i];
    const uint32_t pc = first_pc + i * ISA_WORD_BYTES;
    if (heddle_program_next(p, pc) - pc != ISA_WORD_BYTES) /* no code can be put into a short word */
      return HEDDLE_ERROR_INVALID_IMAGE;
    if (!heddle_isa_decode(heddle_program_word(p, pc), &c->d)) return HEDDLE_ERROR_INVALID_IMAGE;
    if (c->d.op == ISA_OP_LDGDEPBAR) s->counters = HEDDLE_HAZARD_GROUPS;
    c->stall = 1;
    c->wbar = 7;
  }
  return HEDDLE_SUCCESS;
}

enum heddle_error heddle_schedule(struct heddle_program *p, uint32_t first_pc, uint32_t end_pc, const uint8_t stall[8],
                                  uint32_t *stall_cycles) {
  struct scheduler s = {.stall = stall, .counters = HEDDLE_HAZARD_COUNTERS};
  uint64_t cycles = 0;
  s.code.insns = (end_pc - first_pc) / ISA_WORD_BYTES;
  s.code.insn = calloc(s.code.insns + 1, sizeof *s.code.insn);
  enum heddle_error e = s.code.insn ? decode_all(&s, p, first_pc) : HEDDLE_ERROR_HOST_MEMORY;
  if (e == HEDDLE_SUCCESS && !control_flow(&s.code)) e = HEDDLE_ERROR_HOST_MEMORY;
  if (e == HEDDLE_SUCCESS && s.code.blocks <= STATES_MAX && !(s.in = calloc(s.code.blocks + 1, sizeof *s.in)))
    e = HEDDLE_ERROR_HOST_MEMORY;
  const bool ok = e == HEDDLE_SUCCESS;
  for (uint32_t k = 0; ok && k < s.code.blocks; k++) {
    s.b = &s.code.block[k];
    schedule_block(&s);
  }
  if (ok) set_reuse(&s.code);
  for (uint32_t i = 0; ok && i < s.code.insns; i++) {
    store_word(p->code + first_pc + i * ISA_WORD_BYTES, coded(&s.code.insn[i]));
    cycles += s.code.insn[i].stall - 1u;
  }
  if (stall_cycles) *stall_cycles = cycles < UINT32_MAX ? (uint32_t)cycles : UINT32_MAX;
  free(s.in);
  free(s.code.block);
  free(s.code.insn);
  return e;
}
