/* SPDX-License-Identifier: Apache-2.0
 * The language of cat files: what operators mean, what binds first, what is refused and where. */
#include <stdio.h>

#include "tests/test.h"
#include "lab/verify/litmus/src/cat.h"

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

static void refused(void **state) {
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

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operators), cmocka_unit_test(precedence), cmocka_unit_test(recursion), cmocka_unit_test(checks),
      cmocka_unit_test(refused),   cmocka_unit_test(changes),    cmocka_unit_test(bounds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
