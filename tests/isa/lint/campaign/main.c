/* SPDX-License-Identifier: Apache-2.0
 *
 * The campaign as a program, and its table.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include <getopt.h>
#include <jansson.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <heddle/config.h>
#include "run/command/tool.h"
#include "tests/isa/lint/campaign/campaign.h"
#include "tests/isa/lint/campaign/trial.h"

static void add(struct tally *sum, const struct tally *t) {
  sum->failures += t->failures;
  sum->insns += t->insns;
  sum->weakenings += t->weakenings;
  sum->flagged += t->flagged;
  sum->spare += t->spare;
  sum->hit += t->hit;
  sum->missed += t->missed;
  sum->inexact += t->inexact;
  sum->hints += t->hints;
  sum->mixes += t->mixes;
  sum->mixes_flagged += t->mixes_flagged;
  sum->mixes_hit += t->mixes_hit;
  sum->runs += t->runs;
  sum->spare_runs += t->spare_runs;
  sum->warp_insns += t->warp_insns;
  sum->cycles += t->cycles;
  for (unsigned i = 0; i < POISONS; i++) sum->poison[i] += t->poison[i];
  for (unsigned i = 0; i < CLASSES; i++) {
    sum->class_flagged[i] += t->class_flagged[i];
    sum->class_run[i] += t->class_run[i];
    sum->class_hit[i] += t->class_hit[i];
  }
}

static void sum_up(struct tally *sum, const struct subjects *s, const struct tally *t) {
  memset(sum, 0, sizeof *sum);
  for (size_t i = 0; i < s->count; i++) add(sum, &t[i]);
}

/* Failures of all subjects. */
static unsigned table_failures(const struct subjects *s, const struct tally *t) {
  unsigned n = 0;
  for (size_t i = 0; i < s->count; i++) n += t[i].failures;
  return n;
}

static void line(FILE *f, const char *name, const struct tally *t) {
  fprintf(f, "%-20s %6u %6u %6u %6u %6u %6u %8llu %8llu", name, t->insns, t->weakenings, t->flagged, t->spare, t->hit,
          t->missed, (unsigned long long)t->spare_runs, (unsigned long long)t->runs);
  if (t->lacks[0]) fprintf(f, "  judged only: the RTL lacks %.60s", t->lacks);
  if (t->failures > 0) fprintf(f, "  %u FAILED", t->failures);
  fprintf(f, "\n");
}

static void classes(FILE *f, const struct tally *sum) {
  fprintf(f, "\n%-28s %8s %8s %8s\n", "class", "flagged", "run", "poison");
  for (unsigned c = 0; c < CLASSES; c++) {
    char name[64];
    if (sum->class_flagged[c] == 0) continue;
    class_name(c, name, sizeof name);
    fprintf(f, "%-28s %8u %8u %8u\n", name, sum->class_flagged[c], sum->class_run[c], sum->class_hit[c]);
  }
}

static void list_missed(FILE *f, const struct subjects *s, const struct tally *t) {
  fprintf(f, "\nflagged, and no seed raised poison:\n");
  for (size_t i = 0; i < s->count; i++)
    for (unsigned k = 0; k < t[i].missed && k < MISSED_MOST; k++) {
      char name[64], what[64];
      class_name(t[i].miss[k].class, name, sizeof name);
      weakening_text(t[i].miss[k].w, what, sizeof what);
      fprintf(f, "%-20s %-32s %s\n", s->at[i].name, what, name);
    }
}

/* A line for each subject, a line for each class, totals, failures. `missed`: name what was flagged and never hit. */
static void table_text(FILE *f, const struct campaign_options *o, const struct subjects *s, const struct tally *t,
                       bool missed) {
  struct tally sum;
  sum_up(&sum, s, t);
  fprintf(f, "%-20s %6s %6s %6s %6s %6s %6s %8s %8s\n", "program", "words", "weaker", "flag", "spare", "poison", "none",
          "right", "runs");
  for (size_t i = 0; i < s->count; i++) line(f, s->at[i].name, &t[i]);
  line(f, "total", &sum);
  classes(f, &sum);
  fprintf(f, "\npoison by kind:");
  for (unsigned i = 0; i < POISONS; i++)
    fprintf(f, " %s %u", heddle_checker_kind_name((enum heddle_checker_kind)(HEDDLE_CHECKER_POISON_RAW + (int)i)),
            sum.poison[i]);
  fprintf(f, "; %u not at the very instruction of the finding\n", sum.inexact);
  fprintf(f, "sets of hints: %u; mixes: %u, flagged %u, poison %u\n", sum.hints, sum.mixes, sum.mixes_flagged,
          sum.mixes_hit);
  if (missed) list_missed(f, s, t);
  for (size_t i = 0; i < s->count; i++)
    if (t[i].failures > 0) fprintf(f, "FAILED %s: %s\n", s->at[i].name, t[i].failure);
  fprintf(f, "--config %s --seed %llu --seeds %u: %u weakenings, %u flagged, %u spare, %llu runs, %u failures\n",
          o->config, (unsigned long long)o->seed, o->seeds, sum.weakenings, sum.flagged, sum.spare,
          (unsigned long long)sum.runs, sum.failures);
}

static unsigned table_unseen(FILE *f, const struct subjects *s, const struct tally *t) {
  struct tally sum;
  unsigned n = 0;
  sum_up(&sum, s, t);
  for (unsigned c = 0; c < CLASSES; c++) {
    char name[64];
    if (sum.class_run[c] == 0 || sum.class_hit[c] > 0 || class_out_of_reach(c)) continue;
    class_name(c, name, sizeof name);
    fprintf(f, "FAILED no poison of class: %s\n", name);
    n++;
  }
  return n;
}

static json_t *numbers(const struct tally *t) {
  json_t *classes = json_array();
  for (unsigned c = 0; c < CLASSES; c++) {
    char name[64];
    if (t->class_flagged[c] == 0) continue;
    class_name(c, name, sizeof name);
    json_array_append_new(classes, json_pack("{s:s, s:i, s:i, s:i}", "class", name, "flagged", (int)t->class_flagged[c],
                                             "run", (int)t->class_run[c], "poison", (int)t->class_hit[c]));
  }
  return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:I, s:I, s:I, s:I, s:i, s:i, s:i, s:i, s:i, s:o}",
                   "instructions", (int)t->insns, "idle", (int)t->idle, "weakenings", (int)t->weakenings, "flagged",
                   (int)t->flagged, "spare", (int)t->spare, "poison", (int)t->hit, "no_poison", (int)t->missed, "runs",
                   (json_int_t)t->runs, "spare_runs", (json_int_t)t->spare_runs, "warp_instructions",
                   (json_int_t)t->warp_insns, "cycles", (json_int_t)t->cycles, "hints", (int)t->hints, "mixes",
                   (int)t->mixes, "mixes_flagged", (int)t->mixes_flagged, "mixes_poison", (int)t->mixes_hit, "failures",
                   (int)t->failures, "classes", classes);
}

static json_t *missed_list(const struct tally *t) {
  json_t *list = json_array();
  for (unsigned k = 0; k < t->missed && k < MISSED_MOST; k++) {
    char name[64], what[64];
    class_name(t->miss[k].class, name, sizeof name);
    weakening_text(t->miss[k].w, what, sizeof what);
    json_array_append_new(list, json_pack("{s:s, s:s}", "weaker", what, "class", name));
  }
  return list;
}

/* Classes that were run and never raised poison, but for those that may; each is named. */
static bool table_json(const char *path, const struct campaign_options *o, const struct subjects *s,
                       const struct tally *t) {
  struct tally sum;
  json_t *list = json_array();
  sum_up(&sum, s, t);
  for (size_t i = 0; i < s->count; i++) {
    json_t *one = numbers(&t[i]);
    json_object_set_new(one, "program", json_string(s->at[i].name));
    json_object_set_new(one, "rtl_lacks", json_string(t[i].lacks));
    json_object_set_new(one, "failure", json_string(t[i].failure));
    json_object_set_new(one, "unseen", missed_list(&t[i]));
    json_array_append_new(list, one);
  }
  json_t *root =
      json_pack("{s:i, s:s, s:I, s:i, s:i, s:o, s:o}", "version", 1, "config", o->config, "seed", (json_int_t)o->seed,
                "seeds", (int)o->seeds, "hit_seeds", (int)o->hit_seeds, "total", numbers(&sum), "programs", list);
  const bool ok = root && json_dump_file(root, path, JSON_INDENT(1)) == 0;
  if (!ok) tool_error("%s: cannot be written", path);
  json_decref(root);
  return ok;
}

/* lint_campaign: every control code of every kernel made weaker, judged by lint and tried on the machine. */

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
    "                     no machine of today can show: trial.h)\n"
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
