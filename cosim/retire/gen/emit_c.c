/* SPDX-License-Identifier: Apache-2.0
 *
 * The records as C structs, and tables of them for C, Python and the prose.
 */
#include <ctype.h>
#include <string.h>
#include "cosim/retire/gen/records.h"

/* heddle/NAME_records.h: the records as C structs; heddle/NAME_fields.h: where each number lies, as a table. */

static void emit_upper(FILE *f, const char *s) {
  for (; *s != '\0'; s++) fputc(toupper((unsigned char)*s), f);
}

static void emit_head(const struct records *r, const char *guard, const char *what, FILE *f) {
  fprintf(f, "/* SPDX-License-Identifier: Apache-2.0 */\n/* Generated from %s.records; do not edit. */\n", r->name);
  fprintf(f, "/* %s %s */\n#ifndef HEDDLE_", r->text, what);
  emit_upper(f, r->name);
  fprintf(f, "_%s_H\n#define HEDDLE_", guard);
  emit_upper(f, r->name);
  fprintf(f, "_%s_H\n\n", guard);
}

static void emit_struct_field(const struct records *r, const struct records_field *x, FILE *f) {
  if (x->shape != RECORDS_NONE)
    fprintf(f, "  struct heddle_record_%s %s", r->shape[x->shape].name, x->name);
  else
    fprintf(f, "  uint%u_t %s", x->bits > 64 ? 64 : x->bits, x->name);
  for (unsigned k = 0; k < x->dims; k++) fprintf(f, "[HEDDLE_RECORD_%s]", r->dim[x->dim[k]].name);
  fprintf(f, "%s; /* %s%s */\n", x->bits > 64 ? "[2]" : "", x->text, x->bits > 64 ? "; low half first" : "");
}

/* Bytes after the last field, which a compiler adds by itself up to the alignment. */
static void emit_tail(const struct records *r, const struct records_shape *s, FILE *f) {
  const struct records_field *last = &r->field[s->first + s->fields - 1];
  uint32_t end = last->size;
  for (unsigned k = 0; k < last->dims; k++) end *= r->dim[last->dim[k]].size;
  end = (last->offset + end + s->align - 1) / s->align * s->align;
  if (end < s->bytes) fprintf(f, "  uint8_t tail_pad[%u];\n", s->bytes - end);
}

static void emit_shape(const struct records *r, const struct records_shape *s, FILE *f) {
  if (s->like != RECORDS_NONE) return;
  fprintf(f, "\n/* %s */\nstruct heddle_record_%s {\n", s->text, s->name);
  for (unsigned i = s->first; i < s->first + s->fields; i++) emit_struct_field(r, &r->field[i], f);
  emit_tail(r, s, f);
  fprintf(f, "};\n");
}

static void emit_kinds(const struct records *r, FILE *f) {
  uint64_t known = 0;
  fprintf(f, "\n/* In the order in which records of one cycle follow each other. */\nenum heddle_record_kind {\n");
  for (unsigned i = 0; i < r->shapes; i++) {
    if (!r->shape[i].record) continue;
    fprintf(f, "  HEDDLE_RECORD_");
    emit_upper(f, r->shape[i].name);
    fprintf(f, " = %u,\n", r->shape[i].kind);
    known |= UINT64_C(1) << r->shape[i].kind;
  }
  fprintf(f, "  HEDDLE_RECORD_KINDS = %u\n};\n", records_kinds(r));
  fprintf(f,
          "\n/* Not every number below HEDDLE_RECORD_KINDS is that of a kind. */\n"
          "#define HEDDLE_RECORD_IS_KIND(kind) ((kind) < HEDDLE_RECORD_KINDS && (0x%llxull >> (kind) & 1u) != 0)\n",
          (unsigned long long)known);
}

static void emit_union(const struct records *r, FILE *f) {
  fprintf(f, "\nstruct heddle_%s_record {\n  uint32_t kind;  /* enum heddle_record_kind */\n", r->name);
  fprintf(f, "  uint64_t cycle; /* in which the port showed it */\n  union {\n");
  for (unsigned i = 0; i < r->shapes; i++) {
    const struct records_shape *s = &r->shape[i];
    if (s->record && s->like == RECORDS_NONE) fprintf(f, "    struct heddle_record_%s %s;\n", s->name, s->name);
  }
  fprintf(f, "  } u;\n};\n");
}

/* ---- profiles ---- */

static int records_option(const struct records *r, const struct records_shape *s, const struct records_field *x) {
  int n = 0;
  for (unsigned i = 0; i < r->shapes; i++) {
    const struct records_shape *of = &r->shape[i];
    if (!of->record || of->like != RECORDS_NONE) continue;
    for (unsigned k = of->first; k < of->first + of->fields; k++) {
      if (r->field[k].profile == of->profile) continue;
      if (of == records_fields_of(r, s) && &r->field[k] == x) return n;
      n++;
    }
  }
  return RECORDS_NONE;
}

static void emit_options(const struct records *r, FILE *f) {
  fprintf(f, "\n/* Fields that may be left out of a record that is shown. */\nenum heddle_record_option {\n");
  for (unsigned i = 0; i < r->shapes; i++) {
    const struct records_shape *s = &r->shape[i];
    if (!s->record || s->like != RECORDS_NONE) continue;
    for (unsigned k = s->first; k < s->first + s->fields; k++) {
      if (records_option(r, s, &r->field[k]) == RECORDS_NONE) continue;
      fprintf(f, "  HEDDLE_RECORD_OPTION_");
      emit_upper(f, s->name);
      fputc('_', f);
      emit_upper(f, r->field[k].name);
      fprintf(f, ",\n");
    }
  }
  fprintf(f, "  HEDDLE_RECORD_OPTIONS\n};\n");
}

/* The kinds and options that profile p does without, as masks. */
static void records_hidden_by(const struct records *r, unsigned p, uint32_t *kinds, uint32_t *options) {
  *kinds = *options = 0;
  for (unsigned i = 0; i < r->shapes; i++) {
    const struct records_shape *s = &r->shape[i];
    if (!s->record) continue;
    if (s->profile > p) *kinds |= 1u << s->kind;
    if (s->like != RECORDS_NONE) continue;
    for (unsigned k = s->first; k < s->first + s->fields; k++) {
      const int n = records_option(r, s, &r->field[k]);
      if (n != RECORDS_NONE && r->field[k].profile > p) *options |= 1u << n;
    }
  }
}

static void emit_profiles(const struct records *r, FILE *f) {
  emit_options(r, f);
  fprintf(f, "\n#define HEDDLE_RECORD_PROFILES %uu\n", RECORDS_PROFILES);
  fprintf(f, "/* What a device does not show: bit i of kinds, of options. Nothing set: it shows everything. */\n"
             "struct heddle_record_hidden {\n  uint32_t kinds, options;\n};\n");
  for (unsigned p = 0; p < RECORDS_PROFILES; p++) {
    uint32_t kinds, options;
    records_hidden_by(r, p, &kinds, &options);
    fprintf(f, "#define HEDDLE_RECORD_HIDDEN_P%u ((struct heddle_record_hidden){0x%xu, 0x%xu})\n", p, kinds, options);
  }
  for (unsigned i = 0; i < r->reserves; i++) {
    fprintf(f, "#define HEDDLE_RECORD_RESERVED_");
    emit_upper(f, r->reserved[i].name);
    fprintf(f, " %uu /* %s */\n", r->reserved[i].kind, r->reserved[i].text);
  }
}

void records_emit_c(const struct records *r, FILE *f) {
  emit_head(r, "RECORDS", "", f);
  fprintf(f, "#include <stdint.h>\n\n#define HEDDLE_RECORD_VERSION %uu\n", r->version);
  for (unsigned i = 0; i < r->consts; i++)
    fprintf(f, "#define HEDDLE_RECORD_%s %uu /* %s */\n", r->constant[i].name, r->constant[i].value,
            r->constant[i].text);
  for (unsigned i = 0; i < r->dims; i++)
    fprintf(f, "#define HEDDLE_RECORD_%s %uu /* %s */\n", r->dim[i].name, r->dim[i].size, r->dim[i].text);
  emit_kinds(r, f);
  for (unsigned i = 0; i < r->shapes; i++) emit_shape(r, &r->shape[i], f);
  emit_union(r, f);
  emit_profiles(r, f);
  fprintf(f, "\n#endif\n");
}

/* ---- the table ---- */

/* One number: of field x, or number y of the struct that x is; `rows` of `columns`. */
static void emit_number(const struct records *r, const struct records_shape *s, const struct records_field *x,
                        const struct records_field *y, FILE *f) {
  const struct records_field *n = y != NULL ? y : x;
  const unsigned inner = x->dims == 2 ? r->dim[x->dim[1]].size : 1, outer = x->dims > 0 ? r->dim[x->dim[0]].size : 1;
  fprintf(f, "    {\"%s%s%s\", \"%s\", %u, %u, ", x->name, y != NULL ? "." : "", y != NULL ? y->name : "", s->name,
          x->offset + (y != NULL ? y->offset : 0), n->bits > 64 ? 8 : n->bits / 8);
  /* An array of one dimension is a row of numbers, unless each of them is there by itself; u128 is two numbers. */
  if (n->bits > 64)
    fprintf(f, "1, 16, 2, 8, ");
  else if (x->dims == 1 && x->when == RECORDS_NONE)
    fprintf(f, "1, %u, %u, %u, ", outer * x->size, outer, x->size);
  else
    fprintf(f, "%u, %u, %u, %u, ", outer, inner * x->size, inner, x->size);
  fprintf(f, "%d, ", x->dims > 0 && (x->dims == 2 || x->when == RECORDS_NONE) ? x->dim[x->dims - 1] : -1);
  fprintf(f, "%d, ", x->dims > 0 ? x->dim[0] : -1);
  if (x->when == RECORDS_NONE)
    fprintf(f, "0, 0, ");
  else
    fprintf(f, "%u, %u, ", r->field[x->when].offset, r->field[x->when].bits / 8);
  fprintf(f, "%d},\n", records_option(r, s, x));
}

static unsigned emit_numbers(const struct records *r, const struct records_shape *s, FILE *f) {
  const struct records_shape *of = records_fields_of(r, s);
  unsigned n = 0;
  for (unsigned i = of->first; i < of->first + of->fields; i++) {
    const struct records_field *x = &r->field[i];
    if (x->shape == RECORDS_NONE) {
      emit_number(r, s, x, NULL, f);
      n++;
      continue;
    }
    const struct records_shape *in = &r->shape[x->shape];
    for (unsigned k = in->first; k < in->first + in->fields; k++, n++) emit_number(r, s, x, &r->field[k], f);
  }
  return n;
}

/* By option: its name; and the kinds that are kept for later. */
static void emit_names(const struct records *r, FILE *f) {
  fprintf(f, "/* By enum heddle_record_option. */\nstatic const char *const record_option_names[] = {\n");
  for (unsigned i = 0; i < r->shapes; i++) {
    const struct records_shape *s = &r->shape[i];
    for (unsigned k = s->first; s->record && k < s->first + s->fields; k++)
      if (records_option(r, s, &r->field[k]) != RECORDS_NONE) fprintf(f, "    \"%s.%s\",\n", s->name, r->field[k].name);
  }
  fprintf(f, "    0,\n};\n\n/* Kinds that are kept for later. */\nstatic const struct heddle_record_reserved {\n"
             "  const char *name;\n  unsigned kind;\n} heddle_record_reserved[] = {\n");
  for (unsigned i = 0; i < r->reserves; i++)
    fprintf(f, "    {\"%s\", %u},\n", r->reserved[i].name, r->reserved[i].kind);
  fprintf(f, "    {0, 0},\n};\n\n");
}

void records_emit_table(const struct records *r, FILE *f) {
  unsigned first[RECORDS_SHAPES_MAX], count[RECORDS_SHAPES_MAX], at = 0;
  emit_head(r, "FIELDS", "The place of each number.", f);
  fprintf(f, "#include <stdint.h>\n\n");
  for (unsigned i = 0; i < r->dims; i++) fprintf(f, "#define HEDDLE_RECORD_DIM_%s %u\n", r->dim[i].name, i);
  fprintf(
      f,
      "\n/* `rows` rows, `row_step` bytes apart, of `columns` numbers of `bytes` bytes, `step` bytes apart; the\n"
      " * columns are those of HEDDLE_RECORD_DIM_... `dim`, or -1; outer: the field's first dimension, or -1. "
      "when_bytes "
      "> 0:\n"
      " * row i is there if bit i of the number at `when` is set. option: enum heddle_record_option, or -1: nobody "
      "leaves "
      "it out of a record that is shown. */\n"
      "struct heddle_record_field {\n  const char *name, *record;\n  uint16_t offset, bytes, rows, row_step, columns, "
      "step;\n  int16_t dim, outer;\n  uint16_t when, when_bytes;\n  int16_t option;\n};\n\n"
      "static const struct heddle_record_field record_fields[] = {\n");
  for (unsigned i = 0; i < r->shapes; i++) {
    if (!r->shape[i].record) continue;
    first[i] = at;
    at += count[i] = emit_numbers(r, &r->shape[i], f);
  }
  fprintf(
      f, "};\n\n/* By kind: its name (NULL: no such kind), its fields [first, first + fields), the profile that "
         "needs it, bytes "
         "before the first array\n"
         " * whose size a machine chooses (of all, where there is none). */\n"
         "static const struct heddle_record_layout {\n  const char *name;\n  uint16_t first, fields, profile, head;\n} "
         "record_layouts[] = {\n");
  for (unsigned kind = 0; kind < records_kinds(r); kind++) {
    const struct records_shape *s = records_of_kind(r, kind);
    if (s != NULL)
      fprintf(f, "    {\"%s\", %u, %u, %u, %u},\n", s->name, first[s - r->shape], count[s - r->shape], s->profile,
              records_fields_of(r, s)->head);
    else
      fprintf(f, "    {0, 0, 0, 0, 0},\n");
  }
  fprintf(f, "};\n\n");
  emit_names(r, f);
  fprintf(f, "#endif\n");
}

/* NAME_tables.py: what a reader and writer of traces in Python needs to know of records
 * (cosim/kit/trace/heddle_trace.py). */

static bool has_lanes(const struct records *r, const struct records_field *x) {
  return x->dims > 0 && strcmp(r->dim[x->dim[x->dims - 1]].name, "LANES") == 0;
}

/* Field x, or number y of the struct that it is. */
static void emit_python_number(const struct records *r, const struct records_shape *s, const struct records_field *x,
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

static void emit_python_numbers(const struct records *r, const struct records_shape *s, FILE *f) {
  const struct records_shape *of = records_fields_of(r, s);
  for (unsigned i = of->first; i < of->first + of->fields; i++) {
    const struct records_field *x = &r->field[i];
    if (x->shape == RECORDS_NONE) emit_python_number(r, s, x, NULL, f);
    for (unsigned k = 0; x->shape != RECORDS_NONE && k < r->shape[x->shape].fields; k++)
      emit_python_number(r, s, x, &r->field[r->shape[x->shape].first + k], f);
  }
}

static void emit_python_options(const struct records *r, FILE *f) {
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
    emit_python_numbers(r, &r->shape[i], f);
    fprintf(f, "    )),\n");
  }
  fprintf(f, "}\n");
  emit_python_options(r, f);
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

/* NAME.md: the tables that stand in the prose. */

static void emit_dims(const struct records *r, unsigned dims, const int dim[2], FILE *f) {
  for (unsigned k = 0; k < dims; k++) fprintf(f, "[%s]", r->dim[dim[k]].name);
}

static void emit_field_row(const struct records *r, const struct records_shape *s, const struct records_field *x,
                           FILE *f) {
  if (x->sized)
    fprintf(f, "| |");
  else
    fprintf(f, "| %u |", x->offset);
  fprintf(f, " %s", x->name);
  emit_dims(r, x->dims, x->dim, f);
  if (x->shape != RECORDS_NONE)
    fprintf(f, " | %s |", r->shape[x->shape].name);
  else
    fprintf(f, " | u%u |", x->bits);
  fprintf(f, " %s", x->text);
  if (x->when != RECORDS_NONE) fprintf(f, " (where set: %s)", r->field[x->when].name);
  if (x->below[0] != '\0') fprintf(f, "; below %s", x->below);
  if (x->mask_of[0] != '\0') fprintf(f, "; bits of %s", x->mask_of);
  if (x->profile > s->profile) fprintf(f, "; from P%u on", x->profile);
  fprintf(f, " |\n");
}

static void emit_shape_table(const struct records *r, const struct records_shape *s, FILE *f) {
  fprintf(f, "\n**%s**", s->name);
  emit_dims(r, s->dims, s->dim, f);
  if (s->record) fprintf(f, " (%u)", s->kind);
  fprintf(f, "%s %s", s->record ? "" : " (struct)", s->text);
  if (s->group != RECORDS_NONE) fprintf(f, " From `%s`.", r->group[s->group].name);
  if (s->unit[0] != '\0') fprintf(f, " Of unit `%s`.", s->unit);
  if (s->profile > 0) fprintf(f, " From P%u on.", s->profile);
  if (s->like != RECORDS_NONE) {
    fprintf(f, " Fields as %s.\n", r->shape[s->like].name);
    return;
  }
  fprintf(f, "\n\n| byte | field | type | meaning |\n|---|---|---|---|\n");
  for (unsigned i = s->first; i < s->first + s->fields; i++) emit_field_row(r, s, &r->field[i], f);
}

void records_emit_markdown(const struct records *r, FILE *f) {
  fprintf(f, "Version %u.\n", r->version);
  if (r->consts > 0) fprintf(f, "\n| constant | value | meaning |\n|---|---|---|\n");
  for (unsigned i = 0; i < r->consts; i++)
    fprintf(f, "| %s | %u | %s |\n", r->constant[i].name, r->constant[i].value, r->constant[i].text);
  if (r->dims > 0) fprintf(f, "\n| size | at the port | in C, in a trace | of |\n|---|---|---|---|\n");
  for (unsigned i = 0; i < r->dims; i++)
    fprintf(f, "| %s | %s | %u | %s |\n", r->dim[i].name, r->dim[i].port, r->dim[i].size, r->dim[i].text);
  if (r->bounds > 0) fprintf(f, "\n| bound | at the port | of |\n|---|---|---|\n");
  for (unsigned i = 0; i < r->bounds; i++)
    fprintf(f, "| %s | %s | %s |\n", r->bound[i].name, r->bound[i].port, r->bound[i].text);
  if (r->groups > 0) fprintf(f, "\n| shown by | of each | what |\n|---|---|---|\n");
  for (unsigned i = 0; i < r->groups; i++)
    fprintf(f, "| %s | %s | %s |\n", r->group[i].name,
            r->group[i].dim == RECORDS_NONE ? "" : r->dim[r->group[i].dim].name, r->group[i].text);
  for (unsigned i = 0; i < r->shapes; i++) emit_shape_table(r, &r->shape[i], f);
  if (r->reserves > 0) fprintf(f, "\n| kept for later | kind | meaning |\n|---|---|---|\n");
  for (unsigned i = 0; i < r->reserves; i++)
    fprintf(f, "| %s | %u | %s |\n", r->reserved[i].name, r->reserved[i].kind, r->reserved[i].text);
}
