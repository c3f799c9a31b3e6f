/* SPDX-License-Identifier: Apache-2.0
 *
 * The decoder of isa_pkg.sv as a table for a memory, at the end of the package:
 * a row for each encoding, with a bit for each choice that depends on the opcode
 * alone, and a function that makes the fields of a word and its row. Rows and
 * their index, and expressions over a row, are made in row_table.c.
 */
#include <stdlib.h>
#include <string.h>

#include "isa/gen/emit.h"
#include "isa/gen/row_table.h"

static const struct insn *insn_of(const struct spec *s, const struct enc *e) {
  return &s->insn[e->insn];
}

static unsigned n_op(const struct spec *s, const struct enc *e, unsigned i) {
  (void)s;
  (void)i;
  return e->insn;
}
static unsigned n_unit(const struct spec *s, const struct enc *e, unsigned i) {
  (void)i;
  return insn_of(s, e)->unit;
}
/* The unit of words with a wide operand or result. */
static unsigned n_wide(const struct spec *s, const struct enc *e, unsigned i) {
  (void)i;
  const struct insn *in = insn_of(s, e);
  return in->wide_unit == SPEC_NONE ? in->unit : in->wide_unit;
}
static unsigned n_mem(const struct spec *s, const struct enc *e, unsigned i) {
  (void)i;
  return insn_of(s, e)->mem;
}
static unsigned n_kind(const struct spec *s, const struct enc *e, unsigned i) {
  (void)s;
  return (unsigned)e->src[i].kind;
}
static unsigned n_short(const struct spec *s, const struct enc *e, unsigned i) {
  (void)i;
  return slot_is_short(s, &e->src[1]) || slot_is_short(s, &e->src[2]);
}
static unsigned result(const struct spec *s, const struct enc *e) {
  return enc_field_of_kinds(s, e, K_GPR_WRITE, K_UGPR_WRITE);
}
static unsigned n_has_rd(const struct spec *s, const struct enc *e, unsigned i) {
  (void)i;
  return result(s, e) != SPEC_NONE;
}
static unsigned n_rd_uni(const struct spec *s, const struct enc *e, unsigned i) {
  (void)i;
  return enc_field_of_kind(s, e, K_UGPR_WRITE) != SPEC_NONE;
}
static unsigned predicate(const struct spec *s, const struct enc *e, unsigned i, bool *uni) {
  static const char *const name[] = {"pd0", "pd1", "ps0", "ps1", "ps2"}, *const uname[] = {"upd0", "upd1", "ups0",
                                                                                           "ups1", "ups2"};
  return emit_one_of(s, e, name[i], uname[i], uni);
}
static unsigned n_has_pd(const struct spec *s, const struct enc *e, unsigned i) {
  bool uni = false;
  return predicate(s, e, i, &uni) != SPEC_NONE;
}
/* Predicates from i on are uniform: the two written, or the three read. */
static unsigned n_p_uni(const struct spec *s, const struct enc *e, unsigned i) {
  bool uni = false;
  for (unsigned k = i; k < (i < 2 ? 2 : 5); k++) (void)predicate(s, e, k, &uni);
  return uni;
}
static unsigned n_guard_uni(const struct spec *s, const struct enc *e, unsigned i) {
  (void)i;
  return enc_field_of_kind(s, e, K_UGUARD) != SPEC_NONE;
}

/* Register of operand i; 3: the result. */
static unsigned register_field(const struct spec *s, const struct enc *e, unsigned i) {
  if (i == 3) return result(s, e);
  return emit_is_register(&e->src[i]) ? e->src[i].field : SPEC_NONE;
}
static void t_reg(const struct spec *s, const struct enc *e, unsigned i, FILE *f) {
  emit_reg(s, register_field(s, e, i), f);
}
static void t_words(const struct spec *s, const struct enc *e, unsigned i, FILE *f) {
  emit_words(s, &insn_of(s, e)->wide[i], f);
}
static void t_neg(const struct spec *s, const struct enc *e, unsigned i, FILE *f) {
  emit_value(s, e->src[i].neg, 1, 0, f);
}
static void t_abs(const struct spec *s, const struct enc *e, unsigned i, FILE *f) {
  emit_value(s, e->src[i].abs, 1, 0, f);
}
static void t_pred(const struct spec *s, const struct enc *e, unsigned i, FILE *f) {
  bool uni = false;
  emit_value(s, predicate(s, e, i, &uni), i < 2 ? 3 : 4, 7, f);
}
static void t_guard(const struct spec *s, const struct enc *e, unsigned i, FILE *f) {
  (void)i;
  emit_value(s, enc_field_of_kinds(s, e, K_GUARD, K_UGUARD), 4, 7, f);
}
static void t_kind(const struct spec *s, const struct enc *e, unsigned kind, FILE *f) {
  static const unsigned width[] = {4, 1, 6, 4};
  static const enum kind kinds[] = {K_STALL, K_YIELD, K_SBWAIT, K_REUSE};
  emit_value(s, enc_field_of_kind(s, e, kinds[kind]), width[kind], 0, f);
}
static void t_bar(const struct spec *s, const struct enc *e, unsigned i, FILE *f) {
  emit_value(s, emit_owned(s, e, i == 0 ? "wbar" : "rbar"), 3, 7, f);
}

/* ---- what makes a word illegal */
static void t_checks(const struct spec *s, const struct enc *e, unsigned i, FILE *f) {
  (void)i;
  for (unsigned k = 0; k < e->n_fields; k++) {
    if (!emit_field_has_check(s, &s->field[e->fields[k]], true)) continue;
    fprintf(f, "1'b1");
    emit_check(s, &s->field[e->fields[k]], f);
    fprintf(f, "\n");
  }
}

/* Bits of an opcode's only encoding that have a value beyond the opcode. */
static void t_fixed(const struct spec *s, const struct enc *e, unsigned i, FILE *f) {
  (void)i;
  if (row_table_encodings(s, e->key) > 1) return;
  const u128 extra = emit_key_extra(s, e->key);
  for (unsigned b = 0; b < SPEC_WORD_BITS; b++)
    if ((extra >> b & 1) != 0) fprintf(f, "word[%u] == 1'b%u\n", b, (unsigned)(e->match >> b & 1));
}

/* A uniform tuple ends before URZ; the offset of a wide constant starts at a multiple of its size. */
static void t_ends(const struct spec *s, const struct enc *e, unsigned i, FILE *f) {
  static const char *const name[] = {"a_reg, dec_by_row.a_n", "b_reg, dec_by_row.b_n", "c_reg, dec_by_row.c_n",
                                     "rd, dec_by_row.rd_n"};
  static const char n_of[] = "abc";
  const unsigned field = register_field(s, e, i);
  if (insn_of(s, e)->wide[i].words == 1) return;
  if (field != SPEC_NONE && (s->field[field].kind == K_UGPR_READ || s->field[field].kind == K_UGPR_WRITE))
    fprintf(f, "aligned_%u(dec_by_row.%s)\n", field_width(&s->field[field]), name[i]);
  if (i < 3 && e->src[i].kind == SLOT_CONST) {
    const struct field *fl = &s->field[enc_field_of_kind(s, e, K_COFF)];
    fprintf(f, "aligned({6'd0, word[%u:%u]}, dec_by_row.%c_n)\n", fl->lo + 3, fl->lo + 2, n_of[i]);
  }
}

/* Reserved bits, those together that are reserved in the same rows. */
static void reserved(struct row_table *t, FILE *f) {
  char *bits[SPEC_WORD_BITS];
  for (unsigned b = 0; b < SPEC_WORD_BITS; b++) {
    bits[b] = malloc(t->n_rows + 1);
    if (bits[b] == NULL) abort();
    bits[b][t->n_rows] = '\0';
    for (unsigned i = 0; i < t->n_rows; i++) {
      const struct enc *e = t->row[i].e;
      bits[b][i] = ((e->fixed | e->owned) >> b & 1) != 0 ? '0' : '1';
    }
  }
  for (unsigned b = 0; b < SPEC_WORD_BITS; b++) {
    bool first = strchr(bits[b], '1') != NULL;
    for (unsigned k = 0; k < b; k++) first = first && strcmp(bits[k], bits[b]) != 0;
    if (!first) continue;
    fprintf(f, "\n      && (!");
    emit_row_bit(t, bits[b], f);
    fprintf(f, " || {");
    const char *sep = "";
    unsigned n = 0;
    for (unsigned k = SPEC_WORD_BITS; k-- > b;) {
      if (strcmp(bits[k], bits[b]) != 0) continue;
      fprintf(f, "%sword[%u]", sep, k);
      sep = n++ % 12 == 11 ? ",\n        " : ", ";
    }
    fprintf(f, "} == '0)");
  }
  for (unsigned b = 0; b < SPEC_WORD_BITS; b++) free(bits[b]);
}

/* Kind, register, words and modifiers of the three operands. */
static void operands(struct row_table *t, FILE *f) {
  static const char *const abc[] = {"a", "b", "c"};
  for (unsigned i = 0; i < 3; i++) {
    fprintf(f, "    dec_by_row.%s_kind = isa_pkg::src_e'(", abc[i]);
    emit_row_number(t, 3, n_kind, i, f);
    fprintf(f, ");\n    dec_by_row.%s_reg = ", abc[i]);
    emit_row_text(t, 8, "8'd255", t_reg, i, f);
    fprintf(f, ";\n    dec_by_row.%s_n = ", abc[i]);
    emit_row_text(t, 2, "2'd0", t_words, i, f);
    fprintf(f, ";\n    dec_by_row.%s_neg = ", abc[i]);
    emit_row_text(t, 1, "1'd0", t_neg, i, f);
    fprintf(f, ";\n    dec_by_row.%s_abs = ", abc[i]);
    emit_row_text(t, 1, "1'd0", t_abs, i, f);
    fprintf(f, ";\n");
  }
}

/* Fields of the word, each where its encoding has it. */
static void word_fields(struct row_table *t, FILE *f) {
  static const struct {
    const char *name;
    unsigned width;
    const char *usual;
    text_fn fn;
    unsigned i;
  } choice[] = {{"rd", 8, "8'd255", t_reg, 3},       {"rd_n", 2, "2'd0", t_words, 3},  {"pd0", 3, "3'd7", t_pred, 0},
                {"pd1", 3, "3'd7", t_pred, 1},       {"guard", 4, "4'd7", t_guard, 0}, {"ps0", 4, "4'd7", t_pred, 2},
                {"ps1", 4, "4'd7", t_pred, 3},       {"ps2", 4, "4'd7", t_pred, 4},    {"stall", 4, "4'd0", t_kind, 0},
                {"yield", 1, "1'd0", t_kind, 1},     {"wbar", 3, "3'd7", t_bar, 0},    {"rbar", 3, "3'd7", t_bar, 1},
                {"wait_mask", 6, "6'd0", t_kind, 2}, {"reuse", 4, "4'd0", t_kind, 3}};
  for (unsigned i = 0; i < sizeof choice / sizeof *choice; i++) {
    fprintf(f, "    dec_by_row.%s = ", choice[i].name);
    emit_row_text(t, choice[i].width, choice[i].usual, choice[i].fn, choice[i].i, f);
    fprintf(f, ";\n");
  }
}

/* What the encoding alone says. */
static void plain_fields(struct row_table *t, FILE *f) {
  static const struct {
    const char *name, *type;
    unsigned width;
    number_fn fn;
    unsigned i;
  } plain[] = {
      {"op", "op_e", 8, n_op, 0},        {"mem", "mem_e", 4, n_mem, 0},    {"imm_short", NULL, 1, n_short, 0},
      {"has_rd", NULL, 1, n_has_rd, 0},  {"rd_uni", NULL, 1, n_rd_uni, 0}, {"has_pd0", NULL, 1, n_has_pd, 0},
      {"has_pd1", NULL, 1, n_has_pd, 1}, {"pd_uni", NULL, 1, n_p_uni, 0},  {"guard_uni", NULL, 1, n_guard_uni, 0},
      {"ps_uni", NULL, 1, n_p_uni, 2}};
  for (unsigned i = 0; i < sizeof plain / sizeof *plain; i++) {
    fprintf(f, "    dec_by_row.%s = ", plain[i].name);
    if (plain[i].type != NULL) fprintf(f, "isa_pkg::%s'(", plain[i].type);
    emit_row_number(t, plain[i].width, plain[i].fn, plain[i].i, f);
    fprintf(f, plain[i].type != NULL ? ");\n" : ";\n");
  }
  fprintf(f, "    wide = (dec_by_row.a_n | dec_by_row.b_n | dec_by_row.c_n | dec_by_row.rd_n) != 2'd0;\n"
             "    dec_by_row.unit = isa_pkg::unit_e'(wide ? ");
  emit_row_number(t, 4, n_wide, 0, f);
  fprintf(f, " : ");
  emit_row_number(t, 4, n_unit, 0, f);
  fprintf(f, ");\n");
}

static void legal(struct row_table *t, FILE *f) {
  fprintf(f, "    dec_by_row.legal = row[0] && rest == {");
  char *bits = malloc(t->n_rows);
  if (bits == NULL) abort();
  for (unsigned k = t->n_dropped; k-- > 0;) {
    for (unsigned i = 0; i < t->n_rows; i++) bits[i] = row_table_parity(t, t->dropped[k], i) ? '1' : '0';
    emit_row_bit(t, bits, f);
    fprintf(f, k == 0 ? "}" : ", ");
  }
  free(bits);
  emit_row_demands(t, t_checks, 0, f);
  emit_row_demands(t, t_fixed, 0, f);
  reserved(t, f);
  static const char *const name[] = {"a_reg, dec_by_row.a_n", "b_reg, dec_by_row.b_n", "c_reg, dec_by_row.c_n",
                                     "rd, dec_by_row.rd_n"};
  for (unsigned i = 0; i < 4; i++) {
    fprintf(f, "\n      && aligned(dec_by_row.%s)", name[i]);
    emit_row_demands(t, t_ends, i, f);
  }
  fprintf(f, ";\n");
}

/* Which opcodes look at extra bit k, as a condition. */
static void needs_extra(const struct row_table *t, unsigned k, FILE *f) {
  const struct spec *s = t->s;
  const char *sep = "";
  unsigned n = 0;
  for (unsigned i = 0; i < t->n_rows; i++) {
    const unsigned key = t->row[i].e->key;
    bool first = (emit_key_extra(s, key) >> t->extra[k] & 1) != 0;
    for (unsigned m = 0; m < i; m++) first = first && t->row[m].e->key != key;
    if (!first || row_table_encodings(s, key) == 1) continue;
    fprintf(f, "%skey == %u'h%03x", sep, s->key_bits, key);
    sep = n++ % 6 == 5 ? "\n      || " : " || ";
  }
}

static void parities(const struct row_table *t, const unsigned *which, unsigned n, FILE *f) {
  fprintf(f, "{");
  for (unsigned k = n; k-- > 0;) fprintf(f, "^(all & %u'h%x)%s", t->n_ext, t->mask[which[k]], k == 0 ? "}" : ", ");
}

/* What stands in its place where there is none. */
static void no_table(FILE *f) {
  fprintf(f, "  localparam bit TABLE_THERE = 1'b0;\n"
             "  localparam int unsigned TABLE_ROWS = 1, TABLE_INDEX_W = 1, TABLE_REST_W = 1, TABLE_W = 1;\n"
             "  localparam logic [17+TABLE_INDEX_W+TABLE_W-1:0] TABLE [TABLE_ROWS] = '{'0};\n"
             "  function automatic logic [1:0] table_index(logic [127:0] word);\n"
             "    table_index = word[1:0];\n  endfunction\n"
             "  function automatic dec_t dec_by_row(logic [127:0] word, logic rest, logic row);\n"
             "    dec_by_row = {$bits(dec_t){word[0] && rest && row}};\n  endfunction\n");
}

static void index_function(const struct row_table *t, FILE *f) {
  const struct spec *s = t->s;
  fprintf(f,
          "  function automatic logic [TABLE_REST_W+TABLE_INDEX_W-1:0] table_index(logic [127:0] word);   // {rest, "
          "index}\n"
          "    logic [%u:0] key;\n    logic [%u:0] all;\n    key = {",
          s->key_bits - 1, t->n_ext - 1);
  for (unsigned i = 0; i < s->n_keys; i++) {
    fprintf(f, i == 0 ? "" : ", ");
    emit_slice(&s->field[s->key[i]], f);
  }
  fprintf(f, "};\n    all = {");
  for (unsigned k = t->n_ext; k-- > s->key_bits;) {
    fprintf(f, "word[%u] && (", t->extra[k]);
    needs_extra(t, k, f);
    fprintf(f, "),\n      ");
  }
  fprintf(f, "key};\n    table_index = {");
  parities(t, t->dropped, t->n_dropped, f);
  fprintf(f, ",\n      ");
  parities(t, t->index, t->n_index, f);
  fprintf(f, "};\n  endfunction\n\n");
}

static void rows(const struct row_table *t, FILE *f) {
  const struct spec *s = t->s;
  fprintf(f, "  localparam logic [17+TABLE_INDEX_W+TABLE_W-1:0] TABLE [TABLE_ROWS] = '{\n");
  for (unsigned i = 0; i < t->n_rows; i++) {
    const struct enc *e = t->row[i].e;
    fprintf(f, "    {1'b%d, 16'h%04x, %u'd%u, %u'b", emit_is_uniform(s, e), emit_units(insn_of(s, e)), t->n_index,
            t->row[i].index, t->n_columns);
    for (unsigned c = t->n_columns; c-- > 0;) fputc(t->column[c][i], f);
    fprintf(f, "}%s\n", i + 1 == t->n_rows ? "};\n" : ",");
  }
}

/* The statements that make the fields of a word and its row. They ask for the columns, so they come first. */
static char *statements(struct row_table *t) {
  char *bits = malloc(t->n_rows), *text = NULL;
  if (bits == NULL) abort();
  memset(bits, '1', t->n_rows);
  (void)row_table_column(t, bits); /* the first column: there is such a word */
  free(bits);

  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (f == NULL) abort();
  fprintf(f, "    dec_by_row = '0;\n");
  operands(t, f);
  word_fields(t, f);
  plain_fields(t, f);
  legal(t, f);
  if (fclose(f) != 0) abort();
  return text;
}

static void emit_table(const struct row_table *t, const char *text, FILE *f) {
  fprintf(f,
          "  localparam bit TABLE_THERE = 1'b1;\n"
          "  // ---- the decoder as a table: TABLE has a row for each encoding, {uniform, units, index, row}: a "
          "machine needs one of\n"
          "  // these units for it, and uniform registers if it is uniform. Row 0 of bits says that there is one. "
          "`rest` is\n"
          "  // compared with the row, for an index is not all of an opcode.\n"
          "  localparam int unsigned TABLE_ROWS = %u, TABLE_INDEX_W = %u, TABLE_REST_W = %u, TABLE_W = %u;\n\n",
          t->n_rows, t->n_index, t->n_dropped, t->n_columns);
  index_function(t, f);
  fprintf(f,
          "  // Of cbank, coff and imm it says nothing.\n"
          "  function automatic dec_t dec_by_row(logic [127:0] word, logic [TABLE_REST_W-1:0] rest, logic "
          "[TABLE_W-1:0] row);\n"
          "    logic wide;\n%s  endfunction\n\n",
          text);
  rows(t, f);
}

void emit_sv_table(const struct spec *s, FILE *f) {
  struct row_table t;
  char *text = row_table_make(&t, s) ? statements(&t) : NULL;
  if (text == NULL || t.full)
    no_table(f);
  else
    emit_table(&t, text, f);
  free(text);
  row_table_drop(&t);
}
