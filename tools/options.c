/* SPDX-License-Identifier: Apache-2.0
 * Shared options. */
#include "options.h"

#include <stdio.h>
#include <string.h>

#include "cov_run.h"
#include "heddle/host_regs.h"

static const char *const on_names[] = {
    [ON_MODEL] = "model", [ON_RTL] = "rtl", [ON_LOCKSTEP] = "lockstep", [ON_SYSTEMC] = "systemc"};

static const char *const sched_names[] = {[HEDDLE_POLICY_DEFAULT] = "default",
                                          [HEDDLE_POLICY_GTO] = "gto",
                                          [HEDDLE_POLICY_LRR] = "lrr",
                                          [HEDDLE_POLICY_TWO_LEVEL] = "twolevel"};

const char *run_sched_name(const struct run_options *o) {
  return sched_names[o->sched];
}

const char *run_modes_text(const struct run_options *o, char buf[32]) {
  const bool chosen = o->sched != HEDDLE_POLICY_DEFAULT;
  snprintf(buf, 32, "%s%s%s", o->its ? " --div its" : "", chosen ? " --sched " : "", chosen ? run_sched_name(o) : "");
  return buf;
}

const char *run_on_name(enum run_on on) {
  return on_names[on];
}

void run_options_init(struct run_options *o) {
  *o = (struct run_options){.on = ON_LOCKSTEP, .config_name = "fpga", .seed = 1, .jobs = 1};
}

static int take_number(const char *command, const char *name, const char *value, uint64_t most, uint64_t *out) {
  if (tool_number(value, most, out)) return TOOL_OK;
  return tool_usage(command, "--%s %s: expected a number up to %llu", name, value, (unsigned long long)most);
}

static int take_on(struct run_options *o, const char *command, const char *value) {
  for (unsigned i = 0; i < sizeof on_names / sizeof *on_names; i++)
    if (strcmp(value, on_names[i]) == 0) {
      o->on = (enum run_on)i;
      return TOOL_OK;
    }
  return tool_usage(command, "--on %s: expected model, rtl, lockstep or systemc", value);
}

static int take_sched(struct run_options *o, const char *command, const char *value) {
  for (unsigned i = 0; i < sizeof sched_names / sizeof *sched_names; i++)
    if (strcmp(value, sched_names[i]) == 0) {
      o->sched = i;
      return TOOL_OK;
    }
  return tool_usage(command, "--sched %s: expected default, gto, lrr or twolevel", value);
}

static int take_mode(struct run_options *o, const char *command, int option, const char *value) {
  if (option == RUN_OPTION_DEP && (strcmp(value, "control") == 0 || strcmp(value, "scoreboard") == 0)) {
    o->scoreboard = strcmp(value, "scoreboard") == 0;
    return TOOL_OK;
  }
  if (option == RUN_OPTION_DEP) return tool_usage(command, "--dep %s: expected control or scoreboard", value);
  o->its = strcmp(value, "its") == 0;
  if (o->its || strcmp(value, "stack") == 0) return TOOL_OK;
  return tool_usage(command, "--div %s: expected stack or its", value);
}

int run_options_take(struct run_options *o, const char *command, int option, const char *value) {
  uint64_t v = 0;
  int status;
  switch (option) {
  case RUN_OPTION_ON:
    return take_on(o, command, value);
  case RUN_OPTION_CONFIG:
    o->config_name = value;
    return TOOL_OK;
  case RUN_OPTION_DEP:
  case RUN_OPTION_DIV:
    return take_mode(o, command, option, value);
  case RUN_OPTION_SCHED:
    return take_sched(o, command, value);
  case RUN_OPTION_SEED:
    return take_number(command, "seed", value, UINT64_MAX, &o->seed);
  case RUN_OPTION_JOBS:
    status = take_number(command, "jobs", value, 256, &v);
    o->jobs = v > 0 ? (unsigned)v : 1;
    return status;
  case RUN_OPTION_MAX_CYCLES:
    return take_number(command, "max-cycles", value, UINT64_MAX, &o->max_cycles);
  case RUN_OPTION_WAVE:
    o->wave = value;
    return TOOL_OK;
  case RUN_OPTION_TRACE:
    o->trace = value;
    return TOOL_OK;
  case RUN_OPTION_COV:
    o->cov = value;
    return TOOL_OK;
  case RUN_OPTION_JSON:
    o->json = value;
    return TOOL_OK;
  case RUN_OPTION_JUNIT:
    o->junit = value;
    return TOOL_OK;
  case RUN_OPTION_PROFILE:
    o->profile = true;
    return TOOL_OK;
  case RUN_OPTION_TARGET:
    o->target_given = true;
    return run_target_find(value, &o->target) ? TOOL_OK
                                              : tool_usage(command, "--target %s: expected rtl or model", value);
  case RUN_OPTION_CALM:
    o->calm = true;
    return TOOL_OK;
  case RUN_OPTION_HOLD:
    o->withhold_ready = true;
    return TOOL_OK;
  case RUN_OPTION_FAULT:
    status = take_number(command, "fault", value, 255, &v);
    o->fault = (unsigned)v;
    return status;
  default:
    return tool_usage(command, "bad option");
  }
}

int run_options_finish(struct run_options *o, const char *command) {
  /* "fpga_cover" is another build of fpga: the device has that name, the machine is the same. */
  char base[64];
  snprintf(base, sizeof base, "%.*s", (int)strcspn(o->config_name, "_"), o->config_name);
  o->config = heddle_config_find(base);
  if (o->config) return o->cov ? cov_run_check(o, command) : TOOL_OK;
  tool_error("configuration '%s' is not built; 'heddle configs' lists those that are", o->config_name);
  return TOOL_MISSING;
}

bool run_target_find(const char *name, enum ptx_target *t) {
  *t = strcmp(name, "model") == 0 ? PTX_TARGET_MODEL : PTX_TARGET_RTL;
  return *t == PTX_TARGET_MODEL || strcmp(name, "rtl") == 0;
}

enum ptx_target run_target(const struct run_options *o) {
  return o->target_given ? o->target : o->on == ON_MODEL ? PTX_TARGET_MODEL : PTX_TARGET_RTL;
}

struct source_options run_source(const struct run_options *o) {
  return (struct source_options){
      .target = run_target(o), .units = o->on == ON_MODEL ? UINT32_MAX : heddle_config_units(o->config), .level = 1};
}
