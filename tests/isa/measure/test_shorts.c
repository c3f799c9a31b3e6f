/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows for short words: of words that a hand has counted, with words of heddle.isa; and that what is printed is read
 * back as these rows.
 */
#include <string.h>
#include <unistd.h>

#include "tests/test.h"
#include "tests/isa/isa_text.h"
#include "isa/measure/shorts.h"

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
      cmocka_unit_test(test_kinds),
      cmocka_unit_test(test_choice),
      cmocka_unit_test(test_printed),
  };
  return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
