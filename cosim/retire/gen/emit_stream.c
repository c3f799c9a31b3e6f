/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle/NAME_stream.h and NAME_stream_pkg.sv: of which words a record consists in a stream (docs/stream-format.md),
 * and by what each is expected. One list serves both, so that who writes and who reads cannot part.
 *
 * A stream shows profile 1. A record of profile 2 that is `like` one of profile 1 is told as that one.
 */
#include <ctype.h>

#include "cosim/retire/gen/records.h"

enum { HEDDLE_STREAM_PROFILE = 1, PARTS_MAX = 16, WORDS_MAX = 256, BY_ALL = 0, BY_COLUMN = 1, BY_ROW = 2 };

/* Words in rows and columns that lie at even steps. */
struct part {
  uint32_t offset, row_step;    /* in C */
  uint32_t rows, columns;       /* if no dimension says */
  int row_dim, column_dim, per; /* per: entries in a word */
  int when, lanes, of;          /* fields, or RECORDS_NONE */
  unsigned context, contexts, by;
  bool sized;
};

struct plan {
  const struct records_shape *shape, *told; /* told: whose kind it has in the end */
  unsigned parts, code;
  struct part part[PARTS_MAX];
};

struct stream {
  unsigned plans, contexts;
  uint32_t hash;
  struct plan plan[RECORDS_SHAPES_MAX];
};

static const struct part fresh = {.rows = 1,
                                  .columns = 1,
                                  .row_dim = RECORDS_NONE,
                                  .column_dim = RECORDS_NONE,
                                  .per = 1,
                                  .when = RECORDS_NONE,
                                  .lanes = RECORDS_NONE,
                                  .of = RECORDS_NONE};

static void add_part(struct plan *p, struct part x) {
  if (p->parts < PARTS_MAX) p->part[p->parts++] = x;
}

/* An array of words, or of bytes that lie in words. */
static void plan_array(const struct records *r, struct plan *p, const struct records_field *x) {
  struct part t = fresh;
  t.offset = x->offset;
  t.sized = x->sized;
  t.lanes = x->lanes;
  const struct records_dim *last = &r->dim[x->dim[x->dims - 1]];
  if (x->dims == 2) {
    t.rows = r->dim[x->dim[0]].size;
    t.row_step = last->size * x->size;
    t.by = BY_ROW;
  }
  if (x->shape != RECORDS_NONE) { /* a struct each: a row */
    t.rows = last->size;
    t.row_step = x->size;
    t.columns = x->size / 4;
    t.by = BY_COLUMN;
  } else if (x->size == 4 && x->when != RECORDS_NONE && x->dims == 1) {
    t.rows = last->size;
    t.row_step = 4;
    if (last->sized) t.row_dim = x->dim[0];
  } else {
    t.per = (int)(4 / x->size);
    t.columns = last->size * x->size / 4;
    if (last->sized) t.column_dim = x->dim[x->dims - 1];
  }
  if (x->size >= 4) t.when = x->when; /* what shares its word with others is there always */
  add_part(p, t);
}

static void plan_scalar(struct plan *p, const struct records_field *x, uint32_t bytes, bool *told) {
  for (uint32_t w = x->offset / 4; w <= (x->offset + bytes - 1) / 4; w++) {
    if (told[w]) continue;
    told[w] = true;
    struct part t = fresh;
    t.offset = 4 * w;
    t.by = BY_COLUMN;
    add_part(p, t);
  }
}

static void plan_shape(const struct records *r, struct plan *p) {
  const struct records_shape *of = records_fields_of(r, p->shape);
  bool told[RECORDS_BYTES_MAX / 4] = {false};
  for (unsigned i = of->first; i < of->first + of->fields; i++) {
    const struct records_field *x = &r->field[i];
    uint32_t bytes = x->size;
    for (unsigned k = 0; k < x->dims; k++) bytes *= r->dim[x->dim[k]].size;
    if (x->profile > HEDDLE_STREAM_PROFILE) continue;
    if (x->bits == 128) {
      struct part t = fresh;
      t.offset = x->offset;
      t.columns = 4;
      t.of = x->of;
      t.by = BY_COLUMN;
      add_part(p, t);
    } else if (x->dims != 0 && bytes > 4) {
      plan_array(r, p, x);
    } else {
      plan_scalar(p, x, bytes, told);
    }
  }
}

static uint32_t mix_word(uint32_t h, uint32_t v) {
  for (unsigned i = 0; i < 4; i++) h = (h ^ (v >> 8 * i & 0xffu)) * 0x01000193u;
  return h;
}

/* What is in it decides whether two understand each other. */
static uint32_t hash_plan(uint32_t h, const struct plan *p) {
  h = mix_word(mix_word(h, p->told->kind), p->parts);
  for (unsigned i = 0; i < p->parts; i++) {
    const struct part *t = &p->part[i];
    const uint32_t v[] = {t->offset,        t->row_step,          t->rows,
                          t->columns,       (uint32_t)t->row_dim, (uint32_t)t->column_dim,
                          (uint32_t)t->per, (uint32_t)t->when,    (uint32_t)t->lanes,
                          (uint32_t)t->of,  t->context,           t->by};
    for (unsigned k = 0; k < sizeof v / sizeof *v; k++) h = mix_word(h, v[k]);
  }
  return h;
}

static void number_contexts(struct stream *s, struct plan *p) {
  for (unsigned i = 0; i < p->parts; i++) {
    struct part *t = &p->part[i];
    if (t->of != RECORDS_NONE) continue;
    t->context = s->contexts;
    t->contexts = t->by == BY_COLUMN ? t->columns : t->by == BY_ROW ? t->rows : 1;
    s->contexts += t->contexts;
  }
}

static void plan_stream(const struct records *r, struct stream *s) {
  *s = (struct stream){.hash = mix_word(0x811c9dc5u, r->version)};
  for (unsigned kind = 0; kind < records_kinds(r); kind++) {
    const struct records_shape *shape = records_of_kind(r, kind);
    if (shape == NULL || shape->unit[0] != '\0') continue;
    const struct records_shape *told = shape->profile > HEDDLE_STREAM_PROFILE ? records_fields_of(r, shape) : shape;
    if (told->profile > HEDDLE_STREAM_PROFILE) continue;
    struct plan *p = &s->plan[s->plans];
    *p = (struct plan){.shape = shape, .told = told, .code = s->plans++};
    plan_shape(r, p);
    number_contexts(s, p);
    s->hash = hash_plan(s->hash, p);
  }
}

static void emit_upper(FILE *f, const char *s) {
  for (; *s != '\0'; s++) fputc(toupper((unsigned char)*s), f);
}

/* ---- C ---- */

static void emit_dim(const struct records *r, int dim, FILE *f) {
  if (dim == RECORDS_NONE) {
    fprintf(f, "-1, ");
    return;
  }
  fprintf(f, "HEDDLE_RECORD_DIM_%s, ", r->dim[dim].name);
}

static void emit_place(const struct records *r, int field, FILE *f) {
  if (field == RECORDS_NONE)
    fprintf(f, "0, 0, ");
  else
    fprintf(f, "%u, %u, ", r->field[field].offset, r->field[field].bits / 8);
}

void records_emit_stream_c(const struct records *r, FILE *f) {
  static struct stream s;
  plan_stream(r, &s);
  fprintf(f, "/* SPDX-License-Identifier: Apache-2.0 */\n/* Generated from %s.records; do not edit. */\n", r->name);
  fprintf(f,
          "/* Of which words a record consists in a stream (docs/stream-format.md). */\n"
          "#ifndef HEDDLE_RETIRE_STREAM_H\n#define HEDDLE_RETIRE_STREAM_H\n\n#include <stdint.h>\n\n"
          "#include <heddle/retire_fields.h>\n\n"
          "#define HEDDLE_STREAM_FORMAT 0x%08xu /* what both sides must have been made of */\n"
          "#define HEDDLE_STREAM_CONTEXTS %uu\n"
          "#define HEDDLE_STREAM_PROFILE %uu\n\n",
          s.hash, s.contexts, HEDDLE_STREAM_PROFILE);
  fprintf(
      f, "enum { HEDDLE_STREAM_BY_ALL, HEDDLE_STREAM_BY_COLUMN, HEDDLE_STREAM_BY_ROW };\n\n"
         "/* Rows of columns of words, in the C struct: from `offset` on, a row each row_step bytes, a column each 4.\n"
         " * A dimension that is not -1 says how many there are; of columns one for each `per` entries. when_bytes,\n"
         " * lanes_bytes > 0: row i, column i is there where bit i of that number is set. of_bytes > 0: what is\n"
         " * expected stands by that number. Contexts are counted by column, by row, or all have one. */\n"
         "struct heddle_stream_part {\n"
         "  uint16_t offset, row_step, rows, columns;\n  int8_t row_dim, column_dim, per;\n"
         "  uint16_t when, when_bytes, lanes, lanes_bytes, of, of_bytes, context;\n  uint8_t by;\n};\n\n"
         "static const struct heddle_stream_part stream_parts[] = {\n");
  for (unsigned i = 0; i < s.plans; i++)
    for (unsigned k = 0; k < s.plan[i].parts; k++) {
      const struct part *t = &s.plan[i].part[k];
      fprintf(f, "    {%u, %u, %u, %u, ", t->offset, t->row_step, t->rows, t->columns);
      emit_dim(r, t->row_dim, f);
      emit_dim(r, t->column_dim, f);
      fprintf(f, "%d, ", t->per);
      emit_place(r, t->when, f);
      emit_place(r, t->lanes, f);
      emit_place(r, t->of, f);
      fprintf(f, "%u, %u},\n", t->context, t->by);
    }
  fprintf(f, "};\n\n/* By code: the kind that it is told as, its parts. */\nstatic const struct heddle_stream_kind {\n"
             "  const char *name;\n  uint16_t kind, first, parts;\n} stream_kinds[] = {\n");
  for (unsigned i = 0, at = 0; i < s.plans; at += s.plan[i++].parts)
    fprintf(f, "    {\"%s\", %u, %u, %u},\n", s.plan[i].shape->name, s.plan[i].told->kind, at, s.plan[i].parts);
  fprintf(f, "};\n#define HEDDLE_STREAM_KINDS %uu\n\n#endif\n", s.plans);
}

/* ---- SystemVerilog ---- */

static void emit_rows(const struct records *r, const struct part *t, FILE *f) {
  if (t->row_dim != RECORDS_NONE)
    fprintf(f, "retire_pkg::%s", r->dim[t->row_dim].name);
  else
    fprintf(f, "%u", t->rows);
}

static void emit_columns(const struct records *r, const struct part *t, FILE *f) {
  if (t->column_dim == RECORDS_NONE)
    fprintf(f, "%u", t->columns);
  else if (t->per == 1)
    fprintf(f, "retire_pkg::%s", r->dim[t->column_dim].name);
  else
    fprintf(f, "retire_pkg::%s / %d", r->dim[t->column_dim].name, t->per);
}

/* Where each part begins: among the words that are told, and (what lies at the port is packed) at the port. */
static void emit_places(const struct records *r, const struct plan *p, FILE *f) {
  const struct records_shape *of = records_fields_of(r, p->shape);
  for (unsigned k = 0; k < p->parts; k++) {
    const struct part *t = &p->part[k], *b = k > 0 ? &p->part[k - 1] : NULL;
    fprintf(f, "  localparam int ");
    emit_upper(f, p->shape->name);
    fprintf(f, "_AT%u = ", k);
    if (b == NULL) {
      fprintf(f, "0;\n");
    } else {
      emit_upper(f, p->shape->name);
      fprintf(f, "_AT%u + (", k - 1);
      emit_rows(r, b, f);
      fprintf(f, ") * (");
      emit_columns(r, b, f);
      fprintf(f, ");\n");
    }
    fprintf(f, "  localparam int ");
    emit_upper(f, p->shape->name);
    if (!t->sized)
      fprintf(f, "_IN%u = %u;\n", k, t->offset / 4);
    else if (b == NULL || !b->sized)
      fprintf(f, "_IN%u = %u;\n", k, of->head / 4);
    else {
      fprintf(f, "_IN%u = ", k);
      emit_upper(f, p->shape->name);
      fprintf(f, "_IN%u + (", k - 1);
      emit_rows(r, b, f);
      fprintf(f, ") * (");
      emit_columns(r, b, f);
      fprintf(f, ");\n");
    }
  }
  const struct part *last = &p->part[p->parts - 1];
  fprintf(f, "  localparam int ");
  emit_upper(f, p->shape->name);
  fprintf(f, "_WORDS = ");
  emit_upper(f, p->shape->name);
  fprintf(f, "_AT%u + (", p->parts - 1);
  emit_rows(r, last, f);
  fprintf(f, ") * (");
  emit_columns(r, last, f);
  fprintf(f, ");\n");
}

static void emit_range(const char *name, FILE *f) {
  fprintf(f, "[");
  emit_upper(f, name);
  fprintf(f, "_WORDS-1:0]");
}

/* for (int row ...) for (int column ...) ; the caller says what. */
static void emit_loops(const struct records *r, const struct part *t, const char *indent, FILE *f) {
  fprintf(f, "%sfor (int row = 0; row < int'(", indent);
  emit_rows(r, t, f);
  fprintf(f, "); row++)\n%s  for (int column = 0; column < int'(", indent);
  emit_columns(r, t, f);
  fprintf(f, "); column++)\n%s    ", indent);
}

static void emit_index(const struct records *r, const struct plan *p, unsigned k, FILE *f) {
  emit_upper(f, p->shape->name);
  fprintf(f, "_AT%u + row * int'(", k);
  emit_columns(r, &p->part[k], f);
  fprintf(f, ") + column");
}

static void emit_words(const struct records *r, const struct plan *p, FILE *f) {
  const char *n = p->shape->name;
  fprintf(f, "  function automatic logic ");
  emit_range(n, f);
  fprintf(f,
          "[31:0] %s_words(input retire_pkg::%s_t r);\n"
          "    automatic logic [$bits(retire_pkg::%s_t)-1:0] v = r;\n    %s_words = '0;\n",
          n, n, n, n);
  for (unsigned k = 0; k < p->parts; k++) {
    emit_loops(r, &p->part[k], "    ", f);
    fprintf(f, "%s_words[", n);
    emit_index(r, p, k, f);
    fprintf(f, "] = v[32 * (");
    emit_upper(f, n);
    fprintf(f, "_IN%u + row * int'(", k);
    emit_columns(r, &p->part[k], f);
    fprintf(f, ") + column) +: 32];\n");
  }
  fprintf(f, "  endfunction\n");
}

/* One of the words; one of the contexts. */
static void emit_choice(const struct plan *p, FILE *f) {
  const char *n = p->shape->name;
  fprintf(f,
          "  function automatic logic [31:0] %s_word(input retire_pkg::%s_t r, input logic [7:0] index);\n"
          "    automatic logic ",
          n, n);
  emit_range(n, f);
  fprintf(f, "[31:0] words = %s_words(r);\n    %s_word = '0;\n    for (int i = 0; i < ", n, n);
  emit_upper(f, n);
  fprintf(f, "_WORDS; i++) if (index == 8'(i)) %s_word |= words[i];\n  endfunction\n", n);
  fprintf(f, "  function automatic logic [CONTEXT_W:0] %s_context(input logic [7:0] index);\n    %s_context = '0;\n", n,
          n);
  fprintf(f, "    for (int i = 0; i < ");
  emit_upper(f, n);
  fprintf(f, "_WORDS; i++) if (index == 8'(i)) %s_context |= ", n);
  emit_upper(f, n);
  fprintf(f, "_CONTEXTS[i];\n  endfunction\n");
}

static void emit_there(const struct records *r, const struct plan *p, FILE *f) {
  const char *n = p->shape->name;
  fprintf(f, "  function automatic logic ");
  emit_range(n, f);
  fprintf(f, " %s_there(input retire_pkg::%s_t r);\n    automatic logic unused = ^r;\n    %s_there = '1;\n", n, n, n);
  for (unsigned k = 0; k < p->parts; k++) {
    const struct part *t = &p->part[k];
    if (t->when == RECORDS_NONE && t->lanes == RECORDS_NONE) continue;
    emit_loops(r, t, "    ", f);
    fprintf(f, "%s_there[", n);
    emit_index(r, p, k, f);
    fprintf(f, "] = ");
    if (t->when != RECORDS_NONE) fprintf(f, "r.%s[row]", r->field[t->when].name);
    if (t->when != RECORDS_NONE && t->lanes != RECORDS_NONE) fprintf(f, " && ");
    if (t->lanes != RECORDS_NONE) fprintf(f, "r.%s[column]", r->field[t->lanes].name);
    fprintf(f, ";\n");
  }
  fprintf(f, "  endfunction\n");
}

/* Contexts; what is expected by another number has as its context the column, and a bit that says so. */
static void emit_contexts(const struct records *r, const struct plan *p, FILE *f) {
  const char *n = p->shape->name;
  unsigned key = WORDS_MAX;
  fprintf(f, "  function automatic logic ");
  emit_range(n, f);
  fprintf(f, "[CONTEXT_W:0] %s_contexts();\n    %s_contexts = '0;\n", n, n);
  for (unsigned k = 0; k < p->parts; k++) {
    const struct part *t = &p->part[k];
    emit_loops(r, t, "    ", f);
    fprintf(f, "%s_contexts[", n);
    emit_index(r, p, k, f);
    if (t->of != RECORDS_NONE) {
      fprintf(f, "] = {1'b1, CONTEXT_W'(column)};\n");
      for (unsigned j = 0; j < p->parts; j++)
        if (p->part[j].offset == r->field[t->of].offset) key = j;
    } else {
      fprintf(f, "] = {1'b0, CONTEXT_W'(%u%s)};\n", t->context,
              t->by == BY_COLUMN ? " + column"
              : t->by == BY_ROW  ? " + row"
                                 : "");
    }
  }
  fprintf(f, "  endfunction\n  localparam logic ");
  emit_range(n, f);
  fprintf(f, "[CONTEXT_W:0] ");
  emit_upper(f, n);
  fprintf(f, "_CONTEXTS = %s_contexts();\n", n);
  if (key == WORDS_MAX) return;
  fprintf(f, "  localparam int ");
  emit_upper(f, n);
  fprintf(f, "_KEY = ");
  emit_upper(f, n);
  fprintf(f, "_AT%u; // the word by which others are expected\n", key);
}

static void emit_live_number(const char *at, const struct records_field *x, FILE *f) {
  if (x->below[0] != '\0')
    fprintf(f, "%s = %u'((64'd1 << $clog2(retire_pkg::%s)) - 64'd1);\n", at, x->bits, x->below);
  else if (x->mask_of[0] != '\0')
    fprintf(f, "%s = (retire_pkg::%s >= %u) ? '1 : %u'((64'd1 << retire_pkg::%s) - 64'd1);\n", at, x->mask_of, x->bits,
            x->bits, x->mask_of);
  else
    fprintf(f, "%s = '1;\n", at);
}

static void emit_live_field(const struct records *r, const struct records_field *x, const char *at, FILE *f) {
  if (x->shape == RECORDS_NONE) {
    fprintf(f, "    ");
    emit_live_number(at, x, f);
    return;
  }
  const struct records_shape *s = &r->shape[x->shape];
  for (unsigned i = s->first; i < s->first + s->fields; i++) {
    char name[4 * TEXT_NAME_MAX];
    (void)snprintf(name, sizeof name, "%s.%s", at, r->field[i].name);
    fprintf(f, "    ");
    emit_live_number(name, &r->field[i], f);
  }
}

/* Bits that are told and may be set: others need no memory. */
static void emit_live(const struct records *r, const struct plan *p, FILE *f) {
  const struct records_shape *of = records_fields_of(r, p->shape);
  const char *n = p->shape->name;
  fprintf(f, "  function automatic retire_pkg::%s_t %s_live();\n    %s_live = '0;\n", n, n, n);
  for (unsigned i = of->first; i < of->first + of->fields; i++) {
    const struct records_field *x = &r->field[i];
    char at[3 * TEXT_NAME_MAX];
    if (x->profile > HEDDLE_STREAM_PROFILE) continue;
    (void)snprintf(at, sizeof at, "%s_live.%s", n, x->name);
    if (x->dims == 0) {
      emit_live_field(r, x, at, f);
    } else if (x->shape == RECORDS_NONE && x->below[0] == '\0' && x->mask_of[0] == '\0') {
      fprintf(f, "    %s = '1;\n", at);
    } else {
      (void)snprintf(at, sizeof at, "%s_live.%s[i]", n, x->name);
      fprintf(f, "    for (int i = 0; i < int'(retire_pkg::%s); i++) begin\n", r->dim[x->dim[0]].name);
      emit_live_field(r, x, at, f);
      fprintf(f, "    end\n");
    }
  }
  fprintf(f, "  endfunction\n  localparam logic [$bits(retire_pkg::%s_t)-1:0] ", n);
  emit_upper(f, n);
  fprintf(f, "_LIVE = %s_live();\n", n);
}

void records_emit_stream_sv(const struct records *r, FILE *f) {
  static struct stream s;
  plan_stream(r, &s);
  unsigned width = 1;
  while (1u << width < s.contexts) width++;
  fprintf(f,
          "// SPDX-License-Identifier: Apache-2.0\n// Generated from %s.records; do not edit.\n"
          "// Of which words a record consists in a stream (docs/stream-format.md).\n"
          "package %s_stream_pkg;\n\n  /* verilator lint_off UNUSEDPARAM */\n"
          "  localparam logic [31:0] FORMAT = 32'h%08x; // what both sides must have been made of\n"
          "  localparam int unsigned CONTEXTS = %u;\n  localparam int unsigned CONTEXT_W = %u;\n"
          "  localparam int unsigned PROFILE = %u;\n  localparam int unsigned KINDS = %u;\n",
          r->name, r->name, s.hash, s.contexts, width, HEDDLE_STREAM_PROFILE, s.plans);
  for (unsigned i = 0; i < s.plans; i++) {
    const struct plan *p = &s.plan[i];
    fprintf(f, "\n  // ---- %s ----\n  localparam int unsigned ", p->shape->name);
    emit_upper(f, p->shape->name);
    fprintf(f, "_CODE = %u;\n", p->code);
    emit_places(r, p, f);
    emit_words(r, p, f);
    emit_there(r, p, f);
    emit_contexts(r, p, f);
    emit_choice(p, f);
    emit_live(r, p, f);
  }
  fprintf(f, "  /* verilator lint_on UNUSEDPARAM */\n\nendpackage\n");
}
