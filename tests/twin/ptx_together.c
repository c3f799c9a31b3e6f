/* SPDX-License-Identifier: Apache-2.0
 * What threads do together as PTX. Every .sync names exactly the lanes that come: the mask is carried along in a
 * register, and cut by a ballot in front of each branch. */
#include "tests/twin/write.h"

#include "tests/twin/ops.h"

const char *const twin_shfl_names[4] = {"idx", "up", "down", "bfly"};
const char *const twin_vote_names[4] = {"all", "any", "uni", "ballot"};
const char *const twin_redux_names[6] = {"add", "min", "max", "and", "or", "xor"};
const char *const twin_atom_names[10] = {"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"};

unsigned twin_cell_add(const struct twin *t) {
  unsigned k = 0;
  while (t->cell[k].op != A_add || t->cell[k].bytes != 4) k++;
  return k;
}

static void write_shfl(const struct ptx *w, const struct twin_node *n, const char *mask) {
  fprintf(w->to, "  shfl.sync.%s.b32 %%r%u", twin_shfl_names[n->k[0] % 4], n->reg[0]);
  if (!(n->k[1] & 1)) fprintf(w->to, "|%%p%u", n->reg[1]);
  if (n->k[3] & 1)
    fprintf(w->to, ", %%r%u, %u, 0x%x, %s;\n", n->reg[2], n->k[4] % 33, twin_shfl_limit(n), mask);
  else
    fprintf(w->to, ", %%r%u, %%n%u, 0x%x, %s;\n", n->reg[2], n->reg[3], twin_shfl_limit(n), mask);
}

static void write_redux(const struct ptx *w, const struct twin_node *n, const char *mask) {
  unsigned op = n->k[0] % 6;
  const char *type = op >= R_and ? "b32" : n->k[1] & 1 ? "s32" : "u32";
  fprintf(w->to, "  redux.sync.%s.%s %%r%u, %%r%u, %s;\n", twin_redux_names[op], type, n->reg[0], n->reg[1], mask);
}

static void write_match(const struct ptx *w, const struct twin_node *n, const char *mask) {
  bool wide = n->k[1] & 1;
  fprintf(w->to, "  match.%s.sync.b%u %%r%u", n->k[0] & 1 ? "all" : "any", wide ? 64 : 32, n->reg[0]);
  if (n->k[0] & 1) fprintf(w->to, "|%%p%u", n->reg[1]);
  fprintf(w->to, ", %%%c%u, %s;\n", wide ? 'd' : 'r', n->reg[2], mask);
}

static void write_vote(const struct ptx *w, const struct twin_node *n, const char *mask) {
  unsigned mode = n->k[0] % 4;
  if (mode == V_ballot)
    fprintf(w->to, "  vote.sync.ballot.b32 %%r%u, %%p%u, %s;\n", n->reg[0], n->reg[1], mask);
  else
    fprintf(w->to, "  vote.sync.%s.pred %%p%u, %s%%p%u, %s;\n", twin_vote_names[mode],
            n->k[1] % w->t->count[twin_class('p')], n->k[2] & 1 ? "!" : "", n->reg[1], mask);
}

/* The thread that is k[0] further on; its slot's address in %t0. */
static void write_exchange(const struct ptx *w, const struct twin_node *n) {
  unsigned at = n->k[1] % (TWIN_SLOT / 4) * 4, id = n->k[2] % 16;
  fprintf(w->to, "  st.shared.b32 [%%as+%u], %%r%u;\n  bar.sync %u;\n", at, n->reg[1], id);
  fprintf(w->to, "  mov.u32 %%t0, %%tid.x;\n  add.u32 %%t0, %%t0, %u;\n  rem.u32 %%t0, %%t0, %u;\n", n->k[0],
          w->t->block);
  fprintf(
      w->to,
      "  mov.u32 %%t1, shm;\n  mad.lo.u32 %%t0, %%t0, %u, %%t1;\n  ld.shared.b32 %%r%u, [%%t0+%u];\n  bar%s.sync %u;\n",
      TWIN_SLOT, n->reg[0], at, n->k[3] & 1 ? "rier" : "", id);
}

static void write_barred(const struct ptx *w, const struct twin_node *n) {
  static const char *const names[] = {"and", "or"};
  const char *inverted = n->k[1] & 1 ? "!" : "";
  if (n->k[0] % 3 == 2)
    fprintf(w->to, "  bar.red.popc.u32 %%r%u, 0, %s%%p%u;\n", n->reg[0], inverted, n->reg[1]);
  else
    fprintf(w->to, "  bar.red.%s.pred %%p%u, 0, %s%%p%u;\n", names[n->k[0] % 3], n->k[2] % w->t->count[twin_class('p')],
            inverted, n->reg[1]);
}

static const char *cell_type(const struct twin_cell *c) {
  bool bits = c->op == A_and || c->op == A_or || c->op == A_xor;
  return bits ? "b32" : c->bytes == 8 ? "u64" : c->is_signed ? "s32" : "u32";
}

/* Spaces: shared, global, both by generic addresses. */
static void write_red(const struct ptx *w, const struct twin_node *n) {
  static const char *const space[] = {".shared", ".global", "", ""}, *const base[] = {"%ax", "%ac", "%yx", "%yc"};
  const struct twin_cell *c = &w->t->cell[n->k[0] % TWIN_CELLS];
  unsigned s = n->k[1] % 4, at = 8 * (n->k[0] % TWIN_CELLS);
  bool result = n->k[2] & 1;
  char value[16];
  if (c->bytes == 8) fprintf(w->to, "  cvt.s64.s32 %%u0, %%r%u;\n", n->reg[0]);
  (void)snprintf(value, sizeof value, c->op == A_inc ? "77" : c->bytes == 8 ? "%%u0" : "%%r%u", n->reg[0]);
  fprintf(w->to, "  %s%s.%s.%s %s[%s+%u], %s;\n", result ? "atom" : "red", space[s], twin_atom_names[c->op],
          cell_type(c),
          !result         ? ""
          : c->bytes == 8 ? "%u1, "
                          : "%t0, ",
          base[s], at, value);
}

static void write_cell(const struct ptx *w, const struct twin_node *n) {
  fprintf(w->to, "  bar.sync 0;\n  ld.shared.u32 %%r%u, [%%ax+%u];\n  bar.sync 0;\n", n->reg[0],
          8 * (n->k[0] % TWIN_CELLS));
}

static void write_if(const struct ptx *w, const struct twin_node *n, const char *mask) {
  unsigned id = (unsigned)(n - w->t->node);
  char yes[24], no[24];
  (void)snprintf(yes, sizeof yes, "%%m%u", id);
  (void)snprintf(no, sizeof no, "%%o%u", id);
  fprintf(w->to, "  { .reg .b32 %s, %s;\n  vote.sync.ballot.b32 %s, %%p%u, %s;\n  xor.b32 %s, %s, %s;\n", yes, no, yes,
          n->reg[0], mask, no, yes, mask);
  fprintf(w->to, "  @!%%p%u bra $E%u;\n", n->reg[0], id);
  twin_ptx_list(w, n->child, yes);
  if (n->child2 != TWIN_NO_NODE) fprintf(w->to, "  bra $X%u;\n", id);
  fprintf(w->to, "$E%u:\n", id);
  if (n->child2 != TWIN_NO_NODE) {
    twin_ptx_list(w, n->child2, no);
    fprintf(w->to, "$X%u:\n", id);
  }
  fprintf(w->to, "  bar.warp.sync %s;\n  }\n", mask);
}

static void write_while(const struct ptx *w, const struct twin_node *n, const char *mask) {
  unsigned id = (unsigned)(n - w->t->node);
  char lanes[24];
  (void)snprintf(lanes, sizeof lanes, "%%m%u", id);
  fprintf(w->to, "  { .reg .b32 %s, %%c; .reg .pred %%z;\n  mov.b32 %s, %s;\n  and.b32 %%c, %%r%u, 3;\n$L%u:\n", lanes,
          lanes, mask, n->reg[0], id);
  fprintf(w->to, "  setp.ne.u32 %%z, %%c, 0;\n  vote.sync.ballot.b32 %s, %%z, %s;\n  @!%%z bra $X%u;\n", lanes, lanes,
          id);
  fprintf(w->to, "  sub.u32 %%c, %%c, 1;\n");
  twin_ptx_list(w, n->child, lanes);
  fprintf(w->to, "  bra $L%u;\n$X%u:\n  bar.warp.sync %s;\n  }\n", id, id, mask);
}

static void write_loop(const struct ptx *w, const struct twin_node *n, const char *mask) {
  unsigned id = (unsigned)(n - w->t->node);
  fprintf(w->to, "  { .reg .b32 %%c; .reg .pred %%z;\n  mov.b32 %%c, 0;\n$L%u:\n", id);
  twin_ptx_list(w, n->child, mask);
  fprintf(w->to, "  add.u32 %%c, %%c, 1;\n  setp.lt.u32 %%z, %%c, %u;\n  @%%z bra $L%u;\n  }\n", 1 + n->k[0] % 3, id);
}

static void write_exit(const struct ptx *w, const struct twin_node *n) {
  static const char *const how[] = {"bra $DONE", "ret", "exit"};
  fprintf(w->to, "  { .reg .pred %%z;\n  not.pred %%z, %%p%u;\n  vote.sync.ballot.b32 %%t0, %%z, %%m;\n", n->reg[0]);
  fprintf(w->to, "  @%%p%u %s;\n  mov.b32 %%m, %%t0;\n  }\n", n->reg[0], how[n->k[0] % 3]);
}

void twin_ptx_together(const struct ptx *w, const struct twin_node *n, const char *mask) {
  switch (n->kind) {
  case N_SHFL:
    write_shfl(w, n, mask);
    break;
  case N_VOTE:
    write_vote(w, n, mask);
    break;
  case N_MATCH:
    write_match(w, n, mask);
    break;
  case N_REDUX:
    write_redux(w, n, mask);
    break;
  case N_ACTIVE:
    fprintf(w->to, "  bar.warp.sync %s;\n  activemask.b32 %%r%u;\n", mask, n->reg[0]);
    break;
  case N_EXCHANGE:
    write_exchange(w, n);
    break;
  case N_BARRED:
    write_barred(w, n);
    break;
  case N_RED:
    write_red(w, n);
    break;
  case N_CELL:
    write_cell(w, n);
    break;
  case N_TOGETHER_IF:
    write_if(w, n, mask);
    break;
  case N_TOGETHER_WHILE:
    write_while(w, n, mask);
    break;
  case N_TOGETHER_LOOP:
    write_loop(w, n, mask);
    break;
  default:
    write_exit(w, n);
  }
}
