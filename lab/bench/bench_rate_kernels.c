/* SPDX-License-Identifier: Apache-2.0
 * Whole kernels in heddle bench rate: the multiply-adds that their results need, against what the lanes could do. */
#include <stdlib.h>

#include "lab/bench/bench_rate.h"
#include "run/command/tool.h"
#include <heddle/host_regs.h>
#include "run/cases/kernel_run.h"

static const struct {
  const char *name, *kernel, *what;
  enum kernel_form form; /* of the program; the case is always that of the one by hand, so that figures compare */
  bool cube;             /* the fourth argument is the size of square matrices; else m, n, k are the fourth to sixth */
  unsigned larger;       /* added to the scale: a figure that compares wants 128 x 128 x 128 at least */
} rows[RATE_KERNELS] = {
    {"sgemm", "sgemm", "by hand, 2 results a thread", KERNEL_ASM, true, 0},
    {"sgemm8x8", "sgemm8x8", "by hand, 8 x 8 results a thread, whole tiles", KERNEL_ASM, false, 1},
    {"sgemm8x8_ptx", "sgemm8x8", "compiled, 8 x 8 results a thread, whole tiles", KERNEL_PTX, false, 1}};

const char *rate_kernel_name(unsigned i) {
  return rows[i].name;
}

/* Multiply-adds of the products that the launches of a case ask for: n^3, or m n k. */
static double multiply_adds(bool cube, const struct kernel_case *c) {
  double sum = 0;
  for (unsigned i = 0; i < c->launches; i++) {
    const struct kernel_arg *a = c->launch[i].arg;
    const double first = (double)a[3].scalar;
    sum += cube ? first * first * first : first * (double)a[4].scalar * (double)a[5].scalar;
  }
  return sum;
}

bool rate_kernel_fits(const struct heddle_config *m, const struct heddle_program *p, const struct kernel_case *c,
                      char *why, size_t n) {
  if (rtl_lack(p, heddle_config_units(m), why, n) > 0) {
    snprintf(why, n, "the machine lacks instructions of it");
    return false;
  }
  for (unsigned i = 0; i < c->launches; i++) {
    const struct kernel_launch *l = &c->launch[i];
    const struct heddle_kernel *k = heddle_program_kernel(p, l->entry);
    const unsigned warps = (l->block[0] * l->block[1] * l->block[2] + HEDDLE_LANES - 1) / HEDDLE_LANES;
    if (k != NULL && warps <= m->warps && warps * k->regs <= m->regs && k->shared_bytes <= m->shared_bytes) continue;
    snprintf(why, n, "a block takes %u registers, %u bytes shared", k != NULL ? warps * k->regs : 0,
             k != NULL ? k->shared_bytes : 0);
    return false;
  }
  return true;
}

static void fill_kernel_row(const struct heddle_config *m, const struct kernel_totals *t, struct rate_row *out) {
  double all = 0;
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) all += (double)t->counter[i];
  out->cycles = (double)t->cycles;
  out->issued = (double)t->counter[HEDDLE_COUNTER_ISSUED] * m->beats / ((double)t->cycles * m->partitions);
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) out->share[i] = all > 0 ? (double)t->counter[i] / all : 0;
}

bool rate_kernel(struct runner *r, const struct rate_request *q, unsigned i, struct rate_row *out, int *status) {
  const struct heddle_config *m = q->run.config;
  const struct kernel_info *k = kernel_find(rows[i].kernel);
  const struct source_options with = {
      .target = HEDDLE_PTX_TARGET_RTL, .level = 1, .units = heddle_config_units(m), .config = m->name};
  struct kernel_case c = {0};
  struct kernel_totals t = {0};
  char folder[4096], why[512] = "out of memory";
  *out = (struct rate_row){.name = rows[i].name, .what = rows[i].what};
  *status = TOOL_MISSING;
  if (!data_path("kernels", folder, sizeof folder)) return false;
  *status = TOOL_USAGE;
  struct heddle_program *p = kernel_program(folder, k, rows[i].form, &with);
  bool ok = p != NULL && kernel_prepare(k, KERNEL_ASM, 1, (unsigned)q->scale + rows[i].larger, &c);
  if (ok && rate_kernel_fits(m, p, &c, out->missing, sizeof out->missing)) {
    ok = kernel_run(r, p, &c, &t, why, sizeof why);
    if (!ok) *status = TOOL_DIFFERENCE;
    if (!ok) tool_error("bench rate: %s: %s", rows[i].name, why);
    out->limit = multiply_adds(rows[i].cube, &c) / (m->fma_lanes * m->partitions);
    if (ok) fill_kernel_row(m, &t, out);
  }
  kernel_case_clear(&c);
  heddle_program_free(p);
  if (ok) *status = TOOL_OK;
  return ok;
}
