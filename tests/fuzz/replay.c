/* SPDX-License-Identifier: Apache-2.0
 *
 * A target without a fuzzer: every file of the folders and files given, and of each the same few mutations each time,
 * every other one by the target's own mutator, if it brings one.
 * usage: fuzz_replay_TARGET [--mutations N] [--keep FILE] FOLDER|FILE ...
 * FILE gets each input before it is tried: after a failure it holds the one that failed.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"
#include "base/splitmix64.h"

enum { INPUT_MAX = 1 << 22, PIECE_MAX = 16, STEPS_MAX = 3, ROOM = INPUT_MAX + PIECE_MAX * STEPS_MAX };

struct run {
  unsigned mutations;
  unsigned long files, inputs;
  uint64_t state;
  uint8_t *data, *work; /* ROOM bytes each */
  const char *keep;
};

/* Defined by targets that have it. They want libFuzzer's linked, which changes nothing here. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) __attribute__((weak));
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) {
  (void)data;
  (void)most;
  return size;
}

static void keep(const char *path, const uint8_t *data, size_t size) {
  FILE *f = fopen(path, "wb");
  if (f != NULL && fwrite(data, 1, size, f) == size && fclose(f) == 0) return;
  perror(path);
  exit(2);
}

/* Of exactly its size, so that reading behind the end is seen. */
static void feed(struct run *r, const uint8_t *data, size_t size) {
  uint8_t *copy = malloc(size > 0 ? size : 1);
  if (copy == NULL) exit(2);
  if (size > 0) memcpy(copy, data, size);
  if (r->keep != NULL) keep(r->keep, data, size);
  (void)LLVMFuzzerTestOneInput(copy, size);
  free(copy);
  r->inputs++;
}

/* Flip a bit, replace a byte, cut the end off, take a piece out, or double one. */
static size_t mutate(struct run *r, size_t size) {
  uint8_t *p = r->work;
  const size_t at = (size_t)(splitmix64(&r->state) % size), left = size - at;
  size_t n = (size_t)(splitmix64(&r->state) % PIECE_MAX) + 1;
  if (n > left) n = left;
  switch (splitmix64(&r->state) % 5) {
  case 0:
    p[at] ^= (uint8_t)(1u << splitmix64(&r->state) % 8);
    return size;
  case 1:
    p[at] = (uint8_t)splitmix64(&r->state);
    return size;
  case 2:
    return at;
  case 3:
    memmove(p + at, p + at + n, left - n);
    return size - n;
  default:
    memmove(p + at + n, p + at, left);
    return size + n;
  }
}

static void replay_file(struct run *r, const char *path) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) {
    perror(path);
    exit(2);
  }
  const size_t size = fread(r->data, 1, INPUT_MAX, f);
  (void)fclose(f);
  r->files++;
  r->state = size; /* the same mutations whatever other files there are */
  feed(r, r->data, size);
  for (unsigned i = 0; i < r->mutations; i++) {
    size_t n = size;
    memcpy(r->work, r->data, size);
    if (i % 2 == 0 && LLVMFuzzerCustomMutator != NULL)
      n = LLVMFuzzerCustomMutator(r->work, n, INPUT_MAX, (unsigned)splitmix64(&r->state));
    else
      for (unsigned k = 0; k <= i % STEPS_MAX && n > 0; k++) n = mutate(r, n);
    feed(r, r->work, n);
  }
}

static void replay(struct run *r, const char *path) {
  struct stat st;
  struct dirent **entry = NULL;
  if (stat(path, &st) != 0) {
    perror(path);
    exit(2);
  }
  if (!S_ISDIR(st.st_mode)) {
    replay_file(r, path);
    return;
  }
  const int n = scandir(path, &entry, NULL, alphasort);
  for (int i = 0; i < n; i++) {
    char inner[4096];
    snprintf(inner, sizeof inner, "%s/%s", path, entry[i]->d_name);
    if (entry[i]->d_name[0] != '.') replay(r, inner);
    free(entry[i]);
  }
  free(entry);
}

int main(int argc, char **argv) {
  struct run r = {.data = malloc(ROOM), .work = malloc(ROOM)};
  int first = 1;
  if (r.data == NULL || r.work == NULL) return 2;
  for (; first + 1 < argc && strncmp(argv[first], "--", 2) == 0; first += 2) {
    if (strcmp(argv[first], "--mutations") == 0)
      r.mutations = (unsigned)strtoul(argv[first + 1], NULL, 10);
    else if (strcmp(argv[first], "--keep") == 0)
      r.keep = argv[first + 1];
    else
      return 2;
  }
  for (int i = first; i < argc; i++) replay(&r, argv[i]);
  printf("%lu files, %lu inputs\n", r.files, r.inputs);
  free(r.data);
  free(r.work);
  return r.files > 0 ? 0 : 2;
}
