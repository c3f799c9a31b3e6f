/* SPDX-License-Identifier: Apache-2.0
 *
 * State of a checker: lanes and rows of them, sizes of its tables, the machine and its warps.
 */
#ifndef HEDDLE_COSIM_CHECKER_STATE_H
#define HEDDLE_COSIM_CHECKER_STATE_H

#include <stdint.h>

#include <heddle/checker.h>
#include <heddle/host_regs.h>
#include <heddle/isa_tables.h>
#include <heddle/record.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Rows of lanes, compared as a whole. */

#ifdef __SSE2__
/* All ones in the lanes, of four, that are equal. */
static inline __m128i equal_four(const uint32_t *want, const uint32_t *got) {
  return _mm_cmpeq_epi32(_mm_loadu_si128((const __m128i *)want), _mm_loadu_si128((const __m128i *)got));
}

static inline uint32_t equal_sixteen(const uint32_t *want, const uint32_t *got) {
  const __m128i low = _mm_packs_epi32(equal_four(want, got), equal_four(want + 4, got + 4));
  const __m128i high = _mm_packs_epi32(equal_four(want + 8, got + 8), equal_four(want + 12, got + 12));
  return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}

/* Bit i: entry i of two rows differs. `lanes` is 4, 8, 16 or 32. */
static inline uint32_t row_differs(const uint32_t *want, const uint32_t *got, unsigned lanes) {
  if (lanes == HEDDLE_RECORD_LANES) return ~(equal_sixteen(want, got) | equal_sixteen(want + 16, got + 16) << 16);
  uint32_t bad = 0;
  for (unsigned i = 0; i < lanes; i += 4)
    bad |= (uint32_t)(15 & ~_mm_movemask_ps(_mm_castsi128_ps(equal_four(want + i, got + i)))) << i;
  return bad;
}
#else
static inline uint32_t row_differs(const uint32_t *want, const uint32_t *got, unsigned lanes) {
  uint32_t bad = 0;
  for (unsigned i = 0; i < HEDDLE_RECORD_LANES && i < lanes; i++) bad |= (uint32_t)(want[i] != got[i]) << i;
  return bad;
}
#endif

/* Bit i: addr[i] is in that sector. */
static inline uint32_t row_in_sector(const uint64_t *addr, uint64_t sector) {
  uint32_t in = 0;
  for (unsigned i = 0; i < HEDDLE_RECORD_LANES; i++) in |= (uint32_t)(addr[i] / HEDDLE_RECORD_SECTOR == sector) << i;
  return in;
}

/* Sizes of the checker's tables.
 *
 * Every table of the checker with a depth is listed here, with the formula that sizes it from the machine. An
 * overflow is the difference "checker.capacity": nothing is dropped, nothing is written over, no comparison is
 * skipped. Two have no depth of their own: the open instructions of one warp (a list through the pool), and the
 * blocks of the grid (a bit each). The last instructions of a warp are a window for reports, which limits no check. */

#define CAPACITY_MOST 8192u /* instructions: what 16-bit counters of their operand words can count */

struct capacity {
  unsigned entries;    /* instructions under way, of all warps: one warp may have all of them */
  unsigned writes;     /* register writes that a read may not have seen yet */
  unsigned copies;     /* of sectors: room of a cache, and sectors with waiting accesses; 0 without a cache */
  unsigned waits;      /* loads that wait for a sector, a sector each; as many stores by line under way, and the like */
  unsigned predicates; /* predicate and uniform writes that an issue of the same warp may not have seen yet */
};

/* Tables of the checker. A warp's ledger is its open entries: the instructions under way, each with its open items.
 * Other tables: visibility.h, reorder.c. */

#define RING 32u     /* the window of recent instructions of a warp, by seq mod RING */
#define NO_REG 0xffu /* a slot that reads no register */
#define NOBODY UINT64_MAX
#define COUNTERS 6u
#define GROUPS 64u        /* limit of a counter */
#define ANSWER_BYTES 128u /* one answer of memory is about so many: a line */
#define ANSWER_SECTORS (ANSWER_BYTES / HEDDLE_RECORD_SECTOR)
#define LOCAL_WORDS_W 18u /* bits of a word's number in a thread's local memory: a line each */

/* Registers by number: R0 to R254, then uniform ones; predicates likewise. A uniform one has a single value, and what
 * is owed of it is owed in lane 0. */
#define PLACE_UR 256u
#define PLACES (PLACE_UR + 64u)
#define PLACE_UP 8u
#define PRED_PLACES (PLACE_UP + 8u)
#define UNIFORM_LANE 1u

/* Open items of an entry, a bit each: whatever the lanes are, an entry is closed when no bit is left. */
#define OWES_OPERAND(slot) (1u << (slot))
#define OWES_OPERANDS ((1u << HEDDLE_RECORD_SLOTS) - 1)
#define OWES_RESULT(word) (1u << (HEDDLE_RECORD_SLOTS + (unsigned)(word)))
#define OWES_PREDICATE(i) (1u << (HEDDLE_RECORD_SLOTS + 4 + (i)))
#define OWES_ACCESS (1u << (HEDDLE_RECORD_SLOTS + 4 + HEDDLE_RECORD_PREDICATES))
#define OWES_STORE                                                                                                     \
  (1u << (HEDDLE_RECORD_SLOTS + 5 + HEDDLE_RECORD_PREDICATES)) /* of a copy: its load is the access                    \
                                                                */

/* Events of an entry's operands before their reads were shown; rare. */
struct marks {
  uint32_t war_old[HEDDLE_RECORD_SLOTS],
      war_new[HEDDLE_RECORD_SLOTS]; /* lanes that a younger instruction has overwritten */
  uint64_t war_cycle;               /* cycle of war_new */
  uint32_t raced[HEDDLE_RECORD_SLOTS],
      racer[HEDDLE_RECORD_SLOTS]; /* lanes that an older one wrote after the issue; its seq */
};

/* Reads of an instruction's operand slots. */
struct slots {
  uint16_t want; /* slots that must be read */
  uint8_t reg[HEDDLE_RECORD_SLOTS], op[HEDDLE_RECORD_SLOTS], word[HEDDLE_RECORD_SLOTS];
  bool collected; /* it waits in a queue for its unit of variable latency; its operands come on a bus of their own */
  bool known;     /* of an instruction of the program: it has issued before */
};

/* One warp instruction and what is still owed to it. Entries come from a pool, and the one that was paid last is the
 * first to be taken: those in use are few, and stay in the cache. */
struct entry {
  bool open, marked; /* marked: `marks` mean something */
  uint16_t ops_any;  /* operand slots with an unknown value */
  uint32_t owes;     /* OWES_...: a bit for each of the *_open that is not 0 */
  uint32_t seq;
  /* of the model's effect: the most frequent field */
  uint32_t pc, active, exec, mem_lanes;
  uint16_t op;
  uint16_t rd; /* PLACE_UR and more: uniform */
  uint8_t unit, rd_words, mem_space, mem_kind, mem_bytes;
  uint8_t words_known; /* result registers of which anything is known: of LDSM they come one by one */
  uint8_t pd_written,
      pd[HEDDLE_RECORD_PREDICATES]; /* destination i is P[pd[i]] where bit i is set: two, or of R2P any */
  bool traps, warp_ended;
  struct slots slot;
  uint32_t ops_open[HEDDLE_RECORD_SLOTS];
  uint32_t wb_open[4], known; /* known: lanes with a final result value in the model (see entry_known) */
  uint32_t pd_open[HEDDLE_RECORD_PREDICATES], mem_open;
  uint32_t in_global, in_shared,
      in_local;           /* lanes of mem_lanes, by the memory of their address; fx.mem_addr is that there */
  uint32_t local_open[4]; /* of local memory, word by word */
  uint32_t store_open;    /* of a copy: lanes that have not been stored; it is not among in_shared */
  uint32_t placed;        /* in an address space: lanes in global memory with a known place (pages.h) */
  uint32_t passed, by;    /* of a device with a cache: lanes in global memory that have passed it, passed it by, */
  bool cached;            /* and: they load through it */
  uint64_t cycle;         /* of its issue record */
  struct heddle_isa_word word;
  struct entry *older, *younger; /* neighbours among the warp's open entries that have left the window */
  struct heddle_effect fx;
  struct marks marks;
  uint64_t virt[HEDDLE_RECORD_LANES]; /* in an address space: where in it, of lanes in global memory */
};

/* A recent instruction: its entry while that is open, and facts of it afterwards; a line of the cache. */
struct past {
  struct entry *entry; /* NULL: paid */
  uint64_t cycle;
  struct heddle_isa_word word;
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

/* State of an SM. Records of two SMs are related only through memory: they share no clock, no latest issue and no
 * end. */
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
  uint64_t lived_least, lived_most; /* cycles, of all warps that have ended: see heddle_checker_counters */
  uint64_t most[HEDDLE_COUNTERS];   /* that each event counter can have, and sync at least */
  uint64_t sync_least;
};

/* For each bank: the cycle of a record less its stamp. */
struct lag {
  bool known;
  int64_t least, most;
};

/* Last shown performance in each line of memory; lines of global memory, then of local memory. Untouched pages are
 * not allocated. */
struct stamps {
  uint64_t first, global, local; /* number of the first line of global memory; how many there are */
  uint64_t *at;                  /* the stamp */
  struct lag lag[HEDDLE_CHECKER_BANKS_MAX];
};

/* Local memory of all warp slots, as it is in memory: the model's stores, and for each byte whether it was stored. */
struct local_image {
  uint64_t bytes;
  uint8_t *is;
  uint16_t *how;
};

struct visibility; /* visibility.h; its interface to others: internal.h */
struct paging;     /* pages.h */

struct heddle_checker {
  struct heddle_model *model;
  struct heddle_launch taken; /* the caller's, as this library has it */
  const struct heddle_launch *launch;
  struct heddle_checker_config cfg;
  struct heddle_checker_stats stats;
  struct heddle_checker_difference first;
  bool one_clock;      /* all records are of one, in the order in which things happened */
  unsigned sms, warps; /* judged SMs; warp slots of all of them */
  struct sm *sm;
  struct warp *warp; /* slot s of the k-th SM at k warp_slots + s: the model's number of it */
  struct block *block;
  uint64_t grid_blocks, blocks_started, blocks_ended;
  uint8_t *seen; /* a bit for each block of the grid */
  uint32_t warps_per_block;
  unsigned bank_shift;     /* banks are 1 << bank_shift */
  uint64_t partitions_may; /* bit n - 1: there may be n of them, by the slots that each has shown so far */
  bool error_read;         /* a load of constants went where memory answers with an error */
  uint32_t *kept; /* of sectors of lines that memory answers with an error: bytes that were written (global.c) */
  uint64_t kept_first, kept_count;
  heddle_checker_missing_fn missing; /* see heddle_checker_lost; NULL: unknown */
  void *missing_ctx;
  bool trap_seen;
  struct heddle_trap trap; /* as its record says, */
  uint32_t begun_late;     /* instructions and blocks that others began behind that record */
  uint32_t trap_slot;      /* and where the warp was, as TRAP_SLOT has it */
  uint64_t over_cycle;     /* of the trap's record, else of the latest block's end */
  uint64_t look_at;        /* when the watchdogs look next */
  uint64_t last_cycle;     /* of the latest record; then the end, as given to heddle_checker_finish */
  struct capacity capacity;
  struct shadow *shadows;
  struct late *lates;
  /* warp of the present record */
  const struct heddle_retire_record *now;
  struct warp *w;
  struct entry *e;
  struct heddle_performed performed;
  struct past *pasts;
  struct slots *slots; /* of each instruction of the program */
  struct stamps stamps;
  struct local_image local_image;
  struct entry *entries, **spare;
  struct entry revived;                          /* of a closed one that is looked up */
  uint64_t bank_cycle[HEDDLE_CHECKER_BANKS_MAX]; /* of each bank's latest record, where there are several SMs */
  bool reads_special[ISA_OP_COUNT], drains[ISA_OP_COUNT], has_strong[ISA_OP_COUNT]; /* by the tables of the ISA file */
  struct visibility *cache;                                                         /* NULL: the device has none */
  struct reorder *reorder; /* internal.h; NULL: no record waits for another */
  struct paging *paging;   /* pages.h; NULL: the device has no MMU */
#ifdef COSIM_TEST_HOOKS
  bool off[HEDDLE_CHECKER_KIND_COUNT];
#endif
};

#endif
