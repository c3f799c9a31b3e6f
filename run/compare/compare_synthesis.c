/* SPDX-License-Identifier: Apache-2.0
 * What decoders and issue logic cost: packages are written here, scripts/synth-encoding.sh maps them. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/compare/compare.h"
#include "isa/gen/emit.h"
#include "base/process.h"
#include "run/command/tool.h"

enum { PATH_BYTES = 4096, SYNTH_BYTES_MAX = 1 << 20 };

static bool folder_of(const struct comparison *c, unsigned i, char *path, size_t n) {
  const int len = snprintf(path, n, "%s/%016" PRIx64, c->q.cache, c->encoding[i].spec->hash);
  return len > 0 && (size_t)len < n;
}

static bool make_synthesis_folder(const char *path) {
  if (mkdir(path, 0777) == 0 || errno == EEXIST) return true;
  tool_error("%s: %s", path, strerror(errno));
  return false;
}

/* The package; not written again where it says the same, so that nothing seems to have changed. */
static bool write_package(const struct comparison *c, unsigned i) {
  char path[PATH_BYTES];
  struct diag d = {0};
  if (!folder_of(c, i, path, sizeof path) || !make_synthesis_folder(path)) return false;
  FILE *f = text_create(path, "isa_pkg.sv", &d);
  if (f) emit_sv(c->encoding[i].spec, f);
  if (f && text_close(f, "isa_pkg.sv", &d)) return true;
  tool_error("%s", d.text);
  return false;
}

int compare_start(const char *script, char **argument) {
  pid_t pid;
  (void)fflush(NULL);
  argument[0] = (char *)(uintptr_t)script; /* it is only read */
  const struct process p = {
      .words = (const char *const *)argument, .in = STDIN_FILENO, .out = STDERR_FILENO, .err = STDERR_FILENO};
  return process_start(&p, &pid) ? process_wait(pid) : TOOL_MISSING;
}

static int run_script(const struct comparison *c) {
  char script[PATH_BYTES], jobs[16], folder[COMPARE_MOST][PATH_BYTES];
  char *argument[COMPARE_MOST + 4] = {script, (char[]){"--jobs"}, jobs};
  unsigned n = 3;
  (void)snprintf(script, sizeof script, "%s/scripts/synth-encoding.sh", c->q.tree);
  (void)snprintf(jobs, sizeof jobs, "%u", c->q.jobs);
  for (unsigned i = 0; i < c->encodings; i++)
    if (folder_of(c, i, folder[i], sizeof folder[i])) argument[n++] = folder[i];
  const int status = compare_start(script, argument);
  if (status == 0) return TOOL_OK;
  tool_error("%s ended with status %d; --no-synth leaves synthesis out", script, status);
  return status == TOOL_USAGE ? TOOL_USAGE : TOOL_MISSING;
}

static bool read_figures(const struct comparison *c, unsigned i, struct compare_synth *s) {
  char path[PATH_BYTES + 16], folder[PATH_BYTES];
  json_error_t at;
  if (!folder_of(c, i, folder, sizeof folder)) return false;
  (void)snprintf(path, sizeof path, "%s/synth.json", folder);
  json_t *j = json_load_file(path, 0, &at);
  int lut[4] = {0}, levels[2] = {0};
  const bool ok = j && json_unpack_ex(j, &at, 0, "{s:{s:i, s:i, s:F}, s:{s:i, s:i, s:F}, s:{s:i}, s:{s:i}}", "decoder",
                                      "lut4", &lut[0], "levels", &levels[0], "mhz", &s->decoder_mhz, "decoder_fast",
                                      "lut4", &lut[1], "levels", &levels[1], "mhz", &s->fast_mhz, "issue_control",
                                      "lut4", &lut[2], "issue_scoreboard", "lut4", &lut[3]) == 0;
  if (!ok) tool_error("%s:%d: %s", path, at.line, at.text);
  json_decref(j);
  s->there = ok;
  s->decoder_lut4 = (unsigned)lut[0], s->fast_lut4 = (unsigned)lut[1];
  s->control_lut4 = (unsigned)lut[2], s->scoreboard_lut4 = (unsigned)lut[3];
  s->decoder_levels = (unsigned)levels[0], s->fast_levels = (unsigned)levels[1];
  return ok;
}

int compare_synthesis(struct comparison *c) {
  bool ok = make_synthesis_folder(c->q.cache);
  for (unsigned i = 0; ok && i < c->encodings; i++) ok = write_package(c, i);
  if (!ok) return TOOL_USAGE;
  const int status = run_script(c);
  if (status != TOOL_OK) return status;
  for (unsigned i = 0; ok && i < c->encodings; i++) ok = read_figures(c, i, &c->encoding[i].synth);
  return ok ? TOOL_OK : TOOL_MISSING;
}
