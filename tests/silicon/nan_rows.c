/* SPDX-License-Identifier: Apache-2.0 */
#include "nan_rows.h"

#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/silicon/form_file.h"

static void read_row(struct nan_row *r, char *line, unsigned number) {
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

void nan_rows_read(struct nan_rows *x, const char *path) {
  *x = (struct nan_rows){.text = form_file_text(path)};
  unsigned lines = 1, number = 1;
  for (const char *p = x->text; *p != '\0'; p++) lines += *p == '\n';
  x->row = calloc(lines, sizeof *x->row);
  assert_non_null(x->row);
  for (char *p = x->text, *next; *p != '\0'; p = next, number++) {
    next = p + strcspn(p, "\n");
    if (*next != '\0') *next++ = '\0';
    if (*p != '\0' && *p != '#') read_row(&x->row[x->rows++], p, number);
  }
}

void nan_rows_free(struct nan_rows *x) {
  free(x->row);
  free(x->text);
  *x = (struct nan_rows){0};
}

unsigned nan_rows_of_form(const struct nan_rows *x, unsigned first) {
  unsigned n = 1;
  while (first + n < x->rows && strcmp(x->row[first + n].form, x->row[first].form) == 0) n++;
  return n;
}

struct form_column nan_rows_column(const struct nan_row *r, unsigned n, unsigned slot, unsigned count) {
  struct form_column c = {NULL, r->digits[slot] == 16 ? 8 : r->digits[slot] == 0 ? 0 : 4};
  if (c.width == 0) return c;
  const bool pair = r->digits[slot] == 4 && (slot < 3 || r->digits[0] == 4);
  uint8_t *bytes = malloc((size_t)count * c.width);
  assert_non_null(bytes);
  for (unsigned i = 0; i < count; i++) {
    uint64_t v = r[i % n].value[slot];
    assert_int_equal(r[i % n].digits[slot], r->digits[slot]);
    if (pair) v |= r[n - 1 - i % n].value[slot] << 16;
    for (unsigned k = 0; k < c.width; k++) bytes[i * c.width + k] = (uint8_t)(v >> (8 * k));
  }
  c.bytes = bytes;
  return c;
}
