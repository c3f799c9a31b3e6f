/* SPDX-License-Identifier: Apache-2.0
 * heddle: one program, one file a subcommand. */
#include <stdio.h>
#include <string.h>

#include "tool.h"

static int overview(FILE *to) {
  fputs("usage: heddle COMMAND ...   (heddle COMMAND --help says more, with an example)\n\n", to);
  for (unsigned i = 0; tool_commands[i]; i++)
    fprintf(to, "  %-10s %s\n", tool_commands[i]->name, tool_commands[i]->summary);
  fputs("\nexit status: 0 ok, 1 difference or failed case, 2 usage or bad input, 3 the program trapped,\n"
        "             4 cycle or time limit, 5 a missing tool or a configuration that is not built\n",
        to);
  return to == stdout ? TOOL_OK : TOOL_USAGE;
}

int main(int argc, char **argv) {
  if (argc < 2) return overview(stderr);
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)
    return overview(stdout);
  const struct tool_command *c = tool_find(argv[1]);
  if (!c) {
    tool_error("no command '%s'", argv[1]);
    return overview(stderr);
  }
  for (int i = 2; i < argc; i++)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return tool_help(c->name);
  return c->run(argc - 1, argv + 1);
}
