/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of nan.txt (special values crossed with each other) as programs on the model: all rows of a form in one
 * launch. nan_forms.txt says which instruction a form is; those that are none are not run. (On the hardware:
 * make_cases.c.)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/silicon/form_file.h"
#include "tests/silicon/nan_rows.h"

struct rows {
  struct nan_rows in;
  struct form_table table;
};

static int open_rows(void **state) {
  struct rows *x = calloc(1, sizeof *x);
  assert_non_null(x);
  nan_rows_read(&x->in, SILICON_DIR "/nan.txt");
  form_table_read(&x->table, SILICON_DIR "/nan_forms.txt");
  *state = x;
  return 0;
}

static int close_rows(void **state) {
  struct rows *x = *state;
  form_table_free(&x->table);
  nan_rows_free(&x->in);
  free(x);
  return 0;
}

static void every_form_is_listed_once(void **state) {
  struct rows *x = *state;
  unsigned bad = 0;
  for (unsigned i = 0; i < x->in.rows; i += nan_rows_of_form(&x->in, i)) {
    struct form_line *f = form_table_find(&x->table, x->in.row[i].form);
    if (f == NULL) {
      print_error("nan_forms.txt lacks %s\n", x->in.row[i].form);
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
  assert_int_equal(x->in.rows, 6237);
}

static bool try_form(const struct form_line *f, const struct nan_row *r, unsigned n) {
  char why[512];
  struct form_job job = {.form = f, .count = n, .want = nan_rows_column(r, n, 3, n)};
  for (unsigned slot = 0; slot < 3; slot++) job.in[slot] = nan_rows_column(r, n, slot, n);
  const bool same = form_run(&job, why, sizeof why);
  if (!same) print_error("%s = %s: %s\n", f->name, f->text, why);
  for (unsigned slot = 0; slot < 3; slot++) free((void *)(uintptr_t)job.in[slot].bytes);
  free((void *)(uintptr_t)job.want.bytes);
  return same;
}

static void rows_of_one_instruction(void **state) {
  struct rows *x = *state;
  unsigned run = 0, forms = 0, passed = 0, left = 0;
  for (unsigned i = 0, n; i < x->in.rows; i += n) {
    n = nan_rows_of_form(&x->in, i);
    const struct form_line *f = form_table_find(&x->table, x->in.row[i].form);
    if (f == NULL || f->kind != FORM_ONE) {
      left += n;
      continue;
    }
    forms++;
    run += n;
    passed += try_form(f, &x->in.row[i], n);
  }
  print_message("%u of %u forms equal silicon on all their rows: %u rows run, %u of forms that are no instruction\n",
                passed, forms, run, left);
  assert_int_equal(passed, forms);
  /* Not run: div.rn.f32, div.rn.f64 (121 rows each), rcp.rn and sqrt.rn of f32 and f64 (11 each). */
  assert_int_equal(left, 2 * 121 + 4 * 11);
  assert_int_equal(run, 5951);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_form_is_listed_once),
      cmocka_unit_test(rows_of_one_instruction),
  };
  return cmocka_run_group_tests(tests, open_rows, close_rows);
}
