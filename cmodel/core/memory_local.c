/* SPDX-License-Identifier: Apache-2.0
 *
 * Local memory: a slice for each warp slot, the words of its lanes interleaved,
 * as accesses of all lanes to one local address are the usual ones.
 */
#include <stdlib.h>
#include <string.h>

#include "cmodel/core/state.h"

bool local_allocate(struct heddle_model *m) {
  const size_t bytes = (size_t)m->launch.local_bytes * HEDDLE_LANES;
  for (unsigned i = 0; i < m->warp_slots && bytes != 0; i++) {
    struct warp *w = &m->warp[i];
    w->local = calloc(1, bytes);
    w->local_defined = calloc(1, bytes);
    w->local_words = 0;
    if (w->local == NULL || w->local_defined == NULL) return false;
    if (m->tell == HEDDLE_TELL_NOTHING) memset(w->local_defined, 0xff, bytes);
  }
  return true;
}

void local_free(struct heddle_model *m) {
  for (unsigned i = 0; i < m->warp_slots && m->warp != NULL; i++) {
    free(m->warp[i].local);
    free(m->warp[i].local_defined);
    free(m->warp[i].local_from);
    m->warp[i].local = m->warp[i].local_defined = NULL;
    m->warp[i].local_from = NULL;
    m->warp[i].local_words = 0; /* nothing to clear at the next start */
  }
}

void local_begin(const struct heddle_model *m, struct warp *w) {
  uint8_t *const stale = m->tell == HEDDLE_TELL_NOTHING ? w->local : w->local_defined;
  if (w->local_words != 0) memset(stale, 0, (size_t)w->local_words * 4 * HEDDLE_LANES);
  w->local_words = 0;
  free(w->local_from);
  w->local_from = NULL;
}
