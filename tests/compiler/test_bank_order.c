/* SPDX-License-Identifier: Apache-2.0
 * Instructions that go a few places up or down against bank conflicts: random functions compute what they computed
 * before, with fewer conflicts; nothing passes what it depends on, or comes near to it for nothing. */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "compiler/backend/banks.h"
#include "compiler/ir/diag.h"
#include <heddle/ptx.h>
#include "tests/compiler/random_mir.h"

static const struct heddle_ptx_options options = {.size = sizeof options, .stall = {5, 6, 6, 6, 6, 12}};

static unsigned conflicts(const struct mir_function *f) {
  unsigned found = 0;
  for (const struct mir_block *b = f->first; b; b = b->next) {
    struct bank_use use[3];
    struct bank_before before = {NULL, NULL};
    unsigned n = 0;
    for (const struct mir_insn *i = b->first; i; i = i->next, n++) {
      use[n % 3] = bank_use_of(f, i);
      found += bank_conflicts(before, &use[n % 3]);
      before = (struct bank_before){&use[n % 3], before.last};
    }
  }
  return found;
}

/* ---- random functions */

struct bench {
  struct ptx_diag diag;
  struct heddle_ptx_figures figures;
  uint8_t want[RANDOM_THREADS * RANDOM_BYTES], got[RANDOM_THREADS * RANDOM_BYTES];
};

static void one(const struct random_shape *shape, unsigned max_regs, unsigned *before, unsigned *after) {
  struct bench *b = calloc(1, sizeof *b);
  struct heddle_program *p = calloc(1, sizeof *p);
  assert_true(b && p);
  struct ptx_arena *arena = ptx_arena_new((size_t)512 << 20);
  ptx_diag_init(&b->diag, "random", NULL, NULL);
  if (setjmp(b->diag.exit)) fail_msg("seed %llu: given up", (unsigned long long)shape->seed);
  struct mir_function *f = random_mir(arena, &b->diag, shape);
  assert_true(random_interpret(f, b->want));
  mir_coalesce(f);
  mir_schedule(f, options.stall, max_regs);
  assert_true(mir_allocate(f, max_regs, &b->figures));
  mir_banks(f);
  const unsigned had = conflicts(f);
  mir_bank_order(f);
  const unsigned has = conflicts(f);
  if (has > had) fail_msg("seed %llu: %u conflicts, %u before", (unsigned long long)shape->seed, has, had);
  *before += had, *after += has;
  assert_true(mir_emit(f, p, &options, &b->figures));
  const char *why = random_run(p, b->got);
  if (why) fail_msg("seed %llu: %s", (unsigned long long)shape->seed, why);
  if (memcmp(b->want, b->got, sizeof b->want) != 0)
    fail_msg("seed %llu, %u registers: another result", (unsigned long long)shape->seed, max_regs);
  heddle_program_free(p);
  ptx_arena_free(arena);
  free(b);
}

static void random_functions(void **state) {
  (void)state;
  unsigned before = 0, after = 0;
  for (unsigned seed = 1; seed <= 200; seed++) {
    const struct random_shape s = {.seed = seed,
                                   .words = 8 + seed % 90,
                                   .predicates = 1 + seed % 7,
                                   .statements = 20 + seed % 60,
                                   .depth = seed % 4};
    one(&s, seed % 3 ? 0 : 24, &before, &after);
  }
  assert_true(after + 40 < before); /* most are of wide operands, which lie where they lie */
}

/* ---- a few instructions, registers as they are numbered here */

struct few {
  struct ptx_arena *arena;
  struct ptx_diag diag;
  struct mir_function f;
  struct mir_builder m;
};

static struct few *begin(void) {
  struct few *t = calloc(1, sizeof *t);
  assert_non_null(t);
  t->arena = ptx_arena_new((size_t)64 << 20);
  ptx_diag_init(&t->diag, "few", NULL, NULL);
  t->f = (struct mir_function){.name = "k", .arena = t->arena, .diag = &t->diag};
  t->f.first = mir_block_new(&t->f);
  t->m = (struct mir_builder){.f = &t->f, .b = t->f.first};
  return t;
}

static void end(struct few *t) {
  ptx_arena_free(t->arena);
  free(t);
}

static struct mir_operand reg(struct few *t, unsigned number) {
  for (uint32_t v = 0; v < t->f.vregs; v++)
    if (t->f.vreg[v].class == MIR_R && t->f.vreg[v].phys == (int)number)
      return (struct mir_operand){.kind = MIR_REG, .class = MIR_R, .words = 1, .reg = v};
  const struct mir_operand r = mir_new(&t->f, MIR_R, 1);
  t->f.vreg[r.reg].phys = (int16_t)number;
  return r;
}

static struct mir_insn *ffma(struct few *t, unsigned d, unsigned a, unsigned b, unsigned c) {
  return mir_add(&t->m, ISA_OP_FFMA, reg(t, d), reg(t, a), reg(t, b), reg(t, c));
}

/* A row of an outer product: the first of it reads its factors in one bank, and so would the second with one beat an
 * instruction. The third finds the common one in the reuse cache of every machine. */
static void first_of_a_row(void **state) {
  (void)state;
  struct few *t = begin();
  struct mir_insn *x = ffma(t, 43, 16, 20, 43);
  ffma(t, 46, 16, 21, 46);
  ffma(t, 45, 16, 22, 45);
  assert_int_equal(conflicts(&t->f), 2);
  mir_bank_order(&t->f);
  assert_int_equal(conflicts(&t->f), 0);
  assert_ptr_equal(t->f.first->last, x);
  end(t);
}

/* The same where the second needs the first, or overwrites what it reads or writes: nothing moves. */
static void nothing_passes_what_it_needs(void **state) {
  (void)state;
  static const unsigned second[][4] = {{46, 16, 21, 43}, {20, 16, 21, 46}, {43, 16, 21, 46}};
  for (unsigned k = 0; k < 3; k++) {
    struct few *t = begin();
    struct mir_insn *x = ffma(t, 43, 16, 20, 43);
    ffma(t, second[k][0], second[k][1], second[k][2], second[k][3]);
    mir_bank_order(&t->f);
    assert_ptr_equal(t->f.first->first, x);
    end(t);
  }
}

/* Predicates count too: the second has the first one's as its guard. */
static void nor_its_guard(void **state) {
  (void)state;
  struct few *t = begin();
  const struct mir_operand p = mir_new(&t->f, MIR_P, 1);
  t->f.vreg[p.reg].phys = 0;
  struct mir_insn *x = mir_add(&t->m, ISA_OP_FSETP, mir_none(), reg(t, 16), reg(t, 20), mir_none());
  x->pd[0] = p;
  struct mir_insn *y = ffma(t, 46, 16, 21, 46);
  y->guard = p;
  mir_bank_order(&t->f);
  assert_ptr_equal(t->f.first->first, x);
  end(t);
}

/* Two conflicts are worth two places: what would have to come three places nearer to the maker of its operand stays. */
static void not_far_for_little(void **state) {
  (void)state;
  for (unsigned near = 0; near < 2; near++) {
    struct few *t = begin();
    if (near) ffma(t, 22, 1, 2, 3);
    struct mir_insn *x = ffma(t, 43, 16, 20, 43);
    ffma(t, 47, 16, 24, 47);
    ffma(t, 51, 16, 28, 51);
    struct mir_insn *z = ffma(t, 45, 16, 22, 45);
    assert_int_equal(conflicts(&t->f), 3);
    mir_bank_order(&t->f);
    assert_int_equal(conflicts(&t->f), near ? 3 : 1);
    assert_ptr_equal(near ? t->f.first->first->next : t->f.first->first, near ? x : z);
    end(t);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_functions), cmocka_unit_test(first_of_a_row),
                                     cmocka_unit_test(nothing_passes_what_it_needs), cmocka_unit_test(nor_its_guard),
                                     cmocka_unit_test(not_far_for_little)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
