/* SPDX-License-Identifier: Apache-2.0
 * heddle: one program, one file a subcommand. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/process.h"
#include "run/command/json_out.h"
#include "run/command/option.h"
#include "run/command/tool.h"

static int overview(FILE *to) {
  fputs("usage: heddle COMMAND ...   (heddle COMMAND --help says more, with an example)\n\n", to);
  for (unsigned i = 0; tool_commands[i]; i++) {
    const char *chapter = tool_chapter(tool_commands[i]);
    if (chapter) fprintf(to, "%s%s\n", i != 0 ? "\n" : "", chapter);
    fprintf(to, "  %-10s %s\n", tool_commands[i]->name, tool_commands[i]->summary);
  }
  fputs("\n  --version  version, instruction set, and what is built\n"
        "\nexit status: 0 ok, 1 difference or failed case, 2 usage or bad input, 3 the program is at fault,\n"
        "             4 cycle or time limit, 5 a missing tool or a configuration that is not built\n",
        to);
  return to == stdout ? TOOL_OK : TOOL_USAGE;
}

static bool is_help(const char *word) {
  return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

int main(int argc, char **argv) {
  (void)signal(SIGCHLD, SIG_DFL); /* ignored by who started this: then no child would have an exit status */
  process_cleans_up();
  if (argc < 2) return overview(stderr);
  tool_program = argv[0];
  if (is_help(argv[1]) || strcmp(argv[1], "help") == 0) return overview(stdout);
  if (strcmp(argv[1], "--version") == 0) {
    version_print(stdout);
    return TOOL_OK;
  }
  const struct tool_command *c = tool_find(argv[1]);
  const char *how = c ? NULL : tool_left_out(argv[1]);
  if (how) {
    tool_error("'%s' is of the laboratory, which this build is without (%s)", argv[1], how);
    return TOOL_MISSING;
  }
  if (!c) {
    tool_error("there is no command '%s' ('heddle --help' lists them)", argv[1]);
    return TOOL_USAGE;
  }
  for (int i = 2; i < argc; i++)
    if (is_help(argv[i])) {
      tool_help_text(stdout, c);
      return TOOL_OK;
    }
  return json_out_finish(c->name, c->run(argc - 1, argv + 1));
}
