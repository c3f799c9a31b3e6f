/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle campaign: long runs of random programs that may be interrupted. What is run, and the options.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <heddle/host_regs.h>
#include <heddle/isa_tables.h>
#include "base/splitmix64.h"
#include "lab/campaign/campaign.h"
#include "run/command/json_out.h"
#include "run/command/option.h"
#include "run/command/tool.h"
#include "run/job/waivers.h"
#include "run/options/options.h"

/* What a campaign runs: a JSON file, checked, and the chunks that it stands for. */

enum { LIST_CONFIGS, LIST_DEP, LIST_DIV, LIST_SCHED, LIST_MEMORY, LIST_PORT, LIST_KNOBS, LIST_SEEDS, LISTS };

enum { WORDS_MOST = 16 };

/* Words that a list may hold; configurations and knobs are looked up, seeds are numbers. */
static const struct {
  const char *key, *usual, *words[WORDS_MOST];
} lists[LISTS] = {
    [LIST_CONFIGS] = {"configs", NULL, {NULL}},
    [LIST_DEP] = {"dep", "control", {"control", "scoreboard"}},
    [LIST_DIV] = {"div", "stack", {"stack", "its"}},
    [LIST_SCHED] = {"sched", "default", {HEDDLE_POLICY_NAMES}},
    [LIST_MEMORY] = {"memory", "adversarial", {"adversarial", "calm"}},
    [LIST_PORT] = {"port", "free", {"free", "held"}},
    [LIST_KNOBS] = {"knobs", "", {NULL}},
    [LIST_SEEDS] = {"seeds", NULL, {NULL}},
};

static bool refuse_key(const char *path, const char *key, const char *what) {
  tool_error("%s: \"%s\": %s", path, key, what);
  return false;
}

static bool word_known(unsigned list, const char *word) {
  if (list == LIST_CONFIGS) return run_config_find(word) != NULL;
  if (list == LIST_KNOBS) return true;
  for (unsigned i = 0; i < WORDS_MOST && lists[list].words[i]; i++)
    if (strcmp(lists[list].words[i], word) == 0) return true;
  return false;
}

static bool check_manifest_list(const char *path, json_t *root, unsigned list) {
  const char *key = lists[list].key;
  json_t *l = json_object_get(root, key);
  if (!l && lists[list].usual) return json_object_set_new(root, key, json_pack("[s]", lists[list].usual)) == 0;
  if (!json_is_array(l) || json_array_size(l) == 0)
    return refuse_key(path, key, "expected a list that holds something");
  for (size_t i = 0; i < json_array_size(l); i++) {
    const json_t *v = json_array_get(l, i);
    if (list == LIST_SEEDS && (!json_is_integer(v) || json_integer_value(v) < 0))
      return refuse_key(path, key, "seeds are numbers from 0");
    if (list != LIST_SEEDS && (!json_is_string(v) || !word_known(list, json_string_value(v))))
      return refuse_key(path, key, list == LIST_CONFIGS ? "not a configuration that is built" : "an unknown word");
  }
  return true;
}

static bool check_number(const char *path, json_t *root, const char *key, json_int_t usual, json_int_t least,
                         json_int_t most) {
  const json_t *v = json_object_get(root, key);
  if (!v && usual >= 0) return json_object_set_new(root, key, json_integer(usual)) == 0;
  if (json_is_integer(v) && json_integer_value(v) >= least && json_integer_value(v) <= most) return true;
  char what[80];
  (void)snprintf(what, sizeof what, "expected a number from %" JSON_INTEGER_FORMAT " to %" JSON_INTEGER_FORMAT, least,
                 most);
  return refuse_key(path, key, what);
}

static bool key_known(const char *key) {
  static const char *const others[] = {"version", "programs", "chunk", "fault", "turns"};
  for (unsigned i = 0; i < LISTS; i++)
    if (strcmp(key, lists[i].key) == 0) return true;
  for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp(key, others[i]) == 0) return true;
  return false;
}

static bool check_manifest(const char *path, json_t *root) {
  const char *key;
  json_t *v;
  if (!json_is_object(root)) return refuse_key(path, "", "expected an object");
  json_object_foreach(root, key, v) if (!key_known(key)) return refuse_key(path, key, "nothing has that name");
  bool ok = check_number(path, root, "version", -1, 1, 1) && check_number(path, root, "programs", -1, 1, 1000000) &&
            check_number(path, root, "chunk", 50, 1, 1000000) && check_number(path, root, "fault", 0, 0, 65535);
  for (unsigned i = 0; ok && i < LISTS; i++) ok = check_manifest_list(path, root, i);
  const json_t *turns = json_object_get(root, "turns");
  if (ok && turns && !json_is_boolean(turns)) return refuse_key(path, "turns", "expected true or false");
  return ok;
}

static const char *word_of_list(const json_t *root, unsigned list, size_t i) {
  return json_string_value(json_array_get(json_object_get(root, lists[list].key), i));
}

/* Setting number `n` of all, the last list fastest. */
static struct campaign_chunk setting(const json_t *root, size_t n) {
  size_t at[LISTS];
  for (unsigned i = LISTS; i-- > 0;) {
    const size_t size = json_array_size(json_object_get(root, lists[i].key));
    at[i] = n % size;
    n /= size;
  }
  const json_t *seeds = json_object_get(root, lists[LIST_SEEDS].key);
  return (struct campaign_chunk){.config = word_of_list(root, LIST_CONFIGS, at[LIST_CONFIGS]),
                                 .dep = word_of_list(root, LIST_DEP, at[LIST_DEP]),
                                 .div = word_of_list(root, LIST_DIV, at[LIST_DIV]),
                                 .sched = word_of_list(root, LIST_SCHED, at[LIST_SCHED]),
                                 .memory = word_of_list(root, LIST_MEMORY, at[LIST_MEMORY]),
                                 .port = word_of_list(root, LIST_PORT, at[LIST_PORT]),
                                 .knobs = word_of_list(root, LIST_KNOBS, at[LIST_KNOBS]),
                                 .seed = (uint64_t)json_integer_value(json_array_get(seeds, at[LIST_SEEDS])),
                                 .fault = (uint64_t)json_integer_value(json_object_get(root, "fault"))};
}

static bool expand(struct campaign *c, const char *path) {
  const uint64_t programs = (uint64_t)json_integer_value(json_object_get(c->manifest, "programs"));
  const uint64_t each = (uint64_t)json_integer_value(json_object_get(c->manifest, "chunk"));
  size_t settings = 1;
  for (unsigned i = 0; i < LISTS; i++) {
    settings *= json_array_size(json_object_get(c->manifest, lists[i].key));
    if (settings > CAMPAIGN_CHUNKS_MAX) return refuse_key(path, lists[i].key, "too many settings in all");
  }
  const size_t parts = (size_t)((programs + each - 1) / each);
  if (settings * parts > CAMPAIGN_CHUNKS_MAX) return refuse_key(path, "chunk", "more than 1000000 chunks in all");
  c->chunk = calloc(settings * parts, sizeof *c->chunk);
  if (!c->chunk) return refuse_key(path, "", "out of memory");
  const bool turns = json_is_true(json_object_get(c->manifest, "turns"));
  for (size_t n = 0; n < settings * parts; n++) {
    struct campaign_chunk *k = &c->chunk[c->chunks++];
    *k = setting(c->manifest, turns ? n % settings : n / parts);
    k->first = (turns ? n / settings : n % parts) * each;
    k->count = programs - k->first < each ? programs - k->first : each;
  }
  return true;
}

/* Files of knobs are named as seen from the manifest. */
static bool place_knobs(const char *path, json_t *root) {
  const char *slash = strrchr(path, '/');
  json_t *list = json_object_get(root, lists[LIST_KNOBS].key);
  for (size_t i = 0; slash && i < json_array_size(list); i++) {
    const char *name = json_string_value(json_array_get(list, i));
    if (name[0] == '\0' || name[0] == '/') continue;
    json_t *whole = json_sprintf("%.*s/%s", (int)(slash - path), path, name);
    if (!whole || json_array_set_new(list, i, whole) != 0)
      return refuse_key(path, lists[LIST_KNOBS].key, "a path that is not UTF-8");
  }
  return true;
}

enum { KNOBS_BYTES_MAX = 1 << 20 };

/* What a file of knobs says belongs to the campaign; how it is called from here doesn't. */
static bool mix_knobs(uint64_t *h, const char *path, const char *name) {
  if (name[0] == '\0') return true;
  FILE *f = fopen(name, "rb");
  if (!f) {
    tool_error("%s: %s: %s: %s", path, lists[LIST_KNOBS].key, name, strerror(errno));
    return false;
  }
  long bytes = 0;
  for (int c = getc(f); c != EOF && bytes <= KNOBS_BYTES_MAX; c = getc(f), bytes++)
    *h = splitmix64_mix(*h ^ (uint64_t)c);
  const bool read = !ferror(f);
  (void)fclose(f);
  if (read && bytes <= KNOBS_BYTES_MAX) return true;
  tool_error("%s: %s: %s: %s", path, lists[LIST_KNOBS].key, name, read ? "longer than 1 MiB" : "cannot be read");
  return false;
}

/* Before place_knobs: the manifest as it was written. */
static bool take_hash(const json_t *manifest, uint64_t *h) {
  char *text = json_dumps(manifest, JSON_COMPACT | JSON_SORT_KEYS);
  *h = heddle_isa_hash();
  for (const char *t = text; t && *t; t++) *h = splitmix64_mix(*h ^ (uint8_t)*t);
  const bool ok = text != NULL;
  free(text);
  return ok;
}

static bool name_campaign(struct campaign *c, const char *path) {
  uint64_t h;
  if (!take_hash(c->manifest, &h)) return refuse_key(path, "", "out of memory");
  if (!place_knobs(path, c->manifest)) return false;
  const json_t *list = json_object_get(c->manifest, lists[LIST_KNOBS].key);
  for (size_t i = 0; i < json_array_size(list); i++)
    if (!mix_knobs(&h, path, word_of_list(c->manifest, LIST_KNOBS, i))) return false;
  (void)snprintf(c->hash, sizeof c->hash, "%016" PRIx64, h);
  return true;
}

static bool campaign_load(struct campaign *c, const char *path) {
  json_error_t e;
  memset(c, 0, sizeof *c);
  c->manifest = json_load_file(path, JSON_REJECT_DUPLICATES, &e);
  if (!c->manifest) {
    tool_error("%s:%d:%d: %s", path, e.line > 0 ? e.line : 0, e.column > 0 ? e.column : 0, e.text);
    return false;
  }
  return check_manifest(path, c->manifest) && name_campaign(c, path) && expand(c, path);
}

/* {"version": 1, "configs": [...], "seeds": [...], "programs": N, and, if wanted, "dep", "div", "sched", "memory",
 * "port", "knobs": [...], "fault": N, "chunk": N, "turns": true: a chunk of each setting in turns}. False after a
 * message that says what is wrong where. */
static void campaign_clear(struct campaign *c) {
  json_decref(c->manifest);
  free(c->chunk);
  memset(c, 0, sizeof *c);
}

enum { JOBS_MAX = 1024, SHRINK_MAX = 86400 };

static const struct tool_option own[] = {
    {"dir", "DIR", "checkpoints and results; made if it is not there", 'd', NULL},
    {"jobs", "N", "chunks at a time (default 1)", 'j', NULL},
    {"chunk", "I", "run chunk I alone, and report nothing: for a farm", 'c', NULL},
    {"slurm", NULL,
     "write DIR/campaign.sbatch, a job array of all chunks that are not done, and submit it with sbatch. Options: "
     "SBATCH_PARTITION and the like. Output is in DIR/chunks. Repeat when tasks were lost; afterwards the same "
     "command without --slurm reports",
     'S', NULL},
    {"report", NULL, "report and run nothing; exit status 4 while chunks are not done", 'R', NULL},
    {"shrink-seconds", "N", "time for making a failure small (default 60; 0: none is)", 's', NULL},
    {"waivers", "FILE",
     "known failures by signature, as of heddle fuzz; the report lists those that have expired, and those that nothing "
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
    "in DIR/chunks, on the disk before the next one counts; the same command again goes on after the last "
    "stop. When all are done: failures by signature (difference, instruction, what differs), the "
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
