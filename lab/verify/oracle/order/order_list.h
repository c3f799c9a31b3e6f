/* SPDX-License-Identifier: Apache-2.0
 *
 * A neutral list of accesses (docs/order-list.md): its events, and the graph of what must come before what.
 */
#ifndef ORDER_LIST_H
#define ORDER_LIST_H

#include <stdio.h>
#include "lab/verify/oracle/order/internal.h"

#define LIST_FIRST_WORD "heddle-order-list"
#define LIST_VERSION 1u
#define LIST_BYTES 32u         /* most of one access: it is in one sector */
#define LIST_INFERRED 8192u    /* most events where stamps do not give the order of all */
#define LIST_EDGES (1u << 26)  /* most edges */
#define LIST_WORK (1ull << 28) /* most steps of inference */

/* FINAL: a byte of memory at the end, read by the host when all is over. */
enum list_kind { LIST_LOAD, LIST_STORE, LIST_ATOMIC, LIST_FENCE, LIST_BARRIER, LIST_FINAL };
enum list_semantics { LIST_WEAK, LIST_RELAXED, LIST_ACQUIRE, LIST_RELEASE, LIST_ACQREL, LIST_SC, LIST_SEMANTICS };
enum list_scope { LIST_THREAD, LIST_CTA, LIST_CLUSTER, LIST_GPU, LIST_SYS, LIST_SCOPES };
enum list_stamps { LIST_UNSAID, LIST_NONE, LIST_PARTIAL, LIST_TOTAL };

struct list_event {
  uint8_t kind, semantics, scope, space, bytes;
  uint8_t domain;        /* smallest scope that holds all threads that touch its bytes */
  bool stamped, arrives; /* arrives: at a barrier, without waiting */
  uint32_t line, thread, owner;
  uint32_t order, instance; /* instance: of a barrier, index in struct list */
  uint64_t at, stamp;
  uint8_t saw[LIST_BYTES], left[LIST_BYTES];
};

struct list_thread {
  uint32_t number, block, cluster, line;
  uint32_t first, events; /* in struct list's by_thread */
};

struct list_barrier { /* an instance */
  uint32_t id, number, participants, came, line;
};

enum list_why {
  WHY_PROGRAM,
  WHY_OLDER,
  WHY_YOUNGER,
  WHY_ARRIVES,
  WHY_LEAVES,
  WHY_READS,
  WHY_REPLACED,
  WHY_WRITES,
  WHY_STAMP,
  WHY_END
};
struct list_edge {
  uint32_t from, to;
  uint8_t why;
};

/* A node is an event, then come the instances of barriers. */
struct list {
  struct order *o;
  enum list_stamps stamps;
  uint32_t granule; /* 0: not said */
  bool scopes[LIST_SCOPES], scoped, ended;
  struct list_event *event;
  size_t events, events_room;
  struct list_thread *thread;
  size_t threads, threads_room;
  struct list_barrier *barrier;
  size_t barriers, barriers_room;
  struct list_edge *edge;
  size_t edges, edges_room, sorted;
  struct map threads_by, barriers_by, orders, starts, ends; /* the reader's; starts, ends: a byte -> its line */
  uint32_t *by_thread;                                      /* events, thread after thread in program order */
  uint32_t *first;  /* of each node's edges, once they are sorted; one more at the end */
  uint32_t *moment; /* nodes in an order */
  size_t moments;
};

static inline size_t list_nodes(const struct list *l) {
  return l->events + l->barriers;
}
static inline bool list_reads(const struct list_event *e) {
  return e->kind == LIST_LOAD || e->kind == LIST_ATOMIC || e->kind == LIST_FINAL;
}
static inline bool list_writes(const struct list_event *e) {
  return e->kind == LIST_STORE || e->kind == LIST_ATOMIC;
}
static inline bool list_accesses(const struct list_event *e) {
  return list_reads(e) || list_writes(e);
}
static inline uint64_t list_place(const struct list_event *e) {
  return (uint64_t)e->space << 32 | e->owner;
}

/* list_read.c: false: refused, or too much, with a message. */
bool list_read(struct list *l, FILE *f);
/* list_rules.c, list_judge.c: edges of program order, fences, barriers, stamps; how far the threads of each byte are
 * apart. */
bool list_rules(struct list *l);
bool list_edge(struct list *l, uint32_t from, uint32_t to, enum list_why why);
/* list_rules.c: sorts the edges by their source; then moments by the edges, or the cycle that there is. */
bool list_sorted(struct list *l);
bool list_acyclic(struct list *l);
/* list_judge.c: says the shortest cycle of those that are left of a sort: nodes with left[n] != 0. */
bool list_cycle(struct list *l, const uint32_t *left);
/* list_values.c: edges that follow from what was read, where stamps do not say all. */
bool list_values(struct list *l);
/* order.c: an event in words. */
void list_event_text(const struct list *l, uint32_t event, char *buf, size_t bytes);

/* A line of a list: its words, where each begins, and complaints that name line and column. */

enum { LINE_BYTES = 512, LINE_WORDS = 16 };

struct list_line {
  struct order *o;
  FILE *f;
  uint32_t number;
  unsigned words, taken; /* taken: words that have been read */
  unsigned column[LINE_WORDS + 1];
  const char *word[LINE_WORDS + 1]; /* the one behind the last is "" */
  char text[LINE_BYTES];
};

/* The next line with a word in it. False: the end of the file, or refused. */
bool list_line_next(struct list_line *l);
/* Refused: "FILE:LINE:COLUMN: error: ...", the column of word k. Returns false. */
bool list_line_fail(const struct list_line *l, unsigned k, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The next word; NULL: there is none, and a message says what it should have been. */
const char *list_line_word(struct list_line *l, const char *what);
/* The next word as a number, 0x hexadecimal or decimal, at most `most`. */
bool list_line_number(struct list_line *l, const char *what, uint64_t most, uint64_t *value);
/* ADDRESS BYTES: the space's word before the address. */
bool list_line_place(struct list_line *l, uint8_t *space, uint64_t *at, uint8_t *bytes);
/* The next word as a number of so many bytes, lowest first. */
bool list_line_value(struct list_line *l, const char *what, unsigned bytes, uint8_t *value);
/* No word may be left. */
bool list_line_over(const struct list_line *l);

/* A trace as a list (docs/order-list.md), while it is judged: its first launch. A thread of the list is a warp. Its
 * numbers in program order are 128 for each instruction, then word by word, lane by lane. Written values are those of
 * a store's operands, read values those of a load's record. All calls do nothing where no list is written. */

/* o->o->write_list. False: refused, with a message. */
bool order_write_open(struct order *o);
/* False: not all could be written, with a message. */
bool order_write_close(struct order *o);
void order_write_warp(struct order *o, const struct warp *w);
/* The contents of a location at the start; of all locations at the end, and the list's end. */
void order_write_start(struct order *o, const struct location *l);
void order_write_end(struct order *o);
/* saw or left is NULL: it does not read, or write; bytes of the lane's part. */
void order_write_access(struct order *o, const struct warp *w, const struct insn *i, const struct part *p,
                        unsigned lane, const uint8_t *saw, const uint8_t *left);
void order_write_fence(struct order *o, const struct warp *w, const struct fence *fence,
                       enum heddle_record_scope scope);
void order_write_arrival(struct order *o, unsigned slot, unsigned id, uint32_t seq);
/* A barrier lets go that should have waited for `need` warps. */
void order_write_barrier(struct order *o, const struct heddle_record_barrier *r, unsigned need);

#endif
