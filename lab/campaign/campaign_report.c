/* SPDX-License-Identifier: Apache-2.0
 * What a campaign found: failures by signature, each made small once, and figures. */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process.h"
#include "run/cases/suite_report.h"
#include "lab/campaign/campaign.h"
#include "run/command/json_out.h"
#include "run/command/tool.h"

#define SIGNATURES_MAX 64u /* that are made small; more are only counted */

struct totals {
  json_int_t programs, passed, failed, waived, insns;
  double seconds;
};

/* Adds one failure to the signatures, and to the machines that showed it. */
static void count_failure(json_t *signatures, const struct campaign_chunk *k, size_t chunk, const json_t *failure) {
  const char *signature = json_string_value(json_object_get(failure, "signature"));
  json_t *s =
      bucket_add(signatures, signature ? signature : "?",
                 json_pack("{s:o, s:I, s:O, s:O, s:O, s:{}}", "seed", json_out_seed(k->seed), "chunk",
                           (json_int_t)chunk, "program", json_object_get(failure, "program"), "why",
                           json_object_get(failure, "why"), "repeat", json_object_get(failure, "repeat"), "machines"));
  json_t *machines = json_object_get(s, "machines");
  const json_int_t before = json_integer_value(json_object_get(machines, k->config));
  (void)json_object_set_new(machines, k->config, json_integer(before + 1));
}

static bool gather_chunks(const struct campaign *c, json_t *signatures, struct totals *of, size_t *missing) {
  bool bad = false;
  for (size_t i = 0; i < c->chunks && !bad; i++) {
    json_t *line = campaign_checkpoint(c, i, &bad), *failure;
    size_t n;
    if (!line) {
      (*missing)++;
      continue;
    }
    json_array_foreach(json_object_get(line, "failures"), n, failure)
        count_failure(signatures, &c->chunk[i], i, failure);
    of[i] = (struct totals){.programs = (json_int_t)c->chunk[i].count,
                            .passed = json_integer_value(json_object_get(line, "passed")),
                            .failed = (json_int_t)json_array_size(json_object_get(line, "failures")),
                            .insns = json_integer_value(json_object_get(line, "warp_instructions")),
                            .seconds = json_real_value(json_object_get(line, "seconds"))};
    json_decref(line);
  }
  return !bad;
}

/* ---- small programs */

static void add_argument(struct campaign_args *a, const char *text) {
  assert(a->args + 1 < CAMPAIGN_ARGS_MAX);
  a->arg[a->args++] = text;
}

/* Its wave, where the device of the configuration that writes waves was built. */
static void make_wave(const char *base, json_t *s) {
  char script[CAMPAIGN_PATH], wave[CAMPAIGN_PATH], log[CAMPAIGN_PATH], self[CAMPAIGN_PATH] = "";
  (void)snprintf(script, sizeof script, "%s.sh", base);
  (void)snprintf(wave, sizeof wave, "%s.fst", base);
  (void)snprintf(log, sizeof log, "%s.wave.log", base);
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n > 0) (void)setenv("HEDDLE", self, 1); /* the script asks for it */
  const struct campaign_args a = {.arg = {"/bin/sh", script, "--wave", wave}, .args = 4};
  const pid_t pid = campaign_spawn(&a, log);
  const int status = pid > 0 ? process_wait(pid) : TOOL_MISSING;
  if (access(wave, F_OK) == 0)
    (void)json_object_set_new(s, "wave", json_string(wave));
  else
    (void)json_object_set_new(s, "wave_missing", json_sprintf("status %d: see %s", status, log));
}

static bool make_small(const struct campaign *c, json_t *s, uint64_t seconds) {
  const struct campaign_chunk *k = &c->chunk[json_integer_value(json_object_get(s, "chunk"))];
  const char *program = json_string_value(json_object_get(s, "program"));
  char folder[CAMPAIGN_PATH - 200], base[CAMPAIGN_PATH - 100], script[CAMPAIGN_PATH], log[CAMPAIGN_PATH], time[24];
  uint64_t only;
  struct campaign_args a;
  if (!program || !tool_number(program, UINT64_MAX, &only)) return false;
  (void)snprintf(folder, sizeof folder, "%.3000s/failures/chunk-%zu", c->dir, (size_t)(k - c->chunk));
  (void)snprintf(base, sizeof base, "%s/seed-%" PRIu64 "-program-%" PRIu64 "-%s", folder, k->seed, only, k->config);
  (void)snprintf(script, sizeof script, "%s.sh", base);
  (void)snprintf(log, sizeof log, "%.3000s/failures/chunk-%zu.log", c->dir, (size_t)(k - c->chunk));
  (void)snprintf(time, sizeof time, "%" PRIu64, seconds);
  if (access(script, F_OK) != 0) {
    campaign_fuzz_args(k, &only, &a);
    add_argument(&a, "--shrink-seconds");
    add_argument(&a, time);
    add_argument(&a, "--save");
    add_argument(&a, folder);
    const pid_t pid = campaign_spawn(&a, log);
    if (pid > 0) (void)process_wait(pid);
  }
  if (access(script, F_OK) != 0) return false;
  (void)json_object_set_new(s, "smallest", json_string(script));
  make_wave(base, s);
  return true;
}

static void make_all_small(const struct campaign *c, json_t *signatures, uint64_t seconds) {
  char folder[CAMPAIGN_PATH];
  const char *key;
  json_t *s;
  unsigned n = 0;
  (void)snprintf(folder, sizeof folder, "%s/failures", c->dir);
  if (seconds == 0 || json_object_size(signatures) == 0) return;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    tool_error("%s: %s", folder, strerror(errno));
    return;
  }
  json_object_foreach(signatures, key, s) {
    if (n++ >= SIGNATURES_MAX) {
      tool_log("%u of %zu signatures have been made small", SIGNATURES_MAX, json_object_size(signatures));
      break;
    }
    if (!make_small(c, s, seconds)) tool_error("%s: could not be made small; its chunk's log says why", key);
  }
}

/* ---- what is printed */

/* The sources' commit, where this runs inside them. */
static void commit_of(char *text, size_t size) {
  static const char *const words[] = {"git", "rev-parse", "--short", "HEAD", NULL};
  process_first_line(words, text, size);
  if (text[0] == '\0') (void)snprintf(text, size, "-");
}

static bool same_setting(const struct campaign_chunk *a, const struct campaign_chunk *b) {
  return a->seed == b->seed && a->config == b->config && a->dep == b->dep && a->div == b->div && a->sched == b->sched &&
         a->memory == b->memory && a->port == b->port && a->knobs == b->knobs;
}

static void print_setting(const char *commit, const struct campaign_chunk *k, const struct totals *t) {
  printf("| %s | %s | %s", commit, k->config, k->dep);
  const char *const words[] = {k->div,        "stack", k->sched, "default", k->memory,
                               "adversarial", k->port, "free",   k->knobs,  ""};
  for (unsigned i = 0; i < sizeof words / sizeof *words; i += 2)
    if (strcmp(words[i], words[i + 1]) != 0) printf(", %s", words[i]);
  printf(" | %" PRIu64 " | %" JSON_INTEGER_FORMAT " | %" JSON_INTEGER_FORMAT " | %" JSON_INTEGER_FORMAT
         " passed, %" JSON_INTEGER_FORMAT " failed | %.0f s |\n",
         k->seed, t->programs, t->insns, t->passed, t->failed, t->seconds);
}

/* A row of docs/lab/campaigns.md a setting. */
static void print_rows(const struct campaign *c, const struct totals *of) {
  char commit[64];
  commit_of(commit, sizeof commit);
  for (size_t i = 0; i < c->chunks;) {
    struct totals sum = {0};
    const struct campaign_chunk *k = &c->chunk[i];
    for (; i < c->chunks && same_setting(k, &c->chunk[i]); i++) {
      sum.programs += of[i].programs;
      sum.passed += of[i].passed;
      sum.failed += of[i].failed;
      sum.insns += of[i].insns;
      sum.seconds += of[i].seconds;
    }
    print_setting(commit, k, &sum);
  }
}

static bool write_report(const struct campaign *c, json_t *signatures, const struct totals *t, const char *path) {
  char usual[CAMPAIGN_PATH];
  (void)snprintf(usual, sizeof usual, "%s/report.json", c->dir);
  json_t *root =
      json_pack("{s:s, s:O, s:I, s:I, s:I, s:o, s:I, s:f, s:O}", "campaign", c->hash, "manifest", c->manifest, "passed",
                t->passed, "failed", t->failed, "waived", t->waived, "waivers", waivers_json(c->waivers),
                "warp_instructions", t->insns, "seconds", t->seconds, "signatures", signatures);
  return json_out_dump(path ? path : usual, root);
}

static int report_campaign(const struct campaign *c, json_t *signatures, struct totals *of, uint64_t seconds,
                           const char *json) {
  size_t missing = 0;
  struct totals t = {0};
  if (!gather_chunks(c, signatures, of, &missing)) return TOOL_USAGE;
  if (missing > 0) {
    tool_error("%zu of %zu chunks are not done; the same command goes on with them", missing, c->chunks);
    return TOOL_LIMIT;
  }
  for (size_t i = 0; i < c->chunks; i++) {
    t.passed += of[i].passed;
    t.failed += of[i].failed;
    t.insns += of[i].insns;
    t.seconds += of[i].seconds;
  }
  make_all_small(c, signatures, seconds);
  t.waived = buckets_waive(signatures, c->waivers);
  t.failed -= t.waived;
  buckets_print(signatures);
  print_rows(c, of);
  waivers_tell(c->waivers, true);
  printf("%" JSON_INTEGER_FORMAT " passed, %" JSON_INTEGER_FORMAT " failed", t.passed, t.failed);
  if (c->waivers) printf(", %" JSON_INTEGER_FORMAT " waived", t.waived);
  printf("\n");
  return !write_report(c, signatures, &t, json) ? TOOL_USAGE : t.failed + t.waived > 0 ? TOOL_DIFFERENCE : TOOL_OK;
}

int campaign_report(const struct campaign *c, uint64_t shrink_seconds, const char *json) {
  json_t *signatures = json_object();
  struct totals *of = calloc(c->chunks, sizeof *of);
  const int status = signatures && of ? report_campaign(c, signatures, of, shrink_seconds, json) : TOOL_USAGE;
  free(of);
  json_decref(signatures);
  return status;
}
