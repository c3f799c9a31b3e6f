/* SPDX-License-Identifier: Apache-2.0
 * From liveness by blocks to the ranges of every word: one walk backwards through the layout. */
#include "compiler/backend/live.h"

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
