/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that stay calls.
 *
 * The choice between inlined functions and functions that are compiled once, by themselves, is made for the whole
 * module before anything is lowered (call_choose.c), on the graph of calls. Kernels are compiled first, then functions,
 * callers before callees. So a callee's requirements from all its callers (convergence barriers, the register limit)
 * are there by then (call_choose.c). A caller's requirements from its callees (registers, stack, addresses) are put in
 * at the end (call_frame.c).
 *
 * The convention (isa/doc/06-abi.md): R1 is the stack pointer. Arguments take words from R4 on, 64-bit ones aligned
 * pairs. An array (a structure by value) takes one word, the address in local memory of the caller's variable. Behind
 * the arguments are the addresses of the arrays that the function returns. Arguments that do not fit into R4 to R15 are
 * in local memory as a C structure, with its address in the register behind the last argument that has one. Results
 * take words from R4 on. R20:R21 is the return address.
 */
#ifndef HEDDLE_PTX_CALL_H
#define HEDDLE_PTX_CALL_H

#include "compiler/ir/ir.h"

enum {
  CALL_FIRST = 4,   /* first register of arguments and results */
  CALL_WORDS = 12,  /* registers that they may take */
  CALL_RETURN = 20, /* pair of the return address */
  CALL_STACK = 1,
  CALL_SURVIVORS = 16, /* from here to CALL_SURVIVORS_END, but for CALL_RETURN */
  CALL_SURVIVORS_END = 32,
  CALL_REGISTERS = 22, /* that the convention names, and no caller may do without */
  CALL_PREDICATES = 4, /* P0 to P3 do not survive a call, and a function uses no others */
  CALL_UNIFORMS = 32   /* the same of uniform registers */
};
struct call_edge {
  struct call_node *to;
  struct call_edge *next;
};

/* A function or kernel with a body; or, without a function, all that may be called through registers. */
struct call_node {
  const struct ptx_function *function;
  uint32_t index;
  struct call_edge *calls; /* direct ones, each site, and functions with a taken address; the node without a function
                            * is for indirect ones */
  uint32_t sites;          /* that call it directly */
  uint64_t statements;     /* of its body */
  uint64_t size;           /* the same with what is inlined */
  bool address_taken, recursive, dynamic_shared, has_bar, spins;
  bool allocates; /* alloca, itself or in what it calls: it has a frame, as if it made calls */
  bool tight;     /* it or what calls it may have fewer registers than CALL_REGISTERS */
  bool strong;    /* has atomics, volatile or strong loads */
  bool out_of_line;
  bool makes_calls;       /* something that is not inlined, itself or by what it inlines */
  bool reached;           /* from a kernel */
  uint32_t component;     /* strongly connected ones share a number; callees have lower ones */
  struct call_node *mate; /* the next of the same component */
  /* known when all callers are compiled */
  unsigned first_rank; /* of convergence barriers, from the outside in: of regions that hold a call, above those that
                          are open where it is called (converge_barriers.c) */
  unsigned max_regs;   /* 0: no limit */
  bool before_bar;     /* a barrier between warps can follow a call */
  bool apart;          /* not every call is made by all threads of a warp at once */
  uint32_t varying;    /* mask of argument words that need not be the same in all threads */
  /* known when it is compiled */
  bool compiled;
  uint32_t entry_pc, frame_bytes, registers, barriers;
  uint32_t saved;  /* mask of R0 to R31 that it saves for its callers */
  uint32_t kernel; /* its place in the program */
};

struct call_fixup { /* of a word of code, or of two of bank 3 or of the .global variables */
  uint32_t at;
  enum call_fixup_kind { CALL_FIX_REL, CALL_FIX_IMM, CALL_FIX_CONST, CALL_FIX_GLOBAL } kind;
  struct call_node *to;
  int64_t addend;
  unsigned bytes;
  struct call_fixup *next;
};

struct call_graph {
  struct ptx_arena *arena;
  struct ptx_module *module;
  struct call_node *node; /* by index; the last one is that of indirect calls */
  uint32_t nodes, components;
  struct call_node *indirect;
  struct call_node **order; /* callees first */
  struct map by_name;       /* of functions with bodies */
  struct call_fixup *fixups;
  uint32_t stack_align; /* of frames: 16, or what a local variable wants */
};

/* ---- call_choose.c: the graph of calls, calls that stay calls ---- */
/* In the module's arena; m->calls. */
struct call_graph *call_graph_new(struct ptx_module *m);
/* Sets out_of_line. Always: what is recursive, or has its address taken. With `all`: whatever can be. Else what would
 * grow the code: see call_choose.c. */
void call_choose(struct call_graph *g, bool all, unsigned max_regs);
struct call_node *call_node_of(const struct call_graph *g, const struct ptx_function *f); /* NULL: none */
struct call_node *call_node_named(const struct call_graph *g, const char *name);          /* NULL: none */

/* ---- call_choose.c: in which order ---- */
unsigned call_register_limit(const struct call_node *n, unsigned max_regs); /* with .maxnreg, also of callers */
/* All that are to be compiled by themselves, when kernels have been. */
void call_each(struct call_graph *g, unsigned max_regs, void (*compile)(void *ctx, const struct ptx_function *f),
               void *ctx);

/* ---- call_frame.c: where arguments and results are ---- */
struct call_place {
  bool address; /* an array: its address */
  bool wide;    /* 64 bits */
  bool stacked; /* at byte `at` in memory; else in word `at` from R4 */
  uint32_t at;
};
struct call_layout {
  uint32_t arguments, memory_results; /* place[]: parameters, then results that are arrays */
  struct call_place *place;
  uint32_t results; /* scalars */
  struct call_place *result;
  uint32_t stacked_bytes; /* 0: all are in registers */
  uint32_t stacked_word;  /* where their address is */
};
/* NULL, or why there is none. */
const char *call_layout(struct ptx_arena *a, const struct ptx_function *f, struct call_layout *y);
bool call_in_memory(const struct ptx_variable *v);

/* ---- call_frame.c: frames, and what is known at the end ---- */
struct heddle_program;
void call_fixup_add(struct call_graph *g, enum call_fixup_kind kind, uint32_t at, struct call_node *to, int64_t addend,
                    unsigned bytes);
/* When all is compiled: addresses into code and constants; registers, barriers, local bytes of kernels. `stack`:
 * bytes for calls of unknown depth. */
void call_link(struct call_graph *g, struct ptx_diag *d, struct heddle_program *p, uint32_t stack);

#endif
