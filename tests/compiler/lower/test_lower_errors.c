/* SPDX-License-Identifier: Apache-2.0
 *
 * What lowering refuses.
 */
#include "tests/compiler/lower/lowered.h"
#include "tests/test.h"

/* What lowering refuses: by name, and where: ` stands in front of the place. */

#define GLOBALS(module, body) HEAD module "\n.entry k() { .reg .b32 %r<4>; .reg .b64 %d<4>;\n" body " }"

static void instructions(void **state) {
  (void)state;
  static const struct refusal t[] = {
      {BODY("`foo.u32 %r1, %r2;"), "foo.u32: this instruction is not supported"},
      {BODY("  `frobnicate.fence.sync;"), "frobnicate.fence.sync: this instruction"},
      {BODY("`wgmma.fence.sync.aligned;"), "wgmma.fence.sync.aligned: there are no groups of warps: mma.sync"},
      {BODY("`add.ftz.u32 %r1, %r2, %r3;"), "add.ftz.u32: this combination"},
      {BODY("`add.bogus.u32 %r1, %r2, %r3;"), ".bogus is not supported here"},
      {BODY("`add.rn.rz.f32 %f1, %f2, %f3;"), ".rz is not supported here"},
      {BODY("`add.rni.f32 %f1, %f2, %f3;"), "this combination"},
      {BODY("`add.u8 %c1, %c2, %c3;"), "add.u8: this combination"},
      {BODY("`add.u32 %r1, %r2;"), "2 operands"},
      {BODY("`add.rz.f16 %h1, %h2, %h3;"), "this combination"},
      {BODY("`mul.u32 %r1, %r2, %r3;"), "this combination"},
      {BODY("`mul.wide.u64 %d1, %d2, %d3;"), "128 bits"},
      {BODY("`mad.lo.sat.s32 %r1, %r2, %r3, %r4;"), ".sat goes with .hi"},
      {BODY("`fma.f32 %f1, %f2, %f3, %f4;"), "this combination"},
      {BODY("`div.f32 %f1, %f2, %f3;"), "this combination"},
      {BODY("`sqrt.approx.f64 %e1, %e2;"), "this combination"},
      {BODY("lop3.b32 %r1, %r2, %r3, %r4, `256;"), "0 to 255"},
      {BODY("`min.xorsign.f32 %f1, %f2, %f3;"), "this combination"},
      {BODY("`min.abs.f32 %f1, %f2, %f3;"), "this combination"},
      {BODY("`max.xorsign.abs.f32 %f1, %f2, %f3, %f4;"), "this combination"},
      {BODY("`min.f64 %e1, %e2, %e3, %e4;"), "this combination"},
      {BODY("`dp4a.u32.b32 %r1, %r2, %r3, %r4;"), "combination"},
      {BODY("`setp.lo.s32 %p1, %r1, %r2;"), "this comparison"},
      {BODY("`setp.lt.b32 %p1, %r1, %r2;"), "this comparison"},
      {BODY("`setp.nan.u32 %p1, %r1, %r2;"), "this comparison"},
      {BODY("`setp.lt.and.s32 %p1, %r1, %r2;"), "this comparison"},
      {BODY("`set.lt.f16x2.f16 %r1, %h1, %h2;"), "do not go together"},
      {BODY("`slct.f32.u32 %f1, %f2, %f3, %r1;"), "second type"},
      {BODY("`cvt.f32.s32 %f1, %r1;"), "wants one of .rn"},
      {BODY("`cvt.rn.s32.f32 %r1, %f1;"), "wants one of .rni"},
      {BODY("`cvt.rn.f64.f32 %e1, %f1;"), "do not go with these types"},
      {BODY("`cvt.f16.f32 %h1, %f1;"), "do not go with these types"},
      {BODY("`cvt.ftz.rn.f64.s32 %e1, %r1;"), "not supported"},
      {BODY("`cvt.rn.s16.s32 %h1, %r1;"), "nothing to round"},
      {BODY("`cvt.rm.bf16x2.f32 %r1, %f1, %f2;"), "not supported"},
      {BODY("`cvt.rni.f32.bf16 %f1, %h1;"), "not supported"},
      {BODY("`cvt.rna.bf16.f32 %h1, %f1;"), "not supported"},
      {BODY("`cvt.rna.f32.f32 %f1, %f2;"), ".rna"},
      {BODY("`fma.rz.bf16 %h1, %h2, %h3, %h4;"), "this combination"},
      {BODY("`add.tf32 %r1, %r2, %r3;"), "this combination"},
      {BODY("`max.relu.u16x2 %r1, %r2, %r3;"), "signed integers"},
      {BODY("`cvt.pack.sat.u8.s32 %r1, %r2, %r3;"), "not supported"},
      {BODY("`elect.sync %r1, -1;"), "d|p"},
      {BODY("`mov.b64 %d1, {%r1, %r2, %r3};"), "3 pieces"},
      {BODY("`cvta.const.u64 %d1, %d2;"), "no generic addresses of .const"},
      {BODY("mov.u32 %r1, `%pm3;"), "%pm3 is not supported"},
      {BODY("`ld.acquire.global.u32 %r1, [%d1];"), "order and scope"},
      {BODY("`st.acquire.gpu.global.u32 [%d1], %r1;"), "order and scope"},
      {BODY("`st.const.u32 [%d1], %r1;"), "not in this space"},
      {BODY("`ld.shared.v4.f64 {%e1, %e2, %e3, %e4}, [%r1];"), "16 bytes"},
      {BODY("`red.global.add.v2.u32 [%d1], {%r1, %r2};"), "this combination"},
      {BODY("`atom.shared.add.v2.f32 {%f1, %f2}, [%r1], {%f1, %f2};"), "of .global memory"},
      {BODY("`atom.global.add.v2.f32 {%f1, %f2}, [%d1], {%f2, %f1};"), "a later element adds"},
      {BODY("`alloca.u32 %r1, 16, 3;"), "power of two"},
      {BODY("ld.global.v2.f32 `{%f1, %f2, %f3}, [%d1];"), "a vector of 2"},
      {BODY("`atom.global.add.b32 %r1, [%d1], 1;"), "not supported for this type"},
      {BODY("`atom.local.add.u32 %r1, [%d1], 1;"), "not in this space"},
      {BODY("`red.global.exch.b32 [%d1], 1;"), "no such reduction"},
      {BODY("`atom.global.cas.b32 %r1, [%d1], 1;"), "number of operands"},
      {BODY("`atom.global.add.f16x2 %r1, [%d1], %r2;"), "not supported for this type"},
      {BODY("`shfl.sync.up.b32 %r1, %r2, 1, 0;"), "5 operands"},
      {BODY("`vote.sync.ballot.pred %p1, %p2, -1;"), "type"},
      {BODY("`match.any.sync.b32 %r1|%p1, %r2, -1;"), "no predicate"},
      {BODY("`redux.sync.add.b32 %r1, %r2, -1;"), "type"},
      {BODY("`bar.sync 16;"), "16 barriers"},
      {BODY("`bar.sync 1, 33;"), "multiple of 32"},
      {BODY("`bar.arrive 1;"), "combination"},
      {BODY("`barrier.cluster.arrive;"), "a cluster is one block here: bar.sync"},
      {BODY("`atom.global.exch.b128 %d1, [%d1], %d2;"), "no atomics of 128 bits: a lock by atom.cas.b32"},
      {BODY("`atom.global.cas.b128 %d1, [%d1], %d2, %d3;"), "no atomics of 128 bits: a lock by atom.cas.b32"},
      {BODY("`mapa.u32 %r1, %r2, 1;"), "a cluster is one block here"},
      {BODY("`cp.async.bulk.commit_group;"), "cp.async copies 16 bytes"},
      {BODY("`tcgen05.commit.cta_group::1.b64 [%d1];"), "there is no tensor memory"},
      {BODY("`setmaxnreg.inc.sync.aligned.u32 64;"), "leave it out"},
      {BODY("`txq.width.b32 %r1, [%d1];"), "pass the size"},
      {BODY("`mbarrier.arrive.b64 %d1, [%d2], 1, 2;"), "number of operands"},
      {BODY("`mbarrier.arrive.sc.b64 %d1, [%d2];"), "sc"},
      {BODY("`fence.mbarrier_init.acquire.cluster;"), "order"},
      {BODY("`fence.cta.acquire;"), "order"},
  };
  CHECK_REFUSALS(t);
}

static void operands(void **state) {
  (void)state;
  static const struct refusal t[] = {
      {BODY("add.u32 %r1, `%nope, 1;"), "'%nope' is not declared"},
      {BODY("@%q `add.u32 %r1, %r1, 1;"), "'%q' is not declared"},
      {BODY("@%r1 `add.u32 %r1, %r1, 1;"), "'%r1' is a .b32, where a .pred is wanted"},
      {BODY("add.u32 %r1, `%h1, 1;"), "'%h1' is a .b16, where a .u32 is wanted"},
      {BODY("add.u16 `%r1, %h1, 1;"), "'%r1' is a .b32, where a .u16 is wanted"},
      {BODY("add.u64 %d1, %d2, `%r1;"), "where a .u64 is wanted"},
      {BODY("add.u32 `1, %r1, %r2;"), "a register is wanted"},
      {BODY("add.u32 `%tid.x, %r1, %r2;"), "a register is wanted"},
      {BODY("add.u32 %r1, `[%r2], %r3;"), "a register or a constant"},
      {BODY("add.f32 %f1, %f2, `1;"), "an integer constant is where a .f32"},
      {BODY("add.u32 %r1, %r2, `1.5;"), "a floating-point constant is where a .u32"},
      {BODY("add.f64 %e1, %e2, `-%e3;"), "cannot be negated"},
      {BODY("and.b32 %r1, %r2, `!%r3;"), "cannot be inverted"},
      {BODY("add.u32 %r1, `k, 1;"), "'k' is a function, not a register"},
      {BODY("L: add.u32 %r1, `L, 1;"), "'L' is a label, not a register"},
      {BODY("st.global.u32 [%d1], `%h1;"), "where a .u32 is wanted"},
      {BODY("ld.global.u32 `%h1, [%d1];"), "where a .u32 is wanted"},
      {BODY("ld.global.u32 %r1, [`%h1];"), "an address has 32 or 64 bits"},
      {BODY("ld.global.u32 %r1, `[%d1+4294967296];"), "more than 32 bits"},
      {BODY("`ld.global.u32 %r1, %d1;"), "address in brackets"},
      {BODY("ld.param.u32 %r1, `[pa+6];"), "outside of 'pa' or not aligned"},
      {BODY("ld.param.u64 %d1, `[pb];"), "outside of 'pb'"},
      {BODY("`st.param.u32 [pb], 1;"), "cannot be written"},
      {BODY("bra `%r1;"), "'%r1' is not a label"},
      {BODY("bra `nowhere;"), "'nowhere' is not declared"},
      {BODY("{ L: ret; } bra `L;"), "'L' is not declared"},
      {BODY("L: brx.idx %r1, `L;"), ".branchtargets"},
      {BODY("L: ret; `L: ret;"), "'L' is declared twice"},
      {BODY(".reg .u32 x; .reg .u64 `x;"), "'x' is declared twice"},
      {GLOBALS(".shared .u32 s;", "ld.global.u32 %r1, [`s];"),
       "'s' is a .shared variable: the instruction must say so"},
      {GLOBALS(".shared .u32 s;", "ld.u32 %r1, [`s];"), "'s' is a .shared variable"},
      {GLOBALS(".global .u32 g;", "ld.shared.u32 %r1, [`g];"),
       "'g' is a .global variable: the instruction must say so"},
      {GLOBALS(".global .u32 g;", "ld.const.u32 %r1, [`g];"), "'g' is a .global variable"},
      {GLOBALS(".extern .global .u32 g;", "ld.global.u32 %r1, [`g];"), "'g' is only declared"},
      {GLOBALS(".extern .global .u32 g;", "mov.u64 %d1, `g;"), "'g' is only declared"},
      {GLOBALS(".global .align 512 .u32 `g;", "ret;"), "'g': a .global variable cannot be aligned to more than 256"},
      {GLOBALS(".global .b8 `g[67108865];", "ret;"), "the module's .global variables have more than 67108864 bytes"},
      {GLOBALS(".global .b8 g[67108864]; .global .b8 `h;", "ret;"), "variables have more than 67108864 bytes"},
      {GLOBALS(".global .b8 g[16777216] = {1}; .global .b8 `h = 1;", "ret;"), "more than 16777216 bytes with values"},
      {GLOBALS("", ".global .u32 g; ld.global.u32 %r1, [`g];"), "a .global variable cannot be here"},
      {GLOBALS(".extern .const .u32 c;", "ld.const.u32 %r1, [`c];"), "'c' is only declared"},
      {GLOBALS(".shared .u32 s; .shared .u32 `s;", "ret;"), "'s' is declared twice"},
      {GLOBALS(".shared .b8 `s[20000000];", "mov.u64 %d1, s;"), "the shared variables of 'k' have more than"},
      {GLOBALS(".const .b8 `c[65537];", "ret;"), "the module's constants have more than 65536 bytes"},
      {GLOBALS("", ".local .b8 `m[524289];"), "the local variables of 'k' have more than 524288 bytes"},
      {HEAD ".entry k(.param .b8 `big[4353]) { }", "the parameters of 'k' have more than 4352 bytes"},
  };
  CHECK_REFUSALS(t);
}

static void calls(void **state) {
  (void)state;
  static const struct refusal t[] = {
      {HEAD ".func f() { `call f; }\n.entry k() { call f; }", "call: recursion is not supported: f <- f"},
      {HEAD ".func b();\n.func a() { call b; }\n.func b() { `call a; }\n.entry k() { call a; }",
       "recursion is not supported: a <- b <- a"},
      {HEAD ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n.entry k() { .reg .b32 x; .reg .b64 "
            "y; `call.uni (x), vprintf, (y, y); }",
       "call.uni: 'vprintf' has no body in this module"}, /* heddle_ptx_compile gives it one */
      {HEAD ".extern .func g();\n.entry k() { `call g; }", "'g' has no body in this module"},
      {HEAD ".func g() { }\n.entry k() { .reg .b64 p; P: .callprototype _ (); `call p, P; }",
       "'p': a call through a register is not supported"},
      {HEAD ".func g(.param .b32 a) { }\n.entry k() { `call g; }", "'g' is declared with other parameters"},
      {HEAD ".func (.param .b32 r) g() { }\n.entry k() { `call g; }", "other parameters or results"},
      {HEAD ".func g(.param .b32 a) { }\n.entry k() { .reg .b64 x; call g, (`x); }",
       "'x' is a .b64, where a .b32 is wanted"},
      {HEAD ".func g(.param .b8 a[8]) { }\n.entry k() { .param .b8 x[4]; call g, (`x); }",
       "a .param variable of 8 bytes is wanted for 'a'"},
      {HEAD ".func g(.param .b32 a) { }\n.entry k() { .param .b64 x; call g, (`x); }", "'x' and 'a' differ in size"},
      {HEAD ".func g() { .reg .u32 x; add.u32 x, x, `y; }\n.entry k() { .reg .u32 y; call g; }", "'y' is not declared"},
      {HEAD ".entry k() { .param .b32 x; .reg .b64 y; mov.b64 y, `x; }", "'x' is a parameter variable, not a register"},
  };
  CHECK_REFUSALS(t);
  struct lowered l; /* the first entry is fine here; the second calls it */
  assert_non_null(lowered(&l, HEAD ".entry j() { }\n.entry k() { call j; }", false));
  assert_null(ir_lower(l.arena, &l.p.diag, l.p.module, l.p.module->functions->next));
  assert_non_null(strstr(l.p.message[0].text, "call: 'j' is a kernel"));
  lowered_free(&l);
}

/* Texts that are small and would make very much: given up with a message. */
static void too_much(void **state) {
  (void)state;
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  fprintf(to, "%s.func f0() { }\n", HEAD);
  for (int k = 1; k < 64; k++) fprintf(to, ".func f%d() { call f%d; call f%d; }\n", k, k - 1, k - 1);
  fprintf(to, ".entry k() { call f63; }\n");
  fclose(to);
  struct lowered l;
  assert_null(lowered(&l, text, false));
  assert_true(l.p.gave_up);
  lowered_free(&l);
  free(text);
  to = open_memstream(&text, &size);
  fprintf(to, "%s.func f0() { }\n", HEAD);
  for (int k = 1; k < 500; k++) fprintf(to, ".func f%d() { call f%d; }\n", k, k - 1);
  fprintf(to, ".entry k() { call f499; }\n");
  fclose(to);
  assert_null(lowered(&l, text, false));
  assert_true(l.p.gave_up);
  assert_non_null(strstr(l.p.message[0].text, "more than 200 blocks and calls inside each other"));
  lowered_free(&l);
  free(text);
}

/* What is refused of matrix instructions: by name, and where: ` stands in front of the place. */

#define F4 "{%f1,%f2,%f3,%f4}"
#define R4 "{%r1,%r2,%r3,%r4}"
#define R2 "{%r1,%r2}"
#define F8 "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}"
#define R8 "{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}"

static void mma(void **state) {
  (void)state;
  static const struct refusal t[] = {
      {BODY("`mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 " F4 ", " R2 ", " R2 ", " F4 ";"), "m8n8k4.row.col.f32"},
      {BODY("`mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32 " R2 ", {%r1}, {%r2}, " R2 ";"), "missing at the end"},
      {BODY("`mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.or.popc " R2 ", {%r1}, {%r2}, " R2 ";"),
       ".or is not supported"},
      {BODY("`mma.sync.aligned.m8n8k128.row.col.satfinite.s32.b1.b1.s32.xor.popc " R2 ", {%r1}, {%r2}, " R2 ";"),
       "not supported for these types"},
      {BODY("`mma.sync.aligned.m8n8k256.row.col.s32.b1.b1.s32.xor.popc " R2 ", {%r1}, {%r2}, " R2 ";"),
       ".m8n8k256 is not supported"},
      {BODY("`mma.sync.aligned.m16n8k16.row.col.s32.s4.s4.s32 " R4 ", " R2 ", {%r1}, " R4 ";"),
       "not supported for these types"},
      {BODY("`mma.sync.aligned.m16n8k32.row.col.s32.s4.s8.s32 " R4 ", " R2 ", {%r1}, " R4 ";"),
       "not supported for these types"},
      {BODY("`mma.sync.aligned.m8n8k32.row.col.s32.s8.s8.s32 " R2 ", {%r1}, {%r2}, " R2 ";"),
       "not supported for these types"},
      {BODY("`mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " F4 ", " R2 ", " R2 ", " F4 ", %r1, 0;"),
       ".sp is not supported"},
      {BODY("`mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32 " F4 ", " R4 ", " R2 ", " F4 ";"),
       ".row is not supported"},
      {BODY("`mma.sync.aligned.m16n8k16.row.col.satfinite.f32.f16.f16.f32 " F4 ", " R4 ", " R2 ", " F4 ";"),
       "not supported for these types"},
      {BODY("`mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 " F4 ", " R4 ", " R2 ", " F4 ";"),
       "not supported for these types"},
      {BODY("`mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f32 " R2 ", " R4 ", " R2 ", " F4 ";"),
       "not supported for these types"},
      {BODY("`mma.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 " F4 ", " R4 ", " R2 ", " F4 ";"),
       "not supported for these types"},
      {BODY("`mma.sync.aligned.m16n8k32.row.col.f64.f64.f64.f64 %e1, %e2, %e3, %e4;"), "not supported for these types"},
      {BODY("`mma.sync.aligned.m16n8k16.row.col.f32.f16.f16 " F4 ", " R4 ", " R2 ", " F4 ";"), "missing at the end"},
      {BODY("`mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32.f32 " F4 ", " R4 ", " R2 ", " F4 ";"),
       ".f32 is not supported"},
      {BODY("`mma " R4 ";"), "missing at the end"},
      {BODY("`mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " F4 ", " R4 ", " R2 ";"), "4 operands"},
      {BODY("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " F4 ", `" R2 ", " R2 ", " F4 ";"), "a vector of 4"},
      {BODY("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " F4 ", " R4 ", `%r1, " F4 ";"), "a vector of 2"},
      {BODY("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " F4 ", " R4 ", {%r1, `%d1}, " F4 ";"), ".b64"},
      {BODY("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {`1,%f1,%f2,%f3}, " R4 ", " R2 ", " F4 ";"),
       "register is wanted"},
  };
  CHECK_REFUSALS(t);
}

static void others(void **state) {
  (void)state;
  static const struct refusal t[] = {
      {BODY("`ldmatrix.sync.aligned.m8n8.x3.shared.b16 " R2 ", [%r1];"), ".x3 is not supported"},
      {BODY("`ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32 {%r1}, [%r1];"), ".m8n16 is not supported"},
      {BODY("`ldmatrix.sync.aligned.m8n8.x1.global.b16 {%r1}, [%d1];"), ".global is not supported"},
      {BODY("ldmatrix.sync.aligned.m8n8.x2.shared.b16 `{%r1}, [%r1];"), "a vector of 2"},
      {BODY("`ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, %r1;"), "address"},
      {BODY("`stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%r1], {%r1};"), ".m16n8 is not supported"},
      {BODY("`cp.async.bulk.commit_group;"), "there are no bulk and tensor copies"},
      {BODY("`cp.async.mbarrier.arrive.global.b64 [%d1];"), ".global is not supported"},
      {BODY("`cp.async.ca.shared.global [%r1], [%d1], 12;"), "4, 8 or 16"},
      {BODY("`cp.async.cg.shared.global [%r1], [%d1], 8;"), "4, 8 or 16"},
      {BODY("`cp.async.ca.shared.global [%r1], [%d1], %r2;"), "4, 8 or 16"},
      {BODY("`cp.async.ca.shared.global [%r1], [%d1];"), "3 or 4 operands"},
      {BODY("`cp.async.ca.global.shared [%r1], [%d1], 4;"), ".global is not supported"},
      {BODY("`cp.async.wait_group;"), "1 operands"},
      {BODY("`movmatrix.sync.aligned.m8n8.b16 %r1, %r2;"), ".b16 is not supported"},
      {BODY("`wmma.load.a.sync.aligned.row.m16n16k32.s4 {%r1}, [%d1];"), ".m16n16k32 is not supported"},
      {BODY("`wmma.load.a.sync.aligned.row.m8n8k4.f16 " R8 ", [%d1];"), "not supported for this type"},
      {BODY("`wmma.load.a.sync.aligned.row.m16n16k16.f32 " F8 ", [%d1];"), "not supported for this type"},
      {BODY("`wmma.load.d.sync.aligned.row.m16n16k16.f32 " F8 ", [%d1];"), ".d is not supported"},
      {BODY("`wmma.load.a.sync.aligned.row.m16n16k16.const.f16 " R8 ", [%d1];"), ".const is not supported"},
      {BODY("wmma.load.a.sync.aligned.row.m16n16k16.f16 `" R4 ", [%d1];"), "a vector of 8"},
      {BODY("`wmma.store.d.sync.aligned.row.m16n16k16.f32 [%d1], " F8 ", 16, 16;"), "2 or 3 operands"},
      {BODY("`wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32.satfinite " F8 ", " R8 ", " R8 ", " F8 ";"),
       ".satfinite is not supported"},
      {BODY("`wmma.mma.sync.aligned.row.col.m16n16k16.f32.s8.s8.f32 " F8 ", " R2 ", " R2 ", " F8 ";"), "go together"},
      {BODY("`wmma.mma.sync.aligned.row.col.m16n16k16.s32.s32.s8.s32 " R8 ", " R2 ", " R2 ", " R8 ";"), "types"},
      {BODY("`wmma.fence.sync.aligned;"), ".fence is not supported"},
  };
  CHECK_REFUSALS(t);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(instructions), cmocka_unit_test(operands),
                                     cmocka_unit_test(calls),        cmocka_unit_test(too_much),
                                     cmocka_unit_test(mma),          cmocka_unit_test(others)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
