/* SPDX-License-Identifier: Apache-2.0
 *
 * Entropy, numbers, what does not fit, the instruction cache, rows for short words, over words that a hand has counted.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "isa/measure/compact.h"
#include "isa/measure/fields.h"
#include "isa/measure/icache.h"
#include "isa/measure/shorts.h"
#include "tests/isa/isa_text.h"
#include "tests/test.h"

#define assert_near(a, b, within) assert_true(fabs((a) - (b)) <= (within))

static const char more[] = "format RI form=4 pg rd a=ra b=imm\n"
                           "insn SUB op=3 RI \"{rd}, {a}, {b}\" unit=alu sem=sub imm=i32\n"
                           "insn FMUL op=4 RI \"{rd}, {a}, {b}\" unit=alu sem=fmul imm=f32\n";

static struct spec *load(const char *variant) {
  struct diag d;
  struct spec *s = load_isa(isa_prelude, more, &d);
  if (s == NULL) fail_msg("%s", d.text);
  if (variant == NULL) return s;
  spec_free(s);
  FILE *f = fopen("d0.isa", "w");
  assert_non_null(f);
  fprintf(f, "import t.isa\n%s\n", variant);
  assert_int_equal(fclose(f), 0);
  memset(&d, 0, sizeof d);
  s = spec_load("d0.isa", &d);
  if (s == NULL) fail_msg("%s", d.text);
  return s;
}

static u128 word(unsigned op, unsigned form, unsigned rd, uint32_t low, unsigned stall) {
  return op | form << 9 | 7u << 12 | rd << 16 | (u128)low << 32 | (u128)stall << 105;
}

static void test_entropy(void **state) {
  (void)state;
  const uint64_t even[] = {1, 1, 1, 1}, three[] = {3, 1}, one[] = {5, 0};
  assert_near(measure_entropy(even, 4), 2, 1e-12);
  assert_near(measure_entropy(three, 2), 0.75 * 0.41503749927884376 + 0.25 * 2, 1e-12);
  assert_near(measure_entropy(one, 2), 0, 0);
  assert_near(measure_entropy(NULL, 0), 0, 0);
}

static void test_need(void **state) {
  (void)state;
  enum { I32 = 1, U32 = 2, F32 = 3 }; /* as spec_imm_types has them, from 1 */
  static const struct {
    unsigned imm, need;
    uint32_t value;
  } cases[] = {{I32, 0, 0},          {I32, 2, 1},           {I32, 1, 0xffffffff},  {I32, 8, 127},
               {I32, 9, 128},        {I32, 8, 0xffffff80},  {I32, 32, 0x80000000}, {I32, 32, 0x7fffffff},
               {U32, 8, 255},        {U32, 32, 0x80000000}, {F32, 0, 0},           {F32, 9, 0x3f800000},
               {F32, 1, 0x80000000}, {F32, 32, 0x3dcccccd}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(measure_need(K_IMM32, cases[i].imm, 32, cases[i].value), cases[i].need);
  assert_int_equal(measure_need(K_SINT, 0, 24, 0xfffff0), 5);
  assert_int_equal(measure_need(K_REL, 0, 32, 0x30), 7);
  assert_int_equal(measure_need(K_COFF, 0, 16, 0x164), 9);
}

static void test_fields(void **state) {
  (void)state;
  struct spec *s = load(NULL);
  struct corpus c;
  struct diag d = {0};
  static struct field_measure m[SPEC_FIELDS_MAX];
  corpus_init(&c, s);
  const u128 bits[] = {word(3, 4, 1, 5, 1), word(3, 4, 1, 5, 2), word(3, 4, 2, 6, 1), word(2, 1, 3, 1, 1)};
  const uint64_t runs[] = {1, 1, 2, 0};
  assert_true(corpus_add(&c, "p", bits, runs, 4, &d));
  assert_true(measure_fields(&c, s, m));
  const struct field_measure *imm = &m[spec_field(s, "imm")], *rd = &m[spec_field(s, "rd")], *op = &m[0];
  assert_int_equal(imm->words, 3);
  assert_int_equal(imm->runs, 4);
  assert_int_equal(imm->values, 2);
  assert_int_equal(imm->width, 32);
  assert_near(imm->entropy_runs, 1, 1e-12);
  assert_int_equal(rd->words, 4);
  assert_near(rd->entropy, 1.5, 1e-12); /* 1/2, 1/4, 1/4 */
  assert_int_equal(op->words, 4);
  assert_int_equal(op->values, 2);
  const u128 none = word(9, 7, 0, 0, 0);
  assert_false(corpus_add(&c, "bad", &none, NULL, 1, &d));
  assert_string_equal(d.text, "bad: error: word 0 is no instruction of 't'");
  assert_int_equal(c.programs, 1);
  corpus_clear(&c);
  spec_free(s);
}

/* Two bits of immediate less, and a bit of stall: only what does not fit becomes more. */
static void test_planted(void **state) {
  (void)state;
  struct spec *s = load(NULL), *imm = load("sketch \"a test\"\nmove imm 61:32"), *stall = load("move stall 107:105"),
              *regs = load("move rd 21:16");
  struct corpus c;
  struct diag d = {0};
  static struct field_measure m[SPEC_FIELDS_MAX];
  corpus_init(&c, s);
  const u128 bits[] = {word(3, 4, 63, 5, 1), word(3, 4, 1, 0x20000000, 13), word(4, 4, 1, 0x3f800000, 15),
                       word(4, 4, 255, 0x3f800001, 7)};
  const uint64_t runs[] = {1, 10, 100, 1000};
  const unsigned by_imm[] = {1, 2, 1, 2}, by_stall[] = {1, 2, 3, 1}, by_regs[] = {UINT_MAX, 1, 1, 1};
  assert_true(corpus_add(&c, "p", bits, runs, 4, &d));
  for (unsigned i = 0; i < 4; i++) {
    assert_int_equal(measure_words(&c, &c.word[i], s), 1);
    assert_int_equal(measure_words(&c, &c.word[i], imm), by_imm[i]);
    assert_int_equal(measure_words(&c, &c.word[i], stall), by_stall[i]);
    assert_int_equal(measure_words(&c, &c.word[i], regs), by_regs[i]);
  }
  assert_true(measure_fields(&c, imm, m));
  for (unsigned f = 0; f < s->n_fields; f++) {
    const bool is = strcmp(s->field[f].name, "imm") == 0;
    assert_int_equal(m[f].unfit, is ? 2 : 0);
    assert_int_equal(m[f].unfit_runs, is ? 1010 : 0);
  }
  assert_int_equal(m[spec_field(s, "imm")].width, 30);
  corpus_clear(&c);
  spec_free(s);
  spec_free(imm);
  spec_free(stall);
  spec_free(regs);
}

static void test_numbers(void **state) {
  (void)state;
  struct spec *s = load(NULL);
  struct corpus c;
  struct diag d = {0};
  struct number_measure n[4];
  corpus_init(&c, s);
  const u128 bits[] = {word(3, 4, 1, 5, 1), word(3, 4, 1, 200, 1), word(4, 4, 1, 0x3f800000, 1), word(2, 1, 1, 1, 1)};
  const uint64_t runs[] = {1, 10, 100, 1000};
  assert_true(corpus_add(&c, "p", bits, runs, 4, &d));
  assert_int_equal(measure_numbers(&c, n, 4), 1);
  assert_int_equal(n[0].words, 3);
  assert_int_equal(n[0].runs, 111);
  assert_int_equal(measure_above(n[0].need, 3), 3); /* 5 needs 4 */
  assert_int_equal(measure_above(n[0].need, 8), 2); /* 200 and 1.0 need 9 */
  assert_int_equal(measure_above(n[0].need_runs, 8), 110);
  assert_int_equal(measure_above(n[0].need, 9), 0);
  corpus_clear(&c);
  spec_free(s);
}

/* Three additions of one control code, one with another and a minus. */
static void test_compact(void **state) {
  (void)state;
  struct spec *s = load(NULL);
  struct corpus c;
  struct diag d = {0};
  struct compact k;
  corpus_init(&c, s);
  const u128 bits[] = {word(2, 1, 1, 1, 1), word(2, 1, 2, 1, 1), word(2, 1, 3, 2, 1), word(2, 1, 4, 0x80000001, 2)};
  const uint64_t runs[] = {1, 1, 1, 5};
  assert_true(corpus_add(&c, "p", bits, runs, 4, &d));
  assert_int_equal(compact_payload(s, &s->enc[c.word[0].enc], bits[0], s), 24);
  assert_true(compact_modifiers(s, &s->enc[c.word[3].enc], bits[3]) == (u128)1 << 63);
  assert_true(compact_make(&c, s, &k));
  assert_int_equal(k.tables.controls, 2);
  assert_int_equal(k.tables.modifiers, 2);
  assert_int_equal(k.tables.steps, 2); /* one entry each: three words; two each: all */
  assert_near(k.tables.share[0], 0.75, 0);
  assert_near(k.tables.share[1], 1, 0);
  assert_int_equal(k.short_words[COMPACT_TABLE], 4);
  assert_int_equal(k.short_words[COMPACT_MIX], 3);
  assert_int_equal(k.short_runs[COMPACT_MIX], 3);
  assert_near(k.total[COMPACT_NONE], 64, 0);
  assert_near(k.total[COMPACT_TABLE], 32, 0);
  assert_near(k.total[COMPACT_MIX], 3 * 8 + 16, 0);
  assert_near(k.total_runs[COMPACT_MIX], 3 * 8 + 5 * 16, 0);
  assert_int_equal(k.short_words[COMPACT_SHARED], 4);
  assert_near(k.total[COMPACT_SHARED], 64, 0); /* four places of three a group: two groups */
  assert_near(k.held_out, 0, 0);               /* there is no other program */
  compact_clear(&k);
  corpus_clear(&c);
  spec_free(s);
}

static void test_sketch(void **state) {
  (void)state;
  struct diag d = {0};
  struct spec *s = load("sketch \"too much\"\nmove imm 61:32");
  assert_false(spec_buildable(s, &d));
  assert_string_equal(d.text, "d0.isa:2: error: a sketch is measured, not built (too much); use 'heddle isa report'");
  spec_free(s);
  s = load(NULL);
  memset(&d, 0, sizeof d);
  assert_true(spec_buildable(s, &d));
  spec_free(s);
  static const struct bad cases[] = {
      {"sketch why", "t.isa:21: error: expected 'sketch \"REASON\"': why nothing is built of it"},
      {"sketch \"a\"\nsketch \"b\"", "t.isa:22: error: second 'sketch' declaration; remove one"},
      {"move imm 61:32", "t.isa:21: error: field 'imm' is 30 bits wide; kind 'imm32' needs 32"},
      {"move imm 61:32\nsketch \"a\"", "t.isa:21: error: field 'imm' is 30 bits wide; kind 'imm32' needs 32"},
      {"sketch \"a\"\nmove nb 64:63", "t.isa:22: error: field 'nb' would grow from 1 to 2 bits; a move keeps the width "
                                      "or narrows it"},
  };
  CHECK(isa_prelude, cases);
}

/* The model of the instruction cache over sequences that were worked out by hand. */

static void test_conflicts(void **state) {
  (void)state;
  const struct icache_config c = {.bytes = 128, .last = 1023}; /* two lines */
  struct icache_counts n = {0};
  struct icache *i = icache_new(&c);
  assert_non_null(i);
  const uint32_t at[] = {0, 16, 64, 128, 0, 64, 128};
  for (unsigned k = 0; k < 7; k++) icache_fetch(i, at[k], k, &n);
  assert_int_equal(n.lookups, 7);
  assert_int_equal(n.misses, 5); /* 16 and the second 64 hit: 0 and 128 share a place */
  assert_int_equal(n.refills, 5);
  icache_free(i);
}

static void test_sizes(void **state) {
  (void)state;
  static const uint32_t wrong[] = {0, 32, 96, 192};
  for (unsigned k = 0; k < 4; k++) {
    const struct icache_config c = {.bytes = wrong[k]};
    assert_null(icache_new(&c));
  }
}

/* Lines ahead, up to the code's last one. */
static void test_ahead(void **state) {
  (void)state;
  const struct icache_config c = {.bytes = 256, .ahead = 2, .last = 191}; /* three lines of code */
  struct icache_counts n = {0};
  struct icache *i = icache_new(&c);
  icache_fetch(i, 0, 0, &n);
  assert_int_equal(n.misses, 1);
  assert_int_equal(n.refills, 3);
  icache_fetch(i, 128, 1, &n);
  assert_int_equal(n.misses, 1);
  assert_int_equal(n.refills, 3);
  icache_free(i);
}

static const uint32_t eight[] = {0, 1, 2, 3, 4, 5, 6, 7}, at[] = {0, 16, 32, 48, 64, 80, 96, 112};
static const uint8_t bytes[] = {16, 16, 16, 16, 16, 16, 16, 16};
static const struct icache_code code = {at, bytes, 16};

/* Line 0 at 10, four instructions of two cycles, line 1 asked for at 18: there at 28, end at 36. */
static void test_time(void **state) {
  (void)state;
  const struct icache_config c = {.bytes = 128, .last = 127, .beats = 2, .latency = 10};
  const struct icache_stream s = {eight, 8};
  struct icache_counts n = {0};
  assert_true(icache_time(&c, &code, &s, 1, &n));
  assert_int_equal(n.lookups, 8);
  assert_int_equal(n.misses, 2);
  assert_int_equal(n.refills, 2);
  assert_int_equal(n.late, 0);
  assert_int_equal(n.cycles, 36);
  assert_int_equal(n.stalls, 20);
}

/* One line may be on its way. Line 1 is asked for ahead at 12, when the first instruction has gone: there at 22. */
static void test_time_ahead(void **state) {
  (void)state;
  const struct icache_config c = {.bytes = 128, .ahead = 1, .last = 127, .beats = 2, .latency = 10};
  const struct icache_stream s = {eight, 8};
  struct icache_counts n = {0};
  assert_true(icache_time(&c, &code, &s, 1, &n));
  assert_int_equal(n.misses, 1);
  assert_int_equal(n.late, 1);
  assert_int_equal(n.refills, 2);
  assert_int_equal(n.cycles, 30);
  assert_int_equal(n.stalls, 14);
}

/* Two warps in the same code: the second finds line 0 on its way, then both issue in turns; at 24 the first wants line
 * 1, at 26 the second: 34. Ends at 34 + 16. */
static void test_two_warps(void **state) {
  (void)state;
  const struct icache_config c = {.bytes = 128, .last = 127, .beats = 2, .latency = 10};
  const struct icache_stream s[] = {{eight, 8}, {eight, 8}};
  struct icache_counts n = {0};
  assert_true(icache_time(&c, &code, s, 2, &n));
  assert_int_equal(n.misses, 2);
  assert_int_equal(n.refills, 2);
  assert_int_equal(n.late, 2);
  assert_int_equal(n.cycles, 50);
  assert_int_equal(n.stalls, 10 + 8);
}

/* An instruction of 32 bytes is two: it takes two turns, and two lines where it crosses into the second. */
static void test_long(void **state) {
  (void)state;
  static const uint32_t one[] = {0}, from[] = {48};
  static const uint8_t two[] = {32};
  const struct icache_code wide = {from, two, 16};
  const struct icache_config c = {.bytes = 128, .last = 127, .beats = 2, .latency = 10};
  const struct icache_stream s = {one, 1};
  struct icache_counts n = {0};
  assert_true(icache_time(&c, &wide, &s, 1, &n));
  assert_int_equal(n.lookups, 2);
  assert_int_equal(n.refills, 2);
  assert_int_equal(n.cycles, 24); /* the second line waits for the first: 20, and two turns */
}

/* Rows for short words: of words that a hand has counted, with words of heddle.isa; and that what is printed is read
 * back as these rows. */

#define STALL(n) ((u128)(n) << 105 | (u128)0x3f << 110) /* wbar, rbar 7 */
enum { GUARD = 0x7000, MOV_I = 0x802, LDG = 0x381, EXIT = 0x94d };

static struct spec *base(void) {
  struct diag d = {0};
  struct spec *s = spec_load(ISA_DIR "/heddle.isa", &d);
  if (s == NULL) fail_msg("%s", d.text);
  return s;
}

static u128 mov(uint32_t imm, unsigned rd, unsigned stall) {
  return MOV_I | GUARD | rd << 16 | (u128)imm << 32 | STALL(stall);
}

static u128 ldg(uint32_t off24, unsigned stall) {
  return LDG | GUARD | 4u << 16 | 2u << 24 | (u128)(off24 & 0xffffff) << 40 | (u128)1 << 72 | (u128)4 << 73 |
         STALL(stall);
}

static u128 leave(unsigned stall) {
  return EXIT | GUARD | STALL(stall);
}

static void add(struct corpus *c, const u128 *words, size_t n) {
  struct diag d = {0};
  if (!corpus_add(c, "p", words, NULL, n, &d)) fail_msg("%s", d.text);
}

/* Three patterns of MOV by its number, one each of LDG and EXIT. */
static void fill(struct corpus *c) {
  const u128 words[] = {mov(5, 4, 1),       mov(0xfffffff0, 5, 1), mov(0x7ffff, 6, 1), mov(0x3f800000, 7, 1),
                        mov(0x80000, 7, 1), /* the least that is too large for 20 bits */
                        ldg(0x7ff, 1),      ldg(0xfff800, 1),      leave(1),           leave(2)};
  add(c, words, sizeof words / sizeof *words);
}

static void test_kinds(void **state) {
  (void)state;
  struct spec *s = base();
  static const struct {
    uint32_t imm;
    enum short_kind kind;
  } t[] = {{0, SHORT_INT},        {0x7ffff, SHORT_INT},     {0xfff80000, SHORT_INT},  {0x80000, SHORT_HIGH},
           {0x80001, SHORT_NONE}, {0xfff7ffff, SHORT_NONE}, {0x3f800000, SHORT_HIGH}, {0x3f800800, SHORT_NONE}};
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    enum short_kind kind;
    const u128 w = mov(t[i].imm, 9, 3), left = t[i].kind == SHORT_NONE ? (u128)(t[i].imm & 0xffffff00) << 32 : 0;
    const u128 p = shorts_pattern(s, &s->enc[corpus_encoding(s, w)], w, &kind);
    assert_int_equal(kind, t[i].kind);
    assert_true(p == (MOV_I | left));
  }
  static const uint32_t off[] = {0x7ff, 0xfff800, 0x800, 0xfff7ff};
  for (size_t i = 0; i < 4; i++) {
    enum short_kind kind;
    const u128 w = ldg(off[i], 3);
    (void)shorts_pattern(s, &s->enc[corpus_encoding(s, w)], w, &kind);
    assert_int_equal(kind, i < 2 ? SHORT_OFFSET : SHORT_NONE);
  }
  spec_free(s);
}

static void test_choice(void **state) {
  (void)state;
  static struct shorts t;
  struct spec *s = base();
  struct corpus c;
  corpus_init(&c, s);
  fill(&c);
  assert_true(shorts_choose(&c, 3, 1, &t));
  assert_int_equal(t.patterns, 4); /* int, high, offset, EXIT's */
  assert_int_equal(t.control_codes, 2);
  assert_int_equal(t.rows, 3);
  assert_int_equal(t.codes, 1);
  assert_int_equal(t.row[0].kind, SHORT_INT);
  assert_int_equal(t.row[0].words, 3);
  /* of two each, that with the lower bits first */
  assert_int_equal(t.row[1].kind, SHORT_HIGH);
  assert_int_equal(t.row[1].words, 2);
  assert_int_equal(t.row[2].kind, SHORT_OFFSET);
  assert_int_equal(t.row[2].words, 2);
  assert_int_equal(t.code[0].bits, 1 | 0x3f << 5);
  assert_int_equal(t.short_words, 7);
  assert_int_equal(t.paired, 6);
  assert_int_equal(t.places, 6);
  corpus_clear(&c);
  spec_free(s);
}

/* As an overlay: the same rows. */
static void test_printed(void **state) {
  (void)state;
  static struct shorts t;
  struct diag d = {0};
  struct spec *s = base();
  struct corpus c;
  corpus_init(&c, s);
  fill(&c);
  assert_true(shorts_choose(&c, SPEC_SHORT_ROWS, SPEC_SHORT_CODES, &t));
  FILE *f = fopen("rows.isa", "w");
  assert_non_null(f);
  fprintf(f, "import " ISA_DIR "/heddle.isa\n");
  shorts_print(s, &t, f);
  assert_int_equal(fclose(f), 0);
  struct spec *v = spec_load("rows.isa", &d);
  if (v == NULL) fail_msg("%s", d.text);
  assert_int_equal(v->n_short_rows, t.rows);
  assert_int_equal(v->n_short_codes, t.codes);
  for (unsigned i = 0; i < t.rows; i++)
    assert_true(v->short_row[i].bits == t.row[i].bits && v->short_row[i].kind == t.row[i].kind);
  for (unsigned i = 0; i < t.codes; i++) assert_int_equal(v->short_code[i].bits, t.code[i].bits);
  assert_true(v->hash != s->hash);
  unlink("rows.isa");
  corpus_clear(&c);
  spec_free(v);
  spec_free(s);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_entropy),   cmocka_unit_test(test_need),      cmocka_unit_test(test_fields),
      cmocka_unit_test(test_planted),   cmocka_unit_test(test_numbers),   cmocka_unit_test(test_compact),
      cmocka_unit_test(test_sketch),    cmocka_unit_test(test_conflicts), cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_ahead),     cmocka_unit_test(test_time),      cmocka_unit_test(test_time_ahead),
      cmocka_unit_test(test_two_warps), cmocka_unit_test(test_long),      cmocka_unit_test(test_kinds),
      cmocka_unit_test(test_choice),    cmocka_unit_test(test_printed)};
  return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
