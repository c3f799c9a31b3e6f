/* SPDX-License-Identifier: Apache-2.0
 * What clang made before, by the content of all that goes into it: files in $XDG_CACHE_HOME/heddle/opencl, or
 * ~/.cache. Each has a checksum at its end; one that is damaged is not there. */
#include "firmware/host/opencl/internal.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

enum { PATH = 1024 };

/* FNV-1a of 64 bits, twice, from two beginnings. */
#define PRIME UINT64_C(0x100000001b3)

void ocl_key_start(struct ocl_key *k) {
  *k = (struct ocl_key){{UINT64_C(0xcbf29ce484222325), UINT64_C(0x84222325cbf29ce4)}};
}

/* Of each piece its bytes and its length: no two lists of pieces look alike. */
void ocl_key_add(struct ocl_key *k, const void *data, size_t bytes) {
  const unsigned char *p = data;
  for (size_t i = 0; i < bytes; i++) {
    k->word[0] = (k->word[0] ^ p[i]) * PRIME;
    k->word[1] = (k->word[1] ^ p[i] ^ (k->word[0] >> 56)) * PRIME;
  }
  for (unsigned i = 0; i < 8; i++) {
    k->word[0] = (k->word[0] ^ (bytes >> (8 * i) & 0xff)) * PRIME;
    k->word[1] = (k->word[1] ^ (bytes >> (8 * i) & 0xff)) * PRIME;
  }
}

/* With the folders above it, if `make`. */
static bool path_of(const struct ocl_key *k, bool make, char path[PATH]) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int n = cache && cache[0] == '/' ? snprintf(path, PATH, "%s/heddle/opencl/", cache)
          : home && home[0] == '/' ? snprintf(path, PATH, "%s/.cache/heddle/opencl/", home)
                                   : -1;
  if (n < 0 || n + 64 > PATH) return false;
  for (char *s = path + 1; make && *s; s++)
    if (*s == '/') {
      *s = '\0';
      if (mkdir(path, 0700) == 0) (void)chmod(path, 0700); /* what lacks shows when the file is opened */
      *s = '/';
    }
  snprintf(path + n, PATH - (size_t)n, "%016" PRIx64 "%016" PRIx64, k->word[0], k->word[1]);
  return true;
}

static uint64_t sum_of(const char *data, size_t bytes) {
  struct ocl_key k;
  ocl_key_start(&k);
  ocl_key_add(&k, data, bytes);
  return k.word[0];
}

bool ocl_cache_get(const struct ocl_key *k, struct text *out) {
  char path[PATH];
  uint64_t sum;
  size_t bytes;
  enum file_end end;
  char *all = path_of(k, false, path) ? file_read(path, SIZE_MAX, &bytes, &end) : NULL;
  bool well = all && bytes >= sizeof sum;
  if (well) {
    bytes -= sizeof sum;
    memcpy(&sum, all + bytes, sizeof sum);
    well = sum == sum_of(all, bytes) && text_add(out, all, bytes);
  }
  free(all);
  return well;
}

/* Written beside, then renamed: nobody sees half of one. */
void ocl_cache_put(const struct ocl_key *k, const char *data, size_t bytes) {
  char path[PATH], beside[PATH + 16];
  const uint64_t sum = sum_of(data, bytes);
  if (!path_of(k, true, path)) return;
  snprintf(beside, sizeof beside, "%s.XXXXXX", path);
  const int fd = descriptor_apart(mkstemp(beside));
  FILE *f = fd >= 0 ? fdopen(fd, "wb") : NULL;
  if (!f) return;
  (void)fchmod(fd, 0600); /* whatever the host's umask */
  const bool well = fwrite(data, 1, bytes, f) == bytes && fwrite(&sum, 1, sizeof sum, f) == sizeof sum;
  if (fclose(f) != 0 || !well || rename(beside, path) != 0) (void)unlink(beside);
}
