/* SPDX-License-Identifier: Apache-2.0
 * heddle run: launch one kernel. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile.h"
#include "result_json.h"
#include "runner.h"

static const char help[] =
    "usage: heddle run FILE.elf --kernel K --grid X,Y,Z --block X,Y,Z --arg A ... [options]\n\n"
    "Launch kernel K and wait for its end. An argument A is u32:5, s32:-1, f32:2.5, bits64:0x..., in:FILE,\n"
    "out:BYTES:FILE or inout:FILE:FILE; in-buffers are read-only for the kernel.\n\n"
    "  --kernel K         entry\n"
    "  --grid X,Y,Z       blocks (missing sizes are 1)\n"
    "  --block X,Y,Z      threads of a block\n"
    "  --arg A            one for each parameter, in order\n"
    "  --launches N       the same grid N times, without a reset; memory stays as it was left\n"
    "  --bank B:FILE      constant bank 1 or 2\n"
    "  --base ADDR        where buffers begin, a multiple of 4096 (default 0x100000)\n"
    "  --bus-errors A:N   on a device: memory answers with errors from address A on, N bytes; A may be\n"
    "                     counted from where the code, a constant bank or local memory begins: code+0x40:16,\n"
    "                     bank1+0:4, local+0x800:4\n"
    "  --host N           on a device: the host does more than launch, drawn from N (from 1): other registers,\n"
    "                     launches that are refused, aborts, resets, each of which must be answered as is written\n"
    "  --expect-trap C    succeed if, and only if, the program traps with cause C (misaligned, out_of_range, "
    "...)\n" RUN_OPTIONS_HELP "\nexample: heddle run vecadd.elf --kernel vecadd --grid 8 --block 128 \\\n"
    "           --arg in:a.bin --arg in:b.bin --arg out:4000:c.bin --arg u32:1000 --on lockstep --config fpga\n";

struct request {
  struct run_options run;
  const char *file, *kernel, *expect_trap;
  uint32_t grid[3], block[3];
  uint64_t launches;
  uint8_t *bank[4]; /* owned */
  size_t bank_bytes[4];
  struct job job;
};

/* "4", "4,2", "4,2,1" */
static bool parse_size(const char *text, uint32_t size[3]) {
  size[0] = size[1] = size[2] = 1;
  for (unsigned d = 0; d < 3; d++) {
    char *end;
    if (*text < '0' || *text > '9') return false;
    unsigned long v = strtoul(text, &end, 10);
    if (v == 0 || v > 0x7fffffffu) return false;
    size[d] = (uint32_t)v;
    if (*end == 0) return true;
    if (*end != ',') return false;
    text = end + 1;
  }
  return false;
}

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

/* Then: do errors lie in what there is? */
static bool errors_fit(const struct request *q) {
  const struct job *j = &q->job;
  uint64_t most = UINT64_MAX;
  if (j->error_in == HEDDLE_ERRORS_CODE) most = j->launch.code_bytes;
  if (j->error_in >= HEDDLE_ERRORS_BANK0 && j->error_in < HEDDLE_ERRORS_LOCAL)
    most = j->launch.cbank_bytes[j->error_in - HEDDLE_ERRORS_BANK0];
  if (j->error_limit <= most) return true;
  tool_error("--bus-errors: %s has %" PRIu64 " bytes", j->error_in == HEDDLE_ERRORS_CODE ? "the code" : "that bank",
             most);
  return false;
}

static int take_base(struct request *q, const char *text) {
  if (tool_number(text, (UINT64_C(1) << 40) - 1, &q->job.base) && q->job.base % 4096 == 0 && q->job.base != 0)
    return TOOL_OK;
  return tool_usage("run", "--base %s: expected a multiple of 4096 from 4096 to 0xfffffff000", text);
}

/* "0x102000", "code+0x40", "bank1+0x40", "local+0x800" */
static bool errors_from(struct request *q, const char *text, char **end, unsigned long long *at) {
  static const char *const from[] = {"", "code+", "bank0+", "bank1+", "bank2+", "bank3+", "local+"};
  unsigned in = HEDDLE_ERRORS_IN - 1;
  while (in > 0 && strncmp(text, from[in], strlen(from[in])) != 0) in--;
  text += strlen(from[in]);
  q->job.error_in = (enum heddle_errors_in)in;
  errno = 0;
  *at = strtoull(text, end, 0);
  return *text >= '0' && *text <= '9' && errno == 0 && *at < UINT64_C(1) << (in == 0 ? 40 : 24);
}

/* "0x102000:128" */
static int take_errors(struct request *q, const char *text) {
  char *end;
  unsigned long long at;
  uint64_t bytes;
  if (errors_from(q, text, &end, &at) && *end == ':' && tool_number(end + 1, JOB_BYTES_MAX, &bytes) && bytes > 0) {
    q->job.error_base = at;
    q->job.error_limit = at + bytes;
    return TOOL_OK;
  }
  return tool_usage(
      "run",
      "--bus-errors %s: expected ADDRESS:BYTES, code+OFFSET:BYTES, local+OFFSET:BYTES or bank0+OFFSET:BYTES (to "
      "bank3), an address of 40 bits, an offset of 24, up to %u bytes",
      text, JOB_BYTES_MAX);
}

static int take(struct request *q, int option) {
  char err[512];
  switch (option) {
  case 'k':
    q->kernel = optarg;
    return TOOL_OK;
  case 'n':
    if (tool_number(optarg, 1000000, &q->launches) && q->launches > 0) return TOOL_OK;
    return tool_usage("run", "--launches %s: expected a number from 1 to 1000000", optarg);
  case 'B':
    return take_bank(q, optarg);
  case 'A':
    return take_base(q, optarg);
  case 'E':
    return take_errors(q, optarg);
  case 'H':
    if (tool_number(optarg, UINT64_MAX, &q->job.host_seed) && q->job.host_seed != 0) return TOOL_OK;
    return tool_usage("run", "--host %s: expected a number from 1", optarg);
  case 't':
    q->expect_trap = optarg;
    return TOOL_OK;
  case 'g':
  case 'b':
    if (parse_size(optarg, option == 'g' ? q->grid : q->block)) return TOOL_OK;
    return tool_usage("run", "--%s %s: expected X,Y,Z, each at least 1", option == 'g' ? "grid" : "block", optarg);
  case 'a':
    if (job_add_arg(&q->job, optarg, err, sizeof err)) return TOOL_OK;
    tool_error("%s", err);
    return TOOL_USAGE;
  default:
    return run_options_take(&q->run, "run", option, optarg);
  }
}

static int parse(struct request *q, int argc, char **argv) {
  static const struct option options[] = {{"kernel", required_argument, NULL, 'k'},
                                          {"grid", required_argument, NULL, 'g'},
                                          {"block", required_argument, NULL, 'b'},
                                          {"arg", required_argument, NULL, 'a'},
                                          {"launches", required_argument, NULL, 'n'},
                                          {"bank", required_argument, NULL, 'B'},
                                          {"base", required_argument, NULL, 'A'},
                                          {"bus-errors", required_argument, NULL, 'E'},
                                          {"host", required_argument, NULL, 'H'},
                                          {"expect-trap", required_argument, NULL, 't'},
                                          RUN_LONG_OPTIONS,
                                          {NULL, 0, NULL, 0}};
  for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    int status = take(q, o);
    if (status != TOOL_OK) return status;
  }
  if (optind + 1 != argc) return tool_usage("run", "one ELF file is needed");
  q->file = argv[optind];
  if (!q->kernel || q->grid[0] == 0 || q->block[0] == 0)
    return tool_usage("run", "--kernel, --grid and --block are needed");
  return run_options_finish(&q->run, "run");
}

static void print_trap(const struct heddle_trap *t) {
  tool_log("trap %s: block %u,%u,%u warp %u lanes 0x%08x pc 0x%04x sequence %u address 0x%llx",
           heddle_cause_name(t->cause), t->ctaid[0], t->ctaid[1], t->ctaid[2], t->warp_in_block, t->lanes, t->pc,
           t->seq, (unsigned long long)t->addr);
}

static int conclude(const struct request *q, const struct run_result *r, const uint8_t *image) {
  if (r->report) fputs(r->report, stderr);
  if (q->run.profile) profile_print(stdout, q->kernel, r->retired, r->cycles, r->counter);
  if (r->status == RUN_TRAP) print_trap(&r->trap);
  if (r->status != RUN_OK && r->status != RUN_TRAP) tool_error("%s", r->message);
  if ((r->status == RUN_OK || r->status == RUN_TRAP) && image && !job_save_outputs(&q->job, image)) return TOOL_USAGE;
  int status = run_exit_status(r->status);
  if (q->expect_trap && (status == TOOL_TRAPPED || status == TOOL_OK)) {
    bool same = status == TOOL_TRAPPED && strcmp(q->expect_trap, heddle_cause_name(r->trap.cause)) == 0;
    if (!same)
      tool_error("expected trap %s, saw %s", q->expect_trap,
                 status == TOOL_OK ? "none" : heddle_cause_name(r->trap.cause));
    status = same ? TOOL_OK : TOOL_DIFFERENCE;
  }
  char modes[32], ages[32] = "";
  if (r->stats.records != 0) snprintf(ages, sizeof ages, "; ages %u, %u", r->stats.read_age, r->stats.pred_age);
  tool_log("%s: %llu warp instructions, %llu cycles; --on %s --config %s --dep %s%s --seed %llu%s",
           run_status_name(r->status), (unsigned long long)r->retired, (unsigned long long)r->cycles,
           run_on_name(q->run.on), q->run.config_name, q->run.scoreboard ? "scoreboard" : "control",
           run_modes_text(&q->run, modes), (unsigned long long)q->run.seed, ages);
  return status;
}

static int launch(struct request *q) {
  struct heddle_program *p;
  struct heddle_message m;
  char err[512];
  if (!heddle_program_load(q->file, &p, &m)) {
    tool_message(NULL, &m);
    return TOOL_USAGE;
  }
  int status = TOOL_USAGE;
  struct runner *r = NULL;
  struct run_result result = {0};
  uint8_t *image = NULL;
  if (!job_build(&q->job, p, q->kernel, q->grid, q->block, err, sizeof err)) {
    tool_error("%s", err);
  } else if (place_banks(q), errors_fit(q) && (r = runner_new(&q->run, &status)) != NULL) {
    image = malloc(q->job.mem_bytes);
    runner_run(r, &q->job, image, &result);
    status = conclude(q, &result, image);
    if (q->run.json && !result_write_json(q->run.json, &q->run, &result, status)) status = TOOL_USAGE;
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
  int status = parse(q, argc, argv);
  if (status == TOOL_OK) status = launch(q);
  job_clear(&q->job);
  for (unsigned b = 0; b < 4; b++) free(q->bank[b]);
  free(q);
  return status;
}

const struct tool_command cmd_run = {"run", "launch a kernel on the model, the RTL, or both in lockstep", help, run};
