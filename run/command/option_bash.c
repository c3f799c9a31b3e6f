/* SPDX-License-Identifier: Apache-2.0
 * Completion in bash from the tables. */
#include <string.h>

#include "run/command/option.h"

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

static void options(FILE *to) {
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

void tool_bash_completion(FILE *to) {
  fputs(head, to);
  fputs("  if [ \"$COMP_CWORD\" = 1 ]; then\n    _heddle_words \"--help --version", to);
  for (unsigned i = 0; tool_commands[i]; i++) fprintf(to, " %s", tool_commands[i]->name);
  fputs("\"\n    return\n  fi\n", to);
  arguments(to);
  options(to);
  fputs("  if [ \"${word#-}\" != \"$word\" ]; then\n    _heddle_words \"$options\"\n"
        "  elif [ \"$COMP_CWORD\" = 2 ] && [ -n \"$words\" ]; then\n    _heddle_words \"$words\"\n"
        "  else\n    _heddle_files -f\n  fi\n}\ncomplete -F _heddle heddle\n",
        to);
}
