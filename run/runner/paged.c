/* SPDX-License-Identifier: Apache-2.0
 * Jobs in an address space. */
#include "paged.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/pages.h>
#include "base/splitmix64.h"

#define BASE UINT64_C(0x7300000000) /* of physical memory */
/* Code and constants, just below the end of 2 MiB: beyond the job, or, where that lies high itself, low. */
#define BEHIND_HIGH UINT64_C(0x80001ff000)
#define BEHIND_LOW UINT64_C(0x1ff000)
#define BANKS 4u

/* Code, or a bank. */
struct piece {
  const uint8_t *from;
  uint64_t at, bytes;
};

/* A page that is absent at first. */
struct later {
  uint64_t virt, at, entry; /* at: where its entry lies */
  bool given;
};

struct paged {
  const struct job *job;
  uint64_t pages;     /* of the job's memory */
  uint8_t *flags;     /* of each HEDDLE_ENTRY_PRESENT, _WRITE, or 0 */
  uint64_t *frame_of; /* where it lies; 0: nowhere */
  struct piece piece[1 + BANKS];
  uint64_t behind, behind_bytes;
  uint64_t *frame, frames, taken; /* their order; those that are given out */
  uint64_t root;                  /* two frames side by side, which are not among them */
  uint8_t *memory;
  uint8_t space;
  bool demand;
  uint64_t random; /* state of what is drawn */
  struct later *later;
  size_t laters;
};

/* Behind all that a job can have, before BEHIND_HIGH. */
uint64_t paged_alias(uint64_t seed) {
  const uint64_t first = JOB_BYTES_MAX / HEDDLE_PAGE_SMALL, end = UINT64_C(1) << 26;
  return (first + splitmix64(&seed) % (end - first)) * HEDDLE_PAGE_SMALL;
}

/* ---- the plan */

static uint64_t pages_of(uint64_t at, uint64_t bytes) {
  return bytes == 0 ? 0 : (at + bytes - 1) / HEDDLE_PAGE_SMALL - at / HEDDLE_PAGE_SMALL + 1;
}

/* Pages that a region has a part in. */
static void flag_region(struct paged *p, const struct heddle_region *r) {
  const uint64_t first = (r->base - p->job->mem_base) / HEDDLE_PAGE_SMALL, n = pages_of(r->base, r->limit - r->base);
  for (uint64_t i = first; i < first + n; i++)
    p->flags[i] |= HEDDLE_ENTRY_PRESENT | (r->writable ? HEDDLE_ENTRY_WRITE : 0);
}

/* Code first, banks behind it, at multiples of 64, as a session places them. */
static void place_pieces(struct paged *p) {
  const struct heddle_launch *l = &p->job->launch;
  uint64_t at = p->behind = p->job->mem_base < BEHIND_HIGH / 2 ? BEHIND_HIGH : BEHIND_LOW;
  for (unsigned i = 0; i <= BANKS; i++) {
    const uint8_t *from = i == 0 ? l->code : l->cbank[i - 1];
    p->piece[i] = (struct piece){from, at, i == 0 ? l->code_bytes : l->cbank_bytes[i - 1]};
    at = (at + p->piece[i].bytes + 63) / 64 * 64;
  }
  p->behind_bytes = at - p->behind;
}

static uint64_t frames_needed(const struct paged *p) {
  const struct job *j = p->job;
  uint64_t n = pages_of(p->behind, p->behind_bytes);
  for (uint64_t i = 0; i < p->pages; i++) n += p->flags[i] != 0;
  const uint64_t tables =
      heddle_pages_bytes(j->mem_base, j->mem_bytes, HEDDLE_PAGE_SMALL) +
      (j->alias == 0 ? 0 : heddle_pages_bytes(j->mem_base + j->alias, j->mem_bytes, HEDDLE_PAGE_SMALL)) +
      heddle_pages_bytes(p->behind, p->behind_bytes, HEDDLE_PAGE_SMALL);
  return n + tables / HEDDLE_PAGE_SMALL;
}

/* An even number of frames, some of which nobody gets; two for the root, the others in any order. */
static bool shuffle(struct paged *p, uint64_t seed) {
  uint64_t state = seed;
  p->demand = seed % 2 == 0;
  const uint64_t needed = frames_needed(p), all = (needed + needed / 8 + 10) / 2 * 2;
  p->frame = malloc(all * sizeof *p->frame);
  if (!p->frame) return false;
  const uint64_t pair = splitmix64(&state) % (all / 2) * 2;
  p->root = BASE + pair * HEDDLE_PAGE_SMALL;
  for (uint64_t i = 0; i < all; i++)
    if (i / 2 != pair / 2) p->frame[p->frames++] = BASE + i * HEDDLE_PAGE_SMALL;
  for (uint64_t i = p->frames; i > 1; i--) {
    const uint64_t k = splitmix64(&state) % i, was = p->frame[k];
    p->frame[k] = p->frame[i - 1];
    p->frame[i - 1] = was;
  }
  p->random = state;
  p->later = calloc(needed + p->pages, sizeof *p->later); /* second names have no frames of their own */
  return p->later != NULL;
}

struct paged *paged_new(const struct job *job, uint64_t seed) {
  struct paged *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->job = job;
  p->space = (uint8_t)seed;
  p->pages = job->mem_bytes / HEDDLE_PAGE_SMALL;
  p->flags = calloc(p->pages + 1, sizeof *p->flags);
  p->frame_of = calloc(p->pages + 1, sizeof *p->frame_of);
  bool ok = p->flags && p->frame_of;
  for (unsigned i = 0; i < job->launch.regions && ok; i++) flag_region(p, &job->launch.region[i]);
  if (ok) place_pieces(p);
  ok = ok && shuffle(p, seed);
  if (ok) return p;
  paged_free(p);
  return NULL;
}

void paged_free(struct paged *p) {
  if (!p) return;
  free(p->flags);
  free(p->frame_of);
  free(p->frame);
  free(p->later);
  free(p);
}

void paged_memory(const struct paged *p, uint64_t *base, uint64_t *bytes) {
  *base = BASE;
  *bytes = (p->frames + 2) * HEDDLE_PAGE_SMALL;
}

/* ---- tables, through the builder */

static uint64_t take_frame(struct paged *p) {
  return p->taken < p->frames ? p->frame[p->taken++] : 0;
}

static uint64_t make_table(void *self, uint64_t bytes) {
  struct paged *p = self;
  return bytes == HEDDLE_PAGE_ROOT ? p->root : take_frame(p);
}

static bool read_entry(void *self, uint64_t at, uint64_t *entry) {
  const uint8_t *from = ((struct paged *)self)->memory + (at - BASE);
  *entry = 0;
  for (unsigned k = 0; k < 8; k++) *entry |= (uint64_t)from[k] << (8 * k);
  return true;
}

static bool exchange_entry(void *self, uint64_t at, uint64_t entry, uint64_t *old) {
  uint8_t *to = ((struct paged *)self)->memory + (at - BASE);
  (void)read_entry(self, at, old);
  for (unsigned k = 0; k < 8; k++) to[k] = (uint8_t)(entry >> (8 * k));
  return true;
}

/* The page at `virt` lies in that frame, now or later. */
static bool map_to(struct paged *p, uint64_t root, uint64_t virt, uint64_t frame, uint64_t flags) {
  const struct heddle_page_memory m = {
      .size = sizeof m, .self = p, .read = read_entry, .exchange = exchange_entry, .table = make_table};
  const bool ok = heddle_pages_map(&m, root, virt, frame, HEDDLE_PAGE_SMALL, flags) == HEDDLE_SUCCESS;
  struct heddle_page found = {.size = sizeof found};
  uint64_t was;
  if (ok && p->demand && splitmix64(&p->random) % 2 == 0 &&
      heddle_pages_find(&m, root, virt, &found) == HEDDLE_SUCCESS) {
    p->later[p->laters++] = (struct later){.virt = virt, .at = found.entry_at, .entry = found.entry};
    (void)exchange_entry(p, found.entry_at, 0, &was);
  }
  return ok;
}

/* The page at `virt` gets the frame whose bytes are returned; NULL: none. */
static uint8_t *map(struct paged *p, uint64_t root, uint64_t virt, uint64_t flags, uint64_t *frame) {
  *frame = take_frame(p);
  return *frame != 0 && map_to(p, root, virt, *frame, flags) ? p->memory + (*frame - BASE) : NULL;
}

static bool map_job(struct paged *p, uint64_t root) {
  const struct job *j = p->job;
  uint8_t *image = calloc(1, j->mem_bytes);
  bool ok = image != NULL;
  if (ok) job_store_inputs(j, image);
  for (uint64_t i = 0; i < p->pages && ok; i++) {
    if (p->flags[i] == 0) continue;
    const uint64_t virt = j->mem_base + i * HEDDLE_PAGE_SMALL, flags = p->flags[i] & HEDDLE_ENTRY_WRITE;
    uint8_t *to = map(p, root, virt, flags, &p->frame_of[i]);
    ok = to != NULL && (j->alias == 0 || map_to(p, root, virt + j->alias, p->frame_of[i], flags));
    if (ok) memcpy(to, image + i * HEDDLE_PAGE_SMALL, HEDDLE_PAGE_SMALL);
  }
  free(image);
  return ok;
}

/* What of the piece lies in the page at `page` that is kept at `to`. */
static void copy_piece(const struct piece *x, uint64_t page, uint8_t *to) {
  const uint64_t first = x->at > page ? x->at : page, end = x->at + x->bytes;
  const uint64_t last = end < page + HEDDLE_PAGE_SMALL ? end : page + HEDDLE_PAGE_SMALL;
  if (first < last) memcpy(to + (first - page), x->from + (first - x->at), last - first);
}

static bool map_behind(struct paged *p, uint64_t root) {
  const uint64_t n = pages_of(p->behind, p->behind_bytes);
  for (uint64_t i = 0; i < n; i++) {
    uint64_t frame;
    const uint64_t page = p->behind + i * HEDDLE_PAGE_SMALL;
    uint8_t *to = map(p, root, page, 0, &frame);
    if (!to) return false;
    for (unsigned k = 0; k <= BANKS; k++) copy_piece(&p->piece[k], page, to);
  }
  return true;
}

bool paged_store(struct paged *p, uint8_t *memory, struct heddle_launch *l) {
  p->memory = memory;
  if (!map_job(p, p->root) || !map_behind(p, p->root)) return false;
  l->pages = true;
  l->fault_trap = !p->demand;
  l->space = p->space;
  l->page_root = p->root;
  l->code_at = p->piece[0].at;
  for (unsigned i = 0; i < BANKS; i++) l->cbank_at[i] = p->piece[1 + i].at;
  return true;
}

static struct later *later_at(const struct paged *p, uint64_t virt) {
  for (size_t i = 0; i < p->laters; i++)
    if (p->later[i].virt == virt) return &p->later[i];
  return NULL;
}

bool paged_serve(struct paged *p, const struct heddle_page_fault *f, unsigned n, paged_exchange_fn give, void *ctx) {
  bool some = false, all = true;
  for (unsigned i = 0; i < n; i++) {
    struct later *l = f[i].kind == HEDDLE_PAGE_ABSENT ? later_at(p, f[i].page) : NULL;
    if (l && !l->given) some = l->given = give(ctx, l->at, l->entry);
    all = all && l && l->given;
  }
  return some && all;
}

void paged_load(const struct paged *p, const uint8_t *memory, uint8_t *image) {
  memset(image, 0, p->job->mem_bytes);
  for (uint64_t i = 0; i < p->pages; i++)
    if (p->frame_of[i] != 0) memcpy(image + i * HEDDLE_PAGE_SMALL, memory + (p->frame_of[i] - BASE), HEDDLE_PAGE_SMALL);
}
