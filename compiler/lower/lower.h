/* SPDX-License-Identifier: Apache-2.0
 *
 * Lowering, PTX statements to a graph: shared by its files.
 *
 * A kernel is lowered statement by statement; a call lowers the callee's body in its place (lower_call.c), so there is
 * one graph and no IR_CALL. The instructions are a table of rows (lower_table.c): a name, its types and modifiers, and
 * the function that lowers it. An instruction without a row is refused by name.
 */
#ifndef HEDDLE_PTX_LOWER_H
#define HEDDLE_PTX_LOWER_H

#include "compiler/calls/call.h"
#include "compiler/ir/ir.h"

/* ---- lower_words.c: the words of an opcode ---- */
/* clang-format off */
enum kind { /* of modifiers; each may be given once */
  K_ROUND, K_FTZ, K_SAT, K_RELU, K_APPROX, K_FULL, K_NAN, K_PART, K_CC, K_CMP, K_BOOL, K_SPACE, K_TO, K_SEM, K_SCOPE,
  K_VECTOR, K_CACHE, K_NC, K_UNI, K_ATOM, K_NOFTZ, K_SYNC, K_SHFL, K_VOTE, K_MATCH, K_REDUX, K_PRMT, K_TESTP, K_BAR,
  K_BARRED, K_RIGHT, K_WRAP, K_SHIFTAMT, K_ALIGNED, K_WARP, K_LEVEL, K_IDX, K_MMIO, K_BF16, K_RNA, K_SHORTS,
  K_XORSIGN, K_ABS, K_PACK, K_GRID, K_POLICY, K_EIGHT, K_FINITE, K_PLUS, K_SCALE, K_SINGLES, K_PROXY, K_SIDE, KINDS
};
/* clang-format on */
#define GIVEN(kind) (UINT64_C(1) << (kind))
enum part { PART_LO, PART_HI, PART_WIDE };
enum { BF16_ONE = 1, BF16_PAIR, BF16_TF32 }; /* bf16, bf16x2, tf32: halves first */
enum { SHORTS_UNSIGNED = 1, SHORTS_SIGNED }; /* u16x2, s16x2 */
/* As written: lo ls hi hs are for unsigned integers alone. */
enum {
  CMP_UNSIGNED = 0x80,
  CMP_LO = CMP_UNSIGNED | IR_LT,
  CMP_LS = CMP_UNSIGNED | IR_LE,
  CMP_HI = CMP_UNSIGNED | IR_GT,
  CMP_HS = CMP_UNSIGNED | IR_GE
};
enum { BAR_RED = 0x80 }; /* .red before its operation is known */
enum sem { SEM_WEAK, SEM_RELAXED, SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL, SEM_SC, SEM_VOLATILE };

struct words {
  uint64_t given; /* GIVEN(kind) */
  uint8_t value[KINDS];
  enum ptx_type type[3];
  unsigned types;
  bool cache_hint; /* one operand more */
  bool twice;      /* .bf16 is there again */
};

struct insn;
struct lower;

struct row { /* of the table */
  const char *name;
  uint32_t types;     /* T(B32) | ...: what the first type may be; 0: no type */
  uint64_t must, may; /* modifiers */
  void (*lower)(struct lower *l, const struct insn *in);
  uint8_t op;          /* enum ir_op, for functions that need it */
  uint8_t least, most; /* operands */
  uint8_t flags;
};
#define T(type) (UINT32_C(1) << PTX_##type)
/* Narrow operands are extended to 32 bits; round to nearest only; two types; takes the carry; two or three types; the
 * function reads the words. */
enum { ROW_EXTEND = 1, ROW_RN = 2, ROW_TWO = 4, ROW_CARRIED = 8, ROW_MORE = 16, ROW_OWN = 32 };

struct insn { /* a statement with its row and its words */
  const struct ptx_statement *s;
  const struct ptx_operand *o; /* its operands */
  unsigned operands;
  const struct row *row;
  struct words w;
  enum ptx_type type; /* the first */
};
static inline bool given(const struct insn *in, enum kind k) {
  return in->w.given >> k & 1;
}

/* False when a word is none of the kinds in `may`; *bad is that word. */
bool words_read(const struct ptx_statement *s, uint64_t may, struct words *w, const char **bad);
/* The k-th word and its kind, for generators and dictionaries; NULL behind the last. */
const char *words_text(unsigned k, enum kind *kind);

/* ---- lower_table.c ---- */
void lower_instruction(struct lower *l, const struct ptx_statement *s);
const struct row *lower_row(unsigned k); /* the k-th; NULL behind the last */

/* ---- lower_words.c ---- */
/* "add.ftz.u32: <what>" */
void lower_refuse(struct lower *l, const struct insn *in, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *lower_instead(const struct ptx_statement *s); /* what there is in its place; NULL: nothing is known */
void lower_work(struct lower *l, struct ptx_pos pos);     /* counts; stops above a limit */
void lower_enter(struct lower *l, struct ptx_pos pos);    /* a level deeper; stops above a limit */

/* ---- lower_layout.c: names of a module and of a function under lowering ---- */
struct binding {
  enum {
    BIND_REGISTER, /* value: made at its first use */
    BIND_VECTOR,   /* of registers: part[] */
    BIND_SCALAR,   /* a .param of a call that is no array: value */
    BIND_MEMORY,   /* a variable of a memory space; `variable` is the instance */
    BIND_LABEL,    /* block */
    BIND_TARGETS,  /* .branchtargets */
    BIND_FUNCTION,
    BIND_OTHER /* .calltargets, .callprototype */
  } kind;
  const char *name;
  struct ptx_pos pos;
  const struct ptx_variable *variable;
  struct ir_value *value;
  struct binding *part[4];
  struct ir_block *block;
  const struct ptx_statement *statement;
  const struct ptx_function *function;
  const struct lower_scope *scope;
  struct binding *hidden, *sibling; /* of the same name outside; of the same scope */
};
struct names;
struct lower_scope {
  struct binding *bindings;
};
struct names *names_new(struct ptx_arena *a);
struct binding *names_find(const struct names *n, const char *name); /* NULL: not there */
/* NULL when the scope has the name already. */
struct binding *names_bind(struct ptx_arena *a, struct names *n, struct lower_scope *scope, const char *name);
void names_leave(struct names *n, struct lower_scope *scope); /* hides again what the scope bound */

/* ---- the state ---- */
struct frame { /* a function with its body being lowered */
  const struct ptx_function *function;
  struct names *names;
  struct ir_block *after; /* where ret goes; NULL: it ends the thread */
  struct frame *caller;
  struct ir_operand
      stack_end; /* where what alloca gives began when it was called (lower_control.c); NONE: it gives none */
};

struct lower_module { /* made once for a module */
  struct names *names;
  struct ir_layout *constants; /* places of .const variables in bank 3 */
  uint32_t constant_bytes;
  struct ir_layout *globals; /* places of .global variables among themselves: first those with values */
  uint32_t global_bytes, global_initial;
  uint32_t once_constant; /* bytes in front that were .const variables (module.c) */
  uint64_t work;          /* of all its kernels */
};

struct lower {
  struct ir_function *f;
  struct ptx_arena *a, *text; /* the kernel's; the module's, where names are interned */
  struct ptx_diag *d;
  struct lower_module *module;
  struct frame *frame;
  struct ir_block *block;  /* where instructions go; NULL: nothing gets here */
  struct ir_block *placed; /* last in the layout */
  struct ptx_pos pos;      /* of the statement; in the library that of its caller's */
  uint32_t own_lines;      /* see ast.h */
  struct ir_value *guard;  /* of the statement, or NULL */
  bool guard_invert;
  struct ir_value *carry;            /* of add.cc and the like; made at its first use */
  uint32_t local_at;                 /* local memory in use at this point */
  unsigned depth;                    /* calls and blocks */
  uint32_t exits, shared_gap;        /* shared_gap: bytes behind each shared variable, and own array */
  bool copies, in_library;           /* the machine has asynchronous ones; the statement is behind own_lines */
  bool whole_pointers;               /* ast.h */
  const struct ptx_variable *tables; /* lower_layout.c */
  uint64_t work;                     /* bounded: inlining may make exponentially much of a small text */
  struct call_graph *calls;          /* NULL: everything is inlined */
  struct map reference; /* variables of the caller of a function that is not inlined -> value: their address */
  /* Lowers the body of frame->function, or a block in it (lower.c). The inliner of a call needs it, far below: so
   * files call each other one way, and the way round goes through here. */
  void (*body)(struct lower *l, const struct ptx_scope *s);
};

/* ---- lower_emit.c ---- */
enum ptx_type lower_promote(enum ptx_type t); /* B16 -> B32, U8 -> U32 ...: the type for a 32-bit operation */
bool lower_signed(enum ptx_type t);
bool lower_float(enum ptx_type t);

/* ---- lower_operands.c ---- */
/* Register of exactly t's size. A 16-bit value's upper bits are undefined. */
struct ir_operand lower_read(struct lower *l, const struct ptx_operand *o, enum ptx_type t);
/* The same; 8- and 16-bit integers extended to 32. */
struct ir_operand lower_read_extended(struct lower *l, const struct ptx_operand *o, enum ptx_type t);
/* The register may be wider than t: its low bits. Class of t. */
struct ir_operand lower_read_low(struct lower *l, const struct ptx_operand *o, enum ptx_type t);
struct ir_value *lower_write(struct lower *l, const struct ptx_operand *o, enum ptx_type t);
struct place {
  struct ir_value *value;
  unsigned bytes;
};
/* The register may be wider than t (and is filled with zeros or signs by lower_fill). */
struct place lower_write_wide(struct lower *l, const struct ptx_operand *o, enum ptx_type t);
struct binding *lower_find(struct lower *l, const struct ptx_operand *o); /* reports an error when there is none */
struct ir_value *lower_register(struct lower *l, struct binding *b);      /* its value */
bool lower_constant(struct lower *l, const struct ptx_operand *o, enum ptx_type t, uint64_t *bits);

/* ---- lower_emit.c ---- */
struct ir_insn *lower_emit(struct lower *l, enum ir_op op, enum ptx_type type); /* under the statement's guard */
void lower_dst(struct ir_insn *i, struct ir_value *v);
void lower_src(struct ir_insn *i, struct ir_operand o);
/* dst = op src...; under the guard */
struct ir_insn *lower_into(struct lower *l, struct ir_value *dst, enum ir_op op, enum ptx_type type, unsigned n,
                           const struct ir_operand *src);
/* A fresh value = op src..., without a guard: for operations without effects. dst: the class. */
struct ir_insn *lower_temp(struct lower *l, enum ir_op op, enum ptx_type type, enum ir_class dst, unsigned n,
                           const struct ir_operand *src);
struct ir_operand lower_result(const struct ir_insn *i); /* its first destination, as an operand */
struct ir_operand lower_one(struct lower *l, enum ir_op op, enum ptx_type type, struct ir_operand a);
struct ir_operand lower_two(struct lower *l, enum ir_op op, enum ptx_type type, struct ir_operand a,
                            struct ir_operand b);
struct ir_operand lower_three(struct lower *l, enum ir_op op, enum ptx_type type, struct ir_operand a,
                              struct ir_operand b, struct ir_operand c);
/* The 16-bit halves of a word, the low one first. */
void lower_halves(struct lower *l, struct ir_operand a, struct ir_operand half[2]);
struct ir_operand lower_cvt(struct lower *l, enum ptx_type to, enum ptx_type from, struct ir_operand a);
struct ir_operand lower_extend(struct lower *l, struct ir_operand a, enum ptx_type from,
                               unsigned bytes); /* to 2, 4 or 8 bytes */
/* dst = a. A temporary given here is not to be read again: what computed it may come to write dst instead. */
void lower_copy(struct lower *l, struct ir_value *dst, struct ir_operand a);
/* The same; a is of type t (its low bits count), and is filled up to the place's size by t's signedness. */
void lower_fill(struct lower *l, struct place dst, enum ptx_type t, struct ir_operand a);
void lower_goto(struct lower *l, struct ir_block *to); /* ends the block; nothing gets behind it */
void lower_start(struct lower *l, struct ir_block *b); /* goes on in b, placed here */
void lower_branch_if(struct lower *l, struct ir_block *yes,
                     struct ir_block *no); /* on the statement's guard, which is used up */
/* Instructions that end or leave a block cannot be guarded: under a guard, go on in a block of its own;
 * lower_rejoin places what comes after. */
struct ir_block *lower_split(struct lower *l);
void lower_rejoin(struct lower *l, struct ir_block *after);

/* ---- lower_layout.c ---- */
struct ir_layout;
struct ir_layout *layout_new(struct ptx_arena *a);
void layout_put(struct ptx_arena *a, struct ir_layout *y, const struct ptx_variable *v, uint32_t offset);
bool layout_get(const struct ir_layout *y, const struct ptx_variable *v, uint32_t *offset);
void layout_parameters(struct lower *l, const struct ptx_function *k);
/* Shared memory of functions that are not inlined is at the same place in every kernel that has calls. */
void layout_shared_first(struct lower *l);
/* After lowering a kernel's body: dynamic shared memory begins where the static part ends. */
void layout_shared_last(struct lower *l);
void layout_local(struct lower *l, const struct ptx_variable *v); /* at local_at, which grows */
bool layout_use(struct lower *l, const struct ptx_variable *v,
                struct ptx_pos pos); /* a variable with a taken address; false: reported */
struct lower_module *lower_module_of(struct ptx_diag *d, struct ptx_module *m); /* in the module's arena */

/* ---- lower_memory.c ---- */
struct address { /* src[0] and imm of a memory operation */
  enum ptx_space space;
  struct ir_operand base;
  int64_t offset;
  enum ir_strength strength;
  bool is_volatile, invariant;
};
/* Address [o] in `space`; false: reported. The base has the class that the space wants. */
bool lower_address(struct lower *l, const struct insn *in, const struct ptx_operand *o, enum ptx_space space,
                   struct address *a);
/* IR_LD, IR_ST, IR_PREFETCH of n elements; destinations and values are the caller's. */
struct ir_insn *lower_access(struct lower *l, enum ir_op op, enum ptx_type t, struct address a, unsigned n);
/* An IR_LD of one element into a fresh value. */
struct ir_operand lower_load(struct lower *l, struct address a, enum ptx_type t);
void lower_store(struct lower *l, struct address a, enum ptx_type t, struct ir_operand value);
struct ir_insn *lower_fence(struct lower *l, enum ir_strength s); /* behind which something is released */
/* A fence that acquires. At block scope it empties the cache all the same, as one of GPU scope does: what it acquires
 * from may have acquired from another block (isa/doc/15-memory-model.md). */
void lower_acquired(struct lower *l, enum ir_strength s);
/* The elements of a vector operand, or the operand itself, as n operands; false: reported. */
bool lower_elements(struct lower *l, const struct insn *in, const struct ptx_operand *o, unsigned n,
                    struct ptx_operand *list);

/* ---- lower_operands.c ---- */
/* IR_ADDRESS in the class of t. */
struct ir_operand lower_variable(struct lower *l, const struct ptx_variable *v, int64_t offset, enum ptx_type t);

/* The generic address of what is at a 32-bit address in shared memory. */
struct ir_operand lower_shared_pointer(struct lower *l, struct ir_operand at);

/* The address of a function as an operand; NONE: it is none. */
struct ir_operand lower_code_address(struct lower *l, const struct ptx_operand *o);

/* ---- lower_call.c ---- */
struct call_site {
  const struct ptx_function *function;           /* the callee; of an indirect call its prototype */
  const struct ptx_operand *target;              /* register of an indirect call; NULL: direct */
  const struct ptx_operand *results, *arguments; /* LIST, or NULL */
};
void lower_call(struct lower *l, const struct insn *in);

/* ---- lower_control.c: around the body of a kernel or function that may come to an alloca ---- */
void lower_stack_begin(struct lower *l, const struct ptx_function *f);
void lower_stack_end(struct lower *l, const struct frame *f);

/* ---- lower_call.c: calls that stay calls ---- */
void lower_bind_arguments(struct lower *l, const struct ptx_function *f);
void lower_return(struct lower *l, const struct ptx_function *f);

/* ---- functions of the table, by file ---- */
void lower_mma(struct lower *l, const struct insn *in);      /* lower_mma.c */
void lower_ldmatrix(struct lower *l, const struct insn *in); /* lower_ldmatrix.c */
void lower_stmatrix(struct lower *l, const struct insn *in);
void lower_movmatrix(struct lower *l, const struct insn *in);
void lower_async(struct lower *l, const struct insn *in);        /* lower_async.c: cp.async */
void lower_mbarrier(struct lower *l, const struct insn *in);     /* lower_async.c */
void lower_wmma(struct lower *l, const struct insn *in);         /* lower_wmma.c */
void lower_plain(struct lower *l, const struct insn *in);        /* lower_arith.c: dst = row->op of all sources */
void lower_special_half(struct lower *l, const struct insn *in); /* ex2, tanh of F16, F16X2 */
void lower_mul(struct lower *l, const struct insn *in);          /* lo, hi, wide; mad too */
void lower_carry(struct lower *l, const struct insn *in);        /* add.cc addc sub.cc subc mad.cc madc */
void lower_shift(struct lower *l, const struct insn *in);
void lower_bits(struct lower *l, const struct insn *in); /* bfe bfi bfind popc clz shf */
void lower_lop3(struct lower *l, const struct insn *in);
void lower_cnot(struct lower *l, const struct insn *in); /* lower_expand.c */
void lower_sat(struct lower *l, const struct insn *in);  /* add.sat.s32, sub.sat.s32, mad.hi.sat.s32 */
struct ir_operand lower_saturated(struct lower *l, bool difference, struct ir_operand a, struct ir_operand b); /* S32 */
void lower_mul24(struct lower *l, const struct insn *in);
void lower_dot(struct lower *l, const struct insn *in); /* dp4a, dp2a */
void lower_sad(struct lower *l, const struct insn *in);
void lower_setp(struct lower *l, const struct insn *in); /* lower_compare.c */
void lower_set(struct lower *l, const struct insn *in);
void lower_selp(struct lower *l, const struct insn *in);
void lower_slct(struct lower *l, const struct insn *in);
void lower_testp(struct lower *l, const struct insn *in);
void lower_convert(struct lower *l, const struct insn *in); /* lower_cvt.c */
void lower_mov(struct lower *l, const struct insn *in);     /* lower_mov.c */
void lower_cvta(struct lower *l, const struct insn *in);
void lower_isspacep(struct lower *l, const struct insn *in);
const char *lower_special_name(unsigned k);            /* the k-th there is; NULL behind the last */
void lower_ld(struct lower *l, const struct insn *in); /* lower_memory.c */
void lower_st(struct lower *l, const struct insn *in);
void lower_prefetch(struct lower *l, const struct insn *in);
void lower_atom(struct lower *l, const struct insn *in);      /* lower_atom.c: red too */
void lower_atom_loop(struct lower *l, const struct insn *in); /* what the machine has no atomic for */
void lower_singles(struct lower *l, const struct insn *in);   /* lower_expand.c: f32x2 */
void lower_atom_vector(struct lower *l, const struct insn *in);
void lower_mov_128(struct lower *l, const struct insn *in);
void lower_alloca(struct lower *l, const struct insn *in); /* lower_control.c */
void lower_stacksave(struct lower *l, const struct insn *in);
void lower_stackrestore(struct lower *l, const struct insn *in);
void lower_membar(struct lower *l, const struct insn *in);
void lower_shfl(struct lower *l, const struct insn *in); /* lower_warp.c */
void lower_vote(struct lower *l, const struct insn *in);
void lower_match(struct lower *l, const struct insn *in);
void lower_redux(struct lower *l, const struct insn *in);
void lower_activemask(struct lower *l, const struct insn *in);
void lower_bar(struct lower *l, const struct insn *in);
void lower_bra(struct lower *l, const struct insn *in); /* lower_control.c */
void lower_brx(struct lower *l, const struct insn *in);
void lower_ret(struct lower *l, const struct insn *in);
void lower_end(struct lower *l, const struct insn *in); /* exit, trap, brkpt */
void lower_nanosleep(struct lower *l, const struct insn *in);
void lower_init_fence(struct lower *l, const struct insn *in); /* lower_atom.c: of mbarriers that were made */
void lower_nothing(struct lower *l, const struct insn *in);    /* pmevent, hints */
void lower_bf16(struct lower *l, const struct insn *in);       /* lower_bf16.c: bf16, bf16x2 */
void lower_bf16_convert(struct lower *l, const struct insn *in);
void lower_bf16_same(struct lower *l, const struct insn *in);
/* a + b of bf16 numbers that are the lower (0) or upper halves of words */
struct ir_operand lower_bf16_sum(struct lower *l, struct ir_operand a, struct ir_operand b, unsigned half);
/* lower_arith.c: minimum or maximum (row->op) with the statement's modifiers; t F32 or F16 */
struct ir_operand lower_min_max(struct lower *l, const struct insn *in, enum ptx_type t, const struct ir_operand *src);
void lower_xorsign(struct lower *l, const struct insn *in);
void lower_of_three(struct lower *l, const struct insn *in);
void lower_relu(struct lower *l, const struct insn *in);
void lower_shorts(struct lower *l, const struct insn *in); /* u16x2, s16x2 */
void lower_szext(struct lower *l, const struct insn *in);  /* lower_expand.c */
void lower_bmsk(struct lower *l, const struct insn *in);
void lower_fns(struct lower *l, const struct insn *in);
void lower_pack(struct lower *l, const struct insn *in);
void lower_elect(struct lower *l, const struct insn *in);
void lower_policy(struct lower *l, const struct insn *in); /* lower_control.c */
void lower_fp8(struct lower *l, const struct insn *in);    /* e4m3x2, e5m2x2 */
void lower_video(struct lower *l, const struct insn *in);  /* lower_video.c: row->op of parts of words */
void lower_vmad(struct lower *l, const struct insn *in);
void lower_simd(struct lower *l, const struct insn *in);     /* lower_video.c: of halves or bytes of words */
void lower_bf16_set(struct lower *l, const struct insn *in); /* lower_compare.c: of bf16, bf16x2 */
void lower_bf16_setp(struct lower *l, const struct insn *in);

/* A thread's own arrays that are apart, for sanitizers (heddle/ptx.h: shared_gap). */

void lower_take_tables(struct ptx_module *m);                    /* out of its variables */
void lower_apart(struct lower *l, const struct ptx_variable *v); /* a local variable that has its place */

#endif
