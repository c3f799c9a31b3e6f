/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads of what is known, stores that nobody sees: by hand, what must stay as well as what may go, and random graphs
 * before and after.
 */
#include "tests/test.h"
#include "tests/compiler/lowered.h"

#include "tests/compiler/ir_random.h"

#define SHARED ".shared .align 16 .b8 s[64]; .shared .align 16 .b8 q[64]; .local .align 16 .b8 l[64]; "

static char *forwarded(const char *body) {
  char text[3000];
  struct lowered l;
  snprintf(text, sizeof text, "%s%s%s%s", OPEN, SHARED, body, CLOSE);
  if (!lowered(&l, text, false)) fail_msg("%s: %s", body, l.p.messages ? l.p.message[0].text : "no message");
  ir_to_ssa(l.f);
  ir_fold(l.f);
  ir_cse(l.f);
  (void)ir_forward(l.f);
  assert_null(ir_check(l.f, true));
  ir_fold(l.f);
  ir_dead(l.f);
  assert_null(ir_check(l.f, true));
  char *got = normalised(l.f, true);
  lowered_free(&l);
  return got;
}

static void becomes(const char *body, const char *wanted) {
  char *got = forwarded(body);
  if (strcmp(got, wanted) != 0) fail_msg("%s\n  is     %s\n  wanted %s", body, got, wanted);
  free(got);
}

static unsigned occurrences(const char *text, const char *word) {
  unsigned n = 0;
  for (const char *p = text; (p = strstr(p, word)) != NULL; p++) n++;
  return n;
}

/* How many loads and stores are left. */
static void leaves(const char *body, unsigned loads, unsigned stores) {
  char *got = forwarded(body);
  const unsigned is_loads = occurrences(got, "= ld."), is_stores = occurrences(got, " st.");
  if (is_loads != loads || is_stores != stores)
    fail_msg("%s\n  leaves %u loads, %u stores; wanted %u, %u: %s", body, is_loads, is_stores, loads, stores, got);
  free(got);
}

#define TID "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 4; "
#define PA "ld.param.u64 %d1, [pa]; "
#define OUT " st.global.b32 [%d1], %r3; st.global.b32 [%d1+4], %r4;"

static void known(void **state) {
  (void)state;
  /* loaded twice */
  leaves(PA TID "ld.shared.b32 %r3, [%r2]; ld.shared.b32 %r4, [%r2];" OUT, 1, 2);
  /* of what was stored: the number itself, its low bits, elements of a vector */
  becomes(PA "mov.u32 %r1, %tid.x; st.local.b32 [l], %r1; ld.local.b32 %r3, [l]; st.global.b32 [%d1], %r3;",
          "b0:; d1 = param.u64+0; r1 = sreg.tid.x.u32; st.global.b32 [d1], r1; exit");
  becomes(PA "mov.u32 %r1, %tid.x; cvt.u16.u32 %h1, %r1; st.shared.u8 [s], %h1; ld.shared.s8 %h2, [s]; cvt.s32.s8 %r3, "
             "%h2; st.global.b32 [%d1], %r3;",
          "b0:; d1 = param.u64+0; r1 = sreg.tid.x.u32; st.shared.u8 [0x0], r1; h2 = cvt.s32.s8 r1; "
          "st.global.b32 [d1], h2; exit");
  becomes(PA "ld.global.v2.b32 {%r1, %r2}, [%d1]; st.shared.v2.b32 [s], {%r1, %r2}; ld.shared.b32 %r3, [s+4]; "
             "st.global.b32 [%d1], %r3;",
          "b0:; d1 = param.u64+0; r1, r2 = ld.global.v2.b32 [d1]; st.shared.v2.b32 [0x0], r1, r2; "
          "st.global.b32 [d1], r2; exit");
  /* in another block, behind a join */
  leaves(PA TID "setp.lt.u32 %p1, %r1, 7; ld.shared.b32 %r3, [%r2]; @%p1 bra A; add.u32 %r1, %r1, 1; A: "
                "ld.shared.b32 %r4, [%r2]; add.u32 %r4, %r4, %r1;" OUT,
         1, 2);
  /* round a loop in which nothing is written there */
  leaves(PA TID "ld.shared.b32 %r3, [%r2]; mov.u32 %r4, 0; A: ld.shared.b32 %r5, [%r2]; add.u32 %r4, %r4, %r5; "
                "st.global.b32 [%d1+8], %r4; setp.lt.u32 %p1, %r4, 99; @%p1 bra A;" OUT,
         1, 3);
  /* nobody writes what .nc loads */
  leaves(PA "ld.global.nc.b32 %r3, [%d1+64]; st.global.b32 [%d1], %r3; bar.sync 0; ld.global.nc.b32 %r4, [%d1+64];" OUT,
         1, 3);
}

/* Accesses between that lie elsewhere. */
static void apart(void **state) {
  (void)state;
#define BETWEEN(what) PA TID "ld.shared.b32 %r3, [%r2]; " what " ld.shared.b32 %r4, [%r2];" OUT
  leaves(BETWEEN("st.global.b32 [%d1+8], %r1;"), 1, 3);
  leaves(BETWEEN("st.shared.b32 [%r2+4], %r1;"), 1, 3);
  leaves(BETWEEN("shl.b32 %r5, %r3, 3; st.shared.b32 [%r5+4], %r1;"), 1, 3); /* 4 behind a multiple of 8 */
  leaves(BETWEEN("shl.b32 %r5, %r3, 2; st.shared.b32 [%r5+4], %r1;"), 2, 3);
  leaves(BETWEEN("shl.b32 %r5, %r3, 3; st.shared.b64 [%r5], %d1;"), 2, 3);
  leaves(BETWEEN("st.shared.b32 [%r3], %r1;"), 2, 3);
  leaves(BETWEEN("@%p1 st.shared.b32 [%r3], %r1;"), 2, 3);
  leaves(BETWEEN("st.shared.u8 [%r2+3], %h1;"), 2, 3);
  leaves(BETWEEN("st.shared.u8 [%r2+4], %h1;"), 1, 3);
  leaves(BETWEEN("st.b32 [%d1], %r1;"), 2, 3); /* generic: anywhere */
  /* generic, but no pointer to local memory was made */
  leaves(PA "ld.local.b32 %r3, [l]; st.b32 [%d1], %r3; ld.local.b32 %r4, [l];" OUT, 1, 3);
  leaves(PA "mov.u64 %d2, l; cvta.local.u64 %d3, %d2; st.global.b64 [%d1+8], %d3; ld.local.b32 %r3, [l]; "
            "st.b32 [%d1], %r3; ld.local.b32 %r4, [l];" OUT,
         2, 4);
}

/* What orders other threads' accesses. */
static void ordered(void **state) {
  (void)state;
  static const char *const between[] = {
      "bar.sync 0;",
      "bar.warp.sync -1;",
      "membar.cta;",
      "fence.acq_rel.gpu;",
      "atom.shared.add.u32 %r5, [q], 1; st.global.b32 [%d1+8], %r5;",
      "red.global.add.u32 [%d1+8], 1;",
      "ld.volatile.shared.b32 %r5, [q];",
      "ld.relaxed.gpu.global.b32 %r5, [%d1+8];",
      "st.volatile.global.b32 [%d1+8], %r1;",
  };
  for (size_t k = 0; k < sizeof between / sizeof *between; k++) {
    char text[1000];
    snprintf(text, sizeof text, "%s%s%s", PA TID "ld.shared.b32 %r3, [%r2]; ", between[k],
             " ld.shared.b32 %r4, [%r2];" OUT);
    char *got = forwarded(text);
    if (occurrences(got, "= ld.shared.b32 [r2]") != 2) fail_msg("%s: %s", text, got);
    free(got);
    /* a thread's local memory is its own */
    snprintf(text, sizeof text, "%s%s%s", PA TID "st.local.b32 [l], %r1; ", between[k], " ld.local.b32 %r4, [l];" OUT);
    got = forwarded(text);
    if (strstr(got, "local")) fail_msg("%s: %s", text, got);
    free(got);
  }
}

/* Strong, volatile and guarded accesses stay as they are; a store on one way is not known behind the join, nor what
 * comes later in a loop. */
static void stays(void **state) {
  (void)state;
  leaves(PA TID "ld.volatile.shared.b32 %r3, [%r2]; ld.volatile.shared.b32 %r4, [%r2];" OUT, 2, 2);
  leaves(PA TID "ld.relaxed.gpu.global.b32 %r3, [%d1]; ld.relaxed.gpu.global.b32 %r4, [%d1];" OUT, 2, 2);
  leaves(PA TID "setp.lt.u32 %p1, %r1, 7; mov.u32 %r3, 0; @%p1 ld.shared.b32 %r3, [%r2]; ld.shared.b32 %r4, [%r2];" OUT,
         2, 2);
  leaves(PA TID "setp.lt.u32 %p1, %r1, 7; ld.shared.b32 %r3, [%r2]; @%p1 bra A; st.shared.b32 [%r2], %r1; A: "
                "ld.shared.b32 %r4, [%r2];" OUT,
         2, 3);
  leaves(PA TID "ld.shared.b32 %r3, [%r2]; mov.u32 %r4, 0; A: ld.shared.b32 %r5, [%r2]; add.u32 %r4, %r4, %r5; "
                "st.shared.b32 [%r2], %r4; setp.lt.u32 %p1, %r4, 99; @%p1 bra A;" OUT,
         2, 3);
  /* of another width */
  leaves(PA TID "st.shared.b64 [%r2], %d1; ld.shared.b32 %r3, [%r2]; mov.u32 %r4, %r3;" OUT, 1, 3);
}

static void unseen(void **state) {
  (void)state;
  /* overwritten */
  leaves(TID "st.shared.b32 [%r2], 1; st.shared.b32 [%r2], 2;", 0, 1);
  leaves(TID "st.shared.b32 [%r2+4], 1; st.shared.v2.b32 [%r2], {%r1, %r1};", 0, 1);
  leaves(TID "setp.lt.u32 %p1, %r1, 7; @%p1 st.shared.b32 [%r2], 1; st.shared.b32 [%r2], 2;", 0, 1);
  /* seen, or not overwritten as a whole, or not by every thread */
  leaves(TID "st.shared.b32 [%r2], 1; bar.sync 0; st.shared.b32 [%r2], 2;", 0, 2);
  leaves(PA TID "st.shared.b32 [%r2], 1; ld.shared.b32 %r3, [%r1]; st.shared.b32 [%r2], 2; st.global.b32 [%d1], %r3;",
         1, 3);
  leaves(TID "st.shared.v2.b32 [%r2], {%r1, %r1}; st.shared.b32 [%r2], 2;", 0, 2);
  leaves(TID "setp.lt.u32 %p1, %r1, 7; st.shared.b32 [%r2], 1; @%p1 st.shared.b32 [%r2], 2;", 0, 2);
  leaves(TID "st.volatile.shared.b32 [%r2], 1; st.shared.b32 [%r2], 2;", 0, 2);
  leaves(PA TID "st.shared.b32 [%r2], 1; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [q]; "
                "st.shared.b32 [%r2], 2; st.global.b32 [%d1], %r3;",
         0, 3);
  /* local memory that nothing reads, or something does */
  leaves(TID "and.b32 %r2, %r2, 48; st.local.b32 [%r2], %r1;", 0, 0);
  leaves(PA TID "and.b32 %r2, %r2, 48; st.local.b32 [%r2], %r1; ld.local.b32 %r3, [l+16]; st.global.b32 [%d1], %r3;", 1,
         2);
  leaves(PA TID "st.local.b32 [l], %r1; mov.u64 %d2, l; cvta.local.u64 %d3, %d2; st.global.b64 [%d1], %d3;", 0, 2);
}

static void random_graphs(void **state) {
  (void)state;
  unsigned ran = 0, some = 0;
  for (uint64_t seed = 1; seed <= 600; seed++) {
    struct random_ir shape = {.seed = seed,
                              .depth = 4,
                              .length = 3,
                              .work = 6,
                              .memory = true,
                              .narrow = seed % 5 == 0,
                              .guards = seed % 3 == 0};
    uint8_t expected[WARP_GLOBAL];
    if (seed % 4 == 3) shape.blocks = 3 + (unsigned)(seed % 30);
    struct random_made m = ir_random(&shape);
    if (ir_random_expect(m.f, expected)) {
      ran++;
      ir_to_ssa(m.f);
      if (seed % 3) ir_fold(m.f);
      ir_cse(m.f);
      some += ir_forward(m.f);
      const char *wrong = ir_random_check(m.f, true, expected);
      if (wrong) fail_msg("seed %llu: %s", (unsigned long long)seed, wrong);
    }
    ir_random_free(&m);
  }
  assert_true(ran > 500 && some > ran / 4);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known),   cmocka_unit_test(apart),
                                     cmocka_unit_test(ordered), cmocka_unit_test(stays),
                                     cmocka_unit_test(unseen),  cmocka_unit_test(random_graphs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
