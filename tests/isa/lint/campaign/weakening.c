/* SPDX-License-Identifier: Apache-2.0 */
#include "weakening.h"

#include <stdio.h>

#include <heddle/hazard.h>
#include <heddle/isa_tables.h>
#include "isa/util/splitmix64.h"

void weakening_each(const struct heddle_program *p, void (*f)(void *ctx, struct lint_weaker w), void *ctx) {
  for (uint32_t pc = 0; pc + ISA_WORD_BYTES <= p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct isa_dec d;
    if (!isa_decode(heddle_program_word(p, pc), &d)) continue;
    if (d.ctl.stall > 1) f(ctx, (struct lint_weaker){pc, LINT_STALL, 0});
    if (d.ctl.stall > 2) f(ctx, (struct lint_weaker){pc, LINT_STALL_LEAST, 0});
    for (uint8_t c = 0; c < HAZARD_COUNTERS; c++)
      if (d.ctl.wait >> c & 1) f(ctx, (struct lint_weaker){pc, LINT_WAIT, c});
    if (d.ctl.wbar < HAZARD_COUNTERS) f(ctx, (struct lint_weaker){pc, LINT_WBAR, d.ctl.wbar});
    if (d.ctl.rbar < HAZARD_COUNTERS) f(ctx, (struct lint_weaker){pc, LINT_RBAR, d.ctl.rbar});
  }
}

struct isa_word weakening_word(struct isa_word w, struct lint_weaker what) {
  switch (what.part) {
  case LINT_STALL:
    return isa_put(w, ISA_F_STALL, isa_get(w, ISA_F_STALL) - 1);
  case LINT_STALL_LEAST:
    return isa_put(w, ISA_F_STALL, 1);
  case LINT_WAIT:
    return isa_put(w, ISA_F_WAIT, isa_get(w, ISA_F_WAIT) & ~(UINT64_C(1) << what.counter));
  case LINT_WBAR:
    return isa_put(w, ISA_F_WBAR, 7);
  case LINT_RBAR:
    return isa_put(w, ISA_F_RBAR, 7);
  }
  return w;
}

void weakening_text(struct lint_weaker w, char *buf, size_t size) {
  static const char *const part[] = {[LINT_STALL] = "stall one less",
                                     [LINT_STALL_LEAST] = "stall 1",
                                     [LINT_WAIT] = "no wait on SB",
                                     [LINT_WBAR] = "no write counter SB",
                                     [LINT_RBAR] = "no read counter SB"};
  if (w.part == LINT_STALL || w.part == LINT_STALL_LEAST)
    snprintf(buf, size, "0x%04x %s", w.pc, part[w.part]);
  else
    snprintf(buf, size, "0x%04x %s%u", w.pc, part[w.part], w.counter);
}

void hints_set(struct heddle_program *p, enum hints h, uint64_t seed) {
  for (uint32_t pc = 0; pc + ISA_WORD_BYTES <= p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct isa_dec d;
    struct isa_word w = heddle_program_word(p, pc);
    if (!isa_decode(w, &d)) continue;
    const uint64_t r = h == HINTS_RANDOM ? splitmix64(&seed) : h == HINTS_ON ? 15 : 0;
    const enum isa_field reuse = (enum isa_field)isa_encoding_info((enum isa_enc)d.enc)->reuse;
    if (reuse != ISA_FIELD_NONE) w = isa_put(w, reuse, r & 7);
    w = isa_put(w, ISA_F_YIELD, r >> 3 & 1);
    if (isa_decode(w, &d)) isa_word_store(p->code + pc, w);
  }
}
