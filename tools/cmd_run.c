/* SPDX-License-Identifier: Apache-2.0
 * heddle run: launch one kernel. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/runner/launch_options.h"
#include "run/runner/conclude.h"
#include "run/runner/fidelity.h"
#include "run/runner/possible.h"
#include "run/runner/runner.h"
#include "run/sanitize/sanitize.h"

static const struct tool_option own[] = {
    {"launches", "N[:apart]",
     "the same grid N times, without a reset; memory stays as it was left. Through the device's queue, where it has "
     "one, which with --on rtl does not count instructions; apart: not",
     'n', NULL},
    {"threads", "N",
     "of the host, on the model; the result does not depend on it (default: one for each processor; one for programs "
     "with blocks that see each other's order)",
     'T', NULL},
    {"bus-errors", "A:N",
     "on a device: memory answers with errors from address A on, N bytes. A may be counted from where the code, a "
     "constant bank or local memory begins: code+0x40:16, bank1+0:4, local+0x800:4",
     'E', NULL},
    {"host", "N",
     "on a device: the host does more than launch, drawn from N (from 1): other registers, refused launches, "
     "aborts, resets, each of which must be answered as is written",
     'H', NULL},
    {"replay", "FILE",
     "of a device of variant digest, with --stream: the digests are judged. Where they are wrong the launch is run "
     "again on the device of variant stream, fault and seeds included; all of it is sent to FILE, and "
     "judged",
     'R', NULL},
    {"fidelity", NULL,
     "which of the executed forms (instruction, modifiers, kinds of operands) were compared with silicon, on how many "
     "inputs, which are known to differ, which were never compared",
     'F', NULL},
    {"expect-trap", "C", "succeed if, and only if, the program traps with cause C (misaligned, out_of_range, ...)", 't',
     NULL},
    {0}};
static const struct tool_group groups[] = {
    {NULL, launch_option_table}, {NULL, own}, {"How it runs:", run_option_table}, {0}};
static const char *const usage[] = {"FILE --grid X,Y,Z --block X,Y,Z --arg A ... [options]", NULL};
static const char *const examples[] = {"heddle run vecadd.elf --grid 8 --block 128 --on lockstep --config fpga \\",
                                       "  --arg in:a.bin --arg in:b.bin --arg out:4000:c.bin --arg u32:1000",
                                       "heddle run carry.elf --grid 1 --block 32 --config tiny --fault 1 \\",
                                       "  --wave last.fst --wave-last 500 --waivers known.txt",
                                       "heddle run carry.elf --grid 1 --block 32 --on rtl --config tiny_digest \\",
                                       "  --fault 1 --stream digests.bin --replay stream.bin",
                                       "heddle run vecadd.s --grid 1 --block 64 --arg in:a.bin --arg in:b.bin \\",
                                       "  --arg out:256:f32:- --arg u32:60 --config tiny --on board \\",
                                       "  --board tty:/dev/ttyUSB0",
                                       NULL};
static const char about[] = "Launch a kernel and wait for its end. " LAUNCH_ARGUMENTS;

struct request {
  struct run_options run;
  struct launch_options launch;
  const char *expect_trap, *replay;
  struct command_line typed;
  uint64_t launches;
  bool apart;              /* without a queue */
  struct waivers *waivers; /* owned; NULL: there are none */
};

static int take_threads(struct request *q, const char *text) {
  uint64_t n;
  if (!tool_number(text, 256, &n) || n == 0)
    return tool_usage("run", "--threads %s: expected a number from 1 to 256", text);
  q->run.threads = (unsigned)n;
  return TOOL_OK;
}

/* "N", "N:apart" */
static int take_launches(struct request *q, const char *text) {
  const char *colon = strchr(text, ':');
  char number[16];
  snprintf(number, sizeof number, "%.*s", colon ? (int)(colon - text) : (int)sizeof number, text);
  q->apart = colon != NULL;
  if ((!colon || strcmp(colon, ":apart") == 0) && tool_number(number, 1000000, &q->launches) && q->launches > 0)
    return TOOL_OK;
  return tool_usage("run", "--launches %s: expected a number from 1 to 1000000, or one with ':apart'", text);
}

static int take_run_option(struct request *q, int option) {
  int status;
  if (launch_options_take(&q->launch, "run", option, &status)) return status;
  switch (option) {
  case 'n':
    return take_launches(q, optarg);
  case 'T':
    return take_threads(q, optarg);
  case 'E':
    return bus_errors_take(&q->launch.job, optarg);
  case 'H':
    if (tool_number(optarg, UINT64_MAX, &q->launch.job.host_seed) && q->launch.job.host_seed != 0) return TOOL_OK;
    return tool_usage("run", "--host %s: expected a number from 1", optarg);
  case 't':
    q->expect_trap = optarg;
    return TOOL_OK;
  case 'R':
    q->replay = optarg;
    return TOOL_OK;
  case 'F':
    q->run.issued = true;
    return TOOL_OK;
  default:
    return run_options_take(&q->run, "run", option, optarg);
  }
}

static int parse_run_options(struct request *q, int argc, char **argv) {
  for (int o; (o = tool_option_next("run", groups, argc, argv)) != -1;) {
    int status = take_run_option(q, o);
    if (status != TOOL_OK) return status;
  }
  int status = launch_options_finish(&q->launch, "run", argc, argv);
  if (status != TOOL_OK) return status;
  status = run_options_serve(q->run.on, "run", groups, argc, argv);
  if (status != TOOL_OK) return status;
  if (q->run.profile_out && q->launch.job.host_seed != 0)
    return tool_usage("run", "--profile-out and --host: one of them, since that host launches more");
  status = run_options_finish(&q->run, "run");
  if (status == TOOL_OK && q->run.issued && !fidelity_there()) return TOOL_MISSING;
  return status == TOOL_OK ? run_replay_check(&q->run, q->replay) : status;
}

/* A program that is to trap on what the machine lacks is let be. */
static bool can_run(const struct request *q, struct run_result *out) {
  const bool traps = q->expect_trap && strcmp(q->expect_trap, heddle_cause_name(HEDDLE_TRAP_ILLEGAL)) == 0;
  if (traps || run_possible(&q->run, &q->launch.job, &q->typed, out->message, sizeof out->message)) return true;
  out->status = RUN_BAD_INPUT;
  snprintf(out->diagnosis.kind, sizeof out->diagnosis.kind, "refused");
  out->refused = run_refused_json(&q->run, &q->launch.job);
  return false;
}

static const struct waiver *waived(struct request *q, const struct run_result *r) {
  char signature[SIGNATURE_BYTES];
  if (r->diagnosis.kind[0] == '\0') return NULL;
  return waivers_match(q->waivers, signature_text(&r->diagnosis, signature));
}

/* What is left when the waived findings are gone. */
static void waive_findings(struct request *q, struct run_result *r) {
  if (!r->findings) return;
  findings_waive(r->findings, q->waivers);
  if (r->findings->count == 0 && r->status == RUN_FOUND) r->status = RUN_OK;
}

/* What is known of the forms that it has executed, in front of the last line. */
static bool tell_fidelity(const struct request *q, struct run_result *r) {
  if (!q->run.issued || r->status == RUN_MISSING || r->status == RUN_BAD_INPUT) return true;
  struct fidelity *f = fidelity_new(q->launch.job.program, r);
  if (!f) return false;
  fidelity_print(f, stdout);
  (void)fflush(stdout); /* the last line goes to stderr */
  r->fidelity = fidelity_json(f);
  fidelity_free(f);
  return true;
}

/* The job is built; what runs it, or NULL: *status, and a message. A board is opened first: it says where it has
 * memory. */
static struct runner *built(struct request *q, struct heddle_program *p, int *status) {
  struct job *const job = &q->launch.job;
  struct runner *r = NULL;
  if (q->run.on == ON_BOARD) {
    if (!(r = runner_new(&q->run, status))) return NULL;
    if (job->base == 0) job->base = runner_memory_base(r);
  }
  if (launch_options_build(&q->launch, p) && bus_errors_fit(job)) return r ? r : runner_new(&q->run, status);
  *status = TOOL_USAGE;
  runner_free(r);
  return NULL;
}

static int launch_request(struct request *q) {
  int status = TOOL_USAGE;
  struct job *const job = &q->launch.job;
  struct heddle_program *p = launch_options_load(&q->launch, run_source(&q->run), &status);
  if (!p) return status;
  struct runner *r = NULL;
  struct run_result result = {0};
  uint8_t *image = NULL;
  job->launches = (unsigned)q->launches;
  job->apart = q->apart;
  if ((q->run.sanitize >> SANITIZE_MEMORY & 1) != 0) job->guard = SANITIZE_GUARD;
  if ((r = built(q, p, &status)) != NULL) {
    image = malloc(job->mem_bytes);
    if (!image) {
      tool_error("no memory for a copy of the %" PRIu64 " bytes of global memory", (uint64_t)job->mem_bytes);
      runner_free(r);
      heddle_program_free(p);
      return TOOL_USAGE;
    }
    if (can_run(q, &result)) runner_run(r, job, image, &result);
    printed_show(job, image, &result);
    waive_findings(q, &result);
    const struct waiver *known = waived(q, &result);
    const bool told = tell_fidelity(q, &result);
    status = run_conclude(&q->run, job, q->expect_trap, &result, image, known);
    if (!told && status == TOOL_OK) status = TOOL_USAGE;
    waivers_tell(q->waivers, false);
    runner_free(r); /* the stream is complete */
    r = NULL;
    const bool ran = result.status != RUN_MISSING && result.status != RUN_BAD_INPUT;
    if (q->replay && ran) status = run_replay(&q->run, job, q->replay, status, &result.digests);
    if (q->run.json && !result_write_json(q->run.json, &q->run, job, &result, known, status)) status = TOOL_USAGE;
  }
  free(image);
  run_result_clear(&result);
  runner_free(r);
  heddle_program_free(p);
  return status;
}

static int run_main(int argc, char **argv) {
  struct request *q = calloc(1, sizeof *q);
  if (!q) return TOOL_USAGE;
  run_options_init(&q->run);
  launch_options_init(&q->launch);
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  q->run.threads = processors > 0 && processors <= 256 ? (unsigned)processors : 1;
  char **typed = malloc(((size_t)argc + 1) * sizeof *typed); /* getopt changes the order */
  if (typed) memcpy(typed, argv, ((size_t)argc + 1) * sizeof *typed);
  int status = typed ? parse_run_options(q, argc, argv) : TOOL_USAGE;
  q->typed = (struct command_line){.argc = argc, .argv = typed, .file = q->launch.file};
  if (status == TOOL_OK) status = waivers_open(q->run.waivers, &q->waivers);
  if (status == TOOL_OK) status = launch_request(q);
  waivers_free(q->waivers);
  launch_options_clear(&q->launch);
  free(typed);
  free(q);
  return status;
}

const struct tool_command cmd_run = {
    "run", "launch a kernel on the model, the RTL, or both in lockstep", run_main, usage, about, groups, examples,
    NULL};
