/* SPDX-License-Identifier: Apache-2.0
 * What clang makes at -O0 and at -O2 leaves the same memory, bit for bit, at both levels of the compiler: of every
 * kernel, also where the host's result is only near. */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "run/cases/kernel_run.h"

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

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_forms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
