/* SPDX-License-Identifier: Apache-2.0
 * All small programs. */
#include <string.h>

#include "lab/verify/litmus/src/litmus_programs.h"

struct word {
  uint8_t kind, sem, scope;
  bool hangs;     /* a store of a value that is made with what the thread has read last */
  uint8_t plenty; /* in vocabularies up to this one */
};

/* SMALL and FULL are asked of both models; PLAIN has what needs no mapping. */
#define F 1u << VOCABULARY_FULL
#define S 1u << VOCABULARY_SMALL
#define P 1u << VOCABULARY_PLAIN
static const struct word words[] = {
    {TEST_LOAD, SEM_WEAK, SCOPE_CTA, false, F | S | P},
    {TEST_LOAD, SEM_RELAXED, SCOPE_CTA, false, F | P},
    {TEST_LOAD, SEM_RELAXED, SCOPE_GPU, false, F | S | P},
    {TEST_LOAD, SEM_ACQUIRE, SCOPE_CTA, false, F | S},
    {TEST_LOAD, SEM_ACQUIRE, SCOPE_GPU, false, F | S},
    {TEST_STORE, SEM_WEAK, SCOPE_CTA, false, F | S | P},
    {TEST_STORE, SEM_WEAK, SCOPE_CTA, true, F},
    {TEST_STORE, SEM_RELAXED, SCOPE_CTA, false, F | P},
    {TEST_STORE, SEM_RELAXED, SCOPE_GPU, false, F | S | P},
    {TEST_STORE, SEM_RELEASE, SCOPE_CTA, false, F | S},
    {TEST_STORE, SEM_RELEASE, SCOPE_GPU, false, F | S},
    {TEST_ATOM, SEM_RELAXED, SCOPE_CTA, false, F},
    {TEST_ATOM, SEM_RELAXED, SCOPE_GPU, false, F | S | P},
    {TEST_ATOM, SEM_ACQUIRE, SCOPE_CTA, false, F},
    {TEST_ATOM, SEM_ACQUIRE, SCOPE_GPU, false, F},
    {TEST_ATOM, SEM_RELEASE, SCOPE_CTA, false, F},
    {TEST_ATOM, SEM_RELEASE, SCOPE_GPU, false, F},
    {TEST_ATOM, SEM_ACQ_REL, SCOPE_CTA, false, F},
    {TEST_ATOM, SEM_ACQ_REL, SCOPE_GPU, false, F | S},
    {TEST_FENCE, SEM_ACQ_REL, SCOPE_CTA, false, F},
    {TEST_FENCE, SEM_ACQ_REL, SCOPE_GPU, false, F | S},
    {TEST_FENCE, SEM_SC, SCOPE_CTA, false, F | S | P},
    {TEST_FENCE, SEM_SC, SCOPE_GPU, false, F | S | P},
    {TEST_BAR, 0, SCOPE_CTA, false, F | S | P},
};
#undef F
#undef S
#undef P
#define WORDS (sizeof words / sizeof *words)

struct slot {
  uint8_t word, loc;
};

struct walk {
  const struct program_bounds *b;
  program_fn *f;
  void *ctx;
  unsigned threads, length[TEST_THREADS], start[TEST_THREADS];
  uint8_t cta[TEST_THREADS];
  struct slot slot[PROGRAM_EVENTS];
  uint64_t n, drawn;
  bool over;
};

/* ---- one of those that differ in names alone ---- */

/* The program with its threads in another order and its names given anew, as numbers. */
static void spell(const struct walk *w, const unsigned *thread, uint8_t *to) {
  uint8_t loc[8], cta[8], locs = 0, ctas = 0;
  memset(loc, 0xff, sizeof loc);
  memset(cta, 0xff, sizeof cta);
  for (unsigned k = 0; k < w->threads; k++) {
    uint8_t *c = &cta[w->cta[thread[k]]];
    if (*c == 0xff) *c = ctas++;
    *to++ = *c;
  }
  for (unsigned k = 0; k < w->threads; k++)
    for (unsigned n = 0; n < w->length[thread[k]]; n++) {
      const struct slot *s = &w->slot[w->start[thread[k]] + n];
      const bool accesses = words[s->word].kind <= TEST_ATOM;
      if (accesses && loc[s->loc] == 0xff) loc[s->loc] = locs++;
      *to++ = s->word;
      *to++ = accesses ? loc[s->loc] : 0;
    }
}

static bool first_of_its_kind(const struct walk *w, unsigned *thread, unsigned placed, const uint8_t *own) {
  uint8_t other[TEST_THREADS + 2 * PROGRAM_EVENTS];
  if (placed == w->threads) {
    spell(w, thread, other);
    return memcmp(other, own, w->threads + 2 * w->b->events) >= 0;
  }
  for (unsigned k = placed; k < w->threads; k++) {
    const unsigned chosen = thread[k];
    if (w->length[chosen] != w->length[placed]) continue; /* lengths fall, so they stay where they are */
    thread[k] = thread[placed];
    thread[placed] = chosen;
    const bool ok = first_of_its_kind(w, thread, placed + 1, own);
    thread[placed] = thread[k];
    thread[k] = chosen;
    if (!ok) return false;
  }
  return true;
}

static bool canonical(const struct walk *w) {
  unsigned thread[TEST_THREADS];
  uint8_t own[TEST_THREADS + 2 * PROGRAM_EVENTS];
  for (unsigned k = 0; k < w->threads; k++) thread[k] = k;
  spell(w, thread, own);
  return first_of_its_kind(w, thread, 0, own);
}

/* ---- what cannot matter ---- */

static bool locations_matter(const struct walk *w) {
  unsigned n[8] = {0}, writes[8] = {0}, used = 0;
  for (unsigned k = 0; k < w->b->events; k++) {
    const struct word *x = &words[w->slot[k].word];
    if (x->kind > TEST_ATOM) continue;
    n[w->slot[k].loc]++;
    writes[w->slot[k].loc] += x->kind != TEST_LOAD;
    if (w->slot[k].loc >= used) used = w->slot[k].loc + 1u;
  }
  for (unsigned k = 0; k < used; k++)
    if (n[k] < 2 || writes[k] == 0) return false;
  return used != 0;
}

static bool barriers_matter(const struct walk *w) {
  unsigned n[TEST_THREADS] = {0};
  for (unsigned k = 0; k < w->threads; k++)
    for (unsigned j = 0; j < w->length[k]; j++) n[k] += words[w->slot[w->start[k] + j].word].kind == TEST_BAR;
  for (unsigned k = 0; k < w->threads; k++) {
    unsigned mates = 0;
    for (unsigned j = 0; j < w->threads; j++) {
      if (w->cta[j] != w->cta[k]) continue;
      mates++;
      if (n[j] != n[k]) return false;
    }
    if (n[k] != 0 && mates < 2) return false;
  }
  return true;
}

/* ---- from slots to a test ---- */

static struct test_insn make_insn(const struct word *x, uint8_t loc, uint32_t *value, struct test_thread *t) {
  struct test_insn i = {.kind = x->kind,
                        .sem = x->sem,
                        .scope = x->scope,
                        .loc = loc,
                        .reg = NO_REG,
                        .from = NO_REG,
                        .hangs = NO_REG,
                        .barrier = 0};
  if (x->kind == TEST_STORE || x->kind == TEST_ATOM) i.value = ++*value;
  if (x->hangs) i.hangs = (int8_t)(t->regs - 1);
  if (x->kind == TEST_LOAD || x->kind == TEST_ATOM) {
    i.reg = (int8_t)t->regs;
    (void)snprintf(t->reg_name[t->regs], TEST_WORD, "r%u", t->regs);
    t->regs++;
  }
  return i;
}

static void hand_program(struct walk *w) {
  static const char *const name[] = {"x", "y", "z", "u", "v", "w"};
  struct test t = {.threads = (uint8_t)w->threads};
  uint32_t value = 0;
  if (w->n < w->b->from) {
    w->n++;
    return;
  }
  for (unsigned k = 0; k < w->threads; k++) {
    t.thread[k].cta = w->cta[k];
    t.thread[k].warp = (uint8_t)k;
    for (unsigned n = 0; n < w->length[k]; n++) {
      const struct slot *s = &w->slot[w->start[k] + n];
      const struct word *x = &words[s->word];
      t.thread[k].insn[t.thread[k].insns++] = make_insn(x, x->kind <= TEST_ATOM ? s->loc : 0, &value, &t.thread[k]);
      if (x->kind <= TEST_ATOM && s->loc >= t.locs) t.locs = (uint8_t)(s->loc + 1);
    }
  }
  for (unsigned k = 0; k < t.locs; k++) (void)snprintf(t.loc_name[k], TEST_WORD, "%s", name[k]);
  (void)snprintf(t.name, sizeof t.name, "small-%u-%llu", w->b->events, (unsigned long long)w->n);
  w->n++;
  if (!w->f(w->ctx, &t)) w->over = true;
}

/* ---- filling ---- */

static bool word_fits(const struct walk *w, unsigned thread, unsigned k, unsigned word) {
  const struct word *x = &words[word];
  const bool first = k == w->start[thread], last = k + 1 == w->start[thread] + w->length[thread];
  if ((x->plenty >> w->b->vocabulary & 1u) == 0) return false;
  if (x->kind == TEST_FENCE && (first || last || k == 0 || w->slot[k - 1].word == word)) return false;
  if (!x->hangs) return true;
  for (unsigned j = w->start[thread]; j < k; j++) {
    const uint8_t kind = words[w->slot[j].word].kind;
    if (kind == TEST_LOAD || kind == TEST_ATOM) return true;
  }
  return false;
}

static void fill_slots(struct walk *w, unsigned thread, unsigned k, unsigned locs) {
  if (w->over) return;
  while (thread < w->threads && k == w->start[thread] + w->length[thread]) thread++;
  if (k == w->b->events) {
    if (w->b->parts > 1 && w->drawn++ % w->b->parts != w->b->part) return;
    if (locations_matter(w) && barriers_matter(w) && canonical(w)) hand_program(w);
    return;
  }
  for (unsigned word = 0; word < WORDS; word++) {
    if (!word_fits(w, thread, k, word)) continue;
    w->slot[k].word = (uint8_t)word;
    const unsigned most = words[word].kind > TEST_ATOM ? 1 : locs < w->b->locs ? locs + 1 : locs;
    for (unsigned loc = 0; loc < most; loc++) {
      w->slot[k].loc = (uint8_t)loc;
      fill_slots(w, thread, k + 1, words[word].kind <= TEST_ATOM && loc == locs ? locs + 1 : locs);
    }
  }
}

static void blocks(struct walk *w, unsigned thread, unsigned ctas) {
  if (thread == w->threads) {
    fill_slots(w, 0, 0, 0);
    return;
  }
  for (unsigned c = 0; c <= ctas && c < w->b->ctas; c++) {
    w->cta[thread] = (uint8_t)c;
    blocks(w, thread + 1, c == ctas ? ctas + 1 : ctas);
  }
}

/* Lengths fall. */
static void lengths(struct walk *w, unsigned left, unsigned most) {
  if (left == 0) {
    for (unsigned k = 0, at = 0; k < w->threads; at += w->length[k++]) w->start[k] = at;
    blocks(w, 0, 0);
    return;
  }
  if (w->threads == w->b->threads) return;
  for (unsigned n = left < most ? left : most; n > 0; n--) {
    w->length[w->threads++] = n;
    lengths(w, left - n, n);
    w->threads--;
  }
}

uint64_t programs_each(const struct program_bounds *b, program_fn *f, void *ctx) {
  struct walk w = {.b = b, .f = f, .ctx = ctx};
  if (b->events <= PROGRAM_EVENTS && b->threads <= TEST_THREADS && b->locs <= TEST_LOCS)
    lengths(&w, b->events, b->events);
  return w.n;
}
