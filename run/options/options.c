/* SPDX-License-Identifier: Apache-2.0
 * The options of runs: what they are given, and what they go with. */
#include "options.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <heddle/device.h>
#include <heddle/host_regs.h>
#include <heddle/model.h>
#include "cosim/port/l1_port.h"
#include "isa/configs/lib/config_internal.h"
#include "run/command/json_out.h"
#include "run/command/tool.h"
#include "run/job/job.h"
#include "run/options/cov_run.h"
#include "run/sanitize/sanitize.h"

/* Devices and the RTL: which is newer. */

static bool is_newer(const struct stat *a, const struct stat *b) {
  if (a->st_mtim.tv_sec != b->st_mtim.tv_sec) return a->st_mtim.tv_sec > b->st_mtim.tv_sec;
  return a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

/* The newest of the files that devices are made of (cosim/CMakeLists.txt), seen from `rtl`, if it is newer than
 * `least`, which then is its. */
static void find_newer(const char *rtl, const char *pattern, struct stat *least, char file[128]) {
  char path[4096];
  glob_t g = {0};
  struct stat s;
  (void)snprintf(path, sizeof path, "%s%s", rtl, pattern);
  if (glob(path, 0, NULL, &g) != 0) return;
  for (size_t i = 0; i < g.gl_pathc; i++) {
    if (stat(g.gl_pathv[i], &s) != 0 || !is_newer(&s, least)) continue;
    *least = s;
    (void)snprintf(file, 128, "%s", g.gl_pathv[i] + strlen(rtl));
  }
  globfree(&g);
}

/* A warning if a file of the source tree's rtl/ is newer than the device that these options choose, which is one of
 * ours. Nothing where no source tree belongs to this program: in an installation. */
static void device_age_tell(const struct run_options *o) {
  char rtl[3584], path[3584], name[72], file[128] = "";
  const char *backend = o->on == ON_SYSTEMC ? "systemc" : "verilator";
  struct heddle_message m = {.file = "heddle", .warning = true};
  struct stat s;
  if (o->on == ON_MODEL || o->on == ON_BOARD || !data_has("rtl", rtl, sizeof rtl)) return;
  heddle_dut_variant(o->config_name, o->wave != NULL, o->fault != 0, name, sizeof name);
  if (!heddle_dut_path(NULL, backend, name, path, sizeof path) || stat(path, &s) != 0) return;
  find_newer(rtl, "/*.sv", &s, file);
  find_newer(rtl, "/*/*.sv", &s, file);
  find_newer(rtl, "/*/*.svh", &s, file);
  find_newer(rtl, "/*/*/*.sv", &s, file);
  if (file[0] == '\0') return;
  (void)snprintf(m.text, sizeof m.text, "%s_%s.so is older than rtl%s: cmake --build build --target device_%s_%s",
                 backend, name, file, backend, name);
  tool_message(NULL, &m);
}

/* --pages and --profile-window: what they are given, and what they go with. */

#define PAGES_SEED_MOST 65535u

/* NULL: 1 */
static int run_pages_take(struct run_options *o, const char *command, const char *value) {
  uint64_t seed = 1;
  if (value && (!tool_number(value, PAGES_SEED_MOST, &seed) || seed == 0))
    return tool_usage(command, "--pages=%s: expected a number from 1 to %u", value, PAGES_SEED_MOST);
  o->pages = (unsigned)seed;
  return TOOL_OK;
}

/* does it fit the other options? */
static int run_pages_check(const struct run_options *o, const char *command) {
  if (o->sanitize != 0 || o->trace)
    return tool_usage(command, "--pages: without --%s, which has addresses of memory alone",
                      o->sanitize != 0 ? "sanitize" : "trace");
  return TOOL_OK;
}

/* has the machine an MMU? */
static int run_pages_machine(const struct run_options *o, const char *command) {
  if (o->on == ON_MODEL || o->config->mmu != 0) return TOOL_OK;
  return tool_usage(command, "--pages: machine '%s' has no MMU ('heddle configs' lists those that have)",
                    o->config->name);
}

bool run_profile_window(const char *text, uint64_t *from, uint64_t *cycles) {
  char first[24];
  const char *colon = strchr(text, ':');
  *from = 0;
  if (colon != NULL) {
    snprintf(first, sizeof first, "%.*s", (int)(colon - text), text);
    if (!tool_number(first, UINT64_MAX / 4, from)) return false;
    text = colon + 1;
  }
  return tool_number(text, 1000000, cycles) && *cycles != 0;
}

/* may this be profiled? */
static int run_profile_check(const struct run_options *o, const char *command) {
  if (o->cov != NULL) return tool_usage(command, "--profile-out and --cov: one of them");
  if (o->beside) return tool_usage(command, "--profile-out and --beside: one of them");
  return TOOL_OK;
}

/* Shared options. */

#define PROFILE_WINDOW 4096u /* cycles of the traces, unless --profile-window says others */

const struct tool_option run_option_table[] = {
    {"on", "WHERE",
     "model, rtl, lockstep (default), systemc, or board: what the core of --board sends of itself is judged by the "
     "model "
     "while it runs",
     RUN_OPTION_ON, "model rtl lockstep systemc board"},
    {"board", "NAME", "with --on board: tty:PATH[:BAUD] or sim:PROGRAM, as of 'heddle board'", RUN_OPTION_BOARD, NULL},
    {"target", "MACHINE",
     "what the PTX compiler may use: model (everything), or rtl (what the RTL lacks only where there is no other way); "
     "default: as --on and --config say",
     RUN_OPTION_TARGET, "model rtl"},
    {"config", "NAME",
     "machine configuration; see 'heddle configs' (default: fpga; on the model the whole machine: all units, all "
     "its room). A program that needs more than the machine has is refused before it runs: exit status "
     "2 of 'run', a failed case of 'cases' and 'ops'. --json lists what lacks, and which machine has it",
     RUN_OPTION_CONFIG, NULL},
    {"dep", "MODE", "control (default: the codes are trusted) or scoreboard", RUN_OPTION_DEP, "control scoreboard"},
    {"sched", "POLICY", "the warp that goes next: " HEDDLE_POLICY_MEANINGS, RUN_OPTION_SCHED, HEDDLE_POLICY_WORDS},
    {"div", "UNIT", "divergence: stack (default) or its", RUN_OPTION_DIV, "stack its"},
    {"undefined", "WHAT",
     "uses of values never written that end a run: on (default: those that decide something), strict (stores of them "
     "to global memory, too), off (none; they are zero: model alone)",
     RUN_OPTION_UNDEFINED, "on strict off"},
    {"sanitize", "CHECKS",
     "on the model: list errors of the program, and go on: race, memory, init, sync, several with commas, or "
     "all; exit status 3 if something was found (docs/sanitizer.md)",
     RUN_OPTION_SANITIZE, NULL},
    {"pages", "[=SEED]",
     "in an address space (isa/doc/18-virtual-memory.md); SEED decides the order of its pages in memory (1 to "
     "65535, default 1). With an even one about half of them are absent until the launch waits for them. On the model, "
     "or on a machine with an MMU: --config paged; results are as without. In litmus tests each place has two virtual "
     "addresses, the second for threads of odd numbers; in assembly threads use both in every second round",
     RUN_OPTION_PAGES, NULL},
    {"seed", "N", "memory behaviour and initial values (default 1)", RUN_OPTION_SEED, NULL},
    {"memory-seed", "N", "memory behaviour alone (from 1)", RUN_OPTION_MEMORY_SEED, NULL},
    {"init-seed", "N", "initial values alone (from 1)", RUN_OPTION_INIT_SEED, NULL},
    {"ready-seed", "N", "--hold alone (from 1)", RUN_OPTION_READY_SEED, NULL},
    {"jobs", "N", "processes at a time (default 1)", RUN_OPTION_JOBS, NULL},
    {"max-cycles", "N",
     "limit (model, board: warp instructions); default: none, of 'cases' and 'ops' 100,000,000, of 'fuzz' from what "
     "the model alone needs",
     RUN_OPTION_MAX_CYCLES, NULL},
    {"calm", NULL, "memory answers at once and in order (default: seeded latency, reordering, back-pressure)",
     RUN_OPTION_CALM, NULL},
    {"latency", "N", "with --calm: cycles until memory answers", RUN_OPTION_LATENCY, NULL},
    {"l1", "BYTES[,...]",
     "of a device of variant port (tiny_port): an L1 in C before its memory; ways=N, mshrs=N, epoch=BITS, and "
     "bug=NAME, one of those of cosim/port/l1_bugs.h",
     RUN_OPTION_L1, NULL},
    {"hold", NULL, "the retire port is held at random", RUN_OPTION_HOLD, NULL},
    {"beside", NULL, "in lockstep: a second thread judges, while the RTL goes on; the verdict is the same",
     RUN_OPTION_BESIDE, NULL},
    {"fault", "N", "bug N of lab/verify/faults, in the device CONFIG_faults", RUN_OPTION_FAULT, NULL},
    {"wave", "FILE", "FST wave; beside it views for GTKWave (waves/README.md)", RUN_OPTION_WAVE, NULL},
    {"wave-last", "N",
     "with --wave: only if the run fails, and only of the N cycles before; made by a snapshot of the run that goes on",
     RUN_OPTION_WAVE_LAST, NULL},
    {"trace", "FILE", "record the retire trace", RUN_OPTION_TRACE, NULL},
    {"stream", "FILE",
     "of a board: what it sends; of a device of variant stream or digest (tiny_stream, tiny_digest): what a board "
     "would send; for 'heddle check'",
     RUN_OPTION_STREAM, NULL},
    {"stream-gap", "N", "with --stream: cycles that a byte takes on the link (default 1); the core waits for it",
     RUN_OPTION_STREAM_GAP, NULL},
    {"stream-drop", NULL, "with --stream, or a board: the core waits for nothing, and what finds no room is lost",
     RUN_OPTION_STREAM_DROP, NULL},
    {"cov", "FILE", "in lockstep: add what is reached to a coverage database ('heddle cov')", RUN_OPTION_COV, NULL},
    {"json", "FILE", "results as JSON, also on failure (-: on stdout, and all else on stderr)", RUN_OPTION_JSON, NULL},
    {"junit", "FILE", "results as JUnit XML", RUN_OPTION_JUNIT, NULL},
    {"waivers", "FILE",
     "known failures by signature, a line each: SIGNATURE YYYY-MM-DD REASON. They are listed and counted apart, and "
     "the "
     "exit status is as without; after that day they count as any other",
     RUN_OPTION_WAIVERS, NULL},
    {"profile", NULL, "event counters of the device, by launch", RUN_OPTION_PROFILE, NULL},
    {"profile-out", "DIR",
     "where each warp's cycles went, by instruction and line: profile.html, .txt and .json, traces for Perfetto and "
     "Konata (docs/profile.md)",
     RUN_OPTION_PROFILE_OUT, NULL},
    {"profile-window", "[FROM:]N", "of these traces: N cycles from cycle FROM on (default 4096, from the first)",
     RUN_OPTION_PROFILE_WINDOW, NULL},
    {0}};

static const char *const on_names[] = {
    [ON_MODEL] = "model", [ON_RTL] = "rtl", [ON_LOCKSTEP] = "lockstep", [ON_SYSTEMC] = "systemc", [ON_BOARD] = "board"};

static const char *const sched_names[] = {HEDDLE_POLICY_NAMES};

static const char *const undefined_names[] = {
    [HEDDLE_TELL_USES] = "on", [HEDDLE_TELL_NOTHING] = "off", [HEDDLE_TELL_STORES] = "strict"};

const char *run_sched_name(const struct run_options *o) {
  return sched_names[o->sched];
}

const char *run_undefined_name(const struct run_options *o) {
  return undefined_names[o->undefined];
}

const char *run_on_name(enum run_on on) {
  return on_names[on];
}

void run_options_init(struct run_options *o) {
  *o = (struct run_options){
      .on = ON_LOCKSTEP, .config_name = RUN_CONFIG, .seed = 1, .jobs = 1, .profile_cycles = PROFILE_WINDOW};
}

static int take_number(const char *command, const char *name, const char *value, uint64_t most, uint64_t *out) {
  if (tool_number(value, most, out)) return TOOL_OK;
  return tool_usage(command, "--%s %s: expected a number up to %llu", name, value, (unsigned long long)most);
}

/* 0 would leave it to --seed. */
static int take_seed(const char *command, const char *name, const char *value, uint64_t *out) {
  if (tool_number(value, UINT64_MAX, out) && *out != 0) return TOOL_OK;
  return tool_usage(command, "--%s %s: expected a number from 1", name, value);
}

static int take_on(struct run_options *o, const char *command, const char *value) {
  for (unsigned i = 0; i < sizeof on_names / sizeof *on_names; i++)
    if (strcmp(value, on_names[i]) == 0) {
      o->on = (enum run_on)i;
      return TOOL_OK;
    }
  return tool_usage(command, "--on %s: expected model, rtl, lockstep, systemc or board", value);
}

static int take_sched(struct run_options *o, const char *command, const char *value) {
  for (unsigned i = 0; i < sizeof sched_names / sizeof *sched_names; i++)
    if (strcmp(value, sched_names[i]) == 0) {
      o->sched = i;
      return TOOL_OK;
    }
  return tool_usage(command, "--sched %s: expected one of: " HEDDLE_POLICY_WORDS, value);
}

static int take_undefined(struct run_options *o, const char *command, const char *value) {
  for (unsigned i = 0; i < sizeof undefined_names / sizeof *undefined_names; i++)
    if (strcmp(value, undefined_names[i]) == 0) {
      o->undefined = i;
      return TOOL_OK;
    }
  return tool_usage(command, "--undefined %s: expected on, strict or off", value);
}

/* In lockstep the marks say what is not compared; hardware alone has none. */
static int check_undefined(const struct run_options *o, const char *command) {
  if (o->undefined == HEDDLE_TELL_NOTHING && o->on != ON_MODEL)
    return tool_usage(command,
                      "--undefined off: with --on model alone; in lockstep what is undefined is not compared, and must "
                      "be known");
  if (o->undefined == HEDDLE_TELL_STORES && o->on != ON_MODEL && o->on != ON_LOCKSTEP)
    return tool_usage(command, "--undefined strict: with --on model or lockstep; hardware has no undefined bits");
  return TOOL_OK;
}

static int take_mode(struct run_options *o, const char *command, int option, const char *value) {
  if (option == RUN_OPTION_DEP && (strcmp(value, "control") == 0 || strcmp(value, "scoreboard") == 0)) {
    o->scoreboard = strcmp(value, "scoreboard") == 0;
    return TOOL_OK;
  }
  if (option == RUN_OPTION_DEP) return tool_usage(command, "--dep %s: expected control or scoreboard", value);
  o->its = strcmp(value, "its") == 0;
  if (o->its || strcmp(value, "stack") == 0) return TOOL_OK;
  return tool_usage(command, "--div %s: expected stack or its", value);
}

/* What it is to be is said of any channel here; one of many tags leaves room for fewer fills. */
static int take_l1(struct run_options *o, const char *command, const char *value) {
  struct l1_options sizes;
  char why[200];
  heddle_l1_usual(&sizes, 64, 1, 1);
  o->l1 = value;
  return heddle_l1_parse(&sizes, value, why, sizeof why) ? TOOL_OK : tool_usage(command, "--l1 %s: %s", value, why);
}

int run_options_take(struct run_options *o, const char *command, int option, const char *value) {
  uint64_t v = 0;
  int status;
  switch (option) {
  case RUN_OPTION_ON:
    return take_on(o, command, value);
  case RUN_OPTION_CONFIG:
    o->config_name = value;
    o->config_given = true;
    return TOOL_OK;
  case RUN_OPTION_DEP:
  case RUN_OPTION_DIV:
    return take_mode(o, command, option, value);
  case RUN_OPTION_SCHED:
    return take_sched(o, command, value);
  case RUN_OPTION_SANITIZE:
    if (sanitize_take(value, &o->sanitize)) return TOOL_OK;
    return tool_usage(command, "--sanitize %s: expected race, memory, init, sync, several with commas, or all", value);
  case RUN_OPTION_UNDEFINED:
    o->undefined_given = true;
    return take_undefined(o, command, value);
  case RUN_OPTION_PAGES:
    return run_pages_take(o, command, value);
  case RUN_OPTION_SEED:
    return take_number(command, "seed", value, UINT64_MAX, &o->seed);
  case RUN_OPTION_JOBS:
    status = take_number(command, "jobs", value, 256, &v);
    o->jobs = v > 0 ? (unsigned)v : 1;
    return status;
  case RUN_OPTION_MAX_CYCLES:
    return take_number(command, "max-cycles", value, UINT64_MAX, &o->max_cycles);
  case RUN_OPTION_WAVE:
    o->wave = value;
    return TOOL_OK;
  case RUN_OPTION_WAVE_LAST:
    if (tool_number(value, UINT64_MAX / 2, &o->wave_last) && o->wave_last != 0) return TOOL_OK;
    return tool_usage(command, "--wave-last %s: expected cycles, from 1", value);
  case RUN_OPTION_WAIVERS:
    o->waivers = value;
    return TOOL_OK;
  case RUN_OPTION_TRACE:
    o->trace = value;
    return TOOL_OK;
  case RUN_OPTION_STREAM:
    o->stream = value;
    return TOOL_OK;
  case RUN_OPTION_BOARD:
    o->board = value;
    return TOOL_OK;
  case RUN_OPTION_STREAM_GAP:
    status = take_number(command, "stream-gap", value, 1000000, &v);
    o->stream_gap = (uint32_t)v;
    return status;
  case RUN_OPTION_STREAM_DROP:
    o->stream_drop = true;
    return TOOL_OK;
  case RUN_OPTION_COV:
    o->cov = value;
    return TOOL_OK;
  case RUN_OPTION_JSON:
    o->json = json_out_take(value);
    return TOOL_OK;
  case RUN_OPTION_JUNIT:
    o->junit = value;
    return TOOL_OK;
  case RUN_OPTION_PROFILE:
    o->profile = true;
    return TOOL_OK;
  case RUN_OPTION_PROFILE_OUT:
    o->profile_out = value;
    return TOOL_OK;
  case RUN_OPTION_PROFILE_WINDOW:
    if (run_profile_window(value, &o->profile_from, &o->profile_cycles)) return TOOL_OK;
    return tool_usage(command, "--profile-window %s: expected N or FROM:N, N from 1 to 1000000", value);
  case RUN_OPTION_TARGET:
    o->target_given = true;
    return run_target_find(value, &o->target) ? TOOL_OK
                                              : tool_usage(command, "--target %s: expected rtl or model", value);
  case RUN_OPTION_CALM:
    o->calm = true;
    return TOOL_OK;
  case RUN_OPTION_HOLD:
    o->withhold_ready = true;
    return TOOL_OK;
  case RUN_OPTION_BESIDE:
    o->beside = true;
    return TOOL_OK;
  case RUN_OPTION_LATENCY:
    status = take_number(command, "latency", value, 1000000, &v);
    o->latency = (uint32_t)v;
    return status;
  case RUN_OPTION_L1:
    return take_l1(o, command, value);
  case RUN_OPTION_MEMORY_SEED:
    return take_seed(command, "memory-seed", value, &o->memory_seed);
  case RUN_OPTION_INIT_SEED:
    return take_seed(command, "init-seed", value, &o->init_seed);
  case RUN_OPTION_READY_SEED:
    return take_seed(command, "ready-seed", value, &o->ready_seed);
  case RUN_OPTION_FAULT:
    status = take_number(command, "fault", value, 65535, &v);
    o->fault = (unsigned)v;
    return status;
  default:
    return TOOL_USAGE; /* '?', which has been said */
  }
}

bool run_on_whole(const struct run_options *o) {
  return o->on == ON_MODEL && !o->config_given;
}

void run_machine(const struct run_options *o, struct heddle_machine *m) {
  if (run_on_whole(o))
    heddle_machine_whole(m);
  else
    heddle_machine_of(o->config, m);
}

const struct heddle_config *run_config_find(const char *device) {
  char base[64];
  snprintf(base, sizeof base, "%.*s", (int)strcspn(device, "_"), device);
  return heddle_config_find(base);
}

int run_options_finish(struct run_options *o, const char *command) {
  struct heddle_config core;
  if ((o->on == ON_BOARD) != (o->board != NULL))
    return tool_usage(command, "--on board and --board NAME belong together");
  if (check_undefined(o, command) != TOOL_OK) return TOOL_USAGE;
  if (o->pages != 0 && run_pages_check(o, command) != TOOL_OK) return TOOL_USAGE;
  if (o->profile_out != NULL && run_profile_check(o, command) != TOOL_OK) return TOOL_USAGE;
  o->profile_folders = strcmp(command, "run") != 0;
  if (o->wave && !tool_can_write(o->wave)) return TOOL_USAGE; /* the simulator would not say so */
  o->config = run_config_find(o->config_name);
  if (o->config) device_age_tell(o);
  if (!o->config && heddle_dut_core_config(NULL, "verilator", o->config_name, &core) && heddle_config_add(&core))
    o->config = run_config_find(o->config_name);
  if (o->config && o->pages != 0 && run_pages_machine(o, command) != TOOL_OK) return TOOL_USAGE;
  if (o->config) return o->cov ? cov_run_check(o) : TOOL_OK;
  tool_error("configuration '%s' is not built; 'heddle configs' lists those that are", o->config_name);
  return TOOL_MISSING;
}

bool run_target_find(const char *name, enum heddle_ptx_target *t) {
  *t = strcmp(name, "model") == 0 ? HEDDLE_PTX_TARGET_MODEL : HEDDLE_PTX_TARGET_RTL;
  return *t == HEDDLE_PTX_TARGET_MODEL || strcmp(name, "rtl") == 0;
}

enum heddle_ptx_target run_target(const struct run_options *o) {
  return o->target_given ? o->target : run_on_whole(o) ? HEDDLE_PTX_TARGET_MODEL : HEDDLE_PTX_TARGET_RTL;
}

struct source_options run_source(const struct run_options *o) {
  return (struct source_options){.target = run_target(o),
                                 .units = run_on_whole(o) ? UINT32_MAX : heddle_config_units(o->config),
                                 .level = 1,
                                 .shared_gap = (o->sanitize >> SANITIZE_MEMORY & 1) != 0 ? JOB_SHARED_GUARD : 0};
}
