/* SPDX-License-Identifier: Apache-2.0
 *
 * Cuts of a space: which warp slots' accesses may be performed now.
 */
#include <string.h>

#include "cosim/digest/internal.h"

/* The end of the cut that begins at mark `at`. */
static size_t cut_end(const struct told_marks *m, size_t at) {
  while (at < m->n && m->at[at].more) at++;
  return at + 1;
}

static void load_cut(struct order *o) {
  const struct told_marks *m = o->marks;
  memset(o->left, 0, sizeof o->left);
  o->left_all = 0;
  o->cut = 0;
  if (o->at >= m->n) return;
  const size_t end = cut_end(m, o->at);
  if (end > m->n) return; /* its last marks were lost: those that came name what is in no order */
  for (; o->at < end; o->at++) {
    const struct told_mark *k = &m->at[o->at];
    if (o->left[k->slot] != 0) o->wrong = "a cut has two marks of one warp slot";
    o->left[k->slot] = k->n;
    o->left_all += k->n;
  }
  o->cut = ++o->cuts;
}

void order_begin(struct order *o, const struct told_marks *marks, bool whole) {
  *o = (struct order){.marks = marks};
  if (whole && marks->n != 0 && marks->at[marks->n - 1].more) o->wrong = "the last cut has no last mark";
  load_cut(o);
}

bool order_allows(const struct order *o, unsigned slot, bool *named) {
  *named = o->cut != 0 && o->left[slot] != 0;
  return *named || o->cut == 0;
}

void order_performed(struct order *o, unsigned slot) {
  if (o->cut == 0 || o->left[slot] == 0) return;
  o->left[slot]--;
  if (--o->left_all == 0) load_cut(o);
}
