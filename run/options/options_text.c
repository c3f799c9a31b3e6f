/* SPDX-License-Identifier: Apache-2.0
 * Options as text: what repeats a run, --help. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <heddle/model.h>
#include "run/options/options.h"

/* Shared options as text that repeats a run. */

const char *run_config_text(const struct run_options *o, char buf[80]) {
  buf[0] = '\0';
  if (!run_on_whole(o)) snprintf(buf, 80, " --config %s", o->config_name);
  return buf;
}

const char *run_modes_text(const struct run_options *o, char buf[64]) {
  char pages[24] = "";
  const bool chosen = o->sched != HEDDLE_POLICY_DEFAULT, told = o->undefined != HEDDLE_TELL_USES;
  if (o->pages != 0) snprintf(pages, sizeof pages, " --pages=%u", o->pages);
  snprintf(buf, 64, "%s%s%s%s%s%s", o->its ? " --div its" : "", chosen ? " --sched " : "",
           chosen ? run_sched_name(o) : "", told ? " --undefined " : "", told ? run_undefined_name(o) : "", pages);
  return buf;
}

static int put_formatted(char *buf, size_t size, int used, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static int put_formatted(char *buf, size_t size, int used, const char *format, ...) {
  va_list ap;
  if (used < 0 || (size_t)used >= size) return used;
  va_start(ap, format);
  const int n = vsnprintf(buf + used, size - (size_t)used, format, ap);
  va_end(ap);
  return n < 0 ? n : used + n;
}

static int put_number(char *buf, size_t size, int used, const char *name, uint64_t value) {
  return value == 0 ? used : put_formatted(buf, size, used, " --%s %" PRIu64, name, value);
}

const char *run_repeat_text(const struct run_options *o, char *buf, size_t size) {
  char modes[64], config[80];
  int n = put_formatted(buf, size, 0, "--on %s%s --dep %s%s --seed %" PRIu64, run_on_name(o->on),
                        run_config_text(o, config), o->scoreboard ? "scoreboard" : "control", run_modes_text(o, modes),
                        o->seed);
  n = put_number(buf, size, n, "memory-seed", o->memory_seed);
  n = put_number(buf, size, n, "init-seed", o->init_seed);
  if (o->withhold_ready) n = put_number(buf, size, n, "ready-seed", o->ready_seed);
  if (o->board != NULL)
    n = put_formatted(buf, size, n, " --board %s%s", o->board, o->stream_drop ? " --stream-drop" : "");
  n = put_formatted(buf, size, n, "%s%s", o->calm ? " --calm" : "", o->withhold_ready ? " --hold" : "");
  n = put_number(buf, size, n, "latency", o->latency);
  if (o->l1 != NULL) n = put_formatted(buf, size, n, " --l1 %s", o->l1);
  n = put_number(buf, size, n, "fault", o->fault);
  (void)put_number(buf, size, n, "max-cycles", o->max_cycles);
  return buf;
}

/* --help from the tables. */

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

/* `text` in lines of at most `width` columns; lines after the first begin with `indent` spaces. A newline in the text
 * begins a line, and a line that begins with a space is left as it is. Ends with a newline. */
static void tool_wrap(FILE *to, const char *text, unsigned indent, unsigned width) {
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

static void help_options(FILE *to, const struct tool_group *groups, const char *command) {
  for (const struct tool_group *g = groups; g->option; g++) {
    fputc('\n', to);
    if (g->title) fprintf(to, "%s\n", g->title);
    for (const struct tool_option *o = g->option; o->name; o++) print_option(to, o, command);
  }
}

void tool_options_text(FILE *to, const struct tool_group *groups) {
  help_options(to, groups, "");
}

void tool_help_text(FILE *to, const struct tool_command *c) {
  for (unsigned i = 0; c->usage[i]; i++)
    fprintf(to, "%s heddle %s %s\n", i == 0 ? "usage:" : "      ", c->name, c->usage[i]);
  fputc('\n', to);
  tool_wrap(to, c->about, 0, WIDTH);
  if (c->groups) help_options(to, c->groups, c->name);
  fputc('\n', to);
  for (unsigned i = 0; c->examples[i]; i++) fprintf(to, "%s %s\n", i == 0 ? "example:" : "        ", c->examples[i]);
}
