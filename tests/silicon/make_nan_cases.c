/* SPDX-License-Identifier: Apache-2.0
 *
 * nan.txt: a case a form that is one instruction, a thread a row. Rows fill whole blocks: they are repeated.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/silicon/case_folder.h"
#include "tests/test.h"
#include "tests/silicon/form_text.h"
#include "tests/silicon/make_cases.h"
#include "tests/silicon/nan_rows.h"

enum { ROWS = 5951 }; /* of forms that are one instruction */

static const char *type_of(unsigned width) {
  return width == 8 ? "u64" : "u32";
}

static void make_form(struct case_folder *f, const struct form_line *form, const struct nan_row *r, unsigned n) {
  const unsigned blocks = (n + CASE_BLOCK - 1) / CASE_BLOCK, count = blocks * CASE_BLOCK;
  char text[FORM_TEXT_MAX], file[128];
  struct form_column column[4];
  unsigned width[4];
  for (unsigned slot = 0; slot < 4; slot++) {
    column[slot] = nan_rows_column(r, n, slot, count);
    width[slot] = column[slot].width;
  }
  form_text(form, width, text);
  case_source(f, form->name, "s", text);
  (void)snprintf(file, sizeof file, "%s.s", form->name);
  json_t *c = case_new(f, form->name, file, "form", blocks, CASE_BLOCK);
  for (unsigned slot = 0; slot < 3; slot++)
    if (width[slot] != 0)
      case_input(f, c, (char)('a' + slot), type_of(width[slot]), column[slot].bytes, count);
    else
      case_no_operand(c);
  case_output(f, c, 'd', type_of(width[3]), column[3].bytes, count);
  for (unsigned slot = 0; slot < 4; slot++) free((void *)(uintptr_t)column[slot].bytes);
}

void make_nan_cases(const char *silicon, const char *dir) {
  char path[1024];
  struct case_folder f;
  struct nan_rows x;
  struct form_table table;
  unsigned rows = 0;
  case_folder_open(&f, dir, "nan");
  (void)snprintf(path, sizeof path, "%s/nan.txt", silicon);
  nan_rows_read(&x, path);
  (void)snprintf(path, sizeof path, "%s/nan_forms.txt", silicon);
  form_table_read(&table, path);
  for (unsigned i = 0, n; i < x.rows; i += n) {
    n = nan_rows_of_form(&x, i);
    const struct form_line *form = form_table_find(&table, x.row[i].form);
    if (form == NULL) fail_msg("nan_forms.txt lacks %s", x.row[i].form);
    if (form->kind != FORM_ONE) continue;
    make_form(&f, form, &x.row[i], n);
    rows += n;
  }
  assert_int_equal(rows, ROWS);
  form_table_free(&table);
  nan_rows_free(&x);
  case_folder_close(&f);
}
