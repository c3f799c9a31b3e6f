/* SPDX-License-Identifier: Apache-2.0
 *
 * The device's heap. */
#include "run/sanitize/heap.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/isa_tables.h>
#include "base/array.h"
#include "run/job/job.h"

#define UNIT 16u    /* bytes; in front of a block lies one that is the library's, */
#define BYTES_AT 8u /* ... with the block's bytes here */
#define FAR 65536u  /* units that are looked through for the block before an address */
#define SPACE_SHIFT 56u

/* Somebody who called malloc or free. */
struct caller {
  struct heddle_actor by;
  unsigned lane;
};

struct block {
  uint64_t at, bytes;
  bool freed;
  struct caller got, gave;
};

struct heap {
  struct findings *to;
  void (*fresh)(void *ctx, uint64_t addr, uint64_t bytes);
  void *ctx;
  uint64_t base, bytes;                /* of the heap */
  uint64_t variables, variables_bytes; /* of the module, which the heap is one of */
  struct block *block;
  size_t blocks, room;
  uint32_t *of; /* of each unit: 0, or its block's number plus 1 */
};

struct heap *heap_new(struct findings *to, void (*fresh)(void *ctx, uint64_t addr, uint64_t bytes), void *ctx) {
  const struct job *j = to->job;
  const struct heddle_global *v = heddle_program_global(j->program, "heddle_heap");
  struct heap *h = v ? calloc(1, sizeof *h) : NULL;
  if (h) h->of = calloc(v->size / UNIT + 1, sizeof *h->of);
  if (v && (!h || !h->of)) {
    to->lost = true;
    heap_free(h);
    return NULL;
  }
  if (!h) return NULL;
  h->to = to;
  h->fresh = fresh;
  h->ctx = ctx;
  h->base = j->global_addr + v->offset;
  h->bytes = v->size;
  h->variables = j->global_addr;
  h->variables_bytes = j->program->global_bytes;
  return h;
}

void heap_free(struct heap *h) {
  if (!h) return;
  free(h->block);
  free(h->of);
  free(h);
}

/* ---- which block */

static struct block *block_of(const struct heap *h, uint64_t addr) {
  const uint32_t n = addr - h->base < h->bytes ? h->of[(addr - h->base) / UNIT] : 0;
  return n ? &h->block[n - 1] : NULL;
}

static uint64_t distance_to_block(const struct block *b, uint64_t addr) {
  if (!b) return UINT64_MAX;
  return addr < b->at ? b->at - addr : addr >= b->at + b->bytes ? addr - (b->at + b->bytes) : 0;
}

/* The one that the address is in, or nearest to. */
static struct block *nearest(const struct heap *h, uint64_t addr) {
  struct block *before = block_of(h, addr), *behind = block_of(h, addr + UNIT);
  for (uint64_t k = 1; !before && k < FAR && addr - h->base >= k * UNIT; k++) before = block_of(h, addr - k * UNIT);
  return distance_to_block(behind, addr) < distance_to_block(before, addr) ? behind : before;
}

/* ---- findings */

static void place_caller(struct finding_place *p, const struct caller *c, const char *does) {
  finding_put(p, &c->by, 1u << c->lane, does);
}

/* NULL: it was told before. `other`: who called, or NULL. */
static struct finding *add_finding(struct heap *h, const struct heddle_observed_access *a, unsigned lane,
                                   const char *does, const struct caller *other, const char *did) {
  bool is_new;
  struct finding *x = findings_add(h->to, SANITIZE_MEMORY, a->by.pc, other ? other->by.pc : a->by.pc, &is_new);
  if (!x || !is_new) return NULL;
  finding_put(&x->at[0], &a->by, 1u << lane, does);
  if (other) place_caller(&x->at[1], other, did);
  x->places = other ? 2 : 1;
  x->has_address = true;
  x->address = a->addr[lane];
  x->space = "global";
  return x;
}

static void wrong_access(struct heap *h, const struct heddle_observed_access *a, unsigned lane, const struct block *b) {
  const bool writes = a->kind == HEDDLE_ACCESS_STORE;
  const char *does = a->kind == HEDDLE_ACCESS_LOAD || a->kind == HEDDLE_ACCESS_COPY ? "load"
                     : writes                                                       ? "store"
                                                                                    : "atomic";
  const uint64_t addr = a->addr[lane];
  if (b && b->freed) {
    struct finding *x = add_finding(h, a, lane, does, &b->gave, "freed");
    if (x)
      snprintf(x->what, sizeof x->what, "use after free of a block of %llu bytes of the device's heap",
               (unsigned long long)b->bytes);
    return;
  }
  struct finding *x = add_finding(h, a, lane, does, b ? &b->got : NULL, "allocated");
  if (!x) return;
  if (!b)
    snprintf(x->what, sizeof x->what, "out of bounds of the device's heap: there is no block");
  else if (addr < b->at)
    snprintf(x->what, sizeof x->what,
             "out of bounds of a block of %llu bytes of the device's heap: %llu bytes before it",
             (unsigned long long)b->bytes, (unsigned long long)(b->at - addr));
  else
    snprintf(x->what, sizeof x->what,
             "out of bounds of a block of %llu bytes of the device's heap: %llu bytes beyond its end",
             (unsigned long long)b->bytes, (unsigned long long)(addr + a->bytes - (b->at + b->bytes)));
}

static void wrong_free(struct heap *h, const struct heddle_observed_access *a, unsigned lane, uint64_t of) {
  const struct block *b = block_of(h, of);
  const bool again = b && b->freed && b->at == of;
  struct finding *x = add_finding(h, a, lane, "free",
                                  again ? &b->gave
                                  : b   ? &b->got
                                        : NULL,
                                  again ? "freed" : "allocated");
  if (!x) return;
  x->address = of;
  if (again)
    snprintf(x->what, sizeof x->what, "double free of a block of %llu bytes of the device's heap",
             (unsigned long long)b->bytes);
  else if (b)
    snprintf(x->what, sizeof x->what, "free of an address %llu bytes inside of a block of %llu bytes",
             (unsigned long long)(of - b->at), (unsigned long long)b->bytes);
  else
    snprintf(x->what, sizeof x->what, "free of an address that malloc did not give");
}

/* ---- malloc and free */

static void got(struct heap *h, const struct heddle_observed_access *a, unsigned lane, uint64_t at, uint64_t bytes) {
  const uint64_t first = (at - h->base) / UNIT, units = (bytes + UNIT - 1) / UNIT;
  if (bytes == 0 || first + units > h->bytes / UNIT) return;
  if (!array_room(&h->block, &h->room, h->blocks + 1, sizeof *h->block)) {
    h->to->lost = true;
    return;
  }
  h->block[h->blocks++] = (struct block){.at = at, .bytes = bytes, .got = {a->by, lane}};
  for (uint64_t k = 0; k < units; k++) h->of[first + k] = (uint32_t)h->blocks;
  h->fresh(h->ctx, at, bytes);
}

/* False: it may not. */
static bool gave(struct heap *h, const struct heddle_observed_access *a, unsigned lane, uint64_t of) {
  struct block *b = block_of(h, of);
  const bool right = b && b->at == of && !b->freed;
  if (!right) {
    wrong_free(h, a, lane, of);
    return false;
  }
  b->freed = true;
  b->gave = (struct caller){a->by, lane};
  return true;
}

static bool is_global(const struct heddle_observed_access *a, uint64_t addr) {
  return a->space == ISA_SPACE_GLOBAL || (a->space == ISA_SPACE_GENERIC && addr >> SPACE_SHIFT == 0);
}

/* By the library: false where a lane may not. */
static bool library_access(struct heap *h, const struct heddle_observed_access *a, unsigned lane) {
  const uint64_t addr = a->addr[lane];
  const bool global = is_global(a, addr), inside = global && addr - h->base < h->bytes;
  const bool of_module = global && addr - h->variables < h->variables_bytes;
  if (a->bytes != 4) return true;
  if (a->kind == HEDDLE_ACCESS_STORE && inside && addr % UNIT == BYTES_AT)
    got(h, a, lane, addr + UNIT - BYTES_AT, a->data[0][lane]);
  if (a->kind == HEDDLE_ACCESS_ATOMIC && (inside || !of_module)) return gave(h, a, lane, addr + UNIT - BYTES_AT);
  return true;
}

/* By the program. */
static bool own_access(struct heap *h, const struct heddle_observed_access *a, unsigned lane) {
  const uint64_t addr = a->addr[lane];
  if (!is_global(a, addr) || addr - h->base >= h->bytes) return true;
  const struct block *b = block_of(h, addr);
  if (b && !b->freed && addr + a->bytes <= b->at + b->bytes) return true;
  wrong_access(h, a, lane, b ? b : nearest(h, addr));
  return false;
}

uint32_t heap_access(struct heap *h, const struct heddle_observed_access *a) {
  const bool library = heddle_program_order(h->to->job->program, a->by.pc) == HEDDLE_ORDER_LIBRARY;
  uint32_t wrong = 0;
  for (uint32_t rest = a->by.lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(rest);
    if (!(library ? library_access(h, a, lane) : own_access(h, a, lane))) wrong |= 1u << lane;
  }
  return wrong;
}
