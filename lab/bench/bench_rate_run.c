/* SPDX-License-Identifier: Apache-2.0
 * A figure of heddle bench rate: four launches and their second difference. */
#include <stdlib.h>

#include "lab/bench/bench_rate.h"
#include <heddle/asm.h>
#include <heddle/host_regs.h>

/* Cycles and counters of a launch, or of a difference of two. */
struct counted {
  int64_t cycles, counter[RUN_COUNTERS];
};

/* How often the body is gone through, and whether the first warp that is done ends the grid. */
struct trips {
  unsigned number;
  bool stop;
};

static struct counted less(const struct counted *a, const struct counted *b) {
  struct counted d = {.cycles = a->cycles - b->cycles};
  for (unsigned i = 0; i < RUN_COUNTERS; i++) d.counter[i] = a->counter[i] - b->counter[i];
  return d;
}

static struct heddle_program *assemble_shape(const struct rate_request *q, const struct rate_shape *s, unsigned units) {
  size_t size = 0;
  struct heddle_asm_options o = {.size = sizeof o, .message = tool_message, .long_words = true};
  char *text = rate_text(q->run.config, s, units, &size);
  struct heddle_program *p = NULL;
  (void)tool_stalls(q->run.config->name, o.stall);
  if (text != NULL) p = heddle_assemble(text, size, "bench rate", &o);
  free(text);
  return p;
}

static bool ended_well(const struct run_result *r, const struct heddle_program *p, bool stop) {
  return stop ? r->status == RUN_TRAP && r->trap.pc == rate_end(p) : r->status == RUN_OK;
}

static bool launch_trips(struct runner *r, const struct heddle_program *p, const struct rate_shape *s, unsigned units,
                         struct trips t, struct counted *out, int *status) {
  const uint32_t grid[3] = {1, 1, 1}, block[3] = {s->warps * HEDDLE_LANES, 1, 1};
  struct job j = {0};
  struct run_result result = {.status = RUN_BAD_INPUT};
  const uint64_t bytes = rate_stream(s->body) != NULL ? rate_stream_bytes(s, units)
                                                      : (s->body == RATE_LDG ? (uint64_t)units : 1) * block[0] * 4;
  if (job_add_buffer(&j, NULL, bytes, s->body != RATE_LDG && s->body != RATE_READ) && job_add_scalar(&j, t.number, 4) &&
      job_add_scalar(&j, t.stop, 4) && job_build(&j, p, "rate", grid, block, result.message, sizeof result.message))
    runner_run(r, &j, NULL, &result);
  out->cycles = (int64_t)result.cycles;
  for (unsigned i = 0; i < RUN_COUNTERS; i++) out->counter[i] = (int64_t)result.counter[i];
  const bool ok = ended_well(&result, p, t.stop);
  *status = ok ? TOOL_OK : result.status == RUN_OK ? TOOL_DIFFERENCE : run_exit_status(result.status);
  if (result.report != NULL) fputs(result.report, stderr);
  if (!ok) tool_error("bench rate: %s: %s", run_status_name(result.status), result.message);
  job_clear(&j);
  run_result_clear(&result);
  return ok;
}

/* What as many trips again cost. */
static bool again(struct runner *r, const struct heddle_program *p, const struct rate_shape *s, unsigned units,
                  struct trips t, struct counted *out, int *status) {
  struct counted once, twice;
  const struct trips more = {2 * t.number, t.stop};
  if (!launch_trips(r, p, s, units, t, &once, status) || !launch_trips(r, p, s, units, more, &twice, status))
    return false;
  *out = less(&twice, &once);
  return true;
}

/* Cycles of the SM for one trip of one warp, and the shares of all warps' time. The grid ends while all warps are
 * there; but event counters run on until the host sees that, so the shares come from launches that end by themselves.
 */
static bool measure_trip(struct runner *r, const struct rate_request *q, const struct rate_shape *s, unsigned units,
                         unsigned trips, double *cycles, double *share, int *status) {
  const struct trips stop = {trips, s->warps > 1}, whole = {trips, false};
  struct counted d;
  struct heddle_program *p = assemble_shape(q, s, units);
  *status = TOOL_USAGE;
  bool ok = p != NULL && again(r, p, s, units, stop, &d, status);
  if (ok) *cycles = (double)d.cycles * rate_trip_insns(s->body, units) / (double)d.counter[HEDDLE_COUNTER_ISSUED];
  if (ok && share != NULL && stop.stop) ok = again(r, p, s, units, whole, &d, status);
  heddle_program_free(p);
  double all = 0;
  for (unsigned i = 0; ok && share != NULL && i < HEDDLE_COUNTERS; i++) all += (double)d.counter[i];
  for (unsigned i = 0; ok && share != NULL && i < RUN_COUNTERS; i++) share[i] = (double)d.counter[i] / all;
  return ok;
}

bool rate_measure(struct runner *r, const struct rate_request *q, const struct rate_shape *s, unsigned trips,
                  struct rate_figure *out, int *status) {
  double whole, half;
  const unsigned units = rate_units(q->run.config, s->body), fewer = units / 2;
  double *share = q->little ? NULL : out->share;
  if (!measure_trip(r, q, s, units, trips, &whole, share, status) ||
      !measure_trip(r, q, s, fewer, trips, &half, NULL, status))
    return false;
  out->cycles = (whole - half) / (units - fewer);
  return true;
}
