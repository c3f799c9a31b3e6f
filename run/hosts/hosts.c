/* SPDX-License-Identifier: Apache-2.0
 * Programs with a host part: which there are, one run and its verdict, two runs compared. */
#include "hosts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process.h"

/* Which programs there are: a list, executables of a folder, or its folders with one executable each. */

enum { LIST_MOST = 1 << 20, PATH = 4096 };

static bool add_host(struct hosts *q, const char *name, const char *command, const char *folder) {
  if (q->only && strcmp(q->only, name) != 0) return true;
  struct host_program *more = realloc(q->program, (q->programs + 1) * sizeof *more);
  if (!more) return false;
  q->program = more;
  more[q->programs] = (struct host_program){strdup(name), strdup(command), strdup(folder)};
  const struct host_program *p = &more[q->programs++];
  return p->name && p->command && p->folder;
}

/* ---- a list: "name: command", a line each; # begins a remark */

static bool add_line(struct hosts *q, const char *path, unsigned number, char *line, const char *folder) {
  char *end = line + strlen(line);
  while (end > line && isspace((unsigned char)end[-1])) *--end = '\0';
  while (isspace((unsigned char)*line)) line++;
  if (*line == '\0' || *line == '#') return true;
  const size_t n = strcspn(line, ":");
  char *command = line + n;
  if (*command == ':') *command++ = '\0';
  while (isspace((unsigned char)*command)) command++;
  if (n > 0 && *command && strcspn(line, " \t/") == n) return add_host(q, line, command, folder);
  tool_error("%s:%u: expected NAME: COMMAND", path, number);
  return false;
}

static bool read_list(struct hosts *q, const char *path) {
  size_t bytes;
  char folder[PATH];
  char *text = (char *)tool_read_file(path, LIST_MOST, &bytes), *rest = text;
  if (!text) return false;
  snprintf(folder, sizeof folder, "%s", path);
  char *slash = strrchr(folder, '/');
  snprintf(slash ? slash : folder, 2, "%s", slash ? "" : ".");
  if (folder[0] == '\0') snprintf(folder, sizeof folder, "/");
  bool ok = true;
  for (unsigned number = 1; ok && rest; number++) {
    char *line = rest, *end = strchr(rest, '\n');
    rest = end ? end + 1 : NULL;
    if (end) *end = '\0';
    ok = add_line(q, path, number, line, folder);
  }
  free(text);
  return ok;
}

/* ---- a folder */

static bool is_program(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) == 0;
}

static int visible(const struct dirent *e) {
  return e->d_name[0] != '.';
}

/* "./name", where the shell takes it as one word; NULL: no memory. */
static char *quoted(const char *name) {
  char *text = malloc(4 * strlen(name) + 5), *to = text;
  if (!text) return NULL;
  to += sprintf(to, "./'");
  for (; *name; name++) to += *name == '\'' ? sprintf(to, "'\\''") : sprintf(to, "%c", *name);
  (void)sprintf(to, "'");
  return text;
}

static bool add_program(struct hosts *q, const char *name, const char *file, const char *folder) {
  char *command = quoted(file);
  const bool ok = command && add_host(q, name, command, folder);
  free(command);
  return ok;
}

/* The only executable file of a folder; else *file is empty. */
static void only_program(const char *folder, char *file, size_t size) {
  struct dirent **all;
  char path[PATH];
  unsigned found = 0;
  const int n = scandir(folder, &all, visible, alphasort);
  for (int i = 0; i < n; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, all[i]->d_name);
    if (is_program(path) && found++ == 0) snprintf(file, size, "%s", all[i]->d_name);
    free(all[i]);
  }
  if (n >= 0) free(all);
  if (found != 1) file[0] = '\0';
}

static bool add_entry(struct hosts *q, const char *name) {
  char path[PATH], file[256];
  struct stat s;
  snprintf(path, sizeof path, "%s/%s", q->dir, name);
  if (is_program(path)) return add_program(q, name, name, q->dir);
  if (stat(path, &s) != 0 || !S_ISDIR(s.st_mode)) return true;
  only_program(path, file, sizeof file);
  return file[0] == '\0' || add_program(q, name, file, path);
}

static bool read_folder(struct hosts *q) {
  struct dirent **all;
  bool ok = true;
  const int n = scandir(q->dir, &all, visible, alphasort);
  if (n < 0) tool_error("%s: %s", q->dir, strerror(errno));
  for (int i = 0; i < n; i++) {
    ok = ok && add_entry(q, all[i]->d_name);
    free(all[i]);
  }
  if (n >= 0) free(all);
  return ok && n >= 0;
}

bool hosts_find(struct hosts *q) {
  struct stat s;
  char list[PATH];
  if (stat(q->dir, &s) == 0 && S_ISREG(s.st_mode)) return read_list(q, q->dir);
  snprintf(list, sizeof list, "%s/hosts.txt", q->dir);
  return access(list, F_OK) == 0 ? read_list(q, list) : read_folder(q);
}

void hosts_clear(struct hosts *q) {
  for (size_t i = 0; i < q->programs; i++) {
    free(q->program[i].name);
    free(q->program[i].command);
    free(q->program[i].folder);
  }
  free(q->program);
  if (q->pass.text) regfree(&q->pass.compiled);
  if (q->fail.text) regfree(&q->fail.compiled);
}

/* One program with a host part: on which board it runs is said by the environment, what became of its launches by the
 * figures that the board leaves (HEDDLE_STATS), the rest by its exit status and its words. */

enum { OUTPUT_MOST = 16 << 20, NOT_RUN = 127 }; /* as a shell says it */

/* Files of one run: in the folder that is kept, or in one that is not. */
struct place {
  char folder[PATH], output[PATH + 32], stats[PATH + 32], capsules[PATH + 32];
};

/* How the process ended. */
struct ending {
  int status; /* as process_wait has it */
  bool late;
};

/* ---- the child */

enum { SETTINGS = 7 };

/* What the environment says to a board. */
struct settings {
  char text[SETTINGS][PATH + 64];
  const char *all[SETTINGS + 1];
  unsigned n;
};

static void set(struct settings *s, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void set(struct settings *s, const char *name, const char *format, ...) {
  va_list ap;
  const int n = snprintf(s->text[s->n], sizeof s->text[0], "%s=", name);
  va_start(ap, format);
  vsnprintf(s->text[s->n] + n, sizeof s->text[0] - (size_t)n, format, ap);
  va_end(ap);
  s->all[s->n] = s->text[s->n];
  s->n++;
}

static void set_board(struct settings *s, const struct run_options *o) {
  const char *on = run_on_name(o->on), *faults = o->fault != 0 ? "_faults" : "";
  if (o->on == ON_BOARD)
    set(s, "HEDDLE_BOARD", "board:%s", o->board);
  else if (o->on == ON_MODEL && !o->config_given)
    set(s, "HEDDLE_BOARD", "model");
  else
    set(s, "HEDDLE_BOARD", "%s:%s%s", on, o->config_name, o->on == ON_MODEL ? "" : faults);
  set(s, "HEDDLE_SEED", "%llu", (unsigned long long)o->seed);
  if (o->fault != 0) set(s, "HEDDLE_FAULT", "%llu", (unsigned long long)o->fault);
  if (o->max_cycles != 0) set(s, "HEDDLE_LIMIT", "%llu", (unsigned long long)o->max_cycles);
  if (o->undefined == HEDDLE_TELL_NOTHING) set(s, "HEDDLE_UNDEFINED", "zero");
}

static bool start(const struct hosts *q, const struct host_program *p, const struct place *at, pid_t *pid) {
  const char *const words[] = {"sh", "-c", p->command, NULL};
  const int out = descriptor_apart(open(at->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  struct settings *s = out >= 0 ? calloc(1, sizeof *s) : NULL;
  if (s) set_board(s, &q->run);
  if (s) set(s, "HEDDLE_STATS", "json:%s", at->stats);
  if (s && q->keep) set(s, "HEDDLE_CAPSULE", "%s", at->capsules);
  const bool started = s && process_start(&(struct process){.words = words,
                                                            .program = "/bin/sh",
                                                            .folder = p->folder,
                                                            .in = -1,
                                                            .out = out,
                                                            .err = out,
                                                            .settings = s->all,
                                                            .group = true},
                                          pid);
  free(s);
  if (out >= 0) (void)close(out);
  return started;
}

/* ---- its words */

static char *read_output(const char *path) {
  size_t n;
  char *text = file_read_first(path, OUTPUT_MOST, &n);
  for (size_t i = 0; i < n; i++)
    if (text[i] == '\0') text[i] = ' ';
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

static void fail_host(struct suite_verdict *v, enum run_status status, const char *kind, const char *what,
                      const char *why) {
  v->status = status;
  snprintf(v->diagnosis.kind, sizeof v->diagnosis.kind, "%s", kind);
  snprintf(v->diagnosis.what, sizeof v->diagnosis.what, "%s", what);
  snprintf(v->note, sizeof v->note, "%s%s%.90s", kind, what[0] ? ": " : "", what);
  suite_fail(v, "%s: %s", kind, why);
}

static enum run_status status_of_end(const char *end) {
  static const struct {
    const char *end;
    enum run_status status;
  } all[] = {{"trapped", RUN_TRAP}, {"too long", RUN_LIMIT}, {"refused", RUN_BAD_INPUT}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(end, all[i].end) == 0) return all[i].status;
  return RUN_DIFFERENCE;
}

static const char *text_of_figure(const json_t *j, const char *key) {
  const char *text = json_string_value(json_object_get(j, key));
  return text ? text : "";
}

/* The first launch that did not end well; a difference goes first. NULL: all did. */
static const json_t *worst(const json_t *each, size_t *number) {
  const json_t *found = NULL;
  for (size_t i = 0; i < json_array_size(each); i++) {
    const json_t *j = json_array_get(each, i);
    const char *end = text_of_figure(j, "end");
    if (strcmp(end, "done") == 0 || (found && strcmp(end, "differs") != 0)) continue;
    found = j;
    *number = i + 1;
    if (strcmp(end, "differs") == 0) break;
  }
  return found;
}

/* "unit fp64" of a launch that was refused, "misaligned" of a trap, else the kernel. */
static void name_what(const json_t *launch, char *what, size_t size) {
  const char *why = text_of_figure(launch, "why"), *unit = strstr(why, "unit ");
  snprintf(what, size, "%s", text_of_figure(launch, "kernel"));
  if (strcmp(text_of_figure(launch, "end"), "refused") == 0 && unit)
    snprintf(what, size, "unit %.*s", (int)strcspn(unit + 5, " ,;:.("), unit + 5);
  if (strncmp(why, "trap ", 5) == 0) snprintf(what, size, "%.*s", (int)strcspn(why + 5, " "), why + 5);
}

static void blame(const json_t *launch, size_t number, struct suite_verdict *v) {
  char what[90], why[900];
  const char *end = text_of_figure(launch, "end");
  name_what(launch, what, sizeof what);
  snprintf(why, sizeof why, "launch %zu, %s: %s", number, text_of_figure(launch, "kernel"),
           text_of_figure(launch, "why"));
  fail_host(v, status_of_end(end), end, what, why);
  if (strcmp(end, "refused") == 0) v->refused = json_pack("{s:s}", "why", text_of_figure(launch, "why"));
}

static void blame_status(int status, const char *output, struct suite_verdict *v) {
  enum { BY_SIGNAL = 128, LAST = 64 }; /* of the shell, or, as it says it, of a program of the shell's */
  char what[40], why[300];
  if (status > BY_SIGNAL && status <= BY_SIGNAL + LAST)
    snprintf(what, sizeof what, "signal %d", status - BY_SIGNAL);
  else
    snprintf(what, sizeof what, "exit status %d", status);
  snprintf(why, sizeof why, "%s; last it said: %.240s", what, output);
  fail_host(v, RUN_DIFFERENCE, "failed", what, why);
}

/* What the host says of itself counts first if it is asked for (--pass), else no launch may have failed. */
static void judge_host(const struct hosts *q, const struct ending *e, const json_t *stats, char *output,
                       struct suite_verdict *v) {
  size_t number = 0;
  char line[240], words[64];
  const json_t *each = json_object_get(stats, "each"), *bad = worst(each, &number);
  const bool differs = bad && strcmp(text_of_figure(bad, "end"), "differs") == 0;
  v->retired = (uint64_t)json_integer_value(json_object_get(stats, "instructions"));
  v->cycles = (uint64_t)json_integer_value(json_object_get(stats, "cycles"));
  snprintf(words, sizeof words, "%llu seconds (--limit)", (unsigned long long)q->limit);
  const bool passed = find_line(&q->pass, output, line, sizeof line);
  const bool failed = find_line(&q->fail, output, line, sizeof line);
  if (bad && (differs || !passed)) {
    blame(bad, number, v);
  } else if (e->late) {
    fail_host(v, RUN_LIMIT, "too long", "", words);
  } else if (failed) {
    fail_host(v, RUN_DIFFERENCE, "failed", "", line);
  } else if (e->status != 0) {
    last_line(output, line, sizeof line);
    blame_status(e->status, line, v);
  } else if (q->pass.text && !passed) {
    fail_host(v, RUN_DIFFERENCE, "failed", "",
              strlen(output) < OUTPUT_MOST ? "nothing that it says is what --pass looks for"
                                           : "nothing in the first 16 MiB that it says is what --pass looks for");
  } else {
    snprintf(v->note, sizeof v->note, "passed: %zu launches, %llu warp instructions", json_array_size(each),
             (unsigned long long)v->retired);
  }
}

/* ---- files */

static bool make_place(const struct hosts *q, const struct host_program *p, struct place *at) {
  bool made = false;
  if (q->keep)
    snprintf(at->folder, sizeof at->folder, "%s/%s", q->keep, p->name);
  else
    made = temporary_folder(at->folder, "hosts");
  if (q->keep) made = mkdir(at->folder, 0777) == 0 || errno == EEXIST;
  if (!made) return false;
  snprintf(at->output, sizeof at->output, "%s/output.txt", at->folder);
  snprintf(at->stats, sizeof at->stats, "%s/launches.json", at->folder);
  snprintf(at->capsules, sizeof at->capsules, "%s/capsules", at->folder);
  (void)unlink(at->stats);
  return true;
}

static void leave_place(const struct hosts *q, const struct place *at) {
  if (!q->keep) temporary_remove(at->folder);
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
  struct ending e = {.status = NOT_RUN};
  pid_t pid;
  const bool started = start(q, p, &at, &pid);
  if (started || (errno != EAGAIN && errno != ENOMEM)) {
    if (started) e.status = process_wait_for(pid, (double)q->limit, &e.late);
    json_t *stats = json_load_file(at.stats, 0, NULL);
    char *output = read_output(at.output);
    if (output)
      judge_host(q, &e, stats, output, v);
    else
      suite_fail(v, "%s: %s", at.output, strerror(errno));
    json_decref(stats);
    free(output);
  } else {
    suite_fail(v, "cannot start another process");
  }
  leave_place(q, &at);
}

/* Two runs of a host, launch by launch: on model and board, before a change and after it, in two encodings. */

static json_t *load_figures(const char *path, const json_t **each) {
  json_error_t e;
  json_t *j = json_load_file(path, 0, &e);
  *each = json_object_get(j, "each");
  if (!j)
    tool_error("%s: %s", path, e.text);
  else if (!json_is_array(*each))
    tool_error("%s: no list \"each\": not of HEDDLE_STATS=json:FILE", path);
  else
    return j;
  json_decref(j);
  return NULL;
}

static const char *text_of_launch(const json_t *j, const char *key) {
  const char *text = json_string_value(json_object_get(j, key));
  return text ? text : "-";
}

static void say_launch(const char *path, const json_t *one) {
  printf("  %s: %s, %s, memory %s\n", path, text_of_launch(one, "kernel"), text_of_launch(one, "end"),
         text_of_launch(one, "digest"));
}

static bool equal(const json_t *a, const json_t *b) {
  static const char *const key[] = {"kernel", "end", "digest"};
  for (size_t i = 0; i < sizeof key / sizeof *key; i++)
    if (strcmp(text_of_launch(a, key[i]), text_of_launch(b, key[i])) != 0) return false;
  return true;
}

static int compare_launches(const char *a, const json_t *all_a, const char *b, const json_t *all_b) {
  const size_t n = json_array_size(all_a), m = json_array_size(all_b), both = n < m ? n : m;
  for (size_t i = 0; i < both; i++) {
    if (equal(json_array_get(all_a, i), json_array_get(all_b, i))) continue;
    printf("launch %zu is the first that differs\n", i + 1);
    say_launch(a, json_array_get(all_a, i));
    say_launch(b, json_array_get(all_b, i));
    return TOOL_DIFFERENCE;
  }
  if (n != m) printf("%zu launches are the same; %s has %zu, %s %zu\n", both, a, n, b, m);
  if (n == m) printf("%zu launches, all the same\n", n);
  return n == m ? TOOL_OK : TOOL_DIFFERENCE;
}

int hosts_compare(const char *a, const char *b) {
  const json_t *all_a, *all_b;
  json_t *of_a = load_figures(a, &all_a), *of_b = of_a ? load_figures(b, &all_b) : NULL;
  const int status = of_a && of_b ? compare_launches(a, all_a, b, all_b) : TOOL_USAGE;
  json_decref(of_a);
  json_decref(of_b);
  return status;
}
