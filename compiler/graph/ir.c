/* SPDX-License-Identifier: Apache-2.0
 *
 * Building a kernel's control flow graph; names and kinds of operations and instructions.
 */
#include <assert.h>
#include <string.h>
#include "compiler/graph/pass.h"
#include "compiler/ir/ir.h"

/* Names and kinds of the operations. */

/* clang-format off */
static const struct {
  const char *name;
  enum ir_kind kind;
} ops[IR_OPS] = {
  [IR_PHI] = {"phi", IR_SINGLE},
  [IR_COPY] = {"copy", IR_PLAIN},
  [IR_UNDEF] = {"undef", IR_PLAIN},
  [IR_ADDRESS] = {"address", IR_PLACE},
  [IR_GENERIC] = {"generic", IR_MEMORY},
  [IR_ISSPACEP] = {"isspacep", IR_MEMORY},
  [IR_SREG] = {"sreg", IR_SINGLE},
  [IR_PARAM] = {"param", IR_PLACE},
  [IR_ARGUMENT] = {"argument", IR_PLACE},
  [IR_CODE] = {"code", IR_CALLING},
  [IR_PACK] = {"pack", IR_PLAIN},
  [IR_UNPACK] = {"unpack", IR_PLAIN},
  [IR_ADD] = {"add", IR_ARITHMETIC},
  [IR_SUB] = {"sub", IR_ARITHMETIC},
  [IR_MUL] = {"mul", IR_ARITHMETIC},
  [IR_MULHI] = {"mulhi", IR_ARITHMETIC},
  [IR_MULWIDE] = {"mulwide", IR_ARITHMETIC},
  [IR_MAD] = {"mad", IR_ARITHMETIC},
  [IR_MADHI] = {"madhi", IR_ARITHMETIC},
  [IR_MADWIDE] = {"madwide", IR_ARITHMETIC},
  [IR_MUL24] = {"mul24", IR_ARITHMETIC},
  [IR_MAD24] = {"mad24", IR_ARITHMETIC},
  [IR_FMA] = {"fma", IR_ARITHMETIC},
  [IR_DIV] = {"div", IR_ARITHMETIC},
  [IR_REM] = {"rem", IR_ARITHMETIC},
  [IR_SAD] = {"sad", IR_ARITHMETIC},
  [IR_NEG] = {"neg", IR_ARITHMETIC},
  [IR_ABS] = {"abs", IR_ARITHMETIC},
  [IR_MIN] = {"min", IR_ARITHMETIC},
  [IR_MAX] = {"max", IR_ARITHMETIC},
  [IR_SQRT] = {"sqrt", IR_ARITHMETIC},
  [IR_RCP] = {"rcp", IR_ARITHMETIC},
  [IR_RSQRT] = {"rsqrt", IR_ARITHMETIC},
  [IR_EX2] = {"ex2", IR_ARITHMETIC},
  [IR_LG2] = {"lg2", IR_ARITHMETIC},
  [IR_SIN] = {"sin", IR_ARITHMETIC},
  [IR_COS] = {"cos", IR_ARITHMETIC},
  [IR_TANH] = {"tanh", IR_ARITHMETIC},
  [IR_COPYSIGN] = {"copysign", IR_ARITHMETIC},
  [IR_TESTP] = {"testp", IR_SINGLE},
  [IR_ADDC] = {"addc", IR_ARITHMETIC},
  [IR_SUBC] = {"subc", IR_ARITHMETIC},
  [IR_MADC] = {"madc", IR_ARITHMETIC},
  [IR_AND] = {"and", IR_PLAIN},
  [IR_OR] = {"or", IR_PLAIN},
  [IR_XOR] = {"xor", IR_PLAIN},
  [IR_NOT] = {"not", IR_PLAIN},
  [IR_CNOT] = {"cnot", IR_PLAIN},
  [IR_LOP3] = {"lop3", IR_SINGLE},
  [IR_SHL] = {"shl", IR_PLAIN},
  [IR_SHR] = {"shr", IR_PLAIN},
  [IR_SHF] = {"shf", IR_SINGLE},
  [IR_BFE] = {"bfe", IR_PLAIN},
  [IR_BFI] = {"bfi", IR_PLAIN},
  [IR_BFIND] = {"bfind", IR_SINGLE},
  [IR_POPC] = {"popc", IR_PLAIN},
  [IR_CLZ] = {"clz", IR_PLAIN},
  [IR_BREV] = {"brev", IR_PLAIN},
  [IR_PRMT] = {"prmt", IR_SINGLE},
  [IR_DP4A] = {"dp4a", IR_PLAIN},
  [IR_DP2A] = {"dp2a", IR_PLAIN},
  [IR_SETP] = {"setp", IR_COMPARISON},
  [IR_SET] = {"set", IR_COMPARISON},
  [IR_SELP] = {"selp", IR_PLAIN},
  [IR_SLCT] = {"slct", IR_PLAIN},
  [IR_CVT] = {"cvt", IR_ARITHMETIC},
  [IR_LD] = {"ld", IR_MEMORY},
  [IR_ST] = {"st", IR_MEMORY},
  [IR_ATOM] = {"atom", IR_MEMORY},
  [IR_RED] = {"red", IR_MEMORY},
  [IR_FENCE] = {"fence", IR_MEMORY},
  [IR_PREFETCH] = {"prefetch", IR_MEMORY},
  [IR_ASYNC_COPY] = {"async.copy", IR_MEMORY},
  [IR_ASYNC_CLOSE] = {"async.close", IR_PLAIN},
  [IR_ASYNC_WAIT] = {"async.wait", IR_PLAIN},
  [IR_SHFL] = {"shfl", IR_LANES},
  [IR_VOTE] = {"vote", IR_LANES},
  [IR_MATCH] = {"match", IR_LANES},
  [IR_REDUX] = {"redux", IR_LANES},
  [IR_ACTIVEMASK] = {"activemask", IR_PLAIN},
  [IR_MMA] = {"mma", IR_MATRIX},
  [IR_LDSM] = {"ldsm", IR_MEMORY},
  [IR_WARPSYNC] = {"warpsync", IR_PLAIN},
  [IR_BAR] = {"bar", IR_LANES},
  [IR_NANOSLEEP] = {"nanosleep", IR_PLAIN},
  [IR_CALL] = {"call", IR_CALLING},
  [IR_BR] = {"br", IR_PLAIN},
  [IR_CBR] = {"cbr", IR_SINGLE},
  [IR_BRX] = {"brx", IR_PLAIN},
  [IR_RET] = {"ret", IR_CALLING},
  [IR_EXIT] = {"exit", IR_PLAIN},
  [IR_TRAP] = {"trap", IR_PLAIN},
  [IR_BSSY] = {"bssy", IR_CONVERGING},
  [IR_BSYNC] = {"bsync", IR_CONVERGING},
  [IR_BREAK] = {"break", IR_CONVERGING},
  [IR_YIELD] = {"yield", IR_CONVERGING},
};
/* clang-format on */

const char *ir_op_name(enum ir_op op) {
  return op < IR_OPS && ops[op].name ? ops[op].name : "?";
}

enum ir_kind ir_kind(enum ir_op op) {
  return op < IR_OPS ? ops[op].kind : IR_PLAIN;
}

size_t ir_op_bytes(enum ir_op op) {
  static const size_t bytes[] = {[IR_PLAIN] = 0,
                                 [IR_ARITHMETIC] = sizeof(struct ir_arithmetic),
                                 [IR_COMPARISON] = sizeof(struct ir_comparison),
                                 [IR_MEMORY] = sizeof(struct ir_memory),
                                 [IR_LANES] = sizeof(struct ir_lanes),
                                 [IR_MATRIX] = sizeof(struct ir_matrix),
                                 [IR_PLACE] = sizeof(struct ir_place),
                                 [IR_CALLING] = sizeof(struct ir_calling),
                                 [IR_CONVERGING] = sizeof(struct ir_converging),
                                 [IR_SINGLE] = 1};
  if (op == IR_PHI) return sizeof(struct ir_operand *);
  return op == IR_SHF ? sizeof(struct ir_funnel) : bytes[ir_kind(op)];
}

/* Kinds of instructions. */

static bool pass_is_warp_wide(const struct ir_insn *i) {
  switch (i->op) {
  case IR_SHFL:
  case IR_VOTE:
  case IR_MATCH:
  case IR_REDUX:
  case IR_ACTIVEMASK:
  case IR_MMA:
  case IR_LDSM:
  case IR_WARPSYNC:
  case IR_BAR:
    return true;
  default:
    return false;
  }
}

bool pass_can_speculate(const struct ir_insn *i) {
  if (ir_has_effect(i) || pass_is_warp_wide(i) || i->op == IR_PHI || i->op == IR_LD) return false;
  return i->op != IR_SREG || (i->sreg != IR_CLOCK && i->sreg != IR_CLOCK64);
}

/* Building a kernel's control flow graph: values, instructions, blocks, edges. Everything is zeroed arena memory; lists
 * grow by doubling (what they leave behind stays in the arena). */

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

void ir_change(struct ir_insn *i, enum ir_op op, enum ptx_type type) {
  i->op = (uint16_t)op;
  i->type = (uint8_t)type;
  i->type2 = PTX_NO_TYPE;
  memset(i->bytes, 0, sizeof i->bytes);
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

static void grow_blocks(struct ir_function *f, struct ir_block ***list, unsigned used, unsigned *room) {
  if (used < *room) return;
  unsigned wanted = *room ? 2 * *room : 2;
  struct ir_block **fresh = ptx_alloc(f->arena, wanted * sizeof *fresh);
  if (used) memcpy(fresh, *list, used * sizeof *fresh);
  *list = fresh;
  *room = wanted;
}

void ir_edge(struct ir_function *f, struct ir_block *from, struct ir_block *to) {
  grow_blocks(f, &from->succ, from->succs, &from->succ_room);
  grow_blocks(f, &to->pred, to->preds, &to->pred_room);
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
  case IR_ASYNC_COPY:
  case IR_ASYNC_CLOSE:
  case IR_ASYNC_WAIT:
  case IR_WARPSYNC:
  case IR_BAR:
  case IR_NANOSLEEP:
    return true;
  case IR_LD: /* others may be counting on a strong load's order */
    return i->memory.is_volatile || i->memory.strength != IR_WEAK;
  default: /* from here on, control */
    return i->op >= IR_CALL;
  }
}
