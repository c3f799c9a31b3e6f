/* SPDX-License-Identifier: Apache-2.0
 * A litmus file in words. */
#include <ctype.h>
#include <stdlib.h>

#include "lab/verify/litmus/src/read_parts.h"

bool read_fail(struct reader *r, const struct word *at, const char *format, const char *text) {
  if (r->bad) return false;
  r->bad = true;
  *r->m = (struct heddle_message){.line = at->line, .column = at->column};
  (void)snprintf(r->m->file, sizeof r->m->file, "%s", r->path);
  (void)snprintf(r->m->text, sizeof r->m->text, format, text);
  return false;
}

static void step_reader(struct reader *r) {
  r->line += *r->at == '\n';
  r->column = *r->at == '\n' ? 1 : r->column + 1;
  r->at++;
}

static void blanks(struct reader *r) {
  for (;;) {
    if (isspace((unsigned char)*r->at)) {
      step_reader(r);
    } else if (r->at[0] == '/' && r->at[1] == '/') {
      while (*r->at != '\0' && *r->at != '\n') step_reader(r);
    } else if (r->at[0] == '(' && r->at[1] == '*') {
      while (*r->at != '\0' && !(r->at[0] == '*' && r->at[1] == ')')) step_reader(r);
      for (unsigned k = 0; k < 2 && *r->at != '\0'; k++) step_reader(r);
    } else {
      return;
    }
  }
}

static bool in_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.';
}

void read_next(struct reader *r) {
  size_t n = 0;
  if (r->bad) return;
  blanks(r);
  r->w = (struct word){.line = r->line, .column = r->column};
  if (*r->at == '\0') return;
  if (!in_word(*r->at)) {
    static const char *const two[] = {"==", "!=", "/\\", "\\/"};
    r->w.text[n++] = *r->at;
    for (size_t k = 0; k < sizeof two / sizeof *two; k++)
      if (r->at[0] == two[k][0] && r->at[1] == two[k][1]) r->w.text[n++] = r->at[1];
    for (size_t k = 0; k < n; k++) step_reader(r);
    return;
  }
  for (; in_word(*r->at); step_reader(r)) {
    if (n + 1 == READ_WORD) {
      (void)read_fail(r, &r->w, "a word of more than 63 characters%s", "");
      return;
    }
    r->w.text[n++] = *r->at;
  }
}

bool read_is(const struct reader *r, const char *text) {
  return strcmp(r->w.text, text) == 0;
}

bool read_take(struct reader *r, const char *text) {
  if (r->bad) return false;
  if (!read_is(r, text)) return read_fail(r, &r->w, "expected %s", text);
  read_next(r);
  return !r->bad;
}

bool read_name(struct reader *r, char *to, size_t bytes) {
  if (r->bad) return false;
  if (!isalpha((unsigned char)r->w.text[0]) && r->w.text[0] != '_') return read_fail(r, &r->w, "expected a name%s", "");
  if (strlen(r->w.text) >= bytes) return read_fail(r, &r->w, "the name '%s' is too long", r->w.text);
  memcpy(to, r->w.text, strlen(r->w.text) + 1);
  read_next(r);
  return !r->bad;
}

bool read_is_number(const struct reader *r) {
  return isdigit((unsigned char)r->w.text[0]) != 0;
}

bool read_number(struct reader *r, uint32_t *value) {
  char *end;
  if (r->bad) return false;
  const unsigned long v = strtoul(r->w.text, &end, 0);
  if (!read_is_number(r) || *end != '\0') return read_fail(r, &r->w, "expected a number%s", "");
  if (v > UINT32_MAX) return read_fail(r, &r->w, "%s is more than 32 bits", r->w.text);
  *value = (uint32_t)v;
  read_next(r);
  return !r->bad;
}

int read_loc(const struct test *t, const char *name) {
  for (int k = 0; k < t->locs; k++)
    if (strcmp(t->loc_name[k], name) == 0) return k;
  return -1;
}

int read_reg(struct reader *r, unsigned thread, const char *name, const struct word *at) {
  struct test_thread *t = &r->t->thread[thread];
  for (int k = 0; k < t->regs; k++)
    if (strcmp(t->reg_name[k], name) == 0) return k;
  if (t->regs == TEST_REGS) {
    (void)read_fail(r, at, "more than 12 registers in one thread%s", "");
    return NO_REG;
  }
  (void)snprintf(t->reg_name[t->regs], TEST_WORD, "%s", name);
  return t->regs++;
}
