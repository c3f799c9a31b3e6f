/* SPDX-License-Identifier: Apache-2.0
 * The order of instructions before registers are allocated.
 *
 * List scheduling of the stretches between walls (branches, convergence), last stretch first. While few words are alive
 * the instruction on the longest path goes first, so that loads come early; from a threshold on, what frees registers.
 * A new order is taken when it is faster and needs no more registers than the old one or the threshold, or when it
 * needs fewer. How far ahead of the oldest instruction that is left one may be taken is bounded (what is begun must be
 * finished some time); two bounds are tried. */
#include "base/minmax.h"
#include "compiler/backend/sched.h"

#include <string.h>

/* So many words cost nothing: SMs of every configuration hold all their warps at 64 registers a thread, and wide values
 * leave holes. Words that a predicate is worth. */
enum { FREE_WORDS = 56, PREDICATES = 6, PREDICATE_WEIGHT = 8 };
enum { UNIFORM_WORDS = 56 };
static const uint32_t windows[] = {24, 128};

struct pressure_count {
  int32_t words, predicates;                 /* alive */
  int32_t uniform_words, uniform_predicates; /* never spilled: no order may take more of them than there are */
};

struct stretch {
  struct sched_region r;
  struct pressure_count before; /* alive where it begins */
  int32_t threshold;
  uint32_t window, oldest; /* how far one may look ahead; the first node that is not scheduled */
  uint32_t *order;         /* the new order */
  uint32_t *ready;         /* nodes that wait for nobody */
  uint32_t readies;
  bool *done; /* by node */
};

struct outcome {
  uint32_t cycles;
  int32_t most, predicates, uniform_words, uniform_predicates; /* alive at one time */
};

struct schedule {
  struct mir_function *f;
  struct liveness *l;
  const uint8_t *stall;
  uint8_t *alive; /* by word */
  uint32_t *current;
  struct pressure_count now;
  int32_t threshold;
};

static void count_word(const struct liveness *l, uint32_t word, int32_t by, struct pressure_count *c) {
  unsigned class = l->f->vreg[l->reg[word]].class;
  if (class == MIR_R) c->words += by;
  if (class == MIR_P) c->predicates += by;
  if (class == MIR_UR) c->uniform_words += by;
  if (class == MIR_UP) c->uniform_predicates += by;
}

/* What is alive changes by this if the node goes next. */
static struct pressure_count pressure_change(const struct sched_region *r, const struct sched_node *n) {
  struct pressure_count c = {.words = 0};
  for (unsigned k = 0; k < n->reads; k++) {
    const struct sched_value *v = &r->value[n->read[k]];
    if (v->readers == 1 && !v->stays) count_word(r->l, v->word, -1, &c);
  }
  for (unsigned k = 0; k < n->writes; k++) {
    const struct sched_value *v = &r->value[n->wrote[k]];
    if (v->readers > 0 || v->stays) count_word(r->l, v->word, 1, &c);
  }
  return c;
}

/* ---- which comes next */

struct choice {
  uint32_t node;
  bool now, good; /* ready without waiting; does not raise a pressure that is too high */
  int32_t rise;
};

static bool better(const struct stretch *s, const struct choice *a, const struct choice *b, bool tight) {
  const struct sched_node *x = &s->r.node[a->node], *y = &s->r.node[b->node];
  if (a->good != b->good) return a->good;
  if (!a->good && a->rise != b->rise) return a->rise < b->rise;
  if (a->now != b->now) return a->now;
  if (tight && a->rise != b->rise) return a->rise < b->rise;
  if (!a->now && x->earliest != y->earliest) return x->earliest < y->earliest;
  if (x->height != y->height) return x->height > y->height;
  if (a->rise != b->rise) return a->rise < b->rise;
  return a->node < b->node;
}

static bool uniform_fit(const struct pressure_count *alive, const struct pressure_count *by) {
  return (by->uniform_words <= 0 || alive->uniform_words + by->uniform_words <= UNIFORM_WORDS) &&
         (by->uniform_predicates <= 0 || alive->uniform_predicates + by->uniform_predicates <= PREDICATES);
}

static uint32_t pick(const struct stretch *s, uint32_t time, const struct pressure_count *alive) {
  const bool few_left = alive->predicates >= PREDICATES, tight = few_left || alive->words >= s->threshold;
  struct choice best = {0};
  uint32_t at = UINT32_MAX;
  for (uint32_t k = 0; k < s->readies; k++) {
    const struct sched_node *n = &s->r.node[s->ready[k]];
    if (s->ready[k] - s->oldest > s->window) continue;
    struct pressure_count c = pressure_change(&s->r, n);
    struct choice x = {.node = s->ready[k], .now = n->earliest <= time, .rise = c.words};
    bool words_fit = c.words <= 0 || alive->words + c.words <= s->threshold;
    bool predicates_fit = c.predicates <= 0 || alive->predicates + c.predicates <= PREDICATES;
    x.good = words_fit && predicates_fit && uniform_fit(alive, &c);
    if (few_left) x.rise += PREDICATE_WEIGHT * c.predicates;
    if (at != UINT32_MAX && !better(s, &x, &best, tight)) continue;
    best = x;
    at = k;
  }
  return at;
}

/* ---- running an order */

static void release_followers(struct stretch *s, uint32_t node, uint32_t time) {
  for (const struct sched_edge *e = s->r.node[node].out; e; e = e->next) {
    struct sched_node *to = &s->r.node[e->to];
    if (time + e->latency > to->earliest) to->earliest = time + e->latency;
    if (--to->waits_for == 0) s->ready[s->readies++] = e->to;
  }
}

static void spend(struct stretch *s, const struct sched_node *n) {
  for (unsigned k = 0; k < n->reads; k++) s->r.value[n->read[k]].readers--;
}

/* As it was before the run. */
static void rewind_run(struct stretch *s) {
  s->readies = 0;
  for (uint32_t n = 0; n < s->r.nodes; n++) {
    struct sched_node *x = &s->r.node[n];
    x->earliest = 0;
    s->done[n] = false;
    for (unsigned k = 0; k < x->reads; k++) s->r.value[x->read[k]].readers++;
    for (const struct sched_edge *e = x->out; e; e = e->next) s->r.node[e->to].waits_for++;
  }
}

static void add_change(struct pressure_count *alive, const struct pressure_count *c, struct outcome *o) {
  alive->words += c->words;
  alive->predicates += c->predicates;
  alive->uniform_words += c->uniform_words;
  alive->uniform_predicates += c->uniform_predicates;
  o->most = max_s32(o->most, alive->words);
  o->predicates = max_s32(o->predicates, alive->predicates);
  o->uniform_words = max_s32(o->uniform_words, alive->uniform_words);
  o->uniform_predicates = max_s32(o->uniform_predicates, alive->uniform_predicates);
}

/* In the given order (NULL: in the best that is found, which is noted). */
static struct outcome run_order(struct stretch *s, const uint32_t *given) {
  struct pressure_count alive = s->before;
  struct outcome o = {.cycles = 0};
  add_change(&alive, &(struct pressure_count){.words = 0}, &o);
  s->oldest = 0;
  for (uint32_t n = 0; n < s->r.nodes; n++)
    if (s->r.node[n].waits_for == 0) s->ready[s->readies++] = n;
  for (uint32_t done = 0; done < s->r.nodes; done++) {
    uint32_t at = given ? 0 : pick(s, o.cycles, &alive);
    uint32_t n = given ? given[done] : s->ready[at];
    if (!given) {
      s->ready[at] = s->ready[--s->readies];
      s->order[done] = n;
    }
    struct pressure_count c = pressure_change(&s->r, &s->r.node[n]);
    add_change(&alive, &c, &o);
    uint32_t start = s->r.node[n].earliest > o.cycles ? s->r.node[n].earliest : o.cycles;
    spend(s, &s->r.node[n]);
    release_followers(s, n, start);
    s->done[n] = true;
    while (s->oldest < s->r.nodes && s->done[s->oldest]) s->oldest++;
    o.cycles = start + 1;
  }
  rewind_run(s);
  return o;
}

static bool improves(const struct stretch *s, const struct outcome *now, const struct outcome *before) {
  if (now->predicates > PREDICATES + 1 && now->predicates > before->predicates) return false;
  if (now->uniform_words > UNIFORM_WORDS && now->uniform_words > before->uniform_words) return false;
  if (now->uniform_predicates > PREDICATES && now->uniform_predicates > before->uniform_predicates) return false;
  if (now->most > s->threshold && now->most > before->most) return false;
  if (before->most > s->threshold && now->most < before->most) return true;
  return now->cycles < before->cycles || (now->cycles == before->cycles && now->most < before->most);
}

/* Leaves the order that is to be taken in s->order. */
static void find_order(struct stretch *s) {
  const size_t bytes = s->r.nodes * sizeof *s->order;
  uint32_t *best = live_alloc(s->r.l->f, bytes + 1);
  for (uint32_t n = 0; n < s->r.nodes; n++) best[n] = n;
  struct outcome least = run_order(s, best);
  for (unsigned k = 0; k < sizeof windows / sizeof *windows; k++) {
    s->window = windows[k];
    const struct outcome after = run_order(s, NULL);
    if (!improves(s, &after, &least)) continue;
    least = after;
    memcpy(best, s->order, bytes);
  }
  memcpy(s->order, best, bytes);
}

/* ---- a block */

static void set_alive(struct schedule *s, uint32_t word, bool alive) {
  if (s->alive[word] == alive) return;
  s->alive[word] = alive;
  count_word(s->l, word, alive ? 1 : -1, &s->now);
}

static void step_back(struct schedule *s, struct mir_insn *i) {
  struct mir_operand *x[LIVE_USES_MAX];
  unsigned n = live_defs(i, x);
  for (unsigned k = 0; k < n; k++)
    for (unsigned p = 0; p < x[k]->words; p++) set_alive(s, live_word_of(s->l, x[k], p), false);
  n = live_uses(i, x);
  for (unsigned k = 0; k < n; k++)
    for (unsigned p = 0; p < x[k]->words; p++) set_alive(s, live_word_of(s->l, x[k], p), true);
}

/* Back to nothing, behind the walk through a block. */
static void clear_alive(struct schedule *s, const struct live_block *lb) {
  struct mir_operand *x[LIVE_USES_MAX];
  for (uint32_t k = 0; k < lb->outs; k++) set_alive(s, lb->out[k], false);
  for (struct mir_insn *i = lb->block->first; i; i = i->next) {
    unsigned uses = live_uses(i, x);
    for (unsigned u = 0; u < uses; u++)
      for (unsigned p = 0; p < x[u]->words; p++) set_alive(s, live_word_of(s->l, x[u], p), false);
  }
}

static void do_stretch(struct schedule *s, struct mir_insn **insn, uint32_t count) {
  struct stretch t = {.r = {.l = s->l, .stall = s->stall, .nodes = count, .current = s->current, .alive = s->alive}};
  t.r.node = live_alloc(s->f, (count + 1) * sizeof *t.r.node);
  t.order = live_alloc(s->f, (count + 1) * sizeof *t.order);
  t.ready = live_alloc(s->f, (count + 1) * sizeof *t.ready);
  t.done = live_alloc(s->f, (count + 1) * sizeof *t.done);
  for (uint32_t k = 0; k < count; k++) t.r.node[k].insn = insn[k];
  sched_build(&t.r);
  for (uint32_t k = count; k-- > 0;) step_back(s, insn[k]);
  t.before = s->now;
  t.threshold = s->threshold;
  find_order(&t);
  for (uint32_t k = 0; k < count; k++) insn[k] = t.r.node[t.order[k]].insn;
}

static void relink(struct mir_block *b, struct mir_insn **insn, uint32_t count) {
  b->first = b->last = NULL;
  for (uint32_t k = 0; k < count; k++) mir_append(b, insn[k]);
}

static void do_block(struct schedule *s, const struct live_block *lb) {
  uint32_t count = lb->last - lb->first, n = 0;
  struct mir_insn **insn = live_alloc(s->f, (count + 1) * sizeof(struct mir_insn *));
  for (struct mir_insn *i = lb->block->first; i; i = i->next) insn[n++] = i;
  for (uint32_t k = 0; k < lb->outs; k++) set_alive(s, lb->out[k], true);
  while (n > 0) {
    uint32_t first = n;
    while (first > 0 && n - first < SCHED_REGION_MAX && !sched_is_wall(insn[first - 1])) first--;
    if (first == n)
      step_back(s, insn[--first]);
    else
      do_stretch(s, insn + first, n - first);
    n = first;
  }
  relink(lb->block, insn, count);
  clear_alive(s, lb);
}

/* Most words alive at one time, as the code stands. */
static int32_t most_alive(struct schedule *s) {
  int32_t most = 0;
  for (uint32_t k = 0; k < s->l->blocks; k++) {
    const struct live_block *lb = &s->l->block[s->l->order[k]->id];
    for (uint32_t o = 0; o < lb->outs; o++) set_alive(s, lb->out[o], true);
    for (struct mir_insn *i = lb->block->last; i; i = i->prev) {
      if (s->now.words > most) most = s->now.words;
      step_back(s, i);
    }
    if (s->now.words > most) most = s->now.words;
    clear_alive(s, lb);
  }
  return most;
}

void mir_schedule(struct mir_function *f, const uint8_t stall[8], unsigned max_regs) {
  live_open_scratch(f);
  struct schedule s = {.f = f, .stall = stall, .l = live_blocks(f)};
  const int32_t room = (int32_t)mir_registers(max_regs);
  s.alive = live_alloc(f, s.l->words + 1);
  s.current = live_alloc(f, (s.l->words + 1) * sizeof *s.current);
  s.threshold = most_alive(&s);
  if (s.threshold < FREE_WORDS) s.threshold = FREE_WORDS;
  if (s.threshold > room - room / 8) s.threshold = room - room / 8; /* wide ones leave holes */
  for (uint32_t k = 0; k < s.l->blocks; k++) do_block(&s, &s.l->block[s.l->order[k]->id]);
  live_close_scratch(f);
}
