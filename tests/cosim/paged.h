/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine with an MMU, played by hand: a warp of a program on a model of its own. Walks and accesses follow each
 * other, each of them shown to a checker. Values that a step shows come from its own model; a test may change a
 * record before it is shown (`change`).
 */
#ifndef TESTS_COSIM_PAGED_H
#define TESTS_COSIM_PAGED_H

#include <heddle/checker.h>
#include <heddle/pages.h>
#include "cosim/kit/conform/fake.h"

#define PAGED_BASE UINT64_C(0x7300000000)
#define PAGED_FRAMES 64u
#define PAGED_FRAME(n) (PAGED_BASE + 4096 * (uint64_t)(n))
#define PAGED_BYTES (4096 * (uint64_t)PAGED_FRAMES)
#define PAGED_SPACE 5u

/* Where programs find their data: pages from V on, and the text that puts the address of each lane's word there into
 * R6:R7. Frames 0 to 15 are theirs, code and bank have their own, tables are from 32 on. */
#define PAGED_CODE 16u
#define PAGED_BANK 17u
#define V UINT64_C(0x40000000)
#define TEXT_V                                                                                                         \
  "        S2R R0, SR_LANEID ;\n        MOV R4, 0x40000000 ;\n        MOV R5, RZ ;\n"                                  \
  "        IMAD.WIDE R6, R0, 0x4, R4 ;\n"
#define TEXT_V_N 4u /* instructions */
#define CODE_AT UINT64_C(0x50000000)
#define BANK_AT UINT64_C(0x50001000)

struct paged {
  struct fake_program p;
  struct heddle_model *m, *judge;
  struct heddle_checker *c;
  uint64_t cycle;
  bool ok;
  uint8_t *image; /* of memory before the launch */
  uint64_t root;
  unsigned tables; /* frames of tables so far */
  uint32_t next;   /* number of the next walk */
  struct heddle_effect fx;
  struct heddle_effect insn[32];                  /* by seq, of this warp */
  uint32_t left[32];                              /* lanes of each that wait */
  uint64_t addr[32][32];                          /* their addresses, once they have been translated */
  bool cached;                                    /* it has a cache: to be set before it begins */
  void (*change)(struct heddle_retire_record *r); /* of the next record that is shown, once */
};

/* One block of one warp; nothing is mapped but the pages of its code and bank. */
void paged_init(struct paged *x, const char *text);
void paged_init_grid(struct paged *x, const char *text, unsigned blocks, unsigned threads); /* of any size */
/* Another space of the same memory: later mappings are in it, and so are launches. */
void paged_space(struct paged *x, uint8_t space);
void paged_map(struct paged *x, uint64_t virt, unsigned frame, uint64_t flags); /* before it begins */
void paged_map_big(struct paged *x, uint64_t virt, uint64_t flags);             /* 2 MiB from frame 0 on */
uint64_t paged_unmap(struct paged *x, uint64_t virt);                           /* likewise; its entry */
uint64_t paged_entry(const struct paged *x, uint64_t virt, unsigned level);     /* its address */
void paged_begin(struct paged *x, bool fault_trap);
void paged_free(struct paged *x);
void paged_end(struct paged *x); /* the block's end, the grid's, memory */

void paged_show(struct paged *x, struct heddle_retire_record *r);
void paged_tell(struct paged *x, unsigned what, uint64_t page, uint32_t number, unsigned all); /* record pages */
void paged_launch(struct paged *x); /* likewise: the launch walks */
/* A walk begins; its next access is performed and shown; all of them, and then as it has ended. */
struct heddle_walk paged_walk_begins(struct paged *x, uint64_t virt, bool write);
void paged_walk_step(struct paged *x, struct heddle_walk *w, uint32_t number);
struct heddle_walk paged_walk(struct paged *x, uint64_t virt, bool write);
void paged_issue_to(struct paged *x, unsigned seq); /* instructions up to that one */
/* All lanes of the instruction in that virtual line are performed, by the page that a walk has found; of the last ones
 * the result is written. */
void paged_perform(struct paged *x, unsigned seq, uint64_t line, const struct heddle_walk *found);
void paged_perform_lanes(struct paged *x, unsigned seq, uint32_t in); /* ... these, which have a place */
/* With a cache: an access passes it, is performed and acknowledged; a load of a whole line requests it and reads it. */
void paged_pass(struct paged *x, unsigned seq, uint64_t line, const struct heddle_walk *found);
void paged_read(struct paged *x, unsigned seq, uint64_t line, const struct heddle_walk *found, uint32_t number);
/* The first and the last step of either; the lanes in that virtual line. */
uint32_t paged_drop(struct paged *x, unsigned seq, uint64_t line, const struct heddle_walk *found);
void paged_ack(struct paged *x, unsigned seq, uint32_t in);
uint32_t paged_ask(struct paged *x, unsigned seq, uint64_t line, const struct heddle_walk *found, uint32_t number);
void paged_read_lanes(struct paged *x, unsigned seq, uint32_t in, uint32_t number);
void paged_constant_lanes(struct paged *x, unsigned seq, uint32_t lanes); /* the same of some of its lanes */
void paged_constant(struct paged *x, unsigned seq); /* a load of constants, its page there: its result is written */
void paged_trap(struct paged *x, unsigned seq, unsigned cause, uint64_t addr, uint32_t lanes);
void paged_exchange(struct paged *x, uint64_t at, uint64_t value);
void paged_invalidate(struct paged *x, bool begins, unsigned what, uint64_t virt); /* begins: at the host's request */
void paged_expect(const struct paged *x, enum heddle_checker_kind want, const char *words); /* in its note, or NULL */

#endif
