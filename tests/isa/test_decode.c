/* SPDX-License-Identifier: Apache-2.0
 *
 * What is legal: every generated vector is; a word with a reserved bit, an
 * unassigned value, counter 6 or a misaligned register is not.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "heddle/isa_tables.h"

static uint64_t next_random(uint64_t *s) {
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return *s;
}

static struct isa_word put_bit(struct isa_word w, unsigned bit) {
  if (bit < 64)
    w.lo |= UINT64_C(1) << bit;
  else
    w.hi |= UINT64_C(1) << (bit - 64);
  return w;
}

static bool get_bit(struct isa_word w, unsigned bit) {
  return ((bit < 64 ? w.lo >> bit : w.hi >> (bit - 64)) & 1) != 0;
}

/* A plain legal word: predicates and counters 7, sets their first assigned value, the rest 0. */
static struct isa_word plain(enum isa_enc enc) {
  const struct isa_encoding *e = isa_encoding_info(enc);
  struct isa_word w = e->match;
  for (unsigned i = 0; i < e->n_fields; i++) {
    enum isa_field f = (enum isa_field)e->fields[i];
    unsigned kind = isa_field_info(f)->kind;
    uint64_t v =
        kind == ISA_K_GUARD || kind == ISA_K_PRED_READ || kind == ISA_K_PRED_WRITE || kind == ISA_K_SBSET ? 7 : 0;
    while (!isa_field_legal(f, v)) v++;
    w = isa_put(w, f, v);
  }
  return w;
}

static void test_vectors_are_legal(void **state) {
  (void)state;
  FILE *f = fopen(ISA_VECTORS, "r");
  assert_non_null(f);
  char line[256], name[64], format[64];
  unsigned long n = 0;
  while (fgets(line, sizeof line, f) != NULL) {
    struct isa_word w;
    struct isa_dec d;
    if (line[0] == '#') continue;
    assert_int_equal(sscanf(line, "%16" SCNx64 "%16" SCNx64 " %63s %63s", &w.hi, &w.lo, name, format), 4);
    if (!isa_decode(w, &d)) fail_msg("illegal: %s", line);
    assert_string_equal(isa_op_name((enum isa_op)d.op), name);
    assert_string_equal(isa_encoding_info((enum isa_enc)d.enc)->format, format);
    n++;
  }
  assert_int_equal(fclose(f), 0);
  assert_true(n >= 17u * ISA_ENC_COUNT);
}

static void test_each_reserved_bit_is_illegal(void **state) {
  (void)state;
  for (unsigned i = 0; i < ISA_ENC_COUNT; i++) {
    const struct isa_encoding *e = isa_encoding_info((enum isa_enc)i);
    struct isa_word w = plain((enum isa_enc)i);
    struct isa_dec d;
    assert_true(isa_decode(w, &d));
    assert_int_equal(d.enc, i);
    for (unsigned bit = 0; bit < 128; bit++) {
      if (!get_bit(e->mask, bit) || get_bit(e->fixed, bit)) continue;
      /* The bit may be the one that makes it another instruction; it is never this one. */
      bool other = isa_decode(put_bit(w, bit), &d);
      if (other && d.op == e->op)
        fail_msg("%s %s: reserved bit %u is accepted", isa_op_name((enum isa_op)e->op), e->format, bit);
    }
  }
}

static void test_reserved_bits_exhaustive_words(void **state) {
  (void)state;
  /* Bits that no instruction owns at all are illegal in every word. */
  struct isa_word used = {0, 0};
  for (unsigned i = 0; i < ISA_ENC_COUNT; i++) {
    const struct isa_encoding *e = isa_encoding_info((enum isa_enc)i);
    used.lo |= ~e->mask.lo | e->fixed.lo;
    used.hi |= ~e->mask.hi | e->fixed.hi;
  }
  for (unsigned i = 0; i < ISA_ENC_COUNT; i++)
    for (unsigned bit = 0; bit < 128; bit++) {
      struct isa_dec d;
      if (!get_bit(used, bit)) assert_false(isa_decode(put_bit(plain((enum isa_enc)i), bit), &d));
    }
}

static void test_unassigned_values(void **state) {
  (void)state;
  unsigned n = 0;
  for (unsigned i = 0; i < ISA_ENC_COUNT; i++) {
    const struct isa_encoding *e = isa_encoding_info((enum isa_enc)i);
    for (unsigned k = 0; k < e->n_fields; k++) {
      enum isa_field f = (enum isa_field)e->fields[k];
      unsigned kind = isa_field_info(f)->kind;
      if (kind != ISA_K_SET && kind != ISA_K_SBSET) continue;
      for (uint64_t v = 0; v < UINT64_C(1) << isa_field_width(f); v++) {
        struct isa_dec d;
        bool legal = isa_decode(isa_put(plain((enum isa_enc)i), f, v), &d);
        assert_int_equal(legal, kind == ISA_K_SBSET
                                    ? v != 6
                                    : isa_set_text((enum isa_set_id)isa_field_info(f)->set, (unsigned)v) != NULL);
        n += !legal;
      }
    }
  }
  assert_true(n > 2 * ISA_ENC_COUNT); /* counter 6 alone is two for each */
}

static unsigned words_of(const struct isa_slot *s, struct isa_word w) {
  if (s->words != 0) return s->words;
  enum isa_field f = (enum isa_field)s->words_field;
  return isa_set_info((enum isa_set_id)isa_field_info(f)->set)->words[isa_get(w, f)];
}

/* Every register number in one slot, under the word `w`. */
static void check_slot(struct isa_word w, const struct isa_slot *s) {
  if (s->kind != ISA_REG) return;
  unsigned n = words_of(s, w);
  for (unsigned r = 0; r < 1u << isa_field_width((enum isa_field)s->field); r++) {
    struct isa_dec d;
    bool rz = r + 1 == 1u << isa_field_width((enum isa_field)s->field);
    assert_int_equal(isa_decode(isa_put(w, (enum isa_field)s->field, r), &d), rz || r % n == 0);
  }
}

static void test_register_alignment(void **state) {
  (void)state;
  for (unsigned i = 0; i < ISA_ENC_COUNT; i++) {
    const struct isa_encoding *e = isa_encoding_info((enum isa_enc)i);
    struct isa_word w = plain((enum isa_enc)i);
    bool sized = isa_enc_owns((enum isa_enc)i, ISA_F_SIZE);
    for (unsigned size = 0; size <= (sized ? 6u : 0u); size++) {
      if (sized) w = isa_put(w, ISA_F_SIZE, size);
      for (unsigned k = 0; k < 3; k++) check_slot(w, &e->src[k]);
      check_slot(w, &e->rd);
    }
  }
}

static void test_constant_offset_alignment(void **state) {
  (void)state;
  struct isa_word w = plain(ISA_ENC_MOV_C);
  struct isa_dec d;
  for (unsigned v = 0; v < 64; v++) assert_int_equal(isa_decode(isa_put(w, ISA_F_COFF, v), &d), v % 4 == 0);
  uint64_t last = (UINT64_C(1) << isa_field_width(ISA_F_COFF)) - 4; /* a variant may have narrowed it */
  assert_true(isa_decode(isa_put(w, ISA_F_COFF, last), &d));
  assert_int_equal(d.coff, last);
}

/* The table walk must find what a search of all encodings finds, and never two. */
static void test_random_words_match_at_most_one(void **state) {
  (void)state;
  uint64_t s = 88172645463325252u;
  unsigned long legal = 0;
  for (unsigned n = 0; n < 200000; n++) {
    struct isa_word w = {next_random(&s), next_random(&s)};
    if (n % 4 != 0) {
      const struct isa_encoding *e = isa_encoding_info((enum isa_enc)(next_random(&s) % ISA_ENC_COUNT));
      w.lo = (w.lo & ~e->mask.lo) | e->match.lo;
      w.hi = (w.hi & ~e->mask.hi) | e->match.hi;
    }
    unsigned hits = 0, last = ISA_ENC_NONE;
    for (unsigned i = 0; i < ISA_ENC_COUNT; i++) {
      const struct isa_encoding *e = isa_encoding_info((enum isa_enc)i);
      if ((w.lo & e->mask.lo) == e->match.lo && (w.hi & e->mask.hi) == e->match.hi) {
        hits++;
        last = i;
      }
    }
    assert_true(hits <= 1);
    struct isa_dec d = {.enc = ISA_ENC_NONE};
    if (isa_decode(w, &d)) {
      legal++;
      assert_int_equal(d.enc, last);
    } else {
      assert_int_equal(d.enc, ISA_ENC_NONE); /* untouched */
    }
  }
  assert_true(legal > 10000);
}

static void test_max_reg(void **state) {
  (void)state;
  struct isa_dec d;
  struct isa_word w = plain(ISA_ENC_LDG_E_LD);
  w = isa_put(isa_put(isa_put(w, ISA_F_RD, 40), ISA_F_RA, 12), ISA_F_SIZE, ISA_SIZE_128);
  assert_true(isa_decode(w, &d));
  assert_int_equal(isa_max_reg(&d), 43);
  assert_true(isa_decode(isa_put(w, ISA_F_RD, ISA_RZ), &d));
  assert_int_equal(isa_max_reg(&d), 13);
  assert_true(isa_decode(isa_put(isa_put(w, ISA_F_RD, ISA_RZ), ISA_F_RA, ISA_RZ), &d));
  assert_int_equal(isa_max_reg(&d), -1);
  unsigned all = 1u << isa_field_width(ISA_F_RD);
  assert_true(isa_decode(isa_put(w, ISA_F_RD, all - 4), &d));
  assert_int_equal(isa_max_reg(&d), all - 1); /* beyond any kernel's count */
}

static void test_all_zero_and_all_one_are_illegal(void **state) {
  (void)state;
  struct isa_dec d;
  assert_false(isa_decode((struct isa_word){0, 0}, &d));
  assert_false(isa_decode((struct isa_word){UINT64_MAX, UINT64_MAX}, &d));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_vectors_are_legal),
                                     cmocka_unit_test(test_each_reserved_bit_is_illegal),
                                     cmocka_unit_test(test_reserved_bits_exhaustive_words),
                                     cmocka_unit_test(test_unassigned_values),
                                     cmocka_unit_test(test_register_alignment),
                                     cmocka_unit_test(test_constant_offset_alignment),
                                     cmocka_unit_test(test_random_words_match_at_most_one),
                                     cmocka_unit_test(test_max_reg),
                                     cmocka_unit_test(test_all_zero_and_all_one_are_illegal)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
