/* SPDX-License-Identifier: Apache-2.0
 * What the subcommands share: messages, files, where data files lie, gnuplot. */
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process.h"
#include "cosim/device/folder.h"
#include "run/command/json_out.h"

const char *tool_program = "heddle";

bool tool_color(void) {
  return isatty(STDERR_FILENO) && !getenv("NO_COLOR");
}

static void say_error(const char *text) {
  fprintf(stderr, tool_color() ? "heddle: \033[31merror:\033[0m %s\n" : "heddle: error: %s\n", text);
  json_out_error(text);
}

void tool_error(const char *format, ...) {
  char text[4096];
  va_list ap;
  va_start(ap, format);
  (void)vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  say_error(text);
}

void tool_log(const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vfprintf(stderr, format, ap);
  va_end(ap);
  fputc('\n', stderr);
}

int tool_usage(const char *command, const char *format, ...) {
  char text[4096];
  va_list ap;
  va_start(ap, format);
  const int n = vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  if (n >= 0 && (size_t)n < sizeof text)
    (void)snprintf(text + n, sizeof text - (size_t)n, " ('heddle %s --help' says more)", command);
  say_error(text);
  return TOOL_USAGE;
}

void tool_message(void *ctx, const struct heddle_message *m) {
  char text[sizeof m->text + 512], place[32] = "";
  (void)ctx;
  if (m->line > 0 && m->column > 0)
    (void)snprintf(place, sizeof place, ":%u:%u", m->line, m->column);
  else if (m->line > 0)
    (void)snprintf(place, sizeof place, ":%u", m->line);
  (void)snprintf(text, sizeof text, "%s%s: %s: %s", m->file, place, m->warning ? "warning" : "error", m->text);
  fprintf(stderr, "%s\n", text);
  if (!m->warning) json_out_error(text);
}

const char *tool_exit_name(enum tool_exit status) {
  static const char *const name[] = {"ok", "difference", "usage", "fault", "limit", "missing"};
  return (unsigned)status < sizeof name / sizeof *name ? name[status] : "unknown";
}

const char *tool_exit_text(enum tool_exit status) {
  static const char *const text[] = {
      "ok",
      "difference or failed case",
      "usage or bad input",
      "the program is at fault: a trap, a deadlock, a use of what was never written, a finding",
      "cycle or time limit",
      "a missing tool or a configuration that is not built"};
  return text[status];
}

uint8_t *tool_read_file(const char *path, size_t most, size_t *size) {
  enum file_end end;
  uint8_t *data = file_read(path, most, size, &end);
  if (end == FILE_NOT_OPENED) tool_error("%s: %s", path, strerror(errno));
  if (end == FILE_NO_MEMORY) tool_error("%s: out of memory", path);
  if (end == FILE_NOT_READ || end == FILE_TOO_LARGE)
    tool_error("%s: cannot be read, or is larger than %zu bytes", path, most);
  return data;
}

bool tool_write_file(const char *path, const void *data, size_t size) {
  FILE *f = fopen(path, "wb");
  bool ok = f && fwrite(data, 1, size, f) == size;
  if (f && fclose(f) != 0) ok = false;
  if (!ok) tool_error("%s: %s", path, strerror(errno));
  return ok;
}

bool tool_can_write(const char *path) {
  struct stat is;
  bool can;
  if (stat(path, &is) == 0) {
    can = access(path, W_OK) == 0;
    if (S_ISDIR(is.st_mode)) can = false, errno = EISDIR;
  } else {
    // What access() says of a folder is not true for root: we try.
    const int made = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    can = made >= 0 && close(made) == 0 && unlink(path) == 0;
  }
  if (!can) tool_error("%s: cannot be written: %s", path, strerror(errno));
  return can;
}

bool tool_number(const char *text, uint64_t most, uint64_t *value) {
  char *end;
  if (*text < '0' || *text > '9') return false;
  errno = 0;
  unsigned long long v = strtoull(text, &end, 0);
  if (errno || *end || v > most) return false;
  *value = v;
  return true;
}

bool tool_machine(const char *config, struct heddle_machine *m) {
  if (config) return heddle_machine_find(config, m);
  heddle_machine_slowest(m);
  return true;
}

unsigned tool_fp64_latency(const char *config) {
  struct heddle_machine m = {.size = sizeof m};
  return tool_machine(config, &m) ? m.fp64_latency : 0;
}

bool tool_stalls(const char *config, uint8_t stall[8]) {
  struct heddle_machine m = {.size = sizeof m};
  memset(stall, 0, 8);
  if (!tool_machine(config, &m)) return false;
  memcpy(stall, m.stall, 8);
  return true;
}

/* Data files, found when the program runs. */

static const struct folder_places places = {"HEDDLE_DATA", {DATA_FOLDER, NULL}, DATA_FOLDER_INSTALLED};

static bool below(const char *folder, const char *name, char *path, size_t bytes) {
  const int len = snprintf(path, bytes, "%s/%s", folder, name);
  return len > 0 && len < (int)bytes && access(path, R_OK) == 0;
}

bool data_has(const char *name, char *path, size_t bytes) {
  char folder[3072];
  return folder_find(&places, folder, sizeof folder) && below(folder, name, path, bytes);
}

bool data_path(const char *name, char *path, size_t bytes) {
  char folder[3072];
  if (!folder_find(&places, folder, sizeof folder)) {
    tool_error("no folder %s beside the program, nor %s; HEDDLE_DATA can name one", DATA_FOLDER, DATA_FOLDER_INSTALLED);
    return false;
  }
  if (below(folder, name, path, bytes)) return true;
  tool_error("%s: no %s there; HEDDLE_DATA can name another folder", folder, name);
  return false;
}

/* Pictures by gnuplot. */

/* With `script` as its input, or just its version. */
bool picture_gnuplot(FILE *script) {
  if (script != NULL && (fflush(script) != 0 || fseek(script, 0, SEEK_SET) != 0)) return false;
  const char *const words[] = {"gnuplot", script != NULL ? "-" : "--version", NULL};
  const bool tells = script != NULL;
  const struct process p = {.words = words,
                            .in = tells ? fileno(script) : -1,
                            .out = tells ? STDOUT_FILENO : -1,
                            .err = tells ? STDERR_FILENO : -1};
  pid_t pid;
  return process_start(&p, &pid) && process_wait(pid) == 0;
}

int picture_ready(const char *what) {
  if (picture_gnuplot(NULL)) return TOOL_OK;
  tool_error("%s: gnuplot does not run; scripts/setup.sh installs it (Debian: gnuplot-nox)", what);
  return TOOL_MISSING;
}

void picture_path(FILE *f, const char *path) {
  fputs(path[0] == '/' ? "'" : "'./", f);
  for (; *path != '\0'; path++) {
    if (*path == '\'') fputc('\'', f);
    fputc(*path, f);
  }
  fputc('\'', f);
}
