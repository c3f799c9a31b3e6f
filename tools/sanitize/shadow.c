/* SPDX-License-Identifier: Apache-2.0
 *
 * Shadow memory of the race check. */
#include "shadow.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES 1024u
#define WORD 4u

struct page {
  struct cell *cell; /* one for each word, or each byte */
  bool by_byte;
};

struct shadow {
  uint64_t base, pages;
  struct page page[];
};

struct shadow *shadow_new(uint64_t base, uint64_t bytes) {
  const uint64_t first = base / PAGE_BYTES, pages = (base + bytes + PAGE_BYTES - 1) / PAGE_BYTES - first;
  struct shadow *s = calloc(1, sizeof *s + pages * sizeof *s->page);
  if (!s) return NULL;
  s->base = first * PAGE_BYTES;
  s->pages = pages;
  return s;
}

void shadow_free(struct shadow *s) {
  for (uint64_t k = 0; s && k < s->pages; k++) {
    const struct page *p = &s->page[k];
    const unsigned cells = p->by_byte ? PAGE_BYTES : PAGE_BYTES / WORD;
    for (unsigned i = 0; p->cell && i < cells; i++) free(p->cell[i].more);
    free(p->cell);
  }
  free(s);
}

static bool copy_cell(struct cell *to, const struct cell *from) {
  *to = *from;
  if (!from->more) return true;
  to->more = malloc(sizeof *to->more);
  if (to->more) memcpy(to->more, from->more, sizeof *to->more);
  return to->more != NULL;
}

/* A cell for each byte from now on: each has what its word had. */
static bool split(struct page *p) {
  struct cell *bytes = calloc(PAGE_BYTES, sizeof *bytes);
  bool ok = bytes != NULL;
  for (unsigned i = 0; ok && i < PAGE_BYTES; i++) ok = copy_cell(&bytes[i], &p->cell[i / WORD]) && ok;
  for (unsigned i = 0; i < PAGE_BYTES / WORD; i++) free(p->cell[i].more);
  free(p->cell);
  p->cell = bytes;
  p->by_byte = ok;
  return ok;
}

unsigned shadow_cells(struct shadow *s, uint64_t addr, unsigned bytes, struct cell **out) {
  struct page *p = &s->page[(addr - s->base) / PAGE_BYTES];
  const unsigned in = (unsigned)((addr - s->base) % PAGE_BYTES);
  if (!p->cell && !(p->cell = calloc(PAGE_BYTES / WORD, sizeof *p->cell))) return 0;
  if (bytes < WORD && !p->by_byte && !split(p)) return 0;
  *out = p->cell + (p->by_byte ? in : in / WORD);
  return p->by_byte ? bytes : bytes / WORD;
}

static bool same(const struct mark *a, const struct mark *b) {
  return a->warp == b->warp && a->time == b->time && a->pc == b->pc && a->kind == b->kind;
}

bool cell_add(struct cell *c, struct mark m) {
  if (c->other.warp == 0 || same(&c->other, &m)) {
    m.lanes |= c->other.warp != 0 ? c->other.lanes : 0;
    c->other = m;
    return true;
  }
  if (!c->more && !(c->more = calloc(1, sizeof *c->more))) return false;
  struct marks *r = c->more;
  struct mark *latest = r->used ? &r->mark[(r->next + MARKS_MORE - 1) % MARKS_MORE] : NULL;
  if (latest && same(latest, &m)) {
    latest->lanes |= m.lanes;
    return true;
  }
  r->mark[r->next] = m;
  r->next = (r->next + 1) % MARKS_MORE;
  if (r->used < MARKS_MORE) r->used++;
  return true;
}

void cell_written(struct cell *c, struct mark m) {
  c->write = m;
  c->other.warp = 0;
  if (c->more) c->more->used = c->more->next = 0;
}
