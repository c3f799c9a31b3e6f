/* SPDX-License-Identifier: Apache-2.0
 * Numbers: in columns as tests/silicon has them, and in NumPy's files. */
#ifndef HEDDLE_ELEMENTS_H
#define HEDDLE_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Columns of numbers as tests/silicon has them: little-endian, a type name and a count. */

/* Bytes of "f32", "b64", "int32", "uint8", "float64" ...; 0: no such type. */
unsigned element_width(const char *type);
bool element_is_float(const char *type);

uint64_t element_at(const uint8_t *column, unsigned width, size_t index);
/* "0x3fc00000 (1.5)"; integers in decimal, signed ones with their sign. Returns buf. */
const char *element_text(const char *type, uint64_t bits, char *buf, size_t size);

/* The half nearest to a number (a tie to even), and the number that a half is. */
uint16_t element_half(double v);
double element_half_value(uint16_t half);

/* The first index at which the columns differ; count: none. */
size_t element_difference(const uint8_t *got, const uint8_t *want, unsigned width, size_t count);

/* Exactly `bytes` bytes of DIR/NAME, loose or of DIR/data.zip (case_data.h); NULL with words in `why`. Caller frees. */
uint8_t *element_file(const char *dir, const char *name, size_t bytes, char *why, size_t size);

/* Arrays as NumPy keeps them in files (.npy): a type, a shape, then the numbers, little-endian, the last index
 * fastest. Files may come from elsewhere: a header that is not exactly this is refused. */

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
/* The header; its size in bytes. */
size_t npy_head(const struct npy_array *a, char head[NPY_HEAD]);

#endif
