/* SPDX-License-Identifier: Apache-2.0
 *
 * What is legal: every generated vector is; a word with a reserved bit, an
 * unassigned value, counter 6, a misaligned register or constant is not. And
 * what a decoded word says.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <heddle/isa_tables.h>
#include "tests/test.h"
#include "base/splitmix64.h"

static struct heddle_isa_word put_bit(struct heddle_isa_word w, unsigned bit) {
  if (bit < 64)
    w.lo |= UINT64_C(1) << bit;
  else
    w.hi |= UINT64_C(1) << (bit - 64);
  return w;
}

static bool get_bit(struct heddle_isa_word w, unsigned bit) {
  return ((bit < 64 ? w.lo >> bit : w.hi >> (bit - 64)) & 1) != 0;
}

/* A plain legal word: predicates and counters 7, sets their first assigned value, the rest 0. */
static struct heddle_isa_word plain(enum heddle_isa_enc enc) {
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info(enc);
  struct heddle_isa_word w = e->match;
  for (unsigned i = 0; i < e->n_fields; i++) {
    enum heddle_isa_field f = (enum heddle_isa_field)e->fields[i];
    uint64_t v = heddle_isa_field_default(f);
    if (v > 7) v = 0; /* RZ */
    while (!heddle_isa_field_legal(f, v)) v++;
    w = heddle_isa_put(w, f, v);
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
    struct heddle_isa_word w;
    struct heddle_isa_dec d;
    if (line[0] == '#') continue;
    assert_int_equal(sscanf(line, "%16" SCNx64 "%16" SCNx64 " %63s %63s", &w.hi, &w.lo, name, format), 4);
    if (!heddle_isa_decode(w, &d)) fail_msg("illegal: %s", line);
    assert_string_equal(heddle_isa_op_name((enum heddle_isa_op)d.op), name);
    assert_string_equal(heddle_isa_encoding_info((enum heddle_isa_enc)d.enc)->format, format);
    n++;
  }
  assert_int_equal(fclose(f), 0);
  assert_true(n >= 17u * ISA_ENC_COUNT);
}

static void test_each_reserved_bit_is_illegal(void **state) {
  (void)state;
  for (unsigned i = 0; i < ISA_ENC_COUNT; i++) {
    const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)i);
    struct heddle_isa_word w = plain((enum heddle_isa_enc)i);
    struct heddle_isa_dec d;
    assert_true(heddle_isa_decode(w, &d));
    assert_int_equal(d.enc, i);
    for (unsigned bit = 0; bit < 128; bit++) {
      if (!get_bit(e->mask, bit) || get_bit(e->fixed, bit)) continue;
      /* The bit may be the one that makes it another instruction; it is never this one. */
      bool other = heddle_isa_decode(put_bit(w, bit), &d);
      if (other && d.op == e->op)
        fail_msg("%s %s: reserved bit %u is accepted", heddle_isa_op_name((enum heddle_isa_op)e->op), e->format, bit);
    }
  }
}

static void test_reserved_bits_exhaustive_words(void **state) {
  (void)state;
  /* Bits that no instruction owns at all are illegal in every word. */
  struct heddle_isa_word used = {0, 0};
  for (unsigned i = 0; i < ISA_ENC_COUNT; i++) {
    const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)i);
    used.lo |= ~e->mask.lo | e->fixed.lo;
    used.hi |= ~e->mask.hi | e->fixed.hi;
  }
  for (unsigned i = 0; i < ISA_ENC_COUNT; i++)
    for (unsigned bit = 0; bit < 128; bit++) {
      struct heddle_isa_dec d;
      if (!get_bit(used, bit)) assert_false(heddle_isa_decode(put_bit(plain((enum heddle_isa_enc)i), bit), &d));
    }
}

static void test_unassigned_values(void **state) {
  (void)state;
  unsigned n = 0;
  for (unsigned i = 0; i < ISA_ENC_COUNT; i++) {
    const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)i);
    for (unsigned k = 0; k < e->n_fields; k++) {
      enum heddle_isa_field f = (enum heddle_isa_field)e->fields[k];
      unsigned kind = heddle_isa_field_info(f)->kind;
      if (kind != ISA_K_SET && kind != ISA_K_SBSET) continue;
      for (uint64_t v = 0; v < UINT64_C(1) << heddle_isa_field_width(f); v++) {
        struct heddle_isa_dec d;
        bool legal = heddle_isa_decode(heddle_isa_put(plain((enum heddle_isa_enc)i), f, v), &d);
        assert_int_equal(legal, kind == ISA_K_SBSET
                                    ? v != 6
                                    : heddle_isa_set_text((enum heddle_isa_set_id)heddle_isa_field_info(f)->set,
                                                          (unsigned)v) != NULL);
        n += !legal;
      }
    }
  }
  assert_true(n > 2 * ISA_ENC_COUNT); /* counter 6 alone is two for each */
}

static unsigned words_of(const struct heddle_isa_slot *s, struct heddle_isa_word w) {
  if (s->words != 0) return s->words;
  enum heddle_isa_field f = (enum heddle_isa_field)s->words_field;
  return heddle_isa_set_info((enum heddle_isa_set_id)heddle_isa_field_info(f)->set)->words[heddle_isa_get(w, f)];
}

/* Every register number, or many offsets of a constant, in one slot under the word `w`. */
static void check_slot(struct heddle_isa_word w, const struct heddle_isa_encoding *e, const struct heddle_isa_slot *s) {
  struct heddle_isa_dec d;
  unsigned n = words_of(s, w);
  if (s->kind == ISA_CONST) {
    enum heddle_isa_field f = (enum heddle_isa_field)e->coff;
    for (unsigned v = 0; v < 64; v++)
      assert_int_equal(heddle_isa_decode(heddle_isa_put(w, f, v), &d), v % (4 * n) == 0);
    uint64_t last = (UINT64_C(1) << heddle_isa_field_width(f)) - 4u * n; /* a variant may have narrowed it */
    assert_true(heddle_isa_decode(heddle_isa_put(w, f, last), &d));
    assert_int_equal(d.coff, last);
  }
  if (s->kind != ISA_REG && s->kind != ISA_UREG) return;
  enum heddle_isa_field f = (enum heddle_isa_field)s->field;
  unsigned rz = (unsigned)heddle_isa_field_default(f);
  for (unsigned r = 0; r <= rz; r++) {
    const bool below = s->kind == ISA_REG || r + n <= rz; /* general registers are bounded by the kernel's count */
    assert_int_equal(heddle_isa_decode(heddle_isa_put(w, f, r), &d), r == rz || (r % n == 0 && below));
  }
}

/* Under every size that the operand may have. */
static void check_sizes(enum heddle_isa_enc enc, const struct heddle_isa_slot *s) {
  struct heddle_isa_word w = plain(enc);
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info(enc);
  if (s->kind == ISA_NONE) return;
  if (s->words != 0) {
    check_slot(w, e, s);
    return;
  }
  enum heddle_isa_field f = (enum heddle_isa_field)s->words_field;
  for (uint64_t v = 0; v < UINT64_C(1) << heddle_isa_field_width(f); v++)
    if (heddle_isa_field_legal(f, v)) check_slot(heddle_isa_put(w, f, v), e, s);
}

static void test_operand_alignment(void **state) {
  (void)state;
  for (unsigned i = 0; i < ISA_ENC_COUNT; i++) {
    const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)i);
    for (unsigned k = 0; k < 3; k++) check_sizes((enum heddle_isa_enc)i, &e->src[k]);
    check_sizes((enum heddle_isa_enc)i, &e->rd);
  }
}

static bool in_rtl(enum heddle_isa_field f, uint64_t v) {
  return (heddle_isa_set_info((enum heddle_isa_set_id)heddle_isa_field_info(f)->set)->rtl[v / 64] >> v % 64 & 1) != 0;
}

/* An encoding or a value that the ISA file marks is not in the RTL, everything else is. */
static void test_what_the_rtl_knows(void **state) {
  (void)state;
  for (unsigned i = 0; i < ISA_ENC_COUNT; i++) {
    const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)i);
    struct heddle_isa_word base = plain((enum heddle_isa_enc)i);
    struct heddle_isa_dec d;
    for (unsigned k = 0; k < e->n_fields; k++) /* start from values that it knows */
      for (enum heddle_isa_field f = (enum heddle_isa_field)e->fields[k]; heddle_isa_field_info(f)->kind == ISA_K_SET;)
        if (heddle_isa_field_legal(f, heddle_isa_get(base, f)) && in_rtl(f, heddle_isa_get(base, f)))
          break;
        else
          base = heddle_isa_put(base, f, heddle_isa_get(base, f) + 1);
    assert_true(heddle_isa_decode(base, &d));
    assert_int_equal(heddle_isa_in_rtl(&d), !e->only_model);
    if (heddle_isa_instr_info((enum heddle_isa_op)e->op)->only_model) assert_true(e->only_model);
    for (unsigned k = 0; k < e->n_fields; k++) {
      enum heddle_isa_field f = (enum heddle_isa_field)e->fields[k];
      if (heddle_isa_field_info(f)->kind != ISA_K_SET) continue;
      for (uint64_t v = 0; v < UINT64_C(1) << heddle_isa_field_width(f); v++)
        if (heddle_isa_decode(heddle_isa_put(base, f, v), &d))
          assert_int_equal(heddle_isa_in_rtl(&d), !e->only_model && in_rtl(f, v));
    }
  }
}

/* ".ADD.F32" as assembly has value `v` of a set: the sum of floats in memory? */
static bool sums_floats(const struct heddle_isa_set *s, uint64_t v) {
  for (unsigned i = 0; i < s->n_tokens; i++)
    if (s->tokens[i].value == v) return strncmp(s->tokens[i].text, ".ADD.F", 6) == 0;
  return false;
}

/* What a machine without adders of atomics lacks: atomics by name, with such a value, and nothing else. */
static void test_what_adds_floats(void **state) {
  (void)state;
  unsigned found = 0;
  for (unsigned i = 0; i < ISA_ENC_COUNT; i++) {
    const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)i);
    struct heddle_isa_dec d;
    for (unsigned k = 0; k < e->n_fields; k++) {
      const enum heddle_isa_field f = (enum heddle_isa_field)e->fields[k];
      for (uint64_t v = 0; heddle_isa_field_info(f)->kind == ISA_K_SET && v < UINT64_C(1) << heddle_isa_field_width(f);
           v++) {
        if (!heddle_isa_decode(heddle_isa_put(plain((enum heddle_isa_enc)i), f, v), &d)) continue;
        const char *name = heddle_isa_op_name((enum heddle_isa_op)d.op);
        const bool atomic = strncmp(name, "ATOM", 4) == 0 || strncmp(name, "RED.", 4) == 0;
        const bool adds =
            atomic && sums_floats(heddle_isa_set_info((enum heddle_isa_set_id)heddle_isa_field_info(f)->set), v);
        assert_int_equal(heddle_isa_adds_floats(&d), adds);
        assert_int_equal(heddle_isa_in_machine(&d, ~(1u << ISA_PART_FATOM)), heddle_isa_in_rtl(&d) && !adds);
        assert_int_equal(heddle_isa_in_machine(&d, UINT32_MAX), heddle_isa_in_rtl(&d));
        found += adds;
      }
    }
  }
  assert_true(found >= 12); /* F32, F64, F16X2 of ATOM, ATOMG, ATOMS, RED */
}

/* What a machine without asynchronous copies lacks: two instructions, whatever else it has. */
static void test_what_is_async(void **state) {
  (void)state;
  unsigned found = 0;
  for (unsigned i = 0; i < ISA_ENC_COUNT; i++) {
    struct heddle_isa_dec d;
    if (!heddle_isa_decode(plain((enum heddle_isa_enc)i), &d)) continue;
    const bool async = strcmp(heddle_isa_op_name((enum heddle_isa_op)d.op), "LDGSTS.E") == 0 ||
                       strcmp(heddle_isa_op_name((enum heddle_isa_op)d.op), "LDGDEPBAR") == 0;
    assert_int_equal(heddle_isa_is_async(&d), async);
    assert_int_equal(heddle_isa_has_units(&d, ~(1u << ISA_PART_ASYNC)), !async);
    assert_true(heddle_isa_has_units(&d, UINT32_MAX));
    assert_int_equal(heddle_isa_needs(&d) >> ISA_PART_ASYNC & 1, async);
    found += async;
  }
  assert_int_equal(found, 2);
}

static bool kind_is(unsigned field, unsigned kind) {
  return field != ISA_FIELD_NONE && heddle_isa_field_info((enum heddle_isa_field)field)->kind == kind;
}

static void check_operands(const struct heddle_isa_dec *d, const struct heddle_isa_encoding *e) {
  for (unsigned k = 0; k < 3; k++) {
    const struct heddle_isa_slot *s = &e->src[k];
    const struct heddle_isa_src *o = &d->src[k];
    assert_int_equal(o->kind, s->kind);
    assert_int_equal(o->part, s->part == ISA_FIELD_NONE ? 0 : heddle_isa_get(d->word, (enum heddle_isa_field)s->part));
    assert_int_equal(o->imm, s->kind == ISA_IMM ? heddle_isa_get(d->word, (enum heddle_isa_field)s->field) : 0);
    if (s->kind == ISA_IMM && kind_is(s->field, ISA_K_IMM32)) assert_int_equal(o->imm, d->imm);
    if (s->kind == ISA_UREG) assert_true(kind_is(s->field, ISA_K_UGPR_READ));
    if (s->kind == ISA_REG) assert_true(kind_is(s->field, ISA_K_GPR_READ));
    if (s->kind != ISA_REG && s->kind != ISA_UREG) assert_int_equal(o->reg, ISA_RZ);
  }
}

/* Uniform registers do not count. */
static int highest_register(const struct heddle_isa_dec *d, const struct heddle_isa_encoding *e) {
  int most = e->rd.kind == ISA_REG && d->rd != ISA_RZ ? d->rd + d->rd_words - 1 : -1;
  for (unsigned k = 0; k < 3; k++) {
    int last = d->src[k].reg + d->src[k].words - 1;
    if (e->src[k].kind == ISA_REG && d->src[k].reg != ISA_RZ && last > most) most = last;
  }
  return most;
}

/* What a decoded word says of uniform things, parts and immediates is what its fields say. */
static void test_decoded_members(void **state) {
  (void)state;
  uint64_t seed = 4;
  for (unsigned n = 0; n < 200 * ISA_ENC_COUNT; n++) {
    const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)(n % ISA_ENC_COUNT));
    const uint64_t lo = splitmix64(&seed), hi = splitmix64(&seed);
    const struct heddle_isa_word w = {(lo & ~e->mask.lo) | e->match.lo, (hi & ~e->mask.hi) | e->match.hi};
    struct heddle_isa_dec d;
    if (!heddle_isa_decode(w, &d)) continue;
    check_operands(&d, e);
    assert_int_equal(heddle_isa_max_reg(&d), highest_register(&d, e));
    assert_int_equal(d.uniform, kind_is(e->guard, ISA_K_UGUARD));
    assert_int_equal(d.rd_uniform, e->rd.kind == ISA_UREG);
    assert_int_equal(d.has_rd, e->rd.kind != ISA_NONE);
    assert_int_equal(d.pd_uniform, kind_is(e->pd[0], ISA_K_UPRED_WRITE) || kind_is(e->pd[1], ISA_K_UPRED_WRITE));
    bool ps = false;
    for (unsigned k = 0; k < 3; k++) ps = ps || kind_is(e->ps[k], ISA_K_UPRED_READ);
    assert_int_equal(d.ps_uniform, ps);
  }
}

/* The table walk must find what a search of all encodings finds, and never two. */
static void test_random_words_match_at_most_one(void **state) {
  (void)state;
  uint64_t s = 88172645463325252u;
  unsigned long legal = 0;
  for (unsigned n = 0; n < 200000; n++) {
    const uint64_t lo = splitmix64(&s);
    struct heddle_isa_word w = {lo, splitmix64(&s)};
    if (n % 4 != 0) {
      const struct heddle_isa_encoding *e =
          heddle_isa_encoding_info((enum heddle_isa_enc)(splitmix64(&s) % ISA_ENC_COUNT));
      w.lo = (w.lo & ~e->mask.lo) | e->match.lo;
      w.hi = (w.hi & ~e->mask.hi) | e->match.hi;
    }
    unsigned hits = 0, last = ISA_ENC_NONE;
    for (unsigned i = 0; i < ISA_ENC_COUNT; i++) {
      const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)i);
      if ((w.lo & e->mask.lo) == e->match.lo && (w.hi & e->mask.hi) == e->match.hi) {
        hits++;
        last = i;
      }
    }
    assert_true(hits <= 1);
    struct heddle_isa_dec d = {.enc = ISA_ENC_NONE};
    if (heddle_isa_decode(w, &d)) {
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
  struct heddle_isa_dec d;
  struct heddle_isa_word w = plain(ISA_ENC_LDG_E_LD);
  w = heddle_isa_put(heddle_isa_put(heddle_isa_put(w, ISA_F_RD, 40), ISA_F_RA, 12), ISA_F_SIZE, ISA_SIZE_128);
  assert_true(heddle_isa_decode(w, &d));
  assert_int_equal(heddle_isa_max_reg(&d), 43);
  assert_true(heddle_isa_decode(heddle_isa_put(w, ISA_F_RD, ISA_RZ), &d));
  assert_int_equal(heddle_isa_max_reg(&d), 13);
  assert_true(heddle_isa_decode(heddle_isa_put(heddle_isa_put(w, ISA_F_RD, ISA_RZ), ISA_F_RA, ISA_RZ), &d));
  assert_int_equal(heddle_isa_max_reg(&d), -1);
  unsigned all = 1u << heddle_isa_field_width(ISA_F_RD);
  assert_true(heddle_isa_decode(heddle_isa_put(w, ISA_F_RD, all - 4), &d));
  assert_int_equal(heddle_isa_max_reg(&d), all - 1); /* beyond any kernel's count */
}

static void test_all_zero_and_all_one_are_illegal(void **state) {
  (void)state;
  struct heddle_isa_dec d;
  assert_false(heddle_isa_decode((struct heddle_isa_word){0, 0}, &d));
  assert_false(heddle_isa_decode((struct heddle_isa_word){UINT64_MAX, UINT64_MAX}, &d));
}

static void test_memory(void **state) {
  (void)state;
  const struct heddle_isa_word w = {UINT64_C(0x0706050403020100), UINT64_C(0xfffefdfcfbfaf9f8)};
  uint8_t bytes[1 + ISA_WORD_BYTES + 1] = {0x55, [1 + ISA_WORD_BYTES] = 0xaa};
  heddle_isa_word_store(bytes + 1, w);
  for (unsigned k = 0; k < 8; k++) {
    assert_int_equal(bytes[1 + k], k);
    assert_int_equal(bytes[1 + 8 + k], 0xf8 + k);
  }
  assert_int_equal(bytes[0], 0x55);
  assert_int_equal(bytes[1 + ISA_WORD_BYTES], 0xaa);
  const struct heddle_isa_word back = heddle_isa_word_load(bytes + 1);
  assert_true(back.lo == w.lo && back.hi == w.hi);
}

/* A conversion is for the unit of wide words where its operand or result is a register pair. */
static void test_unit_of_wide_words(void **state) {
  (void)state;
  static const struct {
    enum heddle_isa_op op;
    enum heddle_isa_field field[2];
  } cases[] = {{ISA_OP_I2F, {ISA_F_FLT, ISA_F_ISRC}},
               {ISA_OP_F2I, {ISA_F_DINT, ISA_F_FLT}},
               {ISA_OP_F2F, {ISA_F_FDST, ISA_F_FSRC}},
               {ISA_OP_FRND, {ISA_F_RINT, ISA_F_RINT}}};
  unsigned wide = 0, narrow = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const enum heddle_isa_field x = cases[i].field[0], y = cases[i].field[1];
    for (unsigned v = 0; v < 1u << heddle_isa_field_width(x); v++)
      for (unsigned u = 0; u < 1u << heddle_isa_field_width(y); u++) {
        struct heddle_isa_dec d;
        struct heddle_isa_word w = plain((enum heddle_isa_enc)heddle_isa_instr_info(cases[i].op)->first_enc);
        if (!heddle_isa_decode(heddle_isa_put(heddle_isa_put(w, x, v), y, u), &d)) continue;
        const bool pair = d.rd_words == 2 || d.src[1].words == 2;
        assert_int_equal(d.unit, pair ? ISA_UNIT_FP64 : ISA_UNIT_CVT);
        pair ? wide++ : narrow++;
      }
  }
  /* I2F: 8 integers x 3 formats; F2I the same; F2F 3 x 3; FRND 3, each met by every value of its one field. */
  assert_int_equal(wide, 12 + 12 + 5 + 4);
  assert_int_equal(narrow, 12 + 12 + 4 + 8);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_vectors_are_legal),
                                     cmocka_unit_test(test_unit_of_wide_words),
                                     cmocka_unit_test(test_each_reserved_bit_is_illegal),
                                     cmocka_unit_test(test_reserved_bits_exhaustive_words),
                                     cmocka_unit_test(test_unassigned_values),
                                     cmocka_unit_test(test_operand_alignment),
                                     cmocka_unit_test(test_what_the_rtl_knows),
                                     cmocka_unit_test(test_what_adds_floats),
                                     cmocka_unit_test(test_what_is_async),
                                     cmocka_unit_test(test_decoded_members),
                                     cmocka_unit_test(test_random_words_match_at_most_one),
                                     cmocka_unit_test(test_max_reg),
                                     cmocka_unit_test(test_all_zero_and_all_one_are_illegal),
                                     cmocka_unit_test(test_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
