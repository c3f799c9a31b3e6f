/* SPDX-License-Identifier: Apache-2.0 */
#include "suite_list.h"

#include <stdlib.h>
#include <string.h>

#include "run/job/case_data.h"
#include "run/runner/issued.h"

enum { CASE_CYCLES_MOST = 100000000 }; /* of a launch, unless --max-cycles says */

const char *suite_list_text(const json_t *j, const char *key) {
  return json_string_value(json_object_get(j, key));
}

const char *suite_list_name(void *list, size_t item) {
  const struct suite_list *l = list;
  const char *name = suite_list_text(l->item[item], l->kind->name);
  return name ? name : "?";
}

const struct tool_option suite_list_options[] = {
    {"only", "NAME", "one of them", 'o', NULL},
    {"compared", "FILE",
     "add a line for each instruction form that worked on a case's inputs: how (equal, bound, differs), inputs, case",
     'p', NULL},
    {0}};

void suite_list_compared(const struct suite_list *l, size_t item, const struct heddle_program *p,
                         const struct run_result *r, struct suite_verdict *v, uint64_t inputs) {
  if (!l->compared || (v->status != RUN_OK && v->status != RUN_DIFFERENCE)) return;
  const char *how = v->status != RUN_OK ? "differs" : v->note[0] != '\0' ? "bound" : "equal";
  if (!issued_compared(l->compared, p, r, how, inputs, suite_list_name((void *)l, item)))
    suite_fail(v, "%s cannot be written", l->compared);
}

static int load_list(struct suite_list *l) {
  char path[4096], why[512];
  json_error_t e;
  size_t bytes = 0;
  snprintf(path, sizeof path, "%s/%s", l->dir, l->kind->file);
  uint8_t *text = case_data_read_path(path, CASE_DATA_MOST, &bytes, why, sizeof why);
  if (!text) {
    tool_error("%s: %s", path, why);
    return TOOL_USAGE;
  }
  l->root = json_loadb((const char *)text, bytes, 0, &e);
  free(text);
  if (!l->root) {
    tool_error("%s:%d:%d: %s", path, e.line, e.column, e.text);
    return TOOL_USAGE;
  }
  const json_t *all = json_object_get(l->root, l->kind->list);
  const char *missing = l->kind->head ? l->kind->head(l) : NULL;
  if (!json_is_array(all) || missing) {
    tool_error("%s: expected a list \"%s\"%s%s", path, l->kind->list, missing ? " and " : "", missing ? missing : "");
    return TOOL_USAGE;
  }
  l->item = calloc(json_array_size(all) + 1, sizeof *l->item);
  if (!l->item) return TOOL_USAGE;
  for (size_t i = 0; i < json_array_size(all); i++) {
    l->item[l->items] = json_array_get(all, i);
    if (!l->only || strcmp(l->only, suite_list_name(l, l->items)) == 0) l->items++;
  }
  return TOOL_OK;
}

static int parse_list_options(struct suite_list *l, int argc, char **argv) {
  static const struct tool_group groups[] = {{NULL, suite_list_options}, {NULL, run_option_table}, {0}};
  const char *command = l->kind->command;
  l->run.max_cycles = CASE_CYCLES_MOST;
  for (int o; (o = tool_option_next(command, groups, argc, argv)) != -1;) {
    if (o == 'o') {
      l->only = optarg;
      continue;
    }
    if (o == 'p') {
      l->compared = optarg;
      l->run.issued = true;
      continue;
    }
    const int status = run_options_take(&l->run, command, o, optarg);
    if (status != TOOL_OK) return status;
  }
  if (optind + 1 != argc) return tool_usage(command, "one folder is needed");
  l->dir = argv[optind];
  if (!l->only && (l->run.wave || l->run.trace || l->run.stream))
    return tool_usage(command, "--wave, --trace and --stream go with --only");
  const int status = run_options_serve(l->run.on, command, groups, argc, argv);
  return status == TOOL_OK ? run_options_finish(&l->run, command) : status;
}

int suite_list_main(const struct suite_list_kind *kind, void *ctx, int argc, char **argv) {
  struct suite_list l = {.kind = kind, .ctx = ctx};
  run_options_init(&l.run);
  int status = parse_list_options(&l, argc, argv);
  if (status == TOOL_OK) status = load_list(&l);
  const struct suite s = {.command = kind->command,
                          .what = kind->what,
                          .dir = l.dir,
                          .run = &l.run,
                          .items = l.items,
                          .name = suite_list_name,
                          .one = kind->one,
                          .ctx = &l};
  if (status == TOOL_OK) status = suite_run(&s);
  free(l.item);
  json_decref(l.root);
  return status;
}
