/* SPDX-License-Identifier: Apache-2.0
 *
 * Chunks in processes or as a job array of Slurm, and their checkpoints.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/process.h"
#include "cosim/checker/report.h"
#include "lab/campaign/campaign.h"
#include "run/command/tool.h"

/* A campaign as a job array of Slurm. */

/* Slurm's MaxArraySize is 1001 unless a farm sets it: a campaign of more chunks gives several to a task. */
#define TASKS_MAX 1000u

/* As a shell takes it, whatever the path holds. */
static void print_quoted(FILE *f, const char *text) {
  fputc('\'', f);
  for (; *text; text++) {
    if (*text == '\'')
      fputs("'\\''", f);
    else
      fputc(*text, f);
  }
  fputc('\'', f);
}

/* Tasks that have a chunk to do: task t does chunks t, t + tasks, ... False: a checkpoint is bad. */
static bool find_open(const struct campaign *c, size_t tasks, bool *open, size_t *chunks) {
  bool bad = false;
  for (size_t i = 0; i < c->chunks && !bad; i++) {
    json_t *done = campaign_checkpoint(c, i, &bad);
    if (!done) open[i % tasks] = true;
    if (!done) (*chunks)++;
    json_decref(done);
  }
  return !bad;
}

/* Runs of numbers, as --array takes them: 0-3,7 */
static void print_array(FILE *f, const bool *open, size_t tasks) {
  const char *comma = "";
  for (size_t i = 0; i < tasks; i++) {
    if (!open[i]) continue;
    const size_t first = i;
    while (i + 1 < tasks && open[i + 1]) i++;
    fprintf(f, "%s%zu", comma, first);
    if (i > first) fprintf(f, "-%zu", i);
    comma = ",";
  }
}

/* What a task says goes to DIR/chunks. A chunk that could not run does not keep the task from its others. */
static void print_script(FILE *f, const struct campaign *c, const char *const path[3], const bool *open, size_t tasks) {
  fputs("#!/bin/sh\n#SBATCH --job-name=heddle-campaign\n#SBATCH --array=", f);
  print_array(f, open, tasks);
  fputs("\n#SBATCH --ntasks=1\n#SBATCH --output=/dev/null\ndir=", f);
  print_quoted(f, path[2]);
  fputs("\nexec >>\"$dir/chunks/task-$SLURM_ARRAY_TASK_ID.out\" 2>&1\nchunk=$SLURM_ARRAY_TASK_ID status=0\n", f);
  fprintf(f, "while [ \"$chunk\" -lt %zu ]; do\n  ", c->chunks);
  print_quoted(f, path[0]);
  fputs(" campaign ", f);
  print_quoted(f, path[1]);
  fprintf(f, " --dir \"$dir\" --chunk \"$chunk\" || status=$?\n  chunk=$((chunk + %zu))\ndone\nexit $status\n", tasks);
}

static bool write_script(const struct campaign *c, const char *manifest, const char *script, const bool *open,
                         size_t tasks) {
  char self[CAMPAIGN_PATH], whole[CAMPAIGN_PATH], dir[CAMPAIGN_PATH];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n <= 0 || !realpath(manifest, whole) || !realpath(c->dir, dir)) {
    tool_error("%s: %s", manifest, strerror(errno));
    return false;
  }
  self[n] = '\0';
  const char *const path[3] = {self, whole, dir};
  FILE *f = fopen(script, "w");
  if (f) print_script(f, c, path, open, tasks);
  const bool ok = f && !ferror(f);
  if ((f && fclose(f) != 0) || !ok) {
    tool_error("%s: %s", script, strerror(errno));
    return false;
  }
  return true;
}

int campaign_submit(const struct campaign *c, const char *manifest) {
  char script[CAMPAIGN_PATH];
  bool open[TASKS_MAX] = {false};
  const size_t tasks = c->chunks < TASKS_MAX ? c->chunks : TASKS_MAX;
  size_t chunks = 0;
  (void)snprintf(script, sizeof script, "%.4000s/campaign.sbatch", c->dir);
  if (!find_open(c, tasks, open, &chunks)) return TOOL_USAGE;
  if (chunks == 0) {
    tool_log("all %zu chunks are done: the same command without --slurm reports", c->chunks);
    return TOOL_OK;
  }
  if (!write_script(c, manifest, script, open, tasks)) return TOOL_USAGE;
  tool_log("%zu of %zu chunks: %s", chunks, c->chunks, script);
  process_become(&(struct process){.words = (const char *const[]){"sbatch", script, NULL},
                                   .in = STDIN_FILENO,
                                   .out = STDOUT_FILENO,
                                   .err = STDERR_FILENO});
  tool_error("sbatch: %s; %s can be submitted where Slurm is", strerror(errno), script);
  return TOOL_MISSING;
}

/* Chunks in processes, and their checkpoints. */

static void add_argument(struct campaign_args *a, const char *text) {
  assert(a->args + 1 < CAMPAIGN_ARGS_MAX);
  a->arg[a->args++] = text;
}

static void add_number(struct campaign_args *a, unsigned slot, const char *name, uint64_t v) {
  (void)snprintf(a->store[slot], sizeof a->store[slot], "%" PRIu64, v);
  add_argument(a, name);
  add_argument(a, a->store[slot]);
}

void campaign_fuzz_args(const struct campaign_chunk *k, const uint64_t *only, struct campaign_args *a) {
  memset(a, 0, sizeof *a);
  add_argument(a, tool_program);
  add_argument(a, "fuzz");
  if (only) {
    add_number(a, 0, "--only", *only);
  } else {
    add_number(a, 0, "--first", k->first);
    add_number(a, 1, "--programs", k->count);
  }
  add_number(a, 2, "--seed", k->seed);
  const char *const words[] = {"--config", k->config, "--dep", k->dep, "--div", k->div, "--sched", k->sched};
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++) add_argument(a, words[i]);
  if (strcmp(k->memory, "calm") == 0) add_argument(a, "--calm");
  if (strcmp(k->port, "held") == 0) add_argument(a, "--hold");
  if (k->fault != 0) add_number(a, 3, "--fault", k->fault);
  if (k->knobs[0] != '\0') add_argument(a, "--knobs");
  if (k->knobs[0] != '\0') add_argument(a, k->knobs);
}

struct become {
  const struct campaign_args *args;
  const char *log;
};

static int become(void *ctx, int none) {
  const struct become *b = ctx;
  const int to = open(b->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  (void)none;
  if (to >= 0)
    process_become(&(struct process){.words = b->args->arg,
                                     .program = b->args->arg[0][0] == '/' ? NULL : "/proc/self/exe",
                                     .in = STDIN_FILENO,
                                     .out = to,
                                     .err = to});
  return 127;
}

pid_t campaign_spawn(const struct campaign_args *a, const char *log) {
  struct become b = {a, log};
  pid_t pid;
  return process_fork(become, &b, &pid, NULL) ? pid : -1;
}

/* ---- checkpoints */

static void name_file(const struct campaign *c, size_t chunk, const char *end, char path[CAMPAIGN_PATH]) {
  (void)snprintf(path, CAMPAIGN_PATH, "%s/chunks/%06zu.%s", c->dir, chunk, end);
}

/* For a file that is this process's own: of a farm's machines, two may do one chunk, as when one was taken for lost. */
static void name_own(const struct campaign *c, size_t chunk, const char *end, char path[CAMPAIGN_PATH]) {
  char host[65] = "", own[128];
  (void)gethostname(host, sizeof host - 1);
  (void)snprintf(own, sizeof own, "%s-%ld.%s", host, (long)getpid(), end);
  name_file(c, chunk, own, path);
}

json_t *campaign_checkpoint(const struct campaign *c, size_t chunk, bool *bad) {
  char path[CAMPAIGN_PATH];
  json_error_t e;
  name_file(c, chunk, "json", path);
  if (access(path, F_OK) != 0) return NULL;
  json_t *j = json_load_file(path, 0, &e);
  const char *hash = json_string_value(json_object_get(j, "campaign"));
  const bool whole = json_is_integer(json_object_get(j, "passed")) && json_is_array(json_object_get(j, "failures"));
  if (hash && whole && strcmp(hash, c->hash) == 0) return j;
  tool_error("%s: %s", path,
             !j              ? e.text
             : hash && whole ? "belongs to another manifest, other knobs or another instruction set; use another --dir"
                             : "is no finished chunk; remove it to run the chunk again");
  json_decref(j);
  *bad = true;
  return NULL;
}

static bool sync_dir(const struct campaign *c) {
  char path[CAMPAIGN_PATH];
  (void)snprintf(path, sizeof path, "%s/chunks", c->dir);
  const int d = open(path, O_RDONLY | O_DIRECTORY);
  const bool ok = d >= 0 && fsync(d) == 0;
  if (d >= 0) close(d);
  return ok;
}

/* Whole, on the disk, under its name; or not there. */
static bool write_checkpoint(const struct campaign *c, size_t chunk, const json_t *line) {
  char path[CAMPAIGN_PATH], part[CAMPAIGN_PATH];
  name_file(c, chunk, "json", path);
  name_own(c, chunk, "part", part);
  FILE *f = fopen(part, "w");
  bool ok =
      f && json_dumpf(line, f, JSON_COMPACT) == 0 && fputc('\n', f) != EOF && fflush(f) == 0 && fsync(fileno(f)) == 0;
  if (f && fclose(f) != 0) ok = false;
  ok = ok && rename(part, path) == 0 && sync_dir(c);
  if (!ok) tool_error("%s: %s", path, strerror(errno));
  return ok;
}

static json_t *failures_of(const json_t *programs, size_t *passed) {
  json_t *list = json_array();
  for (size_t i = 0; i < json_array_size(programs); i++) {
    const json_t *p = json_array_get(programs, i), *d = json_object_get(p, "diagnosis");
    if (json_is_true(json_object_get(p, "passed"))) {
      (*passed)++;
      continue;
    }
    char process[SIGNATURE_BYTES];
    const json_t *named = json_object_get(d, "signature");
    json_t *s = named ? json_incref(json_object_get(d, "signature"))
                      : json_string(signature_text(&(struct signature){.kind = "process"}, process));
    (void)json_array_append_new(list,
                                json_pack("{s:O, s:o, s:O, s:O}", "program", json_object_get(p, "name"), "signature", s,
                                          "why", json_object_get(p, "why"), "repeat", json_object_get(p, "repeat")));
  }
  return list;
}

/* Of what heddle fuzz has written, what a campaign keeps. */
static json_t *line_of(const struct campaign *c, size_t chunk, const json_t *fuzz) {
  const json_t *programs = json_object_get(fuzz, "programs");
  size_t passed = 0;
  double seconds = 0;
  if (json_array_size(programs) != c->chunk[chunk].count) return NULL;
  for (size_t i = 0; i < json_array_size(programs); i++)
    seconds += json_number_value(json_object_get(json_array_get(programs, i), "seconds"));
  json_t *failures = failures_of(programs, &passed);
  return json_pack("{s:s, s:I, s:I, s:o, s:f, s:O?}", "campaign", c->hash, "chunk", (json_int_t)chunk, "passed",
                   (json_int_t)passed, "failures", failures, "seconds", seconds, "warp_instructions",
                   json_object_get(fuzz, "warp_instructions"));
}

/* ---- running */

struct worker {
  int pid; /* 0: idle */
  size_t chunk;
};

static bool start_chunk(const struct campaign *c, struct worker *w, size_t chunk) {
  char json[CAMPAIGN_PATH], log[CAMPAIGN_PATH];
  struct campaign_args a;
  name_own(c, chunk, "fuzz", json);
  name_file(c, chunk, "log", log);
  campaign_fuzz_args(&c->chunk[chunk], NULL, &a);
  add_argument(&a, "--no-shrink");
  add_argument(&a, "--json");
  add_argument(&a, json);
  (void)unlink(json);
  *w = (struct worker){.pid = campaign_spawn(&a, log), .chunk = chunk};
  if (w->pid > 0) return true;
  w->pid = 0;
  tool_error("cannot start another process: %s", strerror(errno));
  return false;
}

/* The last line of a log, or "". */
static void last_line(const char *log, char *text, size_t size) {
  FILE *f = fopen(log, "r");
  text[0] = '\0';
  for (char line[512]; f && fgets(line, sizeof line, f);)
    if (line[strspn(line, " \n")] != '\0') (void)snprintf(text, size, "%s", line);
  text[strcspn(text, "\n")] = '\0';
  if (f) (void)fclose(f);
}

static int finish_chunk(const struct campaign *c, size_t chunk, int status) {
  char json[CAMPAIGN_PATH], log[CAMPAIGN_PATH];
  json_error_t e;
  name_own(c, chunk, "fuzz", json);
  name_file(c, chunk, "log", log);
  json_t *fuzz = status <= 1 ? json_load_file(json, 0, &e) : NULL;
  json_t *line = fuzz ? line_of(c, chunk, fuzz) : NULL;
  const bool ok = line && write_checkpoint(c, chunk, line);
  if (!line) {
    char last[512];
    last_line(log, last, sizeof last);
    tool_error("chunk %zu did not run to its end (status %d): see %s: %s", chunk, status, log, last);
  }
  if (ok) tool_log("chunk %zu of %zu: %s", chunk, c->chunks, status == 0 ? "passed" : "has failures");
  json_decref(line);
  json_decref(fuzz);
  if (!ok) return status == TOOL_MISSING ? TOOL_MISSING : TOOL_USAGE;
  (void)unlink(json);
  if (status == 0) (void)unlink(log);
  return TOOL_OK;
}

static int reap(const struct campaign *c, struct worker *w, unsigned jobs) {
  int status;
  const pid_t pid = process_wait_any(&status);
  if (pid < 0) return TOOL_USAGE;
  for (unsigned i = 0; i < jobs; i++) {
    if (w[i].pid != pid) continue;
    w[i].pid = 0;
    return finish_chunk(c, w[i].chunk, status);
  }
  return TOOL_OK;
}

/* The next chunk from *at on that is not done. */
static bool next_chunk(const struct campaign *c, const size_t *only, size_t *at, int *status) {
  const size_t end = only ? *only + 1 : c->chunks;
  for (; *at < end; (*at)++) {
    bool bad = false;
    json_t *done = campaign_checkpoint(c, *at, &bad);
    if (bad) *status = TOOL_USAGE;
    if (!done) return !bad;
    json_decref(done);
  }
  return false;
}

int campaign_run(const struct campaign *c, const size_t *only, unsigned jobs) {
  struct worker *w = calloc(jobs, sizeof *w);
  size_t at = only ? *only : 0;
  unsigned busy = 0;
  int status = w ? TOOL_OK : TOOL_USAGE;
  for (bool more = true; status == TOOL_OK && (more || busy > 0);) {
    unsigned idle = 0;
    while (idle < jobs && w[idle].pid != 0) idle++;
    more = more && next_chunk(c, only, &at, &status);
    if (more && idle < jobs && status == TOOL_OK) {
      if (!start_chunk(c, &w[idle], at++)) status = TOOL_USAGE;
      busy += status == TOOL_OK;
    } else if (busy > 0) {
      const int s = reap(c, w, jobs);
      if (status == TOOL_OK) status = s;
      busy = 0;
      for (unsigned i = 0; i < jobs; i++) busy += w[i].pid != 0;
    }
  }
  for (unsigned i = 0; w && i < jobs; i++)
    if (w[i].pid > 0) (void)kill(w[i].pid, SIGKILL);
  free(w);
  return status;
}
