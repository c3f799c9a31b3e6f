/* SPDX-License-Identifier: Apache-2.0
 * heddle conform: traces to try an adapter of a core with, and what must be said of each. */
#include <stdio.h>
#include <sys/stat.h>

#include "cosim/kit/conform/conform.h"
#include "run/command/option.h"

static const struct tool_option own[] = {
    {"check", NULL, "judge the traces that are there, and compare with verdicts.json", 'c', NULL},
    {"mistakes", NULL, "print the table of docs/retire-port.md; no folder is needed", 'm', NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, own}, {0}};
static const char *const usage[] = {"DIR [--check]", "--mistakes", NULL};
static const char *const examples[] = {"heddle conform set && heddle conform set --check", NULL};
static const char about[] =
    "Make traces in DIR: golden/ is what a right core shows, by profile and lanes; spoiled/ is wrong in one place "
    "each, "
    "mistakes/ as an adapter is wrong throughout. verdicts.json says what `heddle check` must say of each. A golden "
    "trace is a launch file too: run it on your core, and compare with heddle_trace.py diff MINE GOLDEN.";

static int make_traces(const char *dir) {
  char why[1280] = "no memory";
  (void)mkdir(dir, 0777);
  if (conform_make(dir, why, sizeof why)) return TOOL_OK;
  tool_error("%s", why);
  return TOOL_USAGE;
}

static int check_verdicts(const char *dir) {
  char why[1280];
  struct conform_result r;
  if (!conform_check(dir, stdout, &r, why, sizeof why)) {
    tool_error("%s", why);
    return TOOL_USAGE;
  }
  printf("%u traces, %u with another verdict than must come; wrong records of %u kinds named\n", r.traces, r.wrong,
         r.kinds);
  return r.wrong != 0 || r.traces == 0 ? TOOL_DIFFERENCE : TOOL_OK;
}

static int conform_main(int argc, char **argv) {
  bool judge = false, table = false;
  for (int o; (o = tool_option_next("conform", groups, argc, argv)) != -1;) {
    if (o == '?') return TOOL_USAGE;
    if (o == 'c') judge = true;
    if (o == 'm') table = true;
  }
  if (table && optind == argc && !judge) {
    conform_mistakes(stdout);
    return TOOL_OK;
  }
  if (table || optind + 1 != argc) return tool_usage("conform", "one folder is needed");
  return judge ? check_verdicts(argv[optind]) : make_traces(argv[optind]);
}

const struct tool_command cmd_conform = {
    "conform", "traces to try the adapter of a core with", conform_main, usage, about, groups, examples, NULL};
