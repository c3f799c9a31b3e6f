/* SPDX-License-Identifier: Apache-2.0
 *
 * Shadow memory of the race check. */
#include "shadow.h"

#include <stdlib.h>
#include <string.h>

struct shadow *shadow_new(uint64_t base, uint64_t bytes) {
  const uint64_t first = base / SHADOW_PAGE, pages = (base + bytes + SHADOW_PAGE - 1) / SHADOW_PAGE - first;
  struct shadow *s = calloc(1, sizeof *s + pages * sizeof *s->page);
  if (!s) return NULL;
  s->base = first * SHADOW_PAGE;
  s->pages = pages;
  return s;
}

void shadow_free(struct shadow *s) {
  for (uint64_t k = 0; s && k < s->pages; k++) {
    const struct shadow_page *p = &s->page[k];
    const unsigned cells = p->by_byte ? SHADOW_PAGE : SHADOW_PAGE / SHADOW_WORD;
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
static bool split_cells(struct shadow_page *p) {
  struct cell *bytes = calloc(SHADOW_PAGE, sizeof *bytes);
  bool ok = bytes != NULL;
  for (unsigned i = 0; ok && i < SHADOW_PAGE; i++) ok = copy_cell(&bytes[i], &p->cell[i / SHADOW_WORD]) && ok;
  for (unsigned i = 0; i < SHADOW_PAGE / SHADOW_WORD; i++) free(p->cell[i].more);
  free(p->cell);
  p->cell = bytes;
  p->by_byte = ok;
  return ok;
}

bool shadow_open(struct shadow_page *p, unsigned bytes) {
  if (!p->cell && !(p->cell = calloc(SHADOW_PAGE / SHADOW_WORD, sizeof *p->cell))) return false;
  return bytes >= SHADOW_WORD || p->by_byte || split_cells(p);
}

static bool same_mark(const struct mark *a, const struct mark *b) {
  return a->warp == b->warp && a->time == b->time && a->pc == b->pc && a->kind == b->kind;
}

bool cell_add(struct cell *c, struct mark m) {
  if (c->other.warp == 0 || same_mark(&c->other, &m)) {
    m.lanes |= c->other.warp != 0 ? c->other.lanes : 0;
    c->other = m;
    return true;
  }
  if (!c->more && !(c->more = calloc(1, sizeof *c->more))) return false;
  struct marks *r = c->more;
  struct mark *latest = r->used ? &r->mark[(r->next + MARKS_MORE - 1) % MARKS_MORE] : NULL;
  if (latest && same_mark(latest, &m)) {
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
