/* SPDX-License-Identifier: Apache-2.0
 *
 * What is kept of builds: files of a cache, and binaries that hosts ask for. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"
#include "firmware/host/opencl/internal.h"

/* What clang made before, by the content of all that goes into it: files in $XDG_CACHE_HOME/heddle/opencl, or
 * ~/.cache. Each has a checksum at its end; one that is damaged is not there. */

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

static uint64_t entry_sum(const char *data, size_t bytes) {
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
    well = sum == entry_sum(all, bytes) && text_add(out, all, bytes);
  }
  free(all);
  return well;
}

/* Written beside, then renamed: nobody sees half of one. */
void ocl_cache_put(const struct ocl_key *k, const char *data, size_t bytes) {
  char path[PATH], beside[PATH + 16];
  const uint64_t sum = entry_sum(data, bytes);
  if (!path_of(k, true, path)) return;
  snprintf(beside, sizeof beside, "%s.XXXXXX", path);
  const int fd = descriptor_apart(mkstemp(beside));
  FILE *f = fd >= 0 ? fdopen(fd, "wb") : NULL;
  if (!f) return;
  (void)fchmod(fd, 0600); /* whatever the host's umask */
  const bool well = fwrite(data, 1, bytes, f) == bytes && fwrite(&sum, 1, sizeof sum, f) == sizeof sum;
  if (fclose(f) != 0 || !well || rename(beside, path) != 0) (void)unlink(beside);
}

/* Binaries: magic, kind, lengths of three texts (options, what is known of kernels, PTX or LLVM's text), these, a
 * checksum of all of it. Numbers are of eight bytes, the low one first. PTX is compiled for the device that loads it.
 */

#define MAGIC "HEDDLECL"
enum { NUMBER = 8, HEAD = 5 * NUMBER, PARTS = 3 };

static bool add_number(struct text *t, uint64_t v) {
  char b[NUMBER];
  for (unsigned i = 0; i < NUMBER; i++) b[i] = (char)(v >> (8 * i) & 0xff);
  return text_add(t, b, sizeof b);
}

static uint64_t read_number_at(const unsigned char *p) {
  uint64_t v = 0;
  for (unsigned i = 0; i < NUMBER; i++) v |= (uint64_t)p[i] << (8 * i);
  return v;
}

static uint64_t binary_sum(const void *data, size_t bytes) {
  struct ocl_key k;
  ocl_key_start(&k);
  ocl_key_add(&k, data, bytes);
  return k.word[0] ^ k.word[1];
}

bool ocl_binary_make(const struct ocl_build *b, struct text *out) {
  const char *options = b->options ? b->options : "";
  return text_put(out, MAGIC) && add_number(out, b->type) && add_number(out, strlen(options)) &&
         add_number(out, b->meta.bytes) && add_number(out, b->body.bytes) && text_put(out, options) &&
         text_add(out, b->meta.at, b->meta.bytes) && text_add(out, b->body.at, b->body.bytes) &&
         add_number(out, binary_sum(out->at, out->bytes));
}

static bool is_kind(uint64_t type) {
  return type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT || type == CL_PROGRAM_BINARY_TYPE_LIBRARY ||
         type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

bool ocl_binary_take(const unsigned char *data, size_t bytes, struct ocl_build *b) {
  uint64_t part[PARTS];
  if (bytes < HEAD + NUMBER || memcmp(data, MAGIC, NUMBER) != 0 || !is_kind(read_number_at(data + NUMBER)))
    return false;
  size_t left = bytes - HEAD - NUMBER;
  for (unsigned i = 0; i < PARTS; i++) {
    part[i] = read_number_at(data + (2 + i) * NUMBER);
    if (part[i] > left) return false;
    left -= part[i];
  }
  if (left != 0 || read_number_at(data + bytes - NUMBER) != binary_sum(data, bytes - NUMBER)) return false;
  const char *text = (const char *)data + HEAD;
  b->type = (cl_program_binary_type)read_number_at(data + NUMBER);
  b->options = strndup(text, part[0]);
  return b->options && text_add(&b->meta, text + part[0], part[1]) &&
         text_add(&b->body, text + part[0] + part[1], part[2]) && strlen(b->meta.at) == part[1] &&
         strlen(b->body.at) == part[2];
}
