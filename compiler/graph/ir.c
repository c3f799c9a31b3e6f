/* SPDX-License-Identifier: Apache-2.0
 *
 * Building a kernel's control flow graph: values, instructions, blocks, edges. Everything is zeroed arena memory; lists
 * grow by doubling (what they leave behind stays in the arena).
 */
#include "ir.h"

#include <assert.h>
#include <string.h>

static const char *const op_names[IR_OPS] = {[IR_PHI] = "phi",
                                             [IR_COPY] = "copy",
                                             [IR_UNDEF] = "undef",
                                             [IR_ADDRESS] = "address",
                                             [IR_GENERIC] = "generic",
                                             [IR_ISSPACEP] = "isspacep",
                                             [IR_SREG] = "sreg",
                                             [IR_PARAM] = "param",
                                             [IR_ARGUMENT] = "argument",
                                             [IR_CODE] = "code",
                                             [IR_PACK] = "pack",
                                             [IR_UNPACK] = "unpack",
                                             [IR_ADD] = "add",
                                             [IR_SUB] = "sub",
                                             [IR_MUL] = "mul",
                                             [IR_MULHI] = "mulhi",
                                             [IR_MULWIDE] = "mulwide",
                                             [IR_MAD] = "mad",
                                             [IR_MADHI] = "madhi",
                                             [IR_MADWIDE] = "madwide",
                                             [IR_MUL24] = "mul24",
                                             [IR_MAD24] = "mad24",
                                             [IR_FMA] = "fma",
                                             [IR_DIV] = "div",
                                             [IR_REM] = "rem",
                                             [IR_SAD] = "sad",
                                             [IR_NEG] = "neg",
                                             [IR_ABS] = "abs",
                                             [IR_MIN] = "min",
                                             [IR_MAX] = "max",
                                             [IR_SQRT] = "sqrt",
                                             [IR_RCP] = "rcp",
                                             [IR_RSQRT] = "rsqrt",
                                             [IR_EX2] = "ex2",
                                             [IR_LG2] = "lg2",
                                             [IR_SIN] = "sin",
                                             [IR_COS] = "cos",
                                             [IR_TANH] = "tanh",
                                             [IR_COPYSIGN] = "copysign",
                                             [IR_TESTP] = "testp",
                                             [IR_ADDC] = "addc",
                                             [IR_SUBC] = "subc",
                                             [IR_MADC] = "madc",
                                             [IR_AND] = "and",
                                             [IR_OR] = "or",
                                             [IR_XOR] = "xor",
                                             [IR_NOT] = "not",
                                             [IR_CNOT] = "cnot",
                                             [IR_LOP3] = "lop3",
                                             [IR_SHL] = "shl",
                                             [IR_SHR] = "shr",
                                             [IR_SHF] = "shf",
                                             [IR_BFE] = "bfe",
                                             [IR_BFI] = "bfi",
                                             [IR_BFIND] = "bfind",
                                             [IR_POPC] = "popc",
                                             [IR_CLZ] = "clz",
                                             [IR_BREV] = "brev",
                                             [IR_PRMT] = "prmt",
                                             [IR_DP4A] = "dp4a",
                                             [IR_DP2A] = "dp2a",
                                             [IR_SETP] = "setp",
                                             [IR_SET] = "set",
                                             [IR_SELP] = "selp",
                                             [IR_SLCT] = "slct",
                                             [IR_CVT] = "cvt",
                                             [IR_LD] = "ld",
                                             [IR_ST] = "st",
                                             [IR_ATOM] = "atom",
                                             [IR_RED] = "red",
                                             [IR_FENCE] = "fence",
                                             [IR_PREFETCH] = "prefetch",
                                             [IR_SHFL] = "shfl",
                                             [IR_VOTE] = "vote",
                                             [IR_MATCH] = "match",
                                             [IR_REDUX] = "redux",
                                             [IR_ACTIVEMASK] = "activemask",
                                             [IR_MMA] = "mma",
                                             [IR_LDSM] = "ldsm",
                                             [IR_WARPSYNC] = "warpsync",
                                             [IR_BAR] = "bar",
                                             [IR_NANOSLEEP] = "nanosleep",
                                             [IR_CALL] = "call",
                                             [IR_BR] = "br",
                                             [IR_CBR] = "cbr",
                                             [IR_BRX] = "brx",
                                             [IR_RET] = "ret",
                                             [IR_EXIT] = "exit",
                                             [IR_TRAP] = "trap",
                                             [IR_BSSY] = "bssy",
                                             [IR_BSYNC] = "bsync",
                                             [IR_BREAK] = "break",
                                             [IR_YIELD] = "yield"};

const char *ir_op_name(enum ir_op op) {
  return (unsigned)op < IR_OPS ? op_names[op] : "?";
}

enum ir_class ir_class_of(enum ptx_type t) {
  switch (t) {
  case PTX_PRED:
    return IR_PRED;
  case PTX_B64:
  case PTX_U64:
  case PTX_S64:
  case PTX_F64:
    return IR_64;
  default:
    return IR_32;
  }
}

struct ir_value *ir_value_new(struct ir_function *f, enum ir_class c) {
  struct ir_value *v = ptx_alloc(f->arena, sizeof *v);
  v->id = f->values++;
  v->class = c;
  return v;
}

struct ir_insn *ir_insn_new(struct ir_function *f, enum ir_op op, enum ptx_type type, struct ptx_pos pos) {
  struct ir_insn *i = ptx_alloc(f->arena, sizeof *i);
  i->op = (uint16_t)op;
  i->type = (uint8_t)type;
  i->pos = pos;
  return i;
}

void ir_append(struct ir_block *b, struct ir_insn *i) {
  assert(!i->block);
  i->block = b;
  i->prev = b->last;
  i->next = NULL;
  if (b->last)
    b->last->next = i;
  else
    b->first = i;
  b->last = i;
}

void ir_insert_before(struct ir_insn *where, struct ir_insn *i) {
  assert(!i->block && where->block);
  i->block = where->block;
  i->prev = where->prev;
  i->next = where;
  if (where->prev)
    where->prev->next = i;
  else
    where->block->first = i;
  where->prev = i;
}

void ir_remove(struct ir_insn *i) {
  struct ir_block *b = i->block;
  if (i->prev)
    i->prev->next = i->next;
  else
    b->first = i->next;
  if (i->next)
    i->next->prev = i->prev;
  else
    b->last = i->prev;
  i->prev = i->next = NULL;
  i->block = NULL;
}

struct ir_block *ir_block_new(struct ir_function *f) {
  struct ir_block *b = ptx_alloc(f->arena, sizeof *b);
  b->id = f->blocks++;
  return b;
}

void ir_block_place(struct ir_block *after, struct ir_block *b) {
  b->next = after->next;
  after->next = b;
}

static void grow(struct ir_function *f, struct ir_block ***list, unsigned used, unsigned *room) {
  if (used < *room) return;
  unsigned wanted = *room ? 2 * *room : 2;
  struct ir_block **fresh = ptx_alloc(f->arena, wanted * sizeof *fresh);
  if (used) memcpy(fresh, *list, used * sizeof *fresh);
  *list = fresh;
  *room = wanted;
}

void ir_edge(struct ir_function *f, struct ir_block *from, struct ir_block *to) {
  grow(f, &from->succ, from->succs, &from->succ_room);
  grow(f, &to->pred, to->preds, &to->pred_room);
  from->succ[from->succs++] = to;
  to->pred[to->preds++] = from;
}

bool ir_has_effect(const struct ir_insn *i) {
  switch (i->op) {
  case IR_ST:
  case IR_ATOM:
  case IR_RED:
  case IR_FENCE:
  case IR_PREFETCH:
  case IR_WARPSYNC:
  case IR_BAR:
  case IR_NANOSLEEP:
    return true;
  case IR_LD: /* others may be counting on a strong load's order */
    return i->is_volatile || i->strength != IR_WEAK;
  default: /* from here on, control */
    return i->op >= IR_CALL;
  }
}
