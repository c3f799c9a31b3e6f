/* SPDX-License-Identifier: Apache-2.0
 * heddle run: launch one kernel. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/run/bus_errors.h"
#include "tools/run/conclude.h"
#include "tools/run/fidelity.h"
#include "tools/run/launch_size.h"
#include "tools/run/possible.h"
#include "tools/run/printed.h"
#include "tools/run/replay.h"
#include "tools/run/result_json.h"
#include "tools/run/runner.h"
#include "tools/sanitize/sanitize.h"

static const struct tool_option own[] = {
    {"kernel", "K", "entry (may be left out where there is one)", 'k', NULL},
    {"grid", "X,Y,Z", "blocks (missing sizes are 1)", 'g', NULL},
    {"block", "X,Y,Z", "threads of a block", 'b', NULL},
    {"global", "X,Y,Z", "instead of --grid: all threads", 'G', NULL},
    {"local", "X,Y,Z", "another name of --block", 'L', NULL},
    {"shared", "BYTES", "dynamic shared memory (extern __shared__ of CUDA C)", 's', NULL},
    {"arg", "A", "one for each parameter, in order", 'a', NULL},
    {"cc", "OPTION", "of .cl and .cu: an option for clang (-DN=4, -Iinclude, -O0)", 'c', NULL},
    {"printf", "BYTES", "room for what a compiled file prints (default 65536); what finds none is counted", 'p', NULL},
    {"heap", "BYTES", SOURCE_HEAP_HELP, 'h', NULL},
    {"launches", "N", "the same grid N times, without a reset; memory stays as it was left", 'n', NULL},
    {"threads", "N",
     "of the host, on the model; the result does not depend on it (default: one for each processor; programs whose "
     "blocks "
     "see each other's order run on one)",
     'T', NULL},
    {"bank", "B:FILE", "constant bank 1 or 2", 'B', NULL},
    {"base", "ADDR", "where buffers begin, a multiple of 4096 (default 0x100000)", 'A', NULL},
    {"bus-errors", "A:N",
     "on a device: memory answers with errors from address A on, N bytes; A may be counted from where the code, a "
     "constant bank or local memory begins: code+0x40:16, bank1+0:4, local+0x800:4",
     'E', NULL},
    {"host", "N",
     "on a device: the host does more than launch, drawn from N (from 1): other registers, launches that are refused, "
     "aborts, resets, each of which must be answered as is written",
     'H', NULL},
    {"replay", "FILE",
     "of a device of variant digest, with --stream: the digests are judged; where they are wrong the launch is run "
     "again on the device of variant stream, fault and seeds included, which sends all of it to FILE, and that is "
     "judged",
     'R', NULL},
    {"fidelity", NULL,
     "which of the executed forms (instruction, modifiers, kinds of operands) were compared with silicon, on how many "
     "inputs, which are known to differ, which were never compared; with --on model, lockstep or systemc",
     'F', NULL},
    {"expect-trap", "C", "succeed if, and only if, the program traps with cause C (misaligned, out_of_range, ...)", 't',
     NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, own}, {"How it runs:", run_option_table}, {0}};
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
static const char about[] =
    "Launch a kernel and wait for its end. FILE is a program (.elf), or what one is made of: assembly (.s), PTX "
    "(.ptx), OpenCL C (.cl), CUDA C (.cu). An argument A is one of\n  u32:5 s32:-1 f16:1 f32:2.5 f64:1e3 bits64:0x...  "
    " a number\n  struct:FILE        a structure, as its bytes lie in FILE\n  in:FILE            a buffer that the "
    "kernel reads\n  out:BYTES:FILE     a buffer that begins as zeros; FILE gets it afterwards\n  inout:FILE:FILE    a "
    "buffer that begins as the first file\n  local:BYTES        dynamic shared memory (a __local pointer of OpenCL "
    "C)\nA FILE that ends in .npy is NumPy's. TYPE: in front of the last file says what is in it (f32, u8, s64 ...), "
    "and - as the last file prints it: out:128:f32:- prints 32 numbers.";

struct request {
  struct run_options run;
  const char *file, *kernel, *expect_trap, *replay;
  struct command_line typed;
  struct launch_size size;
  struct cc_options cc;
  uint32_t printf_bytes, heap_bytes;
  uint64_t launches;
  uint8_t *bank[4]; /* owned */
  size_t bank_bytes[4];
  struct job job;
  struct waivers *waivers; /* owned; NULL: there are none */
};

/* "1:FILE" */
static int take_bank(struct request *q, const char *text) {
  if ((text[0] != '1' && text[0] != '2') || text[1] != ':')
    return tool_usage("run", "--bank %s: expected 1:FILE or 2:FILE", text);
  const unsigned b = (unsigned)(text[0] - '0');
  free(q->bank[b]);
  q->bank[b] = tool_read_file(text + 2, HEDDLE_CONST_MAX, &q->bank_bytes[b]);
  return q->bank[b] ? TOOL_OK : TOOL_USAGE;
}

/* After job_build. */
static void place_banks(struct request *q) {
  for (unsigned b = 1; b < 3; b++) {
    q->job.launch.cbank[b] = q->bank[b];
    q->job.launch.cbank_bytes[b] = (uint32_t)q->bank_bytes[b];
  }
  q->job.launches = (unsigned)q->launches;
}

static int take_base(struct request *q, const char *text) {
  if (tool_number(text, (UINT64_C(1) << 40) - 1, &q->job.base) && q->job.base % 4096 == 0 && q->job.base != 0)
    return TOOL_OK;
  return tool_usage("run", "--base %s: expected a multiple of 4096 from 4096 to 0xfffffff000", text);
}

static int take_threads(struct request *q, const char *text) {
  uint64_t n;
  if (!tool_number(text, 256, &n) || n == 0)
    return tool_usage("run", "--threads %s: expected a number from 1 to 256", text);
  q->run.threads = (unsigned)n;
  return TOOL_OK;
}

static int take(struct request *q, int option) {
  char err[512];
  uint64_t shared;
  switch (option) {
  case 'k':
    q->kernel = optarg;
    return TOOL_OK;
  case 'c':
    if (q->cc.mores == CC_MORE_MAX) return tool_usage("run", "--cc: at most %u", CC_MORE_MAX);
    q->cc.more[q->cc.mores++] = optarg;
    return TOOL_OK;
  case 'n':
    if (tool_number(optarg, 1000000, &q->launches) && q->launches > 0) return TOOL_OK;
    return tool_usage("run", "--launches %s: expected a number from 1 to 1000000", optarg);
  case 'T':
    return take_threads(q, optarg);
  case 'B':
    return take_bank(q, optarg);
  case 'A':
    return take_base(q, optarg);
  case 'E':
    return bus_errors_take(&q->job, optarg);
  case 'H':
    if (tool_number(optarg, UINT64_MAX, &q->job.host_seed) && q->job.host_seed != 0) return TOOL_OK;
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
  case 's':
    if (!tool_number(optarg, JOB_SHARED_MAX, &shared))
      return tool_usage("run", "--shared %s: expected bytes, at most %u", optarg, JOB_SHARED_MAX);
    q->job.dynamic_shared = (uint32_t)shared;
    return TOOL_OK;
  case 'p':
    if (!source_printf(optarg, &q->printf_bytes)) return tool_usage("run", "--printf %s: " SOURCE_PRINTF, optarg);
    return TOOL_OK;
  case 'h':
    if (!source_heap(optarg, &q->heap_bytes)) return tool_usage("run", "--heap %s: " SOURCE_HEAP, optarg);
    return TOOL_OK;
  case 'g':
  case 'b':
  case 'L':
  case 'G':
    if (launch_size_take(optarg, option == 'g' ? q->size.grid : option == 'G' ? q->size.global : q->size.block))
      return TOOL_OK;
    return tool_usage("run", "--%s %s: expected X,Y,Z, each at least 1",
                      option == 'g'   ? "grid"
                      : option == 'b' ? "block"
                      : option == 'L' ? "local"
                                      : "global",
                      optarg);
  case 'a':
    if (job_add_arg(&q->job, optarg, err, sizeof err)) return TOOL_OK;
    tool_error("%s", err);
    return TOOL_USAGE;
  default:
    return run_options_take(&q->run, "run", option, optarg);
  }
}

static int parse(struct request *q, int argc, char **argv) {
  for (int o; (o = tool_option_next("run", groups, argc, argv)) != -1;) {
    int status = take(q, o);
    if (status != TOOL_OK) return status;
  }
  char err[200];
  if (optind + 1 != argc) return tool_usage("run", "one file is needed");
  q->file = argv[optind];
  if (!launch_size_finish(&q->size, err, sizeof err)) return tool_usage("run", "%s", err);
  if (q->run.profile_out && q->job.host_seed != 0)
    return tool_usage("run", "--profile-out and --host: one of them, since that host launches more");
  if (q->run.issued && (q->run.on == ON_RTL || q->run.on == ON_BOARD))
    return tool_usage("run", "--fidelity: there is no model that says what has executed with --on %s",
                      run_on_name(q->run.on));
  const int status = run_options_finish(&q->run, "run");
  return status == TOOL_OK ? run_replay_check(&q->run, q->replay) : status;
}

static bool build(struct request *q, const struct heddle_program *p) {
  char err[512];
  if ((q->run.sanitize >> SANITIZE_MEMORY & 1) != 0) q->job.guard = SANITIZE_GUARD;
  const bool ok = job_build(&q->job, p, q->kernel, q->size.grid, q->size.block, err, sizeof err);
  if (!ok) tool_error("%s", err);
  return ok;
}

/* A program that is to trap on what the machine lacks is let be. */
static bool possible(const struct request *q, struct run_result *out) {
  const bool traps = q->expect_trap && strcmp(q->expect_trap, heddle_cause_name(HEDDLE_TRAP_ILLEGAL)) == 0;
  if (traps || run_possible(&q->run, &q->job, &q->typed, out->message, sizeof out->message)) return true;
  out->status = RUN_BAD_INPUT;
  snprintf(out->diagnosis.kind, sizeof out->diagnosis.kind, "refused");
  out->refused = run_refused_json(&q->run, &q->job);
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
  struct fidelity *f = fidelity_new(q->job.program, r);
  if (!f) return false;
  fidelity_print(f, stdout);
  (void)fflush(stdout); /* the last line goes to stderr */
  r->fidelity = fidelity_json(f);
  fidelity_free(f);
  return true;
}

static int launch(struct request *q) {
  struct heddle_message m;
  struct source_options with = run_source(&q->run);
  with.warns = true;
  bool missing = false;
  with.cc = &q->cc;
  with.missing = &missing;
  with.printf_bytes = q->printf_bytes;
  with.heap_bytes = q->heap_bytes;
  int status = TOOL_USAGE;
  struct heddle_program *p = source_load_with(q->file, &with, &m);
  if (!p) {
    tool_message(NULL, &m);
    return missing ? TOOL_MISSING : TOOL_USAGE;
  }
  struct runner *r = NULL;
  struct run_result result = {0};
  uint8_t *image = NULL;
  if (q->run.on == ON_BOARD && q->job.base == 0) q->job.base = RUN_BOARD_BASE;
  if (build(q, p) && (place_banks(q), bus_errors_fit(&q->job)) && (r = runner_new(&q->run, &status)) != NULL) {
    image = malloc(q->job.mem_bytes);
    if (possible(q, &result)) runner_run(r, &q->job, image, &result);
    printed_show(&q->job, image, &result);
    waive_findings(q, &result);
    const struct waiver *known = waived(q, &result);
    const bool told = tell_fidelity(q, &result);
    status = run_conclude(&q->run, &q->job, q->expect_trap, &result, image, known);
    if (!told && status == TOOL_OK) status = TOOL_USAGE;
    waivers_tell(q->waivers, false);
    runner_free(r); /* the stream is complete */
    r = NULL;
    const bool ran = result.status != RUN_MISSING && result.status != RUN_BAD_INPUT;
    if (q->replay && ran) status = run_replay(&q->run, &q->job, q->replay, status, &result.digests);
    if (q->run.json && !result_write_json(q->run.json, &q->run, &q->job, &result, known, status)) status = TOOL_USAGE;
  }
  free(image);
  run_result_clear(&result);
  runner_free(r);
  heddle_program_free(p);
  return status;
}

static int run(int argc, char **argv) {
  struct request *q = calloc(1, sizeof *q);
  if (!q) return TOOL_USAGE;
  run_options_init(&q->run);
  q->cc.level = 2;
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  q->run.threads = processors > 0 && processors <= 256 ? (unsigned)processors : 1;
  char **typed = malloc(((size_t)argc + 1) * sizeof *typed); /* getopt changes the order */
  if (typed) memcpy(typed, argv, ((size_t)argc + 1) * sizeof *typed);
  int status = typed ? parse(q, argc, argv) : TOOL_USAGE;
  q->typed = (struct command_line){.argc = argc, .argv = typed, .file = q->file};
  if (status == TOOL_OK) status = waivers_open(q->run.waivers, &q->waivers);
  if (status == TOOL_OK) status = launch(q);
  waivers_free(q->waivers);
  job_clear(&q->job);
  for (unsigned b = 0; b < 4; b++) free(q->bank[b]);
  free(typed);
  free(q);
  return status;
}

const struct tool_command cmd_run = {
    "run", "launch a kernel on the model, the RTL, or both in lockstep", run, usage, about, groups, examples, NULL};
