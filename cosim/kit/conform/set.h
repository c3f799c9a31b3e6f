/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside cosim/kit/conform/: what the set is made of.
 */
#ifndef HEDDLE_CONFORM_SET_H
#define HEDDLE_CONFORM_SET_H

#include <heddle/trace.h>
#include "cosim/kit/conform/fake.h"

#define CONFORM_PROFILES HEDDLE_RECORD_PROFILES
extern const struct heddle_record_hidden conform_profile[CONFORM_PROFILES];

/* ---- mutations.c ---- */
/* The stream as shown by a device that hides `h`. Hidden fields hold noise (drawn from *noise), or zeros. */
void conform_hide(struct stream *s, struct heddle_record_hidden h, uint64_t *noise);
bool conform_same(const struct stream *a, const struct stream *b);

/* ---- make.c: programs with results that depend on no order ---- */
struct conform_program {
  const char *name, *about, *text;
  unsigned blocks, threads, launches;
};
extern const struct conform_program conform_programs[]; /* ends without a name */

/* ---- mutations.c: what comes of a spoiled stream where less is shown, if it is something else than at P2 ---- */
struct conform_lower {
  const char *name;
  unsigned profiles;             /* a bit each */
  enum heddle_checker_kind kind; /* HEDDLE_CHECKER_NONE: it passes, since it is not judged */
  const char *why;
};
const struct conform_lower *conform_lower_of(const char *name, unsigned profile); /* NULL: the same as at P2 */

/* ---- mistakes*.c: what an adapter does throughout ---- */
struct conform_mistake {
  const char *name, *does, *rule, *mend; /* rule: the row of docs/retire-port.md */
  const char *text;                      /* the program */
  unsigned blocks, threads, profile;
  enum heddle_checker_kind expect;
  bool (*spoil)(struct stream *s); /* false: no place in this stream */
  bool no_memory;                  /* the end of the trace has no memory */
  unsigned launches;               /* the last of them is spoiled; 0: one */
};
extern const struct conform_mistake *const conform_mistake_tables[]; /* each ends without a name, all with NULL */

#endif
