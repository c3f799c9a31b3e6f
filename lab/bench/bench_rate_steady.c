/* SPDX-License-Identifier: Apache-2.0
 * sgemm8x8 in the steady state, in heddle bench rate. The machine is given exactly the blocks that it holds at a time,
 * a square of results each, and runs twice: products of DEPTH terms and of twice as many. Launch, first tiles and the
 * stores of results are the same in both; what differs is DEPTH terms a result, and the cycles for them. */
#include "base/minmax.h"
#include "lab/bench/bench_rate.h"
#include "firmware/kernels/case.h"
#include "run/command/tool.h"
#include <heddle/host_regs.h>

#define DEPTH 64u
#define SIDE 64u /* results of a block, each way */
#define WARPS 2u /* of a block */

/* Blocks that are there at a time. A partition's registers are a part of the SM's, and each warp lies in one. */
static unsigned resident(const struct heddle_config *m, const struct heddle_kernel *k) {
  const unsigned in_partition = m->regs / m->partitions / k->regs;
  const unsigned warps = min_u32(in_partition * m->partitions, m->warps) / WARPS;
  return min_u32(min_u32(warps, m->blocks), m->shared_bytes / k->shared_bytes);
}

/* As square as that number of blocks can be. */
static unsigned rows_of_blocks(unsigned blocks) {
  unsigned rows = 1;
  for (unsigned r = 2; r * r <= blocks; r++)
    if (blocks % r == 0) rows = r;
  return rows;
}

static void fill_floats(float *to, size_t count, float value) {
  for (size_t i = 0; i < count; i++) to[i] = value;
}

/* Of ones, so that each result is the depth. */
static bool make_product(struct kernel_case *c, unsigned blocks, unsigned depth) {
  const size_t m = (size_t)SIDE * rows_of_blocks(blocks), n = (size_t)SIDE * (blocks / rows_of_blocks(blocks));
  uint64_t noise = 1;
  float *a = case_buffer(c, CASE_IN, m * depth * sizeof *a), *b = case_buffer(c, CASE_IN, n * depth * sizeof *b);
  (void)case_buffer(c, CASE_OUT, m * n * sizeof *a);
  if (!case_has_memory(c)) return false;
  fill_floats(a, m * depth, 1.0f);
  fill_floats(b, n * depth, 1.0f);
  case_seal(c, &noise);
  fill_floats(case_expect(c, 2), m * n, (float)depth);
  struct kernel_launch *l = case_launch(c, "sgemm8x8");
  launch_plane(l, (uint32_t)n / 8, (uint32_t)m / 8, 8, 8);
  for (unsigned i = 0; i < 3; i++) launch_buffer(l, i);
  launch_u32(l, (uint32_t)m);
  launch_u32(l, (uint32_t)n);
  launch_u32(l, depth);
  launch_float(l, 1.0f);
  launch_float(l, 0.0f);
  return true;
}

/* One of the two runs. A machine that cannot: *t is left alone and the row says why. */
static bool run_products(struct runner *r, const struct rate_request *q, const struct heddle_program *p, unsigned depth,
                         struct kernel_totals *t, struct rate_row *out, int *status) {
  char why[512] = "out of memory";
  struct kernel_case c = {0};
  const struct heddle_kernel *k = heddle_program_kernel(p, "sgemm8x8");
  bool ok = k != NULL && make_product(&c, 1, depth);
  const bool fits = ok && rate_kernel_fits(q->run.config, p, &c, out->missing, sizeof out->missing);
  if (fits) {
    kernel_case_clear(&c);
    c = (struct kernel_case){0};
    ok = make_product(&c, resident(q->run.config, k), depth) && kernel_run(r, p, &c, t, why, sizeof why);
  }
  kernel_case_clear(&c);
  *status = ok ? TOOL_OK : TOOL_DIFFERENCE;
  if (!ok) tool_error("bench rate: %s: %s", out->name, why);
  return ok;
}

static void fill_steady_row(const struct heddle_config *m, const struct kernel_totals *once,
                            const struct kernel_totals *twice, unsigned blocks, struct rate_row *out) {
  double all = 0;
  out->cycles = (double)twice->cycles - (double)once->cycles;
  out->limit = (double)blocks * SIDE * SIDE * DEPTH / (m->fma_lanes * m->partitions);
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++)
    all += out->share[i] = (double)twice->counter[i] - (double)once->counter[i];
  out->issued = out->share[HEDDLE_COUNTER_ISSUED] * m->beats / (out->cycles * m->partitions);
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) out->share[i] /= all;
}

bool rate_steady(struct runner *r, const struct rate_request *q, struct rate_row *out, int *status) {
  const struct heddle_config *m = q->run.config;
  const struct source_options with = {
      .target = HEDDLE_PTX_TARGET_RTL, .level = 1, .units = heddle_config_units(m), .config = m->name};
  struct kernel_totals once = {0}, twice = {0};
  char folder[4096];
  *status = TOOL_MISSING;
  if (!data_path("kernels", folder, sizeof folder)) return false;
  *status = TOOL_USAGE;
  struct heddle_program *p = kernel_program(folder, kernel_find("sgemm8x8"), KERNEL_ASM, &with);
  const bool ok = p != NULL && run_products(r, q, p, DEPTH, &once, out, status) &&
                  (out->missing[0] != '\0' || run_products(r, q, p, 2 * DEPTH, &twice, out, status));
  if (ok && out->missing[0] == '\0')
    fill_steady_row(m, &once, &twice, resident(m, heddle_program_kernel(p, "sgemm8x8")), out);
  heddle_program_free(p);
  return ok;
}
