/* SPDX-License-Identifier: Apache-2.0
 *
 * A bounded text buffer: what does not fit is cut, never overrun. */
#ifndef HEDDLE_PRINT_H
#define HEDDLE_PRINT_H

#include <stddef.h>
#include <stdint.h>

struct printer {
  char *buf;
  size_t size, used; /* used < size; buf[used] is 0 */
};

void print(struct printer *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An immediate as asm_immediate reads it; `type` is enum heddle_isa_imm_type. */
void print_immediate(struct printer *p, uint32_t imm, unsigned type);

#endif
