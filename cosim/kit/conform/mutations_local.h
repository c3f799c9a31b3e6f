/* SPDX-License-Identifier: Apache-2.0
 *
 * Spoilers of local memory: of one block of 32 threads, three accesses of a warp under way at once, seed 3.
 */
#ifndef HEDDLE_CONFORM_MUTATIONS_LOCAL_H
#define HEDDLE_CONFORM_MUTATIONS_LOCAL_H

#include "cosim/kit/conform/mutations.h"

extern const struct mutation local_mutations[];
extern const unsigned local_mutation_count;

#endif
