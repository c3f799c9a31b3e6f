/* SPDX-License-Identifier: Apache-2.0 */
#include "weaken.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/lint.h>
#include "tests/test.h"
#include "tests/isa/lint/replay.h"

enum { INSNS_MAX = 4096 };

static struct heddle_isa_word weakened(struct heddle_isa_word w, struct heddle_lint_weaker what) {
  switch (what.part) {
  case HEDDLE_LINT_STALL:
    return heddle_isa_put(w, ISA_F_STALL, heddle_isa_get(w, ISA_F_STALL) - 1);
  case HEDDLE_LINT_STALL_LEAST:
    return heddle_isa_put(w, ISA_F_STALL, 1);
  case HEDDLE_LINT_WAIT:
    return heddle_isa_put(w, ISA_F_WAIT, heddle_isa_get(w, ISA_F_WAIT) & ~(1u << what.counter));
  case HEDDLE_LINT_WBAR:
    return heddle_isa_put(w, ISA_F_WBAR, 7);
  case HEDDLE_LINT_RBAR:
    return heddle_isa_put(w, ISA_F_RBAR, 7);
  }
  return w;
}

static void mark(void *ctx, const struct heddle_lint_finding *f) {
  bool *at = ctx;
  assert_int_not_equal(f->advice[0], '\0');
  at[f->pc / ISA_WORD_BYTES] = true;
}

bool weaken_agree(const struct heddle_program *p, const char *name) {
  bool tried[INSNS_MAX], said[INSNS_MAX] = {false}, any = false;
  const struct heddle_lint_options o = {.size = sizeof o, .finding = mark, .ctx = said};
  const uint32_t n = p->code_bytes / ISA_WORD_BYTES;
  assert_true(n <= INSNS_MAX);
  (void)replay(p, tried);
  const enum heddle_lint_verdict v = heddle_lint(p, &o, NULL);
  for (uint32_t i = 0; i < n; i++) {
    if (tried[i] != said[i]) fail_msg("%s: 0x%04x: lint %d, replay %d", name, i * ISA_WORD_BYTES, said[i], tried[i]);
    any = any || said[i];
  }
  assert_int_equal(v, any ? HEDDLE_LINT_FOUND : HEDDLE_LINT_PROVEN);
  return !any;
}

static void weaken(struct heddle_program *p, const char *name, struct heddle_lint_weaker what, struct weaken_tally *t) {
  char reason[160] = "", label[200];
  const struct heddle_isa_word w = heddle_program_word(p, what.pc);
  (void)snprintf(label, sizeof label, "%s, weaker at 0x%04x (part %d, counter %u)", name, what.pc, (int)what.part,
                 what.counter);
  const bool spare = heddle_lint_spare(p, NULL, what, reason, sizeof reason);
  heddle_isa_word_store(p->code + what.pc, weakened(w, what));
  const bool holds = weaken_agree(p, label);
  heddle_isa_word_store(p->code + what.pc, w);
  if (holds != spare) fail_msg("%s: proven %d, spare %d", label, holds, spare);
  if (holds && reason[0] == '\0') fail_msg("%s: no reason", label);
  if (holds && getenv("LINT_VERBOSE")) print_message("%s: %s\n", label, reason);
  t->weaker++;
  t->wrong += !holds;
  t->spare += holds;
}

void weaken_all(struct heddle_program *p, const char *name, struct weaken_tally *t) {
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    if (!heddle_isa_decode(heddle_program_word(p, pc), &d)) continue;
    if (d.ctl.stall > 1) weaken(p, name, (struct heddle_lint_weaker){pc, HEDDLE_LINT_STALL, 0}, t);
    if (d.ctl.stall > 2) weaken(p, name, (struct heddle_lint_weaker){pc, HEDDLE_LINT_STALL_LEAST, 0}, t);
    for (uint8_t c = 0; c < 6; c++)
      if (d.ctl.wait >> c & 1) weaken(p, name, (struct heddle_lint_weaker){pc, HEDDLE_LINT_WAIT, c}, t);
    if (d.ctl.wbar < 6) weaken(p, name, (struct heddle_lint_weaker){pc, HEDDLE_LINT_WBAR, 0}, t);
    if (d.ctl.rbar < 6) weaken(p, name, (struct heddle_lint_weaker){pc, HEDDLE_LINT_RBAR, 0}, t);
  }
}
