/* SPDX-License-Identifier: Apache-2.0
 * Programs from whatever a file holds: NAME.ptx is compiled, NAME.cl and NAME.cu as well (clang makes PTX of
 * them), NAME.s assembled, anything else loaded as ELF. */
#ifndef HEDDLE_SOURCE_H
#define HEDDLE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include <heddle/program.h>
#include <heddle/ptx.h>

#define RUN_CONFIG "fpga" /* where no --config names another; what `ptx` and `cc` compile for, too */

/* Options of the assembler and the PTX compiler (heddle/ptx.h). */
struct source_options {
  enum heddle_ptx_target target;
  uint32_t units; /* of the machine, bit per enum heddle_isa_unit; 0 or all ones: all that there are */
  unsigned level;
  bool no_inline;
  uint32_t without;            /* passes left out (heddle/ptx.h) */
  bool warns;                  /* warnings of the PTX compiler go to stderr; else they are lost */
  const struct cc_options *cc; /* what to say to clang; NULL: -O2 */
  bool *missing;               /* set where clang, or what it needs, is not installed; may be NULL */
  uint32_t printf_bytes;       /* room for what a kernel prints; 0: 64 KiB */
  uint32_t heap_bytes;         /* of malloc; 0: 8 MiB */
  uint32_t shared_gap;         /* bytes between shared variables (heddle/ptx.h) */
  const char *config;          /* schedule for this configuration alone; NULL: for the slowest of all */
};
#define SOURCE_PRINTF "expected bytes, 64 to 16777216"
bool source_printf(const char *text, uint32_t *bytes); /* --printf BYTES */
#define SOURCE_HEAP "expected bytes, 64 to 67108864"
bool source_heap(const char *text, uint32_t *bytes); /* --heap BYTES */
#define SOURCE_HEAP_HELP "room for malloc and new of a kernel (default 8388608)"
#define SOURCE_WITHOUT                                                                                                 \
  "optimise without these: fold cse forward widen switch if hoist unroll uniform schedule banks rotate, with commas "  \
  "between"
/* Units that a compiler may use for --config (NULL: not given): that machine's, or without it and --target those of
 * `run`'s default machine; 0, which is all, for --target alone. */
uint32_t source_units(const char *config, bool target_given);

/* NULL: *first is the first error; all others are lost. */
struct heddle_program *source_load_with(const char *path, const struct source_options *o, struct heddle_message *first);
/* PTX, or assembly, that is no file; `name` is what messages call it. */
struct heddle_program *source_compile(const char *text, const char *name, const struct source_options *o,
                                      struct heddle_message *first);
struct heddle_program *source_assemble(const char *text, const char *name, const struct source_options *o,
                                       struct heddle_message *first);

/* OpenCL C and CUDA C to PTX, by a clang that is installed, with headers of ours (compiler/device). */

#define CC_MORE_MAX 1024u

struct cc_options {
  unsigned level;                /* -O0 to -O3 */
  const char *more[CC_MORE_MAX]; /* further arguments of clang: -DN=4, -Iinclude; borrowed */
  unsigned mores;
  unsigned local_gap; /* bytes behind each array of a function, for sanitizers; clang 14 leaves none */
};

bool cc_is_source(const char *path); /* does it end in .cl or .cu? */
/* TOOL_OK and the PTX (caller frees). Else a sentence in err. TOOL_USAGE: clang has reported on stderr what is wrong
 * with the source. TOOL_MISSING: something is not installed. */
int cc_to_ptx(const char *path, const struct cc_options *o, char **ptx, size_t *size, char *err, size_t err_bytes);

#endif
