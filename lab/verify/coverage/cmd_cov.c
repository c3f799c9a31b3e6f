/* SPDX-License-Identifier: Apache-2.0
 * heddle cov: coverage databases, made by --cov of the commands that run. */
#include <string.h>

#include "lab/verify/coverage/cov.h"
#include "run/command/tool.h"
#include "run/command/json_out.h"
#include "run/runner/conclude.h"
#include "run/command/option.h"

static const struct tool_option own[] = {
    {"holes", NULL, "report: also every bin that was never hit, and what is excluded, with the reason", 'o', NULL},
    {"html", "DIR", "report: a page a group, and an index", 'H', NULL},
    {"json", "FILE", "report: the same for programs (-: on stdout)", 'j', NULL},
    {"lcov", "FILE", "report: a tracefile for genhtml and its kin, its sources in FILE.bins", 'l', NULL},
    {"exclude", "FILE",
     "bins that are not required, a reason each (default: those that belong to this program; none: no exclusions)", 'x',
     NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, own}, {0}};
static const char *const usage[] = {"merge OUT IN...", "report FILE [options]", "weights FILE [--exclude FILE]", NULL};
static const char *const examples[] = {
    "heddle fuzz --programs 100 --config tiny --cov tiny.cov && heddle cov report tiny.cov --holes", NULL};
static const char about[] =
    "Coverage of programs: databases that `--cov FILE` of run, kernels, cases, ops and fuzz makes, each of one "
    "machine.\nmerge adds databases of one machine; counts stop at 65535.\nreport: percentages by group. A bin that "
    "was hit "
    "although it is said to be impossible, or excluded, is an error.\nweights: lines NAME=VALUE for `heddle fuzz "
    "--knob` or --knobs: more of what has holes.";

struct request {
  const char *html, *json, *lcov, *exclude;
  bool holes;
};

static struct cov *load_cov(const char *path, const struct heddle_config *machine) {
  char err[512];
  struct cov *c = cov_read(path, machine, err, sizeof err);
  if (c == NULL) tool_error("%s", err);
  return c;
}

static int merge(int argc, char **argv) {
  char err[512] = "";
  if (argc < 3) return tool_usage("cov", "merge: a file to write and at least one to read are needed");
  struct cov *all = load_cov(argv[2], NULL);
  bool ok = all != NULL;
  for (int i = 3; ok && i < argc; i++) {
    struct cov *c = load_cov(argv[i], cov_machine(all));
    ok = c != NULL && cov_merge(all, c, err, sizeof err);
    cov_free(c);
  }
  if (ok && !cov_write(all, argv[1], err, sizeof err)) {
    tool_error("%s", err);
    ok = false;
  }
  cov_free(all);
  return ok ? TOOL_OK : TOOL_USAGE;
}

/* Exclusions as asked for; false after a message. */
static bool exclusions(const struct request *q, const struct cov *c, struct cov_exclusions **x) {
  char path[4096], err[512];
  *x = NULL;
  if (q->exclude != NULL && strcmp(q->exclude, "none") == 0) return true;
  if (q->exclude == NULL && !data_path("coverage/exclusions.txt", path, sizeof path)) return false;
  *x = cov_exclusions_read(q->exclude != NULL ? q->exclude : path, c, err, sizeof err);
  if (*x == NULL) tool_error("%s", err);
  return *x != NULL;
}

static bool write_files(const struct request *q, const struct cov *c, const struct cov_exclusions *x) {
  char err[512] = "";
  bool ok = q->html == NULL || cov_report_html(c, x, q->html, err, sizeof err);
  ok = ok && (q->lcov == NULL || cov_report_lcov(c, x, q->lcov, err, sizeof err));
  if (!ok) tool_error("%s", err);
  if (!ok || q->json == NULL) return ok;
  return json_out_dump(q->json, cov_report_json(c, x));
}

static int report_cov(const struct request *q, const struct cov *c, const struct cov_exclusions *x) {
  cov_report_text(c, x, q->holes, stdout);
  if (!write_files(q, c, x)) return TOOL_USAGE;
  const unsigned stale = cov_stale(c, x, stderr);
  if (stale == 0) return TOOL_OK;
  tool_error("%u bins were hit that are impossible or excluded: correct lab/verify/coverage/never.c or the exclusions",
             stale);
  return TOOL_DIFFERENCE;
}

static int take_options(struct request *q, int argc, char **argv) {
  for (int o; (o = tool_option_next("cov", groups, argc, argv)) != -1;) {
    const char **slot = o == 'H' ? &q->html : o == 'j' ? &q->json : o == 'l' ? &q->lcov : o == 'x' ? &q->exclude : NULL;
    if (slot != NULL)
      *slot = o == 'j' ? json_out_take(optarg) : optarg;
    else if (o == 'o')
      q->holes = true;
    else
      return TOOL_USAGE;
  }
  return optind + 1 == argc ? TOOL_OK : tool_usage("cov", "%s: one file is needed", argv[0]);
}

static int report_options(int argc, char **argv) {
  struct request q = {0};
  struct cov_exclusions *x = NULL;
  int status = take_options(&q, argc, argv);
  if (status != TOOL_OK) return status;
  struct cov *c = load_cov(argv[optind], NULL);
  if (c == NULL || !exclusions(&q, c, &x)) {
    cov_free(c);
    return TOOL_USAGE;
  }
  if (strcmp(argv[0], "report") == 0)
    status = report_cov(&q, c, x);
  else
    cov_weights(c, x, stdout);
  cov_exclusions_free(x);
  cov_free(c);
  return status;
}

static int cov_main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "merge") == 0) return merge(argc - 1, argv + 1);
  if (strcmp(what, "report") == 0 || strcmp(what, "weights") == 0) return report_options(argc - 1, argv + 1);
  return tool_usage("cov", "'%s': expected merge, report or weights", what);
}

const struct tool_command cmd_cov = {
    "cov", "merge and report what programs reached", cov_main, usage, about, groups, examples, "merge report weights"};
