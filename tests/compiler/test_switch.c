/* SPDX-License-Identifier: Apache-2.0
 *
 * Branches that become something else: short arms, trees of comparisons.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/isa.h>
#include "base/splitmix64.h"
#include "tests/compiler/graph/ir_random.h"
#include "tests/compiler/lower/lowered.h"
#include "tests/compiler/select/select_run.h"
#include "tests/test.h"

/* Short arms without branches: by hand, and random graphs before and after. */

static void converted(const char *body, const char *wanted) {
  char text[3000];
  struct lowered l;
  snprintf(text, sizeof text, "%s%s%s", OPEN, body, CLOSE);
  if (!lowered(&l, text, false)) fail_msg("%s: %s", body, l.p.messages ? l.p.message[0].text : "no message");
  ir_to_ssa(l.f);
  ir_fold(l.f);
  ir_uniform(l.f);
  ir_if_convert(l.f);
  ir_dead(l.f);
  assert_null(ir_check(l.f, true));
  ir_from_ssa(l.f);
  assert_null(ir_check(l.f, false));
  char *got = normalised(l.f, true);
  if (strcmp(got, wanted) != 0) fail_msg("%s\n  is     %s\n  wanted %s", body, got, wanted);
  free(got);
  lowered_free(&l);
}

#define TID "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 7; "
#define HAD "b0:; r1 = sreg.tid.x.u32; p1 = setp.lt.u32 r1, 0x7; "

static void arms(void **state) {
  (void)state;
  /* one arm: the sum is made where it is wanted, and the register keeps the other value */
  converted(TID
            "mov.u32 %r2, %r1; @%p1 bra A; add.u32 %r2, %r1, 5; A: st.global.b32 [%d1], %r2; st.global.b32 [4], %r1;",
            "b0:; t0 = undef.b64; r1 = sreg.tid.x.u32; p1 = setp.lt.u32 r1, 0x7; r2 = copy.b32 r1; "
            "@!p1 r2 else r2 = add.u32 r1, 0x5; st.global.b32 [t0], r2; st.global.b32 [0x4], r1; exit");
  /* two arms */
  converted(TID "@%p1 bra A; add.u32 %r2, %r1, 5; bra B; A: mul.lo.u32 %r2, %r1, 3; B: st.global.b32 [4], %r2;",
            HAD "r2 = add.u32 r1, 0x5; @p1 r2 else r2 = mul.u32 r1, 0x3; st.global.b32 [0x4], r2; exit");
  /* constants: a choice */
  converted(TID "mov.u32 %r2, 1; @%p1 bra A; mov.u32 %r2, 2; A: st.global.b32 [4], %r2;",
            HAD "r2 = selp.b32 0x1, 0x2, p1; st.global.b32 [0x4], r2; exit");
  /* memory under the branch's predicate */
  converted(TID "@%p1 bra A; ld.global.b32 %r2, [8]; st.global.b32 [4], %r2; A: st.global.b32 [16], %r1;",
            HAD "@!p1 r2 = ld.global.b32 [0x8]; @!p1 st.global.b32 [0x4], r2; st.global.b32 [0x10], r1; exit");
  /* one inside the other */
  converted(TID "setp.gt.u32 %p2, %r1, 3; mov.u32 %r2, 1; @%p1 bra A; mov.u32 %r2, 2; @%p2 bra A; mov.u32 %r2, 3; A: "
                "st.global.b32 [4], %r2;",
            HAD "p2 = setp.gt.u32 r1, 0x3; r2 = copy.b32 0x1; @!p1 r2 else r2 = selp.b32 0x2, 0x3, p2; st.global.b32 "
                "[0x4], r2; exit");
}

static void ends(void **state) {
  (void)state;
  converted(TID "@%p1 bra E; st.global.b32 [4], %r1; E: ret;",
            HAD "@p1 exit; b2: <- b0; st.global.b32 [0x4], r1; exit");
  converted(TID "@!%p1 bra A; ret; A: st.global.b32 [4], %r1;",
            HAD "@p1 exit; b1: <- b0; st.global.b32 [0x4], r1; exit");
}

/* Barriers, votes, fences, many instructions, dear ones, many stores stay in their arms. */
static void stays(void **state) {
  (void)state;
  static const char *const arms[] = {"bar.sync 0;",
                                     "vote.sync.ballot.b32 %r2, %p1, -1; st.global.b32 [8], %r2;",
                                     "membar.gl;",
                                     "div.u32 %r2, %r1, %r3; st.global.b32 [8], %r2;",
                                     "st.global.b32 [8], %r1; st.global.b32 [12], %r1; st.global.b32 [16], %r1;",
                                     "mov.u32 %r2, %clock; st.global.b32 [8], %r2;",
                                     "xor.b32 %r2, %r1, 77; mul.lo.u32 %r2, %r2, %r1; xor.b32 %r2, %r2, 77; mul.lo.u32 "
                                     "%r2, %r2, %r1; xor.b32 %r2, %r2, 77; "
                                     "mul.lo.u32 %r2, %r2, %r1; xor.b32 %r2, %r2, 77; mul.lo.u32 %r2, %r2, %r1; "
                                     "xor.b32 %r2, %r2, 77; mul.lo.u32 %r2, %r2, %r1; "
                                     "xor.b32 %r2, %r2, 77; st.global.b32 [8], %r2;"};
  for (size_t k = 0; k < sizeof arms / sizeof *arms; k++) {
    char text[3000];
    struct lowered l;
    snprintf(text, sizeof text, "%s%s@%%p1 bra A; %s A: st.global.b32 [4], %%r1;%s", OPEN, TID, arms[k], CLOSE);
    assert_non_null(lowered(&l, text, false));
    ir_to_ssa(l.f);
    ir_uniform(l.f);
    ir_if_convert(l.f);
    assert_null(ir_check(l.f, true));
    assert_int_equal(l.f->first->last->op, IR_CBR);
    lowered_free(&l);
  }
}

static void random_graphs(void **state) {
  (void)state;
  unsigned ran = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    struct random_ir shape = {.seed = seed,
                              .depth = 4,
                              .length = 3,
                              .work = 2,
                              .memory = seed % 2,
                              .guards = seed % 3 == 0,
                              .exits = seed % 5 == 0};
    uint8_t expected[WARP_GLOBAL];
    if (seed % 4 == 3) shape.blocks = 3 + (unsigned)(seed % 30);
    struct random_made m = ir_random(&shape);
    if (ir_random_expect(m.f, expected)) {
      ran++;
      ir_to_ssa(m.f);
      if (seed % 3) ir_fold(m.f);
      ir_uniform(m.f);
      ir_if_convert(m.f);
      const char *wrong = ir_random_check(m.f, true, expected);
      if (wrong) fail_msg("seed %llu: %s", (unsigned long long)seed, wrong);
    }
    ir_random_free(&m);
  }
  assert_true(ran > 250);
}

/* Trees of comparisons, random ones too: the way through them is the same when they have become branch tables. */

#define BASE UINT64_C(0x7f40000000)
enum { THREADS = 512, TEXT = 1 << 16, NODES = 200 };

enum source { WORD, BYTE, SIGNED_BYTE, SOURCES };

struct node {
  unsigned cmp; /* 0 to 5: eq ne lt le gt ge; 6: a leaf */
  bool is_signed, sets;
  uint32_t added, constant, result; /* v + added is compared; `sets`: the result so far */
  unsigned yes, no;
};

struct tree {
  uint64_t random;
  enum source source;
  struct node node[NODES];
  unsigned nodes;
  char text[TEXT];
  size_t at;
};

static uint32_t draw(struct tree *t, uint32_t below) {
  return (uint32_t)(splitmix64(&t->random) >> 32) % below;
}

/* Constants from first to first + count - 1; a leaf when none is left. */
static unsigned grow(struct tree *t, int32_t first, uint32_t count) {
  const unsigned at = t->nodes++;
  assert_true(t->nodes < NODES);
  struct node *n = &t->node[at];
  n->result = draw(t, 1000);
  n->sets = draw(t, 3) == 0;
  n->cmp = count ? draw(t, 6) : 6;
  if (!count) return at;
  const uint32_t k = draw(t, 4) ? count / 2 : draw(t, count);
  n->is_signed = draw(t, 2);
  n->added = draw(t, 3) ? 0 : draw(t, 40);
  n->constant = (uint32_t)first + k + n->added;
  const unsigned yes = grow(t, first, k), no = grow(t, first + (int32_t)k + 1, count - k - 1);
  n->yes = n->cmp < 4 ? yes : no;
  n->no = n->cmp < 4 ? no : yes;
  return at;
}

static bool holds(const struct node *n, uint32_t v) {
  const uint32_t a = v + n->added, b = n->constant;
  const bool less = n->is_signed ? (int32_t)a < (int32_t)b : a < b;
  const bool table[] = {a == b, a != b, less, less || a == b, !less && a != b, !less};
  return table[n->cmp];
}

static uint32_t expected(const struct tree *t, uint32_t v) {
  uint32_t result = 7;
  const struct node *n = t->node;
  for (;; n = &t->node[holds(n, v) ? n->yes : n->no]) {
    if (n->sets) result = n->result;
    if (n->cmp == 6) return n->sets ? result : result + n->result;
  }
}

static void put(struct tree *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct tree *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  t->at += (size_t)vsnprintf(t->text + t->at, TEXT - t->at, format, list);
  va_end(list);
  assert_true(t->at < TEXT);
}

static void put_nodes(struct tree *t) {
  static const char *const cmp[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  for (unsigned k = 0; k < t->nodes; k++) {
    const struct node *n = &t->node[k];
    put(t, "L%u:\n", k);
    if (n->sets) put(t, "mov.u32 %%r2, %u;\n", n->result);
    if (n->cmp == 6) {
      if (!n->sets) put(t, "add.u32 %%r2, %%r2, %u;\n", n->result);
      put(t, "bra.uni OUT;\n");
      continue;
    }
    if (n->added) put(t, "add.s32 %%r3, %%r1, %u;\n", n->added);
    put(t, "setp.%s.%c32 %%p1, %s, %d;\n@%%p1 bra L%u;\nbra.uni L%u;\n", cmp[n->cmp], n->is_signed ? 's' : 'u',
        n->added ? "%r3" : "%r1", (int32_t)n->constant, n->yes, n->no);
  }
}

static void write_text(struct tree *t) {
  static const char *const load[] = {"u32", "u8", "s8"};
  put(t,
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 base) {\n"
      ".reg .pred %%p<2>; .reg .b32 %%r<6>; .reg .b64 %%d<4>;\n"
      "mov.u32 %%r4, %%tid.x; ld.param.u64 %%d1, [base]; mad.wide.u32 %%d1, %%r4, 8, %%d1;\n"
      "ld.global.%s %%r1, [%%d1]; mov.u32 %%r2, 7;\n",
      load[t->source]);
  put_nodes(t);
  put(t, "OUT: st.global.u32 [%%d1+4], %%r2; ret; }\n");
}

static uint32_t seen(const struct tree *t, uint32_t v) {
  return t->source == WORD ? v : t->source == BYTE ? v & 0xff : (uint32_t)(int32_t)(int8_t)(v & 0xff);
}

static unsigned count(const struct heddle_program *p, enum heddle_isa_op op) {
  unsigned found = 0;
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    found += heddle_isa_decode(heddle_program_word(p, pc), &d) && d.op == op;
  }
  return found;
}

/* Branch tables in it. */
static unsigned check(const struct tree *t, int32_t around, unsigned level, enum heddle_divergence unit) {
  static const uint32_t far[] = {0x7fffffff, 0x80000000, 0xffffffff, 0, 255, 256, 0xffffff80};
  uint32_t memory[2 * THREADS];
  struct heddle_program *p = select_compile(t->text, level, "switch");
  const uint64_t param = BASE;
  for (unsigned k = 0; k < THREADS; k++)
    memory[2 * k] = k < 7 ? far[k] : (uint32_t)around - 100 + (k * 37 + 11) % THREADS;
  const struct select_job job = {.base = BASE,
                                 .global = (uint8_t *)memory,
                                 .bytes = sizeof memory,
                                 .blocks = 1,
                                 .threads = THREADS,
                                 .param = (const uint8_t *)&param,
                                 .param_bytes = sizeof param,
                                 .unit = unit};
  const char *bad = select_launch(p, &job);
  if (bad) fail_msg("%s\n%s", bad, t->text);
  for (unsigned k = 0; k < THREADS; k++)
    if (memory[2 * k + 1] != expected(t, seen(t, memory[2 * k])))
      fail_msg("%u: %u instead of %u\n%s", memory[2 * k], memory[2 * k + 1], expected(t, seen(t, memory[2 * k])),
               t->text);
  const unsigned tables = count(p, ISA_OP_BRX);
  heddle_program_free(p);
  return tables;
}

static void random_trees(void **state) {
  (void)state;
  unsigned with = 0, trees = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    struct tree *t = calloc(1, sizeof *t);
    t->random = seed;
    t->source = (enum source)(seed % SOURCES);
    const int32_t first = (int32_t)draw(t, 300) - 150;
    (void)grow(t, first, 1 + draw(t, 60));
    write_text(t);
    with += check(t, first, 1, seed % 2 ? HEDDLE_STACK : HEDDLE_ITS) > 0;
    assert_int_equal(check(t, first, 0, HEDDLE_STACK), 0);
    trees++;
    free(t);
  }
  assert_true(with > trees / 3);
}

/* What clang makes of a switch: one table. What a small or thin one is: none. */
static void when(void **state) {
  (void)state;
  static const struct {
    uint32_t step, count;
    unsigned tables;
  } shape[] = {{1, 20, 1}, {2, 20, 1}, {1, 4, 0}, {1000, 20, 0}};
  for (unsigned k = 0; k < 4; k++) {
    struct tree *t = calloc(1, sizeof *t);
    t->nodes = 2 * shape[k].count + 1;
    for (unsigned n = 0; n < shape[k].count; n++) {
      t->node[2 * n] = (struct node){.constant = shape[k].step * n, .yes = 2 * n + 1, .no = 2 * n + 2};
      t->node[2 * n + 1] = (struct node){.cmp = 6, .result = n};
    }
    t->node[t->nodes - 1] = (struct node){.cmp = 6, .result = 99};
    write_text(t);
    assert_int_equal(check(t, 0, 1, HEDDLE_STACK), shape[k].tables);
    free(t);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(arms),         cmocka_unit_test(ends),
                                     cmocka_unit_test(stays),        cmocka_unit_test(random_graphs),
                                     cmocka_unit_test(random_trees), cmocka_unit_test(when)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
