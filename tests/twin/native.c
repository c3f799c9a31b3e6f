/* SPDX-License-Identifier: Apache-2.0
 * Compiling and loading C twins. The object finds ops.h's functions in this program. */
#include "native.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef TWIN_CC
#define TWIN_CC "cc"
#endif

/* Names that each program has: made different where several are in a file. */
static void rename_all(FILE *to, unsigned k) {
  static const char *const names[] = {"regs", "constants", "parameters", "first_cells", "first",
                                      "last", "fn0",       "fn1",        "fn2"};
  fprintf(to, "#undef BLOCK\n");
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    fprintf(to, "#undef %s\n#define %s %s_%u\n", names[i], names[i], names[i], k);
}

static bool write_file(const char *path, struct twin *const *program, unsigned n, const char *wrong) {
  FILE *to = fopen(path, "w");
  if (!to) return false;
  twin_write_c_head(to);
  for (unsigned k = 0; k < n; k++) {
    char name[24];
    (void)snprintf(name, sizeof name, "twin_%u", k);
    rename_all(to, k);
    twin_write_c(program[k], name, wrong, to);
  }
  return fclose(to) == 0;
}

/* Only calls and moves are compiled: no arithmetic of floats is in there. */
static bool compile(const char *from, const char *to) {
  char out[512];
  (void)snprintf(out, sizeof out, "-o%s", to);
  char *const words[] = {(char *)TWIN_CC, (char *)"-std=c11",    (char *)"-w", (char *)"-O0", (char *)"-shared",
                         (char *)"-fPIC", (char *)"-I" TWIN_DIR, out,          (char *)from,  NULL};
  pid_t child = fork();
  if (child == 0) {
    execvp(words[0], words);
    _exit(127);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool native_make(struct native *x, struct twin *const *program, unsigned n, const char *wrong, char *why, size_t size) {
  char dir[] = "/tmp/heddle-twin.XXXXXX", c[64], so[64];
  x->library = NULL;
  if (!mkdtemp(dir)) {
    (void)snprintf(why, size, "no place for files in /tmp");
    return false;
  }
  (void)snprintf(c, sizeof c, "%s/twin.c", dir);
  (void)snprintf(so, sizeof so, "%s/twin.so", dir);
  if (!write_file(c, program, n, wrong) || !compile(c, so))
    (void)snprintf(why, size, TWIN_CC " did not compile the C twins");
  else if ((x->library = dlopen(so, RTLD_NOW | RTLD_LOCAL)) == NULL)
    (void)snprintf(why, size, "%s", dlerror());
  (void)unlink(c);
  (void)unlink(so);
  (void)rmdir(dir);
  return x->library != NULL;
}

native_twin native_find(const struct native *x, unsigned k) {
  char name[24];
  native_twin f;
  (void)snprintf(name, sizeof name, "twin_%u", k);
  void *at = dlsym(x->library, name);
  memcpy(&f, &at, sizeof f); /* a function's address, as POSIX has it */
  return f;
}

void native_free(struct native *x) {
  if (x->library) (void)dlclose(x->library);
  x->library = NULL;
}
