/* SPDX-License-Identifier: Apache-2.0
 * heddle litmus import: what the models say of litmus files; kernels of them. */
#include "lab/litmus/litmus.h"

#include <jansson.h>

#include "lab/verify/litmus/src/litmus_emit.h"
#include "run/command/json_out.h"

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

int litmus_import(int argc, char **argv) {
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
