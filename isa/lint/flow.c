/* SPDX-License-Identifier: Apache-2.0
 *
 * The program as basic blocks, and what is read that no way through them has written.
 */
#include <stdlib.h>
#include <string.h>
#include "isa/lint/internal.h"

/* Blocks. A word that is no instruction ends every path that meets it: it traps. */

enum kind { STRAIGHT, JUMPS, CALLS, LEAVES, UNKNOWN, CALLS_UNKNOWN };

static enum kind flow_kind(const struct insn *i) {
  int64_t target;
  if (!i->legal) return LEAVES;
  const bool named = heddle_isa_flow_target(&i->d, 0, &target);
  switch (heddle_isa_flow_of(&i->d)) {
  case ISA_FLOW_BRANCH:
    return named ? JUMPS : UNKNOWN;
  case ISA_FLOW_CALL:
    return named ? CALLS : CALLS_UNKNOWN;
  case ISA_FLOW_RETURN:
    return UNKNOWN;
  case ISA_FLOW_EXIT:
  case ISA_FLOW_TRAP:
    return LEAVES;
  default:
    return STRAIGHT;
  }
}

/* Where a branch goes to, or NOWHERE: it traps. */
static uint32_t target_of(const struct lint *l, uint32_t at) {
  int64_t pc = -1;
  if (!heddle_isa_flow_target(&l->insn[at].d, l->insn[at + 1].pc, &pc)) return NOWHERE;
  return pc < 0 || pc > UINT32_MAX ? NOWHERE : flow_insn(l, (uint32_t)pc);
}

static bool decode_all(struct lint *l) {
  l->insn = calloc((size_t)l->p->code_bytes / ISA_STEP + 1, sizeof *l->insn);
  if (!l->insn) return false;
  for (uint32_t pc = 0; pc < l->p->code_bytes; pc = heddle_program_next(l->p, pc)) {
    struct insn *i = &l->insn[l->insns++];
    i->pc = pc;
    i->legal = heddle_isa_decode(heddle_program_word(l->p, pc), &i->d);
  }
  l->insn[l->insns].pc = l->p->code_bytes;
  return true;
}

uint32_t flow_insn(const struct lint *l, uint32_t pc) {
  uint32_t low = 0, high = l->insns;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (l->insn[middle].pc < pc)
      low = middle + 1;
    else
      high = middle;
  }
  return low < l->insns && l->insn[low].pc == pc ? low : NOWHERE;
}

static void mark_leaders(struct lint *l) {
  l->insn[0].leads = true;
  for (uint32_t k = 0; k < l->p->kernels; k++)
    if (flow_insn(l, l->p->kernel[k].entry_pc) != NOWHERE) l->insn[flow_insn(l, l->p->kernel[k].entry_pc)].leads = true;
  for (uint32_t i = 0; i < l->insns; i++) {
    const enum kind k = flow_kind(&l->insn[i]);
    if (k == STRAIGHT) continue;
    l->insn[i + 1].leads = true; /* there is one more than instructions */
    if (!l->insn[i].legal) l->insn[i].leads = true;
    const uint32_t t = k == JUMPS || k == CALLS ? target_of(l, i) : NOWHERE;
    if (t != NOWHERE) l->insn[t].leads = true;
  }
}

uint32_t flow_block(const struct lint *l, uint32_t insn) {
  uint32_t low = 0, high = l->blocks;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (l->block[middle].first <= insn)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void find_successors(const struct lint *l, struct block *b) {
  const uint32_t last = b->end - 1, next = b->end < l->insns ? flow_block(l, b->end) : NOWHERE;
  const struct insn *i = &l->insn[last];
  const enum kind k = flow_kind(i);
  const uint32_t target = k == JUMPS || k == CALLS ? target_of(l, last) : NOWHERE;
  b->succ[0] = i->legal && heddle_isa_flow_passes(&i->d) ? next : NOWHERE;
  b->succ[1] = target != NOWHERE ? flow_block(l, target) : NOWHERE;
  b->returns = k == CALLS || k == CALLS_UNKNOWN ? next : NOWHERE;
  b->open = k == UNKNOWN || k == CALLS_UNKNOWN;
}

bool flow_build(struct lint *l) {
  if (!decode_all(l)) return false;
  if (l->insns == 0) return true;
  mark_leaders(l);
  for (uint32_t i = 0; i < l->insns; i++) l->blocks += l->insn[i].leads;
  l->block = calloc(l->blocks, sizeof *l->block);
  if (!l->block) return false;
  uint32_t n = 0;
  for (uint32_t i = 0; i < l->insns; i++) {
    if (l->insn[i].leads) l->block[n++].first = i;
    l->block[n - 1].end = i + 1;
  }
  for (uint32_t k = 0; k < l->blocks; k++) find_successors(l, &l->block[k]);
  return true;
}

/* Registers and predicates that are read where no way from the kernel's beginning has written them: the program is
 * wrong whatever its data are. Only what a thread has of its own: another path of the warp may have written a uniform
 * one. MOV and the data of stores only carry (isa/doc/04-memory.md): they are no read, and a MOV of what nobody has
 * written writes nothing. Functions begin with everything written, and so does what follows a call. Where a branch
 * leads nobody knows (BRX, CALL.ABS) nothing is said of the program. */

struct written {
  uint64_t place[PLACE_WORDS];
};

struct search {
  struct lint *l;
  struct written *in; /* by block: places that some way has written */
  bool *reached, *queued;
  uint32_t *queue, head, waiting;
  struct written now;
  const struct heddle_isa_dec *d;
  uint32_t at;
  bool carries; /* d does, and its data are unwritten */
  bool report;
};

static bool place_written(const struct written *w, unsigned place) {
  return w->place[place / 64] >> (place % 64) & 1;
}

static bool is_thread_place(unsigned place) {
  return place < HEDDLE_HAZARD_UR || (place >= HEDDLE_HAZARD_P && place < HEDDLE_HAZARD_UP);
}

static bool is_store(const struct heddle_isa_dec *d) {
  return heddle_isa_instr_info((enum heddle_isa_op)d->op)->access == ISA_ACCESS_STORE;
}

/* Is the place one of operand b of an instruction that only carries it, and no part of its address? */
static bool only_carried(const struct heddle_isa_dec *d, unsigned place) {
  const struct heddle_isa_src *a = &d->src[0], *b = &d->src[1];
  if (d->op != ISA_OP_MOV && !is_store(d)) return false;
  if (b->kind != ISA_REG || place < b->reg || place >= (unsigned)b->reg + b->words) return false;
  return a->kind != ISA_REG || place < a->reg || place >= (unsigned)a->reg + a->words;
}

static void read_place(void *ctx, unsigned place) {
  struct search *s = ctx;
  if (!is_thread_place(place) || place_written(&s->now, place)) return;
  if (only_carried(s->d, place))
    s->carries = true;
  else if (s->report)
    found_undefined(s->l, s->at, place);
}

static void write_place(void *ctx, unsigned place) {
  struct search *s = ctx;
  if (place < HEDDLE_HAZARD_PLACES && !(s->carries && s->d->op == ISA_OP_MOV))
    s->now.place[place / 64] |= UINT64_C(1) << (place % 64);
}

static bool never(const struct heddle_isa_dec *d) {
  return d->guard.index == ISA_PT && d->guard.neg;
}

static void flow_into(struct search *s, uint32_t b, const struct written *w) {
  if (b == NOWHERE) return;
  bool changed = !s->reached[b];
  for (unsigned i = 0; i < PLACE_WORDS; i++) {
    changed = changed || (w->place[i] & ~s->in[b].place[i]) != 0;
    s->in[b].place[i] |= w->place[i];
  }
  s->reached[b] = true;
  if (!changed || s->queued[b] || s->report) return;
  s->queued[b] = true;
  s->queue[(s->head + s->waiting++) % s->l->blocks] = b;
}

static void search_block(struct search *s, uint32_t b) {
  const struct block *k = &s->l->block[b];
  struct written all;
  memset(&all, 0xff, sizeof all);
  s->now = s->in[b];
  for (s->at = k->first; s->at < k->end; s->at++) {
    s->d = &s->l->insn[s->at].d;
    s->carries = false;
    if (!s->l->insn[s->at].legal || never(s->d)) continue;
    heddle_hazard_each_source(s->d, read_place, s);
    heddle_hazard_each_reg_result(s->d, write_place, s);
    heddle_hazard_each_pred_result(s->d, write_place, s);
  }
  for (unsigned e = 0; e < 2; e++) flow_into(s, k->succ[e], k->returns != NOWHERE ? &all : &s->now);
  flow_into(s, k->returns, &all);
}

/* Leads somewhere that nobody knows, and is no return. */
static bool is_lost(const struct lint *l, const struct block *b) {
  const struct insn *i = &l->insn[b->end - 1];
  return b->open && i->legal && heddle_isa_flow_of(&i->d) != ISA_FLOW_RETURN;
}

static bool is_lost_anywhere(const struct lint *l) {
  for (uint32_t b = 0; b < l->blocks; b++)
    if (is_lost(l, &l->block[b])) return true;
  return false;
}

static void search_program(struct search *s) {
  const struct heddle_program *p = s->l->p;
  struct written nothing = {{0}}, all;
  memset(&all, 0xff, sizeof all);
  for (uint32_t k = 0; k < p->kernels; k++)
    if (p->kernel[k].entry_pc < p->code_bytes)
      flow_into(s, flow_block(s->l, flow_insn(s->l, p->kernel[k].entry_pc)),
                p->kernel[k].is_function ? &all : &nothing);
  while (s->waiting > 0) {
    const uint32_t b = s->queue[s->head];
    s->head = (s->head + 1) % s->l->blocks;
    s->waiting--;
    s->queued[b] = false;
    search_block(s, b);
  }
  s->report = true;
  for (uint32_t b = 0; b < s->l->blocks; b++)
    if (s->reached[b]) search_block(s, b);
}

void undefined_find(struct lint *l) {
  if (l->blocks == 0 || is_lost_anywhere(l)) return;
  struct search s = {.l = l,
                     .in = calloc(l->blocks, sizeof *s.in),
                     .reached = calloc(l->blocks, sizeof *s.reached),
                     .queued = calloc(l->blocks, sizeof *s.queued),
                     .queue = calloc(l->blocks, sizeof *s.queue)};
  if (s.in && s.reached && s.queued && s.queue)
    search_program(&s);
  else
    l->failed = true;
  free(s.in);
  free(s.reached);
  free(s.queued);
  free(s.queue);
}
