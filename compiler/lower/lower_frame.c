/* SPDX-License-Identifier: Apache-2.0
 *
 * For sanitizers: a thread's own arrays stand apart, and where they are. clang makes one variable of a function's
 * arrays, its depot; a driver that has put room between them says how it is cut in a variable `heddle_locals_FUNCTION`
 * (run/programs/cc.c): a number of parts; for each its bytes, its bytes with the room behind it, its
 * alignment, 64 bits each; their names, each with a zero behind it.
 */
#include <string.h>

#include "compiler/lower/lower_frame.h"

#define TABLE "heddle_locals_"
#define DEPOT "__local_depot"

enum { NUMBERS = 3, PARTS_MOST = 4096 };

void lower_take_tables(struct ptx_module *m) {
  struct ptx_variable **last = &m->tables;
  for (struct ptx_variable **at = &m->variables; *at;) {
    struct ptx_variable *v = *at;
    if (strncmp(v->name, TABLE, sizeof TABLE - 1) != 0 || !v->init) {
      at = &v->next;
      continue;
    }
    *at = v->next;
    v->next = NULL;
    *last = v;
    last = &v->next;
  }
}

static const struct ptx_variable *table_of(const struct lower *l) {
  const struct ptx_variable *v = l->tables;
  while (v && strcmp(v->name + sizeof TABLE - 1, l->frame->function->name) != 0) v = v->next;
  return v;
}

static uint64_t table_number(const struct ptx_variable *v, uint64_t k) {
  uint64_t n = 0;
  for (unsigned b = 8; b-- > 0;) n = n << 8 | v->init[8 * k + b];
  return n;
}

static void add_own(struct lower *l, const char *name, uint32_t at, uint32_t bytes, uint32_t gap) {
  struct ir_own *o = ptx_alloc(l->a, sizeof *o);
  *o = (struct ir_own){.name = name, .offset = at, .bytes = bytes, .gap = gap, .next = *layout_own(l->f)};
  *layout_own(l->f) = o;
}

/* Where part k begins behind `at`; false: it is not one of v's. */
static bool place_part(const struct ptx_variable *table, const struct ptx_variable *v, uint64_t k, uint64_t *at) {
  const uint64_t bytes = table_number(table, NUMBERS * k + 1), whole = table_number(table, NUMBERS * k + 2),
                 align = table_number(table, NUMBERS * k + 3);
  if (align == 0 || align > v->bytes || bytes > whole || whole > v->bytes) return false;
  *at = (*at + align - 1) / align * align;
  return *at <= v->bytes - whole;
}

/* The parts fill the variable but for its last alignment: then they lie as the table says. */
static bool parts_fit(const struct ptx_variable *table, const struct ptx_variable *v) {
  const uint64_t n = table->bytes >= 8 ? table_number(table, 0) : 0;
  uint64_t at = 0;
  if (n > PARTS_MOST || table->bytes < 8 * (1 + NUMBERS * n)) return false;
  for (uint64_t k = 0; k < n; k++) {
    if (!place_part(table, v, k, &at)) return false;
    at += table_number(table, NUMBERS * k + 2);
  }
  return v->align != 0 && (at + v->align - 1) / v->align * v->align == v->bytes;
}

static void add_parts(struct lower *l, const struct ptx_variable *table, const struct ptx_variable *v, uint32_t first) {
  const uint64_t n = table_number(table, 0);
  const char *name = (const char *)table->init + 8 * (1 + NUMBERS * n);
  const char *end = (const char *)table->init + table->bytes;
  uint64_t at = 0;
  for (uint64_t k = 0; k < n && place_part(table, v, k, &at); k++) {
    const uint64_t bytes = table_number(table, NUMBERS * k + 1), whole = table_number(table, NUMBERS * k + 2);
    const size_t length = strnlen(name, (size_t)(end - name));
    if (whole > bytes)
      add_own(l, ptx_intern(l->a, name, length), first + (uint32_t)at, (uint32_t)bytes, (uint32_t)(whole - bytes));
    name += length + (name + length < end);
    at += whole;
  }
}

void lower_apart(struct lower *l, const struct ptx_variable *v) {
  uint32_t offset;
  if (l->shared_gap == 0 || !layout_get(l->f->layout, v, &offset)) return;
  const bool depot = strncmp(v->name, DEPOT, sizeof DEPOT - 1) == 0;
  const struct ptx_variable *table = depot ? table_of(l) : NULL;
  if (table && parts_fit(table, v)) add_parts(l, table, v, offset);
  if (!depot) add_own(l, v->name, offset, (uint32_t)v->bytes, l->shared_gap);
  l->local_at += l->shared_gap;
}
