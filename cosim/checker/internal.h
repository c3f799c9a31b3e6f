/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside checker/ only: the helpers that comparisons share, and each file's functions for the others.
 *
 * A comparison is one small function: it returns true when both sides agree and otherwise stores the first difference.
 * Each calls checker_on() first, so that a test build can switch any one of them off.
 */
#ifndef HEDDLE_CHECKER_INTERNAL_H
#define HEDDLE_CHECKER_INTERNAL_H

#include <stdbool.h>
#include <string.h>

#include <heddle/record.h>
#include "cosim/checker/ledger.h"
#include "cosim/checker/state.h"

#ifdef COSIM_TEST_HOOKS
void checker_switch_off(struct heddle_checker *c, enum heddle_checker_kind k);
static inline bool checker_on(const struct heddle_checker *c, enum heddle_checker_kind k) {
  return !c->off[k];
}
#else
static inline bool checker_on(const struct heddle_checker *c, enum heddle_checker_kind k) {
  (void)c;
  (void)k;
  return true;
}
#endif

static inline bool shows(const struct heddle_checker *c, enum heddle_record_option field) {
  return heddle_record_shows_field(c->cfg.hidden, field);
}

/* ---- identity ---- */

/* The warp's place among those of all SMs: the model's slot. In its SM: its slot. */
static inline unsigned warp_at(const struct heddle_checker *c, const struct warp *w) {
  return (unsigned)(w - c->warp);
}
static inline unsigned warp_slot(const struct warp *w) {
  return (unsigned)(w - w->sm->warp);
}
static inline struct block *warp_block(const struct warp *w) {
  return &w->sm->block[w->bslot];
}
/* The model's number of a block slot. */
static inline unsigned block_at(const struct heddle_checker *c, const struct sm *s, unsigned bslot) {
  return (unsigned)(s->block - c->block) + bslot;
}
/* Its place, from 0: the model's number of it. */
static inline unsigned sm_index(const struct heddle_checker *c, const struct sm *s) {
  return (unsigned)(s - c->sm);
}
/* NULL: none of the judged SMs. */
static inline struct sm *sm_numbered(const struct heddle_checker *c, unsigned number) {
  return number - c->cfg.sm < c->sms ? &c->sm[number - c->cfg.sm] : NULL;
}
/* The trap's SM may show nothing more; others only records of before they stopped. */
static inline bool sm_stopped(const struct heddle_checker *c, unsigned number) {
  return c->trap_seen && (c->sms == 1 || c->trap.sm == number);
}
/* Nor do others begin anything once they have had time to receive it; where streams have clocks of their own, once
 * more has been shown than may wait. */
static inline bool all_stopped(const struct heddle_checker *c) {
  if (!c->trap_seen) return false;
  return c->cfg.reorder == 0 ? c->now->cycle > c->over_cycle + HEDDLE_CHECKER_STOP_LATE
                             : c->begun_late > c->cfg.reorder;
}
/* For words: "SM 2 ", where there are several; else "". */
#define SM_TEXT 8u
const char *sm_text(const struct heddle_checker *c, unsigned number, char text[SM_TEXT]);
bool sm_unknown(struct heddle_checker *c, unsigned number); /* a difference: always false */

/* The bank of a record of memory, as positions are counted; check_stamp reports an impossible one. */
static inline unsigned bank_of(const struct heddle_checker *c, uint8_t bank) {
  return bank < c->cfg.memory_banks ? bank : 0;
}

/* ---- report.c: store the first difference; always false ---- */
bool differ(struct heddle_checker *c, enum heddle_checker_kind k, const char *subject, const char *note, ...)
    __attribute__((format(printf, 4, 5)));
bool differ_value(struct heddle_checker *c, enum heddle_checker_kind k, const char *subject, uint64_t expected,
                  uint64_t got);
/* Rows of lanes: expected[lane], got[lane - first]. */
bool differ_lanes(struct heddle_checker *c, enum heddle_checker_kind k, const char *subject, uint32_t lanes,
                  const uint32_t *expected, const uint32_t *got, unsigned first);
/* Lanes, with words of what is wrong about them. */
bool differ_mask(struct heddle_checker *c, enum heddle_checker_kind k, const char *subject, uint32_t lanes,
                 const char *note, ...) __attribute__((format(printf, 5, 6)));

/* Equal numbers, or a difference of this kind. */
static inline bool same(struct heddle_checker *c, enum heddle_checker_kind k, const char *subject, uint64_t expected,
                        uint64_t got) {
  return expected == got || !checker_on(c, k) || differ_value(c, k, subject, expected, got);
}

/* No lane is wrong, or a difference of this kind. */
static inline bool no_lanes(struct heddle_checker *c, enum heddle_checker_kind k, const char *subject, uint32_t lanes,
                            const char *note) {
  return lanes == 0 || !checker_on(c, k) || differ_mask(c, k, subject, lanes, "%s", note);
}

/* Lanes of `lanes` to be compared; the others, in which something is undefined, are counted. */
static inline uint32_t judged_lanes(struct heddle_checker *c, uint32_t lanes, uint32_t unknown) {
  if (__builtin_expect((lanes & unknown) == 0, 1)) return lanes;
  c->stats.lanes_unjudged += (uint64_t)__builtin_popcount(lanes & unknown);
  return lanes & ~unknown;
}

/* Bytes of a lane that the model has just performed: equal in what it calls defined. */
static inline bool known_bytes_agree(const struct heddle_performed *p, unsigned lane, const uint8_t *got,
                                     const uint8_t *want) {
  uint8_t wrong = 0;
  if (__builtin_expect((p->bytes_unknown >> lane & 1u) == 0, 1)) return memcmp(got, want, p->bytes) == 0;
  for (unsigned k = 0; k < p->bytes; k++) wrong |= (uint8_t)((got[k] ^ want[k]) & p->known[lane][k]);
  return wrong == 0;
}

/* Undefined bits of a row by the model, in an effect's form: bits of 1 in `bits`, in the lanes `lanes` alone. */
struct unknown_row {
  uint32_t lanes;
  const uint32_t *bits;
};

/* Lanes of `lanes`, which begin with `first`, with a defined bit that differs. */
static inline uint32_t lanes_that_differ(struct heddle_checker *c, uint32_t lanes, const uint32_t *want,
                                         const uint32_t *got, unsigned first, struct unknown_row u) {
  const uint32_t differ = row_differs(want + first, got, c->cfg.lanes) << first & lanes;
  uint32_t bad = differ & judged_lanes(c, lanes, u.lanes);
  for (uint32_t rest = differ & u.lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    if (((want[l] ^ got[l - first]) & ~u.bits[l]) != 0) bad |= rest & (0u - rest);
  }
  return bad;
}

/* ---- one file each ---- */
bool judge_issue(struct heddle_checker *c, const struct heddle_record_issue *r);
bool judge_operands(struct heddle_checker *c, const struct heddle_record_operands *r, bool memory_bus);
bool judge_write(struct heddle_checker *c, const struct heddle_record_write *r);
bool judge_predicate(struct heddle_checker *c, const struct heddle_record_predicate *r);
bool judge_uniform_read(struct heddle_checker *c, const struct heddle_record_uniform_read *r);
bool judge_uniform_write(struct heddle_checker *c, const struct heddle_record_uniform_write *r);
bool judge_shared(struct heddle_checker *c, const struct heddle_record_shared *r);
bool judge_global(struct heddle_checker *c, const struct heddle_record_global *r); /* and local memory's */
bool judge_barrier(struct heddle_checker *c, const struct heddle_record_barrier *r);
bool judge_block_start(struct heddle_checker *c, const struct heddle_record_block_start *r);
bool judge_warp_start(struct heddle_checker *c, const struct heddle_record_warp_start *r);
bool judge_block_end(struct heddle_checker *c, const struct heddle_record_block_end *r);
bool judge_trap(struct heddle_checker *c, const struct heddle_record_trap *r);

/* global.c: what shared and global have in common */
bool perform_admit(struct heddle_checker *c, enum heddle_isa_space space, unsigned access, uint32_t lanes);
bool perform_do(struct heddle_checker *c, uint32_t lanes);             /* the model performs; c->performed is filled */
bool perform_store(struct heddle_checker *c, uint32_t lanes);          /* the same of a copy's store */
bool perform_values(struct heddle_checker *c, uint32_t lanes);         /* the same, and nothing is paid */
bool perform_from(struct heddle_checker *c, uint32_t lanes, int copy); /* the same from a copy; -1: from memory */
bool perform_loads_row(
    const struct heddle_checker *c); /* that was a plain load into registers: these say what it read */
void perform_row_bytes(struct heddle_checker *c, uint32_t lanes); /* then: old_bytes, for the unusual and for reports */

/* local.c */
bool local_issue(struct heddle_checker *c); /* the model performs what is in local memory */
bool judge_local(struct heddle_checker *c, const struct heddle_record_global *r); /* of a known warp */
bool local_read(struct heddle_checker *c,
                const struct heddle_record_global *r); /* the same of a load without shown values */
/* Lanes of c->w that still owe a word of that sector. */
uint32_t local_lanes(const struct heddle_checker *c, const struct entry *e, uint64_t sector);
/* The sector of word k of that lane's access; its place in memory, for the warp's SM. */
uint64_t local_sector(const struct warp *w, const struct entry *e, unsigned lane, unsigned k);
uint64_t local_at(const struct heddle_checker *c, const struct warp *w, uint64_t sector);

/* local.c */
bool local_image_allocate(struct heddle_checker *c);
void local_image_free(struct heddle_checker *c);

/* global.c */
bool stamps_allocate(struct heddle_checker *c);
void stamps_free(struct heddle_checker *c);
bool check_stamp(struct heddle_checker *c, const struct heddle_record_global *r); /* lanes with the right sector */

/* global.c */
bool kept_allocate(struct heddle_checker *c);
bool kept_read(struct heddle_checker *c, uint64_t sector); /* a read of it has been performed */
void kept_write(struct heddle_checker *c, uint64_t sector, uint32_t bytes);
bool kept_wrote(const struct heddle_checker *c,
                uint64_t addr); /* a store has, in a line that memory answers with an error */

/* finish.c */
/* Does memory answer an access of it with an error, which is why it cannot end? */
bool entry_failed(const struct heddle_checker *c, const struct warp *w, const struct entry *e);
bool warp_paid(struct heddle_checker *c,
               struct warp *w); /* everything owed has been paid, but for what a trap excuses */
/* Of a lane's access to global memory, of word k of its access to local memory: is it answered with an error? So is all
 * of its instruction in those ANSWER_BYTES, if memory has to do with an error from its first sector there to its last.
 */
bool access_errs(const struct heddle_checker *c, const struct entry *e, unsigned lane);
/* Memory answers these lanes of an open access of the warp with an error: they are never performed. */
bool global_never(struct heddle_checker *c, const struct warp *w, const struct entry *o, uint32_t lanes);
bool word_errs(const struct heddle_checker *c, const struct warp *w, const struct entry *e, unsigned lane, unsigned k);
void note_constants(struct heddle_checker *c); /* a load of constants issues: some word of it may not be there */

/* checker.c */
bool identify_first(struct heddle_checker *c, const struct heddle_record_id *id);
bool beat_form(struct heddle_checker *c, unsigned beat, uint32_t mask, uint32_t *lanes);
bool entry_unknown(struct heddle_checker *c, uint32_t seq);

/* All that an identity says but the instruction. */
static inline uint64_t id_of_warp(const struct heddle_record_id *id) {
  uint32_t v;
  _Static_assert(offsetof(struct heddle_record_id, seq) == sizeof v, "the warp comes first");
  memcpy(&v, id, sizeof v);
  return v;
}

/* The record's warp: sets c->w. */
static inline bool identify(struct heddle_checker *c, const struct heddle_record_id *id) {
  unsigned at = id->slot;
  if (c->sms != 1) at += (id->sm - c->cfg.sm) * c->cfg.warp_slots;
  c->w = &c->warp[at < c->warps ? at : 0]; /* identify_first reports the impossible */
  c->w->moved = c->now->cycle;
  return c->w->known_id == id_of_warp(id) || identify_first(c, id);
}

/* The record's instruction: sets c->e. */
static inline bool identify_entry(struct heddle_checker *c, uint32_t seq) {
  c->e = ledger_find(c, c->w, seq);
  return c->e != NULL || entry_unknown(c, seq);
}

/* The lanes of the warp that a beat's mask means. */
static inline bool beat_lanes(struct heddle_checker *c, unsigned beat, uint32_t mask, uint32_t *lanes) {
  *lanes = mask;
  return (c->cfg.lanes == HEDDLE_RECORD_LANES && beat == 0) || beat_form(c, beat, mask, lanes);
}

bool refused(struct heddle_checker *c, enum heddle_error s, const char *what); /* the model said no; always false */
static inline unsigned count_lanes(uint32_t lanes) {
  return lanes == 0xffffffffu ? HEDDLE_RECORD_LANES : (unsigned)__builtin_popcount(lanes);
}

static inline uint32_t lane_bit(unsigned lane) {
  return 1u << (lane & 31u);
}

/* ledger.c: warps that wait for copies */
void group_closes(struct heddle_checker *c);     /* c->e may be a LDGDEPBAR */
bool groups_performed(struct heddle_checker *c); /* what c->e waits for has been */

/* host.c */
void counters_issue(struct heddle_checker *c); /* c->e of c->w has issued */
void counters_released(struct heddle_checker *c, const struct warp *w);
void counters_warp_ends(struct heddle_checker *c, const struct warp *w, uint64_t cycle);

/* watch.c */
bool watch_all(struct heddle_checker *c, uint64_t now);
static inline bool is_watchdog(enum heddle_checker_kind k) {
  return k >= HEDDLE_CHECKER_WATCHDOG_ISSUE && k <= HEDDLE_CHECKER_WATCHDOG_WARP;
}

/* The word at pc of the launched program. False: there is none. */
static inline bool code_word(const struct heddle_checker *c, uint32_t pc, struct heddle_isa_word *w) {
  uint32_t bytes;
  if (pc % ISA_STEP != 0 || pc >= c->launch->code_bytes || c->launch->code == NULL) return false;
  (void)heddle_isa_fetch(c->launch->code, pc, w, &bytes);
  return true;
}

/* report.c: a word as the configured disassembler has it, else its digits. */
void checker_disassemble(const struct heddle_checker *c, struct heddle_isa_word w, uint32_t pc, char *buf,
                         size_t bytes);

/* Records that wait for others (docs/visibility.md, "Several SMs"). Streams of SMs and banks with clocks of their
 * own may be shown ahead of each other. A record shown before its cause is held back, and all of its stream behind
 * it, until it may be judged. The room is bounded. When it is full, the record that has waited longest is judged as
 * it is: a difference, since its cause has not been shown. */

bool reorder_new(struct heddle_checker *c); /* nothing, where no record may have to wait */
void reorder_free(struct heddle_checker *c);
bool reorder_record(struct heddle_checker *c, const struct heddle_retire_record *r);
bool reorder_finish(struct heddle_checker *c); /* nothing more comes */

/* checker.c: one record, now. */
bool judge_record(struct heddle_checker *c, const struct heddle_retire_record *r);

/* visibility: may a record of the cache, or a performed access that has to pass it, be judged? */
bool cache_fill_due(const struct heddle_checker *c, const struct heddle_record_fill *r);
bool cache_hit_due(const struct heddle_checker *c, const struct heddle_record_merge *r);
bool cache_ack_due(const struct heddle_checker *c, const struct heddle_record_ack *r);

/* Interface of the rest of the checker to the judge of a cache (docs/visibility.md). Its own tables are in
 * visibility.h. */

/* The records: without a cache they are malformed. */
bool judge_fill(struct heddle_checker *c, const struct heddle_record_fill *r);
bool judge_merge(struct heddle_checker *c, const struct heddle_record_merge *r);
bool judge_hit(struct heddle_checker *c, const struct heddle_record_merge *r);
bool judge_drop(struct heddle_checker *c, const struct heddle_record_drop *r);
bool judge_ack(struct heddle_checker *c, const struct heddle_record_ack *r);
bool judge_fence(struct heddle_checker *c, const struct heddle_record_fence *r);
bool cache_allocate(struct heddle_checker *c); /* nothing, without a cache */
void cache_free(struct heddle_checker *c);
/* The others are called only with c->cache. */
void cache_warp_begins(struct heddle_checker *c, struct warp *w);
void cache_block_begins(struct heddle_checker *c, const struct sm *s, unsigned bslot);
bool cache_may_issue(struct heddle_checker *c, uint32_t seq); /* no fence of c->w is under way */
bool cache_performed(struct heddle_checker *c, uint32_t seq); /* what is older in c->w has been performed: BAR */
void cache_issue(struct heddle_checker *c);                   /* c->e of c->w has issued: loads, stores */
void cache_fence_issues(struct heddle_checker *c);            /* the same: fences */
void cache_arrives(struct heddle_checker *c);                 /* the same: barriers */
/* A load of the warp has a value, a store its answer. */
void cache_access_over(struct heddle_checker *c, const struct warp *w);
bool cache_released(struct heddle_checker *c, const struct sm *s, unsigned bslot, unsigned id);
/* May lanes of an older access to the sector be open when a younger one is performed? */
bool cache_order(struct heddle_checker *c, const struct entry *older, uint32_t lanes, uint64_t sector);
bool pass_global(struct heddle_checker *c, const struct heddle_record_global *r);    /* may it be performed? */
bool pass_performed(struct heddle_checker *c, const struct heddle_record_global *r); /* it has been */
void cache_counts(struct heddle_checker *c, unsigned bank); /* one more position of that bank */
bool cache_finish(struct heddle_checker *c);
bool cache_count_judge(struct heddle_checker *c, const struct sm *s, const uint32_t *counter); /* what the host reads */

/* Wait states, a sentence each. */
typedef void (*waiting_fn)(void *ctx, const char *sentence);

/* All that the warp at `s` waits for. */
void waiting_each(const struct heddle_checker *c, const struct warp *w, const struct heddle_standing *s, waiting_fn say,
                  void *ctx);

/* The instruction at pc, or what is wrong with the pc. */
void waiting_instruction(const struct heddle_checker *c, uint32_t pc, char *buf, size_t bytes);

/* Open items of the entry, in a few words, each with a space before it. */
void owed_text(const struct entry *e, char *buf, size_t bytes);

#endif
