/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads forms.txt and nan_forms.txt: which Heddle instruction a PTX form is. README.md explains the columns.
 */
#ifndef HEDDLE_SILICON_FORM_TABLE_H
#define HEDDLE_SILICON_FORM_TABLE_H

#include <stdbool.h>

enum form_kind {
  FORM_ONE,      /* one instruction */
  FORM_SEQUENCE, /* several, written out */
  FORM_WORDS     /* several, in words: `text` is what is between the quotes */
};

struct form_line {
  const char *name;
  enum form_kind kind;
  const char *text;           /* instructions apart by ';' */
  const char *before, *after; /* of FORM_ONE; "" when there are none */
  unsigned line;
  bool used; /* for the caller: it has been looked up */
};

struct form_table {
  char *bytes; /* the file; the lines point into it */
  struct form_line *line;
  unsigned lines;
};

/* A line that is not understood, or a form that is listed twice, fails the running test. */
void form_table_read(struct form_table *t, const char *path);
void form_table_free(struct form_table *t);

/* NULL when the form is not listed. */
struct form_line *form_table_find(const struct form_table *t, const char *name);

#endif
