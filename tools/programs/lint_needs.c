/* SPDX-License-Identifier: Apache-2.0
 * Kernels and machines; kernels and their notes. */
#include "lint_needs.h"

#include <stdio.h>

#include <heddle/needs.h>

enum { NAMES = 160 };

static void tell(const char *file, const char *kind, const struct heddle_kernel *k, const char *text, json_t *list) {
  printf("%s: %s\n", file, text);
  (void)json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "kind", kind, "kernel", k->name, "text", text));
}

static unsigned lacking(const char *file, const struct heddle_program *p, const struct heddle_kernel *k,
                        const struct heddle_machine *m, json_t *list) {
  struct heddle_lack lack[HEDDLE_LACKS_MAX];
  char text[700];
  const unsigned n = heddle_machine_lacks(m, p, k, 0, k->shared_bytes, lack);
  for (unsigned i = 0; i < n; i++) tell(file, "lacks", k, heddle_lack_text(m, p, k, &lack[i], text, sizeof text), list);
  return n;
}

static unsigned noted_wrong(const char *file, const struct heddle_program *p, const struct heddle_kernel *k,
                            json_t *list) {
  struct heddle_needs n;
  char noted[NAMES], words[NAMES], text[3 * NAMES + HEDDLE_NAME_MAX];
  if (!k->noted || !heddle_kernel_needs(p, k, &n)) return 0;
  if (n.units == k->needs.units && n.uniform_regs == k->needs.uniform_regs) return 0;
  heddle_needs_text(k->needs.units, noted, sizeof noted);
  heddle_needs_text(n.units, words, sizeof words);
  snprintf(text, sizeof text,
           "kernel %s: its note says units '%s' and %u uniform registers, its words need '%s' and %u", k->name, noted,
           k->needs.uniform_regs, words, n.uniform_regs);
  tell(file, "note", k, text, list);
  return 1;
}

unsigned lint_needs(const char *file, const struct heddle_program *p, const struct heddle_machine *m, json_t *list) {
  unsigned n = 0;
  for (uint32_t i = 0; i < p->kernels; i++) {
    const struct heddle_kernel *k = &p->kernel[i];
    if (k->is_function) continue;
    n += noted_wrong(file, p, k, list);
    if (m) n += lacking(file, p, k, m, list);
  }
  return n;
}
