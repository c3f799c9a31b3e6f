/* SPDX-License-Identifier: Apache-2.0
 *
 * NAME_pkg.sv: packed structs with the bytes of the C structs. The first bytes are the lowest bits, so that fields
 * stand in reverse; what alignment leaves open is a field of its own, to be driven 0.
 */
#include "cosim/retire/gen/records.h"

static void emit_pad(unsigned *pads, uint32_t bytes, FILE *f) {
  if (bytes > 0) fprintf(f, "    logic [%u:0] pad%u;\n", 8 * bytes - 1, (*pads)++);
}

/* Many bytes, always as many, are one vector: a wave would show each of them as a signal. */
static bool is_flat(const struct records *r, const struct records_field *x) {
  return x->bits == 8 && x->dims == 1 && !x->sized && r->dim[x->dim[0]].size > 16;
}

static void emit_field(const struct records *r, const struct records_field *x, FILE *f) {
  fprintf(f, "    ");
  if (x->shape == RECORDS_NONE)
    fprintf(f, "logic ");
  else
    fprintf(f, "%s_t ", r->shape[x->shape].name);
  if (is_flat(r, x)) {
    fprintf(f, "[8*%s-1:0] ", r->dim[x->dim[0]].name);
  } else {
    for (unsigned k = 0; k < x->dims; k++) fprintf(f, "[%s-1:0]", r->dim[x->dim[k]].name);
    if (x->shape == RECORDS_NONE)
      fprintf(f, "[%u:0] ", x->bits - 1);
    else if (x->dims > 0)
      fprintf(f, " ");
  }
  fprintf(f, "%s; // %s\n", x->name, x->text);
}

static uint32_t end_of(const struct records *r, const struct records_field *x) {
  uint32_t n = x->size;
  for (unsigned k = 0; k < x->dims; k++) n *= r->dim[x->dim[k]].size;
  return x->offset + n;
}

static void emit_shape(const struct records *r, const struct records_shape *s, FILE *f) {
  unsigned pads = 0;
  fprintf(f, "\n  // %s\n", s->text);
  if (s->like != RECORDS_NONE) {
    fprintf(f, "  typedef %s_t %s_t;\n", r->shape[s->like].name, s->name);
    return;
  }
  uint32_t below = s->head; /* where what has been written begins */
  fprintf(f, "  typedef struct packed {\n");
  for (unsigned i = s->first + s->fields; i-- > s->first;) {
    const struct records_field *x = &r->field[i];
    if (!x->sized) {
      emit_pad(&pads, below - end_of(r, x), f);
      below = x->offset;
    }
    emit_field(r, x, f);
  }
  fprintf(f, "  } %s_t;\n", s->name);
}

/* Dimensions of a record in its group, which has one of each along the group's own. */
static void emit_dims(const struct records *r, const struct records_group *g, const struct records_shape *s, FILE *f) {
  for (unsigned k = g->dim == RECORDS_NONE ? 0 : 1; k < s->dims; k++) fprintf(f, "[%s-1:0]", r->dim[s->dim[k]].name);
  if (s->dims > (g->dim == RECORDS_NONE ? 0 : 1)) fprintf(f, " ");
}

/* Valid bits apart from records, which are whole words: a simulator then copies a record without shifting it. */
static void emit_group(const struct records *r, unsigned n, FILE *f) {
  const struct records_group *g = &r->group[n];
  fprintf(f, "\n  // %s\n  // Which of its records are there, and the records.\n  typedef struct packed {\n", g->text);
  for (unsigned i = 0; i < r->shapes; i++) {
    if (!r->shape[i].record || r->shape[i].group != (int)n) continue;
    fprintf(f, "    logic ");
    emit_dims(r, g, &r->shape[i], f);
    fprintf(f, "%s;\n", r->shape[i].name);
  }
  fprintf(f, "  } %s_valid_t;\n  typedef struct packed {\n", g->name);
  for (unsigned i = 0; i < r->shapes; i++) {
    if (!r->shape[i].record || r->shape[i].group != (int)n) continue;
    fprintf(f, "    %s_t ", r->shape[i].name);
    emit_dims(r, g, &r->shape[i], f);
    fprintf(f, "%s;\n", r->shape[i].name);
  }
  fprintf(f, "  } %s_ret_t;\n", g->name);
}

void records_emit_sv(const struct records *r, FILE *f) {
  fprintf(f, "// SPDX-License-Identifier: Apache-2.0\n// Generated from %s.records; do not edit.\n// %s\n", r->name,
          r->text);
  fprintf(f, "`default_nettype none\n\npackage %s_pkg;\n\n  /* verilator lint_off UNUSEDPARAM */\n", r->name);
  fprintf(f, "  localparam int unsigned VERSION = %u;\n", r->version);
  for (unsigned i = 0; i < r->consts; i++)
    fprintf(f, "  localparam int unsigned %s = %u; // %s\n", r->constant[i].name, r->constant[i].value,
            r->constant[i].text);
  for (unsigned i = 0; i < r->dims; i++)
    fprintf(f, "  localparam int unsigned %s = %s; // %s\n", r->dim[i].name, r->dim[i].port, r->dim[i].text);
  for (unsigned i = 0; i < r->bounds; i++)
    fprintf(f, "  localparam int unsigned %s = %s; // %s\n", r->bound[i].name, r->bound[i].port, r->bound[i].text);
  fprintf(f, "  /* verilator lint_on UNUSEDPARAM */\n");
  for (unsigned i = 0; i < r->shapes; i++) emit_shape(r, &r->shape[i], f);
  for (unsigned i = 0; i < r->groups; i++) emit_group(r, i, f);
  fprintf(f, "\nendpackage\n\n`default_nettype wire\n");
}
