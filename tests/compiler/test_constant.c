/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations that tests/silicon/ops does not have, on edges and numbers at random: with some or all of their operands
 * constant they give what they give with all of them loaded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/compiler/immediate.h"
#include "tests/test.h"
#include "base/splitmix64.h"

enum { COUNT = 48 };
static unsigned samples = COUNT; /* of the inputs that are tried as constants */

/* "f64 f64 f64: copysign.f64 d, a, b;": types of d, a, b, c. */
static const char *const forms[] = {
    "f64 f64 f64: copysign.f64 d, a, b;",
    "f64 f64: abs.f64 d, a;",
    "f64 f64: neg.f64 d, a;",
    "f32 f32: abs.ftz.f32 d, a;",
    "f32 f32: abs.f32 d, a;",
    "f64 f64 f64: sub.rm.f64 d, a, b;",
    "f64 f64 f64 f64: { .reg .f64 t; neg.f64 t, b; fma.rn.f64 d, a, t, c; }",
    "f64 f64 f64 f64: { .reg .f64 t; neg.f64 t, a; abs.f64 t, t; min.f64 t, t, b; sub.rn.f64 d, t, c; }",
    "f64 f64 f64: { .reg .f64 t; abs.f64 t, a; neg.f64 t, t; add.rz.f64 d, t, b; }",
    "f32 f32 f32 f32: { .reg .f32 t; mul.f32 t, a, b; add.f32 d, t, c; }",
    "f32 f32 f32 f32: { .reg .f32 t; mul.rn.f32 t, a, b; add.rn.f32 d, t, c; }",
    "f64 f64 f64 f64: { .reg .f64 t; mul.f64 t, a, b; sub.f64 d, c, t; }",
    "f32 f32 f32: add.ftz.sat.f32 d, a, b;",
    "f32 f32 f32: sub.rp.ftz.f32 d, a, b;",
    "f32 f32 f32: mul.rm.ftz.sat.f32 d, a, b;",
    "f32 f32 f32 f32: fma.rz.ftz.sat.f32 d, a, b, c;",
    "f32 f32 f32: min.ftz.NaN.f32 d, a, b;",
    "f32 f32 f32: max.ftz.xorsign.abs.f32 d, a, b;",
    "f32 f32 f32: min.NaN.xorsign.abs.f32 d, a, b;",
    "u32 f32: { .reg .pred p; testp.finite.f32 p, a; selp.u32 d, 1, 0, p; }",
    "u32 f32: { .reg .pred p; testp.infinite.f32 p, a; selp.u32 d, 1, 0, p; }",
    "u32 f32: { .reg .pred p; testp.number.f32 p, a; selp.u32 d, 1, 0, p; }",
    "u32 f32: { .reg .pred p; testp.notanumber.f32 p, a; selp.u32 d, 1, 0, p; }",
    "u32 f32: { .reg .pred p; testp.normal.f32 p, a; selp.u32 d, 1, 0, p; }",
    "u32 f32: { .reg .pred p; testp.subnormal.f32 p, a; selp.u32 d, 1, 0, p; }",
    "u32 f64: { .reg .pred p; testp.finite.f64 p, a; selp.u32 d, 1, 0, p; }",
    "u32 f64: { .reg .pred p; testp.infinite.f64 p, a; selp.u32 d, 1, 0, p; }",
    "u32 f64: { .reg .pred p; testp.notanumber.f64 p, a; selp.u32 d, 1, 0, p; }",
    "u32 f64: { .reg .pred p; testp.normal.f64 p, a; selp.u32 d, 1, 0, p; }",
    "u32 f64: { .reg .pred p; testp.subnormal.f64 p, a; selp.u32 d, 1, 0, p; }",
    "u32 f32 f32: set.ltu.ftz.u32.f32 d, a, b;",
    "f32 f64 f64: set.geu.f32.f64 d, a, b;",
    "f32 s64 s64: set.gt.f32.s64 d, a, b;",
    "u32 f32 f32 u32: { .reg .pred p, q, r; setp.ne.u32 r, c, 0; setp.le.ftz.xor.f32 p|q, a, b, !r; selp.u32 d, 1, 0, "
    "p; @q or.b32 d, d, 2; }",
    "u32 u32 u32 f32: slct.ftz.u32.f32 d, a, b, c;",
    "u32 u32 u32 f32: slct.u32.f32 d, a, b, c;",
    "f64 f64 f64 s32: slct.f64.s32 d, a, b, c;",
    "f32 f32 f32 u32: { .reg .pred p; setp.gt.u32 p, c, 7; selp.f32 d, a, b, p; }",
    "f32 f64: cvt.rn.ftz.f32.f64 d, a;",
    "f32 f64: cvt.rz.sat.f32.f64 d, a;",
    "f32 f64: cvt.rp.ftz.sat.f32.f64 d, a;",
    "f64 f32: cvt.ftz.sat.f64.f32 d, a;",
    "f64 f64: cvt.sat.f64.f64 d, a;",
    "f64 f64: cvt.rmi.sat.f64.f64 d, a;",
    "f32 f32: cvt.rni.ftz.f32.f32 d, a;",
    "f32 f32: cvt.ftz.f32.f32 d, a;",
    "f32 f32: cvt.sat.f32.f32 d, a;",
    "f32 f32: cvt.rpi.ftz.sat.f32.f32 d, a;",
    "f64 f64: { .reg .f32 t; cvt.rn.f32.f64 t, a; cvt.f64.f32 d, t; }",
    "f32 f32: { .reg .f64 t; cvt.f64.f32 t, a; cvt.rn.f32.f64 d, t; }",
    "f32 f32: { .reg .f64 t; cvt.ftz.f64.f32 t, a; neg.f64 t, t; cvt.rz.f32.f64 d, t; }",
    "f32 f32: { .reg .b16 t; cvt.rn.f16.f32 t, a; cvt.f32.f16 d, t; }",
    "b16 f32: cvt.rz.sat.f16.f32 d, a;",
    "b16 f64: cvt.rn.f16.f64 d, a;",
    "b16 f64: cvt.rm.f16.f64 d, a;",
    "f64 b16: cvt.f64.f16 d, a;",
    "b32 f32 f32: cvt.rn.relu.f16x2.f32 d, a, b;",
    "b32 f32 f32: cvt.rz.f16x2.f32 d, a, b;",
    "b16 s32: cvt.rn.f16.s32 d, a;",
    "b16 u64: cvt.rp.f16.u64 d, a;",
    "f32 s64: cvt.rn.sat.f32.s64 d, a;",
    "f64 u32: cvt.rz.f64.u32 d, a;",
    "f64 s16: cvt.rn.f64.s16 d, a;",
    "f32 u16: cvt.rn.f32.u16 d, a;",
    "u32 b16: cvt.rzi.u32.f16 d, a;",
    "s64 b16: cvt.rpi.s64.f16 d, a;",
    "s16 b16: cvt.rni.s16.f16 d, a;",
    "s32 f32: cvt.rzi.ftz.s32.f32 d, a;",
    "u64 f64: cvt.rpi.sat.u64.f64 d, a;",
    "u32 f32: cvt.rmi.ftz.u32.f32 d, a;",
    "s16 f64: cvt.rni.s16.f64 d, a;",
    "u32 s64: cvt.sat.u32.s64 d, a;",
    "s32 u64: cvt.sat.s32.u64 d, a;",
    "s16 s32: cvt.sat.s16.s32 d, a;",
    "u64 s32: cvt.sat.u64.s32 d, a;",
    "s64 s16: cvt.s64.s16 d, a;",
    "s32 u32: { .reg .s16 t; cvt.sat.s8.u32 t, a; cvt.s32.s16 d, t; }",
    "s32 u64: { .reg .s16 t; cvt.sat.s8.u64 t, a; cvt.s32.s16 d, t; }",
    "u32 s32: { .reg .u16 t; cvt.u8.s32 t, a; cvt.u32.u16 d, t; }",
    "b16 b16 b16: add.rn.f16 d, a, b;",
    "b16 b16 b16: sub.rn.ftz.f16 d, a, b;",
    "b16 b16 b16: mul.rn.sat.f16 d, a, b;",
    "b16 b16 b16 b16: fma.rn.relu.f16 d, a, b, c;",
    "b16 b16 b16 b16: { .reg .b16 t; neg.f16 t, b; fma.rn.f16 d, a, t, c; }",
    "b16 b16 b16: min.NaN.f16 d, a, b;",
    "b16 b16 b16: max.ftz.f16 d, a, b;",
    "b32 b32 b32: min.f16x2 d, a, b;",
    "b32 b32 b32: max.NaN.f16x2 d, a, b;",
    "b32 b32: neg.f16x2 d, a;",
    "b32 b32: abs.f16x2 d, a;",
    "u32 b16 b16: { .reg .pred p; setp.leu.ftz.f16 p, a, b; selp.u32 d, 1, 0, p; }",
    "u32 b16 b16: { .reg .pred p; setp.num.f16 p, a, b; selp.u32 d, 1, 0, p; }",
    "u32 b32 b32: { .reg .pred p, q; setp.ne.f16x2 p|q, a, b; selp.u32 d, 1, 0, p; @q or.b32 d, d, 2; }",
    "u16 b16 b16: set.gt.u16.f16 d, a, b;",
    "b32 b32 b32: set.geu.f16x2.f16x2 d, a, b;",
    "b16 b16 b16: add.rn.bf16 d, a, b;",
    "b16 b16 b16 b16: fma.rn.bf16 d, a, b, c;",
    "b16 b16 b16: max.NaN.bf16 d, a, b;",
    "b32 b32 b32 b32: fma.rn.relu.bf16x2 d, a, b, c;",
    "b16 b16: neg.bf16 d, a;",
    "b16 f32: cvt.rn.bf16.f32 d, a;",
    "b32 f32 f32: cvt.rz.bf16x2.f32 d, a, b;",
    "f64 f64: rcp.approx.ftz.f64 d, a;",
    "f64 f64: rsqrt.approx.ftz.f64 d, a;",
    "s16 s16 s16: add.s16 d, a, b;",
    "u16 u16 u16: sub.u16 d, a, b;",
    "s16 s16 s16: mul.hi.s16 d, a, b;",
    "u16 u16 u16: mul.lo.u16 d, a, b;",
    "s32 s16 s16: mul.wide.s16 d, a, b;",
    "u32 u16 u16 u32: mad.wide.u16 d, a, b, c;",
    "s64 s32 s32 s64: mad.wide.s32 d, a, b, c;",
    "u64 u32 u32 u64: mad.wide.u32 d, a, b, c;",
    "s16 s16 s16 s16: mad.hi.s16 d, a, b, c;",
    "s64 s64 s64 s64: mad.hi.s64 d, a, b, c;",
    "u64 u64 u64 u64: mad.hi.u64 d, a, b, c;",
    "s32 s32 s32 s32: mad24.lo.s32 d, a, b, c;",
    "u32 u32 u32 u32: mad24.hi.u32 d, a, b, c;",
    "s32 s32 s32 s32: mad24.hi.sat.s32 d, a, b, c;",
    "s16 s16 s16: div.s16 d, a, b;",
    "u16 u16 u16: rem.u16 d, a, b;",
    "s16 s16 s16: rem.s16 d, a, b;",
    "s16 s16: abs.s16 d, a;",
    "s32 s32: abs.s32 d, a;",
    "s64 s64: abs.s64 d, a;",
    "s64 s64: neg.s64 d, a;",
    "s16 s16: neg.s16 d, a;",
    "s16 s16 s16: min.s16 d, a, b;",
    "u16 u16 u16: max.u16 d, a, b;",
    "s16 s16 s16 s16: sad.s16 d, a, b, c;",
    "u16 u16 u16 u16: sad.u16 d, a, b, c;",
    "s64 s64 s64 s64: sad.s64 d, a, b, c;",
    "u64 u64 u64 u64: sad.u64 d, a, b, c;",
    "b16 b16 u32: shl.b16 d, a, b;",
    "s16 s16 u32: shr.s16 d, a, b;",
    "u16 u16 u32: shr.u16 d, a, b;",
    "b64 b64 u32: shr.b64 d, a, b;",
    "b16 b16: not.b16 d, a;",
    "b16 b16: cnot.b16 d, a;",
    "b32 b32: cnot.b32 d, a;",
    "b64 b64: cnot.b64 d, a;",
    "b16 b16 b16: xor.b16 d, a, b;",
    "u32 s64: bfind.s64 d, a;",
    "u32 u64: bfind.shiftamt.u64 d, a;",
    "b32 u32 u32: bmsk.clamp.b32 d, a, b;",
    "b32 u32 u32: bmsk.wrap.b32 d, a, b;",
    "s32 s32 u32: szext.clamp.s32 d, a, b;",
    "u32 u32 u32: szext.wrap.u32 d, a, b;",
    "b32 b32 u32 s32: fns.b32 d, a, b, c;",
    "s32 s32 s32 s32: dp2a.lo.s32.s32 d, a, b, c;",
    "s32 s32 u32 s32: dp2a.hi.s32.u32 d, a, b, c;",
    "u32 u32 u32 u32: dp2a.lo.u32.u32 d, a, b, c;",
    "s32 u32 s32 s32: dp2a.hi.u32.s32 d, a, b, c;",
    "s32 s32 u32 s32: dp4a.s32.u32 d, a, b, c;",
    "b32 b32 b32 u32: bfi.b32 d, a, b, c, 9;",
    "b32 b32 b32 u32: bfi.b32 d, a, b, 13, c;",
    "b64 b64 b64 u32: bfi.b64 d, a, b, c, 40;",
    "u32 u32 u32 u32: { .reg .u32 t; add.cc.u32 t, a, b; addc.u32 d, c, t; }",
    "u64 u64 u64 u64: { .reg .u64 t; sub.cc.u64 t, a, b; subc.u64 d, c, t; }",
    "u32 u32 u32 u32: { .reg .u32 t; mad.lo.cc.u32 t, a, b, c; madc.hi.u32 d, a, b, t; }",
    "s64 s64 s64 s64: { .reg .s64 t; mad.lo.cc.s64 t, a, b, c; madc.hi.s64 d, a, b, t; }",
    "u32 u64 u64 u32: { .reg .pred p, q, r; setp.eq.u32 r, c, 0; setp.lt.and.s64 p|q, a, b, r; selp.u32 d, 1, 0, p; "
    "@q or.b32 d, d, 2; }",
    "u32 u32 u32 u32: { .reg .pred p, q, r; setp.eq.u32 r, c, 0; setp.ls.or.u32 p|q, a, b, !r; selp.u32 d, 1, 0, p; "
    "@q or.b32 d, d, 2; }",
    "u32 u16 u16: { .reg .pred p; setp.hi.u16 p, a, b; selp.u32 d, 1, 0, p; }",
    "u32 s16 s16: { .reg .pred p; setp.le.s16 p, a, b; selp.u32 d, 1, 0, p; }",
    "s32 s32 s32 s32: vadd.s32.s32.s32.sat d, a.b1, b.h0;",
    "u32 u32 u32 u32: vabsdiff.u32.u32.u32.add d, a.b3, b.b0, c;",
    "s32 s32 s32 s32: vmad.s32.s32.s32.sat.shr7 d, a.h1, b.b2, c;",
    "b32 b32 b32 b32: prmt.b32 d, a, b, c;",
    "b32 b32 b32 u32: shf.l.wrap.b32 d, a, b, c;",
    "b64 b64: brev.b64 d, a;",
    "u32 u32 u32: { .reg .u64 t; mov.b64 t, {a, b}; shr.u64 t, t, 29; cvt.u32.u64 d, t; }",
    "u32 u32 u32: { .reg .u32 t; and.b32 t, b, 0xff; shl.b32 t, t, 3; shf.r.clamp.b32 d, a, t, t; }",
};

#define ONE_OF(list, r) (list)[(r) % (sizeof(list) / sizeof *(list))]

static uint64_t integer(uint64_t r, uint64_t s, unsigned bits) {
  static const uint64_t edges[] = {0,  1,  2,  3,  5,  7,   8,    9,    15,         16,        17,
                                   31, 32, 33, 63, 64, 255, 0x7f, 0x80, 0x7fffffff, 0xdeadbeef};
  const uint64_t top = UINT64_C(1) << (bits - 1), x = ONE_OF(edges, r >> 8);
  switch (r % 8) {
  case 0:
    return s;
  case 1:
    return s >> (r >> 16) % 64;
  case 2:
    return top - 1 + x % 3;
  case 3:
    return 0 - x;
  default:
    return x;
  }
}

/* Raw: numbers as the format has them, and next to the limits of integers. */
static uint64_t real(uint64_t r, uint64_t s, unsigned bits) {
  static const uint64_t halves[] = {0,      0x8000, 1,      0x83ff, 0x0400, 0x3c00, 0xbc00, 0x3800, 0x3bff,
                                    0x4100, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0xffff, 0x5800, 0xd900};
  static const uint64_t singles[] = {0,          0x80000000, 1,          0x807fffff, 0x00800000, 0x80800001, 0x3f800000,
                                     0xbf800000, 0x3f000000, 0xbfc00000, 0x40200000, 0x7f7fffff, 0x7f800000, 0xff800000,
                                     0x7fc12340, 0xff812340, 0x4f000000, 0xcf000001, 0x5f000000, 0x5f7fffff, 0x477fe000,
                                     0x42fe0000, 0xc3010000, 0x33800000, 0x3f7fffff, 0x00ffffff};
  const uint64_t x = ONE_OF(singles, r >> 8);
  if (bits == 16) return r % 3 ? ONE_OF(halves, r >> 8) : s;
  if (bits == 32) return r % 3 ? x : s;
  switch (r % 4) {
  case 0:
    return s;
  case 1: /* what single precision has to round, near its limits too */
    return (UINT64_C(870) + (r >> 8) % 300) << 52 | s >> 12 | (r & 16) << 59;
  default: /* the same edges: exponents of F64 (ends stay ends), a bit at the lower end */
    return (x >> 31) << 63 | (x >> 23 & 0xff) << 52 << ((x >> 23 & 0xff) == 255 ? 3 : 0) |
           ((x >> 23 & 0xff) == 255 ? UINT64_C(7) << 52
            : (x >> 23 & 0xff)      ? UINT64_C(896) << 52
                                    : 0) |
           (x & 0x7fffff) << 29 | ((x & 0x7fffff) ? r >> 20 & 1 : 0);
  }
}

static void read_form(struct immediate_form *f, const char *text) {
  char type[4][8];
  const char *body = strchr(text, ':') + 2;
  const int n = sscanf(text, "%7[a-z0-9] %7[a-z0-9] %7[a-z0-9] %7[a-z0-9]:", type[0], type[1], type[2], type[3]);
  *f = (struct immediate_form){.name = body, .count = COUNT};
  (void)snprintf(f->body, sizeof f->body, "%s\n", body);
  for (int k = 0; k < n; k++)
    f->o[k == 0 ? 3 : k - 1] = (struct immediate_operand){
        .is_there = true, .kind = type[k][0], .width = (unsigned)strtoul(type[k] + 1, NULL, 10) / 8};
}

/* Bits are numbers in the format that the operation names. */
static void fill(struct immediate_form *f, uint64_t *random) {
  const bool half = strstr(f->body, "f16") != NULL && strstr(f->body, "prmt") == NULL;
  for (unsigned slot = 0; slot < 3; slot++) {
    struct immediate_operand *o = &f->o[slot];
    for (unsigned k = 0; o->is_there && k < COUNT; k++) {
      const uint64_t r = splitmix64(random), s = splitmix64(random);
      const unsigned bits = 8 * o->width;
      const bool is_real = o->kind == 'f' || (half && o->kind == 'b');
      uint64_t x = is_real ? real(r, s, half && bits == 32 && o->kind == 'b' ? 16 : bits) : integer(r, s, bits);
      if (half && bits == 32 && o->kind == 'b') x = (x & 0xffff) | real(s, r, 16) << 16;
      immediate_put(o, k, x);
    }
  }
}

static void as_loaded(void **state) {
  (void)state;
  uint64_t random = 1;
  unsigned wrong = 0;
  for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
    struct immediate_form f;
    read_form(&f, forms[k]);
    fill(&f, &random);
    immediate_run(&f);
    const unsigned bad = immediate_try(&f, 0, samples);
    if (bad) print_error("%s %u differ\n", f.name, bad);
    wrong += bad;
    immediate_free(&f);
  }
  print_message("%zu operations, %u inputs each\n", sizeof forms / sizeof *forms, samples);
  assert_int_equal(wrong, 0);
}

/* tests_ptx constant [SAMPLES]: a multiple of 16. */
int TEST_MAIN(int argc, char **argv) {
  if (argc > 1) samples = (unsigned)strtoul(argv[1], NULL, 0);
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_loaded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
