/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches in an address space: warps that wait for a page, and lockstep, access by access.
 */
#include <inttypes.h>
#include <string.h>
#include "cmodel/core/pages.h"

/* Lockstep in an address space: walks, one access after the other, as the caller says that they are performed; and
 * lines that get their place by the page that a walk has found. */

/* ---- walks ---- */

static void ends(struct heddle_walk *w, enum heddle_page_kind kind) {
  w->state = HEDDLE_WALK_FAULT;
  w->kind = kind;
}

static void finds(struct heddle_walk *w, uint64_t e) {
  const uint64_t bytes = UINT64_C(1) << pages_shift(w->level);
  w->state = HEDDLE_WALK_FOUND;
  w->leaf = (struct heddle_leaf){.page = w->page / bytes * bytes,
                                 .at = e & ENTRY_PLACE,
                                 .bytes = bytes,
                                 .global = (e & ENTRY_G) != 0,
                                 .writes = (e & ENTRY_W) != 0 && (e & ENTRY_D) != 0};
}

/* With A, and for a write D, set. */
static uint64_t marked(const struct heddle_walk *w) {
  return w->entry | ENTRY_A | (w->write ? ENTRY_D : 0u);
}

/* The entry is w->entry, whether it was read or found by a swap. */
static void judge_entry(struct heddle_walk *w) {
  const uint64_t e = w->entry;
  if ((e & ENTRY_P) == 0) {
    ends(w, HEDDLE_PAGE_ABSENT);
  } else if (pages_malformed(e, w->level)) {
    ends(w, HEDDLE_PAGE_MALFORMED);
  } else if ((e & ENTRY_L) == 0) {
    w->level--;
    w->at = pages_entry_at(e & ENTRY_PLACE, w->level, w->page);
    w->state = HEDDLE_WALK_READS;
  } else if (w->write && (e & ENTRY_W) == 0) {
    ends(w, HEDDLE_PAGE_PROTECTED);
  } else if (marked(w) != e) {
    w->state = HEDDLE_WALK_SWAPS;
  } else {
    finds(w, e);
  }
}

void heddle_walk_begin(const struct heddle_model *m, uint64_t page, bool write, struct heddle_walk *w) {
  *w = (struct heddle_walk){.page = page / FRAME_BYTES * FRAME_BYTES, .write = write, .level = PAGE_TOP};
  w->state = HEDDLE_WALK_READS;
  w->at = pages_entry_at(m->launch.page_root, PAGE_TOP, page);
}

/* The eight bytes are written as a whole: all of their bits are defined. */
static void write_entry(struct heddle_model *m, uint64_t at, uint64_t e) {
  pages_entry_put(m, at, e);
  if (m->global_defined != NULL) memset(m->global_defined + (at - m->base), 0xff, 8);
}

enum heddle_error heddle_walk_step(struct heddle_model *m, struct heddle_walk *w, uint64_t *was, uint64_t *is) {
  if (w->state != HEDDLE_WALK_READS && w->state != HEDDLE_WALK_SWAPS)
    return model_fail(m, HEDDLE_ERROR_STATE, "the walk for page 0x%llx has ended", (unsigned long long)w->page);
  if (!pages_inside(m, w->at, 8))
    return model_fail(m, HEDDLE_ERROR_STATE, "the walk for page 0x%llx: an entry at 0x%llx, where no memory is",
                      (unsigned long long)w->page, (unsigned long long)w->at);
  const uint64_t e = *was = *is = pages_entry_get(m, w->at);
  if (w->state == HEDDLE_WALK_READS || e != w->entry) {
    w->entry = e;
    judge_entry(w);
  } else {
    *is = marked(w);
    write_entry(m, w->at, *is);
    finds(w, *is);
  }
  if (w->state != HEDDLE_WALK_FOUND || m->pages == NULL) return HEDDLE_SUCCESS;
  return pages_holds_part(m, w->leaf.page, w->leaf.bytes) ? pages_look(m) : HEDDLE_SUCCESS;
}

bool heddle_walk_outside(const struct heddle_model *m, const struct heddle_walk *w) {
  return !pages_inside(m, w->at, 8);
}

void heddle_walk_error(struct heddle_walk *w) {
  ends(w, HEDDLE_PAGE_ERROR);
}

enum heddle_error heddle_entry_exchange(struct heddle_model *m, uint64_t at, uint64_t value, uint64_t *was) {
  if (at % 8 != 0 || !pages_inside(m, at, 8))
    return model_fail(m, HEDDLE_ERROR_STATE, "an entry at 0x%llx, where no memory is", (unsigned long long)at);
  *was = pages_entry_get(m, at);
  write_entry(m, at, value);
  return HEDDLE_SUCCESS;
}

/* ---- places ---- */

static enum heddle_error place_refused(struct heddle_model *m, const struct pending *p, const char *why) {
  return model_fail(m, HEDDLE_ERROR_STATE, "seq %u pc 0x%08x: %s", p->seq, p->pc, why);
}

enum heddle_error heddle_perform_place(struct heddle_model *m, unsigned slot, uint32_t seq, uint32_t lanes,
                                       const struct heddle_leaf *leaf, uint64_t addr[HEDDLE_LANES]) {
  struct pending *p = slot < m->warp_slots && m->warp[slot].used ? pending_find(&m->warp[slot], seq, false) : NULL;
  if (p == NULL || m->pages == NULL)
    return model_fail(m, HEDDLE_ERROR_STATE, "warp %u: seq %u has nothing to place", slot, seq);
  if (lanes == 0 || (lanes & ~(lanes_in(p->op, ISA_SPACE_GLOBAL, p->lanes, p->addr) & ~p->placed)) != 0)
    return place_refused(m, p, "lanes that do not wait for a place");
  if (p->op->access != SEM_LOAD && !leaf->writes) return place_refused(m, p, "the page has not been found for a write");
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    const uint64_t off = p->virt[i] - leaf->page;
    if (off >= leaf->bytes) return place_refused(m, p, "an address in another page");
    if (!pages_inside(m, leaf->at + off, p->op->bytes)) return place_refused(m, p, "a page where no memory is");
  }
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    addr[i] = p->addr[i] = leaf->at + (p->virt[i] - leaf->page);
  }
  p->placed |= lanes;
  return HEDDLE_SUCCESS;
}

void pages_unplace(struct pending *p) {
  memcpy(p->virt, p->addr, sizeof p->virt);
  for (uint32_t rest = lanes_in(p->op, ISA_SPACE_GLOBAL, p->lanes, p->addr); rest != 0; rest &= rest - 1)
    p->addr[lowest_lane(rest)] |= NOWHERE;
}

uint32_t pages_same_line(const struct pending *p, uint32_t of, uint32_t lanes) {
  uint32_t found = 0;
  for (uint32_t rest = of; rest != 0; rest &= rest - 1)
    for (uint32_t others = lanes & ~found; others != 0; others &= others - 1)
      if (p->virt[lowest_lane(others)] / PAGE_LINE == p->virt[lowest_lane(rest)] / PAGE_LINE)
        found |= others & (0u - others);
  return found;
}

/* Faults: traps, and warps that wait until the host has brought a page. */

void pages_met(struct warp *w, enum heddle_page_kind kind, enum heddle_page_use use, uint64_t virt, uint64_t addr,
               uint32_t lanes, uint32_t offset) {
  struct page_wait *x = &w->wait;
  x->met = true;
  x->kind = (uint8_t)kind;
  x->use = (uint8_t)use;
  x->lanes = lanes;
  x->addr = addr;
  x->offset = offset;
  x->page = virt / FRAME_BYTES * FRAME_BYTES;
}

static enum heddle_cause cause_of(const struct page_wait *x) {
  if (x->kind == HEDDLE_PAGE_ERROR) return HEDDLE_TRAP_BUS;
  return x->kind == HEDDLE_PAGE_PROTECTED ? HEDDLE_TRAP_WRITE_PROTECTED : HEDDLE_TRAP_PAGE;
}

struct flow pages_flow(struct warp *w) {
  struct page_wait *x = &w->wait;
  x->met = false;
  return (struct flow){cause_of(x), x->lanes, x->addr, x->offset};
}

bool pages_trap(struct heddle_model *m, struct warp *w, struct flow *f) {
  struct page_wait *x = &w->wait;
  *f = pages_flow(w);
  if (m->launch.fault_trap || x->kind == HEDDLE_PAGE_ERROR || (x->fails == 1 + x->use && x->fails_seq == w->seq))
    return true;
  x->waits = true;
  x->since = m->pages->faults++;
  return false;
}

static bool warp_waits(const struct warp *w) {
  return w->used && w->wait.waits;
}

bool pages_waited_for(const struct heddle_model *m) {
  for (unsigned i = 0; i < m->warp_slots; i++)
    if (warp_waits(&m->warp[i])) return true;
  return false;
}

/* Of the warps that wait the first one to have come from then on. NULL: there is none. */
static const struct warp *next_fault(const struct heddle_model *m, uint64_t since) {
  const struct warp *first = NULL;
  for (unsigned i = 0; i < m->warp_slots; i++) {
    const struct warp *w = &m->warp[i];
    if (warp_waits(w) && w->wait.since >= since && (first == NULL || w->wait.since < first->wait.since)) first = w;
  }
  return first;
}

/* Warps that wait for the page of x; *first: since when the first of them does. */
static unsigned warps_of(const struct heddle_model *m, const struct page_wait *x, uint64_t *first) {
  unsigned n = 0;
  *first = x->since;
  for (unsigned i = 0; i < m->warp_slots; i++) {
    const struct warp *w = &m->warp[i];
    if (!warp_waits(w) || w->wait.page != x->page) continue;
    n++;
    if (w->wait.since < *first) *first = w->wait.since;
  }
  return n;
}

unsigned heddle_model_faults(const struct heddle_model *m, struct heddle_page_fault *out, unsigned room) {
  unsigned n = 0;
  for (const struct warp *w = next_fault(m, 0); w != NULL; w = next_fault(m, w->wait.since + 1)) {
    uint64_t first;
    const struct page_wait *x = &w->wait;
    const unsigned warps = warps_of(m, x, &first);
    if (first != x->since) continue;
    if (n < room)
      out[n] = (struct heddle_page_fault){.page = x->page,
                                          .kind = (enum heddle_page_kind)x->kind,
                                          .use = (enum heddle_page_use)x->use,
                                          .space = m->launch.space,
                                          .warps = warps};
    n++;
  }
  return n;
}

void heddle_model_fail(struct heddle_model *m) {
  for (unsigned i = 0; i < m->warp_slots; i++) {
    struct warp *w = &m->warp[i];
    if (!warp_waits(w)) continue;
    w->wait.fails = (uint8_t)(1 + w->wait.use);
    w->wait.fails_seq = w->seq;
  }
}

enum heddle_error pages_faults(struct heddle_model *m) {
  static const char *const kinds[] = {"absent", "protected", "malformed", "in error"};
  struct heddle_page_fault first;
  const unsigned n = heddle_model_faults(m, &first, 1);
  m->now.waits = true;
  return fail_with_warps(m, HEDDLE_ERROR_FAULTS, "stand",
                         "no warp can go on without a page: %u waited for, first 0x%" PRIx64 ", which is %s", n,
                         first.page, kinds[first.kind]);
}

enum heddle_error pages_begin(struct heddle_model *m) {
  if (m->pages == NULL) return HEDDLE_SUCCESS;
  m->now.waits = false;
  for (unsigned i = 0; i < m->warp_slots; i++) m->warp[i].wait.waits = false;
  return pages_settle(m);
}
