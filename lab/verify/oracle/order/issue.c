/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions as they issue, what they read, what they give back.
 */
#include <stdlib.h>
#include <string.h>
#include "lab/verify/oracle/order/cache.h"
#include "lab/verify/oracle/order/internal.h"
#include "lab/verify/oracle/order/order_list.h"

/* Operands of a trace that shows none (profile P0): a register holds what the latest older instruction of its warp left
 * there, and every such write has a record. The record of a write may come after the issue of who reads it, but before
 * it is read; a younger one may overwrite it before the access is performed. */

static void order_place_lanes(struct insn *i, uint32_t lanes);

struct registers {
  uint32_t value[ISA_RZ][LANES];
  uint32_t writer[ISA_RZ][LANES]; /* seq + 1 of whose it is; 0: nobody has written */
};

bool order_registers_new(struct order *o) {
  const struct heddle_record_hidden h = o->h->hidden;
  if (heddle_record_shows(h, HEDDLE_RECORD_OPERANDS_MEMORY) || heddle_record_shows(h, HEDDLE_RECORD_OPERANDS))
    return true;
  o->registers = calloc((size_t)o->sms * HEDDLE_RECORD_WARPS, sizeof *o->registers);
  return o->registers != NULL || order_too_much(o, "no memory");
}

static struct registers *of_warp(const struct order *o, const struct warp *w) {
  return &o->registers[w - o->warp];
}

void order_registers_clear(struct order *o, const struct warp *w) {
  if (o->registers != NULL) memset(of_warp(o, w)->writer, 0, sizeof of_warp(o, w)->writer);
}

static void order_registers_read(struct order *o, const struct warp *w, struct insn *i) {
  if (o->registers == NULL) return;
  const struct registers *f = of_warp(o, w);
  for (unsigned k = 0; k < OPERANDS; k++) {
    const unsigned reg = i->a.reg[k];
    if (reg == ISA_RZ) i->known[k] = i->exec;
    for (uint32_t rest = reg == ISA_RZ ? 0 : i->exec; rest != 0; rest &= rest - 1) {
      const unsigned l = (unsigned)__builtin_ctz(rest);
      i->operand[k][l] = f->value[reg][l];
      i->writer[k][l] = f->writer[reg][l];
      if (f->writer[reg][l] != 0) i->known[k] |= 1u << l;
    }
  }
  order_place_lanes(i, i->exec);
}

/* Instructions that issued before their operand was written, and have not used it. */
static void late(struct insn *i, unsigned reg, uint32_t lanes, uint32_t seq, const uint32_t *value) {
  for (unsigned k = 0; k < OPERANDS; k++) {
    if (i->a.reg[k] != reg) continue;
    for (uint32_t rest = lanes & i->exec & ~i->begun; rest != 0; rest &= rest - 1) {
      const unsigned l = (unsigned)__builtin_ctz(rest);
      if (i->writer[k][l] > seq) continue;
      i->operand[k][l] = value[l];
      i->writer[k][l] = seq + 1;
      i->known[k] |= 1u << l;
    }
  }
  order_place_lanes(i, lanes & i->exec & ~i->begun);
}

static void order_registers_write(struct order *o, struct warp *w, const struct heddle_record_write *r) {
  const unsigned first = r->beat * o->h->lanes;
  if (o->registers == NULL || first >= LANES || r->rd >= ISA_RZ) return;
  struct registers *f = of_warp(o, w);
  uint32_t value[LANES] = {0};
  const uint32_t lanes = r->mask << first;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    value[l] = r->data[l - first];
    if (f->writer[r->rd][l] > r->id.seq + 1) continue;
    f->value[r->rd][l] = value[l];
    f->writer[r->rd][l] = r->id.seq + 1;
  }
  for (struct insn *i = w->first; i != NULL; i = i->next)
    if (!i->reduction && i->seq > r->id.seq) late(i, r->rd, lanes, r->id.seq, value);
}

bool order_warp_ended(const struct warp *w) {
  return (w->present & ~w->exited) == 0;
}

static bool check_goes_on(struct order *o, struct warp *w, const struct heddle_record_issue *r) {
  if (r->id.seq != w->next_seq)
    return order_broken(o, ORDER_RECORD, "slot %u issues seq %u after %u instructions", r->id.slot, r->id.seq,
                        w->next_seq);
  o->r->judged[ORDER_BARRIER]++;
  if (!w->waiting) return true;
  order_step_fence(o, w, &w->fence, "waits for the barrier, which has not let it go");
  order_step_text(o, "came first all the same", "seq %u pc 0x%x of the same warp issues in cycle %llu", r->id.seq,
                  r->pc, (unsigned long long)o->cycle);
  return order_broken(o, ORDER_BARRIER, "slot %u issues while its warp waits at barrier %u", r->id.slot, w->bar);
}

/* BAR is of CTA scope, as far as it waits. */
static enum heddle_record_scope scope_of(const struct fence *f) {
  struct heddle_isa_dec d;
  if (!heddle_isa_decode(f->word, &d) || d.op != ISA_OP_MEMBAR) return HEDDLE_RECORD_SCOPE_CTA;
  return heddle_isa_get(d.word, ISA_F_SCOPE) == ISA_SCOPE_CTA ? HEDDLE_RECORD_SCOPE_CTA : HEDDLE_RECORD_SCOPE_GPU;
}

/* Whatever is older has been performed and written back. Said here if it is not: what comes later shows the place. */
static bool drained(struct order *o, struct warp *w, const struct heddle_record_issue *r) {
  order_write_fence(o, w, &w->fence, HEDDLE_RECORD_SCOPE_GPU);
  o->r->judged[ORDER_FENCE]++;
  const struct insn *i = w->first;
  const enum heddle_record_scope scope = scope_of(&w->fence);
  while (i != NULL && (i->reduction || (i->a.copy && order_copies_left(i, scope) == 0))) i = i->next; /* no access */
  if (i == NULL || o->trapped) return true;
  uint32_t left = i->to_store;
  for (unsigned k = 0; k < 4; k++) left |= i->open[k] | i->owed[k];
  order_step_insn(o, w, i, left, "is older: it is performed, and its result written, before the fence");
  order_step_fence(o, w, &w->fence, "took effect before that");
  return order_broken(o, ORDER_FENCE,
                      "seq %u takes effect before seq %u (pc 0x%x) is wholly performed and written back", r->id.seq,
                      i->seq, i->pc);
}

/* With a cache MEMBAR and CCTL.IVALL are judged when they are done, BAR as it issues. */
static bool issue_fence(struct order *o, struct warp *w, const struct heddle_record_issue *r,
                        const struct heddle_isa_dec *d) {
  w->fence = (struct fence){r->id.seq, r->pc, d->word, o->cycle};
  o->r->fences++;
  if (o->cache == NULL) return drained(o, w, r);
  if (d->op != ISA_OP_MEMBAR && d->op != ISA_OP_CCTL_E) {
    o->r->judged[ORDER_FENCE]++;
    return order_fence_performed(o, w, &w->fence);
  }
  const bool cta = d->op == ISA_OP_MEMBAR && heddle_isa_get(d->word, ISA_F_SCOPE) == ISA_SCOPE_CTA;
  order_cache_fence(o, w,
                    d->op == ISA_OP_CCTL_E ? HEDDLE_RECORD_SCOPE_EMPTYING
                    : cta                  ? HEDDLE_RECORD_SCOPE_CTA
                                           : HEDDLE_RECORD_SCOPE_GPU);
  return true;
}

static bool fences(const struct order *o, const struct heddle_isa_dec *d) {
  if (heddle_isa_instr_info((enum heddle_isa_op)d->op)->drains) return true;
  return o->cache != NULL && d->op == ISA_OP_CCTL_E && heddle_isa_get(d->word, ISA_F_CCTL) == ISA_CCTL_IVALL;
}

static uint32_t first_lanes(unsigned n) {
  return n >= LANES ? ~0u : (1u << n) - 1;
}

static bool begin_access(struct order *o, struct warp *w, const struct heddle_record_issue *r, const struct action *a) {
  struct insn *i = order_insn_new(o, w);
  if (i == NULL) return false;
  i->seq = r->id.seq;
  i->pc = r->pc;
  i->exec = r->exec;
  i->word = (struct heddle_isa_word){r->word[0], r->word[1]};
  i->a = *a;
  i->open[0] = a->act == ACT_MATRIX ? r->exec & first_lanes(8u * a->matrices) : r->exec;
  for (unsigned k = 0; k < a->words; k++) i->owed[k] = r->exec;
  if (a->copy) i->to_store = r->exec;
  order_cache_issued(o, w, i);
  order_registers_read(o, w, i);
  return true;
}

bool order_on_issue(struct order *o, const struct heddle_record_issue *r) {
  struct warp *w = order_warp_of(o, &r->id);
  struct heddle_isa_dec d;
  struct action a;
  const struct heddle_isa_word word = {r->word[0], r->word[1]};
  if (w == NULL || !check_goes_on(o, w, r) || !order_cache_goes_on(o, w)) return false;
  w->next_seq++;
  o->r->instructions++;
  if (!heddle_isa_decode(word, &d)) return true;
  if (!order_copies_awaited(o, w, r, &d)) return false;
  order_copies_closed(w, &d);
  if (r->exec == 0) return true;
  const struct heddle_isa_instr *info = heddle_isa_instr_info((enum heddle_isa_op)d.op);
  if (fences(o, &d) && !issue_fence(o, w, r, &d)) return false;
  if (d.op == ISA_OP_BAR_SYNC || d.op == ISA_OP_BAR_ARV || d.op == ISA_OP_BAR_RED_POPC || d.op == ISA_OP_BAR_RED)
    return order_barrier_arrive(o, w, r, &d);
  if (info->flow == ISA_FLOW_EXIT) w->exited |= r->exec;
  if (!order_action_of(word, &a)) return true;
  if (a.copy && o->out != NULL)
    return order_too_much(o, "the program has asynchronous copies (LDGSTS), of which a list of events cannot speak");
  return begin_access(o, w, r, &a);
}

/* ---- operands ---- */

static void order_place_lanes(struct insn *i, uint32_t lanes) {
  lanes &= i->known[0] & (i->a.wide ? i->known[1] : ~0u);
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    uint64_t at = i->operand[0][l];
    if (i->a.wide)
      at = (at | (uint64_t)i->operand[1][l] << 32) + (uint64_t)(int64_t)i->a.offset;
    else
      at = (uint32_t)(at + (uint32_t)i->a.offset);
    i->space[l] = i->a.space;
    if (i->a.space == ISA_SPACE_GENERIC) {
      const unsigned top = (unsigned)(at >> 56);
      i->space[l] = top == 0 ? ISA_SPACE_GLOBAL : top == 1 ? ISA_SPACE_SHARED : ISA_SPACE_LOCAL;
      if (top != 0) at = (uint32_t)at;
    }
    i->addr[l] = at;
    for (unsigned k = 1; 4 * k < i->a.bytes; k++) /* local: word by word */
      i->open[k] = (i->open[k] & ~(1u << l)) | (i->space[l] == ISA_SPACE_LOCAL ? 1u << l : 0);
  }
  i->placed |= lanes;
}

bool order_on_operands(struct order *o, const struct heddle_record_operands *r) {
  struct warp *w = order_warp_of(o, &r->id);
  if (w == NULL) return false;
  struct insn *i = order_insn_find(w, r->id.seq);
  if (i == NULL || i->reduction) return true;
  const unsigned first = r->beat * o->h->lanes;
  if (first >= LANES) return order_broken(o, ORDER_RECORD, "operands of beat %u: there is none", r->beat);
  const uint32_t lanes = r->mask << first & i->exec;
  for (unsigned k = 0; k < HEDDLE_RECORD_ROWS; k++) {
    if (((unsigned)r->used >> k & 1u) == 0 || r->index[k] >= OPERANDS) continue;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const unsigned l = (unsigned)__builtin_ctz(rest);
      i->operand[r->index[k]][l] = r->data[k][l - first];
    }
    i->known[r->index[k]] |= lanes;
  }
  order_place_lanes(i, lanes & ~i->placed);
  return true;
}

/* ---- results ---- */

/* Row n of a matrix as bytes, column c: 16 bits. */
static uint32_t element(const struct insn *i, unsigned matrix, unsigned row, unsigned column) {
  const uint8_t *p = &i->got[8 * matrix + row][2 * column];
  return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static uint32_t matrix_word(const struct insn *i, unsigned matrix, unsigned lane) {
  const unsigned x = 2 * (lane % 4), y = lane / 4;
  return i->a.turned ? element(i, matrix, x, y) | element(i, matrix, x + 1, y) << 16
                     : element(i, matrix, y, x) | element(i, matrix, y, x + 1) << 16;
}

/* Lanes that must have performed before lane l gets word k. */
static uint32_t awaited(const struct insn *i, unsigned k, unsigned l) {
  if (i->reduction) return i->open[0];
  if (i->a.act == ACT_MATRIX) return i->open[0] & 0xffu << 8 * k;
  return (i->space[l] == ISA_SPACE_LOCAL ? i->open[k] : i->open[0]) & 1u << l;
}

static uint32_t result_of(const struct insn *i, unsigned k, unsigned l) {
  if (i->reduction) return i->value[k][l];
  if (i->a.act == ACT_MATRIX) return matrix_word(i, k, l);
  return order_action_word(&i->a, i->got[l], k);
}

/* They differ only in bytes that nobody has written, as no record shows what a copy holds there. */
static bool unknown(const struct insn *i, unsigned k, unsigned l, uint32_t difference) {
  if ((i->cache.copied >> l & 1u) == 0 || i->cache.unknown[l] == 0) return false;
  if (i->a.bytes < 4) return true;
  uint32_t judged = ~0u;
  for (unsigned n = 0; n < 4; n++)
    if ((i->cache.unknown[l] >> (4 * k + n) & 1u) != 0) judged &= ~(0xffu << 8 * n);
  return (difference & judged) == 0;
}

static bool other_value(struct order *o, const struct warp *w, const struct insn *i, unsigned k, unsigned l,
                        uint32_t value, uint32_t want) {
  const uint32_t fill = i->cache.waits[i->space[l] == ISA_SPACE_LOCAL ? k : 0][l];
  order_step_insn(o, w, i, 1u << l, "reads through a copy what the sector held when it was taken");
  order_step_text(o, "is something else", "word %u of its result in lane %u: 0x%08x, the copy%s holds 0x%08x", k, l,
                  value, fill != 0 ? " that it waited for" : "", want);
  return order_broken(o, ORDER_READS_FROM, "lane %u of seq %u (pc 0x%x) reads 0x%08x through a copy that holds 0x%08x",
                      l, i->seq, i->pc, value, want);
}

static bool lane_result(struct order *o, struct warp *w, struct insn *i, unsigned k, unsigned l, uint32_t value) {
  if ((i->owed[k] >> l & 1u) == 0)
    return order_broken(o, ORDER_ONCE, "lane %u of seq %u (pc 0x%x) gets word %u a second time, or has no request", l,
                        i->seq, i->pc, k);
  o->r->judged[ORDER_RESULT]++;
  const bool placed = (i->placed >> l & 1u) != 0 || i->reduction || i->a.act == ACT_MATRIX;
  if (!placed || awaited(i, k, l) != 0) {
    order_step_insn(o, w, i, 1u << l, "its access is performed before its result is there");
    order_step_text(o, "came first", "word %u of its result, 0x%08x in lane %u", k, value, l);
    return order_broken(o, ORDER_RESULT, "lane %u of seq %u (pc 0x%x) gets a result before its access is performed", l,
                        i->seq, i->pc);
  }
  const uint32_t want = result_of(i, k, l);
  if (value == want || (i->reduction && !order_votes_shown(o)) || unknown(i, k, l, value ^ want)) return true;
  if ((i->cache.copied >> l & 1u) != 0) return other_value(o, w, i, k, l, value, want);
  order_step_insn(o, w, i, 1u << l, "read this, and gives it to its thread");
  order_step_text(o, "is something else", "word %u of its result in lane %u: 0x%08x, read was 0x%08x", k, l, value,
                  want);
  return order_broken(o, ORDER_RESULT, "lane %u of seq %u (pc 0x%x) gets 0x%08x, its access has read 0x%08x", l, i->seq,
                      i->pc, value, want);
}

bool order_on_write(struct order *o, const struct heddle_record_write *r) {
  struct warp *w = order_warp_of(o, &r->id);
  if (w == NULL) return false;
  order_registers_write(o, w, r);
  struct insn *i = order_insn_find(w, r->id.seq);
  if (i == NULL) return true;
  const unsigned first = r->beat * o->h->lanes, k = (unsigned)r->rd - i->a.rd;
  if (first >= LANES || k >= i->a.words)
    return order_broken(o, ORDER_RECORD, "seq %u writes R%u, beat %u: not its own", i->seq, r->rd, r->beat);
  const uint32_t lanes = r->mask << first;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    if (!lane_result(o, w, i, k, l, r->data[l - first])) return false;
    i->owed[k] &= ~(1u << l);
  }
  if (!i->reduction) order_cache_over(o, w);
  if (order_insn_closed(i)) order_insn_drop(o, w, i);
  return true;
}

bool order_on_predicate(struct order *o, const struct heddle_record_predicate *r) {
  struct warp *w = order_warp_of(o, &r->id);
  if (w == NULL) return false;
  struct insn *i = order_insn_find(w, r->id.seq);
  const unsigned first = r->beat * o->h->lanes;
  if (i == NULL || !i->reduction || i->owed_pd == 0 || first >= LANES) return true;
  for (unsigned k = 0; k < HEDDLE_RECORD_PREDICATES; k++) {
    const struct heddle_record_predicate_value *v = &r->value[k];
    const uint32_t lanes = v->mask << first;
    if (((unsigned)r->used >> k & 1u) == 0) continue;
    o->r->judged[ORDER_BARRIER]++;
    if (i->open[0] != 0 || (order_votes_shown(o) && ((v->data << first ^ i->pd) & lanes) != 0)) {
      order_step_insn(o, w, i, lanes, "gets what all that came have brought");
      order_step_text(o, "is something else, or came before all had come", "predicate P%u, lanes 0x%08x", v->index,
                      v->data << first & lanes);
      return order_broken(o, ORDER_BARRIER, "BAR.RED of seq %u (pc 0x%x) gets something else than all have brought",
                          i->seq, i->pc);
    }
    i->owed_pd &= ~lanes;
  }
  if (order_insn_closed(i)) order_insn_drop(o, w, i);
  return true;
}
