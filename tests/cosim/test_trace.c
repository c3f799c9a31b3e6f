/* SPDX-License-Identifier: Apache-2.0
 *
 * Traces: what is written is read again and judged as the live run was; cut, flipped or invented files are refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <heddle/session.h>
#include <heddle/trace.h>
#include "base/splitmix64.h"
#include "cosim/kit/conform/fake.h"
#include "cosim/kit/conform/programs.h"
#include "tests/cosim/checker/visibility_programs.h"
#include "tests/test.h"

static uint8_t before[FAKE_BYTES], after[FAKE_BYTES];
static char path[] = "/tmp/heddle_trace_XXXXXX";

static const struct fake_config machine = {8, 16, 3, 4, 0};

static struct heddle_trace_header header(void) {
  struct heddle_trace_header h = {.size = sizeof h,
                                  .isa_hash = heddle_isa_hash(),
                                  .lanes = machine.lanes,
                                  .warp_slots = machine.warp_slots,
                                  .block_slots = machine.block_slots,
                                  .shared_bytes = 8192,
                                  .config = "test",
                                  .command = "none"};
  return h;
}

/* `launches` runs of the same program; a record may be spoiled on the way. */
static void write_trace(const char *text, unsigned launches, size_t spoil) {
  struct heddle_message msg;
  const struct heddle_trace_header h = header();
  struct heddle_trace_writer *w;
  assert_int_equal(heddle_trace_create(path, &h, &w, &msg), HEDDLE_SUCCESS);
  for (unsigned k = 0; k < launches; k++) {
    struct fake_program p;
    struct stream s;
    fake_assemble(&p, text, 3, 64);
    fake_run(&p, &machine, &s, after);
    fake_fill(before);
    assert_int_equal(heddle_trace_launch(w, &p.launch, FAKE_BASE, before, FAKE_BYTES, NULL), HEDDLE_SUCCESS);
    for (size_t i = 0; i < s.n; i++) {
      if (i == spoil && s.r[i].kind == HEDDLE_RECORD_ISSUE) s.r[i].u.issue.active ^= 1;
      assert_int_equal(heddle_trace_record(w, &s.r[i], NULL), HEDDLE_SUCCESS);
    }
    assert_int_equal(heddle_trace_launch_end(w, after, s.r[s.n - 1].cycle, NULL), HEDDLE_SUCCESS);
    stream_free(&s);
    fake_program_free(&p);
  }
  assert_int_equal(heddle_trace_close(w, NULL), HEDDLE_SUCCESS);
}

/* One run, of which a record in the middle, or the end, is a cycle too early. */
static void write_falling(bool record, bool end) {
  struct heddle_message msg;
  const struct heddle_trace_header h = header();
  struct fake_program p;
  struct stream s;
  struct heddle_trace_writer *w;
  assert_int_equal(heddle_trace_create(path, &h, &w, &msg), HEDDLE_SUCCESS);
  fake_assemble(&p, program_mix, 3, 64);
  fake_run(&p, &machine, &s, after);
  fake_fill(before);
  if (record) s.r[s.n / 2].cycle -= 2;
  assert_int_equal(heddle_trace_launch(w, &p.launch, FAKE_BASE, before, FAKE_BYTES, NULL), HEDDLE_SUCCESS);
  for (size_t i = 0; i < s.n; i++) assert_int_equal(heddle_trace_record(w, &s.r[i], NULL), HEDDLE_SUCCESS);
  assert_int_equal(heddle_trace_launch_end(w, after, s.r[s.n - 1].cycle - (end ? 1 : 0), NULL), HEDDLE_SUCCESS);
  assert_int_equal(heddle_trace_close(w, NULL), HEDDLE_SUCCESS);
  stream_free(&s);
  fake_program_free(&p);
}

static enum heddle_session_outcome check(struct heddle_session_result *r) {
  return heddle_session_check_trace(path, NULL, 0, NULL, NULL, r, NULL);
}

static void test_round_trip(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  write_trace(program_mix, 2, SIZE_MAX);
  if (check(&r) != HEDDLE_SESSION_OK) fail_msg("%s", r.message);
  assert_true(r.insns > 500);
  write_trace(program_address, 1, SIZE_MAX);
  assert_int_equal(check(&r), HEDDLE_SESSION_TRAPPED);
  assert_int_equal(r.trap.cause, HEDDLE_TRAP_MISALIGNED);
}

/* Every field of every record comes back. */
static void test_records(void **state) {
  (void)state;
  struct fake_program p;
  struct stream s;
  fake_assemble(&p, program_mix, 2, 64);
  fake_run(&p, &machine, &s, NULL);
  const struct heddle_trace_header h = header();
  uint64_t last = 0;
  for (size_t i = 0; i < s.n; i++) {
    uint8_t a[HEDDLE_TRACE_RECORD_MAX], b[HEDDLE_TRACE_RECORD_MAX];
    struct heddle_retire_record back;
    const size_t n = heddle_trace_encode(&s.r[i], &h, last, a);
    assert_true(n > 0);
    assert_int_equal(heddle_trace_decode(a, n, &h, last, &back, NULL), HEDDLE_SUCCESS);
    assert_int_equal(heddle_trace_encode(&back, &h, last, b), n);
    assert_memory_equal(a, b, n);
    assert_int_equal(back.cycle, s.r[i].cycle);
    assert_int_equal(heddle_trace_decode(a, n - 1, &h, last, &back, NULL), HEDDLE_ERROR_INVALID_VALUE);
    last = s.r[i].cycle;
  }
  stream_free(&s);
  fake_program_free(&p);
}

/* What a cache shows: every bit of every field comes back. */
static void test_cache_records(void **state) {
  (void)state;
  static const enum heddle_record_kind kinds[] = {HEDDLE_RECORD_FILL,  HEDDLE_RECORD_ACK, HEDDLE_RECORD_DROP,
                                                  HEDDLE_RECORD_MERGE, HEDDLE_RECORD_HIT, HEDDLE_RECORD_FENCE};
  static const size_t bytes[] = {23, 20, 24, 22 + 4, 22 + 4, 9};
  const struct heddle_trace_header h = {.size = sizeof h, .lanes = 8};
  uint8_t a[HEDDLE_TRACE_RECORD_MAX], b[HEDDLE_TRACE_RECORD_MAX];
  for (unsigned k = 0; k < 6; k++) {
    struct heddle_retire_record r = {.kind = kinds[k], .cycle = 7}, back;
    for (size_t i = 0; i < sizeof(struct heddle_record_merge); i++) ((uint8_t *)&r.u)[i] = (uint8_t)(17 * i + 3);
    if (kinds[k] == HEDDLE_RECORD_MERGE || kinds[k] == HEDDLE_RECORD_HIT) r.u.merge.used = 4;
    const size_t n = heddle_trace_encode(&r, &h, 3, a);
    assert_int_equal(n, 12 + bytes[k]);
    assert_int_equal(heddle_trace_decode(a, n, &h, 3, &back, NULL), HEDDLE_SUCCESS);
    assert_int_equal(back.kind, r.kind);
    assert_int_equal(heddle_trace_encode(&back, &h, 3, b), n);
    assert_memory_equal(a, b, n);
    if (kinds[k] == HEDDLE_RECORD_HIT) {
      assert_int_equal(back.u.merge.number[2], r.u.merge.number[2]);
      assert_int_equal(back.u.merge.number[1], 0);
    }
  }
}

static void test_difference(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  struct fake_program p;
  struct stream s;
  fake_assemble(&p, program_mix, 3, 64);
  fake_run(&p, &machine, &s, NULL);
  size_t i = s.n / 2;
  while (s.r[i].kind != HEDDLE_RECORD_ISSUE) i++;
  stream_free(&s);
  write_trace(program_mix, 1, i);
  assert_int_equal(check(&r), HEDDLE_SESSION_DIFFERENCE);
  assert_int_equal(r.difference.kind, HEDDLE_CHECKER_ISSUE_ACTIVE);
  /* a trace of another program is refused */
  write_trace(program_mix, 1, SIZE_MAX);
  assert_int_equal(heddle_session_check_trace(path, p.launch.code, p.launch.code_bytes, NULL, NULL, &r, NULL),
                   HEDDLE_SESSION_OK);
  assert_int_equal(heddle_session_check_trace(path, p.launch.code, p.launch.code_bytes - 16, NULL, NULL, &r, NULL),
                   HEDDLE_SESSION_REFUSED);
  fake_program_free(&p);
}

/* Time that falls is told by a trace as it was, and is a difference; so is an end before the last record. */
static void test_falls(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  for (unsigned k = 0; k < 2; k++) {
    write_falling(k == 0, k == 1);
    assert_int_equal(check(&r), HEDDLE_SESSION_DIFFERENCE);
    assert_int_equal(r.difference.kind, HEDDLE_CHECKER_RECORD_FORM);
    assert_string_equal(r.difference.subject, "cycle");
  }
  write_falling(false, false);
  assert_int_equal(check(&r), HEDDLE_SESSION_OK);
}

static uint8_t *slurp(long *n) {
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  *n = ftell(f);
  rewind(f);
  uint8_t *p = malloc((size_t)*n + 1);
  assert_int_equal(fread(p, 1, (size_t)*n, f), *n);
  fclose(f);
  return p;
}

static void spill(const uint8_t *p, size_t n) {
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(p, 1, n, f), n);
  fclose(f);
}

static void test_cut(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  long n;
  write_trace(program_undefined, 1, SIZE_MAX);
  uint8_t *p = slurp(&n);
  for (long k = 0; k < n; k += k < 1500 || k > n - 100 ? 1 : 997) {
    spill(p, (size_t)k);
    const enum heddle_session_outcome o = check(&r);
    if (o != HEDDLE_SESSION_FAILED && o != HEDDLE_SESSION_DIFFERENCE && o != HEDDLE_SESSION_UNDEFINED)
      fail_msg("cut at %ld of %ld: %s", k, n, heddle_session_outcome_name(o));
  }
  write_trace(program_mix, 1, SIZE_MAX);
  free(p);
  p = slurp(&n);
  p[n] = 0;
  spill(p, (size_t)n + 1);
  assert_int_equal(check(&r), HEDDLE_SESSION_FAILED);
  assert_string_equal(r.message, "trace: bytes behind the footer");
  free(p);
}

/* A flipped bit is at least a wrong checksum, whatever else it may be on the way. */
static void test_flipped(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  long n;
  write_trace(program_mix, 1, SIZE_MAX);
  uint8_t *p = slurp(&n);
  uint64_t rng = 5;
  for (unsigned k = 0; k < 400; k++) {
    const uint64_t drawn = splitmix64(&rng);
    const size_t at = k < 120 ? 8u + k * 5u : (size_t)((drawn >> 20) % (uint64_t)n);
    p[at] ^= (uint8_t)(1u << (drawn >> 60 & 7u));
    spill(p, (size_t)n);
    const enum heddle_session_outcome o = check(&r);
    if (o == HEDDLE_SESSION_OK) fail_msg("a flip at %zu is not noticed", at);
    p[at] = (uint8_t)(p[at] ^ (1u << (rng >> 60 & 7u)));
  }
  free(p);
}

static void test_foreign(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  struct heddle_trace_header h = header();
  struct heddle_message msg;
  h.isa_hash ^= 1;
  struct heddle_trace_writer *w;
  assert_int_equal(heddle_trace_create(path, &h, &w, &msg), HEDDLE_SUCCESS);
  assert_int_equal(heddle_trace_close(w, NULL), HEDDLE_SUCCESS);
  assert_int_equal(check(&r), HEDDLE_SESSION_FAILED);
  assert_non_null(strstr(r.message, "another instruction set"));
  assert_int_equal(heddle_trace_create("/nonexistent/x", &h, &w, &msg), HEDDLE_ERROR_FILE);
  assert_null(w);
  assert_non_null(strstr(msg.text, "/nonexistent/x: "));
}

/* The payload of the first record; sections begin after the magic, each with a tag and a length. */
static size_t first_record(const uint8_t *p, long n) {
  size_t at = 8;
  while (at + 5 < (size_t)n && p[at] != 'R')
    at += 5 + ((size_t)p[at + 1] | (size_t)p[at + 2] << 8 | (size_t)p[at + 3] << 16);
  assert_true(at + 17 < (size_t)n);
  return at + 5;
}

/* What another program wrote is refused by name. */
static void test_unknown(void **state) {
  (void)state;
  static const struct {
    const char *message;
    size_t at; /* in the payload of the record */
    uint8_t value;
  } wrong[] = {{"trace: record 0 is of kind 40, which is not known here", 0, 40},
               {"trace: record 0 is of kind 14, which is not known here", 0, HEDDLE_RECORD_BLOCK_END + 1},
               {"trace: record 0 is 'block_start' of version 6; known here is version 9", 1, 6},
               {"trace: record 0 is 'block_start', with a wrong size", 2, 1},
               {"trace: record 0 is 'issue' of 26 bytes, which is not what its fields need", 0, HEDDLE_RECORD_ISSUE},
               {"trace: record 0 is of kind 38, 'flush', which is kept for later", 0, HEDDLE_RECORD_RESERVED_FLUSH}};
  struct heddle_session_result r = {.size = sizeof r};
  long n;
  write_trace(program_mix, 1, SIZE_MAX);
  uint8_t *p = slurp(&n);
  const size_t record = first_record(p, n);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const uint8_t was = p[record + wrong[i].at];
    p[record + wrong[i].at] = wrong[i].value;
    spill(p, (size_t)n);
    assert_int_equal(check(&r), HEDDLE_SESSION_FAILED);
    assert_string_equal(r.message, wrong[i].message);
    p[record + wrong[i].at] = was;
  }
  p[13] = 1; /* the version of the file, first in the header */
  spill(p, (size_t)n);
  assert_int_equal(check(&r), HEDDLE_SESSION_FAILED);
  assert_non_null(strstr(r.message, "a trace of version 1; this program reads version 10: record it again"));
  free(p);
}

/* No launch, in a file that is whole. */
static void write_empty(const struct heddle_trace_header *h) {
  struct heddle_trace_writer *w;
  assert_int_equal(heddle_trace_create(path, h, &w, NULL), HEDDLE_SUCCESS);
  assert_int_equal(heddle_trace_close(w, NULL), HEDDLE_SUCCESS);
}

/* How old what a record shows may be is told by the header, and bounded. */
static void test_ages(void **state) {
  (void)state;
  struct heddle_message msg;
  struct heddle_trace_header h = header();
  h.sm = 2;
  h.sms = 5;
  h.read_age = 3;
  h.pred_age = 2;
  write_empty(&h);
  struct heddle_trace_reader *t;
  assert_int_equal(heddle_trace_open(path, &t, &msg), HEDDLE_SUCCESS);
  assert_int_equal(heddle_trace_read_header(t)->sm, 2);
  assert_int_equal(heddle_trace_read_header(t)->sms, 5);
  assert_int_equal(heddle_trace_read_header(t)->read_age, 3);
  assert_int_equal(heddle_trace_read_header(t)->pred_age, 2);
  heddle_trace_free(t);
  h.read_age = HEDDLE_RECORD_AGE_MAX + 1;
  write_empty(&h);
  assert_int_equal(heddle_trace_open(path, &t, &msg), HEDDLE_ERROR_FILE);
  assert_null(t);
  assert_non_null(strstr(msg.text, "a header that describes no machine"));
}

static int make_file(void **state) {
  (void)state;
  const int fd = mkstemp(path);
  if (fd < 0) return 1;
  close(fd);
  return 0;
}

static int drop_file(void **state) {
  (void)state;
  return unlink(path);
}

/* What a machine with a cache shows, in a trace: judged later as it was at once; a trace that does not say that there
 * is a cache is refused as such. */

static const char seen_path[] = "visibility.trace";
static struct cached x;
static struct stream shown;
static uint8_t first[FAKE_BYTES];

/* Two warps: loads, a join, a store, a fence, a load that reads what was stored. */
static void run(void) {
  fake_fill(first);
  shown.n = 0;
  x.shown = &shown;
  begin(&x, PROGRAM(LOAD("4", "0x0") STORE("0x0") FENCE LOAD("5", "0x0")), 2, &promising);
  for (unsigned w = 0; w < 2; w++) (void)cached_issue(&x, w);
  cached_merge(&x, 0, HEAD, LINE, 15, 1);
  cached_merge(&x, 1, HEAD, LINE, 15, 1);
  fill_line(&x, 1, LINE);
  for (unsigned w = 0; w < 2; w++) cached_hit(&x, w, HEAD, LINE, 15, 1);
  for (unsigned w = 0; w < 2; w++) write_line(&x, w, cached_issue_to(&x, w, 1), LINE);
  for (unsigned w = 0; w < 2; w++) cached_fence(&x, w, cached_issue_to(&x, w, 1), HEDDLE_RECORD_SCOPE_GPU);
  bring(&x, 0, cached_issue_to(&x, 0, 1), LINE, 2);
  cached_hit(&x, 1, cached_issue_to(&x, 1, 1), LINE, 15, 2);
  for (unsigned w = 0; w < 2; w++) (void)cached_issue(&x, w);
  cached_block_end(&x, 0);
  cached_end(&x);
  cached_expect(&x, HEDDLE_CHECKER_NONE, NULL);
}

static struct heddle_session_result check_seen(uint32_t sectors) {
  const struct heddle_checker_config cfg = cached_config(&promising);
  struct heddle_trace_header h = {.size = sizeof h,
                                  .isa_hash = heddle_isa_hash(),
                                  .sms = 1,
                                  .lanes = cfg.lanes,
                                  .warp_slots = cfg.warp_slots,
                                  .block_slots = cfg.block_slots,
                                  .partitions = 1,
                                  .hidden = cfg.hidden,
                                  .cache_sectors = sectors,
                                  .cache_promises = sectors != 0 ? cfg.cache_promises : 0};
  struct heddle_session_result r = {.size = sizeof r};
  struct heddle_message msg;
  struct heddle_trace_writer *w;
  assert_int_equal(heddle_trace_create(seen_path, &h, &w, &msg), HEDDLE_SUCCESS);
  assert_int_equal(heddle_trace_launch(w, &x.p.launch, FAKE_BASE, first, FAKE_BYTES, NULL), HEDDLE_SUCCESS);
  for (size_t i = 0; i < shown.n; i++) assert_int_equal(heddle_trace_record(w, &shown.r[i], NULL), HEDDLE_SUCCESS);
  assert_int_equal(heddle_trace_launch_end(w, heddle_model_memory(x.m), x.cycle, NULL), HEDDLE_SUCCESS);
  assert_int_equal(heddle_trace_close(w, NULL), HEDDLE_SUCCESS);
  (void)heddle_session_check_trace(seen_path, NULL, 0, NULL, NULL, &r, NULL);
  (void)unlink(seen_path);
  return r;
}

static void judged_later(void **state) {
  (void)state;
  run();
  struct heddle_session_result r = check_seen(64);
  if (r.outcome != HEDDLE_SESSION_OK) fail_msg("%s", r.message);
  r = check_seen(0);
  assert_int_equal(r.outcome, HEDDLE_SESSION_DIFFERENCE);
  assert_int_equal(r.difference.kind, HEDDLE_CHECKER_RECORD_FORM);
  for (size_t i = shown.n; i-- > 0;) {
    if (shown.r[i].kind != HEDDLE_RECORD_HIT) continue;
    for (unsigned s = 0; s < 4; s++) shown.r[i].u.merge.number[s] = 1; /* the fence has closed it */
    break;
  }
  r = check_seen(64);
  assert_int_equal(r.outcome, HEDDLE_SESSION_DIFFERENCE);
  assert_int_equal(r.difference.kind, HEDDLE_CHECKER_VISIBILITY_DROPPED);
  cached_free(&x);
  stream_free(&shown);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip), cmocka_unit_test(test_records), cmocka_unit_test(test_cache_records),
      cmocka_unit_test(test_difference), cmocka_unit_test(test_cut),     cmocka_unit_test(test_flipped),
      cmocka_unit_test(test_foreign),    cmocka_unit_test(test_falls),   cmocka_unit_test(test_unknown),
      cmocka_unit_test(test_ages),       cmocka_unit_test(judged_later)};
  return cmocka_run_group_tests(tests, make_file, drop_file);
}
