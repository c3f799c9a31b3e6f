/* SPDX-License-Identifier: Apache-2.0
 *
 * Scenarios of what waits for pages: several warps and SMs at once, lists of several pages, REPLAY and FAIL,
 * invalidations of what is under way.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "tests/cosim/mmu_scene.h"

/* Each block has a page of its own from the first on; odd ones store to it, even ones load. */
#define TEXT_OWN                                                                                                       \
  TEXT_V "        S2R R1, SR_CTAID.X ;\n        IMAD.WIDE R6, R1, 0x1000, R6 ;\n"                                      \
         "        LOP3.LUT R2, R1, 0x1, RZ, 0xc0 ;\n        ISETP.NE.AND P0, PT, R2, RZ, PT ;\n"
static const char own_pages[] = ".kernel k\n" TEXT_OWN "@!P0    LDG.E R8, [R6] ;\n"
                                "@P0     STG.E [R6], R0 ;\n"
                                "        EXIT ;\n.end\n";

/* Two warps of an SM wait for one walk; nobody asks the host. */
static void two_warps(struct scene *c) {
  scene_text(c, TEXT_LOADS, 1, 2);
  paged_map(&c->x, V, 3, 0);
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_run(c, HEDDLE_SESSION_OK);
  scene_check(c, c->lists == 0, "the host was asked");
}

/* Warps of all SMs wait for one absent page, which comes to the list once. */
static void one_page(struct scene *c) {
  scene_text(c, TEXT_LOADS, 8, 1);
  scene_brings(c, V, 3, 0);
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_run(c, HEDDLE_SESSION_OK);
  scene_seen(c, V, 1, HEDDLE_PAGE_ABSENT, HEDDLE_PAGE_LOAD);
}

#define OWN 8u /* blocks, and so pages */

static void own(struct scene *c, unsigned at_once) {
  scene_text(c, own_pages, OWN, 1);
  for (unsigned k = 0; k < OWN; k++) scene_brings(c, PAGE(k), k, RW);
  c->at_once = at_once;
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_run(c, HEDDLE_SESSION_OK);
  for (unsigned k = 0; k < OWN; k++)
    scene_seen(c, PAGE(k), at_once == 0 ? 1 : SCENE_OFTEN, HEDDLE_PAGE_ABSENT,
               k % 2 == 0 ? HEDDLE_PAGE_LOAD : HEDDLE_PAGE_STORE);
}
/* A line that an L1 holds changes behind it; once an INVALIDATE is over no load has what was there before. */
static const char loads_again[] = ".kernel k\n" TEXT_V "        LDG.E R8, [R6] ;\n"
                                  "        STG.E [R6+0x1000], R8 ;\n"
                                  "        LDG.E R9, [R6] ;\n"
                                  "        STG.E [R6+0x1080], R9 ;\n"
                                  "        EXIT ;\n.end\n";
#define CHANGED UINT64_C(0x1234567890abcdef)

static void change_line(struct scene *c) {
  uint64_t was;
  memcpy(&was, c->x.image + 4096 * 3, sizeof was);
  if (c->lists > 1) return;
  scene_exchange(c, PAGED_FRAME(3), CHANGED, was);
  (void)heddle_session_invalidate(c->s, 0, PAGED_SPACE, V);
}

static void emptied(struct scene *c) {
  scene_text(c, loads_again, 1, 1);
  paged_map(&c->x, V, 3, 0);
  scene_brings(c, PAGE(1), 4, RW);
  c->before = change_line;
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_run(c, HEDDLE_SESSION_OK);
  const uint64_t read = scene_word(c, 4, 32) | (uint64_t)scene_word(c, 4, 33) << 32;
  scene_check(c, read == CHANGED, "0x%llx is read behind the invalidation", (unsigned long long)read);
}

/* Absent pages at the same time, each in the list once with what it is wanted for, all brought at once ... */
static void list(struct scene *c) {
  own(c, 0);
}
/* ... or one by one: what still lacks its page comes to the list again. */
static void one_by_one(struct scene *c) {
  own(c, 1);
}

/* ---- exchanges ---- */

/* A load of the second page, whose entry then has A; the host sets D beside it, and takes it away, while the first one
 * is waited for. */
static const char two_loads[] = ".kernel k\n" TEXT_V "        LDG.E R8, [R6+0x1000] ;\n"
                                "        IADD3 R8, R8, 0x1, RZ ;\n"
                                "        MEMBAR.GPU ;\n"
                                "        LDG.E R9, [R6] ;\n"
                                "        EXIT ;\n.end\n";

static void exchange_twice(struct scene *c) {
  const uint64_t at = paged_entry(&c->x, PAGE(1), 0);
  scene_exchange(c, at, ENTRY(4, RW | A | D), ENTRY(4, RW | A));
  scene_exchange(c, at, ENTRY(4, RW | A), ENTRY(4, RW | A | D));
}
static void exchanges(struct scene *c) {
  scene_text(c, two_loads, 1, 1);
  scene_brings(c, V, 3, RW | D);
  paged_map(&c->x, PAGE(1), 4, RW);
  c->before = exchange_twice;
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_run(c, HEDDLE_SESSION_OK);
  scene_check(c, scene_entry(c, V) == ENTRY(3, RW | A | D), "the entry is 0x%llx",
              (unsigned long long)scene_entry(c, V));
}

/* ---- what is under way ---- */

/* The first block waits for a page; the others load and store without end, or so it seems, at one that goes. */
static const char busy[] = ".kernel k\n" TEXT_V "        S2R R1, SR_CTAID.X ;\n"
                           "        ISETP.NE.AND P0, PT, R1, RZ, PT ;\n"
                           "@P0     BRA others ;\n"
                           "        IADD3 R9, R0, 0x200, RZ ;\n"
                           "        LDG.E R8, [R6] ;\n"
                           "        EXIT ;\n"
                           "others:\n"
                           "        IMAD.WIDE R6, R1, 0x80, R6 ;\n" TEXT_TURNS("0x60",
                                                                               "        STG.E [R6+0x1000], R9 ;\n"
                                                                               "        LDG.E R8, [R6+0x1000] ;\n"
                                                                               "        IADD3 R10, R10, R8, RZ ;\n") //
    "        EXIT ;\n.end\n";

static void takes_away(struct scene *c) {
  if (c->lists != 1) return;
  scene_exchange(c, paged_entry(&c->x, PAGE(1), 0), ENTRY(7, RW | A | D), ENTRY(4, RW | A | D));
  (void)heddle_session_invalidate(c->s, 0, PAGED_SPACE, PAGE(1));
}
static void under_way(struct scene *c) {
  scene_text(c, busy, 8, 1);
  c->latency = 100;
  scene_brings(c, V, 3, 0);
  paged_map(&c->x, PAGE(1), 4, RW);
  c->before = takes_away;
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_run(c, HEDDLE_SESSION_OK);
  scene_seen(c, V, 1, HEDDLE_PAGE_ABSENT, HEDDLE_PAGE_LOAD);
}

/* ---- REPLAY beside lookups ---- */

/* The first block loads from one absent page after the other; the others gather from more pages than a micro-TLB has
 * places. */
static const char gathers[] = ".kernel k\n" TEXT_V "        S2R R1, SR_CTAID.X ;\n"
                              "        ISETP.NE.AND P0, PT, R1, RZ, PT ;\n"
                              "@P0     BRA others ;\n" TEXT_TURNS("0x10", "        LDG.E R8, [R6] ;\n"
                                                                          "        IADD3 R10, R10, R8, RZ ;\n"
                                                                          "        IADD3 R6, R6, 0x1000, RZ ;\n") //
    "        EXIT ;\n"
    "others:\n"
    "        MOV R4, 0x40020000 ;\n"
    "        IMAD.WIDE R6, R0, 0x1080, R4 ;\n"
    "        MOV R9, 0x30 ;\n        MOV R10, RZ ;\nmore:\n"
    "        LDG.E R8, [R6] ;\n        IADD3 R10, R10, R8, RZ ;\n"
    "        IADD3 R9, R9, 0xffffffff, RZ ;\n        ISETP.NE.AND P1, PT, R9, RZ, PT ;\n@P1     BRA more ;\n"
    "        EXIT ;\n.end\n";

static void replays(struct scene *c) {
  scene_text(c, gathers, 8, 1);
  for (unsigned k = 0; k < 16; k++) scene_brings(c, PAGE(k), k, 0);
  for (unsigned k = 0; k < 32; k++) paged_map(&c->x, PAGE(32 + k), k % 16, 0);
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_run(c, HEDDLE_SESSION_OK);
  for (unsigned k = 0; k < 16; k++) scene_seen(c, PAGE(k), 1, HEDDLE_PAGE_ABSENT, HEDDLE_PAGE_LOAD);
}

/* Two lanes of each load find one physical line by two pages. */
static const char aliases[] = ".kernel k\n" TEXT_V "        IMAD.WIDE R6, R0, 0x1000, R4 ;\n" TEXT_TURNS(
    "0x8", "        LDG.E R8, [R6] ;\n        IADD3 R10, R10, R8, RZ ;\n") "        EXIT ;\n.end\n";

static void one_frame(struct scene *c) {
  scene_text(c, aliases, 1, 1);
  for (unsigned k = 0; k < 32; k++) paged_map(&c->x, PAGE(k), k % 16, 0);
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_run(c, HEDDLE_SESSION_OK);
}

const struct scenario scenarios_of_waits[] = {{"two_warps", two_warps},   {"one_page", one_page},
                                              {"emptied", emptied},       {"list", list},
                                              {"one_by_one", one_by_one}, {"exchanges", exchanges},
                                              {"under_way", under_way},   {"replays", replays},
                                              {"one_frame", one_frame},   {NULL, NULL}};
