/* SPDX-License-Identifier: Apache-2.0
 * heddle litmus run: tests as kernels, on whatever runs kernels; every outcome is judged. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "lab/verify/litmus/src/litmus_cycles.h"
#include "lab/litmus/litmus_launch.h"

const struct tool_option litmus_run_options[] = {
    {"form", "FORM", "asm (default), ptx or both: what the kernel is written in", 'f', "asm ptx both"},
    {"groups", "N", "groups of blocks, each of 32 instances or less (default 2)", 'g', NULL},
    {"rounds", "N",
     "launches of each test (default 4): threads begin at other times; in PTX every second one with copies in the "
     "cache (in assembly they are there by chance)",
     'r', NULL},
    {"only", "NAME", "one of them, by the name that is told: test, form, layout", 'o', NULL},
    {"part", "K/N", "of the tests every Nth, from the Kth on", 'p', NULL},
    {"layout", "N",
     "0 (words of a location beside each other), 1 (each its own line) or 2 (all of an instance in one sector); "
     "default: in turns",
     'l', "0 1 2"},
    {"times", "N",
     "in assembly: how often a launch goes round, each time with other instances, chance and copies (default 1); the "
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
