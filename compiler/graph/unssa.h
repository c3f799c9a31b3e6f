/* SPDX-License-Identifier: Apache-2.0
 *
 * Out of SSA form, inside. unssa.c makes the copies and writes parallel ones as a sequence; unssa_live.c has liveness
 * and joins values that may be one variable.
 */
#ifndef HEDDLE_PTX_UNSSA_H
#define HEDDLE_PTX_UNSSA_H

#include "compiler/graph/pass.h"

/* Places are numbered along the layout. At number n things are read at position 2n and written at 2n + 1. */
struct unssa_range {
  uint32_t start, end; /* positions, both included */
};

/* A variable to be: one value, later all that were joined with it. */
struct unssa_web {
  struct unssa_range *range; /* ascending, apart */
  uint32_t ranges;
  uint32_t joined; /* the web it is part of; itself: none */
  uint32_t definitions;
  enum ir_class class;
  bool uniform;
  struct ir_value *value; /* its name; fresh webs have none until the end */
};

/* A copy among those that happen at once. */
struct unssa_move {
  uint32_t to;            /* web */
  struct ir_operand from; /* a constant, or a value: web `source` */
  uint32_t source;
};

struct unssa_group {
  struct unssa_move *move;
  uint32_t moves;
  struct ptx_pos pos;
};

struct unssa_block {
  struct ir_block *b;
  struct unssa_group first, last; /* before all instructions; before the last one */
  uint32_t start, end;            /* positions of its entry and its end */
};

struct unssa {
  struct ir_function *f;
  struct unssa_web *web; /* by value id, then fresh ones */
  uint32_t webs, room;
  struct unssa_block *block; /* by block id */
  uint64_t budget;           /* of steps for joining; then what is left stays copies */
  uint32_t *writer;          /* by web: scratch of unssa_moves, zeros between groups */
};

static inline uint32_t unssa_find(struct unssa *u, uint32_t w) {
  while (u->web[w].joined != w) w = u->web[w].joined = u->web[u->web[w].joined].joined;
  return w;
}

struct unssa_wish { /* a copy with sides that should be one variable */
  uint32_t a, b, depth, order;
};

struct unssa_out { /* of SSA form */
  struct unssa u;
  struct unssa_wish *wish;
  uint32_t wishes, wish_room;
};

static inline bool unssa_is_undefined(const struct ir_operand *o) {
  return o->kind == IR_VALUE && o->value->def && o->value->def->op == IR_UNDEF;
}

/* unssa_live.c. Phis' variables on their edges, guarded instructions and their old values, then wishes. */
void unssa_join(struct unssa_out *o);
/* Fills the ranges of all webs. */
void unssa_live(struct unssa *u);

#endif
