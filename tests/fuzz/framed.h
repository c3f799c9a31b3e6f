/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames of a board's bytes (docs/stream-format.md) around what a fuzzer draws, since chance finds no check word.
 */
#ifndef HEDDLE_FUZZ_FRAMED_H
#define HEDDLE_FUZZ_FRAMED_H

#include <stddef.h>
#include <stdint.h>

/* Data is type (1), length (2), bytes; again. Of it are made frames whose numbers and check words are right; one that
 * starts a launch gets this format and profile. NULL: no memory. The caller frees. */
uint8_t *fuzz_framed(const uint8_t *data, size_t size, uint32_t format, uint8_t profile, size_t *out);

#endif
