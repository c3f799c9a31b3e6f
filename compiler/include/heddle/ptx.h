/* SPDX-License-Identifier: Apache-2.0
 *
 * The PTX compiler as a library: text in, program out.
 *
 * Stages, each its own files, each with a header that is its contract:
 *
 *   text --ast.h--> module of functions and variables            (parse/)
 *        --ir.h---> control flow graph of typed operations        (lower/; calls inlined or left: calls/)
 *        --ir.h---> SSA, constants and copies propagated, dead code gone, short arms predicated,
 *                   reconvergence placed                          (graph/, optimise/, converge/)
 *        --mir.h--> machine instructions over virtual registers   (select/)
 *        --mir.h--> scheduled for pressure, registers allocated, spilled  (backend/)
 *        --------> words with control codes and reuse flags       (backend/emit.c; schedule of isa/asm)
 */
#ifndef HEDDLE_PTX_H
#define HEDDLE_PTX_H

#include <stdio.h>

#include <heddle/api.h>
#include <heddle/program.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Intermediate output (of each kernel; HEDDLE_PTX_DUMP_AST of the module). */
enum heddle_ptx_dump {
  HEDDLE_PTX_DUMP_NONE,
  HEDDLE_PTX_DUMP_AST, /* as parsed */
  HEDDLE_PTX_DUMP_IR,  /* as lowered, calls inlined */
  HEDDLE_PTX_DUMP_SSA, /* optimised */
  HEDDLE_PTX_DUMP_MIR, /* machine instructions over virtual registers, as they go to the allocator */
  HEDDLE_PTX_DUMP_ALLOCATED
};

/* The target machine. Instructions that the RTL lacks are in the ISA file (only=model, stars), not here. */
enum heddle_ptx_target {
  HEDDLE_PTX_TARGET_RTL,  /* instructions that the RTL lacks are used only where there is no other way */
  HEDDLE_PTX_TARGET_MODEL /* the whole instruction set, as the model has it */
};

/* Passes that may be left out, in the order in which they run first; what stays is right without them. */
enum heddle_ptx_pass {
  HEDDLE_PTX_PASS_FOLD,     /* constants, copies, algebra */
  HEDDLE_PTX_PASS_CSE,      /* what was computed already */
  HEDDLE_PTX_PASS_FORWARD,  /* loads of known values, stores without an observer */
  HEDDLE_PTX_PASS_WIDEN,    /* neighbouring accesses become one */
  HEDDLE_PTX_PASS_SWITCH,   /* trees of comparisons become branch tables */
  HEDDLE_PTX_PASS_IF,       /* short arms under predicates */
  HEDDLE_PTX_PASS_HOIST,    /* what every trip of a loop computes again, in front of it */
  HEDDLE_PTX_PASS_UNROLL,   /* several trips of small loops in a row */
  HEDDLE_PTX_PASS_UNIFORM,  /* values that a warp has once to the uniform datapath */
  HEDDLE_PTX_PASS_SCHEDULE, /* order before allocation */
  HEDDLE_PTX_PASS_BANKS,    /* registers and their order by banks */
  HEDDLE_PTX_PASS_ROTATE,   /* loops end with their test */
  HEDDLE_PTX_PASSES
};
HEDDLE_API const char *heddle_ptx_pass_name(enum heddle_ptx_pass pass); /* "fold", ... NULL: there is no such */
/* "fold,if": adds their bits to *without. INVALID_VALUE: a name is unknown, or there is none. */
HEDDLE_API enum heddle_error heddle_ptx_passes(const char *names, uint32_t *without, struct heddle_message *msg);

struct heddle_ptx_options {
  size_t size; /* sizeof(struct heddle_ptx_options) */
  enum heddle_ptx_target target;
  uint32_t units; /* with HEDDLE_PTX_TARGET_RTL: the machine's, a bit per enum heddle_isa_unit; what others execute is
                   * lacking, too. 0: all units that the RTL has */
  unsigned level; /* 0: straightforward code; 1: everything on (default of the command: 1) */
  unsigned max_regs;     /* registers a thread may have, 0 = 254; more are spilled */
  uint8_t stall[8];      /* by enum heddle_stall: latencies to schedule for */
  unsigned fp64_latency; /* ... of unit fp64, with a counter for its results: about so many cycles; 0: 24 */
  /* Called for every error and warning, in order. May be NULL. */
  void (*message)(void *ctx, const struct heddle_message *m);
  void *ctx;
  bool no_inline;        /* whatever can be compiled as a function is (for tests) */
  uint32_t stack_bytes;  /* a thread's, for recursion; 0: 1,024. Where the depth is known, that counts instead */
  uint32_t printf_bytes; /* of the buffer of a module that calls printf (heddle/printf.h); 0: 65,536; 16 MiB at most */
  bool all_uniform;      /* for tests: what can go to the uniform datapath does, whatever it costs */
  bool check;            /* look after each pass whether what it leaves is well formed */
  enum heddle_ptx_dump dump;
  FILE *dump_to;
  bool long_words;     /* in an encoding with short ones: none of these */
  uint32_t without;    /* bit per enum heddle_ptx_pass: left out, for tests and to see what a pass gives */
  uint32_t heap_bytes; /* of a module that calls malloc; 0: 8 MiB; 64 MiB at most, with all its variables */
  uint32_t shared_gap; /* for sanitizers: bytes that stay free behind each shared variable; 0: none. Kernels then say
                        * where theirs are (heddle_kernel.array), but not those of functions that are not inlined; and
                        * malloc and free are those of library/heap_checked.cu */
};

/* Result for one kernel, with all that it may call, or for one function. */
struct heddle_ptx_figures {
  const char *name; /* the program's */
  bool is_function;
  uint32_t instructions, registers, uniform_registers, spilled_values, spill_loads, spill_stores, local_bytes,
      shared_bytes, stall_cycles;
};

/* *out is NULL after an error, of which options->message has each, with file, line, column and what is not supported
 * by name: INVALID_IMAGE, HOST_MEMORY. INVALID_VALUE: the options are of another release, and it has none. *figures
 * (malloc'ed, count in *kernels; may be NULL). */
HEDDLE_API enum heddle_error heddle_ptx_compile(const char *text, size_t size, const char *file,
                                                const struct heddle_ptx_options *options, struct heddle_program **out,
                                                struct heddle_ptx_figures **figures, size_t *kernels);

#ifdef __cplusplus
}
#endif

#endif
