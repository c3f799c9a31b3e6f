/* SPDX-License-Identifier: Apache-2.0
 *
 * Retire traces as the fuzzers see them: sections that can be cut out, doubled and changed, and a footer that is made
 * right again, since no mutation finds a checksum.
 */
#ifndef HEDDLE_FUZZ_TRACES_H
#define HEDDLE_FUZZ_TRACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does a launch need so much memory or so many blocks that only time would be spent? (The reader allows
 * far more than is of use here.) */
bool trace_is_huge(const uint8_t *data, size_t size);

#endif
