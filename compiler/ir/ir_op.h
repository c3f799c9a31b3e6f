/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of the graph (ir.h) and the members of each beside its operands.
 *
 * An operation is of one kind, ir_kind(op), and an instruction has the members of that kind alone: they share their
 * bytes with those of all others. Code that turns an instruction into another operation calls ir_change.
 */
#ifndef HEDDLE_PTX_IR_OP_H
#define HEDDLE_PTX_IR_OP_H

#include <stddef.h>

#include "compiler/ir/ast.h"

enum ir_op {
  /* values */
  IR_PHI, /* src[i] from block->pred[i]; first in a block */
  IR_COPY,
  IR_UNDEF,   /* a register that is read before it is written */
  IR_ADDRESS, /* address of `variable` + at, in the variable's own space: shared, local, const: byte offset (IR_32 or
                 IR_64 by type) */
  IR_GENERIC, /* cvta: src[0] in `space` -> generic (IR_64); with `inverse`: generic -> `space` */
  IR_ISSPACEP,
  IR_SREG,     /* `sreg` */
  IR_PARAM,    /* kernel parameter at byte `at` of the parameter block, of `type` */
  IR_ARGUMENT, /* of a function that is not inlined: its register `at` (call.h), of `type`; in the entry block */
  IR_CODE,     /* address of `function`, which is not inlined */
  IR_PACK,     /* one value from several narrower ones, lowest first; types: `type` of the whole, count in `sources` */
  IR_UNPACK,   /* the other way */
  /* arithmetic: integers, F16, F16X2, F32, F64 by type; rounding, ftz, sat, relu as members */
  IR_ADD,
  IR_SUB,
  IR_MUL,
  IR_MULHI,
  IR_MULWIDE,
  IR_MAD,
  IR_MADHI,
  IR_MADWIDE,
  IR_MUL24,
  IR_MAD24, /* MUL24: `high` */
  IR_FMA,
  IR_DIV,
  IR_REM,
  IR_SAD,
  IR_NEG,
  IR_ABS,
  IR_MIN,
  IR_MAX,
  IR_SQRT,
  IR_RCP,
  IR_RSQRT,
  IR_EX2,
  IR_LG2,
  IR_SIN,
  IR_COS,
  IR_TANH,
  IR_COPYSIGN,
  IR_TESTP,
  IR_ADDC,
  IR_SUBC,
  IR_MADC, /* with carry: dst[1] carry out (or none), carry in is the last source (or absent); MADC: `high` */
  /* bits */
  IR_AND,
  IR_OR,
  IR_XOR,
  IR_NOT,
  IR_CNOT,
  IR_LOP3,
  IR_SHL,
  IR_SHR,
  IR_SHF,
  IR_BFE,
  IR_BFI,
  IR_BFIND,
  IR_POPC,
  IR_CLZ,
  IR_BREV,
  IR_PRMT,
  IR_DP4A,
  IR_DP2A,
  /* comparisons, choices; on predicates AND OR XOR NOT COPY have type PTX_PRED */
  IR_SETP, /* dst[0] and perhaps dst[1] predicates: cmp, then combine with src[2] if there is one */
  IR_SET,  /* the same into a register: type2 U32/S32: all ones, F32: 1.0 */
  IR_SELP, /* src[2] ? src[0] : src[1] */
  IR_SLCT,
  IR_CVT, /* type: destination, type2: source */
  /* memory: address = src[0] + offset in `space`; data from src[1]; vectors: dst[0..vector-1], src[1..vector].
   * A load of 8 or 16 bits extends to 32 as its type says: S8, S16 with the sign, all others with zeros. */
  IR_LD,
  IR_ST,
  IR_ATOM,
  IR_RED,
  IR_FENCE,
  IR_PREFETCH,
  /* from global to shared memory, asynchronously: src[1] is the address there; `vector` words of 32 bits. A group ends;
   * all groups but the last src[0], a constant, are waited for */
  IR_ASYNC_COPY,
  IR_ASYNC_CLOSE,
  IR_ASYNC_WAIT,
  /* lanes and warps */
  IR_SHFL,
  IR_VOTE,
  IR_MATCH,
  IR_REDUX,
  IR_ACTIVEMASK,
  IR_MMA,  /* matrix product of a whole warp: `mode` says which; dst, src: words (F64: pairs) of D; of A, B, C */
  IR_LDSM, /* 8x8 matrices of 16-bit elements from shared memory, one a destination */
  IR_WARPSYNC,
  IR_BAR,
  IR_NANOSLEEP,
  /* control; the last instruction of a block is BR, CBR, BRX, EXIT, or TRAP, and only that one is */
  IR_CALL, /* of what is not inlined: `function`, or the address in src[0]; then the arguments in registers, dst the
              results. Where arguments are: call_layout */
  IR_BR,
  IR_CBR, /* CBR: src[0] a predicate (`invert`): succ[0] if true, else succ[1] */
  IR_BRX, /* src[0] index into succ */
  IR_RET, /* of a function that is not inlined: src as of IR_CALL */
  IR_EXIT,
  IR_TRAP, /* an EXIT with a guard (ifconvert.c: "if (..) return;") is last in its block too: the others go on to
              succ[0] */
  IR_BSSY,
  IR_BSYNC,
  IR_BREAK,
  IR_YIELD, /* placed by converge.c */
  IR_OPS
};

enum ir_round { IR_RN, IR_RM, IR_RP, IR_RZ, IR_RNI, IR_RMI, IR_RPI, IR_RZI }; /* the last four: to an integer */
enum ir_cmp {
  IR_EQ,
  IR_NE,
  IR_LT,
  IR_LE,
  IR_GT,
  IR_GE,
  IR_EQU,
  IR_NEU,
  IR_LTU,
  IR_LEU,
  IR_GTU,
  IR_GEU,
  IR_NUM,
  IR_NAN
};
enum ir_bool { IR_B_NONE, IR_B_AND, IR_B_OR, IR_B_XOR };
enum ir_strength { IR_WEAK, IR_CTA, IR_GPU, IR_SYS }; /* volatile and .mmio count as SYS */
enum ir_atom { IR_A_ADD, IR_A_MIN, IR_A_MAX, IR_A_INC, IR_A_DEC, IR_A_AND, IR_A_OR, IR_A_XOR, IR_A_EXCH, IR_A_CAS };
enum ir_sreg {
  IR_TID_X,
  IR_TID_Y,
  IR_TID_Z,
  IR_NTID_X,
  IR_NTID_Y,
  IR_NTID_Z,
  IR_CTAID_X,
  IR_CTAID_Y,
  IR_CTAID_Z,
  IR_NCTAID_X,
  IR_NCTAID_Y,
  IR_NCTAID_Z,
  IR_LANEID,
  IR_WARPID,
  IR_NWARPID,
  IR_SMID,
  IR_NSMID,
  IR_GRIDID,
  IR_LANEMASK_EQ,
  IR_LANEMASK_LT,
  IR_LANEMASK_LE,
  IR_LANEMASK_GT,
  IR_LANEMASK_GE,
  IR_CLOCK,
  IR_CLOCK64,
  IR_SHARED_BYTES,
  IR_STACK,   /* the stack pointer: local variables are above it (framed) */
  IR_GLOBALS, /* the address of the module's .global variables (IR_64) */
  IR_ENVREG_0,
  IR_ENVREG_1,
  IR_ENVREG_2,
  IR_ENVREG_3
};

enum ir_shfl { IR_SHFL_IDX, IR_SHFL_UP, IR_SHFL_DOWN, IR_SHFL_BFLY };
enum ir_vote { IR_VOTE_ALL, IR_VOTE_ANY, IR_VOTE_UNI, IR_VOTE_BALLOT };
enum ir_redux { IR_REDUX_ADD, IR_REDUX_MIN, IR_REDUX_MAX, IR_REDUX_AND, IR_REDUX_OR, IR_REDUX_XOR };
/* Elements of A and B, K, accumulators. */
enum ir_mma {
  IR_MMA_F16_K16_F32,
  IR_MMA_F16_K8_F32,
  IR_MMA_BF16_K16_F32,
  IR_MMA_BF16_K8_F32,
  IR_MMA_TF32_K8_F32,
  IR_MMA_TF32_K4_F32,
  IR_MMA_F16_K16_F16,
  IR_MMA_F16_K8_F16,
  IR_MMA_F64,
  IR_MMA_I8_K16,
  IR_MMA_I8_K32,
  IR_MMA_F8_K32,
  IR_MMAS
};
enum ir_prmt { IR_PRMT_INDEX, IR_PRMT_F4E, IR_PRMT_B4E, IR_PRMT_RC8, IR_PRMT_ECL, IR_PRMT_ECR, IR_PRMT_RC16 };
enum ir_bar {
  IR_BAR_SYNC,
  IR_BAR_ARRIVE,
  IR_BAR_RED_POPC,
  IR_BAR_RED_AND,
  IR_BAR_RED_OR
}; /* src: id, count (0 = all), predicate */
enum ir_testp {
  IR_TESTP_FINITE,
  IR_TESTP_INFINITE,
  IR_TESTP_NUMBER,
  IR_TESTP_NOTANUMBER,
  IR_TESTP_NORMAL,
  IR_TESTP_SUBNORMAL
};

struct ir_block;

/* The kinds, each with the operations that are of it; all others carry nothing. */
enum ir_kind {
  IR_PLAIN,
  IR_ARITHMETIC, /* the operations of arithmetic but TESTP, and CVT */
  IR_COMPARISON, /* SETP, SET */
  IR_MEMORY,     /* LD .. ASYNC_COPY, LDSM, GENERIC, ISSPACEP */
  IR_LANES,      /* SHFL, VOTE, MATCH, REDUX, BAR */
  IR_MATRIX,     /* MMA */
  IR_PLACE,      /* ADDRESS, PARAM, ARGUMENT */
  IR_CALLING,    /* CALL, RET, CODE */
  IR_CONVERGING, /* BSSY, BSYNC, BREAK, YIELD */
  IR_SINGLE      /* one member of its own, see struct ir_insn */
};
enum ir_kind ir_kind(enum ir_op op);
const char *ir_op_name(enum ir_op op);
size_t ir_op_bytes(enum ir_op op); /* that the members of its kind take */

struct ir_arithmetic {
  uint8_t round; /* enum ir_round */
  bool ftz, sat, relu, approx, full, keep_nan;
  bool high; /* MADC, MUL24, MAD24 */
};

struct ir_comparison {
  uint8_t cmp, combine; /* enum ir_cmp; enum ir_bool: with src[2], */
  bool combine_invert;  /* which is inverted before */
  bool ftz;             /* of the operands that are compared */
};

struct ir_memory {
  int64_t offset; /* in bytes, added to src[0] */
  uint8_t space;  /* enum ptx_space */
  uint8_t vector; /* elements; 0 is 1 */
  uint8_t strength, atom;
  bool is_volatile : 1;
  bool inverse : 1;    /* GENERIC */
  bool transposed : 1; /* LDSM */
  bool invariant : 1;  /* LD: memory that is not written while the kernel runs */
  uint8_t order;       /* LD, ST, ATOM, RED, FENCE: enum heddle_order (heddle/program.h) */
};

struct ir_lanes {
  uint8_t mode; /* by the operation: enum ir_shfl, ir_vote, ir_redux, ir_bar */
  bool all;     /* MATCH */
};

struct ir_matrix {
  uint8_t mode;  /* enum ir_mma */
  uint8_t kinds; /* of elements: bit 0 of A, bit 1 of B: S8 and not U8, E5M2 and not E4M3 */
  bool sat;      /* the sum is clamped */
};

struct ir_place {
  const struct ptx_variable *variable; /* ADDRESS */
  int64_t at; /* byte in the variable; PARAM: in the parameter block; ARGUMENT: its register (call.h) */
};

struct ir_calling {
  const struct ptx_function *function; /* CALL: NULL when its address is in src[0] */
  uint32_t index;                      /* CODE: in the call graph */
  uint16_t wide;                       /* CALL, RET: bit k: src[k] has 64 bits */
  bool has_bar;                        /* CALL: there is a barrier between warps in it */
  bool spins;                          /* CALL: it may wait for memory */
};

struct ir_converging {
  struct ir_block *target; /* BSSY */
  uint8_t barrier;
};

struct ir_funnel { /* SHF */
  bool right, wrap;
};

#endif
