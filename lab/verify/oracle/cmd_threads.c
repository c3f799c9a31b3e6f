/* SPDX-License-Identifier: Apache-2.0
 * heddle threads: the launches of a trace again, thread by thread. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "lab/verify/oracle/threads/threads.h"
#include "run/command/json_out.h"
#include "run/command/option.h"
#include "run/command/tool.h"

static const struct tool_option own[] = {
    {"seed", "N", "draws which warp goes on for how long, and under its which path (default 1)", 's', NULL},
    {"steps", "N", "most instructions of single threads in a launch (default 2^32)", 'n', NULL},
    {"twist", "NAME", "turn a rule into another one, so that launches that depend on it differ; 'list' names them", 't',
     NULL},
    {"json", "FILE", "the result as JSON (-: on stdout)", 'j', NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, own}, {0}};
static const char *const usage[] = {"TRACE [options]", NULL};
static const char *const examples[] = {"heddle fuzz --programs 1 --on model --trace t.bin && heddle threads t.bin",
                                       NULL};
static const char about[] =
    "Run the launches of a trace again, thread by thread: each thread has its own PC and registers, and meets others "
    "only where the prose says so. Memory at the end must be that of the trace. Traces of the model alone (--on "
    "model --trace) hold launches and what they leave, those of a device records as well, which are not looked at. See "
    "lab/verify/oracle/threads/README.md.";

static const char *outcome_name(enum threads_outcome o) {
  static const char *const name[] = {[THREADS_SAME] = "same",
                                     [THREADS_OTHER] = "other",
                                     [THREADS_REFUSED] = "refused",
                                     [THREADS_TOO_LONG] = "too long"};
  return name[o];
}

static bool write_threads_json(const char *path, const char *trace, const struct threads_options *o,
                               const struct threads_result *r) {
  json_t *j =
      json_pack("{s:o, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I}", "seed", json_out_seed(o->seed), "trace", trace,
                "outcome", outcome_name(r->outcome), "what", r->what, "launches", (json_int_t)r->launches, "blocks",
                (json_int_t)r->blocks, "steps", (json_int_t)r->steps, "meetings", (json_int_t)r->meetings, "bytes",
                (json_int_t)r->bytes, "traps", (json_int_t)r->traps);
  return json_out_dump(path, j);
}

static int judge_threads(const char *trace, const char *json, const struct threads_options *o) {
  struct threads_result r;
  const enum threads_outcome outcome = threads_check(trace, o, &r);
  const bool written = json == NULL || write_threads_json(json, trace, o, &r);
  if (outcome == THREADS_REFUSED || outcome == THREADS_TOO_LONG)
    tool_error("%s", r.what);
  else
    printf("%" PRIu64 " launches, %" PRIu64 " blocks, %" PRIu64 " thread instructions, %" PRIu64 " meetings, %" PRIu64
           " bytes compared, %" PRIu64 " that trapped left out: %s\n",
           r.launches, r.blocks, r.steps, r.meetings, r.bytes, r.traps,
           outcome == THREADS_SAME ? "the same memory" : "other memory");
  if (outcome == THREADS_OTHER) printf("%s\n", r.what);
  if (outcome == THREADS_OTHER) return TOOL_DIFFERENCE;
  if (outcome == THREADS_TOO_LONG) return TOOL_LIMIT;
  return outcome == THREADS_REFUSED || !written ? TOOL_USAGE : TOOL_OK;
}

static int take_twist(const char *name, enum threads_twist *t) {
  for (unsigned k = 0; k < THREADS_TWISTS; k++) {
    *t = (enum threads_twist)k;
    if (strcmp(name, threads_twist_name(*t)) == 0) return TOOL_OK;
  }
  return tool_usage("threads", "--twist %s: no such rule; --twist list names them", name);
}

static int take_threads_option(int option, struct threads_options *o, const char **json) {
  switch (option) {
  case 'j':
    *json = json_out_take(optarg);
    return TOOL_OK;
  case 't':
    return take_twist(optarg, &o->twist);
  case 's':
    if (tool_number(optarg, UINT64_MAX, &o->seed)) return TOOL_OK;
    return tool_usage("threads", "--seed %s: expected a number", optarg);
  case 'n':
    if (tool_number(optarg, UINT64_MAX, &o->steps) && o->steps != 0) return TOOL_OK;
    return tool_usage("threads", "--steps %s: expected a number, at least 1", optarg);
  default:
    return TOOL_USAGE;
  }
}

static int threads_main(int argc, char **argv) {
  struct threads_options o = {.seed = 1};
  const char *json = NULL;
  for (int c; (c = tool_option_next("threads", groups, argc, argv)) != -1;) {
    if (c == 't' && strcmp(optarg, "list") == 0) {
      for (unsigned k = 0; k < THREADS_TWISTS; k++) puts(threads_twist_name((enum threads_twist)k));
      return TOOL_OK;
    }
    const int status = take_threads_option(c, &o, &json);
    if (status != TOOL_OK) return status;
  }
  if (optind + 1 != argc) return tool_usage("threads", "one trace is needed");
  return judge_threads(argv[optind], json, &o);
}

const struct tool_command cmd_threads = {
    "threads", "the launches of a trace again, thread by thread", threads_main, usage, about, groups, examples, NULL};
