/* SPDX-License-Identifier: Apache-2.0
 * heddle-nvcc as a child. It lies beside this library, as built or as installed, or in the PATH. */
#include "firmware/host/cuda/child.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process.h"

char *child_folder(void) {
  char path[TEMPORARY_PATH];
  return temporary_folder(path, "nvrtc") ? strdup(path) : NULL;
}

void child_remove(char *folder) {
  temporary_remove(folder);
  free(folder);
}

FILE *child_file(const char *folder, const char *name) {
  char path[PATH_MAX];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) return NULL;
  for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = '\0';
    if (mkdir(path, S_IRWXU) == 0) (void)chmod(path, S_IRWXU); /* it may be there */
    *slash = '/';
  }
  FILE *f = file_create(path);
  if (f) (void)fchmod(fileno(f), S_IRUSR | S_IWUSR);
  return f;
}

char *child_text(const char *folder, const char *name) {
  char path[PATH_MAX];
  size_t size;
  enum file_end end;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return file_read(path, SIZE_MAX, &size, &end);
}

/* Where this library lies, and from there. */
static const char *find_compiler(char path[PATH_MAX]) {
  static const char *const places[] = {"../heddle-nvcc", "../bin/heddle-nvcc", "../../bin/heddle-nvcc"};
  Dl_info here;
  char library[PATH_MAX];
  if (dladdr((const void *)&child_folder, &here) == 0 || !here.dli_fname || !realpath(here.dli_fname, library))
    return "heddle-nvcc";
  *strrchr(library, '/') = '\0';
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
    if (snprintf(path, PATH_MAX, "%s/%s", library, places[i]) < PATH_MAX && access(path, X_OK) == 0) return path;
  return "heddle-nvcc";
}

int child_run(const char *folder, const char **words, char **said) {
  char path[PATH_MAX];
  words[0] = find_compiler(path);
  (void)fflush(NULL);
  const int out = file_in_memory(NULL, 0);
  const struct process p = {.words = words, .folder = folder, .in = -1, .out = out, .err = out};
  const int status = out >= 0 ? process_run(&p) : -1;
  size_t size;
  enum file_end end;
  *said = out >= 0 ? file_read_open(out, SIZE_MAX, &size, &end) : NULL;
  if (out >= 0) (void)close(out);
  return status;
}
