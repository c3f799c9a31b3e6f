/* SPDX-License-Identifier: Apache-2.0
 *
 * Traps of pages: a walk for the page has ended so; the line, its lanes, and what of the grid is never performed.
 */
#include "cosim/checker/pages.h"

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
  enum heddle_status s = HEDDLE_OK;
  for (unsigned i = 0; i < BUCKETS; i++)
    for (const struct fault *f = c->paging->fault[i]; f != NULL && s == HEDDLE_OK; f = f->next) {
      if (f->past || f->space != c->launch->space || !is_cause(f, r->cause) || !may_trap(c, f)) continue;
      any = true;
      s = heddle_model_lose_page(c->model, f->page);
    }
  if (s != HEDDLE_OK) return refused(c, s, "trap");
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
