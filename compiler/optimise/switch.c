/* SPDX-License-Identifier: Apache-2.0
 *
 * Trees of comparisons become branch tables.
 */

#include <stdlib.h>
#include "compiler/graph/pass.h"

enum { SWITCH_BLOCKS_MOST = 128, SWITCH_CHANGES_MOST = 256 + 5 * SWITCH_BLOCKS_MOST };

struct way_out {
  struct ir_block *from, *to, *by; /* by: the block put on the edge */
};

struct segment { /* values from `first` up to the next segment */
  uint32_t first;
  unsigned out; /* index */
};

struct tree {
  struct ir_function *f;
  struct ir_value *value;
  struct ir_block *block[SWITCH_BLOCKS_MOST]; /* the root first */
  struct way_out out[SWITCH_BLOCKS_MOST + 1];
  uint32_t change[SWITCH_CHANGES_MOST];
  struct segment segment[SWITCH_CHANGES_MOST];
  unsigned blocks, outs;
  uint32_t segments;
  uint32_t *number; /* by block: in block[], + 1; 0: not in the tree */
  uint32_t numbers; /* blocks that there were */
  uint32_t work;
};

/* ---- what a branch does where the value is known ---- */

/* The value that a tree of branches looks at, and what becomes of it in comparisons. */

enum { DEEP = 4 };

static const struct ir_insn *definition(const struct ir_operand *o) {
  const struct ir_insn *d = o->kind == IR_VALUE ? o->value->def : NULL;
  return d && !d->guard ? d : NULL;
}

static bool is_word(uint8_t t) {
  return t == PTX_U32 || t == PTX_S32 || t == PTX_B32;
}

static bool is_sum(const struct ir_insn *d) {
  return (d->op == IR_ADD || d->op == IR_SUB) && is_word(d->type) && d->src[1].kind == IR_CONST;
}

static bool is_extension(const struct ir_insn *d) {
  return d->op == IR_CVT && is_word(d->type) &&
         (d->type2 == PTX_U8 || d->type2 == PTX_S8 || d->type2 == PTX_U16 || d->type2 == PTX_S16);
}

static uint32_t extend_narrow(uint8_t t, uint32_t x) {
  switch (t) {
  case PTX_U8:
    return x & 0xff;
  case PTX_S8:
    return (uint32_t)(int32_t)(int8_t)(x & 0xff);
  case PTX_U16:
    return x & 0xffff;
  default:
    return (uint32_t)(int32_t)(int16_t)(x & 0xffff);
  }
}

/* Of an operand, where the tree's value is x. */
static bool value_at(const struct tree *t, const struct ir_operand *o, uint32_t x, unsigned depth, uint32_t *out) {
  if (o->kind == IR_CONST) *out = (uint32_t)o->bits;
  if (o->kind == IR_VALUE && o->value == t->value) *out = x;
  if (o->kind == IR_CONST || (o->kind == IR_VALUE && o->value == t->value)) return true;
  const struct ir_insn *d = definition(o);
  uint32_t a;
  if (!d || depth == DEEP || !(is_sum(d) || is_extension(d)) || !value_at(t, &d->src[0], x, depth + 1, &a))
    return false;
  if (is_extension(d))
    *out = extend_narrow(d->type2, a);
  else
    *out = d->op == IR_ADD ? a + (uint32_t)d->src[1].bits : a - (uint32_t)d->src[1].bits;
  return true;
}

static bool compared(uint8_t cmp, bool less, bool equal, bool *out) {
  switch (cmp) {
  case IR_EQ:
    *out = equal;
    return true;
  case IR_NE:
    *out = !equal;
    return true;
  case IR_LT:
    *out = less;
    return true;
  case IR_LE:
    *out = less || equal;
    return true;
  case IR_GT:
    *out = !less && !equal;
    return true;
  case IR_GE:
    *out = !less;
    return true;
  default:
    return false;
  }
}

/* The comparison at the end of b, if its branch is on one. */
static const struct ir_insn *switch_comparison(const struct ir_block *b) {
  const struct ir_insn *c = b->last && b->last->op == IR_CBR ? definition(&b->last->src[0]) : NULL;
  const bool right = c && c->op == IR_SETP && is_word(c->type) && c->sources == 2 && c->comparison.combine == IR_B_NONE;
  return right ? c : NULL;
}

/* Which way b goes, where the tree's value is x; NULL: it depends on something else. */
static struct ir_block *switch_goes_to(struct tree *t, const struct ir_block *b, uint32_t x) {
  const struct ir_insn *c = switch_comparison(b);
  uint32_t l, r;
  bool holds;
  t->work++;
  if (!c || !value_at(t, &c->src[0], x, 0, &l) || !value_at(t, &c->src[1], x, 0, &r)) return NULL;
  const bool less = c->type == PTX_S32 ? (int32_t)l < (int32_t)r : l < r;
  if (!compared(c->comparison.cmp, less, l == r, &holds)) return NULL;
  const bool second = b->last->src[0].value == c->dst[0] ? !holds : holds; /* dst[1]: the other way round */
  return b->succ[second != b->last->invert ? 1 : 0];
}

/* What the first comparison looks at, behind sums and extensions. */
static struct ir_value *switch_looked_at(const struct ir_block *root) {
  const struct ir_insn *c = switch_comparison(root), *d;
  if (!c || c->src[0].kind != IR_VALUE) return NULL;
  const struct ir_operand *o = &c->src[0];
  while ((d = definition(o)) != NULL && (is_sum(d) || is_extension(d)) && d->src[0].kind == IR_VALUE) o = &d->src[0];
  return o->value->class == IR_32 ? o->value : NULL;
}

static int by_size(const void *x, const void *y) {
  const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return a < b ? -1 : a > b;
}

/* The constant that is added to the tree's value; false: it is not as simple as that. */
static bool offset_of(const struct tree *t, const struct ir_operand *o, uint32_t *offset) {
  const struct ir_insn *d;
  *offset = 0;
  for (unsigned depth = 0; o->kind == IR_VALUE && o->value != t->value; depth++) {
    if ((d = definition(o)) == NULL || !is_sum(d) || depth == DEEP) return false;
    *offset += d->op == IR_ADD ? (uint32_t)d->src[1].bits : -(uint32_t)d->src[1].bits;
    o = &d->src[0];
  }
  return o->kind == IR_VALUE;
}

/* At most 5 a block and 256. */
static uint32_t switch_changes(struct tree *t) {
  const struct ir_insn *d = t->value->def;
  uint32_t n = 0, *at = t->change;
  if (d && !d->guard && d->op == IR_LD && (d->type == PTX_U8 || d->type == PTX_S8)) {
    for (uint32_t x = 0; x < 256; x++) at[n++] = extend_narrow(d->type, x);
  } else {
    at[n++] = 0;
    for (unsigned k = 0; k < t->blocks; k++) {
      const struct ir_insn *c = switch_comparison(t->block[k]);
      uint32_t offset;
      if (c->src[1].kind != IR_CONST || !offset_of(t, &c->src[0], &offset)) return 0;
      const uint32_t equal = (uint32_t)c->src[1].bits - offset;
      at[n++] = equal;
      at[n++] = equal + 1;
      at[n++] = 0u - offset;
      at[n++] = 0x80000000u - offset;
    }
  }
  qsort(at, n, sizeof *at, by_size);
  return n;
}

/* An instruction that a tree may consist of, besides its branches. */
static bool switch_is_step(const struct ir_insn *i) {
  return !i->guard && (i->op == IR_SETP || is_sum(i) || is_extension(i));
}

/* Trees of comparisons become branch tables. clang writes a `switch` as a tree of branches that compare one value with
 * constants; where such a tree is large and its constants lie close together, one jump does the same. Needs SSA form;
 * dominators are void afterwards.
 *
 * The tree is evaluated rather than understood: at every value that the looked-at one may have if it has eight bits,
 * else at every value where some comparison can change. Between two such values nothing changes. */

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
