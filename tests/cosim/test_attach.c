/* SPDX-License-Identifier: Apache-2.0
 *
 * The plain interface: a core that is fed record by record, launch by launch, and each way to use it wrongly.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/test.h"
#include "cosim/kit/conform/fake.h"
#include <heddle/attach.h>
#include <heddle/trace.h>
#include "cosim/kit/conform/programs.h"

static const struct fake_config machine = {8, 16, 3, 5, 0};
static const struct heddle_core core = {.size = sizeof core,
                                        .name = "fake",
                                        .lanes = 8,
                                        .warp_slots = 16,
                                        .block_slots = 3,
                                        .partitions = FAKE_PARTITIONS,
                                        .shared_bytes = 8192,
                                        .regs = FAKE_REGS,
                                        .register_banks = FAKE_BANKS};
static char path[64];

/* A file of two launches, the second from the memory that the first one leaves; what a core shows of each. */
struct run {
  struct fake_program p;
  struct stream s;
  uint8_t before[FAKE_BYTES], after[FAKE_BYTES];
};

static void make(struct run *r) {
  const struct heddle_trace_header h = {.size = sizeof h,
                                        .isa_hash = heddle_isa_hash(),
                                        .lanes = 8,
                                        .warp_slots = 16,
                                        .block_slots = 3,
                                        .shared_bytes = 8192,
                                        .config = "fake"};
  struct heddle_message msg;
  snprintf(path, sizeof path, "attach-%ld.launch", (long)getpid());
  fake_assemble(&r->p, program_mix, 4, 64);
  r->s = (struct stream){0};
  fake_run(&r->p, &machine, &r->s, r->after);
  fake_fill(r->before);
  struct heddle_trace_writer *w;
  assert_int_equal(heddle_trace_create(path, &h, &w, &msg), HEDDLE_SUCCESS);
  for (unsigned i = 0; i < 2; i++) /* the fake begins anew each time, as if a host had written in between */
    assert_true(heddle_trace_launch(w, &r->p.launch, FAKE_BASE, r->before, FAKE_BYTES, NULL) == HEDDLE_SUCCESS &&
                heddle_trace_launch_end(w, r->after, 0, NULL) == HEDDLE_SUCCESS);
  assert_int_equal(heddle_trace_close(w, NULL), HEDDLE_SUCCESS);
}

static void drop(struct run *r) {
  stream_free(&r->s);
  fake_program_free(&r->p);
  (void)unlink(path);
}

static struct heddle_attach *attach_core(const struct heddle_core *c) {
  struct heddle_message msg;
  struct heddle_attach *a;
  if (heddle_attach_new(c, &a, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  assert_string_equal(msg.text, "");
  return a;
}

static struct heddle_attach *attach(const struct heddle_core *c) {
  struct heddle_attach *a = attach_core(c);
  assert_int_equal(heddle_attach_load(a, path, NULL), HEDDLE_SUCCESS);
  return a;
}

static bool feed(struct heddle_attach *a, const struct stream *s) {
  for (size_t i = 0; i < s->n; i++)
    if (!heddle_attach_record(a, &s->r[i])) return false;
  return true;
}

static bool one_launch(struct heddle_attach *a, struct run *r) {
  struct heddle_image image = {.size = sizeof image};
  const uint64_t end = r->s.r[r->s.n - 1].cycle;
  return heddle_attach_launch(a, &image) && feed(a, &r->s) && heddle_attach_step(a, end) && heddle_attach_ended(a) &&
         heddle_attach_memory(a, end, r->after);
}

static void expect(struct heddle_attach *a, enum heddle_verdict_kind kind, const char *const *words) {
  struct heddle_verdict v;
  heddle_attach_verdict(a, &v);
  if (v.kind != kind) fail_msg("verdict %d, not %d:\n%s", v.kind, kind, v.report);
  for (; *words != NULL; words++)
    if (strstr(v.report, *words) == NULL) fail_msg("the report lacks '%s':\n%s", *words, v.report);
  heddle_attach_free(a);
}
#define EXPECT(a, kind, ...) expect(a, HEDDLE_VERDICT_##kind, (const char *const[]){__VA_ARGS__, NULL})

static void test_passes(void **state) {
  (void)state;
  struct run r;
  struct heddle_image image = {.size = sizeof image};
  make(&r);
  struct heddle_attach *a = attach(&core);
  assert_true(one_launch(a, &r) && one_launch(a, &r));
  assert_false(heddle_attach_launch(a, &image)); /* no more */
  struct heddle_verdict v;
  heddle_attach_verdict(a, &v);
  assert_int_equal(v.launches, 2);
  assert_int_equal(v.records, 2 * r.s.n);
  assert_string_equal(v.profile, "P2");
  assert_string_equal(v.not_judged, "");
  assert_string_equal(v.difference, "");
  assert_null(heddle_attach_verdict_json(a));
  EXPECT(a, OK, "fake: ok\n", "profile P2\n");
  drop(&r);
}

/* The image is what the file says: code, constants, and where they lie. */
static void test_image(void **state) {
  (void)state;
  struct run r;
  struct heddle_image image = {.size = sizeof image};
  make(&r);
  struct heddle_attach *a = attach(&core);
  assert_true(heddle_attach_launch(a, &image));
  assert_int_equal(image.base, FAKE_BASE);
  assert_int_equal(image.bytes, FAKE_BYTES);
  assert_memory_equal(image.memory, r.before, FAKE_BYTES);
  const struct heddle_launch *l = image.launch;
  assert_int_equal(l->code_bytes, r.p.launch.code_bytes);
  assert_memory_equal(l->code, r.p.launch.code, l->code_bytes);
  assert_memory_equal(l->cbank[0], r.p.bank0, sizeof r.p.bank0);
  assert_true(l->code_at >= FAKE_BASE + FAKE_BYTES && l->cbank_at[0] >= l->code_at + l->code_bytes);
  assert_true(l->local_at >= l->cbank_at[3] && l->local_at % 512 == 0);
  EXPECT(a, UNFINISHED, "a launch was not judged to its end");
  drop(&r);
}

/* Launches that the bench makes need no file; the image says where code and constants are to lie. */
static void test_without_file(void **state) {
  (void)state;
  struct run r;
  struct heddle_image image = {.size = sizeof image};
  make(&r);
  const uint64_t end = r.s.r[r.s.n - 1].cycle;
  struct heddle_attach *a = attach_core(&core);
  for (unsigned i = 0; i < 2; i++) {
    assert_true(heddle_attach_launch_own(a, &r.p.launch, FAKE_BASE, r.before, FAKE_BYTES, &image));
    assert_ptr_equal(image.memory, r.before);
    assert_memory_equal(image.launch->code, r.p.launch.code, r.p.launch.code_bytes);
    assert_true(image.launch->code_at >= FAKE_BASE + FAKE_BYTES);
    assert_true(feed(a, &r.s) && heddle_attach_memory(a, end, r.after));
  }
  assert_false(heddle_attach_launch(a, &image)); /* of a file: there is none */
  EXPECT(a, OK, "fake: ok\n", "2 launch(es)");

  a = attach_core(&core);
  assert_true(heddle_attach_launch_own(a, &r.p.launch, FAKE_BASE, r.before, FAKE_BYTES, &image));
  assert_true(feed(a, &r.s));
  r.after[0] ^= 1;
  assert_false(heddle_attach_memory(a, end, r.after));
  EXPECT(a, DIFFERENCE, "memory");

  a = attach_core(&core);
  assert_true(heddle_attach_launch_own(a, &r.p.launch, FAKE_BASE, r.before, FAKE_BYTES, &image));
  assert_false(heddle_attach_launch_own(a, &r.p.launch, FAKE_BASE, r.before, FAKE_BYTES, &image));
  EXPECT(a, MISUSE, "a launch begins while one runs");

  a = attach(&core);
  assert_false(heddle_attach_launch_own(a, &r.p.launch, FAKE_BASE, r.before, FAKE_BYTES, &image));
  EXPECT(a, MISUSE, "from the file that was loaded, or from the bench");
  drop(&r);
}

static void test_difference(void **state) {
  (void)state;
  struct run r;
  make(&r);
  for (size_t i = 0; i < r.s.n; i++)
    if (r.s.r[i].kind == HEDDLE_RECORD_WRITE && r.s.r[i].u.write.mask != 0) {
      r.s.r[i].u.write.data[__builtin_ctz(r.s.r[i].u.write.mask)] ^= 4;
      break;
    }
  struct heddle_attach *a = attach(&core);
  assert_false(one_launch(a, &r));
  assert_false(one_launch(a, &r)); /* nothing more is judged */
  struct heddle_verdict v;
  heddle_attach_verdict(a, &v);
  assert_string_equal(v.difference, "writeback.value");
  char *json = heddle_attach_verdict_json(a);
  assert_non_null(json);
  assert_non_null(strstr(json, "\"kind\": \"writeback.value\""));
  free(json);
  EXPECT(a, DIFFERENCE, "difference: writeback.value", "history of the warp", "fake: difference: writeback.value\n");
  drop(&r);
}

static void test_memory(void **state) {
  (void)state;
  struct run r;
  make(&r);
  r.after[FAKE_BYTES / 2 + 9] ^= 1;
  struct heddle_attach *a = attach(&core);
  assert_false(one_launch(a, &r));
  EXPECT(a, DIFFERENCE, "difference: memory.final");
  drop(&r);
}

/* A launch is left out, and said to be. */
static void test_skip(void **state) {
  (void)state;
  struct run r;
  make(&r);
  struct heddle_attach *a = attach(&core);
  assert_true(heddle_attach_skip(a) && one_launch(a, &r));
  struct heddle_image image = {.size = sizeof image};
  assert_false(heddle_attach_launch(a, &image));
  EXPECT(a, OK, "  1 launch(es), ", "1 launch(es) skipped: not judged");
  drop(&r);
}

static void test_unfinished(void **state) {
  (void)state;
  struct run r;
  make(&r);
  struct heddle_attach *a = attach(&core);
  assert_true(one_launch(a, &r));
  EXPECT(a, UNFINISHED, "launches of the file are left");
  EXPECT(attach_core(&core), UNFINISHED, "nothing was launched");
  drop(&r);
}

static void test_misuse(void **state) {
  (void)state;
  struct run r;
  struct heddle_image image = {.size = sizeof image};
  make(&r);
  struct heddle_attach *a = attach(&core);
  assert_false(heddle_attach_record(a, &r.s.r[0]));
  EXPECT(a, MISUSE, "a record comes while no launch runs");
  a = attach(&core);
  assert_true(heddle_attach_launch(a, &image));
  assert_false(heddle_attach_launch(a, &image));
  EXPECT(a, MISUSE, "a launch begins while one runs");
  a = attach(&core);
  struct heddle_message msg;
  assert_int_equal(heddle_attach_load(a, path, &msg), HEDDLE_ERROR_STATE);
  assert_non_null(strstr(msg.text, "loaded already"));
  EXPECT(a, MISUSE, "loaded already");
  a = attach(&core);
  assert_false(heddle_attach_memory(a, 0, r.after));
  EXPECT(a, MISUSE, "memory comes while no launch runs");
  a = attach(&core);
  assert_true(heddle_attach_launch(a, &image));
  const uint32_t none[1] = {0};
  assert_false(heddle_attach_port(a, 0, HEDDLE_RECORD_KINDS, none, 1));
  EXPECT(a, MISUSE, "there is no such kind");
  a = attach_core(&core);
  assert_int_equal(heddle_attach_load(a, "/nonexistent", NULL), HEDDLE_ERROR_FILE);
  EXPECT(a, MISUSE, "/nonexistent");
  drop(&r);
}

/* A core that cannot be is refused with a reason. */
static void test_refuses(void **state) {
  (void)state;
  static const struct {
    size_t at;
    uint32_t value;
    const char *why;
  } wrong[] = {{offsetof(struct heddle_core, lanes), 12, "lanes are"},
               {offsetof(struct heddle_core, lanes), 64, "lanes are"},
               {offsetof(struct heddle_core, warp_slots), 65, "warp slots"},
               {offsetof(struct heddle_core, block_slots), 0, "block slots"},
               {offsetof(struct heddle_core, partitions), 17, "more partitions"},
               {offsetof(struct heddle_core, shared_banks), 12, "banks of shared memory"},
               {offsetof(struct heddle_core, shared_bytes), 1u << 24, "16 MiB"},
               {offsetof(struct heddle_core, register_banks), 3, "register banks"},
               {offsetof(struct heddle_core, sm), 1, "an SM is one"},
               {offsetof(struct heddle_core, hidden), 1u << HEDDLE_RECORD_ISSUE, "profile P0"}};
  struct heddle_message msg;
  struct heddle_attach *a;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct heddle_core c = core;
    memcpy((char *)&c + wrong[i].at, &wrong[i].value, sizeof wrong[i].value);
    assert_int_equal(heddle_attach_new(&c, &a, &msg), HEDDLE_ERROR_INVALID_VALUE);
    assert_null(a);
    if (strstr(msg.text, wrong[i].why) == NULL) fail_msg("'%s' does not say '%s'", msg.text, wrong[i].why);
  }
  struct heddle_core c = core;
  c.read_age = 15;
  assert_int_equal(heddle_attach_new(&c, &a, NULL), HEDDLE_ERROR_INVALID_VALUE);
  c.size = 0;
  assert_int_equal(heddle_attach_new(&c, &a, NULL), HEDDLE_ERROR_INVALID_VALUE);
}

/* What a core does not show is said, whatever the verdict is. */
static void test_less(void **state) {
  (void)state;
  struct run r;
  struct heddle_core c = core;
  make(&r);
  c.hidden = HEDDLE_RECORD_HIDDEN_P0;
  size_t n = 0;
  for (size_t i = 0; i < r.s.n; i++)
    if (heddle_record_shows(c.hidden, (enum heddle_record_kind)r.s.r[i].kind)) r.s.r[n++] = r.s.r[i];
  r.s.n = n;
  struct heddle_attach *a = attach(&c);
  struct heddle_image image = {.size = sizeof image};
  assert_true(one_launch(a, &r) && one_launch(a, &r) && !heddle_attach_launch(a, &image));
  EXPECT(a, OK, "profile P0; not judged: warp_start, predicate, operands, ");
  drop(&r);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_passes),       cmocka_unit_test(test_image),
                                     cmocka_unit_test(test_without_file), cmocka_unit_test(test_difference),
                                     cmocka_unit_test(test_memory),       cmocka_unit_test(test_skip),
                                     cmocka_unit_test(test_unfinished),   cmocka_unit_test(test_misuse),
                                     cmocka_unit_test(test_refuses),      cmocka_unit_test(test_less)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
