/* SPDX-License-Identifier: Apache-2.0
 *
 * From the words of a port to the C struct: the layout of cosim/retire/README.md, by the table that was made of it.
 * What lies before the first array whose size a machine chooses is as in C; those arrays follow, in the machine's
 * sizes.
 */
#include <string.h>

#include <heddle/record_banks.h>
#include <heddle/retire_fields.h>
#include "cosim/attach/attached.h"

static unsigned dim_size(const struct heddle_core *core, int dim, unsigned otherwise) {
  return dim == HEDDLE_RECORD_DIM_LANES ? core->lanes : dim == HEDDLE_RECORD_DIM_BANKS ? core->shared_banks : otherwise;
}

static bool sized(const struct heddle_record_field *f) {
  return f->dim == HEDDLE_RECORD_DIM_LANES || f->outer == HEDDLE_RECORD_DIM_LANES ||
         f->outer == HEDDLE_RECORD_DIM_BANKS;
}

/* Rows and columns of a sized array at the port. */
static unsigned field_rows(const struct heddle_core *core, const struct heddle_record_field *f) {
  return f->rows == 1 ? 1 : dim_size(core, f->outer, f->rows);
}

static unsigned columns_of(const struct heddle_core *core, const struct heddle_record_field *f) {
  return dim_size(core, f->dim, f->columns);
}

size_t attach_words(const struct heddle_core *core, unsigned kind) {
  if (!HEDDLE_RECORD_IS_KIND(kind)) return 0;
  const struct heddle_record_layout *l = &record_layouts[kind];
  size_t bytes = l->head;
  for (unsigned i = 0; i < l->fields; i++) {
    const struct heddle_record_field *f = &record_fields[l->first + i];
    if (sized(f)) bytes += (size_t)field_rows(core, f) * columns_of(core, f) * f->bytes;
  }
  return bytes / 4;
}

/* Bytes [at, at + n) of the words; what is not there is 0. Little-endian, as the trace is. */
static void copy_word_bytes(uint8_t *to, const uint32_t *word, size_t words, size_t at, size_t n) {
  const size_t have = words * 4;
  memset(to, 0, n);
  if (at < have) memcpy(to, (const uint8_t *)word + at, n < have - at ? n : have - at);
}

bool attach_unpack(const struct heddle_core *core, unsigned kind, const uint32_t *word, size_t words,
                   struct heddle_retire_record *r) {
  memset(r, 0, sizeof *r);
  r->kind = kind;
  if (!HEDDLE_RECORD_IS_KIND(kind) || words > attach_words(core, kind)) return false;
  const struct heddle_record_layout *l = &record_layouts[kind];
  size_t at = l->head;
  copy_word_bytes((uint8_t *)&r->u, word, words, 0, at);
  for (unsigned i = 0; i < l->fields; i++) {
    const struct heddle_record_field *f = &record_fields[l->first + i];
    if (!sized(f)) continue;
    const size_t row = (size_t)columns_of(core, f) * f->bytes;
    for (unsigned k = 0; k < field_rows(core, f); k++, at += row)
      copy_word_bytes((uint8_t *)&r->u + f->offset + k * f->row_step, word, words, at, row);
  }
  if (kind == HEDDLE_RECORD_SHARED) heddle_record_spread_banks(&r->u.shared, core->shared_banks);
  return true;
}
