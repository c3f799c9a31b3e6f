/* SPDX-License-Identifier: Apache-2.0
 * Kernels on the model: in steps, in each form, and several launches over the same variables. */
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/debug.h>
#include "tests/test.h"
#include "run/cases/kernel_run.h"

/* Every kernel on the model by hand: some steps, a state that is saved, the rest of the grid; back, and the rest again.
 * Both ends are the same, bit for bit, and what the host computed. */

/* Warps by turns, one instruction each, until there have been `count`. False: the grid has ended before. */
static bool steps(struct heddle_model *m, unsigned slots, uint64_t count) {
  for (bool moved = true; moved;) {
    moved = false;
    for (unsigned w = 0; w < slots; w++) {
      struct heddle_standing s;
      uint64_t done;
      if (!heddle_warp_standing(m, w, &s) || s.ended || s.waiting) continue;
      assert_int_equal(heddle_model_step(m, w, 1, &done), HEDDLE_SUCCESS);
      moved = true;
      if (--count == 0) return true;
    }
  }
  return false;
}

static uint64_t rest(struct heddle_model *m, uint8_t *image, size_t bytes) {
  uint64_t retired = 0;
  if (heddle_model_run(m, 0, &retired) != HEDDLE_SUCCESS) fail_msg("%s", heddle_model_diag(m));
  memcpy(image, heddle_model_memory(m), bytes);
  return retired;
}

static bool execute_in_steps(void *ctx, unsigned number, const struct job *j, uint8_t *image, char *why,
                             size_t why_bytes) {
  const struct heddle_model_config c = {
      .size = sizeof c, .base = j->mem_base, .bytes = j->mem_bytes, .warp_slots = 32, .block_slots = 4};
  struct heddle_model *m = heddle_model_new(&c);
  uint8_t *again = malloc(j->mem_bytes);
  assert_true(m != NULL && again != NULL);
  job_store_inputs(j, heddle_model_memory(m));
  assert_int_equal(heddle_model_launch(m, &j->launch), HEDDLE_SUCCESS);
  assert_int_equal(heddle_model_begin(m), HEDDLE_SUCCESS);
  const bool middle = steps(m, c.warp_slots, 300 + 37 * number);
  struct heddle_saved *s = heddle_model_save(m, NULL);
  assert_non_null(s);
  if (middle) {
    const uint64_t retired = rest(m, image, j->mem_bytes);
    assert_int_equal(heddle_model_restore(m, s), HEDDLE_SUCCESS);
    assert_int_equal(rest(m, again, j->mem_bytes), retired);
    if (memcmp(image, again, j->mem_bytes) != 0) snprintf(why, why_bytes, "the second end differs");
    ++*(unsigned *)ctx;
  } else {
    memcpy(image, heddle_model_memory(m), j->mem_bytes);
    memcpy(again, image, j->mem_bytes);
  }
  const bool same = memcmp(image, again, j->mem_bytes) == 0;
  heddle_saved_free(s);
  heddle_model_free(m);
  free(again);
  return same;
}

static void all_kernels_in_steps(void **state) {
  (void)state;
  const struct source_options with = {.target = HEDDLE_PTX_TARGET_MODEL, .units = UINT32_MAX, .level = 1};
  unsigned kernels = 0, twice = 0;
  for (const struct kernel_info *k = kernel_table; k->name; k++) {
    if (!kernel_has(k, KERNEL_PTX)) continue;
    char why[512] = "";
    struct kernel_case *c = calloc(1, sizeof *c);
    struct heddle_program *p = kernel_program(KERNEL_DIR, k, KERNEL_PTX, &with);
    assert_true(c && p && kernel_prepare(k, KERNEL_PTX, 3, 0, c));
    if (!kernel_case_run(p, c, execute_in_steps, &twice, why, sizeof why)) fail_msg("%s: %s", k->name, why);
    heddle_program_free(p);
    kernel_case_clear(c);
    free(c);
    kernels++;
  }
  assert_true(kernels >= 18 && twice >= kernels);
}

/* What clang makes at -O0 and at -O2 leaves the same memory, bit for bit, at both levels of the compiler: of every
 * kernel, also where the host's result is only near. */

struct memory {
  uint8_t *now[KERNEL_BUFFERS];
};

static struct memory run(const struct kernel_info *k, enum kernel_form form, unsigned level) {
  struct memory m = {0};
  struct kernel_case *c = calloc(1, sizeof *c);
  struct kernel_totals t = {0};
  struct run_options o;
  char why[512] = "";
  int status = TOOL_OK;
  run_options_init(&o);
  o.on = ON_MODEL;
  assert_int_equal(run_options_finish(&o, "kernels"), TOOL_OK);
  const struct source_options with = {.target = run_target(&o), .level = level};
  struct heddle_program *p = kernel_program(KERNEL_DIR, k, form, &with);
  struct runner *r = runner_new(&o, &status);
  assert_true(c && p && r && kernel_prepare(k, form, 3, 0, c));
  for (unsigned b = 0; b < c->buffers; b++) {
    m.now[b] = malloc(c->buffer[b].bytes);
    assert_non_null(m.now[b]);
    memcpy(m.now[b], c->buffer[b].init, c->buffer[b].bytes);
  }
  if (!kernel_launches(r, p, c, m.now, &t, why, sizeof why)) fail_msg("%s: %s", k->name, why);
  assert_true(t.retired > 0);
  runner_free(r);
  heddle_program_free(p);
  kernel_case_clear(c);
  free(c);
  return m;
}

static void compare(const struct kernel_info *k, const struct memory *a, const struct memory *b, const char *what) {
  struct kernel_case *c = calloc(1, sizeof *c);
  assert_true(c && kernel_prepare(k, KERNEL_PTX, 3, 0, c));
  for (unsigned n = 0; n < c->buffers; n++)
    if (c->buffer[n].compare != KERNEL_PERMUTATION && memcmp(a->now[n], b->now[n], c->buffer[n].bytes) != 0)
      fail_msg("%s: buffer %u differs %s", k->name, n, what);
  kernel_case_clear(c);
  free(c);
}

static void done(struct memory *m) {
  for (unsigned b = 0; b < KERNEL_BUFFERS; b++) free(m->now[b]);
}

static void all_forms(void **state) {
  (void)state;
  unsigned kernels = 0;
  for (const struct kernel_info *k = kernel_table; k->name; k++) {
    if (!kernel_has(k, KERNEL_PTX) || !kernel_has(k, KERNEL_PTX_O0)) continue;
    struct memory best = run(k, KERNEL_PTX, 1), plain = run(k, KERNEL_PTX, 0);
    struct memory slow = run(k, KERNEL_PTX_O0, 1), slowest = run(k, KERNEL_PTX_O0, 0);
    compare(k, &best, &plain, "between the compiler's levels");
    compare(k, &best, &slow, "between clang's levels");
    compare(k, &best, &slowest, "between clang's levels, straightforward code");
    struct memory *const each[] = {&best, &plain, &slow, &slowest};
    for (unsigned n = 0; n < 4; n++) done(each[n]);
    kernels++;
  }
  assert_true(kernels >= 18);
}

/* Launches of one case share the module's variables; the next case finds them new. */

/* Counts from 5 on, by way of an address in an initialiser: out[0] = what it was. */
static const char counting[] = ".globals 16 16\n.global counter 0 4\n.global where 8 8\n.initial 0 5\n.address 8\n"
                               ".kernel k\n.param u64 out\n MOV R2, c[0x0][0x30] ;\n MOV R3, c[0x0][0x34] ;\n"
                               " LDG.E.64 R2, [R2+where] ;\n MOV R4, 0x1 ;\n ATOMG.E.ADD.STRONG.GPU R5, [R2], R4 ;\n"
                               " MOV R2, c[0x0][out] ;\n MOV R3, c[0x0][out+4] ;\n STG.E [R2], R5 ;\n EXIT ;\n.end\n";
enum { LAUNCHES = 3 };

static void launches_share_variables(void **state) {
  (void)state;
  const struct heddle_asm_options o = {.size = sizeof o, .stall = {5, 6, 8, 6, 6, 12}};
  struct heddle_program *p;
  (void)heddle_assemble(counting, sizeof counting - 1, "globals.s", &o, &p);
  struct kernel_case *c = calloc(1, sizeof *c);
  struct run_options options;
  char why[512] = "";
  int status = TOOL_OK;
  run_options_init(&options);
  options.on = ON_MODEL;
  assert_int_equal(run_options_finish(&options, "kernels"), TOOL_OK);
  struct runner *r = runner_new(&options, &status);
  assert_true(p && c && r);
  for (unsigned i = 0; i < LAUNCHES; i++) { /* each into a buffer of another size: addresses move */
    c->buffer[i].bytes = 4 + 5000 * (LAUNCHES - i);
    c->launch[i] = (struct kernel_launch){.entry = "k", .grid = {1, 1, 1}, .block = {1, 1, 1}, .args = 1};
    c->launch[i].arg[0] = (struct kernel_arg){.kind = KERNEL_ARG_BUFFER, .buffer = i};
  }
  c->buffers = c->launches = LAUNCHES;
  for (unsigned turn = 0; turn < 2; turn++) {
    struct kernel_totals t = {0};
    uint8_t *now[KERNEL_BUFFERS] = {0};
    for (unsigned i = 0; i < LAUNCHES; i++) assert_non_null(now[i] = calloc(1, c->buffer[i].bytes));
    if (!kernel_launches(r, p, c, now, &t, why, sizeof why)) fail_msg("%s", why);
    for (unsigned i = 0; i < LAUNCHES; i++) {
      assert_int_equal(now[i][0], 5 + i);
      free(now[i]);
    }
  }
  runner_free(r);
  free(c);
  heddle_program_free(p);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_kernels_in_steps), cmocka_unit_test(all_forms),
                                     cmocka_unit_test(launches_share_variables)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
