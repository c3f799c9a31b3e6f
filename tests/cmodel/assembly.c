/* SPDX-License-Identifier: Apache-2.0 */
#include "assembly.h"

#include <stdio.h>
#include <string.h>

#include "tests/test.h"
#include <heddle/asm.h>

static void complain(void *ctx, const struct heddle_message *m) {
  (void)ctx;
  if (!m->warning) print_error("line %u: %s\n", m->line, m->text);
}

void machine_text(struct machine *x, const char *text) {
  char whole[8192];
  const int size = snprintf(whole, sizeof whole, ".kernel k\n%s.end\n", text);
  const struct heddle_asm_options o = {.size = sizeof o, .message = complain, .long_words = true};
  assert_in_range(size, 1, sizeof whole - 1);
  struct heddle_program *p = heddle_assemble(whole, (size_t)size, "text", &o);
  assert_non_null(p);
  assert_in_range(p->code_bytes, 16, sizeof x->code);
  memcpy(x->code, p->code, p->code_bytes);
  x->n = p->code_bytes / 16;
  heddle_program_free(p);
}
