/* SPDX-License-Identifier: Apache-2.0
 *
 * For debuggers (heddle/debug.h): paths, registers, memory; saved states.
 */
#include <stdlib.h>
#include <string.h>

#include <heddle/debug.h>
#include "cmodel/core/livelock.h"
#include "cmodel/core/marks.h"

/* Looking into the model and changing it, for debuggers (heddle/debug.h). */

/* ---- paths ---- */

static unsigned add_parked(const struct warp *w, unsigned x, struct heddle_path *out) {
  unsigned n = 0;
  for (uint32_t rest = w->parked[x]; rest != 0; n++) {
    const struct path p = parked_path(w, x, rest);
    out[n] = (struct heddle_path){p.mask, p.pc, HEDDLE_LANES_PARK, x};
    rest &= ~p.mask;
  }
  return n;
}

unsigned heddle_warp_paths(const struct heddle_model *m, unsigned slot, struct heddle_path out[HEDDLE_LANES]) {
  const struct warp *w = slot < m->warp_slots ? &m->warp[slot] : NULL;
  unsigned n = 0;
  if (w == NULL || !w->used || w->ended) return 0;
  if (w->active != 0) out[n++] = (struct heddle_path){w->active, w->pc, HEDDLE_LANES_ISSUE, 0};
  for (unsigned d = 0; d < w->depth; d++) {
    const struct path *p = &w->path[w->its ? d : w->depth - 1 - d];
    out[n++] = (struct heddle_path){p->mask, p->pc, HEDDLE_LANES_WAIT, 0};
  }
  for (unsigned x = 0; x <= BARRIERS; x++) n += add_parked(w, x, &out[n]);
  return n;
}

/* ---- registers ---- */

static bool lives(const struct heddle_model *m, unsigned slot, unsigned lane) {
  return slot < m->warp_slots && m->warp[slot].used && lane < HEDDLE_LANES;
}

uint32_t heddle_reg_undefined(const struct heddle_model *m, unsigned slot, unsigned reg, unsigned lane) {
  if (!lives(m, slot, lane) || reg >= m->launch.regs) return ALL_LANES;
  const struct warp *w = &m->warp[slot];
  if ((w->awaited[reg] >> lane & 1) != 0) return ALL_LANES;
  if ((w->defined[reg] >> lane & 1) != 0) return 0;
  return w->marked ? w->marks->bits[reg][lane] : ALL_LANES;
}

/* What runs of straight code have found of the warp's registers holds no more. */
static void write_row(struct warp *w, unsigned row, unsigned lane, uint32_t value) {
  memset(w->settled, 0, sizeof w->settled);
  w->row[row][lane] = value;
  w->defined[row] |= 1u << lane;
}

bool heddle_put_reg(struct heddle_model *m, unsigned slot, unsigned reg, unsigned lane, uint32_t value) {
  if (!lives(m, slot, lane) || reg >= m->launch.regs) return false;
  write_row(&m->warp[slot], reg, lane, value);
  return true;
}

bool heddle_put_ureg(struct heddle_model *m, unsigned slot, unsigned ureg, uint32_t value) {
  if (!lives(m, slot, 0) || ureg >= UREGS) return false;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) write_row(&m->warp[slot], ROW_UR + ureg, i, value);
  return true;
}

static bool put_pred(struct heddle_model *m, unsigned slot, unsigned p, uint32_t lanes, bool value) {
  if (!lives(m, slot, 0)) return false;
  struct warp *w = &m->warp[slot];
  memset(w->settled, 0, sizeof w->settled);
  w->pred[p] = (w->pred[p] & ~lanes) | (value ? lanes : 0);
  w->pred_defined[p] |= lanes;
  return true;
}

bool heddle_put_pred(struct heddle_model *m, unsigned slot, unsigned p, unsigned lane, bool value) {
  return p < ISA_PT && lane < HEDDLE_LANES && put_pred(m, slot, p, 1u << lane, value);
}

bool heddle_put_upred(struct heddle_model *m, unsigned slot, unsigned up, bool value) {
  return up < ISA_PT && put_pred(m, slot, PRED_UP + up, ALL_LANES, value);
}

/* ---- memory ---- */

/* Bytes of a space that lie in one piece on the host; local memory has words of all lanes side by side. */
struct bytes_of {
  uint8_t *at, *defined; /* defined: bits of 1; NULL: all are */
  uint64_t base, size;
  bool words; /* of local memory: word k at 128 k */
};

static struct bytes_of space_bytes(const struct heddle_model *m, unsigned slot, unsigned lane, unsigned space,
                                   uint64_t at) {
  const unsigned bank = (unsigned)(at >> 32 & 0xff);
  const struct launch_bytes { uint32_t shared, local; } l = {m->launch.shared_bytes, m->launch.local_bytes};
  if (!m->launched) return (struct bytes_of){.size = 0};
  if (space == ISA_SPACE_GLOBAL) return (struct bytes_of){m->memory, m->global_defined, m->base, m->bytes, false};
  if (space == ISA_SPACE_CONST && at >> 40 == 0 && bank < BANKS)
    return (struct bytes_of){m->bank[bank], NULL, (uint64_t)bank << 32, m->launch.cbank_bytes[bank], false};
  if (!lives(m, slot, lane)) return (struct bytes_of){.size = 0};
  const struct warp *w = &m->warp[slot];
  if (space == ISA_SPACE_SHARED)
    return (struct bytes_of){w->block->shared, w->block->shared_defined, 0, l.shared, false};
  if (space != ISA_SPACE_LOCAL || l.local == 0) return (struct bytes_of){.size = 0};
  const size_t first = (size_t)4 * lane;
  return (struct bytes_of){w->local + first, w->local_defined + first, 0, l.local, true};
}

static bool bytes_hold(const struct bytes_of *b, uint64_t at, size_t bytes) {
  return at >= b->base && at - b->base <= b->size && bytes <= b->size - (at - b->base);
}

static size_t byte_place(const struct bytes_of *b, uint64_t at) {
  const uint64_t i = at - b->base;
  return (size_t)(b->words ? i / 4 * 4 * HEDDLE_LANES + i % 4 : i);
}

bool heddle_look(const struct heddle_model *m, unsigned slot, unsigned lane, unsigned space, uint64_t at, uint8_t *out,
                 size_t bytes) {
  const struct bytes_of b = space_bytes(m, slot, lane, space, at);
  if (!bytes_hold(&b, at, bytes)) return false;
  for (size_t i = 0; i < bytes; i++) out[i] = b.at[byte_place(&b, at + i)];
  return true;
}

bool heddle_put(struct heddle_model *m, unsigned slot, unsigned lane, unsigned space, uint64_t at, const uint8_t *in,
                size_t bytes) {
  const struct bytes_of b = space_bytes(m, slot, lane, space, at);
  if (space == ISA_SPACE_CONST || !bytes_hold(&b, at, bytes)) return false;
  if (space == ISA_SPACE_LOCAL) local_touch(&m->warp[slot], (uint32_t)((at + bytes + 3) / 4));
  for (size_t i = 0; i < bytes; i++) {
    const size_t k = byte_place(&b, at + i);
    b.at[k] = in[i];
    if (b.defined != NULL) b.defined[k] = 0xff;
  }
  return true;
}

/* Saving the state of a launch and going back to it. What never changes after the launch (code, constants, windows) is
 * not kept; of what does, memory is by far the most: it is kept by pages, which states share. */

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

enum heddle_error heddle_model_restore(struct heddle_model *m, const struct heddle_saved *s) {
  if (s->of != m || s->launch != m->launches || !m->launched)
    return model_fail(m, HEDDLE_ERROR_STATE, "a saved state of another launch");
  m->now = s->now;
  if (m->block_seen != NULL) memcpy(m->block_seen, s->block_seen, (size_t)(m->grid_blocks / 8 + 1));
  pages_restore(&s->memory, m->memory, m->bytes, 0);
  pages_restore(&s->defined, m->global_defined, m->bytes, 0xff);
  pages_restore(&s->from, m->global_from, all_global_from(m), 0);
  for (unsigned i = 0; i < s->warps; i++) restore_warp(m, &m->warp[i], &s->warp[i]);
  for (unsigned i = 0; i < s->blocks; i++) restore_block(m, &m->block[i], &s->block[i]);
  watch_end(m);
  return HEDDLE_SUCCESS;
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
