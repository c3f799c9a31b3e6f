/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of instructions and their places. A line is all lanes of an instruction whose bytes lie in one virtual line of
 * 128 bytes: it is translated once, and so has one place, which is at a page that some walk has found.
 */
#include "cosim/checker/pages.h"

static bool is_write(const struct entry *e) {
  return e->mem_kind != HEDDLE_ACCESS_LOAD && !entry_copies(e);
}

bool paging_writes(const struct heddle_checker *c, uint64_t page) {
  for (unsigned i = 0; i < c->warps; i++) {
    struct warp *w = &c->warp[i];
    const struct entry *e;
    for (struct walk it = walk_open(w); w->live && (e = walk_next(w, &it)) != NULL;)
      for (uint32_t rest = is_write(e) ? e->in_global : 0; rest != 0; rest &= rest - 1)
        if (e->virt[__builtin_ctz(rest)] / PAGE_BYTES == page) return true;
  }
  return false;
}

static uint32_t unplaced_lanes(const struct entry *e) {
  return e->mem_open & e->in_global & ~e->placed;
}

/* All lanes of the line in which lane l is. */
static uint32_t line_of(const struct entry *e, unsigned l) {
  const uint64_t line = e->virt[l] / LINES;
  uint32_t in = 0;
  for (uint32_t rest = e->mem_lanes & e->in_global; rest != 0; rest &= rest - 1)
    if (e->virt[__builtin_ctz(rest)] / LINES == line) in |= rest & (0 - rest);
  return in;
}

uint32_t paging_line(const struct heddle_checker *c, const struct entry *e, uint32_t lanes) {
  const uint32_t in = lanes & e->in_global;
  return !paging_on(c) || in == 0 || !e->open ? ~0u : line_of(e, (unsigned)__builtin_ctz(in));
}

bool paging_outside(const struct heddle_checker *c, uint64_t from, uint64_t end) {
  const struct paging *p = c->paging;
  return from < p->base || end > p->base + p->bytes;
}

void paging_issue(struct heddle_checker *c) {
  struct entry *e = c->e;
  if (!paging_on(c) || e->in_global == 0) return;
  memcpy(e->virt, e->fx.mem_addr, sizeof e->virt);
  for (uint32_t rest = e->in_global; rest != 0; rest &= rest - 1) e->fx.mem_addr[__builtin_ctz(rest)] |= PAGING_NOWHERE;
}

/* ---- a line gets its place ---- */

/* Where no memory is nothing is performed, and the model is not asked. */
static bool place_line(struct heddle_checker *c, struct warp *w, struct entry *e, uint32_t lanes,
                       const struct heddle_leaf *leaf) {
  const uint64_t at = leaf_place(leaf, e->virt[__builtin_ctz(lanes)]) / LINES * LINES;
  e->placed |= lanes;
  if (paging_outside(c, at, at + LINES)) {
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      e->fx.mem_addr[__builtin_ctz(rest)] = leaf_place(leaf, e->virt[__builtin_ctz(rest)]);
    return true;
  }
  const enum heddle_error s = heddle_perform_place(c->model, warp_at(c, w), e->seq, lanes, leaf, e->fx.mem_addr);
  return s == HEDDLE_SUCCESS || refused(c, s, "place");
}

/* The places that the line could have, in words. */
static const char *places_text(const struct found *f, uint64_t virt, char *text, size_t room) {
  size_t n = 0;
  text[0] = '\0';
  for (unsigned i = 0; i < f->n && n < room; i++)
    n += (size_t)snprintf(text + n, room - n, "%s0x%llx", i == 0 ? "" : " or ",
                          (unsigned long long)leaf_place(f->leaf[i], virt));
  if (f->n == 0) snprintf(text, room, "nowhere: no walk has found its page");
  return text;
}

static bool tell_place(struct heddle_checker *c, const struct entry *e, uint32_t lanes, uint64_t line,
                       const struct found *f) {
  char text[128];
  const uint64_t virt = e->virt[__builtin_ctz(lanes)] / LINES * LINES;
  if (!checker_on(c, HEDDLE_CHECKER_TRANSLATION)) return false;
  return differ_mask(c, HEDDLE_CHECKER_TRANSLATION, "line", lanes,
                     "the virtual line 0x%llx is shown at 0x%llx; for a %s it may be at %s", (unsigned long long)virt,
                     (unsigned long long)(line * LINES), is_write(e) ? "write" : "read",
                     places_text(f, virt, text, sizeof text));
}

/* One of those that were found is there: the line has its place. NULL: none. */
static const struct heddle_leaf *leaf_at(const struct found *f, uint64_t virt, uint64_t line) {
  for (unsigned i = 0; i < f->n; i++)
    if (leaf_place(f->leaf[i], virt) / LINES == line) return f->leaf[i];
  return NULL;
}

/* ---- order ---- */

/* Lines of a warp are translated in program order: those of what is older than c->e have been, and if only one page can
 * be meant they lie there. */
static bool settle_older(struct heddle_checker *c) {
  struct warp *w = c->w;
  struct entry *o;
  for (struct walk it = walk_open(w); (o = walk_next(w, &it)) != NULL;) {
    if (o->seq >= c->e->seq || o->traps) continue;
    for (uint32_t rest = unplaced_lanes(o); rest != 0;) {
      const unsigned l = (unsigned)__builtin_ctz(rest);
      const uint32_t in = line_of(o, l) & rest;
      const struct found f = pages_found(c, o->virt[l], is_write(o));
      rest &= ~in;
      if (f.n == 0 && checker_on(c, HEDDLE_CHECKER_TRANSLATION))
        return differ_mask(c, HEDDLE_CHECKER_TRANSLATION, "order", in,
                           "performed before the older seq %u (pc 0x%x): no walk has a page for its line 0x%llx",
                           o->seq, o->pc, (unsigned long long)(o->virt[l] / LINES * LINES));
      if (f.n == 1 && !place_line(c, w, o, in, f.leaf[0])) return false;
    }
  }
  return true;
}

bool paging_place(struct heddle_checker *c, uint32_t lanes, uint64_t line) {
  struct entry *e = c->e;
  const uint32_t mine = lanes & e->in_global & e->mem_open;
  if (!paging_on(c) || mine == 0) return true;
  if (!settle_older(c)) return false;
  const unsigned l = (unsigned)__builtin_ctz(mine);
  const uint32_t in = line_of(e, l);
  if ((mine & ~in) != 0 && checker_on(c, HEDDLE_CHECKER_PERFORM_LANES))
    return differ_mask(c, HEDDLE_CHECKER_PERFORM_LANES, "line", mine,
                       "lanes of two virtual lines are shown as one access: lane %u is in 0x%llx", l,
                       (unsigned long long)(e->virt[l] / LINES * LINES));
  const struct found f = pages_found(c, e->virt[l], is_write(e));
  if ((e->placed & in) != 0) return e->fx.mem_addr[l] / LINES == line || tell_place(c, e, in, line, &f);
  const struct heddle_leaf *leaf = leaf_at(&f, e->virt[l], line);
  return leaf != NULL ? place_line(c, c->w, e, in & e->mem_open, leaf) : tell_place(c, e, in, line, &f);
}

/* ---- invalidations ---- */

static bool still_found(const struct heddle_checker *c, const struct entry *e, unsigned l) {
  const struct found f = pages_found(c, e->virt[l], is_write(e));
  return leaf_at(&f, e->virt[l], e->fx.mem_addr[l] / LINES) != NULL;
}

bool paging_all_performed(struct heddle_checker *c) {
  for (unsigned i = 0; i < c->warps && paging_on(c); i++) {
    struct warp *w = &c->warp[i];
    struct entry *e;
    for (struct walk it = walk_open(w); w->live && (e = walk_next(w, &it)) != NULL;)
      for (uint32_t rest = e->placed & e->mem_open; rest != 0; rest &= rest - 1) {
        const unsigned l = (unsigned)__builtin_ctz(rest);
        if (still_found(c, e, l) || !checker_on(c, HEDDLE_CHECKER_TRANSLATION)) continue;
        c->w = w;
        c->e = e;
        return differ_mask(c, HEDDLE_CHECKER_TRANSLATION, "invalidation", rest & (0 - rest),
                           "the invalidation is over, and the line 0x%llx, translated before it to 0x%llx, is not "
                           "performed",
                           (unsigned long long)(e->virt[l] / LINES * LINES),
                           (unsigned long long)(e->fx.mem_addr[l] / LINES * LINES));
      }
  }
  return true;
}

/* ---- constants ---- */

bool paging_constant(struct heddle_checker *c, uint32_t lanes) {
  struct entry *e = c->e;
  lanes &= e->mem_open;
  if (!paging_on(c) || e->mem_space != ISA_SPACE_CONST || lanes == 0) return true;
  const uint64_t bank = c->launch->cbank_at[e->fx.dec.cbank % 4];
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const uint64_t virt = bank + e->fx.mem_addr[__builtin_ctz(rest)];
    if (pages_found(c, virt, false).n == 0 && checker_on(c, HEDDLE_CHECKER_TRANSLATION))
      return differ_mask(c, HEDDLE_CHECKER_TRANSLATION, "constant", rest & (0 - rest),
                         "the constant at 0x%llx has come, and no walk has found its page", (unsigned long long)virt);
  }
  return perform_do(c, lanes);
}

/* Traps of pages: a walk for the page has ended so; the line, its lanes, and what of the grid is never performed. */

bool paging_is_trap(const struct heddle_checker *c, const struct heddle_record_trap *r) {
  return paging_on(c) && (r->cause == HEDDLE_TRAP_PAGE || r->cause == HEDDLE_TRAP_WRITE_PROTECTED ||
                          (r->cause == HEDDLE_TRAP_BUS && r->addr >> 56 == 0));
}

static bool is_memory_write(const struct entry *e) {
  return entry_is_memory(e) && e->mem_kind != HEDDLE_ACCESS_LOAD && !entry_copies(e);
}

static bool is_cause(const struct fault *f, unsigned cause) {
  switch (f->kind) {
  case HEDDLE_PAGE_PROTECTED:
    return cause == HEDDLE_TRAP_WRITE_PROTECTED;
  case HEDDLE_PAGE_ERROR:
    return cause == HEDDLE_TRAP_BUS;
  default:
    return cause == HEDDLE_TRAP_PAGE;
  }
}

/* A fault waits for the host, unless the launch says that it traps; after FAIL it traps too. An error always does. */
static bool may_trap(const struct heddle_checker *c, const struct fault *f) {
  const struct paging *p = c->paging;
  return f->kind == HEDDLE_PAGE_ERROR || c->launch->fault_trap || (p->failed && f->epoch >= p->failed_in);
}

/* Has a walk ended so for that page, when somebody who asked in cycle `from`, or later, could still share it? */
static bool has_faulted(const struct heddle_checker *c, uint64_t virt, unsigned cause, bool write, uint64_t from) {
  const uint64_t page = virt / PAGE_BYTES * PAGE_BYTES;
  for (const struct fault *f = fault_first(c, page); f != NULL; f = f->next)
    if (f->page == page && f->space == c->launch->space && is_cause(f, cause) && may_trap(c, f) &&
        (write || f->kind != HEDDLE_PAGE_PROTECTED) && f->cycle + WALK_LATE >= from)
      return true;
  return false;
}

/* Or the page has been found, and lies where there is no memory. */
static bool lies_outside(const struct heddle_checker *c, uint64_t virt, unsigned cause, bool write) {
  const struct found f = pages_found(c, virt, write);
  bool outside = false;
  for (unsigned i = 0; i < f.n && cause == HEDDLE_TRAP_BUS; i++) {
    const uint64_t at = leaf_place(f.leaf[i], virt) / LINES * LINES;
    outside = outside || paging_outside(c, at, at + LINES);
  }
  return outside;
}

static bool check_walked(struct heddle_checker *c, const struct heddle_record_trap *r, uint64_t virt) {
  const bool write = is_memory_write(c->e);
  if (has_faulted(c, virt, r->cause, write, c->e->cycle) || lies_outside(c, virt, r->cause, write) ||
      !checker_on(c, HEDDLE_CHECKER_TRAP_UNEXPECTED))
    return true;
  return differ(c, HEDDLE_CHECKER_TRAP_UNEXPECTED, "trap", "%s of a %s at 0x%llx: no walk for its page has ended so%s",
                heddle_cause_name((enum heddle_cause)r->cause), write ? "write" : "read", (unsigned long long)virt,
                c->launch->fault_trap || c->paging->failed ? "" : ", and the host has not said FAIL");
}

/* ---- of a load of constants */

static bool constant_trap(struct heddle_checker *c, const struct heddle_record_trap *r) {
  const enum heddle_checker_kind k = HEDDLE_CHECKER_TRAP_MISMATCH;
  const struct entry *e = c->e;
  const uint64_t bank = c->launch->cbank_at[e->fx.dec.cbank % 4];
  const bool uniform = e->fx.dec.uniform;
  bool there = false;
  for (uint32_t rest = uniform ? UNIFORM_LANE : e->exec; rest != 0; rest &= rest - 1)
    for (unsigned i = 0; i < (e->mem_bytes + 3u) / 4; i++)
      there = there || (bank + e->fx.mem_addr[__builtin_ctz(rest)] / 4 * 4 + 4 * i) / HEDDLE_RECORD_SECTOR ==
                           r->addr / HEDDLE_RECORD_SECTOR;
  if (!there && checker_on(c, k))
    return differ(c, k, "address", "seq %u reads no constant at 0x%llx", e->seq, (unsigned long long)r->addr);
  return same(c, k, "address", r->addr / HEDDLE_RECORD_SECTOR * HEDDLE_RECORD_SECTOR, r->addr) &&
         same(c, k, "lanes", uniform ? e->active : e->exec, r->lanes);
}

/* ---- of an access */

static bool access_trap(struct heddle_checker *c, const struct heddle_record_trap *r) {
  const enum heddle_checker_kind k = HEDDLE_CHECKER_TRAP_MISMATCH;
  const struct entry *e = c->e;
  uint32_t lanes = 0;
  for (uint32_t rest = e->open ? e->mem_lanes & e->in_global : 0; rest != 0; rest &= rest - 1)
    if (e->virt[__builtin_ctz(rest)] / LINES == r->addr / LINES) lanes |= rest & (0 - rest);
  if (lanes == 0 && checker_on(c, k))
    return differ(c, k, "address", "seq %u has no access to 0x%llx in flight", e->seq, (unsigned long long)r->addr);
  if ((lanes & ~e->mem_open) != 0 && checker_on(c, k))
    return differ_mask(c, k, "lanes", lanes & ~e->mem_open, "of the line at 0x%llx have been performed, and it traps",
                       (unsigned long long)r->addr);
  return same(c, k, "address", r->addr / LINES * LINES, r->addr) && same(c, k, "lanes", lanes, r->lanes);
}

bool paging_trap(struct heddle_checker *c, const struct heddle_record_trap *r) {
  if (!identify_entry(c, r->id.seq)) return false;
  const bool constant = c->e->mem_space == ISA_SPACE_CONST;
  return same(c, HEDDLE_CHECKER_TRAP_MISMATCH, "pc", c->e->pc, r->pc) &&
         (constant ? constant_trap(c, r) : access_trap(c, r)) && check_walked(c, r, r->addr);
}

/* ---- of a word */

bool paging_word_trap(struct heddle_checker *c, const struct heddle_record_trap *r) {
  bool any = false;
  enum heddle_error s = HEDDLE_SUCCESS;
  for (unsigned i = 0; i < BUCKETS; i++)
    for (const struct fault *f = c->paging->fault[i]; f != NULL && s == HEDDLE_SUCCESS; f = f->next) {
      if (f->past || f->space != c->launch->space || !is_cause(f, r->cause) || !may_trap(c, f)) continue;
      any = true;
      s = heddle_model_lose_page(c->model, f->page);
    }
  if (s != HEDDLE_SUCCESS) return refused(c, s, "trap");
  if (any || !checker_on(c, HEDDLE_CHECKER_TRAP_UNEXPECTED)) return true;
  return differ(c, HEDDLE_CHECKER_TRAP_UNEXPECTED, "trap", "%s at pc 0x%x: no walk has ended so%s",
                heddle_cause_name((enum heddle_cause)r->cause), r->pc,
                c->launch->fault_trap || c->paging->failed ? "" : ", and the host has not said FAIL");
}

/* ---- what is never performed */

/* Open lanes in global memory that have no place, or one where no memory is. */
static uint32_t never(const struct heddle_checker *c, const struct entry *e) {
  uint32_t lanes = 0;
  for (uint32_t rest = e->mem_open & e->in_global; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    const uint64_t at = e->fx.mem_addr[l] / LINES * LINES;
    if ((e->placed >> l & 1) == 0 || paging_outside(c, at, at + LINES)) lanes |= lane_bit(l);
  }
  return lanes;
}

uint32_t paging_owed(const struct heddle_checker *c, const struct entry *e) {
  return e->mem_open & e->in_global & ~never(c, e);
}

/* Of a load of constants nothing has been written. */
bool paging_waits(const struct heddle_checker *c, const struct entry *e) {
  if (e->mem_space != ISA_SPACE_CONST) return never(c, e) != 0;
  bool nothing = e->rd_words != 0 && !e->traps;
  for (unsigned k = 0; k < e->rd_words; k++)
    nothing = nothing && e->wb_open[k] == (e->fx.rd_uniform ? UNIFORM_LANE : e->exec);
  return nothing;
}
