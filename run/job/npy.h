/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays as NumPy keeps them in files (.npy): a type, a shape, then the numbers, little-endian, the last index fastest.
 * Files are somebody else's: a header that is not exactly this is refused. */
#ifndef HEDDLE_NPY_H
#define HEDDLE_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NPY_DIMS 32u
#define NPY_HEAD 1024u /* bytes of a header that is written, at most */

struct npy_array {
  char type[8]; /* "f32", "u8", "s64" ... (elements.h); "": none */
  unsigned dims;
  uint64_t shape[NPY_DIMS];
};

bool npy_is_name(const char *path); /* does it end in .npy? */
/* The numbers in a file of `size` bytes, and how many bytes they are; NULL: *why says what is wrong. */
const uint8_t *npy_read(const uint8_t *file, size_t size, struct npy_array *a, size_t *bytes, const char **why);
/* What stands in front of the numbers; bytes of it. */
size_t npy_head(const struct npy_array *a, char head[NPY_HEAD]);

#endif
