/* SPDX-License-Identifier: Apache-2.0
 * Inside firmware/host/opencl: clang as a child process. All unlocked. */
#ifndef HEDDLE_OPENCL_CLANG_H
#define HEDDLE_OPENCL_CLANG_H

#include "firmware/host/opencl/internal.h"

#define CLANG_LIBRARY "/usr/lib/clc/nvptx64--nvidiacl.bc"
enum { CLANG_ARGUMENTS = 2200 }; /* links of 512 objects */

struct clang {
  char program[4096], header[4096];
};

/* False: the log says what is not installed. */
bool clang_find(struct clang *c, struct text *log);
/* Which ones they are, as part of a key. */
void clang_identify(const struct clang *c, struct ocl_key *k);

struct clang_arguments {
  const char *at[CLANG_ARGUMENTS]; /* borrowed; too many are cut, which clang tells */
  size_t count;
};
void clang_add(struct clang_arguments *a, const char *text);
void clang_add_inner(struct clang_arguments *a, const char *text); /* to its inner program, past its driver */
void clang_add_all(struct clang_arguments *a, const char *const *all);

/* Arguments and results need not be defined, as `heddle cc` has it. */
void clang_add_undefined(struct clang_arguments *a, const struct clang *c);

/* `in` is what it reads; what it writes is added to out, what it says to the log. */
bool clang_run(const struct clang_arguments *a, const char *in, size_t bytes, const int *keep, size_t kept,
               struct text *out, struct text *log);

#endif
