/* SPDX-License-Identifier: Apache-2.0
 * Every kernel on the model by hand: some steps, a state that is saved, the rest of the grid; back, and the rest again.
 * Both ends are the same, bit for bit, and what the host computed. */
#include <stdlib.h>
#include <string.h>

#include <heddle/debug.h>
#include "tests/test.h"
#include "run/cases/kernel_run.h"

/* Warps by turns, one instruction each, until there have been `count`. False: the grid has ended before. */
static bool steps(struct heddle_model *m, unsigned slots, uint64_t count) {
  for (bool moved = true; moved;) {
    moved = false;
    for (unsigned w = 0; w < slots; w++) {
      struct heddle_standing s;
      uint64_t done;
      if (!heddle_warp_standing(m, w, &s) || s.ended || s.waiting) continue;
      assert_int_equal(heddle_model_step(m, w, 1, &done), HEDDLE_OK);
      moved = true;
      if (--count == 0) return true;
    }
  }
  return false;
}

static uint64_t rest(struct heddle_model *m, uint8_t *image, size_t bytes) {
  uint64_t retired = 0;
  if (heddle_model_run(m, 0, &retired) != HEDDLE_OK) fail_msg("%s", heddle_model_diag(m));
  memcpy(image, heddle_model_memory(m), bytes);
  return retired;
}

static bool execute(void *ctx, unsigned number, const struct job *j, uint8_t *image, char *why, size_t why_bytes) {
  const struct heddle_model_config c = {
      .size = sizeof c, .base = j->mem_base, .bytes = j->mem_bytes, .warp_slots = 32, .block_slots = 4};
  struct heddle_model *m = heddle_model_new(&c);
  uint8_t *again = malloc(j->mem_bytes);
  assert_true(m != NULL && again != NULL);
  job_store_inputs(j, heddle_model_memory(m));
  assert_int_equal(heddle_model_launch(m, &j->launch), HEDDLE_OK);
  assert_int_equal(heddle_model_begin(m), HEDDLE_OK);
  const bool middle = steps(m, c.warp_slots, 300 + 37 * number);
  struct heddle_saved *s = heddle_model_save(m, NULL);
  assert_non_null(s);
  if (middle) {
    const uint64_t retired = rest(m, image, j->mem_bytes);
    assert_int_equal(heddle_model_restore(m, s), HEDDLE_OK);
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

static void all_kernels(void **state) {
  (void)state;
  const struct source_options with = {.target = HEDDLE_PTX_TARGET_MODEL, .units = UINT32_MAX, .level = 1};
  unsigned kernels = 0, twice = 0;
  for (const struct kernel_info *k = kernel_table; k->name; k++) {
    if (!kernel_has(k, KERNEL_PTX)) continue;
    char why[512] = "";
    struct kernel_case *c = calloc(1, sizeof *c);
    struct heddle_program *p = kernel_program(KERNEL_DIR, k, KERNEL_PTX, &with);
    assert_true(c && p && kernel_prepare(k, KERNEL_PTX, 3, 0, c));
    if (!kernel_case_run(p, c, execute, &twice, why, sizeof why)) fail_msg("%s: %s", k->name, why);
    heddle_program_free(p);
    kernel_case_clear(c);
    free(c);
    kernels++;
  }
  assert_true(kernels >= 18 && twice >= kernels);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_kernels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
