/* SPDX-License-Identifier: Apache-2.0
 * heddle-nvcc as a child. It lies beside this library, as built or as installed, or in the PATH. */
#include "tools/cuda/child.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process.h"

char *child_folder(void) {
  char path[TEMPORARY_PATH];
  temporary_name(path, "nvrtc");
  return mkdtemp(path) && chmod(path, S_IRWXU) == 0 ? strdup(path) : NULL; /* whatever the host's umask */
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *where) {
  (void)s, (void)kind, (void)where;
  return remove(path);
}

void child_remove(char *folder) {
  enum { FILES = 16 };
  (void)nftw(folder, remove_one, FILES, FTW_DEPTH | FTW_PHYS);
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

/* From the start. */
static char *all_of(int fd) {
  struct stat s;
  size_t done = 0;
  char *text = fstat(fd, &s) == 0 ? malloc((size_t)s.st_size + 1) : NULL;
  while (text && done < (size_t)s.st_size) {
    const ssize_t n = pread(fd, text + done, (size_t)s.st_size - done, (off_t)done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += (size_t)n;
  }
  if (text) text[done] = '\0';
  return text;
}

char *child_text(const char *folder, const char *name) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  char *text = fd >= 0 ? all_of(fd) : NULL;
  if (fd >= 0) (void)close(fd);
  return text;
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
  *said = out >= 0 ? all_of(out) : NULL;
  if (out >= 0) (void)close(out);
  return status;
}
