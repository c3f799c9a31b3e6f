/* SPDX-License-Identifier: Apache-2.0
 * Bring-up: memory behind its wires: byte masks, cells, time. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/board/board_tests.h"
#include "tools/board/bring_up.h"
#include "run/command/tool.h"

enum {
  BEAT = 8,
  FRAME = 1024, /* of the link, and a page of what is tried */
  SIM_FRAMES = 8,
  TTY_FRAMES = 256,
  SIM_PLACES = 64,
  TTY_PLACES = 1024,
  WAIT_ECHOES = 12, /* of a simulated board: half a million cycles */
  WAIT_MS = 10000,  /* long enough for cells that nothing refreshes to forget */
  SIM_MARCH = 128,
  AGAIN = 4
};

static uint64_t base(const struct bring *g) {
  return g->b.id.memory_base;
}

static bool write_at(struct bring *g, uint64_t addr, const void *bytes, size_t n) {
  return bring_answered(g, board_link_write(g->b.link, addr, bytes, n), LAYER_INIT);
}

static bool read_at(struct bring *g, uint64_t addr, void *bytes, size_t n) {
  return bring_answered(g, board_link_read(g->b.link, addr, bytes, n), LAYER_INIT);
}

/* ---- byte masks */

struct seen_masks {
  uint32_t spilt, kept; /* bytes of a word: written beside another one; not written although it was asked for */
  uint32_t missing;     /* lines of a word that alone were not */
};

/* One byte of a beat is written; of its word it is byte `lane`. */
static bool try_byte(struct bring *g, unsigned at, uint8_t old, struct seen_masks *m) {
  const unsigned word = g->chip->data / 8;
  uint8_t beat[BEAT];
  const uint8_t fresh = (uint8_t)~old;
  memset(beat, old, sizeof beat);
  if (!write_at(g, base(g), beat, sizeof beat) || !write_at(g, base(g) + at, &fresh, 1) ||
      !read_at(g, base(g), beat, sizeof beat))
    return false;
  for (unsigned i = 0; i < BEAT; i++) {
    const uint8_t wrong = beat[i] ^ (i == at ? fresh : old);
    if (wrong == 0) continue;
    if (i != at)
      m->spilt |= 1u << i % word;
    else if (wrong == 0xff)
      m->kept |= 1u << i % word;
    else
      m->missing |= (uint32_t)wrong << 8 * (i % word);
  }
  return true;
}

static bool try_masks(struct bring *g) {
  struct seen_masks m = {0};
  char where[64];
  for (unsigned at = 0; at < BEAT; at++)
    if (!try_byte(g, at, 0x00, &m) || !try_byte(g, at, 0xff, &m)) return false;
  if (m.missing != 0 && m.kept == 0) {
    bring_name_lines(where, sizeof where, "D", m.missing);
    return bring_blame(g, 1u << LAYER_DATA, where,
                       "where one byte alone is written these belong to another one: exchanged");
  }
  bring_name_lines(where, sizeof where, "DQM", m.spilt | m.kept);
  if (m.kept != 0) return bring_blame(g, 1u << LAYER_MASK, where, "a byte that is written alone is not written");
  if (m.spilt != 0)
    return bring_blame(g, 1u << LAYER_MASK, where, "a byte is written beside another one: never masked");
  return true;
}

/* ---- cells */

static uint64_t value_at(uint64_t offset, bool inverse) {
  uint64_t v = (offset + 1) * 0x9e3779b97f4a7c15u;
  v ^= v >> 29;
  return inverse ? ~v : v;
}

/* Places: pages from the first address on, then words all over memory. */
struct places {
  unsigned pages, words;
};

static uint64_t word_place(const struct bring *g, unsigned i) {
  return (i * 0x9e3779b1ull + 0x10000) * BEAT % g->b.id.memory_bytes;
}

struct wrong {
  uint64_t words, all, first, lines; /* words that differ, of all; the first one; all bits that do */
  unsigned pages;                    /* with one of them */
};

static void compare_read(const uint8_t *bytes, size_t n, uint64_t offset, bool inverse, struct wrong *w) {
  for (size_t i = 0; i < n; i += BEAT, w->all++) {
    uint64_t got;
    memcpy(&got, bytes + i, sizeof got);
    const uint64_t differs = got ^ value_at(offset + i, inverse);
    if (differs == 0) continue;
    if (w->words++ == 0) w->first = offset + i;
    w->lines |= differs;
  }
}

static bool write_places(struct bring *g, const struct places *p, bool inverse) {
  uint8_t page[FRAME];
  for (unsigned f = 0; f < p->pages + p->words; f++) {
    const uint64_t offset = f < p->pages ? (uint64_t)f * FRAME : word_place(g, f - p->pages);
    const size_t n = f < p->pages ? FRAME : BEAT;
    for (size_t i = 0; i < n; i += BEAT) {
      const uint64_t v = value_at(offset + i, inverse);
      memcpy(page + i, &v, sizeof v);
    }
    if (!write_at(g, base(g) + offset, page, n)) return false;
  }
  return true;
}

static bool read_places(struct bring *g, const struct places *p, bool inverse, struct wrong *w) {
  uint8_t page[FRAME];
  *w = (struct wrong){0};
  for (unsigned f = 0; f < p->pages + p->words; f++) {
    const uint64_t offset = f < p->pages ? (uint64_t)f * FRAME : word_place(g, f - p->pages), before = w->words;
    const size_t n = f < p->pages ? FRAME : BEAT;
    if (!read_at(g, base(g) + offset, page, n)) return false;
    compare_read(page, n, offset, inverse, w);
    w->pages += f < p->pages && w->words != before;
  }
  return true;
}

/* Read again it is another value, or right: not what is kept is wrong, but how it comes. */
static bool steady(struct bring *g, uint64_t offset, bool inverse, bool *is) {
  uint64_t first = 0, got = 0;
  *is = true;
  for (unsigned i = 0; i < AGAIN; i++) {
    if (!read_at(g, base(g) + offset, &got, sizeof got)) return false;
    if (i == 0) first = got;
    *is = *is && got == first && got != value_at(offset, inverse);
  }
  return true;
}

/* Written anew and read at once it is right. */
static bool rewrite_holds(struct bring *g, uint64_t offset, bool inverse, bool *right) {
  const uint64_t value = value_at(offset, inverse);
  uint64_t got = 0;
  if (!write_at(g, base(g) + offset, &value, sizeof value) || !read_at(g, base(g) + offset, &got, sizeof got))
    return false;
  *right = got == value;
  return true;
}

/* Words that were right, or are when they are read at once. */
static bool blame_time(struct bring *g, const struct places *p, const struct wrong *w) {
  const unsigned some_rows = w->pages <= p->pages / 2 ? 1u << LAYER_CELL : 0;
  return bring_blame(g, 1u << LAYER_REFRESH | some_rows, "",
                     "%" PRIu64 " of %" PRIu64
                     " words are right at once and not after a while, the first at 0x%08" PRIx64,
                     w->words, w->all, base(g) + w->first);
}

static bool blame_cells(struct bring *g, const struct places *p, const struct wrong *w, bool inverse) {
  char where[64], line[128];
  bool same = true, fresh = false;
  uint32_t lines = 0;
  if (!steady(g, w->first, inverse, &same) || !rewrite_holds(g, w->first, inverse, &fresh)) return false;
  for (unsigned i = 0; i < 64; i++) lines |= (uint32_t)(w->lines >> i & 1) << i % g->chip->data;
  bring_name_lines(line, sizeof line, "D", lines);
  snprintf(where, sizeof where, "0x%08" PRIx64, base(g) + w->first);
  if (!same && __builtin_popcount(lines) == 1)
    return bring_blame(g, 1u << LAYER_DATA, line, "now and then wrong in %" PRIu64 " of %" PRIu64 " words: a bad joint",
                       w->words, w->all);
  if (!same)
    return bring_blame(g, 1u << LAYER_TIMING, "",
                       "%" PRIu64 " of %" PRIu64 " words came wrong, the first at %s, which reads otherwise again",
                       w->words, w->all, where);
  if (w->words > w->all / 16 && fresh) return blame_time(g, p, w);
  return bring_blame(g, 1u << LAYER_CELL | (w->words > w->all / 16 ? 1u << LAYER_TIMING : 0), where,
                     "%" PRIu64 " of %" PRIu64 " words hold something else, on %s", w->words, w->all, line);
}

static bool try_cells(struct bring *g, const struct places *p) {
  struct wrong w;
  for (unsigned inverse = 2; inverse-- > 0;) {
    if (!write_places(g, p, inverse) || !read_places(g, p, inverse, &w)) return false;
    if (w.words != 0) return blame_cells(g, p, &w, inverse);
  }
  return true;
}

/* What was right before is read again after a while. */
static bool try_time(struct bring *g, const struct places *p) {
  struct wrong w;
  if (g->b.sim ? !bring_echo(g, WAIT_ECHOES, FRAME)
               : !bring_answered(g, board_link_poll(g->b.link, WAIT_MS), LAYER_LINE))
    return false;
  if (!read_places(g, p, false, &w)) return false;
  return w.words == 0 || blame_time(g, p, &w);
}

/* The board's own test, of more words than the line can carry. */
static bool try_march(struct bring *g, char *seen, size_t size) {
  uint64_t words = g->o->march;
  if (words == 0) words = g->b.sim ? SIM_MARCH : g->b.id.memory_bytes / BEAT;
  if (board_march(&g->b, words, seen, size)) return true;
  return bring_blame(g, 1u << LAYER_CELL | 1u << LAYER_TIMING, "", "%s", seen);
}

bool bring_memory(struct bring *g) {
  const struct places p = {g->b.sim ? SIM_FRAMES : TTY_FRAMES, g->b.sim ? SIM_PLACES : TTY_PLACES};
  char march[256] = "the march test is in the bit file 'memory'";
  if (!try_masks(g) || !try_cells(g, &p) || !try_time(g, &p)) return false;
  if (g->rung == RUNG_MEMORY && !try_march(g, march, sizeof march)) return false;
  return bring_saw(g, "byte masks; %u pages and %u words elsewhere, kept for a while; %s", p.pages, p.words, march);
}
