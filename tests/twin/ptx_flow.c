/* SPDX-License-Identifier: Apache-2.0
 * Control flow of a thread as PTX. Labels are named after their nodes. */
#include "tests/twin/write.h"

static unsigned number(const struct ptx *w, const struct twin_node *n) {
  return (unsigned)(n - w->t->node);
}

static void write_if(const struct ptx *w, const struct twin_node *n) {
  unsigned id = number(w, n);
  fprintf(w->to, "  @%s%%p%u bra $E%u;\n", n->k[0] & 1 ? "" : "!", n->reg[0], id);
  twin_ptx_list(w, n->child, NULL);
  if (n->child2 != TWIN_NO_NODE) fprintf(w->to, "  bra $X%u;\n", id);
  fprintf(w->to, "$E%u:\n", id);
  if (n->child2 == TWIN_NO_NODE) return;
  twin_ptx_list(w, n->child2, NULL);
  fprintf(w->to, "$X%u:\n", id);
}

/* Style 0: while, 1: do, 2: as long as a predicate says, within bounds. Its own predicate and counter. */
static void write_loop(const struct ptx *w, const struct twin_node *n) {
  unsigned id = number(w, n);
  fprintf(w->to, "  { .reg .b32 %%c, %%l; .reg .pred %%z;\n  mov.u32 %%c, 0;\n  rem.u32 %%l, %%r%u, %u;\n$L%u:\n",
          n->reg[0], n->k[1] + 1, id);
  if (n->k[0] == 0) fprintf(w->to, "  setp.ge.u32 %%z, %%c, %%l;\n  @%%z bra $X%u;\n", id);
  fprintf(w->to, "  add.u32 %%c, %%c, 1;\n");
  twin_ptx_list(w, n->child, NULL);
  fprintf(w->to, "$N%u:\n", id);
  if (n->k[0] == 0)
    fprintf(w->to, "  bra $L%u;\n", id);
  else if (n->k[0] == 1)
    fprintf(w->to, "  setp.lt.u32 %%z, %%c, %%l;\n  @%%z bra $L%u;\n", id);
  else
    fprintf(w->to, "  setp.lt.and.u32 %%z, %%c, %u, %%p%u;\n  @%%z bra $L%u;\n", n->k[1] + 1, n->reg[1], id);
  fprintf(w->to, "$X%u:\n  }\n", id);
}

static unsigned cases(const struct ptx *w, const struct twin_node *n) {
  unsigned k = 0;
  for (uint32_t c = n->child; c != TWIN_NO_NODE; c = w->t->node[c].next) k++;
  return k;
}

static void write_switch(const struct ptx *w, const struct twin_node *n) {
  unsigned id = number(w, n), all = cases(w, n), k = 0;
  if (all == 0) return;
  fprintf(w->to, "  rem.u32 %%t0, %%r%u, %u;\n$T%u: .branchtargets ", n->reg[0], all, id);
  for (unsigned i = 0; i < all; i++) fprintf(w->to, "%s$C%u_%u", i ? ", " : "", id, i);
  fprintf(w->to, ";\n  brx.idx %%t0, $T%u;\n", id);
  for (uint32_t c = n->child; c != TWIN_NO_NODE; c = w->t->node[c].next, k++) {
    fprintf(w->to, "$C%u_%u:\n", id, k);
    twin_ptx_list(w, c, NULL);
    if (!(n->k[0] >> k & 1)) fprintf(w->to, "  bra $X%u;\n", id);
  }
  fprintf(w->to, "$X%u:\n", id);
}

/* A loop that is entered at its head or in its middle. */
static void write_goto(const struct ptx *w, const struct twin_node *n) {
  unsigned id = number(w, n);
  fprintf(w->to, "  { .reg .b32 %%c; .reg .pred %%z;\n  mov.u32 %%c, 0;\n  @%%p%u bra $M%u;\n$L%u:\n", n->reg[0], id,
          id);
  twin_ptx_list(w, n->child, NULL);
  fprintf(w->to, "$M%u:\n", id);
  twin_ptx_list(w, n->child2, NULL);
  fprintf(w->to, "  add.u32 %%c, %%c, 1;\n  setp.lt.and.u32 %%z, %%c, 3, %%p%u;\n  @%%z bra $L%u;\n  }\n", n->reg[1],
          id);
}

static void write_call(const struct ptx *w, const struct twin_node *n) {
  static const char *const result[] = {"b32", "b64", "f32"}, letter[] = {'r', 'd', 'f'};
  char guard[16] = "";
  if (n->guard != TWIN_NONE) (void)snprintf(guard, sizeof guard, "@%%p%u ", n->guard);
  fprintf(w->to, "  { .param .b32 q0; .param .b64 q1; .param .b32 q2; .param .b64 q3; .param .%s qr;\n",
          result[n->k[0]]);
  fprintf(w->to, "  st.param.b32 [q0+0], %%r%u;\n  st.param.b64 [q1+0], %%d%u;\n  st.param.f32 [q2+0], %%f%u;\n",
          n->reg[0], n->reg[1], n->reg[2]);
  fprintf(w->to, "  st.param.b64 [q3+0], %s;\n",
          w->in_function ? "%yf"
          : n->k[1] & 1  ? "%ys"
          : n->k[1] & 2  ? "%yl"
                         : "%yo");
  const char *type = result[n->k[0]], c = letter[n->k[0]];
  fprintf(w->to, "  %scall (qr), fn%u, (q0, q1, q2, q3);\n", guard, n->k[0]);
  if (n->guard == TWIN_NONE)
    fprintf(w->to, "  ld.param.%s %%%c%u, [qr+0];\n  }\n", type, c, n->reg[3]);
  else /* what loads a result may have no guard */
    fprintf(w->to, "  .reg .%s %%qr;\n  ld.param.%s %%qr, [qr+0];\n  %smov.%s %%%c%u, %%qr;\n  }\n", type, type, guard,
            type, c, n->reg[3]);
}

/* Added without an atomic addition. */
static void write_cas(const struct ptx *w, const struct twin_node *n) {
  unsigned id = number(w, n), at = 8 * twin_cell_add(w->t);
  fprintf(w->to, "  { .reg .pred %%z;\n  ld.volatile.global.u32 %%t0, [%%ac+%u];\n$L%u:\n", at, id);
  fprintf(w->to, "  add.u32 %%t1, %%t0, %%r%u;\n  atom.global.cas.b32 %%t2, [%%ac+%u], %%t0, %%t1;\n", n->reg[0], at);
  fprintf(w->to, "  setp.ne.u32 %%z, %%t2, %%t0;\n  mov.u32 %%t0, %%t2;\n  @%%z bra $L%u;\n  }\n", id);
}

static void write_node(const struct ptx *w, const struct twin_node *n, const char *mask) {
  switch (n->kind) {
  case N_OP:
    twin_ptx_op(w, n);
    break;
  case N_CARRY:
    twin_ptx_carry(w, n);
    break;
  case N_IF:
    write_if(w, n);
    break;
  case N_LOOP:
    write_loop(w, n);
    break;
  case N_BREAK:
    fprintf(w->to, "  @%%p%u bra $X%u;\n", n->reg[0], n->to);
    break;
  case N_CONTINUE:
    fprintf(w->to, "  @%%p%u bra $N%u;\n", n->reg[0], n->to);
    break;
  case N_SWITCH:
    write_switch(w, n);
    break;
  case N_GOTO:
    write_goto(w, n);
    break;
  case N_CALL:
    write_call(w, n);
    break;
  case N_RETURN:
    fprintf(w->to, "  @%%p%u bra $R;\n", n->reg[0]);
    break;
  case N_CAS:
    write_cas(w, n);
    break;
  default:
    twin_ptx_together(w, n, mask);
  }
}

void twin_ptx_list(const struct ptx *w, uint32_t list, const char *mask) {
  if (list == TWIN_NO_NODE || w->t->node[list].removed) return;
  for (uint32_t n = w->t->node[list].child; n != TWIN_NO_NODE; n = w->t->node[n].next)
    if (!w->t->node[n].removed) write_node(w, &w->t->node[n], mask);
}
