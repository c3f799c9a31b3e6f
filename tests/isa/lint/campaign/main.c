/* SPDX-License-Identifier: Apache-2.0
 * lint_campaign: every control code of every kernel made weaker, judged by lint and tried on the machine. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <getopt.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <heddle/config.h>
#include "tests/isa/lint/campaign/table.h"
#include "run/command/tool.h"

static const char help[] =
    "usage: lint_campaign [options]\n\n"
    "Makes every stall count, wait and counter of every program weaker, one at a time. What lint does not flag must "
    "run\n"
    "right with every memory seed in lockstep (control mode); what it flags runs until poison is seen. Programs are\n"
    "scheduled for the machine that runs them.\n\n"
    "  --config NAME      machine (default fpga)\n"
    "  --seed N           first memory seed (default 1)\n"
    "  --seeds N          memory seeds of what must be right (default 20)\n"
    "  --hit-seeds N      most memory seeds of what is flagged (default 20)\n"
    "  --random N         random programs as well\n"
    "  --mixes N          random sets of weakenings of each program as well\n"
    "  --only NAME,...    these programs (vecadd.asm, vecadd.ptx, vecadd.silicon, memory ...)\n"
    "  --classes          fail also when a class of hazards was tried and never raised poison (but for those that\n"
    "                     no machine of today can show: classes.h)\n"
    "  --jobs N           processes (default 1); does not change results\n"
    "  --missed           name what was flagged and never raised poison\n"
    "  --json FILE        results as JSON, also on failure\n\n"
    "example: lint_campaign --config tiny --only vecadd.asm --seeds 3\n";

struct request {
  struct campaign_options o;
  const char *json, *only;
  unsigned jobs, random;
  bool missed, classes;
};

static int take(struct request *q, int argc, char **argv) {
  static const struct option options[] = {
      {"config", 1, NULL, 'c'}, {"seed", 1, NULL, 's'},    {"seeds", 1, NULL, 'n'}, {"hit-seeds", 1, NULL, 'h'},
      {"random", 1, NULL, 'r'}, {"mixes", 1, NULL, 'm'},   {"only", 1, NULL, 'o'},  {"jobs", 1, NULL, 'j'},
      {"missed", 0, NULL, 'u'}, {"classes", 0, NULL, 'C'}, {"json", 1, NULL, 'J'},  {"help", 0, NULL, '?'},
      {NULL, 0, NULL, 0}};
  for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    uint64_t n = 0;
    if (strchr("snhrmj", c) && !tool_number(optarg, c == 's' ? UINT32_MAX : 100000, &n)) return TOOL_USAGE;
    if (c == 'c') q->o.config = optarg;
    if (c == 'o') q->only = optarg;
    if (c == 'J') q->json = optarg;
    if (c == 'u') q->missed = true;
    if (c == 'C') q->classes = true;
    if (c == 's') q->o.seed = n;
    if (c == 'n') q->o.seeds = (unsigned)n;
    if (c == 'h') q->o.hit_seeds = (unsigned)n;
    if (c == 'r') q->random = (unsigned)n;
    if (c == 'm') q->o.mixes = (unsigned)n;
    if (c == 'j') q->jobs = n > 0 && n <= 64 ? (unsigned)n : 1;
    if (c == '?') return TOOL_USAGE;
  }
  return optind == argc ? TOOL_OK : TOOL_USAGE;
}

struct shared {
  atomic_size_t next;
  struct tally t[];
};

static void work(const struct request *q, struct subjects *s, struct shared *m) {
  for (size_t i; (i = atomic_fetch_add(&m->next, 1)) < s->count;) {
    campaign_subject(&q->o, &s->at[i], &m->t[i]);
    tool_log("%s: %u weakenings, %u flagged, %llu runs%s%s", s->at[i].name, m->t[i].weakenings, m->t[i].flagged,
             (unsigned long long)m->t[i].runs, m->t[i].failures > 0 ? ": " : "", m->t[i].failure);
  }
}

/* False: a process has died. */
static bool work_all(const struct request *q, struct subjects *s, struct shared *m) {
  bool ok = true;
  for (unsigned j = 0; j < q->jobs; j++) {
    const pid_t child = fork();
    if (child < 0) return false;
    if (child > 0) continue;
    work(q, s, m);
    _exit(0);
  }
  for (int status; wait(&status) > 0;) ok = ok && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return ok;
}

static int run(const struct request *q, struct subjects *s) {
  const size_t bytes = sizeof(struct shared) + s->count * sizeof(struct tally);
  struct shared *m = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (m == MAP_FAILED) return TOOL_USAGE;
  const bool ok = work_all(q, s, m);
  if (!ok) tool_error("a process has died");
  table_text(stdout, &q->o, s, m->t, q->missed);
  const bool written = !q->json || table_json(q->json, &q->o, s, m->t);
  const bool seen = !q->classes || table_unseen(stdout, s, m->t) == 0;
  const bool right = ok && seen && s->count > 0 && !s->failed && table_failures(s, m->t) == 0;
  munmap(m, bytes);
  return !right ? TOOL_DIFFERENCE : written ? TOOL_OK : TOOL_USAGE;
}

int main(int argc, char **argv) {
  struct request q = {.o = {.config = "fpga", .seed = 1, .seeds = 20, .hit_seeds = 20}, .jobs = 1};
  if (take(&q, argc, argv) != TOOL_OK) {
    fputs(help, stderr);
    return TOOL_USAGE;
  }
  struct subjects s = {.only = q.only, .seed = q.o.seed};
  const struct heddle_config *c = heddle_config_find(q.o.config);
  if (!c || !tool_stalls(q.o.config, s.stall)) {
    tool_error("no configuration '%s'", q.o.config);
    return TOOL_MISSING;
  }
  s.units = heddle_config_units(c);
  subjects_directed(&s);
  subjects_cases(&s, SILICON_DIR "/kernels");
  subjects_kernels(&s, KERNEL_DIR);
  subjects_random(&s, q.random, c);
  const int status = run(&q, &s);
  subjects_free(&s);
  return status;
}
