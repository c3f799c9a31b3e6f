/* SPDX-License-Identifier: Apache-2.0
 * heddle bench rate: its options. */
#include "bench_rate.h"

#include "lab/bench/bench.h"

enum { SCALE_MOST = 64, LATENCY_MOST = 10000 };
enum { OPTION_ONLY = 1, OPTION_SCALE, OPTION_LATENCY, OPTION_LITTLE, OPTION_PICTURE, OPTION_CHECK };

const struct tool_option bench_rate_options[] = {
    {"config", "NAME", "machine configuration (default: wide)", RUN_OPTION_CONFIG, NULL},
    {"dep", "MODE", "control (default) or scoreboard", RUN_OPTION_DEP, "control scoreboard"},
    {"on", "WHERE", "rtl (default) or lockstep, which takes as many cycles", RUN_OPTION_ON, "rtl lockstep"},
    {"json", "FILE", "figures as JSON (-: on stdout)", RUN_OPTION_JSON, NULL},
    {"scale", "N", "size of the kernels (default 1)", OPTION_SCALE, NULL},
    {"only", "NAME,...", "these rows", OPTION_ONLY, NULL},
    {"latency", "N", "memory answers after exactly N cycles (default 1); rows that end in _100: after 100",
     OPTION_LATENCY, NULL},
    {"little", NULL, "FFMA by warps and chains instead: is it min(warps x chains / latency, 1 / beats)?", OPTION_LITTLE,
     NULL},
    {"check", NULL, "with --little: exit status 1 when a point is more than 3% off", OPTION_CHECK, NULL},
    {"picture", "FILE.png", "with --little: the same as a picture, beside an NVIDIA H200; takes gnuplot",
     OPTION_PICTURE, NULL},
    {0}};

static int take_rate_option(struct rate_request *q, int option, const char *value) {
  uint64_t v = 0;
  switch (option) {
  case OPTION_ONLY:
    q->only = value;
    return TOOL_OK;
  case OPTION_SCALE:
    return tool_number(value, SCALE_MOST, &q->scale)
               ? TOOL_OK
               : tool_usage("bench", "--scale %s: expected a number up to %d", value, SCALE_MOST);
  case OPTION_LATENCY:
    if (!tool_number(value, LATENCY_MOST, &v) || v == 0)
      return tool_usage("bench", "--latency %s: expected 1 to %d cycles", value, LATENCY_MOST);
    q->run.latency = (uint32_t)v;
    return TOOL_OK;
  case OPTION_LITTLE:
    q->little = true;
    return TOOL_OK;
  case OPTION_PICTURE:
    q->picture = value;
    return TOOL_OK;
  case OPTION_CHECK:
    q->check = true;
    return TOOL_OK;
  case RUN_OPTION_ON:
  case RUN_OPTION_CONFIG:
  case RUN_OPTION_DEP:
  case RUN_OPTION_JSON:
    return run_options_take(&q->run, "bench", option, value);
  default:
    return TOOL_USAGE;
  }
}

/* What does not go together. */
static int check_rate_options(const struct rate_request *q) {
  if (q->run.on != ON_RTL && q->run.on != ON_LOCKSTEP)
    return tool_usage("bench", "rate: --on %s has no cycles; expected rtl or lockstep", run_on_name(q->run.on));
  if ((q->picture != NULL || q->check) && !q->little)
    return tool_usage("bench", "rate: --picture and --check are of --little");
  if (q->little && q->only != NULL) return tool_usage("bench", "rate: --little has no rows for --only");
  return TOOL_OK;
}

static int parse_rate_options(struct rate_request *q, int argc, char **argv) {
  static const struct tool_group groups[] = {{NULL, bench_rate_options}, {0}};
  for (int o; (o = tool_option_next("bench", groups, argc, argv)) != -1;) {
    const int status = take_rate_option(q, o, optarg);
    if (status != TOOL_OK) return status;
  }
  if (optind < argc) return tool_usage("bench", "rate: '%s' is not an option", argv[optind]);
  const int status = run_options_finish(&q->run, "bench");
  return status != TOOL_OK ? status : check_rate_options(q);
}

int bench_rate(int argc, char **argv) {
  struct rate_request q = {.scale = 1};
  run_options_init(&q.run);
  q.run.on = ON_RTL;
  q.run.config_name = "wide";
  q.run.calm = true;
  const int status = parse_rate_options(&q, argc, argv);
  q.json = q.run.json;
  if (status != TOOL_OK) return status;
  return q.little ? rate_little(&q) : rate_table(&q);
}
