/* SPDX-License-Identifier: Apache-2.0
 *
 * Lowering, instruction by instruction and over all files of tests/silicon.
 */
#include <glob.h>
#include "base/splitmix64.h"
#include "tests/compiler/lower/lowered.h"
#include "tests/test.h"

/* Instructions, family by family: a few statements and the operations that they become. Expected by hand from the PTX
 * manual and "what lowering leaves" in ir.h. Register names: %p predicates, %c 8, %h 16, %r 32, %d 64 bits, %f %e
 * floats. */

static void integers(void **state) {
  (void)state;
  static const struct lowering t[] = {
      {"add.u32 %r1, %r2, %r3;", "r1 = add.u32 r2, r3"},
      {"add.s32 %r1, %r2, -1;", "r1 = add.s32 r2, 0xffffffff"},
      {"add.s64 %d1, %d2, -1;", "d1 = add.s64 d2, 0xffffffffffffffff"},
      {"sub.u64 %d1, %d2, %d3;", "d1 = sub.u64 d2, d3"},
      {"add.u16 %h1, %h2, 0x12345;", "h1 = add.u32 h2, 0x2345"},
      {"sub.s16 %h1, %h2, %h3;", "h1 = sub.s32 h2, h3"},
      {"mul.lo.u32 %r1, %r2, %r3;", "r1 = mul.u32 r2, r3"},
      {"mul.hi.s32 %r1, %r2, %r3;", "r1 = mulhi.s32 r2, r3"},
      {"mul.hi.u64 %d1, %d2, %d3;", "d1 = mulhi.u64 d2, d3"},
      {"mul.wide.u32 %d1, %r2, 4;", "d1 = mulwide.u32 r2, 0x4"},
      {"mul.wide.s32 %d1, %r2, %r3;", "d1 = mulwide.s32 r2, r3"},
      {"mul.lo.s16 %h1, %h2, %h3;", "h1 = mul.s32 h2, h3"},
      {"mul.hi.u16 %h1, %h2, %h3;",
       "t0 = cvt.u32.u16 h2; t1 = cvt.u32.u16 h3; t2 = mul.u32 t0, t1; h1 = shr.u32 t2, 0x10"},
      {"mul.wide.s16 %r1, %h2, %h3;", "t0 = cvt.s32.s16 h2; t1 = cvt.s32.s16 h3; r1 = mul.s32 t0, t1"},
      {"mad.lo.s32 %r1, %r2, %r3, %r4;", "r1 = mad.s32 r2, r3, r4"},
      {"mad.lo.u64 %d1, %d2, %d3, %d4;", "d1 = mad.u64 d2, d3, d4"},
      {"mad.hi.u32 %r1, %r2, %r3, %r4;", "r1 = madhi.u32 r2, r3, r4"},
      {"mad.wide.s32 %d1, %r2, %r3, %d4;", "d1 = madwide.s32 r2, r3, d4"},
      {"mad.wide.u16 %r1, %h2, %h3, %r4;", "t0 = cvt.u32.u16 h2; t1 = cvt.u32.u16 h3; r1 = mad.u32 t0, t1, r4"},
      {"mad.hi.s16 %h1, %h2, %h3, %h4;",
       "t0 = cvt.s32.s16 h2; t1 = cvt.s32.s16 h3; t2 = mul.s32 t0, t1; t3 = shr.s32 t2, 0x10; h1 = add.s32 t3, h4"},
      {"div.u32 %r1, %r2, %r3;", "r1 = div.u32 r2, r3"},
      {"div.s64 %d1, %d2, %d3;", "d1 = div.s64 d2, d3"},
      {"rem.s16 %h1, %h2, 10;", "t0 = cvt.s32.s16 h2; h1 = rem.s32 t0, 0xa"},
      {"div.s16 %h1, %h2, -10;", "t0 = cvt.s32.s16 h2; h1 = div.s32 t0, 0xfffffff6"},
      {"abs.s32 %r1, %r2;", "r1 = abs.s32 r2"},
      {"abs.s16 %h1, %h2;", "t0 = cvt.s32.s16 h2; h1 = abs.s32 t0"},
      {"neg.s64 %d1, %d2;", "d1 = neg.s64 d2"},
      {"neg.s16 %h1, %h2;", "h1 = neg.s32 h2"},
      {"min.s32 %r1, %r2, %r3;", "r1 = min.s32 r2, r3"},
      {"max.u16 %h1, %h2, %h3;", "t0 = cvt.u32.u16 h2; t1 = cvt.u32.u16 h3; h1 = max.u32 t0, t1"},
      {"sad.u32 %r1, %r2, %r3, %r4;", "r1 = sad.u32 r2, r3, r4"},
      {"sad.s64 %d1, %d2, %d3, %d4;",
       "t0 = max.s64 d2, d3; t1 = min.s64 d2, d3; t2 = sub.s64 t0, t1; d1 = add.s64 t2, d4"},
      {"add.cc.u32 %r1, %r2, %r3; addc.cc.u32 %r4, %r5, %r6; addc.u32 %r7, %r1, 0;",
       "r1, t0 = addc.u32 r2, r3; r4, t0 = addc.u32 r5, r6, t0; r7 = addc.u32 r1, 0x0, t0"},
      {"sub.cc.u64 %d1, %d2, %d3; subc.u64 %d4, %d5, %d6;", "d1, t0 = subc.u64 d2, d3; d4 = subc.u64 d5, d6, t0"},
      {"mad.lo.cc.u32 %r1, %r2, %r3, %r4; madc.hi.cc.u32 %r5, %r2, %r3, %r4; madc.lo.u32 %r6, %r2, %r3, %r4;",
       "r1, t0 = madc.u32 r2, r3, r4; r5, t0 = madc.hi.u32 r2, r3, r4, t0; r6 = madc.u32 r2, r3, r4, t0"},
      {"mul24.lo.u32 %r1, %r2, %r3;", "t0 = bfe.u32 r2, 0x0, 0x18; t1 = bfe.u32 r3, 0x0, 0x18; r1 = mul.u32 t0, t1"},
      {"mad24.hi.s32 %r1, %r2, %r3, %r4;",
       "t0 = bfe.s32 r2, 0x0, 0x18; t1 = bfe.s32 r3, 0x0, 0x18; t2 = mulwide.s32 t0, t1; t3 = shr.s64 t2, 0x10; "
       "t4 = cvt.u32.u64 t3; r1 = add.s32 t4, r4"},
      {"add.sat.s32 %r1, %r2, %r3;", "t0 = add.s32 r2, r3; t1 = lop3.b32 r2, r3, t0, 0x42; t2 = setp.lt.s32 t1, 0x0; "
                                     "t3 = shr.s32 r2, 0x1f; t4 = xor.b32 t3, 0x7fffffff; r1 = selp.s32 t4, t0, t2"},
      {"mad.hi.sat.s32 %r1, %r2, %r3, %r4;",
       "t0 = mulhi.s32 r2, r3; t1 = add.s32 t0, r4; t2 = lop3.b32 t0, r4, t1, 0x42; t3 = setp.lt.s32 t2, 0x0; "
       "t4 = shr.s32 t0, 0x1f; t5 = xor.b32 t4, 0x7fffffff; r1 = selp.s32 t5, t1, t3"},
      {"dp4a.u32.s32 %r1, %r2, %r3, %r4;", "r1 = dp4a.u32.s32 r2, r3, r4"},
      {"dp2a.hi.s32.u32 %r1, %r2, %r3, %r4;", "t0 = bfe.s32 r2, 0x0, 0x10; t1 = bfe.u32 r3, 0x10, 0x8; t2 = bfe.s32 "
                                              "r2, 0x10, 0x10; t3 = bfe.u32 r3, 0x18, 0x8; "
                                              "t4 = mad.s32 t0, t1, r4; r1 = mad.s32 t2, t3, t4"},
  };
  CHECK_BODIES(t);
}

static void bits(void **state) {
  (void)state;
  static const struct lowering t[] = {
      {"and.b32 %r1, %r2, 0xff; or.b64 %d1, %d2, %d3; xor.b16 %h1, %h2, %h3; not.b64 %d1, %d1;",
       "r1 = and.b32 r2, 0xff; d1 = or.b64 d2, d3; h1 = xor.b32 h2, h3; d1 = not.b64 d1"},
      {"and.pred %p1, %p2, !%p3; not.pred %p1, %p1; xor.pred %p1, %p1, %p2;",
       "t0 = not.pred p3; p1 = and.pred p2, t0; p1 = not.pred p1; p1 = xor.pred p1, p2"},
      {"cnot.b32 %r1, %r2;", "t0 = setp.eq.b32 r2, 0x0; r1 = selp.b32 0x1, 0x0, t0"},
      {"cnot.b16 %h1, %h2;", "t0 = cvt.u32.u16 h2; t1 = setp.eq.b32 t0, 0x0; h1 = selp.b32 0x1, 0x0, t1"},
      {"shl.b32 %r1, %r2, %r3; shl.b64 %d1, %d2, 40; shl.b16 %h1, %h2, %r3;",
       "r1 = shl.b32 r2, r3; d1 = shl.b64 d2, 0x28; h1 = shl.b32 h2, r3"},
      {"shr.u32 %r1, %r2, 3; shr.s64 %d1, %d2, %r3; shr.b32 %r1, %r1, 1;",
       "r1 = shr.u32 r2, 0x3; d1 = shr.s64 d2, r3; r1 = shr.u32 r1, 0x1"},
      {"shr.s16 %h1, %h2, 3; shr.b16 %h1, %h2, 3;",
       "t0 = cvt.s32.s16 h2; h1 = shr.s32 t0, 0x3; t1 = cvt.u32.u16 h2; h1 = shr.u32 t1, 0x3"},
      {"shf.l.wrap.b32 %r1, %r2, %r3, %r4; shf.r.clamp.b32 %r1, %r2, %r3, 7;",
       "r1 = shf.wrap.b32 r2, r3, r4; r1 = shf.r.b32 r2, r3, 0x7"},
      {"bfe.u32 %r1, %r2, %r3, 5; bfe.s64 %d1, %d2, 1, %r3;", "r1 = bfe.u32 r2, r3, 0x5; d1 = bfe.s64 d2, 0x1, r3"},
      {"bfi.b32 %r1, %r2, %r3, 4, 8; bfi.b64 %d1, %d2, %d3, %r1, %r2;",
       "r1 = bfi.b32 r2, r3, 0x4, 0x8; d1 = bfi.b64 d2, d3, r1, r2"},
      {"bfind.u32 %r1, %r2; bfind.shiftamt.s64 %r1, %d2;", "r1 = bfind.u32 r2; r1 = bfind.shiftamt.s64 d2"},
      {"popc.b32 %r1, %r2; popc.b64 %r1, %d2; clz.b64 %r1, %d2; brev.b64 %d1, %d2;",
       "r1 = popc.b32 r2; r1 = popc.b64 d2; r1 = clz.b64 d2; d1 = brev.b64 d2"},
      {"lop3.b32 %r1, %r2, %r3, %r4, 0xca;", "r1 = lop3.b32 r2, r3, r4, 0xca"},
      {"prmt.b32 %r1, %r2, %r3, 0x3210; prmt.b32.f4e %r1, %r2, %r3, %r4; prmt.b32.rc16 %r1, %r2, %r3, %r4;",
       "r1 = prmt.b32 r2, r3, 0x3210; r1 = prmt.f4e.b32 r2, r3, r4; r1 = prmt.rc16.b32 r2, r3, r4"},
  };
  CHECK_BODIES(t);
}

static void floats(void **state) {
  (void)state;
  static const struct lowering t[] = {
      {"add.f32 %f1, %f2, %f3; add.rz.ftz.sat.f32 %f1, %f2, 0f3f800000;",
       "f1 = add.f32 f2, f3; f1 = add.rz.ftz.sat.f32 f2, 0x3f800000"},
      {"sub.rm.f64 %e1, %e2, 1.5; mul.f64 %e1, %e2, 0d4000000000000000;",
       "e1 = sub.rm.f64 e2, 0x3ff8000000000000; e1 = mul.f64 e2, 0x4000000000000000"},
      {"add.f32 %f1, %f2, 0.1; add.f64 %e1, %e2, 0f3fc00000;",
       "f1 = add.f32 f2, 0x3dcccccd; e1 = add.f64 e2, 0x3ff8000000000000"},
      {"fma.rn.f32 %f1, %f2, %f3, %f4; mad.rp.f64 %e1, %e2, %e3, %e4; fma.rn.ftz.sat.f32 %f1, %f2, %f3, %f4;",
       "f1 = fma.f32 f2, f3, f4; e1 = fma.rp.f64 e2, e3, e4; f1 = fma.ftz.sat.f32 f2, f3, f4"},
      {"fma.rn.relu.f16x2 %r1, %r2, %r3, %r4; add.rn.ftz.f16 %h1, %h2, %h3; mul.sat.f16x2 %r1, %r2, %r3;",
       "r1 = fma.relu.f16x2 r2, r3, r4; h1 = add.ftz.f16 h2, h3; r1 = mul.sat.f16x2 r2, r3"},
      {"div.rn.f32 %f1, %f2, %f3; div.approx.ftz.f32 %f1, %f2, %f3; div.full.f32 %f1, %f2, %f3; div.rz.f64 %e1, %e2, "
       "%e3;",
       "f1 = div.f32 f2, f3; f1 = div.approx.ftz.f32 f2, f3; f1 = div.full.f32 f2, f3; e1 = div.rz.f64 e2, e3"},
      {"rcp.rn.f64 %e1, %e2; rcp.approx.ftz.f64 %e1, %e2; sqrt.rp.f32 %f1, %f2; sqrt.approx.f32 %f1, %f2; "
       "rsqrt.approx.f64 %e1, %e2;",
       "e1 = rcp.f64 e2; e1 = rcp.approx.ftz.f64 e2; f1 = sqrt.rp.f32 f2; f1 = sqrt.approx.f32 f2; e1 = "
       "rsqrt.approx.f64 e2"},
      {"sin.approx.f32 %f1, %f2; cos.approx.ftz.f32 %f1, %f2; ex2.approx.f32 %f1, %f2; lg2.approx.f32 %f1, %f2; "
       "tanh.approx.f32 %f1, %f2;",
       "f1 = sin.approx.f32 f2; f1 = cos.approx.ftz.f32 f2; f1 = ex2.approx.f32 f2; f1 = lg2.approx.f32 f2; f1 = "
       "tanh.approx.f32 f2"},
      {"abs.ftz.f32 %f1, %f2; neg.f64 %e1, %e2; neg.f16x2 %r1, %r2; abs.f16 %h1, %h2;",
       "f1 = abs.ftz.f32 f2; e1 = neg.f64 e2; r1 = neg.f16x2 r2; h1 = abs.f16 h2"},
      {"min.f32 %f1, %f2, %f3; max.ftz.NaN.f32 %f1, %f2, %f3; max.f64 %e1, %e2, %e3; min.NaN.f16x2 %r1, %r2, %r3;",
       "f1 = min.f32 f2, f3; f1 = max.ftz.NaN.f32 f2, f3; e1 = max.f64 e2, e3; r1 = min.NaN.f16x2 r2, r3"},
      {"copysign.f32 %f1, %f2, %f3; testp.subnormal.f64 %p1, %e1; testp.notanumber.f32 %p1, %f1;",
       "f1 = copysign.f32 f2, f3; p1 = testp.subnormal.f64 e1; p1 = testp.notanumber.f32 f1"},
  };
  CHECK_BODIES(t);
}

static void comparisons(void **state) {
  (void)state;
  static const struct lowering t[] = {
      {"setp.lt.s32 %p1, %r1, %r2; setp.hs.u64 %p1|%p2, %d1, 7; setp.lo.u32 %p1, %r1, 1;",
       "p1 = setp.lt.s32 r1, r2; p1, p2 = setp.ge.u64 d1, 0x7; p1 = setp.lt.u32 r1, 0x1"},
      {"setp.eq.and.b32 %p1, %r1, %r2, !%p2; setp.ne.xor.s64 %p1|%p3, %d1, %d2, %p2;",
       "p1 = setp.eq.and.not.b32 r1, r2, p2; p1, p3 = setp.ne.xor.s64 d1, d2, p2"},
      {"setp.gtu.ftz.f32 %p1, %f1, 0f00000000; setp.num.f64 %p1, %e1, %e2; setp.neu.f16 %p1, %h1, %h2;",
       "p1 = setp.gtu.ftz.f32 f1, 0x0; p1 = setp.num.f64 e1, e2; p1 = setp.neu.f16 h1, h2"},
      {"setp.ge.s16 %p1, %h1, %h2;", "t0 = cvt.s32.s16 h1; t1 = cvt.s32.s16 h2; p1 = setp.ge.s32 t0, t1"},
      {"setp.eq.f32 _|%p1, %f1, %f2;", "t0, p1 = setp.eq.f32 f1, f2"},
      {"setp.lt.f16x2 %p1|%p2, %r1, %r2;",
       "t0, t1 = unpack.b32 r1; t2, t3 = unpack.b32 r2; t4 = setp.lt.f16 t0, t2; "
       "t5, t6 = unpack.b32 r1; t7, t8 = unpack.b32 r2; t9 = setp.lt.f16 t6, t8; p1 = copy.pred t4; p2 = copy.pred t9"},
      {"set.lt.u32.f32 %r1, %f1, %f2;", "t0 = setp.lt.f32 f1, f2; r1 = selp.b32 0xffffffff, 0x0, t0"},
      {"set.ge.or.f32.s32 %f1, %r1, %r2, %p1;", "t0 = setp.ge.or.s32 r1, r2, p1; f1 = selp.b32 0x3f800000, 0x0, t0"},
      {"selp.b32 %r1, %r2, 7, %p1; selp.f64 %e1, %e2, 0d0000000000000000, %p1; selp.s16 %h1, -1, %h2, !%p1;",
       "r1 = selp.b32 r2, 0x7, p1; e1 = selp.f64 e2, 0x0, p1; t0 = not.pred p1; h1 = selp.s32 0xffff, h2, t0"},
      {"slct.u64.s32 %d1, %d2, %d3, %r1; slct.ftz.f32.f32 %f1, %f2, %f3, %f4;",
       "t0 = setp.ge.s32 r1, 0x0; d1 = selp.u64 d2, d3, t0; t1 = setp.ge.ftz.f32 f4, 0x0; f1 = selp.f32 f2, f3, t1"},
  };
  CHECK_BODIES(t);
}

static void conversions(void **state) {
  (void)state;
  static const struct lowering t[] = {
      {"cvt.u64.u32 %d1, %r1; cvt.s64.s32 %d1, %r1; cvt.u32.u64 %r1, %d1; cvt.s32.u32 %r1, %r2;",
       "d1 = cvt.u64.u32 r1; d1 = cvt.s64.s32 r1; r1 = cvt.u32.u64 d1; r1 = copy.b32 r2"},
      {"cvt.u32.u16 %r1, %h1; cvt.s64.s8 %d1, %h1; cvt.u16.u32 %h1, %r1; cvt.s16.s64 %h1, %d1;",
       "r1 = cvt.u32.u16 h1; t0 = cvt.s32.s8 h1; d1 = cvt.s64.s32 t0; h1 = copy.b32 r1; h1 = cvt.u32.u64 d1"},
      {"cvt.u8.u32 %r1, %r2; cvt.s8.s32 %h1, %r2; cvt.u16.s8 %r1, %h1;",
       "r1 = cvt.u32.u8 r2; h1 = cvt.s32.s8 r2; t0 = cvt.s32.s8 h1; r1 = cvt.u32.u16 t0"},
      {"cvt.u16.u8 %h1, %c1; cvt.u8.u16 %c1, %h1;", "h1 = cvt.u32.u8 c1; c1 = copy.b32 h1"},
      {"cvt.sat.u8.s32 %r1, %r2;", "t0 = max.s32 r2, 0x0; t1 = min.s32 t0, 0xff; r1 = cvt.u32.u8 t1"},
      {"cvt.sat.s16.s64 %h1, %d1;",
       "t0 = max.s64 d1, 0xffffffffffff8000; t1 = min.s64 t0, 0x7fff; h1 = cvt.u32.u64 t1"},
      {"cvt.sat.s32.u32 %r1, %r2; cvt.sat.u64.s32 %d1, %r2; cvt.sat.s64.u32 %d1, %r2;",
       "r1 = min.u32 r2, 0x7fffffff; t0 = max.s32 r2, 0x0; d1 = cvt.s64.s32 t0; d1 = cvt.u64.u32 r2"},
      {"cvt.rzi.s32.f32 %r1, %f1; cvt.rni.ftz.u64.f32 %d1, %f1; cvt.rmi.s8.f64 %h1, %e1; cvt.rpi.s16.f16 %r1, %h1;",
       "r1 = cvt.rzi.s32.f32 f1; d1 = cvt.rni.ftz.u64.f32 f1; h1 = cvt.rmi.s8.f64 e1; r1 = cvt.rpi.s16.f16 h1"},
      {"cvt.rn.f32.s32 %f1, %r1; cvt.rz.f64.u64 %e1, %d1; cvt.rn.f32.u8 %f1, %r1; cvt.rp.f16.s64 %h1, %d1;",
       "f1 = cvt.f32.s32 r1; e1 = cvt.rz.f64.u64 d1; f1 = cvt.f32.u8 r1; h1 = cvt.rp.f16.s64 d1"},
      {"cvt.rn.sat.f32.s32 %f1, %r1;", "t0 = cvt.f32.s32 r1; t1 = max.f32 t0, 0x0; f1 = min.f32 t1, 0x3f800000"},
      {"cvt.f64.f32 %e1, %f1; cvt.rn.f32.f64 %f1, %e1; cvt.rz.ftz.sat.f32.f64 %f1, %e1; cvt.f32.f16 %f1, %h1; "
       "cvt.rn.f16.f32 %h1, %f1;",
       "e1 = cvt.f64.f32 f1; f1 = cvt.f32.f64 e1; f1 = cvt.rz.ftz.sat.f32.f64 e1; f1 = cvt.f32.f16 h1; h1 = "
       "cvt.f16.f32 f1"},
      {"cvt.rni.f32.f32 %f1, %f2; cvt.rzi.sat.f64.f64 %e1, %e2; cvt.sat.f32.f32 %f1, %f2; cvt.f64.f64 %e1, %e2;",
       "f1 = cvt.rni.f32.f32 f2; t0 = cvt.rzi.f64.f64 e2; e1 = cvt.sat.f64.f64 t0; f1 = cvt.sat.f32.f32 f2; e1 = "
       "copy.b64 e2"},
      {"cvt.rn.f16x2.f32 %r1, %f1, %f2; cvt.rz.relu.f16x2.f32 %r1, %f1, %f2; cvt.rn.relu.f16.f32 %h1, %f1;",
       "r1 = cvt.f16x2.f32 f1, f2; r1 = cvt.rz.relu.f16x2.f32 f1, f2; h1 = cvt.relu.f16.f32 f1"},
  };
  CHECK_BODIES(t);
}

static void moves(void **state) {
  (void)state;
  static const struct lowering t[] = {
      {"mov.u32 %r1, %r2; mov.b64 %d1, -1; mov.f32 %f1, 0f3f800000; mov.f64 %e1, 1.0; mov.pred %p1, -1; mov.b16 %h1, "
       "0x3c00;",
       "r1 = copy.b32 r2; d1 = copy.b64 0xffffffffffffffff; f1 = copy.b32 0x3f800000; e1 = copy.b64 "
       "0x3ff0000000000000; "
       "p1 = copy.pred 0x1; h1 = copy.b32 0x3c00"},
      {"mov.b32 %r1, %f1; mov.b64 %d1, %e1; mov.f32 %f1, %r1; mov.pred %p1, !%p2;",
       "r1 = copy.b32 f1; d1 = copy.b64 e1; f1 = copy.b32 r1; p1 = not.pred p2"},
      {"mov.u32 %r1, %tid.x; mov.u32 %r1, %nctaid.z; mov.u64 %d1, %clock64; mov.u32 %r1, %lanemask_lt; mov.u32 %r1, "
       "WARP_SZ;",
       "r1 = sreg.tid.x.u32; r1 = sreg.nctaid.z.u32; d1 = sreg.clock64.u64; r1 = sreg.lanemask_lt.u32; r1 = copy.b32 "
       "0x20"},
      {"mov.u32 %r1, %clock_hi; add.u32 %r1, %laneid, %r2; cvt.u64.u32 %d1, %ctaid.y;",
       "t0 = sreg.clock64.u64; t1 = shr.u64 t0, 0x20; r1 = cvt.u32.u64 t1; t2 = sreg.laneid.u32; r1 = add.u32 t2, r2; "
       "t3 = sreg.ctaid.y.u32; d1 = cvt.u64.u32 t3"},
      {"mov.b64 {%r1, %r2}, %d1; mov.b64 %d1, {%r2, 0}; mov.b32 {%h1, %h2}, %r1; mov.b32 %r1, {%h2, %h1};",
       "t0, t1 = unpack.b64 d1; r1 = copy.b32 t0; r2 = copy.b32 t1; d1 = pack.b64 r2, 0x0; t2, t3 = unpack.b32 r1; "
       "h1 = copy.b32 t2; h2 = copy.b32 t3; r1 = pack.b32 h2, h1"},
      {"mov.b64 %d1, {%h1, %h2, %h3, %h4};", "t0 = pack.b32 h1, h2; t1 = pack.b32 h3, h4; d1 = pack.b64 t0, t1"},
      {"mov.b32 %r1, {%c0, %c1, %c2, %c3};",
       "t0 = bfi.b32 c1, c0, 0x8, 0x8; t1 = bfi.b32 c3, c2, 0x8, 0x8; r1 = pack.b32 t0, t1"},
      {"mov.b32 {%c0, _, %c2, %c3}, %r1;", "t0, t1 = unpack.b32 r1; t2 = shr.u32 t1, 0x8; t3 = shr.u32 t0, 0x8; "
                                           "c0 = copy.b32 t0; c2 = copy.b32 t1; c3 = copy.b32 t2"},
      {"cvta.shared.u64 %d1, %d2; cvta.to.shared.u64 %d1, %d2; cvta.global.u64 %d1, %d2; cvta.to.global.u64 %d1, %d2;",
       "t0 = cvt.u32.u64 d2; d1 = generic.shared.u64 t0; t1 = generic.to.shared.u64 d2; d1 = cvt.u64.u32 t1; "
       "d1 = generic.global.u64 d2; d1 = generic.to.global.u64 d2"},
      {"isspacep.local %p1, %d1; isspacep.const %p1, %d1; isspacep.shared::cta %p1, %d1;",
       "p1 = isspacep.local.u64 d1; p1 = copy.pred 0x0; p1 = isspacep.shared.u64 d1"},
  };
  CHECK_BODIES(t);
}

static void memory(void **state) {
  (void)state;
  static const struct lowering t[] = {
      {"ld.global.u32 %r1, [%d1]; ld.global.f64 %e1, [%d1+-8]; ld.u8 %r1, [%d1+3]; st.global.b64 [%d1], %d2;",
       "r1 = ld.global.u32 [d1]; e1 = ld.global.f64 [d1-8]; r1 = ld.u8 [d1+3]; st.global.b64 [d1], d2"},
      {"ld.global.s8 %d1, [%d2]; ld.global.b16 %r1, [%d2]; ld.global.u32 %d1, [%d2]; ld.global.s16 %h1, [%d2];",
       "t0 = ld.global.s8 [d2]; d1 = cvt.s64.s32 t0; r1 = ld.global.u16 [d2]; t1 = ld.global.u32 [d2]; "
       "d1 = cvt.u64.u32 t1; h1 = ld.global.s16 [d2]"},
      {"ld.shared.u32 %r1, [%r2+4]; ld.shared.u32 %r1, [%d2]; st.shared.u8 [%r2], %h1; st.shared.u32 [16], %d1;",
       "r1 = ld.shared.u32 [r2+4]; t0 = cvt.u32.u64 d2; r1 = ld.shared.u32 [t0]; st.shared.u8 [r2], h1; t1 = "
       "cvt.u32.u64 d1; st.shared.u32 [0x10], t1"},
      {"ld.global.u32 %r1, [%r2]; ld.global.nc.ca.f32 %f1, [%d1]; ld.global.L1::no_allocate.L2::128B.f32 %f1, [%d1];",
       "t0 = cvt.u64.u32 r2; r1 = ld.global.u32 [t0]; f1 = ld.global.f32 [d1]; f1 = ld.global.f32 [d1]"},
      {"ld.global.v2.f32 {%f1, %f2}, [%d1]; ld.global.v4.u32 {%r1, _, %r2, %r3}, [%d1]; st.global.v2.f64 [%d1], {%e1, "
       "0d3ff0000000000000};",
       "f1, f2 = ld.global.v2.f32 [d1]; r1, t0, r2, r3 = ld.global.v4.u32 [d1]; st.global.v2.f64 [d1], e1, "
       "0x3ff0000000000000"},
      {"ld.global.v2.u16 {%h1, %r2}, [%d1];",
       "t0 = ld.global.b32 [d1]; t1 = shr.u32 t0, 0x10; r2 = cvt.u32.u16 t1; h1 = copy.b32 t0"},
      {"ld.global.v4.s8 {%h1, %h2, %h3, %h4}, [%d1];",
       "t0 = ld.global.b32 [d1]; t1 = shr.u32 t0, 0x18; h4 = cvt.s32.s8 t1; t2 = shr.u32 t0, 0x10; h3 = cvt.s32.s8 t2; "
       "t3 = shr.u32 t0, 0x8; h2 = cvt.s32.s8 t3; h1 = cvt.s32.s8 t0"},
      {"st.global.v4.b16 [%d1], {%h1, %h2, %h3, %h4}; st.shared.v2.u8 [%r1], {%h1, %h2};",
       "t0 = pack.b32 h1, h2; t1 = pack.b32 h3, h4; st.global.v2.b32 [d1], t0, t1; t2 = bfi.b32 h2, h1, 0x8, 0x8; "
       "st.shared.u16 [r1], t2"},
      {"{ .reg .v4 .f32 v; ld.global.v4.f32 v, [%d1]; mov.f32 %f1, v.z; }",
       "v.x, v.y, v.z, v.w = ld.global.v4.f32 [d1]; f1 = copy.b32 v.z"},
      {"ld.volatile.global.u32 %r1, [%d1]; ld.relaxed.gpu.global.u32 %r1, [%d1]; ld.acquire.sys.u32 %r1, [%d1]; "
       "st.release.cta.shared.u32 [%r1], %r2;",
       "r1 = ld.volatile.sys.global.u32 [d1]; r1 = ld.gpu.global.u32 [d1]; r1 = ld.sys.u32 [d1]; fence.sys; fence.cta; "
       "st.cta.shared.u32 [r1], r2"},
      {"ldu.global.f32 %f1, [%d1]; prefetch.global.L2 [%d1+64]; prefetchu.L1 [%d1];",
       "f1 = ld.global.f32 [d1]; prefetch.global [d1+64]; prefetch [d1]"},
      {"ld.param.u64 %d1, [pa]; ld.param.u32 %r1, [pb]; ld.param.u16 %r1, [pb+2]; ld.param.s8 %d1, [pa+1];",
       "d1 = param.u64+0; r1 = param.u32+8; r1 = param.u16+10; t0 = param.s8+1; d1 = cvt.s64.s32 t0"},
      {"mov.b64 %d1, pa; ld.param.u32 %r1, [%d1+4];",
       "d1 = address.u64 pa; t0 = cvt.u32.u64 d1; r1 = ld.param.u32 [t0+4]"},
      {"atom.global.add.u32 %r1, [%d1], 1; atom.shared.cas.b64 %d1, [%r1], %d2, %d3; atom.exch.b32 %r1, [%d1+4], %r2;",
       "r1 = atom.gpu.global.add.u32 [d1], 0x1; d1 = atom.gpu.shared.cas.b64 [r1], d2, d3; r1 = atom.gpu.exch.b32 "
       "[d1+4], r2"},
      {"red.global.add.f32 [%d1], %f1; atom.global.max.s64 _, [%d1], %d2; atom.cta.shared.inc.u32 %r1, [%r2], 7; "
       "red.add.noftz.f16x2 [%d1], %r1;",
       "red.gpu.global.add.f32 [d1], f1; red.gpu.global.max.s64 [d1], d2; r1 = atom.cta.shared.inc.u32 [r2], 0x7; "
       "red.gpu.add.f16x2 [d1], r1"},
      {"atom.acq_rel.sys.global.or.b32 %r1, [%d1], %r2; membar.gl; fence.sc.cta; fence.acq_rel.sys;",
       "fence.sys; r1 = atom.sys.global.or.b32 [d1], r2; fence.sys; fence.gpu; fence.gpu; fence.sys"},
      /* what acquires at block scope empties the cache, what releases need not */
      {"atom.acq_rel.cta.global.or.b32 %r1, [%d1], %r2; atom.release.cta.global.or.b32 %r1, [%d1], %r2; membar.cta; "
       "atom.acquire.cta.global.or.b32 %r1, [%d1], %r2;",
       "fence.cta; r1 = atom.cta.global.or.b32 [d1], r2; fence.gpu; fence.cta; r1 = atom.cta.global.or.b32 [d1], r2; "
       "fence.gpu; r1 = atom.cta.global.or.b32 [d1], r2; fence.gpu"},
  };
  CHECK_BODIES(t);
}

static void warps(void **state) {
  (void)state;
  static const struct lowering t[] = {
      {"shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1; shfl.up.b32 %r1, %r2, %r3, 0;",
       "r1, p1 = shfl.bfly.b32 r2, 0x1, 0x1f, 0xffffffff; r1 = shfl.up.b32 r2, r3, 0x0, 0xffffffff"},
      {"vote.sync.any.pred %p1, !%p2, %r1; vote.sync.ballot.b32 %r1, %p1, -1; vote.all.pred %p1, %p2;",
       "t0 = not.pred p2; p1 = vote.any.pred t0, r1; r1 = vote.ballot.b32 p1, 0xffffffff; p1 = vote.all.pred p2, "
       "0xffffffff"},
      {"match.any.sync.b64 %r1, %d1, %r2; match.all.sync.b32 %r1|%p1, %r2, -1;",
       "r1 = match.any.b64 d1, r2; r1, p1 = match.all.b32 r2, 0xffffffff"},
      {"redux.sync.max.s32 %r1, %r2, -1; redux.sync.xor.b32 %r1, %r2, %r3; activemask.b32 %r1;",
       "r1 = redux.max.s32 r2, 0xffffffff; r1 = redux.xor.b32 r2, r3; r1 = activemask.b32"},
      {"bar.sync 0; bar.sync 3, 64; bar.arrive %r1, %r2; barrier.cta.sync.aligned 1;",
       "bar.sync 0x0, 0x0; bar.sync 0x3, 0x40; bar.arrive r1, r2; bar.sync 0x1, 0x0"},
      {"bar.red.popc.u32 %r1, 0, %p1; barrier.red.and.aligned.pred %p1, 2, 96, !%p2;",
       "r1 = bar.red.popc.u32 0x0, 0x0, p1; t0 = not.pred p2; p1 = bar.red.and.pred 0x2, 0x60, t0"},
      {"bar.warp.sync 0xff; nanosleep.u32 100; pmevent 3;", "warpsync.b32 0xff; nanosleep.u32 0x64"},
  };
  CHECK_BODIES(t);
}

/* Words that the other tests do not use. */
static void words(void **state) {
  (void)state;
  static const struct lowering t[] = {
      {"prmt.b32.b4e %r1, %r2, %r3, 1; prmt.b32.rc8 %r1, %r2, %r3, 1; prmt.b32.ecl %r1, %r2, %r3, 1; prmt.b32.ecr %r1, "
       "%r2, %r3, 1;",
       "r1 = prmt.b4e.b32 r2, r3, 0x1; r1 = prmt.rc8.b32 r2, r3, 0x1; r1 = prmt.ecl.b32 r2, r3, 0x1; r1 = prmt.ecr.b32 "
       "r2, r3, 0x1"},
      {"setp.equ.f32 %p1, %f1, %f2; setp.ltu.f32 %p1, %f1, %f2; setp.leu.f32 %p1, %f1, %f2; setp.geu.f32 %p1, %f1, "
       "%f2; setp.nan.f32 %p1, %f1, %f2;",
       "p1 = setp.equ.f32 f1, f2; p1 = setp.ltu.f32 f1, f2; p1 = setp.leu.f32 f1, f2; p1 = setp.geu.f32 f1, f2; p1 = "
       "setp.nan.f32 f1, f2"},
      {"setp.gt.s32 %p1, %r1, %r2; setp.le.s32 %p1, %r1, %r2; setp.ls.u32 %p1, %r1, %r2; setp.hi.u32 %p1, %r1, %r2;",
       "p1 = setp.gt.s32 r1, r2; p1 = setp.le.s32 r1, r2; p1 = setp.le.u32 r1, r2; p1 = setp.gt.u32 r1, r2"},
      {"testp.finite.f32 %p1, %f1; testp.infinite.f32 %p1, %f1; testp.number.f32 %p1, %f1; testp.normal.f32 %p1, %f1;",
       "p1 = testp.finite.f32 f1; p1 = testp.infinite.f32 f1; p1 = testp.number.f32 f1; p1 = testp.normal.f32 f1"},
      {"atom.global.dec.u32 %r1, [%d1], 3; red.cluster.shared.min.u32 [%r1], 3; shfl.sync.down.b32 %r1, %r2, 1, 31, "
       "-1;",
       "r1 = atom.gpu.global.dec.u32 [d1], 0x3; red.gpu.shared.min.u32 [r1], 0x3; r1 = shfl.down.b32 r2, 0x1, 0x1f, "
       "0xffffffff"},
      {"ld.weak.global.cg.u32 %r1, [%d1]; ld.global.cs.u32 %r1, [%d1]; ld.global.lu.u32 %r1, [%d1]; ld.global.cv.u32 "
       "%r1, [%d1];",
       "r1 = ld.global.u32 [d1]; r1 = ld.global.u32 [d1]; r1 = ld.global.u32 [d1]; r1 = ld.global.u32 [d1]"},
      {"st.global.wb.u32 [%d1], %r1; st.global.wt.u32 [%d1], %r1; ld.mmio.relaxed.sys.global.u32 %r1, [%d1];",
       "st.global.u32 [d1], r1; st.global.u32 [d1], r1; r1 = ld.volatile.sys.global.u32 [d1]"},
      {"ld.global.L2::cache_hint.u32 %r1, [%d1], %d2; ld.param::entry.u32 %r1, [pb]; fence.acq_rel.cluster;",
       "r1 = ld.global.u32 [d1]; r1 = param.u32+8; fence.gpu"},
      /* types before and after the other words */
      {"ld.u32.global %r1, [%d1]; add.f32.ftz.rn %f1, %f2, %f3; setp.s32.lt %p1, %r1, %r2;",
       "r1 = ld.global.u32 [d1]; f1 = add.ftz.f32 f2, f3; p1 = setp.lt.s32 r1, r2"},
  };
  CHECK_BODIES(t);
}

/* A guard stands on what writes registers or memory; temporaries go without. */
static void guards(void **state) {
  (void)state;
  static const struct lowering t[] = {
      {"@%p1 add.u32 %r1, %r2, %r3; @!%p1 st.global.u32 [%d1], %r1;",
       "@p1 r1 = add.u32 r2, r3; @!p1 st.global.u32 [d1], r1"},
      {"@%p1 mul.wide.s16 %r1, %h1, %h2;", "t0 = cvt.s32.s16 h1; t1 = cvt.s32.s16 h2; @p1 r1 = mul.s32 t0, t1"},
      {"@%p1 ld.global.s32 %d1, [%d2];", "@p1 t0 = ld.global.s32 [d2]; @p1 d1 = cvt.s64.s32 t0"},
      {"@%p1 mov.u32 %r1, %tid.x; @%p1 mov.b64 {%r1, %r2}, %d1;",
       "@p1 r1 = sreg.tid.x.u32; t0, t1 = unpack.b64 d1; @p1 r1 = copy.b32 t0; @p1 r2 = copy.b32 t1"},
      {"@%p1 ld.acquire.gpu.global.u32 %r1, [%d1]; @%p1 bar.sync 0;",
       "@p1 r1 = ld.gpu.global.u32 [d1]; @p1 fence.gpu; @p1 bar.sync 0x0, 0x0"},
      {"@%p1 setp.lt.f16x2 %p1|%p2, %r1, %r1;",
       "t0, t1 = unpack.b32 r1; t2, t3 = unpack.b32 r1; t4 = setp.lt.f16 t0, t2; t5, t6 = unpack.b32 r1; t7, t8 = "
       "unpack.b32 r1; t9 = setp.lt.f16 t6, t8; t10 = copy.pred p1; @t10 p1 = copy.pred t4; @t10 p2 = copy.pred t9"},
      {"@%p1 add.cc.u32 %r1, %r2, %r3;", "@p1 r1, t0 = addc.u32 r2, r3"},
  };
  CHECK_BODIES(t);
}

/* Every PTX file of tests/silicon is lowered and checked; then with random damage, which must be refused or lowered to
 * a sound graph, never crash. */

static char *file_text(const char *path) {
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  char *text = calloc(1, 1 << 20);
  size_t n = fread(text, 1, (1 << 20) - 1, f);
  assert_true(n > 0);
  fclose(f);
  return text;
}

static unsigned each_file(const char *pattern, void (*body)(const char *path, char *text)) {
  glob_t g;
  assert_int_equal(glob(pattern, 0, NULL, &g), 0);
  unsigned n = (unsigned)g.gl_pathc;
  for (unsigned k = 0; k < n; k++) {
    char *text = file_text(g.gl_pathv[k]);
    body(g.gl_pathv[k], text);
    free(text);
  }
  globfree(&g);
  return n;
}

static void is_lowered(const char *path, char *text) {
  struct lowered l;
  if (!lowered(&l, text, false)) fail_msg("%s: %u: %s", path, l.p.message[0].line, l.p.message[0].text);
  lowered_free(&l);
}

static void files(void **state) {
  (void)state;
  assert_int_equal(each_file(OPS_DIR "/*.ptx", is_lowered), 385);
  assert_int_equal(each_file(SILICON_DIR "/kernels/*.ptx", is_lowered), 8);
}

/* Words and marks change places, are lost or doubled; numbers and letters change. */
static void damage(char *text, uint64_t *seed) {
  static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz.,;:%[]{}()|!@_ ";
  size_t size = strlen(text);
  for (uint64_t k = splitmix64(seed) % 4 + 1; k > 0; k--) {
    size_t a = splitmix64(seed) % size, b = splitmix64(seed) % size, n = splitmix64(seed) % 12;
    if (a + n > size || b + n > size) continue;
    switch (splitmix64(seed) % 4) {
    case 0:
      text[a] = letters[splitmix64(seed) % (sizeof letters - 1)];
      break;
    case 1:
      memmove(text + a, text + b, n);
      break;
    case 2:
      memset(text + a, ' ', n);
      break;
    default: { /* a dotted word for another one */
      char *from = strchr(text + a, '.'), *to = strchr(text + b, '.');
      size_t length = from ? strcspn(from + 1, "., ;") + 1 : 0;
      if (from && to && length < 8 && strlen(to) > length) memmove(to, from, length);
      break;
    }
    }
  }
}

static unsigned survived;

static void survive(const char *path, const char *text) {
  struct lowered l = {0};
  struct ptx_module *m = parsed_text(&l.p, text);
  if (m && first_entry(m) && !first_entry(m)->declaration && setjmp(l.p.diag.exit) == 0) {
    l.f = ir_lower(l.p.arena, &l.p.diag, m, first_entry(m));
    const char *wrong = l.f ? ir_check(l.f, false) : NULL;
    if (wrong) fail_msg("%s: %s\n%s", path, wrong, text);
    if (l.f) survived++;
  }
  ptx_arena_free(l.p.arena);
}

static void is_survived(const char *path, char *text) {
  uint64_t seed = 1;
  for (const char *s = strrchr(path, '/'); *s; s++) seed = seed * 31 + (unsigned char)*s;
  char *mine = malloc(strlen(text) + 1);
  for (unsigned k = 0; k < 10; k++) {
    strcpy(mine, text);
    damage(mine, &seed);
    survive(path, mine);
  }
  free(mine);
}

static void damaged(void **state) {
  (void)state;
  each_file(OPS_DIR "/*.ptx", is_survived);
  each_file(SILICON_DIR "/kernels/*.ptx", is_survived);
  assert_true(survived > 100); /* the damage is not so great that nothing is left to try */
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers),    cmocka_unit_test(bits),   cmocka_unit_test(floats), cmocka_unit_test(comparisons),
      cmocka_unit_test(conversions), cmocka_unit_test(moves),  cmocka_unit_test(memory), cmocka_unit_test(warps),
      cmocka_unit_test(words),       cmocka_unit_test(guards), cmocka_unit_test(files),  cmocka_unit_test(damaged)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
