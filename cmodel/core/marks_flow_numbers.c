/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules of operations that compute numbers and compare them.
 */
#include "cmodel/core/marks_flow.h"

/* ---- the rule of all that have none of their own */

void flow_all(struct mark_flow *f) {
  uint32_t bad = f->ps_bad[0] | f->ps_bad[1] | f->ps_bad[2];
  for (unsigned k = 0; k < 3; k++) bad |= flow_marked_any(f, k);
  flow_spoil(f, f->warp_wide && bad != 0 ? f->written : bad);
}

/* ---- sums and products: nothing goes down from an undefined bit */

static void put_sum(struct mark_flow *f, unsigned lane, uint32_t bits) {
  f->rd.bits[0][lane] = flow_up(bits);
  if (bits != 0) f->pd_bad[0] |= 1u << lane;
  if (bits != 0) f->pd_bad[1] |= 1u << lane;
}

/* An undefined predicate that is added: its bit. */
static uint32_t added(const struct mark_flow *f, unsigned lane) {
  return (f->ps_bad[0] | f->ps_bad[1]) >> lane & 1u;
}

/* IADD3 */
void flow_sum(struct mark_flow *f) {
  for (unsigned i = 0; i < HEDDLE_LANES; i++)
    put_sum(f, i, f->src[0].bits[0][i] | f->src[1].bits[0][i] | f->src[2].bits[0][i] | added(f, i));
}

/* LEA */
void flow_shifted_sum(struct mark_flow *f) {
  for (unsigned i = 0; i < HEDDLE_LANES; i++)
    put_sum(f, i, f->src[0].bits[0][i] << f->op->par.shift | f->src[1].bits[0][i]);
}

/* LEA.HI: the high word of {c:a} << shift, or of a with its sign */
void flow_shifted_sum_high(struct mark_flow *f) {
  const struct sem_par *p = &f->op->par;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) {
    const uint32_t a = f->src[0].bits[0][i], sign = 0u - (a >> 31);
    const uint64_t v = a | (uint64_t)(p->sign_extend ? sign : f->src[2].bits[0][i]) << 32;
    put_sum(f, i, (uint32_t)(v << p->shift >> 32) | f->src[1].bits[0][i] | added(f, i));
  }
}

/* The lowest undefined bit of a product: one factor is undefined in the bits `bad`, y is the other. */
static uint64_t product_with(uint32_t bad, uint32_t y) {
  return y == 0 || bad == 0 ? 0 : (uint64_t)bad << __builtin_ctz(y);
}

static uint64_t product_and_sum(const struct mark_flow *f, unsigned lane) {
  const uint32_t a = f->src[0].bits[0][lane], b = f->src[1].bits[0][lane];
  const uint64_t c = f->src[2].bits[0][lane] | (uint64_t)f->src[2].bits[1][lane] << 32;
  const uint64_t product = b == 0   ? product_with(a, f->value[1][lane])
                           : a == 0 ? product_with(b, f->value[0][lane])
                                    : a | b;
  return flow_up64(product | c);
}

/* IMAD, IMAD.WIDE */
void flow_product(struct mark_flow *f) {
  for (unsigned i = 0; i < HEDDLE_LANES; i++) {
    const uint64_t bits = product_and_sum(f, i);
    f->rd.bits[0][i] = (uint32_t)bits;
    f->rd.bits[1][i] = (uint32_t)(bits >> 32);
  }
}

/* IMAD.HI */
void flow_product_high(struct mark_flow *f) {
  for (unsigned i = 0; i < HEDDLE_LANES; i++) f->rd.bits[0][i] = (uint32_t)(product_and_sum(f, i) >> 32);
}

/* ---- comparisons */

/* A verdict that is undefined in the lanes `bad` is combined with ps0. */
static uint32_t combined(const struct mark_flow *f, uint32_t bad) {
  const uint8_t how = f->op->par.combine;
  const uint32_t counts = how == SEM_AND ? f->ps[0] : how == SEM_OR ? ~f->ps[0] : ~0u;
  return f->exec & (f->ps_bad[0] | (bad & counts));
}

/* FSETP, DSETP, ISETP.EX: ps2 is the verdict on the low words */
void flow_compare(struct mark_flow *f) {
  const uint32_t bad = flow_marked_any(f, 0) | flow_marked_any(f, 1) | f->ps_bad[1] | f->ps_bad[2];
  f->pd_bad[0] = f->pd_bad[1] = combined(f, bad);
}

/* ISETP: words that differ in a bit that both have are not equal, whatever the others are. */
void flow_compare_words(struct mark_flow *f) {
  const uint8_t rel = f->op->par.rel;
  uint32_t bad = flow_marked_any(f, 0) | flow_marked_any(f, 1);
  for (unsigned i = 0; (rel == SEM_EQ || rel == (SEM_LT | SEM_GT)) && i < HEDDLE_LANES; i++) {
    const uint32_t unknown = f->src[0].bits[0][i] | f->src[1].bits[0][i];
    if (((f->value[0][i] ^ f->value[1][i]) & ~unknown) != 0) bad &= ~(1u << i);
  }
  f->pd_bad[0] = f->pd_bad[1] = combined(f, bad);
}

/* ---- halves */

/* Lanes in which half k of the result reads something undefined. */
static uint32_t half_marked(const struct mark_flow *f, unsigned k) {
  uint32_t lanes = 0;
  for (unsigned o = 0; o < 3; o++) {
    const uint8_t part = f->op->par.part[o];
    const unsigned half = part == ISA_HALVES_H0_H0 ? 0 : part == ISA_HALVES_H1_H1 ? 1 : k;
    lanes |= flow_marked(f, o, 0xffffu << 16 * half);
  }
  return lanes;
}

static void spoil_half(struct mark_flow *f, unsigned k, uint32_t lanes) {
  for (uint32_t rest = lanes & f->written; rest != 0; rest &= rest - 1)
    f->rd.bits[0][lowest_lane(rest)] |= 0xffffu << 16 * k;
}

/* HADD2, HMUL2, HFMA2, HMNMX2, HSET2 */
void flow_halves(struct mark_flow *f) {
  for (unsigned k = 0; k < 2; k++) spoil_half(f, k, half_marked(f, k) | f->ps_bad[0]);
}

/* HSETP2 */
void flow_compare_halves(struct mark_flow *f) {
  for (unsigned k = 0; k < 2; k++) f->pd_bad[k] = combined(f, half_marked(f, k));
}

/* F2FP: a above, b below */
void flow_pack_halves(struct mark_flow *f) {
  spoil_half(f, 1, flow_marked(f, 0, ~0u));
  spoil_half(f, 0, flow_marked(f, 1, ~0u));
}

/* ---- conversions: a narrow number does not fill its register */

/* I2F */
void flow_integer(struct mark_flow *f) {
  flow_spoil(f, f->op->src[1].words == 2 ? flow_marked_any(f, 1) : flow_marked(f, 1, ~0u >> f->op->par.shift));
}

/* F2I, F2F, FRND */
void flow_float(struct mark_flow *f) {
  const struct sem_par *p = &f->op->par;
  const uint32_t half = 0xffffu << (p->part[1] == ISA_HALF1_H1 ? 16 : 0);
  flow_spoil(f, p->from == ISA_FTYPE_F16 ? flow_marked(f, 1, half) : flow_marked_any(f, 1));
}

/* ---- matrices: lane L holds row L / 4 of A, column L / 4 of B, of C and D row L / 4 and columns 2 (L mod 4) and the
 * next one (isa/doc/10-matrices.md). */
void flow_matrix(struct mark_flow *f) {
  const uint32_t a = flow_marked_any(f, 0), b = flow_marked_any(f, 1), c = flow_marked_any(f, 2);
  uint32_t bad = c;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) {
    const uint32_t row = 0xfu << (i / 4 * 4), columns = 0xffu << (i % 4 * 8);
    if ((a & row) != 0 || (b & columns) != 0) bad |= 1u << i;
  }
  flow_spoil(f, bad);
}
