/* SPDX-License-Identifier: Apache-2.0
 *
 * Making a failing program smaller. A removed or changed part stays so if the run still fails with the same diagnosis,
 * under the same seeds and modes. The model alone must still run the program to its end. Few instructions count most:
 * above ten remaining ones, they may run in more threads than before.
 */
#ifndef HEDDLE_FUZZ_SHRINK_H
#define HEDDLE_FUZZ_SHRINK_H

#include <stdbool.h>
#include <stddef.h>
#include "lab/fuzz/fuzz_case.h"

struct fuzz_small {
  struct fuzz_case c; /* memory may have become calm, the port free: the rest is as it was */
  struct fuzz_program p;
  unsigned instructions, before; /* in the text */
  unsigned runs;                 /* that it took */
  bool out_of_time;              /* it could have gone on */
};

/* `tree` is what c makes, and failed with `want`; nodes of it are left out. `seconds` bounds the time, but for one run.
 * False: no memory. */
bool fuzz_shrink(const struct fuzz_case *c, struct random_program *tree, const struct signature *want, double seconds,
                 struct fuzz_small *out);
void fuzz_small_clear(struct fuzz_small *s);

/* Writes DIR/NAME.s (the words as they ran, control codes and all), DIR/NAME.bin (what it reads, if it does) and
 * DIR/NAME.sh, which assembles and runs it without the generator. NAME says seed, program and machine and is left in
 * `name`. False after a message. */
bool fuzz_save(const struct fuzz_small *s, const struct fuzz_verdict *v, const char *dir, char *name, size_t size);

/* A program in assembly as a list of lines that can be left out or changed. */

#define FUZZ_NOP "NOP ;"

struct fuzz_lines {
  char **line; /* each owned, without its end; comments and empty lines are not kept */
  bool *gone;
  unsigned lines;
};

bool fuzz_lines_init(struct fuzz_lines *l, const char *text);
void fuzz_lines_clear(struct fuzz_lines *l);
bool fuzz_lines_copy(struct fuzz_lines *to, const struct fuzz_lines *from); /* false: no memory, and nothing to clear */
void fuzz_lines_compact(struct fuzz_lines *l);                              /* drops those that are gone */
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

/* Alternatives of an instruction: each of its texts with fewer requirements. */

#define FUZZ_SIMPLER_MOST 64u

struct fuzz_texts {
  char *text[FUZZ_SIMPLER_MOST]; /* each owned */
  unsigned n;
};

/* Alternatives of one line: without its control code, guard, reuse marks, one modifier, the offset of its address;
 * RZ for one register; a smaller number. Its result made by an instruction without needs, its predicate by a
 * comparison of one register; executed by no lane. None of them is the line, no chain of them comes back to it, and
 * not all assemble. No memory: fewer. */
void fuzz_line_simpler(const char *line, struct fuzz_texts *out);
void fuzz_texts_clear(struct fuzz_texts *t);

/* The line without the offset of its address; the caller's. NULL: it has none, or no memory. */
char *fuzz_line_no_offset(const char *line);

/* Inside the shrinker: the search, and what it tries. */

#define REDUCE_SEEN 8192u /* programs that were tried, by their hash; a power of two */

struct reduction {
  struct fuzz_case c;
  struct fuzz_program p;       /* its text is that of `tree` or of `lines` when it is judged */
  struct random_program *tree; /* first */
  struct fuzz_lines lines;     /* then */
  struct fuzz_lines other;     /* during reduce_room: what each line could be instead */
  struct signature want;
  double until;
  unsigned runs;
  bool out_of_time, no_memory;
  uint64_t held;              /* the hash of what held last */
  uint64_t seen[REDUCE_SEEN]; /* of what did not */
};

/* Does the present program fail as wanted? Never after the time limit. */
bool reduce_holds(struct reduction *r);

/* Is there nothing left to try with: time, memory? */
bool reduce_over(const struct reduction *r);
/* The present lines, for changing several: then reduce_try takes them, and they stay if they hold. False: no memory. */
bool reduce_copy(struct reduction *r, struct fuzz_lines *l);
bool reduce_try(struct reduction *r, struct fuzz_lines *l);

/* Parts of which any may be left out. `put` takes one out or back; `holds` is reduce_holds. */
struct reduce_parts {
  unsigned parts;
  bool (*there)(const struct reduction *r, unsigned part);
  void (*put)(struct reduction *r, unsigned part, bool gone);
};
/* Leaves out ranges of parts, halves first, single ones last and as long as one of them goes. True: some went. */
bool reduce_parts(struct reduction *r, const struct reduce_parts *parts);

/* Each keeps what holds. True: something changed. */
bool reduce_timing(struct reduction *r);   /* retire port free, memory calm */
bool reduce_geometry(struct reduction *r); /* grid, block */
bool reduce_data(struct reduction *r);     /* what it reads */
bool reduce_lines(struct reduction *r);    /* lines left out */
bool reduce_words(struct reduction *r);    /* simpler instructions, so that what made their operands can go */

bool reduce_functions(struct reduction *r); /* their lines where they are called, and nothing after them */

/* Where little of the program could go, as many lines as can become NOPs: it may be their room that counts. */
bool reduce_room(struct reduction *r);
/* Where that is all, and more than ten instructions are left: what changes two things at once, more threads among
 * them. True: it is worth trying the others again. */
bool reduce_stuck(struct reduction *r);
bool reduce_jumps(struct reduction *r);        /* a part of it: to where a jump goes on to */
bool reduce_lane_numbers(struct reduction *r); /* a part of it: instead of data that were loaded */
bool reduce_loops(struct reduction *r);        /* a part of it: what waits counts instead */
bool reduce_early(struct reduction *r);        /* a part of it: constants are moved first */
bool reduce_pairs(struct reduction *r);        /* the last part of it: dear */

#endif
