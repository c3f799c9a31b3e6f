/* SPDX-License-Identifier: Apache-2.0
 *
 * Expressions over a row of the decoder's table.
 */
#include "emit_row.h"

#include <stdlib.h>
#include <string.h>

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
