/* SPDX-License-Identifier: Apache-2.0
 * Liveness by blocks. Word by word, backwards from each block that reads it before writing it: the work is as large as
 * the result, however many blocks and registers there are. */
#include "live.h"

#include "compiler/ir/diag.h"

#include <string.h>

/* A limit for hostile input: words that live across blocks, summed over the blocks. */
#define LIVE_OUT_MAX (24u << 20)

static const size_t scratch_most = (size_t)1 << 30;

void live_open_scratch(struct mir_function *f) {
  f->scratch = ptx_arena_new(scratch_most);
  if (!f->scratch) ptx_fatal(f->diag, (struct ptx_pos){0, 0}, "out of memory");
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
