/* SPDX-License-Identifier: Apache-2.0
 * A figure of heddle bench rate: four launches and their second difference. */
#include <stdlib.h>

#include "bench_rate.h"
#include "heddle/asm.h"
#include "heddle/host_regs.h"

/* Cycles and counters of a launch, or of a difference of two. */
struct counted {
  int64_t cycles, counter[RUN_COUNTERS];
};

/* The same of one trip of one warp: of all of them, divided by how many there were. */
struct trip {
  double cycles, counter[RUN_COUNTERS];
};

static struct counted less(const struct counted *a, const struct counted *b) {
  struct counted d = {.cycles = a->cycles - b->cycles};
  for (unsigned i = 0; i < RUN_COUNTERS; i++) d.counter[i] = a->counter[i] - b->counter[i];
  return d;
}

static struct heddle_program *assemble(const struct rate_request *q, const struct rate_shape *s, unsigned units) {
  size_t size = 0;
  struct heddle_asm_options o = {.message = tool_message};
  char *text = rate_text(q->run.config, s, units, &size);
  struct heddle_program *p = NULL;
  (void)tool_stalls(q->run.config->name, o.stall);
  if (text != NULL) p = heddle_assemble(text, size, "bench rate", &o);
  free(text);
  return p;
}

static bool launch(struct runner *r, const struct heddle_program *p, const struct rate_shape *s, unsigned units,
                   unsigned trips, struct counted *out, int *status) {
  const uint32_t grid[3] = {1, 1, 1}, block[3] = {s->warps * HEDDLE_LANES, 1, 1};
  struct job j = {0};
  struct run_result result = {.status = RUN_BAD_INPUT};
  const uint64_t bytes = s->body == RATE_LDG ? (uint64_t)units * block[0] * 4 : 4;
  if (job_add_buffer(&j, NULL, bytes, false) && job_add_scalar(&j, trips, 4) &&
      job_build(&j, p, "rate", grid, block, result.message, sizeof result.message))
    runner_run(r, &j, NULL, &result);
  out->cycles = (int64_t)result.cycles;
  for (unsigned i = 0; i < RUN_COUNTERS; i++) out->counter[i] = result.counter[i];
  if (result.report != NULL) fputs(result.report, stderr);
  const bool ended = result.status == RUN_TRAP && result.trap.pc == rate_end(p);
  if (!ended) tool_error("bench rate: %s: %s", run_status_name(result.status), result.message);
  *status = ended ? TOOL_OK : TOOL_DIFFERENCE;
  if (!ended && result.status != RUN_OK) *status = run_exit_status(result.status);
  job_clear(&j);
  run_result_clear(&result);
  return *status == TOOL_OK;
}

/* What a trip of a body costs, from the difference between `trips` of the fastest warp and twice as many. */
static bool trip_cost(struct runner *r, const struct rate_request *q, const struct rate_shape *s, unsigned units,
                      unsigned trips, struct trip *out, int *status) {
  struct counted once, twice;
  struct heddle_program *p = assemble(q, s, units);
  *status = TOOL_USAGE;
  const bool ok =
      p != NULL && launch(r, p, s, units, trips, &once, status) && launch(r, p, s, units, 2 * trips, &twice, status);
  heddle_program_free(p);
  if (!ok) return false;
  const struct counted d = less(&twice, &once);
  const double made = (double)d.counter[HEDDLE_COUNTER_ISSUED] / rate_trip_insns(units);
  out->cycles = (double)d.cycles / made;
  for (unsigned i = 0; i < RUN_COUNTERS; i++) out->counter[i] = (double)d.counter[i] / made;
  return true;
}

bool rate_measure(struct runner *r, const struct rate_request *q, const struct rate_shape *s, unsigned trips,
                  struct rate_figure *out, int *status) {
  struct trip whole, half;
  const unsigned units = rate_units(q->run.config, s->body), fewer = units / 2;
  if (!trip_cost(r, q, s, units, trips, &whole, status) || !trip_cost(r, q, s, fewer, trips, &half, status))
    return false;
  double all = 0;
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) all += whole.counter[i] - half.counter[i];
  out->cycles = (whole.cycles - half.cycles) / (units - fewer);
  for (unsigned i = 0; i < RUN_COUNTERS; i++) out->share[i] = all > 0 ? (whole.counter[i] - half.counter[i]) / all : 0;
  return true;
}
