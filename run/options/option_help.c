/* SPDX-License-Identifier: Apache-2.0
 * --help from the tables. */
#include <string.h>

#include "run/options/options.h"

enum { WIDTH = 100, COLUMN = 21 }; /* where what an option does begins */

/* One line of the text, wrapped; returns what follows its newline, NULL at the end. */
static const char *wrap_line(FILE *to, const char *text, unsigned indent, unsigned width) {
  unsigned column = indent;
  const bool as_is = *text == ' ';
  const char *gap = "";
  while (*text != '\0' && *text != '\n') {
    const size_t word = as_is ? strcspn(text, "\n") : strcspn(text, " \n");
    if (column + strlen(gap) + word > width && *gap) {
      fprintf(to, "\n%*s", (int)indent, "");
      column = indent;
      gap = "";
    }
    fprintf(to, "%s%.*s", gap, (int)word, text);
    column += (unsigned)(strlen(gap) + word);
    text += word;
    gap = " ";
    if (*text == ' ') text++;
  }
  fputc('\n', to);
  return *text == '\n' ? text + 1 : NULL;
}

void tool_wrap(FILE *to, const char *text, unsigned indent, unsigned width) {
  while ((text = wrap_line(to, text, indent, width)) != NULL) fprintf(to, "%*s", (int)indent, "");
}

static void print_option(FILE *to, const struct tool_option *o, const char *command) {
  char head[80], help[1200];
  const int n = snprintf(head, sizeof head, "  %s%s%s%s", o->name[1] ? "--" : "-", o->name,
                         o->argument && !tool_option_may(o) ? " " : "", o->argument ? o->argument : "");
  if (n < COLUMN)
    fprintf(to, "%-*s", COLUMN, head);
  else
    fprintf(to, "%s\n%*s", head, COLUMN, "");
  tool_wrap(to, run_option_help(o, command, help, sizeof help), COLUMN, WIDTH);
}

static void options(FILE *to, const struct tool_group *groups, const char *command) {
  for (const struct tool_group *g = groups; g->option; g++) {
    fputc('\n', to);
    if (g->title) fprintf(to, "%s\n", g->title);
    for (const struct tool_option *o = g->option; o->name; o++) print_option(to, o, command);
  }
}

void tool_options_text(FILE *to, const struct tool_group *groups) {
  options(to, groups, "");
}

void tool_help_text(FILE *to, const struct tool_command *c) {
  for (unsigned i = 0; c->usage[i]; i++)
    fprintf(to, "%s heddle %s %s\n", i == 0 ? "usage:" : "      ", c->name, c->usage[i]);
  fputc('\n', to);
  tool_wrap(to, c->about, 0, WIDTH);
  if (c->groups) options(to, c->groups, c->name);
  fputc('\n', to);
  for (unsigned i = 0; c->examples[i]; i++) fprintf(to, "%s %s\n", i == 0 ? "example:" : "        ", c->examples[i]);
}
