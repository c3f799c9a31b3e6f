/* SPDX-License-Identifier: Apache-2.0
 * heddle_pages DIR: manual pages and the completion of the shell, as files below DIR. */
#include <errno.h>
#include <string.h>

#include "run/options/options.h"
#include "run/command/json_out.h"
#include "run/command/tool.h"

static FILE *create_page(const char *dir, const char *name, const char *command, const char *end) {
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/%s%s%s", dir, name, command, end);
  FILE *f = fopen(path, "w");
  if (!f) tool_error("%s: %s", path, strerror(errno));
  return f;
}

static bool man_page(const char *dir, const struct tool_command *c) {
  FILE *f = create_page(dir, c ? "man/heddle-" : "man/heddle", c ? c->name : "", ".1");
  if (f) tool_man_page(f, c, version_number());
  return f && fclose(f) == 0;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fputs("usage: heddle_pages DIR     example: heddle_pages build\n", stderr);
    return TOOL_USAGE;
  }
  bool ok = man_page(argv[1], NULL);
  for (unsigned i = 0; ok && tool_commands[i]; i++) ok = man_page(argv[1], tool_commands[i]);
  FILE *f = ok ? create_page(argv[1], "options", "", ".md") : NULL;
  if (f) run_options_page(f);
  ok = f && fclose(f) == 0;
  f = ok ? create_page(argv[1], "completions/heddle", "", "") : NULL;
  if (f) tool_bash_completion(f);
  return f && fclose(f) == 0 ? TOOL_OK : TOOL_USAGE;
}
