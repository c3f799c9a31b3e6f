/* SPDX-License-Identifier: Apache-2.0
 * One program with a host part: on which board it runs is said by the environment, what became of its launches by the
 * figures that the board leaves (HEDDLE_STATS), the rest by its exit status and its words. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"
#include "tools/hosts/hosts.h"

enum { PATH = 4096, OUTPUT_MOST = 16 << 20 };

/* Files of one run: in the folder that is kept, or in one that is not. */
struct place {
  char folder[PATH], output[PATH + 32], stats[PATH + 32], capsules[PATH + 32];
};

/* How the process ended. */
struct ending {
  int status; /* as waitpid has it */
  bool late;
};

/* ---- the child */

static void set_number(const char *name, uint64_t value) {
  char text[24];
  snprintf(text, sizeof text, "%llu", (unsigned long long)value);
  (void)setenv(name, text, 1);
}

static void set_board(const struct run_options *o) {
  char board[PATH];
  const char *on = run_on_name(o->on), *faults = o->fault != 0 ? "_faults" : "";
  if (o->on == ON_BOARD)
    snprintf(board, sizeof board, "board:%s", o->board);
  else if (o->on == ON_MODEL && !o->config_given)
    snprintf(board, sizeof board, "model");
  else
    snprintf(board, sizeof board, "%s:%s%s", on, o->config_name, o->on == ON_MODEL ? "" : faults);
  (void)setenv("HEDDLE_BOARD", board, 1);
  set_number("HEDDLE_SEED", o->seed);
  if (o->fault != 0) set_number("HEDDLE_FAULT", o->fault);
  if (o->max_cycles != 0) set_number("HEDDLE_LIMIT", o->max_cycles);
  if (o->undefined == HEDDLE_TELL_NOTHING) (void)setenv("HEDDLE_UNDEFINED", "zero", 1);
}

_Noreturn static void become(const struct hosts *q, const struct host_program *p, const struct place *at) {
  char stats[PATH + 64];
  const int in = open("/dev/null", O_RDONLY), out = open(at->output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  (void)setpgid(0, 0);
  if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(127);
  set_board(&q->run);
  snprintf(stats, sizeof stats, "json:%s", at->stats);
  (void)setenv("HEDDLE_STATS", stats, 1);
  if (q->keep) (void)setenv("HEDDLE_CAPSULE", at->capsules, 1);
  if (chdir(p->folder) == 0) (void)execl("/bin/sh", "sh", "-c", p->command, (char *)NULL);
  _exit(127);
}

static double now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The group of processes that it began ends with it. */
static struct ending wait_for(pid_t pid, double seconds) {
  struct ending e = {.late = false};
  const double until = now() + seconds;
  const struct timespec nap = {.tv_nsec = 2000000};
  while (waitpid(pid, &e.status, WNOHANG) == 0 && !e.late) {
    e.late = now() > until;
    if (!e.late) (void)nanosleep(&nap, NULL);
  }
  (void)kill(-pid, SIGKILL);
  if (e.late) (void)waitpid(pid, &e.status, 0);
  return e;
}

/* ---- its words */

static char *read_output(const char *path) {
  FILE *f = fopen(path, "rb");
  char *text = f ? malloc(OUTPUT_MOST + 1) : NULL;
  const size_t n = text ? fread(text, 1, OUTPUT_MOST, f) : 0;
  if (f) (void)fclose(f);
  if (!text) return NULL;
  for (size_t i = 0; i < n; i++)
    if (text[i] == '\0') text[i] = ' ';
  text[n] = '\0';
  return text;
}

/* The line that the pattern is found in; false: in none. */
static bool find_line(const struct host_pattern *pattern, const char *text, char *line, size_t size) {
  regmatch_t m;
  if (!pattern->text || regexec(&pattern->compiled, text, 1, &m, 0) != 0) return false;
  const char *from = text + m.rm_so;
  while (from > text && from[-1] != '\n') from--;
  snprintf(line, size, "%.*s", (int)strcspn(from, "\n"), from);
  return true;
}

/* The last line that is not empty. */
static void last_line(char *text, char *line, size_t size) {
  size_t n = strlen(text);
  while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == ' ')) n--;
  text[n] = '\0';
  const char *slash = strrchr(text, '\n');
  snprintf(line, size, "%s", slash ? slash + 1 : text);
}

/* ---- the verdict */

static void fail(struct suite_verdict *v, enum run_status status, const char *kind, const char *what, const char *why) {
  v->status = status;
  snprintf(v->diagnosis.kind, sizeof v->diagnosis.kind, "%s", kind);
  snprintf(v->diagnosis.what, sizeof v->diagnosis.what, "%s", what);
  snprintf(v->note, sizeof v->note, "%s%s%.90s", kind, what[0] ? ": " : "", what);
  suite_fail(v, "%s: %s", kind, why);
}

static enum run_status status_of(const char *end) {
  static const struct {
    const char *end;
    enum run_status status;
  } all[] = {{"trapped", RUN_TRAP}, {"too long", RUN_LIMIT}, {"refused", RUN_BAD_INPUT}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(end, all[i].end) == 0) return all[i].status;
  return RUN_DIFFERENCE;
}

static const char *text_of(const json_t *j, const char *key) {
  const char *text = json_string_value(json_object_get(j, key));
  return text ? text : "";
}

/* The first launch that did not end well; a difference goes first. NULL: all did. */
static const json_t *worst(const json_t *each, size_t *number) {
  const json_t *found = NULL;
  for (size_t i = 0; i < json_array_size(each); i++) {
    const json_t *j = json_array_get(each, i);
    const char *end = text_of(j, "end");
    if (strcmp(end, "done") == 0 || (found && strcmp(end, "differs") != 0)) continue;
    found = j;
    *number = i + 1;
    if (strcmp(end, "differs") == 0) break;
  }
  return found;
}

/* "unit fp64" of a launch that was refused, "misaligned" of a trap, else the kernel. */
static void name_what(const json_t *launch, char *what, size_t size) {
  const char *why = text_of(launch, "why"), *unit = strstr(why, "unit ");
  snprintf(what, size, "%s", text_of(launch, "kernel"));
  if (strcmp(text_of(launch, "end"), "refused") == 0 && unit)
    snprintf(what, size, "unit %.*s", (int)strcspn(unit + 5, " ,;:.("), unit + 5);
  if (strncmp(why, "trap ", 5) == 0) snprintf(what, size, "%.*s", (int)strcspn(why + 5, " "), why + 5);
}

static void blame(const json_t *launch, size_t number, struct suite_verdict *v) {
  char what[90], why[900];
  const char *end = text_of(launch, "end");
  name_what(launch, what, sizeof what);
  snprintf(why, sizeof why, "launch %zu, %s: %s", number, text_of(launch, "kernel"), text_of(launch, "why"));
  fail(v, status_of(end), end, what, why);
  if (strcmp(end, "refused") == 0) v->refused = json_pack("{s:s}", "why", text_of(launch, "why"));
}

static void blame_status(int status, const char *output, struct suite_verdict *v) {
  enum { OF_SHELL = 128, LAST = 64 }; /* a signal that ended a program of the shell's */
  const int exits = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  char what[40], why[300];
  if (WIFSIGNALED(status) || (exits > OF_SHELL && exits <= OF_SHELL + LAST))
    snprintf(what, sizeof what, "signal %d", WIFSIGNALED(status) ? WTERMSIG(status) : exits - OF_SHELL);
  else
    snprintf(what, sizeof what, "exit status %d", exits);
  snprintf(why, sizeof why, "%s; last it said: %.240s", what, output);
  fail(v, RUN_DIFFERENCE, "failed", what, why);
}

/* What the host says of itself counts first if it is asked for (--pass), else no launch may have failed. */
static void judge(const struct hosts *q, const struct ending *e, const json_t *stats, char *output,
                  struct suite_verdict *v) {
  size_t number = 0;
  char line[240], words[64];
  const json_t *each = json_object_get(stats, "each"), *bad = worst(each, &number);
  const bool differs = bad && strcmp(text_of(bad, "end"), "differs") == 0;
  v->retired = (uint64_t)json_integer_value(json_object_get(stats, "instructions"));
  v->cycles = (uint64_t)json_integer_value(json_object_get(stats, "cycles"));
  snprintf(words, sizeof words, "%llu seconds (--limit)", (unsigned long long)q->limit);
  const bool passed = find_line(&q->pass, output, line, sizeof line);
  const bool failed = find_line(&q->fail, output, line, sizeof line);
  if (bad && (differs || !passed)) {
    blame(bad, number, v);
  } else if (e->late) {
    fail(v, RUN_LIMIT, "too long", "", words);
  } else if (failed) {
    fail(v, RUN_DIFFERENCE, "failed", "", line);
  } else if (e->status != 0) {
    last_line(output, line, sizeof line);
    blame_status(e->status, line, v);
  } else if (q->pass.text && !passed) {
    fail(v, RUN_DIFFERENCE, "failed", "",
         strlen(output) < OUTPUT_MOST ? "nothing that it says is what --pass looks for"
                                      : "nothing in the first 16 MiB that it says is what --pass looks for");
  } else {
    snprintf(v->note, sizeof v->note, "passed: %zu launches, %llu warp instructions", json_array_size(each),
             (unsigned long long)v->retired);
  }
}

/* ---- files */

static bool make_place(const struct hosts *q, const struct host_program *p, struct place *at) {
  if (q->keep)
    snprintf(at->folder, sizeof at->folder, "%s/%s", q->keep, p->name);
  else
    temporary_name(at->folder, "hosts");
  if (q->keep ? mkdir(at->folder, 0777) != 0 && errno != EEXIST : mkdtemp(at->folder) == NULL) return false;
  snprintf(at->output, sizeof at->output, "%s/output.txt", at->folder);
  snprintf(at->stats, sizeof at->stats, "%s/launches.json", at->folder);
  snprintf(at->capsules, sizeof at->capsules, "%s/capsules", at->folder);
  (void)unlink(at->stats);
  return true;
}

static void leave_place(const struct hosts *q, const struct place *at) {
  if (q->keep) return;
  (void)unlink(at->output);
  (void)unlink(at->stats);
  (void)rmdir(at->folder);
}

void hosts_run_one(void *ctx, size_t item, struct runner *runner, struct suite_verdict *v) {
  const struct hosts *q = ctx;
  const struct host_program *p = &q->program[item];
  struct place at;
  (void)runner;
  if (!make_place(q, p, &at)) {
    suite_fail(v, "%s: %s", at.folder, strerror(errno));
    return;
  }
  (void)fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) become(q, p, &at);
  if (pid > 0) {
    (void)setpgid(pid, pid);
    const struct ending e = wait_for(pid, (double)q->limit);
    json_t *stats = json_load_file(at.stats, 0, NULL);
    char *output = read_output(at.output);
    if (output)
      judge(q, &e, stats, output, v);
    else
      suite_fail(v, "%s: %s", at.output, strerror(errno));
    json_decref(stats);
    free(output);
  } else {
    suite_fail(v, "cannot start another process");
  }
  leave_place(q, &at);
}
