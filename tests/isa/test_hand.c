/* SPDX-License-Identifier: Apache-2.0
 *
 * Words put together without the generator, against the decoder: finds a generator
 * that is wrong in the same way everywhere.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

#include <heddle/isa_tables.h>

/* "-|r4|.1:2" as in hand_words.txt. */
static void source_text(const struct heddle_isa_src *s, bool is_short, char *out, size_t n) {
  static const char *const kinds[] = {
      [ISA_NONE] = "none", [ISA_REG] = "r", [ISA_IMM] = "imm", [ISA_CONST] = "const", [ISA_UREG] = "u"};
  char number[16] = "", part[8] = "", words[8] = "";
  if (s->kind == ISA_REG || s->kind == ISA_UREG) (void)snprintf(number, sizeof number, "%u", s->reg);
  if (is_short) (void)snprintf(number, sizeof number, "=%u", s->imm);
  if (s->part > 0) (void)snprintf(part, sizeof part, ".%u", s->part);
  if (s->words > 1) (void)snprintf(words, sizeof words, ":%u", s->words);
  (void)snprintf(out, n, "%s%s%s%s%s%s%s", s->neg ? "-" : "", s->abs ? "|" : "", kinds[s->kind], number,
                 s->abs ? "|" : "", part, words);
}

static bool is_short_immediate(const struct heddle_isa_dec *d, unsigned operand) {
  const struct heddle_isa_slot *s = &heddle_isa_encoding_info((enum heddle_isa_enc)d->enc)->src[operand];
  return s->kind == ISA_IMM && heddle_isa_field_info((enum heddle_isa_field)s->field)->kind == ISA_K_UINT;
}

static enum heddle_isa_field field_named(const char *name) {
  for (unsigned f = 0; f < ISA_F_COUNT; f++)
    if (strcmp(heddle_isa_field_info((enum heddle_isa_field)f)->name, name) == 0) return (enum heddle_isa_field)f;
  fail_msg("no field '%s'", name);
  return ISA_F_COUNT;
}

static void check_pair(const struct heddle_isa_dec *d, const char *name, const char *value) {
  char text[32];
  if (strcmp(name, "op") == 0) {
    assert_string_equal(heddle_isa_op_name((enum heddle_isa_op)d->op), value);
  } else if (strcmp(name, "fmt") == 0) {
    assert_string_equal(heddle_isa_encoding_info((enum heddle_isa_enc)d->enc)->format, value);
  } else if (strcmp(name, "rdw") == 0) {
    assert_int_equal(d->rd_words, strtoul(value, NULL, 0));
  } else if (strlen(name) == 1 && name[0] >= 'a' && name[0] <= 'c') {
    source_text(&d->src[name[0] - 'a'], is_short_immediate(d, (unsigned)(name[0] - 'a')), text, sizeof text);
    assert_string_equal(text, value);
  } else {
    enum heddle_isa_field f = field_named(name);
    if (!heddle_isa_enc_owns((enum heddle_isa_enc)d->enc, f))
      fail_msg("%s does not own '%s'", heddle_isa_op_name((enum heddle_isa_op)d->op), name);
    assert_int_equal(heddle_isa_get(d->word, f), strtoull(value, NULL, 0));
  }
}

static void test_hand_words(void **state) {
  (void)state;
  FILE *f = fopen(HAND_WORDS, "r");
  assert_non_null(f);
  char line[512];
  bool seen[ISA_ENC_COUNT] = {false};
  while (fgets(line, sizeof line, f) != NULL) {
    if (line[0] == '#') continue;
    struct heddle_isa_word w;
    struct heddle_isa_dec d;
    assert_int_equal(sscanf(line, "%16" SCNx64 "%16" SCNx64, &w.hi, &w.lo), 2);
    if (!heddle_isa_decode(w, &d)) fail_msg("illegal: %s", line);
    seen[d.enc] = true;
    char *expected = NULL;
    /* Bars also mark absolute values: the last " | " starts the expectations. */
    for (char *p = strstr(line, " | "); p != NULL; p = strstr(p + 1, " | ")) expected = p + 2;
    assert_non_null(expected);
    for (char *pair = strtok(expected, " \n"); pair != NULL; pair = strtok(NULL, " \n")) {
      char *eq = strchr(pair, '=');
      assert_non_null(eq);
      *eq = '\0';
      check_pair(&d, pair, eq + 1);
    }
  }
  assert_int_equal(fclose(f), 0);
  /* Every format of the ISA has a word. */
  for (unsigned i = 0; i < ISA_ENC_COUNT; i++) {
    bool covered = false;
    for (unsigned k = 0; k < ISA_ENC_COUNT; k++)
      covered = covered || (seen[k] && strcmp(heddle_isa_encoding_info((enum heddle_isa_enc)k)->format,
                                              heddle_isa_encoding_info((enum heddle_isa_enc)i)->format) == 0);
    if (!covered) fail_msg("no word for format %s", heddle_isa_encoding_info((enum heddle_isa_enc)i)->format);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_hand_words)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
