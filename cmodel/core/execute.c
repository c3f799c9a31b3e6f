/* SPDX-License-Identifier: Apache-2.0
 *
 * Row operations on the registers of a warp.
 */
#include "execute.h"

#include <stdio.h>

const uint32_t *source_row(const struct warp *w, const struct dsrc *s, unsigned word) {
  return s->fixed != NULL ? s->fixed + (size_t)word * HEDDLE_LANES : w->row[s->row + word];
}

uint32_t undefined_lanes(const struct warp *w, const struct dop *op, uint32_t exec, char *what, size_t room) {
  static const char name[3] = {'a', 'b', 'c'};
  for (unsigned k = 0; k < 3; k++) {
    const struct dsrc *s = &op->src[k];
    if (s->fixed != NULL) continue;
    for (unsigned i = 0; i < s->words; i++) {
      const uint32_t bad = exec & ~w->defined[s->row + i];
      if (bad == 0) continue;
      snprintf(what, room, "R%u (operand %c)", s->row + i, name[k]);
      return bad;
    }
  }
  for (unsigned k = 0; k < 3; k++) {
    const uint32_t bad = exec & ~w->pred_defined[op->ps[k]];
    if (bad == 0) continue;
    snprintf(what, room, "P%u", op->ps[k]);
    return bad;
  }
  return 0;
}

void row_execute(const struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec, struct sem_io *io) {
  row_run(m->sem->modify, w, op, exec, io);
}
