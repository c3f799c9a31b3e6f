/* SPDX-License-Identifier: Apache-2.0
 *
 * What an instruction could be instead: each of its texts that asks for less than it does. */
#ifndef HEDDLE_FUZZ_SIMPLER_H
#define HEDDLE_FUZZ_SIMPLER_H

#define FUZZ_SIMPLER_MOST 64u

struct fuzz_texts {
  char *text[FUZZ_SIMPLER_MOST]; /* each owned */
  unsigned n;
};

/* Of one line: without its control code, guard, reuse marks, one modifier, the offset of its address; RZ for one
 * register; a smaller number; its result made by an instruction that needs nothing, its predicate by a comparison of
 * one register; executed by no lane. None of them is the line, no chain of them comes back to it, and not all assemble.
 * No memory: fewer. */
void fuzz_line_simpler(const char *line, struct fuzz_texts *out);
void fuzz_texts_clear(struct fuzz_texts *t);

/* The line without the offset of its address; the caller's. NULL: it has none, or no memory. */
char *fuzz_line_no_offset(const char *line);

#endif
