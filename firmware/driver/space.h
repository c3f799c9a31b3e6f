/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside firmware/driver: the address space of a context (isa/doc/18-virtual-memory.md): its tables, and the
 * frames of device memory that tables and pages lie in. The host keeps a copy of all tables: a running grid's walks and
 * its EXCHANGEs go to caches, and what memory says then is old. A and D alone are the device's to know. */
#ifndef HEDDLE_DRIVER_SPACE_H
#define HEDDLE_DRIVER_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/error.h>
#include <heddle/host_regs.h>
#include <heddle/pages.h>

struct heddle_context;

enum {
  SPACE_NUMBER = 1,
  CHUNK_FRAMES = 16,
  SPACE_LEAST = 64, /* frames of pages: an instruction may need 33 at once */
  SPACE_TABLES = 3  /* tables that mapping a page may need */
};

/* Of a page, or of a table. */
struct space_frame {
  struct space_frame *next, *before; /* of pages: the list, the oldest first */
  uint64_t at, page;                 /* page: its virtual address; 0: a table, or free */
  uint64_t *table;                   /* what a table holds */
};

/* One piece of the heap, for tables or for pages: tables stay where they are. */
struct space_chunk {
  uint64_t at;
  unsigned frames, used;
  bool tables;
  struct space_frame frame[CHUNK_FRAMES];
};

struct space {
  bool open; /* there are tables: launches have pages */
  uint64_t root;
  struct space_chunk **chunk; /* by address */
  size_t chunks, room;
  uint64_t frames, free, most; /* of pages; most: that there may be; 0: as many as the heap has room for */
  uint64_t tables_free;        /* frames for tables */
  struct space_frame *oldest, *latest;
  uint64_t resident; /* pages */
  bool runs;         /* a grid does: entries are exchanged */
  bool stale;        /* the device may keep translations that tables no longer say */
  bool unsure;       /* a grid did not end well: what was exchanged while it ran may not have come to memory */
  bool spoiled;      /* nor has what the bus did not take: tables are written anew before the next launch */
};

/* ---- tables (space.c). At rest all but where `runs`. */
enum heddle_error space_open(struct heddle_context *c);
void space_close(struct heddle_context *c); /* nothing runs; frames go back to the heap */
/* The page at `virt` lies at `phys`; a table that lacks takes a frame. */
enum heddle_error space_map(struct heddle_context *c, uint64_t virt, uint64_t phys, uint64_t bytes, uint64_t flags);
bool space_find(struct heddle_context *c, uint64_t virt, struct heddle_page *out); /* as the host knows it */
/* All tables that pages of 4 KiB of [virt, virt + bytes) need; at rest. */
enum heddle_error space_prepare(struct heddle_context *c, uint64_t virt, uint64_t bytes);
/* The entry becomes `value`; *old: what was there, as the device knows it. The host's copy becomes it in any case. */
enum heddle_error space_swap(struct heddle_context *c, uint64_t entry_at, uint64_t value, uint64_t *old);
/* At rest: pages that [at, at + bytes) has a part in, where address and place are the same, become absent. */
enum heddle_error space_forget(struct heddle_context *c, uint64_t at, uint64_t bytes);
/* What STATUS says with `bit` is over; `what` is its name in words. */
bool space_wait(struct heddle_context *c, uint32_t bit, const char *what);
/* Translations of one page, or of all, are forgotten, and the device has said so. */
enum heddle_error space_invalidate(struct heddle_context *c, bool all, uint64_t page);
enum heddle_error space_rewrite(struct heddle_context *c); /* at rest: all tables, as the host knows them */

/* ---- frames (frames.c) */
/* Until so many are free, for tables or for pages, as far as there is room. */
enum heddle_error space_frames_grow(struct heddle_context *c, uint64_t want, bool tables);
struct space_frame *space_frames_take(struct heddle_context *c, bool tables); /* NULL: none is free */
/* Frames of pages that lie in one piece with `f`, itself among them: at most CHUNK_FRAMES. */
void space_frames_give(struct heddle_context *c, struct space_frame *f);
void space_frames_hold(struct heddle_context *c, struct space_frame *f, uint64_t page); /* the latest */
struct space_frame *space_frames_at(const struct heddle_context *c, uint64_t at);       /* NULL: no frame lies there */
/* Two frames side by side, for a root. False: no room, or no memory of the host's. */
enum heddle_error space_frames_take_root(struct heddle_context *c, struct space_frame **first);
void space_frames_trim(struct heddle_context *c); /* what nobody uses goes back to the heap */
void space_frames_drop(struct heddle_context *c);

/* What unified.c and frames.c have in common. What the rest of the driver knows of unified memory: internal.h. */

#define PAGE HEDDLE_PAGE_SMALL
#define HOST_HIGHEST (UINT64_C(1) << 47) /* addresses of the host lie below */

enum { PAGES_AT_ONCE = HEDDLE_FAULT_PLACES /* that come or go */ };

static inline void *unified_host_of(uint64_t page) {
  return (void *)(uintptr_t)page;
}

/* ---- pages go home (frames.c) */
/* Who hands over the host's memory hears whether the host may write that page. */
void unified_let_host_write(const struct heddle_context *c, uint64_t page, bool may);

/* ---- pages give way while a grid runs (frames.c) */
/* Of the pages that came first, until so many frames are free; PAGES_AT_ONCE go at most. */
enum heddle_error unified_evict_until(struct heddle_context *c, uint32_t frames);
/* Tables have pieces of the heap of their own: where it is full, pages give one up. */
enum heddle_error unified_make_room_for_tables(struct heddle_context *c);

#endif
