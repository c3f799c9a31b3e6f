/* SPDX-License-Identifier: Apache-2.0
 *
 * Text into the parser of PTX. What it accepts is printed and parsed again: the same module.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/ir/diag.h"
#include "tests/fuzz/fuzz.h"

enum { ARENA_BYTES = 64 << 20 };

static void keep_message(void *ctx, const struct heddle_message *m) {
  *(struct heddle_message *)ctx = *m;
}

/* NULL: refused, or given up. */
static struct ptx_module *parse(struct ptx_arena *a, struct ptx_diag *d, const void *text, size_t size) {
  return setjmp(d->exit) == 0 ? ptx_parse(a, d, text, size, "fuzz.ptx") : NULL;
}

static void check_printed(struct ptx_arena *a, struct ptx_diag *d, const struct ptx_module *m) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  FUZZ_CHECK(f != NULL, "no memory for the printed module");
  ptx_print(m, f);
  FUZZ_CHECK(fclose(f) == 0, "no memory for the printed module");
  const struct ptx_module *again = parse(a, d, text, size);
  const struct heddle_message *said = d->ctx;
  if (again == NULL && ptx_arena_taken(a) > ARENA_BYTES / 2) { /* twice may be too much */
    free(text);
    return;
  }
  FUZZ_CHECK(again != NULL, "what was printed is refused: line %u, column %u: %s\n%.4000s", said->line, said->column,
             said->text, text);
  const char *what = ptx_differ(m, again);
  FUZZ_CHECK(what == NULL, "printed, it differs in %s\n%.4000s", what, text);
  free(text);
}

int fuzz_ptx(const uint8_t *data, size_t size) {
  struct heddle_message said = {0};
  struct ptx_diag d;
  struct ptx_arena *a = ptx_arena_new(ARENA_BYTES);
  FUZZ_CHECK(a != NULL, "no memory for the arena");
  ptx_diag_init(&d, "fuzz.ptx", keep_message, &said);
  const struct ptx_module *m = parse(a, &d, data, size);
  FUZZ_CHECK(m != NULL || said.text[0] != '\0', "refused without a word");
  if (m != NULL && ptx_errors(&d) == 0) check_printed(a, &d, m);
  ptx_arena_free(a);
  return 0;
}
