/* SPDX-License-Identifier: Apache-2.0
 *
 * A scenario of virtual memory: a program, tables, a host that brings pages, a session on the machine `paged`. The
 * first error is kept in words.
 */
#ifndef TESTS_COSIM_MMU_SCENE_H
#define TESTS_COSIM_MMU_SCENE_H

#include <heddle/host_regs.h>
#include <heddle/session.h>
#include "tests/cosim/paged.h"

/* The bits of entries; the entry of a page in frame n; pages of the program. */
#define A HEDDLE_ENTRY_ACCESSED
#define D HEDDLE_ENTRY_DIRTY
#define RW HEDDLE_ENTRY_WRITE
#define ENTRY(n, flags) (PAGED_FRAME(n) | HEDDLE_ENTRY_PRESENT | HEDDLE_ENTRY_PAGE | (flags))
#define PAGE(n) (V + 4096 * (uint64_t)(n))
#define SCENE_PAGES 32u
#define SCENE_SEEN 64u
#define SCENE_QUEUE 3u         /* launches, at most */
#define SCENE_OFTEN UINT32_MAX /* once or more */

/* Programs of several scenarios: loads a page; moves what one has to the next one; jumps over an instruction with a
 * constant that is requested ahead. */
#define TEXT_LOADS ".kernel k\n" TEXT_V "        LDG.E R8, [R6] ;\n        EXIT ;\n.end\n"
#define TEXT_MOVES                                                                                                     \
  ".kernel k\n" TEXT_V "        LDG.E R8, [R6] ;\n        STG.E [R6+0x1000], R8 ;\n        EXIT ;\n.end\n"
#define TEXT_JUMPS                                                                                                     \
  ".kernel k\n        ISETP.EQ.AND P0, PT, RZ, RZ, PT ;\n@P0     BRA out ;\n"                                          \
  "        MOV R0, c[0x0][0x20] ;\nout:\n        EXIT ;\n.end\n"
/* In a program: `access`, n times; R10 is 0 before. */
#define TEXT_TURNS(n, access)                                                                                          \
  "        MOV R9, " n " ;\n        MOV R10, RZ ;\nturn:\n" access "        IADD3 R9, R9, 0xffffffff, RZ ;\n"          \
  "        ISETP.NE.AND P1, PT, R9, RZ, PT ;\n@P1     BRA turn ;\n"

struct scene {
  struct paged x; /* its image is the session's memory, once that is open */
  struct heddle_session *s;
  unsigned fault;
  bool report;      /* a difference is printed whole */
  uint32_t latency; /* of memory; 0: as the session has it */
  bool control;     /* dependencies are the control codes' affair */
  /* The host: pages that it brings, and how many of a list; what else it does with a list before. */
  struct {
    uint64_t page, entry, at;
    bool brought;
  } page[SCENE_PAGES];
  unsigned pages, at_once;
  bool fails; /* it brings none */
  void (*before)(struct scene *c);
  uint64_t split; /* what `before` writes: the entry of a table with pages that take the place of a large one */
  bool unchanged; /* an EXCHANGE of its has failed */
  /* Faults that it has seen: all of all lists. */
  struct heddle_page_fault seen[SCENE_SEEN];
  unsigned faults, lists, last; /* faults of the last list */
  struct heddle_session_result r;
  char wrong[600];
};

void scene_text(struct scene *c, const char *text, unsigned blocks, unsigned warps);
/* The next launch has this program. */
void scene_next(struct scene *c, const char *text, unsigned blocks, unsigned warps);
void scene_param(struct scene *c, uint64_t value); /* the first parameter, of 64 bits */
/* The page is absent until the host brings it: then it has this frame, with these flags. */
void scene_brings(struct scene *c, uint64_t virt, unsigned frame, uint64_t flags);
/* In `before`: the entry is exchanged, and was this. Where EXCHANGE fails the launch does not end well. */
void scene_exchange(struct scene *c, uint64_t at, uint64_t entry, uint64_t want);
void scene_open(struct scene *c, enum heddle_session_mode mode);
void scene_run(struct scene *c, enum heddle_session_outcome want);
/* In the device's queue, one behind the other: all end well. */
void scene_run_queue(struct scene *c, const struct heddle_launch *l, size_t n);
void scene_trap(struct scene *c, unsigned cause, uint64_t addr);    /* the launch ends with this one */
void scene_trapped(struct scene *c, unsigned cause, uint64_t addr); /* it has ended with this one */
void scene_unlisted(struct scene *c);                               /* no page is in the list of faults */
void scene_close(struct scene *c);

/* Unless something was wrong before: is this so? */
void scene_check(struct scene *c, bool is, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* So many faults of this page were in the lists, each of this kind and use. */
void scene_seen(struct scene *c, uint64_t page, unsigned times, enum heddle_page_kind kind, enum heddle_page_use use);
uint64_t scene_entry(const struct scene *c, uint64_t virt); /* of level 0, as memory has it */
uint32_t scene_word(const struct scene *c, unsigned frame, unsigned word);

struct scenario {
  const char *name;
  void (*play)(struct scene *c);
};
extern const struct scenario scenarios_of_tables[], scenarios_of_waits[], scenarios_of_launches[],
    scenarios_of_queues[]; /* the last: NULL */

#endif
