/* SPDX-License-Identifier: Apache-2.0
 * heddle kit: what puts a core of given sizes under the checker, as files for a simulator. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run/command/tool.h"
#include "cosim/retire/kit/kit.h"
#include "run/command/option.h"

static const struct tool_option own[] = {
    {"lanes", "N", "lanes of a beat: 4, 8, 16 or 32 (default 8)", 'l', NULL},
    {"warps", "N", "warp slots, 1 to 64 (default 4)", 'w', NULL},
    {"blocks", "N", "block slots, 1 to 64 (default 2)", 'b', NULL},
    {"banks", "N", "banks of shared memory: 4, 8, 16 or 32 (default 32)", 'k', NULL},
    {"partitions", "N", "partitions, 1 to 4 (default 1)", 'p', NULL},
    {"cache", "N", "1: it has a cache, and shows its records (default 0)", 'c', NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, own}, {0}};
static const char *const usage[] = {"DIR [options]", NULL};
static const char *const examples[] = {"heddle kit my_core --lanes 8 --warps 4 --blocks 2 --banks 32 --partitions 1",
                                       NULL};
static const char about[] =
    "Write into DIR the files with which a test bench puts a core of these sizes under the checker: the records as "
    "SystemVerilog structs, an interface, assertions, a bind file. Also: packers in plain Verilog; modules that hand "
    "the "
    "records to the checker through DPI and VPI, with their C; lists of files. docs/attach-your-core.md says which "
    "simulator takes "
    "what.";

/* What is written by hand, beside what is generated. */
static const char *const by_hand[] = {"sv/retire_protocol.sv", "c/heddle_bench.h", "c/heddle_bench.c",
                                      "dpi/heddle_dpi.c", "vpi/heddle_vpi.c"};

static bool copy_kit_file(const char *name, const char *dir, struct diag *d) {
  char part[96], path[4096];
  const char *base = strrchr(name, '/') + 1;
  (void)snprintf(part, sizeof part, "kit/%s", name);
  if (!data_path(part, path, sizeof path)) return false;
  char *text = text_read(path, (struct pos){path, 0}, d);
  if (text == NULL) return false;
  FILE *f = text_create(dir, base, d);
  if (f != NULL) fputs(text, f);
  free(text);
  return f != NULL && text_close(f, base, d);
}

static bool write_kit(const char *dir, const struct kit_sizes *s, struct diag *d) {
  static struct records r;
  char path[4096];
  if (!data_path("retire/retire.records", path, sizeof path)) return false;
  if (!records_load(path, &r, d) || !kit_size(&r, s, d)) return false;
  if (mkdir(dir, 0777) != 0 && errno != EEXIST) {
    tool_error("%s: %s", dir, strerror(errno));
    return false;
  }
  if (!kit_write(&r, dir, d)) return false;
  for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++)
    if (!copy_kit_file(by_hand[i], dir, d)) return false;
  return true;
}

static bool is_power(uint32_t v, uint32_t most) {
  return v >= 4 && v <= most && (v & (v - 1)) == 0;
}

/* NULL: there can be such a core. */
static const char *why_not(const struct kit_sizes *s) {
  if (!is_power(s->lanes, 32)) return "--lanes: 4, 8, 16 or 32";
  if (!is_power(s->banks, 32)) return "--banks: 4, 8, 16 or 32";
  if (s->warps < 1 || s->warps > 64) return "--warps: 1 to 64";
  if (s->blocks < 1 || s->blocks > 64) return "--blocks: 1 to 64";
  if (s->cache > 1) return "--cache: 0 or 1";
  if (s->partitions < 1 || s->partitions > 4 || s->partitions > s->warps)
    return "--partitions: 1 to 4, and no more than warps";
  return NULL;
}

static int kit_main(int argc, char **argv) {
  struct kit_sizes s = {.lanes = 8, .partitions = 1, .banks = 32, .warps = 4, .blocks = 2};
  struct diag d = {0};
  for (int o; (o = tool_option_next("kit", groups, argc, argv)) != -1;) {
    uint32_t *const to = o == 'l'   ? &s.lanes
                         : o == 'w' ? &s.warps
                         : o == 'b' ? &s.blocks
                         : o == 'k' ? &s.banks
                         : o == 'c' ? &s.cache
                                    : &s.partitions;
    uint64_t v = 0;
    if (o == '?') return TOOL_USAGE;
    if (!tool_number(optarg, 64, &v)) return tool_option_bad("kit", groups, o);
    *to = (uint32_t)v;
  }
  if (optind + 1 != argc) return tool_usage("kit", "one folder is needed");
  if (why_not(&s) != NULL) return tool_usage("kit", "%s", why_not(&s));
  if (!write_kit(argv[optind], &s, &d)) {
    if (d.failed) tool_error("%s", d.text);
    return TOOL_USAGE;
  }
  return TOOL_OK;
}

const struct tool_command cmd_kit = {
    "kit", "write what puts a core of yours under the checker", kit_main, usage, about, groups, examples, NULL};
