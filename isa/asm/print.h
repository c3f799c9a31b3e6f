/* SPDX-License-Identifier: Apache-2.0
 *
 * Immediates as text. */
#ifndef HEDDLE_PRINT_H
#define HEDDLE_PRINT_H

#include <stdint.h>

#include "base/text.h"

/* An immediate as asm_immediate reads it; `type` is enum heddle_isa_imm_type. */
void print_immediate(struct text_room *p, uint32_t imm, unsigned type);

#endif
