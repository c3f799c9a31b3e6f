/* SPDX-License-Identifier: Apache-2.0
 *
 * The axioms hold for correct streams, and each is broken by what breaks it; sums of atomics.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <heddle/trace.h>
#include "base/splitmix64.h"
#include "cosim/kit/conform/programs.h"
#include "cosim/kit/conform/set.h"
#include "cosim/kit/conform/stream_find.h"
#include "lab/verify/oracle/order/internal.h"
#include "lab/verify/oracle/order/order.h"
#include "tests/lab/verify/order/spoil.h"
#include "tests/test.h"

/* Sums of atomics that the host computes: by exact cases, and against integer arithmetic on halves. */

static uint64_t apply(unsigned aop, unsigned bytes, uint64_t v, uint64_t b) {
  const struct action a = {.act = ACT_ATOMIC, .bytes = (uint8_t)bytes, .aop = (uint8_t)aop};
  const uint32_t w[2] = {(uint32_t)b, (uint32_t)(b >> 32)}, none[2] = {0, 0};
  uint8_t p[8];
  memcpy(p, &v, 8);
  order_atomic_apply(&a, p, w, none);
  v = 0;
  memcpy(&v, p, bytes);
  return v;
}

static void test_float(void **state) {
  (void)state;
  assert_int_equal(apply(ISA_AOP_ADD_F32, 4, 0x3f800000, 0x3f800000), 0x40000000);
  assert_int_equal(apply(ISA_AOP_ADD_F32, 4, 0x7f800000, 0xff800000), 0x7fffffff); /* inf - inf */
  assert_int_equal(apply(ISA_AOP_ADD_F32, 4, 0x00000001, 0x00000001), 0x00000002); /* subnormals are kept */
  assert_int_equal(apply(ISA_AOP_ADD_F32, 4, 0x80000000, 0x80000000), 0x80000000); /* -0 + -0 */
  assert_int_equal(apply(ISA_AOP_ADD_F32, 4, 0x4b800000, 0x3f800000), 0x4b800000); /* a tie, to even */
  assert_true(apply(ISA_AOP_ADD_F64, 8, 0x7ff0000000000001, 0x3ff0000000000000) == 0x7ff8000000000001);
  assert_true(apply(ISA_AOP_ADD_F64, 8, 0x7ff0000000000001, 0xfff0000000000002) == 0xfff8000000000002); /* b first */
  assert_true(apply(ISA_AOP_ADD_F64, 8, 0x7ff0000000000000, 0xfff0000000000000) == 0xfff8000000000000);
}

static void test_half(void **state) {
  (void)state;
  assert_int_equal(apply(ISA_AOP_ADD_F16X2, 4, 0x3c003c00, 0x3c000000), 0x40003c00);
  assert_int_equal(apply(ISA_AOP_ADD_F16X2, 4, 0x7c00fbff, 0xfc008000), 0x7ffffbff); /* inf - inf; -65504 + -0 */
  assert_int_equal(apply(ISA_AOP_ADD_F16X2, 4, 0x7bff0001, 0x4c000001), 0x7c000002); /* overflow; subnormals */
  assert_int_equal(apply(ISA_AOP_ADD_F16X2, 4, 0x68006801, 0x3c003c00), 0x68006802); /* 2048 + 1: ties, to even */
  assert_int_equal(apply(ISA_AOP_ADD_F16X2, 4, 0xbc008000, 0x3c000000), 0x00000000);
  /* A half plus zero is itself, whatever it is: numbers of both signs, infinities. */
  for (uint32_t h = 0; h <= 0x7c00; h++) {
    const uint32_t both = h | (h | 0x8000u) << 16;
    if (apply(ISA_AOP_ADD_F16X2, 4, both, 0x80008000u) != both) fail_msg("0x%08x + -0 is something else", both);
  }
}

static void test_whole(void **state) {
  (void)state;
  assert_int_equal(apply(ISA_AOP_INC, 4, 7, 7), 0);
  assert_int_equal(apply(ISA_AOP_INC, 4, 6, 7), 7);
  assert_int_equal(apply(ISA_AOP_DEC, 4, 0, 7), 7);
  assert_int_equal(apply(ISA_AOP_DEC, 4, 8, 7), 7);
  assert_int_equal(apply(ISA_AOP_DEC, 4, 5, 7), 4);
  assert_int_equal(apply(ISA_AOP_MIN, 4, 0xffffffff, 1), 1);
  assert_int_equal(apply(ISA_AOP_MIN_S32, 4, 0xffffffff, 1), 0xffffffff);
  assert_int_equal(apply(ISA_AOP_MAX_S32, 4, 0xffffffff, 1), 1);
  assert_true(apply(ISA_AOP_MAX_U64, 8, 1, UINT64_MAX) == UINT64_MAX);
  assert_true(apply(ISA_AOP_MAX_S64, 8, 1, UINT64_MAX) == 1);
  assert_true(apply(ISA_AOP_ADD_64, 8, UINT64_MAX, 2) == 1);
}

/* The axioms hold for correct streams, and each of them is broken by what breaks it: streams of a stand-in for the RTL
 * (tests/cosim/fake.h), spoiled, written as traces and judged. */

static uint8_t before[FAKE_BYTES], after[FAKE_BYTES];
static char path[] = "/tmp/heddle_order_XXXXXX";
static const struct fake_config machine = {8, 16, 3, 4, 0};

static struct fake_program program;
static struct stream good;

static void make(const char *text, unsigned blocks, unsigned threads) {
  fake_assemble(&program, text, blocks, threads);
  fake_run(&program, &machine, &good, after);
  fake_fill(before);
}

static void drop(void) {
  stream_free(&good);
  fake_program_free(&program);
}

/* Cycles never fall in a trace; a record that was moved comes in the cycle of those around it. */
static void write_trace(const struct stream *s, struct heddle_record_hidden hidden, const uint8_t *final) {
  struct heddle_message msg;
  uint64_t cycle = 0;
  const struct heddle_trace_header h = {.size = sizeof h,
                                        .isa_hash = heddle_isa_hash(),
                                        .lanes = machine.lanes,
                                        .warp_slots = machine.warp_slots,
                                        .block_slots = machine.block_slots,
                                        .shared_bytes = 8192,
                                        .hidden = hidden,
                                        .config = "test",
                                        .command = "none"};
  struct heddle_trace_writer *w;
  assert_int_equal(heddle_trace_create(path, &h, &w, &msg), HEDDLE_SUCCESS);
  assert_int_equal(heddle_trace_launch(w, &program.launch, FAKE_BASE, before, FAKE_BYTES, NULL), HEDDLE_SUCCESS);
  for (size_t i = 0; i < s->n; i++) {
    struct heddle_retire_record r = s->r[i];
    if (r.cycle < cycle) r.cycle = cycle;
    cycle = r.cycle;
    assert_int_equal(heddle_trace_record(w, &r, NULL), HEDDLE_SUCCESS);
  }
  assert_int_equal(heddle_trace_launch_end(w, final, cycle, NULL), HEDDLE_SUCCESS);
  assert_int_equal(heddle_trace_close(w, NULL), HEDDLE_SUCCESS);
}

static enum order_outcome judge(const struct stream *s, const uint8_t *final, struct order_result *r) {
  const struct order_options o = {.accesses = 0};
  write_trace(s, HEDDLE_RECORD_HIDDEN_P2, final);
  return order_check(path, &o, r);
}

/* The same as a core shows it that shows no more than profile p. */
static enum order_outcome judge_at(unsigned p, struct order_result *r) {
  const struct order_options o = {.accesses = 0};
  struct stream s;
  uint64_t noise = p;
  stream_copy(&s, &good);
  conform_hide(&s, conform_profile[p], &noise);
  write_trace(&s, conform_profile[p], after);
  stream_free(&s);
  return order_check(path, &o, r);
}

/* ---- what is right ---- */

static void test_holds(void **state) {
  (void)state;
  static const char *const text[] = {program_mix, program_sizes, program_local, program_uniform};
  for (unsigned n = 0; n < CONFORM_PROFILES * (sizeof text / sizeof *text); n++) {
    const unsigned k = n / CONFORM_PROFILES, p = n % CONFORM_PROFILES;
    struct order_result r;
    make(text[k], 3, 64);
    if (judge_at(p, &r) != ORDER_HOLDS) fail_msg("program %u at P%u: %s: %s", k, p, order_axiom_name(r.axiom), r.what);
    assert_true((r.hidden[0] == '\0') == (p == 2));
    assert_true(r.profile[1] == (char)('0' + p));
    assert_int_equal(r.launches, 1);
    assert_true(r.instructions > 6 * 10);
    assert_true(k == 3 || (r.bytes_read > 1000 && r.bytes_written > 1000));
    assert_int_equal(r.bytes_final, FAKE_BYTES);
    drop();
  }
}

/* None of the rules is asked of nothing in the program that has a bit of everything; stamps are shown at P2 alone. */
static void test_asked(void **state) {
  (void)state;
  for (unsigned p = 0; p < CONFORM_PROFILES; p++) {
    struct order_result r;
    make(program_mix, 3, 64);
    assert_int_equal(judge_at(p, &r), ORDER_HOLDS);
    for (unsigned a = ORDER_AXIOM_NONE + 1; a < ORDER_RECORD; a++)
      if (a != ORDER_TRAP && (r.judged[a] == 0) != (a == ORDER_STAMP && p < 2))
        fail_msg("at P%u %s is asked %llu times", p, order_axiom_name((enum order_axiom)a),
                 (unsigned long long)r.judged[a]);
    assert_int_equal(r.barriers, 3);
    drop();
  }
}

static void test_traps(void **state) {
  (void)state;
  static const char *const text[] = {program_address, program_illegal, program_target};
  for (unsigned n = 0; n < CONFORM_PROFILES * (sizeof text / sizeof *text); n++) {
    const unsigned k = n / CONFORM_PROFILES, p = n % CONFORM_PROFILES;
    struct order_result r;
    make(text[k], 1, 32);
    if (judge_at(p, &r) != ORDER_HOLDS) fail_msg("program %u at P%u: %s: %s", k, p, order_axiom_name(r.axiom), r.what);
    assert_int_equal(r.judged[ORDER_TRAP], 1);
    drop();
  }
}

/* ---- what is spoiled ---- */

/* Below P2 memory's own time is not shown: what is wrong with it alone is not seen. */
static void test_spoiled(void **state) {
  (void)state;
  for (unsigned n = 0; n < CONFORM_PROFILES * spoiled_count; n++) {
    const struct spoiled *m = &spoiled[n / CONFORM_PROFILES];
    const unsigned p = n % CONFORM_PROFILES;
    struct order_result r;
    make(m->text, m->traps ? 1 : 3, m->traps ? 32 : 64);
    if (!m->spoil(&good)) fail_msg("%s: the stream has no place for it", m->name);
    const enum order_outcome want = p < 2 && m->axiom == ORDER_STAMP ? ORDER_HOLDS : ORDER_BROKEN;
    const enum order_axiom axiom = want == ORDER_HOLDS ? ORDER_AXIOM_NONE : m->axiom;
    if (judge_at(p, &r) != want || r.axiom != axiom)
      fail_msg("%s at P%u: want %s, got %s: %s", m->name, p, order_axiom_name(axiom), order_axiom_name(r.axiom),
               r.what);
    drop();
  }
}

/* R4: where a lane stores; R1, written just before it is stored, and again just after. */
static const char program_late[] = ".kernel late\n"
                                   ".param u64 in\n"
                                   ".param u64 out\n"
                                   "        S2R R0, SR_LANEID ;\n"
                                   "        MOV R4, c[0x0][out] ;\n"
                                   "        MOV R5, c[0x0][out+4] ;\n"
                                   "        IMAD.WIDE R4, R0, 0x4, R4 ;\n"
                                   "        IADD3 R1, R0, 0x7, RZ ;\n"
                                   "        STG.E [R4], R1 ;\n"
                                   "        LOP3.LUT R1, R0, 0xff, RZ, 0x3c ;\n"
                                   "        EXIT ;\n"
                                   ".end\n";

/* All records of one kind of the instruction at `issue` go after the record at `to`; false: none stands before it. */
static bool move_after(size_t issue, uint32_t kind, size_t to) {
  unsigned n = 0;
  for (size_t i = issue + 1; i < to; i++)
    if (good.r[i].kind == kind && same_insn(heddle_record_id_of(&good.r[i]), &good.r[issue].u.issue.id)) n++;
  for (unsigned k = 0; k < n; k++) stream_move(&good, of_insn(&good, issue, kind), to);
  return n != 0;
}

/* Nothing shows operands: a register may be written after who reads it has issued, and again before it is stored. */
static void test_registers(void **state) {
  (void)state;
  struct order_result r;
  make(program_late, 1, 32);
  const size_t first = find_issue(&good, 0, ISA_OP_IADD3);
  assert_true(move_after(first, HEDDLE_RECORD_WRITE, find_issue(&good, 0, ISA_OP_STG_E)));
  assert_int_equal(judge_at(0, &r), ORDER_HOLDS);
  const size_t store = find_issue(&good, 0, ISA_OP_STG_E);
  const size_t again = last_of_insn(&good, find_issue(&good, 0, ISA_OP_LOP3_LUT), HEDDLE_RECORD_WRITE);
  assert_true(again != NOT_FOUND);
  (void)move_after(store, HEDDLE_RECORD_GLOBAL, again); /* if it is not performed as late as that already */
  assert_true(is_op(&good.r[store], ISA_OP_STG_E));
  assert_true(of_insn(&good, store, HEDDLE_RECORD_GLOBAL) >
              last_of_insn(&good, find_issue(&good, 0, ISA_OP_LOP3_LUT), HEDDLE_RECORD_WRITE));
  assert_int_equal(judge_at(0, &r), ORDER_HOLDS);
  assert_int_equal(r.bytes_written, 128);
  assert_true(move_after(first, HEDDLE_RECORD_WRITE,
                         last_of_insn(&good, store, HEDDLE_RECORD_GLOBAL))); /* stored before it is there */
  assert_int_equal(judge_at(0, &r), ORDER_BROKEN);
  assert_int_equal(r.axiom, ORDER_RECORD);
  drop();
}

/* The last byte of memory, which nobody writes; a byte that is written. */
static void test_memory(void **state) {
  (void)state;
  struct order_result r;
  make(program_mix, 3, 64);
  after[FAKE_BYTES - 1] ^= 0x80;
  assert_int_equal(judge(&good, after, &r), ORDER_BROKEN);
  assert_int_equal(r.axiom, ORDER_MEMORY);
  assert_int_equal(r.steps, 0);
  after[FAKE_BYTES - 1] ^= 0x80;
  const size_t g = of_insn(&good, find_issue(&good, 0, ISA_OP_RED_E), HEDDLE_RECORD_GLOBAL);
  assert_true(g != NOT_FOUND);
  after[good.r[g].u.global.sector * 32 - FAKE_BASE] ^= 1;
  assert_int_equal(judge(&good, after, &r), ORDER_BROKEN);
  assert_int_equal(r.axiom, ORDER_MEMORY);
  assert_int_equal(r.steps, 1);
  drop();
}

/* The cycle names who: the younger access that went first, and the older one that is late. */
static void test_words(void **state) {
  (void)state;
  struct order_result r;
  make(program_mix, 3, 64);
  assert_true(spoil_swap_stores(&good));
  assert_int_equal(judge(&good, after, &r), ORDER_BROKEN);
  assert_int_equal(r.steps, 2);
  assert_non_null(strstr(r.step[0].who, "warp "));
  assert_non_null(strstr(r.step[0].who, " pc 0x"));
  assert_non_null(strstr(r.step[0].who, " STG.E"));
  assert_non_null(strstr(r.step[0].then, "program order"));
  assert_non_null(strstr(r.step[1].who, "global byte 0x"));
  assert_non_null(strstr(r.step[1].then, "performed before it"));
  drop();
}

/* ---- what is hostile ---- */

static void test_cut(void **state) {
  (void)state;
  struct order_result r;
  const struct order_options o = {.accesses = 0};
  make(program_mix, 1, 32);
  write_trace(&good, HEDDLE_RECORD_HIDDEN_P2, after);
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  static uint8_t whole[1 << 21];
  const size_t n = fread(whole, 1, sizeof whole, f);
  fclose(f);
  assert_true(n > 1000 && n < sizeof whole);
  for (size_t cut = 0; cut < n; cut += cut < 600 ? 1 : n / 97) {
    f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(whole, 1, cut, f), cut);
    fclose(f);
    if (order_check(path, &o, &r) == ORDER_HOLDS) fail_msg("cut after %zu bytes of %zu, and it holds", cut, n);
    assert_true(r.what[0] != '\0');
  }
  assert_int_equal(order_check("/nonexistent/trace", &o, &r), ORDER_REFUSED);
  drop();
}

static void test_limit(void **state) {
  (void)state;
  struct order_result r;
  make(program_mix, 3, 64);
  write_trace(&good, HEDDLE_RECORD_HIDDEN_P2, after);
  assert_int_equal(order_check(path, &(struct order_options){.accesses = 40}, &r), ORDER_TOO_MUCH);
  assert_non_null(strstr(r.what, "--accesses"));
  assert_int_equal(order_check(path, &(struct order_options){.accesses = 1u << 20}, &r), ORDER_HOLDS);
  drop();
}

/* Bytes of records turned at random, files otherwise whole: told, or harmless, and never more than that. */
static void test_garbage(void **state) {
  (void)state;
  uint64_t seed = 1;
  unsigned told = 0;
  enum { ROUNDS = 400 };
  make(program_mix, 2, 64);
  for (unsigned round = 0; round < ROUNDS; round++) {
    struct stream s;
    struct order_result r;
    stream_copy(&s, &good);
    for (unsigned k = 0; k < 3; k++) {
      struct heddle_retire_record *rec = &s.r[splitmix64(&seed) % s.n];
      const uint8_t bit = (uint8_t)(1u << splitmix64(&seed) % 8);
      ((uint8_t *)&rec->u)[splitmix64(&seed) % 64] ^= bit;
    }
    const enum order_outcome out = judge(&s, after, &r);
    if (out != ORDER_HOLDS) told++;
    assert_true(out == ORDER_HOLDS || r.what[0] != '\0');
    stream_free(&s);
  }
  assert_true(told > ROUNDS / 10);
  drop();
}

static int make_path(void **state) {
  (void)state;
  const int fd = mkstemp(path);
  if (fd < 0) return -1;
  close(fd);
  return 0;
}

static int remove_path(void **state) {
  (void)state;
  return unlink(path);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_float),   cmocka_unit_test(test_half),      cmocka_unit_test(test_whole),
      cmocka_unit_test(test_holds),   cmocka_unit_test(test_asked),     cmocka_unit_test(test_traps),
      cmocka_unit_test(test_spoiled), cmocka_unit_test(test_registers), cmocka_unit_test(test_memory),
      cmocka_unit_test(test_words),   cmocka_unit_test(test_cut),       cmocka_unit_test(test_limit),
      cmocka_unit_test(test_garbage)};
  return cmocka_run_group_tests(tests, make_path, remove_path);
}
