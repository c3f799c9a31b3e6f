/* SPDX-License-Identifier: Apache-2.0
 *
 * Control flow, calls, scopes, and where variables lie. Blocks: b0 is the entry; labels get the next numbers as their
 * block begins, others as they are needed.
 */
#include "tests/test.h"
#include "tests/compiler/lower/lowered.h"

struct graph {
  const char *text, *graph;
};

static void check(const struct graph *t, size_t n) {
  for (size_t k = 0; k < n; k++) {
    struct lowered l;
    if (!lowered(&l, t[k].text, true)) fail_msg("%s: %s", t[k].text, l.p.message[0].text);
    if (strcmp(l.text, t[k].graph) != 0) fail_msg("%s\n  is     %s\n  wanted %s", t[k].text, l.text, t[k].graph);
    lowered_free(&l);
  }
}
#define CHECK(table) check(table, sizeof(table) / sizeof(table)[0])

static void branches(void **state) {
  (void)state;
  static const struct graph t[] = {
      {BODY(""), "b0:; exit"},
      {BODY("ret;"), "b0:; exit"},
      {BODY("L: bra L;"), "b0:; br -> b1; b1: <- b0 b1; br -> b1"},
      {BODY("@!%p1 bra L; add.u32 %r1, %r1, 1; L: ret;"),
       "b0:; cbr !p1 -> b1 b2; b2: <- b0; r1 = add.u32 r1, 0x1; br -> b1; b1: <- b0 b2; exit"},
      {BODY("bra.uni L; add.u32 %r1, %r1, 1; L: exit;"),
       "b0:; br -> b1; b2:; r1 = add.u32 r1, 0x1; br -> b1; b1: <- b0 b2; exit"},
      {BODY("@%p1 ret; trap;"), "b0:; cbr p1 -> b1 b2; b1: <- b0; exit; b2: <- b0; trap"},
      {BODY("@%p1 exit; ret;"), "b0:; cbr p1 -> b1 b2; b1: <- b0; exit; b2: <- b0; exit"},
      {BODY("T: .branchtargets A, B, A; brx.idx %r1, T; A: ret; B: ret;"),
       "b0:; brx r1 -> b1 b2 b1; b1: <- b0 b0; exit; b2: <- b0; exit"},
      {BODY("@%p1 brx.idx %r1, T; T: .branchtargets A; A: ret;"),
       "b0:; cbr p1 -> b2 b3; b2: <- b0; brx r1 -> b1; b3: <- b0; br -> b1; b1: <- b2 b3; exit"},
      {BODY("{ @%p1 bra L; { bra L; } } L: ret;"), "b0:; cbr p1 -> b1 b2; b2: <- b0; br -> b1; b1: <- b0 b2; exit"},
      {BODY("{ L: bra L; } { L: ret; }"), "b0:; br -> b1; b1: <- b0 b1; br -> b1; b2:; exit"},
  };
  CHECK(t);
}

static void ends(void **state) {
  (void)state;
  struct lowered l;
  assert_non_null(lowered(&l, BODY("@%p1 ret; ret;"), false));
  assert_true(l.f->divergent_exit);
  lowered_free(&l);
  assert_non_null(lowered(&l, BODY("@%p1 bra L; add.u32 %r1, %r1, 1; L: ret;"), false));
  assert_false(l.f->divergent_exit);
  lowered_free(&l);
}

#define CALLEE                                                                                                         \
  ".func (.param .b32 q) f(.param .b32 a) { .reg .b32 x; ld.param.b32 x, [a]; @p bra L; add.u32 x, x, 1; L: "          \
  "st.param.b32 [q], x; ret; .reg .pred p; }\n"

static void calls(void **state) {
  (void)state;
  static const struct graph t[] = {
      {HEAD CALLEE ".entry k() { .reg .b32 y; { .param .b32 in; st.param.b32 [in+0], y; .param .b32 out; call.uni "
                   "(out), f, (in); ld.param.b32 y, [out]; } }",
       "b0:; in = copy.b32 y; a = copy.b32 in; x = copy.b32 a; cbr p -> b2 b3; b3: <- b0; x = add.u32 x, 0x1; br -> "
       "b2; "
       "b2: <- b0 b3; q = copy.b32 x; br -> b1; b1: <- b2; out = copy.b32 q; y = copy.b32 out; exit"},
      /* under a guard; registers and constants as parameters */
      {HEAD ".func (.reg .u32 o) g(.reg .u32 a) { mov.u32 o, a; }\n.entry k() { .reg .pred c; .reg .u32 y; @c call "
            "(y), g, (7); }",
       "b0:; cbr c -> b1 b2; b1: <- b0; a = copy.b32 0x7; o = copy.b32 a; br -> b3; b3: <- b1; y = copy.b32 o; br -> "
       "b2; b2: <- b0 b3; exit"},
      /* two deep; the same body twice has registers of its own; exit ends the thread */
      {HEAD ".func g() { .reg .u32 z; add.u32 z, z, 1; }\n.func h() { call g; call g; exit; }\n.entry k() { call h; }",
       "b0:; z = add.u32 z, 0x1; br -> b2; b2: <- b0; z = add.u32 z, 0x1; br -> b3; b3: <- b2; exit; b1:; exit"},
      /* narrow reads and writes of a scalar */
      {HEAD ".func g(.param .b64 a) { .reg .b32 x; .reg .b16 y; ld.param.b32 x, [a+4]; ld.param.s8 y, [a+1]; }\n"
            ".entry k() { .reg .b32 y; .param .b64 in; st.param.b32 [in+4], y; call g, (in); }",
       "b0:; t0 = cvt.u64.u32 y; in = bfi.b64 t0, in, 0x20, 0x20; a = copy.b64 in; t1 = shr.u64 a, 0x20; x = "
       "cvt.u32.u64 t1; "
       "t2 = shr.u64 a, 0x8; t3 = cvt.u32.u64 t2; y = cvt.s32.s8 t3; br -> b1; b1: <- b0; exit"},
  };
  CHECK(t);
}

/* Structures by value lie in local memory: the caller's, where the callee reads them. */
static void arrays(void **state) {
  (void)state;
  static const struct graph t[] = {
      {HEAD ".func (.param .align 8 .b8 o[16]) g(.param .align 4 .b8 a[8]) { .reg .b64 x; .reg .b32 y; mov.b64 x, a; "
            "ld.param.b32 y, [x+4]; ld.param.b32 y, [a];"
            " st.param.v2.b32 [o+8], {y, y}; }\n"
            ".entry k() { .reg .b32 y; .param .align 4 .b8 in[8]; .param .align 8 .b8 out[16]; st.param.b32 [in+4], y; "
            "call (out), g, (in); ld.param.b32 y, [out+12]; }",
       "b0:; t0 = address.u32 in; st.local.b32 [t0+4], y; x = address.u64 in; t1 = cvt.u32.u64 x; y = ld.local.b32 "
       "[t1+4]; t2 = address.u32 in; "
       "y = ld.local.b32 [t2]; t3 = address.u32 out; st.local.v2.b32 [t3+8], y, y; br -> b1; b1: <- b0; t4 = "
       "address.u32 out; y = ld.local.b32 [t4+12]; exit"},
      /* the address of a scalar is taken */
      {HEAD ".func g(.param .b32 a) { .reg .b64 x; .reg .b32 y; mov.b64 x, a; ld.local.b32 y, [x]; ld.param.b32 y, "
            "[a]; }\n.entry k() { .reg .b32 y; call g, (y); }",
       "b0:; a = copy.b32 y; t0 = address.u32 a; st.local.b32 [t0], a; x = address.u64 a; t1 = cvt.u32.u64 x; y = "
       "ld.local.b32 [t1]; "
       "t2 = address.u32 a; y = ld.local.b32 [t2]; br -> b1; b1: <- b0; exit"},
  };
  CHECK(t);
}

/* Inner names hide outer ones; each block's registers are its own. */
static void scopes(void **state) {
  (void)state;
  static const struct graph t[] = {
      {HEAD ".entry k() { .reg .u32 x; mov.u32 x, 1; { .reg .u64 x; mov.u64 x, 2; } mov.u32 x, 3; }",
       "b0:; x = copy.b32 0x1; x = copy.b64 0x2; x = copy.b32 0x3; exit"},
  };
  CHECK(t);
}

static uint32_t offset_of(const struct ir_function *f, const char *name) {
  for (const struct ir_block *b = f->first; b; b = b->next)
    for (const struct ir_insn *i = b->first; i; i = i->next)
      if (i->op == IR_ADDRESS && strcmp(i->place.variable->name, name) == 0)
        return ir_variable_offset(f, i->place.variable);
  fail_msg("%s is not used", name);
  return 0;
}

static void layout(void **state) {
  (void)state;
  struct lowered l;
  assert_non_null(lowered(&l,
                          HEAD ".shared .align 4 .b8 unused[400]; .shared .align 4 .b8 s[6]; .extern .shared .align 32 "
                               ".b8 dyn[]; .const .u32 c0 = 5; .const .align 16 .b8 c1[20];\n"
                               ".entry k(.param .u8 a, .param .u64 b, .param .align 16 .b8 c[20], .param .u16 d) { "
                               ".reg .b64 %d<2>; .reg .u16 h; .local .align 8 .b8 m[12]; .local .u8 n;\n"
                               ".shared .align 8 .u64 t[2]; mov.u64 %d0, s; mov.u64 %d0, t; mov.u64 %d0, dyn; mov.u64 "
                               "%d0, c1; mov.u64 %d0, m; mov.u64 %d0, n; ld.param.u16 h, [d]; }",
                          false));
  assert_int_equal(offset_of(l.f, "s"), 0);
  assert_int_equal(offset_of(l.f, "t"), 16); /* as all of 16 bytes and more */
  assert_int_equal(l.f->shared_bytes, 32);   /* where the dynamic part begins */
  assert_int_equal(offset_of(l.f, "dyn"), 32);
  assert_int_equal(offset_of(l.f, "c1"), 16);
  assert_int_equal(offset_of(l.f, "m"), 0);
  assert_int_equal(offset_of(l.f, "n"), 12);
  assert_int_equal(l.f->local_bytes, 13);
  assert_int_equal(l.f->param_bytes, 38); /* a 0, b 8, c 16 .. 35, d 36 */
  assert_non_null(strstr(l.text, "param.u16+36"));
  lowered_free(&l);
}

/* Local memory of blocks and calls that are not inside each other is the same; inside each other it is not. */
static void local_stack(void **state) {
  (void)state;
  struct lowered l;
  assert_non_null(lowered(
      &l,
      HEAD
      ".func g() { .local .b8 big[100]; .reg .u64 x; mov.u64 x, big; }\n.func h() { .local .b8 own[10]; call g; }\n"
      ".entry k() { .local .b8 mine[4]; call g; call g; { .local .b8 inner[50]; } call h; }",
      false));
  assert_int_equal(l.f->local_bytes, 16 + 100); /* 4, 10, and up to a multiple of 16 */
  lowered_free(&l);
}

/* What is made with the first kernel serves the second, whose arena is another. */
static void two_kernels(void **state) {
  (void)state;
  struct lowered l;
  assert_non_null(lowered(&l,
                          HEAD ".const .u32 a[4]; .const .u32 b; .shared .u32 s;\n"
                               ".func f() { .reg .u64 x; mov.u64 x, b; }\n.entry k() { call f; }\n"
                               ".entry m() { .reg .v2 .u32 v; mov.u32 v.y, 1; call f; }",
                          false));
  assert_int_equal(offset_of(l.f, "b"), 16);
  ptx_arena_free(l.arena);
  l.arena = ptx_arena_new((size_t)1 << 20);
  ptx_arena_report(l.arena, &l.p.diag);
  l.f = ir_lower(l.arena, &l.p.diag, l.p.module, l.p.module->functions->next->next);
  assert_non_null(l.f);
  assert_int_equal(offset_of(l.f, "b"), 16);
  lowered_free(&l);
}

static void barriers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    unsigned count;
  } t[] = {{BODY("add.u32 %r1, %r1, 1;"), 0},
           {BODY("bar.sync 0;"), 1},
           {BODY("bar.sync 5; bar.arrive 2, 64;"), 6},
           {BODY("bar.sync %r1;"), 16}};
  for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
    struct lowered l;
    assert_non_null(lowered(&l, t[k].text, false));
    assert_int_equal(l.f->barriers, t[k].count);
    lowered_free(&l);
  }
}

static void constants(void **state) {
  (void)state;
  struct lowered l;
  uint32_t bytes = 0;
  assert_non_null(lowered(&l,
                          HEAD ".const .align 4 .b8 a[6] = {1, 2, 3}; .const .u64 p = a+2; .const .u32 z; .const "
                               ".align 8 .u64 q[2] = {p, 7};\n.entry k() { }",
                          false));
  const uint8_t *all = ir_constants(l.p.arena, &l.p.diag, l.p.module, &bytes);
  static const uint8_t wanted[48] = {1, 2, 3, [8] = 2, [32] = 8, [40] = 7}; /* 16 bytes and more: by 16 */
  assert_int_equal(bytes, sizeof wanted);
  assert_memory_equal(all, wanted, sizeof wanted);
  lowered_free(&l);
  assert_non_null(lowered(&l, HEAD ".entry k() { }", false));
  assert_null(ir_constants(l.p.arena, &l.p.diag, l.p.module, &bytes));
  assert_int_equal(bytes, 0);
  lowered_free(&l);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(branches),    cmocka_unit_test(ends),
                                     cmocka_unit_test(calls),       cmocka_unit_test(arrays),
                                     cmocka_unit_test(scopes),      cmocka_unit_test(layout),
                                     cmocka_unit_test(local_stack), cmocka_unit_test(barriers),
                                     cmocka_unit_test(constants),   cmocka_unit_test(two_kernels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
