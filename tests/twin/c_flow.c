/* SPDX-License-Identifier: Apache-2.0
 * Control flow of a thread as C. Ways out of loops are gotos: a switch may lie between. */
#include "tests/twin/write.h"

static unsigned number(const struct cw *w, const struct twin_node *n) {
  return (unsigned)(n - w->t->node);
}

static void write_if(const struct cw *w, const struct twin_node *n) {
  fprintf(w->to, "  if (%sq->p[%u]) {\n", n->k[0] & 1 ? "!" : "", n->reg[0]);
  twin_c_list(w, n->child, -1);
  fprintf(w->to, "  } else {\n");
  if (n->child2 != TWIN_NO_NODE) twin_c_list(w, n->child2, -1);
  fprintf(w->to, "  }\n");
}

static void write_loop(const struct cw *w, const struct twin_node *n) {
  unsigned id = number(w, n), most = n->k[1] + 1;
  fprintf(w->to, "  { uint32_t c = 0, l = q->r[%u] %% %u; (void)l;\n  L%u:\n", n->reg[0], most, id);
  if (n->k[0] == 0) fprintf(w->to, "  if (c >= l) goto X%u;\n", id);
  fprintf(w->to, "  c++;\n");
  twin_c_list(w, n->child, -1);
  fprintf(w->to, "  N%u:;\n", id);
  if (n->k[0] == 0)
    fprintf(w->to, "  goto L%u;\n", id);
  else if (n->k[0] == 1)
    fprintf(w->to, "  if (c < l) goto L%u;\n", id);
  else
    fprintf(w->to, "  if (c < %u && q->p[%u]) goto L%u;\n", most, n->reg[1], id);
  fprintf(w->to, "  X%u:;\n  }\n", id);
}

static void write_switch(const struct cw *w, const struct twin_node *n) {
  unsigned id = number(w, n), all = 0, k = 0;
  for (uint32_t c = n->child; c != TWIN_NO_NODE; c = w->t->node[c].next) all++;
  if (all == 0) return;
  fprintf(w->to, "  switch (q->r[%u] %% %u) {\n", n->reg[0], all);
  for (uint32_t c = n->child; c != TWIN_NO_NODE; c = w->t->node[c].next, k++) {
    fprintf(w->to, "  case %u:\n", k);
    twin_c_list(w, c, -1);
    if (!(n->k[0] >> k & 1)) fprintf(w->to, "  goto X%u;\n", id);
  }
  fprintf(w->to, "  }\n  X%u:;\n", id);
}

static void write_goto(const struct cw *w, const struct twin_node *n) {
  unsigned id = number(w, n);
  fprintf(w->to, "  { uint32_t c = 0;\n  if (q->p[%u]) goto M%u;\n  L%u:;\n", n->reg[0], id, id);
  twin_c_list(w, n->child, -1);
  fprintf(w->to, "  M%u:;\n", id);
  twin_c_list(w, n->child2, -1);
  fprintf(w->to, "  c++;\n  if (c < 3 && q->p[%u]) goto L%u;\n  }\n", n->reg[1], id);
}

static void write_call(const struct cw *w, const struct twin_node *n) {
  static const char letter[] = {'r', 'd', 'f'};
  if (n->guard != TWIN_NONE) fprintf(w->to, "  if (q->p[%u])\n", n->guard);
  fprintf(w->to, "  q->%c[%u] = fn%u(q, q->r[%u], q->d[%u], q->f[%u], q->%s);\n", letter[n->k[0]], n->reg[3], n->k[0],
          n->reg[0], n->reg[1], n->reg[2],
          w->in_function ? "generic"
          : n->k[1] & 1  ? "slot"
          : n->k[1] & 2  ? "local"
                         : "out");
}

static void write_node(const struct cw *w, const struct twin_node *n) {
  switch (n->kind) {
  case N_OP:
    twin_c_op(w, n);
    break;
  case N_CARRY:
    twin_c_carry(w, n);
    break;
  case N_IF:
    write_if(w, n);
    break;
  case N_LOOP:
    write_loop(w, n);
    break;
  case N_BREAK:
    fprintf(w->to, "  if (q->p[%u]) goto X%u;\n", n->reg[0], n->to);
    break;
  case N_CONTINUE:
    fprintf(w->to, "  if (q->p[%u]) goto N%u;\n", n->reg[0], n->to);
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
    fprintf(w->to, "  if (q->p[%u]) goto R;\n", n->reg[0]);
    break;
  default: /* N_CAS */
    fprintf(w->to, "  (void)atom(q->acc + %u, A_add, 4, false, false, q->r[%u], 0);\n", 8 * twin_cell_add(w->t),
            n->reg[0]);
  }
}

static bool is_together(const struct twin_node *n) {
  return n->kind >= N_SHFL;
}

/* Outside of what one thread does, its statements are gathered: all of one thread, then all of the next. */
void twin_c_list(const struct cw *w, uint32_t list, int depth) {
  if (list == TWIN_NO_NODE || w->t->node[list].removed) return;
  bool open = false;
  for (uint32_t k = w->t->node[list].child; k != TWIN_NO_NODE; k = w->t->node[k].next) {
    const struct twin_node *n = &w->t->node[k];
    if (n->removed) continue;
    if (depth >= 0 && open == is_together(n)) fprintf(w->to, open ? "  }\n" : "  EACH(act[%d]) {\n", depth);
    if (depth >= 0) open = !is_together(n);
    if (is_together(n))
      twin_c_together(w, n, depth);
    else
      write_node(w, n);
  }
  if (open) fprintf(w->to, "  }\n");
}
