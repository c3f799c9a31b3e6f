/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting on Heddle's model: a grid is stepped warp by warp, and each instruction says with how many lanes it was
 * executed. */
#ifndef SIMD_WARP_H
#define SIMD_WARP_H

#include <heddle/model.h>
#include <heddle/program.h>
#include "lab/study/simd/count/listing.h"

/* A kernel's code as a listing; addresses are PCs. False: an illegal word, or no memory. */
bool simd_warp_listing(struct simd_listing *l, const struct heddle_program *p, const struct heddle_kernel *k,
                       char err[SIMD_ERROR]);

/* Runs the launch, which `m` has got, block after block, and counts. Uniform instructions count as scalar ones. Memory
 * is left as the kernel leaves it. False: a trap, an undefined value, a barrier (of which the kernels of the study have
 * none), or an instruction outside the listing. */
bool simd_warp_run(struct simd_listing *l, struct heddle_model *m, const struct heddle_launch *launch,
                   char err[SIMD_ERROR]);

#endif
