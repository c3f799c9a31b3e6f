/* SPDX-License-Identifier: Apache-2.0
 *
 * Printed output of a program. A module that calls printf has a variable `heddle_printf` in global memory (a host finds
 * it by that name). It holds u32 requested bytes, u32 messages without room, u64 0, then messages, each
 *
 *     u32 bytes of all of it, a multiple of 8; u32 0; u64 address of the format; the arguments as in a C structure
 *
 * up to the first with 0 bytes. It begins as zeros, and a host that has read it may zero it again. Arguments are as C
 * passes them (FP32 as FP64); vectors of OpenCL C as they are. All of it is the program's: nothing is trusted.
 */
#ifndef HEDDLE_PRINTF_H
#define HEDDLE_PRINTF_H

#include <heddle/api.h>
#include <heddle/program.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_PRINTF_VARIABLE "heddle_printf"

struct heddle_printf {
  size_t size;                          /* sizeof(struct heddle_printf) */
  const struct heddle_program *program; /* its constants hold formats and strings */
  /* Global memory: `bytes` bytes from addr on; false: they are not there. */
  bool (*read)(void *ctx, uint64_t addr, void *to, size_t bytes);
  void (*put)(void *ctx, const char *text, size_t bytes); /* what is printed */
  void *ctx;
};

struct heddle_printf_totals {
  uint32_t messages, lost;
};

/* Everything that a copy of the variable holds. Lost UINT32_MAX: `h` is of another release, and nothing is printed. */
HEDDLE_API struct heddle_printf_totals heddle_printf_text(const struct heddle_printf *h, const uint8_t *variable,
                                                          size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
