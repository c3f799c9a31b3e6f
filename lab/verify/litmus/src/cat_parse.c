/* SPDX-License-Identifier: Apache-2.0
 *
 * A cat text to nodes.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/file.h"
#include "lab/verify/litmus/src/cat_internal.h"

/* A cat text in words. Comments: (* ... *), which may lie in each other, and // to the end of the line. */

static void cat_say(const char *path, unsigned line, unsigned column, struct heddle_message *m, const char *format,
                    ...) {
  va_list args;
  va_start(args, format);
  *m = (struct heddle_message){.line = line, .column = column};
  (void)snprintf(m->file, sizeof m->file, "%s", path);
  (void)vsnprintf(m->text, sizeof m->text, format, args);
  va_end(args);
}

static void step_char(struct cat_lexer *x) {
  if (*x->at == '\n') {
    x->line++;
    x->column = 1;
  } else {
    x->column++;
  }
  x->at++;
}

static bool comment(struct cat_lexer *x) {
  const unsigned line = x->line, column = x->column;
  for (unsigned deep = 0;;) {
    if (x->at[0] == '(' && x->at[1] == '*') {
      deep++;
      step_char(x);
    } else if (x->at[0] == '*' && x->at[1] == ')') {
      deep--;
      step_char(x);
    } else if (*x->at == '\0') {
      cat_say(x->path, line, column, x->m, "this comment has no end");
      return false;
    }
    step_char(x);
    if (deep == 0) return true;
  }
}

static bool blanks(struct cat_lexer *x) {
  for (;;) {
    if (isspace((unsigned char)*x->at)) {
      step_char(x);
    } else if (x->at[0] == '(' && x->at[1] == '*') {
      if (!comment(x)) return false;
    } else if (x->at[0] == '/' && x->at[1] == '/') {
      while (*x->at != '\0' && *x->at != '\n') step_char(x);
    } else {
      return true;
    }
  }
}

static bool in_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

static void mark_bad(struct cat_lexer *x, struct cat_token *t, const char *why) {
  t->word = WORD_BAD;
  cat_say(x->path, t->line, t->column, x->m, "%s", why);
}

static void take_cat_name(struct cat_lexer *x, struct cat_token *t) {
  size_t n = 0;
  t->word = WORD_NAME;
  for (; in_name(*x->at); step_char(x)) {
    if (n + 1 >= sizeof t->name) {
      mark_bad(x, t, "a name of more than 47 characters");
      return;
    }
    t->name[n++] = *x->at;
  }
  t->name[n] = '\0';
}

static void take_string(struct cat_lexer *x, struct cat_token *t) {
  t->word = WORD_STRING;
  for (step_char(x); *x->at != '"'; step_char(x))
    if (*x->at == '\0' || *x->at == '\n') {
      mark_bad(x, t, "this string has no end in its line");
      return;
    }
  step_char(x);
}

static void take_hat(struct cat_lexer *x, struct cat_token *t) {
  step_char(x);
  if (*x->at == '+' || *x->at == '*') {
    t->word = *x->at == '+' ? WORD_PLUS : WORD_STAR;
  } else if (x->at[0] == '-' && x->at[1] == '1') {
    t->word = WORD_INVERSE;
    step_char(x);
  } else {
    mark_bad(x, t, "expected ^-1, ^+ or ^*");
    return;
  }
  step_char(x);
}

/* WORD_BAD: said */
static void cat_lex(struct cat_lexer *x, struct cat_token *t) {
  static const struct {
    char c;
    enum cat_word word;
  } one[] = {{'|', WORD_OR},        {'&', WORD_AND},   {'\\', WORD_MINUS}, {';', WORD_SEQ},
             {'*', WORD_TIMES},     {'(', WORD_OPEN},  {')', WORD_CLOSE},  {'[', WORD_SQUARE},
             {']', WORD_ENDSQUARE}, {'?', WORD_MAYBE}, {'=', WORD_EQUALS}};
  *t = (struct cat_token){.word = WORD_BAD, .line = x->line, .column = x->column};
  if (!blanks(x)) return;
  t->line = x->line;
  t->column = x->column;
  if (*x->at == '\0') {
    t->word = WORD_END;
  } else if (isalpha((unsigned char)*x->at) || *x->at == '_') {
    take_cat_name(x, t);
  } else if (*x->at == '"') {
    take_string(x, t);
  } else if (*x->at == '^') {
    take_hat(x, t);
  } else {
    for (size_t k = 0; k < sizeof one / sizeof *one; k++)
      if (*x->at == one[k].c) t->word = one[k].word;
    if (t->word == WORD_BAD)
      cat_say(x->path, t->line, t->column, x->m, "no word begins with this character");
    else
      step_char(x);
  }
}

/* A cat text to nodes. From what binds least to what binds most: | ; \ & * and what stands behind (? ^-1 ^+ ^*). */

#define NONE UINT16_MAX /* no node: an error, which has been said */
#define TEXT_MAX 65536u

struct parser {
  struct cat *c;
  struct cat_lexer lexer;
  struct cat_token t;
  const struct cat_change *change;
  unsigned changes, depth;
  bool changed[16];
  bool bad;
};

static uint16_t fail_parse(struct parser *p, const struct cat_token *at, const char *text, const char *name) {
  if (!p->bad && at->word != WORD_BAD) cat_say(p->lexer.path, at->line, at->column, p->lexer.m, text, name);
  p->bad = true;
  return NONE;
}

static void next_token(struct parser *p) {
  cat_lex(&p->lexer, &p->t);
  if (p->t.word == WORD_BAD) p->bad = true;
}

static bool is(const struct parser *p, const char *word) {
  return p->t.word == WORD_NAME && strcmp(p->t.name, word) == 0;
}

static bool expect_word(struct parser *p, enum cat_word w, const char *text) {
  if (p->bad) return false;
  if (p->t.word != w) {
    (void)fail_parse(p, &p->t, text, "");
    return false;
  }
  next_token(p);
  return !p->bad;
}

/* ---- nodes ---- */

static uint16_t node(struct parser *p, enum cat_op op, uint16_t a, uint16_t b, bool set) {
  struct cat *c = p->c;
  if (p->bad) return NONE;
  if (c->nodes == CAT_NODES) return fail_parse(p, &p->t, "more than 512 operations in one model", "");
  const bool leaf = op <= NODE_REC;
  bool dynamic = op == NODE_REC || (op == NODE_BASE && a >= CAT_FIRST_DYNAMIC);
  if (!leaf) dynamic = c->node[a].dynamic || (b != NONE && c->node[b].dynamic);
  c->node[c->nodes] = (struct cat_node){(uint8_t)op, set, dynamic, a, b};
  return (uint16_t)c->nodes++;
}

static uint16_t two(struct parser *p, const struct cat_token *at, enum cat_op op, uint16_t a, uint16_t b) {
  if (p->bad || a == NONE || b == NONE) return NONE;
  const bool x = p->c->node[a].set, y = p->c->node[b].set;
  if (op == NODE_TIMES) {
    if (!x || !y) return fail_parse(p, at, "* wants a set on both sides", "");
    return node(p, op, a, b, false);
  }
  if (op == NODE_SEQ) {
    if (x || y) return fail_parse(p, at, "; wants a relation on both sides; a set S is written [S]", "");
    return node(p, op, a, b, false);
  }
  if (x != y) return fail_parse(p, at, "a set on one side, a relation on the other", "");
  return node(p, op, a, b, x);
}

static uint16_t name_node(struct parser *p) {
  struct cat *c = p->c;
  const struct cat_token at = p->t;
  next_token(p);
  for (unsigned k = c->lets; k-- > 0;)
    if (strcmp(c->let[k].name, at.name) == 0) return c->let[k].node;
  for (unsigned k = 0; k < CAT_SETS; k++)
    if (strcmp(cat_set_name((enum cat_set)k), at.name) == 0) return node(p, NODE_SET, (uint16_t)k, NONE, true);
  for (unsigned k = 0; k < CAT_RELATIONS; k++)
    if (strcmp(cat_relation_name((enum cat_relation)k), at.name) == 0) {
      c->uses[k] = true;
      return node(p, NODE_BASE, (uint16_t)k, NONE, false);
    }
  return fail_parse(p, &at, "'%s' is not defined", at.name);
}

/* ---- expressions ---- */

static uint16_t expression(struct parser *p);

static uint16_t primary(struct parser *p) {
  const struct cat_token at = p->t;
  uint16_t n;
  if (p->bad) return NONE;
  if (at.word == WORD_NAME) return name_node(p);
  if (at.word != WORD_OPEN && at.word != WORD_SQUARE) return fail_parse(p, &at, "expected a name, ( or [", "");
  if (++p->depth > CAT_DEPTH) return fail_parse(p, &at, "too many parentheses within each other", "");
  next_token(p);
  n = expression(p);
  p->depth--;
  if (at.word == WORD_OPEN) return expect_word(p, WORD_CLOSE, "expected )") ? n : NONE;
  if (!expect_word(p, WORD_ENDSQUARE, "expected ]")) return NONE;
  if (!p->c->node[n].set) return fail_parse(p, &at, "[ ] wants a set", "");
  return node(p, NODE_BRACKET, n, NONE, false);
}

static uint16_t postfix(struct parser *p) {
  uint16_t n = primary(p);
  while (!p->bad) {
    const enum cat_word w = p->t.word;
    const enum cat_op op = w == WORD_INVERSE ? NODE_INVERSE
                           : w == WORD_PLUS  ? NODE_PLUS
                           : w == WORD_STAR  ? NODE_STAR
                           : w == WORD_MAYBE ? NODE_MAYBE
                                             : NODE_SET;
    if (op == NODE_SET) return n;
    if (p->c->node[n].set) return fail_parse(p, &p->t, "this goes behind a relation, not behind a set", "");
    next_token(p);
    n = node(p, op, n, NONE, false);
  }
  return NONE;
}

/* Each level's word; all bind to the left. */
static uint16_t level(struct parser *p, unsigned k) {
  static const struct {
    enum cat_word word;
    enum cat_op op;
  } of[] = {{WORD_OR, NODE_OR},
            {WORD_SEQ, NODE_SEQ},
            {WORD_MINUS, NODE_MINUS},
            {WORD_AND, NODE_AND},
            {WORD_TIMES, NODE_TIMES}};
  if (k == sizeof of / sizeof *of) return postfix(p);
  uint16_t n = level(p, k + 1);
  while (!p->bad && p->t.word == of[k].word) {
    const struct cat_token at = p->t;
    next_token(p);
    n = two(p, &at, of[k].op, n, level(p, k + 1));
  }
  return p->bad ? NONE : n;
}

static uint16_t expression(struct parser *p) {
  return level(p, 0);
}

/* ---- statements ---- */

static bool reserved(const char *name) {
  static const char *const word[] = {"let", "rec", "and", "as", "acyclic", "irreflexive", "empty", "include"};
  for (size_t k = 0; k < sizeof word / sizeof *word; k++)
    if (strcmp(word[k], name) == 0) return true;
  return false;
}

static bool new_name(struct parser *p, char name[CAT_NAME]) {
  if (p->bad) return false;
  if (p->t.word != WORD_NAME || reserved(p->t.name)) {
    (void)fail_parse(p, &p->t, "expected a name", "");
    return false;
  }
  memcpy(name, p->t.name, CAT_NAME);
  next_token(p);
  return !p->bad;
}

static bool define_name(struct parser *p, const char *name, uint16_t n) {
  if (p->bad) return false;
  if (p->c->lets == CAT_LETS) {
    (void)fail_parse(p, &p->t, "more than 128 definitions", "");
    return false;
  }
  struct cat_let *l = &p->c->let[p->c->lets++];
  memcpy(l->name, name, CAT_NAME);
  l->node = n;
  return true;
}

/* What stands behind the = of a definition, or what a change puts there. */
static uint16_t body(struct parser *p, const char *name) {
  const uint16_t own = expression(p);
  for (unsigned k = 0; k < p->changes && !p->bad; k++) {
    if (strcmp(p->change[k].name, name) != 0) continue;
    const struct cat_lexer lexer = p->lexer;
    const struct cat_token t = p->t;
    p->changed[k] = true;
    p->lexer = (struct cat_lexer){p->change[k].expression, p->change[k].name, p->change[k].expression, 1, 1, lexer.m};
    next_token(p);
    const uint16_t n = expression(p);
    if (!p->bad && p->t.word != WORD_END) (void)fail_parse(p, &p->t, "expected the end of the expression", "");
    if (!p->bad && p->c->node[n].set != p->c->node[own].set)
      (void)fail_parse(p, &p->t, "a set stands for a relation, or the other way round", "");
    p->lexer = lexer;
    p->t = t;
    return p->bad ? NONE : n;
  }
  return own;
}

static void let_plain(struct parser *p) {
  char name[CAT_NAME];
  if (!new_name(p, name) || !expect_word(p, WORD_EQUALS, "expected =")) return;
  const uint16_t n = body(p, name);
  (void)define_name(p, name, n);
}

/* The names must be known before their bodies: their number is found by looking ahead. */
static bool rec_names(struct parser *p, struct cat_group *g) {
  const struct cat_lexer lexer = p->lexer;
  const struct cat_token t = p->t;
  for (bool first = true; first || is(p, "and"); first = false) {
    char name[CAT_NAME];
    if (!first) next_token(p);
    if (!new_name(p, name)) return false;
    if (g->members == sizeof g->rec / sizeof *g->rec) {
      (void)fail_parse(p, &p->t, "more than 8 definitions in one let rec", "");
      return false;
    }
    const uint16_t n = node(p, NODE_REC, 0, NONE, false);
    if (!define_name(p, name, n)) return false;
    g->rec[g->members++] = n;
    while (!p->bad && p->t.word != WORD_END && !(p->t.word == WORD_NAME && reserved(p->t.name))) next_token(p);
  }
  p->lexer = lexer;
  p->t = t;
  return !p->bad;
}

static void let_rec(struct parser *p) {
  struct cat *c = p->c;
  if (c->groups == CAT_GROUPS) {
    (void)fail_parse(p, &p->t, "more than 16 let rec", "");
    return;
  }
  struct cat_group *g = &c->group[c->groups];
  const unsigned first_let = c->lets;
  *g = (struct cat_group){.first = (uint16_t)c->nodes};
  if (!rec_names(p, g)) return;
  for (unsigned k = 0; k < g->members; k++) {
    char name[CAT_NAME];
    if (k != 0) next_token(p); /* and */
    if (!new_name(p, name) || !expect_word(p, WORD_EQUALS, "expected =")) return;
    const struct cat_token at = p->t;
    g->body[k] = body(p, name);
    if (!p->bad && c->node[g->body[k]].set) (void)fail_parse(p, &at, "let rec defines relations alone", "");
    if (p->bad) return;
  }
  for (unsigned k = 0; k < g->members; k++) c->let[first_let + k].node = g->body[k];
  g->end = (uint16_t)c->nodes;
  c->groups++;
}

static void parse_check(struct parser *p, enum cat_kind kind) {
  const struct cat_token at = p->t;
  next_token(p);
  const uint16_t n = expression(p);
  if (p->bad) return;
  if (p->c->checks == CAT_CHECKS_MAX) {
    (void)fail_parse(p, &at, "more than 32 checks", "");
    return;
  }
  if (kind != CHECK_EMPTY && p->c->node[n].set) {
    (void)fail_parse(p, &at, "this check wants a relation", "");
    return;
  }
  struct cat_check *k = &p->c->check[p->c->checks];
  *k = (struct cat_check){.kind = (uint8_t)kind, .node = n};
  (void)snprintf(k->name, sizeof k->name, "check %u", p->c->checks + 1);
  if (is(p, "as")) {
    next_token(p);
    if (!new_name(p, k->name)) return;
  }
  p->c->checks++;
}

static void parse_statement(struct parser *p) {
  if (is(p, "let")) {
    next_token(p);
    if (is(p, "rec")) {
      next_token(p);
      let_rec(p);
    } else {
      let_plain(p);
    }
  } else if (is(p, "acyclic")) {
    parse_check(p, CHECK_ACYCLIC);
  } else if (is(p, "irreflexive")) {
    parse_check(p, CHECK_IRREFLEXIVE);
  } else if (is(p, "empty")) {
    parse_check(p, CHECK_EMPTY);
  } else {
    (void)fail_parse(p, &p->t, "expected let, acyclic, irreflexive or empty", "");
  }
}

struct cat *cat_parse(const char *text, const char *path, const struct cat_change *change, unsigned changes,
                      struct heddle_message *m) {
  struct parser p = {.lexer = {text, path, text, 1, 1, m}, .change = change, .changes = changes};
  *m = (struct heddle_message){0};
  p.c = calloc(1, sizeof *p.c);
  if (p.c == NULL || changes > sizeof p.changed) {
    cat_say(path, 1, 1, m, p.c == NULL ? "no memory" : "too many changes");
    free(p.c);
    return NULL;
  }
  next_token(&p);
  if (p.t.word == WORD_STRING) next_token(&p);
  while (!p.bad && p.t.word != WORD_END) parse_statement(&p);
  for (unsigned k = 0; k < changes && !p.bad; k++)
    if (!p.changed[k]) (void)fail_parse(&p, &p.t, "nothing here defines '%s', which is to be changed", change[k].name);
  if (!p.bad && p.c->checks == 0) (void)fail_parse(&p, &p.t, "this model checks nothing", "");
  if (!p.bad) return p.c;
  free(p.c);
  return NULL;
}

struct cat *cat_load(const char *path, const struct cat_change *change, unsigned changes, struct heddle_message *m) {
  size_t n;
  enum file_end end;
  char *text = file_read(path, TEXT_MAX, &n, &end);
  struct cat *c = NULL;
  if (text == NULL || strlen(text) != n)
    cat_say(path, 1, 1, m,
            end == FILE_TOO_LARGE ? "a model has at most 65536 bytes" : "this is no text that can be read");
  else
    c = cat_parse(text, path, change, changes, m);
  free(text);
  return c;
}

void cat_free(struct cat *c) {
  free(c);
}

bool cat_uses(const struct cat *c, enum cat_relation r) {
  return c->uses[r];
}
