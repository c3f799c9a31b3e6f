/* SPDX-License-Identifier: Apache-2.0
 * Manual pages from the tables: troff with the macros of man(7). */
#include <ctype.h>
#include <string.h>

#include "run/options/options.h"

/* A text whose characters mean themselves. A line of its own begins where `text` has a newline. */
static void put_troff(FILE *to, const char *text) {
  for (bool first = true; *text; text++) {
    if (first && (*text == '.' || *text == '\'')) fputs("\\&", to);
    first = *text == '\n';
    if (*text == '\\')
      fputs("\\e", to);
    else if (*text == '-')
      fputs("\\-", to);
    else
      fputc(*text, to);
  }
}

/* Paragraphs; lines that begin with a space stay as they are. */
static void paragraphs(FILE *to, const char *text) {
  bool as_is = false;
  while (*text) {
    char line[1024];
    const size_t n = strcspn(text, "\n");
    (void)snprintf(line, sizeof line, "%.*s", (int)n, text);
    if ((*text == ' ') != as_is) fputs(as_is ? ".EE\n" : ".PP\n.EX\n", to);
    as_is = *text == ' ';
    if (!as_is) fputs(".PP\n", to);
    put_troff(to, line);
    fputc('\n', to);
    text += n + (text[n] == '\n');
  }
  if (as_is) fputs(".EE\n", to);
}

static void title(FILE *to, const char *name, const char *summary, const char *version) {
  fputs(".\\\" Made from the tables of options in tools/.\n.TH HEDDLE", to);
  if (name) fputc('-', to);
  for (const char *c = name ? name : ""; *c; c++) fputc(toupper((unsigned char)*c), to);
  fprintf(to, " 1 \"\" \"heddle %s\" \"Heddle\"\n.SH NAME\nheddle%s%s \\- ", version, name ? "\\-" : "",
          name ? name : "");
  put_troff(to, summary);
  fputs("\n.SH SYNOPSIS\n", to);
}

static void options(FILE *to, const struct tool_group *g, const char *command) {
  char help[1200];
  for (; g && g->option; g++) {
    fputs(g->title ? ".SS " : "", to);
    if (g->title) put_troff(to, g->title);
    if (g->title) fputc('\n', to);
    for (const struct tool_option *o = g->option; o->name; o++) {
      fputs(".TP\n\\fB", to);
      put_troff(to, o->name[1] ? "--" : "-");
      put_troff(to, o->name);
      fputs("\\fR", to);
      if (o->argument) {
        fputs(tool_option_may(o) ? "\\fI" : " \\fI", to);
        put_troff(to, o->argument);
        fputs("\\fR", to);
      }
      fputc('\n', to);
      put_troff(to, run_option_help(o, command, help, sizeof help));
      fputc('\n', to);
    }
  }
}

static void write_statuses(FILE *to) {
  fputs(".SH EXIT STATUS\n", to);
  for (int s = TOOL_OK; s <= TOOL_MISSING; s++) {
    fprintf(to, ".TP\n%d\n", s);
    put_troff(to, tool_exit_text((enum tool_exit)s));
    fputc('\n', to);
  }
}

static void command_page(FILE *to, const struct tool_command *c) {
  for (unsigned i = 0; c->usage[i]; i++) {
    fprintf(to, "%s\\fBheddle %s\\fR ", i > 0 ? ".br\n" : "", c->name);
    put_troff(to, c->usage[i]);
    fputc('\n', to);
  }
  fputs(".SH DESCRIPTION\n", to);
  paragraphs(to, c->about);
  if (c->groups && c->groups->option) fputs(".SH OPTIONS\n", to);
  options(to, c->groups, c->name);
  fputs(".SH EXAMPLES\n.EX\n", to);
  for (unsigned i = 0; c->examples[i]; i++) {
    put_troff(to, c->examples[i]);
    fputc('\n', to);
  }
  fputs(".EE\n", to);
}

static void program_page(FILE *to) {
  fputs("\\fBheddle\\fR \\fICOMMAND\\fR ...\n.br\n\\fBheddle\\fR \\fICOMMAND\\fR \\fB\\-\\-help\\fR\n.br\n"
        "\\fBheddle \\-\\-version\\fR\n.SH COMMANDS\n",
        to);
  for (unsigned i = 0; tool_commands[i]; i++) {
    fprintf(to, ".TP\n\\fBheddle\\-%s\\fR(1)\n", tool_commands[i]->name);
    put_troff(to, tool_commands[i]->summary);
    fputc('\n', to);
  }
}

void tool_man_page(FILE *to, const struct tool_command *c, const char *version) {
  title(to, c ? c->name : NULL, c ? c->summary : tool_summary, version);
  if (c)
    command_page(to, c);
  else
    program_page(to);
  write_statuses(to);
  if (c) fputs(".SH SEE ALSO\n\\fBheddle\\fR(1)\n", to);
}
