/* SPDX-License-Identifier: Apache-2.0
 *
 * Who accessed each place last: a cell for each word of memory that was touched, and for each byte where narrower
 * accesses came. */
#ifndef HEDDLE_SANITIZE_SHADOW_H
#define HEDDLE_SANITIZE_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an access was, for the memory model. */
enum mark_kind {
  MARK_READS = 1,
  MARK_WRITES = 2,
  MARK_STRONG = 4, /* atomics, and accesses of .STRONG */
  MARK_BLOCK = 8,  /* ... at the scope of its block alone */
  MARK_COPY = 16   /* by an asynchronous copy: by no thread */
};

/* Accesses of lanes of one warp (clock.h), by one instruction, at one time. */
struct mark {
  uint32_t warp; /* 0: none */
  uint32_t time, lanes;
  uint32_t pc : 27, kind : 5; /* pc in steps of 8 bytes would be 21 bits; code has at most 16 MiB */
};

#define MARKS_MORE 63u /* kept beside the first one; the oldest goes when one more comes */
struct marks {
  uint32_t used, next; /* next: which goes first once all are used */
  struct mark mark[MARKS_MORE];
};

struct cell {
  struct mark write;  /* the last weak one */
  struct mark other;  /* since then: a read or something strong, */
  struct marks *more; /* ... and more of them, or NULL; owned */
};

#define SHADOW_PAGE 1024u /* bytes of memory */
#define SHADOW_WORD 4u
struct shadow_page {
  struct cell *cell; /* one for each word, or each byte; NULL: nobody came */
  bool by_byte;
};

/* Cells of a range of addresses. */
struct shadow {
  uint64_t base, pages;
  struct shadow_page page[];
};
struct shadow *shadow_new(uint64_t base, uint64_t bytes); /* NULL: no memory */
void shadow_free(struct shadow *s);
/* Room for accesses of so many bytes. False: no memory. */
bool shadow_open(struct shadow_page *p, unsigned bytes);

/* The cells of `bytes` bytes at addr, which lie in the range and are aligned to their number: how many. 0: no memory.
 */
static inline unsigned shadow_cells(struct shadow *s, uint64_t addr, unsigned bytes, struct cell **out) {
  struct shadow_page *p = &s->page[(addr - s->base) / SHADOW_PAGE];
  const unsigned in = (unsigned)((addr - s->base) % SHADOW_PAGE);
  if ((!p->cell || (bytes < SHADOW_WORD && !p->by_byte)) && !shadow_open(p, bytes)) return 0;
  *out = p->cell + (p->by_byte ? in : in / SHADOW_WORD);
  return p->by_byte ? bytes : bytes / SHADOW_WORD;
}

/* Puts a mark beside the others of a cell. False: no memory. */
bool cell_add(struct cell *c, struct mark m);
/* A weak write came: the others are of the past. */
void cell_written(struct cell *c, struct mark m);

#endif
