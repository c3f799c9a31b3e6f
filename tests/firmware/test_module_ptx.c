/* SPDX-License-Identifier: Apache-2.0
 * PTX that a host loads is compiled for the board that it has open.
 * usage: tests_firmware module_ptx [BOARD...]     without: the model */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/module_ptx.h>
#include "tests/test.h"
#include "tests/firmware/board_host.h"

static char model[] = "model", *on_model[] = {model, NULL}, **boards = on_model;

static char *text_of(const char *name, size_t *bytes) {
  char path[1000];
  snprintf(path, sizeof path, "%s/%s.ptx", KERNEL_DIR, name);
  FILE *f = fopen(path, "rb");
  char *text = malloc(1 << 20);
  assert_true(f && text);
  *bytes = fread(text, 1, 1 << 20, f);
  (void)fclose(f);
  return text;
}

static struct heddle_function *loaded(const struct host *h, const char *name) {
  struct heddle_module *m;
  struct heddle_function *f;
  size_t bytes;
  char *text = text_of(name, &bytes);
  if (heddle_module_load_ptx(h->context, text, bytes, name, NULL, &m) != HEDDLE_SUCCESS)
    fail_msg("%s", heddle_context_message(h->context));
  OK(heddle_module_function(m, name, &f));
  free(text);
  return f;
}

static void it_runs(void **state) {
  (void)state;
  enum { N = 64 };
  for (char **board = boards; *board; board++) {
    struct host h = host_open(*board);
    struct heddle_function *f = loaded(&h, "vecadd");
    float a[N], b[N], c[N];
    uint64_t at[3];
    int32_t n = N;
    for (int i = 0; i < N; i++) a[i] = (float)i, b[i] = 0.25f * (float)(i * i);
    for (unsigned i = 0; i < 3; i++) OK(heddle_mem_alloc(h.context, sizeof a, &at[i]));
    OK(heddle_memcpy_to_device(h.context, at[0], a, sizeof a));
    OK(heddle_memcpy_to_device(h.context, at[1], b, sizeof b));
    OK(heddle_function_launch(f, (struct heddle_size){2, 1, 1}, (struct heddle_size){32, 1, 1}, 0,
                              (void *[]){&at[0], &at[1], &at[2], &n}));
    OK(heddle_memcpy_to_host(h.context, c, at[2], sizeof c));
    for (int i = 0; i < N; i++) assert_true(c[i] == a[i] + b[i]);
    host_close(&h);
  }
}

/* The compiler's target is the configuration's, whoever tells it. */
static void the_target_is_the_device(void **state) {
  (void)state;
  struct heddle_machine want = {.size = sizeof want}, got = {.size = sizeof got}, slowest = {.size = sizeof slowest};
  char name[80];
  for (size_t i = 0; i < heddle_config_count(); i++) {
    snprintf(name, sizeof name, "model:%s", heddle_config_at(i)->name);
    struct host h = host_open(name);
    heddle_machine_of(heddle_config_at(i), &want);
    OK(heddle_context_machine(h.context, &got));
    assert_string_equal(got.name, want.name);
    assert_int_equal(got.units, want.units);
    assert_int_equal(got.fp64_latency, want.fp64_latency);
    assert_memory_equal(got.stall, want.stall, sizeof got.stall);
    host_close(&h);
  }
  for (char **board = boards; *board; board++) {
    struct host h = host_open(*board);
    const char *config = strchr(*board, ':');
    OK(heddle_context_machine(h.context, &got));
    heddle_machine_slowest(&slowest);
    if (config) assert_true(heddle_machine_find(config + 1, &want));
    if (config) assert_int_equal(got.units, want.units);
    assert_memory_equal(got.stall, config ? want.stall : slowest.stall, sizeof got.stall);
    host_close(&h);
  }
}

/* On a machine with all units transpose uses the uniform datapath, which the smallest lacks. */
static void it_needs_only_what_the_device_has(void **state) {
  (void)state;
  struct heddle_lack_info lack;
  struct heddle_machine sm = {.size = sizeof sm};
  struct heddle_module *m;
  struct heddle_function *f;
  size_t bytes;
  char *text = text_of("transpose", &bytes);
  struct host h = host_open("model:tiny");
  assert_true(heddle_machine_find("sm", &sm));
  struct heddle_ptx_options o = {.size = sizeof o, .level = 1, .units = sm.units};
  memcpy(o.stall, sm.stall, sizeof o.stall);
  struct heddle_program *p;
  assert_int_equal(heddle_ptx_compile(text, bytes, "transpose", &o, &p, NULL, NULL), HEDDLE_SUCCESS);
  OK(heddle_module_load_program(h.context, p, &m));
  OK(heddle_module_function(m, "transpose", &f));
  OK(heddle_function_lack(f, (struct heddle_size){32, 1, 1}, 0, 0, &lack));
  assert_int_equal(lack.kind, HEDDLE_LACK_UNIT);
  assert_string_equal(lack.unit, "uni");
  assert_int_equal(heddle_function_lack(loaded(&h, "transpose"), (struct heddle_size){32, 1, 1}, 0, 0, &lack),
                   HEDDLE_ERROR_NOT_FOUND);
  host_close(&h);
  free(text);
}

static void heard(void *ctx, const struct heddle_message *m) {
  unsigned *errors = ctx;
  *errors += !m->warning;
}

static void errors_have_their_line(void **state) {
  (void)state;
  static const char bad[] =
      ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n  frobnicate;\n ret;\n}\n";
  struct host h = host_open("model");
  struct heddle_module *m = NULL;
  unsigned errors = 0;
  struct heddle_ptx_options o = {.size = sizeof o, .message = heard, .ctx = &errors};
  assert_int_equal(heddle_module_load_ptx(h.context, bad, sizeof bad - 1, "bad.ptx", &o, &m),
                   HEDDLE_ERROR_INVALID_IMAGE);
  assert_null(m);
  assert_true(errors > 0);
  if (!strstr(heddle_context_message(h.context), "bad.ptx:6:")) fail_msg("%s", heddle_context_message(h.context));
  o.size = 1;
  assert_int_equal(heddle_module_load_ptx(h.context, bad, sizeof bad - 1, NULL, &o, &m), HEDDLE_ERROR_INVALID_VALUE);
  assert_int_equal(heddle_module_load_ptx(h.context, NULL, 0, NULL, NULL, &m), HEDDLE_ERROR_INVALID_VALUE);
  host_close(&h);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_runs),
      cmocka_unit_test(the_target_is_the_device),
      cmocka_unit_test(it_needs_only_what_the_device_has),
      cmocka_unit_test(errors_have_their_line),
  };
  if (argc > 1) boards = argv + 1;
  host_environment(NULL, NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
