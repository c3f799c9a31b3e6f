/* SPDX-License-Identifier: Apache-2.0 */
#include "form_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/silicon/form_file.h"

/* Cut off the blanks at both ends of s. */
static char *trim(char *s) {
  s += strspn(s, " ");
  size_t n = strlen(s);
  while (n > 0 && s[n - 1] == ' ') s[--n] = '\0';
  return s;
}

/* The text behind `word`, which stands by itself between blanks; it is cut off from s. "" when it is not there. */
static char *cut_behind(char *s, const char *word) {
  char *at = strstr(s, word);
  if (at == NULL) return s + strlen(s);
  *at = '\0';
  return trim(at + strlen(word));
}

static void read_what(struct form_line *f, char *how, char *text, const char *path) {
  if (strcmp(how, "one") == 0) {
    f->kind = FORM_ONE;
    f->after = cut_behind(text, " after ");
    f->before = cut_behind(text, " before ");
    f->text = trim(text);
    if (strchr(f->text, ';') != NULL) fail_msg("%s:%u: 'one' is a single instruction", path, f->line);
  } else if (strcmp(how, "seq") == 0) {
    const size_t n = strlen(text);
    f->kind = text[0] == '"' ? FORM_WORDS : FORM_SEQUENCE;
    if (f->kind == FORM_WORDS) {
      if (n < 3 || text[n - 1] != '"') fail_msg("%s:%u: the quote does not end", path, f->line);
      text[n - 1] = '\0';
    } else if (strchr(text, ';') == NULL) {
      fail_msg("%s:%u: 'seq' is several instructions", path, f->line);
    }
    f->text = f->kind == FORM_WORDS ? text + 1 : text;
    f->before = f->after = "";
  } else {
    fail_msg("%s:%u: '%s' is neither 'one' nor 'seq'", path, f->line, how);
  }
  if (f->text[0] == '\0') fail_msg("%s:%u: no instruction", path, f->line);
}

static void read_line(struct form_table *t, char *s, unsigned line, const char *path) {
  char *how = s + strcspn(s, " ");
  if (*how != '\0') *how++ = '\0';
  how = trim(how);
  char *text = how + strcspn(how, " ");
  if (*text != '\0') *text++ = '\0';
  if (form_table_find(t, s) != NULL) fail_msg("%s:%u: '%s' is listed twice", path, line, s);
  struct form_line f = {.name = s, .line = line};
  read_what(&f, how, trim(text), path);
  t->line[t->lines++] = f;
}

void form_table_read(struct form_table *t, const char *path) {
  memset(t, 0, sizeof *t);
  t->bytes = form_file_text(path);
  unsigned lines = 1;
  for (const char *p = t->bytes; *p != '\0'; p++) lines += *p == '\n';
  t->line = calloc(lines, sizeof *t->line);
  assert_non_null(t->line);
  unsigned number = 1;
  for (char *p = t->bytes, *next; *p != '\0'; p = next, number++) {
    next = p + strcspn(p, "\n");
    if (*next != '\0') *next++ = '\0';
    p = trim(p);
    if (*p != '\0' && *p != '#') read_line(t, p, number, path);
  }
}

void form_table_free(struct form_table *t) {
  free(t->line);
  free(t->bytes);
  memset(t, 0, sizeof *t);
}

struct form_line *form_table_find(const struct form_table *t, const char *name) {
  for (unsigned i = 0; i < t->lines; i++)
    if (strcmp(t->line[i].name, name) == 0) return &t->line[i];
  return NULL;
}
