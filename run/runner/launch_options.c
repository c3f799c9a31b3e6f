/* SPDX-License-Identifier: Apache-2.0
 * Which kernel is launched how, on the command line: sizes, options, --bus-errors. */
#include "launch_options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/command/tool.h"

/* Sizes of a launch: the first step of `heddle run` (docs/how-a-launch-travels.md, A 1). */

#define BLOCK_BY_ITSELF 64u /* threads, where nobody says how many: every machine has room for it */

bool launch_size_take(const char *text, uint32_t size[3]) {
  size[0] = size[1] = size[2] = 1;
  for (unsigned d = 0; d < 3; d++) {
    char *end;
    if (*text < '0' || *text > '9') return false;
    unsigned long v = strtoul(text, &end, 10);
    if (v == 0 || v > 0x7fffffffu) return false;
    size[d] = (uint32_t)v;
    if (*end == 0) return true;
    if (*end != ',') return false;
    text = end + 1;
  }
  return false;
}

/* The one that the kernel requires, or the largest that divides x. */
static void choose_block(struct launch_size *s, const struct heddle_promise *p) {
  if (p && p->block[0] != 0) {
    memcpy(s->block, p->block, sizeof s->block);
    return;
  }
  uint32_t x = p && p->threads != 0 && p->threads < BLOCK_BY_ITSELF ? p->threads : BLOCK_BY_ITSELF;
  while (s->global[0] % x != 0) x--;
  s->block[0] = x;
  s->block[1] = s->block[2] = 1;
}

bool launch_size_waits(const struct launch_size *s) {
  return s->global[0] != 0 && s->grid[0] == 0 && s->block[0] == 0;
}

bool launch_size_finish(struct launch_size *s, const struct heddle_promise *p, char *err, size_t n) {
  static const char name[3] = {'X', 'Y', 'Z'};
  if (s->global[0] == 0 && s->grid[0] != 0 && s->block[0] != 0) return true;
  if (s->global[0] == 0 || s->grid[0] != 0) {
    snprintf(err, n, "--grid and --block are needed, or --global (with --local, if it matters)");
    return false;
  }
  if (s->block[0] == 0) choose_block(s, p);
  for (unsigned d = 0; d < 3; d++) {
    s->grid[d] = s->global[d] / s->block[d];
    if (s->global[d] % s->block[d] == 0) continue;
    snprintf(err, n, "--global: %u threads in %c are no whole blocks of %u", s->global[d], name[d], s->block[d]);
    return false;
  }
  return true;
}

/* Options that say which kernel is launched how. */

const struct tool_option launch_option_table[] = {
    {"kernel", "K", "entry, of CUDA C also as its source calls it (may be left out where there is one)", 'k', NULL},
    {"grid", "X,Y,Z", "blocks (missing sizes are 1)", 'g', NULL},
    {"block", "X,Y,Z", "threads of a block", 'b', NULL},
    {"global", "X,Y,Z", "instead of --grid: all threads", 'G', NULL},
    {"local", "X,Y,Z", "another name of --block", 'L', NULL},
    {"shared", "BYTES", "dynamic shared memory (extern __shared__ of CUDA C)", 's', NULL},
    {"arg", "A", "one for each parameter, in order", 'a', NULL},
    {"cc", "OPTION", "of .cl and .cu: an option for clang (-DN=4, -Iinclude, -O0)", 'c', NULL},
    {"printf", "BYTES", "room for what a compiled file prints (default 65536); what finds none is counted", 'p', NULL},
    {"heap", "BYTES", SOURCE_HEAP_HELP, 'h', NULL},
    {"bank", "B:FILE", "constant bank 1 or 2", 'B', NULL},
    {"base", "ADDR", "where buffers begin, a multiple of 4096 (default 0x100000)", 'A', NULL},
    {0}};

void launch_options_init(struct launch_options *l) {
  l->cc.level = 2;
}

/* "1:FILE" */
static int take_bank(struct launch_options *l, const char *command, const char *text) {
  if ((text[0] != '1' && text[0] != '2') || text[1] != ':')
    return tool_usage(command, "--bank %s: expected 1:FILE or 2:FILE", text);
  const unsigned b = (unsigned)(text[0] - '0');
  free(l->bank[b]);
  l->bank[b] = tool_read_file(text + 2, HEDDLE_CONST_MAX, &l->bank_bytes[b]);
  return l->bank[b] ? TOOL_OK : TOOL_USAGE;
}

static int take_base(struct launch_options *l, const char *command, const char *text) {
  if (tool_number(text, (UINT64_C(1) << 40) - 1, &l->job.base) && l->job.base % 4096 == 0 && l->job.base != 0)
    return TOOL_OK;
  return tool_usage(command, "--base %s: expected a multiple of 4096 from 4096 to 0xfffffff000", text);
}

static int take_size(struct launch_options *l, const char *command, int option, const char *text) {
  const char *name = option == 'g' ? "grid" : option == 'b' ? "block" : option == 'L' ? "local" : "global";
  uint32_t *size = option == 'g' ? l->size.grid : option == 'G' ? l->size.global : l->size.block;
  if (launch_size_take(text, size)) return TOOL_OK;
  return tool_usage(command, "--%s %s: expected X,Y,Z, each at least 1", name, text);
}

static int take_shared(struct launch_options *l, const char *command, const char *text) {
  uint64_t shared;
  if (!tool_number(text, JOB_SHARED_MAX, &shared))
    return tool_usage(command, "--shared %s: expected bytes, at most %u", text, JOB_SHARED_MAX);
  l->job.dynamic_shared = (uint32_t)shared;
  return TOOL_OK;
}

static int take_arg(struct launch_options *l, const char *text) {
  char err[512];
  if (job_add_arg(&l->job, text, err, sizeof err)) return TOOL_OK;
  tool_error("%s", err);
  return TOOL_USAGE;
}

static int take_cc(struct launch_options *l, const char *command, const char *text) {
  if (l->cc.mores == CC_MORE_MAX) return tool_usage(command, "--cc: at most %u", CC_MORE_MAX);
  l->cc.more[l->cc.mores++] = text;
  return TOOL_OK;
}

bool launch_options_take(struct launch_options *l, const char *command, int option, int *status) {
  *status = TOOL_OK;
  switch (option) {
  case 'k':
    l->kernel = optarg;
    return true;
  case 'c':
    *status = take_cc(l, command, optarg);
    return true;
  case 'B':
    *status = take_bank(l, command, optarg);
    return true;
  case 'A':
    *status = take_base(l, command, optarg);
    return true;
  case 's':
    *status = take_shared(l, command, optarg);
    return true;
  case 'p':
    if (!source_printf(optarg, &l->printf_bytes)) *status = tool_usage(command, "--printf %s: " SOURCE_PRINTF, optarg);
    return true;
  case 'h':
    if (!source_heap(optarg, &l->heap_bytes)) *status = tool_usage(command, "--heap %s: " SOURCE_HEAP, optarg);
    return true;
  case 'g':
  case 'b':
  case 'L':
  case 'G':
    *status = take_size(l, command, option, optarg);
    return true;
  case 'a':
    *status = take_arg(l, optarg);
    return true;
  default:
    return false;
  }
}

int launch_options_finish(struct launch_options *l, const char *command, int argc, char **argv) {
  char err[200];
  if (optind + 1 != argc) return tool_usage(command, "one file is needed");
  l->file = argv[optind];
  const bool well = launch_size_waits(&l->size) || launch_size_finish(&l->size, NULL, err, sizeof err);
  return well ? TOOL_OK : tool_usage(command, "%s", err);
}

struct heddle_program *launch_options_load(const struct launch_options *l, struct source_options with, int *status) {
  struct heddle_message m;
  bool missing = false;
  with.warns = true;
  with.missing = &missing;
  with.cc = &l->cc;
  with.printf_bytes = l->printf_bytes;
  with.heap_bytes = l->heap_bytes;
  struct heddle_program *p = source_load_with(l->file, &with, &m);
  if (p) return p;
  tool_message(NULL, &m);
  *status = missing ? TOOL_MISSING : TOOL_USAGE;
  return NULL;
}

static bool build_options_job(struct launch_options *l, const struct heddle_program *p, char *err, size_t n) {
  const struct heddle_kernel *k = job_kernel(p, l->kernel, err, n);
  if (!k || (launch_size_waits(&l->size) && !launch_size_finish(&l->size, &k->promise, err, n))) return false;
  return job_build(&l->job, p, l->kernel, l->size.grid, l->size.block, err, n);
}

bool launch_options_build(struct launch_options *l, const struct heddle_program *p) {
  char err[512];
  if (!build_options_job(l, p, err, sizeof err)) {
    tool_error("%s", err);
    return false;
  }
  for (unsigned b = 1; b < 3; b++) {
    l->job.launch.cbank[b] = l->bank[b];
    l->job.launch.cbank_bytes[b] = (uint32_t)l->bank_bytes[b];
  }
  return true;
}

void launch_options_clear(struct launch_options *l) {
  job_clear(&l->job);
  for (unsigned b = 0; b < 4; b++) free(l->bank[b]);
}

/* --bus-errors. */

/* "0x102000", "code+0x40", "bank1+0x40", "local+0x800" */
static bool errors_from(struct job *j, const char *text, char **end, unsigned long long *at) {
  static const char *const from[] = {"", "code+", "bank0+", "bank1+", "bank2+", "bank3+", "local+"};
  unsigned in = HEDDLE_ERRORS_IN - 1;
  while (in > 0 && strncmp(text, from[in], strlen(from[in])) != 0) in--;
  text += strlen(from[in]);
  j->error_in = (enum heddle_errors_in)in;
  errno = 0;
  *at = strtoull(text, end, 0);
  return *text >= '0' && *text <= '9' && errno == 0 && *at < UINT64_C(1) << (in == 0 ? 40 : 24);
}

int bus_errors_take(struct job *j, const char *text) {
  char *end;
  unsigned long long at;
  uint64_t bytes;
  if (errors_from(j, text, &end, &at) && *end == ':' && tool_number(end + 1, JOB_BYTES_MAX, &bytes) && bytes > 0) {
    j->error_base = at;
    j->error_limit = at + bytes;
    return TOOL_OK;
  }
  return tool_usage(
      "run",
      "--bus-errors %s: expected ADDRESS:BYTES, code+OFFSET:BYTES, local+OFFSET:BYTES or bank0+OFFSET:BYTES (to "
      "bank3), an address of 40 bits, an offset of 24, up to %u bytes",
      text, JOB_BYTES_MAX);
}

bool bus_errors_fit(const struct job *j) {
  uint64_t most = UINT64_MAX;
  if (j->error_in == HEDDLE_ERRORS_CODE) most = j->launch.code_bytes;
  if (j->error_in >= HEDDLE_ERRORS_BANK0 && j->error_in < HEDDLE_ERRORS_LOCAL)
    most = j->launch.cbank_bytes[j->error_in - HEDDLE_ERRORS_BANK0];
  if (j->error_limit <= most) return true;
  tool_error("--bus-errors: %s has %" PRIu64 " bytes", j->error_in == HEDDLE_ERRORS_CODE ? "the code" : "that bank",
             most);
  return false;
}
