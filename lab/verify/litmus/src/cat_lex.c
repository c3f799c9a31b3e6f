/* SPDX-License-Identifier: Apache-2.0
 * A cat text in words. Comments: (* ... *), which may lie in each other, and // to the end of the line. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

#include "lab/verify/litmus/src/cat_internal.h"

void cat_say(const char *path, unsigned line, unsigned column, struct heddle_message *m, const char *format, ...) {
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

void cat_lex(struct cat_lexer *x, struct cat_token *t) {
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
