/* SPDX-License-Identifier: Apache-2.0
 *
 * NAME_tables.py: what a reader and writer of traces in Python needs to know of records
 * (cosim/kit/trace/heddle_trace.py).
 */
#include <string.h>

#include "cosim/retire/gen/records.h"

static bool has_lanes(const struct records *r, const struct records_field *x) {
  return x->dims > 0 && strcmp(r->dim[x->dim[x->dims - 1]].name, "LANES") == 0;
}

/* Field x, or number y of the struct that it is. */
static void emit_number(const struct records *r, const struct records_shape *s, const struct records_field *x,
                        const struct records_field *y, FILE *f) {
  const struct records_field *n = y != NULL ? y : x;
  const bool rows = x->dims == 2 || x->when != RECORDS_NONE;
  const unsigned outer = x->dims > 0 ? r->dim[x->dim[0]].size : 1, inner = x->dims == 2 ? r->dim[x->dim[1]].size : 1;
  const int option = records_option(r, s, x);
  fprintf(f, "        (\"%s%s%s\", %u, %u, ", x->name, y != NULL ? "." : "", y != NULL ? y->name : "",
          n->bits > 64 ? 8 : n->bits / 8, rows ? outer : 1);
  if (has_lanes(r, x))
    fprintf(f, "LANES, ");
  else
    fprintf(f, "%u, ", n->bits > 64 ? 2 : rows ? inner : outer);
  fprintf(f, x->when != RECORDS_NONE ? "\"%s\", " : "None, ", x->when != RECORDS_NONE ? r->field[x->when].name : "");
  if (option != RECORDS_NONE)
    fprintf(f, "%d),\n", option);
  else
    fprintf(f, "None),\n");
}

static void emit_numbers(const struct records *r, const struct records_shape *s, FILE *f) {
  const struct records_shape *of = records_fields_of(r, s);
  for (unsigned i = of->first; i < of->first + of->fields; i++) {
    const struct records_field *x = &r->field[i];
    if (x->shape == RECORDS_NONE) emit_number(r, s, x, NULL, f);
    for (unsigned k = 0; x->shape != RECORDS_NONE && k < r->shape[x->shape].fields; k++)
      emit_number(r, s, x, &r->field[r->shape[x->shape].first + k], f);
  }
}

static void emit_options(const struct records *r, FILE *f) {
  fprintf(f, "\n# Fields that a port may leave out of a record that it shows: bit i of the options.\nOPTIONS = (\n");
  for (unsigned i = 0; i < r->shapes; i++) {
    const struct records_shape *s = &r->shape[i];
    for (unsigned k = s->first; s->record && k < s->first + s->fields; k++)
      if (records_option(r, s, &r->field[k]) != RECORDS_NONE) fprintf(f, "    \"%s.%s\",\n", s->name, r->field[k].name);
  }
  fprintf(f, ")\n");
}

void records_emit_python(const struct records *r, FILE *f) {
  fprintf(f,
          "# SPDX-License-Identifier: Apache-2.0\n# Generated from %s.records; do not edit.\n\"\"\"%s\"\"\"\n\n"
          "VERSION = %u\nLANES = \"lanes\"  # as many columns as the machine has lanes\n",
          r->name, r->text, r->version);
  for (unsigned i = 0; i < r->dims; i++)
    if (strcmp(r->dim[i].name, "LANES") != 0) fprintf(f, "%s = %u\n", r->dim[i].name, r->dim[i].size);
  fprintf(
      f,
      "\n# By number of the kind: its name, and its numbers in the order in which they are written: name, bytes,\n"
      "# rows, columns, the field whose bit i says that row i is there, the option that leaves it out.\nKINDS = {\n");
  for (unsigned i = 0; i < r->shapes; i++) {
    if (!r->shape[i].record) continue;
    fprintf(f, "    %u: (\"%s\", (\n", r->shape[i].kind, r->shape[i].name);
    emit_numbers(r, &r->shape[i], f);
    fprintf(f, "    )),\n");
  }
  fprintf(f, "}\n");
  emit_options(r, f);
  fprintf(f, "\n# By profile: kinds and options that it does without, as masks.\nHIDDEN = (\n");
  for (unsigned p = 0; p < RECORDS_PROFILES; p++) {
    uint32_t kinds, options;
    records_hidden_by(r, p, &kinds, &options);
    fprintf(f, "    (0x%x, 0x%x),\n", kinds, options);
  }
  fprintf(f, ")\n\n# Kinds that are kept for later.\nRESERVED = {\n");
  for (unsigned i = 0; i < r->reserves; i++) fprintf(f, "    %u: \"%s\",\n", r->reserved[i].kind, r->reserved[i].name);
  fprintf(f, "}\n");
}
