/* SPDX-License-Identifier: Apache-2.0
 *
 * What is refused of matrix instructions: by name, and where: ` stands in front of the place.
 */
#include "tests/test.h"
#include "tests/compiler/lowered.h"

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
  const struct CMUnitTest tests[] = {cmocka_unit_test(mma), cmocka_unit_test(others)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
