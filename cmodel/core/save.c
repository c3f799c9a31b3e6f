/* SPDX-License-Identifier: Apache-2.0
 *
 * Saving the state of a launch and going back to it. What never changes after the launch (code, constants, windows) is
 * not kept; of what does, memory is by far the most: it is kept by pages, which states share.
 */
#include <stdlib.h>
#include <string.h>

#include <heddle/debug.h>
#include "cmodel/core/livelock.h"
#include "cmodel/core/marks.h"

#define PAGE 4096u

struct page {
  size_t users;
  uint8_t bytes[PAGE];
};

/* Bytes of the model as pages; NULL for one of zeros. */
struct pages {
  struct page **page;
  size_t count; /* 0: there was nothing */
};

struct saved_warp {
  struct warp *warp; /* NULL: the slot was empty */
  uint8_t *local, *local_defined;
  uint64_t *local_from;
  struct mark_file *marks;
};

struct saved_block {
  struct block block;
  uint8_t *shared, *shared_defined;
  uint64_t *shared_from;
};

struct heddle_saved {
  const struct heddle_model *of;
  uint64_t launch;
  unsigned warps, blocks;
  struct progress now;
  uint8_t *block_seen;
  struct pages memory, defined, from;
  struct saved_warp *warp;
  struct saved_block *block;
};

/* ---- pages ---- */

static void pages_free(struct pages *p) {
  for (size_t i = 0; i < p->count && p->page != NULL; i++)
    if (p->page[i] != NULL && --p->page[i]->users == 0) free(p->page[i]);
  free(p->page);
  *p = (struct pages){NULL, 0};
}

static bool is_zero_page(const uint8_t *at, size_t n) {
  return at[0] == 0 && memcmp(at, at + 1, n - 1) == 0;
}

static struct page *page_keep(const uint8_t *at, size_t n, struct page *like) {
  if (like != NULL && memcmp(like->bytes, at, n) == 0) {
    like->users++;
    return like;
  }
  struct page *p = malloc(sizeof *p);
  if (p == NULL) return NULL;
  p->users = 1;
  memcpy(p->bytes, at, n);
  return p;
}

static size_t page_size(size_t i, size_t bytes) {
  return bytes - i * PAGE < PAGE ? bytes - i * PAGE : PAGE;
}

/* False: no memory. */
static bool pages_keep(struct pages *out, const void *of, size_t bytes, const struct pages *like) {
  const uint8_t *at = of;
  if (at == NULL || bytes == 0) return true;
  const size_t count = (bytes + PAGE - 1) / PAGE;
  out->page = calloc(count, sizeof(struct page *));
  if (out->page == NULL) return false;
  out->count = count;
  for (size_t i = 0; i < count; i++) {
    const size_t n = page_size(i, bytes);
    if (is_zero_page(at + i * PAGE, n)) continue;
    out->page[i] = page_keep(at + i * PAGE, n, like != NULL && like->count == count ? like->page[i] : NULL);
    if (out->page[i] == NULL) return false;
  }
  return true;
}

/* What has come to be since then is `nothing` in each byte. */
static void pages_restore(const struct pages *p, void *to, size_t bytes, int nothing) {
  uint8_t *at = to;
  if (at == NULL) return;
  if (p->count == 0) memset(at, nothing, bytes);
  for (size_t i = 0; i < p->count; i++) {
    const size_t n = page_size(i, bytes);
    if (p->page[i] == NULL)
      memset(at + i * PAGE, 0, n);
    else
      memcpy(at + i * PAGE, p->page[i]->bytes, n);
  }
}

/* ---- copies of what may not be there ---- */

/* False: no memory. */
static bool copy_of(void *out, const void *at, size_t bytes) {
  void *copy = NULL;
  if (at != NULL && bytes != 0) {
    copy = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (copy == NULL) return false;
    memcpy(copy, at, bytes);
  }
  memcpy(out, &copy, sizeof copy);
  return true;
}

static size_t local_bytes(const struct warp *w) {
  return (size_t)w->local_words * 4 * HEDDLE_LANES;
}

static size_t all_local_from(const struct heddle_model *m) {
  return ((size_t)m->launch.local_bytes / 4 * HEDDLE_LANES + 1) * sizeof(uint64_t);
}

static size_t all_shared_from(const struct heddle_model *m) {
  return ((size_t)m->launch.shared_bytes / 4 + 1) * sizeof(uint64_t);
}

static size_t all_global_from(const struct heddle_model *m) {
  return ((size_t)m->bytes / 4 + 1) * sizeof(uint64_t);
}

static bool save_warp(const struct heddle_model *m, const struct warp *w, struct saved_warp *out) {
  if (!w->used) return true;
  return copy_of(&out->warp, w, sizeof *w) && copy_of(&out->local, w->local, local_bytes(w)) &&
         copy_of(&out->local_defined, w->local_defined, local_bytes(w)) &&
         copy_of(&out->local_from, w->local_from, all_local_from(m)) &&
         copy_of(&out->marks, w->marked ? w->marks : NULL, sizeof *w->marks);
}

static bool save_block(const struct heddle_model *m, const struct block *b, struct saved_block *out) {
  out->block = *b;
  if (!b->used) return true;
  return copy_of(&out->shared, b->shared, m->shared_room) &&
         copy_of(&out->shared_defined, b->shared_defined, m->shared_room) &&
         copy_of(&out->shared_from, b->shared_from, all_shared_from(m));
}

static bool save_parts(const struct heddle_model *m, struct heddle_saved *s, const struct heddle_saved *like) {
  bool ok = copy_of(&s->block_seen, m->block_seen, (size_t)(m->grid_blocks / 8 + 1)) &&
            pages_keep(&s->memory, m->memory, m->bytes, like != NULL ? &like->memory : NULL) &&
            pages_keep(&s->defined, m->global_defined, m->bytes, like != NULL ? &like->defined : NULL) &&
            pages_keep(&s->from, m->global_from, all_global_from(m), like != NULL ? &like->from : NULL);
  for (unsigned i = 0; ok && i < s->warps; i++) ok = save_warp(m, &m->warp[i], &s->warp[i]);
  for (unsigned i = 0; ok && i < s->blocks; i++) ok = save_block(m, &m->block[i], &s->block[i]);
  return ok;
}

struct heddle_saved *heddle_model_save(const struct heddle_model *m, const struct heddle_saved *like) {
  bool waits = m->copies != 0;
  for (unsigned i = 0; i < m->warp_slots; i++) waits = waits || (m->warp[i].used && m->warp[i].first != NULL);
  struct heddle_saved *s = m->launched && !waits ? calloc(1, sizeof *s) : NULL;
  if (s == NULL) return NULL;
  s->of = m;
  s->launch = m->launches;
  s->warps = m->warp_slots;
  s->blocks = m->block_slots;
  s->now = m->now;
  s->warp = calloc(s->warps, sizeof *s->warp);
  s->block = calloc(s->blocks, sizeof *s->block);
  const bool fits = like == NULL || (like->of == m && like->launch == m->launches);
  if (s->warp != NULL && s->block != NULL && save_parts(m, s, fits ? like : NULL)) return s;
  heddle_saved_free(s);
  return NULL;
}

/* ---- back ---- */

/* Origins: without memory for them nobody knows. */
static void take_from(uint64_t **to, const uint64_t *from, size_t bytes) {
  if (*to == NULL && from != NULL) *to = malloc(bytes);
  if (*to != NULL && from != NULL) memcpy(*to, from, bytes);
  if (*to != NULL && from == NULL) memset(*to, 0, bytes);
}

/* Buffers of a slot stay with it. What another warp has written to its local memory is as at a warp's beginning. */
static void restore_warp(const struct heddle_model *m, struct warp *w, const struct saved_warp *s) {
  const struct warp now = {.local = w->local,
                           .local_defined = w->local_defined,
                           .local_from = w->local_from,
                           .marks = w->marks,
                           .local_words = w->local_words};
  if (s->warp == NULL) {
    w->used = false;
    return;
  }
  const size_t written = local_bytes(&now), before = local_bytes(s->warp);
  if (written > before) { /* undefined: of its bytes none is left that was not there yet */
    memset(now.local + before, 0, written - before);
    if (m->tell != HEDDLE_TELL_NOTHING) memset(now.local_defined + before, 0, written - before);
  }
  *w = *s->warp;
  w->local = now.local;
  w->local_defined = now.local_defined;
  w->local_from = now.local_from;
  w->marks = now.marks;
  if (before != 0) {
    memcpy(w->local, s->local, before);
    memcpy(w->local_defined, s->local_defined, before);
  }
  take_from(&w->local_from, s->local_from, all_local_from(m));
  if (s->marks != NULL) memcpy(w->marks, s->marks, sizeof *w->marks);
}

static void restore_block(const struct heddle_model *m, struct block *b, const struct saved_block *s) {
  uint8_t *const shared = b->shared, *const defined = b->shared_defined;
  uint64_t *from = b->shared_from;
  *b = s->block;
  b->shared = shared;
  b->shared_defined = defined;
  b->shared_from = from;
  if (!b->used) return;
  if (s->shared != NULL) memcpy(b->shared, s->shared, m->shared_room);
  if (s->shared_defined != NULL) memcpy(b->shared_defined, s->shared_defined, m->shared_room);
  take_from(&b->shared_from, s->shared_from, all_shared_from(m));
}

enum heddle_status heddle_model_restore(struct heddle_model *m, const struct heddle_saved *s) {
  if (s->of != m || s->launch != m->launches || !m->launched)
    return model_fail(m, HEDDLE_STATE, "a saved state of another launch");
  m->now = s->now;
  if (m->block_seen != NULL) memcpy(m->block_seen, s->block_seen, (size_t)(m->grid_blocks / 8 + 1));
  pages_restore(&s->memory, m->memory, m->bytes, 0);
  pages_restore(&s->defined, m->global_defined, m->bytes, 0xff);
  pages_restore(&s->from, m->global_from, all_global_from(m), 0);
  for (unsigned i = 0; i < s->warps; i++) restore_warp(m, &m->warp[i], &s->warp[i]);
  for (unsigned i = 0; i < s->blocks; i++) restore_block(m, &m->block[i], &s->block[i]);
  watch_end(m);
  return HEDDLE_OK;
}

void heddle_saved_free(struct heddle_saved *s) {
  if (s == NULL) return;
  pages_free(&s->memory);
  pages_free(&s->defined);
  pages_free(&s->from);
  for (unsigned i = 0; i < s->warps && s->warp != NULL; i++) {
    free(s->warp[i].warp);
    free(s->warp[i].local);
    free(s->warp[i].local_defined);
    free(s->warp[i].local_from);
    free(s->warp[i].marks);
  }
  for (unsigned i = 0; i < s->blocks && s->block != NULL; i++) {
    free(s->block[i].shared);
    free(s->block[i].shared_defined);
    free(s->block[i].shared_from);
  }
  free(s->block_seen);
  free(s->warp);
  free(s->block);
  free(s);
}
