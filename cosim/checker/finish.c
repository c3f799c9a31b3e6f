/* SPDX-License-Identifier: Apache-2.0
 *
 * Traps and the end: both sides agree on the trap, nothing is owed, every block ran, memory is equal.
 */
#include <string.h>
#include "cosim/checker/internal.h"
#include "cosim/checker/pages.h"

/* What is owed at the end of a block or grid. All of it, unless a trap has stopped the grid; then only this may be left
 * open, of instructions of unit mem and of loads of constants:
 * behind an address trap of its warp    access and result: it was refused
 * memory answers it with an error       those sectors (ANSWER_BYTES), and its whole result; its others take effect;
 * of a copy all stores
 * waits for its page (address space)    lines as a whole, and its whole result
 * behind such a one in its warp         access and result, if it was refused as a whole, with all that come after
 * waits at a barrier (BAR.RED)          its result
 * Operands have been read of all that has issued: the trap record comes when everything has drained. */

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

/* Traps and the end: both sides agree on the trap, nothing is owed, every block ran, memory is equal. */

/* A precise trap has no issue record: the model tries the instruction that the trap names. */
static const struct heddle_trap *model_trap(struct heddle_checker *c, const struct heddle_record_trap *r) {
  const unsigned at = warp_at(c, c->w);
  const struct heddle_trap *t = heddle_model_trap_of(c->model, sm_index(c, c->w->sm));
  if (t->cause != HEDDLE_TRAP_NONE) return t;
  if (heddle_warp_waiting(c->model, at)) return t;
  if (c->cfg.its && r->lanes != 0) (void)heddle_warp_choose(c->model, at, (unsigned)__builtin_ctz(r->lanes));
  (void)heddle_warp_issue(c->model, at, &c->revived.fx);
  return t;
}

static bool check_raised(struct heddle_checker *c, const struct heddle_trap *t, const struct heddle_record_trap *r) {
  if (t->cause != HEDDLE_TRAP_NONE) return true;
  return !checker_on(c, HEDDLE_CHECKER_TRAP_UNEXPECTED)
             ? false
             : differ(c, HEDDLE_CHECKER_TRAP_UNEXPECTED, "trap", "%s at pc 0x%x, seq %u; the model raises none",
                      heddle_cause_name((enum heddle_cause)r->cause), r->pc, r->id.seq);
}

static bool check_trap(struct heddle_checker *c, const struct heddle_trap *t, const struct heddle_record_trap *r) {
  const uint32_t *id = warp_block(c->w)->ctaid;
  const enum heddle_checker_kind k = HEDDLE_CHECKER_TRAP_MISMATCH;
  return same(c, k, "cause", t->cause, r->cause) && same(c, k, "ctaid.x", t->ctaid[0], id[0]) &&
         same(c, k, "ctaid.y", t->ctaid[1], id[1]) && same(c, k, "ctaid.z", t->ctaid[2], id[2]) &&
         same(c, k, "warp in block", t->warp_in_block, c->w->index) && same(c, k, "seq", t->seq, r->id.seq) &&
         same(c, k, "pc", t->pc, r->pc) && same(c, k, "lanes", t->lanes, r->lanes) &&
         same(c, k, "address", t->addr, r->addr);
}

/* Bus errors in local memory name the sector as its records do, under the window of generic addresses. */
#define LOCAL_WINDOW (UINT64_C(2) << 56)
static bool is_local(uint64_t addr) {
  return addr >> 56 == LOCAL_WINDOW >> 56;
}

/* The lanes of e whose access to that sector has not been performed: it was answered with an error. */
static uint32_t refused_lanes(const struct heddle_checker *c, const struct entry *e, uint64_t addr) {
  uint32_t lanes = 0;
  if (is_local(addr)) {
    const uint64_t first = addr % LOCAL_WINDOW / ANSWER_BYTES * ANSWER_SECTORS;
    for (unsigned s = 0; s < ANSWER_SECTORS; s++) lanes |= local_lanes(c, e, first + s);
    return lanes;
  }
  for (uint32_t rest = e->mem_open & e->in_global; rest != 0; rest &= rest - 1)
    if (e->fx.mem_addr[__builtin_ctz(rest)] / ANSWER_BYTES == addr / ANSWER_BYTES) lanes |= rest & (0 - rest);
  return lanes;
}

/* Is what these lanes access there answered with an error? */
static bool in_error_range(const struct heddle_checker *c, const struct entry *e, uint32_t lanes, uint64_t addr) {
  const unsigned l = (unsigned)__builtin_ctz(lanes);
  if (!is_local(addr)) return access_errs(c, e, l);
  for (unsigned k = 0; k < 4; k++)
    if (local_sector(c->w, e, l, k) / ANSWER_SECTORS == addr % LOCAL_WINDOW / ANSWER_BYTES)
      return word_errs(c, c->w, e, l, k);
  return false;
}

/* From the line that an access of the entry e traps at to what the lowest of its lanes wanted of it. */
static uint32_t offset_in_line(const struct heddle_checker *c, const struct entry *e,
                               const struct heddle_record_trap *r) {
  if (e->mem_space == ISA_SPACE_CONST || is_local(r->addr)) return 0;
  const unsigned lane = (unsigned)__builtin_ctz(r->lanes);
  return (uint32_t)((paging_on(c) ? e->virt[lane] : e->fx.mem_addr[lane]) % ANSWER_BYTES);
}

/* e: the access in flight that traps; NULL: the trap is precise, and its address that of the access. */
static void keep_trap(struct heddle_checker *c, const struct heddle_record_trap *r, const struct entry *e) {
  c->trap_seen = true;
  c->trap_slot = r->id.slot | (uint32_t)r->id.gen << 8;
  c->over_cycle = c->now->cycle;
  c->trap = (struct heddle_trap){.cause = (enum heddle_cause)r->cause,
                                 .warp_in_block = c->w->index,
                                 .seq = r->id.seq,
                                 .pc = r->pc,
                                 .lanes = r->lanes,
                                 .addr = r->addr,
                                 .sm = r->id.sm,
                                 .offset = e != NULL ? offset_in_line(c, e, r) : 0,
                                 .exact = true};
  memcpy(c->trap.ctaid, warp_block(c->w)->ctaid, sizeof c->trap.ctaid);
}

/* Of a load of constants: the lanes that execute it (ULDC executes once: the active ones), where one of their words
 * lies in that sector and its line is answered with an error; else none. */
static uint32_t constant_lanes(const struct heddle_checker *c, const struct entry *e, uint64_t addr) {
  const uint64_t bank = c->launch->cbank_at[e->fx.dec.cbank % 4];
  const bool uniform = e->fx.dec.uniform;
  for (uint32_t rest = uniform ? UNIFORM_LANE : e->exec; rest != 0; rest &= rest - 1)
    for (unsigned k = 0; k < (e->mem_bytes + 3u) / 4; k++) {
      const uint64_t word = bank + e->fx.mem_addr[__builtin_ctz(rest)] / 4 * 4 + 4 * k;
      if (word / HEDDLE_RECORD_SECTOR == addr / HEDDLE_RECORD_SECTOR && heddle_line_errs(c->launch, word))
        return uniform ? e->active : e->exec;
    }
  return 0;
}

/* Of a warp's accesses that memory answers with errors the first in issue order is the one that is told. */
static bool check_first(struct heddle_checker *c) {
  const struct entry *o;
  for (struct walk it = walk_open(c->w); (o = walk_next(c->w, &it)) != NULL;)
    if (o->seq < c->e->seq && entry_failed(c, c->w, o) && checker_on(c, HEDDLE_CHECKER_TRAP_MISMATCH))
      return differ(c, HEDDLE_CHECKER_TRAP_MISMATCH, "seq", "the older seq %u (pc 0x%x) has met an error, too", o->seq,
                    o->pc);
  return true;
}

/* The memory was told to answer with errors: the trap must belong to an access that is in flight, name all lanes of its
 * sector, and that sector. Of loads of constants it names all that execute. */
static bool judge_bus_error(struct heddle_checker *c, const struct heddle_record_trap *r) {
  const enum heddle_checker_kind k = HEDDLE_CHECKER_TRAP_MISMATCH;
  if (!identify_entry(c, r->id.seq)) return false;
  const bool constant = c->e->mem_space == ISA_SPACE_CONST;
  const uint32_t lanes = constant ? constant_lanes(c, c->e, r->addr) : refused_lanes(c, c->e, r->addr);
  if ((lanes == 0 || (!constant && !in_error_range(c, c->e, lanes, r->addr))) && checker_on(c, k))
    return differ(c, k, "address", "seq %u has no access to 0x%llx in flight%s", r->id.seq, (unsigned long long)r->addr,
                  lanes == 0 ? "" : " that memory answers with an error");
  const uint64_t unit = constant ? HEDDLE_RECORD_SECTOR : ANSWER_BYTES;
  if (!check_first(c)) return false;
  if (!same(c, k, "address", r->addr / unit * unit, r->addr) || !same(c, k, "pc", c->e->pc, r->pc) ||
      !same(c, k, "lanes", lanes, r->lanes))
    return false;
  keep_trap(c, r, c->e);
  return true;
}

bool judge_trap(struct heddle_checker *c, const struct heddle_record_trap *r) {
  if (r->cause == HEDDLE_TRAP_NONE || r->cause >= HEDDLE_CAUSES || c->trap_seen)
    return differ(c, HEDDLE_CHECKER_RECORD_FORM, "trap", "no such cause, or a second trap of one grid");
  if (!identify(c, &r->id)) return false;
  const bool page = paging_is_trap(c, r), precise = r->id.seq == c->w->next_seq;
  if (page && !precise) {
    if (!paging_trap(c, r) || !check_first(c)) return false;
    keep_trap(c, r, c->e);
    return true;
  }
  if (page && !paging_word_trap(c, r)) return false;
  if (!page && r->cause == HEDDLE_TRAP_BUS && !c->cfg.bus_errors && checker_on(c, HEDDLE_CHECKER_TRAP_UNEXPECTED))
    return differ(c, HEDDLE_CHECKER_TRAP_UNEXPECTED, "trap", "a bus error that no memory answered");
  /* The model knows which words and operands cannot be read. */
  if (r->cause == HEDDLE_TRAP_BUS && !precise) return judge_bus_error(c, r);
  const struct heddle_trap *t = model_trap(c, r);
  if (!check_raised(c, t, r) || !check_trap(c, t, r)) return false;
  keep_trap(c, r, NULL);
  return true;
}

static bool check_reported(struct heddle_checker *c) {
  const struct heddle_trap *t = heddle_model_trap(c->model);
  if (!c->trap_seen && c->error_read && checker_on(c, HEDDLE_CHECKER_TRAP_MISSING))
    return differ(c, HEDDLE_CHECKER_TRAP_MISSING, "trap",
                  "never reported: %s of constants that memory answers with an error",
                  heddle_cause_name(HEDDLE_TRAP_BUS));
  if (c->trap_seen || t->cause == HEDDLE_TRAP_NONE || !checker_on(c, HEDDLE_CHECKER_TRAP_MISSING)) return true;
  return differ(c, HEDDLE_CHECKER_TRAP_MISSING, "trap",
                "never reported: %s of block (%u,%u,%u) warp %u seq %u pc 0x%x lanes 0x%x address 0x%llx",
                heddle_cause_name(t->cause), t->ctaid[0], t->ctaid[1], t->ctaid[2], t->warp_in_block, t->seq, t->pc,
                t->lanes, (unsigned long long)t->addr);
}

static bool check_blocks(struct heddle_checker *c) {
  if (c->trap_seen || c->blocks_ended == c->grid_blocks || !checker_on(c, HEDDLE_CHECKER_BLOCK_MISSING)) return true;
  return differ(c, HEDDLE_CHECKER_BLOCK_MISSING, "blocks", "%llu of %llu blocks have started, %llu have ended",
                (unsigned long long)c->blocks_started, (unsigned long long)c->grid_blocks,
                (unsigned long long)c->blocks_ended);
}

static bool check_time(struct heddle_checker *c, uint64_t cycle) {
  return cycle >= c->last_cycle || differ(c, HEDDLE_CHECKER_RECORD_FORM, "cycle",
                                          "the end is in cycle %llu, before a record", (unsigned long long)cycle);
}

bool heddle_checker_finish(struct heddle_checker *c, uint64_t cycle) {
  if (c->first.kind != HEDDLE_CHECKER_NONE || !reorder_finish(c)) return false;
  c->now = NULL;
  c->w = NULL;
  c->e = NULL;
  bool ok = check_time(c, cycle) && check_reported(c);
  c->last_cycle = cycle;
  for (unsigned i = 0; ok && i < c->warps; i++) {
    struct warp *w = &c->warp[i];
    if (w->live) ok = warp_paid(c, w);
  }
  ok = ok && check_blocks(c) && (c->cache == NULL || cache_finish(c)) && (c->paging == NULL || walks_over(c));
  if (!ok) c->first.cycle = cycle;
  return ok;
}

/* What the host would read and nobody has written is the program's. */
static bool nothing_undefined(struct heddle_checker *c) {
  if (c->trap_seen || heddle_model_end(c->model) == HEDDLE_SUCCESS || !checker_on(c, HEDDLE_CHECKER_UNDEFINED_READ))
    return true;
  (void)differ(c, HEDDLE_CHECKER_UNDEFINED_READ, "undefined", "%s", heddle_model_diag(c->model));
  c->first.cycle = c->last_cycle;
  return false;
}

void heddle_checker_lost(struct heddle_checker *c, heddle_checker_missing_fn missing, void *ctx) {
  c->missing = missing;
  c->missing_ctx = ctx;
}

/* What a store wrote has not arrived: its line was refused when it was to be written back. */
static bool may_be_lost(const struct heddle_checker *c, uint64_t addr) {
  return kept_wrote(c, addr) && (c->missing == NULL || c->missing(c->missing_ctx, addr));
}

bool heddle_checker_memory(struct heddle_checker *c, uint64_t base, const uint8_t *image, uint64_t bytes) {
  if (c->first.kind != HEDDLE_CHECKER_NONE) return false;
  const uint8_t *mine = heddle_model_memory(c->model);
  c->w = NULL;
  c->e = NULL;
  const uint8_t *defined = heddle_model_defined(c->model);
  c->stats.bytes_compared += bytes;
  if (!nothing_undefined(c)) return false;
  if (memcmp(mine, image, bytes) == 0 || !checker_on(c, HEDDLE_CHECKER_MEMORY_FINAL)) return true;
  uint64_t at = 0, wrong = 0;
  for (uint64_t i = bytes; i-- > 0;)
    if (((mine[i] ^ image[i]) & (defined == NULL ? 0xff : defined[i])) != 0 && !may_be_lost(c, base + i)) {
      at = i;
      wrong++;
    }
  if (wrong == 0) return true; /* behind a trap */
  char subject[48];
  snprintf(subject, sizeof subject, "byte 0x%llx", (unsigned long long)(base + at));
  (void)differ(c, HEDDLE_CHECKER_MEMORY_FINAL, subject,
               "%llu byte(s) differ; the first at 0x%llx: expected 0x%02x, got 0x%02x", (unsigned long long)wrong,
               (unsigned long long)(base + at), mine[at], image[at]);
  c->first.cycle = c->last_cycle;
  return false;
}
