/* SPDX-License-Identifier: Apache-2.0
 * heddle check: a recorded retire trace, a stream, or digests, against the model. */
#include <stdio.h>
#include <string.h>

#include "run/board/digest.h"
#include <heddle/asm.h>
#include "cosim/checker/report.h"
#include <heddle/session.h>
#include <heddle/trace.h>
#include "run/command/json_out.h"
#include "run/command/option.h"
#include "run/runner/runner.h"
#include "run/job/waivers.h"

static const struct tool_option own[] = {
    {"waivers", "FILE", "known failures by signature, as of heddle run", 'w', NULL},
    {"replay", "FILE",
     "of digests: a full stream, or a trace, of the same launch; where digests are wrong, it says what is", 'r', NULL},
    {"wave", "FILE",
     "is refused: a trace cannot be clocked again; it may hold the command that repeats its run, which is printed", 'v',
     NULL},
    {"wave-last", "N", "is refused, as --wave is", 'v', NULL},
    {"json", "FILE", "the result as JSON (-: on stdout)", 'j', NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, own}, {0}};
static const char *const usage[] = {"TRACE [FILE.elf] [options]", NULL};
static const char *const examples[] = {
    "heddle run vecadd.elf ... --on lockstep --trace t.bin && heddle check t.bin vecadd.elf",
    "heddle check t.bin vecadd.elf --waivers known.txt --json difference.json",
    "heddle check digests.bin --replay stream.bin", NULL};
static const char about[] =
    "Check a trace (from --trace, of a core of your own, or captured on a board) against the model, as if it had been "
    "live. Or check a file of a stream (heddle run --stream): its losses are listed and are no pass, exit status 2 "
    "unless "
    "a difference came first. With an ELF file: it must be a trace of that program.\n"
    "A file of digests (docs/digest-format.md) is recognised. The model executes its launches, and each window of "
    "64 instructions of a warp with another digest is listed. With --replay the full stream of the same "
    "launch is judged where a digest was wrong: the same difference, another one, or not reproduced; exit status 1 "
    "in each case.";

static void disassemble_word(void *ctx, struct heddle_isa_word w, uint32_t pc, char *buf, size_t bytes) {
  (void)ctx;
  heddle_disassemble(w, pc, buf, bytes);
}

static int status_of_session(enum heddle_session_outcome o) {
  switch (o) {
  case HEDDLE_SESSION_OK:
    return TOOL_OK;
  case HEDDLE_SESSION_TRAPPED:
  case HEDDLE_SESSION_UNDEFINED:
    return TOOL_TRAPPED;
  case HEDDLE_SESSION_LIMIT:
    return TOOL_LIMIT;
  case HEDDLE_SESSION_FAILED:
  case HEDDLE_SESSION_REFUSED:
    return TOOL_USAGE;
  default:
    return TOOL_DIFFERENCE;
  }
}

static json_t *counters(const struct heddle_checker_stats *s) {
  char hidden[256];
  heddle_record_hidden_text(s->hidden, hidden, sizeof hidden);
  return json_pack("{s:I, s:I, s:I, s:I, s:i, s:i, s:s, s:s}", "warp_instructions", (json_int_t)s->retired, "lanes",
                   (json_int_t)s->lanes_compared, "performs", (json_int_t)s->performs, "differences",
                   (json_int_t)s->differences, "read_age", (int)s->read_age, "pred_age", (int)s->pred_age, "profile",
                   heddle_record_profile_name(s->hidden), "not_judged", hidden);
}

/* What the device does not show was not judged: that is said beside the verdict. */
static void print_profile(struct heddle_record_hidden h) {
  char hidden[256];
  heddle_record_hidden_text(h, hidden, sizeof hidden);
  if (hidden[0] != '\0') printf("profile %s; not judged: %s\n", heddle_record_profile_name(h), hidden);
}

struct request {
  const char *trace, *json, *waivers_file, *replay;
  struct waivers *waivers;
  bool wave;
};

static const struct waiver *waived(struct request *q, const struct heddle_session_result *r) {
  struct signature s;
  char text[SIGNATURE_BYTES];
  if (r->outcome != HEDDLE_SESSION_DIFFERENCE) return NULL;
  signature_of(&r->difference, &s);
  return waivers_match(q->waivers, signature_text(&s, text));
}

static bool write_check_json(const struct request *q, const struct heddle_session_result *r, json_t *report,
                             const struct waiver *known) {
  json_t *root =
      json_pack("{s:s, s:s, s:s, s:o}", "trace", q->trace, "outcome", heddle_session_outcome_name(r->outcome),
                "message", r->message, "counters", counters(&r->checked));
  if (report) (void)json_object_set(root, "difference", report);
  if (known) (void)json_object_set_new(root, "waived", waiver_json(known));
  return json_out_dump(q->json, root);
}

/* p may be NULL: whatever the program is. */
static int check_records(struct request *q, const struct heddle_program *p) {
  struct heddle_session_result r = {.size = sizeof r};
  json_t *report;
  const uint8_t *code = p ? p->code : NULL;
  const enum heddle_session_outcome o =
      session_check_trace_json(q->trace, code, p ? p->code_bytes : 0, disassemble_word, NULL, &r, stderr, &report);
  const struct waiver *known = waived(q, &r);
  if (o != HEDDLE_SESSION_OK) tool_error("%s: %s", heddle_session_outcome_name(o), r.message);
  if (known) waiver_tell(known, NULL);
  waivers_tell(q->waivers, false);
  printf("%llu warp instructions checked, %llu lanes compared, %llu performs, %llu differences; ages %u, %u%s\n",
         (unsigned long long)r.checked.retired, (unsigned long long)r.checked.lanes_compared,
         (unsigned long long)r.checked.performs, (unsigned long long)r.checked.differences, r.checked.read_age,
         r.checked.pred_age, known ? "; 1 waived" : "");
  print_profile(r.checked.hidden);
  const bool written = !q->json || write_check_json(q, &r, report, known);
  json_decref(report);
  return written ? status_of_session(o) : TOOL_USAGE;
}

static int digests(const struct request *q, const struct heddle_program *p) {
  struct check_digest c = {.file = q->trace, .replay = q->replay, .program = p};
  int status = check_digest(&c);
  if (q->json && !json_out_dump(q->json, check_digest_json(&c))) status = TOOL_USAGE;
  check_digest_clear(&c);
  return status;
}

static int either(struct request *q, const struct heddle_program *p) {
  if (heddle_digest_file_is(q->trace)) return digests(q, p);
  if (!q->replay) return check_records(q, p);
  return tool_usage("check", "--replay is for a file of digests, and %s is none", q->trace);
}

/* The RTL is not here; what the trace says of its run repeats it. */
static int refuse_wave(const char *trace) {
  struct heddle_message msg;
  struct heddle_trace_reader *t;
  if (heddle_trace_open(trace, &t, &msg) != HEDDLE_SUCCESS) {
    tool_error("%s", msg.text);
    return TOOL_USAGE;
  }
  const char *command = heddle_trace_read_header(t)->command;
  const int status = tool_usage("check",
                                "--wave: a trace cannot be clocked again; give --wave and --wave-last to the run that "
                                "it is of%s%s",
                                command[0] != '\0' ? ": " : "", command);
  heddle_trace_free(t);
  return status;
}

static int judge_trace(struct request *q, const char *elf) {
  struct heddle_program *p = NULL;
  struct heddle_message m;
  if (q->wave) return refuse_wave(q->trace);
  int status = waivers_open(q->waivers_file, &q->waivers);
  if (status != TOOL_OK) return status;
  if (!elf || heddle_program_load(elf, &p, &m) == HEDDLE_SUCCESS) {
    status = either(q, p);
    heddle_program_free(p);
  } else {
    tool_message(NULL, &m);
    status = TOOL_USAGE;
  }
  waivers_free(q->waivers);
  return status;
}

static int check_main(int argc, char **argv) {
  struct request q = {0};
  for (int o; (o = tool_option_next("check", groups, argc, argv)) != -1;) {
    if (o == '?') return TOOL_USAGE;
    if (o == 'j') q.json = json_out_take(optarg);
    if (o == 'w') q.waivers_file = optarg;
    if (o == 'r') q.replay = optarg;
    if (o == 'v') q.wave = true;
  }
  if (optind == argc || argc > optind + 2) return tool_usage("check", "a trace is needed, and at most one ELF file");
  q.trace = argv[optind];
  return judge_trace(&q, optind + 1 == argc ? NULL : argv[optind + 1]);
}

const struct tool_command cmd_check = {
    "check", "check a recorded retire trace against the model", check_main, usage, about, groups, examples, NULL};
