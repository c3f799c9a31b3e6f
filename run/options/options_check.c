/* SPDX-License-Identifier: Apache-2.0
 * --pages and --profile-window: what they are given, and what they go with. */
#include <string.h>

#include "run/options/options.h"

#define PAGES_SEED_MOST 65535u

int run_pages_take(struct run_options *o, const char *command, const char *value) {
  uint64_t seed = 1;
  if (value && (!tool_number(value, PAGES_SEED_MOST, &seed) || seed == 0))
    return tool_usage(command, "--pages=%s: expected a number from 1 to %u", value, PAGES_SEED_MOST);
  o->pages = (unsigned)seed;
  return TOOL_OK;
}

int run_pages_check(const struct run_options *o, const char *command) {
  if (o->sanitize != 0 || o->trace)
    return tool_usage(command, "--pages: without --%s, which knows addresses of memory alone",
                      o->sanitize != 0 ? "sanitize" : "trace");
  return TOOL_OK;
}

int run_pages_machine(const struct run_options *o, const char *command) {
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

int run_profile_check(const struct run_options *o, const char *command) {
  if (o->cov != NULL) return tool_usage(command, "--profile-out and --cov: one of them");
  if (o->beside) return tool_usage(command, "--profile-out and --beside: one of them");
  return TOOL_OK;
}
