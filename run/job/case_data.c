/* SPDX-License-Identifier: Apache-2.0
 * Files beside a list of cases, loose or in the folder's archive. */
#include "case_data.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

#include "base/file.h"

enum { PATH_MOST = 4096, ENTRIES_MOST = 1 << 16 };

struct reason {
  char *text;
  size_t size;
};

static void say_reason(const struct reason *r, const char *name, const char *what) {
  (void)snprintf(r->text, r->size, "%s: %s", name, what);
}

static void say_more(const struct reason *r, const char *name, size_t most) {
  (void)snprintf(r->text, r->size, "%s: more than the %zu bytes it may have", name, most);
}

/* Names come from a file of somebody else: they stay inside the folder. */
static bool is_inside(const char *name) {
  return name && name[0] != '\0' && name[0] != '/' && !strstr(name, "..");
}

/* An archive whose size and number of entries are bounded. NULL without words: there is none. */
static zip_t *open_archive(const char *dir, const struct reason *why) {
  char path[PATH_MOST];
  struct stat s;
  int error = 0;
  why->text[0] = '\0';
  if (snprintf(path, sizeof path, "%s/" CASE_DATA_ARCHIVE, dir) >= (int)sizeof path || stat(path, &s) != 0) return NULL;
  if (!S_ISREG(s.st_mode) || (uint64_t)s.st_size > CASE_DATA_MOST) {
    say_reason(why, CASE_DATA_ARCHIVE, "no file, or too large for an archive of data");
    return NULL;
  }
  zip_t *z = zip_open(path, ZIP_RDONLY, &error);
  if (!z) {
    zip_error_t e;
    zip_error_init_with_code(&e, error);
    say_reason(why, CASE_DATA_ARCHIVE, zip_error_strerror(&e));
    zip_error_fini(&e);
  } else if (zip_get_num_entries(z, 0) > ENTRIES_MOST) {
    say_reason(why, CASE_DATA_ARCHIVE, "too many entries");
    zip_discard(z);
    z = NULL;
  }
  return z;
}

/* To the end, so that the checksum is compared: an entry that is longer than its index says is none, as a shorter one.
 */
static bool read_whole(zip_file_t *f, uint8_t *data, size_t bytes) {
  size_t n = 0;
  zip_int64_t got = 1;
  while (n < bytes && (got = zip_fread(f, data + n, bytes - n)) > 0) n += (size_t)got;
  return n == bytes && got >= 0 && zip_fread(f, data + bytes, 1) == 0;
}

static uint8_t *read_entry(zip_t *z, const char *name, size_t most, size_t *bytes, const struct reason *why) {
  zip_stat_t s;
  const zip_int64_t at = zip_name_locate(z, name, 0);
  if (at < 0) {
    say_reason(why, name, strerror(ENOENT));
    return NULL;
  }
  if (zip_stat_index(z, (zip_uint64_t)at, 0, &s) != 0 || !(s.valid & ZIP_STAT_SIZE)) {
    say_reason(why, name, "the archive does not say its size");
    return NULL;
  }
  if (s.size > most) {
    say_more(why, name, most);
    return NULL;
  }
  uint8_t *data = malloc((size_t)s.size + 1);
  zip_file_t *f = data ? zip_fopen_index(z, (zip_uint64_t)at, 0) : NULL;
  if (!f || !read_whole(f, data, (size_t)s.size)) {
    say_reason(why, name, !data ? strerror(ENOMEM) : "the archive " CASE_DATA_ARCHIVE " is damaged");
    free(data);
    data = NULL;
  } else {
    data[s.size] = 0;
    *bytes = (size_t)s.size;
  }
  if (f) (void)zip_fclose(f);
  return data;
}

uint8_t *case_data_read(const char *dir, const char *name, size_t most, size_t *bytes, char *why, size_t size) {
  const struct reason reason = {why, size};
  char path[PATH_MOST];
  if (most > CASE_DATA_MOST) most = CASE_DATA_MOST;
  if (!is_inside(name)) {
    (void)snprintf(why, size, "'%s' is no name of a file in %s", name ? name : "", dir);
    return NULL;
  }
  if (snprintf(path, sizeof path, "%s/%s", dir, name) >= (int)sizeof path) {
    say_reason(&reason, name, strerror(ENAMETOOLONG));
    return NULL;
  }
  enum file_end end;
  size_t n;
  uint8_t *data = file_read(path, most, &n, &end);
  const int error = errno;
  const bool none = end == FILE_NOT_OPENED && error == ENOENT;
  zip_t *z = none ? open_archive(dir, &reason) : NULL;
  if (data) *bytes = n;
  if (z) {
    data = read_entry(z, name, most, bytes, &reason);
    zip_discard(z);
  } else if (end == FILE_TOO_LARGE) {
    say_more(&reason, name, most);
  } else if (!data && (!none || why[0] == '\0')) {
    say_reason(&reason, name, strerror(error));
  }
  return data;
}

uint8_t *case_data_read_path(const char *path, size_t most, size_t *bytes, char *why, size_t size) {
  char dir[PATH_MOST];
  const char *slash = strrchr(path, '/');
  if (!slash) return case_data_read(".", path, most, bytes, why, size);
  if (snprintf(dir, sizeof dir, "%.*s", (int)(slash - path), path) >= (int)sizeof dir) {
    (void)snprintf(why, size, "%s: %s", path, strerror(ENAMETOOLONG));
    return NULL;
  }
  return case_data_read(dir, slash + 1, most, bytes, why, size);
}

static int by_folder_and_name(const void *a, const void *b) {
  const char *x = *(char *const *)a, *y = *(char *const *)b;
  const int folders = (strchr(x, '/') != NULL) - (strchr(y, '/') != NULL);
  return folders ? folders : strcmp(x, y);
}

/* To the `n` that there are already, once. */
static size_t add_name(const char *name, const char *suffix, char **list, size_t n) {
  const size_t length = strlen(name), end = strlen(suffix);
  if (length < end || strcmp(name + length - end, suffix) != 0) return n;
  for (size_t i = 0; i < n; i++)
    if (strcmp(list[i], name) == 0) return n;
  return n + ((list[n] = strdup(name)) != NULL);
}

size_t case_data_list(const char *dir, const char *suffix, char **name, size_t most, char *why, size_t size) {
  const struct reason reason = {why, size};
  size_t n = 0;
  zip_t *z = open_archive(dir, &reason);
  DIR *d = opendir(dir);
  if (!d || why[0] == '\0') say_reason(&reason, dir, d ? "no such file in it" : strerror(errno));
  for (const struct dirent *e; d && n < most && (e = readdir(d)) != NULL;) n = add_name(e->d_name, suffix, name, n);
  for (zip_int64_t i = 0; z && n < most && i < zip_get_num_entries(z, 0); i++) {
    const char *entry = zip_get_name(z, (zip_uint64_t)i, 0);
    if (is_inside(entry)) n = add_name(entry, suffix, name, n);
  }
  if (d) (void)closedir(d);
  if (z) zip_discard(z);
  qsort(name, n, sizeof *name, by_folder_and_name);
  return n;
}
