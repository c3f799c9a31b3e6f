/* SPDX-License-Identifier: Apache-2.0
 * A campaign as a job array of Slurm. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process.h"
#include "lab/campaign/campaign.h"
#include "run/command/tool.h"

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
