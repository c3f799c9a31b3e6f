/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside lab/verify/coverage only.
 */
#ifndef HEDDLE_COV_INTERNAL_H
#define HEDDLE_COV_INTERNAL_H

#include <heddle/hazard.h>
#include <heddle/isa_tables.h>
#include "lab/verify/coverage/cov.h"

#define COV_CAUSES HEDDLE_TRAP_PAGE /* causes of traps below this one: no machine that is covered has pages */

enum group_id {
  G_FORM,
  G_LANES,
  G_CODE,
  G_HAZARD,
  G_SPLIT,
  G_RELEASE,
  G_SHARED,
  G_GLOBAL,
  G_ORDER,
  G_BARRIER,
  G_TRAP,
  G_NUMBER,
  G_PAIR,
  G_BLOCK,
  G_GRID,
  G_QUEUE,
  G_EDGE,
  G_BANK,
  G_WHO,
  G_RELATION,
  G_RESIDENT,
  G_HELD,
  G_LOOKUP,
  G_JOIN,
  G_FILL,
  G_HIT,
  G_DROP,
  G_EVICT,
  G_MISSES,
  G_FENCE,
  G_LOCAL,
  G_COPY,
  G_AWAIT,
  GROUPS
};

struct dim {
  const char *name;
  unsigned n;
  char **value;
};

struct group {
  const char *name, *what;
  unsigned dims;
  struct dim dim[COV_DIMENSIONS];
  uint32_t bins;
  uint32_t *count;
  const char **never; /* reason, or NULL */
};

/* One thing that a word of an encoding can show: itself (field ISA_FIELD_NONE), or a class of a field's values. */
struct item {
  uint16_t enc;
  uint8_t field;
  uint8_t cls;
};

/* A source operand that holds numbers. */
enum number_format { N_NONE, N_F16, N_F32, N_F64 };
struct number {
  uint16_t op;
  uint8_t operand; /* 0 a, 1 b, 2 c */
  uint8_t format;  /* enum number_format */
};

#define UNIT_BIT(u) (1u << (u))
enum place { PLACE_A, PLACE_B, PLACE_C, PLACE_GUARD, PLACE_PS, PLACES };
enum file { FILE_R = 1, FILE_UR = 2, FILE_P = 4, FILE_UP = 8 };

/* ---- queues.c: queues and tables of the RTL that sv/ watches ---- */
struct queue {
  const char *name, *path;                    /* the end of the instance's path */
  bool (*has)(const struct heddle_config *c); /* NULL: every machine */
};
enum { QUEUES_MOST = 32 };
extern const struct queue queue_table[];
extern const unsigned queue_count; /* up to QUEUES_MOST */

/* Values derived from the ISA file and the configuration. */
struct menu {
  bool has[ISA_ENC_COUNT];
  struct item *item;
  unsigned items, first[ISA_ENC_COUNT + 1];           /* items of an encoding: first[enc] .. first[enc + 1] */
  uint16_t enc[ISA_ENC_COUNT], enc_at[ISA_ENC_COUNT]; /* encodings of the machine, and the place of each there */
  unsigned encs;
  struct number *number;
  unsigned numbers;
  uint16_t pair_op[ISA_OP_COUNT]; /* instructions with two operands of numbers or more */
  unsigned pair_ops;
  uint16_t split_op[ISA_OP_COUNT]; /* that a warp can split at */
  unsigned split_ops;
  uint16_t related_op[ISA_OP_COUNT]; /* instructions that compare two words */
  unsigned related_ops;
  uint8_t unit[ISA_UNIT_COUNT]; /* units of the machine */
  unsigned units;
  uint8_t writes[ISA_UNIT_COUNT];        /* enum file, bits */
  uint8_t reads[ISA_UNIT_COUNT][PLACES]; /* likewise */
  uint8_t reuses[ISA_UNIT_COUNT];        /* bits: operands that some word may keep; 8: several of one word */
  uint8_t queue[QUEUES_MOST];            /* of the machine: queue_table */
  unsigned queues;
};

struct cov {
  const struct heddle_config *machine;
  uint64_t launches, alone; /* of them on the model alone */
  struct menu menu;
  struct group group[GROUPS];
};

/* ---- menu.c ---- */
bool menu_make(struct menu *m, const struct heddle_config *c);
void menu_clear(struct menu *m);
/* The class of a value of a field, COV_NO_CLASS: of none; how many classes; the name of one. */
#define NO_CLASS 255u
unsigned field_class(unsigned field, uint64_t value);
const char *field_class_name(unsigned field, unsigned cls, char *buf, size_t n);
/* A guard that is never true: the one item that counts without execution. */
bool item_is_false_guard(const struct item *it);
/* Content of a decoded word's source operand. */
enum number_format number_of(const struct heddle_isa_dec *d, unsigned operand);

/* ---- groups.c, never.c ---- */
bool groups_make(struct cov *c);
typedef const char *(*never_fn)(const struct cov *c, const unsigned *v);
extern const never_fn group_never[GROUPS];

/* Names of fixed dimensions, and what they count. */
/* Executing lanes: none, one lane, whole beats, some lanes, all 32. */
enum mask_class { MASK_NONE, MASK_ONE, MASK_BEATS, MASK_SOME, MASK_ALL, MASKS };
enum { DISTANCES = 9, DEPTHS = 4, CLASSES = 10, SPREADS = 6 };
enum outcome { OUT_NONE, OUT_ALL, OUT_PART, OUT_TARGETS, OUTCOMES };
enum release { REL_BSYNC, REL_BREAK, REL_EXIT, REL_KILL, REL_WARPSYNC, REL_BMOV, REL_YIELD, RELEASES };
enum code_item {
  CODE_STALL,                   /* 16 values */
  CODE_YIELD = CODE_STALL + 16, /* 0, 1 */
  CODE_WBAR = CODE_YIELD + 2,   /* SB0 to SB5, none */
  CODE_RBAR = CODE_WBAR + 7,
  CODE_WAIT = CODE_RBAR + 7,  /* SB0 to SB5 alone, none, several */
  CODE_REUSE = CODE_WAIT + 8, /* none, a, b, c, several */
  CODES = CODE_REUSE + 5
};
enum global_access { GA_LOAD, GA_STORE, GA_ATOM, GA_RED, GLOBAL_ACCESSES };
enum shared_access { SA_LOAD, SA_STORE, SA_ATOM, SA_MATRIX, SHARED_ACCESSES };
enum { WIDTHS = 5, STARTS = 3, KINDS = 3, WHOS = 3, WHERES = 3, FLIGHTS = 6, QUEUE_STATES = 3 };
enum bar_by { BY_SYNC, BY_ARV, BY_RED, BY_POPC, BY_EXIT, BYS };
enum { THREADS = 6, GRIDS = 3, SHAPES = 3, EXITED = 3, ROUNDINGS = 4, PAIRS = 3, GATHERED = 3, BLOCK_WARPS = 5 };

enum { WIN_WRITABLE, WIN_READ_ONLY, WIN_SHARED, WIN_LOCAL, WIN_GENERIC /* and these four once more */, WINDOWS = 8 };
enum { AT_FIRST, AT_INSIDE, AT_LAST, AT_ACROSS, AT_BEHIND, AT_BELOW, AT_UPPER, PLACES_OF_WINDOW };
enum { BANK_OPERAND, BANK_LOAD };
enum who_traps {
  WHO_WORD,
  WHO_OPERAND,
  WHO_CONSTANT,
  WHO_GLOBAL, /* a load; a store, an atomic or reduction */
  WHO_GENERIC = WHO_GLOBAL + 3,
  WHO_GENERIC_ATOM,
  WHO_SHARED,
  WHO_LOCAL
};
enum { CACHE_LOAD, CACHE_LOCAL, CACHE_COPY }; /* warps that read through a cache */
enum { FOUND_HIT, FOUND_ASKS, FOUND_JOINS, FOUND_HIT_ASKS, FOUND_HIT_JOINS, FOUND_ASKS_JOINS, FOUND_ALL, FOUND_BY };
enum {
  DROP_STORE,
  DROP_ATOMIC,
  DROP_STRONG,
  DROP_BY, /* a weak load for which there is no place */
  DROP_FENCE,
  DROP_EMPTYING,
  DROP_LAUNCH,
  DROP_REPLACED,
  DROP_ERROR
};
enum { DROPPED_ABSENT, DROPPED_COMING, DROPPED_HERE };
enum { WAITS_NOBODY, WAITS_OWN, WAITS_OTHERS };
enum {
  LOCAL_STORED,
  LOCAL_FILLED,
  LOCAL_FILLED_STORED,
  LOCAL_ASKS,
  LOCAL_ASKS_STORED,
  LOCAL_JOINS,
  LOCAL_JOINS_STORED,
  LOCAL_BY
};
enum async_load { ASYNC_HIT, ASYNC_WAITED, ASYNC_BY, ASYNC_MIXED };
enum { REL_EQUAL, REL_ABOVE, REL_BELOW, REL_SIGN, REL_NEGATED, REL_INVERTED, REL_OTHER };

/* ---- db.c ---- */
static inline uint32_t bin_of(const struct group *g, const unsigned *v) {
  uint32_t b = 0;
  for (unsigned d = 0; d < g->dims; d++) b = b * g->dim[d].n + v[d];
  return b;
}

static inline void bin_add(struct group *g, uint32_t bin, uint32_t n) {
  const uint32_t room = COV_MOST - g->count[bin];
  g->count[bin] += n < room ? n : room;
}

#define HIT(c, id, ...)                                                                                                \
  bin_add(&(c)->group[id], bin_of(&(c)->group[id], (const unsigned[COV_DIMENSIONS]){__VA_ARGS__}), 1)

/* 1, 2, 3-4, 5-8, 9-16, 17-32 */
static inline unsigned spread_of(unsigned n) {
  return n <= 1 ? 0 : 32u - (unsigned)__builtin_clz(n - 1);
}

/* 0, 1, 2-7, 8-31 */
static inline unsigned depth_of(unsigned n) {
  return n < 2 ? n : n < 8 ? 2 : 3;
}

static inline unsigned width_of(unsigned bytes) {
  return bytes >= 16 ? 4 : bytes >= 8 ? 3 : bytes >= 4 ? 2 : bytes >= 2 ? 1 : 0;
}

/* Between the parts of the collector. */

#define NOT_HERE 0xffffu
enum { READS_MOST = 24, WRITES_MOST = 16, RING = 256, STASHES = 32, ROWS_MOST = 8, NAMED_BARRIERS = 16 };
#define OPERAND_WORDS 6u /* a 0 and 1, b 2 and 3, c 4 and 5 of the operand records */

/* A word of the program, decoded once a launch. */
struct word {
  struct heddle_isa_dec d;
  bool legal;
  uint8_t reads, writes, access, bytes, space;
  uint16_t want;               /* operand words that are looked at */
  uint16_t number[3];          /* menu.number of each operand, or NOT_HERE */
  uint16_t related;            /* menu.related_op, or NOT_HERE */
  uint16_t pair, split;        /* menu.pair_op, menu.split_op, or NOT_HERE */
  uint16_t source[READS_MOST]; /* HAZARD_ places */
  uint8_t place[READS_MOST];   /* enum place of each */
  uint16_t result[WRITES_MOST];
  uint8_t unit; /* of the machine: menu.unit */
  uint64_t hits[MASKS];
};

/* Operands of an instruction until all have been read. */
struct stash {
  bool open;
  uint32_t seq, exec, word;
  uint32_t got[OPERAND_WORDS];
  uint32_t data[OPERAND_WORDS][HEDDLE_LANES];
};

struct cov_warp {
  uint8_t bslot;
  uint32_t ring_seq[RING], ring[RING]; /* recent instructions: their words */
  bool written[HEDDLE_HAZARD_PLACES];
  uint32_t writer[HEDDLE_HAZARD_PLACES]; /* seq */
  uint8_t writer_unit[HEDDLE_HAZARD_PLACES];
  uint32_t depth, parked[17];
  bool passing; /* a shared access is under way */
  uint32_t pass_seq;
  unsigned passes[ROWS_MOST];
  struct stash stash[STASHES];
  uint32_t copied, copied_before[2]; /* asynchronous copies that have stored; when it last issued, and before that */
};

struct named_barrier {
  uint8_t last; /* enum bar_by */
  bool arrived, given;
};

struct cov_block {
  bool resident;
  uint64_t slots; /* its warps' */
  unsigned ended; /* warps */
  struct named_barrier bar[NAMED_BARRIERS];
};

/* An asynchronous copy that has loaded, and not stored: bits of enum async_load. */
enum { ASYNCS_MOST = 256 };
struct cov_async {
  uint8_t slot;
  uint32_t seq;
  unsigned loaded;
};

struct cov_cache;

struct cov_collector {
  bool sm_known;
  unsigned sm; /* source of the records */
  struct cov *c;
  bool scoreboard, its;
  struct heddle_launch launch; /* what it points to may be gone */
  struct word *word;
  uint32_t words;
  uint64_t lost;
  struct cov_warp *warp; /* of the machine */
  struct cov_block *block;
  unsigned completed; /* bits of enum flight since the last issue */
  bool has_before;
  struct heddle_record_global before; /* the last access at the point of order */
  struct cov_cache *cache;            /* NULL: the machine has none */
  struct cov_async async[ASYNCS_MOST];
  unsigned asyncs;
};

/* The word of a recent instruction, or NULL. */
static inline const struct word *word_of(const struct cov_collector *k, const struct cov_warp *w, uint32_t seq) {
  return w->ring_seq[seq % RING] == seq && w->ring[seq % RING] < k->words ? &k->word[w->ring[seq % RING]] : NULL;
}

/* ---- words.c ---- */
bool words_decode(struct cov_collector *k, const struct heddle_launch *l);
void words_count(struct cov_collector *k); /* hits become bins of form and code */
void numbers_count(struct cov_collector *k, const struct word *d, const struct stash *s);

/* ---- access.c ---- */
void access_shared(struct cov_collector *k, struct cov_warp *w, const struct heddle_record_shared *r);
void access_shared_end(struct cov_collector *k, struct cov_warp *w);
void access_global(struct cov_collector *k, const struct heddle_record_global *r);
void access_addresses(struct cov_collector *k, const struct word *d, const struct stash *s);
void copies_load(struct cov_collector *k, const struct word *d, const struct heddle_record_id *id, enum async_load how);
void copies_store(struct cov_collector *k, struct cov_warp *w, const struct word *d, const struct heddle_record_id *id);
void copies_issue(struct cov_collector *k, struct cov_warp *w, const struct word *d, bool executes);
void copies_fence(struct cov_collector *k, const struct cov_warp *w, const struct heddle_record_fence *r);
void edges_access(struct cov_collector *k, const struct word *d, const struct stash *s);
void edges_issue(struct cov_collector *k, const struct word *d);
void edges_trap(struct cov_collector *k, const struct heddle_record_trap *r);
void edges_relation(struct cov_collector *k, const struct word *d, const struct stash *s);

/* ---- cache.c; d: the word of the record's instruction, or NULL ---- */
bool l1_new(struct cov_collector *k);
void l1_free(struct cov_collector *k);
void l1_launch(struct cov_collector *k);
void l1_warp_starts(struct cov_collector *k, unsigned slot);
void l1_issue(struct cov_collector *k, unsigned slot);
void l1_merge(struct cov_collector *k, const struct word *d, const struct heddle_record_merge *r, uint64_t cycle);
void l1_fill(struct cov_collector *k, const struct heddle_record_fill *r);
void l1_hit(struct cov_collector *k, const struct word *d, const struct heddle_record_merge *r, uint64_t cycle);
void l1_drop(struct cov_collector *k, const struct word *d, const struct heddle_record_drop *r);
void l1_local_store(struct cov_collector *k, const struct heddle_record_global *r);
void l1_ack(struct cov_collector *k, const struct heddle_record_ack *r);
void l1_fence(struct cov_collector *k, const struct heddle_record_fence *r);

#endif
