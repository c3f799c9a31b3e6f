/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside checker/ only: translation of addresses (isa/doc/18-virtual-memory.md). Nothing of it is there on a machine
 * without an MMU: checker.paging is NULL then, which is tested once.
 *
 *   pages.c        its tables; record pages; requests of the host
 *   pages.c   walks, access by access, as the model makes them, and their results
 *   pages_place.c  lines of instructions get their places, each by the page of some walk
 *   pages_place.c   traps of pages, and accesses that they excuse
 *
 * An entry's addresses in global memory (fx.mem_addr) are places, and rules of order are about places. An untranslated
 * address has none: it is above all of them, and equals none. It gets one by its first record. It also gets one when a
 * younger access of its warp is shown and only one page is possible: lines of a warp are translated in their order.
 */
#ifndef HEDDLE_CHECKER_PAGES_H
#define HEDDLE_CHECKER_PAGES_H

#include "cosim/checker/internal.h"

#define PAGING_NOWHERE (UINT64_C(1) << 55)
#define PAGE_BYTES UINT64_C(4096)
#define WALKS 64u          /* that may run at once */
#define INVALIDATIONS 16u  /* during one walk */
#define LINES ANSWER_BYTES /* bytes that are translated together */
#define BUCKETS 1024u
#define REPLAYS 8u
/* For so many cycles behind the record of its last access a walk may still be under way for its requesters. */
#define WALK_LATE UINT64_C(1024)

/* Result of a walk; while an invalidation that covers it is under way `dying`. */
struct leaf {
  struct leaf *next;
  struct heddle_leaf is;
  uint8_t space;
  bool dying;
};

/* How walks for a page have ended badly, and when one did so last. */
struct fault {
  struct fault *next;
  uint64_t page;
  enum heddle_page_kind kind;
  bool write;
  bool past; /* a later walk has found the page */
  uint8_t space;
  uint64_t cycle;
  unsigned epoch;
};

struct walking {
  bool begun;
  uint32_t number;
  uint8_t space;
  unsigned from; /* invalidations before it */
  struct heddle_walk is;
};

struct invalidation {
  uint8_t what, space;
  uint64_t page;
  bool over;
};

struct paging {
  uint64_t base, bytes; /* of memory */
  bool launched;        /* the record of the launch has been shown */
  uint32_t next;        /* number of the next walk */
  struct walking walk[WALKS];
  struct leaf *leaf[BUCKETS];
  struct fault *fault[BUCKETS];
  bool big; /* pages of 2 MiB have been found */
  unsigned begun;
  struct invalidation at[INVALIDATIONS]; /* the last ones, by their number */
  unsigned epoch;                        /* REPLAY and FAIL so far */
  bool failed;
  unsigned failed_in; /* the epoch that the last FAIL has ended */
  /* requests of the host that have not been shown yet */
  bool exchange_asked, exchanged, invalidate_asked;
  uint64_t exchange_at, exchange_value, exchange_old;
  struct invalidation invalidate;
  uint8_t replay[REPLAYS]; /* what of each */
  unsigned replays;
};

bool paging_allocate(struct heddle_checker *c); /* nothing, without an MMU */
void paging_free(struct heddle_checker *c);
bool judge_pages(struct heddle_checker *c, const struct heddle_record_pages *r);

/* pages.c. Is the record one of a walk's access, or of an exchange? */
static inline bool paging_shows(const struct heddle_checker *c, const struct heddle_retire_record *r) {
  return c->paging != NULL && (r->kind == HEDDLE_RECORD_PAGES ||
                               (r->kind == HEDDLE_RECORD_GLOBAL && r->u.global.id.sm == c->cfg.sm + c->sms));
}
bool judge_walk(struct heddle_checker *c, const struct heddle_record_global *r);
bool walks_over(struct heddle_checker *c); /* the launch has ended, and none runs */
#define FOUND_MOST 8u
/* Pages that walks have found for that address, a different place each. */
struct found {
  unsigned n;
  const struct heddle_leaf *leaf[FOUND_MOST];
};
struct found pages_found(const struct heddle_checker *c, uint64_t virt, bool write);
static inline uint64_t leaf_place(const struct heddle_leaf *l, uint64_t virt) {
  return l->at + (virt - l->page);
}
struct fault *fault_first(const struct heddle_checker *c, uint64_t virt); /* of those that may be of its page */

/* pages_place.c; without an address space nothing happens, and all lanes are of one line. */
bool paging_writes(const struct heddle_checker *c, uint64_t page); /* does an open store or atomic reach it? */
void paging_issue(struct heddle_checker *c);                       /* c->e has issued */
/* A record shows these lanes of c->e in that line of memory. */
bool paging_place(struct heddle_checker *c, uint32_t lanes, uint64_t line);
uint32_t paging_line(const struct heddle_checker *c, const struct entry *e,
                     uint32_t lanes); /* all in the virtual line of the lowest of them */
bool paging_outside(const struct heddle_checker *c, uint64_t from, uint64_t end); /* no memory is there */
bool paging_all_performed(struct heddle_checker *c); /* translations by pages that are invalid now */
bool paging_constant(struct heddle_checker *c,
                     uint32_t lanes); /* c->e, which may be a load of constants, shows its result in these lanes */

/* pages_place.c */
static inline bool paging_on(const struct heddle_checker *c) {
  return c->paging != NULL && c->launch->pages;
}
bool paging_is_trap(const struct heddle_checker *c, const struct heddle_record_trap *r);
/* A trap of an issued instruction. */
bool paging_trap(struct heddle_checker *c, const struct heddle_record_trap *r);
/* Before the model tries a word that traps: what it names counts as absent where a walk has found it so. */
bool paging_word_trap(struct heddle_checker *c, const struct heddle_record_trap *r);
/* Open lanes that a trap does not end, for they have been translated; is there one that it may have ended? */
uint32_t paging_owed(const struct heddle_checker *c, const struct entry *e);
bool paging_waits(const struct heddle_checker *c, const struct entry *e);

#endif
