/* SPDX-License-Identifier: Apache-2.0
 *
 * A cat text as nodes, each after those that it is made of. cat_parse.c makes words, cat_parse.c nodes of them,
 * cat_eval.c their values.
 */
#ifndef LITMUS_CAT_INTERNAL_H
#define LITMUS_CAT_INTERNAL_H

#include "lab/verify/litmus/src/cat.h"

#define CAT_NAME 48u
#define CAT_NODES 512u
#define CAT_LETS 128u
#define CAT_CHECKS_MAX 32u
#define CAT_GROUPS 16u
#define CAT_DEPTH 64u /* most parentheses within each other */

enum cat_word {
  WORD_END,
  WORD_NAME, /* also the words of the language: let, rec, and, as, acyclic, irreflexive, empty */
  WORD_STRING,
  WORD_OR,
  WORD_AND,
  WORD_MINUS, /* \ */
  WORD_SEQ,
  WORD_TIMES,
  WORD_OPEN,
  WORD_CLOSE,
  WORD_SQUARE,
  WORD_ENDSQUARE,
  WORD_INVERSE, /* ^-1 */
  WORD_PLUS,    /* ^+ */
  WORD_STAR,    /* ^* */
  WORD_MAYBE,   /* ? */
  WORD_EQUALS,
  WORD_BAD
};

struct cat_token {
  enum cat_word word;
  unsigned line, column;
  char name[CAT_NAME];
};

struct cat_lexer {
  const char *text, *path, *at;
  unsigned line, column;
  struct heddle_message *m;
};

enum cat_op {
  NODE_SET,  /* base: index in enum cat_set */
  NODE_BASE, /* base: index in enum cat_relation */
  NODE_REC,  /* what a recursive name stands for, so far */
  NODE_OR,
  NODE_AND,
  NODE_MINUS,
  NODE_SEQ,
  NODE_TIMES,
  NODE_BRACKET,
  NODE_INVERSE,
  NODE_PLUS,
  NODE_STAR,
  NODE_MAYBE
};

struct cat_node {
  uint8_t op;
  bool set;     /* a set, else a relation */
  bool dynamic; /* differs between executions of one program */
  uint16_t a, b;
};

enum cat_kind { CHECK_ACYCLIC, CHECK_IRREFLEXIVE, CHECK_EMPTY };
struct cat_check {
  uint8_t kind;
  uint16_t node;
  char name[CAT_NAME];
};

struct cat_group { /* of let rec: nodes first to end are evaluated until nothing changes */
  uint16_t first, end, members;
  uint16_t rec[8], body[8];
};

struct cat_let {
  char name[CAT_NAME];
  uint16_t node;
};

struct cat {
  struct cat_node node[CAT_NODES];
  struct relation value[CAT_NODES]; /* of a set: row[0] */
  unsigned nodes;
  struct cat_let let[CAT_LETS];
  unsigned lets;
  struct cat_check check[CAT_CHECKS_MAX];
  unsigned checks;
  struct cat_group group[CAT_GROUPS];
  unsigned groups;
  bool uses[CAT_RELATIONS];
};

#endif
