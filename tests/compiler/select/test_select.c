/* SPDX-License-Identifier: Apache-2.0
 *
 * Every operation and type that lowering leaves, alone: operands in registers, as constants, as parameters, under a
 * guard, into the variable that an operand comes from; over edge values, against plain C.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/compiler/select/select_judge.h"
#include "tests/test.h"
#include "base/splitmix64.h"

static const uint64_t words[] = {0,          1,          2,          7,          15,         16,         24,
                                 31,         32,         33,         63,         64,         0x7f,       0x80,
                                 0xff,       0x7fff,     0x8000,     0xffff,     0x10000,    0x3210,     0x7fffffff,
                                 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000,
                                 0xff800000, 0x00800000, 0x007fffff, 0x80000001, 0x4f000000, 0x4effffff, 0x42f6e979};
static const uint64_t longs[] = {0,
                                 1,
                                 31,
                                 32,
                                 64,
                                 0xffffffff,
                                 0x100000000,
                                 0x7fffffff,
                                 0x80000000,
                                 0xffffffff80000000,
                                 0x7fffffffffffffff,
                                 0x8000000000000000,
                                 0xffffffffffffffff,
                                 0xffffffff00000000,
                                 0x3ff0000000000000,
                                 0xbff8000000000000,
                                 0x7ff0000000000000,
                                 0x0010000000000000,
                                 0x000fffffffffffff,
                                 0x43e0000000000000,
                                 0x0100000000000010,
                                 0x0200000000000010,
                                 0x4059000000000001};
#define COUNT(a) (sizeof(a) / sizeof(a)[0])

struct inputs {
  uint64_t in[JUDGE_THREADS][JUDGE_SOURCES];
  uint64_t state;
};

static uint64_t edge(struct inputs *x, char letter) {
  uint64_t r = splitmix64(&x->state) >> 20;
  return letter == 'd' ? longs[r % COUNT(longs)] : words[r % COUNT(words)];
}

/* Positions and lengths of bit fields: PTX says nothing of 256 and more in 64-bit ones. */
static bool is_small(const struct select_case *c, unsigned k) {
  return (c->i.op == IR_BFE && k >= 1) || (c->i.op == IR_BFI && k >= 2);
}

static void fill(struct inputs *x, const struct select_case *c) {
  for (unsigned t = 0; t < JUDGE_THREADS; t++)
    for (unsigned k = 0; k < JUDGE_SOURCES; k++) {
      char letter = k < c->i.sources ? c->src[k] : 'p';
      uint64_t random = splitmix64(&x->state);
      x->in[t][k] = random >> 61 ? edge(x, letter) : random;
      if (letter == 'p') x->in[t][k] = random >> 40 & 1;
      if (k < c->i.sources && is_small(c, k)) x->in[t][k] = random >> 61 ? x->in[t][k] % 70 : x->in[t][k] % 256;
    }
}

static void everywhere(const struct select_case *c) {
  struct inputs *x = calloc(1, sizeof *x);
  x->state = 0x1234567 + c->i.op * 1000u + c->i.type;
  fill(x, c);
  const struct select_case copy = *c;
  select_try(&copy, SETTING_PLAIN, 0, 0, x->in, select_expect);
  for (unsigned k = 0; k < c->i.sources; k++) {
    for (unsigned n = 0; n < (c->src[k] == 'p' ? 2u : 8u); n++) {
      uint64_t v = c->src[k] == 'p' ? n : n < 2 ? n : n == 2 ? splitmix64(&x->state) : edge(x, c->src[k]);
      select_try(&copy, SETTING_CONSTANT, k, is_small(c, k) ? v % 70 : v, x->in, select_expect);
    }
    if (c->src[k] != 'p')
      select_try(&copy, SETTING_PARAM, k, is_small(c, k) ? 13 : edge(x, c->src[k]), x->in, select_expect);
    if (c->src[k] == c->dst[0]) select_try(&copy, SETTING_VARIABLE, k, 0, x->in, select_expect);
  }
  if (c->i.sources < JUDGE_SOURCES)
    for (unsigned n = 0; n < 2; n++) select_try(&copy, SETTING_GUARDED, n, 0, x->in, select_expect);
  if (c->dst[0] == 'd' && c->i.dsts == 1) select_try(&copy, SETTING_LOW, 0, 0, x->in, select_expect);
  free(x);
}

static struct select_case make(enum ir_op op, enum ptx_type type, const char *dst, const char *src) {
  struct select_case c = {.i = {.op = (uint16_t)op, .type = (uint8_t)type, .dsts = (unsigned)strlen(dst)}};
  c.i.sources = (unsigned)strlen(src);
  memcpy(c.dst, dst, c.i.dsts);
  memcpy(c.src, src, c.i.sources);
  return c;
}

static void one(enum ir_op op, enum ptx_type type, const char *dst, const char *src) {
  const struct select_case c = make(op, type, dst, src);
  everywhere(&c);
}

static void arithmetic(void **state) {
  static const uint8_t two[] = {IR_ADD, IR_SUB, IR_MUL, IR_MULHI, IR_MIN, IR_MAX}, three[] = {IR_MAD, IR_MADHI, IR_SAD};
  static const uint8_t one_word[] = {PTX_S32, PTX_U32}, pair[] = {PTX_S64, PTX_U64};
  (void)state;
  for (unsigned t = 0; t < 2; t++) {
    for (unsigned k = 0; k < COUNT(two); k++) {
      one(two[k], one_word[t], "w", "ww");
      one(two[k], pair[t], "d", "dd");
    }
    for (unsigned k = 0; k < COUNT(three); k++) {
      one(three[k], one_word[t], "w", "www");
      one(three[k], pair[t], "d", "ddd");
    }
    one(IR_MULWIDE, one_word[t], "d", "ww");
    one(IR_MADWIDE, one_word[t], "d", "wwd");
    one(IR_NEG, one_word[t], "w", "w");
    one(IR_NEG, pair[t], "d", "d");
  }
  one(IR_ABS, PTX_S32, "w", "w");
  one(IR_ABS, PTX_S64, "d", "d");
}

static void division(void **state) {
  static const uint8_t types[] = {PTX_S32, PTX_U32, PTX_S64, PTX_U64};
  (void)state;
  for (unsigned t = 0; t < 4; t++)
    for (unsigned k = 0; k < 2; k++) one(k ? IR_REM : IR_DIV, types[t], t < 2 ? "w" : "d", t < 2 ? "ww" : "dd");
}

static void carries(void **state) {
  static const char *const dst[] = {"w", "wp", "d", "dp"}, *const two[] = {"ww", "wwp", "dd", "ddp"},
                           *const three[] = {"www", "wwwp", "ddd", "dddp"};
  (void)state;
  for (unsigned out = 0; out < 2; out++)
    for (unsigned in = 0; in < 2; in++)
      for (unsigned wide = 0; wide < 2; wide++) {
        enum ptx_type t = wide ? PTX_U64 : PTX_U32;
        one(IR_ADDC, t, dst[2 * wide + out], two[2 * wide + in]);
        one(IR_SUBC, t, dst[2 * wide + out], two[2 * wide + in]);
        struct select_case c = make(IR_MADC, t, dst[2 * wide + out], three[2 * wide + in]);
        everywhere(&c);
        c.i.arithmetic.high = true;
        everywhere(&c);
        c.i.type = wide ? PTX_S64 : PTX_S32;
        everywhere(&c);
      }
}

static void logic(void **state) {
  static const uint8_t luts[] = {0x00, 0xff, 0xf0, 0x0f, 0xcc, 0xaa, 0x80, 0xfe, 0x96, 0xe8, 0xca, 0x1b, 0x3c, 0xe2};
  (void)state;
  for (enum ir_op op = IR_AND; op <= IR_XOR; op++) {
    one(op, PTX_B32, "w", "ww");
    one(op, PTX_B64, "d", "dd");
    one(op, PTX_PRED, "p", "pp");
  }
  one(IR_NOT, PTX_B32, "w", "w");
  one(IR_NOT, PTX_B64, "d", "d");
  one(IR_NOT, PTX_PRED, "p", "p");
  for (unsigned k = 0; k < COUNT(luts); k++) {
    struct select_case c = make(IR_LOP3, PTX_B32, "w", "www");
    c.i.lut = luts[k];
    everywhere(&c);
  }
}

static void shifts(void **state) {
  static const uint8_t types[] = {PTX_B32, PTX_S32, PTX_U32}, pairs[] = {PTX_B64, PTX_S64, PTX_U64};
  (void)state;
  for (unsigned k = 0; k < 3; k++) {
    one(k ? IR_SHR : IR_SHL, types[k], "w", "ww");
    one(k ? IR_SHR : IR_SHL, pairs[k], "d", "dw");
  }
  for (unsigned k = 0; k < 4; k++) {
    struct select_case c = make(IR_SHF, PTX_B32, "w", "www");
    c.i.funnel.right = k & 1;
    c.i.funnel.wrap = k & 2;
    everywhere(&c);
  }
}

static void bits(void **state) {
  static const uint8_t types[] = {PTX_S32, PTX_U32, PTX_S64, PTX_U64};
  (void)state;
  for (unsigned t = 0; t < 4; t++) {
    one(IR_BFE, types[t], t < 2 ? "w" : "d", t < 2 ? "www" : "dww");
    struct select_case c = make(IR_BFIND, types[t], "w", t < 2 ? "w" : "d");
    everywhere(&c);
    c.i.shift_amount = true;
    everywhere(&c);
  }
  one(IR_BFI, PTX_B32, "w", "wwww");
  one(IR_BFI, PTX_B64, "d", "ddww");
  for (unsigned wide = 0; wide < 2; wide++) {
    one(IR_POPC, wide ? PTX_B64 : PTX_B32, "w", wide ? "d" : "w");
    one(IR_CLZ, wide ? PTX_B64 : PTX_B32, "w", wide ? "d" : "w");
    one(IR_BREV, wide ? PTX_B64 : PTX_B32, wide ? "d" : "w", wide ? "d" : "w");
  }
  for (unsigned k = 0; k < 7; k++) {
    struct select_case c = make(IR_PRMT, PTX_B32, "w", "www");
    c.i.permute = (uint8_t)k;
    everywhere(&c);
  }
  for (unsigned k = 0; k < 4; k++) {
    struct select_case c = make(IR_DP4A, k & 1 ? PTX_S32 : PTX_U32, "w", "www");
    c.i.type2 = k & 2 ? PTX_S32 : PTX_U32;
    everywhere(&c);
  }
}

static void comparisons(void **state) {
  static const uint8_t types[] = {PTX_S32, PTX_U32, PTX_S64, PTX_U64, PTX_F32, PTX_F64};
  (void)state;
  for (unsigned t = 0; t < COUNT(types); t++)
    for (unsigned cmp = 0; cmp <= (t < 4 ? IR_GE : IR_NAN); cmp++) {
      const bool wide = ptx_type_bytes((enum ptx_type)types[t]) == 8;
      struct select_case c = make(IR_SETP, types[t], "p", wide ? "dd" : "ww");
      c.i.comparison.cmp = (uint8_t)cmp;
      everywhere(&c);
      c = make(IR_SETP, types[t], "pp", wide ? "ddp" : "wwp");
      c.i.comparison.cmp = (uint8_t)cmp;
      c.i.comparison.combine = (uint8_t)(IR_B_AND + cmp % 3);
      c.i.comparison.combine_invert = cmp & 1;
      everywhere(&c);
    }
}

static void choices(void **state) {
  (void)state;
  one(IR_SELP, PTX_B32, "w", "wwp");
  one(IR_SELP, PTX_F32, "w", "wwp");
  one(IR_SELP, PTX_B64, "d", "ddp");
  one(IR_SELP, PTX_F64, "d", "ddp");
  one(IR_SELP, PTX_PRED, "p", "ppp");
  one(IR_COPY, PTX_B32, "w", "w");
  one(IR_COPY, PTX_B64, "d", "d");
  one(IR_COPY, PTX_PRED, "p", "p");
  one(IR_PACK, PTX_B64, "d", "ww");
  one(IR_PACK, PTX_B32, "w", "ww");
  one(IR_UNPACK, PTX_B64, "ww", "d");
  for (unsigned k = 0; k < 3; k++) {
    struct select_case c = make(IR_ISSPACEP, PTX_U64, "p", "d");
    static const uint8_t spaces[] = {PTX_GLOBAL, PTX_SHARED, PTX_LOCAL};
    c.i.memory.space = spaces[k];
    everywhere(&c);
    c = make(IR_GENERIC, PTX_U64, "d", k ? "w" : "d");
    c.i.memory.space = spaces[k];
    everywhere(&c);
    c = make(IR_GENERIC, PTX_U64, k ? "w" : "d", "d");
    c.i.memory.space = spaces[k];
    c.i.memory.inverse = true;
    everywhere(&c);
  }
}

static char letter(unsigned type) {
  return ptx_type_bytes((enum ptx_type)type) == 8 ? 'd' : 'w';
}

static void convert(unsigned to, unsigned from, unsigned round, bool ftz) {
  const char dst[] = {letter(to), 0}, src[] = {letter(from), 0};
  struct select_case c = make(IR_CVT, (enum ptx_type)to, dst, src);
  c.i.type2 = (uint8_t)from;
  c.i.arithmetic.round = (uint8_t)round;
  c.i.arithmetic.ftz = ftz;
  everywhere(&c);
}

static void conversions(void **state) {
  static const uint8_t from[] = {PTX_U8, PTX_S8, PTX_U16, PTX_S16, PTX_U32, PTX_S32, PTX_U64, PTX_S64};
  static const uint8_t to[] = {PTX_U32, PTX_S32, PTX_U64, PTX_S64};
  static const uint8_t real[] = {PTX_F32, PTX_F64};
  (void)state;
  for (unsigned k = 0; k < COUNT(from); k++) {
    for (unsigned n = 0; n < COUNT(to); n++) convert(to[n], from[k], IR_RN, false);
    for (unsigned n = 0; n < 2; n++)
      for (unsigned r = IR_RN; r <= IR_RZ; r++) convert(real[n], from[k], r, false);
  }
  for (unsigned n = 0; n < 2; n++)
    for (unsigned r = IR_RNI; r <= IR_RZI; r++) {
      for (unsigned k = 4; k < COUNT(from); k++) convert(from[k], real[n], r, n == 0 && (k & 1));
      convert(real[n], real[n], r, false);
    }
  for (unsigned r = IR_RN; r <= IR_RZ; r++) convert(PTX_F32, PTX_F64, r, false);
  convert(PTX_F64, PTX_F32, IR_RN, false);
}

static void floats(void **state) {
  static const uint8_t ops[] = {IR_ADD, IR_SUB, IR_MUL, IR_FMA, IR_MIN, IR_MAX, IR_NEG, IR_ABS};
  (void)state;
  for (unsigned k = 0; k < COUNT(ops); k++)
    for (unsigned round = 0; round < (k < 4 ? 4u : 1u); round++)
      for (unsigned wide = 0; wide < 2; wide++) {
        static const char *const src[] = {"w", "ww", "www", "d", "dd", "ddd"};
        unsigned n = ops[k] == IR_FMA ? 2 : k >= 6 ? 0 : 1;
        struct select_case c = make(ops[k], wide ? PTX_F64 : PTX_F32, wide ? "d" : "w", src[3 * wide + n]);
        c.i.arithmetic.round = (uint8_t)round;
        c.i.arithmetic.ftz = !wide && (round & 1);
        everywhere(&c);
      }
  one(IR_COPYSIGN, PTX_F32, "w", "ww");
  one(IR_COPYSIGN, PTX_F64, "d", "dd");
  for (unsigned mode = 0; mode < 6; mode++)
    for (unsigned wide = 0; wide < 2; wide++) {
      struct select_case c = make(IR_TESTP, wide ? PTX_F64 : PTX_F32, "p", wide ? "d" : "w");
      c.i.test = (uint8_t)mode;
      everywhere(&c);
    }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(arithmetic),  cmocka_unit_test(division),
                                     cmocka_unit_test(carries),     cmocka_unit_test(logic),
                                     cmocka_unit_test(shifts),      cmocka_unit_test(bits),
                                     cmocka_unit_test(comparisons), cmocka_unit_test(choices),
                                     cmocka_unit_test(conversions), cmocka_unit_test(floats)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
