/* SPDX-License-Identifier: Apache-2.0
 *
 * NAME_pkg.sv: packed structs with the bytes of the C structs. The first bytes are the lowest bits, so that fields
 * stand in reverse; what alignment leaves open is a field of its own, to be driven 0.
 */
#include <string.h>

#include "cosim/retire/gen/records.h"

static void emit_pad(unsigned *pads, uint32_t bytes, FILE *f) {
  if (bytes > 0) fprintf(f, "    logic [%u:0] pad%u;\n", 8 * bytes - 1, (*pads)++);
}

/* Many bytes, always as many, are one vector: a wave would show each of them as a signal. */
static bool is_flat(const struct records *r, const struct records_field *x) {
  return x->bits == 8 && x->dims == 1 && !x->sized && r->dim[x->dim[0]].size > 16;
}

static void emit_packed_field(const struct records *r, const struct records_field *x, FILE *f) {
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

static uint32_t field_end(const struct records *r, const struct records_field *x) {
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
      emit_pad(&pads, below - field_end(r, x), f);
      below = x->offset;
    }
    emit_packed_field(r, x, f);
  }
  fprintf(f, "  } %s_t;\n", s->name);
}

/* Dimensions of a record in its group, which has one of each along the group's own. */
static unsigned first_dim(const struct records *r, const struct records_shape *s) {
  return s->group != RECORDS_NONE && r->group[s->group].dim != RECORDS_NONE ? 1 : 0;
}

static void emit_dims(const struct records *r, const struct records_shape *s, FILE *f) {
  for (unsigned k = first_dim(r, s); k < s->dims; k++) fprintf(f, "[%s-1:0]", r->dim[s->dim[k]].name);
  if (s->dims > first_dim(r, s)) fprintf(f, " ");
}

/* What a record's member of a port is called: `global` is a word of the language. */
static const char *member(const struct records_shape *s) {
  return strcmp(s->name, "global") == 0 ? "global_access" : s->name;
}

/* The members that the records of a group are, of valid bits or of records. */
static void emit_members(const struct records *r, int group, bool bank, bool valid, FILE *f) {
  for (unsigned i = 0; i < r->shapes; i++) {
    const struct records_shape *s = &r->shape[i];
    if (!records_from(s, group, bank)) continue;
    if (valid)
      fprintf(f, "    logic ");
    else
      fprintf(f, "    %s_t ", s->name);
    emit_dims(r, s, f);
    fprintf(f, "%s;\n", member(s));
  }
}

/* Valid bits apart from records, which are whole words: a simulator then copies a record without shifting it. */
static void emit_group(const struct records *r, unsigned n, FILE *f) {
  const struct records_group *g = &r->group[n];
  fprintf(f, "\n  // %s\n  // Which of its records are there, and the records.\n  typedef struct packed {\n", g->text);
  emit_members(r, (int)n, false, true, f);
  fprintf(f, "  } %s_valid_t;\n  typedef struct packed {\n", g->name);
  emit_members(r, (int)n, false, false, f);
  fprintf(f, "  } %s_ret_t;\n", g->name);
}

static void emit_port_struct(const struct records *r, const char *port, bool bank, bool valid, FILE *f) {
  const char *kind = valid ? "valid" : "ret";
  fprintf(f, "  typedef struct packed {\n");
  for (unsigned i = 0; i < r->groups && !bank; i++) {
    const struct records_group *g = &r->group[i];
    fprintf(f, "    %s_%s_t ", g->name, kind);
    if (g->dim != RECORDS_NONE) fprintf(f, "[%s-1:0] ", r->dim[g->dim].name);
    fprintf(f, "%s;\n", g->name);
  }
  emit_members(r, RECORDS_NONE, bank, valid, f);
  fprintf(f, "  } %s_%s_t;\n", port, kind);
}

/* What a top shows of an SM, or of a bank of memory: the same two, and both as one that is whole words. */
static void emit_port(const struct records *r, const char *port, bool bank, FILE *f) {
  fprintf(f, "\n  // Ports of a top, what %s shows: which records are there, the records, and both as one.\n",
          bank ? "a bank of memory" : "an SM");
  emit_port_struct(r, port, bank, true, f);
  emit_port_struct(r, port, bank, false, f);
  fprintf(f,
          "  typedef struct packed {\n    %s_ret_t ret;\n    logic [63-$bits(%s_valid_t):0] pad;\n    %s_valid_t "
          "valid;\n  } %s_t;\n",
          port, port, port, port);
}

/* The field of a record that says of which SM it is, or NULL. */
static const char *number_of(const struct records *r, const struct records_shape *s) {
  const struct records_shape *own = records_fields_of(r, s);
  for (unsigned i = own->first; i < own->first + own->fields; i++) {
    if (strcmp(r->field[i].name, "sm") == 0) return "sm";
    if (strcmp(r->field[i].name, "id") == 0 && r->field[i].shape != RECORDS_NONE) return "id.sm";
  }
  return NULL;
}

/* Nobody below a top knows which SM it is part of, so that all are one text; of a constant number wires are left. */
static void emit_number(const struct records *r, const struct records_shape *s, FILE *f) {
  const char *number = number_of(r, s);
  const bool grouped = s->group != RECORDS_NONE, many = first_dim(r, s) == 1;
  if (number == NULL || !s->record || s->of_bank) return;
  fprintf(f, "    ");
  for (unsigned k = 0; k < s->dims; k++)
    fprintf(f, "for (int unsigned i%u = 0; i%u < %s; i%u++) ", k, k, r->dim[s->dim[k]].name, k);
  fprintf(f, "sm_of.ret");
  if (grouped) fprintf(f, ".%s%s", r->group[s->group].name, many ? "[i0]" : "");
  fprintf(f, ".%s", member(s));
  for (unsigned k = many ? 1 : 0; k < s->dims; k++) fprintf(f, "[i%u]", k);
  fprintf(f, ".%s = number;\n", number);
}

static void emit_ports(const struct records *r, FILE *f) {
  emit_port(r, "sm", false, f);
  fprintf(f, "\n  // ... of the SM of that number, which is put into each record here.\n"
             "  function automatic sm_t sm_of(sm_valid_t valid, sm_ret_t ret, logic [7:0] number);\n"
             "    sm_of.valid = valid;\n    sm_of.pad   = '0;\n    sm_of.ret   = ret;\n");
  for (unsigned i = 0; i < r->shapes; i++) emit_number(r, &r->shape[i], f);
  fprintf(f, "  endfunction\n");
  emit_port(r, "bank", true, f);
}

static void emit_package(const struct records *r, bool whole, FILE *f) {
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
  for (unsigned i = 0; i < r->groups && whole; i++) emit_group(r, i, f);
  if (whole) emit_ports(r, f);
  fprintf(f, "\nendpackage\n\n`default_nettype wire\n");
}

void records_emit_sv(const struct records *r, FILE *f) {
  emit_package(r, true, f);
}

void records_emit_sv_plain(const struct records *r, FILE *f) {
  emit_package(r, false, f);
}
