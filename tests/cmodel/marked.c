/* SPDX-License-Identifier: Apache-2.0 */
#include "marked.h"

#include <string.h>

#include "tests/test.h"

enum { SHARED = 0x200, LOCAL = 0x40, WAYS = 2 };

void marked_begin(struct machine *x, const char *text) {
  machine_init(x);
  x->launch.shared_bytes = SHARED;
  x->launch.local_bytes = LOCAL;
  machine_text(x, text);
}

static enum heddle_status in_lockstep(struct machine *x) {
  static struct heddle_effect e;
  static struct heddle_performed p;
  machine_lockstep(x);
  for (;;) {
    enum heddle_status s = heddle_warp_issue(x->model, 0, &e);
    if (s == HEDDLE_OK) s = heddle_perform_whole(x->model, 0, &e, &p);
    if (s == HEDDLE_OK && e.bar_wait != 0) s = heddle_barrier_release(x->model, 0, e.bar_id);
    if (s != HEDDLE_OK) return s;
    if (e.warp_ended) return heddle_model_end(x->model);
  }
}

enum heddle_status marked_run(struct machine *x, unsigned way) {
  return way == 0 ? machine_run(x) : in_lockstep(x);
}

void marked_good(const char *text) {
  for (unsigned way = 0; way < WAYS; way++) {
    struct machine x;
    marked_begin(&x, text);
    EXPECT(&x, HEDDLE_OK, marked_run(&x, way));
    machine_free(&x);
  }
}

void marked_bad(const char *text, const struct marked_use *want) {
  for (unsigned way = 0; way < WAYS; way++) {
    struct machine x;
    marked_begin(&x, text);
    const enum heddle_status s = marked_run(&x, way);
    const struct heddle_undefined *u = heddle_model_undefined(x.model);
    if (s != HEDDLE_UNDEFINED) fail_msg("way %u: status %d for\n%s%s", way, (int)s, text, heddle_model_diag(x.model));
    if (u->pc != want->pc || u->lanes != want->lanes || strcmp(u->what, want->what) != 0)
      fail_msg("way %u: '%s' at 0x%x lanes 0x%08x, want '%s' at 0x%x lanes 0x%08x in\n%s", way, u->what, u->pc,
               u->lanes, want->what, want->pc, want->lanes, text);
    if (want->origin != NULL && (strcmp(u->origin, want->origin) != 0 || u->first_pc != want->first_pc))
      fail_msg("way %u: from '%s' at 0x%x, want '%s' at 0x%x in\n%s", way, u->origin, u->first_pc, want->origin,
               want->first_pc, text);
    machine_free(&x);
  }
}
