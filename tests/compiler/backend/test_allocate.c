/* SPDX-License-Identifier: Apache-2.0
 *
 * Registers: numbers for all of them, their banks, and the order of instructions against conflicts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/ptx.h>
#include "compiler/backend/banks.h"
#include "compiler/ir/diag.h"
#include "tests/compiler/backend/random_mir.h"
#include "tests/test.h"

/* Registers: what random functions compute with virtual registers is what they compute with physical ones, however few.
 */

static void show(void *ctx, const struct heddle_message *m) {
  (void)ctx;
  fprintf(stderr, "%s:%u:%u: %s\n", m->file, m->line, m->column, m->text);
}

static const struct heddle_ptx_options options = {
    .size = sizeof options, .stall = {5, 6, 6, 6, 6, 12}, .message = show};

struct bench {
  struct ptx_arena *arena;
  struct ptx_diag diag;
  struct mir_function *f;
  struct heddle_ptx_figures figures;
  uint8_t want[RANDOM_THREADS * RANDOM_BYTES], got[RANDOM_THREADS * RANDOM_BYTES];
};

enum how { PLAIN, COALESCED, SCHEDULED };

static void check(const struct mir_function *f, bool allocated, const struct random_shape *s) {
  const char *bad = mir_check(f, allocated);
  if (bad) fail_msg("seed %llu: %s", (unsigned long long)s->seed, bad);
}

/* Compiles and runs one function; registers used. */
static unsigned one(const struct random_shape *shape, unsigned max_regs, enum how how) {
  struct bench *b = calloc(1, sizeof *b);
  struct heddle_program *p = calloc(1, sizeof *p);
  b->arena = ptx_arena_new((size_t)512 << 20);
  ptx_diag_init(&b->diag, "random", show, NULL);
  if (setjmp(b->diag.exit)) fail_msg("seed %llu: given up", (unsigned long long)shape->seed);
  b->f = random_mir(b->arena, &b->diag, shape);
  check(b->f, false, shape);
  assert_true(random_interpret(b->f, b->want));
  if (how >= COALESCED) mir_coalesce(b->f);
  check(b->f, false, shape);
  if (how == SCHEDULED) mir_schedule(b->f, options.stall, max_regs);
  check(b->f, false, shape);
  if (!mir_allocate(b->f, max_regs, &b->figures))
    fail_msg("seed %llu: %u registers", (unsigned long long)shape->seed, max_regs);
  check(b->f, true, shape);
  assert_true(b->figures.registers <= (max_regs ? max_regs : 254));
  if (!mir_emit(b->f, p, &options, &b->figures)) fail_msg("seed %llu: no code", (unsigned long long)shape->seed);
  assert_true(p->kernel[0].regs <= b->figures.registers);
  const char *why = random_run(p, b->got);
  if (why) fail_msg("seed %llu, %u registers: %s", (unsigned long long)shape->seed, max_regs, why);
  for (unsigned k = 0; k < sizeof b->want; k++)
    if (b->want[k] != b->got[k])
      fail_msg("seed %llu, %u registers, way %d: thread %u, byte %u: 0x%02x instead of 0x%02x",
               (unsigned long long)shape->seed, max_regs, (int)how, k / RANDOM_BYTES, k % RANDOM_BYTES, b->got[k],
               b->want[k]);
  if (getenv("HEDDLE_FIGURES"))
    fprintf(stderr, "seed %llu: %u words, limit %u: %u registers, %u instructions, %u spilled, %u loads, %u stores\n",
            (unsigned long long)shape->seed, shape->words, max_regs, b->figures.registers, b->figures.instructions,
            b->figures.spilled_values, b->figures.spill_loads, b->figures.spill_stores);
  unsigned registers = b->figures.registers;
  heddle_program_free(p);
  ptx_arena_free(b->arena);
  free(b);
  return registers;
}

static void small_functions_in_few_registers(void **state) {
  (void)state;
  for (unsigned seed = 1; seed <= 150; seed++)
    for (enum how how = PLAIN; how <= SCHEDULED; how++) {
      struct random_shape s = {.seed = seed,
                               .words = 8 + seed % 60,
                               .predicates = 1 + seed % 7,
                               .statements = 20 + seed % 40,
                               .depth = seed % 4};
      one(&s, 0, how);
      one(&s, 16 + (seed % 3) * 8, how);
    }
}

static void large_functions_spill(void **state) {
  (void)state;
  for (unsigned seed = 1000; seed < 1012; seed++) {
    struct random_shape s = {.seed = seed, .words = 300 + seed % 100, .predicates = 8, .statements = 800, .depth = 3};
    one(&s, 0, SCHEDULED);
    one(&s, 64, COALESCED);
    one(&s, 20, SCHEDULED);
  }
}

static void many_predicates_spill(void **state) {
  (void)state;
  for (unsigned seed = 2000; seed < 2060; seed++) {
    struct random_shape s = {
        .seed = seed, .words = 20, .predicates = 5 + seed % 25, .statements = 80, .depth = seed % 3};
    one(&s, 0, seed % 2 ? COALESCED : SCHEDULED);
    one(&s, 20, seed % 2 ? PLAIN : SCHEDULED);
  }
}

/* Registers renumbered by bank: random functions compute what they computed before, with as many registers and fewer
 * instructions that read two words of a bank. */

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

static unsigned conflicts_of_all(const struct mir_function *f) {
  unsigned found = 0;
  for (const struct mir_block *b = f->first; b; b = b->next)
    for (const struct mir_insn *i = b->first; i; i = i->next) found += conflicts_of(f, i);
  return found;
}

static void renumbered_one(const struct random_shape *shape, unsigned max_regs, unsigned *before, unsigned *after) {
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
  *before += conflicts_of_all(b->f);
  mir_banks(b->f);
  *after += conflicts_of_all(b->f);
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

static void random_functions_renumbered(void **state) {
  (void)state;
  unsigned before = 0, after = 0;
  for (unsigned seed = 1; seed <= 120; seed++) {
    const struct random_shape s = {.seed = seed,
                                   .words = 8 + seed % 90,
                                   .predicates = 1 + seed % 7,
                                   .statements = 20 + seed % 60,
                                   .depth = seed % 4};
    renumbered_one(&s, seed % 3 ? 0 : 24, &before, &after);
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
  assert_true(conflicts_of_all(&f) >= 16); /* each sum with the factor of its column */
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

/* Instructions that go a few places up or down against bank conflicts: random functions compute what they
 * computed before, with fewer conflicts; nothing passes what it depends on, or comes near to it for nothing.
 */

static unsigned conflicts_in_order(const struct mir_function *f) {
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

struct order_bench {
  struct ptx_diag diag;
  struct heddle_ptx_figures figures;
  uint8_t want[RANDOM_THREADS * RANDOM_BYTES], got[RANDOM_THREADS * RANDOM_BYTES];
};

static void ordered_one(const struct random_shape *shape, unsigned max_regs, unsigned *before, unsigned *after) {
  struct order_bench *b = calloc(1, sizeof *b);
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
  const unsigned had = conflicts_in_order(f);
  mir_bank_order(f);
  const unsigned has = conflicts_in_order(f);
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

static void random_functions_ordered(void **state) {
  (void)state;
  unsigned before = 0, after = 0;
  for (unsigned seed = 1; seed <= 200; seed++) {
    const struct random_shape s = {.seed = seed,
                                   .words = 8 + seed % 90,
                                   .predicates = 1 + seed % 7,
                                   .statements = 20 + seed % 60,
                                   .depth = seed % 4};
    ordered_one(&s, seed % 3 ? 0 : 24, &before, &after);
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

/* A row of an outer product: the first of it reads its factors in one bank, and so would the second with
 * one beat an instruction. The third finds the common one in the reuse cache of every machine. */
static void first_of_a_row(void **state) {
  (void)state;
  struct few *t = begin();
  struct mir_insn *x = ffma(t, 43, 16, 20, 43);
  ffma(t, 46, 16, 21, 46);
  ffma(t, 45, 16, 22, 45);
  assert_int_equal(conflicts_in_order(&t->f), 2);
  mir_bank_order(&t->f);
  assert_int_equal(conflicts_in_order(&t->f), 0);
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

/* Two conflicts are worth two places: what would have to come three places nearer to the maker of its operand
 * stays. */
static void not_far_for_little(void **state) {
  (void)state;
  for (unsigned near = 0; near < 2; near++) {
    struct few *t = begin();
    if (near) ffma(t, 22, 1, 2, 3);
    struct mir_insn *x = ffma(t, 43, 16, 20, 43);
    ffma(t, 47, 16, 24, 47);
    ffma(t, 51, 16, 28, 51);
    struct mir_insn *z = ffma(t, 45, 16, 22, 45);
    assert_int_equal(conflicts_in_order(&t->f), 3);
    mir_bank_order(&t->f);
    assert_int_equal(conflicts_in_order(&t->f), near ? 3 : 1);
    assert_ptr_equal(near ? t->f.first->first->next : t->f.first->first, near ? x : z);
    end(t);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(small_functions_in_few_registers),
                                     cmocka_unit_test(large_functions_spill),
                                     cmocka_unit_test(many_predicates_spill),
                                     cmocka_unit_test(random_functions_renumbered),
                                     cmocka_unit_test(outer_product),
                                     cmocka_unit_test(calls_keep_their_registers),
                                     cmocka_unit_test(random_functions_ordered),
                                     cmocka_unit_test(first_of_a_row),
                                     cmocka_unit_test(nothing_passes_what_it_needs),
                                     cmocka_unit_test(nor_its_guard),
                                     cmocka_unit_test(not_far_for_little)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
