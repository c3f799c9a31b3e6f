/* SPDX-License-Identifier: Apache-2.0
 * Random programs as jobs. */
#include "fuzz_job.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/config.h"
#include "tool.h"

struct random_limits fuzz_limits(const struct run_options *run, const struct random_knobs *knobs) {
  const struct heddle_config *c = run->config;
  struct random_limits l = {.max_threads = c->warps * 32,
                            .max_regs = 255,
                            .max_shared = c->shared_bytes,
                            .warp_regs = c->regs,
                            .units = heddle_config_units(c),
                            .its = run->its,
                            .knobs = knobs};
  tool_stalls(c->name, l.stall);
  return l;
}

bool fuzz_job(struct job *j, const struct heddle_program *program, const struct random_launch *l) {
  char err[512];
  if (!job_add_buffer(j, NULL, l->out_bytes, true) || !job_add_buffer(j, l->input, l->input_bytes, false) ||
      !job_build(j, program, "fuzz", l->grid, l->block, err, sizeof err)) {
    tool_error("%s", j->program ? err : "a random program's buffers are too large");
    return false;
  }
  for (unsigned b = 1; b < 3; b++) {
    j->launch.cbank[b] = l->bank[b];
    j->launch.cbank_bytes[b] = l->bank_bytes[b];
  }
  j->launches = l->launches;
  return true;
}

enum run_status fuzz_expected(const struct random_launch *l, const struct run_result *r, char *why, size_t size) {
  if (l->trap == 0 || (r->status != RUN_OK && r->status != RUN_TRAP)) return r->status;
  if (r->status == RUN_TRAP && r->trap.cause == l->trap) return RUN_OK;
  const char *wanted = heddle_cause_name((enum heddle_cause)l->trap);
  if (r->status == RUN_OK)
    (void)snprintf(why, size, "no trap: the program is meant to end with %s", wanted);
  else
    (void)snprintf(why, size, "trap %s at pc 0x%x: the program is meant to end with %s",
                   heddle_cause_name(r->trap.cause), r->trap.pc, wanted);
  return RUN_DIFFERENCE;
}

bool fuzz_comparable(const struct random_launch *l) {
  return l->trap == 0 && !l->order_dependent;
}

int fuzz_knobs_file(struct random_knobs *k, const char *path) {
  char err[600];
  size_t size;
  uint8_t *text = tool_read_file(path, KNOB_TEXT_MAX, &size);
  if (!text) return TOOL_USAGE;
  const bool good = random_knobs_read(k, (const char *)text, size, path, err, sizeof err);
  free(text);
  if (good) return TOOL_OK;
  (void)fprintf(stderr, "%s\n", err);
  return TOOL_USAGE;
}

int fuzz_knob(struct random_knobs *k, const char *setting) {
  char err[400];
  if (random_knobs_set(k, setting, err, sizeof err)) return TOOL_OK;
  return tool_usage("fuzz", "--knob %s: %s", setting, err);
}
