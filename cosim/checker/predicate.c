/* SPDX-License-Identifier: Apache-2.0
 *
 * Predicate-write records: each predicate destination of each executing lane exactly once.
 */
#include "internal.h"

static bool check_register(struct checker *c, unsigned i, unsigned pd) {
  const struct entry *e = c->e;
  const unsigned dest = e->pd[i];
  const bool hidden = i == 0 && pd == e->pd[0] && e->pd[0] == e->pd[1]; /* pd1 of the same name wins */
  if (hidden) return true;
  const unsigned want = ((unsigned)e->pd_written >> i & 1u) != 0 ? dest : ISA_PT;
  return same(c, CHECKER_PREDICATE_REGISTER, i == 0 ? "pd0" : "pd1", want, pd);
}

static bool check_extra(struct checker *c, uint32_t lanes) {
  return no_lanes(c, CHECKER_PREDICATE_EXTRA, "predicate", lanes & ~c->e->exec,
                  "a predicate write of lanes that do not execute");
}

static bool check_double(struct checker *c, unsigned i, uint32_t lanes) {
  const uint32_t again = lanes & c->e->exec & ~c->e->pd_open[i];
  return no_lanes(c, CHECKER_PREDICATE_DOUBLE, "predicate", again, "written a second time");
}

static bool check_value(struct checker *c, unsigned i, uint32_t lanes, uint32_t got) {
  const uint32_t bad = (c->e->fx.pd_value[i] ^ got) & lanes;
  if (bad == 0 || !checker_on(c, CHECKER_PREDICATE_VALUE)) return true;
  const unsigned p = c->e->pd[i];
  char name[8];
  snprintf(name, sizeof name, "P%u", p);
  uint32_t want_row[RECORD_LANES], got_row[RECORD_LANES];
  for (unsigned k = 0; k < RECORD_LANES; k++) {
    want_row[k] = c->e->fx.pd_value[i] >> k & 1u;
    got_row[k] = got >> k & 1u;
  }
  return differ_lanes(c, CHECKER_PREDICATE_VALUE, name, bad, want_row, got_row, 0);
}

static bool judge_one(struct checker *c, unsigned i, unsigned pd, uint32_t lanes, uint32_t got) {
  if (!check_register(c, i, pd)) return false;
  if (((unsigned)c->e->pd_written >> i & 1u) == 0) return true;
  if (!check_double(c, i, lanes) || !poison_predicate(c, pd, lanes) || !check_value(c, i, lanes, got)) return false;
  ledger_predicate(c->w, c->e, i, lanes);
  return poison_late(c, pd, lanes);
}

bool judge_predicate(struct checker *c, const struct record_predicate *r) {
  uint32_t lanes;
  if (!identify(c, &r->id) || !beat_lanes(c, r->beat, r->mask, &lanes)) return false;
  if (r->pd0 > ISA_PT || r->pd1 > ISA_PT) return differ(c, CHECKER_RECORD_FORM, "predicate", "no such predicate");
  const bool empty = lanes == 0 || (r->pd0 == ISA_PT && r->pd1 == ISA_PT);
  if (empty && r->id.seq < c->w->next_seq) return true; /* says nothing */
  const unsigned first = r->beat * c->cfg.lanes;
  if (!identify_entry(c, r->id.seq) || !check_extra(c, lanes) || !judge_one(c, 0, r->pd0, lanes, r->d0 << first) ||
      !judge_one(c, 1, r->pd1, lanes, r->d1 << first))
    return false;
  ledger_close_words(c, c->w, c->e);
  return true;
}
