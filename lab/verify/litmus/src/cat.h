/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of events and relations between them, as bits. An execution has 32 events at most: a set is a word, a
 * relation a word for each event: bit b of row[a] says that a is related to b.
 */
#ifndef HEDDLE_LAB_VERIFY_LITMUS_SRC_CAT_H
#define HEDDLE_LAB_VERIFY_LITMUS_SRC_CAT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <heddle/program.h>

#define EVENTS_MAX 32u

struct relation {
  uint32_t row[EVENTS_MAX];
};

static inline uint32_t events_all(unsigned n) {
  return n >= 32 ? UINT32_MAX : (UINT32_C(1) << n) - 1;
}

static inline void relation_add(struct relation *r, unsigned a, unsigned b) {
  r->row[a] |= UINT32_C(1) << b;
}

static inline bool relation_has(const struct relation *r, unsigned a, unsigned b) {
  return (r->row[a] >> b & 1u) != 0;
}

/* n: how many events there are; what is above them is neither read nor written. */
static inline void relation_clear(struct relation *r, unsigned n) {
  memset(r->row, 0, n * sizeof r->row[0]);
}

/* r = its transitive closure. */
static inline void relation_close(struct relation *r, unsigned n) {
  for (unsigned k = 0; k < n; k++)
    for (unsigned a = 0; a < n; a++)
      if (relation_has(r, a, k)) r->row[a] |= r->row[k];
}

static inline bool relation_irreflexive(const struct relation *r, unsigned n) {
  for (unsigned a = 0; a < n; a++)
    if (relation_has(r, a, a)) return false;
  return true;
}

/* A model of memory as a text in a part of the language of Herd's cat files: what is evaluated is the file itself.
 * README.md of this folder's parent says which part of the language it is. */

/* The base sets and relations of an execution; the names in the text are in cat_eval.c. */
enum cat_set {
  CAT_ALL,     /* _ */
  CAT_R,       /* reads; an atomic is one event, and among R, W and RMW */
  CAT_W,       /* writes, those that made the first contents among them */
  CAT_M,       /* R | W */
  CAT_F,       /* fences */
  CAT_B,       /* comings to a barrier */
  CAT_ARV,     /* those of them that do not wait */
  CAT_IW,      /* the first contents: one for each location */
  CAT_RMW,     /* atomics that have written */
  CAT_WEAK,    /* accesses without a word of order */
  CAT_RLX,     /* relaxed, and above */
  CAT_ACQ,     /* acquire: loads, atomics (acq_rel among them) */
  CAT_REL,     /* release: stores, atomics (acq_rel among them) */
  CAT_ACQ_REL, /* fences that acquire and release; fence.sc among them */
  CAT_SC,      /* fence.sc */
  CAT_CTA,     /* of scope CTA */
  CAT_GPU,     /* of scope GPU, or SYS */
  CAT_SETS
};
enum cat_relation {
  CAT_ID,
  CAT_PO,  /* program order */
  CAT_LOC, /* accesses to one location */
  CAT_DEP, /* a read, and a write of its thread with a value or a condition that depends on it */
  CAT_SAME_CTA,
  CAT_SYNCBAR,  /* comings to one barrier, that it let go together; an event is related to itself */
  CAT_LAUNCH,   /* what is of one launch of a queue, and what is of the next */
  CAT_RF,       /* from here on what differs between executions of one program */
  CAT_CO,       /* of each location a total order of its writes, the first contents first */
  CAT_ORDER_SC, /* a total order of all fence.sc */
  CAT_RELATIONS
};
#define CAT_FIRST_DYNAMIC CAT_RF

struct cat_execution {
  unsigned events;
  uint32_t set[CAT_SETS];
  struct relation relation[CAT_RELATIONS];
};

struct cat;

/* A definition that is to be another: `let NAME = ...` of the text is read as `expression`. */
struct cat_change {
  const char *name, *expression;
};

/* NULL: *m says where and what; `path` is for messages. A change of an undefined name is an error, too. */
struct cat *cat_parse(const char *text, const char *path, const struct cat_change *change, unsigned changes,
                      struct heddle_message *m);
/* The same of a file, at most 64 KiB. */
struct cat *cat_load(const char *path, const struct cat_change *change, unsigned changes, struct heddle_message *m);
void cat_free(struct cat *c);

/* Before executions of another program are judged: evaluates what is the same in all of them. */
void cat_program(struct cat *c, const struct cat_execution *x);
/* Every check of the text holds. Else *broken (may be NULL) is the name of the first that does not. */
bool cat_allows(struct cat *c, const struct cat_execution *x, const char **broken);

bool cat_uses(const struct cat *c, enum cat_relation r); /* the text names it */

/* cat_eval.c */
const char *cat_set_name(enum cat_set s);
const char *cat_relation_name(enum cat_relation r);

#endif
