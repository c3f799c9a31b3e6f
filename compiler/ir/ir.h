/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel as a control flow graph of PTX-like operations over values.
 *
 * Two forms of the same structures. As lowered: a value is a PTX register (or a temporary) and may be written often. In
 * SSA form (ir_to_ssa) every value is written once, IR_PHI joins, and `def` names the writer. ir_from_ssa turns phis
 * into copies again; selection reads that form, with values as variables once more (kept in SSA where they can be).
 *
 * Narrow numbers: 8- and 16-bit registers are IR_32 values with undefined upper bits; their users extend them (IR_CVT,
 * IR_BFE). F16 is in the low half. IR_PRED values are predicates.
 * Every instruction carries a PTX type with width and kind of its operands, and further members of its operation
 * (ir_op.h).
 */
#ifndef HEDDLE_PTX_IR_H
#define HEDDLE_PTX_IR_H

#include "compiler/ir/ir_op.h"

enum ir_class { IR_PRED, IR_32, IR_64 };

struct ir_insn;
struct ir_block;

struct ir_value {
  uint32_t id;
  enum ir_class class;
  struct ir_insn *def; /* SSA form; NULL before */
  const char *name;    /* of the PTX register, for printing; may be NULL */
  bool uniform;        /* the same in every thread of a warp that gets here (uniform.c) */
  uint32_t mark;       /* scratch of a pass */
};

struct ir_operand {
  enum { IR_NONE, IR_VALUE, IR_CONST } kind;
  union {
    struct ir_value *value; /* IR_VALUE */
    uint64_t bits;          /* IR_CONST: as many as the type has, upper bits zero */
  };
};

enum { IR_DST_MAX = 8, IR_SRC_MAX = 14, IR_PAYLOAD = 16 };

struct ir_insn {
  uint16_t op;         /* enum ir_op */
  uint8_t type, type2; /* enum ptx_type */
  struct ptx_pos pos;
  struct ir_value *dst[IR_DST_MAX];
  struct ir_operand src[IR_SRC_MAX]; /* PHI: `many` instead */
  unsigned dsts, sources;
  /* Executed where guard (xor guard_invert) is true; else the destinations keep old[i] (SSA form: named here). */
  struct ir_value *guard;
  bool guard_invert;
  struct ir_operand old[IR_DST_MAX];
  /* Further members of the operation (ir_kind): one of these, all zeros at first. */
  union {
    struct ir_arithmetic arithmetic;
    struct ir_comparison comparison;
    struct ir_memory memory;
    struct ir_lanes lanes;
    struct ir_matrix matrix;
    struct ir_place place;
    struct ir_calling calling;
    struct ir_converging converging;
    struct ir_funnel funnel;
    struct ir_operand *many; /* PHI: an operand for each predecessor */
    uint8_t sreg;            /* SREG: enum ir_sreg */
    uint8_t lut;             /* LOP3 */
    uint8_t permute;         /* PRMT: enum ir_prmt */
    uint8_t test;            /* TESTP: enum ir_testp */
    bool shift_amount;       /* BFIND */
    bool invert;             /* CBR: to succ[0] where the predicate is false */
    uint8_t bytes[IR_PAYLOAD];
  };
  struct ir_insn *prev, *next;
  struct ir_block *block;
};

struct ir_block {
  uint32_t id;
  struct ir_insn *first, *last;
  struct ir_block **succ, **pred;
  unsigned succs, preds, succ_room, pred_room;
  struct ir_block *idom, *ipdom; /* dominators.c; NULL: none */
  unsigned loop_depth;
  struct ir_block *next; /* in layout order */
  uint32_t mark;
  bool together; /* converge.c: behind the BSYNC, if there is one, all threads of a warp that have not ended are here at
                  * once, on either divergence unit; false: not known */
};

struct ir_function {
  const struct ptx_function *source;
  const char *name;
  bool entry;
  struct ir_block *first;                /* the entry block; others by ->next */
  uint32_t values, blocks;               /* how many ids are used */
  struct ir_value **parameter, **result; /* of a .func, until it is inlined */
  unsigned parameters, results;
  uint32_t local_bytes, shared_bytes; /* of what it uses, laid out by lowering (statics) */
  uint32_t units;                     /* see mir.h */
  uint32_t registers;                 /* words that a thread may have, 0: as many as there are */
  uint32_t fp64_latency;              /* see mir.h */
  bool whole_machine;                 /* see mir.h */
  bool divergent_exit;                /* not every path ends at one EXIT */
  uint32_t param_bytes;               /* of an entry's parameters */
  uint32_t barriers;                  /* named barriers used: the highest number + 1; 16 when one is not constant */
  struct ir_layout *layout;           /* lowering's: places of variables */
  bool framed;                        /* calls or is called: local variables are above the stack pointer */
  struct call_graph *calls;           /* NULL: everything is inlined */
  struct call_node *node;             /* its own; NULL with calls */
  struct ptx_arena *arena;
  struct ptx_diag *diag;
};

/* Place of a variable after lowering: byte offset in its space (shared, local, const bank 3, parameter block) or
 * among the module's .global variables. Dynamic shared variables are behind the static ones. Where one is used,
 * f->shared_bytes ends as a multiple of their alignment (16 at least), so that they begin where the static part
 * ends. */
uint32_t ir_variable_offset(const struct ir_function *f, const struct ptx_variable *v);
/* Promised alignment of a parameter's address (.ptr .align), to which launches are held: 8, 16 or 0. */
uint32_t ir_promised_align(const struct ptx_variable *v);
/* The static shared variables that a function uses, the last one first. */
struct ir_shared {
  const struct ptx_variable *variable;
  uint32_t offset;
  const struct ir_shared *next;
};
const struct ir_shared *ir_shared_variables(const struct ir_function *f);
/* Arrays of a thread's own that are apart (heddle/ptx.h: shared_gap): `gap` bytes behind each are free. */
struct ir_own {
  const char *name;
  uint32_t offset, bytes, gap;
  const struct ir_own *next;
};
const struct ir_own *ir_own_arrays(const struct ir_function *f);
/* A module's constant bank 3, initialised; *bytes 0 and NULL when it has no constants. */
const uint8_t *ir_constants(struct ptx_arena *a, struct ptx_diag *d, struct ptx_module *m, uint32_t *bytes);
/* Place of a variable of that name in it; false: there is none. */
bool ir_constant_offset(const struct ptx_module *m, const char *name, uint32_t *offset);
/* A module's .global variables, into a program that has none: contents, names, and where addresses of others are. */
struct heddle_program;
void ir_globals(struct ptx_diag *d, struct ptx_module *m, struct heddle_program *p);

/* ---- ir.c: building ---- */
struct ir_value *ir_value_new(struct ir_function *f, enum ir_class c);
struct ir_insn *ir_insn_new(struct ir_function *f, enum ir_op op, enum ptx_type type, struct ptx_pos pos);
/* i becomes another operation, which has nothing but its operands yet. */
void ir_change(struct ir_insn *i, enum ir_op op, enum ptx_type type);
void ir_append(struct ir_block *b, struct ir_insn *i);
void ir_insert_before(struct ir_insn *where, struct ir_insn *i);
void ir_remove(struct ir_insn *i);
struct ir_block *ir_block_new(struct ir_function *f);            /* not yet in the layout */
void ir_block_place(struct ir_block *after, struct ir_block *b); /* into the layout */
void ir_edge(struct ir_function *f, struct ir_block *from, struct ir_block *to);
static inline struct ir_operand ir_use(struct ir_value *v) {
  return (struct ir_operand){.kind = IR_VALUE, .value = v};
}
static inline struct ir_operand ir_bits(uint64_t bits) {
  return (struct ir_operand){.kind = IR_CONST, .bits = bits};
}
enum ir_class ir_class_of(enum ptx_type t);
bool ir_has_effect(const struct ir_insn *i); /* must stay although it is never read */

/* ---- ir_print.c, ir_check.c ---- */
#include <stdio.h>
void ir_print(const struct ir_function *f, FILE *to);
/* NULL, or what is wrong (a static or arena string): edges both ways, last instructions, classes, SSA rules when `ssa`.
 */
const char *ir_check(const struct ir_function *f, bool ssa);
extern const char ir_check_no_memory[]; /* what it returns then */

/* ---- form after lowering; passes may rely on it and keep it ----
 *
 *   calls     Calls that are left (call.h) stay calls; CALL has no guard.
 *   never     MUL24, MAD24, CNOT, SET, SLCT, DP2A, integers with `sat`: written as other operations.
 *   types     Integer arithmetic, bits, comparisons, choices have 32 or 64 bits.
 *   8, 16     Such sizes appear only in LD, PARAM (the result is extended to 32 bits by the type's sign), ST (the low
 *             bits of the value), and CVT.
 *   CVT       type2: only the low bits of the source count. type: from a float; the result is extended to 32 bits by
 *             its sign.
 *   CVT       Between integers: {U32,S32} <- {U8,U16,S8,S16}, {U64,S64} <- {U32,S32}, U32 <- U64.
 *   CVT       U8 .. S64 from F16, F32, F64: round is RNI .. RZI. Float from integer, float from another float: RN ..
 *             RZ. Float from the same float: RNI .. RZI, or none of them (RN) with ftz or sat.
 *   F16       The low half counts, the upper half is undefined. F16X2 <- F32: src[0] the upper half, src[1] the lower
 *             one.
 *   PACK      B64 from two of 32 bits, B32 from the low 16 bits of two; UNPACK the other way, 16-bit results as F16.
 *   memory    The address (src[0]) is IR_64 in the global and the generic space, else IR_32; of PARAM: bytes of the
 *             parameter block. vector > 1: elements of 32 or 64 bits, 16 bytes at most.
 *   ATOM      b, for CAS the value to compare and the new one.
 *   strong    Strong accesses have a strength; acquire and release are FENCEs of their own, behind and before.
 *   spaces    GENERIC, ISSPACEP: GLOBAL, SHARED, LOCAL; the side in `space` is IR_64 for GLOBAL, else IR_32.
 *   operands  In PTX's order: FMA a b c; BFE a pos len; BFI a b pos len; SHF low high amount; SELP a b p.
 *   operands  SHFL a lane clamp members; VOTE p members; MATCH, REDUX a members; BAR id count (0: all) p.
 *   BFE, BFI  pos and len: the low 8 bits count; of 64-bit ones all 32, as silicon has it. SHL, SHR clamp.
 *   others    COPYSIGN takes the sign of a. IR_SUBC: carries are borrows. MULWIDE, MADWIDE: type of the factors. POPC,
 *             CLZ, BFIND: type of the source, a 32-bit result.
 *   SETP      dst[1] is (not compared) combined with the same predicate.
 *   BRX       succ in the order of the list, a block possibly more than once; so may be preds. The entry block has no
 *             predecessors.
 *   .sync     Operations of this kind keep their member mask: passes that place code keep those lanes together. */

/* ---- passes, in the order in which compile.c calls them ---- */
/* Aliases become what they stand for, variables of functions the module's, constants with generic addresses .global;
 * before the others. */
void ir_module_forms(struct ptx_diag *d, struct ptx_module *m); /* module.c */
/* A kernel, or a function that is not inlined, with all its calls inlined except those in m->calls. In the arena `a`
 * (the module's, or one of the kernel's own that may be freed with it). NULL after errors. */
struct ir_function *ir_lower(struct ptx_arena *a, struct ptx_diag *d, struct ptx_module *m,
                             const struct ptx_function *k); /* lower.c, lower_call.c */
void ir_tidy(struct ir_function *f); /* cfg.c: unreachable blocks, empty blocks, straight chains */
void ir_dominators(
    struct ir_function *f);            /* dominators.c: idom, ipdom (exits join in a virtual one: NULL), loop_depth */
void ir_to_ssa(struct ir_function *f); /* ssa.c: pruned; needs dominators */
/* const_space.c: ld.const of addresses that the host gave become global; right behind ir_to_ssa. has_variables: the
 * module has .const variables. */
void ir_const_space(struct ir_function *f, bool has_variables);
void ir_fold(struct ir_function *f); /* fold*.c: constants exactly as the machine computes them, copies, algebra,
                                        selections; branches on constants */
void ir_cse(struct ir_function *f); /* redundant.c: dominator-scoped value numbering of what has no effect (and loads of
                                       parameters, const) */
bool ir_forward(struct ir_function *f); /* forward.c: loads of known values, unobserved stores; true: some were
                                         * removed */
void ir_widen(struct ir_function *f);   /* widen.c: neighbouring accesses become one of 64 or 128 bits */
void ir_switch(struct ir_function *f);  /* switch*.c: trees of comparisons become branch tables */
void ir_dead(struct ir_function *f);    /* redundant.c */
void ir_uniform(struct ir_function *f); /* uniform.c: value->uniform; control dependence counts */
void ir_if_convert(
    struct ir_function *f); /* ifconvert.c: short arms without calls, barriers, warp-wide operations become guarded */
void ir_hoist(struct ir_function *f);    /* hoist.c: what every trip of a loop computes again, in front of it */
bool ir_unroll(struct ir_function *f);   /* unroll.c: several trips of small loops in a row; false: none */
void ir_converge(struct ir_function *f); /* converge.c: BSSY, BSYNC round divergent branches, YIELD in polling loops;
                                          * see its head. A YIELD can open a BSYNC early: block->together records it */
void ir_from_ssa(struct ir_function *
                     f); /* unssa.c: critical edges split, phis to parallel copies, coalesced where lives do not meet */

#endif
