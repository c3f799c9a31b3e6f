/* SPDX-License-Identifier: Apache-2.0
 * heddle check: a recorded retire trace against the model. */
#include <stdio.h>
#include <string.h>

#include "heddle/asm.h"
#include "heddle/session.h"
#include "json_out.h"
#include "option.h"
#include "runner.h"

static const struct tool_option own[] = {{"json", "FILE", "the result as JSON (-: on stdout)", 'j', NULL}, {0}};
static const struct tool_group groups[] = {{NULL, own}, {0}};
static const char *const usage[] = {"TRACE [FILE.elf] [options]", NULL};
static const char *const examples[] = {
    "heddle run vecadd.elf ... --on lockstep --trace t.bin && heddle check t.bin vecadd.elf", NULL};
static const char about[] =
    "Check a trace (from --trace, of a core of your own, or captured on a board) against the model, as if it had been "
    "live. With an ELF file: it must be a trace of that program.";

static void disassemble(void *ctx, struct isa_word w, uint32_t pc, char *buf, size_t bytes) {
  (void)ctx;
  heddle_disassemble(w, pc, buf, bytes);
}

static int exit_status(enum session_outcome o) {
  switch (o) {
  case SESSION_OK:
    return TOOL_OK;
  case SESSION_TRAPPED:
  case SESSION_UNDEFINED:
    return TOOL_TRAPPED;
  case SESSION_LIMIT:
    return TOOL_LIMIT;
  case SESSION_FAILED:
  case SESSION_REFUSED:
    return TOOL_USAGE;
  default:
    return TOOL_DIFFERENCE;
  }
}

static json_t *counters(const struct checker_stats *s) {
  char hidden[256];
  record_hidden_text(s->hidden, hidden, sizeof hidden);
  return json_pack("{s:I, s:I, s:I, s:I, s:i, s:i, s:s, s:s}", "warp_instructions", (json_int_t)s->retired, "lanes",
                   (json_int_t)s->lanes_compared, "performs", (json_int_t)s->performs, "differences",
                   (json_int_t)s->differences, "read_age", (int)s->read_age, "pred_age", (int)s->pred_age, "profile",
                   record_profile_name(s->hidden), "not_judged", hidden);
}

/* What the device does not show was not judged: that is said beside the verdict. */
static void print_profile(struct record_hidden h) {
  char hidden[256];
  record_hidden_text(h, hidden, sizeof hidden);
  if (hidden[0] != '\0') printf("profile %s; not judged: %s\n", record_profile_name(h), hidden);
}

/* p may be NULL: whatever the program is. */
static int check(const char *trace, const struct heddle_program *p, const char *json) {
  struct session_result r;
  const uint8_t *code = p ? p->code : NULL;
  const enum session_outcome o = session_check_trace(trace, code, p ? p->code_bytes : 0, disassemble, NULL, &r, stderr);
  if (o != SESSION_OK) tool_error("%s: %s", session_outcome_name(o), r.message);
  printf("%llu warp instructions checked, %llu lanes compared, %llu performs, %llu differences; ages %u, %u\n",
         (unsigned long long)r.checked.retired, (unsigned long long)r.checked.lanes_compared,
         (unsigned long long)r.checked.performs, (unsigned long long)r.checked.differences, r.checked.read_age,
         r.checked.pred_age);
  print_profile(r.checked.hidden);
  if (json && !json_out_dump(json, json_pack("{s:s, s:s, s:s, s:o}", "trace", trace, "outcome", session_outcome_name(o),
                                             "message", r.message, "counters", counters(&r.checked))))
    return TOOL_USAGE;
  return exit_status(o);
}

static int run(int argc, char **argv) {
  const char *json = NULL;
  for (int o; (o = tool_option_next("check", groups, argc, argv)) != -1;) {
    if (o == '?') return TOOL_USAGE;
    json = json_out_take(optarg);
  }
  if (optind == argc || argc > optind + 2) return tool_usage("check", "a trace is needed, and at most one ELF file");
  if (optind + 1 == argc) return check(argv[optind], NULL, json);
  struct heddle_program *p;
  struct heddle_message m;
  if (!heddle_program_load(argv[optind + 1], &p, &m)) {
    tool_message(NULL, &m);
    return TOOL_USAGE;
  }
  const int status = check(argv[optind], p, json);
  heddle_program_free(p);
  return status;
}

const struct tool_command cmd_check = {
    "check", "check a recorded retire trace against the model", run, usage, about, groups, examples, NULL};
