/* SPDX-License-Identifier: Apache-2.0
 *
 * Digests of what the model does, and their arithmetic.
 */
#include <heddle/digest.h>
#include <heddle/isa_tables.h>
#include "cosim/digest/internal.h"

/* The arithmetic of digests: elements of GF(2^32), bit i the coefficient of x^i. */

/* Without x^32. */
#define POLYNOMIAL UINT32_C(0x04c11db7)

static uint32_t times_x(uint32_t v) {
  return v << 1 ^ ((v >> 31) != 0 ? POLYNOMIAL : 0);
}

static uint32_t times_x8(uint32_t v) {
  for (unsigned i = 0; i < 8; i++) v = times_x(v);
  return v;
}

static uint32_t field_product(uint32_t a, uint32_t b) {
  uint32_t sum = 0;
  for (; b != 0; b >>= 1, a = times_x(a))
    if ((b & 1u) != 0) sum ^= a;
  return sum;
}

static uint32_t turned(uint32_t v, unsigned by) {
  return v << by | v >> (32 - by);
}

/* Another for each item, and far from a linear function of its name: errors of several items do not cancel. */
static uint32_t factor(uint32_t seq, enum heddle_digest_kind kind, unsigned place, unsigned beat) {
  const uint32_t low = (uint32_t)kind << 14 | place << 5 | beat, high = seq & 0xffffu;
  const uint32_t u = 40503u * low + turned(60133u * high, 16) + UINT32_C(0x9e3779b9);
  const uint32_t p = (u & 0xffffu) * (u >> 16);
  const uint32_t g = (p + turned(u, 11)) ^ turned(p, 16) ^ u;
  return g != 0 ? g : 1;
}

uint32_t heddle_digest_item(uint32_t seq, enum heddle_digest_kind kind, unsigned place, unsigned beat,
                            const uint32_t *d, unsigned n) {
  uint32_t r = 0;
  for (unsigned i = n; i-- > 0;) r = times_x8(r) ^ d[i];
  return r != 0 ? field_product(factor(seq, kind, place, beat), r) : 0;
}

/* Digests of what the model does. */

/* The window of instruction seq; NULL: no memory. */
static struct made_window *window_of(struct made *m, uint32_t seq) {
  const size_t k = seq / HEDDLE_DIGEST_WINDOW;
  while (m->windows <= k) {
    if (!ROOM(m->window, m->windows, m->room)) {
      m->no_memory = true;
      return NULL;
    }
    m->window[m->windows++] = (struct made_window){.low = UINT32_MAX};
  }
  return &m->window[k];
}

static void add_item(struct made *m, uint32_t seq, enum heddle_digest_kind kind, unsigned place, unsigned beat,
                     const uint32_t *d, unsigned n) {
  struct made_window *w = window_of(m, seq);
  if (w != NULL) w->sum ^= heddle_digest_item(seq, kind, place, beat, d, n);
}

static uint32_t beat_of(const struct made *m, uint32_t mask, unsigned beat) {
  return m->lanes == HEDDLE_LANES ? mask : mask >> beat * m->lanes & ((1u << m->lanes) - 1);
}

/* A digest with something undefined in it says nothing. */
static void add_unknown(struct made *m, uint32_t seq, uint32_t lanes) {
  struct made_window *w = lanes != 0 ? window_of(m, seq) : NULL;
  if (w != NULL) w->unknown = true;
}

void made_row(struct made *m, uint32_t seq, unsigned rd, uint32_t lanes, const uint32_t *value, uint32_t unknown) {
  uint32_t d[HEDDLE_LANES + 1];
  for (unsigned b = 0; b < HEDDLE_LANES / m->lanes; b++) {
    const uint32_t mask = beat_of(m, lanes, b);
    if (mask == 0) continue;
    for (unsigned i = 0; i < m->lanes; i++) d[i] = (mask >> i & 1u) != 0 ? value[b * m->lanes + i] : 0;
    d[m->lanes] = mask;
    add_item(m, seq, HEDDLE_DIGEST_WRITE, rd, b, d, m->lanes + 1);
  }
  add_unknown(m, seq, unknown & lanes);
}

void made_predicate(struct made *m, uint32_t seq, unsigned p, uint32_t lanes, uint32_t value) {
  for (unsigned b = 0; b < HEDDLE_LANES / m->lanes; b++) {
    const uint32_t d[2] = {beat_of(m, value & lanes, b), beat_of(m, lanes, b)};
    if (d[1] != 0) add_item(m, seq, HEDDLE_DIGEST_PREDICATE, p, b, d, 2);
  }
}

static void add_issue(struct made *m, const struct heddle_effect *fx) {
  uint32_t d[6] = {fx->pc, fx->active, fx->exec};
  for (unsigned i = 0; i < 3; i++) d[3 + i] = fx->ps[i] & fx->exec;
  add_item(m, fx->seq, HEDDLE_DIGEST_ISSUE, 0, 0, d, 6);
  add_unknown(m, fx->seq, (fx->ps_unknown[0] | fx->ps_unknown[1] | fx->ps_unknown[2]) & fx->exec);
  struct made_window *w = window_of(m, fx->seq);
  if (w == NULL) return;
  if (fx->pc < w->low) w->low = fx->pc;
  if (fx->pc > w->high) w->high = fx->pc;
}

static void add_registers(struct made *m, const struct heddle_effect *fx) {
  for (unsigned k = 0; k < fx->rd_words; k++) {
    if (!fx->rd_uniform) {
      made_row(m, fx->seq, fx->dec.rd + k, fx->exec, fx->rd_value[k], fx->rd_unknown[k]);
      continue;
    }
    const uint32_t d[2] = {fx->rd_value[k][0], 1};
    add_item(m, fx->seq, HEDDLE_DIGEST_UNIFORM, fx->dec.rd + k, 0, d, 2);
    add_unknown(m, fx->seq, fx->rd_unknown[k]);
  }
}

/* Uniform ones together, one bit each. */
static void add_predicates(struct made *m, const struct heddle_effect *fx) {
  const uint8_t pd[2] = {fx->dec.pd0, fx->dec.pd1};
  const bool all_uniform = fx->dec.op == ISA_OP_UR2UP;
  uint32_t d[2] = {0, 0};
  for (unsigned i = 0; i < 2; i++) {
    if ((fx->pd_written >> i & 1u) == 0) continue;
    add_unknown(m, fx->seq, fx->pd_unknown[i]);
    if (!fx->dec.pd_uniform) made_predicate(m, fx->seq, pd[i], fx->exec, fx->pd_value[i]);
    if (!fx->dec.pd_uniform) continue;
    d[0] |= (fx->pd_value[i] & 1u) << pd[i];
    d[1] |= 1u << pd[i];
  }
  for (unsigned p = 0; p < 7; p++) {
    if ((fx->preds_written >> p & 1u) == 0) continue;
    add_unknown(m, fx->seq, fx->preds_unknown[p]);
    if (!all_uniform) made_predicate(m, fx->seq, p, fx->preds_lanes[p], fx->preds_value[p]);
    if (!all_uniform) continue;
    d[0] |= (fx->preds_value[p] & 1u) << p;
    d[1] |= 1u << p;
  }
  if (d[1] != 0) add_item(m, fx->seq, HEDDLE_DIGEST_UNIFORM, 255, 1, d, 2);
}

void made_issue(struct made *m, const struct heddle_effect *fx) {
  add_issue(m, fx);
  if (fx->traps || fx->exec == 0) return;
  if (!fx->rd_pending) add_registers(m, fx);
  add_predicates(m, fx);
}

void made_clear(struct made *m) {
  free(m->window);
  *m = (struct made){.lanes = m->lanes};
}
