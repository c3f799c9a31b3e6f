/* SPDX-License-Identifier: Apache-2.0
 * Registers renumbered by bank: random functions compute what they computed before, with as many registers and fewer
 * instructions that read two words of a bank. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "compiler/ir/diag.h"
#include <heddle/ptx.h>
#include "tests/compiler/random_mir.h"

static const struct heddle_ptx_options options = {.size = sizeof options, .stall = {5, 6, 6, 6, 6, 12}};

/* Pairs of different registers in one instruction that lie in one bank. */
static unsigned conflicts_of(const struct mir_function *f, const struct mir_insn *i) {
  unsigned number[8], n = 0, found = 0;
  for (unsigned slot = 0; slot < 3; slot++)
    for (unsigned w = 0; i->src[slot].kind == MIR_REG && i->src[slot].class == MIR_R && w < mir_words(i, slot); w++)
      number[n++] = (unsigned)f->vreg[i->src[slot].reg].phys + i->src[slot].sub + w;
  for (unsigned a = 0; a < n; a++)
    for (unsigned b = 0; b < a; b++) found += number[a] != number[b] && number[a] % 4 == number[b] % 4;
  return found;
}

static unsigned conflicts(const struct mir_function *f) {
  unsigned found = 0;
  for (const struct mir_block *b = f->first; b; b = b->next)
    for (const struct mir_insn *i = b->first; i; i = i->next) found += conflicts_of(f, i);
  return found;
}

struct bench {
  struct ptx_arena *arena;
  struct ptx_diag diag;
  struct mir_function *f;
  struct heddle_ptx_figures figures;
  uint8_t want[RANDOM_THREADS * RANDOM_BYTES], got[RANDOM_THREADS * RANDOM_BYTES];
};

static void one(const struct random_shape *shape, unsigned max_regs, unsigned *before, unsigned *after) {
  struct bench *b = calloc(1, sizeof *b);
  struct heddle_program *p = calloc(1, sizeof *p);
  b->arena = ptx_arena_new((size_t)512 << 20);
  ptx_diag_init(&b->diag, "random", NULL, NULL);
  if (setjmp(b->diag.exit)) fail_msg("seed %llu: given up", (unsigned long long)shape->seed);
  b->f = random_mir(b->arena, &b->diag, shape);
  assert_true(random_interpret(b->f, b->want));
  mir_coalesce(b->f);
  mir_schedule(b->f, options.stall, max_regs);
  assert_true(mir_allocate(b->f, max_regs, &b->figures));
  *before += conflicts(b->f);
  mir_banks(b->f);
  *after += conflicts(b->f);
  const char *bad = mir_check(b->f, true);
  if (bad) fail_msg("seed %llu: %s", (unsigned long long)shape->seed, bad);
  assert_true(mir_emit(b->f, p, &options, &b->figures));
  assert_true(p->kernel[0].regs <= b->figures.registers);
  const char *why = random_run(p, b->got);
  if (why) fail_msg("seed %llu: %s", (unsigned long long)shape->seed, why);
  if (memcmp(b->want, b->got, sizeof b->want) != 0)
    fail_msg("seed %llu, %u registers: another result", (unsigned long long)shape->seed, max_regs);
  heddle_program_free(p);
  ptx_arena_free(b->arena);
  free(b);
}

static void random_functions(void **state) {
  (void)state;
  unsigned before = 0, after = 0;
  for (unsigned seed = 1; seed <= 120; seed++) {
    const struct random_shape s = {.seed = seed,
                                   .words = 8 + seed % 90,
                                   .predicates = 1 + seed % 7,
                                   .statements = 20 + seed % 60,
                                   .depth = seed % 4};
    one(&s, seed % 3 ? 0 : 24, &before, &after);
  }
  assert_true(before > 1000);
  assert_true(10 * after < 9 * before); /* wide operands and reuse leave less to win than it seems */
}

static void multiply_add(struct mir_builder *m, struct mir_operand d, struct mir_operand a, struct mir_operand b) {
  mir_add(m, ISA_OP_FFMA, d, a, b, d);
}

/* An outer product as in a matrix multiplication, numbered so that sums and factors meet in one bank. */
static void outer_product(void **state) {
  (void)state;
  struct ptx_diag diag;
  struct ptx_arena *arena = ptx_arena_new((size_t)64 << 20);
  ptx_diag_init(&diag, "outer", NULL, NULL);
  struct mir_function f = {.name = "k", .arena = arena, .diag = &diag};
  if (setjmp(diag.exit)) fail_msg("given up");
  f.first = mir_block_new(&f);
  f.first->loop_depth = 1;
  struct mir_builder m = {.f = &f, .b = f.first};
  const struct mir_operand row = mir_new(&f, MIR_R, 4), column = mir_new(&f, MIR_R, 4);
  f.vreg[row.reg].phys = 16;
  f.vreg[column.reg].phys = 20;
  for (unsigned y = 0; y < 4; y++)
    for (unsigned x = 0; x < 4; x++) {
      const struct mir_operand sum = mir_new(&f, MIR_R, 1);
      f.vreg[sum.reg].phys = (int16_t)(4 * y + x);
      multiply_add(&m, sum, mir_word(row, y), mir_word(column, x));
    }
  assert_true(conflicts(&f) >= 16); /* each sum with the factor of its column */
  mir_banks(&f);
  bool taken[16] = {false};
  for (uint32_t v = 2; v < f.vregs; v++) {
    assert_in_range(f.vreg[v].phys, 0, 15);
    assert_false(taken[f.vreg[v].phys]);
    taken[f.vreg[v].phys] = true;
  }
  assert_int_equal(f.vreg[row.reg].phys % 4, 0);
  unsigned sums = 0; /* of the sum with the column's factor: the row's one is reused */
  for (const struct mir_insn *i = f.first->first; i; i = i->next)
    sums += f.vreg[i->rd.reg].phys % 4 == (f.vreg[column.reg].phys + i->src[1].sub) % 4;
  assert_int_equal(sums, 0);
  ptx_arena_free(arena);
}

/* Registers that a call keeps or takes are not ours to number. */
static void calls_keep_their_registers(void **state) {
  (void)state;
  struct ptx_diag diag;
  struct ptx_arena *arena = ptx_arena_new((size_t)64 << 20);
  ptx_diag_init(&diag, "call", NULL, NULL);
  struct mir_function f = {.name = "k", .arena = arena, .diag = &diag};
  if (setjmp(diag.exit)) fail_msg("given up");
  f.first = mir_block_new(&f);
  struct mir_builder m = {.f = &f, .b = f.first};
  const struct mir_operand a = mir_new(&f, MIR_R, 1), b = mir_new(&f, MIR_R, 1), c = mir_new(&f, MIR_R, 1);
  f.vreg[a.reg].phys = 0;
  f.vreg[b.reg].phys = 4;
  f.vreg[c.reg].phys = 17;
  multiply_add(&m, a, b, c);
  mir_add(&m, ISA_OP_CALL_REL, mir_none(), mir_none(), mir_none(), mir_none());
  mir_banks(&f);
  assert_int_equal(f.vreg[a.reg].phys, 0);
  assert_int_equal(f.vreg[b.reg].phys, 4);
  ptx_arena_free(arena);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_functions), cmocka_unit_test(outer_product),
                                     cmocka_unit_test(calls_keep_their_registers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
