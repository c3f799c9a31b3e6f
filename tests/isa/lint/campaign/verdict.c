/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict.h"

#include <stdlib.h>
#include <string.h>

#include "tests/isa/lint/replay.h"

struct hearing {
  struct verdict *v;
  bool *said;
};

static void hear(void *ctx, const struct heddle_lint_finding *f) {
  struct hearing *h = ctx;
  if (h->v->findings < VERDICT_FINDINGS) h->v->finding[h->v->findings] = *f;
  h->v->findings++;
  h->said[f->pc / ISA_WORD_BYTES] = true;
}

void verdict_of(const struct heddle_program *p, struct verdict *v) {
  const uint32_t n = p->code_bytes / ISA_WORD_BYTES;
  struct hearing h = {v, calloc((size_t)n + 1, sizeof(bool))};
  bool *tried = calloc((size_t)n + 1, sizeof *tried);
  memset(v, 0, offsetof(struct verdict, finding));
  v->replays = false;
  v->lint = HEDDLE_LINT_NO_MEMORY;
  if (h.said && tried) {
    v->lint = heddle_lint(
        p, &(struct heddle_lint_options){.size = sizeof(struct heddle_lint_options), .finding = hear, .ctx = &h}, NULL);
    (void)replay(p, tried);
    v->replays = memcmp(tried, h.said, n * sizeof *tried) == 0;
  }
  free(h.said);
  free(tried);
}
