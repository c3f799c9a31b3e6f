/* SPDX-License-Identifier: Apache-2.0
 * clang as a child process: source to LLVM's text, that to bitcode, bitcode to PTX. Files are memory of this process
 * that the child inherits. The options are those of `heddle cc` (run/programs/cc.c). */
#include "firmware/host/opencl/clang.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cosim/device/folder.h"
#include "base/file.h"
#include "base/process.h"

static const struct folder_places places = {"HEDDLE_DATA", {DATA_FOLDER, NULL}, DATA_FOLDER_INSTALLED};

/* ---- where it is */

static bool in_path(const char *program, char *found, size_t bytes) {
  const char *path = strchr(program, '/') ? "" : getenv("PATH");
  if (path && !*path) return snprintf(found, bytes, "%s", program) < (int)bytes && access(found, X_OK) == 0;
  while (path && *path) {
    const size_t n = strcspn(path, ":");
    if (snprintf(found, bytes, "%.*s/%s", (int)n, path, program) < (int)bytes && access(found, X_OK) == 0) return true;
    path += n + (path[n] == ':');
  }
  return false;
}

bool clang_find(struct clang *c, struct text *log) {
  static const char *const names[] = {"clang-19", "clang-14"};
  const char *given = getenv("HEDDLE_CLANG");
  char folder[3072];
  bool found = given && *given ? in_path(given, c->program, sizeof c->program) : false;
  for (size_t i = 0; !(given && *given) && !found && i < sizeof names / sizeof *names; i++)
    found = in_path(names[i], c->program, sizeof c->program);
  if (!found) {
    (void)text_put(log, "OpenCL C needs clang: 'apt-get install clang-19 libclc-14' installs it\n");
    return false;
  }
  if (!folder_find(&places, folder, sizeof folder) ||
      snprintf(c->header, sizeof c->header, "%s/cc/opencl.h", folder) >= (int)sizeof c->header ||
      access(c->header, R_OK) != 0) {
    (void)text_put(log, "the headers of 'heddle cc' are not installed\n");
    return false;
  }
  if (access(CLANG_LIBRARY, R_OK) == 0) return true;
  (void)text_put(log, "OpenCL C needs " CLANG_LIBRARY ": 'apt-get install libclc-14' installs it\n");
  return false;
}

static void add_file(struct ocl_key *k, const char *path) {
  struct stat s;
  ocl_key_add(k, path, strlen(path));
  if (stat(path, &s) != 0) return;
  ocl_key_add(k, &s.st_size, sizeof s.st_size);
  ocl_key_add(k, &s.st_mtim, sizeof s.st_mtim);
}

void clang_identify(const struct clang *c, struct ocl_key *k) {
  static const char *const included[] = {"opencl_atomic.h", "opencl_math.h", "borders.h", "trig.h", "coefficients.h"};
  const char *const end = strrchr(c->header, '/');
  add_file(k, c->program);
  add_file(k, c->header);
  for (size_t i = 0; i < sizeof included / sizeof *included; i++) {
    char path[sizeof c->header + 16];
    snprintf(path, sizeof path, "%.*s/%s", end ? (int)(end - c->header) : 0, c->header, included[i]);
    add_file(k, path);
  }
  add_file(k, CLANG_LIBRARY);
}

/* ---- arguments */

void clang_add(struct clang_arguments *a, const char *text) {
  if (a->count < CLANG_ARGUMENTS - 1) a->at[a->count++] = text;
}

void clang_add_inner(struct clang_arguments *a, const char *text) {
  clang_add(a, "-Xclang");
  clang_add(a, text);
}

void clang_add_all(struct clang_arguments *a, const char *const *all) {
  for (; *all; all++) clang_add(a, *all);
}

/* ---- the child */

static bool read_file(int fd, struct text *out) {
  size_t bytes;
  enum file_end end;
  char *all = file_read_open(fd, SIZE_MAX, &bytes, &end);
  const bool well = all && (bytes == 0 || text_add(out, all, bytes));
  free(all);
  return well;
}

bool clang_run(const struct clang_arguments *a, const char *in, size_t bytes, const int *keep, size_t kept,
               struct text *out, struct text *log) {
  int fd[3] = {file_in_memory(in, bytes), file_in_memory(NULL, 0), file_in_memory(NULL, 0)};
  bool well = fd[0] >= 0 && fd[1] >= 0 && fd[2] >= 0;
  if (well) {
    const struct process p = {.words = a->at, .in = fd[0], .out = fd[1], .err = fd[2], .keep = keep, .kept = kept};
    const int status = process_run(&p);
    well = read_file(fd[2], log) && status == 0 && read_file(fd[1], out);
    if (status < 0 || status > 127) (void)text_put(log, "clang did not end well\n");
  }
  for (unsigned i = 0; i < 3; i++)
    if (fd[i] >= 0) (void)close(fd[i]);
  return well;
}

void clang_add_undefined(struct clang_arguments *a, const struct clang *c) {
  const struct clang_arguments ask = {.at = {c->program, "-dumpversion"}, .count = 2};
  struct text version = {0}, log = {0};
  const bool is_14 =
      clang_run(&ask, "", 0, NULL, 0, &version, &log) && version.at && strncmp(version.at, "14.", 3) == 0;
  clang_add_inner(a, is_14 ? "-disable-noundef-analysis" : "-no-enable-noundef-analysis");
  text_free(&version);
  text_free(&log);
}
