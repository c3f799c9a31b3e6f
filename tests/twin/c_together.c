/* SPDX-License-Identifier: Apache-2.0
 * What threads do together as C: over all threads of the block that are active, whose mask is an array for each depth
 * of branches. Two arrays a branch: predicates may change in the first arm. */
#include "tests/twin/ops.h"
#include "tests/twin/write.h"

static void gather(const struct cw *w, int depth, const char *letter, unsigned reg, const char * not ) {
  fprintf(w->to, "  memcpy(x->act, act[%d], sizeof x->act);\n  EACH(act[%d]) x->a[i] = %sq->%s[%u];\n", depth, depth,
          not, letter, reg);
}
static void spread(const struct cw *w, int depth, char letter, unsigned reg) {
  const char *type = letter == 'p' ? "bool" : "uint32_t";
  fprintf(w->to, "  EACH(act[%d]) q->%c[%u] = (%s)x->d[i];\n", depth, letter, reg, type);
}

static void write_shfl(const struct cw *w, const struct twin_node *n, int depth) {
  static const char *const mode[] = {"S_idx", "S_up", "S_down", "S_bfly"};
  gather(w, depth, "r", n->reg[2], "");
  if (n->k[3] & 1)
    fprintf(w->to, "  EACH(act[%d]) x->b[i] = %u, x->c[i] = 0x%x;\n", depth, n->k[4] % 33, twin_shfl_limit(n));
  else
    fprintf(w->to, "  EACH(act[%d]) x->b[i] = q->n[%u], x->c[i] = 0x%x;\n", depth, n->reg[3], twin_shfl_limit(n));
  fprintf(w->to, "  warp_shfl(x, %s);\n", mode[n->k[0] % 4]);
  spread(w, depth, 'r', n->reg[0]);
  if (!(n->k[1] & 1)) fprintf(w->to, "  EACH(act[%d]) q->p[%u] = x->p[i];\n", depth, n->reg[1]);
}

static void write_vote(const struct cw *w, const struct twin_node *n, int depth) {
  static const char *const mode[] = {"V_all", "V_any", "V_uni", "V_ballot"};
  bool ballot = n->k[0] % 4 == V_ballot;
  gather(w, depth, "p", n->reg[1], !ballot && n->k[2] & 1 ? "!" : "");
  fprintf(w->to, "  warp_vote(x, %s);\n", mode[n->k[0] % 4]);
  spread(w, depth, ballot ? 'r' : 'p', ballot ? n->reg[0] : n->k[1] % w->t->count[twin_class('p')]);
}

static void write_match(const struct cw *w, const struct twin_node *n, int depth) {
  gather(w, depth, n->k[1] & 1 ? "d" : "r", n->reg[2], "");
  fprintf(w->to, "  warp_match(x, %s);\n", n->k[0] & 1 ? "true" : "false");
  spread(w, depth, 'r', n->reg[0]);
  if (n->k[0] & 1) fprintf(w->to, "  EACH(act[%d]) q->p[%u] = x->p[i];\n", depth, n->reg[1]);
}

static void write_redux(const struct cw *w, const struct twin_node *n, int depth) {
  static const char *const op[] = {"R_add", "R_min", "R_max", "R_and", "R_or", "R_xor"};
  gather(w, depth, "r", n->reg[1], "");
  fprintf(w->to, "  warp_redux(x, %s, %s);\n", op[n->k[0] % 6], n->k[1] & 1 ? "true" : "false");
  spread(w, depth, 'r', n->reg[0]);
}

static void write_active(const struct cw *w, const struct twin_node *n, int depth) {
  fprintf(w->to, "  memcpy(x->act, act[%d], sizeof x->act);\n  EACH(act[%d]) x->a[i] = 1;\n  warp_vote(x, V_ballot);\n",
          depth, depth);
  spread(w, depth, 'r', n->reg[0]);
}

static void write_exchange(const struct cw *w, const struct twin_node *n, int depth) {
  unsigned at = n->k[1] % (TWIN_SLOT / 4) * 4;
  fprintf(w->to, "  EACH(act[%d]) store(q->slot + %u, 4, q->r[%u]);\n", depth, at, n->reg[1]);
  fprintf(w->to, "  EACH(act[%d]) q->r[%u] = (uint32_t)load(shared + (i + %u) %% %u * %u + %u, 4, false);\n", depth,
          n->reg[0], n->k[0], w->t->block, TWIN_SLOT, at);
}

static void write_barred(const struct cw *w, const struct twin_node *n, int depth) {
  static const char *const mode[] = {"V_all", "V_any", "V_ballot"};
  bool count = n->k[0] % 3 == 2;
  gather(w, depth, "p", n->reg[1], n->k[1] & 1 ? "!" : "");
  fprintf(w->to, "  block_red(x, %s);\n", mode[n->k[0] % 3]);
  spread(w, depth, count ? 'r' : 'p', count ? n->reg[0] : n->k[2] % w->t->count[twin_class('p')]);
}

static void write_red(const struct cw *w, const struct twin_node *n, int depth) {
  const struct twin_cell *c = &w->t->cell[n->k[0] % TWIN_CELLS];
  unsigned at = 8 * (n->k[0] % TWIN_CELLS);
  char value[48];
  (void)snprintf(value, sizeof value,
                 c->op == A_inc  ? "77"
                 : c->bytes == 8 ? "(uint64_t)(int32_t)q->r[%u]"
                                 : "q->r[%u]",
                 n->reg[0]);
  fprintf(w->to, "  EACH(act[%d]) (void)atom(%s + %u, A_%s, %u, %s, false, %s, 0);\n", depth,
          n->k[1] % 2 ? "q->acc" : "cells", at, twin_atom_names[c->op], c->bytes, c->is_signed ? "true" : "false",
          value);
}

static void write_if(const struct cw *w, const struct twin_node *n, int depth) {
  /* What the first arm uses lies above both; what the second uses may be that of the first. */
  fprintf(w->to, "  for (unsigned i = 0; i < BLOCK; i++) {\n    act[%d][i] = act[%d][i] && thread[i].p[%u];\n",
          depth + 2, depth, n->reg[0]);
  fprintf(w->to, "    act[%d][i] = act[%d][i] && !thread[i].p[%u];\n  }\n", depth + 1, depth, n->reg[0]);
  twin_c_list(w, n->child, depth + 2);
  if (n->child2 != TWIN_NO_NODE) twin_c_list(w, n->child2, depth + 1);
}

static void write_while(const struct cw *w, const struct twin_node *n, int depth) {
  fprintf(w->to, "  { uint32_t c[BLOCK]; bool any = true;\n  memcpy(act[%d], act[%d], sizeof act[0]);\n", depth + 1,
          depth);
  fprintf(w->to,
          "  for (unsigned i = 0; i < BLOCK; i++) c[i] = thread[i].r[%u] & 3;\n  while (any) {\n  any = false;\n",
          n->reg[0]);
  fprintf(w->to,
          "  for (unsigned i = 0; i < BLOCK; i++) {\n    act[%d][i] = act[%d][i] && c[i]-- != 0;\n    any |= "
          "act[%d][i];\n  }\n",
          depth + 1, depth + 1, depth + 1);
  twin_c_list(w, n->child, depth + 1);
  fprintf(w->to, "  }\n  }\n");
}

static void write_exit(const struct cw *w, const struct twin_node *n, int depth) {
  fprintf(w->to, "  EACH(act[%d]) if (q->p[%u]) { ", depth, n->reg[0]);
  if (n->k[0] % 3 == 0) fprintf(w->to, "last(q); ");
  fprintf(w->to, "act[%d][i] = false; }\n", depth);
}

void twin_c_together(const struct cw *w, const struct twin_node *n, int depth) {
  switch (n->kind) {
  case N_SHFL:
    write_shfl(w, n, depth);
    break;
  case N_VOTE:
    write_vote(w, n, depth);
    break;
  case N_MATCH:
    write_match(w, n, depth);
    break;
  case N_REDUX:
    write_redux(w, n, depth);
    break;
  case N_ACTIVE:
    write_active(w, n, depth);
    break;
  case N_EXCHANGE:
    write_exchange(w, n, depth);
    break;
  case N_BARRED:
    write_barred(w, n, depth);
    break;
  case N_RED:
    write_red(w, n, depth);
    break;
  case N_CELL:
    fprintf(w->to, "  EACH(act[%d]) q->r[%u] = (uint32_t)load(cells + %u, 4, false);\n", depth, n->reg[0],
            8 * (n->k[0] % TWIN_CELLS));
    break;
  case N_TOGETHER_IF:
    write_if(w, n, depth);
    break;
  case N_TOGETHER_WHILE:
    write_while(w, n, depth);
    break;
  case N_TOGETHER_LOOP:
    fprintf(w->to, "  for (unsigned c = 0; c < %u; c++) {\n", 1 + n->k[0] % 3);
    twin_c_list(w, n->child, depth);
    fprintf(w->to, "  }\n");
    break;
  default:
    write_exit(w, n, depth);
  }
}
