/* SPDX-License-Identifier: Apache-2.0
 * heddle cc: OpenCL C and CUDA C to programs. */
#include <stdlib.h>
#include <string.h>

#include "run/programs/source.h"
#include "run/options/options.h"
#include "run/command/tool.h"

static const struct tool_option own[] = {
    {"o", "FILE", "the program; with a name that ends in .ptx the PTX", 'o', NULL},
    {"O", "LEVEL", "0 to 3, as clang and the PTX compiler have them (default: 2)", 'O', "0 1 2 3"},
    {"D", "NAME=VALUE", "defines a macro", 'D', NULL},
    {"I", "DIR", "where #include looks", 'I', NULL},
    {"target", "MACHINE",
     "rtl: all units that an RTL may have, other instructions only where there is no other way; model: everything "
     "(default: the units of --config)",
     't', "rtl model"},
    {"config", "NAME",
     "for this configuration alone, its units and its latencies (default: units of fpga, the default of 'heddle run', "
     "and the slowest latencies of all, so that control codes suffice anywhere)",
     'c', NULL},
    {"printf", "BYTES", "room for what a kernel prints (default 65536); what finds none is counted", 'p', NULL},
    {"heap", "BYTES", SOURCE_HEAP_HELP, 'h', NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, own}, {0}};
static const char *const usage[] = {"FILE.cl|FILE.cu -o FILE.elf|FILE.ptx [options] [-- CLANG OPTIONS]", NULL};
static const char *const examples[] = {"heddle cc firmware/kernels/saxpy.cl -o /tmp/saxpy.elf", NULL};
static const char about[] =
    "Compile OpenCL C or CUDA C through Debian's clang (19 or 14) and libclc. __HEDDLE__ is defined; of a CUDA file "
    "the kernels and what they use are compiled, host code is in #ifndef __HEDDLE__.";

#define JOINED_MAX CC_MORE_MAX /* -D and -I */

struct request {
  const char *in, *out;
  struct cc_options cc;
  struct source_options with;
  bool target_given;
  char *joined[JOINED_MAX]; /* owned: "-DN=4" */
  unsigned joins;
};

static bool take_more(struct request *q, const char *text) {
  if (q->cc.mores == CC_MORE_MAX) return false;
  q->cc.more[q->cc.mores++] = text;
  return true;
}

static bool take_joined(struct request *q, int letter, const char *value) {
  char *text = q->joins < JOINED_MAX ? malloc(strlen(value) + 3) : NULL;
  if (!text) return false;
  q->joined[q->joins++] = text;
  text[0] = '-';
  text[1] = (char)letter;
  memcpy(text + 2, value, strlen(value) + 1);
  return take_more(q, text);
}

static bool take_cc_option(struct request *q, int o, const char *value) {
  switch (o) {
  case 'o':
    q->out = value;
    return true;
  case 'O':
    q->cc.level = (unsigned)(value[0] - '0');
    q->with.level = value[0] != '0';
    return value[0] >= '0' && value[0] <= '3' && value[1] == '\0';
  case 'D':
  case 'I':
    return take_joined(q, o, value);
  case 't':
    q->target_given = true;
    return run_target_find(value, &q->with.target);
  case 'p':
    return source_printf(value, &q->with.printf_bytes);
  case 'h':
    return source_heap(value, &q->with.heap_bytes);
  case 'c':
    q->with.config = value;
    return true;
  default:
    return false;
  }
}

static int parse_cc_options(struct request *q, int argc, char **argv) {
  uint8_t stall[8];
  for (int o; (o = tool_option_next("cc", groups, argc, argv)) != -1;)
    if ((o == 'D' || o == 'I') && q->joins == JOINED_MAX)
      return tool_usage("cc", "more than %u options for clang", CC_MORE_MAX);
    else if (!take_cc_option(q, o, optarg))
      return tool_option_bad("cc", groups, o);
  if (optind == argc || !q->out) return tool_usage("cc", "one input file and -o FILE are needed");
  q->in = argv[optind++];
  if (!cc_is_source(q->in)) return tool_usage("cc", "%s: a file ends in .cl (OpenCL C) or .cu (CUDA C)", q->in);
  for (; optind < argc; optind++)
    if (!take_more(q, argv[optind])) return tool_usage("cc", "more than %u options for clang", CC_MORE_MAX);
  q->with.units = source_units(q->with.config, q->target_given);
  if (tool_stalls(q->with.config, stall)) return TOOL_OK;
  tool_error("configuration '%s' is not built; 'heddle configs' lists those that are", q->with.config);
  return TOOL_MISSING;
}

static bool wants_ptx(const char *out) {
  const size_t n = strlen(out);
  return n > 4 && strcmp(out + n - 4, ".ptx") == 0;
}

static int compile_request(struct request *q) {
  char *ptx;
  size_t size;
  struct heddle_message m = {.line = 0};
  struct heddle_program *p = NULL;
  char why[512];
  int status = cc_to_ptx(q->in, &q->cc, &ptx, &size, why, sizeof why);
  if (status != TOOL_OK) {
    tool_error("%s: %s", q->in, why);
    return status;
  }
  if (wants_ptx(q->out)) {
    status = tool_write_file(q->out, ptx, size) ? TOOL_OK : TOOL_USAGE;
  } else {
    p = source_compile(ptx, q->in, &q->with, &m);
    if (!p || heddle_program_save(p, q->out, &m) != HEDDLE_SUCCESS) {
      tool_message(NULL, &m);
      status = TOOL_USAGE;
    }
  }
  heddle_program_free(p);
  free(ptx);
  return status;
}

static int cc_main(int argc, char **argv) {
  struct request q = {.cc = {.level = 2}, .with = {.target = HEDDLE_PTX_TARGET_RTL, .level = 1}};
  int status = parse_cc_options(&q, argc, argv);
  if (status == TOOL_OK) status = compile_request(&q);
  for (unsigned i = 0; i < q.joins; i++) free(q.joined[i]);
  return status;
}

const struct tool_command cmd_cc = {
    "cc", "compile OpenCL C or CUDA C to FILE.elf", cc_main, usage, about, groups, examples, NULL};
