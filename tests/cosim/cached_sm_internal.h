/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside cached_sm.c, cached_l1.c and cached_several.c only: what the SM consists of.
 */
#ifndef TESTS_COSIM_CACHED_SM_INTERNAL_H
#define TESTS_COSIM_CACHED_SM_INTERNAL_H

#include "tests/cosim/cached_sm.h"

enum { ROOM = 12, REQUESTS = 8, OPS = 256, WAITERS = 64, QUEUE = 16, LINES = 3, LENGTH = 40 };

struct place { /* of the cache */
  bool valid, local;
  uint64_t sector;
  uint32_t number;
};

struct waiter {
  unsigned warp;
  uint32_t seq;
  unsigned sectors;
};

struct request {
  bool used, local;
  uint64_t line;
  uint32_t number;
  unsigned asked, closed; /* sectors; closed: no load joins */
  unsigned waiters;
  struct waiter waiter[WAITERS];
};

enum op_kind { OP_FILL, OP_ANSWER, OP_ACCESS, OP_LOCAL_STORE, OP_ACK };

/* Under way, in the order in which it set out; `left` sectors are to be performed. */
struct op {
  enum op_kind kind;
  unsigned request, warp, left;
  uint32_t seq;
  uint64_t line, pass;
  bool writes, local;
};

struct sm_warp {
  unsigned queued;
  uint32_t queue[QUEUE], passed[QUEUE]; /* memory instructions that have not wholly passed, the oldest first; lanes */
  bool fence, waits, fence_asks;
  uint8_t scope;
  uint32_t fence_seq;
  uint64_t fence_pass;
};

struct sm {
  struct cached *x;   /* what all SMs share: the program, memory, what is shown */
  unsigned at, first; /* which SM it is; its first warp: warps are counted over all SMs */
  uint64_t rng;
  enum sm_fault fault;
  bool tells;  /* what a fence empties is shown by a drop: it promises nothing */
  bool silent; /* a fence empties nothing, and no record says so */
  struct place place[ROOM];
  struct request request[REQUESTS];
  struct op op[OPS];
  unsigned ops, warps;
  uint64_t pass;
  uint32_t number;
  struct sm_warp warp[CACHED_ALL];
  struct sm_outcome *out;
};

/* A program, drawn; `sharing`: with more of what orders the threads of different SMs. */
char *sm_program(struct sm *m, bool sharing);
void sm_step(struct sm *m);       /* one of its warps, its cache or its memory does something, if it can */
bool sm_over(const struct sm *m); /* its block may end */

unsigned sm_draw(struct sm *m, unsigned below);
bool sm_wrong(struct sm *m, enum sm_fault f, unsigned one_in); /* is the thing to be done now? */
void sm_pass(struct sm *m, unsigned warp); /* a line of the warp's oldest access passes, if it can */
void sm_memory(struct sm *m);              /* something under way goes on, if it may */

#endif
