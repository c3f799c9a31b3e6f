/* SPDX-License-Identifier: Apache-2.0
 *
 * What was counted, as JSON. */
#ifndef SIMD_TALLY_H
#define SIMD_TALLY_H

#include <jansson.h>

#include "lab/study/simd/count/listing.h"

/* Lanes of instructions whose registers are always full, from how often they were executed. */
void simd_tally_packed(struct simd_listing *l);

/* New: function, code {bytes, instructions}, executed {instructions, bytes, guarded, and a number each class}, vector
 * {instructions, lanes, width}, float {instructions, lanes, width}, listing [[address, bytes, text, class, executed,
 * lanes, width], ...]. */
json_t *simd_tally_json(const struct simd_listing *l);

#endif
