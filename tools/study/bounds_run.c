/* SPDX-License-Identifier: Apache-2.0
 * Kernels for the study of bounds: in lockstep, so that what is counted has been compared. */
#include <stdlib.h>
#include <string.h>

#include "bounds_study.h"
#include "heddle/hazard.h"
#include "heddle/isa.h"
#include "heddle/record.h"
#include "heddle/session.h"
#include "kernel_run.h"

#define SLOTS (256u * 256u) /* of SMs, of warps of each */
#define ROW 4u              /* blocks, one after the other, of which all but the first find warm caches */

/* What a warp's reuse cache has: a register for each of the places a, b, c; ISA_RZ: none. */
struct kept {
  uint8_t reg[3];
};

struct counts {
  bool on;        /* this launch counts */
  unsigned banks; /* of a partition's register file */
  uint64_t bank[32];
  struct kept *kept; /* by SM and warp slot */
  uint64_t unit[ISA_UNIT_COUNT], hmma, lanes;
  uint64_t passes, atomics; /* of shared memory; lanes of atomics at the point of order */
};

struct into {
  const struct bounds_request *q;
  struct bounded *b;
  struct counts counts;
};

static void read_bank(void *ctx, unsigned place) {
  struct counts *c = ctx;
  if (place < ISA_RZ) c->bank[place % c->banks]++;
}

static void give_up(void *ctx, unsigned place) {
  struct kept *k = ctx;
  for (unsigned i = 0; i < 3; i++)
    if (k->reg[i] == place) k->reg[i] = ISA_RZ;
}

/* Registers that an instruction reads from their banks: all, but for those that one before it has left (isa/doc/01). */
static void count_banks(struct counts *c, const struct isa_dec *d, struct kept *k) {
  hazard_each_source(d, read_bank, c);
  for (unsigned i = 0; i < 3; i++) {
    const struct isa_src *s = &d->src[i];
    if (s->kind != ISA_REG || s->words != 1 || s->reg == ISA_RZ) continue;
    if (k->reg[i] == s->reg)
      c->bank[s->reg % c->banks]--;
    else if (d->ctl.reuse >> i & 1)
      k->reg[i] = s->reg;
  }
  hazard_each_reg_result(d, give_up, k);
}

static void look(void *ctx, const struct heddle_model *m, const struct heddle_launch *l,
                 const struct retire_record *r) {
  struct counts *c = ctx;
  struct isa_dec d;
  (void)m;
  (void)l;
  if (r == NULL || !c->on) return;
  c->passes += r->kind == RECORD_SHARED;
  if (r->kind == RECORD_GLOBAL && r->u.global.access == RECORD_ATOMIC)
    c->atomics += (unsigned)__builtin_popcount(r->u.global.lanes);
  if (r->kind != RECORD_ISSUE) return;
  const struct record_issue *i = &r->u.issue;
  if (!isa_decode((struct isa_word){.lo = i->word[0], .hi = i->word[1]}, &d)) return;
  c->unit[d.unit]++;
  c->hmma += d.op == ISA_OP_HMMA_16816_F32 || d.op == ISA_OP_HMMA_16816_F16;
  c->lanes += (unsigned)__builtin_popcount(i->exec);
  if (d.unit != ISA_UNIT_BR && d.unit != ISA_UNIT_UNI) count_banks(c, &d, &c->kept[256u * i->id.sm + i->id.slot]);
}

static struct session *open_session(struct into *to, const struct job *j, char *why, size_t n) {
  const struct run_options *o = &to->q->run;
  const struct session_config c = {.size = sizeof c,
                                   .mode = SESSION_LOCKSTEP,
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
  return session_open(&c, why, n);
}

static bool run(struct session *s, const struct job *j, const struct heddle_launch *l, struct session_result *r,
                char *why, size_t n) {
  memset(session_memory(s), 0, j->mem_bytes);
  job_store_inputs(j, session_memory(s));
  if (session_run(s, l, r) == SESSION_OK) return true;
  snprintf(why, n, "%s: %.300s", session_outcome_name(r->outcome), r->message);
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
static bool measure_alone(struct session *s, const struct job *j, const struct heddle_config *m, struct alone *a,
                          struct session_result *last, char *why, size_t n) {
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
  const unsigned together = resident(m, l, warps);
  const uint64_t rounds = (blocks + together - 1) / together;
  b->bound[BOUND_LATENCY] += a->first + (double)(rounds - 1) * a->later;
  b->warps = warps * (blocks < together ? (unsigned)blocks : together);
  b->slots = m->warps;
}

static bool launch(void *ctx, unsigned number, const struct job *j, uint8_t *image, char *why, size_t n) {
  struct into *to = ctx;
  (void)number;
  struct session *s = open_session(to, j, why, n);
  if (s == NULL) return false;
  const struct heddle_config *m = to->q->run.config;
  struct session_result before, all;
  struct alone alone;
  to->counts.on = false;
  bool ok = measure_alone(s, j, m, &alone, &before, why, n);
  to->counts.on = true;
  memset(to->counts.kept, ISA_RZ, SLOTS * sizeof *to->counts.kept);
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
    memcpy(image, session_memory(s), j->mem_bytes);
  }
  (void)session_close(s);
  return ok;
}

/* What the counts are in cycles, if nothing else were there. */
static void count(struct bounded *b, const struct counts *c, const struct heddle_config *m) {
  uint64_t all = 0, bank = 0;
  for (unsigned i = 0; i < c->banks; i++) bank = c->bank[i] > bank ? c->bank[i] : bank;
  for (unsigned u = 0; u < ISA_UNIT_COUNT; u++) all += c->unit[u];
  const double parts = m->partitions, beats = m->beats;
  const uint64_t read = all - c->unit[ISA_UNIT_BR] - c->unit[ISA_UNIT_UNI];
  const double rows = 32.0 / m->lsu_lanes;
  b->lanes = c->lanes;
  b->bound[BOUND_ISSUE] = (double)all / parts;
  b->bound[BOUND_OPERANDS] = (double)read * beats / parts;
  b->bound[BOUND_BANKS] = (double)bank * beats / parts;
  b->bound[BOUND_ALU] = (double)c->unit[ISA_UNIT_ALU] * 32 / m->alu_lanes / parts;
  b->bound[BOUND_FMA] = (double)c->unit[ISA_UNIT_FMA] * 32 / m->fma_lanes / parts;
  b->bound[BOUND_CVT] = (double)c->unit[ISA_UNIT_CVT] * 32 / m->cvt_lanes / parts;
  b->bound[BOUND_HALF] = (double)c->unit[ISA_UNIT_HALF] * beats / parts;
  b->bound[BOUND_SFU] = (double)c->unit[ISA_UNIT_SFU] * heddle_config_sfu_busy(m) / parts;
  b->bound[BOUND_FP64] = (double)c->unit[ISA_UNIT_FP64] * heddle_config_fp64_busy(m) / parts;
  b->bound[BOUND_TENSOR] = (double)c->hmma * m->tensor_cycles / parts;
  b->bound[BOUND_ROWS] = (double)c->unit[ISA_UNIT_MEM] * rows;
  b->bound[BOUND_SHARED] = (double)c->passes;
  b->bound[BOUND_ATOMICS] = (double)c->atomics;
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
  struct into to = {.q = q, .b = b, .counts.banks = q->run.config->banks};
  struct heddle_machine is;
  run_machine(&q->run, &is);
  snprintf(b->name, sizeof b->name, form == KERNEL_ASM ? "%s" : "%s.%s", k->name, kernel_form_name(form));
  struct source_options with = run_source(&q->run);
  with.level = 1;
  struct heddle_program *p = kernel_program(dir, k, form, &with);
  if (p == NULL) return TOOL_USAGE;
  struct kernel_case *c = malloc(sizeof *c);
  to.counts.kept = malloc(SLOTS * sizeof *to.counts.kept);
  bool ok = c != NULL && to.counts.kept != NULL && kernel_prepare(k, form, q->run.seed * 1000, (unsigned)q->scale, c);
  if (ok && !kernel_lacks(&is, p, c, b->lacks, sizeof b->lacks)) {
    ok = kernel_case_run(p, c, launch, &to, why, sizeof why);
    count(b, &to.counts, q->run.config);
    ok = ok && possible(b, why, sizeof why);
  }
  if (c != NULL) kernel_case_clear(c);
  free(c);
  free(to.counts.kept);
  heddle_program_free(p);
  if (!ok) tool_error("%s: %s", b->name, why);
  return ok ? TOOL_OK : TOOL_DIFFERENCE;
}
