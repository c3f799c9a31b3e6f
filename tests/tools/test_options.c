/* SPDX-License-Identifier: Apache-2.0
 * Every option of every command that runs programs, in every place: it does something there, as docs/options.md says,
 * or it is refused with exit status 2 and a sentence, or told. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/test.h"
#include "base/file.h"
#include "run/options/options.h"

static const char *const commands[] = {"run", "debug", "kernels", "cases", "ops", "fuzz", "litmus", "hosts"};
enum { COMMANDS = sizeof commands / sizeof *commands, ROWS = 100 };

static struct row { char option[32], of[80], on[80], needs[32], elsewhere[16]; } rows[ROWS];
static unsigned count;

/* Whether `word` stands in "a, b, c". */
static bool has(const char *list, const char *word) {
  const size_t n = strlen(word);
  for (const char *w = list; w; w = strchr(w, ','), w += w ? 2 : 0)
    if (strncmp(w, word, n) == 0 && (w[n] == ',' || w[n] == '\0')) return true;
  return false;
}

static const struct row *row_of(const char *option, const char *command, const char *on, bool *known) {
  *known = false;
  for (const struct tool_option *o = run_option_table; o->name; o++) *known = *known || strcmp(o->name, option) == 0;
  for (unsigned i = 0; i < count; i++) {
    if (strcmp(rows[i].option, option) != 0) continue;
    *known = *known || has(rows[i].of, command);
    if (has(rows[i].of, command) && has(rows[i].on, on)) return &rows[i];
  }
  return NULL;
}

/* ---- one option, as if it were typed */

static char said[4000];

static int try(const char *command, enum run_on on, const struct tool_option *o, const char *with) {
  char word[80], other[80];
  snprintf(word, sizeof word, "%s%s", o->name[1] ? "--" : "-", o->name);
  snprintf(other, sizeof other, "--%s", with ? with : "");
  char name[40], argument[] = "7", more[] = "7";
  snprintf(name, sizeof name, "%s", command);
  char *argv[8] = {name, word};
  int argc = 2;
  if (o->argument && !tool_option_may(o)) argv[argc++] = argument;
  if (with) argv[argc++] = other;
  if (with && strcmp(with, "calm") != 0 && strcmp(with, "hold") != 0) argv[argc++] = more;
  const int file = file_in_memory(NULL, 0), err = dup(STDERR_FILENO);
  (void)fflush(stderr);
  assert_true(file >= 0 && err >= 0 && dup2(file, STDERR_FILENO) >= 0);
  const int status = run_options_serve(on, command, tool_find(command)->groups, argc, argv);
  (void)fflush(stderr);
  (void)dup2(err, STDERR_FILENO);
  const ssize_t n = pread(file, said, sizeof said - 1, 0);
  said[n > 0 ? n : 0] = '\0';
  (void)close(file);
  (void)close(err);
  return status;
}

static bool is_as_the_page_says(const char *command, enum run_on on, const struct tool_option *o) {
  bool known;
  const struct row *r = row_of(o->name, command, run_on_name(on), &known);
  if (!known || r) {
    const bool alone = !r || r->needs[0] == '\0';
    if (try(command, on, o, alone ? NULL : r->needs + 2) != TOOL_OK || said[0] != '\0') return false;
    if (alone) return true;
    const int without = try(command, on, o, NULL);
    return strstr(said, r->needs) && without == (strcmp(r->elsewhere, "reported") == 0 ? TOOL_OK : TOOL_USAGE);
  }
  bool told = false;
  for (unsigned i = 0; i < count; i++)
    told = told || (strcmp(rows[i].option, o->name) == 0 && strcmp(rows[i].elsewhere, "reported") == 0);
  const int status = try(command, on, o, NULL);
  return status == (told ? TOOL_OK : TOOL_USAGE) && strstr(said, o->name) && strstr(said, command);
}

static void each_is_served_refused_or_told(void **state) {
  (void)state;
  unsigned bad = 0, tried = 0;
  for (unsigned c = 0; c < COMMANDS; c++)
    for (int on = ON_MODEL; on <= ON_BOARD; on++)
      for (const struct tool_group *g = tool_find(commands[c])->groups; g->option; g++)
        for (const struct tool_option *o = g->option; o->name; o++, tried++) {
          if (is_as_the_page_says(commands[c], (enum run_on)on, o)) continue;
          bad++;
          print_error("%s --%s --on %s: not as docs/options.md says: %s\n", commands[c], o->name,
                      run_on_name((enum run_on)on), said);
        }
  assert_true(tried > 1500);
  assert_int_equal(bad, 0);
}

/* A new one cannot be forgotten. */
static void each_shared_option_has_a_row(void **state) {
  (void)state;
  for (const struct tool_option *o = run_option_table; o->name; o++) {
    unsigned i = 0;
    while (i < count && strcmp(rows[i].option, o->name) != 0) i++;
    if (i == count) fail_msg("docs/options.md says nothing of --%s", o->name);
  }
}

/* Options that promise a file or an effect which the model does not have, of which a user was never told. */
static void the_model_refuses(void **state) {
  static const char *const refused[] = {"wave", "stream",  "fault",       "bus-errors", "host", "junit",
                                        "cov",  "profile", "profile-out", "beside",     "l1",   "replay"};
  static const char *const told[] = {"hold", "seed", "memory-seed", "init-seed", "calm", "dep", "jobs", "sched"};
  (void)state;
  for (const struct tool_group *g = tool_find("run")->groups; g->option; g++)
    for (const struct tool_option *o = g->option; o->name; o++) {
      for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strcmp(o->name, refused[i]) == 0) assert_int_equal(try("run", ON_MODEL, o, NULL), TOOL_USAGE);
      for (unsigned i = 0; i < sizeof told / sizeof *told; i++)
        if (strcmp(o->name, told[i]) == 0) assert_true(try("run", ON_MODEL, o, NULL) == TOOL_OK && said[0] != '\0');
    }
}

/* The last of an option counts, as a script that is repeated with other options has it. */
static void the_last_counts(void **state) {
  char *none[] = {"run", "--fault", "5", "--fault", "0"}, *one[] = {"run", "--fault", "0", "--fault", "5"};
  (void)state;
  assert_int_equal(run_options_serve(ON_MODEL, "run", tool_find("run")->groups, 5, none), TOOL_OK);
  assert_int_equal(run_options_serve(ON_MODEL, "run", tool_find("run")->groups, 5, one), TOOL_USAGE);
}

/* "| `--wave` | run, debug | rtl, board | --needs | refused |" */
static void read_page(const char *path) {
  char line[1000];
  FILE *f = fopen(path, "r");
  while (f && fgets(line, sizeof line, f) && count < ROWS) {
    char *cell[6] = {0}, *at = line;
    if (strncmp(line, "| `--", 5) != 0) continue;
    for (unsigned i = 0; i < 5 && at; i++) {
      at += 2;
      cell[i] = at;
      at = strstr(at, " |");
      if (at) *at++ = '\0';
    }
    if (!cell[4]) continue;
    cell[0][strlen(cell[0]) - 1] = '\0'; /* the second ` */
    struct row *r = &rows[count++];
    snprintf(r->option, sizeof r->option, "%s", cell[0] + 3);
    snprintf(r->of, sizeof r->of, "%s", cell[1]);
    snprintf(r->on, sizeof r->on, "%s", cell[2]);
    snprintf(r->needs, sizeof r->needs, "%s", cell[3]);
    snprintf(r->elsewhere, sizeof r->elsewhere, "%s", cell[4]);
  }
  if (f) (void)fclose(f);
}

int TEST_MAIN(int argc, char **argv) {
  read_page(OPTIONS_PAGE);
  if (count < 40) return fprintf(stderr, "%s has %u rows\n", OPTIONS_PAGE, count), 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_is_served_refused_or_told),
                                     cmocka_unit_test(each_shared_option_has_a_row),
                                     cmocka_unit_test(the_model_refuses), cmocka_unit_test(the_last_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
