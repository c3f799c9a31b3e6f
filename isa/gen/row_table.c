/* SPDX-License-Identifier: Apache-2.0
 *
 * The decoder's table before it is text: rows and their index, then expressions over a row. Bits beyond the opcode that
 * tell encodings of one opcode apart count as opcode bits of these.
 */
#include "row_table.h"

#include <stdlib.h>
#include <string.h>
#include "isa/gen/emit.h"

/* Differences of more bits than this are not looked for. */
enum { WEIGHT_MAX = 4 };

unsigned row_table_column(struct row_table *t, const char *bits) {
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

unsigned row_table_encodings(const struct spec *s, unsigned key) {
  unsigned n = 0;
  for (unsigned i = 0; i < s->n_encs; i++) n += emit_in_rtl(s, i, key);
  return n;
}

bool row_table_parity(const struct row_table *t, unsigned k, unsigned i) {
  return __builtin_parity(t->row[i].ext & t->mask[k]) != 0;
}

/* Where bit `i` of the word stands among the opcode bits: it is added if it is not there. EXT_MAX: no room. */
static unsigned extra_bit(struct row_table *t, unsigned i) {
  unsigned k = t->s->key_bits;
  while (k < t->n_ext && t->extra[k] != i) k++;
  if (k == t->n_ext && k < EXT_MAX) t->extra[t->n_ext++] = i;
  return k;
}

/* A row for each value of the extra bits that the encoding leaves free. */
static void add_rows(struct row_table *t, const struct enc *e) {
  const u128 extra = emit_key_extra(t->s, e->key);
  const bool several = row_table_encodings(t->s, e->key) > 1;
  unsigned free_bits = 0, values = 0;
  for (unsigned i = 0; several && i < SPEC_WORD_BITS; i++) {
    if ((extra >> i & 1) == 0) continue;
    const unsigned k = extra_bit(t, i);
    if (k == EXT_MAX) {
      t->full = true;
      return;
    }
    if ((e->mask >> i & 1) == 0)
      free_bits |= 1u << k;
    else
      values |= (unsigned)(e->match >> i & 1) << k;
  }
  unsigned at = free_bits;
  do {
    if (t->n_rows == ROWS_MAX) {
      t->full = true;
      return;
    }
    struct row *more = realloc(t->row, (t->n_rows + 1) * sizeof *t->row);
    if (more == NULL) abort();
    t->row = more;
    t->row[t->n_rows++] = (struct row){.e = e, .ext = e->key | values | at};
    at = (at - 1) & free_bits;
  } while (at != free_bits);
}

/* The lightest difference of the live bits that no two rows have; 0: there is none. */
static unsigned no_difference(const unsigned char *has, unsigned live, unsigned n) {
  for (unsigned weight = 1; weight <= WEIGHT_MAX; weight++)
    for (unsigned v = 1; v < 1u << n; v++)
      if ((v & ~live) == 0 && (unsigned)__builtin_popcount(v) == weight && !has[v]) return v;
  return 0;
}

/* Folds differences away, one after the other, while there is one. Returns the bits that are left. */
static unsigned fold_all(struct row_table *t) {
  unsigned live = (1u << t->n_ext) - 1u, v = 0;
  unsigned *ext = malloc(t->n_rows * sizeof *ext);
  unsigned char *has = malloc(1u << t->n_ext);
  if (ext == NULL || has == NULL) abort();
  for (unsigned i = 0; i < t->n_rows; i++) ext[i] = t->row[i].ext;
  for (;;) {
    memset(has, 0, 1u << t->n_ext);
    for (unsigned i = 0; i < t->n_rows; i++)
      for (unsigned k = 0; k < t->n_rows; k++) has[ext[i] ^ ext[k]] = 1;
    v = no_difference(has, live, t->n_ext);
    if (v == 0) break;
    const unsigned drop = 31u - (unsigned)__builtin_clz(v);
    for (unsigned i = 0; i < t->n_rows; i++)
      if ((ext[i] >> drop & 1) != 0) ext[i] ^= v;
    for (unsigned i = 0; i < drop; i++)
      if ((v >> i & 1) != 0) t->mask[i] ^= t->mask[drop];
    live &= ~(1u << drop);
    t->dropped[t->n_dropped++] = drop;
  }
  free(ext);
  free(has);
  return live;
}

static void make_index(struct row_table *t) {
  for (unsigned i = 0; i < t->n_ext; i++) t->mask[i] = 1u << i;
  const unsigned live = fold_all(t);
  for (unsigned i = 0; i < t->n_ext; i++)
    if ((live >> i & 1) != 0) t->index[t->n_index++] = i;
  for (unsigned i = 0; i < t->n_rows; i++)
    for (unsigned k = 0; k < t->n_index; k++) t->row[i].index |= (unsigned)row_table_parity(t, t->index[k], i) << k;
}

bool row_table_make(struct row_table *t, const struct spec *s) {
  *t = (struct row_table){.s = s, .n_ext = s->key_bits, .full = s->key_bits > EXT_MAX};
  for (unsigned i = 0; i < s->n_encs && !t->full; i++)
    if (!s->enc[i].only_model) add_rows(t, &s->enc[i]);
  if (t->full || t->n_rows == 0) return false;
  make_index(t);
  return t->n_dropped != 0 && t->n_index != 0;
}

void row_table_drop(struct row_table *t) {
  for (unsigned i = 0; i < t->n_columns; i++) free(t->column[i]);
  free(t->row);
}

/* Expressions over a row of the decoder's table. */

/* Texts, one for each row, and room for a column. */
struct texts {
  char **text, *bits;
  unsigned n;
};

static char *expression_text(const struct spec *s, const struct enc *e, unsigned i, text_fn fn) {
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (f == NULL) abort();
  fn(s, e, i, f);
  if (fclose(f) != 0) abort();
  return text;
}

static struct texts texts_of(const struct row_table *t, text_fn fn, unsigned operand) {
  struct texts x = {.text = malloc(t->n_rows * sizeof *x.text), .bits = malloc(t->n_rows), .n = t->n_rows};
  if (x.text == NULL || x.bits == NULL) abort();
  for (unsigned i = 0; i < x.n; i++) x.text[i] = expression_text(t->s, t->row[i].e, operand, fn);
  return x;
}

static void drop_texts(struct texts *x) {
  for (unsigned i = 0; i < x->n; i++) free(x->text[i]);
  free(x->text);
  free(x->bits);
}

/* The first row with the text of row i. */
static unsigned first_row(const struct texts *x, unsigned i) {
  unsigned k = 0;
  while (strcmp(x->text[k], x->text[i]) != 0) k++;
  return k;
}

void emit_row_bit(struct row_table *t, const char *bits, FILE *f) {
  if (memchr(bits, '1', t->n_rows) == NULL)
    fprintf(f, "1'b0");
  else if (memchr(bits, '0', t->n_rows) == NULL)
    fprintf(f, "1'b1");
  else
    fprintf(f, "row[%u]", row_table_column(t, bits));
}

void emit_row_text(struct row_table *t, unsigned width, const char *usual, text_fn fn, unsigned operand, FILE *f) {
  struct texts x = texts_of(t, fn, operand);
  bool same = true;
  for (unsigned i = 0; i < x.n; i++) same = same && first_row(&x, i) == 0;
  if (same) fprintf(f, "{%s}", x.text[0]);
  if (!same) fprintf(f, "%s", usual);
  for (unsigned i = 0; i < x.n && !same; i++) {
    if (strcmp(x.text[i], usual) == 0 || first_row(&x, i) != i) continue;
    for (unsigned k = 0; k < x.n; k++) x.bits[k] = first_row(&x, k) == i ? '1' : '0';
    fprintf(f, "\n      ^ ({%u{", width);
    emit_row_bit(t, x.bits, f);
    fprintf(f, "}} & (%s ^ {%s}))", usual, x.text[i]);
  }
  drop_texts(&x);
}

void emit_row_number(struct row_table *t, unsigned width, number_fn fn, unsigned operand, FILE *f) {
  char *bits = malloc(t->n_rows);
  if (bits == NULL) abort();
  fprintf(f, "{");
  for (unsigned b = width; b-- > 0;) {
    for (unsigned i = 0; i < t->n_rows; i++) bits[i] = (fn(t->s, t->row[i].e, operand) >> b & 1) != 0 ? '1' : '0';
    emit_row_bit(t, bits, f);
    fprintf(f, b == 0 ? "}" : ", ");
  }
  free(bits);
}

/* Is the line one of the text, before `end`? NULL: anywhere in it. */
static bool has_line(const char *text, const char *line, size_t n, const char *end) {
  for (const char *at = text; *at != '\0' && at != end; at = strchr(at, '\n') + 1)
    if (strncmp(line, at, n) == 0) return true;
  return false;
}

void emit_row_demands(struct row_table *t, text_fn fn, unsigned operand, FILE *f) {
  struct texts x = texts_of(t, fn, operand);
  for (unsigned i = 0; i < x.n; i++) {
    for (const char *line = x.text[i]; *line != '\0'; line = strchr(line, '\n') + 1) {
      const size_t n = (size_t)(strchr(line, '\n') - line) + 1;
      bool known = has_line(x.text[i], line, n, line);
      for (unsigned k = 0; k < i && !known; k++) known = has_line(x.text[k], line, n, NULL);
      if (known) continue;
      for (unsigned k = 0; k < x.n; k++) x.bits[k] = has_line(x.text[k], line, n, NULL) ? '1' : '0';
      fprintf(f, "\n      && (!");
      emit_row_bit(t, x.bits, f);
      fprintf(f, " || (%.*s))", (int)n - 1, line);
    }
  }
  drop_texts(&x);
}
