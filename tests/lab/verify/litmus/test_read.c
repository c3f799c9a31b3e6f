/* SPDX-License-Identifier: Apache-2.0
 * Litmus files: what is printed is read back as it was; what is wrong is refused where it stands; no text does harm. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/test.h"
#include "lab/verify/litmus/src/litmus_cycles.h"
#include "lab/verify/litmus/src/litmus_read.h"

static char *printed(const struct test *t) {
  char *text = NULL;
  size_t bytes;
  FILE *f = open_memstream(&text, &bytes);
  assert_non_null(f);
  test_print(t, f);
  assert_int_equal(fclose(f), 0);
  return text;
}

static void round_trip(void **state) {
  (void)state;
  struct cycles *c = cycles_new(7);
  struct test t, back;
  struct condition d;
  struct heddle_message m;
  for (unsigned k = 0; k < 1000; k++) {
    assert_true(cycles_next(c, &t));
    char *text = printed(&t);
    if (!read_test(text, "test", &back, &d, &m)) fail_msg("%u:%u: %s\n%s", m.line, m.column, m.text, text);
    char *again = printed(&back);
    assert_string_equal(text, again);
    free(text);
    free(again);
  }
  cycles_free(c);
}

/* No two of a sequence are the same but for their names, and the same seed gives the same ones. */
static void sequence(void **state) {
  (void)state;
  enum { N = 500 };
  struct cycles *a = cycles_new(3), *b = cycles_new(3);
  char *text[N];
  struct test t;
  for (unsigned k = 0; k < N; k++) {
    assert_true(cycles_next(b, &t));
    text[k] = printed(&t);
    assert_true(cycles_next(a, &t));
    char *same = printed(&t);
    assert_string_equal(text[k], same);
    free(same);
    for (unsigned j = 0; j < k; j++) assert_string_not_equal(strchr(text[j], '\n'), strchr(text[k], '\n'));
  }
  for (unsigned k = 0; k < N; k++) free(text[k]);
  cycles_free(a);
  cycles_free(b);
}

#define HEAD "PTX t\n{\nx=0;\n}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"

static void refused(void **state) {
  (void)state;
  static const struct {
    const char *text;
    unsigned line, column;
    const char *says;
  } of[] = {{"", 1, 1, "expected PTX"},
            {"PTX t\nx", 2, 1, "expected {"},
            {"PTX t\n\"open", 2, 1, "no end"},
            {"PTX t\n{ x=0; x=1; }", 2, 8, "stands here twice"},
            {"PTX t\n{ x=0 y=1; }", 2, 7, "expected ;"},
            {"PTX t\n{ P0:r0=1; }", 2, 3, "begin with 0"},
            {"PTX t\n{ x=99999999999; }", 2, 5, "more than 32 bits"},
            {"PTX t\n{}\n P1@cta 0 ;", 3, 2, "expected P0"},
            {"PTX t\n{}\n P0@cta 0,gpu 1 ;", 3, 11, "one GPU"},
            {"PTX t\n{}\n P0@cta 9 ;", 3, 5, "up to 5"},
            {HEAD " bne r0, 1, L | ;", 6, 2, "'bne' is not taken"},
            {HEAD " st.acquire.gpu x, 1 | ;", 6, 2, "expected st.weak"},
            {HEAD " ld.release.gpu r0, x | ;", 6, 2, "expected ld.weak"},
            {HEAD " ld.relaxed r0, x | ;", 6, 2, "expected ld.weak"},
            {HEAD " fence.acquire.gpu | ;", 6, 2, "expected fence.acq_rel"},
            {HEAD " atom.weak.add r0, x, 1 | ;", 6, 2, "expected an order"},
            {HEAD " bar.cta.sync 15 | ;", 6, 15, "0 to 14"},
            {HEAD " bar.cta.sync 1, 1, 2 | ;", 6, 16, "number of threads"},
            {HEAD " st.weak x 1 | ;", 6, 12, "expected ,"},
            {HEAD " st.weak x, 1 | | ;", 6, 19, "more columns"},
            {HEAD " st.weak x, 1 ; exists (P0:r9 == 1)", 6, 28, "no register"},
            {HEAD " st.weak x, 1 ; exists (q == 1)", 6, 25, "neither a location"},
            {HEAD " st.weak x, 1 ; exists (x 1)", 6, 27, "expected =="},
            {HEAD " st.weak x, 1 ; exists (x == 1", 6, 31, "expected )"},
            {HEAD " st.weak x, 1 ; exists (x == 1) more", 6, 33, "behind the end"}};
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
    struct test t;
    struct condition c;
    struct heddle_message m;
    if (read_test(of[k].text, "name", &t, &c, &m)) fail_msg("taken: %s", of[k].text);
    if (m.line != of[k].line || m.column != of[k].column || strstr(m.text, of[k].says) == NULL)
      fail_msg("%s\n%u:%u: %s", of[k].text, m.line, m.column, m.text);
    assert_string_equal(m.file, "name");
  }
}

static uint32_t draw(uint64_t *s) {
  *s = *s * UINT64_C(6364136223846793005) + 1442695040888963407u;
  return (uint32_t)(*s >> 33);
}

/* Bytes changed, left out, doubled: taken or refused, with a place that is in the text. */
static void hostile(void **state) {
  (void)state;
  struct cycles *c = cycles_new(11);
  uint64_t s = 1;
  for (unsigned k = 0; k < 200; k++) {
    struct test t, back;
    struct condition d;
    struct heddle_message m;
    assert_true(cycles_next(c, &t));
    char *text = printed(&t);
    const size_t n = strlen(text);
    for (unsigned j = 0; j < 50; j++) {
      char *bad = malloc(2 * n + 1);
      assert_non_null(bad);
      memcpy(bad, text, n + 1);
      for (unsigned i = 0; i < 3; i++) bad[draw(&s) % n] = " ;|,.:@~(){}019xPr\n\"*/"[draw(&s) % 22];
      if (draw(&s) % 4 == 0) bad[draw(&s) % n] = '\0';
      if (draw(&s) % 4 == 0) memmove(bad + n / 2, bad, n - n / 2);
      if (!read_test(bad, "test", &back, &d, &m)) assert_true(m.line >= 1 && m.column >= 1 && m.text[0] != '\0');
      free(bad);
    }
    free(text);
  }
  cycles_free(c);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(sequence),
                                     cmocka_unit_test(refused), cmocka_unit_test(hostile)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
