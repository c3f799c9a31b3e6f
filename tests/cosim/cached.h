/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine with a cache, played by hand: a program on a model of its own, one step after another, each of them shown
 * to a checker. Values that a step shows come from its own model; numbers and moments are the test's. With several
 * SMs warp w is one of SM w / CACHED_WARPS, and line n one of bank n mod banks.
 */
#ifndef TESTS_COSIM_CACHED_H
#define TESTS_COSIM_CACHED_H

#include <heddle/checker.h>
#include "cosim/kit/conform/fake.h"

enum {
  CACHED_WARPS = 4,
  CACHED_SMS = 4,
  CACHED_ALL = CACHED_WARPS * CACHED_SMS,
  CACHED_OPEN = 32,
  CACHED_COPIES = 8192
};

/* An instruction with accesses, or a result, still to be shown. */
struct cached_insn {
  bool open;
  uint32_t seq, pc, exec, left, global, local, shared; /* lanes: to be performed; of them by memory */
  uint8_t kind, rd, rd_words, bytes, words_left;
  uint32_t local_left[4], data[32]; /* data: of a store to local memory */
  uint64_t addr[32];
  uint32_t copied; /* of an asynchronous copy: lanes that are still to be stored, */
  uint64_t to[32]; /* where */
  struct heddle_isa_word word;
  enum heddle_isa_op op;
};

struct cached {
  struct fake_program p;
  struct heddle_model *m, *judge;
  struct heddle_checker *c;
  uint64_t cycle;
  unsigned sms, banks; /* to be set before it begins; 0: 1 */
  unsigned on;         /* the SM with the cache that requests and evicts */
  uint8_t gen[CACHED_ALL];
  struct cached_insn insn[CACHED_ALL][CACHED_OPEN];
  struct {
    uint32_t seq, lanes;
    uint64_t addr[32];
  } global[CACHED_ALL][CACHED_OPEN]; /* accesses to global memory, by seq: what an acknowledgement is of */
  bool ended[CACHED_ALL];
  unsigned warps;                 /* of each block */
  uint64_t copied[CACHED_COPIES]; /* the sector of each copy of the machine's own model, + 1 */
  uint32_t number_of[CACHED_COPIES], sm_of[CACHED_COPIES];
  bool ok;      /* the checker has found nothing */
  bool pending; /* cached_issue: it waits for a register, and nothing has happened */
  struct heddle_effect fx;
  struct stream *shown; /* not NULL: all records are kept there, */
  bool later;           /* and judged elsewhere: there is no checker */
};

/* One block of `threads` in block slot 0, its warps in slots 0, 1, ...; it has started. */
void cached_begin(struct cached *x, const char *text, unsigned blocks, unsigned threads,
                  const struct heddle_checker_config *cfg);
/* The checker's configuration of the machine: it shows profile 0, or all but what is said to be hidden. */
struct heddle_checker_config cached_config(const struct heddle_checker_config *given);
void cached_free(struct cached *x);
void cached_block(struct cached *x, unsigned block, unsigned first_slot);
void cached_block_end(struct cached *x, unsigned block);
/* The same in block slot `bslot` of an SM; first: one of its warps, counted over all SMs. */
void cached_block_on(struct cached *x, unsigned block, unsigned bslot, unsigned first);
void cached_block_end_on(struct cached *x, unsigned sm, unsigned bslot);
bool cached_barrier_on(struct cached *x, unsigned sm, unsigned bslot, unsigned id);
struct heddle_model *cached_model(const struct cached *x); /* one more, as it was before the launch's first step */
void cached_show(struct cached *x, struct heddle_retire_record *r); /* as it is, in the next cycle */
struct heddle_record_id cached_id(const struct cached *x, unsigned warp, uint32_t seq);

/* The warp's next instruction; results of what does not access memory are written. Its place in x->insn, or NULL:
 * nothing of it is owed. */
struct cached_insn *cached_issue(struct cached *x, unsigned warp);
uint32_t cached_issue_to(struct cached *x, unsigned warp, unsigned n); /* n of them; the last one's seq */
struct cached_insn *cached_find(struct cached *x, unsigned warp, uint32_t seq);

/* Sectors of the instruction, all of a line where `sectors` is 15; those that it does not touch are left out. */
void cached_drop(struct cached *x, unsigned warp, uint32_t seq, uint64_t line, unsigned sectors);
void cached_global(struct cached *x, unsigned warp, uint32_t seq, uint64_t sector);
void cached_globals(struct cached *x, unsigned warp, uint32_t seq, uint64_t line); /* each sector of it */
void cached_ack(struct cached *x, unsigned warp, uint32_t seq, uint64_t line);
void cached_merge(struct cached *x, unsigned warp, uint32_t seq, uint64_t line, unsigned sectors, uint32_t number);
void cached_fill(struct cached *x, uint32_t number, uint64_t sector, bool local);
void cached_hit(struct cached *x, unsigned warp, uint32_t seq, uint64_t line, unsigned sectors, uint32_t number);
/* The same with a number for each sector, of local memory where `local` says so. */
void cached_hits(struct cached *x, unsigned warp, uint32_t seq, uint64_t line, unsigned sectors,
                 const uint32_t number[4], bool local);
void cached_merges(struct cached *x, unsigned warp, uint32_t seq, uint64_t line, unsigned sectors,
                   const uint32_t number[4], bool local);
void cached_give_up(struct cached *x, unsigned cause, uint64_t line, unsigned sectors, bool local); /* 5 to 7; 0: all */
void cached_fence(struct cached *x, unsigned warp, uint32_t seq, unsigned scope);
void cached_shared(struct cached *x, unsigned warp, uint32_t seq);
bool cached_barrier(struct cached *x, unsigned block, unsigned id);              /* false: it is not complete */
unsigned cached_sectors(const struct cached_insn *i, uint64_t line, bool local); /* that it still has in that line */
void cached_local_store(struct cached *x, unsigned warp, uint32_t seq, uint64_t sector); /* words of 32 bits */
/* The end: nothing more is owed, memory is equal. */
void cached_end(struct cached *x);
void cached_expect(struct cached *x, enum heddle_checker_kind want, const char *words); /* in its note; NULL: any */

#endif
