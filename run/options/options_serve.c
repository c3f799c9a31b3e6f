/* SPDX-License-Identifier: Apache-2.0
 * Which option does something, of which command and where: one table for what is refused, --help and docs/options.md.
 */
#include <stdio.h>
#include <string.h>

#include "run/options/options.h"

#define HARDWARE "rtl lockstep systemc"
#define ANYWHERE "model " HARDWARE " board"
#define SUITES "cases ops fuzz litmus hosts"
#define RUNS "run kernels cases ops fuzz litmus"
#define LAUNCHES "run debug kernels cases ops fuzz litmus"

/* The first row of an option with its command and its place counts; without one it does nothing there. */
static const struct serve {
  const char *option, *of, *on;
  const char *needs; /* an option without which it does nothing; NULL: none */
  const char *none;  /* an argument that asks for nothing; NULL: each asks */
  bool told;         /* where it does nothing it is taken, and told: it decides among behaviours, and none is there */
} serves[] = {{"on", LAUNCHES " hosts", ANYWHERE, NULL, NULL, false},
              {"board", RUNS " hosts", "board", NULL, NULL, false},
              {"target", LAUNCHES, ANYWHERE, NULL, NULL, false},
              {"config", LAUNCHES " hosts", ANYWHERE, NULL, NULL, false},
              {"dep", LAUNCHES, HARDWARE " board", NULL, NULL, true},
              {"dep", "fuzz", "model", NULL, NULL, true}, /* programs without codes */
              {"sched", LAUNCHES, HARDWARE, NULL, "default", true},
              {"div", LAUNCHES, "model " HARDWARE, NULL, "stack", false},
              {"undefined", LAUNCHES " hosts", "model lockstep systemc", NULL, "on", false},
              {"sanitize", RUNS, "model", NULL, NULL, false},
              {"pages", RUNS, "model rtl lockstep", NULL, NULL, false},
              {"seed", LAUNCHES " hosts", HARDWARE, NULL, NULL, true},
              {"seed", "kernels fuzz litmus", "model board", NULL, NULL, true}, /* data and programs */
              {"memory-seed", LAUNCHES, HARDWARE, NULL, NULL, true},
              {"init-seed", LAUNCHES, HARDWARE, NULL, NULL, true},
              {"ready-seed", LAUNCHES, HARDWARE, "hold", NULL, true},
              {"jobs", SUITES, ANYWHERE, NULL, NULL, true},
              {"max-cycles", RUNS, ANYWHERE, NULL, NULL, true},
              {"max-cycles", "debug", "lockstep", NULL, NULL, true},
              {"max-cycles", "hosts", "model lockstep", NULL, NULL, true},
              {"calm", LAUNCHES, HARDWARE, NULL, NULL, true},
              {"latency", LAUNCHES, HARDWARE, "calm", NULL, true},
              {"l1", LAUNCHES, "rtl lockstep", NULL, NULL, false},
              {"hold", LAUNCHES, HARDWARE, NULL, NULL, true},
              {"beside", LAUNCHES, "lockstep systemc", NULL, NULL, false},
              {"fault", LAUNCHES " hosts", HARDWARE, NULL, "0", false},
              {"wave", LAUNCHES, HARDWARE, NULL, NULL, false},
              {"wave-last", LAUNCHES, HARDWARE, "wave", NULL, false},
              {"trace", LAUNCHES, HARDWARE, NULL, NULL, false},
              {"trace", RUNS, "model", NULL, NULL, false},
              {"stream", LAUNCHES, HARDWARE " board", NULL, NULL, false},
              {"stream-gap", LAUNCHES, HARDWARE, "stream", NULL, false},
              {"stream-drop", LAUNCHES, HARDWARE, "stream", NULL, false},
              {"stream-drop", RUNS, "board", NULL, NULL, false},
              {"cov", RUNS, "lockstep systemc", NULL, NULL, false},
              {"json", RUNS " hosts", ANYWHERE, NULL, NULL, false},
              {"junit", SUITES, ANYWHERE, NULL, NULL, false},
              {"waivers", RUNS " hosts", ANYWHERE, NULL, NULL, false},
              {"profile", RUNS, HARDWARE " board", NULL, NULL, false},
              {"profile-out", "run kernels", HARDWARE, NULL, NULL, false},
              {"profile-window", "run kernels", HARDWARE, "profile-out", NULL, false},
              {"threads", "run", "model", NULL, NULL, false},
              {"bus-errors", "run", HARDWARE, NULL, NULL, false},
              {"host", "run", HARDWARE, NULL, NULL, false},
              {"replay", "run", HARDWARE, "stream", NULL, false},
              {"fidelity", "run", "model lockstep systemc", NULL, NULL, false}};
enum { SERVES = sizeof serves / sizeof *serves };

static bool has_word(const char *words, const char *word) {
  const size_t n = strlen(word);
  for (const char *w = words; *w != '\0'; w += strcspn(w, " "), w += *w == ' ')
    if (strncmp(w, word, n) == 0 && (w[n] == ' ' || w[n] == '\0')) return true;
  return false;
}

/* "rtl, lockstep or systemc". */
static const char *listed(const char *words, const char *last, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  while (*words != '\0') {
    const size_t n = strcspn(words, " ");
    const char *gap = used == 0 ? "" : words[n] == '\0' ? last : ", ";
    used += (size_t)snprintf(text + used, size - used, "%s%.*s", gap, (int)n, words);
    words += n + (words[n] == ' ');
  }
  return text;
}

static const char *const commands[] = {"run", "debug", "kernels", "cases", "ops", "fuzz", "litmus", "hosts"};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* Every command, and every place of this command, that has a row. */
static void gather_serving(const char *option, const char *command, char of[120], char on[120]) {
  of[0] = on[0] = '\0';
  for (unsigned i = 0; i < SERVES; i++) {
    if (strcmp(serves[i].option, option) != 0) continue;
    for (unsigned c = 0; c < COMMANDS; c++)
      if (has_word(serves[i].of, commands[c]) && !has_word(of, commands[c]))
        snprintf(of + strlen(of), 120 - strlen(of), "%s%s", of[0] ? " " : "", commands[c]);
    if (!has_word(serves[i].of, command)) continue;
    for (int d = ON_MODEL; d <= ON_BOARD; d++)
      if (has_word(serves[i].on, run_on_name((enum run_on)d)) && !has_word(on, run_on_name((enum run_on)d)))
        snprintf(on + strlen(on), 120 - strlen(on), "%s%s", on[0] ? " " : "", run_on_name((enum run_on)d));
  }
}

static bool is_shared(const char *option) {
  for (const struct tool_option *o = run_option_table; o->name; o++)
    if (strcmp(o->name, option) == 0) return true;
  return false;
}

/* Whether it does something (docs/options.md); *needs: an option without which it does not, or NULL; *told: where it
 * does nothing it is taken, and told. An option that is not in the table does something everywhere. */
static bool run_option_serves(const char *option, const char *command, enum run_on on, const char **needs, bool *told) {
  bool known = is_shared(option); /* what a command calls by the name of another's is its own */
  *needs = NULL;
  *told = false;
  for (unsigned i = 0; i < SERVES; i++) {
    if (strcmp(serves[i].option, option) != 0) continue;
    known = known || has_word(serves[i].of, command);
    *told = serves[i].told;
    *needs = serves[i].needs;
    if (has_word(serves[i].of, command) && has_word(serves[i].on, run_on_name(on))) return true;
  }
  return !known;
}

static bool asks(const char *option, const char *argument) {
  for (unsigned i = 0; i < SERVES; i++)
    if (strcmp(serves[i].option, option) == 0 && serves[i].none != NULL && argument != NULL &&
        strcmp(serves[i].none, argument) == 0)
      return false;
  return true;
}

/* TOOL_OK, or TOOL_USAGE after a sentence. */
static int judge_option(const char *option, const char *command, enum run_on on, const char *given) {
  char of[120], at[120], text[160];
  const char *needs;
  bool told;
  const bool serves_it = run_option_serves(option, command, on, &needs, &told);
  if (serves_it && (needs == NULL || has_word(given, needs))) return TOOL_OK;
  if (serves_it && told) return tool_log("%s: --%s decides nothing without --%s", command, option, needs), TOOL_OK;
  if (serves_it) return tool_usage(command, "--%s needs --%s", option, needs);
  gather_serving(option, command, of, at);
  if (told) return tool_log("%s: --%s decides nothing with --on %s", command, option, run_on_name(on)), TOOL_OK;
  if (!has_word(of, command))
    return tool_usage(command, "--%s: of %s alone", option, listed(of, " and ", text, sizeof text));
  const bool fault = on == ON_BOARD && strcmp(option, "fault") == 0;
  return tool_usage(command, "--%s: with --on %s%s", option, listed(at, " or ", text, sizeof text),
                    fault ? "; of a simulated board HEDDLE_FAULT=N in the environment chooses one" : "");
}

static const struct tool_option *find_option(const struct tool_group *groups, int value) {
  for (; groups->option; groups++)
    for (const struct tool_option *o = groups->option; o->name; o++)
      if (o->value == value) return o;
  return NULL;
}

/* Each option once, by what is given last. */
struct given {
  const struct tool_option *option[TOOL_OPTIONS_MAX];
  bool asks[TOOL_OPTIONS_MAX];
  unsigned n;
};

static void note_given(struct given *g, const struct tool_option *o, const char *argument) {
  unsigned i = 0;
  while (i < g->n && g->option[i] != o) i++;
  if (i == TOOL_OPTIONS_MAX) return;
  g->n += i == g->n;
  g->option[i] = o;
  g->asks[i] = asks(o->name, argument);
}

int run_options_serve(enum run_on on, const char *command, const struct tool_group *groups, int argc, char **argv) {
  struct given g = {.n = 0};
  char names[2000] = "";
  const int behind = optind;
  int status = TOOL_OK;
  optind = 1;
  for (int v; (v = tool_option_next(command, groups, argc, argv)) != -1;) {
    const struct tool_option *o = find_option(groups, v);
    if (o != NULL) note_given(&g, o, optarg);
  }
  optind = behind;
  for (unsigned i = 0; i < g.n; i++) {
    const size_t used = strlen(names);
    if (g.asks[i]) snprintf(names + used, sizeof names - used, "%s%s", used ? " " : "", g.option[i]->name);
  }
  for (unsigned i = 0; i < g.n && status == TOOL_OK; i++)
    if (g.asks[i]) status = judge_option(g.option[i]->name, command, on, names);
  return status;
}

/* What --help and the manual add; "" where it does something everywhere. */
static const char *where(const char *option, const char *command, char *text, size_t size) {
  char of[120], on[120], list[160];
  bool known = false;
  gather_serving(option, command, of, on);
  text[0] = '\0';
  for (unsigned c = 0; c < COMMANDS; c++) known = known || strcmp(commands[c], command) == 0;
  if (!known) return text; /* of another command, with options of its own */
  if (of[0] != '\0' && on[0] == '\0' && is_shared(option))
    snprintf(text, size, " [of %s]", listed(of, " and ", list, sizeof list));
  else if (on[0] != '\0' && strcmp(on, ANYWHERE) != 0)
    snprintf(text, size, " [--on %s]", listed(on, ", ", list, sizeof list));
  return text;
}

const char *run_option_help(const struct tool_option *o, const char *command, char *text, size_t size) {
  char more[200];
  snprintf(text, size, "%s%s", o->help, where(o->name, command, more, sizeof more));
  return text;
}

void run_options_page(FILE *to) {
  char of[160], on[160];
  fputs("# Which option does something where\n\n"
        "Options of the commands that run programs, with the places (`--on`) where they do something.\n"
        "Elsewhere an option is refused with exit status 2. If it only chooses among behaviours of hardware,\n"
        "it is taken, and stderr says that it decides nothing. Options that are not here do something\n"
        "wherever their command runs. The build makes this page from\n"
        "[options_serve.c](../run/options/options_serve.c); `heddle COMMAND --help` says the same.\n\n"
        "| option | of | does something with `--on` | needs | elsewhere |\n|---|---|---|---|---|\n",
        to);
  for (const struct serve *s = serves; s < serves + SERVES; s++)
    fprintf(to, "| `--%s` | %s | %s | %s%s | %s |\n", s->option, listed(s->of, ", ", of, sizeof of),
            listed(s->on, ", ", on, sizeof on), s->needs ? "--" : "", s->needs ? s->needs : "",
            s->told ? "reported" : "refused");
}
