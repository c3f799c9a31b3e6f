/* SPDX-License-Identifier: Apache-2.0
 * Registers that do not outlast a call, as the allocator sees them: what lives across one may not lie there. A value
 * lives across when it is alive at the position of the results; results themselves have fixed registers. */
#include "compiler/backend/allocate.h"
#include "compiler/calls/call.h"

bool mir_survives_call(enum mir_class class, unsigned phys) {
  switch (class) {
  case MIR_R:
    return phys == CALL_STACK || (phys >= CALL_SURVIVORS && phys < CALL_SURVIVORS_END && phys / 2 != CALL_RETURN / 2);
  case MIR_P:
  case MIR_UP:
    return phys >= CALL_PREDICATES;
  default:
    return phys >= CALL_UNIFORMS;
  }
}

static unsigned lost_registers(const struct allocation *a, enum mir_class class) {
  unsigned n = 0;
  for (unsigned r = 0; r < a->limit[class]; r++) n += !mir_survives_call(class, r);
  return n;
}

static unsigned results(const struct mir_insn *i, enum mir_class class) {
  return class == MIR_R ? i->call->defs : 0;
}

void pressure_of_calls(struct allocation *a, enum mir_class class) {
  if (!a->f->frame || a->f->frame->calls == 0) return;
  const unsigned lost = lost_registers(a, class);
  for (const struct mir_block *b = a->f->first; b; b = b->next)
    for (const struct mir_insn *i = b->first; i; i = i->next)
      if (mir_is_call(i) && lost > results(i, class))
        pressure_add(a->pressure, 2 * i->mark + 1, 2 * i->mark + 1, (int32_t)(lost - results(i, class)));
}

uint64_t *call_positions(const struct allocation *a, size_t row) {
  if (!a->f->frame || a->f->frame->calls == 0) return NULL;
  uint64_t *at = live_alloc(a->f, (row + 1) * sizeof *at);
  for (const struct mir_block *b = a->f->first; b; b = b->next)
    for (const struct mir_insn *i = b->first; i; i = i->next)
      if (mir_is_call(i)) at[(2 * i->mark + 1) / 64] |= UINT64_C(1) << ((2 * i->mark + 1) % 64);
  return at;
}

static bool crosses_call(const uint64_t *calls, const struct live_range *r) {
  for (; r; r = r->next)
    for (uint32_t w = r->start / 64; w <= r->end / 64; w++) {
      uint64_t m = calls[w];
      if (w == r->start / 64) m &= ~UINT64_C(0) << (r->start % 64);
      if (w == r->end / 64) m &= ~UINT64_C(0) >> (63 - r->end % 64);
      if (m) return true;
    }
  return false;
}

bool call_forbids(const struct allocation *a, uint32_t vreg, unsigned phys, const uint64_t *calls) {
  const struct mir_vreg *v = &a->f->vreg[vreg];
  if (v->fixed >= 0) return false;
  for (unsigned k = 0; k < v->words; k++)
    if (!mir_survives_call((enum mir_class)v->class, phys + k) &&
        crosses_call(calls, a->l->word[a->l->base[vreg] + k].ranges))
      return true;
  return false;
}
