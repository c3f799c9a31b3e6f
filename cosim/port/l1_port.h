/* SPDX-License-Identifier: Apache-2.0
 *
 * A first-level data cache in C, between the request channel of one SM and a line_port, transparent to both. Its
 * promises are in docs/visibility.md; more than forty switchable bugs break them, one at a time, so that judges of
 * caches can be tested without RTL.
 *
 * All outputs are registered. In each cycle:
 *
 *   struct l1_options o;
 *   heddle_l1_usual(&o, 256, 64, 8);                      // beats of 256 bits, an SM of 64 tags, credits for 8 atomics
 *   struct l1 *c = heddle_l1_new(&o);
 *   for (;;) {
 *     drive(sm, heddle_l1_show(c));                       // credits, beats, answers of this cycle
 *     const struct l1_event *e;
 *     for (unsigned i = 0, n = heddle_l1_events(c, &e); i < n; i++) judge(&e[i]);
 *     struct heddle_line_port_in in = sample(sm);
 *     heddle_l1_offer(c, &in);
 *     heddle_l1_hear(c, heddle_line_port_show(p, 0));     // memory's outputs of this cycle
 *     heddle_line_port_offer(p, 0, heddle_l1_ask(c));     // its inputs
 *     heddle_l1_clock(c);
 *     heddle_line_port_clock(p);
 *     if (heddle_l1_error(c) != NULL) stop(heddle_l1_error(c));
 *   }
 *
 * The memory has heddle_l1_tags(&o) tags for this SM; loads that are looked up become fills there
 * (HEDDLE_LINE_PORT_FILL). Records of fills, stores, atomics and strong loads are the memory's
 * (heddle_line_port_records), and precede the events of their cycle.
 *
 * Weak and CTA loads are looked up, others pass by. Lines of 128 bytes in four sectors; a miss requests only the wanted
 * sectors, under one number. A global store drops its sectors. A store to local memory writes through to a valid
 * sector, and allocates those that it writes whole. Atomics and loads of scope GPU and SYS drop theirs. An epoch
 * invalidates all: copies of older epochs are invalid, and the array is walked only when all epochs have been used. One
 * request passes in a cycle, in the order of the channel; a waiting one holds back the rest.
 *
 * The channel has no request for a fence: heddle_l1_fence reports one in the cycle of its issue. Until
 * heddle_l1_fenced, no request of that warp passes.
 */
#ifndef HEDDLE_L1_PORT_H
#define HEDDLE_L1_PORT_H

#include <heddle/line_port.h>

#ifdef __cplusplus
extern "C" {
#endif

#define L1_MAX_MSHRS 64u
#define L1_MAX_SLOTS 64u /* warp slots of an SM */

struct l1_options {
  unsigned bits;        /* of a beat, as heddle_line_port_options has it */
  unsigned sm;          /* number of the SM */
  unsigned tags, atoms; /* of the SM's channel; with the fills' no more than HEDDLE_LINE_PORT_MAX_TAGS */
  uint32_t bytes;       /* of data: a power of two from 128 * ways, to 1 MiB */
  unsigned ways;        /* 1 .. 64, a power of two */
  unsigned mshrs;       /* fills under way, 1 .. L1_MAX_MSHRS */
  unsigned epoch_bits;  /* 1 .. 16 */
  unsigned bug;         /* number of heddle_l1_bug_name; 0: none */
};

/* 16 KiB of 4 ways, 8 fills, epochs of 4 bits; no bug. */
HEDDLE_API void heddle_l1_usual(struct l1_options *o, unsigned bits, unsigned tags, unsigned atoms);
/* "BYTES[,ways=N][,mshrs=N][,epoch=N][,bug=NAME]" into `o`; its other numbers stay. False: err has the cause. */
HEDDLE_API bool heddle_l1_parse(struct l1_options *o, const char *text, char *err, size_t err_bytes);
/* Tags that the memory must have for this SM: first the SM's own, then one of each fill. */
HEDDLE_API unsigned heddle_l1_tags(const struct l1_options *o);

/* Bugs by number, from 1: a name, and what they do in a line. NULL: there is none of this number. */
HEDDLE_API const char *heddle_l1_bug_name(unsigned bug);
HEDDLE_API const char *heddle_l1_bug_meaning(unsigned bug);
HEDDLE_API unsigned heddle_l1_bug_find(const char *name); /* 0: none has that name */

/* ---- what the cache shows: records 33 to 37 of the retire port --------------------------------- */

/* In the order in which they follow each other in a cycle. */
enum l1_event_kind { L1_ACK, L1_DROP, L1_MERGE, L1_HIT, L1_FENCE };
/* Causes of a drop. */
enum l1_cause { L1_STORE, L1_ATOMIC, L1_STRONG, L1_BY_FENCE, L1_IVALL, L1_LAUNCH, L1_REPLACED, L1_ERROR };
/* Kinds of a fence: CTA, GPU and SYS, an invalidation without waiting. */
enum l1_scope { L1_CTA, L1_GPU, L1_EMPTY };

struct l1_event {
  uint8_t kind;
  uint8_t slot, gen; /* warp; 0 for a drop with cause L1_LAUNCH and later ones */
  uint32_t seq;
  uint64_t line;      /* byte address / 128; of local memory warp slot 2^18 + word */
  bool is_local;      /* which of the two */
  uint32_t lanes;     /* hit, merge; drop: of the access that passes */
  uint8_t sectors;    /* hit, merge: those with a number; drop: dropped ones */
  uint32_t number[4]; /* hit, merge: of the fill of sector s; hit: 0 of what a store has filled */
  bool all;           /* drop: everything; line and sectors are 0 */
  uint8_t cause;      /* drop */
  uint8_t scope;      /* fence */
};

/* ---- the cache ---------------------------------------------------------------------------------- */

struct l1;
HEDDLE_API struct l1 *heddle_l1_new(const struct l1_options *o); /* NULL: no memory, or a number out of range */
HEDDLE_API void heddle_l1_free(struct l1 *c);
/* The SM is in reset: requests under way are dropped, the cache is empty, fills count from 1. With its first
 * request, or fence, a drop of everything is shown. For as many cycles as the reset lasts, instead of
 * heddle_l1_clock; so for the memory. */
HEDDLE_API void heddle_l1_reset(struct l1 *c);

HEDDLE_API const struct heddle_line_port_out *heddle_l1_show(const struct l1 *c); /* to the SM */
HEDDLE_API const struct heddle_line_port_in *heddle_l1_ask(const struct l1 *c);   /* to the memory */
HEDDLE_API void heddle_l1_offer(struct l1 *c, const struct heddle_line_port_in *in);
HEDDLE_API void heddle_l1_hear(struct l1 *c, const struct heddle_line_port_out *out);
HEDDLE_API void heddle_l1_clock(struct l1 *c);

/* A fence of this warp issues in the present cycle. False: there is no such warp. If one of it is under way, this
 * one counts for both, as no channel stops the warp: its end is reported when both are done. L1_GPU waits for the
 * acknowledgement of every store and atomic that has passed up to now, then invalidates all; L1_EMPTY invalidates
 * all; L1_CTA does neither. */
HEDDLE_API bool heddle_l1_fence(struct l1 *c, uint8_t slot, uint8_t gen, uint32_t seq, enum l1_scope scope);
HEDDLE_API bool heddle_l1_fenced(const struct l1 *c, uint8_t slot); /* none is under way */

/* Events of the present cycle, in the order of their kinds. */
HEDDLE_API unsigned heddle_l1_events(const struct l1 *c, const struct l1_event **first);
HEDDLE_API bool heddle_l1_idle(const struct l1 *c); /* no request, no fill, no fence */
/* A rule that the SM broke, or that nothing has moved for 100,000 cycles, with the waiting requests; or NULL. */
HEDDLE_API const char *heddle_l1_error(const struct l1 *c);

struct l1_stats {
  uint64_t loads, hits;   /* looked up, and of those, all sectors were there */
  uint64_t joined, fills; /* loads that waited for earlier requests; requests for sectors */
  uint64_t stores, atomics, strong;
  uint64_t overtaken; /* sectors under way that were closed */
  uint64_t replaced, emptied, walks, fences;
};
HEDDLE_API const struct l1_stats *heddle_l1_statistics(const struct l1 *c);

#ifdef __cplusplus
}
#endif

#endif
