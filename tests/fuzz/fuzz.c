/* SPDX-License-Identifier: Apache-2.0
 *
 * What the targets share: complaints, files, frames.
 */
#include "fuzz.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Frames around anything. */

enum { FRAMES_MAX = 64, PAYLOAD_MAX = 700 };

static uint32_t check_word(const uint8_t *p, size_t n) {
  uint32_t crc = UINT32_MAX;
  for (; n > 0; p++, n--) {
    crc ^= *p;
    for (unsigned i = 0; i < 8; i++) crc = crc >> 1 ^ ((crc & 1u) != 0 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

static size_t escaped(uint8_t *to, const uint8_t *p, size_t n) {
  size_t at = 0;
  for (size_t i = 0; i < n; i++) {
    const bool flag = p[i] == 0xc0, esc = p[i] == 0xdb;
    if (flag || esc) to[at++] = 0xdb;
    to[at++] = flag ? 0xdc : esc ? 0xdd : p[i];
  }
  to[at++] = 0xc0;
  return at;
}

/* A frame: its type, then what is in it; a start gets the format that is read here. */
static size_t frame(uint8_t *to, unsigned type, uint32_t number, const uint8_t *p, size_t n, uint32_t format,
                    uint8_t profile) {
  uint8_t f[PAYLOAD_MAX + 16];
  f[0] = (uint8_t)(16u | (type & 15u));
  for (unsigned i = 0; i < 4; i++) f[1 + i] = (uint8_t)(number >> 8 * i);
  memcpy(f + 5, p, n);
  if (type == 2 && n == 10) {
    for (unsigned i = 0; i < 4; i++) f[5 + i] = (uint8_t)(format >> 8 * i);
    f[5 + 8] = profile;
  }
  const uint32_t check = check_word(f, 5 + n);
  for (unsigned i = 0; i < 4; i++) f[5 + n + i] = (uint8_t)(check >> 8 * i);
  return escaped(to, f, 9 + n);
}

/* Type (1), length (2), bytes; again. */
uint8_t *fuzz_framed(const uint8_t *data, size_t size, uint32_t format, uint8_t profile, size_t *out) {
  uint8_t *to = malloc(2 * size + FRAMES_MAX * 32 + 64);
  size_t at = 0;
  uint32_t number = 0;
  while (to != NULL && size >= 3 && number < FRAMES_MAX) {
    size_t n = (size_t)data[1] | (size_t)data[2] << 8;
    const unsigned type = data[0];
    data += 3;
    size -= 3;
    if (n > size) n = size;
    if (n > PAYLOAD_MAX) n = PAYLOAD_MAX;
    at += frame(to + at, type, number++, data, n, format, profile);
    data += n;
    size -= n;
  }
  *out = at;
  return to;
}

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
