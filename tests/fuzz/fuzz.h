/* SPDX-License-Identifier: Apache-2.0
 *
 * Common to the targets. A target is one function, fuzz_NAME, compiled under the name LLVMFuzzerTestOneInput, which
 * libFuzzer calls with inputs of its own making and replay.c with the files of a folder. A property that does not hold
 * ends in abort().
 */
#ifndef HEDDLE_FUZZ_H
#define HEDDLE_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size); /* returns 0 */

/* A target may bring a mutator of its own; libFuzzer's is LLVMFuzzerMutate. Both return the new size, at most `most`.
 */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* Say on stderr what does not hold, then abort(). */
void fuzz_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
#define FUZZ_CHECK(holds, ...)                                                                                         \
  do {                                                                                                                 \
    if (!(holds)) fuzz_fail(__VA_ARGS__);                                                                              \
  } while (0)

/* A file NAME in a folder of this process, for readers that want a path; the folder goes at exit. Valid until the next
 * call. fuzz_file writes `size` bytes there first. */
const char *fuzz_path(const char *name);
const char *fuzz_file(const char *name, const void *data, size_t size);

/* Frames of a board's bytes (docs/stream-format.md) around what a fuzzer draws, since chance finds no check word. */

/* Data is type (1), length (2), bytes; again. The frames made of it have right numbers and check words; one that
 * starts a launch gets this format and profile. NULL: no memory. The caller frees. */
uint8_t *fuzz_framed(const uint8_t *data, size_t size, uint32_t format, uint8_t profile, size_t *out);

#endif
