/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fuzz_fail(const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  fputs("property does not hold: ", stderr);
  vfprintf(stderr, format, ap);
  fputc('\n', stderr);
  va_end(ap);
  abort();
}

/* A target is a function without a context, so the folder has to live here. */
static char folder[256];

static void remove_folder(void) {
  DIR *d = opendir(folder);
  for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
    if (e->d_name[0] != '.') (void)unlinkat(dirfd(d), e->d_name, 0);
  if (d != NULL) closedir(d);
  (void)rmdir(folder);
}

const char *fuzz_path(const char *name) {
  static char path[512];
  if (folder[0] == '\0') {
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/heddle-fuzz-XXXXXX", tmp != NULL ? tmp : "/tmp");
    if (mkdtemp(folder) == NULL) {
      perror(folder);
      exit(2);
    }
    atexit(remove_folder);
  }
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

const char *fuzz_file(const char *name, const void *data, size_t size) {
  const char *path = fuzz_path(name);
  FILE *f = fopen(path, "wb");
  if (f == NULL || fwrite(data, 1, size, f) != size || fclose(f) != 0) {
    perror(path);
    exit(2);
  }
  return path;
}
