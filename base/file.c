/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memfd_create, _Fork */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"

/* ---- whole files */

static ssize_t read_piece(int fd, void *to, size_t bytes) {
  ssize_t n;
  do n = read(fd, to, bytes);
  while (n < 0 && errno == EINTR);
  return n;
}

/* Room at first: what the file says that it has, and one byte, so that its end is seen. */
static size_t first_room(int fd, size_t most) {
  enum { PIECE = 1 << 16 };
  struct stat s;
  const bool known = fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_size > 0;
  const size_t bytes = known ? (size_t)s.st_size : PIECE;
  return (bytes < most ? bytes : most) + 2;
}

static enum file_end read_all(int fd, size_t most, uint8_t **data, size_t *size) {
  size_t room = 0;
  if (most > SIZE_MAX / 4) most = SIZE_MAX / 4;
  for (size_t need = first_room(fd, most); *size <= most; need = room + 1) {
    if (!array_room(data, &room, need, 1)) return FILE_NO_MEMORY;
    while (*size + 1 < room && *size <= most) {
      const size_t left = most + 1 - *size;
      const ssize_t n = read_piece(fd, *data + *size, room - 1 - *size < left ? room - 1 - *size : left);
      if (n < 0) return FILE_NOT_READ;
      (*data)[ *size += (size_t)n] = 0;
      if (n == 0) return FILE_WHOLE;
    }
  }
  return FILE_TOO_LARGE;
}

static void *read_whole(int fd, size_t most, bool first, size_t *size, enum file_end *end) {
  uint8_t *data = NULL;
  *size = 0;
  *end = read_all(fd, most, &data, size);
  if (*end == FILE_TOO_LARGE && first) data[ *size = most] = 0;
  if (*end == FILE_WHOLE || (*end == FILE_TOO_LARGE && first)) return data;
  const int why = errno;
  free(data);
  *size = 0;
  errno = why;
  return NULL;
}

static void *read_at(const char *path, size_t most, bool first, size_t *size, enum file_end *end) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  *size = 0;
  *end = FILE_NOT_OPENED;
  if (fd < 0) return NULL;
  void *data = read_whole(fd, most, first, size, end);
  const int why = errno;
  (void)close(fd);
  errno = why;
  return data;
}

void *file_read(const char *path, size_t most, size_t *size, enum file_end *end) {
  return read_at(path, most, false, size, end);
}

void *file_read_first(const char *path, size_t most, size_t *size) {
  enum file_end end;
  return read_at(path, most, true, size, &end);
}

void *file_read_open(int fd, size_t most, size_t *size, enum file_end *end) {
  *size = 0;
  *end = FILE_NOT_READ;
  return lseek(fd, 0, SEEK_SET) == 0 ? read_whole(fd, most, false, size, end) : NULL;
}

/* ---- descriptors */

int descriptor_apart(int fd) {
  if (fd < 0) return -1;
  if (fd > STDERR_FILENO) return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 ? fd : -1;
  const int apart = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), why = errno;
  (void)close(fd);
  errno = why;
  return apart;
}

bool descriptor_write(int fd, const void *data, size_t bytes) {
  for (const uint8_t *at = data; bytes > 0;) {
    const ssize_t n = write(fd, at, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    bytes -= (size_t)n;
  }
  return true;
}

bool descriptor_read(int fd, void *data, size_t bytes) {
  for (uint8_t *at = data; bytes > 0;) {
    const ssize_t n = read_piece(fd, at, bytes);
    if (n <= 0) return false;
    at += n;
    bytes -= (size_t)n;
  }
  return true;
}

FILE *file_create(const char *path) {
  const int fd = descriptor_apart(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  FILE *f = fd >= 0 ? fdopen(fd, "wb") : NULL;
  if (f == NULL && fd >= 0) (void)close(fd);
  return f;
}

int file_in_memory(const void *data, size_t bytes) {
  const int fd = descriptor_apart(memfd_create("heddle", MFD_CLOEXEC));
  if (fd >= 0 && !descriptor_write(fd, data, bytes)) return (void)close(fd), -1;
  if (fd >= 0) (void)lseek(fd, 0, SEEK_SET);
  return fd;
}

/* ---- temporary files */

enum { PLACES = 16, BEING_FILLED = -1 };

/* What is there now, so that a handler of signals finds it; what has no place here is only not cleaned up then. */
static struct {
  _Atomic int owner; /* the process; 0: free */
  char path[TEMPORARY_PATH];
} place[PLACES];

static void note(const char *path) {
  for (unsigned i = 0; i < PLACES; i++) {
    int none = 0;
    if (!atomic_compare_exchange_strong(&place[i].owner, &none, BEING_FILLED)) continue;
    memcpy(place[i].path, path, strlen(path) + 1);
    atomic_store(&place[i].owner, (int)getpid());
    return;
  }
}

static void unnote(const char *path) {
  for (unsigned i = 0; i < PLACES; i++)
    if (atomic_load(&place[i].owner) == (int)getpid() && strcmp(place[i].path, path) == 0)
      atomic_store(&place[i].owner, 0);
}

static void name_it(char path[TEMPORARY_PATH], const char *name) {
  const char *top = getenv("TMPDIR");
  if (top != NULL && access(top, W_OK | X_OK) == 0 &&
      snprintf(path, TEMPORARY_PATH, "%s/heddle-%s-XXXXXX", top, name) < TEMPORARY_PATH)
    return;
  (void)snprintf(path, TEMPORARY_PATH, "/tmp/heddle-%s-XXXXXX", name);
}

bool temporary_file(char path[TEMPORARY_PATH], const char *name) {
  name_it(path, name);
  const int fd = mkstemp(path);
  if (fd < 0) return false;
  note(path);
  (void)close(fd);
  return true;
}

bool temporary_folder(char path[TEMPORARY_PATH], const char *name) {
  name_it(path, name);
  if (mkdtemp(path) == NULL) return false;
  note(path);
  return chmod(path, S_IRWXU) == 0; /* whatever the host's umask */
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *where) {
  (void)s, (void)kind, (void)where;
  return remove(path);
}

void temporary_remove(const char *path) {
  enum { FILES = 16 };
  (void)nftw(path, remove_one, FILES, FTW_DEPTH | FTW_PHYS);
  unnote(path);
}

/* In a handler nothing may be allocated: another program removes folders. */
void temporary_remove_all(void) {
  for (unsigned i = 0; i < PLACES; i++) {
    if (atomic_load(&place[i].owner) != (int)getpid() || unlink(place[i].path) == 0) continue;
    char *const words[] = {(char[]){"rm"}, (char[]){"-rf"}, (char[]){"--"}, place[i].path, NULL};
    const pid_t pid = _Fork();
    if (pid == 0) {
      (void)execv("/bin/rm", words);
      _exit(127);
    }
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) continue;
  }
}

void temporary_forget_all(void) {
  for (unsigned i = 0; i < PLACES; i++) atomic_store(&place[i].owner, 0);
}
