/* SPDX-License-Identifier: Apache-2.0
 *
 * A program with its input and what its C twin leaves, as files for another machine (on_gpu.py). */
#ifndef TWIN_EXPORT_H
#define TWIN_EXPORT_H

#include "tests/twin/check.h"

/* DIR/SEED-N.ptx; .in (the first buffer), .cells (the third, before), .want (the second, then the third, after);
 * .json: block, grid, parameters, and what PTX leaves open in it. False: `v` says why. */
bool export_program(const char *dir, const struct twin *t, native_twin native, struct suite_verdict *v);

/* The same of its first 0, 1, ... statements: SEED-N.K.ptx and so on. They come and go in `t`. */
bool export_prefixes(const char *dir, struct twin *t, struct suite_verdict *v);

#endif
