/* SPDX-License-Identifier: Apache-2.0
 *
 * What is owed at the end of a block or grid. All of it, unless a trap has stopped the grid; then only this may be left
 * open, of instructions of unit mem and of loads of constants:
 *   behind an address trap of its warp    access and result: it was refused
 *   memory answers it with an error       those sectors (ANSWER_BYTES), and its whole result; its others take effect;
 *                                         of a copy all stores
 *   waits for its page (address space)    lines as a whole, and its whole result
 *   behind such a one in its warp         access and result, if it was refused as a whole, with all that come after
 *   waits at a barrier (BAR.RED)          its result
 * Operands have been read of all that has issued: the trap record comes when everything has drained.
 */
#include "cosim/checker/internal.h"
#include "cosim/checker/pages.h"

/* ---- what memory answers with an error ---- */

/* Bytes [from, end) of sectors: does some of them? */
static bool span_errs(const struct heddle_checker *c, uint64_t from, uint64_t end) {
  const struct heddle_errors *e = &c->launch->errors;
  if (paging_on(c)) return paging_outside(c, from, end);
  return e->limit == 0 ? c->cfg.bus_errors : from < e->limit && end > e->base;
}

/* A store ends in the cache, where there is one. */
static bool never_errs(const struct heddle_checker *c, const struct entry *e) {
  return c->cfg.writes_back && !entry_copies(e) && e->mem_kind == HEDDLE_ACCESS_STORE;
}

bool access_errs(const struct heddle_checker *c, const struct entry *e, unsigned lane) {
  if (never_errs(c, e)) return false;
  const uint64_t unit = e->fx.mem_addr[lane] / ANSWER_BYTES;
  uint64_t from = UINT64_MAX, end = 0;
  for (uint32_t rest = e->mem_lanes & e->in_global; rest != 0; rest &= rest - 1) {
    const uint64_t at = e->fx.mem_addr[__builtin_ctz(rest)], sector = at / HEDDLE_RECORD_SECTOR * HEDDLE_RECORD_SECTOR;
    if (at / ANSWER_BYTES != unit) continue;
    from = sector < from ? sector : from;
    end = sector + HEDDLE_RECORD_SECTOR > end ? sector + HEDDLE_RECORD_SECTOR : end;
  }
  return span_errs(c, from, end);
}

bool word_errs(const struct heddle_checker *c, const struct warp *w, const struct entry *e, unsigned lane, unsigned k) {
  if (never_errs(c, e)) return false;
  const uint64_t mine = local_sector(w, e, lane, k), unit = mine / ANSWER_SECTORS;
  uint64_t from = UINT64_MAX, end = 0;
  for (uint32_t rest = e->in_local; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    for (unsigned i = 0; i < (e->mem_bytes + 3u) / 4; i++) {
      const uint64_t sector = local_sector(w, e, l, i), at = local_at(c, w, sector);
      if (sector / ANSWER_SECTORS != unit) continue;
      from = at < from ? at : from;
      end = at + HEDDLE_RECORD_SECTOR > end ? at + HEDDLE_RECORD_SECTOR : end;
    }
  }
  return span_errs(c, from, end);
}

static bool constants_err(const struct heddle_checker *c, const struct entry *e) {
  const uint64_t bank = c->launch->cbank_at[e->fx.dec.cbank % 4];
  for (uint32_t rest = e->fx.dec.uniform ? UNIFORM_LANE : e->exec; rest != 0; rest &= rest - 1) {
    const uint64_t at = bank + e->fx.mem_addr[__builtin_ctz(rest)];
    if (heddle_line_errs(c->launch, at) || heddle_line_errs(c->launch, at + e->mem_bytes - 1)) return true;
  }
  return false;
}

void note_constants(struct heddle_checker *c) {
  const struct entry *e = c->e;
  if (c->launch->errors.limit == 0 || e->mem_space != ISA_SPACE_CONST || e->traps || !constants_err(c, e)) return;
  c->error_read = true;
  if (c->w->failed_seq > e->seq) c->w->failed_seq = e->seq;
}

/* Lanes in global memory whose access has not been performed, by whether memory answers it with an error. */
static uint32_t global_open(const struct heddle_checker *c, const struct entry *e, bool errs) {
  uint32_t lanes = 0;
  for (uint32_t rest = e->mem_open & e->in_global; rest != 0; rest &= rest - 1)
    if (access_errs(c, e, (unsigned)__builtin_ctz(rest)) == errs) lanes |= rest & (0 - rest);
  return lanes;
}

/* The same in local memory: lanes with such a word. */
static uint32_t local_open(const struct heddle_checker *c, const struct warp *w, const struct entry *e, bool errs) {
  uint32_t lanes = 0;
  for (unsigned k = 0; k < 4; k++)
    for (uint32_t rest = e->local_open[k]; rest != 0; rest &= rest - 1)
      if (word_errs(c, w, e, (unsigned)__builtin_ctz(rest), k) == errs) lanes |= rest & (0 - rest);
  return lanes;
}

/* In an address space a trap ends what waits for its page, line by line, whoever has trapped. */
static bool waits_for_ever(const struct heddle_checker *c, const struct entry *e) {
  return c->trap_seen && paging_on(c) && paging_waits(c, e);
}

bool entry_failed(const struct heddle_checker *c, const struct warp *w, const struct entry *e) {
  if (waits_for_ever(c, e)) return true;
  if (e->mem_space == ISA_SPACE_CONST) return !e->traps && constants_err(c, e);
  return (global_open(c, e, true) | local_open(c, w, e, true)) != 0;
}

static void find_failed(const struct heddle_checker *c, struct warp *w) {
  const struct entry *e;
  for (struct walk it = walk_open(w); (e = walk_next(w, &it)) != NULL;)
    if (e->seq < w->failed_seq && entry_failed(c, w, e)) w->failed_seq = e->seq;
}

/* ---- what a trap excuses ---- */

/* Does the load/store unit execute it? Loads of constants for uniform registers are of unit uni, and go there too. */
static bool goes_to_memory(const struct entry *e) {
  return entry_is_memory(e) || heddle_isa_instr_info((enum heddle_isa_op)e->fx.dec.op)->space != ISA_SPACE_NONE;
}

/* Nothing of it has been shown but its operands, nor of any younger one that accesses memory. */
static bool untouched(const struct warp *w, const struct entry *e) {
  bool whole = e->mem_open == e->mem_lanes && e->seq >= w->performed;
  if (entry_copies(e)) whole = whole && e->store_open == e->mem_lanes;
  for (unsigned k = 0; k < e->rd_words; k++)
    whole = whole && e->wb_open[k] == (e->fx.rd_uniform ? UNIFORM_LANE : e->exec);
  for (unsigned k = 0; k < 4; k++) whole = whole && (e->local_open[k] == 0 || e->local_open[k] == e->in_local);
  return whole;
}

static bool was_refused(const struct warp *w, const struct entry *e) {
  if (!goes_to_memory(e)) return false;
  return (w->trapped && e->seq >= w->trap_seq) || (e->seq > w->failed_seq && untouched(w, e));
}

static uint32_t any_of(const uint32_t *mask, unsigned n) {
  uint32_t all = 0;
  for (unsigned i = 0; i < n; i++) all |= mask[i];
  return all;
}

struct owed {
  uint32_t operands, access, store, result, predicate;
};

static struct owed owed_by(const struct heddle_checker *c, const struct warp *w, const struct entry *e) {
  struct owed o = {any_of(e->ops_open, HEDDLE_RECORD_SLOTS), e->mem_open, e->store_open, any_of(e->wb_open, 4),
                   entry_pd_open(e)};
  if (!c->trap_seen) return o;
  if (was_refused(w, e)) o.access = o.store = o.result = 0;
  const uint32_t global = paging_on(c) ? paging_owed(c, e) : global_open(c, e, false);
  if (o.access != 0) o.access = (e->mem_open & e->in_shared) | global | local_open(c, w, e, false);
  if (entry_failed(c, w, e)) o.store = o.result = 0;
  if (e->fx.bar_wait && e->known == 0) o.result = o.predicate = 0; /* waits for ever */
  return o;
}

static bool check_paid(struct heddle_checker *c, const struct owed *o) {
  const char *never = "never shown before the end";
  return no_lanes(c, HEDDLE_CHECKER_OPERAND_MISSING, "operands", o->operands, never) &&
         no_lanes(c, HEDDLE_CHECKER_PERFORM_MISSING, "access", o->access, never) &&
         no_lanes(c, HEDDLE_CHECKER_PERFORM_MISSING, "store of the copy", o->store, never) &&
         no_lanes(c, HEDDLE_CHECKER_WRITEBACK_MISSING, "result", o->result, never) &&
         no_lanes(c, HEDDLE_CHECKER_PREDICATE_MISSING, "predicate", o->predicate, never);
}

bool warp_paid(struct heddle_checker *c, struct warp *w) {
  struct entry *e;
  if (w->open_count == 0) return true;
  find_failed(c, w);
  for (struct walk it = walk_open(w); (e = walk_next(w, &it)) != NULL;) {
    const struct owed o = owed_by(c, w, e);
    c->w = w;
    c->e = e;
    if (!check_paid(c, &o)) return false;
  }
  c->w = NULL;
  c->e = NULL;
  return true;
}
