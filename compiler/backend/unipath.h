/* SPDX-License-Identifier: Apache-2.0
 *
 * The uniform datapath, inside: shared by unipath*.c. Purpose and proof: the head of unipath.c. */
#ifndef HEDDLE_PTX_UNIPATH_H
#define HEDDLE_PTX_UNIPATH_H

#include "compiler/backend/live.h"

/* An instruction, by its number (insn->mark). */
struct unipath_site {
  struct mir_insn *insn;
  struct mir_block *block;
  bool together; /* all threads of the warp that have not ended execute it at once */
};

struct unipath {
  struct mir_function *f;
  struct liveness *l;
  struct unipath_site *site;           /* by number; no instruction: insn NULL */
  double *often;                       /* by number: how often it is executed, roughly; summed up from the start */
  uint8_t *in;                         /* by virtual register: it goes to the uniform datapath */
  uint8_t *handed;                     /* by virtual register: and it is copied back where it is written */
  uint32_t *writers, *readers;         /* by virtual register: where its numbers begin in the lists */
  uint32_t *writer_list, *reader_list; /* numbers */
  uint32_t *stack;                     /* scratch of unipath_drop, unipath_closure */
  uint32_t *seen, stamp;               /* by virtual register */
  uint64_t budget;                     /* of steps */
};

/* ---- unipath_find.c: where the warp is together ---- */
void unipath_together(struct unipath *u);

/* ---- unipath_find.c: forms ---- */
/* i for the uniform datapath: its registers are uniform ones of the same numbers; constants of the constant bank are
 * uniform registers that are still to be loaded (unipath_constant). False: it cannot. */
bool unipath_form(const struct mir_function *f, const struct mir_insn *i, struct mir_insn *made);
/* The operand of i that stands for one of the constant bank in the instruction that was made of it. */
bool unipath_constant(const struct mir_insn *i, const struct mir_insn *made, unsigned slot);
/* How i, which stays, reads registers of u->in: *made is i (operands perhaps exchanged), bits of *moved are the
 * operands of `made` that must come back to general registers before. False: it has no such operands. */
bool unipath_fit(const struct unipath *u, const struct mir_insn *i, struct mir_insn *made, unsigned *moved);

/* ---- unipath_find.c: what can go ---- */
/* u->in: all that could go. */
void unipath_find(struct unipath *u);
/* Is the instruction, in its state u->in, done by the uniform datapath? */
bool unipath_goes(const struct unipath *u, const struct mir_insn *i);
/* Values that stay when v does: v, then those computed from it, or with it. In u->stack; how many. */
uint32_t unipath_closure(struct unipath *u, uint32_t v);
void unipath_drop(struct unipath *u, uint32_t v);

/* ---- unipath_price.c ---- */
/* Drops what costs more than it gives (unless `all` shall go), and what there is no room for. */
void unipath_choose(struct unipath *u, bool all);

static inline double unipath_often(const struct unipath *u, uint32_t number) {
  return u->often[number + 1] - u->often[number];
}

#endif
