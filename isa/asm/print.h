/* SPDX-License-Identifier: Apache-2.0
 *
 * A bounded text buffer: what does not fit is cut, never overrun. */
#ifndef HEDDLE_PRINT_H
#define HEDDLE_PRINT_H

#include <stddef.h>

struct printer {
  char *buf;
  size_t size, used; /* used < size; buf[used] is 0 */
};

void print(struct printer *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
