/* SPDX-License-Identifier: Apache-2.0
 * heddle litmus gen: tests as files. */
#include "lab/litmus/litmus.h"

#include <jansson.h>
#include <sys/stat.h>

#include "lab/verify/litmus/src/litmus_cycles.h"
#include "lab/verify/litmus/src/litmus_emit.h"
#include "lab/verify/litmus/src/litmus_inclusion.h"
#include "run/command/json_out.h"

const struct tool_option litmus_gen_options[] = {
    {"count", "N", "of gen and run: how many tests are made (default 2000)", 'n', NULL},
    {"from-seed", "N", "of gen and run: where they are drawn from (default 1); the same number, the same tests", 's',
     NULL},
    {0}};

struct request {
  const char *dir, *json;
  uint64_t count, seed;
  struct litmus_models models;
  uint64_t outcomes, forbidding;
};

static FILE *open_file(const struct request *q, const struct test *t, const char *end) {
  char path[4352];
  (void)snprintf(path, sizeof path, "%s/%s.%s", q->dir, t->name, end);
  FILE *f = fopen(path, "w");
  if (f == NULL) tool_error("%s: cannot be written", path);
  return f;
}

static bool close_file(FILE *f, const struct test *t) {
  const bool bad = ferror(f) != 0;
  if (fclose(f) == 0 && !bad) return true;
  tool_error("%s: cannot be written", t->name);
  return false;
}

static bool write_with(const struct request *q, const struct test *t, const char *end,
                       void (*emit)(const struct test *t, FILE *to)) {
  FILE *f = open_file(q, t, end);
  if (f == NULL) return false;
  emit(t, f);
  return close_file(f, t);
}

/* NAME.outcomes: all that Heddle's model allows, a line each. */
static bool write_outcomes(struct request *q, const struct test *t) {
  struct outcomes o;
  char text[1024];
  FILE *f = open_file(q, t, "outcomes");
  if (f == NULL) return false;
  const bool ok = judge_outcomes(q->models.heddle, VIEW_HEDDLE, 0, t, &o);
  for (unsigned k = 0; ok && k < o.count; k++) {
    litmus_outcome_text(t, o.value[k], text, sizeof text);
    (void)fprintf(f, "%s\n", text);
  }
  q->outcomes += o.count;
  q->forbidding += o.allowed < o.candidates;
  outcomes_free(&o);
  if (!ok) tool_error("%s: its outcomes cannot be worked out", t->name);
  return close_file(f, t) && ok;
}

/* What is made is also a question to the models: whatever Heddle allows, PTX must. */
static bool included(const struct request *q, const struct test *t) {
  struct inclusion i = {.heddle.model = q->models.heddle, .ptx.model = q->models.ptx};
  if (inclusion_test(&i, t)) return true;
  inclusion_print(&i, stdout);
  tool_error("%s: Heddle's model allows what PTX's forbids (%s)", t->name, i.axiom == NULL ? "too large" : i.axiom);
  return false;
}

static int make_tests(struct request *q) {
  struct cycles *c = cycles_new(q->seed);
  struct test t;
  int status = c == NULL ? TOOL_LIMIT : TOOL_OK;
  (void)mkdir(q->dir, 0777);
  for (uint64_t k = 0; status == TOOL_OK && k < q->count; k++) {
    if (!cycles_next(c, &t)) {
      tool_error("there are no more than %llu different tests", (unsigned long long)k);
      status = TOOL_LIMIT;
    } else if (!write_with(q, &t, "litmus", test_print) || !write_with(q, &t, "s", emit_assembly) ||
               !write_with(q, &t, "ptx", emit_ptx) || !write_outcomes(q, &t)) {
      status = TOOL_USAGE;
    } else if (!included(q, &t)) {
      status = TOOL_DIFFERENCE;
    }
  }
  cycles_free(c);
  return status;
}

int litmus_gen(int argc, char **argv) {
  static const struct tool_group groups[] = {{NULL, litmus_gen_options}, {NULL, litmus_import_options}, {0}};
  struct request q = {.count = LITMUS_COUNT, .seed = 1};
  for (int o; (o = tool_option_next("litmus", groups, argc, argv)) != -1;) {
    if (o == 'j')
      q.json = json_out_take(optarg);
    else if (o == 'n' && tool_number(optarg, 1000000, &q.count))
      continue;
    else if (o != 's' || !tool_number(optarg, UINT64_MAX, &q.seed))
      return tool_option_bad("litmus", groups, o);
  }
  if (optind + 1 != argc) return tool_usage("litmus", "gen: one folder is needed");
  q.dir = argv[optind];
  if (!litmus_models(&q.models, NULL, 0)) return TOOL_USAGE;
  const int status = make_tests(&q);
  litmus_models_free(&q.models);
  if (status == TOOL_OK)
    printf("%llu tests in %s, of %llu some outcome is forbidden; %llu outcomes are allowed, each by PTX, too\n",
           (unsigned long long)q.count, q.dir, (unsigned long long)q.forbidding, (unsigned long long)q.outcomes);
  if (q.json != NULL && !json_out_dump(q.json, json_pack("{s:I, s:I, s:I}", "tests", (json_int_t)q.count, "forbidding",
                                                         (json_int_t)q.forbidding, "outcomes", (json_int_t)q.outcomes)))
    return TOOL_USAGE;
  return status;
}
