/* SPDX-License-Identifier: Apache-2.0
 *
 * Is a kernel's graph what ir.h says?
 */

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/ir/ir.h"

/* "b3: line 7: add: ..." as an arena string; b, i may be NULL. */
static const char *check_failed(const struct ir_function *f, const struct ir_block *b, const struct ir_insn *i,
                                const char *format, ...) {
  enum { SIZE = 200 };
  char *text = ptx_alloc(f->arena, SIZE);
  int used = i ? snprintf(text, SIZE, "b%u: line %u: %s: ", b->id, i->pos.line, ir_op_name((enum ir_op)i->op))
               : snprintf(text, SIZE, "b%u: ", b ? b->id : 0);
  va_list args;
  va_start(args, format);
  vsnprintf(text + used, (size_t)(SIZE - used), format, args);
  va_end(args);
  return text;
}

/* The rules of SSA form. Dominators are computed here afresh (Cooper, Harvey, Kennedy: "A simple, fast dominance
 * algorithm"), so that a pass that forgot to bring its own up to date is found. Unreachable blocks are not judged. */

enum { UNSEEN = UINT32_MAX };

const char ir_check_no_memory[] = "no memory for the check";

struct order {
  const struct ir_function *f;
  const struct ir_block **by_rank; /* reachable blocks in reverse postorder */
  uint32_t *rank;                  /* of a block id; UNSEEN: unreachable */
  uint32_t *idom;                  /* rank -> rank */
  uint32_t reached;
};

/* Depth first with a stack of its own (graphs may be deep); postorder is filled in from the end. */
static bool walk(struct order *o) {
  uint32_t n = o->f->blocks, depth = 0, at = n;
  struct step {
    const struct ir_block *b;
    unsigned next;
  } *stack = calloc(n + 1, sizeof *stack);
  if (!stack) return false;
  for (uint32_t k = 0; k < n; k++) o->rank[k] = UNSEEN;
  o->rank[o->f->first->id] = 0;
  stack[depth++] = (struct step){o->f->first, 0};
  while (depth) {
    struct step *s = &stack[depth - 1];
    if (s->next == s->b->succs) {
      o->by_rank[--at] = s->b;
      depth--;
      continue;
    }
    const struct ir_block *to = s->b->succ[s->next++];
    if (o->rank[to->id] != UNSEEN) continue;
    o->rank[to->id] = 0;
    stack[depth++] = (struct step){to, 0};
  }
  free(stack);
  o->reached = n - at;
  for (uint32_t k = 0; k < o->reached; k++) {
    o->by_rank[k] = o->by_rank[at + k];
    o->rank[o->by_rank[k]->id] = k;
  }
  return true;
}

static uint32_t common_dominator(const struct order *o, uint32_t a, uint32_t b) {
  while (a != b) {
    while (a > b) a = o->idom[a];
    while (b > a) b = o->idom[b];
  }
  return a;
}

static void dominate(struct order *o) {
  for (uint32_t k = 0; k < o->reached; k++) o->idom[k] = k ? UNSEEN : 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = 1; k < o->reached; k++) {
      uint32_t best = UNSEEN;
      for (unsigned p = 0; p < o->by_rank[k]->preds; p++) {
        uint32_t r = o->rank[o->by_rank[k]->pred[p]->id];
        if (r == UNSEEN || o->idom[r] == UNSEEN) continue;
        best = best == UNSEEN ? r : common_dominator(o, best, r);
      }
      if (best != o->idom[k]) changed = true;
      o->idom[k] = best;
    }
  }
}

static bool dominates(const struct order *o, const struct ir_block *a, const struct ir_block *b) {
  uint32_t up = o->rank[a->id], down = o->rank[b->id];
  if (up == UNSEEN) return false;
  while (down > up) down = o->idom[down];
  return down == up;
}

struct use {
  const struct ir_insn *user;
  const struct ir_block *at; /* where the value must be there: the user's block, or a phi's predecessor */
  const uint32_t *index;     /* of a definition inside its block, by value id */
  uint32_t position;         /* of the use inside `at`; past the end for phis */
};

static const char *check_use(const struct order *o, const struct ir_value *v, struct use u) {
  const struct ir_block *b = u.user->block;
  if (!v) return check_failed(o->f, b, u.user, "an operand is missing");
  if (v->id >= o->f->values || !v->def || !v->def->block)
    return check_failed(o->f, b, u.user, "%%%u has no definition", v->id);
  const struct ir_block *from = v->def->block;
  if (from == u.at ? u.index[v->id] < u.position : dominates(o, from, u.at)) return NULL;
  return check_failed(o->f, b, u.user, "%%%u is used where its definition does not reach", v->id);
}

static const char *check_phi(const struct order *o, const struct ir_insn *i, const uint32_t *index) {
  const struct ir_block *b = i->block;
  if (i->prev && i->prev->op != IR_PHI) return check_failed(o->f, b, i, "not first in its block");
  if (i->dsts != 1 || !i->many || i->sources != b->preds)
    return check_failed(o->f, b, i, "%u sources, %u predecessors", i->sources, b->preds);
  if (i->guard) return check_failed(o->f, b, i, "has a guard");
  for (unsigned k = 0; k < i->sources; k++) {
    const struct ir_operand *s = &i->many[k];
    if (s->kind == IR_NONE) return check_failed(o->f, b, i, "source %u is missing", k);
    if (s->kind != IR_VALUE || o->rank[b->pred[k]->id] == UNSEEN) continue;
    if (s->value && s->value->class != i->dst[0]->class)
      return check_failed(o->f, b, i, "source %u has the wrong class", k);
    const char *wrong = check_use(o, s->value, (struct use){i, b->pred[k], index, UINT32_MAX});
    if (wrong) return wrong;
  }
  return NULL;
}

static const char *check_uses(const struct order *o, const struct ir_insn *i, const uint32_t *index,
                              uint32_t position) {
  struct use u = {i, i->block, index, position};
  const char *wrong = i->guard ? check_use(o, i->guard, u) : NULL;
  for (unsigned k = 0; k < i->sources && !wrong; k++)
    if (i->src[k].kind == IR_VALUE) wrong = check_use(o, i->src[k].value, u);
  for (unsigned k = 0; i->guard && k < i->dsts && !wrong; k++) {
    const struct ir_operand *old = &i->old[k];
    if (old->kind == IR_NONE) return check_failed(o->f, i->block, i, "guarded, and old value %u is not named", k);
    if (old->kind != IR_VALUE) continue;
    if (old->value && old->value->class != i->dst[k]->class)
      return check_failed(o->f, i->block, i, "old value %u has the wrong class", k);
    wrong = check_use(o, old->value, u);
  }
  return wrong;
}

/* Numbers the definitions of every block; each value may have one. */
static const char *check_definitions(const struct order *o, uint32_t *index) {
  for (uint32_t k = 0; k < o->f->values; k++) index[k] = UNSEEN;
  for (uint32_t r = 0; r < o->reached; r++) {
    uint32_t position = 0;
    for (const struct ir_insn *i = o->by_rank[r]->first; i; i = i->next, position++)
      for (unsigned k = 0; k < i->dsts; k++) {
        if (!i->dst[k] || i->dst[k]->id >= o->f->values)
          return check_failed(o->f, i->block, i, "destination %u is missing", k);
        if (index[i->dst[k]->id] != UNSEEN)
          return check_failed(o->f, i->block, i, "%%%u is defined twice", i->dst[k]->id);
        if (i->dst[k]->def != i) return check_failed(o->f, i->block, i, "%%%u names another definition", i->dst[k]->id);
        index[i->dst[k]->id] = position;
      }
  }
  return NULL;
}

static const char *check_all(struct order *o, uint32_t *index) {
  if (!walk(o)) return ir_check_no_memory;
  dominate(o);
  const char *wrong = check_definitions(o, index);
  for (uint32_t r = 0; r < o->reached && !wrong; r++) {
    uint32_t position = 0;
    for (const struct ir_insn *i = o->by_rank[r]->first; i && !wrong; i = i->next, position++)
      wrong = i->op == IR_PHI ? check_phi(o, i, index) : check_uses(o, i, index, position);
  }
  return wrong;
}

static const char *check_no_phis(const struct ir_function *f) {
  for (const struct ir_block *b = f->first; b; b = b->next)
    if (b->first && b->first->op == IR_PHI) return check_failed(f, b, b->first, "not in SSA form");
  return NULL;
}

/* NULL or what is wrong. ssa: one definition a value, phis, definitions above uses, old values of guarded instructions;
 * else: no phis. */
static const char *check_ssa(const struct ir_function *f, bool ssa) {
  if (!ssa) return check_no_phis(f);
  struct order o = {.f = f};
  uint32_t *index = calloc((size_t)f->values + 1, sizeof *index);
  o.by_rank = calloc((size_t)f->blocks + 1, sizeof *o.by_rank);
  o.rank = calloc((size_t)f->blocks + 1, sizeof *o.rank);
  o.idom = calloc((size_t)f->blocks + 1, sizeof *o.idom);
  const char *wrong = index && o.by_rank && o.rank && o.idom ? check_all(&o, index) : ir_check_no_memory;
  free(index);
  free(o.by_rank);
  free(o.rank);
  free(o.idom);
  return wrong;
}

/* Is a kernel's graph what ir.h says? Operands by a signature for each operation, control flow by its edges in both
 * directions. */

/* "destinations:sources", a letter each: t, T the class of type, type2; p w d predicate, 32, 64 bits; a an address of
 * `space`; x anything. '?': the one before may be absent; '*': it may be repeated. */
static const char *const signatures[IR_OPS] = {
    [IR_COPY] = "t:t",       [IR_UNDEF] = "t:",       [IR_ADDRESS] = "t:",    [IR_ISSPACEP] = "p:d",
    [IR_SREG] = "t:",        [IR_PARAM] = "t:",       [IR_ARGUMENT] = "t:",   [IR_CODE] = "d:",
    [IR_PACK] = "t:ww",      [IR_UNPACK] = "ww:t",    [IR_ADD] = "t:tt",      [IR_SUB] = "t:tt",
    [IR_MUL] = "t:tt",       [IR_MULHI] = "t:tt",     [IR_MULWIDE] = "d:ww",  [IR_MAD] = "t:ttt",
    [IR_MADHI] = "t:ttt",    [IR_MADWIDE] = "d:wwd",  [IR_MUL24] = "w:ww",    [IR_MAD24] = "w:www",
    [IR_FMA] = "t:ttt",      [IR_DIV] = "t:tt",       [IR_REM] = "t:tt",      [IR_SAD] = "t:ttt",
    [IR_NEG] = "t:t",        [IR_ABS] = "t:t",        [IR_MIN] = "t:tt",      [IR_MAX] = "t:tt",
    [IR_SQRT] = "t:t",       [IR_RCP] = "t:t",        [IR_RSQRT] = "t:t",     [IR_EX2] = "t:t",
    [IR_LG2] = "t:t",        [IR_SIN] = "t:t",        [IR_COS] = "t:t",       [IR_TANH] = "t:t",
    [IR_COPYSIGN] = "t:tt",  [IR_TESTP] = "p:t",      [IR_ADDC] = "tp?:ttp?", [IR_SUBC] = "tp?:ttp?",
    [IR_MADC] = "tp?:tttp?", [IR_AND] = "t:tt",       [IR_OR] = "t:tt",       [IR_XOR] = "t:tt",
    [IR_NOT] = "t:t",        [IR_CNOT] = "t:t",       [IR_LOP3] = "w:www",    [IR_SHL] = "t:tw",
    [IR_SHR] = "t:tw",       [IR_SHF] = "w:www",      [IR_BFE] = "t:tww",     [IR_BFI] = "t:ttww",
    [IR_BFIND] = "w:t",      [IR_POPC] = "w:t",       [IR_CLZ] = "w:t",       [IR_BREV] = "t:t",
    [IR_PRMT] = "w:www",     [IR_DP4A] = "w:www",     [IR_DP2A] = "w:www",    [IR_SETP] = "pp?:ttp?",
    [IR_SET] = "T:ttp?",     [IR_SELP] = "t:ttp",     [IR_SLCT] = "t:ttT",    [IR_CVT] = "t:TT?",
    [IR_LD] = "t*:a",        [IR_ST] = ":at*",        [IR_ATOM] = "t:att?",   [IR_RED] = ":at",
    [IR_FENCE] = ":",        [IR_PREFETCH] = ":a",    [IR_SHFL] = "wp?:wwww", [IR_MATCH] = "wp?:tw",
    [IR_REDUX] = "w:ww",     [IR_ACTIVEMASK] = "w:",  [IR_WARPSYNC] = ":w",   [IR_NANOSLEEP] = ":w",
    [IR_MMA] = "t*:t*",      [IR_LDSM] = "w*:a",      [IR_CALL] = "x*:x*",    [IR_BR] = ":",
    [IR_CBR] = ":p",         [IR_BRX] = ":w",         [IR_RET] = ":x*",       [IR_EXIT] = ":",
    [IR_TRAP] = ":",         [IR_BSSY] = ":",         [IR_BSYNC] = ":",       [IR_BREAK] = ":",
    [IR_YIELD] = ":",        [IR_ASYNC_COPY] = ":aw", [IR_ASYNC_CLOSE] = ":", [IR_ASYNC_WAIT] = ":w"};

static const char *signature_of(const struct ir_insn *i) {
  switch (i->op) {
  case IR_GENERIC:
    return i->memory.inverse ? "a:d" : "d:a";
  case IR_VOTE:
    return i->lanes.mode == IR_VOTE_BALLOT ? "w:pw" : "p:pw";
  case IR_BAR:
    return i->lanes.mode == IR_BAR_SYNC || i->lanes.mode == IR_BAR_ARRIVE ? ":ww"
           : i->lanes.mode == IR_BAR_RED_POPC                             ? "w:wwp"
                                                                          : "p:wwp";
  default:
    return signatures[i->op];
  }
}

static bool letter_fits(const struct ir_insn *i, char letter, enum ir_class class) {
  switch (letter) {
  case 't':
    return class == ir_class_of((enum ptx_type)i->type);
  case 'T':
    return class == ir_class_of((enum ptx_type)i->type2);
  case 'p':
    return class == IR_PRED;
  case 'w':
    return class == IR_32;
  case 'd':
    return class == IR_64;
  case 'a':
    return class == (i->memory.space == PTX_GLOBAL || i->memory.space == PTX_GENERIC ? IR_64 : IR_32);
  default:
    return true;
  }
}

/* Constants have no class: none may have more bits than its place. */
static bool constant_fits(const struct ir_insn *i, char letter, uint64_t bits) {
  if (letter == 'x' || letter_fits(i, letter, IR_64)) return true;
  return letter_fits(i, letter, IR_32) ? bits <= UINT32_MAX : bits <= 1;
}

static const char *check_operands(const struct ir_function *f, const struct ir_insn *i, const char *letters, bool dst) {
  unsigned count = dst ? i->dsts : i->sources, k = 0;
  const char *what = dst ? "destination" : "source";
  for (const char *s = letters; *s && *s != ':';) {
    bool optional = s[1] == '?', repeated = s[1] == '*';
    unsigned from = k;
    for (; k < count && (repeated || k == from); k++) {
      if (dst && !i->dst[k]) return check_failed(f, i->block, i, "%s %u is missing", what, k);
      const struct ir_operand o = dst ? ir_use(i->dst[k]) : i->src[k];
      if (o.kind == IR_NONE || (o.kind == IR_VALUE && !o.value))
        return check_failed(f, i->block, i, "%s %u is missing", what, k);
      if (o.kind == IR_VALUE && o.value->id >= f->values)
        return check_failed(f, i->block, i, "%s %u is not of this function", what, k);
      if (o.kind == IR_VALUE ? !letter_fits(i, *s, o.value->class) : !constant_fits(i, *s, o.bits))
        return check_failed(f, i->block, i, "%s %u has the wrong class", what, k);
    }
    if (k == from && !optional && !repeated) return check_failed(f, i->block, i, "%s %u is missing", what, k);
    s += optional || repeated ? 2 : 1;
  }
  return k < count ? check_failed(f, i->block, i, "has %u %ss, not %u", count, what, k) : NULL;
}

/* What an operation does not have is zero: nothing was written there, or left over from another operation. */
static bool only_own_members(const struct ir_insn *i) {
  size_t k = ir_op_bytes((enum ir_op)i->op);
  while (k < IR_PAYLOAD && i->bytes[k] == 0) k++;
  return k == IR_PAYLOAD;
}

static const char *check_members(const struct ir_function *f, const struct ir_insn *i) {
  const bool moves = i->op == IR_LD || i->op == IR_ST;
  unsigned vector = moves && i->memory.vector ? i->memory.vector : 1;
  if (i->op == IR_LD && i->dsts != vector)
    return check_failed(f, i->block, i, "vector of %u, %u destinations", vector, i->dsts);
  if (i->op == IR_ST && i->sources != vector + 1)
    return check_failed(f, i->block, i, "vector of %u, %u sources", vector, i->sources);
  if (i->op == IR_ADDRESS && !i->place.variable) return check_failed(f, i->block, i, "no variable");
  if (i->op == IR_BSSY && !i->converging.target) return check_failed(f, i->block, i, "no target");
  if (!only_own_members(i)) return check_failed(f, i->block, i, "has a member of another kind of operation");
  if (i->guard && i->guard->class != IR_PRED) return check_failed(f, i->block, i, "the guard is no predicate");
  return NULL;
}

static const char *check_instruction(const struct ir_function *f, const struct ir_insn *i) {
  if (i->op >= IR_OPS) return check_failed(f, i->block, NULL, "operation %u does not exist", i->op);
  if (i->dsts > IR_DST_MAX || (i->op != IR_PHI && i->sources > IR_SRC_MAX))
    return check_failed(f, i->block, i, "too many operands");
  const char *wrong = check_members(f, i);
  if (wrong || i->op == IR_PHI) return wrong; /* phis: check_ssa */
  const char *signature = signature_of(i);
  if (!wrong) wrong = check_operands(f, i, signature, true);
  if (!wrong) wrong = check_operands(f, i, strchr(signature, ':') + 1, false);
  return wrong;
}

static bool ends_block(const struct ir_insn *i) {
  return i->op == IR_BR || i->op == IR_CBR || i->op == IR_BRX || i->op == IR_EXIT || i->op == IR_TRAP ||
         i->op == IR_RET;
}

static const char *check_end(const struct ir_function *f, const struct ir_block *b) {
  const struct ir_insn *last = b->last;
  if (!last || !ends_block(last)) return check_failed(f, b, NULL, "does not end in a branch or an exit");
  if (last->guard && last->op != IR_EXIT) return check_failed(f, b, last, "the end of a block has a guard");
  bool right = last->op == IR_BR    ? b->succs == 1
               : last->op == IR_CBR ? b->succs == 2
               : last->op == IR_BRX ? b->succs >= 1
                                    : b->succs == (last->guard ? 1 : 0); /* a guarded EXIT: the others go on */
  return right ? NULL : check_failed(f, b, last, "%u successors", b->succs);
}

static const char *check_block(const struct ir_function *f, const struct ir_block *b) {
  const char *wrong = check_end(f, b);
  const struct ir_insn *before = NULL;
  for (const struct ir_insn *i = b->first; i && !wrong; before = i, i = i->next) {
    if (i->block != b || i->prev != before) return check_failed(f, b, i, "the list of instructions is broken");
    if (i != b->last && ends_block(i)) return check_failed(f, b, i, "in the middle of a block");
    wrong = check_instruction(f, i);
  }
  if (!wrong && before != b->last) return check_failed(f, b, NULL, "the list of instructions is broken");
  return wrong;
}

static uint64_t edge_hash(const struct ir_block *from, const struct ir_block *to) {
  uint64_t h = ((uint64_t)from->id << 32 | to->id) * UINT64_C(0x9e3779b97f4a7c15);
  h = (h ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
  return h ^ h >> 32;
}

/* Every edge is in both lists as often: compared as sums of hashes, to stay linear. */
static const char *check_edges(const struct ir_function *f, bool *placed) {
  uint64_t forward = 0, backward = 0;
  for (const struct ir_block *b = f->first; b; b = b->next) {
    if (b->id >= f->blocks || placed[b->id]) return check_failed(f, b, NULL, "its number is taken or too high");
    placed[b->id] = true;
  }
  for (const struct ir_block *b = f->first; b; b = b->next) {
    for (unsigned k = 0; k < b->succs; k++) {
      if (b->succ[k]->id >= f->blocks || !placed[b->succ[k]->id])
        return check_failed(f, b, NULL, "leads to a block that is not placed");
      forward += edge_hash(b, b->succ[k]);
    }
    for (unsigned k = 0; k < b->preds; k++) backward += edge_hash(b->pred[k], b);
  }
  if (forward != backward) return check_failed(f, NULL, NULL, "successors and predecessors differ");
  return f->first->preds ? check_failed(f, f->first, NULL, "the entry block has predecessors") : NULL;
}

const char *ir_check(const struct ir_function *f, bool ssa) {
  if (!f->first) return "no blocks";
  bool *placed = calloc(f->blocks + 1, sizeof *placed);
  if (!placed) return ir_check_no_memory;
  const char *wrong = check_edges(f, placed);
  free(placed);
  for (const struct ir_block *b = f->first; b && !wrong; b = b->next) wrong = check_block(f, b);
  return wrong ? wrong : check_ssa(f, ssa);
}
