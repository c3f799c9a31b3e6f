/* SPDX-License-Identifier: Apache-2.0
 * heddle campaign: long runs of random programs that may be interrupted. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab/campaign/campaign.h"
#include "run/command/json_out.h"
#include "run/command/option.h"
#include "run/command/tool.h"
#include "run/job/waivers.h"

enum { JOBS_MAX = 1024, SHRINK_MAX = 86400 };

static const struct tool_option own[] = {
    {"dir", "DIR", "checkpoints and results; made if it is not there", 'd', NULL},
    {"jobs", "N", "chunks at a time (default 1)", 'j', NULL},
    {"chunk", "I", "run chunk I alone, and report nothing: for a farm", 'c', NULL},
    {"slurm", NULL,
     "write DIR/campaign.sbatch, a job array of all chunks that are not done, and submit it with sbatch (its options: "
     "SBATCH_PARTITION and the like); what tasks say is in DIR/chunks; again when tasks were lost; afterwards the same "
     "command without --slurm reports",
     'S', NULL},
    {"report", NULL, "report and run nothing; exit status 4 while chunks are not done", 'R', NULL},
    {"shrink-seconds", "N", "time for making a failure small (default 60; 0: none is)", 's', NULL},
    {"waivers", "FILE",
     "known failures by signature, as of heddle fuzz; the report tells those that have expired, and those that nothing "
     "matches",
     'W', NULL},
    {"json", "FILE", "the report (default: DIR/report.json; -: on stdout)", 'J', NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, own}, {0}};
static const char *const usage[] = {"MANIFEST.json --dir DIR [options]", NULL};
static const char *const examples[] = {"heddle campaign nightly.json --dir nightly --jobs 4",
                                       "heddle campaign nightly.json --dir nightly --report --waivers known.txt", NULL};
static const char about[] =
    "Random programs over every combination of what the manifest lists, in chunks. A finished chunk is a line of JSON "
    "in DIR/chunks, on the disk before the next one counts; the same command again goes on where the last one was "
    "stopped, however it was. When all are done: failures by signature (difference, instruction, what differs), the "
    "first "
    "of each made small in DIR/failures with a wave, DIR/report.json, and rows for docs/lab/campaigns.md.\n  "
    "{\"version\": 1, \"configs\": [\"tiny\", \"duo\"], \"seeds\": [1, 2], \"programs\": 1000, \"chunk\": 50,\n   "
    "\"dep\": [\"control\", \"scoreboard\"], \"div\": [\"stack\", \"its\"], \"sched\": [\"default\", \"lrr\"],\n   "
    "\"memory\": [\"adversarial\", \"calm\"], \"port\": [\"free\", \"held\"], \"knobs\": [\"FILE\"], \"fault\": "
    "0,\n   \"turns\": false}\nOnly version, configs, seeds and programs (of each combination) must be there. Files "
    "of knobs are named as seen from the manifest. Chunks of one combination come after those of another; \"turns\": "
    "true takes a chunk of each in turns, so that what is stopped early has tried them all.";

struct request {
  const char *manifest, *dir, *json, *waivers;
  uint64_t jobs, chunk, seconds;
  bool has_chunk, slurm, report;
};

static bool make_campaign_folder(const char *dir, const char *sub) {
  char path[CAMPAIGN_PATH];
  (void)snprintf(path, sizeof path, "%s%s%s", dir, *sub ? "/" : "", sub);
  if (mkdir(path, 0777) == 0 || errno == EEXIST) return true;
  tool_error("%s: %s", path, strerror(errno));
  return false;
}

/* Two at a time would do everything twice. Held until the process ends. */
static bool lock(const char *dir) {
  char path[CAMPAIGN_PATH];
  (void)snprintf(path, sizeof path, "%s/lock", dir);
  const int f = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (f >= 0 && flock(f, LOCK_EX | LOCK_NB) == 0) return true;
  tool_error("%s: %s", path, errno == EWOULDBLOCK ? "another campaign runs here" : strerror(errno));
  return false;
}

static int run_campaign(const struct request *q, struct campaign *c) {
  if (!make_campaign_folder(q->dir, "") || !make_campaign_folder(q->dir, "chunks")) return TOOL_USAGE;
  const size_t only = (size_t)q->chunk;
  if (q->has_chunk && only >= c->chunks)
    return tool_usage("campaign", "--chunk %zu: there are %zu, from 0", only, c->chunks);
  if (q->slurm) return campaign_submit(c, q->manifest);
  if (q->report) return campaign_report(c, q->seconds, q->json);
  if (q->has_chunk) return campaign_run(c, &only, 1);
  if (!lock(q->dir)) return TOOL_USAGE;
  const int status = campaign_run(c, NULL, (unsigned)q->jobs);
  return status == TOOL_OK ? campaign_report(c, q->seconds, q->json) : status;
}

static int take_campaign_count(const char *option, uint64_t least, uint64_t most, uint64_t *to) {
  if (tool_number(optarg, most, to) && *to >= least) return TOOL_OK;
  return tool_usage("campaign", "--%s %s: expected a number from %" PRIu64 " to %" PRIu64, option, optarg, least, most);
}

static int take_campaign_option(struct request *q, int option) {
  switch (option) {
  case 'd':
    q->dir = optarg;
    return TOOL_OK;
  case 'j':
    return take_campaign_count("jobs", 1, JOBS_MAX, &q->jobs);
  case 'c':
    q->has_chunk = true;
    return take_campaign_count("chunk", 0, CAMPAIGN_CHUNKS_MAX, &q->chunk);
  case 's':
    return take_campaign_count("shrink-seconds", 0, SHRINK_MAX, &q->seconds);
  case 'S':
    q->slurm = true;
    return TOOL_OK;
  case 'R':
    q->report = true;
    return TOOL_OK;
  case 'W':
    q->waivers = optarg;
    return TOOL_OK;
  case 'J':
    q->json = json_out_take(optarg);
    return TOOL_OK;
  default:
    return TOOL_USAGE;
  }
}

static int campaign_main(int argc, char **argv) {
  struct request q = {.jobs = 1, .seconds = 60};
  for (int o; (o = tool_option_next("campaign", groups, argc, argv)) != -1;) {
    const int status = take_campaign_option(&q, o);
    if (status != TOOL_OK) return status;
  }
  if (optind + 1 != argc || !q.dir) return tool_usage("campaign", "one MANIFEST.json and --dir DIR are needed");
  if (q.has_chunk + q.slurm + q.report > 1)
    return tool_usage("campaign", "one of --chunk, --slurm and --report can be done at a time");
  if (strlen(q.dir) > 2000) return tool_usage("campaign", "--dir: a shorter path is needed");
  q.manifest = argv[optind];
  struct campaign c;
  int status = TOOL_USAGE;
  if (campaign_load(&c, q.manifest)) {
    c.dir = q.dir;
    status = waivers_open(q.waivers, &c.waivers);
    if (status == TOOL_OK) status = run_campaign(&q, &c);
    waivers_free(c.waivers);
  }
  campaign_clear(&c);
  return status;
}

const struct tool_command cmd_campaign = {
    "campaign", "long runs of random programs that may be interrupted", campaign_main, usage, about, groups, examples,
    NULL};
