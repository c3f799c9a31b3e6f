/* SPDX-License-Identifier: Apache-2.0
 * Which programs there are: a list, executables of a folder, or its folders with one executable each. */
#include "run/hosts/hosts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LIST_MOST = 1 << 20, PATH = 4096 };

static bool add_host(struct hosts *q, const char *name, const char *command, const char *folder) {
  if (q->only && strcmp(q->only, name) != 0) return true;
  struct host_program *more = realloc(q->program, (q->programs + 1) * sizeof *more);
  if (!more) return false;
  q->program = more;
  more[q->programs] = (struct host_program){strdup(name), strdup(command), strdup(folder)};
  const struct host_program *p = &more[q->programs++];
  return p->name && p->command && p->folder;
}

/* ---- a list: "name: command", a line each; # begins a remark */

static bool add_line(struct hosts *q, const char *path, unsigned number, char *line, const char *folder) {
  char *end = line + strlen(line);
  while (end > line && isspace((unsigned char)end[-1])) *--end = '\0';
  while (isspace((unsigned char)*line)) line++;
  if (*line == '\0' || *line == '#') return true;
  const size_t n = strcspn(line, ":");
  char *command = line + n;
  if (*command == ':') *command++ = '\0';
  while (isspace((unsigned char)*command)) command++;
  if (n > 0 && *command && strcspn(line, " \t/") == n) return add_host(q, line, command, folder);
  tool_error("%s:%u: expected NAME: COMMAND", path, number);
  return false;
}

static bool read_list(struct hosts *q, const char *path) {
  size_t bytes;
  char folder[PATH];
  char *text = (char *)tool_read_file(path, LIST_MOST, &bytes), *rest = text;
  if (!text) return false;
  snprintf(folder, sizeof folder, "%s", path);
  char *slash = strrchr(folder, '/');
  snprintf(slash ? slash : folder, 2, "%s", slash ? "" : ".");
  if (folder[0] == '\0') snprintf(folder, sizeof folder, "/");
  bool ok = true;
  for (unsigned number = 1; ok && rest; number++) {
    char *line = rest, *end = strchr(rest, '\n');
    rest = end ? end + 1 : NULL;
    if (end) *end = '\0';
    ok = add_line(q, path, number, line, folder);
  }
  free(text);
  return ok;
}

/* ---- a folder */

static bool is_program(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) == 0;
}

static int visible(const struct dirent *e) {
  return e->d_name[0] != '.';
}

/* "./name", where the shell takes it as one word; NULL: no memory. */
static char *quoted(const char *name) {
  char *text = malloc(4 * strlen(name) + 5), *to = text;
  if (!text) return NULL;
  to += sprintf(to, "./'");
  for (; *name; name++) to += *name == '\'' ? sprintf(to, "'\\''") : sprintf(to, "%c", *name);
  (void)sprintf(to, "'");
  return text;
}

static bool add_program(struct hosts *q, const char *name, const char *file, const char *folder) {
  char *command = quoted(file);
  const bool ok = command && add_host(q, name, command, folder);
  free(command);
  return ok;
}

/* The only executable file of a folder; else *file is empty. */
static void only_program(const char *folder, char *file, size_t size) {
  struct dirent **all;
  char path[PATH];
  unsigned found = 0;
  const int n = scandir(folder, &all, visible, alphasort);
  for (int i = 0; i < n; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, all[i]->d_name);
    if (is_program(path) && found++ == 0) snprintf(file, size, "%s", all[i]->d_name);
    free(all[i]);
  }
  if (n >= 0) free(all);
  if (found != 1) file[0] = '\0';
}

static bool add_entry(struct hosts *q, const char *name) {
  char path[PATH], file[256];
  struct stat s;
  snprintf(path, sizeof path, "%s/%s", q->dir, name);
  if (is_program(path)) return add_program(q, name, name, q->dir);
  if (stat(path, &s) != 0 || !S_ISDIR(s.st_mode)) return true;
  only_program(path, file, sizeof file);
  return file[0] == '\0' || add_program(q, name, file, path);
}

static bool read_folder(struct hosts *q) {
  struct dirent **all;
  bool ok = true;
  const int n = scandir(q->dir, &all, visible, alphasort);
  if (n < 0) tool_error("%s: %s", q->dir, strerror(errno));
  for (int i = 0; i < n; i++) {
    ok = ok && add_entry(q, all[i]->d_name);
    free(all[i]);
  }
  if (n >= 0) free(all);
  return ok && n >= 0;
}

bool hosts_find(struct hosts *q) {
  struct stat s;
  char list[PATH];
  if (stat(q->dir, &s) == 0 && S_ISREG(s.st_mode)) return read_list(q, q->dir);
  snprintf(list, sizeof list, "%s/hosts.txt", q->dir);
  return access(list, F_OK) == 0 ? read_list(q, list) : read_folder(q);
}

void hosts_clear(struct hosts *q) {
  for (size_t i = 0; i < q->programs; i++) {
    free(q->program[i].name);
    free(q->program[i].command);
    free(q->program[i].folder);
  }
  free(q->program);
  if (q->pass.text) regfree(&q->pass.compiled);
  if (q->fail.text) regfree(&q->fail.compiled);
}
