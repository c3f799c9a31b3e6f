/* SPDX-License-Identifier: Apache-2.0
 *
 * What a launch's entries tell, by block and warp. An entry is taken or says what cannot be of it.
 */
#include <stdarg.h>
#include <string.h>

#include "cosim/digest/internal.h"

static bool cannot(struct told *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool cannot(struct told *t, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(t->wrong, sizeof t->wrong, fmt, ap);
  va_end(ap);
  return false;
}

/* Room for one more, within the limit. */
static bool more(struct told *t, void *array, size_t n, size_t *room, size_t size) {
  const size_t before = *room;
  if (n < before) return true;
  if (t->kept + (before == 0 ? 16 : before) * size > t->most) {
    t->too_much = true;
    return false;
  }
  if (!array_room(array, room, n + 1, size)) {
    t->no_memory = true;
    return false;
  }
  t->kept += (*room - before) * size;
  return true;
}

static struct told_warp *warp_in(struct told *t, unsigned slot) {
  const size_t n = t->in_slot[slot];
  if (n != 0) return &t->warp[n - 1];
  (void)cannot(t, "an entry of warp slot %u, where no warp lives", slot);
  return NULL;
}

static bool mark(struct told *t, const struct heddle_digest_entry *e) {
  struct told_marks *m = &t->mark[e->code == HEDDLE_DIGEST_MARK_GLOBAL ? SPACE_GLOBAL : SPACE_SHARED];
  if (!more(t, &m->at, m->n, &m->room, sizeof *m->at)) return false;
  m->at[m->n++] = (struct told_mark){e->count, e->slot, e->more};
  return true;
}

static bool window(struct told *t, struct told_warp *w, uint32_t sum) {
  if (w->ended) return cannot(t, "warp slot %u tells a window of a warp that has ended", w->slot);
  if (!more(t, &w->sum, w->sums, &w->sum_room, sizeof *w->sum)) return false;
  w->sum[w->sums++] = sum;
  return true;
}

/* The last one of that number below 2^16 that has been told. */
static bool correction(struct told *t, struct told_warp *w, const struct heddle_digest_entry *e) {
  size_t k = (w->sums & ~(size_t)0xffff) | e->window;
  if (k >= w->sums) k -= 0x10000;
  if (w->ended || k >= w->sums) /* below 0 too */
    return cannot(t, "warp slot %u corrects window %u, which was not told", w->slot, e->window);
  w->sum[k] ^= e->sum[0];
  t->corrections++;
  return true;
}

static bool warp_ends(struct told *t, struct told_warp *w, const struct heddle_digest_entry *e) {
  const uint64_t windows = ((uint64_t)e->count + HEDDLE_DIGEST_WINDOW - 1) / HEDDLE_DIGEST_WINDOW;
  const size_t due = windows >= 2 ? 2 : (size_t)windows;
  if (e->count == 0 || w->sums + due != windows)
    return cannot(t, "warp slot %u ends after %u instructions, and has told %zu windows", w->slot, e->count, w->sums);
  if (due == 1 && e->sum[0] != 0) return cannot(t, "warp slot %u tells a digest of no window", w->slot);
  for (size_t i = 2 - due; i < 2; i++)
    if (!window(t, w, e->sum[i])) return false;
  w->ended = true;
  w->insns = e->count;
  return true;
}

static bool clock_told(struct told *t, struct told_warp *w, const struct heddle_digest_entry *e) {
  if (w->ended) return cannot(t, "warp slot %u is told a clock behind its end", w->slot);
  if (w->clocks != 0 && e->value < w->clock[w->clocks - 1])
    return cannot(t, "the clock that warp slot %u reads falls", w->slot);
  if (!more(t, &w->clock, w->clocks, &w->clock_room, sizeof *w->clock)) return false;
  w->clock[w->clocks++] = e->value;
  return true;
}

static bool block_starts(struct told *t, const struct heddle_digest_entry *e) {
  const unsigned warps = (unsigned)__builtin_popcount(e->warps);
  if (warps != t->warps_each) return cannot(t, "a block of %u warps starts; it has %u", warps, t->warps_each);
  if (t->in_bslot[e->slot] != 0) return cannot(t, "a block starts in block slot %u, where one lives", e->slot);
  if (!more(t, &t->block, t->blocks, &t->block_room, sizeof *t->block)) return false;
  struct told_block *b = &t->block[t->blocks];
  *b = (struct told_block){.slots = e->warps, .bslot = e->slot, .warps = (uint8_t)warps, .first = t->warps};
  memcpy(b->ctaid, e->ctaid, sizeof b->ctaid);
  unsigned index = 0;
  for (unsigned slot = 0; slot < HEDDLE_DIGEST_SLOTS; slot++) {
    if ((e->warps >> slot & 1u) == 0) continue;
    if (t->in_slot[slot] != 0) return cannot(t, "a block starts in warp slot %u, where a warp lives", slot);
    if (!more(t, &t->warp, t->warps, &t->warp_room, sizeof *t->warp)) return false;
    t->warp[t->warps++] = (struct told_warp){
        .block = (uint32_t)t->blocks, .slot = (uint8_t)slot, .index = (uint8_t)index++, .hold = UINT32_MAX};
    t->in_slot[slot] = t->warps;
  }
  t->in_bslot[e->slot] = ++t->blocks;
  return true;
}

static bool block_ends(struct told *t, const struct heddle_digest_entry *e) {
  const size_t n = t->in_bslot[e->slot];
  if (n == 0) return cannot(t, "a block ends in block slot %u, where none lives", e->slot);
  struct told_block *b = &t->block[n - 1];
  for (unsigned i = 0; i < b->warps; i++)
    if (!t->warp[b->first + i].ended) return cannot(t, "the block in slot %u ends, but not its warp %u", e->slot, i);
  for (unsigned i = 0; i < b->warps; i++) t->in_slot[t->warp[b->first + i].slot] = 0;
  t->in_bslot[e->slot] = 0;
  b->ended = true;
  return true;
}

static bool trap(struct told *t, const struct told_warp *w, const struct heddle_digest_entry *e) {
  if (e->cause == HEDDLE_TRAP_NONE || e->cause >= HEDDLE_CAUSES) return cannot(t, "a trap of no cause");
  if (w->ended) return cannot(t, "a warp traps that has ended");
  t->trapped = true;
  t->trap = *e;
  t->trap_warp = (size_t)(w - t->warp);
  return true;
}

bool told_entry(struct told *t, const struct heddle_digest_entry *e) {
  struct told_warp *w = NULL;
  if (t->wrong[0] != '\0' || t->too_much || t->no_memory) return false;
  if (t->trapped) return cannot(t, "something is told behind the trap");
  const bool of_warp = e->code != HEDDLE_DIGEST_MARK_GLOBAL && e->code != HEDDLE_DIGEST_MARK_SHARED &&
                       e->code != HEDDLE_DIGEST_BLOCK_START && e->code != HEDDLE_DIGEST_BLOCK_END;
  if (of_warp && (w = warp_in(t, e->slot)) == NULL) return false;
  switch (e->code) {
  case HEDDLE_DIGEST_MARK_GLOBAL:
  case HEDDLE_DIGEST_MARK_SHARED:
    return mark(t, e);
  case HEDDLE_DIGEST_NEXT:
    return window(t, w, e->sum[0]);
  case HEDDLE_DIGEST_CORRECTION:
    return correction(t, w, e);
  case HEDDLE_DIGEST_WARP_END:
    return warp_ends(t, w, e);
  case HEDDLE_DIGEST_CLOCK:
    return clock_told(t, w, e);
  case HEDDLE_DIGEST_BLOCK_START:
    return block_starts(t, e);
  case HEDDLE_DIGEST_BLOCK_END:
    return block_ends(t, e);
  case HEDDLE_DIGEST_TRAP:
    return trap(t, w, e);
  case HEDDLE_DIGEST_CODES:
    break;
  }
  return cannot(t, "an entry of no kind");
}

void told_clear(struct told *t) {
  for (size_t i = 0; i < t->warps; i++) {
    free(t->warp[i].sum);
    free(t->warp[i].clock);
  }
  free(t->block);
  free(t->warp);
  for (unsigned s = 0; s < SPACES; s++) free(t->mark[s].at);
  *t = (struct told){.kept = 0};
}
