/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches that follow each other in a device's queue: each is judged as if it were alone, memory goes on, and what is
 * wrong is reported with the number of its launch. Without an argument the queue stands in front of the smallest
 * machine, which has none (session_between.h); with one it is that configuration's own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <heddle/config.h>
#include "cosim/kit/conform/fake.h"
#include "cosim/kit/conform/programs.h"
#include "tests/cosim/session/session_between.h"

static const char *own_queue; /* the configuration that has one, or NULL */

#define KERNEL(name, op)                                                                                               \
  ".kernel " name "\n"                                                                                                 \
  ".param u64 in\n"                                                                                                    \
  ".param u64 out\n"                                                                                                   \
  "        S2R R0, SR_TID.X ;\n"                                                                                       \
  "        S2R R1, SR_CTAID.X ;\n"                                                                                     \
  "        IMAD R0, R1, c[0x0][0x0], R0 ;\n"                                                                           \
  "        MOV R6, c[0x0][in] ;\n"                                                                                     \
  "        MOV R7, c[0x0][in+4] ;\n"                                                                                   \
  "        IMAD.WIDE R6, R0, 0x4, R6 ;\n"                                                                              \
  "        LDG.E R2, [R6] ;\n" op "        STG.E [R6], R2 ;\n"                                                         \
  "        EXIT ;\n"                                                                                                   \
  ".end\n"

/* Over one buffer, in an order that shows. */
static const char add[] = KERNEL("add", "        IADD3 R2, R2, 0x3, RZ ;\n");
static const char twice[] = KERNEL("twice", "        IADD3 R2, R2, R2, RZ ;\n");
static const char less[] = KERNEL("less", "        IADD3 R2, R2, -0x5, RZ ;\n");
static const char traps[] = KERNEL("traps", "        STG.E [R6+0x100000], R2 ;\n");

struct rig {
  struct queue_between between;
  struct heddle_dut *device; /* NULL: the queue is the device's own */
  struct heddle_session *session;
  struct fake_program program[4]; /* add, twice, less, traps */
};

static void open_rig(struct rig *r, struct heddle_session_config c) {
  static const char *const text[] = {add, twice, less, traps};
  struct heddle_message msg;
  memset(r, 0, sizeof *r);
  c.size = sizeof c;
  c.scoreboard = c.adversarial = true;
  c.seed = 7;
  c.max_cycles = 100000;
  c.memory_base = FAKE_BASE;
  c.memory_bytes = FAKE_BYTES;
  c.config = own_queue;
  if (own_queue == NULL)
    c.device = r->device = queue_between_open(&r->between, "tiny", FAKE_BASE, FAKE_BYTES + (128u << 20), 7);
  if (heddle_session_open(&c, &r->session, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  for (unsigned i = 0; i < 4; i++) fake_assemble(&r->program[i], text[i], 6, 64);
  fake_fill(heddle_session_memory(r->session));
}

static void close_rig(struct rig *r) {
  assert_int_equal(heddle_session_close(r->session, NULL), HEDDLE_SUCCESS);
  for (unsigned i = 0; i < 4; i++) fake_program_free(&r->program[i]);
  if (r->device != NULL) queue_between_close(&r->between, r->device);
}

/* "atl": add, twice, less; "x" traps; "r" asks for more registers than there are. */
static enum heddle_session_outcome chain(struct rig *r, const char *what, struct heddle_session_result *out) {
  struct heddle_launch l[256] = {{.size = sizeof *l}};
  const size_t n = strlen(what);
  assert_true(n <= sizeof l / sizeof *l);
  for (size_t i = 0; i < n; i++) {
    static const char names[] = "atlx";
    const char *at = strchr(names, what[i]);
    l[i] = r->program[at != NULL ? at - names : 0].launch;
    if (at == NULL) l[i].regs = 255, l[i].block[0] = 1024;
  }
  return heddle_session_run_queue(r->session, l, n, out);
}

static void ok(enum heddle_session_outcome o, const struct heddle_session_result *r, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (r[i].outcome != HEDDLE_SESSION_OK) fail_msg("launch %zu: %s", i + 1, r[i].message);
  assert_int_equal(o, HEDDLE_SESSION_OK);
}

/* What the launches `what` leave in place of `first`. */
static uint32_t value_behind(uint32_t first, const char *what) {
  for (; *what != '\0'; what++) first = *what == 'a' ? first + 3 : *what == 't' ? first * 2 : first - 5;
  return first;
}

static void memory_is_behind(struct rig *r, const char *what) {
  static uint8_t before[FAKE_BYTES];
  fake_fill(before);
  for (unsigned i = 0; i < 6 * 64; i++) {
    uint32_t first, got;
    memcpy(&first, before + 4 * i, 4);
    memcpy(&got, heddle_session_memory(r->session) + 4 * i, 4);
    assert_int_equal(got, value_behind(first, what));
  }
}

static void kernels_follow_each_other(void **state) {
  (void)state;
  for (unsigned turn = 0; turn < 3; turn++) {
    const bool lockstep = turn != 0;
    struct heddle_session_result r[3] = {{.size = sizeof *r}};
    struct rig g;
    open_rig(&g, (struct heddle_session_config){.mode = lockstep ? HEDDLE_SESSION_LOCKSTEP : HEDDLE_SESSION_RTL,
                                                .beside = turn == 2});
    ok(chain(&g, "atl", r), r, 3);
    memory_is_behind(&g, "atl");
    for (unsigned i = 0; i < 3; i++) {
      assert_true(r[i].cycles > 0);
      assert_int_equal(r[i].insns, lockstep || i == 2 ? 6 * 2 * 10 : 0);
    }
    if (own_queue == NULL) assert_int_equal(g.between.most, 3);
    ok(chain(&g, "t", r), r, 1); /* and what comes later is alone */
    memory_is_behind(&g, "atlt");
    close_rig(&g);
  }
}

/* More than the queue holds. */
static void a_hundred_launches(void **state) {
  (void)state;
  static struct heddle_session_result r[100] = {{.size = sizeof *r}};
  char what[101] = "";
  for (unsigned i = 0; i < 100; i++) what[i] = "alt"[i % 3];
  for (unsigned mode = HEDDLE_SESSION_RTL; mode <= HEDDLE_SESSION_LOCKSTEP; mode++) {
    struct rig g;
    open_rig(&g, (struct heddle_session_config){.mode = (enum heddle_session_mode)mode});
    ok(chain(&g, what, r), r, 100);
    memory_is_behind(&g, what);
    for (unsigned i = 0; i < 100; i++) assert_true(r[i].cycles > 0);
    if (own_queue == NULL) assert_int_equal(g.between.most, HEDDLE_ENDED_KEPT);
    close_rig(&g);
  }
}

static void a_trap_stops_the_queue(void **state) {
  (void)state;
  for (unsigned mode = HEDDLE_SESSION_RTL; mode <= HEDDLE_SESSION_LOCKSTEP; mode++) {
    struct heddle_session_result r[5] = {{.size = sizeof *r}};
    uint32_t status = 1;
    struct rig g;
    open_rig(&g, (struct heddle_session_config){.mode = (enum heddle_session_mode)mode});
    const enum heddle_session_outcome o = chain(&g, "atxlt", r);
    ok(HEDDLE_SESSION_OK, r, 2);
    if (o != HEDDLE_SESSION_TRAPPED || r[2].outcome != o) fail_msg("%s", r[2].message);
    assert_int_equal(r[2].trap.cause, HEDDLE_TRAP_OUT_OF_RANGE);
    assert_non_null(strstr(r[2].message, "launch 3 of 5: trap out_of_range"));
    assert_int_equal(r[3].outcome, HEDDLE_SESSION_NOT_RUN);
    assert_int_equal(r[4].outcome, HEDDLE_SESSION_NOT_RUN);
    memory_is_behind(&g, "at");
    assert_true(heddle_session_read32(g.session, HEDDLE_REG_STATUS, &status) && status == 0);
    ok(chain(&g, "ll", r), r, 2);
    memory_is_behind(&g, "atll");
    close_rig(&g);
  }
}

static void a_refusal_stops_the_queue(void **state) {
  (void)state;
  for (unsigned mode = HEDDLE_SESSION_RTL; mode <= HEDDLE_SESSION_LOCKSTEP; mode++) {
    struct heddle_session_result r[3] = {{.size = sizeof *r}};
    struct rig g;
    open_rig(&g, (struct heddle_session_config){.mode = (enum heddle_session_mode)mode});
    assert_int_equal(chain(&g, "arl", r), HEDDLE_SESSION_REFUSED);
    ok(HEDDLE_SESSION_OK, r, 1);
    assert_int_equal(r[1].outcome, HEDDLE_SESSION_REFUSED);
    assert_non_null(strstr(r[1].message, "launch 2 of 3: the device refuses the launch"));
    assert_int_equal(r[2].outcome, HEDDLE_SESSION_NOT_RUN);
    memory_is_behind(&g, "a");
    ok(chain(&g, "tt", r), r, 2);
    memory_is_behind(&g, "att");
    close_rig(&g);
  }
}

/* With local memory, each launch in its own or a shared place; of the last one it is compared. */
static void local_memory_is_each_launch_s_own(void **state) {
  (void)state;
  static const char text[] = ".kernel keeps\n"
                             ".param u64 in\n"
                             ".param u64 out\n"
                             ".local 64\n"
                             "        S2R R0, SR_TID.X ;\n"
                             "        MOV R6, c[0x0][in] ;\n"
                             "        MOV R7, c[0x0][in+4] ;\n"
                             "        IMAD.WIDE R6, R0, 0x4, R6 ;\n"
                             "        LDG.E R2, [R6] ;\n"
                             "        STL [0x10], R2 ;\n"
                             "        LDL R3, [0x10] ;\n"
                             "        IADD3 R3, R3, 0x1, RZ ;\n"
                             "        STG.E [R6], R3 ;\n"
                             "        EXIT ;\n"
                             ".end\n";
  struct heddle_session_result r[5] = {{.size = sizeof *r}};
  struct heddle_launch l[5] = {{.size = sizeof *l}};
  struct fake_program p;
  struct rig g;
  uint32_t first, got;
  uint8_t before[FAKE_BYTES];
  open_rig(&g, (struct heddle_session_config){.mode = HEDDLE_SESSION_LOCKSTEP});
  fake_assemble(&p, text, 1, 64);
  fake_fill(before);
  for (unsigned i = 0; i < 5; i++) l[i] = i % 2 == 1 ? g.program[0].launch : p.launch;
  ok(heddle_session_run_queue(g.session, l, 5, r), r, 5);
  memcpy(&first, before + 4 * 63, 4);
  memcpy(&got, heddle_session_memory(g.session) + 4 * 63, 4);
  assert_int_equal(got, first + 1 + 3 + 1 + 3 + 1);
  if (own_queue == NULL) assert_int_equal(g.between.most, 5);
  close_rig(&g);
  fake_program_free(&p);
}

#define IMMEDIATE "0x55aa0001"
#define OTHER_IMMEDIATE 0x55aa0002u

/* Each lane stores a word where a list says: address, word. */
#define STORES(list)                                                                                                   \
  ".kernel stores\n"                                                                                                   \
  ".param u64 in\n"                                                                                                    \
  ".param u64 out\n"                                                                                                   \
  "        S2R R0, SR_TID.X ;\n"                                                                                       \
  "        MOV R6, c[0x0][in] ;\n"                                                                                     \
  "        MOV R7, c[0x0][in+4] ;\n"                                                                                   \
  "        IMAD.WIDE R6, R0, 0x10, R6 ;\n"                                                                             \
  "        LDG.E.64 R8, [R6+" list "] ;\n"                                                                             \
  "        LDG.E R10, [R6+" list "+0x8] ;\n"                                                                           \
  "        STG.E [R8], R10 ;\n"                                                                                        \
  "        EXIT ;\n"                                                                                                   \
  ".end\n"

static void list(struct rig *g, uint32_t at, uint64_t in_code, uint32_t immediate, uint64_t in_bank,
                 uint32_t constant) {
  const uint64_t to[2][2] = {{in_code, immediate}, {in_bank, constant}}; /* addresses, words */
  memcpy(heddle_session_memory(g->session) + at, to, sizeof to);
}

static uint64_t behind(uint64_t at, uint32_t bytes) {
  return (at + bytes + 63) / 64 * 64;
}

/* Code and constants that a launch has stored are those of the next one, which had others before: two words are 16
 * times what they were, and a constant or an immediate more. The device alone: no model stores into its program. At the
 * end they are what they were, as the session demands. Where they lie: launch_place. */
static void what_a_launch_stores_the_next_one_executes(void **state) {
  static const char reads[] = ".kernel reads\n"
                              ".param u64 in\n"
                              ".param u64 out\n"
                              "        MOV R6, c[0x0][in] ;\n"
                              "        MOV R7, c[0x0][in+4] ;\n"
                              "        LDG.E.64 R2, [R6] ;\n"
                              "        MOV R4, c[0x1][0x4] ;\n"
                              "        IMAD R2, R2, 0x10, R4 ;\n"
                              "        MOV R4, " IMMEDIATE " ;\n"
                              "        IMAD R3, R3, 0x10, R4 ;\n"
                              "        STG.E.64 [R6], R2 ;\n"
                              "        EXIT ;\n"
                              ".end\n";
  static const uint32_t bank[2] = {0, 5};
  const uint32_t immediate = (uint32_t)strtoul(IMMEDIATE, NULL, 16), zero[2] = {0};
  struct heddle_session_result r[4] = {{.size = sizeof *r}};
  struct fake_program victim, stores, restores;
  struct rig g;
  (void)state;
  if (own_queue == NULL) skip(); /* there launches are apart */
  open_rig(&g, (struct heddle_session_config){.mode = HEDDLE_SESSION_RTL});
  fake_assemble_long(&victim, reads, 1, 1);
  fake_assemble_long(&stores, STORES("0x100"), 1, 2);
  fake_assemble_long(&restores, STORES("0x200"), 1, 2);
  victim.launch.cbank[1] = (const uint8_t *)bank;
  victim.launch.cbank_bytes[1] = sizeof bank;
  struct heddle_launch l[4] = {victim.launch, stores.launch, victim.launch, restores.launch};
  for (unsigned i = 1; i < 4; i += 2)
    l[i].region[l[i].regions++] =
        (struct heddle_region){.base = FAKE_BASE + FAKE_BYTES, .limit = FAKE_BASE + 2 * FAKE_BYTES, .writable = true};
  uint32_t at = 0;
  while (at + 4 < l[0].code_bytes && memcmp(l[0].code + at, &immediate, 4) != 0) at += 4;
  const uint64_t code = FAKE_BASE + FAKE_BYTES,
                 constant = behind(behind(code, l[0].code_bytes), l[0].cbank_bytes[0]) + 4;
  memcpy(heddle_session_memory(g.session), zero, sizeof zero);
  list(&g, 0x100, code + at, OTHER_IMMEDIATE, constant, 9);
  list(&g, 0x200, code + at, immediate, constant, 5);
  ok(heddle_session_run_queue(g.session, l, 4, r), r, 4);
  uint32_t got[2];
  memcpy(got, heddle_session_memory(g.session), sizeof got);
  assert_int_equal(got[0], 5 * 0x10 + 9);
  assert_int_equal(got[1], immediate * 0x10 + OTHER_IMMEDIATE);
  close_rig(&g);
  fake_program_free(&victim);
  fake_program_free(&stores);
  fake_program_free(&restores);
}

/* What finds no room side by side waits until those before it have ended; numbers go on. */
static void what_finds_no_room_comes_later(void **state) {
  (void)state;
  enum { LAUNCHES = 40, BYTES = 1 << 16 };
  static struct heddle_session_result r[LAUNCHES] = {{.size = sizeof *r}};
  static struct heddle_launch l[LAUNCHES] = {{.size = sizeof *l}};
  static uint8_t bank[LAUNCHES][2][BYTES]; /* 5 MiB */
  struct rig g;
  open_rig(&g, (struct heddle_session_config){.mode = HEDDLE_SESSION_LOCKSTEP});
  for (unsigned i = 0; i < LAUNCHES; i++) {
    l[i] = g.program[i == LAUNCHES - 1 ? 3 : 0].launch;
    for (unsigned k = 0; k < 2; k++) {
      l[i].cbank[1 + k] = bank[i][k];
      l[i].cbank_bytes[1 + k] = BYTES;
    }
  }
  assert_int_equal(heddle_session_run_queue(g.session, l, LAUNCHES, r), HEDDLE_SESSION_TRAPPED);
  ok(HEDDLE_SESSION_OK, r, LAUNCHES - 1);
  assert_non_null(strstr(r[LAUNCHES - 1].message, "launch 40 of 40: trap"));
  char what[LAUNCHES] = "";
  memset(what, 'a', LAUNCHES - 1);
  memory_is_behind(&g, what);
  close_rig(&g);
}

/* The queue errs at the third of five. */
static void what_is_wrong_has_its_number(void **state) {
  (void)state;
  static const struct {
    int wrong;
    uint32_t number;
    enum heddle_session_outcome outcome;
    const char *words;
  } t[] = {{QUEUE_OTHER_GRID, 3, HEDDLE_SESSION_DIFFERENCE, "launch 3 of 5: block.grid"},
           {QUEUE_OTHER_NUMBER, 3, HEDDLE_SESSION_DEVICE, "ENDED_HOW 31:8 of launch 3 is 0x4, not 0x3"},
           {QUEUE_OTHER_CYCLES, 3, HEDDLE_SESSION_DIFFERENCE, "launch 3 of 5: counter.bounds"},
           {QUEUE_OTHER_HOW, 3, HEDDLE_SESSION_DEVICE, "ENDED_HOW 3:0 of launch 3 is 0x0, not 0x2"},
           {QUEUE_LEFT_OUT, 5, HEDDLE_SESSION_DEVICE, "5 of 5 launches have ended, records have come to launch 4"}};
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    struct heddle_session_result r[5] = {{.size = sizeof *r}};
    struct rig g;
    char *text = NULL, line[32];
    size_t bytes = 0;
    open_rig(&g, (struct heddle_session_config){.mode = HEDDLE_SESSION_LOCKSTEP});
    g.between.number = t[i].number;
    g.between.wrong = t[i].wrong;
    assert_int_equal(chain(&g, "aaaaa", r), t[i].outcome);
    unsigned k = 0;
    while (k < 4 && r[k].outcome == HEDDLE_SESSION_OK) k++;
    if (strstr(r[k].message, t[i].words) == NULL) fail_msg("'%s' does not say '%s'", r[k].message, t[i].words);
    FILE *f = open_memstream(&text, &bytes);
    assert_non_null(f);
    heddle_session_report_text(g.session, f);
    assert_int_equal(fclose(f), 0);
    (void)snprintf(line, sizeof line, "launch %s%u of 5", t[i].outcome == HEDDLE_SESSION_DIFFERENCE ? "   " : "",
                   k + 1);
    if (strstr(text, line) == NULL) fail_msg("'%s' does not say '%s'", text, line);
    free(text);
    close_rig(&g);
  }
}

/* The trace of a queue is that of launches one after the other; a device alone runs them so for it. */
static void a_trace_shows_them_again(void **state) {
  (void)state;
  for (unsigned mode = HEDDLE_SESSION_RTL; mode <= HEDDLE_SESSION_LOCKSTEP; mode++) {
    char path[] = "/tmp/queue_trace_XXXXXX";
    struct heddle_session_result r[4] = {{.size = sizeof *r}}, again = {.size = sizeof again};
    struct rig g;
    const int fd = mkstemp(path);
    assert_true(fd >= 0 && close(fd) == 0);
    open_rig(&g, (struct heddle_session_config){.mode = (enum heddle_session_mode)mode, .trace = path});
    ok(chain(&g, "ltal", r), r, 4);
    close_rig(&g);
    const enum heddle_session_outcome o = heddle_session_check_trace(path, NULL, 0, NULL, NULL, &again, stderr);
    if (o != HEDDLE_SESSION_OK) fail_msg("%s", again.message);
    assert_int_equal(again.insns, 4 * 6 * 2 * 10);
    assert_int_equal(unlink(path), 0);
  }
}

/* On the model, and where memory answers with errors, they are alone, and leave the same. */
static void without_a_queue_they_are_alone(void **state) {
  (void)state;
  for (unsigned turn = 0; turn < 2; turn++) {
    struct heddle_session_result r[3] = {{.size = sizeof *r}};
    struct rig g;
    open_rig(&g, (struct heddle_session_config){.mode = turn == 0 ? HEDDLE_SESSION_MODEL : HEDDLE_SESSION_LOCKSTEP,
                                                .error_base = FAKE_BASE + 0x8000,
                                                .error_limit = FAKE_BASE + 0x8040});
    ok(chain(&g, "atl", r), r, 3);
    memory_is_behind(&g, "atl");
    for (unsigned i = 0; i < 3; i++) assert_int_equal(r[i].insns, 6 * 2 * 10);
    assert_int_equal(g.between.most, turn != 0 && own_queue == NULL);
    close_rig(&g);
  }
}

/* It skips, gives up, and finds the queue full, around launches that follow each other and go on as without it. */
static void a_busy_host_changes_nothing(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 16; seed++) {
    struct heddle_session_result r[5] = {{.size = sizeof *r}};
    struct rig g;
    open_rig(&g, (struct heddle_session_config){.mode = seed % 4 == 0 ? HEDDLE_SESSION_RTL : HEDDLE_SESSION_LOCKSTEP,
                                                .host_seed = seed});
    const enum heddle_session_outcome o = chain(&g, "atlta", r);
    for (unsigned i = 0; i < 5; i++)
      if (r[i].outcome != HEDDLE_SESSION_OK) fail_msg("seed %u, launch %u: %s", (unsigned)seed, i + 1, r[i].message);
    assert_int_equal(o, HEDDLE_SESSION_OK);
    memory_is_behind(&g, "atlta");
    close_rig(&g);
  }
}

/* A queue in between errs where it is told to; one of its own has all registers, which a busy host looks at. */
int main(int argc, char **argv) {
  struct CMUnitTest tests[] = {cmocka_unit_test(kernels_follow_each_other),
                               cmocka_unit_test(a_hundred_launches),
                               cmocka_unit_test(a_trap_stops_the_queue),
                               cmocka_unit_test(a_refusal_stops_the_queue),
                               cmocka_unit_test(a_trace_shows_them_again),
                               cmocka_unit_test(without_a_queue_they_are_alone),
                               cmocka_unit_test(local_memory_is_each_launch_s_own),
                               cmocka_unit_test(what_a_launch_stores_the_next_one_executes),
                               cmocka_unit_test(what_finds_no_room_comes_later),
                               cmocka_unit_test(what_is_wrong_has_its_number)};
  if (argc < 2) return cmocka_run_group_tests(tests, NULL, NULL);
  own_queue = argv[1];
  const struct heddle_config *c = heddle_config_find(own_queue);
  if (c == NULL || c->launch_queue == 0) {
    fprintf(stderr, "%s: no machine with a queue\n", own_queue);
    return 2;
  }
  const struct CMUnitTest busy = cmocka_unit_test(a_busy_host_changes_nothing);
  tests[sizeof tests / sizeof *tests - 1] = busy;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
