/* SPDX-License-Identifier: Apache-2.0
 * Kernels for the study of bounds: in lockstep, so that what is counted has been compared. */
#include <stdlib.h>
#include <string.h>

#include "tools/study/bounds_study.h"
#include <heddle/isa.h>
#include <heddle/record.h>
#include <heddle/session.h>
#include "tools/cases/kernel_run.h"

#define ROW 4u /* blocks, one after the other, of which all but the first find warm caches */

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

struct counts {
  bool on;            /* this launch counts */
  unsigned row_bytes; /* of the bus */
  struct of_sm *sm;   /* 256 */
  struct of_bank bank[256];
};

struct into {
  const struct bounds_request *q;
  struct bounded *b;
  struct counts counts;
};

/* Rows of the bus in which a sector's bytes are touched. */
static unsigned rows_of(uint32_t bytes, unsigned row_bytes) {
  const uint32_t row = row_bytes >= 32 ? UINT32_MAX : (1u << row_bytes) - 1;
  unsigned n = 0;
  for (unsigned at = 0; at < 32; at += row_bytes) n += (bytes >> at & row) != 0;
  return n;
}

/* Atomics bring a lane a beat; loads and fills bring whole sectors to the SM. */
static void look_global(struct counts *c, const struct heddle_record_global *g) {
  struct of_sm *sm = &c->sm[g->id.sm];
  struct of_bank *bank = &c->bank[g->bank];
  const unsigned lanes = (unsigned)__builtin_popcount(g->lanes), all = rows_of(UINT32_MAX, c->row_bytes);
  const bool store = g->access == HEDDLE_RECORD_STORE || g->access == HEDDLE_RECORD_LOCAL_STORE;
  if (g->access == HEDDLE_RECORD_ATOMIC) {
    bank->atomics += lanes;
    sm->from += lanes;
  } else if (store) {
    bank->rows += rows_of(g->wstrb, c->row_bytes);
    sm->from += rows_of(g->wstrb, c->row_bytes);
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

static void look(void *ctx, const struct heddle_model *m, const struct heddle_launch *l,
                 const struct heddle_retire_record *r) {
  struct counts *c = ctx;
  (void)m;
  (void)l;
  if (r == NULL || !c->on) return;
  const unsigned all = rows_of(UINT32_MAX, c->row_bytes);
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

static struct heddle_session *open_session(struct into *to, const struct job *j, char *why, size_t n) {
  const struct run_options *o = &to->q->run;
  const struct heddle_session_config c = {.size = sizeof c,
                                          .mode = HEDDLE_SESSION_LOCKSTEP,
                                          .config = o->config_name,
                                          .scoreboard = o->scoreboard,
                                          .its = o->its,
                                          .sched = o->sched,
                                          .seed = o->seed,
                                          .latency = o->latency,
                                          .max_cycles = o->max_cycles,
                                          .memory_base = j->mem_base,
                                          .memory_bytes = j->mem_bytes,
                                          .observe = look,
                                          .observe_ctx = &to->counts};
  return heddle_session_open(&c, why, n);
}

static bool run(struct heddle_session *s, const struct job *j, const struct heddle_launch *l,
                struct heddle_session_result *r, char *why, size_t n) {
  memset(heddle_session_memory(s), 0, j->mem_bytes);
  job_store_inputs(j, heddle_session_memory(s));
  if (heddle_session_run(s, l, r) == HEDDLE_SESSION_OK) return true;
  snprintf(why, n, "%s: %.300s", heddle_session_outcome_name(r->outcome), r->message);
  return false;
}

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

/* How many blocks of a launch the machine holds at a time; one at least: it ran. */
static unsigned resident(const struct heddle_config *m, const struct heddle_launch *l, unsigned warps) {
  const unsigned places = least(m->warps, m->partitions * (m->regs / m->partitions / (l->regs != 0 ? l->regs : 1)));
  const unsigned shared = l->shared_bytes != 0 ? m->shared_bytes / l->shared_bytes : m->blocks;
  const unsigned blocks = least(least(m->blocks, places / warps), shared);
  return blocks != 0 ? blocks : 1;
}

/* The first blocks of a launch, n at most along one side of its grid. */
static struct heddle_launch first_blocks(const struct heddle_launch *l, unsigned n) {
  struct heddle_launch some = *l;
  const unsigned side = l->grid[0] > 1 ? 0 : l->grid[1] > 1 ? 1 : 2;
  for (unsigned i = 0; i < 3; i++) some.grid[i] = i == side ? least(n, l->grid[i]) : 1;
  return some;
}

/* What a block takes alone: the first one, for which every cache is cold, and those after it. */
struct alone {
  double first, later;
};

/* Blocks that want all shared memory come one after the other. */
static bool measure_alone(struct heddle_session *s, const struct job *j, const struct heddle_config *m, struct alone *a,
                          struct heddle_session_result *last, char *why, size_t n) {
  struct heddle_launch one = first_blocks(&j->launch, 1), row = first_blocks(&j->launch, ROW);
  const unsigned more = row.grid[0] * row.grid[1] * row.grid[2] - 1;
  if (!run(s, j, &one, last, why, n)) return false;
  a->first = a->later = (double)last->cycles;
  row.shared_bytes = m->shared_bytes;
  if (more == 0) return true;
  if (!run(s, j, &row, last, why, n)) return false;
  a->later = ((double)last->cycles - a->first) / more;
  return true;
}

/* Of blocks that are there at the same time each waits for itself alone; rounds of them follow each other. */
static void add_latency(struct bounded *b, const struct heddle_config *m, const struct heddle_launch *l,
                        const struct alone *a) {
  const uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
  const unsigned warps = (l->block[0] * l->block[1] * l->block[2] + HEDDLE_LANES - 1) / HEDDLE_LANES;
  const unsigned together = resident(m, l, warps) * m->sms;
  const uint64_t rounds = (blocks + together - 1) / together;
  b->bound[BOUND_LATENCY] += a->first + (double)(rounds - 1) * a->later;
  b->warps = warps * (blocks < together ? (unsigned)blocks : together);
  b->slots = m->warps * m->sms;
}

static bool launch(void *ctx, unsigned number, const struct job *j, uint8_t *image, char *why, size_t n) {
  struct into *to = ctx;
  (void)number;
  struct heddle_session *s = open_session(to, j, why, n);
  if (s == NULL) return false;
  const struct heddle_config *m = to->q->run.config;
  struct heddle_session_result before, all;
  struct alone alone;
  to->counts.on = false;
  bool ok = measure_alone(s, j, m, &alone, &before, why, n);
  to->counts.on = true;
  for (unsigned k = 0; k < m->sms; k++) {
    to->counts.sm[k].registers.banks = m->banks;
    registers_begin(&to->counts.sm[k].registers);
  }
  ok = ok && run(s, j, &j->launch, &all, why, n);
  if (ok) {
    const double reads = (double)(all.memory.read_beats - before.memory.read_beats),
                 writes = (double)(all.memory.write_beats - before.memory.write_beats);
    to->b->cycles += all.cycles;
    to->b->issued += all.insns;
    to->b->bytes += (uint64_t)(reads + writes) * m->axi_bits / 8;
    to->b->bound[BOUND_READ] += reads;
    to->b->bound[BOUND_WRITE] += writes;
    add_latency(to->b, m, &j->launch, &alone);
    memcpy(image, heddle_session_memory(s), j->mem_bytes);
  }
  (void)heddle_session_close(s);
  return ok;
}

static void most(double *bound, double cycles) {
  if (cycles > *bound) *bound = cycles;
}

/* What the counts of an SM are in cycles, if nothing else were there. */
static void count_sm(struct bounded *b, const struct of_sm *c, const struct heddle_config *m) {
  uint64_t all = 0;
  for (unsigned u = 0; u < ISA_UNIT_COUNT; u++) all += c->unit[u];
  const double parts = m->partitions, beats = m->beats;
  const uint64_t read = all - c->unit[ISA_UNIT_BR] - c->unit[ISA_UNIT_UNI];
  const double rows = 32.0 / m->lsu_lanes;
  b->lanes += c->lanes;
  most(&b->bound[BOUND_ISSUE], (double)all / parts);
  most(&b->bound[BOUND_OPERANDS], (double)read * beats / parts);
  most(&b->bound[BOUND_REGISTERS], (double)registers_most(&c->registers) * beats / parts);
  most(&b->bound[BOUND_ALU], (double)c->unit[ISA_UNIT_ALU] * 32 / m->alu_lanes / parts);
  most(&b->bound[BOUND_FMA], (double)c->unit[ISA_UNIT_FMA] * 32 / m->fma_lanes / parts);
  most(&b->bound[BOUND_CVT], (double)c->unit[ISA_UNIT_CVT] * 32 / m->cvt_lanes / parts);
  most(&b->bound[BOUND_HALF], (double)c->unit[ISA_UNIT_HALF] * beats / parts);
  most(&b->bound[BOUND_SFU], (double)c->unit[ISA_UNIT_SFU] * heddle_config_sfu_busy(m) / parts);
  most(&b->bound[BOUND_FP64], (double)c->unit[ISA_UNIT_FP64] * heddle_config_fp64_busy(m) / parts);
  most(&b->bound[BOUND_TENSOR], (double)c->hmma * m->tensor_cycles / parts);
  most(&b->bound[BOUND_ROWS], (double)c->unit[ISA_UNIT_MEM] * rows);
  most(&b->bound[BOUND_SHARED], (double)c->passes);
  most(&b->bound[BOUND_L1], (double)(m->lsu_lanes == HEDDLE_LANES ? c->reads : c->beats));
  most(&b->bound[BOUND_CHANNEL], (double)c->to);
  most(&b->bound[BOUND_CHANNEL], (double)c->from);
}

static void count(struct bounded *b, const struct counts *c, const struct heddle_config *m) {
  for (unsigned s = 0; s < m->sms; s++) count_sm(b, &c->sm[s], m);
  for (unsigned k = 0; k < m->l2_banks; k++) {
    most(&b->bound[BOUND_ATOMICS], (double)c->bank[k].atomics);
    if (m->l2_bytes != 0) most(&b->bound[BOUND_BANK], (double)c->bank[k].rows);
  }
}

enum bound bounds_holds(const struct bounded *b) {
  enum bound best = BOUND_ISSUE;
  for (unsigned i = 0; i < BOUND_LATENCY; i++)
    if (b->bound[i] > b->bound[best]) best = (enum bound)i;
  return best;
}

/* A count that a run went below is a count that is wrong. */
static bool possible(const struct bounded *b, char *why, size_t n) {
  const enum bound holds = bounds_holds(b);
  if ((double)b->cycles >= b->bound[holds]) return true;
  snprintf(why, n, "%llu cycles, but %s alone takes %.0f: the bound is wrong", (unsigned long long)b->cycles,
           bound_name(holds), b->bound[holds]);
  return false;
}

int bounds_kernel(const struct bounds_request *q, const struct kernel_info *k, const char *dir, struct bounded *b) {
  char why[1024] = "no memory";
  const enum kernel_form form = kernel_has(k, KERNEL_ASM) ? KERNEL_ASM : KERNEL_PTX;
  struct into to = {.q = q, .b = b, .counts.row_bytes = q->run.config->axi_bits / 8};
  struct heddle_machine is;
  run_machine(&q->run, &is);
  snprintf(b->name, sizeof b->name, form == KERNEL_ASM ? "%s" : "%s.%s", k->name, kernel_form_name(form));
  struct source_options with = run_source(&q->run);
  with.level = 1;
  struct heddle_program *p = kernel_program(dir, k, form, &with);
  if (p == NULL) return TOOL_USAGE;
  struct kernel_case *c = malloc(sizeof *c);
  to.counts.sm = calloc(256, sizeof *to.counts.sm);
  bool ok = c != NULL && to.counts.sm != NULL && kernel_prepare(k, form, q->run.seed * 1000, (unsigned)q->scale, c);
  if (ok && !kernel_lacks(&is, p, c, b->lacks, sizeof b->lacks)) {
    ok = kernel_case_run(p, c, launch, &to, why, sizeof why);
    count(b, &to.counts, q->run.config);
    ok = ok && possible(b, why, sizeof why);
  }
  if (c != NULL) kernel_case_clear(c);
  free(c);
  free(to.counts.sm);
  heddle_program_free(p);
  if (!ok) tool_error("%s: %s", b->name, why);
  return ok ? TOOL_OK : TOOL_DIFFERENCE;
}
