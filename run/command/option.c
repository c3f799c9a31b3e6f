/* SPDX-License-Identifier: Apache-2.0
 * Options from their tables. */
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
