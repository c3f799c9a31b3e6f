/* SPDX-License-Identifier: Apache-2.0
 * The parts of the reader: read_insn.c, read_insn.c, read.c; read.c is the file as a whole. */
#ifndef LITMUS_READ_PARTS_H
#define LITMUS_READ_PARTS_H

#include "lab/verify/litmus/src/litmus_judge.h"

#define READ_WORD 64u

struct word { /* text: a name, a number, a mark of one or two characters; empty: the end */
  char text[READ_WORD];
  unsigned line, column;
};

struct reader {
  const char *path, *at;
  unsigned line, column;
  struct heddle_message *m;
  bool bad;
  struct word w; /* the next */
  struct test *t;
  bool constant[TEST_THREADS][TEST_REGS]; /* the register holds `value` since "ld r, 1" */
  uint32_t value[TEST_THREADS][TEST_REGS];
  unsigned depth;
};

void read_next(struct reader *r);
/* False, always: the first error is kept. %s of format is text. */
bool read_fail(struct reader *r, const struct word *at, const char *format, const char *text);
bool read_is(const struct reader *r, const char *text);
bool read_take(struct reader *r, const char *text);
bool read_name(struct reader *r, char *to, size_t bytes);
bool read_number(struct reader *r, uint32_t *value);
bool read_is_number(const struct reader *r);
int read_loc(const struct test *t, const char *name);

bool read_insn(struct reader *r, unsigned thread);

#endif
