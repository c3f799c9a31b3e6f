/* SPDX-License-Identifier: Apache-2.0
 * heddle order: the order of memory in a recorded trace against axioms. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include <heddle/asm.h>
#include "lab/verify/oracle/order/order.h"
#include "run/command/json_out.h"
#include "run/command/option.h"
#include "run/command/tool.h"

static const struct tool_option own[] = {
    {"json", "FILE", "the result as JSON, also when an axiom is broken (-: on stdout)", 'j', NULL},
    {"accesses", "N", "most accesses of a launch (default 4194304; each takes about 150 bytes; of a list 1048576)", 'a',
     NULL},
    {"write-list", "FILE", "write the first launch of a trace as a list, docs/order-list.md", 'w', NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, own}, {0}};
static const char *const usage[] = {"TRACE [options]", "LIST [options]", NULL};
static const char *const examples[] = {
    "heddle run vecadd.elf ... --on rtl --config fpga --trace t.bin && heddle order t.bin",
    "heddle order t.bin --write-list t.list && heddle order t.list", NULL};
static const char about[] =
    "Judge the order of memory in a trace by axioms, from what the records show alone: no model takes part. Program "
    "order, fences, barriers, atomics, reads-from, memory's content at the end. A break is reported as a "
    "cycle: of things each of which comes before the next. See lab/verify/oracle/order/README.md. A list is text, an "
    "event "
    "a line, "
    "from a core of any make: docs/order-list.md.";

static void disassemble_record(void *ctx, struct heddle_isa_word w, uint32_t pc, char *buf, size_t bytes) {
  (void)ctx;
  heddle_disassemble(w, pc, buf, bytes);
}

static const char *outcome_name(enum order_outcome o) {
  static const char *const name[] = {[ORDER_HOLDS] = "holds",
                                     [ORDER_BROKEN] = "broken",
                                     [ORDER_REFUSED] = "refused",
                                     [ORDER_TOO_MUCH] = "too much",
                                     [ORDER_UNDECIDED] = "not judged"};
  return name[o];
}

static json_t *steps_json(const struct order_result *r) {
  json_t *a = json_array();
  for (unsigned k = 0; k < r->steps; k++)
    json_array_append_new(a, json_pack("{s:s, s:s}", "who", r->step[k].who, "then", r->step[k].then));
  return a;
}

static json_t *judged_json(const struct order_result *r) {
  json_t *a = json_object();
  for (unsigned k = 1; k < ORDER_AXIOMS; k++)
    json_object_set_new(a, order_axiom_name((enum order_axiom)k), json_integer((json_int_t)r->judged[k]));
  return a;
}

static bool write_order_json(const char *path, const char *trace, const struct order_result *r) {
  json_t *j = json_pack("{s:s, s:s, s:s, s:s, s:I, s:o, s:o}", "trace", trace, "outcome", outcome_name(r->outcome),
                        "axiom", order_axiom_name(r->axiom), "what", r->what, "cycle", (json_int_t)r->cycle, "steps",
                        steps_json(r), "judged", judged_json(r));
  const struct {
    const char *name;
    uint64_t value;
  } count[] = {{"launches", r->launches},
               {"records", r->records},
               {"instructions", r->instructions},
               {"accesses", r->accesses},
               {"fences", r->fences},
               {"barriers", r->barriers},
               {"bytes_read", r->bytes_read},
               {"bytes_written", r->bytes_written},
               {"bytes_final", r->bytes_final},
               {"undefined", r->undefined},
               {"fills", r->fills},
               {"hits", r->hits},
               {"copies", r->copies},
               {"threads", r->threads},
               {"not_judged", r->unjudged},
               {"narrow", r->narrow}};
  for (size_t k = 0; j != NULL && k < sizeof count / sizeof *count; k++)
    json_object_set_new(j, count[k].name, json_integer((json_int_t)count[k].value));
  if (j != NULL && r->profile != NULL)
    json_object_update_new(j, json_pack("{s:s, s:s}", "profile", r->profile, "hidden", r->hidden));
  return json_out_dump(path, j);
}

/* What a list could not be asked. */
static void say_list(const struct order_result *r) {
  if (r->undefined != 0) printf("not judged: %" PRIu64 " bytes read that none had written\n", r->undefined);
  if (r->narrow != 0)
    printf("not judged: %" PRIu64 " times an access, of a fence whose scope is smaller than that of its bytes\n",
           r->narrow);
}

static void say_order(const struct order_result *r) {
  const char *verdict = r->outcome == ORDER_HOLDS ? "every axiom holds" : outcome_name(r->outcome);
  if (r->list)
    printf("%" PRIu64 " threads, %" PRIu64 " events, %" PRIu64 " fences, %" PRIu64 " barriers", r->threads, r->records,
           r->fences, r->barriers);
  else
    printf("%" PRIu64 " warp instructions, %" PRIu64 " accesses, %" PRIu64 " fences, %" PRIu64 " barriers",
           r->instructions, r->accesses, r->fences, r->barriers);
  /* A list may be broken before anything is performed. */
  if (!r->list || r->outcome == ORDER_HOLDS)
    printf(", %" PRIu64 " bytes read and %" PRIu64 " written", r->bytes_read, r->bytes_written);
  if (r->fills != 0)
    printf(", %" PRIu64 " fills and %" PRIu64 " reads through a cache, %" PRIu64 " copies at once", r->fills, r->hits,
           r->copies);
  printf(": %s\n", verdict);
  if (r->list)
    say_list(r);
  else if (r->hidden[0] != '\0')
    printf("profile %s; not judged: %s\n", r->profile, r->hidden);
  if (r->outcome == ORDER_UNDECIDED) printf("  %s\n", r->what);
  if (r->outcome != ORDER_BROKEN) return;
  printf("broken: %s", order_axiom_name(r->axiom));
  if (!r->list || r->cycle != 0) printf(r->list ? " at stamp %" PRIu64 : " in cycle %" PRIu64, r->cycle);
  printf("\n  %s\n", r->what);
  for (unsigned k = 0; k < r->steps; k++)
    printf("  %u. %s\n     %s%s\n", k + 1, r->step[k].who, r->step[k].then, k + 1 < r->steps ? "" : " (1)");
}

static int judge_trace_order(const char *trace, const char *json, const struct order_options *o) {
  struct order_result r;
  const enum order_outcome outcome = order_check(trace, o, &r);
  const bool written = json == NULL || write_order_json(json, trace, &r);
  if (outcome == ORDER_REFUSED)
    tool_error("%s", r.what);
  else if (outcome == ORDER_TOO_MUCH)
    tool_error("%s: %s", trace, r.what);
  else
    say_order(&r);
  if (outcome == ORDER_BROKEN) return TOOL_DIFFERENCE;
  if (outcome == ORDER_TOO_MUCH || outcome == ORDER_UNDECIDED) return TOOL_LIMIT;
  return outcome == ORDER_REFUSED || !written ? TOOL_USAGE : TOOL_OK;
}

static int order_main(int argc, char **argv) {
  struct order_options o = {.disassemble = disassemble_record};
  const char *json = NULL;
  for (int c; (c = tool_option_next("order", groups, argc, argv)) != -1;) {
    if (c == 'j')
      json = json_out_take(optarg);
    else if (c == 'w')
      o.write_list = optarg;
    else if (c != 'a')
      return TOOL_USAGE;
    else if (!tool_number(optarg, UINT64_C(1) << 30, &o.accesses) || o.accesses == 0)
      return tool_usage("order", "--accesses %s: expected a number from 1 to 2^30", optarg);
  }
  if (optind + 1 != argc) return tool_usage("order", "one trace or list is needed");
  return judge_trace_order(argv[optind], json, &o);
}

const struct tool_command cmd_order = {
    "order", "judge the order of memory in a recorded trace or list", order_main, usage, about, groups, examples, NULL};
