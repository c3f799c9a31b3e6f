/* SPDX-License-Identifier: Apache-2.0
 * Digests that are wrong, and the launch again with the full stream. */
#include "replay.h"

#include <string.h>

#include "run/board/check_digest.h"

static const char digest[] = "_digest", stream[] = "_stream";

/* "tiny_digest" to "tiny_stream"; false: no device of digests. */
static bool other_device(const char *name, char *to, size_t room) {
  const size_t n = strlen(name), tail = sizeof digest - 1;
  if (n <= tail || strcmp(name + n - tail, digest) != 0) return false;
  return (size_t)snprintf(to, room, "%.*s%s", (int)(n - tail), name, stream) < room;
}

int run_replay_check(const struct run_options *o, const char *file) {
  char name[64];
  if (!file) return TOOL_OK;
  if (!o->stream) return tool_usage("run", "--replay needs --stream FILE, which gets the digests");
  if (o->on != ON_RTL && o->on != ON_LOCKSTEP) return tool_usage("run", "--replay: with --on rtl or lockstep");
  if (other_device(o->config_name, name, sizeof name)) return TOOL_OK;
  return tool_usage("run", "--replay is for a device of variant digest: --config tiny_digest");
}

/* The same launch, fault and seeds included, unjudged; its stream goes to `file`. */
static int again(const struct run_options *o, const struct job *job, const char *file) {
  char name[64];
  int status;
  struct run_result result;
  struct run_options full = *o;
  (void)other_device(o->config_name, name, sizeof name);
  full.config_name = name;
  full.on = ON_RTL;
  full.stream = file;
  full.trace = full.wave = full.cov = full.json = NULL;
  full.wave_last = 0;
  full.profile = full.beside = false;
  struct runner *r = runner_new(&full, &status);
  if (!r) return status;
  runner_run(r, job, NULL, &result);
  runner_free(r);
  const bool ran = result.status != RUN_MISSING && result.status != RUN_BAD_INPUT;
  if (!ran) tool_error("the launch could not be run on %s: %s", name, result.message);
  run_result_clear(&result);
  return ran ? TOOL_OK : TOOL_MISSING;
}

int run_replay(const struct run_options *o, const struct job *job, const char *file, int status, json_t **json) {
  struct check_digest c = {.file = o->stream, .program = job->program};
  int verdict = check_digest(&c);
  if (c.digest.outcome == HEDDLE_DIGEST_DIFFERENCE) {
    const int ran = again(o, job, file);
    if (ran == TOOL_OK) check_digest_replay(&c, file);
    if (ran != TOOL_OK) verdict = ran;
  }
  *json = check_digest_json(&c);
  check_digest_clear(&c);
  if (status == TOOL_DIFFERENCE) return status; /* lockstep has found one, whatever of the digests has come */
  return verdict == TOOL_OK || verdict == TOOL_TRAPPED ? status : verdict;
}
