/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of nan.txt (special values crossed with each other) as programs on the model: all rows of a form in one
 * launch. nan_forms.txt says which instruction a form is; those that are none are not run.
 *
 * 16-bit operands: the low half of a register is the row's, the high half that of the row as far from the end as this
 * one is from the beginning. Where operands and result have 16 bits the high half is expected to be that row's result
 * (FP16x2 instructions); a 16-bit result of wider operands has a high half of zero.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "form_file.h"
#include "form_run.h"

struct row {
  const char *form;
  unsigned digits[4]; /* hexadecimal, of a, b, c and the result; 0: no such operand */
  uint64_t value[4];
};

struct rows {
  char *text;
  struct row *row;
  unsigned rows;
  struct form_table table;
};

static void read_row(struct row *r, char *line, unsigned number) {
  char *save = NULL;
  r->form = strtok_r(line, " ", &save);
  unsigned slot = 0;
  for (char *word; (word = strtok_r(NULL, " ", &save)) != NULL;) {
    if (strcmp(word, "->") == 0) {
      slot = 3;
      continue;
    }
    char *end;
    if (slot > 3 || r->digits[slot] != 0) fail_msg("nan.txt:%u: too many numbers", number);
    r->value[slot] = strtoull(word, &end, 16);
    r->digits[slot] = (unsigned)(end - word);
    if (*end != '\0' || r->digits[slot] == 0) fail_msg("nan.txt:%u: '%s'", number, word);
    slot++;
  }
  if (r->form == NULL || r->digits[0] == 0 || r->digits[3] == 0) fail_msg("nan.txt:%u: not a row", number);
}

static int open_rows(void **state) {
  struct rows *x = calloc(1, sizeof *x);
  assert_non_null(x);
  x->text = form_file_text(SILICON_DIR "/nan.txt");
  unsigned lines = 1, number = 1;
  for (const char *p = x->text; *p != '\0'; p++) lines += *p == '\n';
  x->row = calloc(lines, sizeof *x->row);
  assert_non_null(x->row);
  for (char *p = x->text, *next; *p != '\0'; p = next, number++) {
    next = p + strcspn(p, "\n");
    if (*next != '\0') *next++ = '\0';
    if (*p != '\0' && *p != '#') read_row(&x->row[x->rows++], p, number);
  }
  form_table_read(&x->table, SILICON_DIR "/nan_forms.txt");
  *state = x;
  return 0;
}

static int close_rows(void **state) {
  struct rows *x = *state;
  form_table_free(&x->table);
  free(x->row);
  free(x->text);
  free(x);
  return 0;
}

/* Rows of one form stand together. */
static unsigned rows_of_form(const struct rows *x, unsigned first) {
  unsigned n = 1;
  while (first + n < x->rows && strcmp(x->row[first + n].form, x->row[first].form) == 0) n++;
  return n;
}

static void every_form_is_listed_once(void **state) {
  struct rows *x = *state;
  unsigned bad = 0;
  for (unsigned i = 0; i < x->rows; i += rows_of_form(x, i)) {
    struct form_line *f = form_table_find(&x->table, x->row[i].form);
    if (f == NULL) {
      print_error("nan_forms.txt lacks %s\n", x->row[i].form);
      bad++;
    } else {
      assert_false(f->used); /* its rows do not stand together */
      f->used = true;
    }
  }
  for (unsigned i = 0; i < x->table.lines; i++)
    if (!x->table.line[i].used) {
      print_error("nan_forms.txt:%u: %s is no form of nan.txt\n", x->table.line[i].line, x->table.line[i].name);
      bad++;
    }
  assert_int_equal(bad, 0);
  assert_int_equal(x->rows, 6237);
}

/* Slot 0-2: operands, 3: the result; of n rows that begin at r. Free the bytes. */
static struct form_column column(const struct row *r, unsigned n, unsigned slot) {
  struct form_column c = {NULL, r->digits[slot] == 16 ? 8 : r->digits[slot] == 0 ? 0 : 4};
  if (c.width == 0) return c;
  const bool pair = r->digits[slot] == 4 && (slot < 3 || r->digits[0] == 4);
  uint8_t *bytes = malloc((size_t)n * c.width);
  assert_non_null(bytes);
  for (unsigned i = 0; i < n; i++) {
    uint64_t v = r[i].value[slot];
    assert_int_equal(r[i].digits[slot], r->digits[slot]);
    if (pair) v |= r[n - 1 - i].value[slot] << 16;
    for (unsigned k = 0; k < c.width; k++) bytes[i * c.width + k] = (uint8_t)(v >> (8 * k));
  }
  c.bytes = bytes;
  return c;
}

static bool try_form(const struct form_line *f, const struct row *r, unsigned n) {
  char why[512];
  struct form_job job = {.form = f, .count = n, .want = column(r, n, 3)};
  for (unsigned slot = 0; slot < 3; slot++) job.in[slot] = column(r, n, slot);
  const bool same = form_run(&job, why, sizeof why);
  if (!same) print_error("%s = %s: %s\n", f->name, f->text, why);
  for (unsigned slot = 0; slot < 3; slot++) free((void *)(uintptr_t)job.in[slot].bytes);
  free((void *)(uintptr_t)job.want.bytes);
  return same;
}

static void rows_of_one_instruction(void **state) {
  struct rows *x = *state;
  unsigned run = 0, forms = 0, passed = 0, left = 0;
  for (unsigned i = 0, n; i < x->rows; i += n) {
    n = rows_of_form(x, i);
    const struct form_line *f = form_table_find(&x->table, x->row[i].form);
    if (f == NULL || f->kind != FORM_ONE) {
      left += n;
      continue;
    }
    forms++;
    run += n;
    passed += try_form(f, &x->row[i], n);
  }
  print_message("%u of %u forms equal silicon on all their rows: %u rows run, %u of forms that are no instruction\n",
                passed, forms, run, left);
  assert_int_equal(passed, forms);
  /* Not run: div.rn.f32, div.rn.f64 (121 rows each), rcp.rn and sqrt.rn of f32 and f64 (11 each). */
  assert_int_equal(left, 2 * 121 + 4 * 11);
  assert_int_equal(run, 5951);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_form_is_listed_once),
      cmocka_unit_test(rows_of_one_instruction),
  };
  return cmocka_run_group_tests(tests, open_rows, close_rows);
}
