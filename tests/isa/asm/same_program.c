/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <heddle/isa_tables.h>
#include "tests/test.h"
#include "same_program.h"

struct walk {
  const struct heddle_program *p;
  uint32_t *pc, n; /* of each instruction, and one behind */
};

static struct walk walked(const struct heddle_program *p) {
  struct walk w = {p, calloc(p->code_bytes / ISA_STEP + 1u, sizeof(uint32_t)), 0};
  assert_non_null(w.pc);
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) w.pc[w.n++] = pc;
  w.pc[w.n] = p->code_bytes;
  return w;
}

/* The instruction at an address; UINT32_MAX: none begins there. */
static uint32_t at(const struct walk *w, uint64_t pc) {
  for (uint32_t i = 0; i <= w->n; i++)
    if (w->pc[i] == pc) return i;
  return UINT32_MAX;
}

static bool same_word(struct heddle_isa_word a, struct heddle_isa_word b) {
  return a.lo == b.lo && a.hi == b.hi;
}

/* One word each: `b` with the fields of `a` that only name another place. */
static struct heddle_isa_word unmoved(const struct walk *l, const struct walk *k, uint32_t i, struct heddle_isa_word a,
                                      struct heddle_isa_word b, unsigned *moved) {
  struct heddle_isa_dec d;
  if (!heddle_isa_decode(a, &d)) return b;
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)d.enc);
  for (unsigned n = 0; n < e->n_fields; n++) {
    const enum heddle_isa_field f = (enum heddle_isa_field)e->fields[n];
    const uint64_t was = heddle_isa_get(a, f), is = heddle_isa_get(b, f);
    if (heddle_isa_field_info(f)->kind == ISA_K_REL) {
      const uint32_t from = l->pc[i + 1] + (uint32_t)was, to = k->pc[i + 1] + (uint32_t)is;
      if (at(l, from) == at(k, to)) b = heddle_isa_put(b, f, was);
    } else if (was != is && at(l, was) != UINT32_MAX && at(l, was) == at(k, is)) {
      b = heddle_isa_put(b, f, was);
      ++*moved;
    }
  }
  return b;
}

static void expect_words(const char *name, const struct walk *l, const struct walk *k, struct packed_counts *c) {
  for (uint32_t i = 0; i < l->n; i++) {
    const struct heddle_isa_word a = heddle_program_word(l->p, l->pc[i]), b = heddle_program_word(k->p, k->pc[i]);
    if (!same_word(a, unmoved(l, k, i, a, b, &c->moved)))
      fail_msg("%s: instruction %u: 0x%016llx%016llx at 0x%x, 0x%016llx%016llx at 0x%x", name, i,
               (unsigned long long)a.hi, (unsigned long long)a.lo, l->pc[i], (unsigned long long)b.hi,
               (unsigned long long)b.lo, k->pc[i]);
    c->paired += k->pc[i + 1] - k->pc[i] < ISA_WORD_BYTES;
  }
}

static void expect_lines(const char *name, const struct walk *l, const struct walk *k) {
  for (uint32_t i = 0; i < l->n; i++) {
    const char *a = "", *b = "";
    unsigned x = 0, y = 0;
    const bool had = heddle_program_line(l->p, l->pc[i], &a, &x), has = heddle_program_line(k->p, k->pc[i], &b, &y);
    if (had != has || x != y || strcmp(a, b) != 0)
      fail_msg("%s: instruction %u is of line %u, then of %u", name, i, x, y);
  }
}

struct packed_counts expect_same_program(const char *name, const struct heddle_program *is_long,
                                         const struct heddle_program *is_packed) {
  struct walk l = walked(is_long), k = walked(is_packed);
  struct packed_counts c = {.words = l.n};
  if (l.n != k.n) fail_msg("%s: %u instructions, then %u", name, l.n, k.n);
  assert_int_equal(is_long->code_bytes, l.n * ISA_WORD_BYTES);
  expect_words(name, &l, &k, &c);
  expect_lines(name, &l, &k);
  assert_int_equal(is_packed->code_bytes, (l.n - c.paired / 2) * ISA_WORD_BYTES);
  assert_int_equal(is_long->kernels, is_packed->kernels);
  for (uint32_t i = 0; i < is_long->kernels; i++) {
    const struct heddle_kernel *a = &is_long->kernel[i], *b = &is_packed->kernel[i];
    assert_string_equal(a->name, b->name);
    assert_int_equal(b->entry_pc % ISA_WORD_BYTES, 0);
    assert_int_equal(at(&l, a->entry_pc), at(&k, b->entry_pc));
  }
  free(l.pc);
  free(k.pc);
  return c;
}
