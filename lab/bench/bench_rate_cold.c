/* SPDX-License-Identifier: Apache-2.0
 * Straight code that no cache has seen, in heddle bench rate: how fast instructions come from memory. Each launch
 * resets the machine; that of a program less that of one half as long leaves out the start, and what the first line
 * takes. */
#include <stdlib.h>

#include "lab/bench/bench_rate.h"
#include <heddle/asm.h>
#include <heddle/host_regs.h>

#define WORDS 120u    /* of the shorter program; the longer one fits all instruction caches but tiny's */
#define LATENCY 100u  /* cycles until memory answers, unless more are asked for */
#define REGISTERS 16u /* results, in turn */

static const struct {
  const char *name, *what;
  unsigned warps; /* at most */
} rows[RATE_COLD] = {{"cold_one", "one warp, straight code from memory, 100 cycles away", 1},
                     {"cold_eight", "eight warps, the same straight code from memory, 100 cycles away", 8}};

const char *rate_cold_name(unsigned i) {
  return rows[i].name;
}

static struct heddle_program *assemble_cold(const struct heddle_config *c, unsigned words) {
  size_t size = 0;
  char *text = NULL;
  struct heddle_asm_options o = {.size = sizeof o, .message = tool_message, .long_words = true};
  (void)tool_stalls(c->name, o.stall);
  FILE *f = open_memstream(&text, &size);
  if (f == NULL) return NULL;
  fprintf(f, ".kernel cold\n.param u64 data\n");
  for (unsigned i = 0; i < words; i++) fprintf(f, "  IADD3 R%u, RZ, 0x%x, RZ ;\n", i % REGISTERS, i);
  fprintf(f, "  EXIT ;\n.end\n");
  struct heddle_program *p = fclose(f) == 0 ? heddle_assemble(text, size, "bench rate", &o) : NULL;
  free(text);
  return p;
}

/* Cycles and counters of a launch are added, or with `sign` -1 taken off. */
static bool launch_cold(struct runner *r, const struct heddle_config *c, unsigned warps, unsigned words, double sign,
                        struct rate_row *out, int *status) {
  const uint32_t grid[3] = {1, 1, 1}, block[3] = {warps * HEDDLE_LANES, 1, 1};
  struct heddle_program *p = assemble_cold(c, words);
  struct job j = {0};
  struct run_result result = {.status = RUN_BAD_INPUT};
  if (p != NULL && job_add_buffer(&j, NULL, 4, true) &&
      job_build(&j, p, "cold", grid, block, result.message, sizeof result.message))
    runner_run(r, &j, NULL, &result);
  out->cycles += sign * (double)result.cycles;
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) out->share[i] += sign * (double)result.counter[i];
  const bool ok = result.status == RUN_OK;
  *status = ok ? TOOL_OK : run_exit_status(result.status);
  if (result.report != NULL) fputs(result.report, stderr);
  if (!ok) tool_error("bench rate: %s: %s", run_status_name(result.status), result.message);
  job_clear(&j);
  run_result_clear(&result);
  heddle_program_free(p);
  return ok;
}

bool rate_cold(const struct rate_request *q, unsigned i, struct rate_row *out, int *status) {
  const struct heddle_config *c = q->run.config;
  const unsigned warps = c->warps < rows[i].warps ? c->warps : rows[i].warps;
  const unsigned parts = warps < c->partitions ? warps : c->partitions; /* that have one of them */
  const double places = (double)rate_busy(c, RATE_IADD3) / parts;       /* cycles for each instruction */
  struct run_options run = q->run;
  if (run.latency < LATENCY) run.latency = LATENCY;
  *out = (struct rate_row){.name = rows[i].name, .what = rows[i].what, .latency = run.latency};
  struct runner *r = runner_new(&run, status);
  bool ok = r != NULL && launch_cold(r, c, warps, 2 * WORDS, 1, out, status) &&
            launch_cold(r, c, warps, WORDS, -1, out, status);
  if (r != NULL) runner_free(r);
  if (!ok) return false;
  double all = 0;
  for (unsigned k = 0; k < HEDDLE_COUNTERS; k++) all += out->share[k];
  out->limit = out->share[HEDDLE_COUNTER_ISSUED] * places;
  out->issued = out->limit / out->cycles;
  for (unsigned k = 0; k < HEDDLE_COUNTERS; k++) out->share[k] /= all;
  return true;
}
