/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/retire/gen/records.h"

static uint32_t up(uint32_t v, uint32_t align) {
  return (v + align - 1) / align * align;
}

static uint32_t align_of(const struct records *r, const struct records_field *x) {
  if (x->shape != RECORDS_NONE) return r->shape[x->shape].align;
  return x->bits > 64 ? 8 : x->bits / 8;
}

/* Elements of a sized array fill whole words, whatever its size is. */
static bool whole_words(const struct records *r, const struct records_field *x) {
  uint32_t least = x->size;
  for (unsigned k = 0; k < x->dims; k++) least *= r->dim[x->dim[k]].multiple;
  return least % 4 == 0;
}

static bool check_sized(const struct records *r, const struct records_shape *s, const struct records_field *x,
                        bool after, struct diag *d) {
  if (!s->record && x->sized) return diag_fail(d, x->at, "%s: a struct has no array of variable size", x->name);
  if (after && !x->sized) return diag_fail(d, x->at, "%s: arrays of variable size come last", x->name);
  if (x->sized && !whole_words(r, x))
    return diag_fail(d, x->at, "%s: an array of variable size consists of 32-bit words", x->name);
  if (x->sized && (align_of(r, x) > 4 || x->offset % 4 != 0))
    return diag_fail(d, x->at, "%s: an array of variable size starts at a 32-bit word", x->name);
  return true;
}

static bool place_field(struct records *r, struct records_shape *s, struct records_field *x, uint32_t *at,
                        struct diag *d) {
  const bool after = s->sized;
  uint32_t elements = 1;
  if (!s->record && (x->dims != 0 || x->shape != RECORDS_NONE))
    return diag_fail(d, x->at, "%s: fields of a struct are numbers", x->name);
  if (x->bits > 64 && (x->dims != 0 || !s->record))
    return diag_fail(d, x->at, "%s: a record may have u128, one by itself", x->name);
  x->size = x->shape != RECORDS_NONE ? r->shape[x->shape].bytes : x->bits / 8;
  for (unsigned k = 0; k < x->dims; k++) {
    elements *= r->dim[x->dim[k]].size;
    x->sized = x->sized || r->dim[x->dim[k]].sized;
  }
  const uint32_t align = align_of(r, x);
  if (align > s->align) s->align = align;
  x->offset = up(*at, align);
  if (!check_sized(r, s, x, after, d)) return false;
  if (x->sized && !after) s->head = x->offset;
  s->sized = s->sized || x->sized;
  *at = x->offset + elements * x->size;
  return *at <= RECORDS_BYTES_MAX || diag_fail(d, x->at, "%s has more than %d bytes", s->name, RECORDS_BYTES_MAX);
}

bool records_place(struct records *r, struct records_shape *s, struct diag *d) {
  uint32_t at = 0;
  if (s->like != RECORDS_NONE) return true;
  if (s->fields == 0) return diag_fail(d, s->at, "%s has no fields", s->name);
  s->align = 1;
  for (unsigned i = s->first; i < s->first + s->fields; i++)
    if (!place_field(r, s, &r->field[i], &at, d)) return false;
  s->bytes = up(at, s->align);
  if (!s->sized) { /* a record is whole words */
    if (s->record) s->bytes = up(s->bytes, 4);
    s->head = s->bytes;
  }
  return true;
}
