/* SPDX-License-Identifier: Apache-2.0
 * Boards by name: what the environment says of them, what is refused with which words, what can be opened, what is
 * counted. None needs hardware. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include <heddle/host.h>
#include <heddle/program.h>
#include "tests/test.h"
#include "tests/firmware/board_host.h"

static uint64_t lanes(const char *name) {
  struct host h = host_open(name);
  uint64_t n;
  OK(heddle_device_attribute(h.device, HEDDLE_ATTRIBUTE_LANES, &n));
  host_close(&h);
  return n;
}

static void the_environment_names_a_board(void **state) {
  (void)state;
  host_environment(NULL, NULL, NULL);
  assert_int_equal(lanes(NULL), 32); /* the model as a roomy machine */
  host_environment("model:tiny", NULL, NULL);
  assert_int_equal(lanes(NULL), 4);
  assert_int_equal(lanes(""), 4);
  assert_int_equal(lanes("model:mid"), 8); /* a name wins */
  host_environment("", "", "");
  assert_int_equal(lanes(NULL), 32);
}

/* Refused with this error, in words that hold each of those. */
static void refused(const char *devices, enum heddle_error e, const char *a, const char *b) {
  const struct heddle_sim_options o = {.size = sizeof o, .devices = devices};
  struct heddle_sim *sim = NULL;
  struct heddle_message msg;
  assert_int_equal(heddle_sim_open(&o, &sim, &msg), e);
  assert_null(sim);
  if (!strstr(msg.text, a) || !strstr(msg.text, b)) fail_msg("'%s' and '%s' are not both in '%s'", a, b, msg.text);
  assert_int_equal(heddle_sim_open(&o, &sim, NULL), e);
}

static void refused_with(const char *name, const char *value, enum heddle_error e, const char *words) {
  assert_int_equal(setenv(name, value, 1), 0);
  refused(NULL, e, words, "");
  assert_int_equal(unsetenv(name), 0);
}

static void bad_values_are_refused_with_what_there_is(void **state) {
  const char *dir = *state;
  static const char *const board[] = {"paper",        "Model",         "rtl",          "lockstep:",      "lockstep:a@",
                                      "lockstep:a@0", "lockstep:a@-1", "lockstep:a@x", "lockstep:a@2@3", "lockstep:@2"};
  static const char *const seed[] = {"x", "-1", "1 ", "0x", "1e3", "18446744073709551616"};
  static const char *const stats[] = {"2", "yes", "json", "json:", "text:file"};
  for (size_t i = 0; i < sizeof board / sizeof *board; i++) {
    host_environment(board[i], NULL, NULL);
    refused(dir, HEDDLE_ERROR_INVALID_VALUE, board[i], "lockstep:NAME@N");
  }
  host_environment("paper", NULL, NULL);
  refused(dir, HEDDLE_ERROR_INVALID_VALUE, "here can be opened: model rtl:a rtl:b_bare lockstep:a systemc:c",
          "rtl:NAME");
  host_environment("rtl:nobody", NULL, NULL);
  refused(dir, HEDDLE_ERROR_NO_DEVICE, "nobody is not built", "here can be opened: model rtl:a");
  host_environment("lockstep:nobody@3", NULL, NULL);
  refused(dir, HEDDLE_ERROR_NO_DEVICE, "nobody is not built", "lockstep:a");
  host_environment("model:nobody", NULL, NULL);
  refused(dir, HEDDLE_ERROR_NOT_FOUND, "'nobody'", " tiny");
  for (size_t i = 0; i < sizeof seed / sizeof *seed; i++) {
    host_environment("model", seed[i], NULL);
    refused(dir, HEDDLE_ERROR_INVALID_VALUE, "HEDDLE_SEED is '", "a number from 0");
  }
  for (size_t i = 0; i < sizeof stats / sizeof *stats; i++) {
    host_environment("model", NULL, stats[i]);
    refused(dir, HEDDLE_ERROR_INVALID_VALUE, "HEDDLE_STATS is '", "json:FILE");
  }
  host_environment("model", NULL, NULL);
  refused_with("HEDDLE_UNDEFINED", "one", HEDDLE_ERROR_INVALID_VALUE, "stop");
  refused_with("HEDDLE_PAD", "1048577", HEDDLE_ERROR_INVALID_VALUE, "at most 1048576");
  refused_with("HEDDLE_LIMIT", "0", HEDDLE_ERROR_INVALID_VALUE, "cycles");
  refused_with("HEDDLE_PAD", "x", HEDDLE_ERROR_INVALID_VALUE, "bytes");
  refused_with("HEDDLE_RECORD", "/nowhere/at/all", HEDDLE_ERROR_FILE, "/nowhere/at/all cannot be made");
  refused_with("HEDDLE_CAPSULE", "/dev/null/in", HEDDLE_ERROR_FILE, "/dev/null/in");
  host_environment("model", NULL, "json:/nowhere/at/all");
  refused(dir, HEDDLE_ERROR_FILE, "HEDDLE_STATS", "/nowhere/at/all");
}

static void join(void *ctx, const char *name) {
  char *all = ctx;
  snprintf(all + strlen(all), 200 - strlen(all), "%s,", name);
}

static void what_can_be_opened_has_a_list(void **state) {
  char all[200] = "";
  heddle_sim_names(*state, join, all);
  assert_string_equal(all, "model,rtl:a,rtl:b_bare,lockstep:a,systemc:c,");
  all[0] = '\0';
  heddle_sim_names("/nowhere/at/all", join, all);
  assert_string_equal(all, "model,");
}

static json_int_t figure(json_t *j, const char *name) {
  const json_t *n = json_object_get(j, name);
  if (!json_is_integer(n)) fail_msg("no number '%s'", name);
  return json_integer_value(n);
}

static const char *word(const json_t *each, size_t i, const char *key) {
  const char *text = json_string_value(json_object_get(json_array_get(each, i), key));
  return text ? text : "";
}

/* Of 0, 1 and 2 filled in, a trap, one that was given up. Equal memory has equal digests, other memory others. */
static void each_launch_is_told(const json_t *each) {
  static const char *const kernel[] = {"fill", "fill", "fill", "constant", "forever"};
  static const char *const end[] = {"done", "done", "done", "trapped", "too long"};
  assert_int_equal(json_array_size(each), 5);
  for (size_t i = 0; i < 5; i++) {
    assert_string_equal(word(each, i, "kernel"), kernel[i]);
    assert_string_equal(word(each, i, "end"), end[i]);
    assert_int_equal(word(each, i, "digest")[0] != '\0', i < 3);
    assert_int_equal(word(each, i, "why")[0] != '\0', i >= 3);
  }
  assert_string_not_equal(word(each, 0, "digest"), word(each, 1, "digest"));
  assert_non_null(strstr(word(each, 3, "why"), "trap out_of_range at constant+"));
}

static void launches_are_counted(void **state) {
  const char *dir = *state;
  char path[300], stats[320];
  json_error_t why;
  snprintf(path, sizeof path, "%s/stats.json", dir);
  snprintf(stats, sizeof stats, "json:%s", path);
  host_environment("model:tiny", "0x10", stats);
  struct host h = host_open(NULL);
  for (uint32_t i = 0; i < 3; i++) OK(host_fill(&h, i));
  uint64_t nowhere = 0;
  OK(heddle_function_launch(host_function(&h, "constant"), (struct heddle_size){1, 1, 1}, (struct heddle_size){1, 1, 1},
                            0, (void *[]){&nowhere}));
  assert_int_equal(heddle_synchronize(h.context, 1000), HEDDLE_ERROR_TRAPPED);
  OK(heddle_function_launch(host_function(&h, "forever"), (struct heddle_size){1, 1, 1}, (struct heddle_size){1, 1, 1},
                            0, NULL));
  OK(heddle_abort(h.context)); /* before time has passed: it has issued nothing */
  host_close(&h);
  json_t *j = json_load_file(path, 0, &why);
  if (!j) fail_msg("%s", why.text);
  assert_string_equal(json_string_value(json_object_get(j, "board")), "model:tiny");
  assert_int_equal(figure(j, "seed"), 16);
  assert_int_equal(figure(j, "launches"), 5);
  assert_int_equal(figure(j, "trapped"), 1);
  assert_int_equal(figure(j, "refused"), 0);
  assert_int_equal(figure(j, "failed"), 0);
  assert_int_equal(figure(j, "instructions"), 3 * 6 * 9 + 3); /* of `constant` three before its store, which traps */
  assert_int_equal(figure(j, "cycles"), figure(j, "instructions"));
  assert_int_equal(figure(json_object_get(j, "counters"), "issued"), figure(j, "instructions"));
  each_launch_is_told(json_object_get(j, "each"));
  json_decref(j);
}

static void must_say(const struct host *h, const char *words) {
  if (!strstr(heddle_context_message(h->context), words)) fail_msg("%s", heddle_context_message(h->context));
}

static void launch_one(const struct host *h, const char *name) {
  OK(heddle_function_launch(host_function(h, name), (struct heddle_size){1, 1, 1}, (struct heddle_size){1, 1, 1}, 0,
                            NULL));
}

/* `forever` counts, and gets on; `spin` comes back to the same state again and again. */
static void a_launch_has_as_long_as_it_takes(void **state) {
  (void)state;
  host_environment("model", NULL, NULL);
  struct host h = host_open(NULL);
  launch_one(&h, "forever");
  assert_int_equal(heddle_wait(h.context, 10), HEDDLE_ERROR_NOT_READY);
  assert_int_equal(heddle_synchronize(h.context, 20), HEDDLE_ERROR_TIMEOUT);
  must_say(&h, "forever: not finished after 20 ms");
  uint64_t insns = 0;
  const char *so_far = heddle_sim_diagnosis(h.sim);
  assert_int_equal(sscanf(so_far, "%" SCNu64 " warp instructions so far\nblock (0,0,0) warp 0", &insns), 1);
  assert_in_range(insns, 2000000, 2000000 + (1 << 18) + 1000); /* one a cycle, and what it runs ahead */
  OK(heddle_abort(h.context));
  assert_string_equal(heddle_sim_diagnosis(h.sim), "");
  launch_one(&h, "spin");
  assert_int_equal(heddle_synchronize(h.context, HEDDLE_FOREVER), HEDDLE_ERROR_LIMIT);
  must_say(&h, "spin: deadlock: no warp can go on; each spins");
  OK(host_fill(&h, 2));
  OK(heddle_wait(h.context, 10));
  host_close(&h);
}

static void a_limit_ends_a_launch(void **state) {
  (void)state;
  host_environment("model", NULL, NULL);
  assert_int_equal(setenv("HEDDLE_LIMIT", "54", 1), 0);
  struct host h = host_open(NULL);
  OK(host_fill(&h, 1)); /* 6 warps of 9 */
  launch_one(&h, "forever");
  assert_int_equal(heddle_synchronize(h.context, 1000), HEDDLE_ERROR_LIMIT);
  must_say(&h, "forever: not finished after 54 warp instructions, the limit of HEDDLE_LIMIT");
  OK(host_fill(&h, 2));
  host_close(&h);
  assert_int_equal(unsetenv("HEDDLE_LIMIT"), 0);
}

/* Launches and allocations as a port that looks on is told of them; the real board is behind it. */
static char heard[1000];

static void add(const char *words, const char *more) {
  snprintf(heard + strlen(heard), sizeof heard - strlen(heard), "%s %s; ", words, more);
}

static void hears_program(void *self, const struct heddle_program *p, const char *ptx, size_t bytes) {
  (void)self, (void)p, (void)bytes;
  add("program", ptx ? "comes" : "goes");
}

static void hears_memory(void *self, uint64_t at, uint64_t bytes, const void *caller) {
  (void)self;
  if (bytes > 0) assert_true(at != 0 && caller != NULL);
  add("memory", bytes > 0 ? "taken" : "given");
}

static bool tells_nothing(void *self, uint64_t at, char *text, size_t bytes) {
  (void)self, (void)at, (void)text, (void)bytes;
  return false;
}

static void hears_begin(void *self, const struct heddle_seen_launch *l) {
  uint64_t out;
  (void)self;
  memcpy(&out, l->params[0], sizeof out);
  assert_int_equal(l->registers->grid[0], 3);
  assert_true(l->registers->region_base[0] <= out && out < l->registers->region_limit[0]);
  add("begins", l->kernel->name);
}

static void hears_end(void *self, const char *kernel, enum heddle_error e, const char *words) {
  (void)self;
  assert_int_equal(words[0] == '\0', e == HEDDLE_SUCCESS);
  add(kernel, heddle_error_text(e));
}

static void the_driver_says_what_it_does(void **state) {
  (void)state;
  static const struct heddle_watch watch = {.size = sizeof watch,
                                            .compiled = hears_program,
                                            .allocated = hears_memory,
                                            .allocator = tells_nothing,
                                            .begins = hears_begin,
                                            .ends = hears_end};
  host_environment("model:tiny", NULL, NULL);
  struct host h = host_open(NULL), on = h;
  struct heddle_port port = *heddle_sim_port(h.sim);
  uint64_t more;
  port.watch = &watch;
  heddle_context_destroy(h.context);
  heddle_shutdown(h.system);
  host_over(&on, &port);
  heard[0] = '\0';
  OK(host_fill(&on, 1));
  assert_int_equal(heddle_function_launch(host_function(&on, "wide"), (struct heddle_size){3, 1, 1},
                                          (struct heddle_size){256, 1, 1}, 0, NULL),
                   HEDDLE_ERROR_LAUNCH_LIMITS);
  OK(heddle_mem_alloc(on.context, 8, &more));
  OK(heddle_mem_free(on.context, more));
  host_close(&on);
  assert_string_equal(heard, "begins fill; fill success; wide a block needs more than the device has; memory taken; "
                             "memory given; program goes; memory given; ");
}

/* A folder of files that could be devices, and some that could not. */
static char folder[] = "/tmp/boards-XXXXXX";
static const char *const file[] = {"verilator_a.so",  "verilator_b_bare.so", "systemc_c.so", "verilator_.so",
                                   "verilator_d.txt", "verilatore.so",       "stats.json"};

static int make_folder(void **state) {
  char path[300];
  if (!mkdtemp(folder)) return -1;
  for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, file[i]);
    FILE *f = fopen(path, "w");
    if (!f) return -1;
    (void)fclose(f);
  }
  *state = folder;
  return 0;
}

static int remove_folder(void **state) {
  char path[300];
  (void)state;
  for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, file[i]);
    (void)unlink(path);
  }
  return rmdir(folder);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_environment_names_a_board),    cmocka_unit_test(bad_values_are_refused_with_what_there_is),
      cmocka_unit_test(what_can_be_opened_has_a_list),    cmocka_unit_test(launches_are_counted),
      cmocka_unit_test(a_launch_has_as_long_as_it_takes), cmocka_unit_test(a_limit_ends_a_launch),
      cmocka_unit_test(the_driver_says_what_it_does),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
