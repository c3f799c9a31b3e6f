/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches in the device's queue, of one space or of two: no reset lies between them, so that translations which the
 * first has left are there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "tests/cosim/mmu_scene.h"

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
