/* SPDX-License-Identifier: Apache-2.0
 * The row operations, for those who bring their own machine. */
#include <heddle/value.h>

#include <string.h>

#include "cmodel/sem/sem.h"
#include "base/number.h"

static sem_fn *pick(const struct heddle_isa_dec *d, struct sem_par *p) {
  const struct sem_def *def = sem_best()->op[d->op];
  memset(p, 0, sizeof *p);
  return def->kind == SEM_ROW && def->pick != NULL ? def->pick(d, p) : NULL;
}

bool heddle_has_value(const struct heddle_isa_dec *d) {
  struct sem_par p;
  return pick(d, &p) != NULL;
}

bool heddle_value(const struct heddle_isa_dec *d, struct heddle_value_rows *r) {
  _Alignas(64) uint32_t on[SEM_LANES];
  struct sem_par p;
  sem_fn *fn = pick(d, &p);
  if (fn == NULL) return false;
  for (unsigned l = 0; l < SEM_LANES; l++) on[l] = 0u - (r->exec >> l & 1u);
  struct sem_io io = {.on = on, .exec = r->exec, .p = r->p};
  memcpy(io.ps, r->ps, sizeof io.ps);
  const number_unit host = number_unit_begin();
  fn(r->d, r->a, r->b, r->c, &io, &p);
  number_unit_end(host);
  memcpy(r->pd, io.pd, sizeof r->pd);
  memcpy(r->p_written, io.p_written, sizeof r->p_written);
  return true;
}
