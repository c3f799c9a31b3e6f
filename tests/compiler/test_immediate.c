/* SPDX-License-Identifier: Apache-2.0
 *
 * The forms of tests/silicon/ops with some or all of their operands written as constants (as literals of the
 * instruction itself, or through mov, which propagation takes away): what the compiler folds, rewrites, or puts into
 * the words of instructions must give what the GPU returned. Every set of operands, both targets, optimised and not.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/silicon/form_file.h"
#include "tests/compiler/immediate.h"
#include "tests/test.h"

enum { COUNT = 2048, SAMPLES = 48 };

/* ".reg .s32 a;" says what `a` is. */
static struct immediate_operand operand_of(const char *path, const char *text, unsigned slot) {
  struct immediate_operand o = {0};
  char file[400], letter;
  unsigned bits;
  for (const char *at = text; !o.is_there && (at = strstr(at, "\n.reg .")) != NULL; at++)
    o.is_there = sscanf(at, "\n.reg .%c%u %c;", &o.kind, &bits, &letter) == 3 && letter == (char)('a' + slot);
  if (!o.is_there) return o;
  o.width = bits / 8;
  if (slot == 3)
    (void)snprintf(file, sizeof file, "%.*s.gold.bin", (int)strlen(path) - 4, path);
  else
    (void)snprintf(file, sizeof file, SILICON_DIR "/ops/%c%u.%u.bin", o.kind == 'f' ? 'f' : 'i', bits, slot);
  o.raw = form_file_bytes(file, (size_t)COUNT * o.width);
  return o;
}

/* What stands between the last load and the address of the result. */
static void open_form(struct immediate_form *f, const char *path) {
  char *text = form_file_text(path);
  *f = (struct immediate_form){.name = path, .count = COUNT};
  for (unsigned slot = 0; slot < 4; slot++) f->o[slot] = operand_of(path, text, slot);
  const char *end = strstr(text, "ld.param.u64 x,[pd]"), *start = NULL;
  for (const char *at = text; (at = strstr(at, "ld.global.")) != NULL && at < end; at++) start = at;
  assert_true(f->o[3].is_there && start != NULL && end != NULL);
  start = strchr(start, '\n') + 1;
  assert_true(start < end && (size_t)(end - start) < sizeof f->body);
  memcpy(f->body, start, (size_t)(end - start));
  free(text);
}

/* What depends on other lanes has no operands that can be constant one by one. */
static bool is_warp_wide(const char *path) {
  static const char *const words[] = {"/shfl.", "/vote.", "/match.", "/redux.", "/activemask."};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (strstr(path, words[k])) return true;
  return false;
}

static void every_form(void **state) {
  (void)state;
  unsigned forms = 0, wrong = 0;
  glob_t g;
  assert_int_equal(glob(OPS_DIR "/*.ptx", 0, NULL, &g), 0);
  for (size_t n = 0; n < g.gl_pathc; n++) {
    struct immediate_form f;
    if (is_warp_wide(g.gl_pathv[n])) continue;
    open_form(&f, g.gl_pathv[n]);
    const unsigned bad = immediate_try(&f, (unsigned)n * 13, SAMPLES);
    if (bad) print_error("%s: %u differ\n", f.name, bad);
    wrong += bad;
    forms++;
    immediate_free(&f);
  }
  globfree(&g);
  print_message("%u forms, %d elements each\n", forms, SAMPLES);
  assert_true(forms > 350);
  assert_int_equal(wrong, 0);
}

/* "add.rn.f64 7ff8000000000000 7ff8000000001234 -> 7ff8000000001234": an element; false: of another form. */
static bool add_row(struct immediate_form *f, const char *line) {
  static char name[40];
  char text[200], word[6][40] = {""};
  (void)snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
  const int words = sscanf(text, "%39s %39s %39s %39s %39s %39s", word[0], word[1], word[2], word[3], word[4], word[5]);
  if (words < 4 || (f->count > 0 && strcmp(word[0], name) != 0)) return false;
  if (f->count == 0) {
    (void)snprintf(name, sizeof name, "%s", word[0]);
    f->name = name;
    (void)snprintf(f->body, sizeof f->body, "%s d%s;\n", word[0],
                   words == 4   ? ", a"
                   : words == 5 ? ", a, b"
                                : ", a, b, c");
  }
  for (int n = 1; n < words; n++) {
    if (n == words - 2) continue; /* the arrow */
    struct immediate_operand *o = &f->o[n == words - 1 ? 3 : n - 1];
    const uint64_t x = strtoull(word[n], NULL, 16);
    o->is_there = true;
    o->width = (unsigned)strlen(word[n]) / 2;
    o->kind = n == words - 1 || o->width == 2 ? 'b' : 'f';
    immediate_put(o, f->count, x);
  }
  f->count++;
  return true;
}

static void nan_rows(void **state) {
  (void)state;
  char *all = form_file_text(SILICON_DIR "/nan.txt");
  unsigned forms = 0, rows = 0, wrong = 0;
  for (const char *at = strchr(all, '\n') + 1; *at != '\0'; forms++) {
    struct immediate_form f = {.count = 0};
    for (; *at != '\0' && add_row(&f, at); at += strcspn(at, "\n") + 1) assert_true(f.count < COUNT);
    assert_true(f.count > 0);
    const unsigned bad = immediate_try(&f, 0, f.count);
    if (bad) print_error("%s: %u differ\n", f.name, bad);
    wrong += bad;
    rows += f.count;
    immediate_free(&f);
  }
  free(all);
  print_message("%u forms, %u rows of special values\n", forms, rows);
  assert_true(rows > 5000);
  assert_int_equal(wrong, 0);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_form), cmocka_unit_test(nan_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
