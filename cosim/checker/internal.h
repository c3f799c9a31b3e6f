/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside checker/ only: the ledger of every warp, and the helpers that comparisons share.
 *
 * A comparison is one small function: it returns true when both sides agree and otherwise stores the first
 * difference. Each asks checker_on() first, so that a test build can switch any one of them off.
 */
#ifndef HEDDLE_CHECKER_INTERNAL_H
#define HEDDLE_CHECKER_INTERNAL_H

#include <string.h>

#include "capacity.h"
#include "heddle/checker.h"
#include "heddle/host_regs.h"
#include "heddle/isa_tables.h"
#include "pass.h"
#include "rows.h"

#define RING 32u     /* the window of recent instructions of a warp, by seq mod RING */
#define NO_REG 0xffu /* a slot that reads no register */
#define NOBODY UINT64_MAX
#define COUNTERS 6u
#define GROUPS 64u        /* a counter tells of no more */
#define ANSWER_BYTES 128u /* one answer of memory is about so many: a line */
#define ANSWER_SECTORS (ANSWER_BYTES / RECORD_SECTOR)
#define LOCAL_WORDS_W 18u /* bits of a word's number in a thread's local memory: a line each */

/* Registers by number: R0 to R254, then uniform ones; predicates likewise. A uniform one has a single value, and what
 * is owed of it is owed in lane 0. */
#define PLACE_UR 256u
#define PLACES (PLACE_UR + 64u)
#define PLACE_UP 8u
#define PRED_PLACES (PLACE_UP + 8u)
#define UNIFORM_LANE 1u

/* What an entry owes, a bit each: whatever the lanes are, an entry is paid when no bit is left. */
#define OWES_OPERAND(slot) (1u << (slot))
#define OWES_OPERANDS ((1u << RECORD_SLOTS) - 1)
#define OWES_RESULT(word) (1u << (RECORD_SLOTS + (unsigned)(word)))
#define OWES_PREDICATE(i) (1u << (RECORD_SLOTS + 4 + (i)))
#define OWES_ACCESS (1u << (RECORD_SLOTS + 4 + RECORD_PREDICATES))
#define OWES_STORE (1u << (RECORD_SLOTS + 5 + RECORD_PREDICATES)) /* of a copy, whose load is its access */

/* What happened to an entry's operands before they were shown to be read; rare. */
struct marks {
  uint32_t war_old[RECORD_SLOTS], war_new[RECORD_SLOTS]; /* lanes that a younger instruction has overwritten */
  uint64_t war_cycle;                                    /* cycle of war_new */
  uint32_t raced[RECORD_SLOTS], racer[RECORD_SLOTS];     /* lanes that an older one wrote after the issue; its seq */
};

/* What the operand slots of an instruction read. */
struct slots {
  uint16_t want; /* slots that must be read */
  uint8_t reg[RECORD_SLOTS], op[RECORD_SLOTS], word[RECORD_SLOTS];
  bool collected; /* it waits in a collector for its unit, whose latency varies: its operands come on a bus of their own
                   */
  bool known;     /* of an instruction of the program: it has issued before */
};

/* One warp instruction and what is still owed to it. Entries come from a pool, and the one that was paid last is the
 * first to be taken: those in use are few, and stay in the cache. */
struct entry {
  bool open, marked; /* marked: `marks` mean something */
  uint16_t ops_any;  /* operand slots whose value nobody knows */
  uint32_t owes;     /* OWES_...: a bit for each of the *_open that is not 0 */
  uint32_t seq;
  /* of the model's effect: what is asked for most */
  uint32_t pc, active, exec, mem_lanes;
  uint16_t op;
  uint16_t rd; /* PLACE_UR and more: uniform */
  uint8_t unit, rd_words, mem_space, mem_kind, mem_bytes;
  uint8_t words_known; /* result registers of which anything is known: of LDSM they come one by one */
  uint8_t pd_written, pd[RECORD_PREDICATES]; /* destination i is P[pd[i]] where bit i is set: two, or of R2P any */
  bool traps, warp_ended;
  struct slots slot;
  uint32_t ops_open[RECORD_SLOTS];
  uint32_t wb_open[4], known; /* known: lanes whose result value is final in the model (see entry_known) */
  uint32_t pd_open[RECORD_PREDICATES], mem_open;
  uint32_t in_global, in_shared,
      in_local;           /* lanes of mem_lanes, by where their address lies; fx.mem_addr is that there */
  uint32_t local_open[4]; /* of local memory, word by word */
  uint32_t store_open;    /* of a copy: lanes that have not been stored; it is not among in_shared */
  uint32_t passed, by;    /* of a device with a cache: lanes in global memory that have passed it, passed it by, */
  bool cached;            /* and: they load through it */
  uint64_t cycle;         /* of its issue record */
  struct isa_word word;
  struct entry *older, *younger; /* neighbours among the warp's open entries that have left the window */
  struct heddle_effect fx;
  struct marks marks;
};

/* A recent instruction: its entry while that is open, and what is told of it afterwards; a line of the cache. */
struct past {
  struct entry *entry; /* NULL: paid */
  uint64_t cycle;
  struct isa_word word;
  uint32_t seq, pc, active, exec, mem_lanes;
  bool valid, traps, warp_ended;
  uint16_t ops_want;
  uint8_t rd_words, pd_written, mem_space, mem_kind, mem_bytes;
};

/* A predicate write that the instruction which issues now may have come too early for. */
struct late {
  uint64_t cycle;
  uint32_t seq, lanes;
  unsigned pd; /* PLACE_UP and more: uniform; 2 PLACE_UP + r: URr */
};

struct sm;

struct warp {
  bool live, trapped;
  bool based;               /* it has taken its registers: reg_base */
  uint8_t gen;              /* 1 for the first warp of the slot, then one more each */
  uint8_t bslot, partition; /* of its SM; partition: as its records have shown it */
  uint16_t reg_base;
  uint16_t pend_write[PLACES], pend_read[256], pend_pred[PRED_PLACES]; /* open entries that write, read this register */
  uint16_t open_count, open_shared, open_global, open_copies;          /* copies are in neither of the two before */
  uint64_t known_id; /* sm, partition, slot and gen as its records show them, once all are known; else NOBODY */
  uint64_t wrote;    /* cycle of the latest record of a register write */
  uint32_t index, next_seq, trap_seq;
  uint32_t failed_seq; /* of the first load of constants (at the end: access) that memory answers with an error */
  uint32_t performed;  /* of the youngest instruction with a record of an access: its seq + 1 */
  uint64_t started, first_issue, last_issue; /* cycles */
  uint16_t behind;       /* event counters, a bit each, that may count the warp behind what it issued last */
  uint64_t moved;        /* the cycle of the latest record that spoke of it, of its start, of its barrier's release */
  uint32_t ring_open;    /* bit per ring place: an open entry */
  uint32_t written[256]; /* the cycle of each register's latest write record, its low bits */
  unsigned late_next;
  struct late *late;                                  /* capacity.predicates */
  struct past *ring;                                  /* RING */
  uint32_t groups[COUNTERS], group[COUNTERS][GROUPS]; /* LDGDEPBAR by counter: how many, seq of the latest ones */
  struct entry *parked;                               /* the youngest open one that is no longer in the ring */
  struct sm *sm;                                      /* on which its slot is */
};

struct block {
  bool live;
  uint32_t ctaid[3];
  uint64_t warps, shared_base;
};

/* A recent register write: what read before it is shown after it. */
struct shadow {
  uint64_t cycle;
  uint32_t seq, lanes;
  uint8_t slot, rd;
};

/* What an SM has for itself. Records of two SMs say nothing of each other but through memory: so there is no clock, no
 * latest issue and no end that all would share. */
struct sm {
  unsigned number;
  struct warp *warp;              /* its slots, */
  struct block *block;            /* and those of blocks */
  struct entry *entries, **spare; /* the pool */
  unsigned spares, begun;         /* begun: so many have been taken at some time; the others are not cleared */
  unsigned shadow_next;
  struct shadow *shadow; /* capacity.writes */
  uint64_t last_cycle;   /* of its latest record, where there are several SMs */
  uint64_t issued;       /* instructions */
  uint64_t issued_at;    /* the cycle of the latest issue */
  bool clock_known;      /* the device's clock is clock_ahead of the cycle of an issue record */
  uint64_t clock_ahead;
  uint64_t lived_least, lived_most; /* cycles, of all warps that have ended: see checker_counters */
  uint64_t most[HEDDLE_COUNTERS];   /* that each event counter can have, and sync at least */
  uint64_t sync_least;
};

/* What each line of memory was last shown to be performed in; lines of global memory, then of local memory. Pages that
 * nobody touches are never there. */
struct stamps {
  uint64_t first, global, local; /* number of the first line of global memory; how many there are */
  uint64_t *at;                  /* the stamp, */
  uint16_t *bank;                /* bank + 1; 0: not performed yet */
};

struct visibility; /* visibility.h; what others ask of it: cache.h */

struct checker {
  struct heddle_model *model;
  const struct heddle_launch *launch;
  struct checker_config cfg;
  struct checker_stats stats;
  struct checker_difference first;
  bool one_clock;      /* all records are of one, in the order in which things happened */
  unsigned sms, warps; /* SMs whose records they are; warp slots of all of them */
  struct sm *sm;
  struct warp *warp; /* slot s of the k-th SM at k warp_slots + s: the model's number of it */
  struct block *block;
  uint64_t grid_blocks, blocks_started, blocks_ended;
  uint8_t *seen; /* a bit for each block of the grid */
  uint32_t warps_per_block;
  unsigned bank_shift;     /* banks are 1 << bank_shift */
  uint64_t partitions_may; /* bit n - 1: there may be n of them, by the slots that each has shown so far */
  bool error_read;         /* a load of constants went where memory answers with an error */
  uint32_t *kept;          /* of sectors that memory answers with an error: bytes that have been written (kept.c) */
  uint64_t kept_first, kept_count;
  bool lost; /* the device says that memory refused a write-back, or nobody says anything */
  bool trap_seen;
  struct heddle_trap trap; /* as its record says */
  uint64_t look_at;        /* when the watchdogs look next */
  uint64_t last_cycle;     /* of the latest record; then the end, as checker_finish was told */
  struct capacity capacity;
  struct shadow *shadows;
  struct late *lates;
  /* who the present record speaks of */
  const struct retire_record *now;
  struct warp *w;
  struct entry *e;
  struct heddle_performed performed;
  struct past *pasts;
  struct slots *slots; /* of each instruction of the program */
  struct stamps stamps;
  struct entry *entries, **spare;
  struct entry revived;                   /* of a paid one that somebody asks for */
  uint64_t bank_cycle[CHECKER_BANKS_MAX]; /* of each bank's latest record, where there are several SMs */
  bool reads_special[ISA_OP_COUNT], drains[ISA_OP_COUNT], has_strong[ISA_OP_COUNT]; /* by the tables of the ISA file */
  struct visibility *cache;                                                         /* NULL: the device has none */
  struct reorder *reorder; /* reorder.h; NULL: no record waits for another */
#ifdef COSIM_TEST_HOOKS
  bool off[CHECKER_KIND_COUNT];
#endif
};

#ifdef COSIM_TEST_HOOKS
void checker_switch_off(struct checker *c, enum checker_kind k);
static inline bool checker_on(const struct checker *c, enum checker_kind k) {
  return !c->off[k];
}
#else
static inline bool checker_on(const struct checker *c, enum checker_kind k) {
  (void)c;
  (void)k;
  return true;
}
#endif

static inline bool shows(const struct checker *c, enum record_option field) {
  return record_shows_field(c->cfg.hidden, field);
}

/* ---- who ---- */

/* The warp's place among those of all SMs: the model's slot. In its SM: its slot. */
static inline unsigned warp_at(const struct checker *c, const struct warp *w) {
  return (unsigned)(w - c->warp);
}
static inline unsigned warp_slot(const struct warp *w) {
  return (unsigned)(w - w->sm->warp);
}
static inline struct block *warp_block(const struct warp *w) {
  return &w->sm->block[w->bslot];
}
/* The model's number of a block slot. */
static inline unsigned block_at(const struct checker *c, const struct sm *s, unsigned bslot) {
  return (unsigned)(s->block - c->block) + bslot;
}
/* Its place, from 0: the model's number of it. */
static inline unsigned sm_index(const struct checker *c, const struct sm *s) {
  return (unsigned)(s - c->sm);
}
/* NULL: it is none of those whose records they are. */
static inline struct sm *sm_numbered(const struct checker *c, unsigned number) {
  return number - c->cfg.sm < c->sms ? &c->sm[number - c->cfg.sm] : NULL;
}
/* Of the trap's SM nothing may be shown any more; of others what it says was before they stopped. */
static inline bool sm_stopped(const struct checker *c, unsigned number) {
  return c->trap_seen && (c->sms == 1 || c->trap.sm == number);
}
/* For words: "SM 2 ", where there are several; else "". */
#define SM_TEXT 8u
const char *sm_text(const struct checker *c, unsigned number, char text[SM_TEXT]);
bool sm_unknown(struct checker *c, unsigned number); /* a difference: always false */

/* The bank of a record of memory, as positions are counted: 0 where the device has not said how many there are. */
static inline unsigned bank_of(const struct checker *c, uint8_t bank) {
  return c->cfg.memory_banks > 1 ? bank : 0;
}

/* ---- differ.c: store the first difference; always false ---- */
bool differ(struct checker *c, enum checker_kind k, const char *subject, const char *note, ...)
    __attribute__((format(printf, 4, 5)));
bool differ_value(struct checker *c, enum checker_kind k, const char *subject, uint64_t expected, uint64_t got);
/* Rows of lanes: expected[lane], got[lane - first]. */
bool differ_lanes(struct checker *c, enum checker_kind k, const char *subject, uint32_t lanes, const uint32_t *expected,
                  const uint32_t *got, unsigned first);
/* Lanes, with words of what is wrong about them. */
bool differ_mask(struct checker *c, enum checker_kind k, const char *subject, uint32_t lanes, const char *note, ...)
    __attribute__((format(printf, 5, 6)));

/* Equal numbers, or a difference of this kind. */
static inline bool same(struct checker *c, enum checker_kind k, const char *subject, uint64_t expected, uint64_t got) {
  return expected == got || !checker_on(c, k) || differ_value(c, k, subject, expected, got);
}

/* No lane is wrong, or a difference of this kind. */
static inline bool no_lanes(struct checker *c, enum checker_kind k, const char *subject, uint32_t lanes,
                            const char *note) {
  return lanes == 0 || !checker_on(c, k) || differ_mask(c, k, subject, lanes, "%s", note);
}

/* What the model writes into predicate destination i, and in which lanes. */
/* Lanes in which register rd + word is final in the model. */
static inline uint32_t entry_known(const struct entry *e, unsigned word) {
  return (e->words_known >> word & 1u) != 0 ? e->known : 0;
}

static inline bool entry_names_all(const struct entry *e) {
  return e->op == ISA_OP_R2P || e->op == ISA_OP_UR2UP;
}
static inline uint32_t entry_pd_lanes(const struct entry *e, unsigned i) {
  return e->fx.dec.pd_uniform || e->op == ISA_OP_UR2UP ? UNIFORM_LANE
         : e->op == ISA_OP_R2P                         ? e->fx.preds_lanes[i]
                                                       : e->exec;
}
static inline uint32_t entry_pd_value(const struct entry *e, unsigned i) {
  return entry_names_all(e) ? e->fx.preds_value[i] : e->fx.pd_value[i];
}
static inline uint32_t entry_pd_open(const struct entry *e) {
  uint32_t all = 0;
  for (unsigned i = 0; i < RECORD_PREDICATES; i++) all |= e->pd_open[i];
  return all;
}

/* Of `lanes` those that are to be compared; the others, undefined and carried, are counted. */
static inline uint32_t judged_lanes(struct checker *c, uint32_t lanes, uint32_t unknown) {
  if (__builtin_expect((lanes & unknown) == 0, 1)) return lanes;
  c->stats.lanes_unjudged += (uint64_t)__builtin_popcount(lanes & unknown);
  return lanes & ~unknown;
}

/* ---- ledger.c ---- */
/* Open, or paid and recent, or NULL. */
struct entry *ledger_search(struct checker *c, struct warp *w, uint32_t seq);
static inline struct entry *ledger_find(struct checker *c, struct warp *w, uint32_t seq) {
  const struct past *p = &w->ring[seq % RING];
  return p->entry != NULL && p->seq == seq ? p->entry : ledger_search(c, w, seq);
}
struct entry *ledger_add(struct warp *w, uint32_t seq);                 /* place for the next issue; NULL: too many */
void ledger_note(struct warp *w, struct entry *e);                      /* fx is known: what is asked for most */
void ledger_open(struct checker *c, struct warp *w, struct entry *e);   /* fx is known: list what it owes */
void ledger_retire(struct checker *c, struct warp *w, struct entry *e); /* all has been paid */
static inline void ledger_close_words(struct checker *c, struct warp *w, struct entry *e) {
  if (e->open && e->owes == 0) ledger_retire(c, w, e);
}

/* Lanes of one debt are paid. True: it was the last of them. */
static inline bool ledger_pay(struct entry *e, uint32_t *open, unsigned debt, uint32_t lanes) {
  if ((e->owes & debt) == 0) return false;
  *open &= ~lanes;
  if (*open != 0) return false;
  e->owes &= ~debt;
  return true;
}

static inline void ledger_read(struct warp *w, struct entry *e, unsigned slot, uint32_t lanes) {
  if (ledger_pay(e, &e->ops_open[slot], OWES_OPERAND(slot), lanes)) w->pend_read[e->slot.reg[slot]]--;
}

static inline void ledger_write(struct warp *w, struct entry *e, unsigned word, uint32_t lanes) {
  if (ledger_pay(e, &e->wb_open[word], OWES_RESULT(word), lanes)) w->pend_write[e->rd + word]--;
}

static inline void ledger_predicate(struct warp *w, struct entry *e, unsigned i, uint32_t lanes) {
  if (ledger_pay(e, &e->pd_open[i], OWES_PREDICATE(i), lanes)) w->pend_pred[e->pd[i]]--;
}

void ledger_perform(struct warp *w, struct entry *e, uint32_t lanes);
void ledger_store(struct warp *w, struct entry *e, uint32_t lanes); /* of a copy, to shared memory */
void ledger_reset(struct checker *c, struct warp *w);
/* An asynchronous copy: its access is the load, a store to shared memory follows. */
static inline bool entry_copies(const struct entry *e) {
  return e->mem_kind == HEDDLE_ACCESS_COPY;
}
/* Lanes that still owe an access to shared memory, and where. */
static inline uint32_t entry_shared_open(const struct entry *e) {
  return entry_copies(e) ? e->store_open : e->mem_open & e->in_shared;
}
static inline const uint64_t *entry_shared_addr(const struct entry *e) {
  return entry_copies(e) ? e->fx.copy_addr : e->fx.mem_addr;
}
static inline bool entry_is_memory(const struct entry *e) {
  return e->unit == ISA_UNIT_MEM;
}

/* Visit the open entries of a warp, in no order: for (struct walk k = walk_open(w); (e = walk_next(w, &k)) != NULL;) */
struct walk {
  uint32_t ring;
  struct entry *parked;
};
static inline struct walk walk_open(const struct warp *w) {
  return (struct walk){w->ring_open, w->parked};
}
static inline struct entry *walk_next(const struct warp *w, struct walk *k) {
  if (k->ring != 0) {
    const unsigned i = (unsigned)__builtin_ctz(k->ring);
    k->ring &= k->ring - 1;
    return w->ring[i].entry;
  }
  struct entry *e = k->parked;
  if (e != NULL) k->parked = e->older;
  return e;
}

/* The instruction while it owes something; else NULL. */
static inline const struct entry *ledger_owing(const struct warp *w, uint32_t seq) {
  const struct past *p = &w->ring[seq % RING];
  const struct entry *e = w->parked;
  if (p->entry != NULL && p->seq == seq) return p->entry->open ? p->entry : NULL;
  while (e != NULL && e->seq != seq) e = e->older;
  return e;
}

/* ---- poison.c ---- */
bool poison_predicates(struct checker *c, const struct isa_dec *d, uint32_t active, uint32_t exec);
bool poison_pending(struct checker *c, const struct isa_dec *d,
                    uint32_t lanes); /* the model says PENDING; always false */
bool poison_suspect(struct checker *c, unsigned slot, uint32_t lanes);
void poison_written(struct checker *c);
/* A wrong value in `bad`: did the read overtake an older write? Then true, and the difference is noted. */
bool poison_raced(struct checker *c, unsigned slot, uint32_t bad);
bool poison_overwrite(struct checker *c, unsigned rd, uint32_t lanes);
bool poison_predicate(struct checker *c, unsigned pd, uint32_t lanes);
/* The instruction that issues reads a uniform register or predicate before it is written; a uniform write of c->e
 * passes an older one. */
bool poison_uniforms(struct checker *c, const struct isa_dec *d);
bool poison_uniform_write(struct checker *c, unsigned place);
/* Remember a write for reads that come too early to see it. False: there are more of them than there can be. */
bool poison_late(struct checker *c, unsigned pd, uint32_t lanes);
bool poison_shadow(struct checker *c, unsigned rd, uint32_t lanes);

/* The word of e's result that register r is, or -1. */
static inline int result_word(const struct entry *e, unsigned r) {
  const int k = (int)r - (int)e->rd;
  return k >= 0 && k < e->rd_words ? k : -1;
}

/* How often the present entry itself still owes register r: once or not at all. */
static inline unsigned owes_register(const struct entry *e, unsigned r) {
  const int k = result_word(e, r);
  return k >= 0 && (e->owes & OWES_RESULT(k)) != 0 ? 1 : 0;
}

/* A slot is read. Mostly nobody else owes or has just written its register, and nobody has marked the entry. */
static inline bool poison_read(struct checker *c, unsigned slot, uint32_t lanes) {
  const unsigned r = c->e->slot.reg[slot];
  const struct warp *w = c->w;
  if (r == NO_REG) return true;
  if (!c->e->marked && (w->pend_write[r] == 0 || w->pend_write[r] <= owes_register(c->e, r)) &&
      (uint32_t)c->now->cycle - w->written[r] >= c->cfg.read_age)
    return true;
  return poison_suspect(c, slot, lanes);
}

/* A register is written that somebody is still to read, or to write. Mostly c->e alone is to write it. */
static inline bool poison_write(struct checker *c, unsigned rd, uint32_t lanes) {
  return (c->w->pend_read[rd] == 0 && c->w->pend_write[rd] < 2) || poison_overwrite(c, rd, lanes);
}

/* The instruction that issues reads a predicate before it is written. Most read none. */
static inline bool poison_issue(struct checker *c, const struct isa_dec *d, uint32_t active, uint32_t exec) {
  const bool reads = d->guard.index < ISA_PT || d->ps[0].index < ISA_PT || d->ps[1].index < ISA_PT ||
                     d->ps[2].index < ISA_PT || d->op == ISA_OP_P2R || d->op == ISA_OP_UP2UR;
  return !reads || poison_predicates(c, d, active, exec);
}

static inline bool poison_uniform(struct checker *c, const struct isa_dec *d) {
  const bool reads = d->src[0].kind == ISA_UREG || d->src[1].kind == ISA_UREG || d->src[2].kind == ISA_UREG;
  return !reads || poison_uniforms(c, d);
}

/* Writes of this very cycle were shown before the issue that has just been judged. */
static inline void poison_issued(struct checker *c) {
  if (c->w->wrote == c->now->cycle) poison_written(c);
}

/* ---- one file each ---- */
bool judge_issue(struct checker *c, const struct record_issue *r);
bool judge_operands(struct checker *c, const struct record_operands *r, bool memory_bus);
bool judge_write(struct checker *c, const struct record_write *r);
bool judge_predicate(struct checker *c, const struct record_predicate *r);
bool judge_uniform_read(struct checker *c, const struct record_uniform_read *r);
bool judge_uniform_write(struct checker *c, const struct record_uniform_write *r);
bool judge_shared(struct checker *c, const struct record_shared *r);
bool judge_global(struct checker *c, const struct record_global *r); /* and local memory's */
bool judge_barrier(struct checker *c, const struct record_barrier *r);
bool judge_block_start(struct checker *c, const struct record_block_start *r);
bool judge_warp_start(struct checker *c, const struct record_warp_start *r);
bool judge_block_end(struct checker *c, const struct record_block_end *r);
bool judge_trap(struct checker *c, const struct record_trap *r);

/* perform.c: what shared and global have in common */
bool perform_admit(struct checker *c, enum isa_space space, unsigned access, uint32_t lanes);
bool perform_do(struct checker *c, uint32_t lanes);             /* the model performs; c->performed is filled */
bool perform_store(struct checker *c, uint32_t lanes);          /* the same of a copy's store */
bool perform_values(struct checker *c, uint32_t lanes);         /* the same, and nothing is paid */
bool perform_from(struct checker *c, uint32_t lanes, int copy); /* the same from a copy; -1: from memory */
bool perform_loads_row(const struct checker *c); /* that was a plain load into registers: these say what it read */
void perform_row_bytes(struct checker *c, uint32_t lanes); /* then: old_bytes, for the unusual and for reports */

/* local.c */
bool local_issue(struct checker *c);                                /* the model performs what is in local memory */
bool judge_local(struct checker *c, const struct record_global *r); /* of a known warp */

bool local_read(struct checker *c, const struct record_global *r); /* the same of a load whose values nobody shows */

/* ---- stamp.c ---- */
bool stamps_allocate(struct checker *c);
void stamps_free(struct checker *c);
bool check_stamp(struct checker *c, const struct record_global *r); /* whose sector is right */
uint32_t local_lanes(const struct checker *c, const struct entry *e,
                     uint64_t sector); /* of c->w, that still owe a word of that sector */

uint64_t local_sector(const struct warp *w, const struct entry *e, unsigned lane,
                      unsigned k); /* the one that word k of that lane's access lies in */
/* Where it lies in memory, of the warp's SM. */
uint64_t local_at(const struct checker *c, const struct warp *w, uint64_t sector);

/* kept.c */
bool kept_allocate(struct checker *c);
bool kept_read(struct checker *c, uint64_t sector); /* a read of it has been performed */
void kept_write(struct checker *c, uint64_t sector, uint32_t bytes);

/* unpaid.c */
/* Does memory answer an access of it with an error, which is why it cannot end? */
bool entry_failed(const struct checker *c, const struct warp *w, const struct entry *e);
bool warp_paid(struct checker *c, struct warp *w); /* everything owed has been paid, but for what a trap excuses */
/* Of a lane's access to global memory, of word k of its access to local memory: is it answered with an error? So is all
 * of its instruction in those ANSWER_BYTES, if memory has to do with an error from its first sector there to its last.
 */
bool access_errs(const struct checker *c, const struct entry *e, unsigned lane);
/* Memory answers these lanes of an open access of the warp with an error: they are never performed. */
bool global_never(struct checker *c, const struct warp *w, const struct entry *o, uint32_t lanes);
bool word_errs(const struct checker *c, const struct warp *w, const struct entry *e, unsigned lane, unsigned k);
void note_constants(struct checker *c); /* a load of constants issues: some word of it may not be there */

/* checker.c */
bool identify_first(struct checker *c, const struct record_id *id);
bool beat_form(struct checker *c, unsigned beat, uint32_t mask, uint32_t *lanes);
bool entry_unknown(struct checker *c, uint32_t seq);

/* All that an identity says but the instruction. */
static inline uint64_t id_of_warp(const struct record_id *id) {
  uint32_t v;
  _Static_assert(offsetof(struct record_id, seq) == sizeof v, "the warp comes first");
  memcpy(&v, id, sizeof v);
  return v;
}

/* The record's warp: sets c->w. */
static inline bool identify(struct checker *c, const struct record_id *id) {
  unsigned at = id->slot;
  if (c->sms != 1) at += (id->sm - c->cfg.sm) * c->cfg.warp_slots;
  c->w = &c->warp[at < c->warps ? at : 0]; /* who says what cannot be is told by identify_first */
  c->w->moved = c->now->cycle;
  return c->w->known_id == id_of_warp(id) || identify_first(c, id);
}

/* The record's instruction: sets c->e. */
static inline bool identify_entry(struct checker *c, uint32_t seq) {
  c->e = ledger_find(c, c->w, seq);
  return c->e != NULL || entry_unknown(c, seq);
}

/* The lanes of the warp that a beat's mask means. */
static inline bool beat_lanes(struct checker *c, unsigned beat, uint32_t mask, uint32_t *lanes) {
  *lanes = mask;
  return (c->cfg.lanes == RECORD_LANES && beat == 0) || beat_form(c, beat, mask, lanes);
}

bool refused(struct checker *c, enum heddle_status s, const char *what); /* the model said no; always false */
static inline unsigned count_lanes(uint32_t lanes) {
  return lanes == 0xffffffffu ? RECORD_LANES : (unsigned)__builtin_popcount(lanes);
}

static inline uint32_t lane_bit(unsigned lane) {
  return 1u << (lane & 31u);
}

/* groups.c: who waits for copies */
void group_closes(struct checker *c);     /* c->e may be a LDGDEPBAR */
bool groups_performed(struct checker *c); /* what c->e waits for has been */

/* counters.c */
void counters_issue(struct checker *c); /* c->e of c->w has issued */
void counters_released(struct checker *c, const struct warp *w);
void counters_warp_ends(struct checker *c, const struct warp *w, uint64_t cycle);
bool counters_judge(struct checker *c, struct sm *s, const uint32_t *counter, bool held);

/* watch.c */
bool watch_all(struct checker *c, uint64_t now);
static inline bool is_watchdog(enum checker_kind k) {
  return k >= CHECKER_WATCHDOG_ISSUE && k <= CHECKER_WATCHDOG_WARP;
}

/* The word at pc of the launched program. False: there is none. */
static inline bool code_word(const struct checker *c, uint32_t pc, struct isa_word *w) {
  uint32_t bytes;
  if (pc % ISA_STEP != 0 || pc >= c->launch->code_bytes) return false;
  (void)isa_fetch(c->launch->code, pc, w, &bytes);
  return true;
}

/* report.c: a word as the configured disassembler has it, else its digits. */
void checker_disassemble(const struct checker *c, struct isa_word w, uint32_t pc, char *buf, size_t bytes);

#endif
