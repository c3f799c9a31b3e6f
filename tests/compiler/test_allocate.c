/* SPDX-License-Identifier: Apache-2.0
 * Registers: what random functions compute with virtual registers is what they compute with physical ones, however few.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "compiler/ir/diag.h"
#include <heddle/ptx.h>
#include "tests/compiler/random_mir.h"

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

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(small_functions_in_few_registers),
                                     cmocka_unit_test(large_functions_spill), cmocka_unit_test(many_predicates_spill)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
