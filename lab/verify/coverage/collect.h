/* SPDX-License-Identifier: Apache-2.0
 *
 * Between the parts of the collector. */
#ifndef HEDDLE_COV_COLLECT_H
#define HEDDLE_COV_COLLECT_H

#include <heddle/hazard.h>
#include "lab/verify/coverage/internal.h"

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
  unsigned sm; /* whose records are looked at */
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

/* ---- flow.c ---- */
void flow_issue(struct cov_collector *k, const struct heddle_model *m, struct cov_warp *w, const struct word *d,
                const struct heddle_record_issue *r);
void flow_barrier(struct cov_collector *k, const struct heddle_record_barrier *r);

/* ---- room.c ---- */
void room_begin(struct cov_collector *k, const struct heddle_record_block_start *r);
void room_end(struct cov_collector *k, const struct heddle_record_block_end *r);

/* ---- access.c ---- */
void access_shared(struct cov_collector *k, struct cov_warp *w, const struct heddle_record_shared *r);
void access_shared_end(struct cov_collector *k, struct cov_warp *w);
void access_global(struct cov_collector *k, const struct heddle_record_global *r);
void access_addresses(struct cov_collector *k, const struct word *d, const struct stash *s);

/* ---- cache.c; d: the word of the record's instruction, or NULL ---- */
bool l1_new(struct cov_collector *k);
void l1_free(struct cov_collector *k);
void l1_launch(struct cov_collector *k);
void l1_warp_starts(struct cov_collector *k, unsigned slot);
void l1_issue(struct cov_collector *k, unsigned slot);
void l1_flush(struct cov_collector *k); /* the load that passed last has passed */
void l1_merge(struct cov_collector *k, const struct word *d, const struct heddle_record_merge *r, uint64_t cycle);
void l1_fill(struct cov_collector *k, const struct heddle_record_fill *r);
void l1_hit(struct cov_collector *k, const struct word *d, const struct heddle_record_merge *r, uint64_t cycle);
void l1_drop(struct cov_collector *k, const struct word *d, const struct heddle_record_drop *r);
void l1_local_store(struct cov_collector *k, const struct heddle_record_global *r);
void l1_ack(struct cov_collector *k, const struct heddle_record_ack *r);
void l1_fence(struct cov_collector *k, const struct heddle_record_fence *r);

/* ---- async.c ---- */
void copies_load(struct cov_collector *k, const struct word *d, const struct heddle_record_id *id, enum async_load how);
void copies_store(struct cov_collector *k, struct cov_warp *w, const struct word *d, const struct heddle_record_id *id);
void copies_issue(struct cov_collector *k, struct cov_warp *w, const struct word *d, bool executes);
void copies_fence(struct cov_collector *k, const struct cov_warp *w, const struct heddle_record_fence *r);

/* ---- edges.c ---- */
void edges_access(struct cov_collector *k, const struct word *d, const struct stash *s);
void edges_issue(struct cov_collector *k, const struct word *d);
void edges_trap(struct cov_collector *k, const struct heddle_record_trap *r);
void edges_relation(struct cov_collector *k, const struct word *d, const struct stash *s);

/* ---- numbers.c ---- */
void numbers_count(struct cov_collector *k, const struct word *d, const struct stash *s);

#endif
