/* SPDX-License-Identifier: Apache-2.0
 * Many cases in several processes: all are accounted for, whatever becomes of their processes. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/test.h"
#include "run/runner/conclude.h"
#include "run/cases/suite.h"

enum { PASSES, FAILS, DIES, EXITS, MISSES, REFUSED };

struct plan {
  unsigned kind[64];
};

static const char *name_of(void *ctx, size_t item) {
  static char name[24];
  (void)ctx;
  (void)snprintf(name, sizeof name, "case-%zu", item);
  return name;
}

/* As long as its item says: some are longer than a pipe takes at once. */
static json_t *refusal(size_t item) {
  char *file = malloc(40000 * item + 1);
  assert_non_null(file);
  memset(file, 'f', 40000 * item);
  file[40000 * item] = '\0';
  json_t *j = json_pack("{s:i, s:s}", "item", (int)item, "file", file);
  free(file);
  return j;
}

static void one(void *ctx, size_t item, struct runner *runner, struct suite_verdict *v) {
  const struct plan *p = ctx;
  assert_non_null(runner);
  v->retired = 10 + item;
  switch (p->kind[item]) {
  case FAILS:
    suite_fail(v, "item %zu is wrong", item);
    break;
  case DIES:
    (void)raise(SIGKILL);
    break;
  case EXITS:
    _exit(TOOL_OK);
  case MISSES:
    _exit(TOOL_MISSING);
  case REFUSED:
    suite_fail(v, "no sfu");
    v->retired = 0;
    v->refused = refusal(item);
    break;
  default:
    break;
  }
}

static json_t *outcome(struct plan *p, size_t items, unsigned jobs, int *status) {
  char json[] = "/tmp/suite-XXXXXX";
  const int fd = mkstemp(json);
  assert_true(fd >= 0);
  (void)close(fd);
  struct run_options o;
  run_options_init(&o);
  o.on = ON_MODEL;
  o.jobs = jobs;
  o.json = json;
  assert_int_equal(run_options_finish(&o, "test"), TOOL_OK);
  const struct suite s = {
      .command = "ops", .what = "things", .dir = "d", .run = &o, .items = items, .name = name_of, .one = one, .ctx = p};
  *status = suite_run(&s);
  json_t *root = json_load_file(json, 0, NULL);
  (void)unlink(json);
  return root;
}

static void check(const json_t *root, const struct plan *p, size_t items) {
  size_t bad = 0;
  const json_t *list = json_object_get(root, "things");
  assert_int_equal(json_array_size(list), items);
  for (size_t i = 0; i < items; i++) {
    const json_t *j = json_array_get(list, i);
    const char *why = json_string_value(json_object_get(j, "why"));
    assert_string_equal(json_string_value(json_object_get(j, "name")), name_of(NULL, i));
    assert_int_equal(json_is_true(json_object_get(j, "passed")), p->kind[i] == PASSES);
    if (p->kind[i] == PASSES) assert_int_equal(json_integer_value(json_object_get(j, "warp_instructions")), 10 + i);
    if (p->kind[i] == FAILS) assert_non_null(strstr(why, "is wrong"));
    if (p->kind[i] == DIES) assert_non_null(strstr(why, "killed by signal 9"));
    if (p->kind[i] == EXITS) assert_non_null(strstr(why, "ended with status 0"));
    if (p->kind[i] == MISSES) assert_non_null(strstr(why, "ended with status 5"));
    json_t *want = p->kind[i] == REFUSED ? refusal(i) : NULL;
    assert_int_equal(json_equal(json_object_get(j, "refused"), want), want != NULL);
    json_decref(want);
    if (p->kind[i] != REFUSED) assert_null(json_object_get(j, "refused"));
    bad += p->kind[i] != PASSES;
  }
  assert_int_equal(json_integer_value(json_object_get(root, "failed")), bad);
  assert_int_equal(json_integer_value(json_object_get(root, "passed")), items - bad);
  json_int_t retired = 0;
  for (size_t i = 0; i < items; i++)
    retired += json_integer_value(json_object_get(json_array_get(list, i), "warp_instructions"));
  assert_int_equal(json_integer_value(json_object_get(root, "warp_instructions")), retired);
}

static void all_are_accounted_for(void **state) {
  (void)state;
  for (unsigned jobs = 1; jobs <= 5; jobs++)
    for (unsigned round = 0; round < 4; round++) {
      struct plan p = {.kind = {0}};
      const size_t items = 1 + 6 * round;
      int status;
      for (size_t i = 0; i < items; i++) p.kind[i] = round == 0 ? PASSES : (unsigned)(i * 7 + round) % (DIES + 1);
      json_t *root = outcome(&p, items, jobs, &status);
      check(root, &p, items);
      assert_int_equal(status, round == 0 ? TOOL_OK : TOOL_DIFFERENCE);
      json_decref(root);
    }
}

/* A failed case; unless it says that something was missing, as one does that cannot load a device. */
static void a_process_that_leaves_has_failed(void **state) {
  (void)state;
  struct plan plans[] = {{{PASSES, EXITS, PASSES, EXITS, EXITS, PASSES}}, {{PASSES, EXITS, FAILS, MISSES, PASSES}}};
  const size_t items[] = {6, 5};
  for (unsigned i = 0; i < 2; i++) {
    int status;
    json_t *root = outcome(&plans[i], items[i], 2, &status);
    check(root, &plans[i], items[i]);
    assert_int_equal(status, i == 0 ? TOOL_DIFFERENCE : TOOL_MISSING);
    json_decref(root);
  }
}

/* A case that the machine cannot run has failed, and what it lacks reaches the list. */
static void what_is_refused_has_failed(void **state) {
  (void)state;
  struct plan plans[] = {{{PASSES, REFUSED, REFUSED, PASSES}}, {{REFUSED, REFUSED}}, {{REFUSED, FAILS}}};
  const size_t items[] = {4, 2, 2};
  for (unsigned i = 0; i < 3; i++) {
    int status;
    json_t *root = outcome(&plans[i], items[i], 2, &status);
    check(root, &plans[i], items[i]);
    assert_int_equal(status, TOOL_DIFFERENCE);
    json_decref(root);
  }
}

/* Cases that are made have no folder: another command repeats them. */
static void made_cases_are_repeated_by_their_command(void **state) {
  (void)state;
  char json[] = "/tmp/suite-XXXXXX";
  const int fd = mkstemp(json);
  assert_true(fd >= 0);
  (void)close(fd);
  struct plan p = {.kind = {PASSES, DIES}};
  struct run_options o;
  run_options_init(&o);
  o.on = ON_MODEL;
  o.json = json;
  assert_int_equal(run_options_finish(&o, "test"), TOOL_OK);
  const struct suite s = {.command = "fuzz",
                          .what = "things",
                          .again = "heddle fuzz --programs 1",
                          .run = &o,
                          .items = 2,
                          .name = name_of,
                          .one = one,
                          .ctx = &p};
  assert_int_equal(suite_run(&s), TOOL_DIFFERENCE);
  json_t *root = json_load_file(json, 0, NULL);
  (void)unlink(json);
  assert_null(json_object_get(root, "dir"));
  const json_t *dead = json_array_get(json_object_get(root, "things"), 1);
  const char *again = json_string_value(json_object_get(dead, "repeat"));
  assert_int_equal(strncmp(again, "heddle fuzz --programs 1 --only case-1 --on model ", 50), 0);
  json_decref(root);
}

static void nothing_to_run_is_an_error(void **state) {
  (void)state;
  struct plan p = {.kind = {0}};
  int status;
  assert_null(outcome(&p, 0, 1, &status));
  assert_int_equal(status, TOOL_USAGE);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_are_accounted_for), cmocka_unit_test(a_process_that_leaves_has_failed),
      cmocka_unit_test(what_is_refused_has_failed), cmocka_unit_test(made_cases_are_repeated_by_their_command),
      cmocka_unit_test(nothing_to_run_is_an_error)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
