/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts about memory: models (cat files) and tests (litmus files).
 */
#include <stdio.h>
#include <stdlib.h>
#include "lab/verify/litmus/src/cat.h"
#include "lab/verify/litmus/src/litmus_programs.h"
#include "lab/verify/litmus/src/litmus_judge.h"
#include "tests/test.h"

/* The language of cat files: what operators mean, what binds first, what is refused and where. */

/* Four events: 0 and 1 write, 2 and 3 read; po is 0 before 2, rf from 0 to 3 and from 1 to 2. */
static struct cat_execution four(void) {
  struct cat_execution x = {.events = 4};
  x.set[CAT_ALL] = 0xf;
  x.set[CAT_W] = 0x3;
  x.set[CAT_R] = 0xc;
  for (unsigned k = 0; k < 4; k++) relation_add(&x.relation[CAT_ID], k, k);
  relation_add(&x.relation[CAT_PO], 0, 2);
  relation_add(&x.relation[CAT_RF], 0, 3);
  relation_add(&x.relation[CAT_RF], 1, 2);
  return x;
}

/* Both sides are the same relation (or set): neither has what the other lacks. */
static void same(const char *a, const char *b) {
  char text[512];
  struct heddle_message m;
  const struct cat_execution x = four();
  (void)snprintf(text, sizeof text, "let a = %s let b = %s empty a \\ b as more empty b \\ a as less", a, b);
  struct cat *c = cat_parse(text, "test", NULL, 0, &m);
  if (c == NULL) fail_msg("%s: %u:%u %s", text, m.line, m.column, m.text);
  const char *broken = "";
  cat_program(c, &x);
  if (!cat_allows(c, &x, &broken)) fail_msg("%s is not %s: %s", a, b, broken);
  cat_free(c);
}

static void operators(void **state) {
  (void)state;
  same("W | R", "_");
  same("_ \\ W", "R");
  same("po^-1 ; po", "[R] & (po^-1 ; po)");
  same("(po | po^-1)^+", "(po | po^-1) | (po ; po^-1) | (po^-1 ; po)");
  same("po^*", "id | po");
  same("po?", "id | po");
  same("[W] ; rf ; [R]", "rf");
  same("rf & (W * R)", "rf");
  same("(W * R) \\ (W * R)", "po \\ po");
  same("(* one (* two *) *) po // three\n", "po");
}

/* | binds least, then ; then \ then & then *. */
static void precedence(void **state) {
  (void)state;
  same("po | rf ; rf^-1", "po | (rf ; rf^-1)");
  same("rf ; rf^-1 \\ id", "rf ; (rf^-1 \\ id)");
  same("rf \\ po & rf", "rf \\ (po & rf)");
  same("rf & W * R", "rf & (W * R)");
}

static void recursion(void **state) {
  (void)state;
  same("po^+", "po^+");
  char text[] =
      "let s = po | po^-1 | rf let rec t = s | t ; u and u = t | u ; u empty t \\ s^+ as more empty s^+ \\ t as "
      "less";
  struct heddle_message m;
  const struct cat_execution x = four();
  const char *broken = "";
  struct cat *c = cat_parse(text, "test", NULL, 0, &m);
  assert_non_null(c);
  cat_program(c, &x);
  assert_true(cat_allows(c, &x, &broken));
  cat_free(c);
}

static void checks(void **state) {
  (void)state;
  static const struct {
    const char *text;
    const char *broken; /* NULL: it holds */
  } of[] = {{"acyclic po as a", NULL},
            {"acyclic po | po^-1 as a", "a"},
            {"irreflexive po as i", NULL},
            {"irreflexive po ; po^-1 as i", "i"},
            {"empty po as e", "e"},
            {"empty W as e", "e"},
            {"acyclic po as first empty rf as second", "second"},
            {"acyclic rf | rf^-1", "check 1"}};
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
    struct heddle_message m;
    const struct cat_execution x = four();
    const char *broken = NULL;
    struct cat *c = cat_parse(of[k].text, "test", NULL, 0, &m);
    assert_non_null(c);
    cat_program(c, &x);
    assert_int_equal(cat_allows(c, &x, &broken), of[k].broken == NULL);
    if (of[k].broken != NULL) assert_string_equal(broken, of[k].broken);
    cat_free(c);
  }
}

static void cat_refused(void **state) {
  (void)state;
  static const struct {
    const char *text;
    unsigned line, column;
    const char *says;
  } of[] = {{"", 1, 1, "checks nothing"},
            {"let a = po", 1, 11, "checks nothing"},
            {"acyclic nothing", 1, 9, "'nothing' is not defined"},
            {"acyclic po |", 1, 13, "expected a name"},
            {"acyclic (po", 1, 12, "expected )"},
            {"acyclic [po]", 1, 9, "[ ] wants a set"},
            {"acyclic\n  W | po", 2, 5, "a set on one side"},
            {"acyclic po ; W", 1, 12, "; wants a relation"},
            {"acyclic po * W", 1, 12, "* wants a set"},
            {"acyclic W^+", 1, 10, "behind a relation"},
            {"acyclic W", 1, 1, "wants a relation"},
            {"acyclic po^3", 1, 11, "expected ^-1"},
            {"acyclic po $", 1, 12, "no word begins"},
            {"(* open", 1, 1, "has no end"},
            {"\"open", 1, 1, "has no end"},
            {"let let = po", 1, 5, "expected a name"},
            {"include \"x\"", 1, 1, "expected let"},
            {"let rec a = W acyclic a", 1, 13, "relations alone"},
            {"acyclic po as", 1, 14, "expected a name"}};
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
    struct heddle_message m;
    struct cat *c = cat_parse(of[k].text, "name", NULL, 0, &m);
    if (c != NULL) fail_msg("%s is taken", of[k].text);
    if (m.line != of[k].line || m.column != of[k].column || strstr(m.text, of[k].says) == NULL)
      fail_msg("%s: %u:%u: %s", of[k].text, m.line, m.column, m.text);
    assert_string_equal(m.file, "name");
  }
}

/* A definition is changed where it stands: those before it keep what they had. */
static void changes(void **state) {
  (void)state;
  struct heddle_message m;
  const struct cat_execution x = four();
  const char *text = "let a = po let b = a let a = rf empty b as b empty a as a";
  const struct cat_change nothing = {"a", "po \\ po"}, unknown = {"c", "po"}, wrong = {"a", "po |"}, set = {"a", "W"};
  struct cat *c = cat_parse(text, "test", &nothing, 1, &m);
  assert_non_null(c);
  cat_program(c, &x);
  assert_true(cat_allows(c, &x, NULL));
  cat_free(c);
  assert_null(cat_parse(text, "test", &unknown, 1, &m));
  assert_null(cat_parse(text, "test", &set, 1, &m));
  assert_null(cat_parse(text, "test", &wrong, 1, &m));
  assert_int_equal(m.column, 5);
}

/* Too deep, too many, too long: said, and nothing else. */
static void bounds(void **state) {
  (void)state;
  static char text[40000];
  struct heddle_message m;
  size_t n = (size_t)snprintf(text, sizeof text, "acyclic ");
  memset(text + n, '(', 1000);
  assert_null(cat_parse(text, "test", NULL, 0, &m));
  assert_non_null(strstr(m.text, "too many parentheses"));
  for (unsigned k = 0; k < 2000; k++) n += (size_t)snprintf(text + n, sizeof text - n, "po ; ");
  assert_null(cat_parse(text, "test", NULL, 0, &m));
  assert_non_null(strstr(m.text, "more than 512"));
  n = 0;
  for (unsigned k = 0; k < 200; k++) n += (size_t)snprintf(text + n, sizeof text - n, "let a%u = W ", k);
  assert_null(cat_parse(text, "test", NULL, 0, &m));
  assert_non_null(strstr(m.text, "more than 128"));
}

/* Litmus files: what is printed is read back as it was; what is wrong is refused where it stands; no text does harm. */

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

static void litmus_refused(void **state) {
  (void)state;
  static const struct {
    const char *text;
    unsigned line, column;
    const char *says;
  } of[] = {{"", 1, 1, "expected PTX"},
            {"PTX t\nx", 2, 1, "expected {"},
            {"PTX t\n\"open", 2, 1, "no end"},
            {"PTX t\n{ x=0; x=1; }", 2, 8, "is here twice"},
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
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operators),      cmocka_unit_test(precedence),  cmocka_unit_test(recursion),
      cmocka_unit_test(checks),         cmocka_unit_test(cat_refused), cmocka_unit_test(changes),
      cmocka_unit_test(bounds),         cmocka_unit_test(round_trip),  cmocka_unit_test(sequence),
      cmocka_unit_test(litmus_refused), cmocka_unit_test(hostile)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
