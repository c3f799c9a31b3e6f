/* SPDX-License-Identifier: Apache-2.0
 *
 * One record as bytes: kind, version, size of its body, cycle as a difference, then its numbers in the order of
 * cosim/retire/retire.records; rows only as long as the machine has lanes, and only those that are there; of fields
 * those that its port shows. One walk over one table serves both directions, so that writer and reader cannot disagree
 * about the layout.
 */
#include <stdarg.h>

#include <heddle/retire_fields.h>
#include "cosim/trace/wire.h"

_Static_assert(HEDDLE_TRACE_RECORD_MAX >= sizeof(struct heddle_retire_record) + 16,
               "room for the longest record and its head");
_Static_assert(sizeof record_layouts / sizeof *record_layouts == HEDDLE_RECORD_KINDS, "each kind has a layout");

struct walk {
  struct wire w;
  bool write;
  unsigned lanes;
  struct heddle_record_hidden hidden;
};

static void walk_number(struct walk *k, uint8_t *field, unsigned bytes) {
  uint64_t v = 0;
  if (k->write) {
    memcpy(&v, field, bytes); /* little-endian hosts; the header is refused elsewhere */
    wire_put(&k->w, v, bytes);
  } else {
    v = wire_get(&k->w, bytes);
    memcpy(field, &v, bytes);
  }
}

/* `columns` numbers of one row. */
static void walk_row(struct walk *k, const struct heddle_record_field *f, uint8_t *at, unsigned columns) {
  if (f->step != f->bytes) {
    for (unsigned i = 0; i < columns; i++) walk_number(k, at + i * f->step, f->bytes);
  } else if (k->write) {
    wire_bytes(&k->w, at, (size_t)columns * f->bytes);
  } else {
    wire_take(&k->w, at, (size_t)columns * f->bytes);
  }
}

static void field(struct walk *k, const struct heddle_record_field *f, uint8_t *body) {
  uint64_t there = ~UINT64_C(0);
  if (f->option >= 0 && !heddle_record_shows_field(k->hidden, (enum heddle_record_option)f->option)) return;
  if (f->when_bytes != 0) {
    there = 0;
    memcpy(&there, body + f->when, f->when_bytes);
  }
  const unsigned columns = f->dim == HEDDLE_RECORD_DIM_LANES ? k->lanes : f->columns;
  for (unsigned i = 0; i < f->rows; i++)
    if (f->when_bytes == 0 || (there >> i & 1u) != 0) walk_row(k, f, body + f->offset + i * f->row_step, columns);
}

static void walk_body(struct walk *k, struct heddle_retire_record *r) {
  const struct heddle_record_layout *l = &record_layouts[r->kind];
  for (unsigned i = 0; i < l->fields; i++) field(k, &record_fields[l->first + i], (uint8_t *)&r->u);
}

size_t heddle_trace_encode(const struct heddle_retire_record *r, const struct heddle_trace_header *h,
                           uint64_t last_cycle, uint8_t *buf) {
  struct heddle_retire_record copy = *r;
  struct walk k = {{buf, buf + HEDDLE_TRACE_RECORD_MAX, false}, true, h->lanes, h->hidden};
  if (!HEDDLE_RECORD_IS_KIND(r->kind) || h->lanes > HEDDLE_RECORD_LANES ||
      !heddle_record_shows(h->hidden, (enum heddle_record_kind)r->kind))
    return 0;
  wire_put(&k.w, r->kind, 1);
  wire_put(&k.w, HEDDLE_RECORD_VERSION, 1);
  uint8_t *const size = k.w.at;
  wire_put(&k.w, 0, 2);
  wire_put(&k.w, r->cycle - last_cycle, 8);
  const uint8_t *const body = k.w.at;
  walk_body(&k, &copy);
  const size_t n = (size_t)(k.w.at - body);
  size[0] = (uint8_t)n;
  size[1] = (uint8_t)(n >> 8);
  return k.w.bad ? 0 : (size_t)(k.w.at - buf);
}

static bool refuse_record(char *why, size_t why_bytes, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static bool refuse_record(char *why, size_t why_bytes, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(why, why_bytes, fmt, ap);
  va_end(ap);
  return false;
}

/* A record of another version, or of a kind that came later, is refused by name; so is one of a kind that the machine
 * is said not to show. */
static bool record_known(unsigned kind, unsigned version, struct heddle_record_hidden h, char *why, size_t why_bytes) {
  for (const struct heddle_record_reserved *x = heddle_record_reserved; x->name != NULL; x++)
    if (kind == x->kind)
      return refuse_record(why, why_bytes, "is of kind %u, '%s', which is kept for later", kind, x->name);
  if (!HEDDLE_RECORD_IS_KIND(kind))
    return refuse_record(why, why_bytes, "is of kind %u, which is not known here", kind);
  if (!heddle_record_shows(h, (enum heddle_record_kind)kind))
    return refuse_record(why, why_bytes, "is '%s', which the machine is said not to show", record_layouts[kind].name);
  if (version == HEDDLE_RECORD_VERSION) return true;
  return refuse_record(why, why_bytes, "is '%s' of version %u; known here is version %u", record_layouts[kind].name,
                       version, HEDDLE_RECORD_VERSION);
}

bool heddle_trace_decode(const uint8_t *buf, size_t size, const struct heddle_trace_header *h, uint64_t last_cycle,
                         struct heddle_retire_record *r, char *why, size_t why_bytes) {
  uint8_t copy[HEDDLE_TRACE_RECORD_MAX];
  memset(r, 0, sizeof *r);
  if (size > sizeof copy || h->lanes > HEDDLE_RECORD_LANES) return refuse_record(why, why_bytes, "has %zu bytes", size);
  memcpy(copy, buf, size);
  struct walk k = {{copy, copy + size, false}, false, h->lanes, h->hidden};
  const unsigned kind = (unsigned)wire_get(&k.w, 1), version = (unsigned)wire_get(&k.w, 1);
  if (k.w.bad) return refuse_record(why, why_bytes, "has no head");
  if (!record_known(kind, version, h->hidden, why, why_bytes)) return false;
  const size_t bytes = (size_t)wire_get(&k.w, 2);
  r->kind = kind;
  r->cycle = last_cycle + wire_get(&k.w, 8);
  if (k.w.bad || bytes != (size_t)(k.w.end - k.w.at))
    return refuse_record(why, why_bytes, "is '%s', whose size is told wrong", record_layouts[kind].name);
  walk_body(&k, r);
  if (!k.w.bad && k.w.at == k.w.end) return true;
  return refuse_record(why, why_bytes, "is '%s' of %zu bytes, which is not what its fields need",
                       record_layouts[kind].name, bytes);
}
