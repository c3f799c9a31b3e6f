/* SPDX-License-Identifier: Apache-2.0
 *
 * Snapshots (heddle_session_config.wave_last): which of them goes on after a failure, from where, to the same end; that
 * another end is told; that no process stays behind. The device is tiny, which makes no waves: in their place stands a
 * file that says in which cycle the wave began, and in which the process that made it went on.
 */
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "cosim/kit/conform/fake.h"
#include "tests/cosim/session/session_between.h"
#include "run/runner/process_copy.h"

#define LAST 700u
#define APART 65536u /* snapshots, of a run that is short */
#define TURN 5000u

/* Runs for some 200,000 cycles on tiny. */
static const char program_long[] = ".kernel long\n"
                                   ".param u64 in\n"
                                   ".param u64 out\n"
                                   "        MOV R2, RZ ;\n"
                                   "again:  IADD3 R2, R2, 0x1, RZ ;\n"
                                   "        ISETP.LT.U32.AND P0, PT, R2, 0xc00, PT ;\n"
                                   "@P0     BRA again ;\n"
                                   "        EXIT ;\n"
                                   ".end\n";

static struct {
  struct between b;
  struct heddle_dut *device;
  struct heddle_session *session;
  struct fake_program program;
  char wave[64];
  pid_t run;         /* the process of the run */
  uint64_t went_on;  /* in another: its first cycle; 0: not yet */
  uint64_t spoil_at; /* records of register writes are wrong from this cycle on; 0: none */
  bool only_first;   /* but not where a snapshot goes on */
} t;

static uint64_t step(void *self, uint64_t cycles) {
  if (getpid() != t.run && t.went_on == 0) t.went_on = heddle_dut_cycle(t.b.device);
  return between_ops.step(self, cycles);
}

static const struct heddle_retire_record *spoilt(const struct heddle_retire_record *from, size_t count) {
  struct heddle_retire_record *r = (struct heddle_retire_record *)from;
  const bool spoils = t.spoil_at != 0 && !(t.only_first && getpid() != t.run);
  for (size_t i = 0; i < count && spoils; i++)
    if (r[i].kind == HEDDLE_RECORD_WRITE && r[i].cycle >= t.spoil_at) r[i].u.write.data[0] ^= 1u << 9;
  return r;
}

static const struct heddle_retire_record *records(void *self, size_t *count) {
  const struct heddle_retire_record *r = between_ops.records(self, count);
  return spoilt(r, *count);
}

static const struct heddle_retire_record *take(void *self, size_t *count) {
  const struct heddle_retire_record *r = between_ops.take(self, count);
  return spoilt(r, *count);
}

static bool wave(void *self, const char *path) {
  (void)self;
  FILE *f = path != NULL ? fopen(path, "w") : NULL;
  if (f == NULL) return path == NULL;
  fprintf(f, "%llu %llu\n", (unsigned long long)heddle_dut_cycle(t.b.device), (unsigned long long)t.went_on);
  return fclose(f) == 0;
}

static void open_long(uint64_t max_cycles, bool beside) {
  static struct heddle_dut_ops ops;
  struct heddle_message msg;
  struct heddle_axi_mem_config m = {.size = sizeof m, .base = FAKE_BASE, .bytes = FAKE_BYTES + (128u << 20)};
  const struct heddle_dut_options o = {.size = sizeof o, .memory = &m, .seed = 1, .records = true};
  heddle_axi_mem_calm(&m);
  memset(&t, 0, sizeof t);
  if (heddle_dut_open(NULL, "verilator", "tiny", &o, &t.b.device, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  between_asked = &t.b;
  ops = between_ops;
  ops.step = step;
  ops.records = records;
  ops.take = take;
  ops.wave = wave;
  t.device = heddle_dut_wrap(&ops, &t.b);
  t.run = getpid();
  (void)snprintf(t.wave, sizeof t.wave, "snapshot-%d.wave", (int)t.run);
  const struct heddle_session_config c = {.size = sizeof c,
                                          .mode = HEDDLE_SESSION_LOCKSTEP,
                                          .device = t.device,
                                          .scoreboard = true,
                                          .max_cycles = max_cycles,
                                          .memory_base = FAKE_BASE,
                                          .memory_bytes = FAKE_BYTES,
                                          .beside = beside,
                                          .wave = t.wave,
                                          .wave_last = LAST,
                                          .copies = &process_copies};
  if (heddle_session_open(&c, &t.session, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  fake_assemble(&t.program, program_long, 1, 32);
  fake_fill(heddle_session_memory(t.session));
}

static void close_long(void) {
  assert_int_equal(heddle_session_close(t.session, NULL), HEDDLE_SUCCESS);
  fake_program_free(&t.program);
  heddle_dut_free(t.device);
  heddle_dut_free(t.b.device);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no process is left, running or ended */
}

/* The wave holds LAST cycles up to `failure`, and was made from the last snapshot that allows it. */
static void made_from_the_last_snapshot(const struct heddle_session_result *r, uint64_t failure) {
  unsigned long long began = 0, went_on = 0;
  FILE *f = fopen(t.wave, "r");
  assert_non_null(f);
  assert_int_equal(fscanf(f, "%llu %llu", &began, &went_on), 2);
  (void)fclose(f);
  assert_int_equal(remove(t.wave), 0);
  assert_string_equal(r->wave_wrong, "");
  assert_int_equal(r->wave_from, failure - LAST);
  assert_in_range(began, failure - LAST - 64, failure - LAST); /* the host may look at the device right then */
  assert_in_range(went_on, failure - LAST - APART - TURN, failure - LAST);
}

/* A wrong result shortly before the end, and right behind a snapshot, when the one before it is wanted; no end in time,
 * which the session finds; with a thread that judges, too. */
static void a_failure_has_its_wave(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  for (unsigned beside = 0; beside < 2; beside++) {
    for (uint64_t at = 2 * APART - TURN; at < 2 * APART + 2 * TURN; at += 2 * TURN) {
      open_long(0, beside == 1);
      t.spoil_at = at;
      assert_int_equal(heddle_session_run(t.session, &t.program.launch, &r), HEDDLE_SESSION_DIFFERENCE);
      assert_int_equal(r.difference.kind, HEDDLE_CHECKER_WRITEBACK_VALUE);
      assert_in_range(r.difference.cycle, at, at + 200);
      made_from_the_last_snapshot(&r, r.difference.cycle);
      close_long();
    }
    open_long(150000, beside == 1);
    assert_int_equal(heddle_session_run(t.session, &t.program.launch, &r), HEDDLE_SESSION_LIMIT);
    made_from_the_last_snapshot(&r, r.stopped);
    close_long();
  }
}

/* The second launch fails: a snapshot of the first goes on through what the caller does between them, and what it
 * writes there comes nowhere. */
static void a_later_launch(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  FILE *log = tmpfile();
  assert_non_null(log);
  open_long(0, false);
  fputs("not yet written", log);
  assert_int_equal(heddle_session_run(t.session, &t.program.launch, &r), HEDDLE_SESSION_OK);
  assert_int_equal(r.wave_from, 0);
  t.spoil_at = r.stopped + 600; /* fewer than LAST after the first has ended */
  fputs("; between launches", log);
  assert_int_equal(fflush(log), 0);
  assert_int_equal(heddle_session_run(t.session, &t.program.launch, &r), HEDDLE_SESSION_DIFFERENCE);
  made_from_the_last_snapshot(&r, r.difference.cycle);
  assert_int_equal(fseek(log, 0, SEEK_END), 0);
  assert_int_equal(ftell(log), strlen("not yet written; between launches"));
  (void)fclose(log);
  close_long();
}

static void another_end_is_told(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  open_long(0, false);
  t.spoil_at = 100000;
  t.only_first = true;
  assert_int_equal(heddle_session_run(t.session, &t.program.launch, &r), HEDDLE_SESSION_DIFFERENCE);
  if (strstr(r.wave_wrong, "ended otherwise: running in cycle") == NULL) fail_msg("'%s'", r.wave_wrong);
  assert_int_equal(remove(t.wave), 0);
  close_long();
}

static void what_is_right_has_no_wave(void **state) {
  (void)state;
  struct heddle_session_result r = {.size = sizeof r};
  open_long(0, false);
  assert_int_equal(heddle_session_run(t.session, &t.program.launch, &r), HEDDLE_SESSION_OK);
  assert_true(r.stopped > 3 * APART);
  assert_int_equal(r.wave_from, 0);
  assert_string_equal(r.wave_wrong, "");
  assert_int_equal(access(t.wave, F_OK), -1);
  close_long();
}

/* A run that is killed leaves none of its snapshots: all of them have the end of a pipe, which closes with the last. */
static void a_killed_run_leaves_nobody(void **state) {
  (void)state;
  int end[2], status;
  char one;
  assert_int_equal(pipe(end), 0);
  const pid_t run = fork();
  if (run == 0) {
    struct heddle_session_result r = {.size = sizeof r};
    (void)close(end[0]);
    open_long(0, false);
    (void)heddle_session_start(t.session, &t.program.launch, &r);
    (void)heddle_session_go_on(t.session, 2 * APART + TURN, &r); /* with two snapshots */
    (void)!write(end[1], "x", 1);
    for (;;) (void)pause();
  }
  (void)close(end[1]);
  assert_int_equal(read(end[0], &one, 1), 1);
  struct pollfd open_yet = {.fd = end[0], .events = POLLIN};
  assert_int_equal(poll(&open_yet, 1, 200), 0); /* they are there */
  assert_int_equal(kill(run, SIGKILL), 0);
  assert_int_equal(waitpid(run, &status, 0), run);
  assert_int_equal(poll(&open_yet, 1, 10000), 1);
  assert_int_equal(read(end[0], &one, 1), 0);
  (void)close(end[0]);
}

static void *waits(void *line) {
  char one;
  return read(*(int *)line, &one, 1) == 0 ? line : NULL;
}

/* A host with threads makes no copies of itself: the session says so, and starts no process. */
static void a_host_with_threads_is_told(void **state) {
  (void)state;
  const struct heddle_session_config c = {.size = sizeof c,
                                          .mode = HEDDLE_SESSION_LOCKSTEP,
                                          .config = "tiny",
                                          .memory_base = FAKE_BASE,
                                          .memory_bytes = FAKE_BYTES,
                                          .wave = "threads.wave",
                                          .wave_last = LAST};
  struct heddle_session *s;
  struct heddle_message msg;
  int line[2];
  pthread_t other;
  void *well;
  assert_int_equal(pipe(line), 0);
  assert_int_equal(pthread_create(&other, NULL, waits, &line[0]), 0);
  assert_int_equal(heddle_session_open(&c, &s, &msg), HEDDLE_ERROR_INVALID_VALUE);
  assert_null(s);
  if (strstr(msg.text, "copies its process") == NULL) fail_msg("'%s'", msg.text);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  (void)close(line[1]);
  assert_int_equal(pthread_join(other, &well), 0);
  assert_non_null(well);
  (void)close(line[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_failure_has_its_wave),     cmocka_unit_test(a_later_launch),
      cmocka_unit_test(another_end_is_told),        cmocka_unit_test(what_is_right_has_no_wave),
      cmocka_unit_test(a_killed_run_leaves_nobody), cmocka_unit_test(a_host_with_threads_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
