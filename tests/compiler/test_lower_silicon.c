/* SPDX-License-Identifier: Apache-2.0
 *
 * Every PTX file of tests/silicon is lowered and checked; then with random damage, which must be refused or lowered to
 * a sound graph, never crash.
 */
#include <glob.h>

#include "tests/test.h"
#include "tests/compiler/lowered.h"
#include "base/splitmix64.h"

static char *file_text(const char *path) {
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  char *text = calloc(1, 1 << 20);
  size_t n = fread(text, 1, (1 << 20) - 1, f);
  assert_true(n > 0);
  fclose(f);
  return text;
}

static unsigned each_file(const char *pattern, void (*body)(const char *path, char *text)) {
  glob_t g;
  assert_int_equal(glob(pattern, 0, NULL, &g), 0);
  unsigned n = (unsigned)g.gl_pathc;
  for (unsigned k = 0; k < n; k++) {
    char *text = file_text(g.gl_pathv[k]);
    body(g.gl_pathv[k], text);
    free(text);
  }
  globfree(&g);
  return n;
}

static void is_lowered(const char *path, char *text) {
  struct lowered l;
  if (!lowered(&l, text, false)) fail_msg("%s: %u: %s", path, l.p.message[0].line, l.p.message[0].text);
  lowered_free(&l);
}

static void files(void **state) {
  (void)state;
  assert_int_equal(each_file(OPS_DIR "/*.ptx", is_lowered), 385);
  assert_int_equal(each_file(SILICON_DIR "/kernels/*.ptx", is_lowered), 8);
}

/* Words and marks change places, are lost or doubled; numbers and letters change. */
static void damage(char *text, uint64_t *seed) {
  static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz.,;:%[]{}()|!@_ ";
  size_t size = strlen(text);
  for (uint64_t k = splitmix64(seed) % 4 + 1; k > 0; k--) {
    size_t a = splitmix64(seed) % size, b = splitmix64(seed) % size, n = splitmix64(seed) % 12;
    if (a + n > size || b + n > size) continue;
    switch (splitmix64(seed) % 4) {
    case 0:
      text[a] = letters[splitmix64(seed) % (sizeof letters - 1)];
      break;
    case 1:
      memmove(text + a, text + b, n);
      break;
    case 2:
      memset(text + a, ' ', n);
      break;
    default: { /* a dotted word for another one */
      char *from = strchr(text + a, '.'), *to = strchr(text + b, '.');
      size_t length = from ? strcspn(from + 1, "., ;") + 1 : 0;
      if (from && to && length < 8 && strlen(to) > length) memmove(to, from, length);
      break;
    }
    }
  }
}

static unsigned survived;

static void survive(const char *path, const char *text) {
  struct lowered l = {0};
  struct ptx_module *m = parsed_text(&l.p, text);
  if (m && first_entry(m) && !first_entry(m)->declaration && setjmp(l.p.diag.exit) == 0) {
    l.f = ir_lower(l.p.arena, &l.p.diag, m, first_entry(m));
    const char *wrong = l.f ? ir_check(l.f, false) : NULL;
    if (wrong) fail_msg("%s: %s\n%s", path, wrong, text);
    if (l.f) survived++;
  }
  ptx_arena_free(l.p.arena);
}

static void is_survived(const char *path, char *text) {
  uint64_t seed = 1;
  for (const char *s = strrchr(path, '/'); *s; s++) seed = seed * 31 + (unsigned char)*s;
  char *mine = malloc(strlen(text) + 1);
  for (unsigned k = 0; k < 10; k++) {
    strcpy(mine, text);
    damage(mine, &seed);
    survive(path, mine);
  }
  free(mine);
}

static void damaged(void **state) {
  (void)state;
  each_file(OPS_DIR "/*.ptx", is_survived);
  each_file(SILICON_DIR "/kernels/*.ptx", is_survived);
  assert_true(survived > 100); /* the damage is not so great that nothing is left to try */
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(files), cmocka_unit_test(damaged)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
