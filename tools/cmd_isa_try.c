/* SPDX-License-Identifier: Apache-2.0
 * heddle isa try: an overlay reported against the base, then built and tested. */
#include <string.h>
#include <time.h>

#include "tools/cmd_isa.h"
#include "run/compare/compare.h"

static bool is_depth(const char *text) {
  return strcmp(text, "isa") == 0 || strcmp(text, "model") == 0 || strcmp(text, "rtl") == 0;
}

/* The suite by its script, and how long it took. */
static int test_variant(const struct isa_options *o) {
  char script[4096], file[4096], depth[8];
  char *argument[] = {script, file, depth, NULL};
  struct timespec from, to;
  (void)snprintf(script, sizeof script, "%s/scripts/test-variant.sh", o->tree);
  (void)snprintf(file, sizeof file, "%s", o->file[0]);
  (void)snprintf(depth, sizeof depth, "%s", o->depth);
  (void)clock_gettime(CLOCK_MONOTONIC, &from);
  const int status = compare_start(script, argument);
  (void)clock_gettime(CLOCK_MONOTONIC, &to);
  printf("\n%s: %s with its build took %lld s: %s\n", o->file[0], o->depth, (long long)(to.tv_sec - from.tv_sec),
         status == 0 ? "ok" : "FAILED");
  if (!isa_close(stdout, NULL)) return TOOL_USAGE;
  if (status == 0) return TOOL_OK;
  tool_error("%s ended with status %d", script, status);
  return status == 1 ? TOOL_DIFFERENCE : TOOL_MISSING;
}

int isa_try(int argc, char **argv) {
  struct isa_options o;
  char base[4096];
  if (!isa_take_options(argc, argv, "otkcnJDj", 1, &o)) return TOOL_USAGE;
  if (!is_depth(o.depth)) return tool_usage("isa", "--depth is isa, model or rtl, not '%s'", o.depth);
  (void)snprintf(base, sizeof base, "%s/isa/heddle.isa", o.tree);
  const char *const file[] = {base, o.file[0]};
  const struct compare_request q = {.file = file,
                                    .files = 2,
                                    .tree = o.tree,
                                    .out = o.out,
                                    .cache = o.cache,
                                    .config = o.config,
                                    .jobs = o.jobs,
                                    .synth = !o.no_synth};
  const int status = isa_compare(&q, o.json);
  if (status != TOOL_OK) return status;
  struct diag d = {0};
  struct spec *s = isa_load(o.file[0]);
  const bool built = s && spec_buildable(s, &d);
  if (s && !built) tool_error("%s", d.text);
  spec_free(s);
  return built ? test_variant(&o) : TOOL_USAGE;
}
