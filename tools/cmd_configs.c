/* SPDX-License-Identifier: Apache-2.0
 * heddle configs: what is built. */
#include <stdio.h>

#include "heddle/config.h"
#include "tool.h"

static const char help[] = "usage: heddle configs\n\n"
                           "List the machine configurations that were built (configs/NAME.cfg), for --config.\n\n"
                           "example: heddle configs\n";

static int run(int argc, char **argv) {
  static const char *const sched[] = {
      [HEDDLE_SCHED_GTO] = "gto", [HEDDLE_SCHED_LRR] = "lrr", [HEDDLE_SCHED_TWO_LEVEL] = "twolevel"};
  (void)argv;
  if (argc != 1) return tool_usage("configs", "no arguments are expected");
  printf("%-8s %5s %5s %5s %5s %7s %6s %8s %5s\n", "name", "lanes", "warps", "regs", "banks", "shared", "axi", "sched",
         "parts");
  for (size_t i = 0; i < heddle_config_count(); i++) {
    const struct heddle_config *c = heddle_config_at(i);
    printf("%-8s %5u %5u %5u %5u %7u %6u %8s %5u\n", c->name, c->lanes, c->warps, c->regs, c->banks, c->shared_bytes,
           c->axi_bits, sched[c->sched], c->partitions);
  }
  return TOOL_OK;
}

const struct tool_command cmd_configs = {"configs", "list the machine configurations that are built", help, run};
