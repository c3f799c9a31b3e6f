/* SPDX-License-Identifier: Apache-2.0
 *
 * Names and kinds of the operations.
 */
#include "compiler/ir/ir.h"

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
