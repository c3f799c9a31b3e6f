/* SPDX-License-Identifier: Apache-2.0
 *
 * A campaign: random programs over many settings, in chunks that are done once each, whatever happens in between. */
#ifndef HEDDLE_CAMPAIGN_H
#define HEDDLE_CAMPAIGN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAMPAIGN_CHUNKS_MAX 1000000u
#define CAMPAIGN_ARGS_MAX 40u
#define CAMPAIGN_PATH 4096u

/* Programs first .. first+count-1 of a seed under one setting. Words are the manifest's. */
struct campaign_chunk {
  const char *config, *dep, *div, *sched, *memory, *port, *knobs; /* knobs: a file, or "" */
  uint64_t seed, fault, first, count;
};

struct campaign {
  json_t *manifest; /* owned; words of chunks are its */
  char hash[20];    /* of manifest, files of knobs and instruction set, in hex */
  struct campaign_chunk *chunk;
  size_t chunks;
  const char *dir;         /* of checkpoints and results */
  struct waivers *waivers; /* failures that are known; NULL: none are */
};

/* The arguments of this program that run the chunk, or (only not NULL) one program of it; ends with NULL. Numbers
 * are in `store`. */
struct campaign_args {
  const char *arg[CAMPAIGN_ARGS_MAX];
  unsigned args;
  char store[6][24];
};
void campaign_fuzz_args(const struct campaign_chunk *k, const uint64_t *only, struct campaign_args *a);

/* A finished chunk: one line of JSON in DIR/chunks/N.json, whole or not there. NULL: not done, or *bad is set after a
 * message, as when the line is of another campaign. */
json_t *campaign_checkpoint(const struct campaign *c, size_t chunk, bool *bad);
/* Runs the chunks that are not done, `jobs` at a time. The exit status. */
int campaign_run(const struct campaign *c, const size_t *only, unsigned jobs);

/* Writes DIR/campaign.sbatch, a job array of the chunks that are not done, and becomes sbatch. The exit status. */
int campaign_submit(const struct campaign *c, const char *manifest);

/* Failures by signature (suite_report.h), each made small once, figures for docs/lab/campaigns.md. The exit status. */
int campaign_report(const struct campaign *c, uint64_t shrink_seconds, const char *json);

/* Starts this program again with these arguments, output into the file `log`. -1: it could not be started. */
pid_t campaign_spawn(const struct campaign_args *a, const char *log);

#endif
