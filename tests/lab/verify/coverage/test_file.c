/* SPDX-License-Identifier: Apache-2.0
 *
 * Databases and exclusions: names and bins, merging, files that are not to be trusted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <inttypes.h>
#include <jansson.h>
#include "lab/verify/coverage/cov.h"
#include "lab/verify/coverage/internal.h"
#include "tests/test.h"

static char scratch_dir[64];

static inline int scratch_make(void **state) {
  (void)state;
  strcpy(scratch_dir, "/tmp/coverage-test-XXXXXX");
  return mkdtemp(scratch_dir) == NULL;
}

static inline int scratch_drop(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", scratch_dir);
  return system(command);
}

static inline const char *scratch(const char *name) {
  static char path[4][128];
  static unsigned next;
  next = (next + 1) % 4;
  snprintf(path[next], sizeof path[next], "%s/%s", scratch_dir, name);
  return path[next];
}

static inline void scratch_write(const char *name, const char *text, size_t bytes) {
  FILE *f = fopen(scratch(name), "w");
  assert_non_null(f);
  assert_int_equal(fwrite(text, 1, bytes, f), bytes);
  assert_int_equal(fclose(f), 0);
}

/* A whole file, with a zero after it. */
static inline char *scratch_read(const char *name, size_t *bytes) {
  FILE *f = fopen(scratch(name), "r");
  assert_non_null(f);
  char *text = malloc(1 << 22);
  assert_non_null(text);
  *bytes = fread(text, 1, (1 << 22) - 1, f);
  text[*bytes] = '\0';
  fclose(f);
  return text;
}

/* Exclusions: a reason each, of bins that exist; one that was hit is reported, and so is what cannot be. */

static struct cov_exclusions *read_text(const struct cov *c, const char *text, char err[256]) {
  scratch_write("x", text, strlen(text));
  return cov_exclusions_read(scratch("x"), c, err, 256);
}

static void test_lines(void **state) {
  (void)state;
  char err[256];
  struct cov *c = cov_new(heddle_config_find("tiny"));
  struct cov_exclusions *x =
      read_text(c, "# nothing\n\ntrap bus_error * # no errors\nshared store ? 1 # as said\n", err);
  if (x == NULL) fail_msg("%s", err);
  uint32_t bin = 0;
  assert_true(cov_bin_find(c, G_TRAP, "bus_error load", &bin));
  assert_string_equal(cov_excluded(x, G_TRAP, bin), "no errors");
  assert_true(cov_bin_find(c, G_TRAP, "illegal_instruction load", &bin));
  assert_null(cov_excluded(x, G_TRAP, bin));
  assert_true(cov_bin_find(c, G_SHARED, "store 4 1", &bin));
  assert_string_equal(cov_excluded(x, G_SHARED, bin), "as said");
  assert_true(cov_bin_find(c, G_SHARED, "store 16 1", &bin));
  assert_null(cov_excluded(x, G_SHARED, bin));
  assert_int_equal(cov_sum(c, x, G_TRAP).excluded, FLIGHTS);
  assert_int_equal(cov_sum(c, x, G_TRAP).asked + FLIGHTS, cov_sum(c, NULL, G_TRAP).asked);
  cov_exclusions_free(x);
  cov_free(c);
}

static void test_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *why;
  } bad[] = {
      {"trap bus_error *\n", "a reason is needed"},  {"trap bus_error * #\n", "a reason is needed"},
      {"trip bus_error * # why\n", "no such group"}, {"trap bus_error # why\n", "a value is needed"},
      {"trap a b c # why\n", "a value is needed"},   {"trap a b c d e f g # why\n", "a value is needed"},
      {"\n\nfoo # why\n", ":3: no such group"},
  };
  char err[256];
  struct cov *c = cov_new(heddle_config_find("tiny"));
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_null(read_text(c, bad[i].text, err));
    if (strstr(err, bad[i].why) == NULL) fail_msg("'%s' does not say '%s'", err, bad[i].why);
  }
  assert_null(cov_exclusions_read(scratch("absent"), c, err, sizeof err));
  cov_free(c);
}

static void test_stale(void **state) {
  (void)state;
  char err[256], text[512] = "";
  struct cov *c = cov_new(heddle_config_find("tiny"));
  struct cov_exclusions *x = read_text(c, "\ntrap bus_error * # no errors\n", err);
  uint32_t bin = 0;
  assert_non_null(x);
  assert_int_equal(cov_stale(c, x, NULL), 0);
  assert_true(cov_bin_find(c, G_TRAP, "bus_error load", &bin));
  bin_add(&c->group[G_TRAP], bin, 4);
  FILE *sink = fmemopen(text, sizeof text, "w");
  assert_int_equal(cov_stale(c, x, sink), 1);
  fclose(sink);
  assert_non_null(strstr(text, "trap bus_error load: hit 4 times"));
  assert_non_null(strstr(text, "x:2 excludes it: no errors"));
  assert_int_equal(cov_stale(c, NULL, NULL), 0);
  assert_true(cov_bin_find(c, G_ORDER, "load store instruction line", &bin)); /* impossible */
  bin_add(&c->group[G_ORDER], bin, 1);
  assert_int_equal(cov_stale(c, NULL, NULL), 1);
  cov_exclusions_free(x);
  cov_free(c);
}

/* The file of this tree: every line says something of some machine. */
static void test_own(void **state) {
  (void)state;
  char err[256];
  bool all = false;
  for (size_t i = 0; i < heddle_config_count(); i++) {
    struct cov *c = cov_new(heddle_config_at(i));
    struct cov_exclusions *x = cov_exclusions_read(EXCLUSIONS, c, err, sizeof err);
    if (x == NULL) fail_msg("%s", err);
    all = all || cov_exclusions_idle(x) == 0;
    cov_exclusions_free(x);
    cov_free(c);
  }
  assert_true(all);
}

/* Databases: names and bins, merging, files that are not to be trusted. */

static const struct heddle_config *tiny(void) {
  return heddle_config_find("tiny");
}

/* Every `step`-th bin of each group that can be hit, `n` times. */
static struct cov *filled(unsigned step, uint32_t n) {
  struct cov *c = cov_new(tiny());
  assert_non_null(c);
  c->launches = step;
  c->alone = step < 5 ? step : 5;
  for (unsigned g = 0; g < cov_groups(c); g++)
    for (uint32_t b = 0; b < cov_bins(c, g); b += step) bin_add(&c->group[g], b, n);
  return c;
}

static bool same(const struct cov *a, const struct cov *b) {
  bool equal = cov_launches(a) == cov_launches(b) && cov_alone(a) == cov_alone(b);
  for (unsigned g = 0; g < cov_groups(a); g++)
    for (uint32_t i = 0; i < cov_bins(a, g); i++) equal = equal && cov_count(a, g, i) == cov_count(b, g, i);
  return equal;
}

/* Has the machine what the group is of? */
static bool has(const struct heddle_config *m, unsigned group) {
  if (group == G_COPY || group == G_AWAIT) return (m->pipes & HEDDLE_PIPE_ASYNC) != 0;
  return group < G_LOOKUP || m->l1_bytes != 0;
}

/* Every bin of every machine has a name of its own, and is found by it. */
static void test_names(void **state) {
  (void)state;
  for (size_t i = 0; i < heddle_config_count(); i++) {
    struct cov *c = cov_new(heddle_config_at(i));
    char name[COV_BIN_BYTES];
    assert_non_null(c);
    for (unsigned g = 0; g < cov_groups(c); g++) {
      uint32_t found = 0, asked = 0;
      for (uint32_t b = 0; b < cov_bins(c, g); b++) {
        if (!cov_bin_find(c, g, cov_bin_name(c, g, b, name), &found) || found != b)
          fail_msg("%s: %s %s", cov_machine(c)->name, cov_group_name(c, g), name);
        asked += cov_never(c, g, b) == NULL;
      }
      assert_int_equal(asked > 0, has(cov_machine(c), g));
      assert_true(strlen(cov_group_what(c, g)) > 20);
    }
    cov_free(c);
  }
}

static bool is_never(const char *machine, const char *group, const char *name) {
  struct cov *c = cov_new(heddle_config_find(machine));
  uint32_t bin = 0;
  const unsigned g = cov_group_find(c, group);
  if (!cov_bin_find(c, g, name, &bin)) fail_msg("%s has no %s %s", machine, group, name);
  const bool never = cov_never(c, g, bin) != NULL;
  cov_free(c);
  return never;
}

/* Queues that something else keeps from being full, on the machines where it does. */
static void test_never_full(void **state) {
  (void)state;
  assert_true(is_never("tiny", "queue", "track.order full"));
  assert_true(is_never("sm", "queue", "order.write full"));
  assert_false(is_never("tiny", "queue", "track.order some"));
  assert_false(is_never("tiny", "queue", "line.tags full"));
  assert_true(is_never("tiny", "queue", "icache.parked full"));
  assert_false(is_never("fpga", "queue", "icache.parked full"));
  assert_true(is_never("tiny", "queue", "icache.lines some"));
  assert_false(is_never("fpga", "queue", "icache.lines some"));
  assert_true(is_never("fpga", "queue", "dep.counters full"));
  assert_false(is_never("wide", "queue", "dep.counters full"));
}

static bool has_value(const char *machine, const char *group, const char *value) {
  struct cov *c = cov_new(heddle_config_find(machine));
  const unsigned g = cov_group_find(c, group);
  bool found = false;
  for (unsigned v = 0; v < cov_values(c, g, 0); v++) found = found || strcmp(cov_value(c, g, 0, v), value) == 0;
  cov_free(c);
  return found;
}

/* What a machine does not have is not asked of it. */
static void test_machines(void **state) {
  (void)state;
  assert_true(has_value("tiny", "form", "FFMA/RRR/rnd=.RZ"));
  assert_false(has_value("tiny", "form", "DFMA/RRR/-"));
  assert_true(has_value("duo", "form", "DFMA/RRR/-"));
  assert_false(has_value("duo", "form", "HMMA.16816.F32/RRR/-"));
  assert_true(has_value("sm", "form", "HMMA.16816.F32/RRR/-"));
  assert_false(has_value("tiny", "form", "ATOMS/AT/aop=.ADD.F32"));
  assert_false(has_value("tiny", "form", "F2F/R/fdst=.F64"));
  assert_true(has_value("duo", "form", "F2F/R/fdst=.F64"));
  assert_false(has_value("tiny", "number", "MUFU.b/F32"));
  assert_false(has_value("tiny", "number", "F2F.b/F64"));
  assert_true(has_value("duo", "number", "F2F.b/F64"));
  assert_false(has_value("tiny", "hazard", "uni"));
}

static void test_round_trip(void **state) {
  (void)state;
  char err[256];
  struct cov *a = filled(7, 3);
  assert_true(cov_write(a, scratch("a"), err, sizeof err));
  struct cov *b = cov_read(scratch("a"), NULL, err, sizeof err);
  if (b == NULL) fail_msg("%s", err);
  assert_true(same(a, b));
  assert_ptr_equal(cov_machine(b), tiny());
  cov_free(a);
  cov_free(b);
}

static void test_merge(void **state) {
  (void)state;
  char err[256];
  struct cov *ab = filled(3, 5), *ba = filled(7, 2), *a = filled(3, 5), *b = filled(7, 2);
  assert_true(cov_merge(ab, b, err, sizeof err) && cov_merge(ba, a, err, sizeof err));
  assert_true(same(ab, ba)); /* in any order */
  assert_int_equal(cov_count(ab, G_FORM, 21), 7);
  assert_int_equal(cov_count(ab, G_FORM, 3), 5);
  assert_int_equal(cov_count(ab, G_FORM, 7), 2);
  assert_int_equal(cov_count(ab, G_FORM, 1), 0);
  struct cov *left = filled(2, 40000), *right = filled(2, 40000), *more = filled(5, 30000);
  assert_true(cov_merge(left, right, err, sizeof err) && cov_merge(left, more, err, sizeof err));
  assert_true(cov_merge(more, right, err, sizeof err) && cov_merge(more, right, err, sizeof err));
  assert_true(same(left, more)); /* also where counts stop */
  assert_int_equal(cov_count(left, G_FORM, 2), COV_MOST);
  left->launches = 0;
  struct cov *full = filled(2, COV_MOST), *again = filled(2, COV_MOST);
  full->launches = again->launches = full->alone = again->alone = 0;
  assert_true(cov_merge(full, again, err, sizeof err));
  assert_true(same(full, again)); /* a copy adds nothing to counts at their limit */
  struct cov *fpga = cov_new(heddle_config_find("fpga"));
  assert_false(cov_merge(full, fpga, err, sizeof err));
  assert_non_null(strstr(err, "fpga"));
  struct cov *all[] = {ab, ba, a, b, left, right, more, full, again, fpga};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) cov_free(all[i]);
}

/* As several processes do: the file ends with the sum. */
static void test_add_to_file(void **state) {
  (void)state;
  char err[256];
  struct cov *a = filled(3, 1);
  unlink(scratch("sum"));
  for (unsigned i = 0; i < 3; i++)
    if (!cov_add_to_file(a, scratch("sum"), err, sizeof err)) fail_msg("%s", err);
  struct cov *sum = cov_read(scratch("sum"), tiny(), err, sizeof err);
  assert_non_null(sum);
  assert_int_equal(cov_count(sum, G_HAZARD, 3), 3);
  assert_int_equal(cov_launches(sum), 9);
  assert_int_equal(cov_alone(sum), 9);
  assert_false(cov_add_to_file(a, scratch("no/such/folder"), err, sizeof err));
  cov_free(a);
  cov_free(sum);
}

static void refuse(const char *text, size_t bytes, const char *why) {
  char err[512] = "";
  scratch_write("bad", text, bytes);
  struct cov *c = cov_read(scratch("bad"), NULL, err, sizeof err);
  if (c != NULL) fail_msg("taken: %.60s", text);
  if (strstr(err, why) == NULL || strstr(err, "bad:") == NULL) fail_msg("'%s' does not say '%s'", err, why);
}

/* `from` once replaced by `to`. */
static void refuse_with(const char *text, const char *from, const char *to, const char *why) {
  char *made = malloc(strlen(text) + strlen(to) + 1);
  const char *at = strstr(text, from);
  assert_non_null(at);
  assert_non_null(made);
  sprintf(made, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  refuse(made, strlen(made), why);
  free(made);
}

static void test_hostile(void **state) {
  (void)state;
  char err[512];
  size_t bytes;
  struct cov *c = filled(97, 2), *empty = cov_new(tiny());
  assert_true(cov_write(c, scratch("c"), err, sizeof err) && cov_write(empty, scratch("e"), err, sizeof err));
  char *text = scratch_read("e", &bytes);
  for (size_t cut = 0; cut < bytes; cut++) refuse(text, cut, ""); /* any part of a file is none */
  free(text);
  text = scratch_read("c", &bytes);
  refuse_with(text, "heddle-coverage 7", "heddle-coverage 8", "version 8");
  refuse_with(text, "heddle-coverage", "coverage", "no coverage database");
  refuse_with(text, "isa 0x", "isa 0xf0", "");
  refuse_with(text, "isa 0x", "isa 0", "expected 'isa");
  refuse_with(text, "machine tiny", "machine huge", "not built");
  refuse_with(text, "machine tiny", "machine fpga", "another configuration");
  refuse_with(text, "machine tiny", "machine %s%n", "expected 'machine");
  refuse_with(text, "launches 97", "launches -1", "launches");
  refuse_with(text, "launches 97", "launches 99999999999999999999999", "launches");
  refuse_with(text, "launches 97 5\n", "launches 97 98\n", "at most N");
  refuse_with(text, "launches 97 5\n", "launches 97\n", "launches N ALONE");
  refuse_with(text, "launches 97 5\n", "launches 97 5 5\n", "launches N ALONE");
  refuse_with(text, "group form ", "group form 1", "another version");
  refuse_with(text, "group form ", "group foam ", "unknown");
  refuse_with(text, "group code ", "group hazard ", "out of order");
  refuse_with(text, "\n2 ", "\n0 ", "expected a count");
  refuse_with(text, "\n2 ", "\n65536 ", "expected a count");
  refuse_with(text, "\n2 ", "\n2 x", "no bin");
  refuse_with(text, "\n2 ", "\n\n2 ", "expected 'group");
  refuse_with(text, "\nend\n", "\n", "ends early");
  refuse_with(text, "\nend\n", "\nend\nend\n", "something follows");
  refuse("", 0, "ends early");
  refuse("\0\0\0\n", 4, "");
  char *line = memset(malloc(100000), 'x', 100000);
  refuse(line, 100000, "longer than");
  free(line);
  const char *first = strstr(text, "\n2 ") + 1, *end = strchr(first, '\n') + 1;
  char *twice = malloc(bytes + 400);
  sprintf(twice, "%.*s%.*s%s", (int)(end - text), text, (int)(end - first), first, end);
  refuse(twice, strlen(twice), "twice");
  free(twice);
  free(text);
  cov_free(c);
  cov_free(empty);
  assert_null(cov_read(scratch("absent"), NULL, err, sizeof err));
}

/* One byte of a good file turned: refused, or another good file; never worse. */
static void test_flips(void **state) {
  (void)state;
  char err[512];
  size_t bytes;
  unsigned refused = 0;
  struct cov *c = filled(997, 9);
  assert_true(cov_write(c, scratch("c"), err, sizeof err));
  cov_free(c);
  char *text = scratch_read("c", &bytes);
  for (size_t i = 0; i < 600; i++) {
    const size_t at = i * 7919 % bytes;
    const char was = text[at];
    text[at] = (char)(was ^ (char)(1u << i % 8));
    scratch_write("flip", text, bytes);
    struct cov *got = cov_read(scratch("flip"), NULL, err, sizeof err);
    refused += got == NULL;
    cov_free(got);
    text[at] = was;
  }
  free(text);
  assert_true(refused > 400);
}

static void test_queues(void **state) {
  (void)state;
  static const char good[] =
      "# SystemC::Coverage-3\n"
      "C '\001f\002x.sv\001o\002full\001h\002heddle.heddle_gpu.u_order.u_read.u_ar.u_cover.full' 17\n"
      "C '\001f\002x.sv\001o\002full\001h\002heddle.heddle_gpu.u_order.u_read.u_ar.u_cover.full' 3\n"
      "C '\001f\002x.sv\001o\002line\001h\002heddle.heddle_gpu.u_order.u_read' 17\n"
      "C '\001o\002full\001h\002u_elsewhere.u_cover' 17\n"
      "C garbage\nC '\001o\002full\n";
  char err[256];
  uint32_t bin = 0;
  struct cov *c = cov_new(tiny());
  scratch_write("q", good, sizeof good - 1);
  assert_true(cov_add_queues(c, scratch("q"), err, sizeof err));
  assert_true(cov_bin_find(c, G_QUEUE, "axi.ar full", &bin));
  assert_int_equal(cov_count(c, G_QUEUE, bin), 20);
  assert_int_equal(cov_sum(c, NULL, G_QUEUE).hit, 1);
  scratch_write("q", "nothing\n", 8);
  assert_false(cov_add_queues(c, scratch("q"), err, sizeof err));
  assert_false(cov_add_queues(c, scratch("absent"), err, sizeof err));
  cov_free(c);
}

/* Nothing was hit: every percentage is 0 (100 where nothing is asked for), every bin that is asked for is a hole. */
static void test_empty_report(void **state) {
  (void)state;
  struct cov *c = cov_new(tiny());
  json_t *j = cov_report_json(c, NULL), *g;
  size_t i;
  json_array_foreach(json_object_get(j, "groups"), i, g) {
    assert_int_equal(json_integer_value(json_object_get(g, "hit")), 0);
    assert_true(json_real_value(json_object_get(g, "percent")) == (has(tiny(), (unsigned)i) ? 0 : 100));
    assert_int_equal(json_array_size(json_object_get(g, "holes")), json_integer_value(json_object_get(g, "asked")));
    assert_int_equal(json_array_size(json_object_get(g, "holes")) > 0, has(tiny(), (unsigned)i));
  }
  assert_int_equal(i, cov_groups(c));
  json_decref(j);
  assert_int_equal(cov_stale(c, NULL, NULL), 0);
  cov_free(c);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lines),       cmocka_unit_test(test_refused),     cmocka_unit_test(test_stale),
      cmocka_unit_test(test_own),         cmocka_unit_test(test_names),       cmocka_unit_test(test_never_full),
      cmocka_unit_test(test_machines),    cmocka_unit_test(test_round_trip),  cmocka_unit_test(test_merge),
      cmocka_unit_test(test_add_to_file), cmocka_unit_test(test_hostile),     cmocka_unit_test(test_flips),
      cmocka_unit_test(test_queues),      cmocka_unit_test(test_empty_report)};
  return cmocka_run_group_tests(tests, scratch_make, scratch_drop);
}
