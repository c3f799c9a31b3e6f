/* SPDX-License-Identifier: Apache-2.0
 *
 * A stream as a device shows it that shows less.
 */
#include <string.h>

#include <heddle/retire_fields.h>
#include "cosim/kit/conform/set.h"
#include "base/splitmix64.h"

const struct heddle_record_hidden conform_profile[CONFORM_PROFILES] = {HEDDLE_RECORD_HIDDEN_P0, HEDDLE_RECORD_HIDDEN_P1,
                                                                       HEDDLE_RECORD_HIDDEN_P2};

/* The bytes of a field that may be left out. */
static void fill_field(struct heddle_retire_record *r, const struct heddle_record_field *f, uint64_t *noise) {
  uint8_t *const body = (uint8_t *)&r->u + f->offset;
  for (unsigned row = 0; row < f->rows; row++)
    for (unsigned k = 0; k < f->columns * f->step; k++)
      body[row * f->row_step + k] = noise != NULL ? (uint8_t)(splitmix64(noise) >> 40) : 0;
}

void conform_hide(struct stream *s, struct heddle_record_hidden h, uint64_t *noise) {
  size_t n = 0;
  for (size_t i = 0; i < s->n; i++) {
    struct heddle_retire_record r = s->r[i];
    /* Collected operands come with the others where they have no record of their own. */
    if (r.kind == HEDDLE_RECORD_OPERANDS_MEMORY && !heddle_record_shows(h, HEDDLE_RECORD_OPERANDS_MEMORY))
      r.kind = HEDDLE_RECORD_OPERANDS;
    if (HEDDLE_RECORD_IS_KIND(r.kind) && !heddle_record_shows(h, (enum heddle_record_kind)r.kind)) continue;
    if (HEDDLE_RECORD_IS_KIND(r.kind))
      for (unsigned k = 0; k < record_layouts[r.kind].fields; k++) {
        const struct heddle_record_field *f = &record_fields[record_layouts[r.kind].first + k];
        if (f->option >= 0 && !heddle_record_shows_field(h, (enum heddle_record_option)f->option))
          fill_field(&r, f, noise);
      }
    s->r[n++] = r;
  }
  s->n = n;
}

bool conform_same(const struct stream *a, const struct stream *b) {
  return a->n == b->n && memcmp(a->r, b->r, a->n * sizeof *a->r) == 0;
}
