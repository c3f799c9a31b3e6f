/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside isa/asm only: the second note of a kernel, what it needs (isa/doc/06-abi.md). */
#ifndef HEDDLE_ELF_NEEDS_H
#define HEDDLE_ELF_NEEDS_H

#include "base/array.h"
#include <heddle/program.h>

/* Of kernel `k`, whose name lies at `symbol` of .strtab. */
void elf_needs_write(struct bytes *notes, const struct heddle_program *p, const struct heddle_kernel *k,
                     uint32_t symbol);

/* Words of why a descriptor cannot be taken, or NULL: then the kernel holds it. `desc` is untrusted. */
const char *elf_needs_read(struct heddle_kernel *k, const uint8_t *desc, size_t size);

#endif
