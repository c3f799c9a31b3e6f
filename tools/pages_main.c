/* SPDX-License-Identifier: Apache-2.0
 * heddle_pages DIR: manual pages and the completion of the shell from the tables of options, as files below DIR. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "run/command/json_out.h"
#include "run/command/option.h"
#include "run/command/tool.h"
#include "run/options/options.h"

/* Manual pages from the tables: troff with the macros of man(7). */

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

static void man_options(FILE *to, const struct tool_group *g, const char *command) {
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
  man_options(to, c->groups, c->name);
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

/* heddle-NAME(1); NULL: of the program, heddle(1). `version` stands in its foot. */
static void put_man_page(FILE *to, const struct tool_command *c, const char *version) {
  title(to, c ? c->name : NULL, c ? c->summary : tool_summary, version);
  if (c)
    command_page(to, c);
  else
    program_page(to);
  write_statuses(to);
  if (c) fputs(".SH SEE ALSO\n\\fBheddle\\fR(1)\n", to);
}

/* Completion in bash from the tables. */

static const char head[] =
    "# Completion of heddle in bash; made from the tables of options in tools/.\n"
    "_heddle_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$word\"); }\n"
    "_heddle_files() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen \"$1\" -- \"$word\"); }\n"
    "_heddle() {\n"
    "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options= words=\n"
    "  COMPREPLY=()\n";

/* "|--a|--b)" of the options for which `wanted` says yes; false: none. */
static bool names(FILE *to, const struct tool_command *c, bool (*wanted)(const struct tool_option *o)) {
  const char *between = "";
  for (const struct tool_group *g = c->groups; g && g->option; g++)
    for (const struct tool_option *o = g->option; o->name; o++) {
      if (!wanted(o)) continue;
      fprintf(to, "%s%s,%s%s", between[0] ? between : "      ", c->name, o->name[1] ? "--" : "-", o->name);
      between = "|";
    }
  return between[0] != '\0';
}

static bool begins(const char *text, const char *with) {
  return text && strncmp(text, with, strlen(with)) == 0;
}

static bool is_config(const struct tool_option *o) {
  return o->argument && strcmp(o->name, "config") == 0;
}

static bool is_folder(const struct tool_option *o) {
  return begins(o->argument, "DIR") || begins(o->argument, "BUILD");
}

static bool is_file(const struct tool_option *o) {
  return begins(o->argument, "FILE");
}

static bool is_other(const struct tool_option *o) {
  return o->argument && !tool_option_may(o) && !is_config(o) && !is_folder(o) && !is_file(o) && !o->words;
}

static void arguments(FILE *to) {
  static const struct {
    bool (*wanted)(const struct tool_option *o);
    const char *then;
  } kind[] = {{is_config, "_heddle_words \"$(\"${COMP_WORDS[0]}\" configs --names 2>/dev/null)\""},
              {is_folder, "_heddle_files -d"},
              {is_file, "_heddle_files -f"},
              {is_other, ":"}};
  fputs("  case ${COMP_WORDS[1]},$before in\n", to);
  for (unsigned i = 0; tool_commands[i]; i++) {
    const struct tool_command *c = tool_commands[i];
    for (const struct tool_group *g = c->groups; g && g->option; g++)
      for (const struct tool_option *o = g->option; o->name; o++)
        if (o->words)
          fprintf(to, "      %s,%s%s) _heddle_words \"%s\"; return ;;\n", c->name, o->name[1] ? "--" : "-", o->name,
                  o->words);
    for (unsigned k = 0; k < sizeof kind / sizeof *kind; k++)
      if (names(to, c, kind[k].wanted)) fprintf(to, ") %s; return ;;\n", kind[k].then);
  }
  fputs("  esac\n", to);
}

static void completed_options(FILE *to) {
  fputs("  case ${COMP_WORDS[1]} in\n", to);
  for (unsigned i = 0; tool_commands[i]; i++) {
    const struct tool_command *c = tool_commands[i];
    fprintf(to, "    %s) options=\"--help", c->name);
    for (const struct tool_group *g = c->groups; g && g->option; g++)
      for (const struct tool_option *o = g->option; o->name; o++)
        fprintf(to, " %s%s", o->name[1] ? "--" : "-", o->name);
    fprintf(to, "\" words=\"%s\" ;;\n", c->words ? c->words : "");
  }
  fputs("  esac\n", to);
}

/* Every command, its options, their arguments. */
static void put_completion(FILE *to) {
  fputs(head, to);
  fputs("  if [ \"$COMP_CWORD\" = 1 ]; then\n    _heddle_words \"--help --version", to);
  for (unsigned i = 0; tool_commands[i]; i++) fprintf(to, " %s", tool_commands[i]->name);
  fputs("\"\n    return\n  fi\n", to);
  arguments(to);
  completed_options(to);
  fputs("  if [ \"${word#-}\" != \"$word\" ]; then\n    _heddle_words \"$options\"\n"
        "  elif [ \"$COMP_CWORD\" = 2 ] && [ -n \"$words\" ]; then\n    _heddle_words \"$words\"\n"
        "  else\n    _heddle_files -f\n  fi\n}\ncomplete -F _heddle heddle\n",
        to);
}

/* The files. */

static FILE *create_page(const char *dir, const char *name, const char *command, const char *end) {
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/%s%s%s", dir, name, command, end);
  FILE *f = fopen(path, "w");
  if (!f) tool_error("%s: %s", path, strerror(errno));
  return f;
}

static bool man_page(const char *dir, const struct tool_command *c) {
  FILE *f = create_page(dir, c ? "man/heddle-" : "man/heddle", c ? c->name : "", ".1");
  if (f) put_man_page(f, c, version_number());
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
  if (f) put_completion(f);
  return f && fclose(f) == 0 ? TOOL_OK : TOOL_USAGE;
}
