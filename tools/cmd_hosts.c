/* SPDX-License-Identifier: Apache-2.0
 * heddle hosts: a folder of programs with a host part. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/hosts/hosts.h"

enum { LIMIT = 60 };

static const struct tool_option own[] = {
    {"only", "NAME", "one of them", 'o', NULL},
    {"limit", "SECONDS", "how long each may run (default 60)", 'l', NULL},
    {"pass", "RE", "an extended regular expression: what a host must say that has passed", 'p', NULL},
    {"fail", "RE", "what none may say (default: FAIL, FAILED, FAILURE as words)", 'f', NULL},
    {"keep", "DIR", "each gets a folder there: output.txt, launches.json, capsules of launches that failed", 'k', NULL},
    {"compare", NULL, "two files of HEDDLE_STATS=json:FILE: the first launch that leaves other memory", 'c', NULL},
    {0}};
static const struct tool_option where[] = {
    {"on", "WHERE", "model (default), rtl, lockstep, systemc, or board", RUN_OPTION_ON,
     "model rtl lockstep systemc board"},
    {"config", "NAME", "machine configuration (default: of the model the whole machine, else fpga)", RUN_OPTION_CONFIG,
     NULL},
    {"board", "NAME", "with --on board: tty:PATH[:BAUD] or sim:PROGRAM", RUN_OPTION_BOARD, NULL},
    {"seed", "N", "memory behaviour and initial values (default 1)", RUN_OPTION_SEED, NULL},
    {"undefined", "WHAT", "on (default), or off: values never written are zero, on the model alone",
     RUN_OPTION_UNDEFINED, "on off"},
    {"max-cycles", "N", "of a launch (model: warp instructions; not of rtl, systemc, board): HEDDLE_LIMIT",
     RUN_OPTION_MAX_CYCLES, NULL},
    {"dep", "MODE", "control: codes are trusted where the driver can", RUN_OPTION_DEP, "control"},
    {"fault", "N", "bug N of lab/verify/faults, in the device CONFIG_faults", RUN_OPTION_FAULT, NULL},
    {"jobs", "N", "programs at a time (default 1)", RUN_OPTION_JOBS, NULL},
    {"json", "FILE", "results as JSON, also on failure (-: on stdout, and all else on stderr)", RUN_OPTION_JSON, NULL},
    {"junit", "FILE", "results as JUnit XML", RUN_OPTION_JUNIT, NULL},
    {"waivers", "FILE", "known failures by signature, as of 'heddle cases'", RUN_OPTION_WAIVERS, NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, own}, {"How they run:", where}, {0}};
static const char *const usage[] = {"DIR [options]", "--compare FILE FILE", NULL};
static const char *const examples[] = {"heddle hosts ~/HeCBench/list.txt --pass PASS --jobs 4 --keep results",
                                       "heddle hosts bin --on lockstep --config sm --limit 600",
                                       "heddle hosts --compare model.json board.json", NULL};
static const char about[] =
    "Run programs that launch kernels (of libheddle-cuda, of the driver: docs/hosts.md), each on a board of its own. "
    "Print the result of each: passed, refused (by which unit), trapped, differs, too long, failed. DIR is a folder: "
    "its executable files, and its folders with one executable file each, which run there. Or hosts.txt in it, or a "
    "file instead of a folder, has a line NAME: COMMAND for each, run by sh in the file's folder. A program has passed "
    "with exit status 0, an output without the words of --fail, and launches that each ended well. With --pass the "
    "host's own word decides instead of its launches; a difference of model and hardware always fails.";

static int take_pattern(struct host_pattern *p, const char *name, const char *text) {
  if (p->text) regfree(&p->compiled);
  p->text = regcomp(&p->compiled, text, REG_EXTENDED | REG_NEWLINE) == 0 ? text : NULL;
  return p->text ? TOOL_OK : tool_usage("hosts", "--%s %s: not a regular expression", name, text);
}

static int take_hosts_option(struct hosts *q, bool *compare, int option) {
  switch (option) {
  case 'o':
    q->only = optarg;
    return TOOL_OK;
  case 'l':
    if (tool_number(optarg, 1000000, &q->limit) && q->limit > 0) return TOOL_OK;
    return tool_usage("hosts", "--limit %s: expected seconds, from 1", optarg);
  case 'p':
    return take_pattern(&q->pass, "pass", optarg);
  case 'f':
    return take_pattern(&q->fail, "fail", optarg);
  case 'k':
    q->keep = optarg;
    return TOOL_OK;
  case 'c':
    *compare = true;
    return TOOL_OK;
  default:
    return run_options_take(&q->run, "hosts", option, optarg);
  }
}

/* Made if it is not there, and in full: hosts run elsewhere. */
static int keep_in(struct hosts *q, const char *dir) {
  char *path = q->kept;
  if (dir[0] == '/')
    snprintf(path, sizeof q->kept, "%s", dir);
  else if (getcwd(path, sizeof q->kept / 2))
    snprintf(path + strlen(path), sizeof q->kept / 2, "/%s", dir);
  if (mkdir(path, 0777) != 0 && errno != EEXIST) return tool_usage("hosts", "--keep %s: %s", dir, strerror(errno));
  q->keep = path;
  return TOOL_OK;
}

/* The options that the suite does not know. */
static void repeat_hosts_options(struct hosts *q) {
  const struct { const char *name, *text; } option[] = {{"pass", q->pass.text}, {"fail", q->fail.text}};
  size_t used = (size_t)snprintf(q->again, sizeof q->again, "%s hosts %s --limit %llu", tool_program, q->dir,
                                 (unsigned long long)q->limit);
  for (size_t i = 0; i < sizeof option / sizeof *option && used < sizeof q->again; i++)
    if (option[i].text)
      used += (size_t)snprintf(q->again + used, sizeof q->again - used, " --%s '%s'", option[i].name, option[i].text);
}

static int finish_hosts_options(struct hosts *q) {
  static const char usual[] = "(^|[^[:alnum:]_])FAIL(ED|URE)?([^[:alnum:]_]|$)";
  repeat_hosts_options(q);
  int status = q->fail.text ? TOOL_OK : take_pattern(&q->fail, "fail", usual);
  if (status == TOOL_OK) status = run_options_finish(&q->run, "hosts");
  return status == TOOL_OK && q->keep ? keep_in(q, q->keep) : status;
}

static const char *name_of_host(void *hosts, size_t item) {
  const struct hosts *q = hosts;
  return q->program[item].name;
}

static int run_all(struct hosts *q) {
  const struct suite s = {.command = "hosts",
                          .what = "hosts",
                          .dir = q->dir,
                          .again = q->again,
                          .run = &q->run,
                          .items = q->programs,
                          .alone = true,
                          .name = name_of_host,
                          .one = hosts_run_one,
                          .ctx = q};
  return suite_run(&s);
}

static int two_files(int argc, char **argv) {
  if (optind + 2 != argc) return tool_usage("hosts", "two files are needed");
  return hosts_compare(argv[optind], argv[optind + 1]);
}

static int one_folder(struct hosts *q, int argc, char **argv) {
  if (optind + 1 != argc) return tool_usage("hosts", "one folder is needed");
  q->dir = argv[optind];
  int status = run_options_serve(q->run.on, "hosts", groups, argc, argv);
  if (status == TOOL_OK) status = finish_hosts_options(q);
  if (status != TOOL_OK) return status;
  return hosts_find(q) ? run_all(q) : TOOL_USAGE;
}

static int hosts_main(int argc, char **argv) {
  struct hosts q = {.limit = LIMIT};
  bool compare = false;
  int status = TOOL_OK;
  run_options_init(&q.run);
  q.run.on = ON_MODEL;
  for (int o; status == TOOL_OK && (o = tool_option_next("hosts", groups, argc, argv)) != -1;)
    status = take_hosts_option(&q, &compare, o);
  if (status == TOOL_OK && compare)
    status = two_files(argc, argv);
  else if (status == TOOL_OK)
    status = one_folder(&q, argc, argv);
  hosts_clear(&q);
  return status;
}

const struct tool_command cmd_hosts = {
    "hosts", "run programs that launch kernels, each on a board", hosts_main, usage, about, groups, examples, NULL};
