/* SPDX-License-Identifier: Apache-2.0
 * Where --json goes, and the envelope. */
#include "json_out.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <heddle/config.h>
#include <heddle/device.h>
#include <heddle/isa.h>
#include "gen/commit/commit.h" /* made by every build: HEDDLE_COMMIT, HEDDLE_RELEASE */
#include "run/command/tool.h"

const char *version_number(void) {
  return HEDDLE_RELEASE;
}

void version_print(FILE *to) {
  fprintf(to, "heddle %s (commit %s)\ninstruction set %016" PRIx64 "\nconfigurations built:", HEDDLE_RELEASE,
          HEDDLE_COMMIT, heddle_isa_hash());
  unsigned n = 0;
  for (size_t i = 0; i < heddle_config_count(); i++) {
    const char *name = heddle_config_at(i)->name;
    if (!heddle_dut_built(NULL, "verilator", name)) continue;
    fprintf(to, " %s", name);
    n++;
  }
  fputs(n > 0 ? "\n" : " none, the model alone\n", to);
}

json_t *version_json(void) {
  char isa[20];
  (void)snprintf(isa, sizeof isa, "%016" PRIx64, heddle_isa_hash());
  return json_pack("{s:s, s:s, s:s}", "version", HEDDLE_RELEASE, "commit", HEDDLE_COMMIT, "isa", isa);
}

enum { ENVELOPE_VERSION = 2, ERRORS_MAX = 64 };

static int kept = -1;      /* standard output as it was, once it is JSON's */
static const char *wanted; /* the value of --json */
static json_t *given;      /* what the command told for it */
static json_t *errors;

const char *json_out_take(const char *path) {
  wanted = path;
  if (strcmp(path, "-") != 0 || kept >= 0) return path;
  (void)fflush(stdout);
  kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (kept >= 0) (void)dup2(STDERR_FILENO, STDOUT_FILENO);
  return path;
}

static FILE *open_for_writing(const char *path) {
  if (strcmp(path, "-") != 0) return fopen(path, "w");
  const int fd = kept < 0 ? -1 : fcntl(kept, F_DUPFD_CLOEXEC, 3);
  return fd < 0 ? NULL : fdopen(fd, "w");
}

void json_out_error(const char *text) {
  if (!errors) errors = json_array();
  if (json_array_size(errors) > ERRORS_MAX) return;
  json_t *j = json_string(json_array_size(errors) < ERRORS_MAX ? text : "more errors are on standard error alone");
  (void)json_array_append_new(errors, j ? j : json_string("(not UTF-8)"));
}

json_t *json_out_seed(uint64_t seed) {
  char text[24];
  (void)snprintf(text, sizeof text, "%" PRIu64, seed);
  return json_string(text);
}

/* The envelope around root, which is let go. */
static json_t *enclose(json_t *root) {
  json_t *j =
      json_pack("{s:i, s:o, s:n, s:{}}", "version", ENVELOPE_VERSION, "heddle", version_json(), "seed", "counters");
  bool ok = j && root && json_object_update(j, root) == 0;
  ok = ok && json_object_set_new(j, "version", json_integer(ENVELOPE_VERSION)) == 0;
  json_decref(root);
  if (ok) return j;
  json_decref(j);
  return NULL;
}

static bool write_file(const char *path, json_t *root) {
  FILE *f = root ? open_for_writing(path) : NULL;
  bool ok = f && json_dumpf(root, f, JSON_INDENT(1)) == 0 && fputc('\n', f) != EOF;
  const int why = errno;
  if (f && fclose(f) != 0) ok = false;
  if (!ok) tool_error("%s: cannot write JSON: %s", path, root ? strerror(why) : "out of memory, or text is no UTF-8");
  json_decref(root);
  return ok;
}

bool json_out_dump(const char *path, json_t *root) {
  if (!wanted || strcmp(path, wanted) != 0 || !root) return write_file(path, enclose(root));
  json_decref(given);
  given = root;
  return true;
}

int json_out_finish(const char *command, int status) {
  json_t *all = NULL;
  if (wanted) {
    all = enclose(given ? given : json_object());
    (void)json_object_set_new(all, "command", json_string(command));
    (void)json_object_set_new(all, "status", json_string(tool_exit_name((enum tool_exit)status)));
    (void)json_object_set_new(all, "exit", json_integer(status));
    (void)json_object_set_new(all, "errors", errors ? json_incref(errors) : json_array());
    if (!write_file(wanted, all)) status = TOOL_USAGE;
  }
  json_decref(errors);
  errors = given = NULL;
  return status;
}
