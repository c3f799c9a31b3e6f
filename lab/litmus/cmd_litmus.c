/* SPDX-License-Identifier: Apache-2.0
 * heddle litmus: the model of memory, asked, and held against machines. */
#include "lab/litmus/litmus.h"

#include "run/options/options.h"

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
