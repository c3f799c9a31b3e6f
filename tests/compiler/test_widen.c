/* SPDX-License-Identifier: Apache-2.0
 *
 * Neighbouring accesses become one: by hand, what must stay apart as well as what may join, and random graphs before
 * and after.
 */
#include "tests/test.h"
#include "tests/compiler/lowered.h"

#include "compiler/optimise/alias.h"
#include "tests/compiler/ir_random.h"

#define VARIABLES ".shared .align 4 .b8 s[64]; .shared .align 4 .b8 few[8]; .local .align 4 .b8 l[64]; "
#define POINTER                                                                                                        \
  HEAD ".const .align 4 .b8 c[64]; .entry k(.param .u64 .ptr .global .align 16 pa, .param .u64 pb) { " REGISTERS "\n"

static char *widened(const char *body) {
  char text[3000];
  struct lowered l;
  snprintf(text, sizeof text, "%s%s%s%s", POINTER, VARIABLES, body, CLOSE);
  if (!lowered(&l, text, false)) fail_msg("%s: %s", body, l.p.messages ? l.p.message[0].text : "no message");
  ir_to_ssa(l.f);
  ir_fold(l.f);
  ir_cse(l.f);
  ir_widen(l.f);
  assert_null(ir_check(l.f, true));
  ir_dead(l.f);
  char *got = normalised(l.f, false);
  lowered_free(&l);
  return got;
}

/* The accesses of memory that are left, by word and address: "ld.shared.v4 [r2] st.global [d1+4]". */
static void accesses(const char *body, const char *wanted) {
  char *text = widened(body), got[1000] = "", *save;
  for (char *line = strtok_r(text, ";", &save); line; line = strtok_r(NULL, ";", &save)) {
    const char *op = strstr(line, "ld."), *at = strchr(line, '[');
    if (!op) op = strstr(line, "st.");
    if (!op || !at) continue;
    size_t word = strcspn(op, " ");
    while (op[word] != '.') word--; /* without the type */
    snprintf(got + strlen(got), sizeof got - strlen(got), "%s%.*s %.*s", got[0] ? " " : "", (int)word, op,
             (int)strcspn(at, "]") + 1, at);
  }
  if (strcmp(got, wanted) != 0) fail_msg("%s\n  is     %s\n  wanted %s", body, got, wanted);
  free(text);
}

#define TID(bits) "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, " #bits "; "
#define PA "ld.param.u64 %d1, [pa]; "
#define PB "ld.param.u64 %d2, [pb]; "
#define USE " st.volatile.global.b32 [%d1], %r3; st.volatile.global.b32 [%d1], %r4;"
#define USED " st.volatile.sys.global [d1] st.volatile.sys.global [d1]"

static void joined(void **state) {
  (void)state;
  char *got = widened(PA TID(4) "ld.shared.b32 %r4, [%r2+4]; ld.shared.b32 %r3, [%r2];" USE);
  assert_string_equal(got,
                      "d1 = param.u64+0; r1 = sreg.tid.x.u32; r2 = shl.b32 r1, 0x4; r3, r4 = ld.shared.v2.b32 [r2]; "
                      "st.volatile.sys.global.b32 [d1], r3; st.volatile.sys.global.b32 [d1], r4; exit");
  free(got);
  /* four words, two pairs, two halves of a vector; loads at the first, stores at the last */
  accesses(PA TID(4) "ld.shared.b32 %r3, [%r2+4]; st.global.b32 [%d1+64], %r3; ld.shared.b32 %r4, [%r2]; "
                     "ld.shared.b32 %r5, [%r2+12]; ld.shared.b32 %r6, [%r2+8]; add.u32 %r3, %r3, %r5; "
                     "add.u32 %r4, %r4, %r6;" USE,
           "ld.shared.v4 [r2] st.global [d1+64]" USED);
  accesses(PA "ld.global.b64 %d3, [%d1+16]; ld.global.b64 %d4, [%d1+24]; st.global.b64 [%d1+8], %d3; "
              "st.global.b64 [%d1], %d4;",
           "ld.global.v2 [d1+16] st.global.v2 [d1]");
  accesses(PA "ld.global.v2.b32 {%r3, %r4}, [%d1+16]; ld.global.v2.b32 {%r5, %r6}, [%d1+24]; "
              "st.global.v2.b32 [%d1+8], {%r5, %r4}; st.global.v2.b32 [%d1], {%r3, %r6};",
           "ld.global.v4 [d1+16] st.global.v4 [d1]");
  accesses(
      PA TID(4) "ld.shared.b32 %r3, [%r2-12]; ld.shared.b32 %r4, [%r2-16]; bar.sync 0; "
                "ld.global.nc.b32 %r5, [%d1+8]; bar.sync 0; ld.global.nc.b32 %r6, [%d1+12]; add.u32 %r3, %r3, %r5; "
                "add.u32 %r4, %r4, %r6;" USE,
      "ld.shared.v2 [r2-16] ld.global.v2 [d1+8]" USED);
  /* three of four: two of them */
  accesses(PA TID(4) "ld.shared.b32 %r3, [%r2]; ld.shared.b32 %r4, [%r2+4]; ld.shared.b32 %r5, [%r2+8]; "
                     "add.u32 %r3, %r3, %r5;" USE,
           "ld.shared.v2 [r2] ld.shared [r2+8]" USED);
  accesses(PA TID(4) "mov.u32 %r5, c; add.u32 %r5, %r5, %r2; ld.const.b32 %r3, [%r5]; ld.const.b32 %r4, [%r5+4];" USE,
           "ld.const.v2 [r2]" USED);
  /* variables of 16 bytes and more are aligned, generic addresses of them too */
  accesses(PA "st.local.b32 [l+20], %r3; ld.global.b32 %r4, [%d1]; st.local.b32 [l+16], %r4;",
           "ld.global [d1] st.local.v2 [0x0+16]");
  accesses(PA TID(3) "cvt.u64.u32 %d3, %r2; cvta.shared.u64 %d4, %d3; ld.b32 %r3, [%d4]; ld.b32 %r4, [%d4+4];" USE,
           "ld.shared.v2 [r2]" USED);
}

/* Not known to be aligned, not beside each other, not of one size. */
static void apart(void **state) {
  (void)state;
  accesses(PA PB "ld.global.b32 %r3, [%d2]; ld.global.b32 %r4, [%d2+4];" USE, "ld.global [d2] ld.global [d2+4]" USED);
  accesses(PA TID(2) "ld.shared.b32 %r3, [%r2]; ld.shared.b32 %r4, [%r2+4];" USE,
           "ld.shared [r2] ld.shared [r2+4]" USED);
  accesses(PA TID(4) "ld.shared.b32 %r3, [%r2+4]; ld.shared.b32 %r4, [%r2+8];" USE,
           "ld.shared [r2+4] ld.shared [r2+8]" USED);
  accesses(PA TID(4) "ld.shared.b32 %r3, [%r2]; ld.shared.b32 %r4, [%r2+8];" USE,
           "ld.shared [r2] ld.shared [r2+8]" USED);
  accesses(PA TID(3) "ld.shared.b64 %d3, [%r2]; ld.shared.b64 %d4, [%r2+8]; st.volatile.global.b64 [%d1], %d3; "
                     "st.volatile.global.b64 [%d1], %d4;",
           "ld.shared [r2] ld.shared [r2+8]" USED);
  accesses(PA TID(4) "ld.shared.u16 %h3, [%r2]; ld.shared.u16 %h4, [%r2+2]; st.volatile.global.b16 [%d1], %h3; "
                     "st.volatile.global.b16 [%d1], %h4;",
           "ld.shared [r2] ld.shared [r2+2]" USED);
  /* what is a multiple before a loop is none behind a step of it */
  accesses(PA TID(4) "A: ld.shared.b32 %r3, [%r2]; ld.shared.b32 %r4, [%r2+4]; add.u32 %r2, %r2, 12; "
                     "st.global.b32 [%d1], %r3; st.global.b32 [%d1+16], %r4; setp.lt.u32 %p1, %r2, 99; @%p1 bra A;",
           "ld.shared [r2] ld.shared [r2+4] st.global [d1] st.global [d1+16]");
  accesses(PA TID(4) "A: ld.shared.b32 %r3, [%r2]; ld.shared.b32 %r4, [%r2+4]; add.u32 %r2, %r2, 24; "
                     "st.global.b32 [%d1], %r3; st.global.b32 [%d1+16], %r4; setp.lt.u32 %p1, %r2, 99; @%p1 bra A;",
           "ld.shared.v2 [r2] st.global [d1] st.global [d1+16]");
}

static void between(void **state) {
  (void)state;
#define LOADS(what) PA TID(4) "ld.shared.b32 %r3, [%r2]; " what " ld.shared.b32 %r4, [%r2+4];" USE
#define STORES(what) PA TID(4) "st.shared.b32 [%r2], %r1; " what " st.shared.b32 [%r2+4], %r2;"
  accesses(LOADS("st.shared.b32 [%r2+8], %r1;"), "ld.shared.v2 [r2] st.shared [r2+8]" USED);
  accesses(LOADS("st.shared.b32 [%r1], %r1;"), "ld.shared [r2] st.shared [r1] ld.shared [r2+4]" USED);
  accesses(LOADS("bar.sync 0;"), "ld.shared [r2] ld.shared [r2+4]" USED);
  accesses(LOADS("membar.cta;"), "ld.shared [r2] ld.shared [r2+4]" USED);
  accesses(STORES("ld.shared.b32 %r3, [%r2+8]; st.global.b32 [%d1], %r3;"),
           "ld.shared [r2+8] st.global [d1] st.shared.v2 [r2]");
  accesses(STORES("ld.shared.b32 %r3, [%r2]; st.global.b32 [%d1], %r3;"),
           "st.shared [r2] ld.shared [r2] st.global [d1] st.shared [r2+4]");
  accesses(STORES("st.shared.u8 [%r1], %h1;"), "st.shared [r2] st.shared [r1] st.shared [r2+4]");
  accesses(STORES("bar.sync 0;"), "st.shared [r2] st.shared [r2+4]");
  accesses(STORES("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [s]; st.global.b32 [%d1], %r3;"),
           "st.shared [r2] st.global [d1] st.shared [r2+4]");
  /* a thread's own memory waits for nobody */
  accesses("mov.u32 %r1, %tid.x; st.local.b32 [l], %r1; bar.sync 0; st.local.b32 [l+4], %r1; st.local.b32 [l+8], %r2;",
           "st.local [0x0] st.local [0x0+4] st.local [0x0+8]");
  accesses("mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1; st.local.b32 [l], %r1; bar.sync 0; st.local.b32 [l+4], %r2;",
           "st.local.v2 [0x0]");
}

/* Strong, volatile, guarded ones; constants, which are operands, or would have to be brought into registers. */
static void stays(void **state) {
  (void)state;
  accesses(PA TID(4) "ld.volatile.shared.b32 %r3, [%r2]; ld.volatile.shared.b32 %r4, [%r2+4];" USE,
           "ld.volatile.sys.shared [r2] ld.volatile.sys.shared [r2+4]" USED);
  accesses(PA "st.relaxed.gpu.global.b32 [%d1+8], %r1; st.relaxed.gpu.global.b32 [%d1+12], %r2;",
           "st.gpu.global [d1+8] st.gpu.global [d1+12]");
  accesses(PA TID(4) "setp.lt.u32 %p1, %r1, 7; mov.u32 %r4, 0; ld.shared.b32 %r3, [%r2]; @%p1 ld.shared.b32 %r4, "
                     "[%r2+4];" USE,
           "ld.shared [r2] ld.shared [r2+4]" USED);
  accesses(TID(4) "setp.lt.u32 %p1, %r1, 7; @%p1 st.shared.b32 [%r2], %r1; @%p1 st.shared.b32 [%r2+4], %r2;",
           "st.shared [r2] st.shared [r2+4]");
  accesses(PA "ld.const.b32 %r3, [c]; ld.const.b32 %r4, [c+4];" USE, "ld.const [0x0] ld.const [0x0+4]" USED);
  accesses(TID(4) "st.shared.b32 [%r2], 0; st.shared.b32 [%r2+4], 0;", "st.shared [r2] st.shared [r2+4]");
}

/* ---- of what power of two a value is a multiple ---- */

static void multiples(void **state) {
  (void)state;
  static const struct {
    const char *body;
    unsigned power;
  } of[] = {
      {"mov.u32 %r0, 24;", 3},
      {"shl.b32 %r0, %r1, 5;", 5},
      {"shl.b32 %r0, %r1, %r2;", 0},
      {"mul.lo.u32 %r0, %r1, 48;", 4},
      {"shl.b32 %r2, %r1, 2; mul.lo.u32 %r0, %r2, 12;", 4},
      {"shl.b32 %r2, %r1, 6; shr.u32 %r0, %r2, 2;", 4},
      {"and.b32 %r0, %r1, 0xf8;", 3},
      {"shl.b32 %r2, %r1, 4; add.u32 %r0, %r2, 8;", 3},
      {"shl.b32 %r2, %r1, 4; sub.u32 %r0, 32, %r2;", 4},
      {"shl.b32 %r2, %r1, 4; or.b32 %r0, %r2, 2;", 1},
      {"shl.b32 %r2, %r1, 4; selp.b32 %r0, %r2, 8, %p1;", 3},
      {"mul.wide.u32 %d1, %r1, 16; cvt.u32.u64 %r0, %d1;", 4},
      {"mad.lo.u32 %r0, %r1, 16, 4;", 2},
      {"shl.b32 %r2, %r1, 4; neg.s32 %r0, %r2;", 4},
      {"ld.global.b32 %r0, [64];", 0},
      {"mov.u32 %r0, %ntid.x;", 0},
      {"mov.u32 %r0, 16; @%p1 add.u32 %r0, %r0, 4;", 2},
      {"mov.u32 %r0, 0; A: add.u32 %r0, %r0, 8; setp.lt.u32 %p1, %r0, %r1; @%p1 bra A;", 3},
  };
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
    char text[1000];
    struct lowered l;
    snprintf(text, sizeof text, "%s%s%s%s%s", OPEN,
             "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; setp.lt.u32 %p1, %r1, 7; ", of[k].body,
             " st.global.b32 [16], %r0;", CLOSE);
    assert_non_null(lowered(&l, text, false));
    ir_to_ssa(l.f);
    const uint8_t *power = alias_multiples(l.f);
    const struct ir_insn *store = NULL;
    for (const struct ir_block *b = l.f->first; b; b = b->next)
      for (const struct ir_insn *i = b->first; i; i = i->next)
        if (i->op == IR_ST) store = i;
    assert_non_null(store);
    const unsigned is = power[store->src[1].value->id];
    if (is != of[k].power) fail_msg("%s: %u, wanted %u", of[k].body, is, of[k].power);
    lowered_free(&l);
  }
}

static unsigned vectors(const struct ir_function *f) {
  unsigned n = 0;
  for (const struct ir_block *b = f->first; b; b = b->next)
    for (const struct ir_insn *i = b->first; i; i = i->next)
      n += (i->op == IR_LD || i->op == IR_ST) && i->memory.vector > 1;
  return n;
}

static void random_graphs(void **state) {
  (void)state;
  unsigned ran = 0, some = 0;
  for (uint64_t seed = 1; seed <= 600; seed++) {
    struct random_ir shape = {
        .seed = seed, .depth = 3, .length = 3, .work = 40, .memory = true, .guards = seed % 3 == 0};
    uint8_t expected[WARP_GLOBAL];
    struct random_made m = ir_random(&shape);
    if (ir_random_expect(m.f, expected)) {
      ran++;
      ir_to_ssa(m.f);
      if (seed % 3) ir_fold(m.f);
      ir_cse(m.f);
      ir_widen(m.f);
      some += vectors(m.f) > 0;
      const char *wrong = ir_random_check(m.f, true, expected);
      if (wrong) fail_msg("seed %llu: %s", (unsigned long long)seed, wrong);
    }
    ir_random_free(&m);
  }
  assert_true(ran > 500 && some > ran / 2);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(joined),    cmocka_unit_test(apart),
                                     cmocka_unit_test(between),   cmocka_unit_test(stays),
                                     cmocka_unit_test(multiples), cmocka_unit_test(random_graphs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
