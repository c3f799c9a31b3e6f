/* SPDX-License-Identifier: Apache-2.0
 *
 * Options that commands which run programs share (docs/options.md). */
#ifndef HEDDLE_OPTIONS_H
#define HEDDLE_OPTIONS_H

#include <heddle/config.h>
#include <heddle/machine.h>
#include <heddle/ptx.h>
#include "run/command/option.h"
#include "run/programs/source.h"
#include "run/command/tool.h"

enum run_on { ON_MODEL, ON_RTL, ON_LOCKSTEP, ON_SYSTEMC, ON_BOARD };

struct run_options {
  enum run_on on;
  const char *config_name;
  bool config_given; /* else, on the model, the machine is the whole one, and `config` says nothing of it */
  const struct heddle_config *config;
  bool scoreboard;                             /* --dep */
  bool its;                                    /* --div */
  unsigned sched;                              /* --sched: enum heddle_policy */
  unsigned undefined;                          /* --undefined: enum heddle_tell */
  uint64_t seed;                               /* of everything that the next three leave to it */
  uint64_t memory_seed, init_seed, ready_seed; /* memory behaviour, initial state, withheld ready; 0: seed */
  unsigned jobs;
  unsigned threads;    /* of the host, for the model alone; 0: one */
  uint64_t max_cycles; /* 0: no limit */
  unsigned fault;
  enum heddle_ptx_target target; /* of what is compiled */
  bool target_given;             /* else it follows `on` */
  const char *wave, *trace, *stream, *json, *junit;
  uint64_t wave_last;  /* --wave-last: the wave is of so many cycles before a failure; 0: of all */
  const char *waivers; /* --waivers: a file (waivers.h) */
  bool issued;         /* a result says which instructions have issued (fidelity.h) */
  const char *cov;     /* --cov: a coverage database to add to */
  bool profile;
  const char *profile_out;               /* --profile-out: a folder (run/profile) */
  bool profile_folders;                  /* ... with one in it for each job of a runner */
  uint64_t profile_from, profile_cycles; /* --profile-window */
  bool calm;                             /* --calm: memory that always answers at once */
  uint32_t stream_gap;                   /* cycles that a byte of the stream takes on the link */
  bool stream_drop;
  const char *board;    /* --board: which, where --on is board */
  uint64_t board_base;  /* memory of the board: of random programs, with buffers from there on */
  uint32_t latency;     /* of calm memory: cycles until it answers; 0: at once */
  const char *l1;       /* --l1: of a device of variant port, an L1 in C; NULL: none */
  bool withhold_ready;  /* --hold: the retire port's ready falls at random */
  const char *command;  /* what repeats this run */
  bool beside;          /* --beside: in lockstep, judge in a second thread */
  unsigned sanitize;    /* --sanitize: a bit per enum sanitize_check; 0: none */
  bool undefined_given; /* --undefined */
  unsigned pages;       /* --pages: its seed; 0: addresses are physical */
  bool single;          /* a runner gets one job: it has memory for no more */
};

/* Results of tool_option_next for these options; a command has its own below. */
enum run_option {
  RUN_OPTION_ON = 256,
  RUN_OPTION_CONFIG,
  RUN_OPTION_DEP,
  RUN_OPTION_DIV,
  RUN_OPTION_SEED,
  RUN_OPTION_JOBS,
  RUN_OPTION_MAX_CYCLES,
  RUN_OPTION_WAVE,
  RUN_OPTION_TRACE,
  RUN_OPTION_STREAM,
  RUN_OPTION_STREAM_GAP,
  RUN_OPTION_STREAM_DROP,
  RUN_OPTION_JSON,
  RUN_OPTION_JUNIT,
  RUN_OPTION_PROFILE,
  RUN_OPTION_PROFILE_OUT,
  RUN_OPTION_PROFILE_WINDOW,
  RUN_OPTION_TARGET,
  RUN_OPTION_FAULT,
  RUN_OPTION_CALM,
  RUN_OPTION_HOLD,
  RUN_OPTION_BESIDE,
  RUN_OPTION_SCHED,
  RUN_OPTION_UNDEFINED,
  RUN_OPTION_LATENCY,
  RUN_OPTION_MEMORY_SEED,
  RUN_OPTION_INIT_SEED,
  RUN_OPTION_READY_SEED,
  RUN_OPTION_COV,
  RUN_OPTION_WAVE_LAST,
  RUN_OPTION_WAIVERS,
  RUN_OPTION_L1,
  RUN_OPTION_BOARD,
  RUN_OPTION_SANITIZE,
  RUN_OPTION_PAGES
};

extern const struct tool_option run_option_table[]; /* all of them */

/* options.c: TOOL_OK, or TOOL_USAGE after a message. */
bool run_profile_window(const char *text, uint64_t *from, uint64_t *cycles); /* "4096" or "1000:4096"; or false */

void run_options_init(struct run_options *o);
/* Take one option; TOOL_OK, or the exit status after a message. */
int run_options_take(struct run_options *o, const char *command, int option, const char *value);
/* After all were taken: each of argv does something; TOOL_OK, or TOOL_USAGE after a sentence. */
int run_options_serve(enum run_on on, const char *command, const struct tool_group *groups, int argc, char **argv);
/* Effect and place of each; the whole table as a page. */
const char *run_option_help(const struct tool_option *o, const char *command, char *text, size_t size);
void run_options_page(FILE *to);
/* After all were taken: find the configuration. */
int run_options_finish(struct run_options *o, const char *command);
const char *run_on_name(enum run_on on);
/* The machine that runs it: of --config, or the whole one. */
bool run_on_whole(const struct run_options *o);
void run_machine(const struct run_options *o, struct heddle_machine *m);
/* " --config fpga", or nothing for the whole one; buf is large enough at 80 bytes. */
const char *run_config_text(const struct run_options *o, char buf[80]);
/* Unusual values of --div, --sched, --undefined and --pages, as options with a space in front; buf, which is large
 * enough at 64 bytes. */
const char *run_modes_text(const struct run_options *o, char buf[64]);
const char *run_sched_name(const struct run_options *o);
const char *run_undefined_name(const struct run_options *o); /* "on", "strict", "off" */
/* Every option that decides what a run does, those of the machine first; `size` 320 is enough for sane names. */
const char *run_repeat_text(const struct run_options *o, char *buf, size_t size);
enum heddle_ptx_target run_target(const struct run_options *o);
struct source_options run_source(const struct run_options *o); /* for the machine that runs it; level 1 */
/* The machine of a device: "fpga_cover", "fpga_asbuilt" are other builds of fpga. NULL: there is none of that name. */
const struct heddle_config *run_config_find(const char *device);
bool run_target_find(const char *name, enum heddle_ptx_target *t); /* "rtl", "model" */

#endif
