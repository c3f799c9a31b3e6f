/* SPDX-License-Identifier: Apache-2.0
 *
 * Liveness: what instructions read and write, by blocks, as ranges, as pressure; and what nobody reads.
 */
#include "live.h"

#include <string.h>
#include "base/minmax.h"
#include "compiler/backend/allocate.h"
#include "compiler/ir/diag.h"

/* What a machine instruction reads, writes and does besides. */

unsigned live_uses(struct mir_insn *i, struct mir_operand *use[LIVE_USES_MAX]) {
  unsigned n = 0;
  if (i->guard.kind == MIR_REG) use[n++] = &i->guard;
  for (unsigned k = 0; k < 3; k++)
    if (i->src[k].kind == MIR_REG) use[n++] = &i->src[k];
  for (unsigned k = 0; k < 3; k++)
    if (i->ps[k].kind == MIR_REG) use[n++] = &i->ps[k];
  for (unsigned k = 0; i->call && k < i->call->uses; k++) use[n++] = &i->call->use[k];
  if (i->keeps_old) n += live_defs(i, use + n);
  return n;
}

unsigned live_defs(struct mir_insn *i, struct mir_operand *def[LIVE_DEFS_MAX]) {
  unsigned n = 0;
  if (i->rd.kind == MIR_REG) def[n++] = &i->rd;
  for (unsigned k = 0; k < 2; k++)
    if (i->pd[k].kind == MIR_REG) def[n++] = &i->pd[k];
  for (unsigned k = 0; i->call && k < i->call->defs; k++) def[n++] = &i->call->def[k];
  return n;
}

/* PLOP3 that only hands on ps0: the other two must stand for PT, and the table say the same as ps0 there. */
static struct mir_operand *copied_predicate(struct mir_insn *i) {
  if (i->pd[0].kind != MIR_REG || i->pd[1].kind == MIR_REG || i->ps[0].kind != MIR_REG || i->ps[0].neg) return NULL;
  for (unsigned k = 1; k < 3; k++)
    if (i->ps[k].kind == MIR_REG || i->ps[k].neg) return NULL;
  const uint64_t lut = mir_get(i, ISA_F_PLUT0);
  return (lut >> 7 & 1) == 1 && (lut >> 3 & 1) == 0 ? &i->ps[0] : NULL;
}

struct mir_operand *live_copied(struct mir_insn *i) {
  if (i->keeps_old) return NULL;
  if (i->op == ISA_OP_PLOP3_LUT) return copied_predicate(i);
  if (i->op != ISA_OP_MOV && i->op != ISA_OP_UMOV) return NULL;
  struct mir_operand *s = &i->src[1];
  if (i->rd.kind != MIR_REG || s->kind != MIR_REG || s->neg || s->abs || s->part || s->class != i->rd.class)
    return NULL;
  return s;
}

bool live_is_branch(const struct mir_insn *i) {
  return mir_flow(i) == ISA_FLOW_BRANCH;
}

/* Nothing but its results comes of it: it may be dropped when they are not read. */
static bool live_is_pure(const struct mir_insn *i) {
  const struct heddle_isa_instr *info = heddle_isa_instr_info((enum heddle_isa_op)i->op);
  if (i->ordered || info->unit == ISA_UNIT_BR) return false;
  switch ((enum heddle_isa_mem)info->mem) {
  case ISA_MEM_CONST_LOAD:
  case ISA_MEM_GLOBAL_LOAD:
  case ISA_MEM_SHARED_LOAD:
  case ISA_MEM_LOCAL_LOAD:
  case ISA_MEM_GENERIC_LOAD:
    break;
  default:
    if (info->unit == ISA_UNIT_MEM) return false;
  }
  return mir_get(i, ISA_F_STRONG) == ISA_STRONG_WEAK;
}

/* Liveness by blocks. Word by word, backwards from each block that reads it before writing it: the work is as large as
 * the result, however many blocks and registers there are. */

/* A limit for hostile input: words that live across blocks, summed over the blocks. */
#define LIVE_OUT_MAX (24u << 20)

static const size_t scratch_most = (size_t)1 << 30;

void live_open_scratch(struct mir_function *f) {
  f->scratch = ptx_arena_new(scratch_most);
  if (!f->scratch) ptx_no_memory(f->diag, (struct ptx_pos){0, 0});
  ptx_arena_report(f->scratch, f->diag);
}

void live_close_scratch(struct mir_function *f) {
  ptx_arena_free(f->scratch);
  f->scratch = NULL;
}

void *live_alloc(const struct mir_function *f, size_t bytes) {
  return ptx_alloc(f->scratch ? f->scratch : f->arena, bytes);
}

/* A block in the list of a word. */
struct site {
  uint32_t block;
  struct site *next;
};

struct builder {
  struct liveness *l;
  struct site **exposed, **killing; /* by word: blocks that read it first, that write it */
  uint32_t *seen_use, *seen_def;    /* by word: 1 + the last block noted */
  uint32_t *work;                   /* blocks to look at */
  uint64_t total;
};

static void number_words(struct liveness *l) {
  const struct mir_function *f = l->f;
  l->base = live_alloc(f, (f->vregs + 1) * sizeof *l->base);
  for (uint32_t v = 0; v < f->vregs; v++) l->base[v + 1] = l->base[v] + f->vreg[v].words;
  l->words = l->base[f->vregs];
  l->reg = live_alloc(f, (l->words + 1) * sizeof *l->reg);
  for (uint32_t v = 0; v < f->vregs; v++)
    for (uint32_t w = l->base[v]; w < l->base[v + 1]; w++) l->reg[w] = v;
}

static void number_places(struct liveness *l) {
  struct mir_function *f = l->f;
  uint32_t n = 0;
  l->block = live_alloc(f, (f->blocks + 1) * sizeof *l->block);
  l->order = live_alloc(f, (f->blocks + 1) * sizeof(struct mir_block *));
  for (struct mir_block *b = f->first; b; b = b->next) {
    struct live_block *lb = &l->block[b->id];
    l->order[l->blocks++] = b;
    lb->block = b;
    lb->first = n++;
    for (struct mir_insn *i = b->first; i; i = i->next) {
      if (n >= UINT32_MAX / 2) ptx_fatal(f->diag, i->pos, "the kernel is too large");
      i->mark = n++;
    }
    lb->last = n - 1;
  }
  l->numbers = n;
}

static void note_site(struct builder *w, struct site **list, uint32_t block) {
  struct site *s = live_alloc(w->l->f, sizeof *s);
  s->block = block;
  s->next = *list;
  *list = s;
}

static void scan_insn(struct builder *w, struct mir_insn *i, uint32_t block) {
  struct mir_operand *x[LIVE_USES_MAX];
  unsigned n = live_uses(i, x);
  for (unsigned k = 0; k < n; k++)
    for (unsigned p = 0; p < x[k]->words; p++) {
      uint32_t word = live_word_of(w->l, x[k], p);
      if (w->seen_def[word] == block + 1 || w->seen_use[word] == block + 1) continue;
      w->seen_use[word] = block + 1;
      note_site(w, &w->exposed[word], block);
    }
  n = live_defs(i, x);
  for (unsigned k = 0; k < n; k++)
    for (unsigned p = 0; p < x[k]->words; p++) {
      uint32_t word = live_word_of(w->l, x[k], p);
      if (w->seen_def[word] == block + 1) continue;
      w->seen_def[word] = block + 1;
      note_site(w, &w->killing[word], block);
    }
}

/* What lives behind a branch lives behind the block: nothing may be written between them. */
static void scan_block(struct builder *w, struct mir_block *b) {
  struct mir_operand *x[LIVE_DEFS_MAX];
  bool branched = false;
  for (struct mir_insn *i = b->first; i; i = i->next) {
    if (branched && live_defs(i, x) > 0)
      ptx_fatal(w->l->f->diag, i->pos, "internal error: an instruction with results behind a branch");
    scan_insn(w, i, b->id);
    branched = branched || live_is_branch(i);
  }
}

static void add_out(struct builder *w, struct live_block *b, uint32_t word) {
  struct mir_function *f = w->l->f;
  if (++w->total > LIVE_OUT_MAX)
    ptx_fatal(f->diag, b->last > b->first ? b->block->first->pos : (struct ptx_pos){0, 0},
              "the kernel is too large: too many values live across too many blocks");
  if (b->outs == b->room) {
    uint32_t room = b->room ? 2 * b->room : 8;
    uint32_t *bigger = live_alloc(f, room * sizeof *bigger);
    if (b->outs) memcpy(bigger, b->out, b->outs * sizeof *bigger);
    b->out = bigger;
    b->room = room;
  }
  b->out[b->outs++] = word;
}

/* Backwards over the edges from where it is read to where it is written. */
static void spread(struct builder *w, uint32_t word) {
  struct live_block *block = w->l->block;
  const uint32_t mark = word + 1;
  uint32_t n = 0;
  for (struct site *s = w->killing[word]; s; s = s->next) block[s->block].kill = mark;
  for (struct site *s = w->exposed[word]; s; s = s->next) {
    block[s->block].in_mark = mark;
    w->work[n++] = s->block;
  }
  while (n > 0) {
    const struct mir_block *b = block[w->work[--n]].block;
    for (unsigned k = 0; k < b->preds; k++) {
      struct live_block *p = &block[b->pred[k]->id];
      if (!p->block || p->out_mark == mark) continue;
      p->out_mark = mark;
      add_out(w, p, word);
      if (p->kill == mark || p->in_mark == mark) continue;
      p->in_mark = mark;
      w->work[n++] = p->block->id;
    }
  }
}

struct liveness *live_blocks(struct mir_function *f) {
  struct liveness *l = live_alloc(f, sizeof *l);
  struct builder w = {.l = l};
  l->f = f;
  number_words(l);
  number_places(l);
  w.exposed = live_alloc(f, (l->words + 1) * sizeof(struct site *));
  w.killing = live_alloc(f, (l->words + 1) * sizeof(struct site *));
  w.seen_use = live_alloc(f, (l->words + 1) * sizeof *w.seen_use);
  w.seen_def = live_alloc(f, (l->words + 1) * sizeof *w.seen_def);
  w.work = live_alloc(f, (f->blocks + 1) * sizeof *w.work);
  for (struct mir_block *b = f->first; b; b = b->next) scan_block(&w, b);
  for (uint32_t word = 0; word < l->words; word++)
    if (w.exposed[word]) spread(&w, word);
  return l;
}

/* From liveness by blocks to the ranges of every word: one walk backwards through the layout. */

struct walk {
  struct liveness *l;
  uint32_t *open;    /* by word: 1 + the end of the range that is being walked through; 0: not alive */
  uint32_t *touched; /* words that were alive somewhere in the block */
  uint32_t *mark;    /* by word: 1 + the last block that has it in `touched` */
  uint32_t touches;
};

static void begin_range(struct walk *w, uint32_t word, uint32_t end, uint32_t block) {
  if (w->open[word]) return;
  w->open[word] = end + 1;
  if (w->mark[word] == block + 1) return;
  w->mark[word] = block + 1;
  w->touched[w->touches++] = word;
}

/* Ranges come in falling order; neighbours become one. */
static void close(struct walk *w, uint32_t word, uint32_t start) {
  struct live_word *x = &w->l->word[word];
  uint32_t end = w->open[word] - 1;
  w->open[word] = 0;
  if (x->ranges && x->ranges->start == end + 1) {
    x->ranges->start = start;
    return;
  }
  struct live_range *r = live_alloc(w->l->f, sizeof *r);
  *r = (struct live_range){.start = start, .end = end, .next = x->ranges};
  x->ranges = r;
  x->pieces++;
}

static void define_words(struct walk *w, struct mir_insn *i, const struct mir_operand *x) {
  const struct mir_operand *from = live_copied(i);
  for (unsigned p = 0; p < x->words; p++) {
    uint32_t word = live_word_of(w->l, x, p), at = 2 * i->mark + 1;
    struct live_def *d = live_alloc(w->l->f, sizeof *d);
    d->at = at;
    d->copy_of = from ? live_word_of(w->l, from, 0) : LIVE_NO_WORD;
    d->next = w->l->word[word].defs;
    w->l->word[word].defs = d;
    w->l->word[word].pieces++;
    if (!w->open[word]) { /* nobody reads it: it takes up this position alone (once, if named twice) */
      if (w->l->word[word].ranges && w->l->word[word].ranges->start <= at) continue;
      w->open[word] = at + 1;
    }
    close(w, word, at);
  }
}

static void walk_block(struct walk *w, const struct live_block *lb) {
  struct mir_operand *x[LIVE_USES_MAX];
  w->touches = 0;
  for (uint32_t k = 0; k < lb->outs; k++) begin_range(w, lb->out[k], 2 * lb->last + 1, lb->block->id);
  for (struct mir_insn *i = lb->block->last; i; i = i->prev) {
    unsigned n = live_defs(i, x);
    for (unsigned k = 0; k < n; k++) define_words(w, i, x[k]);
    n = live_uses(i, x);
    for (unsigned k = 0; k < n; k++)
      for (unsigned p = 0; p < x[k]->words; p++)
        begin_range(w, live_word_of(w->l, x[k], p), 2 * i->mark, lb->block->id);
  }
  for (uint32_t k = 0; k < w->touches; k++)
    if (w->open[w->touched[k]]) close(w, w->touched[k], 2 * lb->first);
}

struct liveness *live_ranges(struct mir_function *f) {
  struct liveness *l = live_blocks(f);
  struct walk w = {.l = l};
  l->word = live_alloc(f, (l->words + 1) * sizeof *l->word);
  w.open = live_alloc(f, (l->words + 1) * sizeof *w.open);
  w.touched = live_alloc(f, (l->words + 1) * sizeof *w.touched);
  w.mark = live_alloc(f, (l->words + 1) * sizeof *w.mark);
  for (uint32_t k = l->blocks; k-- > 0;) walk_block(&w, &l->block[l->order[k]->id]);
  return l;
}

/* How many words of a class are alive at each position: a segment tree with additions to ranges and maxima over them.
 */

struct pressure {
  uint32_t size;  /* leaves, a power of two */
  int32_t *most;  /* largest count below a node, its own addition included */
  int32_t *added; /* to all leaves below */
};

struct pressure *pressure_new(const struct liveness *l, enum mir_class class) {
  struct pressure *p = live_alloc(l->f, sizeof *p);
  uint32_t positions = 2 * l->numbers;
  for (p->size = 1; p->size < positions;) p->size *= 2;
  p->most = live_alloc(l->f, 2 * (size_t)p->size * sizeof *p->most);
  p->added = live_alloc(l->f, 2 * (size_t)p->size * sizeof *p->added);
  int32_t *leaf = p->most + p->size;
  for (uint32_t w = 0; w < l->words; w++) {
    if (l->f->vreg[l->reg[w]].class != class) continue;
    for (const struct live_range *r = l->word[w].ranges; r; r = r->next) {
      leaf[r->start]++;
      if (r->end + 1 < p->size) leaf[r->end + 1]--;
    }
  }
  for (uint32_t k = 1; k < p->size; k++) leaf[k] += leaf[k - 1];
  for (uint32_t k = p->size - 1; k > 0; k--) p->most[k] = max_s32(p->most[2 * k], p->most[2 * k + 1]);
  return p;
}

struct span {
  uint32_t from, to;
};

static int32_t query(const struct pressure *p, struct span want, uint32_t node, struct span has) {
  if (want.to < has.from || has.to < want.from) return INT32_MIN / 2;
  if (want.from <= has.from && has.to <= want.to) return p->most[node];
  uint32_t middle = has.from + (has.to - has.from) / 2;
  return p->added[node] + max_s32(query(p, want, 2 * node, (struct span){has.from, middle}),
                                  query(p, want, 2 * node + 1, (struct span){middle + 1, has.to}));
}

uint32_t pressure_max(const struct pressure *p, uint32_t from, uint32_t to) {
  int32_t most = query(p, (struct span){from, to}, 1, (struct span){0, p->size - 1});
  return most > 0 ? (uint32_t)most : 0;
}

static void add_to_node(struct pressure *p, struct span want, int32_t words, uint32_t node, struct span has) {
  if (want.to < has.from || has.to < want.from) return;
  if (want.from <= has.from && has.to <= want.to) {
    p->most[node] += words;
    p->added[node] += words;
    return;
  }
  uint32_t middle = has.from + (has.to - has.from) / 2;
  add_to_node(p, want, words, 2 * node, (struct span){has.from, middle});
  add_to_node(p, want, words, 2 * node + 1, (struct span){middle + 1, has.to});
  p->most[node] = p->added[node] + max_s32(p->most[2 * node], p->most[2 * node + 1]);
}

void pressure_add(struct pressure *p, uint32_t from, uint32_t to, int32_t words) {
  add_to_node(p, (struct span){from, to}, words, 1, (struct span){0, p->size - 1});
}

/* Instructions whose results nobody reads, dropped. */

struct sweep {
  struct liveness *l;
  uint8_t *alive; /* by word */
};

static void set_all(struct sweep *s, struct mir_operand **x, unsigned n, uint8_t alive) {
  for (unsigned k = 0; k < n; k++)
    for (unsigned p = 0; p < x[k]->words; p++) s->alive[live_word_of(s->l, x[k], p)] = alive;
}

static bool any_alive(const struct sweep *s, struct mir_operand **x, unsigned n) {
  for (unsigned k = 0; k < n; k++)
    for (unsigned p = 0; p < x[k]->words; p++)
      if (s->alive[live_word_of(s->l, x[k], p)]) return true;
  return false;
}

static uint32_t sweep_block(struct sweep *s, struct live_block *lb) {
  struct mir_operand *x[LIVE_USES_MAX];
  uint32_t dropped = 0;
  for (uint32_t o = 0; o < lb->outs; o++) s->alive[lb->out[o]] = 1;
  for (struct mir_insn *i = lb->block->last, *prev; i; i = prev) {
    prev = i->prev;
    unsigned n = live_defs(i, x);
    if (live_is_pure(i) && !any_alive(s, x, n)) {
      mir_remove(lb->block, i);
      dropped++;
      continue;
    }
    set_all(s, x, n, 0);
    n = live_uses(i, x);
    set_all(s, x, n, 1);
  }
  /* Clean for the next block. */
  for (uint32_t o = 0; o < lb->outs; o++) s->alive[lb->out[o]] = 0;
  for (struct mir_insn *i = lb->block->first; i; i = i->next) {
    unsigned n = live_uses(i, x);
    set_all(s, x, n, 0);
  }
  return dropped;
}

uint32_t live_drop_dead(struct liveness *l) {
  struct sweep s = {.l = l, .alive = live_alloc(l->f, l->words + 1)};
  uint32_t dropped = 0;
  for (uint32_t k = 0; k < l->blocks; k++) dropped += sweep_block(&s, &l->block[l->order[k]->id]);
  return dropped;
}
