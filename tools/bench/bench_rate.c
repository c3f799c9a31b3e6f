/* SPDX-License-Identifier: Apache-2.0
 * heddle bench rate: its options. */
#include "bench_rate.h"

#include "bench.h"

enum { SCALE_MOST = 64, LATENCY_MOST = 10000 };
enum { OPTION_ONLY = 1, OPTION_SCALE, OPTION_LATENCY, OPTION_LITTLE, OPTION_PICTURE, OPTION_CHECK };

static int take(struct rate_request *q, int option, const char *value) {
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
    return tool_usage("bench", "rate: bad option");
  }
}

/* What does not go together. */
static int judge(const struct rate_request *q) {
  if (q->run.on != ON_RTL && q->run.on != ON_LOCKSTEP)
    return tool_usage("bench", "rate: --on %s has no cycles; expected rtl or lockstep", run_on_name(q->run.on));
  if ((q->picture != NULL || q->check) && !q->little)
    return tool_usage("bench", "rate: --picture and --check are of --little");
  if (q->little && q->only != NULL) return tool_usage("bench", "rate: --little has no rows for --only");
  return TOOL_OK;
}

static int parse(struct rate_request *q, int argc, char **argv) {
  static const struct option options[] = {{"on", required_argument, NULL, RUN_OPTION_ON},
                                          {"config", required_argument, NULL, RUN_OPTION_CONFIG},
                                          {"dep", required_argument, NULL, RUN_OPTION_DEP},
                                          {"json", required_argument, NULL, RUN_OPTION_JSON},
                                          {"only", required_argument, NULL, OPTION_ONLY},
                                          {"scale", required_argument, NULL, OPTION_SCALE},
                                          {"latency", required_argument, NULL, OPTION_LATENCY},
                                          {"little", no_argument, NULL, OPTION_LITTLE},
                                          {"picture", required_argument, NULL, OPTION_PICTURE},
                                          {"check", no_argument, NULL, OPTION_CHECK},
                                          {NULL, 0, NULL, 0}};
  for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    const int status = take(q, o, optarg);
    if (status != TOOL_OK) return status;
  }
  if (optind < argc) return tool_usage("bench", "rate: '%s' is not an option", argv[optind]);
  const int status = run_options_finish(&q->run, "bench");
  return status != TOOL_OK ? status : judge(q);
}

int bench_rate(int argc, char **argv) {
  struct rate_request q = {.scale = 1};
  run_options_init(&q.run);
  q.run.on = ON_RTL;
  q.run.config_name = "wide";
  q.run.calm = true;
  const int status = parse(&q, argc, argv);
  q.json = q.run.json;
  if (status != TOOL_OK) return status;
  return q.little ? rate_little(&q) : rate_table(&q);
}
