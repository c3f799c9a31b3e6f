/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands of a trace that shows none (profile P0): a register holds what the latest older instruction of its warp left
 * there, and every such write has a record. The record of a write may come after the issue of who reads it, but before
 * it is read; a younger one may overwrite it before the access is performed.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/verify/oracle/order/internal.h"

struct registers {
  uint32_t value[ISA_RZ][LANES];
  uint32_t writer[ISA_RZ][LANES]; /* seq + 1 of whose it is; 0: nobody has written */
};

bool order_registers_new(struct order *o) {
  const struct heddle_record_hidden h = o->h->hidden;
  if (heddle_record_shows(h, HEDDLE_RECORD_OPERANDS_MEMORY) || heddle_record_shows(h, HEDDLE_RECORD_OPERANDS))
    return true;
  o->registers = calloc((size_t)o->sms * HEDDLE_RECORD_WARPS, sizeof *o->registers);
  return o->registers != NULL || order_too_much(o, "no memory");
}

static struct registers *of_warp(const struct order *o, const struct warp *w) {
  return &o->registers[w - o->warp];
}

void order_registers_clear(struct order *o, const struct warp *w) {
  if (o->registers != NULL) memset(of_warp(o, w)->writer, 0, sizeof of_warp(o, w)->writer);
}

void order_registers_read(struct order *o, const struct warp *w, struct insn *i) {
  if (o->registers == NULL) return;
  const struct registers *f = of_warp(o, w);
  for (unsigned k = 0; k < OPERANDS; k++) {
    const unsigned reg = i->a.reg[k];
    if (reg == ISA_RZ) i->known[k] = i->exec;
    for (uint32_t rest = reg == ISA_RZ ? 0 : i->exec; rest != 0; rest &= rest - 1) {
      const unsigned l = (unsigned)__builtin_ctz(rest);
      i->operand[k][l] = f->value[reg][l];
      i->writer[k][l] = f->writer[reg][l];
      if (f->writer[reg][l] != 0) i->known[k] |= 1u << l;
    }
  }
  order_place_lanes(i, i->exec);
}

/* Instructions that issued before their operand was written, and have not used it. */
static void late(struct insn *i, unsigned reg, uint32_t lanes, uint32_t seq, const uint32_t *value) {
  for (unsigned k = 0; k < OPERANDS; k++) {
    if (i->a.reg[k] != reg) continue;
    for (uint32_t rest = lanes & i->exec & ~i->begun; rest != 0; rest &= rest - 1) {
      const unsigned l = (unsigned)__builtin_ctz(rest);
      if (i->writer[k][l] > seq) continue;
      i->operand[k][l] = value[l];
      i->writer[k][l] = seq + 1;
      i->known[k] |= 1u << l;
    }
  }
  order_place_lanes(i, lanes & i->exec & ~i->begun);
}

void order_registers_write(struct order *o, struct warp *w, const struct heddle_record_write *r) {
  const unsigned first = r->beat * o->h->lanes;
  if (o->registers == NULL || first >= LANES || r->rd >= ISA_RZ) return;
  struct registers *f = of_warp(o, w);
  uint32_t value[LANES] = {0};
  const uint32_t lanes = r->mask << first;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    value[l] = r->data[l - first];
    if (f->writer[r->rd][l] > r->id.seq + 1) continue;
    f->value[r->rd][l] = value[l];
    f->writer[r->rd][l] = r->id.seq + 1;
  }
  for (struct insn *i = w->first; i != NULL; i = i->next)
    if (!i->reduction && i->seq > r->id.seq) late(i, r->rd, lanes, r->id.seq, value);
}
