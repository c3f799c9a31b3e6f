/* SPDX-License-Identifier: Apache-2.0
 *
 * The compiler's memory: blocks that only grow, freed together; and the table of interned names. What a hostile input
 * can make it take is bounded by the arena's limit, tables included.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/diag.h"

enum { BLOCK_FIRST = 64 << 10, BLOCK_MOST = 1 << 20, NAMES_FIRST = 1024, ALIGN = 16 };

struct block {
  struct block *next;
  _Alignas(ALIGN) uint8_t bytes[];
};

struct name {
  uint64_t hash;
  const char *text; /* NULL: free */
  size_t length;
};

struct ptx_arena {
  struct block *blocks;
  uint8_t *at;
  size_t left, block_bytes;
  size_t taken, most;
  struct name *name; /* open addressing; `room` is a power of two */
  size_t names, room;
  uint64_t key;
  struct ptx_diag *diag;
};

struct ptx_arena *ptx_arena_new(size_t most_bytes) {
  struct ptx_arena *a = calloc(1, sizeof *a);
  if (a == NULL) return NULL;
  a->most = most_bytes;
  a->block_bytes = BLOCK_FIRST;
  /* So that no text can be made for which all names meet in the table. */
  a->key = (uint64_t)(uintptr_t)a * 0x9e3779b97f4a7c15u;
  return a;
}

void ptx_arena_free(struct ptx_arena *a) {
  if (a == NULL) return;
  for (struct block *b = a->blocks, *next; b != NULL; b = next) {
    next = b->next;
    free(b);
  }
  free(a->name);
  free(a);
}

void ptx_arena_report(struct ptx_arena *a, struct ptx_diag *d) {
  a->diag = d;
}

size_t ptx_arena_taken(const struct ptx_arena *a) {
  return a->taken;
}

_Noreturn static void full(const struct ptx_arena *a) {
  assert(a->diag != NULL);
  ptx_fatal(a->diag, (struct ptx_pos){0}, "out of memory: the program needs more than %zu MiB", a->most >> 20);
}

/* Zeroed memory that counts. */
static void *take(struct ptx_arena *a, size_t bytes) {
  if (bytes > a->most || a->taken > a->most - bytes) full(a);
  void *p = calloc(1, bytes);
  if (p == NULL) full(a);
  a->taken += bytes;
  return p;
}

static struct block *block_new(struct ptx_arena *a, size_t bytes) {
  struct block *b = take(a, sizeof *b + bytes);
  b->next = a->blocks;
  a->blocks = b;
  return b;
}

void *ptx_alloc(struct ptx_arena *a, size_t bytes) {
  if (bytes > a->most) full(a);
  bytes = (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
  if (bytes > a->left) {
    if (bytes > BLOCK_FIRST / 4) return block_new(a, bytes)->bytes; /* its own; the current block stays in use */
    a->at = block_new(a, a->block_bytes)->bytes;
    a->left = a->block_bytes;
    if (a->block_bytes < BLOCK_MOST) a->block_bytes *= 2;
  }
  void *p = a->at;
  a->at += bytes;
  a->left -= bytes;
  return p;
}

static uint64_t hash(const struct ptx_arena *a, const char *s, size_t n) {
  uint64_t h = a->key ^ n;
  for (; n >= 8; s += 8, n -= 8) {
    uint64_t w;
    memcpy(&w, s, 8);
    h = (h ^ w) * 0xd6e8feb86659fd93u;
    h ^= h >> 32;
  }
  uint64_t w = 0;
  memcpy(&w, s, n);
  h = (h ^ w) * 0xd6e8feb86659fd93u;
  h ^= h >> 29;
  h *= 0xbf58476d1ce4e5b9u;
  return h ^ h >> 32;
}

static void grow_names(struct ptx_arena *a) {
  const size_t room = a->room > 0 ? a->room * 2 : NAMES_FIRST;
  struct name *name = take(a, room * sizeof *name);
  for (size_t i = 0; i < a->room; i++) {
    if (a->name[i].text == NULL) continue;
    size_t at = (size_t)a->name[i].hash & (room - 1);
    while (name[at].text != NULL) at = (at + 1) & (room - 1);
    name[at] = a->name[i];
  }
  free(a->name);
  a->taken -= a->room * sizeof *name;
  a->name = name;
  a->room = room;
}

const char *ptx_intern(struct ptx_arena *a, const char *s, size_t n) {
  if (a->names >= a->room / 2) grow_names(a);
  const uint64_t h = hash(a, s, n);
  size_t at = (size_t)h & (a->room - 1);
  for (; a->name[at].text != NULL; at = (at + 1) & (a->room - 1)) {
    const struct name *k = &a->name[at];
    if (k->hash == h && k->length == n && memcmp(k->text, s, n) == 0) return k->text;
  }
  char *text = ptx_alloc(a, n + 1);
  memcpy(text, s, n);
  a->name[at] = (struct name){.hash = h, .text = text, .length = n};
  a->names++;
  return text;
}
