/* SPDX-License-Identifier: Apache-2.0
 * What programs hold besides the operations of the table. */
#include "tests/twin/ops.h"
#include "tests/twin/twin.h"

static const char *const names[] = {"if",
                                    "if else",
                                    "loop while",
                                    "loop do",
                                    "loop predicate",
                                    "break",
                                    "continue",
                                    "switch",
                                    "goto",
                                    "call",
                                    "call guarded",
                                    "call nested",
                                    "return early",
                                    "cas loop",
                                    "add.cc 32",
                                    "add.cc 64",
                                    "sub.cc 32",
                                    "sub.cc 64",
                                    "mad.cc 32",
                                    "mad.cc 64",
                                    "shfl.idx",
                                    "shfl.up",
                                    "shfl.down",
                                    "shfl.bfly",
                                    "vote.all",
                                    "vote.any",
                                    "vote.uni",
                                    "vote.ballot",
                                    "match.any 32",
                                    "match.all 32",
                                    "match.any 64",
                                    "match.all 64",
                                    "redux.add",
                                    "redux.min",
                                    "redux.max",
                                    "redux.and",
                                    "redux.or",
                                    "redux.xor",
                                    "activemask",
                                    "bar exchange",
                                    "bar.red.and",
                                    "bar.red.or",
                                    "bar.red.popc",
                                    "red shared",
                                    "red global",
                                    "red generic",
                                    "red of a cell",
                                    "if together",
                                    "while together",
                                    "loop together",
                                    "exit to the end",
                                    "exit by ret",
                                    "exit by exit",
                                    "guarded"};
enum {
  F_IF = 0,
  F_LOOP = 2,
  F_BREAK = 5,
  F_CONTINUE,
  F_SWITCH,
  F_GOTO,
  F_CALL,
  F_GUARDED_CALL,
  F_NESTED,
  F_RETURN,
  F_CAS,
  F_CARRY,
  F_SHFL = F_CARRY + 6,
  F_VOTE = F_SHFL + 4,
  F_MATCH = F_VOTE + 4,
  F_REDUX = F_MATCH + 4,
  F_ACTIVE = F_REDUX + 6,
  F_EXCHANGE,
  F_BARRED,
  F_RED = F_BARRED + 3,
  F_CELL = F_RED + 3,
  F_TOGETHER,
  F_EXIT = F_TOGETHER + 3,
  F_GUARDED = F_EXIT + 3
};

unsigned twin_features(void) {
  return sizeof names / sizeof *names;
}
const char *twin_feature_name(unsigned f) {
  return names[f];
}

static unsigned feature(const struct twin_node *n) {
  switch (n->kind) {
  case N_CARRY:
    return F_CARRY + 2u * n->k[1] + n->k[2];
  case N_IF:
    return F_IF + (n->child2 != TWIN_NO_NODE);
  case N_LOOP:
    return F_LOOP + n->k[0];
  case N_SHFL:
    return F_SHFL + n->k[0] % 4u;
  case N_VOTE:
    return F_VOTE + n->k[0] % 4u;
  case N_MATCH:
    return F_MATCH + (n->k[0] & 1u) + 2u * (n->k[1] & 1u);
  case N_REDUX:
    return F_REDUX + n->k[0] % 6u;
  case N_BARRED:
    return F_BARRED + n->k[0] % 3u;
  case N_RED:
    return F_RED + (n->k[1] % 4u > 2 ? 2 : n->k[1] % 4u);
  case N_TOGETHER_IF:
  case N_TOGETHER_WHILE:
  case N_TOGETHER_LOOP:
    return F_TOGETHER + n->kind - N_TOGETHER_IF;
  case N_EXIT:
    return F_EXIT + n->k[0] % 3u;
  case N_CALL:
    return n->guard == TWIN_NONE ? F_CALL : F_GUARDED_CALL;
  default:
    return n->kind == N_BREAK      ? F_BREAK
           : n->kind == N_CONTINUE ? F_CONTINUE
           : n->kind == N_SWITCH   ? F_SWITCH
           : n->kind == N_GOTO     ? F_GOTO
           : n->kind == N_RETURN   ? F_RETURN
           : n->kind == N_CAS      ? F_CAS
           : n->kind == N_ACTIVE   ? F_ACTIVE
           : n->kind == N_EXCHANGE ? F_EXCHANGE
                                   : F_CELL;
  }
}

static void count_list(const struct twin *t, uint32_t n, bool in_function, unsigned *count) {
  unsigned *f = count + twin_variants();
  for (; n != TWIN_NO_NODE; n = t->node[n].next) {
    const struct twin_node *x = &t->node[n];
    if (x->removed) continue;
    if (x->kind == N_OP) {
      count[twin_variant_number(&x->v)]++;
      f[F_GUARDED] += x->guard != TWIN_NONE;
    } else if (x->kind != N_LIST) {
      f[feature(x)]++;
      f[F_NESTED] += in_function && x->kind == N_CALL;
    }
    count_list(t, x->child, in_function, count);
    count_list(t, x->child2, in_function, count);
  }
}

void twin_count(const struct twin *t, unsigned *count) {
  count_list(t, t->body, false, count);
  for (unsigned f = 0; f < TWIN_FUNCTIONS; f++) count_list(t, t->function[f], true, count);
}
