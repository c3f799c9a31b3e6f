/* SPDX-License-Identifier: Apache-2.0
 *
 * A program in assembly as a list of lines that can be left out or changed. */
#ifndef HEDDLE_FUZZ_LINES_H
#define HEDDLE_FUZZ_LINES_H

#include <stdbool.h>
#include <stddef.h>

#define FUZZ_NOP "NOP ;"

struct fuzz_lines {
  char **line; /* each owned, without its end; comments and empty lines are not kept */
  bool *gone;
  unsigned lines;
};

bool fuzz_lines_init(struct fuzz_lines *l, const char *text);
void fuzz_lines_clear(struct fuzz_lines *l);
bool fuzz_lines_copy(struct fuzz_lines *to, const struct fuzz_lines *from); /* false: no memory, and nothing to clear */
void fuzz_lines_compact(struct fuzz_lines *l);                              /* forgets those that are gone */
bool fuzz_lines_set(struct fuzz_lines *l, unsigned i, const char *text);    /* false: no memory, and l is cleared */
char *fuzz_lines_text(const struct fuzz_lines *l); /* of those that are left; the caller's. NULL: no memory */
bool fuzz_lines_is_instruction(const char *line);
bool fuzz_lines_live(const struct fuzz_lines *l, unsigned i); /* an instruction that is left */
unsigned fuzz_lines_instructions(const struct fuzz_lines *l); /* that are left */

/* The line with every register (or predicate) `from` made `to`, the caller's; NULL: it has none, or no memory. `from`
 * is a whole word: R1 is neither in R12 nor in UR1. `first`: which of them, counted from 0, or -1 for all. */
char *fuzz_line_renamed(const char *line, const char *from, const char *to, int which);
bool fuzz_line_names(const char *line, const char *name);           /* as a whole word */
bool fuzz_lines_name(const struct fuzz_lines *l, const char *name); /* does an instruction that is left? */
/* Takes the next register that the line names into `name`: R0-R254. NULL: no more; else where to go on. */
const char *fuzz_line_register(const char *at, const char *start, char name[8]);
/* The register that an instruction writes, by its place; false: none, or it is a predicate. */
bool fuzz_line_writes(const char *line, char name[8]);
bool fuzz_line_writes_predicate(const char *line, char name[8]); /* the same of P0-P6 */

#endif
