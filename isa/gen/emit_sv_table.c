/* SPDX-License-Identifier: Apache-2.0
 *
 * The decoder of isa_pkg.sv as a table for a memory, at the end of the package:
 * a row for each encoding, with a bit for each choice that depends on the opcode
 * alone, and a function that makes the fields of a word and its row. Bits that
 * are the same in all rows are one. Bits beyond the opcode that tell encodings of
 * one opcode apart count as opcode bits of these. Rows lie at an index of fewer
 * bits than the opcode has: differences that no two opcodes have are folded away
 * one after the other, and the row says what the bits were that went with them.
 */
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "emit_decode.h"

/* An instruction set with more than this has no table (isa_pkg::TABLE_THERE says so). */
enum { COLUMNS_MAX = 512, EXT_MAX = 20, ROWS_MAX = 4096 };

struct row {
  const struct enc *e;
  unsigned ext, index;
};

struct table {
  const struct spec *s;
  struct row *row;
  unsigned n_rows;
  unsigned n_ext;          /* opcode bits, and above them... */
  unsigned extra[EXT_MAX]; /* ... these bits of the word, each for the opcodes that need it */
  unsigned
      mask[EXT_MAX]; /* of each bit of the index, and of each that is dropped: the bits of which it is the parity */
  unsigned index[EXT_MAX], n_index, dropped[EXT_MAX], n_dropped;
  char *column[COLUMNS_MAX]; /* '0' or '1' of each row */
  unsigned n_columns;
  bool full; /* more than it holds: there is none */
};

static unsigned parity(unsigned v) {
  return (unsigned)__builtin_parity(v);
}

/* The column with these bits, one to a row: a new one, or one that there is. */
static unsigned column(struct table *t, const char *bits) {
  for (unsigned i = 0; i < t->n_columns; i++)
    if (memcmp(t->column[i], bits, t->n_rows) == 0) return i;
  if (t->n_columns == COLUMNS_MAX) {
    t->full = true;
    return 0;
  }
  char *kept = malloc(t->n_rows);
  if (kept == NULL) abort();
  memcpy(kept, bits, t->n_rows);
  t->column[t->n_columns] = kept;
  return t->n_columns++;
}

/* A column as an expression; what is the same in all rows is no column. */
static void bit(struct table *t, const char *bits, FILE *f) {
  if (memchr(bits, '1', t->n_rows) == NULL)
    fprintf(f, "1'b0");
  else if (memchr(bits, '0', t->n_rows) == NULL)
    fprintf(f, "1'b1");
  else
    fprintf(f, "row[%u]", column(t, bits));
}

/* ---- rows and their index */
static void add_rows(struct table *t, const struct enc *e) {
  const struct spec *s = t->s;
  const u128 extra = emit_key_extra(s, e->key);
  unsigned encodings = 0;
  for (unsigned i = 0; i < s->n_encs; i++) encodings += emit_in_rtl(s, i, e->key);
  unsigned free_bits = 0, values = 0;
  for (unsigned i = 0; encodings > 1 && i < SPEC_WORD_BITS; i++) {
    if ((extra >> i & 1) == 0) continue;
    unsigned k = s->key_bits;
    while (k < t->n_ext && t->extra[k] != i) k++;
    if (k == EXT_MAX) {
      t->full = true;
      return;
    }
    if (k == t->n_ext) t->extra[t->n_ext++] = i;
    if ((e->mask >> i & 1) == 0)
      free_bits |= 1u << k;
    else
      values |= (unsigned)(e->match >> i & 1) << k;
  }
  unsigned at = free_bits;
  do { /* all values of the bits that this encoding leaves free */
    if (t->n_rows == ROWS_MAX) {
      t->full = true;
      return;
    }
    t->row = realloc(t->row, (t->n_rows + 1) * sizeof *t->row);
    if (t->row == NULL) abort();
    t->row[t->n_rows++] = (struct row){.e = e, .ext = e->key | values | at};
    at = (at - 1) & free_bits;
  } while (at != free_bits);
}

/* A difference of `weight` of the live bits that no two rows have; 0: there is none. */
static unsigned no_difference(const unsigned char *has, unsigned live, unsigned weight, unsigned n) {
  for (unsigned v = 1; v < 1u << n; v++)
    if ((v & ~live) == 0 && (unsigned)__builtin_popcount(v) == weight && !has[v]) return v;
  return 0;
}

static void fold(struct table *t) {
  unsigned live = (1u << t->n_ext) - 1u;
  unsigned *ext = malloc(t->n_rows * sizeof *ext);
  unsigned char *has = malloc(1u << t->n_ext);
  if (ext == NULL || has == NULL) abort();
  for (unsigned i = 0; i < t->n_rows; i++) ext[i] = t->row[i].ext;
  for (unsigned i = 0; i < t->n_ext; i++) t->mask[i] = 1u << i;
  for (;;) {
    memset(has, 0, 1u << t->n_ext);
    for (unsigned i = 0; i < t->n_rows; i++)
      for (unsigned k = 0; k < t->n_rows; k++) has[ext[i] ^ ext[k]] = 1;
    unsigned v = 0;
    for (unsigned weight = 1; weight <= 4 && v == 0; weight++) v = no_difference(has, live, weight, t->n_ext);
    if (v == 0) break;
    unsigned drop = 31u - (unsigned)__builtin_clz(v);
    for (unsigned i = 0; i < t->n_rows; i++)
      if ((ext[i] >> drop & 1) != 0) ext[i] ^= v;
    for (unsigned i = 0; i < drop; i++)
      if ((v >> i & 1) != 0) t->mask[i] ^= t->mask[drop];
    live &= ~(1u << drop);
    t->dropped[t->n_dropped++] = drop;
  }
  for (unsigned i = 0; i < t->n_ext; i++)
    if ((live >> i & 1) != 0) t->index[t->n_index++] = i;
  for (unsigned i = 0; i < t->n_rows; i++)
    for (unsigned k = 0; k < t->n_index; k++) t->row[i].index |= parity(t->row[i].ext & t->mask[t->index[k]]) << k;
  free(ext);
  free(has);
}

/* ---- what a row chooses: texts, one for each row */
typedef void (*text_fn)(const struct spec *s, const struct enc *e, unsigned i, FILE *f);

static char *text_of(const struct spec *s, const struct enc *e, unsigned i, text_fn fn) {
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (f == NULL) abort();
  fn(s, e, i, f);
  if (fclose(f) != 0) abort();
  return text;
}

/* Expression of `width` bits: what the row's encoding says, of all that there are. What is `usual` needs no column. */
static void chosen(struct table *t, unsigned width, const char *usual, text_fn fn, unsigned operand, FILE *f) {
  char **text = malloc(t->n_rows * sizeof *text), *bits = malloc(t->n_rows);
  if (text == NULL || bits == NULL) abort();
  bool same = true;
  for (unsigned i = 0; i < t->n_rows; i++) {
    text[i] = text_of(t->s, t->row[i].e, operand, fn);
    same = same && strcmp(text[i], text[0]) == 0;
  }
  if (same) {
    fprintf(f, "{%s}", text[0]);
  } else {
    fprintf(f, "%s", usual);
    for (unsigned i = 0; i < t->n_rows; i++) {
      bool first = strcmp(text[i], usual) != 0;
      for (unsigned k = 0; k < i && first; k++) first = strcmp(text[k], text[i]) != 0;
      if (!first) continue;
      for (unsigned k = 0; k < t->n_rows; k++) bits[k] = strcmp(text[k], text[i]) == 0 ? '1' : '0';
      fprintf(f, "\n      ^ ({%u{", width);
      bit(t, bits, f);
      fprintf(f, "}} & (%s ^ {%s}))", usual, text[i]);
    }
  }
  for (unsigned i = 0; i < t->n_rows; i++) free(text[i]);
  free(text);
  free(bits);
}

/* A number that the row itself says. */
typedef unsigned (*number_fn)(const struct spec *s, const struct enc *e, unsigned i);

static void number(struct table *t, unsigned width, number_fn fn, unsigned operand, FILE *f) {
  char *bits = malloc(t->n_rows);
  if (bits == NULL) abort();
  fprintf(f, "{");
  for (unsigned b = width; b-- > 0;) {
    for (unsigned i = 0; i < t->n_rows; i++) bits[i] = (fn(t->s, t->row[i].e, operand) >> b & 1) != 0 ? '1' : '0';
    bit(t, bits, f);
    fprintf(f, b == 0 ? "}" : ", ");
  }
  free(bits);
}

/* Terms that must be true where the encoding has them: " && (!column || term)". */
static void demands(struct table *t, text_fn fn, unsigned operand, FILE *f) {
  char **text = malloc(t->n_rows * sizeof *text), *bits = malloc(t->n_rows);
  if (text == NULL || bits == NULL) abort();
  for (unsigned i = 0; i < t->n_rows; i++) text[i] = text_of(t->s, t->row[i].e, operand, fn);
  for (unsigned i = 0; i < t->n_rows; i++) { /* each line of a text is a term */
    for (const char *line = text[i]; *line != '\0'; line = strchr(line, '\n') + 1) {
      const size_t n = (size_t)(strchr(line, '\n') - line) + 1;
      bool known = false;
      for (unsigned k = 0; k < t->n_rows; k++) {
        bool here = false;
        for (const char *other = text[k]; *other != '\0'; other = strchr(other, '\n') + 1) {
          const bool equal = strncmp(line, other, n) == 0;
          known = known || (equal && (k < i || (k == i && other < line)));
          here = here || equal;
        }
        bits[k] = here ? '1' : '0';
      }
      if (known) continue;
      fprintf(f, "\n      && (!");
      bit(t, bits, f);
      fprintf(f, " || (%.*s))", (int)n - 1, line);
    }
  }
  for (unsigned i = 0; i < t->n_rows; i++) free(text[i]);
  free(text);
  free(bits);
}

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
  unsigned encodings = 0;
  for (unsigned k = 0; k < s->n_encs; k++) encodings += emit_in_rtl(s, k, e->key);
  if (encodings > 1) return;
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
static void reserved(struct table *t, FILE *f) {
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
    bit(t, bits[b], f);
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

static void fields(struct table *t, FILE *f) {
  static const char *const abc[] = {"a", "b", "c"};
  fprintf(f, "    dec_by_row = '0;\n");
  for (unsigned i = 0; i < 3; i++) {
    fprintf(f, "    dec_by_row.%s_kind = isa_pkg::src_e'(", abc[i]);
    number(t, 3, n_kind, i, f);
    fprintf(f, ");\n    dec_by_row.%s_reg = ", abc[i]);
    chosen(t, 8, "8'd255", t_reg, i, f);
    fprintf(f, ";\n    dec_by_row.%s_n = ", abc[i]);
    chosen(t, 2, "2'd0", t_words, i, f);
    fprintf(f, ";\n    dec_by_row.%s_neg = ", abc[i]);
    chosen(t, 1, "1'd0", t_neg, i, f);
    fprintf(f, ";\n    dec_by_row.%s_abs = ", abc[i]);
    chosen(t, 1, "1'd0", t_abs, i, f);
    fprintf(f, ";\n");
  }
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
    chosen(t, choice[i].width, choice[i].usual, choice[i].fn, choice[i].i, f);
    fprintf(f, ";\n");
  }
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
    number(t, plain[i].width, plain[i].fn, plain[i].i, f);
    fprintf(f, plain[i].type != NULL ? ");\n" : ";\n");
  }
  fprintf(f, "    wide = (dec_by_row.a_n | dec_by_row.b_n | dec_by_row.c_n | dec_by_row.rd_n) != 2'd0;\n"
             "    dec_by_row.unit = isa_pkg::unit_e'(wide ? ");
  number(t, 4, n_wide, 0, f);
  fprintf(f, " : ");
  number(t, 4, n_unit, 0, f);
  fprintf(f, ");\n");
}

static void legal(struct table *t, FILE *f) {
  fprintf(f, "    dec_by_row.legal = row[0] && rest == {");
  char *bits = malloc(t->n_rows);
  if (bits == NULL) abort();
  for (unsigned k = t->n_dropped; k-- > 0;) {
    for (unsigned i = 0; i < t->n_rows; i++) bits[i] = parity(t->row[i].ext & t->mask[t->dropped[k]]) != 0 ? '1' : '0';
    bit(t, bits, f);
    fprintf(f, k == 0 ? "}" : ", ");
  }
  free(bits);
  demands(t, t_checks, 0, f);
  demands(t, t_fixed, 0, f);
  reserved(t, f);
  static const char *const name[] = {"a_reg, dec_by_row.a_n", "b_reg, dec_by_row.b_n", "c_reg, dec_by_row.c_n",
                                     "rd, dec_by_row.rd_n"};
  for (unsigned i = 0; i < 4; i++) {
    fprintf(f, "\n      && aligned(dec_by_row.%s)", name[i]);
    demands(t, t_ends, i, f);
  }
  fprintf(f, ";\n");
}

/* Which opcodes look at extra bit k, as a condition. */
static void needs_extra(const struct table *t, unsigned k, FILE *f) {
  const struct spec *s = t->s;
  const char *sep = "";
  unsigned n = 0;
  for (unsigned i = 0; i < t->n_rows; i++) {
    const unsigned key = t->row[i].e->key;
    bool first = (emit_key_extra(s, key) >> t->extra[k] & 1) != 0;
    unsigned encodings = 0;
    for (unsigned m = 0; m < s->n_encs; m++) encodings += emit_in_rtl(s, m, key);
    for (unsigned m = 0; m < i; m++) first = first && t->row[m].e->key != key;
    if (!first || encodings == 1) continue;
    fprintf(f, "%skey == %u'h%03x", sep, s->key_bits, key);
    sep = n++ % 6 == 5 ? "\n      || " : " || ";
  }
}

static void parities(const struct table *t, const unsigned *which, unsigned n, FILE *f) {
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

static void drop(struct table *t) {
  for (unsigned i = 0; i < t->n_columns; i++) free(t->column[i]);
  free(t->row);
}

static void table(struct table *t, FILE *f) {
  const struct spec *s = t->s;
  char *bits = malloc(t->n_rows);
  if (bits == NULL) abort();
  memset(bits, '1', t->n_rows);
  (void)column(t, bits); /* the first column: there is such a word */
  free(bits);

  char *text = NULL;
  size_t n = 0;
  FILE *body = open_memstream(&text, &n);
  if (body == NULL) abort();
  fields(t, body);
  legal(t, body);
  if (fclose(body) != 0) abort();
  if (t->full) {
    free(text);
    no_table(f);
    return;
  }

  fprintf(f,
          "  localparam bit TABLE_THERE = 1'b1;\n"
          "  // ---- the decoder as a table: TABLE has a row for each encoding, {uniform, units, index, row}: a "
          "machine needs one of\n"
          "  // these units for it, and uniform registers if it is uniform. Row 0 of bits says that there is one. What "
          "is in `rest` is\n"
          "  // compared with the row, for an index is not all of an opcode.\n"
          "  localparam int unsigned TABLE_ROWS = %u, TABLE_INDEX_W = %u, TABLE_REST_W = %u, TABLE_W = %u;\n\n",
          t->n_rows, t->n_index, t->n_dropped, t->n_columns);
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

  fprintf(f,
          "  // Of cbank, coff and imm it says nothing.\n"
          "  function automatic dec_t dec_by_row(logic [127:0] word, logic [TABLE_REST_W-1:0] rest, logic "
          "[TABLE_W-1:0] row);\n"
          "    logic wide;\n%s  endfunction\n\n",
          text);
  free(text);
  fprintf(f, "  localparam logic [17+TABLE_INDEX_W+TABLE_W-1:0] TABLE [TABLE_ROWS] = '{\n");
  for (unsigned i = 0; i < t->n_rows; i++) {
    const struct enc *e = t->row[i].e;
    unsigned units = 1u << insn_of(s, e)->unit;
    if (insn_of(s, e)->wide_unit != SPEC_NONE) units |= 1u << insn_of(s, e)->wide_unit;
    fprintf(f, "    {1'b%d, 16'h%04x, %u'd%u, %u'b", emit_is_uniform(s, e), units, t->n_index, t->row[i].index,
            t->n_columns);
    for (unsigned c = t->n_columns; c-- > 0;) fputc(t->column[c][i], f);
    fprintf(f, "}%s\n", i + 1 == t->n_rows ? "};\n" : ",");
  }
}

void emit_sv_table(const struct spec *s, FILE *f) {
  struct table t = {.s = s, .n_ext = s->key_bits, .full = s->key_bits > EXT_MAX};
  for (unsigned i = 0; i < s->n_encs && !t.full; i++)
    if (!s->enc[i].only_model) add_rows(&t, &s->enc[i]);
  fprintf(f, "  // A simulator has no use for what follows, and Yosys' own reader does not take it.\n"
             "`ifndef VERILATOR\n`ifndef YOSYS\n");
  if (!t.full && t.n_rows != 0) fold(&t);
  if (t.full || t.n_rows == 0 || t.n_dropped == 0 || t.n_index == 0)
    no_table(f);
  else
    table(&t, f);
  fprintf(f, "`endif\n`endif\n");
  drop(&t);
}
