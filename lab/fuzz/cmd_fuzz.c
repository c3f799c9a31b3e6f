/* SPDX-License-Identifier: Apache-2.0
 * heddle fuzz: random programs, with shrinking. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lab/fuzz/fuzz_shrink.h"
#include "lab/fuzz/fuzz_case.h"
#include "lab/verify/random/knobs.h"
#include "run/cases/suite.h"

enum { PROGRAMS_MAX = 1000000, SHRINK_SECONDS = 60, SHRINK_MAX = 86400 };

static const struct tool_option own[] = {
    {"programs", "N", "how many", 'p', NULL},
    {"only", "K", "only program K", 'k', NULL},
    {"first", "K", "begin with program K instead of 0", 'f', NULL},
    {"print", NULL, "write the assembly of the programs to stdout and do not run them", 'P', NULL},
    {"no-shrink", NULL, "report a failing program as it is", 'n', NULL},
    {"shrink-seconds", "N", "time for making one failing program smaller (default 60)", 's', NULL},
    {"save", "DIR", "write each failing program, shrunk, as DIR/NAME.s with DIR/NAME.sh that runs it", 'S', NULL},
    {"stats", NULL,
     "run them on the model and report each form, how long a warp runs, how much of the text is "
     "prologue and epilogue; lint proves their control codes. With --cov what they reach, but for what time decides "
     "(docs/coverage.md)",
     'A', NULL},
    {"knobs", "FILE", "what programs are made of: weights and ranges, as in lab/verify/random/default.knobs", 'F',
     NULL},
    {"knob", "NAME=VALUE", "one of them; may be repeated", 'K', NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, own}, {"How it runs:", run_option_table}, {0}};
static const char *const usage[] = {"--programs N [options]", NULL};
static const char *const examples[] = {
    "heddle fuzz --programs 100 --seed 7 --config fpga --save failures",
    "heddle fuzz --programs 100 --config tiny --waivers known.txt --json failures.json",
    "heddle fuzz --programs 100 --config tiny --knob stream.hazard=200 --knob grid.blocks=1..2", NULL};
static const char about[] =
    "Run N random programs in lockstep; what fails is shrunk to a few instructions and printed. Program K of seed S is "
    "the same under any --jobs. Each has a process and a device of its own, and seeds of its "
    "own that follow from S and K. With knob program.host up to two other programs run on it before. Each program also "
    "runs on the model alone, with the model's own schedule, and must leave the same memory. Failures are counted by "
    "signature. --max-cycles follows from what the model alone needs. "
    "--trace and --wave: of several "
    "programs K goes to FILE.K; with --on model a program that traps, or with a result that depends on an order, "
    "leaves no "
    "trace.";

struct name {
  char text[24];
};

struct request {
  struct run_options run;
  struct random_knobs knobs;
  uint64_t programs, only, first, seconds;
  bool has_only, print, stats, no_shrink;
  const char *save;
  char again[2000];  /* the command behind "heddle", without a program's number: knobs are in it */
  struct name *name; /* of each program: its number */
};

static uint64_t index_of(const struct request *q, size_t item) {
  return q->has_only ? q->only : q->first + item;
}

static const char *name_of_program(void *ctx, size_t item) {
  return ((const struct request *)ctx)->name[item].text;
}

static void options_of(void *ctx, size_t item, struct run_options *o) {
  fuzz_case_options(o, index_of(ctx, item));
}

static struct fuzz_case case_of(const struct request *q, uint64_t index) {
  struct fuzz_case c = {.run = q->run, .knobs = &q->knobs, .index = index};
  fuzz_case_options(&c.run, index);
  return c;
}

/* FILE for one program, FILE.K for program K of several. */
static const char *file_of_program(const struct request *q, const char *file, uint64_t index, char *buf, size_t size) {
  if (!file || q->programs == 1) return file;
  (void)snprintf(buf, size, "%s.%" PRIu64, file, index);
  return buf;
}

static void tell_small(const struct request *q, const struct fuzz_small *s, struct suite_verdict *out) {
  const uint32_t *g = s->p.launch.grid, *b = s->p.launch.block;
  struct fuzz_verdict v;
  char name[128], options[400];
  fuzz_judge(&s->c, &s->p, false, &v);
  if (v.report) fputs(v.report, stderr);
  tool_log("program %" PRIu64
           ": %u instructions are left of %u, after %u runs%s; --grid %u,%u,%u --block %u,%u,%u %s:\n%s",
           s->c.index, s->instructions, s->before, s->runs, s->out_of_time ? " and all the time there was" : "", g[0],
           g[1], g[2], b[0], b[1], b[2], run_repeat_text(&s->c.run, options, sizeof options), s->p.text);
  if (s->runs > 0) out->left = s->instructions;
  if (q->save && fuzz_save(s, &v, q->save, name, sizeof name)) {
    tool_log("saved: %s/%s.sh", q->save, name);
    if (strlen(q->save) + strlen(name) + 5 < sizeof out->small)
      (void)snprintf(out->small, sizeof out->small, "%s/%s.sh", q->save, name);
  }
  fuzz_verdict_clear(&v);
}

/* As it is, in the same clothes as a shrunk one. */
static bool take_whole(const struct fuzz_case *c, struct random_program *p, struct fuzz_small *out) {
  memset(out, 0, sizeof *out);
  out->c = *c;
  out->c.run.wave = out->c.run.trace = out->c.run.stream = out->c.run.cov = NULL;
  if (!fuzz_program_init(&out->p, p)) return false;
  for (const char *t = out->p.text; *t; t++) out->instructions += *t == ';';
  out->before = out->instructions;
  return true;
}

/* SystemC has one device a process, whose first state is not made anew. */
static void tell_failure(const struct request *q, const struct fuzz_case *c, struct random_program *p,
                         const struct fuzz_verdict *v, struct suite_verdict *out) {
  struct fuzz_small s;
  const bool whole = q->no_shrink || c->run.on == ON_SYSTEMC;
  const bool ok = whole ? take_whole(c, p, &s) : fuzz_shrink(c, p, &v->diagnosis, (double)q->seconds, &s);
  if (ok)
    tell_small(q, &s, out);
  else
    tool_error("program %" PRIu64 ": out of memory while shrinking", c->index);
  if (ok) fuzz_small_clear(&s);
}

static void take_verdict(const struct fuzz_verdict *v, struct suite_verdict *out) {
  out->retired = v->retired;
  out->cycles = v->cycles;
  out->max_cycles = v->max_cycles;
  out->diagnosis = v->diagnosis;
  if (v->status == RUN_OK) return;
  out->status = v->status;
  suite_fail(out, "%s: %s", run_status_name(v->status), v->why);
}

/* In a process of the suite. */
static void judge_program(void *ctx, size_t item, struct runner *r, struct suite_verdict *out) {
  const struct request *q = ctx;
  struct fuzz_case c = case_of(q, index_of(q, item));
  struct fuzz_program whole = {0};
  struct fuzz_verdict v;
  char trace[4096], wave[4096], stream[4096], again[400], command[2400];
  (void)r;
  struct random_program *p = fuzz_case_program(&c);
  if (!p || !fuzz_program_init(&whole, p)) {
    suite_fail(out, "out of memory");
    return;
  }
  c.run.trace = file_of_program(q, q->run.trace, c.index, trace, sizeof trace);
  c.run.wave = file_of_program(q, q->run.wave, c.index, wave, sizeof wave);
  c.run.stream = file_of_program(q, q->run.stream, c.index, stream, sizeof stream);
  (void)snprintf(command, sizeof command, "heddle %s --only %" PRIu64 " %s", q->again, c.index,
                 run_repeat_text(&c.run, again, sizeof again));
  c.run.command = command;
  fuzz_judge(&c, &whole, false, &v);
  take_verdict(&v, out);
  if (v.other != 0) { /* that one is to be shrunk, behind those before it */
    random_program_free(p);
    c.other = v.other;
    p = fuzz_case_program(&c);
  }
  if (p && v.status != RUN_OK && v.status != RUN_MISSING)
    tell_failure(q, &c, p, &v, out); /* what is missing is not the program's fault */
  fuzz_verdict_clear(&v);
  fuzz_program_clear(&whole);
  random_program_free(p);
}

static int print_programs(const struct request *q) {
  for (uint64_t k = 0; k < q->programs; k++) {
    const struct fuzz_case c = case_of(q, index_of(q, k));
    struct random_program *p = fuzz_case_program(&c);
    if (!p) return TOOL_USAGE;
    fputs(random_program_text(p), stdout);
    random_program_free(p);
  }
  return TOOL_OK;
}

/* What programs are made of, in this process. */
static int measure_programs(const struct request *q) {
  struct fuzz_stats *s = fuzz_stats_new(&q->run, q->programs);
  uint64_t failed = 0;
  if (!s) {
    tool_error("out of memory");
    return TOOL_USAGE;
  }
  for (uint64_t k = 0; k < q->programs; k++) {
    char why[400] = "it cannot be assembled";
    const struct fuzz_case c = case_of(q, index_of(q, k));
    struct random_program *p = fuzz_case_program(&c);
    struct fuzz_program whole = {0};
    struct heddle_program *program = p && fuzz_program_init(&whole, p) ? fuzz_assemble(&c, &whole, false) : NULL;
    if (!program || !fuzz_stats_add(s, p, program, why, sizeof why)) {
      tool_log("FAILED %" PRIu64 ": %s", c.index, p ? why : "out of memory");
      failed++;
    }
    heddle_program_free(program);
    fuzz_program_clear(&whole);
    random_program_free(p);
  }
  const bool written = fuzz_stats_print(s, q->run.json);
  fuzz_stats_free(s);
  tool_log("%" PRIu64 " passed, %" PRIu64 " failed", q->programs - failed, failed);
  return failed ? TOOL_DIFFERENCE : written ? TOOL_OK : TOOL_USAGE;
}

/* Knobs belong to the program, and so to the line that repeats it. */
static int take_knob(struct request *q, const char *option) {
  const size_t n = strlen(q->again);
  const bool file = strcmp(option, "knobs") == 0;
  const int status = file ? fuzz_knobs_file(&q->knobs, optarg) : fuzz_knob(&q->knobs, optarg);
  if (status != TOOL_OK) return status;
  if ((size_t)snprintf(q->again + n, sizeof q->again - n, " --%s %s", option, optarg) < sizeof q->again - n)
    return TOOL_OK;
  return tool_usage("fuzz", "--%s %s: more knobs than a line holds; put them into a file", option, optarg);
}

static int take_fuzz_count(const char *option, uint64_t most, uint64_t *to) {
  if (tool_number(optarg, most, to)) return TOOL_OK;
  return tool_usage("fuzz", "--%s %s: expected a number up to %" PRIu64, option, optarg, most);
}

static int take_fuzz_option(struct request *q, int option) {
  switch (option) {
  case 'p':
    return take_fuzz_count("programs", PROGRAMS_MAX, &q->programs);
  case 'k':
    q->has_only = true;
    return take_fuzz_count("only", UINT64_MAX, &q->only);
  case 'f':
    return take_fuzz_count("first", UINT64_MAX - PROGRAMS_MAX, &q->first);
  case 's':
    return take_fuzz_count("shrink-seconds", SHRINK_MAX, &q->seconds);
  case 'P':
    q->print = true;
    return TOOL_OK;
  case 'n':
    q->no_shrink = true;
    return TOOL_OK;
  case 'S':
    q->save = optarg;
    return TOOL_OK;
  case 'A':
    q->stats = true;
    return TOOL_OK;
  case 'F':
    return take_knob(q, "knobs");
  case 'K':
    return take_knob(q, "knob");
  default:
    return run_options_take(&q->run, "fuzz", option, optarg);
  }
}

static int parse_fuzz_options(struct request *q, int argc, char **argv) {
  for (int o; (o = tool_option_next("fuzz", groups, argc, argv)) != -1;) {
    const int status = take_fuzz_option(q, o);
    if (status != TOOL_OK) return status;
  }
  if (optind != argc) return tool_usage("fuzz", "'%s' is not expected", argv[optind]);
  if (q->has_only) q->programs = 1;
  if (q->programs == 0) return tool_usage("fuzz", "--programs N is needed, N at least 1");
  const int status = run_options_serve(q->run.on, "fuzz", groups, argc, argv);
  return status == TOOL_OK ? run_options_finish(&q->run, "fuzz") : status;
}

/* Programs have their buffers where a board has memory. */
static int ask_board(struct run_options *o) {
  int status = TOOL_OK;
  struct runner *r = o->on == ON_BOARD ? runner_new(o, &status) : NULL;
  if (r) o->board_base = runner_memory_base(r);
  runner_free(r);
  return status;
}

static int fuzz_main(int argc, char **argv) {
  struct request q = {.seconds = SHRINK_SECONDS, .again = "fuzz --programs 1"};
  char again[6200];
  run_options_init(&q.run);
  q.run.config_given = true; /* programs are made for a machine, on the model too */
  random_knobs_default(&q.knobs);
  int status = parse_fuzz_options(&q, argc, argv);
  if (status == TOOL_OK) status = ask_board(&q.run);
  if (status != TOOL_OK) return status;
  if (q.print) return print_programs(&q);
  if (q.stats) return measure_programs(&q);
  q.name = calloc(q.programs, sizeof *q.name);
  if (!q.name) {
    tool_error("out of memory");
    return TOOL_USAGE;
  }
  for (size_t i = 0; i < q.programs; i++)
    (void)snprintf(q.name[i].text, sizeof q.name[i].text, "%" PRIu64, index_of(&q, i));
  (void)snprintf(again, sizeof again, "%s %s", tool_program, q.again);
  const struct suite s = {.command = "fuzz",
                          .what = "programs",
                          .again = again,
                          .run = &q.run,
                          .items = q.programs,
                          .alone = true,
                          .options = options_of,
                          .name = name_of_program,
                          .one = judge_program,
                          .ctx = &q};
  status = suite_run(&s);
  free(q.name);
  return status;
}

const struct tool_command cmd_fuzz = {
    "fuzz", "random programs in lockstep, with shrinking", fuzz_main, usage, about, groups, examples, NULL};
