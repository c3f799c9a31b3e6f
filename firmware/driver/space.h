/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside firmware/driver: the address space of a context (isa/doc/18-virtual-memory.md): its tables, and the frames
 * of device memory for tables and pages. The host keeps a copy of all tables, since a running grid's walks and
 * EXCHANGEs go to caches, and memory is old then. Only A and D are the device's own. */
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

/* Frame of a page, or of a table. */
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
  bool spoiled;      /* also writes that the bus refused: tables are written again before the next launch */
};

/* ---- tables (space.c). At rest all but where `runs`. */
enum heddle_error space_open(struct heddle_context *c);
void space_close(struct heddle_context *c); /* nothing runs; frames go back to the heap */
/* Maps the page at `virt` to `phys`; a missing table takes a frame. */
enum heddle_error space_map(struct heddle_context *c, uint64_t virt, uint64_t phys, uint64_t bytes, uint64_t flags);
bool space_find(struct heddle_context *c, uint64_t virt, struct heddle_page *out); /* as in the host's copy */
/* All tables that pages of 4 KiB of [virt, virt + bytes) need; at rest. */
enum heddle_error space_prepare(struct heddle_context *c, uint64_t virt, uint64_t bytes);
/* The entry becomes `value`; *old: the old one, as the device has it. The host's copy is changed in any case. */
enum heddle_error space_swap(struct heddle_context *c, uint64_t entry_at, uint64_t value, uint64_t *old);
/* At rest: pages that [at, at + bytes) has a part in, where address and place are the same, become absent. */
enum heddle_error space_forget(struct heddle_context *c, uint64_t at, uint64_t bytes);
/* Waits until `bit` of STATUS is 0; `what` is its name in words. */
bool space_wait(struct heddle_context *c, uint32_t bit, const char *what);
/* Invalidates translations of one page, or of all, and waits for the end. */
enum heddle_error space_invalidate(struct heddle_context *c, bool all, uint64_t page);
enum heddle_error space_rewrite(struct heddle_context *c); /* at rest: all tables, from the host's copy */

/* ---- frames (frames.c) */
/* Until so many are free, for tables or for pages, as far as there is room. */
enum heddle_error space_frames_grow(struct heddle_context *c, uint64_t want, bool tables);
struct space_frame *space_frames_take(struct heddle_context *c, bool tables); /* NULL: none is free */
/* Frames of pages that are contiguous with `f`, itself included: at most CHUNK_FRAMES. */
void space_frames_give(struct heddle_context *c, struct space_frame *f);
void space_frames_hold(struct heddle_context *c, struct space_frame *f, uint64_t page); /* the latest */
struct space_frame *space_frames_at(const struct heddle_context *c, uint64_t at);       /* NULL: no frame is there */
/* Two frames side by side, for a root. False: no room, or no memory of the host's. */
enum heddle_error space_frames_take_root(struct heddle_context *c, struct space_frame **first);
void space_frames_trim(struct heddle_context *c); /* unused ones go back to the heap */
void space_frames_drop(struct heddle_context *c);

/* Shared by unified.c and frames.c. The rest of the driver's view of unified memory: internal.h. */

#define PAGE HEDDLE_PAGE_SMALL
#define HOST_HIGHEST (UINT64_C(1) << 47) /* addresses of the host are below */

enum { PAGES_AT_ONCE = HEDDLE_FAULT_PLACES /* that come or go */ };

static inline void *unified_host_of(uint64_t page) {
  return (void *)(uintptr_t)page;
}

/* ---- pages go home (frames.c) */
/* Notifies the provider of the host's memory whether the host may write that page. */
void unified_let_host_write(const struct heddle_context *c, uint64_t page, bool may);

/* ---- eviction of pages while a grid runs (frames.c) */
/* The oldest pages, until so many frames are free; at most PAGES_AT_ONCE are evicted. */
enum heddle_error unified_evict_until(struct heddle_context *c, uint32_t frames);
/* Tables have pieces of the heap of their own: where it is full, pages give one up. */
enum heddle_error unified_make_room_for_tables(struct heddle_context *c);

#endif
