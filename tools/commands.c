/* SPDX-License-Identifier: Apache-2.0
 * The subcommands, in the order of the overview. */
#include <string.h>

#include "run/command/tool.h"

extern const struct tool_command cmd_as, cmd_dis, cmd_ptx, cmd_cc, cmd_lint, cmd_run, cmd_debug, cmd_kernels, cmd_cases,
    cmd_ops, cmd_hosts, cmd_configs, cmd_check, cmd_isa, cmd_kit, cmd_conform, cmd_board;
#ifdef HEDDLE_LAB
extern const struct tool_command cmd_order, cmd_litmus, cmd_threads, cmd_fuzz, cmd_campaign, cmd_cov, cmd_bench,
    cmd_study;
#endif

const char tool_summary[] = "an open SIMT GPU core: assembler, compiler, model, lockstep with the RTL";

/* By chapters: tool_chapter says where each begins. */
const struct tool_command *const tool_commands[] = {
    &cmd_as,    &cmd_dis,      &cmd_ptx,     &cmd_cc,     &cmd_lint,                              /* write */
    &cmd_run,   &cmd_debug,    &cmd_kernels, &cmd_cases,  &cmd_ops,   &cmd_hosts,   &cmd_configs, /* run */
    &cmd_check,                                                                                   /* verify */
#ifdef HEDDLE_LAB
    &cmd_fuzz,  &cmd_campaign, &cmd_cov,     &cmd_litmus, &cmd_order, &cmd_threads,
#endif
    &cmd_isa, /* explore */
#ifdef HEDDLE_LAB
    &cmd_bench, &cmd_study,
#endif
    &cmd_kit,   &cmd_conform,  &cmd_board,   NULL}; /* connect */

const char *tool_chapter(const struct tool_command *first) {
  return first == &cmd_as      ? "write a program"
         : first == &cmd_run   ? "run it"
         : first == &cmd_check ? "verify the machine"
         : first == &cmd_isa   ? "explore encodings and speed"
         : first == &cmd_kit   ? "connect a core or a board"
                               : NULL;
}

const char *tool_left_out(const char *name) {
#ifdef HEDDLE_LAB
  (void)name;
  return NULL;
#else
  static const char *const lab[] = {"fuzz", "campaign", "cov", "litmus", "order", "threads", "bench", "study"};
  for (unsigned i = 0; i < sizeof lab / sizeof *lab; i++)
    if (strcmp(lab[i], name) == 0) return "cmake -DHEDDLE_LAB=ON";
  return NULL;
#endif
}

const struct tool_command *tool_find(const char *name) {
  for (unsigned i = 0; tool_commands[i]; i++)
    if (strcmp(tool_commands[i]->name, name) == 0) return tool_commands[i];
  return NULL;
}
