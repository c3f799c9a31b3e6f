/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the small machine with a cache (play.h). A copy carries the warps that may not join it any more (`closed`): of
 * a machine that keeps its promise none or all.
 */
#ifndef ORDER_PLAY_INTERNAL_H
#define ORDER_PLAY_INTERNAL_H

#include "tests/lab/verify/order/play.h"
#include "base/splitmix64.h"

enum { WARPS = 4, LINES = 4, SECTORS = 16, OPS = 26, INSNS = WARPS * (OPS + 1), FILLS = 512, FLYING = 5, LOCAL = 2 };
#define ALL 0xffffu

struct fill {
  unsigned line, asked, taken;
  bool come, local;
  unsigned slot, word;                   /* local */
  unsigned closed[4], ought[4], dropped; /* ought: these should not join; dropped: it is not kept */
  uint32_t words[4][8];
};

struct entry { /* of the cache, a sector each */
  bool valid;
  unsigned closed, ought;
  uint32_t number, words[8];
};

struct insn {
  unsigned slot;
  enum stage_op op;
  uint32_t seq, exec, open, owed, addr[32], data[32], got[32], waits[32];
  unsigned to_pass, passed, sectors[LINES], left[LINES], acked; /* by line */
  uint64_t at[LINES], issued;                                   /* cycle in which a line passed; it issued */
};

struct request {
  bool fill;
  unsigned who, sectors; /* number of the fill, or instruction */
};

struct machine {
  struct stage *st;
  uint64_t seed;
  enum play_fault fault;
  bool lazy;
  unsigned room, wrong;
  struct insn insn[INSNS];
  unsigned insns, ops[WARPS], at_bar[WARPS], fence[WARPS]; /* fence: 1 + instruction */
  bool exited[WARPS], ended[WARPS / 2];
  struct fill fill[FILLS];
  uint32_t next;
  struct entry entry[SECTORS];
  struct request queue[LINES][INSNS * 2];
  unsigned head[LINES], tail[LINES];
  uint32_t local[WARPS][LOCAL][8];
  bool there[WARPS][LOCAL]; /* in the cache */
};

static inline unsigned rnd(struct machine *m, unsigned n) {
  return (unsigned)(splitmix64(&m->seed) % n);
}

static inline bool faulty(struct machine *m, enum play_fault f) {
  return m->fault == f;
}

static inline bool stores(const struct insn *i) {
  return i->op == STAGE_STORE || i->op == STAGE_ATOMIC || i->op == STAGE_REDUCE;
}

/* ---- play_cache.c. Events: false where there is nothing to do ---- */
bool play_pass(struct machine *m);         /* an access of some warp passes */
bool play_memory(struct machine *m);       /* memory performs something of some line */
bool play_local_memory(struct machine *m); /* the same of local memory */
bool play_ack(struct machine *m);
bool play_come(struct machine *m);                                 /* a fill comes */
void play_shut_all(struct machine *m, unsigned warps, bool keeps); /* keeps: it ought to, and does not */
void play_spread(struct machine *m, unsigned block); /* a barrier shows each of a block what the others have written */

#endif
