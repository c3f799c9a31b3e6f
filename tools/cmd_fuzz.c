/* SPDX-License-Identifier: Apache-2.0
 * heddle fuzz: random programs, with shrinking. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_job.h"
#include "fuzz_stats.h"
#include "heddle/asm.h"
#include "knobs.h"
#include "random_program.h"
#include "suite.h"

enum { PROGRAMS_MAX = 1000000 };

static const char help[] =
    "usage: heddle fuzz --programs N [options]\n\n"
    "Run N random programs in lockstep; what fails is shrunk to a few instructions and printed. Program K of seed S is "
    "the\n"
    "same under any --jobs. Each program also runs on the model alone, with the model's own schedule, and must leave\n"
    "the same memory.\n\n"
    "  --programs N       how many\n"
    "  --only K           only program K\n"
    "  --print            write the assembly of the programs to stdout and do not run them\n"
    "  --no-shrink        report a failing program as it is\n"
    "  --stats            run them on the model and say what they execute: each form, how long a warp runs, how much\n"
    "                     of the text is prologue and epilogue; lint proves their control codes\n"
    "  --knobs FILE       what programs are made of: weights and ranges, as in firmware/random/default.knobs\n"
    "  --knob NAME=VALUE  one of them; may be repeated\n" RUN_OPTIONS_HELP
    "\nexample: heddle fuzz --programs 100 --seed 7 --config fpga\n"
    "         heddle fuzz --programs 100 --config tiny --knob stream.hazard=200 --knob grid.blocks=1..2\n";

struct name {
  char text[24];
};

struct request {
  struct run_options run;
  struct random_knobs knobs;
  uint64_t programs, only;
  bool has_only, stats, print, no_shrink;
  struct name *name; /* of each program: its number */
};

struct verdict {
  enum run_status status;
  char why[600];
  uint64_t retired;
};

/* Under the hardware's own scoreboard the codes are hints: take them away, so that only the hardware protects. */
static void strip_codes(struct heddle_program *p) {
  for (uint32_t pc = 0; pc < p->code_bytes; pc += ISA_WORD_BYTES) {
    struct isa_word w = heddle_program_word(p, pc);
    w = isa_put(isa_put(w, ISA_F_STALL, 1), ISA_F_WAIT, 0);
    w = isa_put(isa_put(w, ISA_F_WBAR, 7), ISA_F_RBAR, 7);
    isa_word_store(p->code + pc, w);
  }
}

/* Of codes by hand the assembler warns where a counter is waited for instead of a stall count; lint knows better. */
static void errors_only(void *ctx, const struct heddle_message *m) {
  if (!m->warning) tool_message(ctx, m);
}

static struct heddle_program *assemble(const struct request *q, struct random_program *p, uint64_t index) {
  char name[32];
  struct heddle_asm_options o = {.message = errors_only};
  tool_stalls(q->run.config->name, o.stall); /* no more than this machine needs */
  snprintf(name, sizeof name, "program-%" PRIu64, index);
  const char *text = random_program_text(p);
  struct heddle_program *program = heddle_assemble(text, strlen(text), name, &o);
  if (program && q->run.scoreboard) strip_codes(program);
  return program;
}

/* The model alone must leave the same memory: a tap that lies about the order would show here. */
static void check_alone(const struct request *q, const struct job *j, const uint8_t *image, struct verdict *v) {
  struct run_options alone = q->run;
  int status;
  alone.on = ON_MODEL;
  alone.max_cycles = 0;
  struct runner *m = runner_new(&alone, &status);
  uint8_t *mine = malloc(j->mem_bytes);
  struct run_result r = {0};
  if (m && mine) {
    runner_run(m, j, mine, &r);
    if (r.status != RUN_OK || memcmp(mine, image, j->mem_bytes) != 0) {
      v->status = RUN_DIFFERENCE;
      snprintf(v->why, sizeof v->why, "the model alone leaves other memory: %s", r.message);
    }
  }
  run_result_clear(&r);
  free(mine);
  runner_free(m);
}

static void run_one(const struct request *q, struct runner *r, struct random_program *p, uint64_t index,
                    struct verdict *v, bool report) {
  struct job j = {0};
  struct run_result result = {0};
  uint8_t *image = NULL;
  const struct random_launch *l = random_program_launch(p);
  memset(v, 0, sizeof *v);
  v->status = RUN_BAD_INPUT;
  snprintf(v->why, sizeof v->why, "the program cannot be built");
  struct heddle_program *program = assemble(q, p, index);
  if (program && fuzz_job(&j, program, l) && (image = malloc(j.mem_bytes)) != NULL) {
    runner_run(r, &j, image, &result);
    v->status = result.status;
    v->retired = result.retired;
    snprintf(v->why, sizeof v->why, "%s", result.message);
    if (result.status == RUN_TRAP)
      snprintf(v->why, sizeof v->why, "trap %s at pc 0x%x", heddle_cause_name(result.trap.cause), result.trap.pc);
    v->status = fuzz_expected(l, &result, v->why, sizeof v->why);
    if (report && result.report) fputs(result.report, stderr);
    if (v->status == RUN_OK && fuzz_comparable(l) && q->run.on != ON_MODEL) check_alone(q, &j, image, v);
  }
  run_result_clear(&result);
  free(image);
  job_clear(&j);
  heddle_program_free(program);
}

static struct random_program *make(const struct request *q, uint64_t index) {
  const struct random_limits l = fuzz_limits(&q->run, &q->knobs);
  return random_program_new(q->run.seed, index, &l);
}

/* Leave out nodes, coarse ones first (they have low numbers), as long as it fails the same way. */
static void shrink(const struct request *q, struct runner *r, struct random_program *p, uint64_t index,
                   const struct verdict *first) {
  bool again = true;
  for (unsigned round = 0; again && round < 4; round++) {
    again = false;
    for (unsigned n = 0; n < random_program_nodes(p); n++) {
      struct verdict v;
      if (!random_program_has(p, n)) continue;
      random_program_remove(p, n, true);
      run_one(q, r, p, index, &v, false);
      bool same = v.status == first->status && strncmp(v.why, first->why, strcspn(first->why, " :")) == 0;
      if (!same) random_program_remove(p, n, false);
      again = again || same;
    }
  }
}

static uint64_t index_of(const struct request *q, size_t item) {
  return q->has_only ? q->only : item;
}

static const char *name_of(void *ctx, size_t item) {
  return ((const struct request *)ctx)->name[item].text;
}

static void tell(const struct request *q, struct runner *r, struct random_program *p, uint64_t index,
                 struct verdict *v) {
  const unsigned before = random_program_size(p);
  if (!q->no_shrink) {
    shrink(q, r, p, index, v);
    run_one(q, r, p, index, v, true);
  }
  tool_log("program %" PRIu64 ": %u nodes of its body are left of %u:\n%s", index, random_program_size(p), before,
           random_program_text(p));
}

/* In a process of the suite. */
static void one(void *ctx, size_t item, struct runner *r, struct suite_verdict *out) {
  const struct request *q = ctx;
  const uint64_t index = index_of(q, item);
  struct random_program *p = make(q, index);
  struct verdict v;
  if (!p) {
    suite_fail(out, "out of memory");
    return;
  }
  run_one(q, r, p, index, &v, q->no_shrink);
  out->retired = v.retired;
  if (v.status != RUN_OK) {
    if (v.status != RUN_MISSING) tell(q, r, p, index, &v); /* else it is not the program's fault */
    out->status = v.status;
    suite_fail(out, "%s: %s", run_status_name(v.status), v.why);
  }
  random_program_free(p);
}

static int print_programs(const struct request *q) {
  for (uint64_t k = 0; k < q->programs; k++) {
    struct random_program *p = make(q, index_of(q, k));
    if (!p) return TOOL_USAGE;
    fputs(random_program_text(p), stdout);
    random_program_free(p);
  }
  return TOOL_OK;
}

/* What programs are made of, in this process. */
static int measure(const struct request *q) {
  struct fuzz_stats *s = fuzz_stats_new(&q->run, q->programs);
  uint64_t failed = 0;
  if (!s) {
    tool_error("out of memory");
    return TOOL_USAGE;
  }
  for (uint64_t k = 0; k < q->programs; k++) {
    char why[400] = "it cannot be assembled";
    struct random_program *p = make(q, index_of(q, k));
    struct heddle_program *program = p ? assemble(q, p, index_of(q, k)) : NULL;
    if (!program || !fuzz_stats_add(s, p, program, why, sizeof why)) {
      tool_log("FAILED %" PRIu64 ": %s", index_of(q, k), p ? why : "out of memory");
      failed++;
    }
    heddle_program_free(program);
    random_program_free(p);
  }
  const bool written = fuzz_stats_print(s, q->run.json);
  fuzz_stats_free(s);
  tool_log("%" PRIu64 " passed, %" PRIu64 " failed", q->programs - failed, failed);
  return failed ? TOOL_DIFFERENCE : written ? TOOL_OK : TOOL_USAGE;
}

static int parse(struct request *q, int argc, char **argv) {
  static const struct option options[] = {{"programs", required_argument, NULL, 'p'},
                                          {"only", required_argument, NULL, 'k'},
                                          {"print", no_argument, NULL, 'P'},
                                          {"no-shrink", no_argument, NULL, 'n'},
                                          {"stats", no_argument, NULL, 'A'},
                                          {"knobs", required_argument, NULL, 'K'},
                                          {"knob", required_argument, NULL, 'S'},
                                          RUN_LONG_OPTIONS,
                                          {NULL, 0, NULL, 0}};
  for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    int status = TOOL_OK;
    switch (o) {
    case 'p':
      if (!tool_number(optarg, PROGRAMS_MAX, &q->programs))
        status = tool_usage("fuzz", "--programs %s: expected a number up to %d", optarg, PROGRAMS_MAX);
      break;
    case 'k':
      q->has_only = tool_number(optarg, UINT64_MAX, &q->only);
      if (!q->has_only) status = tool_usage("fuzz", "--only %s: expected a number", optarg);
      break;
    case 'P':
      q->print = true;
      break;
    case 'n':
      q->no_shrink = true;
      break;
    case 'A':
      q->stats = true;
      break;
    case 'K':
      status = fuzz_knobs_file(&q->knobs, optarg);
      break;
    case 'S':
      status = fuzz_knob(&q->knobs, optarg);
      break;
    default:
      status = run_options_take(&q->run, "fuzz", o, optarg);
      break;
    }
    if (status != TOOL_OK) return status;
  }
  if (optind != argc) return tool_usage("fuzz", "'%s' is not expected", argv[optind]);
  if (q->has_only) q->programs = 1;
  if (q->programs == 0) return tool_usage("fuzz", "--programs N is needed, N at least 1");
  return run_options_finish(&q->run, "fuzz");
}

static int run(int argc, char **argv) {
  struct request q = {0};
  run_options_init(&q.run);
  random_knobs_default(&q.knobs);
  int status = parse(&q, argc, argv);
  if (status != TOOL_OK) return status;
  if (q.print) return print_programs(&q);
  if (q.stats) return measure(&q);
  q.name = calloc(q.programs, sizeof *q.name);
  if (!q.name) {
    tool_error("out of memory");
    return TOOL_USAGE;
  }
  for (size_t i = 0; i < q.programs; i++)
    (void)snprintf(q.name[i].text, sizeof q.name[i].text, "%" PRIu64, index_of(&q, i));
  const struct suite s = {.command = "fuzz",
                          .what = "programs",
                          .again = "heddle fuzz --programs 1",
                          .run = &q.run,
                          .items = q.programs,
                          .name = name_of,
                          .one = one,
                          .ctx = &q};
  status = suite_run(&s);
  free(q.name);
  return status;
}

const struct tool_command cmd_fuzz = {"fuzz", "random programs in lockstep, with shrinking", help, run};
