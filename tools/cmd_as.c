/* SPDX-License-Identifier: Apache-2.0
 * heddle as: assembly to ELF. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/asm.h"
#include "tool.h"

static const char help[] =
    "usage: heddle as FILE.s -o FILE.elf [--config NAME]\n\n"
    "Assemble. Instructions without a control code [B------:R-:W-:-:S01] get one; written codes are kept and "
    "checked.\n\n"
    "  -o FILE          output\n"
    "  --config NAME    schedule for this configuration alone (default: for the slowest of all built ones)\n\n"
    "example: heddle as firmware/kernels/vecadd.s -o /tmp/vecadd.elf\n";

static int run(int argc, char **argv) {
  static const struct option options[] = {{"config", required_argument, NULL, 'c'}, {NULL, 0, NULL, 0}};
  const char *out = NULL, *config = NULL;
  for (int o; (o = getopt_long(argc, argv, "o:", options, NULL)) != -1;) {
    if (o == 'o')
      out = optarg;
    else if (o == 'c')
      config = optarg;
    else
      return tool_usage("as", "bad option");
  }
  if (optind + 1 != argc || !out) return tool_usage("as", "one input file and -o FILE are needed");
  struct heddle_asm_options ao = {.message = tool_message};
  if (!tool_stalls(config, ao.stall)) {
    tool_error("configuration '%s' is not built; 'heddle configs' lists those that are", config ? config : "");
    return TOOL_MISSING;
  }
  size_t size;
  uint8_t *text = tool_read_file(argv[optind], 16u << 20, &size);
  if (!text) return TOOL_USAGE;
  struct heddle_program *p = heddle_assemble((const char *)text, size, argv[optind], &ao);
  free(text);
  if (!p) return TOOL_USAGE;
  struct heddle_message m;
  bool ok = heddle_program_save(p, out, &m);
  if (!ok) tool_message(NULL, &m);
  heddle_program_free(p);
  return ok ? TOOL_OK : TOOL_USAGE;
}

const struct tool_command cmd_as = {"as", "assemble FILE.s to FILE.elf", help, run};
