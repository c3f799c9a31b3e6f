/* SPDX-License-Identifier: Apache-2.0
 * What bounds a launch from below, counted record by record, and the roofline. */
#include "bounds.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/hazard.h>
#include <heddle/model.h>
#include "run/profile/internal.h"

/* Which banks of its register file an SM reads, by the instructions that issue. */

/* of a launch */
static void registers_begin(struct registers *r) {
  memset(r->kept, ISA_RZ, sizeof r->kept);
}

static void read_bank(void *ctx, unsigned place) {
  struct registers *r = ctx;
  if (place < ISA_RZ) r->bank[place % r->banks]++;
}

static void give_up_bank(void *ctx, unsigned place) {
  uint8_t *kept = ctx;
  for (unsigned i = 0; i < 3; i++)
    if (kept[i] == place) kept[i] = ISA_RZ;
}

/* All that it reads, but for those that the reuse cache has (isa/doc/01-words-and-control.md). */
static void registers_read(struct registers *r, const struct heddle_isa_dec *d, unsigned slot) {
  uint8_t *kept = r->kept[slot];
  heddle_hazard_each_source(d, read_bank, r);
  for (unsigned i = 0; i < 3; i++) {
    const struct heddle_isa_src *s = &d->src[i];
    if (s->kind != ISA_REG || s->words != 1 || s->reg == ISA_RZ) continue;
    if (kept[i] == s->reg)
      r->bank[s->reg % r->banks]--;
    else if (d->ctl.reuse >> i & 1)
      kept[i] = s->reg;
  }
  heddle_hazard_each_reg_result(d, give_up_bank, kept);
}

static uint64_t registers_most(const struct registers *r) {
  uint64_t most = 0;
  for (unsigned i = 0; i < r->banks; i++)
    if (r->bank[i] > most) most = r->bank[i];
  return most;
}

/* What bounds a launch from below: counted record by record. */

/* What one SM does, and one bank of memory. */
struct of_sm {
  uint64_t unit[ISA_UNIT_COUNT], hmma, lanes;
  uint64_t passes;       /* of shared memory */
  uint64_t reads, beats; /* of the cache; from it, if a beat comes a cycle */
  uint64_t from, to;     /* beats of the channel */
  struct registers registers;
};
struct of_bank {
  uint64_t atomics, rows; /* lanes of atomics; rows of loads, stores and fills */
};

struct bounds_counts {
  const struct heddle_config *machine;
  unsigned row_bytes; /* of the bus */
  struct of_sm *sm;   /* 256 */
  struct of_bank bank[256];
};

struct bounds_counts *bounds_counts_new(const struct heddle_config *m) {
  struct bounds_counts *c = calloc(1, sizeof *c);
  if (c == NULL) return NULL;
  c->machine = m;
  c->row_bytes = m->axi_bits / 8;
  c->sm = calloc(256, sizeof *c->sm);
  if (c->sm != NULL) return c;
  free(c);
  return NULL;
}

void bounds_counts_free(struct bounds_counts *c) {
  if (c != NULL) free(c->sm);
  free(c);
}

void bounds_counts_begin(struct bounds_counts *c) {
  for (unsigned k = 0; k < c->machine->sms; k++) {
    c->sm[k].registers.banks = c->machine->banks;
    registers_begin(&c->sm[k].registers);
  }
}

/* Rows of the bus in which a sector's bytes are touched. */
static unsigned rows_touched(uint32_t bytes, unsigned row_bytes) {
  const uint32_t row = row_bytes >= 32 ? UINT32_MAX : (1u << row_bytes) - 1;
  unsigned n = 0;
  for (unsigned at = 0; at < 32; at += row_bytes) n += (bytes >> at & row) != 0;
  return n;
}

/* Atomics bring a lane a beat; loads and fills bring whole sectors to the SM. */
static void look_global(struct bounds_counts *c, const struct heddle_record_global *g) {
  struct of_sm *sm = &c->sm[g->id.sm];
  struct of_bank *bank = &c->bank[g->bank];
  const unsigned lanes = (unsigned)__builtin_popcount(g->lanes), all = rows_touched(UINT32_MAX, c->row_bytes);
  const bool store = g->access == HEDDLE_RECORD_STORE || g->access == HEDDLE_RECORD_LOCAL_STORE;
  if (g->access == HEDDLE_RECORD_ATOMIC) {
    bank->atomics += lanes;
    sm->from += lanes;
  } else if (store) {
    bank->rows += rows_touched(g->wstrb, c->row_bytes);
    sm->from += rows_touched(g->wstrb, c->row_bytes);
  } else {
    bank->rows += all;
    sm->to += all;
  }
}

static void look_issue(struct of_sm *sm, const struct heddle_record_issue *i) {
  struct heddle_isa_dec d;
  if (!heddle_isa_decode((struct heddle_isa_word){.lo = i->word[0], .hi = i->word[1]}, &d)) return;
  sm->unit[d.unit]++;
  sm->hmma += d.op == ISA_OP_HMMA_16816_F32 || d.op == ISA_OP_HMMA_16816_F16;
  sm->lanes += (unsigned)__builtin_popcount(i->exec);
  if (d.unit != ISA_UNIT_BR && d.unit != ISA_UNIT_UNI) registers_read(&sm->registers, &d, i->id.slot);
}

void bounds_look(struct bounds_counts *c, const struct heddle_retire_record *r) {
  const unsigned all = rows_touched(UINT32_MAX, c->row_bytes);
  switch (r->kind) {
  case HEDDLE_RECORD_SHARED:
    c->sm[r->u.shared.id.sm].passes++;
    break;
  case HEDDLE_RECORD_GLOBAL:
    look_global(c, &r->u.global);
    break;
  case HEDDLE_RECORD_FILL:
    c->bank[r->u.fill.bank].rows += all;
    c->sm[r->u.fill.sm].to += all;
    break;
  case HEDDLE_RECORD_HIT:
  case HEDDLE_RECORD_MERGE: {
    const struct heddle_record_merge *h = &r->u.merge; /* a hit is the same */
    c->sm[h->id.sm].reads++;
    c->sm[h->id.sm].beats += (unsigned)__builtin_popcount(h->used) * all;
    break;
  }
  case HEDDLE_RECORD_ISSUE:
    look_issue(&c->sm[r->u.issue.id.sm], &r->u.issue);
    break;
  default:
    break;
  }
}

static void raise_bound(double *bound, double cycles) {
  if (cycles > *bound) *bound = cycles;
}

/* What the counts of an SM are in cycles, if nothing else were there. */
static void count_sm(struct bounded *b, const struct of_sm *c, const struct heddle_config *m) {
  uint64_t all = 0;
  for (unsigned u = 0; u < ISA_UNIT_COUNT; u++) all += c->unit[u];
  const double parts = m->partitions, beats = m->beats;
  const uint64_t read = all - c->unit[ISA_UNIT_BR] - c->unit[ISA_UNIT_UNI];
  const uint64_t first =
      m->operand_lines == 2 ? c->unit[ISA_UNIT_ALU] + c->unit[ISA_UNIT_CVT] + c->unit[ISA_UNIT_HALF] : 0;
  const double rows = 32.0 / m->lsu_lanes;
  b->lanes += c->lanes;
  raise_bound(&b->bound[BOUND_ISSUE], (double)all / parts);
  raise_bound(&b->bound[BOUND_OPERANDS], (double)(first > read - first ? first : read - first) * beats / parts);
  raise_bound(&b->bound[BOUND_REGISTERS], (double)registers_most(&c->registers) * beats / parts);
  raise_bound(&b->bound[BOUND_ALU], (double)c->unit[ISA_UNIT_ALU] * 32 / m->alu_lanes / parts);
  raise_bound(&b->bound[BOUND_FMA], (double)c->unit[ISA_UNIT_FMA] * 32 / m->fma_lanes / parts);
  raise_bound(&b->bound[BOUND_CVT], (double)c->unit[ISA_UNIT_CVT] * 32 / m->cvt_lanes / parts);
  raise_bound(&b->bound[BOUND_HALF], (double)c->unit[ISA_UNIT_HALF] * beats / parts);
  raise_bound(&b->bound[BOUND_SFU], (double)c->unit[ISA_UNIT_SFU] * heddle_config_sfu_busy(m) / parts);
  raise_bound(&b->bound[BOUND_FP64], (double)c->unit[ISA_UNIT_FP64] * heddle_config_fp64_busy(m) / parts);
  raise_bound(&b->bound[BOUND_TENSOR], (double)c->hmma * m->tensor_cycles / parts);
  raise_bound(&b->bound[BOUND_ROWS], (double)c->unit[ISA_UNIT_MEM] * rows);
  raise_bound(&b->bound[BOUND_SHARED], (double)c->passes);
  raise_bound(&b->bound[BOUND_L1], (double)(m->lsu_lanes == HEDDLE_LANES ? c->reads : c->beats));
  raise_bound(&b->bound[BOUND_CHANNEL], (double)c->to);
  raise_bound(&b->bound[BOUND_CHANNEL], (double)c->from);
}

void bounds_count(const struct bounds_counts *c, struct bounded *b) {
  const struct heddle_config *m = c->machine;
  for (unsigned s = 0; s < m->sms; s++) count_sm(b, &c->sm[s], m);
  for (unsigned k = 0; k < m->l2_banks; k++) {
    raise_bound(&b->bound[BOUND_ATOMICS], (double)c->bank[k].atomics);
    if (m->l2_bytes != 0) raise_bound(&b->bound[BOUND_BANK], (double)c->bank[k].rows);
  }
}

enum bound bounds_holds(const struct bounded *b) {
  enum bound best = BOUND_ISSUE;
  for (unsigned i = 0; i < BOUND_LATENCY; i++)
    if (b->bound[i] > b->bound[best]) best = (enum bound)i;
  return best;
}

static const char *const bound_names[BOUNDS] = {
    "issue", "operands", "registers", "alu", "fma",     "cvt",  "half", "sfu",   "fp64",   "tensor",
    "rows",  "shared",   "atomics",   "l1",  "channel", "bank", "read", "write", "latency"};

const char *bound_name(enum bound b) {
  return bound_names[b];
}

/* What a kernel took, beside what the machine can give: throughput by counts, latency and concurrency by Little's law
 * (docs/study-bounds.md). */

static double flops_of(const struct profiler *p) {
  double sum = 0;
  struct charge c;
  for (uint32_t i = 0; i < p->places; i++) {
    const struct place *is = &p->place[i];
    if (is->flops + is->warp_flops == 0) continue;
    charge_of_pc(p, i * ISA_STEP, &c);
    sum += (double)c.lanes * (is->flops + is->warp_flops / 32.0);
  }
  return sum;
}

static bool used(const struct profiler *p, unsigned unit) {
  struct charge c;
  for (uint32_t i = 0; i < p->places; i++) {
    if (p->place[i].flops + p->place[i].warp_flops == 0 || p->place[i].unit != unit) continue;
    charge_of_pc(p, i * ISA_STEP, &c);
    if (c.lanes != 0) return true;
  }
  return false;
}

static void add_roof(struct roofline *r, const char *name, double peak) {
  if (r->roofs < ROOFS_MOST && peak > 0) r->roof[r->roofs++] = (struct roof){name, peak};
}

/* A multiply-add is two operations, of halves four; a matrix instruction of 16 x 8 x 16 is 4096. */
static void find_roofs(const struct profiler *p, struct roofline *r) {
  const struct heddle_config *m = p->machine;
  const double parts = (double)m->partitions * m->sms;
  if (!r->flops) {
    add_roof(r, "lanes", parts * m->lanes);
    return;
  }
  if (used(p, ISA_UNIT_FMA)) add_roof(r, "fma", 2 * parts * m->fma_lanes);
  if (used(p, ISA_UNIT_HALF)) add_roof(r, "half", 4 * parts * m->lanes);
  if (used(p, ISA_UNIT_FP64)) add_roof(r, "fp64", 2 * parts * m->fp64_lanes);
  if (used(p, ISA_UNIT_TENSOR) && m->tensor_cycles != 0) add_roof(r, "tensor", 4096 * parts / m->tensor_cycles);
  if (r->roofs == 0) add_roof(r, "sfu", parts * m->sfu_lanes);
}

static void find_bounds(const struct profiler *p, struct roofline *r, const struct charge *all) {
  struct bounded *b = &r->bounded;
  bounds_count(p->bounds, b);
  b->cycles = p->cycles;
  b->bound[BOUND_READ] = (double)p->read_beats / p->machine->axi_ports;
  b->bound[BOUND_WRITE] = (double)p->write_beats / p->machine->axi_ports;
  const uint64_t others = all->cycles[HEDDLE_COUNTER_NOT_SELECTED] + all->cycles[HEDDLE_COUNTER_PIPE] +
                          all->cycles[HEDDLE_COUNTER_MEMORY] + all->cycles[HEDDLE_COUNTER_OTHER];
  const double issued = (double)all->cycles[HEDDLE_COUNTER_ISSUED], there = (double)charge_cycles(all);
  r->warps = there / r->cycles;
  r->slots = (double)p->warps * p->sms;
  if (issued > 0) r->interval = there / issued;
  if (issued > 0) r->own = (there - (double)others) / issued;
  if (r->warps > 0) b->bound[BOUND_LATENCY] = (there - (double)others) / r->warps;
  const double most = b->bound[bounds_holds(b)];
  if (most > 0) r->warps_wanted = r->warps * b->bound[BOUND_LATENCY] / most;
}

void roofline_of(const struct profiler *p, struct roofline *r) {
  struct charge all;
  charge_of_all(p, &all);
  const double flops = flops_of(p), row = p->machine->axi_bits / 8.0, all_ports = p->machine->axi_ports * row;
  *r = (struct roofline){.flops = flops > 0};
  r->work = r->flops ? flops : (double)all.lanes;
  r->cycles = p->cycles != 0 ? (double)p->cycles : 1;
  r->bytes = (double)(p->read_beats + p->write_beats) * row;
  r->bandwidth = 2 * all_ports;
  find_roofs(p, r);
  find_bounds(p, r, &all);
  if (all.requests == 0) return;
  r->latency = (double)all.in_flight / (double)all.requests;
  r->in_flight = (double)all.in_flight / r->cycles;
  const double each = 32.0 * (double)all.sectors / (double)all.requests;
  if (each > 0) r->in_flight_wanted = r->latency * all_ports / each;
}
