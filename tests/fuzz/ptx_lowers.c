/* SPDX-License-Identifier: Apache-2.0
 *
 * Does the front end take a text? Asked before the whole compiler is.
 */
#include "compiler/ir/diag.h"
#include "compiler/ir/ir.h"
#include "tests/fuzz/ptx_text.h"

enum { ARENA_BYTES = 64 << 20 };

static bool lowers(struct ptx_arena *a, struct ptx_diag *d, const uint8_t *data, size_t size) {
  if (setjmp(d->exit) != 0) return false;
  struct ptx_module *m = ptx_parse(a, d, (const char *)data, size, "fuzz.ptx");
  if (m == NULL || ptx_errors(d) > 0) return false;
  for (const struct ptx_function *k = m->functions; k != NULL; k = k->next)
    if (k->entry && !k->declaration && (ir_lower(a, d, m, k) == NULL || ptx_errors(d) > 0)) return false;
  return true;
}

bool text_lowers(const uint8_t *data, size_t size) {
  struct ptx_diag d;
  struct ptx_arena *a = ptx_arena_new(ARENA_BYTES);
  ptx_diag_init(&d, "fuzz.ptx", NULL, NULL);
  const bool ok = a != NULL && lowers(a, &d, data, size);
  ptx_arena_free(a);
  return ok;
}
