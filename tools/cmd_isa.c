/* SPDX-License-Identifier: Apache-2.0
 * heddle isa: about an instruction set description. The work is isa-gen's. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool.h"

static const char help[] = "usage: heddle isa lint FILE.isa\n\n"
                           "Check an instruction set description: syntax, overlapping fields, ambiguous encodings.\n\n"
                           "example: heddle isa lint isa/heddle.isa\n";

static int lint(const char *file) {
  pid_t child = fork();
  if (child == 0) {
    execl(ISA_GEN, "isa-gen", "--check", file, (char *)NULL);
    _exit(127);
  }
  int s;
  if (child < 0 || waitpid(child, &s, 0) != child || !WIFEXITED(s) || WEXITSTATUS(s) == 127) {
    tool_error("cannot run %s; build the target isa-gen", ISA_GEN);
    return TOOL_MISSING;
  }
  return WEXITSTATUS(s) == 0 ? TOOL_OK : TOOL_USAGE;
}

static int run(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "lint") == 0) return lint(argv[2]);
  return tool_usage("isa", "expected: lint FILE.isa");
}

const struct tool_command cmd_isa = {"isa", "check an instruction set description", help, run};
