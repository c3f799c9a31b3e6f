/* SPDX-License-Identifier: Apache-2.0
 * The subcommands, in the order of the overview. */
#include <string.h>

#include "tools/tool.h"

extern const struct tool_command cmd_as, cmd_dis, cmd_ptx, cmd_cc, cmd_lint, cmd_run, cmd_debug, cmd_kernels, cmd_cases,
    cmd_hosts, cmd_ops, cmd_check, cmd_conform, cmd_order, cmd_litmus, cmd_threads, cmd_fuzz, cmd_campaign, cmd_cov,
    cmd_isa, cmd_kit, cmd_bench, cmd_study, cmd_board, cmd_configs;

const char tool_summary[] = "an open SIMT GPU core: assembler, compiler, model, lockstep with the RTL";

const struct tool_command *const tool_commands[] = {
    &cmd_as,    &cmd_dis, &cmd_ptx,   &cmd_cc,      &cmd_lint,  &cmd_run,    &cmd_debug,   &cmd_kernels, &cmd_cases,
    &cmd_hosts, &cmd_ops, &cmd_check, &cmd_conform, &cmd_order, &cmd_litmus, &cmd_threads, &cmd_fuzz,    &cmd_campaign,
    &cmd_cov,   &cmd_isa, &cmd_kit,   &cmd_bench,   &cmd_study, &cmd_board,  &cmd_configs, NULL};

const struct tool_command *tool_find(const char *name) {
  for (unsigned i = 0; tool_commands[i]; i++)
    if (strcmp(tool_commands[i]->name, name) == 0) return tool_commands[i];
  return NULL;
}
