/* SPDX-License-Identifier: Apache-2.0
 * Registers: rounds of colouring and spilling until everything has a physical number. */
#include "allocate.h"
#include "compiler/calls/call.h"

#include <string.h>

enum { ROUNDS_MAX = 100 };

void allocation_mark_short(struct allocation *a, uint32_t vreg) {
  if (vreg >= a->marks) {
    uint32_t room = 2 * vreg + 64;
    uint8_t *bigger = ptx_alloc(a->f->arena, room);
    if (a->marks) memcpy(bigger, a->short_lived, a->marks);
    a->short_lived = bigger;
    a->marks = room;
  }
  a->short_lived[vreg] = 1;
}

bool allocation_is_short(const struct allocation *a, uint32_t vreg) {
  return vreg < a->marks && a->short_lived[vreg];
}

static const char *const class_name[] = {"registers", "predicates", "uniform registers", "uniform predicates"};

static bool report_no_fit(const struct allocation *a, enum mir_class class) {
  ptx_error(a->f->diag, a->f->first->first ? a->f->first->first->pos : (struct ptx_pos){0, 0},
            "'%s' does not fit into %u %s", a->f->name, a->limit[class], class_name[class]);
  return false;
}

/* One class as far as it gets. *again: the function was rewritten, and nothing is known any more. */
static bool do_class(struct allocation *a, enum mir_class class, bool *again) {
  a->pressure = pressure_new(a->l, class);
  pressure_of_calls(a, class);
  bool fits = pressure_max(a->pressure, 0, 2 * a->l->numbers) <= a->limit[class];
  if (fits && colour(a, class)) return true;
  if (class == MIR_UR || class == MIR_UP || !spill_choose(a, class)) return report_no_fit(a, class);
  if (class == MIR_P)
    spill_predicates(a);
  else
    spill_registers(a);
  *again = true;
  return true;
}

static bool do_round(struct allocation *a, bool *again) {
  static const enum mir_class order[] = {MIR_UP, MIR_UR, MIR_P, MIR_R};
  for (unsigned k = 0; k < 4 && !*again; k++)
    if (!do_class(a, order[k], again)) return false;
  return true;
}

unsigned mir_registers(unsigned max_regs) {
  const unsigned most = heddle_isa_registers(false) - 1; /* one is left */
  return max_regs == 0 || max_regs > most ? most : max_regs;
}

bool mir_allocate(struct mir_function *f, unsigned max_regs, struct heddle_ptx_figures *figures) {
  struct heddle_ptx_figures ignored = {0};
  struct allocation a = {.f = f, .vregs = f->vregs, .figures = figures ? figures : &ignored};
  a.limit[MIR_R] = mir_registers(max_regs);
  a.limit[MIR_P] = a.limit[MIR_UP] = ISA_PT;
  a.limit[MIR_UR] = heddle_isa_registers(true);
  if (f->frame && f->frame->is_function) { /* callers count on the others, and they are not worth saving */
    a.limit[MIR_P] = a.limit[MIR_UP] = CALL_PREDICATES;
    if (a.limit[MIR_UR] > CALL_UNIFORMS) a.limit[MIR_UR] = CALL_UNIFORMS;
  }
  bool again = true;
  for (unsigned round = 0; again; round++) {
    if (round == ROUNDS_MAX) return report_no_fit(&a, MIR_R);
    again = false;
    live_open_scratch(f);
    a.l = live_ranges(f);
    bool ok = do_round(&a, &again);
    live_close_scratch(f);
    if (!ok) return false;
  }
  f->local_bytes = (f->local_bytes + 15) / 16 * 16;
  a.figures->registers = a.used[MIR_R] > 0 ? a.used[MIR_R] : 1;
  a.figures->uniform_registers = a.used[MIR_UR];
  a.figures->local_bytes = f->local_bytes;
  return true;
}
