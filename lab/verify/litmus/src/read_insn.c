/* SPDX-License-Identifier: Apache-2.0
 *
 * A litmus file in words, and its instructions.
 */
#include <ctype.h>
#include <stdlib.h>
#include "lab/verify/litmus/src/read_parts.h"

/* A litmus file in words. */

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

/* The register of that name; a new one if there is none. NO_REG: too many, said. */
static int read_reg(struct reader *r, unsigned thread, const char *name, const struct word *at) {
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

/* One instruction of a litmus file: a word with points, then operands. */

struct parts { /* "atom.acq_rel.gpu.add" */
  char of[6][READ_WORD];
  unsigned n;
};

static void split_points(const char *text, struct parts *p) {
  size_t k = 0;
  memset(p, 0, sizeof *p);
  for (p->n = 1; *text != '\0'; text++) {
    if (*text != '.') {
      p->of[p->n - 1][k++] = *text;
    } else {
      if (p->n == 6) return;
      p->n++;
      k = 0;
    }
  }
}

static bool order_word(const char *text, struct test_insn *i) {
  static const char *const word[] = {"weak", "relaxed", "acquire", "release", "acq_rel", "sc"};
  for (uint8_t k = 0; k < 6; k++)
    if (strcmp(word[k], text) == 0) {
      i->sem = k;
      return true;
    }
  return false;
}

static bool scope_word(const char *text, struct test_insn *i) {
  static const char *const word[] = {"cta", "gpu", "sys"};
  for (uint8_t k = 0; k < 3; k++)
    if (strcmp(word[k], text) == 0) {
      i->scope = k;
      return true;
    }
  return false;
}

static bool atom_word(const char *text, struct test_insn *i) {
  static const char *const word[] = {"exch", "add", "cas"};
  for (uint8_t k = 0; k < 3; k++)
    if (strcmp(word[k], text) == 0) {
      i->atom = k;
      return true;
    }
  return false;
}

/* Order and scope, from part k on; returns the next part, 0: wrong. */
static unsigned read_order_words(const struct parts *p, unsigned k, struct test_insn *i) {
  if (k >= p->n || !order_word(p->of[k], i)) return 0;
  if (i->sem == SEM_WEAK) return k + 1;
  return k + 1 < p->n && scope_word(p->of[k + 1], i) ? k + 2 : 0;
}

static bool location(struct reader *r, struct test_insn *i) {
  const struct word at = r->w;
  char name[TEST_WORD];
  if (!read_name(r, name, sizeof name)) return false;
  int loc = read_loc(r->t, name);
  if (loc < 0) { /* not named between the braces: it begins as 0 */
    if (r->t->locs == TEST_LOCS) return read_fail(r, &at, "more than 6 locations%s", "");
    loc = r->t->locs++;
    memcpy(r->t->loc_name[loc], name, sizeof name);
  }
  i->loc = (uint8_t)loc;
  return true;
}

static bool result(struct reader *r, unsigned thread, struct test_insn *i) {
  const struct word at = r->w;
  char name[TEST_WORD];
  if (!read_name(r, name, sizeof name)) return false;
  i->reg = (int8_t)read_reg(r, thread, name, &at);
  if (i->reg != NO_REG) r->constant[thread][i->reg] = false;
  return i->reg != NO_REG;
}

/* "1", "r0", "1 hangs r0" */
static bool read_stored_value(struct reader *r, unsigned thread, struct test_insn *i) {
  const struct word at = r->w;
  char name[TEST_WORD];
  int reg;
  if (read_is_number(r)) {
    if (!read_number(r, &i->value)) return false;
    if (!read_is(r, "hangs")) return true;
    read_next(r);
    const struct word then = r->w;
    if (!read_name(r, name, sizeof name)) return false;
    i->hangs = (int8_t)read_reg(r, thread, name, &then);
    return i->hangs != NO_REG;
  }
  if (!read_name(r, name, sizeof name)) return false;
  reg = read_reg(r, thread, name, &at);
  if (reg == NO_REG) return false;
  if (r->constant[thread][reg])
    i->value = r->value[thread][reg];
  else
    i->from = (int8_t)reg;
  return true;
}

static bool read_fence(struct reader *r, const struct word *at, const struct parts *p, struct test_insn *i) {
  i->kind = TEST_FENCE;
  const unsigned n = read_order_words(p, 1, i);
  if (n != p->n || (i->sem != SEM_ACQ_REL && i->sem != SEM_SC))
    return read_fail(r, at, "'%s': expected fence.acq_rel or fence.sc with a scope", at->text);
  return true;
}

static bool read_barrier(struct reader *r, const struct word *at, const struct parts *p, struct test_insn *i) {
  uint32_t id;
  i->kind = TEST_BAR;
  i->arrives = p->n == 3 && strcmp(p->of[2], "arrive") == 0;
  if (p->n != 3 || strcmp(p->of[1], "cta") != 0 || !(i->arrives || strcmp(p->of[2], "sync") == 0))
    return read_fail(r, at, "'%s': expected bar.cta.sync or bar.cta.arrive", at->text);
  const struct word number = r->w;
  if (!read_number(r, &id)) return false;
  if (id > 14) return read_fail(r, &number, "barrier %s: tests have 0 to 14", number.text);
  i->barrier = (uint8_t)id;
  if (read_is(r, ",")) return read_fail(r, &r->w, "a barrier with a number of threads is not taken%s", "");
  return true;
}

static bool read_launch(struct reader *r, unsigned thread, const struct word *at, struct test_insn *i) {
  const struct test_thread *t = &r->t->thread[thread];
  i->kind = TEST_LAUNCH;
  return test_first_launch(t) == t->insns || read_fail(r, at, "a third launch%s", "");
}

static bool read_load(struct reader *r, unsigned thread, const struct word *at, const struct parts *p,
                      struct test_insn *i, bool *none) {
  i->kind = TEST_LOAD;
  if (p->n == 1) { /* "ld r, 1": a register gets a number; no access */
    *none = true;
    if (!result(r, thread, i) || !read_take(r, ",")) return false;
    r->constant[thread][i->reg] = true;
    return read_number(r, &r->value[thread][i->reg]);
  }
  if (read_order_words(p, 1, i) != p->n || i->sem == SEM_RELEASE || i->sem > SEM_RELEASE)
    return read_fail(r, at, "'%s': expected ld.weak, or .relaxed or .acquire with a scope", at->text);
  return result(r, thread, i) && read_take(r, ",") && location(r, i);
}

static bool read_store(struct reader *r, unsigned thread, const struct word *at, const struct parts *p,
                       struct test_insn *i) {
  i->kind = TEST_STORE;
  if (read_order_words(p, 1, i) != p->n || i->sem == SEM_ACQUIRE || i->sem > SEM_RELEASE)
    return read_fail(r, at, "'%s': expected st.weak, or .relaxed or .release with a scope", at->text);
  return location(r, i) && read_take(r, ",") && read_stored_value(r, thread, i);
}

static bool atom(struct reader *r, unsigned thread, const struct word *at, const struct parts *p, struct test_insn *i,
                 bool red) {
  i->kind = TEST_ATOM;
  const unsigned n = read_order_words(p, 1, i);
  if (n == 0 || n + 1 != p->n || i->sem == SEM_WEAK || i->sem == SEM_SC || !atom_word(p->of[n], i) ||
      (red && i->atom != ATOM_ADD))
    return read_fail(r, at, "'%s': expected an order, a scope, and exch, add or cas (of red add)", at->text);
  if (!red && (!result(r, thread, i) || !read_take(r, ","))) return false;
  if (!location(r, i) || !read_take(r, ",")) return false;
  if (i->atom == ATOM_CAS && (!read_number(r, &i->compare) || !read_take(r, ","))) return false;
  return read_stored_value(r, thread, i);
}

bool read_insn(struct reader *r, unsigned thread) {
  struct test_thread *t = &r->t->thread[thread];
  struct test_insn i = {.reg = NO_REG, .from = NO_REG, .hangs = NO_REG};
  const struct word at = r->w;
  struct parts p;
  bool none = false, ok;
  split_points(at.text, &p);
  read_next(r);
  if (strcmp(p.of[0], "ld") == 0)
    ok = read_load(r, thread, &at, &p, &i, &none);
  else if (strcmp(p.of[0], "st") == 0)
    ok = read_store(r, thread, &at, &p, &i);
  else if (strcmp(p.of[0], "atom") == 0 || strcmp(p.of[0], "red") == 0)
    ok = atom(r, thread, &at, &p, &i, p.of[0][0] == 'r');
  else if (strcmp(p.of[0], "fence") == 0)
    ok = read_fence(r, &at, &p, &i);
  else if (strcmp(p.of[0], "bar") == 0)
    ok = read_barrier(r, &at, &p, &i);
  else if (strcmp(at.text, "launch") == 0)
    ok = read_launch(r, thread, &at, &i);
  else
    ok = read_fail(r, &at, "'%s' is not taken: only ld, st, atom, red, fence, bar and launch are", at.text);
  if (!ok || none) return ok;
  if (t->insns == TEST_INSNS) return read_fail(r, &at, "more than 12 instructions in one thread%s", "");
  t->insn[t->insns++] = i;
  return true;
}
