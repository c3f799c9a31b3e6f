/* SPDX-License-Identifier: Apache-2.0
 * The words of tests/isa/hand_words.txt, put together by hand, from their text. Of the instruction set heddle alone. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/test.h"
#include "tests/isa/asm/asm_text.h"

static void text_gives_the_word(void **state) {
  (void)state;
  FILE *f = fopen(HAND_WORDS, "r");
  assert_non_null(f);
  char line[512];
  unsigned n = 0;
  while (fgets(line, sizeof line, f)) {
    if (line[0] == '#') continue;
    struct heddle_isa_word w;
    assert_int_equal(sscanf(line, "%16" SCNx64 "%16" SCNx64, &w.hi, &w.lo), 2);
    char *text = strstr(line, " | "), *end = text ? strstr(text, " ; |") : NULL;
    assert_non_null(end);
    *end = 0;
    struct heddle_program *p = assemble_body(text + 3);
    if (!p) fail_msg("%s: %s", text, last.text);
    struct heddle_isa_word got = heddle_program_word(p, 0);
    if (got.lo != w.lo || got.hi != w.hi) fail_msg("%s: %016" PRIx64 "%016" PRIx64, line, got.hi, got.lo);
    heddle_program_free(p);
    n++;
  }
  fclose(f);
  assert_true(n > 50);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(text_gives_the_word)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
