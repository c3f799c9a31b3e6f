/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle litmus run: tests as kernels, on whatever runs kernels; every outcome is judged.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <heddle/pages.h>
#include "base/array.h"
#include "lab/verify/litmus/src/litmus_programs.h"
#include "run/programs/source.h"
#include "run/runner/paged.h"
#include "lab/litmus/litmus.h"
#include "lab/verify/litmus/src/litmus_test.h"
#include "run/job/job.h"
#include "run/cases/suite.h"

struct litmus_item {
  struct test test;
  bool ptx;
  unsigned narrow; /* litmus_test.h; of assembly */
  uint8_t layout;
  char name[96];
};

struct litmus_request {
  struct run_options run;
  struct litmus_models models;
  struct litmus_item *item;
  size_t items, room;
  uint64_t count, from_seed, groups, rounds, times, skew;
  const char *histogram, *only;
  unsigned narrow, part, parts; /* every parts-th, from part on (from 0); parts 0: all */
  bool asm_form, ptx_form, count_given, launches;
  int layout;       /* -1: in turns */
  unsigned counted; /* of those in turns */
};

struct litmus_launch {
  const struct litmus_item *i;
  struct emit_shape shape;
  uint32_t per_time, times, instances, stride, step, bytes;
  unsigned together; /* threads that wait for each other; 0: they do not */
  uint64_t alias;    /* --pages: bytes to the second name of memory (paged.h); 0: it has none */
  unsigned sms;      /* most that an instance's threads were on */
  struct heddle_program *program;
  struct job job;
  uint8_t *image;
};

/* One launch of many instances, and how each of them ended. It makes jobs, which then travel like those of `heddle run`
 * (docs/how-a-launch-travels.md, before A 5 or B 5). */

#define LINE 128u
#define PLACES 512u         /* bytes of a group: which SM its threads are on */
#define NOTHING 0xa5a5a5a5u /* what a register that nobody stores reads as */

/* An odd number of lines from a location to the next: other sets of a cache, other banks. */
static void lay_out_locations(struct litmus_launch *l) {
  const struct test *t = &l->i->test;
  const uint32_t n = l->instances;
  l->stride = l->i->layout == 0 ? 4 : l->i->layout == 1 ? LINE * t->locs : 32;
  l->step = l->i->layout == 0 ? ((4 * n + LINE - 1) / LINE | 1) * LINE : l->i->layout == 1 ? LINE : 4;
  l->bytes = l->i->layout == 0 ? l->step * t->locs : l->stride * n;
}

/* The text of a kernel; NULL: no memory. */
static char *text_of_kernel(const struct litmus_launch *l) {
  const struct litmus_item *i = l->i;
  char *text = NULL;
  size_t bytes;
  FILE *f = open_memstream(&text, &bytes);
  if (f == NULL) return NULL;
  if (i->ptx)
    emit_ptx_as(&i->test, l->alias != 0, f);
  else
    emit_assembly_as(&i->test, i->narrow, l->alias != 0, f);
  if (fclose(f) == 0) return text;
  free(text);
  return NULL;
}

/* Its program; false: v says why. */
static bool launch_load(const struct litmus_request *q, struct litmus_launch *l, struct suite_verdict *v) {
  struct heddle_message m = {0};
  const struct source_options with = run_source(&q->run);
  char *text = text_of_kernel(l);
  if (text != NULL) l->program = (l->i->ptx ? source_compile : source_assemble)(text, l->i->name, &with, &m);
  free(text);
  if (l->program == NULL) suite_fail(v, "%s:%u:%u: %s", m.file, m.line, m.column, m.text);
  return l->program != NULL;
}

static uint8_t *buffer(struct job *j, uint32_t bytes) {
  uint8_t *first = calloc(1, bytes);
  if (first == NULL || !job_add_buffer(j, first, bytes, true)) {
    free(first);
    return NULL;
  }
  j->arg[j->args - 1].owned = first;
  return first;
}

/* In PTX. Byte k: how long thread k waits. */
static uint32_t skew(uint64_t round) {
  return round == 0 ? 0 : (uint32_t)(round * 0x9e3779b9u >> 3) & 0x3f3f3f3fu;
}

#define REGISTERS 64u /* of a thread of the kernel in assembly, or a few less */

/* Can all threads of a group be resident? Blocks start in order, so that then every group comes to be. */
static unsigned threads_together(const struct litmus_request *q, const struct litmus_launch *l) {
  const struct heddle_config *c = q->run.config;
  const unsigned warps = l->shape.block[1], blocks = l->shape.grid[0];
  if (q->run.on == ON_MODEL || l->i->ptx || emit_by_lane(&l->i->test)) return 0;
  unsigned room = c->warps / c->partitions;
  if (c->regs / REGISTERS < room) room = c->regs / REGISTERS;
  room = room * c->partitions / warps;
  return (room < c->blocks ? room : c->blocks) * c->sms < blocks ? 0 : l->i->test.threads;
}

/* In assembly threads change the name from access to access in every second round. */
static bool scalars(struct litmus_launch *l, const uint32_t *word, size_t words, uint64_t round) {
  const uint64_t alias = l->alias / HEDDLE_PAGE_SMALL;
  bool ok = true;
  for (size_t k = 0; ok && k < words; k++) ok = job_add_scalar(&l->job, word[k], 4);
  if (!ok || alias == 0) return ok;
  return job_add_scalar(&l->job, alias, 4) && (l->i->ptx || job_add_scalar(&l->job, round % 2 == 0 ? 0 : alias, 4));
}

static bool parameters(const struct litmus_request *q, struct litmus_launch *l, uint64_t round) {
  struct job *j = &l->job;
  if (l->i->ptx) {
    const uint32_t word[] = {l->stride, l->step, 0, skew(round), round % 2};
    return scalars(l, word, sizeof word / sizeof *word, round);
  }
  const uint32_t regs = l->shape.registers, chance = (uint32_t)(round * 0x10001u + q->run.seed * 0x2545f491u);
  const uint32_t word[] = {l->stride, l->step,  0,           (uint32_t)q->skew,       0xff,
                           chance,    l->times, l->together, l->per_time * l->stride, 4 * regs * l->per_time};
  return buffer(j, LINE * l->shape.grid[1]) != NULL && buffer(j, PLACES * l->shape.grid[1]) != NULL &&
         scalars(l, word, sizeof word / sizeof *word, round);
}

static bool build_launch(const struct litmus_request *q, struct litmus_launch *l, uint64_t round,
                         struct suite_verdict *v) {
  const struct test *t = &l->i->test;
  const uint32_t words = l->instances * (l->shape.registers == 0 ? 1 : l->shape.registers);
  char err[512] = "out of memory";
  uint8_t *mem = buffer(&l->job, l->bytes), *out = buffer(&l->job, 4 * words);
  bool ok = mem != NULL && out != NULL;
  for (uint32_t k = 0; ok && k < l->instances; k++)
    for (uint32_t n = 0; n < t->locs; n++) memcpy(mem + k * l->stride + n * l->step, &t->first[n], 4);
  for (uint32_t k = 0; ok && k < words; k++) memcpy(out + 4 * (size_t)k, &(uint32_t){NOTHING}, 4);
  ok = ok && parameters(q, l, round) &&
       job_build(&l->job, l->program, EMIT_KERNEL, l->shape.grid, l->shape.block, err, sizeof err);
  l->job.alias = l->alias;
  l->job.launches = test_has(t, TEST_LAUNCH) ? 2 : 1;
  l->image = ok ? malloc(l->job.mem_bytes) : NULL;
  if (l->image == NULL) suite_fail(v, "%s", err);
  return l->image != NULL;
}

/* ---- what came ---- */

/* Of an instance: all registers, then all locations; of those in shared memory nothing is known. */
static void outcome_of(const struct litmus_launch *l, uint32_t instance, uint32_t *value) {
  const struct test *t = &l->i->test;
  const unsigned regs = l->shape.registers;
  const uint8_t *mem = l->image + (l->job.addr[0] - l->job.mem_base),
                *out = l->image + (l->job.addr[1] - l->job.mem_base);
  for (unsigned k = 0; k < regs; k++) memcpy(&value[k], out + 4 * ((size_t)instance * regs + k), 4);
  for (unsigned k = 0; k < t->locs; k++) memcpy(&value[regs + k], mem + instance * l->stride + k * l->step, 4);
}

static bool matches_outcome(const struct litmus_launch *l, const uint32_t *got, const uint32_t *allowed) {
  const struct test *t = &l->i->test;
  const unsigned regs = l->shape.registers;
  for (unsigned k = 0; k < regs; k++)
    if (got[k] != allowed[k]) return false;
  for (unsigned k = 0; k < t->locs; k++)
    if (!t->shared[k] && got[regs + k] != allowed[regs + k]) return false;
  return true;
}

/* On how many SMs the threads of an instance were, at most. */
static void places(struct litmus_launch *l) {
  const struct test *t = &l->i->test;
  if (l->i->ptx) return;
  for (unsigned g = 0; g < l->shape.grid[1]; g++) {
    uint32_t seen[TEST_THREADS];
    unsigned n = 0;
    for (unsigned k = 0; k < t->threads; k++) {
      const unsigned at = emit_by_lane(t) ? k : 16u * t->thread[k].cta + t->thread[k].warp;
      unsigned j = 0;
      memcpy(&seen[n], l->image + (l->job.addr[3] - l->job.mem_base) + PLACES * g + 4 * at, 4);
      while (seen[j] != seen[n]) j++;
      n += j == n;
    }
    if (n > l->sms) l->sms = n;
  }
}

/* Adds to the histogram; how many of the instances ended in no allowed way. */
static unsigned tally(const struct litmus_launch *l, const struct outcomes *o, uint32_t *times,
                      uint32_t *forbidden_value) {
  unsigned forbidden = 0;
  for (uint32_t k = 0; k < l->instances; k++) {
    uint32_t got[OUTCOME_MAX] = {0};
    unsigned n = 0;
    outcome_of(l, k, got);
    while (n < o->count && !matches_outcome(l, got, o->value[n])) n++;
    if (n < o->count)
      times[n]++;
    else if (forbidden++ == 0)
      memcpy(forbidden_value, got, sizeof got);
  }
  return forbidden;
}

/* One round: adds to `times` how often each of the allowed outcomes came. False: it has failed, and v says why. */
static bool launch_round(const struct litmus_request *q, struct litmus_launch *l, uint64_t round, struct runner *runner,
                         const struct outcomes *o, uint32_t *times, struct suite_verdict *v) {
  uint32_t value[OUTCOME_MAX];
  char text[640];
  bool ok = build_launch(q, l, round, v) && suite_can_run(v, &q->run, &l->job);
  if (ok) {
    struct run_result r = {0};
    runner_run(runner, &l->job, l->image, &r);
    ok = !suite_take_result(v, &r, l->program);
    run_result_clear(&r);
  }
  const unsigned forbidden = ok ? tally(l, o, times, value) : 0;
  if (ok) places(l);
  if (forbidden != 0) {
    litmus_outcome_text(&l->i->test, value, text, sizeof text);
    suite_fail(v, "%u of %u instances of round %u ended as the model forbids, the first: %s", forbidden, l->instances,
               (unsigned)round, text);
  }
  free(l->image);
  l->image = NULL;
  job_clear(&l->job);
  l->job = (struct job){0};
  return ok && forbidden == 0;
}

/* How many instances there are, and where. NULL, or why the test has no kernel. */
static const char *launch_shape(const struct litmus_request *q, struct litmus_launch *l) {
  const char *why = emit_shape(&l->i->test, (unsigned)q->groups, &l->shape);
  if (why == NULL && l->i->ptx && test_has(&l->i->test, TEST_LAUNCH)) why = "in PTX there is one launch";
  if (why != NULL) return why;
  l->alias = q->run.pages != 0 ? paged_alias(q->run.pages) : 0;
  l->times = l->i->ptx ? 1 : (uint32_t)q->times;
  l->per_time = l->shape.per_group * (uint32_t)q->groups;
  l->instances = l->per_time * l->times;
  l->together = threads_together(q, l);
  lay_out_locations(l);
  return NULL;
}

const struct tool_option litmus_run_options[] = {
    {"form", "FORM", "asm (default), ptx or both: what the kernel is written in", 'f', "asm ptx both"},
    {"groups", "N", "groups of blocks, each of 32 instances or less (default 2)", 'g', NULL},
    {"rounds", "N",
     "launches of each test (default 4): threads begin at other times; in PTX every second one with copies in the "
     "cache (in assembly they are there by chance)",
     'r', NULL},
    {"only", "NAME", "one of them, by the name that is printed: test, form, layout", 'o', NULL},
    {"part", "K/N", "of the tests every Nth, from the Kth on", 'p', NULL},
    {"layout", "N",
     "0 (words of a location beside each other), 1 (each its own line) or 2 (all of an instance in one sector); "
     "default: in turns",
     'l', "0 1 2"},
    {"times", "N",
     "in assembly: rounds of a launch, each with other instances, chance and copies (default 1). The "
     "threads of an instance wait for each other first, if the machine has room for all of them",
     't', NULL},
    {"skew", "N", "in assembly: most rounds of a loop that a thread waits then (default 15; 0 to 127)", 'k', NULL},
    {"launches", NULL,
     "each made test in two launches that follow each other in the device's queue, in assembly: of every thread a part "
     "in either",
     'q', NULL},
    {"narrow", "WORD", "in assembly: " LITMUS_NARROW, 'N', NULL},
    {"histogram", "FILE",
     "CSV of what came: test, layout, SMs, instances, outcome, count, and whether it is sc (one order of all accesses "
     "explains it) or weak",
     'h', NULL},
    {0}};

/* A test's lines are written at once: processes share the file. */
static bool histogram(const struct litmus_request *q, const struct litmus_launch *l, const struct outcomes *o,
                      const struct outcomes *sc, const uint32_t *times) {
  char *text = NULL, outcome[640];
  size_t bytes;
  const int file = open(q->histogram, O_WRONLY | O_APPEND);
  FILE *f = file < 0 ? NULL : open_memstream(&text, &bytes);
  for (unsigned k = 0; f != NULL && k < o->count; k++) {
    if (times[k] == 0) continue;
    litmus_outcome_text(&l->i->test, o->value[k], outcome, sizeof outcome);
    (void)fprintf(f, "%s,%u,%u,%u,%s,%u,%s\n", l->i->test.name, l->i->layout, l->sms,
                  l->instances * (unsigned)q->rounds, outcome, times[k], outcomes_has(sc, o->value[k]) ? "sc" : "weak");
  }
  bool ok = f != NULL && fclose(f) == 0;
  ok = ok && write(file, text, bytes) == (ssize_t)bytes;
  free(text);
  if (file >= 0) (void)close(file);
  return ok;
}

/* What came of it, in words: outcomes that one order of all accesses does not explain are weak. */
static void tell_outcomes(const struct litmus_request *q, const struct litmus_launch *l, const struct outcomes *o,
                          const uint32_t *times, struct suite_verdict *v) {
  struct outcomes sc = {0};
  unsigned seen = 0, weak = 0;
  uint64_t came = 0;
  const bool ok = judge_outcomes(q->models.sc, VIEW_HEDDLE, 0, &l->i->test, &sc);
  for (unsigned k = 0; ok && k < o->count; k++) {
    const bool is_weak = !outcomes_has(&sc, o->value[k]);
    seen += times[k] != 0;
    weak += is_weak;
    came += is_weak ? times[k] : 0;
  }
  if (!ok || (q->histogram != NULL && !histogram(q, l, o, &sc, times)))
    suite_fail(v, "its histogram cannot be made, or written");
  char on[24] = "";
  if (l->sms != 0) (void)snprintf(on, sizeof on, " on %u SM%s", l->sms, l->sms == 1 ? "" : "s");
  (void)snprintf(v->note, sizeof v->note, "%u instances%s, %u of %u allowed outcomes, weak %llu (of %u outcomes)",
                 l->instances * (unsigned)q->rounds, on, seen, o->count, (unsigned long long)came, weak);
  outcomes_free(&sc);
}

static void launch_rounds(const struct litmus_request *q, struct litmus_launch *l, struct runner *runner,
                          struct suite_verdict *v) {
  struct outcomes o;
  const bool known = judge_outcomes(q->models.heddle, VIEW_HEDDLE, l->i->narrow, &l->i->test, &o);
  uint32_t *times = known ? calloc(o.count + 1, sizeof *times) : NULL;
  bool ok = times != NULL;
  if (!ok) suite_fail(v, "its outcomes cannot be worked out");
  for (uint64_t round = 0; ok && round < q->rounds; round++) ok = launch_round(q, l, round, runner, &o, times, v);
  if (ok) tell_outcomes(q, l, &o, times, v);
  free(times);
  outcomes_free(&o);
}

static void judge_item(void *ctx, size_t item, struct runner *runner, struct suite_verdict *v) {
  const struct litmus_request *q = ctx;
  struct litmus_launch l = {.i = &q->item[item]};
  const char *why = launch_shape(q, &l);
  if (why != NULL)
    suite_fail(v, "%s", why);
  else if (launch_load(q, &l, v))
    launch_rounds(q, &l, runner, v);
  if (why != NULL || l.program == NULL) v->status = RUN_BAD_INPUT;
  heddle_program_free(l.program);
}

static const char *name_of_item(void *ctx, size_t item) {
  return ((const struct litmus_request *)ctx)->item[item].name;
}

/* ---- which tests ---- */

/* One that is not to run is counted all the same: the others' layouts stay. */
static bool add_test(struct litmus_request *q, const struct test *t, bool runs) {
  for (unsigned form = 0; form < 2; form++) {
    char name[sizeof q->item->name];
    if (!(form == 0 ? q->asm_form : q->ptx_form)) continue;
    const unsigned layout = q->layout >= 0 ? (unsigned)q->layout : q->counted++ % 3;
    (void)snprintf(name, sizeof name, "%s.%s.%u", t->name, form == 1 ? "ptx" : "s", layout);
    if (!runs || (q->only != NULL && strcmp(q->only, name) != 0)) continue;
    if (!array_room(&q->item, &q->room, q->items + 1, sizeof *q->item)) return false;
    struct litmus_item *i = &q->item[q->items];
    *i = (struct litmus_item){.test = *t, .ptx = form == 1, .narrow = form == 1 ? 0 : q->narrow};
    i->layout = (uint8_t)layout;
    memcpy(i->name, name, sizeof i->name);
    q->items++;
  }
  return true;
}

static bool in_part(const struct litmus_request *q, uint64_t k) {
  return q->parts == 0 || k % q->parts == q->part;
}

static bool gather_tests(struct litmus_request *q, char **file, int files) {
  struct test t;
  bool ok = true;
  for (int k = 0; ok && k < files; k++) {
    struct condition c;
    struct heddle_message m;
    ok = read_test_file(file[k], &t, &c, &m);
    if (!ok) tool_message(NULL, &m);
    ok = ok && add_test(q, &t, true);
  }
  if (files != 0 && !q->count_given) return ok;
  struct cycles *y = cycles_new(q->from_seed);
  for (uint64_t k = 0; ok && k < q->count; k++) {
    do ok = y != NULL && cycles_next(y, &t);
    while (ok && q->launches && !cycles_part(y, &t));
    ok = ok && add_test(q, &t, in_part(q, k));
  }
  cycles_free(y);
  return ok;
}

static bool take_form(struct litmus_request *q, const char *text) {
  q->asm_form = strcmp(text, "asm") == 0 || strcmp(text, "both") == 0;
  q->ptx_form = strcmp(text, "ptx") == 0 || strcmp(text, "both") == 0;
  return q->asm_form || q->ptx_form;
}

static int take_run_option(struct litmus_request *q, const struct tool_group *groups, int o) {
  uint64_t n;
  bool ok = true;
  if (o == 'n') {
    q->count_given = true;
    ok = tool_number(optarg, 1000000, &q->count);
  } else if (o == 's') {
    ok = tool_number(optarg, UINT64_MAX, &q->from_seed);
  } else if (o == 'f') {
    ok = take_form(q, optarg);
  } else if (o == 'g') {
    ok = tool_number(optarg, 64, &q->groups) && q->groups != 0;
  } else if (o == 'r') {
    ok = tool_number(optarg, 1000, &q->rounds) && q->rounds != 0;
  } else if (o == 't') {
    ok = tool_number(optarg, 4096, &q->times) && q->times != 0;
  } else if (o == 'k') {
    ok = tool_number(optarg, 127, &q->skew);
  } else if (o == 'q') {
    q->launches = true;
  } else if (o == 'o') {
    q->only = optarg;
  } else if (o == 'p') {
    ok = litmus_part(&q->part, &q->parts);
  } else if (o == 'N') {
    ok = litmus_narrow(&q->narrow);
  } else if (o == 'h') {
    q->histogram = optarg;
  } else if (o == 'l') {
    ok = tool_number(optarg, 2, &n);
    q->layout = ok ? (int)n : -1;
  } else {
    return run_options_take(&q->run, "litmus", o, optarg);
  }
  return ok ? TOOL_OK : tool_option_bad("litmus", groups, o);
}

static bool begin_histogram(const struct litmus_request *q) {
  if (q->histogram == NULL) return true;
  FILE *f = fopen(q->histogram, "w");
  bool ok = f != NULL && fputs("test,layout,sms,instances,outcome,count,kind\n", f) >= 0;
  if (f != NULL) ok = fclose(f) == 0 && ok;
  if (!ok) tool_error("%s: cannot be written", q->histogram);
  return ok;
}

int litmus_run(int argc, char **argv) {
  static const struct tool_group groups[] = {
      {NULL, litmus_gen_options}, {NULL, litmus_run_options}, {NULL, run_option_table}, {0}};
  struct litmus_request q = {.count = LITMUS_COUNT,
                             .from_seed = 1,
                             .groups = 2,
                             .rounds = 4,
                             .times = 1,
                             .skew = 15,
                             .asm_form = true,
                             .layout = -1};
  run_options_init(&q.run);
  for (int o; (o = tool_option_next("litmus", groups, argc, argv)) != -1;) {
    const int status = take_run_option(&q, groups, o);
    if (status != TOOL_OK) return status;
  }
  int status = run_options_serve(q.run.on, "litmus", groups, argc, argv);
  if (status == TOOL_OK) status = run_options_finish(&q.run, "litmus");
  if (status != TOOL_OK) return status;
  if (!litmus_models(&q.models, NULL, 0)) return TOOL_USAGE;
  char again[4200];
  (void)snprintf(again, sizeof again, "%s litmus run%s", tool_program, q.launches ? " --launches" : "");
  struct suite s = {.command = "litmus",
                    .what = "tests",
                    .again = again,
                    .run = &q.run,
                    .name = name_of_item,
                    .one = judge_item,
                    .ctx = &q};
  const bool ok = gather_tests(&q, argv + optind, argc - optind) && begin_histogram(&q);
  s.items = q.items;
  if (ok && q.items == 0) return tool_usage("litmus", "run: there is no such test");
  status = ok ? suite_run(&s) : TOOL_USAGE;
  free(q.item);
  litmus_models_free(&q.models);
  return status;
}
