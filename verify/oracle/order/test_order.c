/* SPDX-License-Identifier: Apache-2.0
 *
 * The axioms hold for correct streams, and each of them is broken by what breaks it: streams of a stand-in for the RTL
 * (tests/cosim/fake.h), spoiled, written as traces and judged.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "heddle/trace.h"
#include "mutations.h"
#include "mutations_order.h"
#include "order.h"
#include "programs.h"
#include "splitmix64.h"
#include "stream_find.h"

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
static void write_trace(const struct stream *s, const uint8_t *final) {
  char err[256];
  uint64_t cycle = 0;
  const struct trace_header h = {.isa_hash = isa_hash(),
                                 .lanes = machine.lanes,
                                 .warp_slots = machine.warp_slots,
                                 .block_slots = machine.block_slots,
                                 .shared_bytes = 8192,
                                 .config = "test",
                                 .command = "none"};
  struct trace_writer *w = trace_create(path, &h, err, sizeof err);
  assert_non_null(w);
  assert_true(trace_launch(w, &program.launch, FAKE_BASE, before, FAKE_BYTES));
  for (size_t i = 0; i < s->n; i++) {
    struct retire_record r = s->r[i];
    if (r.cycle < cycle) r.cycle = cycle;
    cycle = r.cycle;
    assert_true(trace_record(w, &r));
  }
  assert_true(trace_launch_end(w, final, cycle));
  assert_true(trace_close(w));
}

static enum order_outcome judge(const struct stream *s, const uint8_t *final, struct order_result *r) {
  const struct order_options o = {.accesses = 0};
  write_trace(s, final);
  return order_check(path, &o, r);
}

/* ---- what is right ---- */

static void test_holds(void **state) {
  (void)state;
  static const char *const text[] = {program_mix, program_sizes, program_local, program_uniform};
  for (unsigned k = 0; k < sizeof text / sizeof *text; k++) {
    struct order_result r;
    make(text[k], 3, 64);
    if (judge(&good, after, &r) != ORDER_HOLDS) fail_msg("program %u: %s: %s", k, order_axiom_name(r.axiom), r.what);
    assert_int_equal(r.launches, 1);
    assert_true(r.instructions > 6 * 10);
    assert_true(k == 3 || (r.bytes_read > 1000 && r.bytes_written > 1000));
    assert_int_equal(r.bytes_final, FAKE_BYTES);
    drop();
  }
}

/* None of the rules is asked of nothing in the program that has a bit of everything. */
static void test_asked(void **state) {
  (void)state;
  struct order_result r;
  make(program_mix, 3, 64);
  assert_int_equal(judge(&good, after, &r), ORDER_HOLDS);
  for (unsigned a = ORDER_AXIOM_NONE + 1; a < ORDER_RECORD; a++)
    if (a != ORDER_TRAP && r.judged[a] == 0) fail_msg("%s is never asked", order_axiom_name((enum order_axiom)a));
  assert_int_equal(r.barriers, 3);
  drop();
}

static void test_traps(void **state) {
  (void)state;
  static const char *const text[] = {program_address, program_illegal, program_target};
  for (unsigned k = 0; k < sizeof text / sizeof *text; k++) {
    struct order_result r;
    make(text[k], 1, 32);
    if (judge(&good, after, &r) != ORDER_HOLDS) fail_msg("program %u: %s: %s", k, order_axiom_name(r.axiom), r.what);
    assert_int_equal(r.judged[ORDER_TRAP], 1);
    drop();
  }
}

/* ---- what is spoiled ---- */

/* A store of one sector and, in its place, the younger one of the same warp: what they hold changes places, too. */
static bool swap_stores(struct stream *s) {
  for (size_t i = 0; i < s->n; i++) {
    if (s->r[i].kind != RECORD_GLOBAL || s->r[i].u.global.access != RECORD_STORE) continue;
    for (size_t j = i + 1; j < s->n; j++) {
      const struct record_global *a = &s->r[i].u.global, *b = &s->r[j].u.global;
      if (s->r[j].kind != RECORD_GLOBAL || b->sector != a->sector || b->id.slot != a->id.slot) continue;
      if (b->id.gen != a->id.gen || b->id.seq <= a->id.seq || b->access != RECORD_STORE) continue;
      stream_move(s, i, j);
      return true;
    }
  }
  return false;
}

/* Two stores of one warp to two places of shared memory: nobody could see their order, but it is promised. */
static const char program_two[] = ".kernel two\n"
                                  ".param u64 in\n"
                                  ".param u64 out\n"
                                  ".shared buf 1024\n"
                                  "        S2R R0, SR_LANEID ;\n"
                                  "        SHF.L.U32 R3, R0, 0x2, RZ ;\n"
                                  "        STS [R3+buf], R0 ;\n"
                                  "        STS [R3+buf+0x200], R0 ;\n"
                                  "        EXIT ;\n"
                                  ".end\n";

static bool swap_places(struct stream *s) {
  RECORD_OR_FAIL(first, find_issue(s, 0, ISA_OP_STS));
  RECORD_OR_FAIL(second, next_issue(s, first));
  RECORD_OR_FAIL(a, of_insn(s, first, RECORD_SHARED));
  RECORD_OR_FAIL(b, last_of_insn(s, second, RECORD_SHARED));
  stream_move(s, a, b);
  return b > a;
}

/* A load that returns what was there before the latest write: the thread gets it, too. */
static bool stale_load(struct stream *s) {
  for (size_t i = find_kind(s, 0, RECORD_SHARED); i != NOT_FOUND; i = find_kind(s, i + 1, RECORD_SHARED)) {
    if (s->r[i].u.shared.access != RECORD_LOAD) continue;
    s->r[i].u.shared.rdata[__builtin_ctz(s->r[i].u.shared.bank_en)] ^= 0x100;
    return true;
  }
  return false;
}

static bool load_result(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_LDG_E));
  s->r[i].u.write.data[1] ^= 0x40;
  return true;
}

static bool atomic_result(struct stream *s) {
  RECORD_OR_FAIL(i, write_of(s, ISA_OP_ATOMG_E));
  s->r[i].u.write.data[__builtin_ctz(s->r[i].u.write.mask)]++;
  return true;
}

static bool result_early(struct stream *s) {
  RECORD_OR_FAIL(issue, find_issue(s, 0, ISA_OP_LDG_E));
  RECORD_OR_FAIL(read, of_insn(s, issue, RECORD_GLOBAL));
  RECORD_OR_FAIL(result, of_insn(s, issue, RECORD_WRITE));
  if (result < read) return false;
  stream_move(s, result, read);
  return true;
}

static bool block_early(struct stream *s) {
  RECORD_OR_FAIL(end, find_kind(s, 0, RECORD_BLOCK_END));
  for (size_t i = end; i-- > 0;)
    if (s->r[i].kind == RECORD_ISSUE && is_op(&s->r[i], ISA_OP_EXIT)) {
      stream_move(s, end, i);
      return true;
    }
  return false;
}

static bool shared_overlap(struct stream *s) {
  RECORD_OR_FAIL(first, find_kind(s, 0, RECORD_BLOCK_START));
  RECORD_OR_FAIL(second, find_kind(s, first + 1, RECORD_BLOCK_START));
  s->r[second].u.block_start.shared_base = s->r[first].u.block_start.shared_base + 4;
  return true;
}

static bool sequence_gap(struct stream *s) {
  RECORD_OR_FAIL(i, find_issue(s, 0, ISA_OP_LDG_E));
  s->r[i].u.issue.id.seq++;
  return true;
}

static bool generation(struct stream *s) {
  RECORD_OR_FAIL(i, find_kind(s, 0, RECORD_GLOBAL));
  s->r[i].u.global.id.gen++;
  return true;
}

/* A store that is younger than what traps, performed as it would be: the highest lane's number at byte 8. */
static bool before_trap(struct stream *s) {
  if (!spoil_perform_after_trap(s)) return false;
  struct record_global *g = &s->r[find_kind(s, 0, RECORD_TRAP) - 1].u.global;
  g->wstrb = 0xf00;
  g->wdata[8] = 31;
  return true;
}

static bool behind_trap(struct stream *s) {
  if (!before_trap(s)) return false;
  const size_t t = find_kind(s, 0, RECORD_TRAP);
  stream_move(s, t, t - 1);
  return true;
}

static bool of_table(struct stream *s, const char *name) {
  for (unsigned k = 0; k < mutation_count; k++)
    if (strcmp(mutations[k].name, name) == 0) return mutations[k].spoil(s);
  return false;
}
static bool barrier_early(struct stream *s) {
  return of_table(s, "barrier_early");
}
static bool barrier_release(struct stream *s) {
  return of_table(s, "barrier_release");
}
static bool fence_access(struct stream *s) {
  return of_table(s, "fence_access");
}
static bool fence_result(struct stream *s) {
  return of_table(s, "fence_result");
}

static const struct spoiled {
  const char *name;
  const char *text;
  bool (*spoil)(struct stream *s);
  enum order_axiom axiom;
} spoiled[] = {
    {"swap_stores", program_mix, swap_stores, ORDER_PROGRAM},
    {"order", program_mix, spoil_perform_order, ORDER_PROGRAM},
    {"order_shared", program_mix, spoil_perform_order_shared, ORDER_READS_FROM}, /* what is stored only later */
    {"swap_places", program_two, swap_places, ORDER_PROGRAM},
    {"stale_load", program_mix, stale_load, ORDER_READS_FROM},
    {"result", program_mix, spoil_perform_result, ORDER_READS_FROM},
    {"result_shared", program_mix, spoil_perform_result_shared, ORDER_ATOMICITY},
    {"result_atomic", program_mix, spoil_perform_result_atomic, ORDER_ATOMICITY},
    {"data", program_mix, spoil_perform_data, ORDER_STORED},
    {"data_shared", program_mix, spoil_perform_data_shared, ORDER_STORED},
    {"strobe", program_mix, spoil_perform_strobe, ORDER_STORED},
    {"strobe_shared", program_mix, spoil_perform_strobe_shared, ORDER_STORED},
    {"load_result", program_mix, load_result, ORDER_RESULT},
    {"atomic_result", program_mix, atomic_result, ORDER_RESULT},
    {"result_early", program_mix, result_early, ORDER_RESULT},
    {"access", program_mix, spoil_perform_access, ORDER_ONCE},
    {"double", program_mix, spoil_perform_double, ORDER_ONCE},
    {"extra", program_mix, spoil_perform_extra, ORDER_RECORD}, /* its operands are nobody's */
    {"missing", program_mix, spoil_perform_missing, ORDER_BLOCK},
    {"lanes", program_mix, spoil_perform_lanes, ORDER_TOGETHER},
    {"sector", program_mix, spoil_perform_sector, ORDER_PLACE},
    {"row", program_mix, spoil_perform_row, ORDER_PLACE},
    {"bank", program_mix, spoil_perform_bank, ORDER_PLACE},
    {"fence_access", program_mix, fence_access, ORDER_FENCE},
    {"fence_result", program_mix, fence_result, ORDER_FENCE},
    {"barrier_early", program_mix, barrier_early, ORDER_BARRIER},
    {"barrier_release", program_mix, barrier_release, ORDER_BARRIER},
    {"block_early", program_mix, block_early, ORDER_BLOCK},
    {"shared_overlap", program_mix, shared_overlap, ORDER_BLOCK},
    {"before_trap", program_address, before_trap, ORDER_TRAP},
    {"behind_trap", program_address, behind_trap, ORDER_TRAP},
    {"sequence_gap", program_mix, sequence_gap, ORDER_RECORD},
    {"generation", program_mix, generation, ORDER_RECORD}};

static void test_spoiled(void **state) {
  (void)state;
  for (unsigned k = 0; k < sizeof spoiled / sizeof *spoiled; k++) {
    const struct spoiled *m = &spoiled[k];
    struct order_result r;
    make(m->text, m->text == program_address ? 1 : 3, m->text == program_address ? 32 : 64);
    if (!m->spoil(&good)) fail_msg("%s: the stream has no place for it", m->name);
    if (judge(&good, after, &r) != ORDER_BROKEN) fail_msg("%s: outcome %d: %s", m->name, (int)r.outcome, r.what);
    if (r.axiom != m->axiom)
      fail_msg("%s: want %s, got %s: %s", m->name, order_axiom_name(m->axiom), order_axiom_name(r.axiom), r.what);
    drop();
  }
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
  const size_t g = of_insn(&good, find_issue(&good, 0, ISA_OP_RED_E), RECORD_GLOBAL);
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
  assert_true(swap_stores(&good));
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
  write_trace(&good, after);
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
  write_trace(&good, after);
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
      struct retire_record *rec = &s.r[splitmix64(&seed) % s.n];
      ((uint8_t *)&rec->u)[splitmix64(&seed) % 64] ^= (uint8_t)(1u << splitmix64(&seed) % 8);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_holds),   cmocka_unit_test(test_asked),  cmocka_unit_test(test_traps),
      cmocka_unit_test(test_spoiled), cmocka_unit_test(test_memory), cmocka_unit_test(test_words),
      cmocka_unit_test(test_cut),     cmocka_unit_test(test_limit),  cmocka_unit_test(test_garbage),
  };
  return cmocka_run_group_tests(tests, make_path, remove_path);
}
