/* SPDX-License-Identifier: Apache-2.0
 *
 * One program both ways: natively, and compiled from PTX by our compiler. */
#ifndef TWIN_CHECK_H
#define TWIN_CHECK_H

#include "tests/twin/native.h"
#include "run/cases/suite.h"

enum twin_level { TWIN_O0, TWIN_O2, TWIN_PART /* -O2 without a pass */, TWIN_LEVELS };
struct check { /* how programs are run */
  struct run_options run;
  unsigned max_regs; /* --maxregs of all; 0: of one in five programs a small number, by its own number */
  int level;         /* an enum twin_level; -1: all */
  uint32_t without;  /* passes of TWIN_PART; 0: one, by the program's number */
  bool vary;         /* one in four under --div its */
  const char *wrong;
};

/* Native results of the program. Freed by the caller. */
struct expected {
  uint8_t *in, *out, acc[8 * TWIN_CELLS];
  size_t out_bytes;
};
bool expected_make(struct expected *e, const struct twin *t, native_twin native);
void expected_free(struct expected *e);

/* At one level. False: `v` says why. `runner` may be NULL: one of its own. */
bool check_level(const struct check *c, const struct twin *t, const struct expected *e, enum twin_level level,
                 struct runner *runner, struct suite_verdict *v);
/* "-O2 without if": how it is compiled at a level. */
void check_level_name(const struct check *c, const struct twin *t, enum twin_level level, char *text, size_t size);
/* At all levels to check; *level is that which failed. */
bool check_program(const struct check *c, const struct twin *t, native_twin native, struct runner *runner,
                   struct suite_verdict *v, enum twin_level *level);

/* Leaves out nodes as long as it still fails at `level`; `v` then says how the rest fails. */
void reduce(const struct check *c, struct twin *t, enum twin_level level, struct suite_verdict *v);

#endif
