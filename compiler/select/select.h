/* SPDX-License-Identifier: Apache-2.0
 *
 * Selection, inside: shared by its files.
 *
 * One walk over the blocks in layout order; every operation appends machine instructions for itself. A value is in a
 * register of its own. A value that is written once (SSA), without moving bits, is replaced by its parts: a constant, a
 * word of the constant bank, words of other values. The machine can do some operations along with their user: a
 * negation, a product, a shifted index. Then the user takes that one's operands; results without a reader are dropped
 * afterwards (coalesce.c).
 */
#ifndef HEDDLE_PTX_SELECT_H
#define HEDDLE_PTX_SELECT_H

#include "compiler/ir/mir.h"

/* Reads of a 64-bit value. PAIR: by an instruction that takes register pairs only; WIDE: or a wide constant. */
enum sel_wants { SEL_LOW = 1, SEL_HIGH = 2, SEL_BOTH = 3, SEL_PAIR = 4, SEL_WIDE = 8 };

struct sel_value {
  struct ir_insn *def;    /* the one instruction that ever writes it, above all readers; NULL: a variable */
  struct ir_insn *latest; /* the last one so far in the layout */
  uint32_t uses;
  uint32_t written, read; /* number (select.number) of the last instruction that wrote, read it */
  uint8_t wants;          /* enum sel_wants, of IR_64 */
  bool low_only;          /* IR_64: the upper word is unread */
  bool narrow;            /* and nothing writes it: one register */
  bool known;             /* the operands below say where it is */
  bool exposed;           /* written under a guard, and read where the guard may be false */
  /* REG (predicates too, perhaps negated), CONST, IMM, ZERO; NONE: word[] says where each word is */
  struct mir_operand whole, word[2];
};

/* A number that IMAD.WIDE multiplies indices by, in a register (NONE: not yet); select_scale.c. */
enum { SEL_FACTORS = 4 };
struct sel_factor {
  uint32_t number, saves; /* instructions */
  struct mir_operand reg;
};

struct select {
  struct ir_function *ir;
  struct mir_builder m;
  struct sel_value *value;  /* by id */
  struct mir_block **block; /* by the IR block's id */
  uint32_t *open;           /* by the IR block's id: convergence barriers with lanes that may still be apart;
                             * select_demand.c */
  bool together;            /* here, all lanes of a warp that have not ended */
  bool ssa;                 /* the graph has been in SSA form: old values are said where they matter */
  struct ir_insn *insn;     /* at hand */
  struct ir_block *at;      /* its block */
  uint32_t number;          /* of the instruction at hand, from 1 */
  bool wide_addends;        /* IMAD.WIDE may add a constant of two words */
  struct sel_factor factor[SEL_FACTORS];
  unsigned factors;
};

/* ---- select_emit.c: where values are ---- */
static inline struct sel_value *sel_value(struct select *s, const struct ir_value *v) {
  return &s->value[v->id];
}
/* Definition of operation `o`, if its operands are unchanged since then and no guard is in the way. NULL: unknown. */
struct ir_insn *sel_from(struct select *s, const struct ir_operand *o);
/* The same, if it is an `op` and in no shallower loop. */
struct ir_insn *sel_from_op(struct select *s, const struct ir_operand *o, enum ir_op op);
/* The same, without another reader. */
struct ir_insn *sel_from_once(struct select *s, const struct ir_operand *o, enum ir_op op);
/* Must destination k of the instruction at hand keep its old value where the guard is false? */
bool sel_keeps_old(struct select *s, unsigned k);
/* Will the operand stay as it is wherever a value made now is read? */
bool sel_lasts(struct select *s, const struct ir_operand *o);

/* A word of an operand: REG, CONST, IMM or ZERO. */
struct mir_operand sel_word(struct select *s, struct ir_operand o, unsigned word);
static inline struct mir_operand sel_low(struct select *s, struct ir_operand o) {
  return sel_word(s, o, 0);
}
static inline struct mir_operand sel_high(struct select *s, struct ir_operand o) {
  return sel_word(s, o, 1);
}
/* A 64-bit operand as a register pair or RZ; sel_wide: or a wide constant (not an immediate). */
struct mir_operand sel_pair(struct select *s, struct ir_operand o);
struct mir_operand sel_wide(struct select *s, struct ir_operand o);
bool sel_is_pair(struct select *s, struct ir_operand o); /* is it one anyway? */
bool sel_is_bank(struct select *s, struct ir_operand o); /* or a wide constant? */
void sel_touch(struct select *s); /* the instruction at hand reads all its sources: for sel_dst_late */
/* A predicate: REG, or ZERO for PT; both perhaps negated. */
struct mir_operand sel_predicate(struct select *s, struct ir_operand o);
struct mir_operand sel_imm(uint32_t v); /* RZ for 0 */

/* Register of destination k of the instruction at hand; of a 64-bit one of which only the low word is wanted, that
 * word. sel_dst_pair: all of it, for what writes pairs only. */
struct mir_operand sel_dst(struct select *s, unsigned k);
struct mir_operand sel_dst_pair(struct select *s, unsigned k);
/* The same, or a fresh one where the instruction has read the old value; sel_finish brings it home. To be called behind
 * the reading of operands. */
struct mir_operand sel_dst_late(struct select *s, unsigned k);
void sel_finish(struct select *s, unsigned k, struct mir_operand r);
/* Destination 0 is `words` words of constant bank 0 (select_move.c). */
void sel_give_bank(struct select *s, uint32_t offset, unsigned words);
/* Rather a register pair, once, than a constant at every use? */
bool sel_wants_pair(struct select *s, const struct ir_value *x);
/* Is only the low word of (64-bit) destination k wanted? */
static inline bool sel_narrow(struct select *s, unsigned k) {
  return s->value[s->insn->dst[k]->id].low_only;
}
/* Destination k from now on is x (or the words lo, hi) if it can be: true. Else it needs a register. */
bool sel_is(struct select *s, unsigned k, struct mir_operand x);
bool sel_is_words(struct select *s, unsigned k, struct mir_operand lo, struct mir_operand hi);
bool sel_may_stand(struct select *s, unsigned k); /* would they say true? */

/* ---- select_emit.c: instructions ---- */
/* mir_add, under the guard of the instruction at hand; a variable keeps its old value where the guard is false. */
struct mir_insn *sel_add(struct select *s, enum heddle_isa_op op, struct mir_operand rd, struct mir_operand a,
                         struct mir_operand b, struct mir_operand c);
/* The same with operands of any kind: those for which there is no form go through registers. sel_swap: a and b may
 * change places. */
struct mir_insn *sel_op(struct select *s, enum heddle_isa_op op, struct mir_operand rd, struct mir_operand a,
                        struct mir_operand b, struct mir_operand c);
struct mir_insn *sel_swap(struct select *s, enum heddle_isa_op op, struct mir_operand rd, struct mir_operand a,
                          struct mir_operand b, struct mir_operand c);
void sel_set_predicate(struct select *s, struct mir_insn *i, unsigned k, struct mir_operand p); /* pd[k] */
struct mir_operand sel_new(struct select *s, unsigned words);
struct mir_operand sel_new_predicate(struct select *s);
void sel_mov(struct select *s, struct mir_operand rd, struct mir_operand x); /* as many words as rd has */
struct mir_operand sel_reg(struct select *s, struct mir_operand x); /* mir_reg under the guard; modifiers stay */
struct mir_operand sel_join(struct select *s, struct mir_operand lo, struct mir_operand hi); /* a fresh pair */
struct mir_operand sel_choice(bool yes);                                                     /* PT or !PT */
static inline struct mir_operand sel_neg(struct mir_operand x) {
  x.neg = !x.neg;
  return x;
}
/* PLOP3: pd = table of p, q, r (index p << 2 | q << 1 | r). */
void sel_plop3(struct select *s, struct mir_operand pd, struct mir_operand p, struct mir_operand q,
               struct mir_operand r, unsigned lut);
/* SEL of words: rd = p ? a : b */
void sel_sel(struct select *s, struct mir_operand rd, struct mir_operand a, struct mir_operand b, struct mir_operand p);
/* IADD3, IADD3.X: rd = a + b + c (+ carry); carry out into `out` unless NONE. */
void sel_iadd(struct select *s, struct mir_operand rd, struct mir_operand out, struct mir_operand a,
              struct mir_operand b, struct mir_operand c);
void sel_iaddx(struct select *s, struct mir_operand rd, struct mir_operand out, struct mir_operand a,
               struct mir_operand b, struct mir_operand c, struct mir_operand in);
/* rd = a * b + c of 32 bits; c may be negated. */
void sel_imad(struct select *s, struct mir_operand rd, struct mir_operand a, struct mir_operand b,
              struct mir_operand c);
/* pair rd = a * b + pair c. */
void sel_imad_wide(struct select *s, struct mir_operand rd, struct mir_operand a, struct mir_operand b,
                   struct mir_operand c, bool is_signed);
/* SHF: low (or `high`) word of {hi:lo} shifted by an amount. `type` ISA_SHTYPE_*. */
struct mir_insn *sel_shf(struct select *s, struct mir_operand rd, struct mir_operand lo, struct mir_operand amount,
                         struct mir_operand hi, bool right, unsigned type, bool high);
void sel_lop3(struct select *s, struct mir_operand rd, struct mir_operand a, struct mir_operand b, struct mir_operand c,
              uint8_t lut);
/* Refuses the instruction at hand: "<operation>.<type>: <what>". */
void sel_refuse(struct select *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- types ---- */
static inline bool sel_is_signed(unsigned t) {
  return t == PTX_S8 || t == PTX_S16 || t == PTX_S32 || t == PTX_S64;
}
static inline bool sel_is_float(unsigned t) {
  return t == PTX_F16 || t == PTX_F16X2 || t == PTX_F32 || t == PTX_F64;
}
static inline bool sel_is_64(unsigned t) {
  return t == PTX_B64 || t == PTX_U64 || t == PTX_S64 || t == PTX_F64;
}

/* ---- analyses before the walk ---- */
void sel_single(struct select *s);       /* select_demand.c: def, uses, ssa */
void sel_demand(struct select *s);       /* select_demand.c: wants, narrow */
void sel_find_open(struct select *s);    /* select_demand.c: open */
void sel_find_factors(struct select *s); /* select_scale.c; behind sel_demand */
void sel_together(struct select *s);     /* at the instruction at hand, which may be a barrier */

/* ---- operations, by file ---- */
void select_copy(struct select *s); /* select_move.c */
void select_undef(struct select *s);
void select_address(struct select *s);
void select_param(struct select *s);
void select_pack(struct select *s);
void select_unpack(struct select *s);
void select_generic(struct select *s);
void select_isspacep(struct select *s);
void select_sreg(struct select *s);
void select_add(struct select *s);   /* select_integer.c: ADD SUB NEG */
void select_carry(struct select *s); /* ADDC SUBC MADC */
void select_mul(struct select *s);
void select_mulhi(struct select *s);
void select_mulwide(struct select *s);
void select_divide(struct select *s);
void select_sad(struct select *s);
void select_abs(struct select *s);
void select_minmax(struct select *s);
void select_logic(struct select *s); /* select_logic.c; predicates too */
void select_setp(struct select *s);
void select_selp(struct select *s);
void select_setp(struct select *s);
void select_selp(struct select *s);
void select_shift(struct select *s); /* select_bits.c */
void select_funnel(struct select *s);
void select_bfe(struct select *s);
void select_bfi(struct select *s);
void select_bfind(struct select *s);
void select_count(struct select *s);   /* POPC CLZ BREV */
void select_bytes(struct select *s);   /* PRMT DP4A */
void select_float(struct select *s);   /* select_float.c: ADD SUB MUL FMA NEG ABS MIN MAX COPYSIGN */
void select_special(struct select *s); /* what expand*.c does; TESTP */
void select_testp(struct select *s);
void select_cvt(struct select *s); /* select_convert.c */
void select_ld(struct select *s);  /* select_memory.c */
void select_st(struct select *s);
void select_prefetch(struct select *s);
void select_fence(struct select *s);
void select_async_copy(struct select *s);
void select_async_close(struct select *s);
void select_async_wait(struct select *s);
void select_atom(struct select *s);
void select_warp(struct select *s); /* select_warp.c: SHFL VOTE MATCH REDUX ACTIVEMASK WARPSYNC */
void select_mma(struct select *s);
void select_ldsm(struct select *s);
void select_bar(struct select *s);
void select_nanosleep(struct select *s);
void select_control(struct select *s); /* select_control.c */
void select_call(struct select *s);
void select_ret(struct select *s);
void select_argument(struct select *s);
void select_code(struct select *s);

/* ---- shared between those files ---- */
/* A 64-bit operand that is a 32-bit one, extended, times a number: what address arithmetic is made of. */
struct sel_scaled {
  struct ir_operand index; /* 32 bits: the lower word, of a 64-bit operand */
  bool is_signed;
  uint32_t scale; /* below 2^31 */
};
bool sel_scaled(struct select *s, const struct ir_operand *o, struct sel_scaled *r); /* select_scale.c */
bool sel_is_scaled(struct select *s, const struct ir_insn *i,
                   struct sel_scaled *r); /* the same of an instruction's result; extensions excepted */
void sel_add_scaled(struct select *s, struct sel_scaled x, struct ir_operand base); /* destination 0 = x + base */
void sel_mad_low(struct select *s, struct mir_operand rd, struct mir_operand a, uint32_t n,
                 struct mir_operand c); /* a * n + c */
/* An operand is a 32-bit one extended (or a constant like that). */
bool sel_extended(struct select *s, const struct ir_operand *o, bool is_signed);
/* n when v is 2^n, else -1 */
static inline int sel_power(uint64_t v) {
  return v && !(v & (v - 1)) ? __builtin_ctzll(v) : -1;
}
/* A float operand, with neg and abs of the operation that it comes from where they change nothing else. `abs`: is there
 * a place for |x|? select_float.c */
struct mir_operand sel_float(struct select *s, const struct ir_operand *o, unsigned type, bool ftz, bool abs);

/* ---- addresses: select_memory.c ---- */
struct sel_address {
  struct mir_operand base; /* a register pair in the global and the generic space, else one register; or RZ */
  int64_t offset;          /* fits its field */
};
struct sel_address sel_address(struct select *s); /* of the instruction at hand */
void sel_set_address(struct mir_insn *m, struct sel_address a);

#endif
