/* SPDX-License-Identifier: Apache-2.0
 * heddle-nvcc as a child. It lies beside this library, as built or as installed, or in the PATH. */
#include "tools/cuda/child.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

char *child_folder(void) {
  const char *top = getenv("TMPDIR");
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/heddle-nvrtc-XXXXXX", top && *top ? top : "/tmp");
  return mkdtemp(path) ? strdup(path) : NULL;
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
    (void)mkdir(path, S_IRWXU); /* it may be there */
    *slash = '/';
  }
  return fopen(path, "w");
}

char *child_text(const char *folder, const char *name) {
  char path[PATH_MAX];
  struct stat s;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "rb");
  if (!f) return NULL;
  char *text = fstat(fileno(f), &s) == 0 ? malloc((size_t)s.st_size + 1) : NULL;
  if (text) text[fread(text, 1, (size_t)s.st_size, f)] = '\0';
  (void)fclose(f);
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

_Noreturn static void become(const char *folder, const char **words, const char *log) {
  const int out = chdir(folder) == 0 ? open(log, O_WRONLY | O_CREAT | O_TRUNC, S_IRUSR | S_IWUSR) : -1;
  if (out >= 0 && dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0)
    execvp(words[0], (char *const *)(uintptr_t)words);
  _exit(127);
}

int child_run(const char *folder, const char **words, const char *log) {
  char path[PATH_MAX];
  int status = 0;
  words[0] = find_compiler(path);
  (void)fflush(NULL);
  const pid_t child = fork();
  if (child == 0) become(folder, words, log);
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}
