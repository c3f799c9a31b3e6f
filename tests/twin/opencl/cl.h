/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs as OpenCL C, which is C of the host too: one text, behind one of two preludes. A kernel reads words
 * of an input and writes words of its own; private arrays, constants, functions, loops and switches as people write
 * them. Nothing is undefined in either language: shifts are masked, divisors odd, floats are only turned into integers
 * within their range, and NaNs are stored as one.
 */
#ifndef TWIN_CL_H
#define TWIN_CL_H

#include <stdint.h>
#include <stdio.h>

enum { CL_THREADS = 96, CL_BLOCK = 32, CL_IN_WORDS = 256, CL_OUT_WORDS = 16 };

void cl_head(FILE *to); /* once a file */
/* Kernel k<place> (OpenCL), or a function of that name with the thread's number first (C). */
void cl_write(uint64_t seed, uint64_t index, unsigned place, FILE *to);
void cl_input(uint64_t seed, uint64_t index, uint32_t *in);

#endif
