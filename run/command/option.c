/* SPDX-License-Identifier: Apache-2.0
 * Options from their tables: for getopt_long, and as completion in bash. */
#include "option.h"

#include <assert.h>
#include <string.h>

/* What getopt_long wants of all groups. */
struct wanted {
  struct option longs[TOOL_OPTIONS_MAX + 1];
  char shorts[3 * TOOL_OPTIONS_MAX + 2];
  const struct tool_option *option[TOOL_OPTIONS_MAX];
  unsigned n, n_longs;
};

bool tool_option_may(const struct tool_option *o) {
  return o->argument && strncmp(o->argument, "[=", 2) == 0;
}

static void want(struct wanted *w, const struct tool_option *o) {
  assert(w->n < TOOL_OPTIONS_MAX);
  w->option[w->n++] = o;
  if (o->name[1] != '\0') {
    const int has = !o->argument ? no_argument : tool_option_may(o) ? optional_argument : required_argument;
    w->longs[w->n_longs++] = (struct option){o->name, has, NULL, o->value};
    return;
  }
  assert(o->value == o->name[0]);
  strncat(w->shorts, o->name, 1);
  if (o->argument) strcat(w->shorts, ":");
}

static const struct tool_option *find_wanted(const struct wanted *w, int value) {
  for (unsigned i = 0; i < w->n; i++)
    if (w->option[i]->value == value) return w->option[i];
  return NULL;
}

/* The word that getopt stopped at: the one before optind, but for a letter among others. */
static void refuse_option(const char *command, const struct wanted *w, int why, char *const *argv) {
  const struct tool_option *o = optopt != 0 ? find_wanted(w, optopt) : NULL;
  const char *word = optind > 0 ? argv[optind - 1] : "";
  if (o && why == ':')
    tool_usage(command, "%s%s needs its %s", o->name[1] ? "--" : "-", o->name, o->argument);
  else if (o)
    tool_usage(command, "--%s takes no value", o->name);
  else if (optopt != 0)
    tool_usage(command, "there is no option -%c", optopt);
  else
    tool_usage(command, "there is no option %s", word);
}

int tool_option_next(const char *command, const struct tool_group *groups, int argc, char **argv) {
  struct wanted w = {.shorts = ":"};
  for (; groups->option; groups++)
    for (const struct tool_option *o = groups->option; o->name; o++) want(&w, o);
  opterr = 0;
  const int o = getopt_long(argc, argv, w.shorts, w.longs, NULL);
  if (o != ':' && o != '?') return o;
  refuse_option(command, &w, o, argv);
  return '?';
}

int tool_option_bad(const char *command, const struct tool_group *groups, int value) {
  if (value == '?') return TOOL_USAGE;
  for (; groups->option; groups++)
    for (const struct tool_option *o = groups->option; o->name; o++)
      if (o->value == value)
        return tool_usage(command, "%s%s %s: expected %s", o->name[1] ? "--" : "-", o->name, optarg ? optarg : "",
                          o->words      ? o->words
                          : o->argument ? o->argument
                                        : "no value");
  return TOOL_USAGE;
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
