/* SPDX-License-Identifier: Apache-2.0 */
#include "weakening.h"

#include <stdio.h>

#include <heddle/hazard.h>
#include <heddle/isa_tables.h>
#include "base/splitmix64.h"

void weakening_each(const struct heddle_program *p, void (*f)(void *ctx, struct heddle_lint_weaker w), void *ctx) {
  for (uint32_t pc = 0; pc + ISA_WORD_BYTES <= p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    if (!heddle_isa_decode(heddle_program_word(p, pc), &d)) continue;
    if (d.ctl.stall > 1) f(ctx, (struct heddle_lint_weaker){pc, HEDDLE_LINT_STALL, 0});
    if (d.ctl.stall > 2) f(ctx, (struct heddle_lint_weaker){pc, HEDDLE_LINT_STALL_LEAST, 0});
    for (uint8_t c = 0; c < HEDDLE_HAZARD_COUNTERS; c++)
      if (d.ctl.wait >> c & 1) f(ctx, (struct heddle_lint_weaker){pc, HEDDLE_LINT_WAIT, c});
    if (d.ctl.wbar < HEDDLE_HAZARD_COUNTERS) f(ctx, (struct heddle_lint_weaker){pc, HEDDLE_LINT_WBAR, d.ctl.wbar});
    if (d.ctl.rbar < HEDDLE_HAZARD_COUNTERS) f(ctx, (struct heddle_lint_weaker){pc, HEDDLE_LINT_RBAR, d.ctl.rbar});
  }
}

struct heddle_isa_word weakening_word(struct heddle_isa_word w, struct heddle_lint_weaker what) {
  switch (what.part) {
  case HEDDLE_LINT_STALL:
    return heddle_isa_put(w, ISA_F_STALL, heddle_isa_get(w, ISA_F_STALL) - 1);
  case HEDDLE_LINT_STALL_LEAST:
    return heddle_isa_put(w, ISA_F_STALL, 1);
  case HEDDLE_LINT_WAIT:
    return heddle_isa_put(w, ISA_F_WAIT, heddle_isa_get(w, ISA_F_WAIT) & ~(UINT64_C(1) << what.counter));
  case HEDDLE_LINT_WBAR:
    return heddle_isa_put(w, ISA_F_WBAR, 7);
  case HEDDLE_LINT_RBAR:
    return heddle_isa_put(w, ISA_F_RBAR, 7);
  }
  return w;
}

void weakening_text(struct heddle_lint_weaker w, char *buf, size_t size) {
  static const char *const part[] = {[HEDDLE_LINT_STALL] = "stall one less",
                                     [HEDDLE_LINT_STALL_LEAST] = "stall 1",
                                     [HEDDLE_LINT_WAIT] = "no wait on SB",
                                     [HEDDLE_LINT_WBAR] = "no write counter SB",
                                     [HEDDLE_LINT_RBAR] = "no read counter SB"};
  if (w.part == HEDDLE_LINT_STALL || w.part == HEDDLE_LINT_STALL_LEAST)
    snprintf(buf, size, "0x%04x %s", w.pc, part[w.part]);
  else
    snprintf(buf, size, "0x%04x %s%u", w.pc, part[w.part], w.counter);
}

void hints_set(struct heddle_program *p, enum hints h, uint64_t seed) {
  for (uint32_t pc = 0; pc + ISA_WORD_BYTES <= p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    struct heddle_isa_word w = heddle_program_word(p, pc);
    if (!heddle_isa_decode(w, &d)) continue;
    const uint64_t r = h == HINTS_RANDOM ? splitmix64(&seed) : h == HINTS_ON ? 15 : 0;
    const enum heddle_isa_field reuse =
        (enum heddle_isa_field)heddle_isa_encoding_info((enum heddle_isa_enc)d.enc)->reuse;
    if (reuse != ISA_FIELD_NONE) w = heddle_isa_put(w, reuse, r & 7);
    w = heddle_isa_put(w, ISA_F_YIELD, r >> 3 & 1);
    if (heddle_isa_decode(w, &d)) heddle_isa_word_store(p->code + pc, w);
  }
}
