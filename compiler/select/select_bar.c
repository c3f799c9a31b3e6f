/* SPDX-License-Identifier: Apache-2.0
 *
 * Barriers of a block, and NANOSLEEP. The machine's barriers have their number and count in the instruction.
 */
#include "compiler/select/select.h"

enum { WARP = 32, THREADS_MOST = 1024 };

static void add_barrier(struct select *s, unsigned id, unsigned count, struct mir_operand guard) {
  static const uint16_t ops[] = {[IR_BAR_SYNC] = ISA_OP_BAR_SYNC,
                                 [IR_BAR_ARRIVE] = ISA_OP_BAR_ARV,
                                 [IR_BAR_RED_POPC] = ISA_OP_BAR_RED_POPC,
                                 [IR_BAR_RED_AND] = ISA_OP_BAR_RED,
                                 [IR_BAR_RED_OR] = ISA_OP_BAR_RED};
  const struct ir_insn *i = s->insn;
  const bool number = i->lanes.mode == IR_BAR_RED_POPC,
             verdict = i->lanes.mode == IR_BAR_RED_AND || i->lanes.mode == IR_BAR_RED_OR;
  struct mir_operand none = mir_none(), p = i->sources > 2 ? sel_predicate(s, i->src[2]) : none;
  struct mir_operand d = number || verdict ? sel_dst(s, 0) : none;
  struct mir_insn *m = sel_add(s, (enum heddle_isa_op)ops[i->lanes.mode], number ? d : none, none, none, none);
  mir_set(m, ISA_F_BARID, id);
  mir_set(m, ISA_F_BARCNT, count);
  if (number || verdict) m->ps[0] = p;
  if (verdict) {
    mir_set(m, ISA_F_BARRED, i->lanes.mode == IR_BAR_RED_AND ? ISA_BARRED_AND : ISA_BARRED_OR);
    sel_set_predicate(s, m, 0, d);
  }
  if (guard.kind == MIR_NONE) return;
  m->guard = guard;
  m->keeps_old = number || verdict;
}

/* A number in a register: one instruction for each that it can be, under a predicate. */
static struct mir_operand when(struct select *s, struct mir_operand x, unsigned is) {
  struct mir_operand p = sel_new_predicate(s);
  struct mir_insn *m = sel_op(s, ISA_OP_ISETP, mir_none(), x, sel_imm(is), mir_none());
  mir_set(m, ISA_F_ICMP, ISA_ICMP_EQ);
  m->pd[0] = p;
  return p;
}

static void any_barrier(struct select *s, unsigned count) {
  struct mir_operand id = sel_reg(s, sel_low(s, s->insn->src[0]));
  for (unsigned k = 0; heddle_isa_field_fits(ISA_F_BARID, k); k++) add_barrier(s, k, count, when(s, id, k));
}

static void any_count(struct select *s, unsigned id) {
  struct mir_operand count = sel_reg(s, sel_low(s, s->insn->src[1]));
  for (unsigned k = WARP; k <= THREADS_MOST; k += WARP) add_barrier(s, id, k, when(s, count, k));
}

/* BAR id count (p) */
void select_bar(struct select *s) {
  const struct ir_insn *i = s->insn;
  const bool any = i->src[0].kind != IR_CONST, counted = i->src[1].kind != IR_CONST;
  if (any && counted) {
    sel_refuse(s, "the number of the barrier or the number of threads must be constant");
  } else if ((any || counted) && i->guard) {
    sel_refuse(s, "under a predicate, the number of the barrier and the number of threads must be constant");
  } else if (!counted && (i->src[1].bits > THREADS_MOST || i->src[1].bits % WARP)) {
    sel_refuse(s, "the number of threads must be a multiple of %d, at most %d", WARP, THREADS_MOST);
  } else if (i->lanes.mode == IR_BAR_ARRIVE && !counted && i->src[1].bits == 0) {
    sel_refuse(s, "bar.arrive needs a number of threads");
  } else if (any) {
    any_barrier(s, (unsigned)i->src[1].bits);
  } else if (i->src[0].bits > (uint64_t)heddle_isa_field_most(ISA_F_BARID)) {
    sel_refuse(s, "barrier %llu: there are %d", (unsigned long long)i->src[0].bits,
               (int)heddle_isa_field_most(ISA_F_BARID) + 1);
  } else if (counted) {
    any_count(s, (unsigned)i->src[0].bits);
  } else {
    add_barrier(s, (unsigned)i->src[0].bits, (unsigned)i->src[1].bits, mir_none());
  }
}

void select_nanosleep(struct select *s) {
  (void)sel_op(s, ISA_OP_NANOSLEEP, mir_none(), mir_none(), sel_low(s, s->insn->src[0]), mir_none());
}
