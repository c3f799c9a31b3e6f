/* SPDX-License-Identifier: Apache-2.0
 *
 * A litmus file as a whole, printed and read.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "lab/verify/litmus/src/litmus_test.h"
#include "lab/verify/litmus/src/read_parts.h"

/* A litmus test as text. */

static const char *const scope_word[] = {"cta", "gpu", "sys"};
static const char *const sem_word[] = {"weak", "relaxed", "acquire", "release", "acq_rel", "sc"};
static const char *const atom_word[] = {"exch", "add", "cas"};

static void order_text(const struct test_insn *i, char *buf, size_t bytes) {
  if (i->sem == SEM_WEAK)
    (void)snprintf(buf, bytes, "weak");
  else
    (void)snprintf(buf, bytes, "%s.%s", sem_word[i->sem], scope_word[i->scope]);
}

static void value_text(const struct test_thread *t, const struct test_insn *i, char *buf, size_t bytes) {
  if (i->from != NO_REG)
    (void)snprintf(buf, bytes, "%s", t->reg_name[i->from]);
  else if (i->hangs != NO_REG)
    (void)snprintf(buf, bytes, "%u hangs %s", i->value, t->reg_name[i->hangs]);
  else
    (void)snprintf(buf, bytes, "%u", i->value);
}

unsigned test_first_launch(const struct test_thread *t) {
  unsigned n = 0;
  while (n < t->insns && t->insn[n].kind != TEST_LAUNCH) n++;
  return n;
}

bool test_has(const struct test *t, enum test_kind kind) {
  for (unsigned k = 0; k < t->threads; k++)
    for (unsigned j = 0; j < t->thread[k].insns; j++)
      if (t->thread[k].insn[j].kind == kind) return true;
  return false;
}

void test_insn_text(const struct test *t, unsigned thread, const struct test_insn *i, char *buf, size_t bytes) {
  const struct test_thread *of = &t->thread[thread];
  const char *loc = t->loc_name[i->loc];
  char order[24], value[48];
  order_text(i, order, sizeof order);
  value_text(of, i, value, sizeof value);
  switch (i->kind) {
  case TEST_LOAD:
    (void)snprintf(buf, bytes, "ld.%s %s, %s", order, of->reg_name[i->reg], loc);
    break;
  case TEST_STORE:
    (void)snprintf(buf, bytes, "st.%s %s, %s", order, loc, value);
    break;
  case TEST_ATOM:
    if (i->reg == NO_REG)
      (void)snprintf(buf, bytes, "red.%s.%s %s, %s", order, atom_word[i->atom], loc, value);
    else if (i->atom == ATOM_CAS)
      (void)snprintf(buf, bytes, "atom.%s.cas %s, %s, %u, %s", order, of->reg_name[i->reg], loc, i->compare, value);
    else
      (void)snprintf(buf, bytes, "atom.%s.%s %s, %s, %s", order, atom_word[i->atom], of->reg_name[i->reg], loc, value);
    break;
  case TEST_LAUNCH:
    (void)snprintf(buf, bytes, "launch");
    break;
  case TEST_FENCE:
    (void)snprintf(buf, bytes, "fence.%s", order);
    break;
  default:
    (void)snprintf(buf, bytes, "bar.cta.%s %u", i->arrives ? "arrive" : "sync", i->barrier);
  }
}

void test_print(const struct test *t, FILE *to) {
  unsigned rows = 0, width[TEST_THREADS];
  char cell[96];
  (void)fprintf(to, "PTX %s\n{\n", t->name);
  for (unsigned k = 0; k < t->locs; k++)
    (void)fprintf(to, "%s%s=%u;\n", t->shared[k] ? "shared " : "", t->loc_name[k], t->first[k]);
  (void)fprintf(to, "}\n");
  for (unsigned k = 0; k < t->threads; k++) {
    width[k] =
        (unsigned)snprintf(cell, sizeof cell, "P%u@warp %u,cta %u,gpu 0", k, t->thread[k].warp, t->thread[k].cta);
    if (t->thread[k].insns > rows) rows = t->thread[k].insns;
    for (unsigned n = 0; n < t->thread[k].insns; n++) {
      test_insn_text(t, k, &t->thread[k].insn[n], cell, sizeof cell);
      if (strlen(cell) > width[k]) width[k] = (unsigned)strlen(cell);
    }
  }
  for (unsigned row = 0; row <= rows; row++) {
    for (unsigned k = 0; k < t->threads; k++) {
      cell[0] = '\0';
      if (row == 0)
        (void)snprintf(cell, sizeof cell, "P%u@warp %u,cta %u,gpu 0", k, t->thread[k].warp, t->thread[k].cta);
      else if (row <= t->thread[k].insns)
        test_insn_text(t, k, &t->thread[k].insn[row - 1], cell, sizeof cell);
      (void)fprintf(to, "%s %-*s", k == 0 ? "" : " |", (int)width[k], cell);
    }
    (void)fprintf(to, " ;\n");
  }
}

void test_number_ctas(struct test *t) {
  uint8_t now[TEST_THREADS], next = 0;
  for (unsigned k = 0; k < t->threads; k++) {
    unsigned j = 0;
    while (j < k && t->thread[j].cta != t->thread[k].cta) j++;
    now[k] = j < k ? now[j] : next++;
  }
  for (unsigned k = 0; k < t->threads; k++) t->thread[k].cta = now[k];
}

/* What a litmus file says of its outcomes. */

#define CONSTANT 0x8000u

static uint16_t new_node(struct reader *r, struct condition *c, enum condition_op op, unsigned a, unsigned b) {
  if (c->nodes == CONDITION_NODES) {
    (void)read_fail(r, &r->w, "a condition of more than 128 parts%s", "");
    return 0;
  }
  c->node[c->nodes] = (struct condition_node){(uint8_t)op, (uint16_t)a, (uint16_t)b};
  return (uint16_t)c->nodes++;
}

/* "P0", or "0", is 0; -1: no such thread. */
static int thread_of(const struct test *t, const char *text) {
  for (int k = 0; k < t->threads; k++) {
    char name[8];
    (void)snprintf(name, sizeof name, "P%d", k);
    if (strcmp(name, text) == 0 || strcmp(name + 1, text) == 0) return k;
  }
  return -1;
}

static unsigned first_value(const struct test *t, unsigned thread) {
  unsigned n = 0;
  for (unsigned k = 0; k < thread; k++) n += t->thread[k].regs;
  return n;
}

/* 5, P0:r1, x, [x] */
static unsigned read_operand(struct reader *r, struct condition *c) {
  const struct word at = r->w;
  char name[TEST_WORD];
  if (read_is_number(r) && *r->at != ':') {
    if (c->constants == CONDITION_NODES) {
      (void)read_fail(r, &at, "a condition of more than 128 numbers%s", "");
      return 0;
    }
    return read_number(r, &c->constant[c->constants]) ? CONSTANT + c->constants++ : 0;
  }
  const bool square = read_is(r, "[");
  if (square) read_next(r);
  if (read_is_number(r)) {
    (void)snprintf(name, sizeof name, "%.15s", at.text);
    read_next(r);
  } else if (!read_name(r, name, sizeof name) || (square && !read_take(r, "]"))) {
    return 0;
  }
  const int thread = thread_of(r->t, name);
  if (thread >= 0 && read_is(r, ":")) {
    read_next(r);
    const struct word of = r->w;
    if (!read_name(r, name, sizeof name)) return 0;
    for (unsigned k = 0; k < r->t->thread[thread].regs; k++)
      if (strcmp(r->t->thread[thread].reg_name[k], name) == 0) return first_value(r->t, (unsigned)thread) + k;
    (void)read_fail(r, &of, "the thread has no register '%s'", name);
    return 0;
  }
  const int loc = read_loc(r->t, name);
  if (loc >= 0) return first_value(r->t, r->t->threads) + (unsigned)loc;
  (void)read_fail(r, &at, "'%s' is neither a location nor a register", name);
  return 0;
}

static uint16_t any(struct reader *r, struct condition *c);

static uint16_t read_term(struct reader *r, struct condition *c) {
  if (r->bad) return 0;
  if (read_is(r, "~")) {
    read_next(r);
    const uint16_t n = read_term(r, c);
    return new_node(r, c, COND_NOT, n, 0);
  }
  if (read_is(r, "(")) {
    if (++r->depth > 32) {
      (void)read_fail(r, &r->w, "too many parentheses within each other%s", "");
      return 0;
    }
    read_next(r);
    const uint16_t n = any(r, c);
    r->depth--;
    (void)read_take(r, ")");
    return n;
  }
  if (read_is(r, "true")) {
    read_next(r);
    return new_node(r, c, COND_TRUE, 0, 0);
  }
  const unsigned a = read_operand(r, c);
  const bool equal = read_is(r, "==") || read_is(r, "=");
  if (!equal && !read_is(r, "!=")) (void)read_fail(r, &r->w, "expected == or !=%s", "");
  read_next(r);
  const unsigned b = read_operand(r, c);
  return new_node(r, c, equal ? COND_EQUAL : COND_DIFFERENT, a, b);
}

static uint16_t all(struct reader *r, struct condition *c) {
  uint16_t n = read_term(r, c);
  while (!r->bad && read_is(r, "/\\")) {
    read_next(r);
    n = new_node(r, c, COND_AND, n, read_term(r, c));
  }
  return n;
}

static uint16_t any(struct reader *r, struct condition *c) {
  uint16_t n = all(r, c);
  while (!r->bad && read_is(r, "\\/")) {
    read_next(r);
    n = new_node(r, c, COND_OR, n, all(r, c));
  }
  return n;
}

static bool read_condition(struct reader *r, struct condition *c) {
  const bool not = read_is(r, "~");
  if (not ) read_next(r);
  c->kind = not ? CONDITION_NEVER : read_is(r, "forall") ? CONDITION_ALWAYS : CONDITION_EXISTS;
  if (!read_is(r, "exists") && (not || !read_is(r, "forall")))
    return read_fail(r, &r->w, "expected exists, ~exists or forall, not '%s'", r->w.text);
  read_next(r);
  c->top = any(r, c);
  return !r->bad;
}

static uint32_t operand_value(const struct condition *c, const uint32_t *value, uint16_t k) {
  return k >= CONSTANT ? c->constant[k - CONSTANT] : value[k];
}

/* Operands stand before what they are operands of. */
static bool condition_holds(const struct condition *c, const uint32_t *value) {
  bool is[CONDITION_NODES] = {false};
  for (unsigned k = 0; k < c->nodes; k++) {
    const struct condition_node *n = &c->node[k];
    const uint16_t a = n->a, b = n->b;
    is[k] = n->op == COND_TRUE        ? true
            : n->op == COND_NOT       ? !is[a]
            : n->op == COND_AND       ? is[a] && is[b]
            : n->op == COND_OR        ? is[a] || is[b]
            : n->op == COND_DIFFERENT ? operand_value(c, value, a) != operand_value(c, value, b)
                                      : operand_value(c, value, a) == operand_value(c, value, b);
  }
  return is[c->top];
}

bool condition_true(const struct condition *c, const struct outcomes *o) {
  unsigned n = 0;
  for (unsigned k = 0; k < o->count; k++) n += condition_holds(c, o->value[k]);
  return c->kind == CONDITION_EXISTS ? n > 0 : c->kind == CONDITION_NEVER ? n == 0 : n == o->count;
}

/* A litmus file as a whole: its name, what memory begins with, the table of threads, the condition. */

#define TEXT_MAX 65536u

/* The rest of the first line; then perhaps a text between quotes. */
static bool read_title(struct reader *r) {
  size_t n = 0;
  if (!read_is(r, "PTX")) return read_fail(r, &r->w, "expected PTX and the test's name%s", "");
  while (*r->at == ' ' || *r->at == '\t') r->at++;
  for (; *r->at != '\0' && *r->at != '\n' && *r->at != '\r'; r->at++)
    if (n + 1 < TEST_NAME && isgraph((unsigned char)*r->at)) r->t->name[n++] = *r->at;
  read_next(r);
  if (!read_is(r, "\"")) return true;
  const struct word at = r->w;
  while (*r->at != '\0' && *r->at != '"') {
    r->line += *r->at == '\n';
    r->column = *r->at == '\n' ? 1 : r->column + 1;
    r->at++;
  }
  if (*r->at == '\0') return read_fail(r, &at, "this text has no end%s", "");
  r->at++;
  r->column++;
  read_next(r);
  return true;
}

/* x=0; shared x=0; P0:r1=0; registers must begin with 0 */
static bool contents(struct reader *r) {
  if (!read_take(r, "{")) return false;
  while (!r->bad && !read_is(r, "}")) {
    const bool shared = read_is(r, "shared");
    char name[TEST_WORD];
    uint32_t value = 0;
    if (shared) read_next(r);
    const struct word at = r->w;
    if (!read_name(r, name, sizeof name)) return false;
    const bool reg = read_is(r, ":");
    if (reg) {
      read_next(r);
      if (!read_name(r, name, sizeof name)) return false;
    }
    if (read_is(r, "=")) {
      read_next(r);
      if (!read_number(r, &value)) return false;
    }
    if (reg && value != 0) return read_fail(r, &at, "registers begin with 0%s", "");
    if (!reg) {
      if (r->t->locs == TEST_LOCS) return read_fail(r, &at, "more than 6 locations%s", "");
      if (read_loc(r->t, name) >= 0) return read_fail(r, &at, "'%s' is here twice", name);
      r->t->shared[r->t->locs] = shared;
      r->t->first[r->t->locs] = value;
      memcpy(r->t->loc_name[r->t->locs++], name, sizeof name);
    }
    if (!read_is(r, "}") && !read_take(r, ";")) return false;
  }
  return read_take(r, "}");
}

/* P0@warp 1,cta 0,gpu 0 */
static bool thread_head(struct reader *r) {
  struct test_thread *t = &r->t->thread[r->t->threads];
  char name[8], own[8];
  const struct word at = r->w;
  if (r->t->threads == TEST_THREADS) return read_fail(r, &at, "more than 6 threads%s", "");
  (void)snprintf(own, sizeof own, "P%u", r->t->threads);
  if (!read_name(r, name, sizeof name) || strcmp(name, own) != 0) return read_fail(r, &at, "expected %s", own);
  if (!read_take(r, "@")) return false;
  t->warp = 0xff; /* a warp of its own */
  for (bool more = true; more;) {
    const struct word which = r->w;
    uint32_t n;
    if (!read_name(r, name, sizeof name) || !read_number(r, &n)) return false;
    if (n >= TEST_THREADS) return read_fail(r, &which, "%s: numbers up to 5", name);
    if (strcmp(name, "cta") == 0)
      t->cta = (uint8_t)n;
    else if (strcmp(name, "warp") == 0)
      t->warp = (uint8_t)n;
    else if (strcmp(name, "gpu") != 0 || n != 0)
      return read_fail(r, &which, "'%s': threads are in warps and blocks (cta) of one GPU (gpu 0)", name);
    more = read_is(r, ",");
    if (more) read_next(r);
  }
  r->t->threads++;
  return true;
}

static bool read_table_row(struct reader *r, bool first) {
  for (unsigned k = 0; !r->bad; k++) {
    if (first) {
      if (!thread_head(r)) return false;
    } else if (k >= r->t->threads) {
      return read_fail(r, &r->w, "more columns than threads%s", "");
    } else if (!read_is(r, "|") && !read_is(r, ";") && !read_insn(r, k)) {
      return false;
    }
    if (read_is(r, ";")) {
      read_next(r);
      return !r->bad;
    }
    if (!read_is(r, "|")) return read_fail(r, &r->w, "expected | or ; but found '%s'", r->w.text);
    read_next(r);
  }
  return false;
}

static bool is_condition(const struct reader *r) {
  return r->w.text[0] == '\0' || read_is(r, "exists") || read_is(r, "forall") || read_is(r, "~");
}

/* Warps of those that named none: each its own, in its block. */
static void own_warps(struct test *t) {
  for (unsigned k = 0; k < t->threads; k++) {
    if (t->thread[k].warp != 0xff) continue;
    uint8_t warp = 0;
    for (unsigned j = 0; j < t->threads; j++)
      if (j != k && t->thread[j].cta == t->thread[k].cta && t->thread[j].warp != 0xff && t->thread[j].warp >= warp)
        warp = (uint8_t)(t->thread[j].warp + 1);
    t->thread[k].warp = warp;
  }
}

static bool bounded(struct reader *r) {
  unsigned n = 0;
  for (unsigned k = 0; k < r->t->threads; k++)
    for (unsigned j = 0; j < r->t->thread[k].insns; j++) n += test_accesses(&r->t->thread[k].insn[j]);
  return n <= TEST_ACCESSES || read_fail(r, &r->w, "more than 20 accesses in all%s", "");
}

bool read_test(const char *text, const char *path, struct test *t, struct condition *c, struct heddle_message *m) {
  struct reader r = {.path = path, .at = text, .line = 1, .column = 1, .m = m, .t = t};
  memset(t, 0, sizeof *t);
  memset(c, 0, sizeof *c);
  *m = (struct heddle_message){0};
  read_next(&r);
  if (!r.bad && read_title(&r) && contents(&r) && read_table_row(&r, true)) {
    while (!r.bad && !is_condition(&r)) (void)read_table_row(&r, false);
    if (!r.bad && r.w.text[0] != '\0') (void)read_condition(&r, c);
    if (!r.bad && r.w.text[0] != '\0') (void)read_fail(&r, &r.w, "'%s' behind the end", r.w.text);
    if (!r.bad) (void)bounded(&r);
  }
  own_warps(t);
  test_number_ctas(t);
  return !r.bad;
}

bool read_test_file(const char *path, struct test *t, struct condition *c, struct heddle_message *m) {
  size_t n;
  enum file_end end;
  char *text = file_read(path, TEXT_MAX, &n, &end);
  bool ok = text != NULL && strlen(text) == n;
  if (ok) {
    ok = read_test(text, path, t, c, m);
  } else {
    *m = (struct heddle_message){.line = 1, .column = 1};
    (void)snprintf(m->file, sizeof m->file, "%s", path);
    (void)snprintf(m->text, sizeof m->text, "this is no text of at most 65536 bytes that can be read");
  }
  free(text);
  return ok;
}
