/* SPDX-License-Identifier: Apache-2.0
 *
 * Test helper: a machine whose launches run in an address space, and its tables, as words and through the host's
 * builder.
 */
#ifndef HEDDLE_TEST_SPACE_H
#define HEDDLE_TEST_SPACE_H

#include <heddle/pages.h>
#include "tests/cmodel/assembly.h"

/* Frames of the machine's memory, by number. Code has two, constant bank 0 two, tables those from 128 on. */
#define FRAME(n) (MEM_BASE + 4096u * (uint64_t)(n))
#define CODE_FRAME 70u /* of the page at CODE_PAGE; of the next one the frame before */
#define BANK_FRAME 80u
#define TABLE_FRAME 128u
#define FRAMES 256u

/* Where they are in the space. The first page of code has four instructions, that of the bank 128 bytes. */
#define CODE_PAGE UINT64_C(0x12345000)
#define CODE_AT (CODE_PAGE + 0xfc0)
#define BANK_PAGE UINT64_C(0x7fffff8000)
#define BANK_AT (BANK_PAGE + 0xf80)

/* R2:R3 = V, for data. Two instructions. */
#define V UINT64_C(0x1555540203000)
#define TEXT_V "MOV R2, 0x40203000 ;\nMOV R3, 0x15555 ;\n"

struct space {
  struct machine x;
  struct heddle_page_memory tables;
  uint64_t root;
  unsigned next; /* frame of the next table */
};

/* Code and bank 0 are mapped, nothing else; faults trap. */
void space_init(struct space *s);
void space_free(struct space *s);
void space_text(struct space *s, const char *text);
/* A new root, in which the same code and bank are mapped. */
uint64_t space_root(struct space *s);

uint64_t get64(struct space *s, uint64_t at); /* physical */
void put64(struct space *s, uint64_t at, uint64_t v);

/* A page of 4 KiB that must not be there yet; flags of heddle/pages.h. */
void space_map(struct space *s, uint64_t virt, uint64_t phys, uint64_t flags);
void space_unmap(struct space *s, uint64_t virt);
/* Where the entry of a level lies that a walk for `virt` reads; the tables above must be there. */
uint64_t space_entry(struct space *s, uint64_t virt, unsigned level);

/* Puts the code into its frames, launches. */
enum heddle_status space_start(struct space *s);
enum heddle_status space_run(struct space *s);   /* and runs */
enum heddle_status space_go_on(struct space *s); /* after faults */

/* The only page that is waited for. */
void expect_fault(struct space *s, uint64_t page, enum heddle_page_kind kind, enum heddle_page_use use, unsigned warps);

#endif
