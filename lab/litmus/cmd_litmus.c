/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle litmus: the model of memory, asked, and held against machines.
 */
#include <getopt.h>
#include <jansson.h>
#include <stdlib.h>
#include <sys/stat.h>
#include "lab/litmus/litmus.h"
#include "lab/verify/litmus/src/litmus_programs.h"
#include "lab/verify/litmus/src/litmus_test.h"
#include "lab/verify/litmus/src/litmus_judge.h"
#include "run/command/tool.h"
#include "run/command/json_out.h"
#include "run/options/options.h"

/* The models that heddle litmus asks. */

static struct cat *load_model(const char *name, const struct cat_change *change, unsigned changes) {
  char path[4096];
  struct heddle_message m;
  if (!data_path(name, path, sizeof path)) return NULL;
  struct cat *c = cat_load(path, change, changes, &m);
  if (c == NULL) tool_message(NULL, &m);
  return c;
}

bool litmus_models(struct litmus_models *m, const char *const *weaken, unsigned weakenings) {
  struct cat_change change[LITMUS_CHANGES];
  char name[LITMUS_CHANGES][64];
  *m = (struct litmus_models){0};
  for (unsigned k = 0; k < weakenings; k++) {
    const char *is = strchr(weaken[k], '=');
    if (is == NULL || is == weaken[k] || (size_t)(is - weaken[k]) >= sizeof name[k]) {
      tool_error("--weaken %s: expected NAME=EXPRESSION", weaken[k]);
      return false;
    }
    (void)snprintf(name[k], sizeof name[k], "%.*s", (int)(is - weaken[k]), weaken[k]);
    change[k] = (struct cat_change){name[k], is + 1};
  }
  m->heddle = load_model("litmus/heddle.cat", change, weakenings);
  m->ptx = m->heddle == NULL ? NULL : load_model("litmus/ptx.cat", NULL, 0);
  m->sc = m->ptx == NULL ? NULL : load_model("litmus/sc.cat", NULL, 0);
  if (m->sc != NULL) return true;
  litmus_models_free(m);
  return false;
}

void litmus_models_free(struct litmus_models *m) {
  cat_free(m->heddle);
  cat_free(m->ptx);
  cat_free(m->sc);
  *m = (struct litmus_models){0};
}

bool litmus_part(unsigned *part, unsigned *parts) {
  unsigned k, n;
  char end;
  if (sscanf(optarg, "%u/%u%c", &k, &n, &end) != 2 || n == 0 || n > 1000000 || k < 1 || k > n) return false;
  *part = k - 1;
  *parts = n;
  return true;
}

bool litmus_narrow(unsigned *narrow) {
  const enum mapping_word w = mapping_word(optarg);
  if (w != MAPPING_WORDS) *narrow |= 1u << w;
  return w != MAPPING_WORDS;
}

void litmus_outcome_text(const struct test *t, const uint32_t *value, char *buf, size_t bytes) {
  unsigned n = t->locs;
  size_t used = 0;
  for (unsigned k = 0; k < t->threads; k++) n += t->thread[k].regs;
  buf[0] = '\0';
  for (unsigned k = 0; k < n && used < bytes; k++) {
    char name[48];
    candidate_value_name(t, k, name, sizeof name);
    const int wrote = snprintf(buf + used, bytes - used, "%s%s=%u", k == 0 ? "" : " ", name, value[k]);
    used += wrote < 0 ? 0 : (size_t)wrote;
  }
}

/* heddle litmus gen: tests as files. */

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

static int litmus_gen(int argc, char **argv) {
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

/* heddle litmus import: what the models say of litmus files; kernels of them. */

const struct tool_option litmus_import_options[] = {
    {"json", "FILE", "the result as JSON (-: on stdout, and all else on stderr)", 'j', NULL}, {0}};

static const struct tool_option kernel_options[] = {
    {"kernels", "DIR", "of import: write each test as a kernel there, in assembly and PTX", 'k', NULL}, {0}};

static const char *answer_condition(const struct condition *c, const struct outcomes *o) {
  return c->kind == CONDITION_NONE ? "none" : condition_true(c, o) ? "yes" : "no";
}

static bool write_kernel(const char *dir, const struct test *t) {
  static const struct {
    const char *end;
    void (*emit)(const struct test *t, FILE *to);
  } form[] = {{"s", emit_assembly}, {"ptx", emit_ptx}};
  struct emit_shape shape;
  const char *why = emit_shape(t, 1, &shape);
  if (why != NULL) {
    tool_error("%s: no kernel: %s", t->name, why);
    return false;
  }
  for (unsigned k = 0; k < (test_has(t, TEST_LAUNCH) ? 1 : 2); k++) { /* in PTX there is one launch */
    char path[4352];
    (void)snprintf(path, sizeof path, "%s/%s.%s", dir, t->name, form[k].end);
    FILE *f = fopen(path, "w");
    if (f != NULL) form[k].emit(t, f);
    if (f == NULL || fclose(f) != 0) {
      tool_error("%s: cannot be written", path);
      return false;
    }
  }
  return true;
}

static bool import_file(const char *path, const char *dir, const struct litmus_models *m, json_t *rows) {
  struct test t;
  struct condition c;
  struct outcomes ptx, heddle;
  struct heddle_message message;
  if (!read_test_file(path, &t, &c, &message)) {
    tool_message(NULL, &message);
    return false;
  }
  bool ok = judge_outcomes(m->ptx, VIEW_PTX, 0, &t, &ptx);
  ok &= judge_outcomes(m->heddle, VIEW_HEDDLE, 0, &t, &heddle);
  if (!ok) tool_error("%s: too many events or outcomes", path);
  unsigned more = 0;
  for (unsigned k = 0; ok && k < heddle.count; k++) more += !outcomes_has(&ptx, heddle.value[k]);
  if (ok) {
    printf("%s: outcomes: PTX %u, Heddle %u; what it says is so: PTX %s, Heddle %s\n", t.name, ptx.count, heddle.count,
           answer_condition(&c, &ptx), answer_condition(&c, &heddle));
    json_array_append_new(rows, json_pack("{s:s, s:i, s:i, s:s, s:s}", "name", t.name, "ptx", (int)ptx.count, "heddle",
                                          (int)heddle.count, "ptx_condition", answer_condition(&c, &ptx),
                                          "heddle_condition", answer_condition(&c, &heddle)));
  }
  if (more != 0) tool_error("%s: %u outcomes are allowed by Heddle's model and not by PTX's", t.name, more);
  outcomes_free(&ptx);
  outcomes_free(&heddle);
  return ok && more == 0 && (dir == NULL || write_kernel(dir, &t));
}

static int litmus_import(int argc, char **argv) {
  static const struct tool_group groups[] = {{NULL, litmus_import_options}, {NULL, kernel_options}, {0}};
  const char *json = NULL, *dir = NULL;
  struct litmus_models m;
  unsigned bad = 0;
  for (int o; (o = tool_option_next("litmus", groups, argc, argv)) != -1;) {
    if (o == 'j')
      json = json_out_take(optarg);
    else if (o == 'k')
      dir = optarg;
    else
      return TOOL_USAGE;
  }
  if (optind == argc) return tool_usage("litmus", "import: a file is needed");
  if (!litmus_models(&m, NULL, 0)) return TOOL_USAGE;
  json_t *rows = json_array();
  for (int k = optind; k < argc; k++) bad += !import_file(argv[k], dir, &m, rows);
  litmus_models_free(&m);
  if (json == NULL) json_decref(rows);
  if (json != NULL && !json_out_dump(json, json_pack("{s:o}", "tests", rows))) return TOOL_USAGE;
  return bad == 0 ? TOOL_OK : TOOL_USAGE;
}

static const struct tool_group groups[] = {{"gen, run:", litmus_gen_options},
                                           {"check:", litmus_check_options},
                                           {"run:", litmus_run_options},
                                           {"How run runs; of the others --json alone:", run_option_table},
                                           {0}};
static const char *const usage[] = {"gen DIR [options]", "run [FILE.litmus ...] [options]",
                                    "check [FILE.litmus ...] [options]", "import FILE.litmus ... [options]", NULL};
static const char *const examples[] = {
    "heddle litmus run --count 200 --on lockstep --config cached", "heddle litmus check --events 4 --words small",
    "heddle litmus check --weaken 'emptied=[F & GPU];po;[past-cache]' --events 4 --words small", NULL};
static const char about[] =
    "The model of memory that Heddle's programs may rely on is a file, lab/verify/litmus/cat/heddle.cat, beside one of "
    "PTX's. "
    "gen makes tests from cycles of relations: litmus file, assembly, PTX and the outcomes that are allowed. run "
    "executes tests, many instances at a time, and judges every outcome: one that is not allowed is a failure. check "
    "asks the models about all small programs, or files: whatever Heddle's allows, PTX's must; or with --agree whether "
    "'heddle "
    "order' judges as the model does. import reads litmus files in the form of Dat3M's for PTX. See "
    "isa/doc/15-memory-model.md and lab/verify/litmus/README.md.";

static int litmus_main(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
  } table[] = {{"gen", litmus_gen}, {"run", litmus_run}, {"check", litmus_check}, {"import", litmus_import}};
  for (unsigned i = 0; argc > 1 && i < sizeof table / sizeof *table; i++)
    if (strcmp(argv[1], table[i].name) == 0) return table[i].run(argc - 1, argv + 1);
  return tool_usage("litmus", "'%s': expected gen, run, check or import", argc > 1 ? argv[1] : "");
}

const struct tool_command cmd_litmus = {"litmus",    "the model of memory: tests of it, and what it allows",
                                        litmus_main, usage,
                                        about,       groups,
                                        examples,    "gen run check import"};
