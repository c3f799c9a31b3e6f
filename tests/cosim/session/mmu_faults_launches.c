/* SPDX-License-Identifier: Apache-2.0
 *
 * Scenarios of launches one behind the other: what the first has left, the second must not find.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "tests/cosim/session/mmu_scene.h"

/* Every warp slot of every SM has a block of the grid's: 16 blocks of a warp, one behind the other in memory. Addresses
 * are those of a parameter, for they are physical without pages. */
#define BLOCKS 16u
#define TEXT_AT                                                                                                        \
  ".param u64 at\n        S2R R0, SR_LANEID ;\n        S2R R1, SR_CTAID.X ;\n        MOV R4, c[0x0][at] ;\n"           \
  "        MOV R5, c[0x0][at+4] ;\n        IMAD.WIDE R6, R0, 0x4, R4 ;\n        IMAD.WIDE R6, R1, 0x400, R6 ;\n"       \
  "        SHF.L.U32 R2, R0, 0x2, RZ ;\n"

/* Registers of both banks, predicates and shared memory are filled ... */
static const char fills[] = ".kernel k\n.shared room 1024\n" TEXT_AT "        IADD3 R8, R0, 0x1234, RZ ;\n"
                            "        IADD3 R9, R0, 0x2345, RZ ;\n"
                            "        IADD3 R10, R0, 0x3456, RZ ;\n"
                            "        IADD3 R11, R0, 0x4567, RZ ;\n"
                            "        ISETP.NE.AND P1, PT, R9, RZ, PT ;\n"
                            "        ISETP.NE.AND P2, PT, R9, RZ, PT ;\n"
                            "        STS [R2+room], R8 ;\n"
                            "        STS [R2+room+0x80], R9 ;\n"
                            "        STG.E [R6], R8 ;\n"
                            "        EXIT ;\n.end\n";
/* ... and are shown by the next launch, which has written none of them. */
static const char shows[] = ".kernel k\n.shared room 1024\n" TEXT_AT "        STG.E [R6], R8 ;\n"
                            "        STG.E [R6+0x80], R9 ;\n"
                            "        STG.E [R6+0x100], R10 ;\n"
                            "        STG.E [R6+0x180], R11 ;\n"
                            "        MOV R3, RZ ;\n"
                            "@P1     IADD3 R3, R3, 0x1, RZ ;\n"
                            "@P2     IADD3 R3, R3, 0x1, RZ ;\n"
                            "        STG.E [R6+0x200], R3 ;\n"
                            "        LDS R3, [R2+room] ;\n"
                            "        STG.E [R6+0x280], R3 ;\n"
                            "        LDS R3, [R2+room+0x80] ;\n"
                            "        STG.E [R6+0x300], R3 ;\n"
                            "        EXIT ;\n.end\n";

static const struct {
  const char *name;
  uint32_t value; /* as it was filled; of registers and shared memory in lane 0, and one more in each */
} shown[] = {{"R8", 0x1234},    {"R9", 0x2345},         {"R10", 0x3456},        {"R11", 0x4567},
             {"predicates", 2}, {"shared low", 0x1234}, {"shared high", 0x2345}};
#define SHOWN (sizeof shown / sizeof *shown)
#define PREDICATES 4u /* in `shown` */

static void map_all(struct scene *c) {
  for (unsigned k = 0; k < 4; k++) paged_map(&c->x, PAGE(k), k, RW);
}

/* What the first launch has left there shows in the word `what` of a block, of 8, in this lane. */
static uint32_t shown_word(const struct scene *c, unsigned block, unsigned what, unsigned lane) {
  return scene_word(c, block / 4, block % 4 * 256 + what * 32 + lane);
}

/* In the same space all of it, so that it is known that another one would find it. */
static void check_kept(struct scene *c) {
  for (unsigned i = 0; i < BLOCKS * SHOWN * 32; i++) {
    const unsigned block = i / (SHOWN * 32), what = i / 32 % SHOWN, lane = i % 32;
    const uint32_t w = shown_word(c, block, what, lane);
    const uint32_t want = shown[what].value + (what == PREDICATES ? 0 : lane);
    scene_check(c, w == want, "of block %u, lane %u, %s: 0x%x instead of 0x%x", block, lane, shown[what].name, w, want);
  }
}

/* In another one nothing of it. */
static void check_wiped(struct scene *c) {
  char left[200] = "";
  for (unsigned what = 0; what < SHOWN; what++) {
    uint32_t in = 0;
    for (unsigned i = 0; i < BLOCKS * 32; i++) in |= (uint32_t)(shown_word(c, i / 32, what, i % 32) != 0) << i % 32;
    const size_t n = strlen(left);
    if (in != 0) (void)snprintf(left + n, sizeof left - n, " %s 0x%08x", shown[what].name, in);
  }
  scene_check(c, left[0] == '\0', "left in lanes:%s.", left);
}

/* The device alone: what nobody has written is not compared. */
static void fill(struct scene *c) {
  scene_text(c, fills, BLOCKS, 1);
  map_all(c);
  scene_param(c, V);
  scene_open(c, HEDDLE_SESSION_RTL);
  scene_run(c, HEDDLE_SESSION_OK);
  scene_next(c, shows, BLOCKS, 1);
  scene_param(c, V);
}

static void same_space(struct scene *c) {
  fill(c);
  scene_run(c, HEDDLE_SESSION_OK);
  check_kept(c);
}

static void other_space(struct scene *c) {
  fill(c);
  paged_space(&c->x, PAGED_SPACE + 1);
  map_all(c);
  scene_run(c, HEDDLE_SESSION_OK);
  check_wiped(c);
}

/* A launch without pages, whose register SPACE is as before. */
static void without_pages(struct scene *c) {
  fill(c);
  scene_param(c, PAGED_BASE);
  struct heddle_launch *l = &c->x.p.launch;
  l->pages = l->walks_told = false;
  l->code_at = l->cbank_at[0] = 0;
  l->region[0] = (struct heddle_region){PAGED_BASE, PAGED_BASE + PAGED_BYTES, true};
  scene_run(c, HEDDLE_SESSION_OK);
  check_wiped(c);
}

/* ---- code ---- */

static const char straight[] = ".kernel k\n" TEXT_V "        IADD3 R8, R0, 0x1, RZ ;\n"
                               "        IADD3 R8, R8, 0x1, RZ ;\n"
                               "        IADD3 R8, R8, 0x1, RZ ;\n"
                               "        IADD3 R8, R8, 0x1, RZ ;\n"
                               "        IADD3 R8, R8, 0x1, RZ ;\n"
                               "        IADD3 R8, R8, 0x1, RZ ;\n"
                               "        STG.E [R6], R8 ;\n"
                               "        EXIT ;\n.end\n";

#define CODE_PAIR PAGED_BANK /* the code's two frames; behind them the bank's */

/* The program begins so many instructions before the end of its page; the host brings this page of its two, 2: none. */
static void code_at_end(struct scene *c, const char *text, unsigned warps, unsigned before, unsigned absent) {
  scene_text(c, text, 1, warps);
  const unsigned bytes = 16 * before;
  paged_map(&c->x, V, 3, RW);
  memmove(c->x.image + 4096 * (CODE_PAIR + 1) - bytes, c->x.p.launch.code, c->x.p.launch.code_bytes);
  (void)paged_unmap(&c->x, CODE_AT);
  (void)paged_unmap(&c->x, BANK_AT);
  c->x.p.launch.code_at = CODE_AT + 4096 - bytes;
  c->x.p.launch.cbank_at[0] = BANK_AT + 4096;
  memcpy(c->x.image + 4096 * (CODE_PAIR + 2), c->x.p.launch.cbank[0], c->x.p.launch.cbank_bytes[0]);
  paged_map(&c->x, BANK_AT + 4096, CODE_PAIR + 2, 0);
  for (unsigned k = 0; k < 2; k++)
    if (k == absent)
      scene_brings(c, CODE_AT + 4096 * k, CODE_PAIR + k, 0);
    else
      paged_map(&c->x, CODE_AT + 4096 * k, CODE_PAIR + k, 0);
}

static void code(struct scene *c) {
  code_at_end(c, straight, 2, 8, 1);
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_run(c, HEDDLE_SESSION_OK);
  scene_seen(c, CODE_AT + 4096, 1, HEDDLE_PAGE_ABSENT, HEDDLE_PAGE_LOAD);
}

/* A jump back is likely: its target, in the page before, is asked for ahead. The jump waits, by its control code, for a
 * load; then it is not taken. */
static const char passes[] = ".kernel k\nback:\n        EXIT ;\n" TEXT_V "        ISETP.NE.AND P0, PT, RZ, RZ, PT ;\n"
                             "        IADD3 R9, R0, 0x1, RZ ;\n"
                             "[B------:R-:W0:-:S01] LDG.E R8, [R6] ;\n"
                             "[B0-----:R-:W-:-:S01] @P0 BRA back ;\n"
                             "        IADD3 R9, R9, 0x2, RZ ;\n"
                             "        IADD3 R9, R9, 0x3, RZ ;\n"
                             "        EXIT ;\n.end\n";

/* What has been asked for, and is not there, counts for nothing where the warp goes. */
static void not_taken(struct scene *c) {
  code_at_end(c, passes, 1, 1, 0);
  c->x.p.launch.entry_pc = 16;
  c->control = true;
  c->latency = 20;
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_run(c, HEDDLE_SESSION_OK);
  scene_check(c, c->lists == 0, "the host was asked");
}

/* ---- ends ---- */

/* A walk for the constant of an instruction that is jumped over is under way as the program ends: the launch ends
 * behind it, and so the page has A. */
static void ends_walking(struct scene *c) {
  scene_text(c, TEXT_JUMPS, 1, 1);
  c->latency = 200;
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_run(c, HEDDLE_SESSION_OK);
  scene_check(c, (scene_entry(c, BANK_AT) & A) != 0, "the walk has not ended with the launch");
}

const struct scenario scenarios_of_launches[] = {{"same_space", same_space},
                                                 {"other_space", other_space},
                                                 {"without_pages", without_pages},
                                                 {"code", code},
                                                 {"not_taken", not_taken},
                                                 {"ends_walking", ends_walking},
                                                 {NULL, NULL}};

/* Launches in the device's queue, of one space or of two: no reset lies between them, so that translations which the
 * first has left are there. */

#define SMS 4u /* of the machine */

/* The launch in the other space, as it is mapped, behind `first`. */
static void run_behind(struct scene *c, const struct heddle_launch *first) {
  const struct heddle_launch l[2] = {*first, c->x.p.launch};
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_run_queue(c, l, 2);
}

static void check_moved(struct scene *c, unsigned from, unsigned to) {
  scene_check(c, memcmp(c->x.image + 4096 * from, c->x.image + 4096 * to, 128) == 0, "frame %u is not as frame %u", to,
              from);
}

/* Each space moves the first page to the second; the flags are those of the first, in both. */
static struct heddle_launch map_both(struct scene *c, uint64_t flags) {
  scene_text(c, TEXT_MOVES, 1, 1);
  const struct heddle_launch first = c->x.p.launch;
  paged_map(&c->x, V, 3, flags);
  paged_map(&c->x, PAGE(1), 4, RW);
  paged_space(&c->x, PAGED_SPACE + 1);
  paged_map(&c->x, V, 5, flags);
  paged_map(&c->x, PAGE(1), 6, RW);
  return first;
}

/* A translation of the first space is none of the second. */
static void queued_spaces(struct scene *c) {
  const struct heddle_launch first = map_both(c, 0);
  run_behind(c, &first);
  check_moved(c, 3, 4);
  check_moved(c, 5, 6);
}

/* With G it is: the second launch reads what the first has found, and its own entry, which says otherwise, is not even
 * looked at. */
static void global_page(struct scene *c) {
  const struct heddle_launch first = map_both(c, HEDDLE_ENTRY_GLOBAL);
  c->x.p.launch.grid[0] = SMS; /* the second: SMs that have translated nothing ask for it, too */
  run_behind(c, &first);
  check_moved(c, 3, 4);
  check_moved(c, 3, 6);
  scene_check(c, scene_entry(c, V) == ENTRY(5, HEDDLE_ENTRY_GLOBAL), "the entry of the second space is 0x%llx",
              (unsigned long long)scene_entry(c, V));
}

/* The walk for the constant of an instruction that is jumped over ends before the launch does, in its space. */
static void queued_walk(struct scene *c) {
  scene_text(c, TEXT_JUMPS, 1, 1);
  const struct heddle_launch first = c->x.p.launch;
  c->latency = 200;
  paged_space(&c->x, PAGED_SPACE + 1);
  const uint64_t root[2] = {first.page_root, c->x.root};
  run_behind(c, &first);
  for (unsigned k = 0; k < 2; k++) {
    c->x.root = root[k];
    scene_check(c, (scene_entry(c, BANK_AT) & A) != 0, "the walk has not ended with launch %u", k + 1);
  }
}

/* The page of the constant behind the end is absent, and so walked for in each launch; in the second one, which has its
 * code's translation from the first, once its block has ended. That is no sign of the third. */
static void queued_late(struct scene *c) {
  scene_text(c, ".kernel k\n        EXIT ;\n        MOV R0, c[0x0][0x20] ;\n        EXIT ;\n.end\n", 1, 1);
  (void)paged_unmap(&c->x, BANK_AT);
  c->latency = 30;
  const struct heddle_launch l[3] = {c->x.p.launch, c->x.p.launch, c->x.p.launch};
  scene_open(c, HEDDLE_SESSION_LOCKSTEP);
  scene_run_queue(c, l, 3);
}

const struct scenario scenarios_of_queues[] = {{"queued_spaces", queued_spaces},
                                               {"global_page", global_page},
                                               {"queued_walk", queued_walk},
                                               {"queued_late", queued_late},
                                               {NULL, NULL}};
