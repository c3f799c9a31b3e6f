/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside ifconvert.c and ifconvert_join.c.
 */
#ifndef HEDDLE_PTX_IFCONVERT_H
#define HEDDLE_PTX_IFCONVERT_H

#include "compiler/graph/pass.h"

enum { PHIS_MOST = 32 };

struct arms {
  struct ir_function *f;
  struct ir_block *b, *arm[2], *join; /* arm NULL: that way goes straight to the join */
  struct ir_value *p;
  bool invert; /* of the CBR: the way to arm[0] is taken where p is not invert */
};

enum how { MAKER_0, MAKER_1, CHOICE, WAY_0, WAY_1 }; /* a guarded maker in an arm, a choice, the operand of one way */

struct join { /* a phi, and what becomes of it */
  struct ir_insn *phi;
  struct ir_operand way[2];
  enum how how;
};

/* Plans for the phis of a->join; PHIS_MOST and more are too many. *extra: instructions that choices take. */
unsigned join_plan(const struct arms *a, struct join *j, unsigned *extra);
/* What the phi is from here, both arms being in a->b; `alone`: it has no other operands, and goes. */
struct ir_operand join_unite(const struct arms *a, const struct join *j, bool alone);
/* Guards an instruction of the arm of this way. */
void join_guard(const struct arms *a, unsigned way, struct ir_insn *i);

#endif
