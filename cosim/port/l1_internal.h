/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the cache only: requests of its SM, fills, the array, fences.
 */
#ifndef L1_INTERNAL_H
#define L1_INTERNAL_H

#include "cosim/port/l1_port.h"
#include "cosim/port/internal.h"
#include "cosim/port/l1_bugs.h"

#define SECTORS HEDDLE_LINE_PORT_SECTORS
#define L1_FENCES L1_MAX_SLOTS /* under way: of a warp the last one stands for all */
#define L1_EVENTS 16u          /* of a cycle */
#define L1_STILL 100000u       /* cycles in which nothing moves, of something that is not idle */

/* A line by name: of global memory its number, of local memory warp slot 2^18 + word. */
struct name {
  uint64_t key;
  bool is_local;
};

enum where {
  FREE,
  QUEUED, /* before its pass */
  WAITS,  /* a load, for fills */
  AWAY,   /* on its way to memory, or there */
  READY   /* answers go to the SM */
};

/* A request of the SM, by its tag. */
struct access {
  enum where where;
  struct heddle_line_port_request r;
  struct gathered w;
  struct name name;
  uint64_t order;         /* of its pass */
  uint8_t missing, on[4]; /* sectors that have not come, and which fill brings each of them */
  unsigned waits;         /* for so many fills */
  bool sent, acked, err;  /* memory has the request; fences have counted it; answered with an error */
  uint64_t sent_at;       /* cycle */
  uint8_t data[HEDDLE_LINE_PORT_LINE];
  uint32_t beats_left, lanes_left; /* READY: still to be sent */
  uint64_t last_beat, old[LANES];
};

/* Sectors of a line that were requested from memory. */
struct fill {
  bool used, came, err;
  struct name name;
  struct heddle_line_port_request r;
  uint8_t join, keep; /* sectors that a miss may join, that the array will keep */
  unsigned last_beat; /* that came */
  unsigned way;       /* where the array has it */
  uint8_t data[HEDDLE_LINE_PORT_LINE];
};

struct way {
  struct name name;
  uint32_t epoch;
  uint8_t valid;
  uint32_t number[4]; /* of the fill of each sector; 0: a store's */
  uint64_t used;      /* for the last time */
  uint8_t data[HEDDLE_LINE_PORT_LINE];
};

struct fence {
  uint8_t slot, gen;
  uint32_t seq;
  enum l1_scope scope, told; /* what it does; what the last of its warp is */
  unsigned left;             /* acknowledgements that it waits for */
  uint64_t upto, since;      /* passes before it; the cycle of its issue */
};

/* Requests on their way to memory, in this order. */
struct item {
  bool is_fill;
  uint16_t index; /* tag, or fill */
};

/* Tags in the order of their coming. */
struct tags {
  uint16_t *item;
  unsigned count;
};

struct l1 {
  struct l1_options o;
  unsigned bytes, beats, sets; /* bytes of a beat, beats of a line */
  uint64_t cycle, passed, moved, clock_of_use;
  /* from and to the SM */
  struct heddle_line_port_in in;
  struct heddle_line_port_out out;
  struct gathered gathered;
  unsigned room, room_atoms; /* credits that it can be given */
  struct access *access;     /* by tag */
  struct tags queue, answers;
  /* from and to memory */
  struct heddle_line_port_out heard;
  struct heddle_line_port_in ask;
  unsigned credits, atoms;
  struct item *leaving;
  unsigned leaves, beat; /* of what leaves first: which beat is next */
  bool leaves_now;       /* it has begun */
  /* the array, fills, fences */
  struct way *ways;
  uint32_t epoch, number;
  struct fill fill[L1_MAX_MSHRS];
  struct fence *fence;
  unsigned fences;
  int ended;     /* warp slot with a fence that has ended in this cycle, or -1 */
  bool fresh;    /* nothing has happened since the reset */
  unsigned busy; /* accesses that are not FREE, and fills */
  struct l1_event event[L1_EVENTS];
  unsigned events;
  struct l1_stats stats;
  char error[512];
};

static inline bool bug(const struct l1 *c, enum l1_bug b) {
  return c->o.bug == (unsigned)b;
}

static inline bool same_name(struct name a, struct name b) {
  return a.key == b.key && a.is_local == b.is_local;
}

static inline bool writes(const struct access *e) {
  return e->r.kind == HEDDLE_LINE_PORT_STORE || e->r.kind == HEDDLE_LINE_PORT_ATOM;
}

/* Lanes of a request in some of its sectors. */
static inline uint32_t lanes_in(const struct heddle_line_port_request *r, unsigned sectors) {
  uint32_t lanes = 0;
  for (unsigned l = 0; l < LANES; l++)
    if ((r->lanes >> l & 1u) != 0 && (sectors >> r->at[l] & 1u) != 0) lanes |= 1u << l;
  return lanes;
}

/* l1.c */
struct l1_event *l1_event(struct l1 *c, enum l1_event_kind kind, const struct access *who); /* in its place */

/* l1_pass.c: the first of the queue passes, if it can */
void l1_pass(struct l1 *c);

/* l1_pass.c */
void l1_array_drop(struct l1 *c, struct name n, unsigned sectors);
/* Sectors of a line become valid, the numbers of their fill with them; in the set of another line if `beside`. */
unsigned l1_keep(struct l1 *c, struct name n, unsigned sectors, const uint8_t *data, uint32_t number, bool beside);
void l1_empty(struct l1 *c);

/* l1_memory.c */
int l1_fill_free(const struct l1 *c); /* a place for one more, or -1 */
void l1_fill_begin(struct l1 *c, unsigned i, const struct access *e, unsigned sectors);
void l1_serve(struct l1 *c); /* one of those that wait */

/* l1_memory.c: what leaves for memory and what comes back */
void l1_leave(struct l1 *c, bool is_fill, unsigned index);
void l1_listen(struct l1 *c);
void l1_send(struct l1 *c);

/* l1_pass.c */
void l1_acknowledge(struct l1 *c, struct access *e);
void l1_fences(struct l1 *c);

/* l1.c */
void l1_ready(struct l1 *c, struct access *e);

#endif
