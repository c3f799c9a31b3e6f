/* SPDX-License-Identifier: Apache-2.0
 *
 * Digests as bytes, and what their entries tell of a launch.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/digest.h>
#include "cosim/digest/internal.h"
#include "cosim/trace/stream.h"

/* What a launch's entries tell, by block and warp. An entry is taken or says what cannot be of it. */

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
  if (w->ended) return cannot(t, "warp slot %u reports a window of a warp that has ended", w->slot);
  if (!more(t, &w->sum, w->sums, &w->sum_room, sizeof *w->sum)) return false;
  w->sum[w->sums++] = sum;
  return true;
}

/* The last one of that number below 2^16 that has been told. */
static bool correction(struct told *t, struct told_warp *w, const struct heddle_digest_entry *e) {
  size_t k = (w->sums & ~(size_t)0xffff) | e->window;
  if (k >= w->sums) k -= 0x10000;
  if (w->ended || k >= w->sums) /* below 0 too */
    return cannot(t, "warp slot %u corrects window %u, which was not reported", w->slot, e->window);
  w->sum[k] ^= e->sum[0];
  t->corrections++;
  return true;
}

static bool warp_ends(struct told *t, struct told_warp *w, const struct heddle_digest_entry *e) {
  const uint64_t windows = ((uint64_t)e->count + HEDDLE_DIGEST_WINDOW - 1) / HEDDLE_DIGEST_WINDOW;
  const size_t due = windows >= 2 ? 2 : (size_t)windows;
  if (e->count == 0 || w->sums + due != windows)
    return cannot(t, "warp slot %u ends after %u instructions, and has reported %zu windows", w->slot, e->count,
                  w->sums);
  if (due == 1 && e->sum[0] != 0) return cannot(t, "warp slot %u reports a digest of no window", w->slot);
  for (size_t i = 2 - due; i < 2; i++)
    if (!window(t, w, e->sum[i])) return false;
  w->ended = true;
  w->insns = e->count;
  return true;
}

static bool clock_told(struct told *t, struct told_warp *w, const struct heddle_digest_entry *e) {
  if (w->ended) return cannot(t, "warp slot %u has a clock reported behind its end", w->slot);
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
  if (t->trapped) return cannot(t, "an entry follows the trap");
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

/* Digests as bytes: frames (trace/stream.h), and the entries in them. */

enum { CODE_LAST = 15, COUNT_BYTES = 5 };

/* What is left of a frame of entries. */
struct nibbles {
  const uint8_t *at;
  size_t left;
  bool high; /* the next one is the upper half of *at */
  bool bad;  /* more was asked for than there is, or it is none */
};

struct heddle_digest_decoder {
  struct heddle_digest_state state;
  struct frames frames;
  struct nibbles in;
  bool open; /* a frame whose last nibble has not come */
};

struct heddle_digest_decoder *heddle_digest_new(void) {
  return calloc(1, sizeof(struct heddle_digest_decoder));
}

void heddle_digest_free(struct heddle_digest_decoder *d) {
  free(d);
}

/* What is left of an open frame is given up. */
static void shut(struct heddle_digest_decoder *d) {
  if (d->open) frames_next(&d->frames);
  d->open = false;
}

void heddle_digest_launch(struct heddle_digest_decoder *d) {
  d->state = (struct heddle_digest_state){.bytes = d->frames.bytes};
  shut(d);
}

const struct heddle_digest_state *heddle_digest_look(const struct heddle_digest_decoder *d) {
  return &d->state;
}

static void lose(struct heddle_digest_decoder *d, const char *why) {
  struct heddle_digest_state *s = &d->state;
  if (s->lost) return;
  s->lost = true;
  s->lost_offset = d->frames.offset;
  snprintf(s->why, sizeof s->why, "%s", why);
}

static bool ours(const struct frame_start *s) {
  return s->format == HEDDLE_DIGEST_FORMAT && s->profile == HEDDLE_DIGEST_PROFILE;
}

static const char *take_start(struct heddle_digest_decoder *d, const struct frame *f) {
  struct heddle_digest_state *s = &d->state;
  struct frame_start of;
  if (!frame_start_of(f, &of)) return "a frame that cannot be";
  if (!ours(&of)) return "it was made of other entries than this program reads";
  if (of.warps > HEDDLE_DIGEST_SLOTS || of.blocks > HEDDLE_DIGEST_SLOTS)
    return "a machine of more slots than digests can name";
  if (s->begun) return "a launch begins before the one before has ended";
  if (of.lost) return "entries were lost at the start";
  s->begun = true;
  s->lanes = of.lanes;
  s->warps = of.warps;
  s->blocks = of.blocks;
  s->banks = of.banks;
  return NULL;
}

/* Nobody begins again in the midst of digests: all that it can say is that something is missing. */
static const char *take_sync(const struct frame *f) {
  if (f->n != 9 || f->at[8] > 1) return "a frame that cannot be";
  return f->at[8] != 0 ? "the core found no room for its entries" : NULL;
}

static const char *take_end(struct heddle_digest_decoder *d, const struct frame *f) {
  struct heddle_digest_state *s = &d->state;
  if (f->n != 10) return "a frame that cannot be";
  s->end_cycle = frame_number(f->at, 6);
  s->ended = true;
  return frame_number(f->at + 6, 4) == (uint32_t)s->entries ? NULL : "it ends with another count than what has come";
}

/* NULL: it is right. */
static const char *take_frame(struct heddle_digest_decoder *d, const struct frame *f) {
  if (d->state.ended) return "a frame after the end";
  if (f->type == FRAME_START) return take_start(d, f);
  if (!d->state.begun) return "it does not begin with a start";
  switch (f->type) {
  case FRAME_DATA:
    d->in = (struct nibbles){.at = f->at, .left = 2 * f->n};
    d->open = true;
    return NULL;
  case FRAME_SYNC:
    return take_sync(f);
  case FRAME_END:
    return take_end(d, f);
  default:
    return "a frame that cannot be";
  }
}

size_t heddle_digest_give(struct heddle_digest_decoder *d, const uint8_t *p, size_t n) {
  bool whole;
  struct frame f;
  const char *why;
  shut(d);
  const size_t took = frames_give(&d->frames, p, n, &whole);
  d->state.bytes = d->frames.bytes;
  if (!whole) return took;
  const enum frame_state got = frames_take(&d->frames, &f, &why);
  if (got == FRAME_RIGHT && !d->state.lost) why = take_frame(d, &f); /* behind a loss nothing is read */
  if (why != NULL)
    lose(d, why);
  else
    d->state.frames++;
  if (!d->open) frames_next(&d->frames); /* what is open still lies there */
  return took;
}

bool heddle_digest_begins(const uint8_t *p, size_t n) {
  struct frames f = {.used = 0};
  struct frame first;
  struct frame_start start;
  const char *why;
  bool whole;
  (void)frames_give(&f, p, n, &whole);
  return whole && frames_take(&f, &first, &why) == FRAME_RIGHT && first.type == FRAME_START &&
         frame_start_of(&first, &start) && ours(&start);
}

/* ---- entries ---- */

static unsigned nibble(struct nibbles *n) {
  if (n->left == 0) {
    n->bad = true;
    return 0;
  }
  const unsigned v = n->high ? *n->at >> 4 : *n->at & 15u;
  if (n->high) n->at++;
  n->high = !n->high;
  n->left--;
  return v;
}

static uint64_t bytes(struct nibbles *n, unsigned count) {
  uint64_t v = 0;
  for (unsigned i = 0; i < 2 * count; i++) v |= (uint64_t)nibble(n) << 4 * i;
  return v;
}

/* Seven bits a byte. */
static uint32_t counted(struct nibbles *n) {
  uint64_t v = 0;
  for (unsigned i = 0; i < COUNT_BYTES; i++) {
    const unsigned b = (unsigned)bytes(n, 1);
    v |= (uint64_t)(b & 127u) << 7 * i;
    if (b < 128) {
      if (v > UINT32_MAX) n->bad = true;
      return (uint32_t)v;
    }
  }
  n->bad = true;
  return 0;
}

static void body(struct nibbles *n, struct heddle_digest_entry *e) {
  switch (e->code) {
  case HEDDLE_DIGEST_MARK_GLOBAL:
  case HEDDLE_DIGEST_MARK_SHARED: {
    const uint32_t c = counted(n);
    e->count = c >> 1;
    e->more = (c & 1u) != 0;
    if (e->count == 0) n->bad = true;
    break;
  }
  case HEDDLE_DIGEST_NEXT:
    e->sum[0] = (uint32_t)bytes(n, 4);
    break;
  case HEDDLE_DIGEST_CORRECTION:
    e->window = (uint16_t)bytes(n, 2);
    e->sum[0] = (uint32_t)bytes(n, 4);
    break;
  case HEDDLE_DIGEST_WARP_END:
    e->count = (uint32_t)bytes(n, 4);
    for (unsigned i = 0; i < 2; i++) e->sum[i] = (uint32_t)bytes(n, 4);
    break;
  case HEDDLE_DIGEST_CLOCK:
    e->value = bytes(n, 6);
    break;
  case HEDDLE_DIGEST_BLOCK_START:
    e->warps = (uint16_t)bytes(n, 2);
    for (unsigned i = 0; i < 3; i++) e->ctaid[i] = counted(n);
    break;
  case HEDDLE_DIGEST_TRAP:
    e->seq = (uint32_t)bytes(n, 4);
    e->pc = (uint32_t)bytes(n, 4);
    e->lanes = (uint32_t)bytes(n, 4);
    e->cause = (uint8_t)bytes(n, 1);
    e->value = bytes(n, 8);
    break;
  default:
    break;
  }
}

static bool has_slot(const struct heddle_digest_state *s, const struct heddle_digest_entry *e) {
  const bool block = e->code == HEDDLE_DIGEST_BLOCK_START || e->code == HEDDLE_DIGEST_BLOCK_END;
  return e->slot < (block ? s->blocks : s->warps);
}

static bool last(struct nibbles *n) {
  return n->left == 0 || (n->left == 1 && nibble(n) == 0);
}

/* NULL: *e is one, or (*end) the frame is through. */
static const char *entry(struct heddle_digest_decoder *d, struct heddle_digest_entry *e, bool *end) {
  struct nibbles *n = &d->in;
  const unsigned code = nibble(n);
  *end = code == CODE_LAST && !n->bad;
  if (*end) return last(n) ? NULL : "something behind the end of a frame";
  if (n->bad) return "a frame that ends without saying so";
  if (code >= HEDDLE_DIGEST_CODES) return "an entry of no kind";
  *e = (struct heddle_digest_entry){.code = (enum heddle_digest_code)code};
  e->slot = (uint8_t)nibble(n);
  body(n, e);
  if (n->bad) return "a frame that ends inside an entry, or an entry that cannot be";
  return has_slot(&d->state, e) ? NULL : "an entry of a slot that the machine does not have";
}

bool heddle_digest_next(struct heddle_digest_decoder *d, struct heddle_digest_entry *e) {
  bool end;
  if (!d->open) return false;
  const char *why = entry(d, e, &end);
  if (why == NULL && !end) {
    d->state.entries++;
    return true;
  }
  if (why != NULL) lose(d, why);
  shut(d);
  return false;
}

void heddle_digest_over(struct heddle_digest_decoder *d) {
  if (frames_open(&d->frames))
    lose(d, "it breaks off inside a frame");
  else if (!d->state.ended)
    lose(d, d->state.begun ? "it breaks off: nothing says that this is the end" : "it is empty");
}

void heddle_digest_text(const struct heddle_digest_decoder *d, char *buf, size_t size) {
  const struct heddle_digest_state *s = &d->state;
  if (s->lost)
    snprintf(buf, size, "lost behind byte %" PRIu64 ": %s; the rest of the launch is not judged", s->lost_offset,
             s->why);
  else
    snprintf(buf, size, "%" PRIu64 " bytes, %" PRIu64 " entries, nothing lost", s->bytes, s->entries);
}
