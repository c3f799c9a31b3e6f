/* SPDX-License-Identifier: Apache-2.0
 *
 * Scenarios of what walks find: which entries are used, what they allow, which bits are set, what is kept of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include "tests/cosim/session/mmu_scene.h"

/* ---- A and D ---- */

static const char raises[] = ".kernel k\n" TEXT_V "        LDG.E R8, [R6] ;\n"
                             "        IADD3 R8, R8, 0x1, RZ ;\n"
                             "        STG.E [R6], R8 ;\n"
                             "        EXIT ;\n.end\n";

/* The page of a load is stored to: another walk, which sets D. */
static void load_store(struct scene *c) {
  scene_text(c, raises, 1, 1);
  paged_map(&c->x, V, 3, RW);
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  const uint32_t was = scene_word(c, 3, 0);
  scene_run(c, HEDDLE_SESSION_OK);
  scene_check(c, (scene_entry(c, V) & (A | D)) == (A | D), "the entry is 0x%llx",
              (unsigned long long)scene_entry(c, V));
  scene_check(c, scene_word(c, 3, 0) == was + 1, "the first word is 0x%x", scene_word(c, 3, 0));
}

static const char adds[] = ".kernel k\n" TEXT_V "        LDG.E R8, [R6] ;\n"
                           "        IADD3 R8, R8, 0x1, RZ ;\n"
                           "        ATOMG.E.ADD.STRONG.GPU R9, [R6], R8 ;\n"
                           "        EXIT ;\n.end\n";

/* An atomic sets D as a store does. */
static void atomic(struct scene *c) {
  scene_text(c, adds, 1, 1);
  paged_map(&c->x, V, 3, RW);
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_run(c, HEDDLE_SESSION_OK);
  scene_check(c, (scene_entry(c, V) & (A | D)) == (A | D), "the entry is 0x%llx",
              (unsigned long long)scene_entry(c, V));
}

static const char copies[] = ".kernel k\n.shared room 128\n" TEXT_V "        SHF.L.U32 R1, R0, 0x2, RZ ;\n"
                             "        LDGSTS.E [R1], [R6] ;\n"
                             "        EXIT ;\n.end\n";

/* An asynchronous copy reads: it sets A alone. */
static void copy(struct scene *c) {
  scene_text(c, copies, 1, 1);
  paged_map(&c->x, V, 3, RW);
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_run(c, HEDDLE_SESSION_OK);
  scene_check(c, (scene_entry(c, V) & (A | D)) == A, "the entry is 0x%llx", (unsigned long long)scene_entry(c, V));
}

/* ---- faults ---- */

static const char stores[] = ".kernel k\n" TEXT_V "        STG.E [R6], R0 ;\n        EXIT ;\n.end\n";

static void protected_trap(struct scene *c) {
  scene_text(c, stores, 1, 1);
  paged_map(&c->x, V, 3, 0);
  c->x.p.launch.fault_trap = true;
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_trap(c, HEDDLE_TRAP_WRITE_PROTECTED, V);
}

/* The host is asked, and can do nothing. */
static void protected_fail(struct scene *c) {
  scene_text(c, stores, 1, 1);
  paged_map(&c->x, V, 3, 0);
  c->fails = true;
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_trap(c, HEDDLE_TRAP_WRITE_PROTECTED, V);
  scene_seen(c, V, SCENE_OFTEN, HEDDLE_PAGE_PROTECTED, HEDDLE_PAGE_STORE);
}

/* What is not there is asked for once; behind FAIL it is a trap, and what ends so asks for nothing. */
static void absent_fail(struct scene *c) {
  scene_text(c, TEXT_LOADS, 1, 1);
  paged_map(&c->x, PAGE(1), 3, 0);
  c->fails = true;
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_trap(c, HEDDLE_TRAP_PAGE, V);
  scene_seen(c, V, 1, HEDDLE_PAGE_ABSENT, HEDDLE_PAGE_LOAD);
  scene_unlisted(c);
}

/* The first block loads; the second would end what waits for the host, by another trap. */
static const char ends_late[] = ".kernel k\n" TEXT_V "        S2R R1, SR_CTAID.X ;\n"
                                "        ISETP.NE.AND P0, PT, R1, RZ, PT ;\n"
                                "@P0     BRA late ;\n"
                                "        LDG.E R8, [R6] ;\n"
                                "        EXIT ;\n"
                                "late:\n" TEXT_TURNS("0x20", "") "        BPT.TRAP ;\n        EXIT ;\n.end\n";

/* A trap asks the host for nothing: not even of this launch's end is a page in the list. */
static void absent_trap(struct scene *c) {
  scene_text(c, ends_late, 2, 1);
  paged_map(&c->x, PAGE(1), 3, 0);
  c->x.p.launch.fault_trap = true;
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_run(c, HEDDLE_SESSION_TRAPPED);
  scene_unlisted(c);
  scene_trapped(c, HEDDLE_TRAP_PAGE, V);
}

static void set_entry(struct scene *c, uint64_t at, uint64_t bits) {
  uint64_t e;
  memcpy(&e, c->x.image + (at - PAGED_BASE), 8);
  e |= bits;
  memcpy(c->x.image + (at - PAGED_BASE), &e, 8);
}

/* A bit above those of a physical address. */
static void malformed(struct scene *c) {
  scene_text(c, TEXT_LOADS, 1, 1);
  paged_map(&c->x, V, 3, 0);
  set_entry(c, paged_entry(&c->x, V, 0), UINT64_C(1) << 45);
  c->x.p.launch.fault_trap = true;
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_trap(c, HEDDLE_TRAP_PAGE, V);
}

/* A table where there is no memory. */
static void no_memory(struct scene *c) {
  scene_text(c, TEXT_LOADS, 1, 1);
  paged_map(&c->x, V, 3, 0);
  set_entry(c, paged_entry(&c->x, V, 1), UINT64_C(0x8) << 36);
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_trap(c, HEDDLE_TRAP_BUS, V);
  scene_check(c, c->lists == 0, "the host was asked");
}

/* ---- what is kept ---- */

/* Two spaces whose pages lie in frames of their own; a launch in each, and one more in the first. */
static void spaces(struct scene *c) {
  scene_text(c, TEXT_MOVES, 1, 1);
  const uint64_t first = c->x.root;
  paged_map(&c->x, V, 3, 0);
  paged_map(&c->x, PAGE(1), 4, RW);
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_run(c, HEDDLE_SESSION_OK);
  paged_space(&c->x, PAGED_SPACE + 1);
  paged_map(&c->x, V, 5, 0);
  paged_map(&c->x, PAGE(1), 6, RW);
  scene_run(c, HEDDLE_SESSION_OK);
  scene_check(c, scene_word(c, 4, 1) == scene_word(c, 3, 1), "frame 4 is not as frame 3");
  scene_check(c, scene_word(c, 6, 1) == scene_word(c, 5, 1), "frame 6 is not as frame 5");
  c->x.p.launch.space = PAGED_SPACE;
  c->x.p.launch.page_root = first;
  scene_run(c, HEDDLE_SESSION_OK);
}

static const char apart[] = ".kernel k\n" TEXT_V "        LDG.E R8, [R6] ;\n"
                            "        LDG.E R9, [R6+0x3000] ;\n"
                            "        IADD3 R8, R8, R9, RZ ;\n"
                            "        STG.E [R6+0xf000], R8 ;\n"
                            "        EXIT ;\n.end\n";

/* Far places of one large page. */
static void big(struct scene *c) {
  scene_text(c, apart, 1, 1);
  paged_map_big(&c->x, V, RW);
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_run(c, HEDDLE_SESSION_OK);
  scene_check(c, scene_word(c, 15, 2) == scene_word(c, 0, 2) + scene_word(c, 3, 2), "the sum is 0x%x",
              scene_word(c, 15, 2));
}

/* ---- invalidations ---- */

#define OTHER (V + HEDDLE_PAGE_BIG) /* the page that the launch then waits for */

static const char again[] = ".kernel k\n" TEXT_V "        LDG.E R8, [R6+0x1000] ;\n"
                            "        IADD3 R8, R8, 0x1, RZ ;\n"
                            "        LDG.E R9, [R6+0x200000] ;\n"
                            "        IADD3 R9, R9, R8, RZ ;\n"
                            "        MEMBAR.GPU ;\n"
                            "        LDG.E R10, [R6+0x1000] ;\n"
                            "        IADD3 R10, R10, R9, RZ ;\n"
                            "        STG.E [R6+0x200000], R10 ;\n"
                            "        EXIT ;\n.end\n";

/* The host gives the page another frame (0: takes its bits alone) while it is asked for another one. */
static void change(struct scene *c, uint64_t at, uint64_t entry, uint64_t want, unsigned what) {
  if (c->lists != 1) return;
  scene_exchange(c, at, entry, want);
  (void)heddle_session_invalidate(c->s, what, PAGED_SPACE, PAGE(1));
}

static void moved(struct scene *c, unsigned what) {
  change(c, paged_entry(&c->x, PAGE(1), 0), ENTRY(7, A | D | RW), ENTRY(1, A), what);
}
static void moved_page(struct scene *c) {
  moved(c, 0);
}
static void moved_space(struct scene *c) {
  moved(c, 1);
}
static void moved_all(struct scene *c) {
  moved(c, 3);
}
static void stale(struct scene *c, void (*before)(struct scene *c)) {
  scene_text(c, again, 1, 1);
  paged_map(&c->x, PAGE(1), 1, 0);
  scene_brings(c, OTHER, 9, RW);
  c->before = before;
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  const uint32_t sum = scene_word(c, 1, 0) + 1 + scene_word(c, 9, 0) + scene_word(c, 7, 0);
  scene_run(c, HEDDLE_SESSION_OK);
  scene_seen(c, OTHER, 1, HEDDLE_PAGE_ABSENT, HEDDLE_PAGE_LOAD);
  scene_check(c, scene_word(c, 9, 0) == sum, "the sum is 0x%x", scene_word(c, 9, 0));
  scene_check(c, scene_entry(c, PAGE(1)) == ENTRY(7, A | D | RW), "the entry is 0x%llx",
              (unsigned long long)scene_entry(c, PAGE(1)));
}
static void stale_page(struct scene *c) {
  stale(c, moved_page);
}
static void stale_space(struct scene *c) {
  stale(c, moved_space);
}
static void stale_all(struct scene *c) {
  stale(c, moved_all);
}

/* Of a large page, whose place a table of small ones takes. */
static void split(struct scene *c) {
  change(c, paged_entry(&c->x, V, 1), c->split, ENTRY(0, A), 0);
}
static void stale_big(struct scene *c) {
  scene_text(c, again, 1, 1);
  paged_map(&c->x, PAGE(1), 7, A);
  const uint64_t at = paged_entry(&c->x, V, 1);
  memcpy(&c->split, c->x.image + (at - PAGED_BASE), 8);
  memset(c->x.image + (at - PAGED_BASE), 0, 8);
  paged_map_big(&c->x, V, 0);
  scene_brings(c, OTHER, 9, RW);
  c->before = split;
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  const uint32_t sum = scene_word(c, 1, 0) + 1 + scene_word(c, 9, 0) + scene_word(c, 7, 0);
  scene_run(c, HEDDLE_SESSION_OK);
  scene_check(c, scene_word(c, 9, 0) == sum, "the sum is 0x%x", scene_word(c, 9, 0));
}

const struct scenario scenarios_of_tables[] = {{"load_store", load_store},
                                               {"atomic", atomic},
                                               {"copy", copy},
                                               {"protected_trap", protected_trap},
                                               {"protected_fail", protected_fail},
                                               {"absent_fail", absent_fail},
                                               {"absent_trap", absent_trap},
                                               {"malformed", malformed},
                                               {"no_memory", no_memory},
                                               {"spaces", spaces},
                                               {"big", big},
                                               {"stale_page", stale_page},
                                               {"stale_space", stale_space},
                                               {"stale_all", stale_all},
                                               {"stale_big", stale_big},
                                               {NULL, NULL}};

/* Scenarios of what waits for pages: several warps and SMs at once, lists of several pages, REPLAY and FAIL,
 * invalidations of what is under way. */

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
