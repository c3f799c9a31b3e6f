/* SPDX-License-Identifier: Apache-2.0
 * Findings: what is missing, and what would mend it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "isa/lint/internal.h"

void place_name(unsigned place, char name[8]) {
  static const struct {
    unsigned first;
    const char *prefix;
  } file[] = {{HEDDLE_HAZARD_UP, "UP"}, {HEDDLE_HAZARD_P, "P"}, {HEDDLE_HAZARD_UR, "UR"}, {HEDDLE_HAZARD_R, "R"}};
  unsigned k = 0;
  while (place < file[k].first) k++;
  snprintf(name, 8, "%s%u", file[k].prefix, (place - file[k].first) % 1000);
}

const struct heddle_kernel *owner_of(const struct lint *l, uint32_t pc) {
  uint32_t low = 0, high = l->p->kernels;
  if (high == 0 || l->p->kernel[0].entry_pc > pc) return NULL;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (l->p->kernel[middle].entry_pc <= pc)
      low = middle;
    else
      high = middle;
  }
  return &l->p->kernel[low];
}

static void advise(struct heddle_lint_finding *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void advise(struct heddle_lint_finding *f, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vsnprintf(f->advice, sizeof f->advice, format, ap);
  va_end(ap);
}

static void add_finding(struct lint *l, struct heddle_lint_finding f, unsigned key) {
  if (l->n_found == FOUND_MAX) {
    l->dropped++;
    return;
  }
  if (!array_room(&l->found, &l->room, l->n_found + 1, sizeof *l->found)) {
    l->failed = true;
    return;
  }
  f.kernel = owner_of(l, f.pc);
  l->found[l->n_found++] = (struct found){f, (uint16_t)key};
}

static void advise_time(const struct lint *l, struct heddle_lint_finding *f, uint32_t at) {
  char or_wait[24] = "";
  const char *s = f->missing == 1 ? "" : "s";
  if (f->counter < HEDDLE_HAZARD_COUNTERS) snprintf(or_wait, sizeof or_wait, ", or wait on SB%u", f->counter);
  if (f->before == HEDDLE_LINT_NOWHERE) {
    advise(f, "%u more cycle%s on every way to here%s", f->missing, s, or_wait);
    return;
  }
  const uint32_t p = f->kind == HEDDLE_LINT_LEAVE ? at : at - 1;
  const unsigned stall = l->insn[p].d.ctl.stall > 1 ? l->insn[p].d.ctl.stall : 1;
  if (stall + f->missing <= 15)
    advise(f, "stall %u more at 0x%04x (S%02u now)%s", f->missing, f->before, stall, or_wait);
  else
    advise(f, "%u more cycle%s, in stall counts up to 0x%04x%s", f->missing, s, f->before, or_wait);
}

void found_touch(struct lint *l, enum heddle_lint_kind kind, uint32_t at, unsigned slot, unsigned place) {
  const struct pending p = l->s->of[slot][place];
  const int32_t missing = p.ready == NEVER ? 0 : p.ready - l->s->now;
  l->s->live[slot][place / 64] &= ~(UINT64_C(1) << (place % 64)); /* said once */
  if (!l->report) return;
  const bool first = l->insn[at].leads, here = kind == HEDDLE_LINT_LEAVE;
  struct heddle_lint_finding f = {.kind = kind,
                                  .pc = pc_of(l, at),
                                  .producer = pc_of(l, p.producer),
                                  .before = here    ? pc_of(l, at)
                                            : first ? HEDDLE_LINT_NOWHERE
                                                    : pc_of(l, at - 1),
                                  .missing = (uint8_t)(missing < 255 ? missing : 255),
                                  .counter = slot > 0 ? (uint8_t)(slot - 1) : 7};
  place_name(place, f.place);
  if (missing > 0)
    advise_time(l, &f, at);
  else if (slot > 0)
    advise(&f, "wait on SB%u", f.counter);
  else
    advise(&f, "give 0x%04x a write counter, and wait on it here", f.producer);
  add_finding(l, f, place * SLOTS + slot);
}

void found_depbar(struct lint *l, uint32_t at, unsigned counter, unsigned unit) {
  if (!l->report) return;
  struct heddle_lint_finding f = {.kind = HEDDLE_LINT_DEPBAR,
                                  .pc = pc_of(l, at),
                                  .producer = HEDDLE_LINT_NOWHERE,
                                  .before = HEDDLE_LINT_NOWHERE,
                                  .counter = 7};
  snprintf(f.place, sizeof f.place, "SB%u", counter);
  advise(&f, "let it fall to 0, or keep unit %s off SB%u", heddle_isa_unit_name((enum heddle_isa_unit)unit), counter);
  add_finding(l, f, counter);
}

void found_undefined(struct lint *l, uint32_t at, unsigned place) {
  struct heddle_lint_finding f = {.kind = HEDDLE_LINT_UNDEFINED,
                                  .pc = pc_of(l, at),
                                  .producer = HEDDLE_LINT_NOWHERE,
                                  .before = HEDDLE_LINT_NOWHERE,
                                  .counter = 7};
  place_name(place, f.place);
  advise(&f, "write %s on a way that leads here", f.place);
  add_finding(l, f, place);
}

void found_unscheduled(struct lint *l, const struct heddle_kernel *k) {
  struct heddle_lint_finding f = {.kind = HEDDLE_LINT_UNSCHEDULED,
                                  .pc = k->entry_pc,
                                  .producer = HEDDLE_LINT_NOWHERE,
                                  .before = HEDDLE_LINT_NOWHERE,
                                  .counter = 7};
  advise(&f, "schedule it, or say what its codes assume (.stalls); as it is it runs in scoreboard mode only");
  add_finding(l, f, 0);
}

static int by_place(const void *a, const void *b) {
  const struct found *x = a, *y = b;
  if (x->f.pc != y->f.pc) return x->f.pc < y->f.pc ? -1 : 1;
  if (x->f.kind != y->f.kind) return x->f.kind < y->f.kind ? -1 : 1;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->f.missing > y->f.missing ? -1 : x->f.missing < y->f.missing;
}

static bool same_finding(const struct found *a, const struct found *b) {
  return a->f.pc == b->f.pc && a->f.kind == b->f.kind && a->key == b->key;
}

void found_emit(struct lint *l) {
  uint32_t n = 0;
  if (l->n_found > 0) qsort(l->found, l->n_found, sizeof *l->found, by_place);
  for (uint32_t i = 0; i < l->n_found; i++)
    if (n == 0 || !same_finding(&l->found[i], &l->found[n - 1])) l->found[n++] = l->found[i];
  l->n_found = n;
  for (uint32_t i = 0; i < n && l->o && l->o->finding; i++) l->o->finding(l->o->ctx, &l->found[i].f);
}
