/* SPDX-License-Identifier: Apache-2.0
 *
 * Two SMs of no RTL, each with an L1, before one memory. Random warps load, store, fence and meet at barriers. A judge
 * has for each byte the values that a read may give.
 */
#ifndef TESTS_COSIM_PORT_L1_RIG_H
#define TESTS_COSIM_PORT_L1_RIG_H

#include "cosim/port/l1_port.h"

#define RIG_SMS 2u
#define RIG_SLOTS 4u
#define RIG_WARPS (RIG_SMS * RIG_SLOTS)
#define RIG_TAGS 10u
#define RIG_ATOMS 3u
#define RIG_OPS 4u /* of a warp under way */
#define RIG_BEATS 100u
/* Lines by place: global ones, one that only refills read, one in error, two of local memory of each warp. */
#define RIG_GLOBALS 8u
#define RIG_FETCHED RIG_GLOBALS
#define RIG_BAD (RIG_GLOBALS + 1)
#define RIG_LOCAL (RIG_GLOBALS + 2)
#define RIG_LINES (RIG_LOCAL + 2 * RIG_WARPS)
#define RIG_BYTES (RIG_LINES * HEDDLE_LINE_PORT_LINE)
#define RIG_LINE 512u /* number of the first */

/* An access of a warp, in its program order. */
struct op {
  struct heddle_line_port_request r;
  unsigned place; /* of its line */
  uint64_t floor; /* what is overwritten before that position is too old */
  bool requested, performed, ended, err;
  unsigned dropped, acked;              /* how often that was reported */
  unsigned hit, merged;                 /* sectors for which it was reported */
  uint8_t store[HEDDLE_LINE_PORT_LINE]; /* what it writes */
  uint32_t store_strb[4];               /* by sector */
  uint64_t performed_at, ended_at;      /* positions */
  uint32_t number;                      /* of the last fill requested when it passed */
  uint32_t strb[4], written[4];         /* by sector: bytes, position */
  unsigned awaited;                     /* warp slots with a fence that waits for it */
  uint8_t got[HEDDLE_LINE_PORT_LINE];   /* beats */
  uint8_t was[HEDDLE_LINE_PORT_LINE];   /* what the record says of an atomic or strong load */
  uint64_t old[32];
  uint32_t answered;
};

struct warp {
  struct op op[RIG_OPS]; /* a ring */
  unsigned head, ops;
  uint32_t seq;
  enum { RUNS, WANTS_FENCE, WANTS_EMPTY, WANTS_BARRIER } state;
  unsigned fences;                       /* that it waits for */
  uint64_t seen_release, floor, release; /* positions */
};

struct sm {
  struct l1 *c;
  struct warp warp[RIG_SLOTS];
  struct op *by_tag[RIG_TAGS];
  unsigned credits, atoms;
  struct op *making;
  struct heddle_line_port_write beat[RIG_BEATS];
  unsigned beats, sent;
  uint32_t fetches;         /* tags */
  uint32_t number, emptied; /* of the last fill; and when everything was dropped */
  struct asked {
    uint32_t number;
    unsigned place, sectors; /* that have not come */
  } asked[64];               /* by number */
};

/* A write of a byte. */
struct version {
  uint32_t at; /* position; 0: before the launch */
  uint8_t value, warp;
  uint32_t seq;
  uint64_t release;
};

struct byte {
  struct version *v;
  unsigned count, room;
};

struct rig {
  struct heddle_line_port *p;
  struct sm sm[RIG_SMS];
  uint64_t rng, position, cycle;
  uint32_t values;
  struct byte byte[RIG_BYTES];
  uint32_t known[RIG_WARPS][RIG_BYTES], seen[RIG_WARPS][RIG_BYTES]; /* positions */
  uint8_t shadow[RIG_BYTES];
  unsigned bits, loads; /* of a beat; per cent of accesses */
  bool draining;
  char wrong[320]; /* the first thing that was; empty: nothing */
  uint64_t judged; /* bytes */
  struct l1_stats stats;
};

/* One run: seed chooses traffic, sizes and the manner of memory; `bug` of the caches, 0 none. */
struct rig *rig_new(uint64_t seed, unsigned bug);
void rig_run(struct rig *g, unsigned launches, unsigned cycles);
void rig_free(struct rig *g);

/* l1_rig.c */
unsigned rig_draw(struct rig *g, unsigned below);
void rig_fail(struct rig *g, const char *fmt, ...) __attribute__((format(printf, 2, 3))); /* the first is kept */
static inline struct op *warp_op(struct warp *w, unsigned i) {                            /* i-th of those under way */
  return &w->op[(w->head + i) % RIG_OPS];
}
static inline unsigned warp_number(unsigned sm, unsigned slot) {
  return sm * RIG_SLOTS + slot;
}

/* l1_rig.c: what an SM drives */
void rig_drive(struct rig *g, unsigned n, struct heddle_line_port_in *in);

/* l1_judge.c: what comes back */
void rig_records(struct rig *g);
void rig_events(struct rig *g, unsigned n);
void rig_beat(struct rig *g, unsigned n, const struct heddle_line_port_read *b);
void rig_answer(struct rig *g, unsigned n, const struct heddle_line_port_answer *a);
void rig_fence(struct rig *g, unsigned n, unsigned slot, enum l1_scope scope);
void rig_meet(struct rig *g, unsigned n); /* a barrier lets go */
void rig_forget(struct rig *g);           /* a launch: memory is as it is */

#endif
