/* SPDX-License-Identifier: Apache-2.0
 *
 * Faults: traps, and warps that wait until the host has brought a page.
 */
#include "cmodel/core/pages.h"

#include <inttypes.h>

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

enum heddle_status pages_faults(struct heddle_model *m) {
  static const char *const kinds[] = {"absent", "protected", "malformed", "in error"};
  struct heddle_page_fault first;
  const unsigned n = heddle_model_faults(m, &first, 1);
  m->now.waits = true;
  return fail_with_warps(m, HEDDLE_FAULTS, "stand",
                         "no warp can go on without a page: %u waited for, first 0x%" PRIx64 ", which is %s", n,
                         first.page, kinds[first.kind]);
}

enum heddle_status pages_begin(struct heddle_model *m) {
  if (m->pages == NULL) return HEDDLE_OK;
  m->now.waits = false;
  for (unsigned i = 0; i < m->warp_slots; i++) m->warp[i].wait.waits = false;
  return pages_settle(m);
}
