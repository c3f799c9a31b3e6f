/* SPDX-License-Identifier: Apache-2.0
 * The words that a launch may reach, and what they need. */
#include <heddle/needs.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/isa_tables.h>

/* Words are told by their places of ISA_STEP, from 0. A word is put on `todo` once, so there is room for all. */
struct reach {
  const struct heddle_program *p;
  uint32_t words, waiting;
  bool *seen, *whole; /* whole: of the first word of a kernel or function all of which has been seen */
  uint32_t *todo;
  bool functions; /* all of them are on the list */
};

static void go(struct reach *r, int64_t word) {
  if (word < 0 || word >= r->words || r->seen[word] || !heddle_program_begins(r->p, (uint32_t)word * ISA_STEP)) return;
  r->seen[word] = true;
  r->todo[r->waiting++] = (uint32_t)word;
}

static void go_functions(struct reach *r) {
  for (uint32_t i = 0; i < r->p->kernels && !r->functions; i++)
    if (r->p->kernel[i].is_function) go(r, r->p->kernel[i].entry_pc / ISA_STEP);
  r->functions = true;
}

/* How many kernels and functions begin at this word or before: they are in order of their entries. */
static uint32_t begun(const struct heddle_program *p, uint32_t word) {
  uint32_t low = 0, high = p->kernels;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (p->kernel[middle].entry_pc / ISA_STEP <= word)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* All words of the kernel or function that holds this one; once, however many branches want it. */
static void go_around(struct reach *r, uint32_t word) {
  const struct heddle_program *p = r->p;
  const uint32_t n = begun(p, word);
  const uint32_t first = n > 0 ? p->kernel[n - 1].entry_pc / ISA_STEP : 0;
  const uint32_t end = n < p->kernels ? p->kernel[n].entry_pc / ISA_STEP : r->words;
  if (r->whole[first]) return;
  r->whole[first] = true;
  for (uint32_t w = first; w < end; w++) go(r, w);
}

/* Where parked lanes go on: BSSY names a place and goes straight on. */
static bool names_place(const struct heddle_isa_dec *d) {
  return heddle_isa_enc_owns((enum heddle_isa_enc)d->enc, ISA_F_REL);
}

static void follow(struct reach *r, uint32_t word, const struct heddle_isa_dec *d) {
  const enum heddle_isa_flow flow = heddle_isa_flow_of(d);
  const uint32_t next = heddle_program_next(r->p, word * ISA_STEP);
  int64_t target = 0;
  if (heddle_isa_flow_passes(d) || flow == ISA_FLOW_CALL) go(r, next / ISA_STEP);
  if (heddle_isa_flow_target(d, next, &target)) {
    if (target % ISA_STEP == 0) go(r, target / ISA_STEP);
  } else if (flow == ISA_FLOW_BRANCH || flow == ISA_FLOW_CALL) {
    go_functions(r);
    if (flow == ISA_FLOW_BRANCH) go_around(r, word);
  } else if (names_place(d)) {
    go(r, (int64_t)(next / ISA_STEP) + heddle_isa_get_signed(d->word, ISA_F_REL) / ISA_STEP);
  }
}

static bool reach_begin(struct reach *r, const struct heddle_program *p) {
  *r = (struct reach){.p = p, .words = p->code_bytes / ISA_STEP};
  r->seen = calloc((size_t)r->words + 1, sizeof *r->seen);
  r->whole = calloc((size_t)r->words + 1, sizeof *r->whole);
  r->todo = calloc((size_t)r->words + 1, sizeof *r->todo);
  return r->seen && r->whole && r->todo;
}

static void reach_end(struct reach *r) {
  free(r->seen);
  free(r->whole);
  free(r->todo);
}

/* Each word that may be reached and is one (others trap), in no order, through `take`. False: no memory. */
typedef void (*take_word)(void *ctx, uint32_t pc, const struct heddle_isa_dec *d);

static bool reach_all(const struct heddle_program *p, const struct heddle_kernel *k, take_word take, void *ctx) {
  struct reach r;
  const bool ok = reach_begin(&r, p);
  if (ok) go(&r, k->entry_pc / ISA_STEP);
  while (ok && r.waiting > 0) {
    struct heddle_isa_dec d;
    const uint32_t word = r.todo[--r.waiting];
    if (!heddle_isa_decode(heddle_program_word(p, word * ISA_STEP), &d)) continue;
    take(ctx, word * ISA_STEP, &d);
    follow(&r, word, &d);
  }
  reach_end(&r);
  return ok;
}

static void add_word_needs(void *ctx, uint32_t pc, const struct heddle_isa_dec *d) {
  struct heddle_needs *n = ctx;
  const uint32_t uniform = (uint32_t)(heddle_isa_max_uniform(d) + 1);
  (void)pc;
  n->units |= heddle_isa_needs(d);
  if (uniform > n->uniform_regs) n->uniform_regs = uniform;
}

bool heddle_kernel_needs(const struct heddle_program *p, const struct heddle_kernel *k, struct heddle_needs *out) {
  *out = (struct heddle_needs){0};
  return reach_all(p, k, add_word_needs, out);
}

struct first {
  uint32_t units, pc, words;
};

static void note_unit_use(void *ctx, uint32_t pc, const struct heddle_isa_dec *d) {
  struct first *f = ctx;
  if ((heddle_isa_needs(d) & f->units) == 0) return;
  f->words++;
  if (pc < f->pc) f->pc = pc;
}

uint32_t heddle_kernel_first(const struct heddle_program *p, const struct heddle_kernel *k, uint32_t units,
                             uint32_t *words) {
  struct first f = {.units = units, .pc = UINT32_MAX};
  const bool ok = reach_all(p, k, note_unit_use, &f);
  if (words) *words = ok ? f.words : 0;
  return ok ? f.pc : UINT32_MAX;
}

void heddle_needs_text(uint32_t units, char *text, size_t size) {
  size_t used = 0;
  if (size > 0) text[0] = '\0';
  for (unsigned bit = 0; bit < ISA_NEEDS_MAX; bit++) {
    const char *name = units >> bit & 1 ? heddle_isa_need_name(bit) : NULL;
    if (!name || used >= size) continue;
    const int n = snprintf(text + used, size - used, "%s%s", used > 0 ? " " : "", name);
    if (n > 0) used += (size_t)n;
  }
}

static uint32_t need_named(const char *name, size_t length) {
  for (unsigned bit = 0; bit < ISA_NEEDS_MAX; bit++) {
    const char *known = heddle_isa_need_name(bit);
    if (known && strlen(known) == length && memcmp(known, name, length) == 0) return 1u << bit;
  }
  return 0;
}

bool heddle_needs_parse(const char *text, uint32_t *units) {
  *units = 0;
  while (*text != '\0') {
    const size_t length = strcspn(text, " ");
    const uint32_t bit = need_named(text, length);
    if (bit == 0 || (*units & bit) != 0) return false;
    *units |= bit;
    text += length;
    if (*text == ' ' && text[1] != '\0') text++;
  }
  return true;
}
