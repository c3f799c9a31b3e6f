/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside order/ only. A *moment* is the place of a record in the trace. Every rule is an edge "must come before"; it
 * holds if the moments of both ends say so. If all hold, the moments are one order of everything that obeys all rules.
 */
#ifndef ORDER_INTERNAL_H
#define ORDER_INTERNAL_H

#include "base/map.h"
#include "lab/verify/oracle/order/action.h"
#include <heddle/trace.h>
#include "lab/verify/oracle/order/order.h"

#define LANES 32u
#define BARRIERS 16u
#define COUNTERS 6u
#define PLACE_BYTES HEDDLE_RECORD_SECTOR /* of a location: a sector, or as much of shared or local memory */
#define OPERANDS ACTION_OPERANDS
#define NOBODY UINT32_MAX

/* State of an instruction in a cache (cache.h). */
struct insn_cache {
  uint32_t
      knows[HEDDLE_RECORD_WARPS]; /* stores of each slot that come before it in causality order: those before seq */
  uint32_t floor[HEDDLE_CHECKER_BANKS_MAX]; /* of its warp as it issued, by bank */
  uint32_t passed;                          /* lanes that have passed at all; loads: that have merged */
  uint32_t by;                              /* of those, lanes that go past the cache to the point of order */
  uint32_t copied;                          /* lanes that have read through a copy */
  uint32_t waits[4][LANES];                 /* number of the fill that word k waits for; 0: none */
  uint64_t record[LANES];                   /* in which the lane passed */
  uint16_t unknown[LANES];                  /* bytes of got[] that none has written */
  uint32_t before_write[LANES];             /* it comes before that access, which depends on it; NOBODY */
  uint32_t before_read[LANES];              /* a younger load of its lane has read what that access replaced; NOBODY */
};

/* One memory instruction, or one BAR.RED, that still owes something. */
struct insn {
  uint32_t seq, pc, exec;
  struct heddle_isa_word word;
  struct action a;
  bool reduction; /* BAR.RED: no access; its result is known when the barrier lets go */
  uint32_t known[OPERANDS], operand[OPERANDS][LANES];
  uint32_t writer[OPERANDS][LANES]; /* issue.c: seq + 1 of its writer, 0: none */
  uint32_t placed;                  /* lanes with a known address */
  uint64_t addr[LANES];
  uint8_t space[LANES];      /* enum heddle_isa_space of each lane: generic instructions choose */
  uint32_t open[4];          /* lanes that have not performed word k; word 0 alone but for local memory */
  uint32_t owed[4];          /* lanes that word k of the result has not been written in */
  uint32_t owed_pd, pd;      /* BAR.RED: the same of its predicate; value of those that count */
  uint8_t got[LANES][16];    /* bytes that were read */
  uint32_t value[4][LANES];  /* matrices, BAR.RED: the result */
  uint32_t begun;            /* lanes of which something has been performed */
  uint32_t to_store;         /* LDGSTS: lanes that have not been stored; open[0]: that have not been loaded */
  uint32_t groups[COUNTERS]; /* ... and how many younger LDGDEPBAR have raised each counter */
  struct insn *next;
  struct insn_cache cache; /* the last: cleared only where there is one */
};

/* A warp that ever lived: for names in reports. */
struct life {
  uint8_t sm, slot, gen, index;
  uint32_t ctaid[3], block; /* block: its number */
};

/* MEMBAR, BAR, CCTL.IVALL, and when it took effect. */
struct fence {
  uint32_t seq, pc;
  struct heddle_isa_word word;
  uint64_t cycle;
};

struct warp {
  bool expected, live; /* its block has started; it has started */
  uint8_t gen, bslot, index;
  uint32_t life; /* index of its struct life */
  uint32_t next_seq, present, exited;
  struct insn *first, *last; /* ascending */
  bool waiting, trapped;
  uint32_t trap_seq;
  struct fence fence; /* the latest */
  uint8_t bar;
  uint32_t last_shared, youngest; /* accesses: of the highest seq in shared memory, of all; NOBODY */
};

struct meeting { /* a named barrier */
  uint64_t came, waits;
  uint32_t count;         /* warps, 0: all that live */
  uint32_t votes, voters; /* BAR.RED: lanes with a true predicate, lanes in all */
};

struct block {
  bool live;
  uint64_t warps;
  uint32_t ctaid[3], shared_base, number;
  struct meeting bar[BARRIERS];
};

/* An access that has been performed: an event of the relations. */
struct access {
  uint32_t location, life, seq, pc, lanes;
  uint32_t before; /* the write before it at the location, NOBODY */
  uint32_t strobe; /* bytes written */
  uint32_t event;  /* of a list, NOBODY: of a trace */
  struct heddle_isa_word word;
  uint64_t cycle;
  uint8_t data[PLACE_BYTES]; /* what a write left */
};

struct location {
  uint8_t space;
  uint32_t owner; /* shared: number of the block; local: life of the warp */
  uint64_t at;    /* first byte / 32; of local memory word * 4 + lane / 8 */
  uint8_t bytes[PLACE_BYTES], initial[PLACE_BYTES];
  uint32_t known; /* bytes that a store or the host has written */
  uint32_t write; /* the latest, NOBODY */
  uint16_t bank;  /* that shows it, + 1; 0: none has */
  uint64_t stamp; /* of its latest record */
};

struct list;
struct registers;
struct cache;

struct order {
  const struct order_options *o;
  const struct list *list; /* NULL: the events are a trace's */
  struct list_out *out;    /* where a trace goes on as a list; NULL: nowhere */
  const char *path;
  FILE *from; /* a list that is open already; NULL: it is at path */
  struct order_result *r;
  struct heddle_trace_reader *t;
  const struct heddle_trace_header *h;
  const struct heddle_launch *launch;
  uint64_t base, bytes, most;
  uint8_t *initial; /* memory before the launch */
  uint64_t cycle;
  unsigned sms;        /* that the trace shows */
  struct warp *warp;   /* slot s of the k-th at HEDDLE_RECORD_WARPS k + s; */
  struct block *block; /* likewise */
  uint8_t *gen;        /* of the latest warp of a slot, where no record says it */
  uint32_t blocks;
  struct cache *cache;         /* cache.h; NULL: the core has none */
  struct registers *registers; /* of each warp slot; NULL: records show operands */
  struct life *life;
  size_t lives, lives_room;
  struct access *access;
  size_t accesses, accesses_room;
  struct location *location;
  size_t locations, locations_room;
  struct map places, newest; /* (space and owner, at) -> location; (location, thread) -> access of the highest seq */
  struct insn *spare;
  unsigned flying;
  bool trapped;
  uint8_t cause;
};

/* The part of a record at one location. */
struct part {
  struct location *loc;
  uint32_t lanes;
  uint8_t at[LANES]; /* first byte of each lane */
  uint8_t bytes;     /* of each lane here */
  uint8_t word;      /* first word of the access */
  const uint8_t *rdata, *wdata;
  uint32_t strobe;
};

/* The read of one event at one location. */
struct reading {
  struct location *loc;
  unsigned at, bytes; /* in the location */
  const uint8_t *saw; /* as loc->bytes */
  enum order_axiom axiom;
  const void *who;
  /* A step of the report, and the reader's name. */
  void (*say)(struct order *o, const struct reading *r, const char *then, char *name, size_t bytes);
};

/* Which of the trace's SMs a number is, from 0; as many as there are: none. */
static inline unsigned order_sm(const struct order *o, unsigned number) {
  return number - o->h->sm < o->sms ? number - o->h->sm : o->sms;
}
static inline unsigned order_sm_of(const struct order *o, const struct warp *w) {
  return (unsigned)(w - o->warp) / HEDDLE_RECORD_WARPS;
}
static inline unsigned order_slot_of(const struct order *o, const struct warp *w) {
  return (unsigned)(w - o->warp) % HEDDLE_RECORD_WARPS;
}
/* The warps of its SM, by slot; its block. */
static inline struct warp *order_peers(const struct order *o, const struct warp *w) {
  return o->warp + (size_t)order_sm_of(o, w) * HEDDLE_RECORD_WARPS;
}
static inline struct block *order_block_of(const struct order *o, const struct warp *w) {
  return o->block + (size_t)order_sm_of(o, w) * HEDDLE_RECORD_WARPS + w->bslot;
}

/* The result of BAR.RED is made of the source predicates of all that come. */
static inline bool order_votes_shown(const struct order *o) {
  return heddle_record_shows_field(o->h->hidden, HEDDLE_RECORD_OPTION_ISSUE_PS);
}

static inline uint32_t order_mask(unsigned at, unsigned bytes) {
  return (bytes >= 32 ? ~0u : (1u << bytes) - 1) << at;
}

/* ---- order.c. All return false, so that "return order_broken(...)" stops ---- */
bool order_broken(struct order *o, enum order_axiom a, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool order_too_much(struct order *o, const char *what);
/* A step of the cycle: an event, and why it is before the next one. */
void order_step_text(struct order *o, const char *then, const char *format, ...) __attribute__((format(printf, 3, 4)));
void order_step_access(struct order *o, const struct access *a, const char *then);
void order_step_insn(struct order *o, const struct warp *w, const struct insn *i, uint32_t lanes, const char *then);
void order_step_fence(struct order *o, const struct warp *w, const struct fence *f, const char *then);
void order_location_text(const struct order *o, const struct location *l, unsigned byte, char *buf, size_t bytes);

/* ---- warps.c: live warps, instructions under way ---- */
struct warp *order_warp_of(struct order *o, const struct heddle_record_id *id); /* NULL: broken */
struct insn *order_insn_find(struct warp *w, uint32_t seq);
bool order_insn_closed(const struct insn *i);
void order_insn_drop(struct order *o, struct warp *w, struct insn *i);
struct insn *order_insn_new(struct order *o, struct warp *w);
bool order_on_block_start(struct order *o, const struct heddle_record_block_start *r);
bool order_on_warp_start(struct order *o, const struct heddle_record_warp_start *r);
bool order_on_block_end(struct order *o, const struct heddle_record_block_end *r);
bool order_on_trap(struct order *o, const struct heddle_record_trap *r);
bool order_warps_new(struct order *o); /* of o->h */
void order_warps_clear(struct order *o);
bool order_warps_end(struct order *o);

/* ---- issue.c: instructions, operands, results ---- */
/* Its operands in these lanes are known, or have changed before use; so is its address, where that is whole. */
bool order_on_issue(struct order *o, const struct heddle_record_issue *r);
bool order_on_operands(struct order *o, const struct heddle_record_operands *r);
bool order_on_write(struct order *o, const struct heddle_record_write *r);
bool order_on_predicate(struct order *o, const struct heddle_record_predicate *r);

/* ---- issue.c: operands of a trace that shows none; does nothing where one shows them ---- */
bool order_registers_new(struct order *o);
void order_registers_clear(struct order *o, const struct warp *w); /* another warp takes the slot */

/* ---- perform.c: asynchronous copies (isa/doc/14-asynchronous-copies.md) ---- */
/* An instruction issues: copies that it waits for are stored. Then: it closes a group. */
bool order_copies_awaited(struct order *o, const struct warp *w, const struct heddle_record_issue *r,
                          const struct heddle_isa_dec *d);
void order_copies_closed(struct warp *w, const struct heddle_isa_dec *d);
/* A part of a copy: what is older in its warp, and no copy, has been performed there. */
bool order_copies_older(struct order *o, const struct warp *w, const struct insn *i, const struct part *p);
/* Lanes that still owe something to a fence of that scope. */
uint32_t order_copies_left(const struct insn *i, enum heddle_record_scope scope);

/* ---- warps.c ---- */
bool order_barrier_arrive(struct order *o, struct warp *w, const struct heddle_record_issue *r,
                          const struct heddle_isa_dec *d);
bool order_on_barrier(struct order *o, const struct heddle_record_barrier *r);
bool order_warp_ended(const struct warp *w);

/* ---- perform.c: from records to parts; place.c: the axioms of one part ---- */
bool order_on_global(struct order *o, const struct heddle_record_global *r);
bool order_on_shared(struct order *o, const struct heddle_record_shared *r);
bool order_part_perform(struct order *o, struct warp *w, struct insn *i, const struct part *p);
/* A load through a cache reads rdata: whether it may read that is judged elsewhere. */
bool order_part_hit(struct order *o, struct warp *w, struct insn *i, const struct part *p);
/* perform.c, for records of a cache, too. */
struct insn *order_due(struct order *o, struct warp *w, const struct heddle_record_id *id, unsigned access,
                       uint32_t lanes);
bool order_still_open(struct order *o, const struct warp *w, const struct insn *i, uint32_t lanes, unsigned word);
bool order_elsewhere(struct order *o, const struct warp *w, const struct insn *i, unsigned lane, const char *where);
uint32_t order_lanes_at(const struct insn *i, uint32_t lanes, uint8_t space, uint64_t at);
bool order_stamped(struct order *o, struct location *l, uint64_t sector, uint64_t stamp, unsigned bank);

/* ---- place.c: what a location holds ---- */
/* NULL: no memory. Valid until the next call. */
struct location *order_location_at(struct order *o, uint8_t space, uint32_t owner, uint64_t at);
/* A copy of the access joins those that have been performed. NULL: too many. */
struct access *order_note(struct order *o, const struct access *a);
/* It leaves bytes there: the next of the location's writes. */
void order_leaves(struct order *o, struct access *a, struct location *l, const uint8_t *bytes, uint32_t mask);
/* Does it read what is there? Bytes that none has written fit anything. */
bool order_fits(const struct reading *r);
bool order_read(struct order *o, const struct reading *r); /* broken if it does not fit */

/* ---- list_judge.c ---- */
bool order_list(struct order *o); /* o->path is a list */

#endif
