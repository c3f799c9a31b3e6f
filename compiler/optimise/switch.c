/* SPDX-License-Identifier: Apache-2.0
 *
 * Trees of comparisons become branch tables. clang writes a `switch` as a tree of branches that compare one value with
 * constants; where such a tree is large and its constants lie close together, one jump does the same. Needs SSA form;
 * dominators are void afterwards.
 *
 * The tree is evaluated rather than understood: at every value that the looked-at one may have if it has eight bits,
 * else at every value where some comparison can change. Between two such values nothing changes.
 */
#include "switch.h"

enum { BLOCKS_LEAST = 6, TABLE_MOST = 512 };
enum { WORK_MOST = 1 << 22 }; /* branches evaluated in a function: hostile text cannot make it take long */

struct trees {
  struct ir_function *f;
  struct ir_block **used_in; /* by value: the block of all its uses, or `several` */
  struct ir_block *several;
  bool *taken; /* by block: of a tree */
};

/* ---- the tree ---- */

/* Nothing but the comparison, and what is computed for it. */
static bool is_bare(const struct trees *s, const struct ir_block *b) {
  for (const struct ir_insn *i = b->first; i != b->last; i = i->next) {
    if (!switch_is_step(i)) return false;
    for (unsigned k = 0; k < i->dsts; k++)
      if (i->dst[k] && s->used_in[i->dst[k]->id] && s->used_in[i->dst[k]->id] != b) return false;
  }
  return true;
}

static bool joins(const struct trees *s, struct tree *t, const struct ir_block *b) {
  return b->preds == 1 && b != t->f->first && b->id < t->numbers && !s->taken[b->id] && switch_goes_to(t, b, 0) &&
         b->succ[0] != b->succ[1] && is_bare(s, b);
}

static void add_block(struct tree *t, struct ir_block *b) {
  t->block[t->blocks++] = b;
  t->number[b->id] = t->blocks;
}

/* A tree has a way out more than it has blocks. */
static bool grow_tree(const struct trees *s, struct tree *t, struct ir_block *root) {
  add_block(t, root);
  for (unsigned k = 0; k < t->blocks; k++)
    for (unsigned n = 0; n < 2; n++) {
      struct ir_block *to = t->block[k]->succ[n];
      if (t->blocks < SWITCH_BLOCKS_MOST && joins(s, t, to))
        add_block(t, to);
      else
        t->out[t->outs++] = (struct way_out){.from = t->block[k], .to = to};
    }
  return t->blocks >= BLOCKS_LEAST;
}

static bool in_tree(const struct tree *t, const struct ir_block *b) {
  return b->id < t->numbers && t->number[b->id];
}

static unsigned way_out(struct tree *t, uint32_t x) {
  struct ir_block *b = t->block[0], *to;
  while ((to = switch_goes_to(t, b, x)) != NULL && in_tree(t, to) && to != t->block[0]) b = to;
  unsigned k = 0;
  while (t->out[k].from != b || t->out[k].to != to) k++;
  return k;
}

static bool divide_segments(struct tree *t) {
  const uint32_t n = switch_changes(t), *at = t->change;
  for (uint32_t k = 0; k < n; k++) {
    const unsigned out = way_out(t, at[k]);
    if (t->segments == 0 || t->segment[t->segments - 1].out != out)
      t->segment[t->segments++] = (struct segment){at[k], out};
  }
  return t->segments > 2;
}

/* ---- the table ---- */

struct window { /* outside of [first, last] (perhaps round zero) everything goes one way */
  uint32_t first, last;
  unsigned rest; /* way out */
};

/* The longest segment is what the table leaves out. */
static struct window find_window(const struct tree *t) {
  struct window w = {0};
  uint64_t most = 0;
  const struct segment *s = t->segment;
  const bool round = s[0].out == s[t->segments - 1].out;
  for (uint32_t k = 0; k < t->segments; k++) {
    const uint64_t end = k + 1 < t->segments ? s[k + 1].first : (uint64_t)UINT32_MAX + 1 + (round ? s[1].first : 0);
    if (end - s[k].first <= most) continue;
    most = end - s[k].first;
    w = (struct window){(uint32_t)end, s[k].first - 1, s[k].out};
  }
  return w;
}

static unsigned out_at(const struct tree *t, uint32_t x) {
  uint32_t k = t->segments;
  while (k > 1 && t->segment[k - 1].first > x) k--;
  return t->segment[k - 1].out;
}

/* A block of its own on the edge, so that several ways to one block can be told apart by its phis. */
static void put_block(struct tree *t, struct way_out *o) {
  unsigned at = 0, phis = 0;
  while (o->to->pred[at] != o->from) at++;
  for (const struct ir_insn *i = o->to->first; i && i->op == IR_PHI; i = i->next) phis++;
  struct ir_operand *kept = ptx_alloc(t->f->arena, (phis + 1) * sizeof *kept);
  struct ir_insn *i = o->to->first;
  for (unsigned k = 0; k < phis; k++, i = i->next) kept[k] = i->many[at];
  o->by = ir_block_new(t->f);
  o->by->loop_depth = t->block[0]->loop_depth;
  ir_block_place(t->block[0], o->by);
  (void)pass_edge_turn(t->f, o->from, o->to, o->by);
  pass_branch(t->f, o->by, o->to, t->block[0]->last->pos);
  i = o->to->first;
  for (unsigned k = 0; k < phis; k++, i = i->next) pass_phi_push(t->f, i, kept[k]);
}

static struct ir_operand add_insn(struct tree *t, enum ir_op op, enum ir_class class, uint32_t constant,
                                  struct ir_operand a, struct ptx_pos pos) {
  struct ir_insn *i = ir_insn_new(t->f, op, PTX_U32, pos);
  i->dsts = 1;
  i->dst[0] = ir_value_new(t->f, class);
  i->dst[0]->def = i;
  i->sources = 2;
  i->src[0] = a;
  i->src[1] = ir_bits(constant);
  if (op == IR_SETP) i->comparison.cmp = IR_LE;
  ir_append(t->block[0], i);
  return ir_use(i->dst[0]);
}

static void branch_on(struct ir_function *f, struct ir_block *b, enum ir_op op, struct ir_operand by,
                      struct ptx_pos pos) {
  struct ir_insn *i = ir_insn_new(f, op, PTX_NO_TYPE, pos);
  i->sources = 1;
  i->src[0] = by;
  ir_append(b, i);
}

static void rewrite_tree(struct tree *t, struct window w) {
  struct ir_block *root = t->block[0], *table = ir_block_new(t->f);
  const struct ptx_pos pos = root->last->pos;
  for (unsigned k = 0; k < t->outs; k++) put_block(t, &t->out[k]);
  table->loop_depth = root->loop_depth;
  ir_block_place(root, table);
  while (root->succs) pass_edge_drop(root, root->succs - 1);
  ir_remove(root->last);
  struct ir_operand index = ir_use(t->value);
  if (w.first) index = add_insn(t, IR_ADD, IR_32, 0u - w.first, index, pos);
  branch_on(t->f, root, IR_CBR, add_insn(t, IR_SETP, IR_PRED, w.last - w.first, index, pos), pos);
  ir_edge(t->f, root, table);
  ir_edge(t->f, root, t->out[w.rest].by);
  branch_on(t->f, table, IR_BRX, index, pos);
  for (uint32_t k = 0; k <= w.last - w.first; k++) ir_edge(t->f, table, t->out[out_at(t, w.first + k)].by);
}

static bool find_tree(const struct trees *s, struct tree *t, struct ir_block *root, struct window *w) {
  t->value = switch_looked_at(root);
  if (!t->value || root->succ[0] == root->succ[1] || !switch_goes_to(t, root, 0)) return false;
  if (!grow_tree(s, t, root) || !divide_segments(t)) return false;
  *w = find_window(t);
  return w->last - w->first < TABLE_MOST && w->last - w->first < 4 * t->blocks;
}

static bool try_root(struct trees *s, struct tree *t, struct ir_block *root) {
  struct window w;
  t->blocks = t->outs = t->segments = 0;
  const bool found = !s->taken[root->id] && t->work < WORK_MOST && find_tree(s, t, root, &w);
  for (unsigned k = 0; k < t->blocks; k++) {
    t->number[t->block[k]->id] = 0;
    s->taken[t->block[k]->id] = s->taken[t->block[k]->id] || found;
  }
  if (found) rewrite_tree(t, w);
  return found;
}

static void note_use(struct trees *s, const struct ir_operand *o, struct ir_block *where) {
  if (o->kind != IR_VALUE) return;
  struct ir_block **at = &s->used_in[o->value->id];
  *at = *at == NULL || *at == where ? where : s->several;
}

static void find_uses(struct trees *s) {
  for (struct ir_block *b = s->f->first; b; b = b->next)
    for (struct ir_insn *i = b->first; i; i = i->next) {
      const struct ir_operand *from = pass_sources(i);
      for (unsigned k = 0; k < i->sources; k++) note_use(s, &from[k], i->op == IR_PHI ? s->several : b);
      for (unsigned k = 0; k < i->dsts; k++) note_use(s, &i->old[k], b);
      if (i->guard) note_use(s, &(struct ir_operand){.kind = IR_VALUE, .value = i->guard}, b);
    }
}

void ir_switch(struct ir_function *f) {
  struct ir_block several = {0};
  struct trees s = {.f = f, .several = &several};
  struct tree *t = ptx_alloc(f->arena, sizeof *t);
  s.used_in = ptx_alloc(f->arena, (f->values + 1) * sizeof(struct ir_block *));
  t->f = f;
  t->numbers = f->blocks;
  t->number = ptx_alloc(f->arena, (t->numbers + 1) * sizeof *t->number);
  s.taken = ptx_alloc(f->arena, t->numbers + 1);
  find_uses(&s);
  bool any = false;
  for (struct ir_block *b = f->first; b; b = b->next)
    if (b->id < t->numbers) any = try_root(&s, t, b) || any;
  if (any) ir_tidy(f);
}
