/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer instructions that become several operations, computed: the graph by ir_run.h, the instruction by its sentence
 * in the PTX manual, written in C here. 8- and 16-bit registers have rubbish in their upper bits.
 */
#include "base/minmax.h"
#include "tests/test.h"
#include "tests/compiler/graph/ir_run.h"

typedef uint64_t (*meaning)(uint64_t a, uint64_t b, uint64_t c);

struct form { /* d, a, b, c: registers %h1 %r1 %d1 ... by their letters */
  const char *text;
  char d, a, b, c;
  meaning means;
};

static const uint64_t samples[] = {0,
                                   1,
                                   2,
                                   3,
                                   0x7f,
                                   0x80,
                                   0x81,
                                   0xff,
                                   0x100,
                                   0x7fff,
                                   0x8000,
                                   0x8001,
                                   0xfffe,
                                   0xffff,
                                   0x10000,
                                   0x123456,
                                   0x7fffff,
                                   0x800000,
                                   0xffffff,
                                   0x7fffffff,
                                   0x80000000,
                                   0x80000001,
                                   0xdeadbeef,
                                   0xffffffff,
                                   0x100000000,
                                   0x7fffffffffffffff,
                                   0x8000000000000000,
                                   0x8000000000000001,
                                   0xfedcba9876543210,
                                   0xffffffffffff8000,
                                   0xffffffffffffffff};
enum { SAMPLES = sizeof samples / sizeof *samples };

static unsigned bits_of(char letter) {
  return letter == 'c' ? 8 : letter == 'h' ? 16 : letter == 'd' ? 64 : letter == 'p' ? 1 : 32;
}
static int64_t sx(uint64_t v, unsigned bits) {
  return (int64_t)run_extend(v, bits == 8 ? PTX_S8 : bits == 16 ? PTX_S16 : bits == 32 ? PTX_S32 : PTX_S64);
}

static void put(struct ir_run *r, const char *name, char letter, uint64_t v) {
  struct ir_value *to = run_find(r->f, name);
  if (!to) return;
  uint64_t rubbish = letter == 'h' ? 0xa5a50000 : letter == 'c' ? 0x3c3c3c00 : 0;
  r->value[to->id] = (v & run_mask(bits_of(letter))) | rubbish;
}

static void check_form(const struct form *t) {
  struct lowered l;
  static struct ir_run r;
  char text[1000], name[4][8];
  const char letters[4] = {t->d, t->a, t->b, t->c};
  snprintf(text, sizeof text, "%s%s%s", OPEN, t->text, CLOSE);
  if (!lowered(&l, text, false)) fail_msg("%s: %s", t->text, l.p.message[0].text);
  r.f = l.f;
  for (unsigned k = 0; k < 4; k++) snprintf(name[k], sizeof name[k], "%%%c%u", letters[k] ? letters[k] : 'r', k);
  for (unsigned x = 0; x < SAMPLES; x++)
    for (unsigned y = 0; y < (t->b ? SAMPLES : 1u); y++)
      for (unsigned z = 0; z < (t->c ? SAMPLES : 1u); z++) {
        uint64_t in[4] = {0, samples[x], samples[y], samples[z]};
        for (unsigned k = 1; k < 4; k++) in[k] &= letters[k] ? run_mask(bits_of(letters[k])) : 0;
        if ((strstr(t->text, "div") || strstr(t->text, "rem")) && in[2] == 0) continue;
        for (unsigned k = 1; k < 4; k++)
          if (letters[k]) put(&r, name[k], letters[k], in[k]);
        run_all(&r);
        uint64_t mask = run_mask(bits_of(t->d)), is = r.value[run_find(l.f, name[0])->id] & mask,
                 wanted = t->means(in[1], in[2], in[3]) & mask;
        if (is != wanted)
          fail_msg("%s: a %llx b %llx c %llx: is %llx, wanted %llx", t->text, (unsigned long long)in[1],
                   (unsigned long long)in[2], (unsigned long long)in[3], (unsigned long long)is,
                   (unsigned long long)wanted);
      }
  lowered_free(&l);
}

#define MEANS(name, expression)                                                                                        \
  static uint64_t name(uint64_t a, uint64_t b, uint64_t c) {                                                           \
    (void)a, (void)b, (void)c;                                                                                         \
    return (uint64_t)(expression);                                                                                     \
  }
#define S16(x) sx(x, 16)
#define S32(x) sx(x, 32)
static int64_t sat32(int64_t x) {
  return max_s64(INT32_MIN, min_s64(INT32_MAX, x));
}
static int64_t s24(uint64_t x) {
  return (int64_t)(x << 40) >> 40;
}
static uint64_t u24(uint64_t x) {
  return x & 0xffffff;
}

MEANS(add16, a + b)
MEANS(mulhi_u16, a *b >> 16)
MEANS(mulhi_s16, S16(a) * S16(b) >> 16)
MEANS(mulwide_u16, a *b)
MEANS(mulwide_s16, S16(a) * S16(b))
MEANS(madhi_s16, (S16(a) * S16(b) >> 16) + S16(c))
MEANS(madwide_s16, S16(a) * S16(b) + S32(c))
MEANS(div_u16, a / b)
MEANS(div_s16, S16(a) / S16(b))
MEANS(rem_s16, S16(a) % S16(b))
MEANS(rem_u16, a % b)
MEANS(min_s16, min_s64(S16(a), S16(b)))
MEANS(max_u16, a > b ? a : b)
MEANS(abs_s16, S16(a) < 0 ? -S16(a) : S16(a))
MEANS(neg_s16, -a)
MEANS(shr_s16, S16(a) >> (b > 15 ? 15 : b))
MEANS(shr_u16, b > 15 ? 0 : a >> b)
MEANS(shl_16, b > 15 ? 0 : a << b)
MEANS(sad_s16, (S16(a) > S16(b) ? S16(a) - S16(b) : S16(b) - S16(a)) + S16(c))
MEANS(sad_u64, (a > b ? a - b : b - a) + c)
MEANS(sad_s64, ((int64_t)a > (int64_t)b ? a - b : b - a) + c)
MEANS(cnot, a == 0)
MEANS(less_s16, S16(a) < S16(b))
MEANS(less_u16, a < b)
MEANS(equal, a == b)
MEANS(all_less, S32(a) < S32(b) ? 0xffffffff : 0)
MEANS(one_below, a < b ? 0x3f800000 : 0)
MEANS(slct, S32(c) >= 0 ? a : b)
MEANS(sat_add, sat32(S32(a) + S32(b)))
MEANS(sat_sub, sat32(S32(a) - S32(b)))
MEANS(sat_mad, sat32((S32(a) * S32(b) >> 32) + S32(c)))
MEANS(mul24_lo_u, u24(a) * u24(b))
MEANS(mul24_hi_u, u24(a) * u24(b) >> 16)
MEANS(mul24_lo_s, s24(a) * s24(b))
MEANS(mad24_hi_s, (s24(a) * s24(b) >> 16) + S32(c))
MEANS(mad24_sat, sat32((int32_t)(s24(a) * s24(b) >> 16) + S32(c)))
MEANS(dp2a_lo_uu, (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff) + c)
MEANS(dp2a_hi_ss, S16(a) * sx(b >> 16, 8) + S16(a >> 16) * sx(b >> 24, 8) + S32(c))
MEANS(dp2a_hi_us, (int64_t)(a & 0xffff) * sx(b >> 16, 8) + (int64_t)(a >> 16) * sx(b >> 24, 8) + S32(c))
MEANS(pack_bytes, (a & 0xff) | (b & 0xff) << 8 | (c & 0xff) << 16 | (a & 0xff) << 24)
MEANS(third_byte, a >> 16 & 0xff)
MEANS(fourth_half, a >> 48)
MEANS(pack_halves, a | b << 16 | c << 32 | a << 48)

static void forms(void **state) {
  (void)state;
  static const struct form t[] = {
      {"add.u16 %h0, %h1, %h2;", 'h', 'h', 'h', 0, add16},
      {"mul.hi.u16 %h0, %h1, %h2;", 'h', 'h', 'h', 0, mulhi_u16},
      {"mul.hi.s16 %h0, %h1, %h2;", 'h', 'h', 'h', 0, mulhi_s16},
      {"mul.lo.u16 %h0, %h1, %h2;", 'h', 'h', 'h', 0, mulwide_u16},
      {"mul.wide.u16 %r0, %h1, %h2;", 'r', 'h', 'h', 0, mulwide_u16},
      {"mul.wide.s16 %r0, %h1, %h2;", 'r', 'h', 'h', 0, mulwide_s16},
      {"mad.hi.s16 %h0, %h1, %h2, %h3;", 'h', 'h', 'h', 'h', madhi_s16},
      {"mad.wide.s16 %r0, %h1, %h2, %r3;", 'r', 'h', 'h', 'r', madwide_s16},
      {"div.u16 %h0, %h1, %h2;", 'h', 'h', 'h', 0, div_u16},
      {"div.s16 %h0, %h1, %h2;", 'h', 'h', 'h', 0, div_s16},
      {"rem.s16 %h0, %h1, %h2;", 'h', 'h', 'h', 0, rem_s16},
      {"rem.u16 %h0, %h1, %h2;", 'h', 'h', 'h', 0, rem_u16},
      {"min.s16 %h0, %h1, %h2;", 'h', 'h', 'h', 0, min_s16},
      {"max.u16 %h0, %h1, %h2;", 'h', 'h', 'h', 0, max_u16},
      {"abs.s16 %h0, %h1;", 'h', 'h', 0, 0, abs_s16},
      {"neg.s16 %h0, %h1;", 'h', 'h', 0, 0, neg_s16},
      {"shr.s16 %h0, %h1, %r2;", 'h', 'h', 'r', 0, shr_s16},
      {"shr.u16 %h0, %h1, %r2;", 'h', 'h', 'r', 0, shr_u16},
      {"shr.b16 %h0, %h1, %r2;", 'h', 'h', 'r', 0, shr_u16},
      {"shl.b16 %h0, %h1, %r2;", 'h', 'h', 'r', 0, shl_16},
      {"sad.s16 %h0, %h1, %h2, %h3;", 'h', 'h', 'h', 'h', sad_s16},
      {"sad.u64 %d0, %d1, %d2, %d3;", 'd', 'd', 'd', 'd', sad_u64},
      {"sad.s64 %d0, %d1, %d2, %d3;", 'd', 'd', 'd', 'd', sad_s64},
      {"cnot.b16 %h0, %h1;", 'h', 'h', 0, 0, cnot},
      {"cnot.b64 %d0, %d1;", 'd', 'd', 0, 0, cnot},
      {"setp.lt.s16 %p0, %h1, %h2;", 'p', 'h', 'h', 0, less_s16},
      {"setp.lo.u16 %p0, %h1, %h2;", 'p', 'h', 'h', 0, less_u16},
      {"setp.eq.b16 %p0, %h1, %h2;", 'p', 'h', 'h', 0, equal},
      {"set.lt.u32.s32 %r0, %r1, %r2;", 'r', 'r', 'r', 0, all_less},
      {"set.lt.f32.u16 %r0, %h1, %h2;", 'r', 'h', 'h', 0, one_below},
      {"slct.b32.s32 %r0, %r1, %r2, %r3;", 'r', 'r', 'r', 'r', slct},
      {"add.sat.s32 %r0, %r1, %r2;", 'r', 'r', 'r', 0, sat_add},
      {"sub.sat.s32 %r0, %r1, %r2;", 'r', 'r', 'r', 0, sat_sub},
      {"mad.hi.sat.s32 %r0, %r1, %r2, %r3;", 'r', 'r', 'r', 'r', sat_mad},
      {"mul24.lo.u32 %r0, %r1, %r2;", 'r', 'r', 'r', 0, mul24_lo_u},
      {"mul24.hi.u32 %r0, %r1, %r2;", 'r', 'r', 'r', 0, mul24_hi_u},
      {"mul24.lo.s32 %r0, %r1, %r2;", 'r', 'r', 'r', 0, mul24_lo_s},
      {"mad24.hi.s32 %r0, %r1, %r2, %r3;", 'r', 'r', 'r', 'r', mad24_hi_s},
      {"mad24.hi.sat.s32 %r0, %r1, %r2, %r3;", 'r', 'r', 'r', 'r', mad24_sat},
      {"dp2a.lo.u32.u32 %r0, %r1, %r2, %r3;", 'r', 'r', 'r', 'r', dp2a_lo_uu},
      {"dp2a.hi.s32.s32 %r0, %r1, %r2, %r3;", 'r', 'r', 'r', 'r', dp2a_hi_ss},
      {"dp2a.hi.u32.s32 %r0, %r1, %r2, %r3;", 'r', 'r', 'r', 'r', dp2a_hi_us},
      {"mov.b32 %r0, {%c1, %c2, %c3, %c1};", 'r', 'c', 'c', 'c', pack_bytes},
      {"mov.b32 {_, _, %c0, _}, %r1;", 'c', 'r', 0, 0, third_byte},
      {"mov.b64 {_, _, _, %h0}, %d1;", 'h', 'd', 0, 0, fourth_half},
      {"mov.b64 %d0, {%h1, %h2, %h3, %h1};", 'd', 'h', 'h', 'h', pack_halves},
  };
  for (size_t k = 0; k < sizeof t / sizeof *t; k++) check_form(&t[k]);
}

/* ---- cvt between integers: every pair of types, saturating or not, from and to registers of every possible width ----
 */

struct integer {
  const char *word;
  unsigned bits;
  bool is_signed;
};
static const struct integer integers[] = {{"u8", 8, false}, {"u16", 16, false}, {"u32", 32, false}, {"u64", 64, false},
                                          {"s8", 8, true},  {"s16", 16, true},  {"s32", 32, true},  {"s64", 64, true}};

static __int128 number(uint64_t v, const struct integer *t) {
  v &= run_mask(t->bits);
  return t->is_signed ? (__int128)sx(v, t->bits) : (__int128)v;
}

static uint64_t converted(uint64_t v, const struct integer *d, const struct integer *s, bool sat) {
  __int128 x = number(v, s), top = ((__int128)1 << (d->bits - (d->is_signed ? 1 : 0))) - 1,
           bottom = d->is_signed ? -top - 1 : 0;
  if (sat) x = x > top ? top : x < bottom ? bottom : x;
  return (uint64_t)number((uint64_t)x, d);
}

static void check_conversion(const struct integer *d, const struct integer *s, bool sat, char to, char from) {
  struct lowered l;
  static struct ir_run r;
  char text[1000], names[2][8];
  snprintf(text, sizeof text, "%scvt.%s%s.%s %%%c0, %%%c1;%s", OPEN, sat ? "sat." : "", d->word, s->word, to, from,
           CLOSE);
  if (!lowered(&l, text, false)) fail_msg("%s: %s", text, l.p.message[0].text);
  r.f = l.f;
  snprintf(names[0], sizeof names[0], "%%%c0", to);
  snprintf(names[1], sizeof names[1], "%%%c1", from);
  for (unsigned k = 0; k < SAMPLES; k++) {
    put(&r, names[1], from, samples[k]);
    run_all(&r);
    uint64_t mask = run_mask(bits_of(to)), is = r.value[run_find(l.f, names[0])->id] & mask,
             wanted = converted(samples[k], d, s, sat) & mask;
    if (is != wanted)
      fail_msg("%s: of %llx: is %llx, wanted %llx", text, (unsigned long long)samples[k], (unsigned long long)is,
               (unsigned long long)wanted);
  }
  lowered_free(&l);
}

static void conversions(void **state) {
  (void)state;
  static const char letters[] = "chrd";
  for (unsigned d = 0; d < 8; d++)
    for (unsigned s = 0; s < 8; s++)
      for (unsigned to = 0; to < 4; to++)
        for (unsigned from = 0; from < 4; from++)
          if (bits_of(letters[to]) >= integers[d].bits && bits_of(letters[from]) >= integers[s].bits) {
            check_conversion(&integers[d], &integers[s], false, letters[to], letters[from]);
            check_conversion(&integers[d], &integers[s], true, letters[to], letters[from]);
          }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forms), cmocka_unit_test(conversions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
