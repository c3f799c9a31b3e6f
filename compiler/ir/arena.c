/* SPDX-License-Identifier: Apache-2.0
 *
 * The compiler's memory and its messages.
 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "compiler/ir/diag.h"

/* Messages: counted, bounded, passed on. */

void ptx_diag_init(struct ptx_diag *d, const char *file, void (*message)(void *ctx, const struct heddle_message *m),
                   void *ctx) {
  memset(d, 0, sizeof *d);
  d->file = file;
  d->message = message;
  d->ctx = ctx;
}

static void send_message(const struct ptx_diag *d, struct ptx_pos at, bool warning, const char *format, va_list ap) {
  struct heddle_message m = {.line = at.line, .column = at.column, .warning = warning};
  if (d->message == NULL) return;
  snprintf(m.file, sizeof m.file, "%s", d->file != NULL ? d->file : "");
  message_text(m.text, sizeof m.text, format, ap);
  d->message(d->ctx, &m);
}

static void tell_text(const struct ptx_diag *d, struct ptx_pos at, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  send_message(d, at, false, format, ap);
  va_end(ap);
}

void ptx_error(struct ptx_diag *d, struct ptx_pos at, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  if (d->errors < PTX_ERRORS_MAX) send_message(d, at, false, format, ap);
  va_end(ap);
  d->errors++;
  if (d->errors == PTX_ERRORS_MAX) tell_text(d, at, "%d errors; there may be more", PTX_ERRORS_MAX);
}

void ptx_warning(struct ptx_diag *d, struct ptx_pos at, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  if (d->warnings < PTX_WARNINGS_MAX) send_message(d, at, true, format, ap);
  va_end(ap);
  d->warnings++;
}

unsigned ptx_errors(const struct ptx_diag *d) {
  return d->errors;
}

/* Always told, however many were before: it is the reason for the end. */
void ptx_fatal(struct ptx_diag *d, struct ptx_pos at, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  send_message(d, at, false, format, ap);
  va_end(ap);
  d->errors++;
  longjmp(d->exit, 1);
}

void ptx_no_memory(struct ptx_diag *d, struct ptx_pos at) {
  d->no_memory = true;
  ptx_fatal(d, at, "out of memory");
}

/* The compiler's memory: blocks that only grow, freed together; and the table of interned names. What a hostile input
 * can make it take is bounded by the arena's limit, tables included. */

enum { BLOCK_FIRST = 64 << 10, BLOCK_MOST = 1 << 20, NAMES_FIRST = 1024, MAP_FIRST = 32, ALIGN = 16 };

struct block {
  struct block *next;
  _Alignas(ALIGN) uint8_t bytes[];
};

struct ptx_arena {
  struct block *blocks;
  uint8_t *at;
  size_t left, block_bytes;
  size_t taken, most;
  struct map name;
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
  free(a->name.slot);
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
static void *alloc_counted(struct ptx_arena *a, size_t bytes) {
  if (bytes > a->most || a->taken > a->most - bytes) full(a);
  void *p = calloc(1, bytes);
  assert(p != NULL || a->diag != NULL);
  if (p == NULL) ptx_no_memory(a->diag, (struct ptx_pos){0});
  a->taken += bytes;
  return p;
}

static struct block *block_new(struct ptx_arena *a, size_t bytes) {
  struct block *b = alloc_counted(a, sizeof *b + bytes);
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

static uint64_t hash_name(const struct ptx_arena *a, const char *s, size_t n) {
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
  const size_t before = a->name.room, room = before > 0 ? before * 2 : NAMES_FIRST;
  struct map_slot *old = a->name.slot;
  map_move(&a->name, alloc_counted(a, room * sizeof *old), room);
  free(old);
  a->taken -= before * sizeof *old;
}

/* A name is found by hash and length; those few that have both in common have a number on top of the length. */
const char *ptx_intern(struct ptx_arena *a, const char *s, size_t n) {
  const uint64_t h = hash_name(a, s, n), next = UINT64_C(1) << 40;
  uint64_t length = n;
  for (const uint64_t *at; (at = map_find(&a->name, h, length)) != NULL; length += next) {
    const char *known = (const char *)(uintptr_t)*at;
    if (memcmp(known, s, n) == 0) return known;
  }
  if (map_is_full(&a->name)) grow_names(a);
  char *text = ptx_alloc(a, n + 1);
  memcpy(text, s, n);
  (void)map_at(&a->name, h, length, (uintptr_t)text);
  return text;
}

/* ---- maps ---- */

bool ptx_map_has(const struct map *m, const void *key) {
  return map_find(m, (uintptr_t)key, 0) != NULL;
}

void *ptx_map_get(const struct map *m, const void *key) {
  const uint64_t *at = map_find(m, (uintptr_t)key, 0);
  return at != NULL ? (void *)(uintptr_t)*at : NULL;
}

void ptx_map_put(struct ptx_arena *a, struct map *m, const void *key, void *value) {
  if (map_is_full(m)) {
    const size_t room = m->room > 0 ? 2 * m->room : MAP_FIRST;
    map_move(m, ptx_alloc(a, room * sizeof *m->slot), room);
  }
  *map_at(m, (uintptr_t)key, 0, 0) = (uintptr_t)value;
}
