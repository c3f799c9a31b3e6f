/* SPDX-License-Identifier: Apache-2.0
 *
 * Litmus files: the form of Dat3M's for PTX, so far as it is straight code over words of memory, and what test_print
 * adds to it. What is not taken is refused by file, line and column; nothing is skipped.
 */
#ifndef LITMUS_READ_H
#define LITMUS_READ_H

#include <heddle/program.h>
#include "lab/verify/litmus/src/litmus_judge.h"

enum condition_kind { CONDITION_NONE, CONDITION_EXISTS, CONDITION_NEVER, CONDITION_ALWAYS };
enum condition_op { COND_EQUAL, COND_DIFFERENT, COND_AND, COND_OR, COND_NOT, COND_TRUE };

#define CONDITION_NODES 128u
struct condition { /* of an outcome, at the end of a file */
  enum condition_kind kind;
  struct condition_node {
    uint8_t op;
    uint16_t a, b; /* EQUAL, DIFFERENT: values of an outcome; or constants, from 0x8000 on: index of constant */
  } node[CONDITION_NODES];
  uint32_t constant[CONDITION_NODES];
  unsigned nodes, constants;
  uint16_t top;
};

/* False: *m says where and what. */
bool read_test(const char *text, const char *path, struct test *t, struct condition *c, struct heddle_message *m);
bool read_test_file(const char *path, struct test *t, struct condition *c, struct heddle_message *m);

/* An outcome fulfils the bare condition, whatever stands before it. */
bool condition_holds(const struct condition *c, const uint32_t *value);
/* What the file says of all outcomes is so: exists: one fulfils it; never (~exists): none; always (forall): all. */
bool condition_true(const struct condition *c, const struct outcomes *o);

#endif
