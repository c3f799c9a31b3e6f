/* SPDX-License-Identifier: Apache-2.0 */
#include "reads.h"
#include "tests/test.h"

#include <string.h>

static void put(struct places *p, unsigned at) {
  assert_true(p->count < sizeof p->at / sizeof *p->at);
  p->at[p->count++] = (uint16_t)at;
}

static void put_registers(struct places *p, bool uniform, unsigned first, unsigned words) {
  for (unsigned i = 0; first != 255 && i < words; i++) put(p, (uniform ? 1000 : 0) + first + i);
}

static void put_predicate(struct places *p, bool uniform, unsigned index) {
  if (index < 7) put(p, (uniform ? 3000 : 2000) + index);
}

static bool named(const struct heddle_isa_dec *d, const char *name) {
  return strcmp(heddle_isa_op_name((enum heddle_isa_op)d->op), name) == 0;
}

struct places reads_of(const struct heddle_isa_dec *d) {
  struct places p = {.count = 0};
  for (unsigned i = 0; i < 3; i++)
    if (d->src[i].kind == ISA_REG || d->src[i].kind == ISA_UREG)
      put_registers(&p, d->src[i].kind == ISA_UREG, d->src[i].reg, d->src[i].words);
  put_predicate(&p, d->uniform, d->guard.index);
  for (unsigned i = 0; i < 3; i++) put_predicate(&p, d->ps_uniform, d->ps[i].index);
  for (unsigned i = 0; i < 7 && named(d, "P2R"); i++) put_predicate(&p, false, i);
  for (unsigned i = 0; i < 7 && named(d, "UP2UR"); i++) put_predicate(&p, true, i);
  return p;
}

struct places register_results_of(const struct heddle_isa_dec *d) {
  struct places p = {.count = 0};
  if (d->has_rd) put_registers(&p, d->rd_uniform, d->rd, d->rd_words);
  return p;
}

struct places predicate_results_of(const struct heddle_isa_dec *d) {
  struct places p = {.count = 0};
  if (d->has_pd0) put_predicate(&p, d->pd_uniform, d->pd0);
  if (d->has_pd1) put_predicate(&p, d->pd_uniform, d->pd1);
  for (unsigned i = 0; i < 7 && named(d, "R2P"); i++) put_predicate(&p, false, i);
  for (unsigned i = 0; i < 7 && named(d, "UR2UP"); i++) put_predicate(&p, true, i);
  return p;
}
