/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs for vm.cl, and what they do. */
#ifndef HEDDLE_KERNEL_VM_HOST_H
#define HEDDLE_KERNEL_VM_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "firmware/kernels/vm_ops.h"

enum { VM_PROGRAMS = 14, VM_PROGRAM_BYTES = 256 };
extern const char *const vm_programs[VM_PROGRAMS];

/* To at most VM_PROGRAM_BYTES of code; how many. */
size_t vm_assemble(const char *program, uint8_t *out);

/* Run `code`: result, how it ended (enum vm_end) with the steps above the low byte, a sum over the words. */
void vm_run(const uint8_t *code, const uint32_t input[VM_INPUTS], uint32_t out[3]);

#endif
