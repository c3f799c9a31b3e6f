/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: a launch in an address space (isa/doc/18-virtual-memory.md).
 *
 * In lockstep the caller names the walk of each next access, and the walk of each line's page (pages_wait.c). The rest
 * is of the model alone.
 *
 * Addresses are checked as ever, then translated, line by line; marks, atomics, watching and performing work on
 * physical ones. An instruction is done when all its lines have their pages; else nothing of it is, and its warp waits,
 * or traps. Translations are kept until a call begins or a store goes to entries that walks have read, so each change
 * of a table counts at once. Code and constants are read ahead, page by page, at the same moments: the program is
 * decoded again when its pages have changed.
 */
#ifndef HEDDLE_CORE_PAGES_H
#define HEDDLE_CORE_PAGES_H

#include "cmodel/core/state.h"

#define FRAME_BYTES 4096u
#define PAGE_LINE 128u /* bytes that are translated together */
#define VIRTUAL_BITS 49
#define KEPT 256u
/* For an untranslated address: it equals no physical one, and is in global memory. */
#define NOWHERE (UINT64_C(1) << 55)

enum { ENTRY_P = 1, ENTRY_L = 2, ENTRY_W = 4, ENTRY_G = 8, ENTRY_A = 16, ENTRY_D = 32 };
#define ENTRY_PLACE UINT64_C(0xfffffff000) /* of a page or a table */
#define PAGE_TOP 3u                        /* the level of the root */

struct pages {
  struct kept_page {
    uint64_t page, frame; /* page: its number + 1; 0: none */
    bool writes;          /* by a walk for a write */
  } kept[KEPT];
  uint8_t *tables;           /* of each 4096 bytes of memory whether walks have read there */
  bool stale;                /* a store has gone there */
  uint8_t *code;             /* what has been read of it */
  uint8_t *there[1 + BANKS]; /* of code, then of each bank: of each page whether it has been read */
  uint64_t faults;           /* that there have been */
};

/* Result of a walk. */
struct page_walk {
  bool fault;
  enum heddle_page_kind kind; /* of the fault */
  uint64_t at;                /* address of the byte */
};

/* ---- pages.c: tables */
bool pages_new(struct heddle_model *m);                                       /* of m->launch. False: no memory */
bool pages_inside(const struct heddle_model *m, uint64_t at, uint64_t bytes); /* memory is there */
bool pages_malformed(uint64_t entry, unsigned level); /* an entry that is present, in a table of that level */
unsigned pages_shift(unsigned level);                 /* bits below those of an address that choose in its table */
uint64_t pages_entry_at(uint64_t table, unsigned level, uint64_t virt);
uint64_t pages_entry_get(const struct heddle_model *m, uint64_t at); /* inside memory */
void pages_entry_put(struct heddle_model *m, uint64_t at, uint64_t entry);
void pages_free(struct heddle_model *m);
struct page_walk pages_walk(struct heddle_model *m, uint64_t virt, bool write);       /* sets A and D */
struct page_walk pages_peek(const struct heddle_model *m, uint64_t virt, bool write); /* changes nothing */
/* Addresses of checked lanes become physical, where they are of global memory. Those of constants stay, if what they
 * name has been read. False: w->wait says which page lacks, and addresses are as they were. */
bool pages_translate(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t lanes,
                     uint64_t addr[HEDDLE_LANES]);

/* ---- pages.c: code and constants */
/* Reads what of them is there now, and decodes the program if that is not what was there before. */
enum heddle_error pages_settle(struct heddle_model *m);
/* The same, changing no table: what has been read stays read. */
enum heddle_error pages_look(struct heddle_model *m);
bool pages_holds_part(const struct heddle_model *m, uint64_t virt, uint64_t bytes); /* some of code or constants */
bool pages_code_there(const struct heddle_model *m, uint32_t pc, uint32_t bytes);
bool pages_bank_there(const struct heddle_model *m, unsigned bank, uint32_t offset, uint32_t bytes);
/* The warp's next word, or its constant operand, has not been read: w->wait says which page lacks. */
bool pages_word_lacks(struct heddle_model *m, struct warp *w);
/* Some lane's constants have not been read. */
bool pages_constants_lack(const struct heddle_model *m, const struct dop *op, uint32_t lanes,
                          const uint64_t addr[HEDDLE_LANES]);

/* ---- pages_wait.c: lockstep */
struct pending;
void pages_unplace(struct pending *p); /* its addresses in global memory are virtual, and have no place yet */
uint32_t pages_same_line(const struct pending *p, uint32_t of, uint32_t lanes); /* of `lanes` those in a line of `of` */

/* ---- pages_wait.c: faults */
/* The access that is tried has met a fault; `offset` from addr the lowest of the lanes accesses. */
void pages_met(struct warp *w, enum heddle_page_kind kind, enum heddle_page_use use, uint64_t virt, uint64_t addr,
               uint32_t lanes, uint32_t offset);
struct flow pages_flow(struct warp *w); /* the trap that it would be */
/* Its outcome: a trap, in *f, or (false) the warp waits. */
bool pages_trap(struct heddle_model *m, struct warp *w, struct flow *f);
bool pages_waited_for(const struct heddle_model *m);    /* does some warp wait? */
enum heddle_error pages_faults(struct heddle_model *m); /* HEDDLE_ERROR_FAULTS, and the words */
/* A call of the model begins: nothing waits, and all memory may have changed. */
enum heddle_error pages_begin(struct heddle_model *m);

/* Can the access be done with the addresses that it has? */
static inline bool pages_plain(const struct heddle_model *m, const struct dop *op, unsigned space) {
  if (m->pages == NULL || (space != ISA_SPACE_GLOBAL && space != ISA_SPACE_CONST)) return true;
  const unsigned bank = op->bank;
  return space == ISA_SPACE_CONST && bank < BANKS && pages_bank_there(m, bank, 0, m->launch.cbank_bytes[bank]);
}

#endif
