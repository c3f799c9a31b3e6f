/* SPDX-License-Identifier: Apache-2.0
 *
 * Undefined bits: a rule for each kind of row operation.
 */
#include <string.h>
#include "cmodel/core/marks_flow.h"

/* Rules of operations that move, choose and combine bits. */

/* ---- moves */

/* The operation only moves bits of the operands `data`: so it moves their marks, steered by the other operands. */
static void move_marks(struct mark_flow *f, unsigned data) {
  alignas(64) uint32_t on[HEDDLE_LANES];
  const uint32_t *row[3];
  for (unsigned k = 0; k < 3; k++) row[k] = (data >> k & 1) != 0 ? f->src[k].bits[0] : f->value[k];
  for (unsigned i = 0; i < HEDDLE_LANES; i++) on[i] = (f->written >> i & 1) != 0 ? ~0u : 0;
  struct sem_io io = {.on = on, .exec = f->exec};
  memcpy(io.ps, f->ps, sizeof io.ps);
  f->op->fn(f->rd.bits[0], row[0], row[1], row[2], &io, &f->op->par);
}

/* MOV, BREV, R2UR */
void flow_copy(struct mark_flow *f) {
  move_marks(f, 7);
}

/* SHF: {c:a} by b */
void flow_shift(struct mark_flow *f) {
  move_marks(f, 5);
  flow_spoil(f, flow_marked(f, 1, f->op->par.wrap ? f->op->par.sh_limit : ~0u));
}

/* SGXT: a, b bits of it */
void flow_extend(struct mark_flow *f) {
  move_marks(f, 1);
  flow_spoil(f, flow_marked(f, 1, f->op->par.wrap ? 31 : ~0u));
}

/* PRMT: bytes of {c:a}; a digit of b for each byte of the result */
void flow_bytes(struct mark_flow *f) {
  move_marks(f, 5);
  if (f->op->par.mode != ISA_PRMT_IDX) {
    flow_spoil(f, flow_marked(f, 1, 3));
    return;
  }
  for (unsigned i = 0; i < HEDDLE_LANES; i++)
    for (unsigned k = 0; k < 4; k++)
      if ((f->src[1].bits[0][i] >> 4 * k & 15u) != 0) f->rd.bits[0][i] |= 0xffu << 8 * k;
}

/* SHFL: the lane that each lane hears is what the operation makes of lane numbers. */
void flow_shuffle(struct mark_flow *f) {
  uint32_t number[HEDDLE_LANES], heard[HEDDLE_LANES];
  for (unsigned i = 0; i < HEDDLE_LANES; i++) number[i] = heard[i] = i;
  struct sem_io io = {.on = all_on, .exec = f->exec};
  f->op->fn(heard, number, f->value[1], f->value[2], &io, &f->op->par);
  for (uint32_t rest = f->exec; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest), j = heard[i];
    f->rd.bits[0][i] = f->src[0].bits[0][j];
    f->rd.from[0][i] = f->src[0].from[0][j];
  }
  const uint32_t unsure = flow_marked(f, 1, 0x1f) | flow_marked(f, 2, 0x1f1f);
  for (uint32_t rest = unsure; rest != 0; rest &= rest - 1) f->rd.from[0][lowest_lane(rest)] = 0;
  flow_spoil(f, unsure);
}

/* SEL, FSEL: where nobody knows which, what both agree on. Flushing looks at the whole number. */
void flow_select(struct mark_flow *f) {
  for (uint32_t rest = f->exec; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest), k = (f->ps[0] >> i & 1) != 0 ? 0 : 1;
    const uint32_t a = f->src[0].bits[0][i], b = f->src[1].bits[0][i];
    const bool unsure = (f->ps_bad[0] >> i & 1) != 0;
    uint32_t bits = unsure ? a | b | (f->value[0][i] ^ f->value[1][i]) : f->src[k].bits[0][i];
    if (f->op->par.ftz && bits != 0) bits = ~0u;
    f->rd.bits[0][i] = bits;
    if (!unsure) f->rd.from[0][i] = f->src[k].from[0][i];
    if (unsure && (a | b) == 0) f->rd.from[0][i] = f->ps_from[0][i];
  }
}

/* ---- truth tables */

struct bits3 {
  uint32_t value[3], bad[3];
};

/* Of a table on every bit: those that may become 0, and 1. Bits of 1 in `same`: operands that are one register (bit 0:
 * a and b, bit 1: b and c, bit 2: c and a), so that they are not free of each other. */
static void table_may(uint8_t lut, const struct bits3 *s, unsigned same, uint32_t may[2]) {
  may[0] = may[1] = 0;
  for (unsigned k = 0; k < 8; k++) {
    const unsigned x[3] = {k >> 2, k >> 1 & 1, k & 1};
    uint32_t can = ~0u;
    for (unsigned n = 0; n < 3; n++) {
      can &= (x[n] != 0 ? s->value[n] : ~s->value[n]) | s->bad[n];
      if ((same >> n & 1) != 0 && x[n] != x[(n + 1) % 3]) can = 0;
    }
    may[lut >> k & 1] |= can;
  }
}

static unsigned same_registers(const struct dop *op) {
  unsigned same = 0;
  for (unsigned n = 0; n < 3; n++) {
    const struct dsrc *a = &op->src[n], *b = &op->src[(n + 1) % 3];
    if (a->fixed == NULL && b->fixed == NULL && a->words != 0 && b->words != 0 && a->row == b->row) same |= 1u << n;
  }
  return same;
}

/* Of the first operand that makes a bit undefined by itself. */
static uint64_t table_origin(const struct mark_flow *f, unsigned lane, const struct bits3 *s, unsigned same) {
  for (unsigned k = 0; k < 3; k++) {
    struct bits3 alone = *s;
    uint32_t may[2];
    for (unsigned n = 0; n < 3; n++) alone.bad[n] = n == k ? s->bad[n] : 0;
    table_may(f->op->par.lut0, &alone, same, may);
    if ((may[0] & may[1]) != 0) return f->src[k].from[0][lane];
  }
  return 0;
}

/* LOP3; pd0: is a bit of the result 1? */
void flow_table(struct mark_flow *f) {
  const unsigned same = same_registers(f->op);
  for (uint32_t rest = f->exec; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    struct bits3 s;
    uint32_t may[2];
    for (unsigned k = 0; k < 3; k++) {
      s.value[k] = f->value[k][i];
      s.bad[k] = f->src[k].bits[0][i];
    }
    table_may(f->op->par.lut0, &s, same, may);
    f->rd.bits[0][i] = may[0] & may[1];
    if (f->rd.bits[0][i] == 0) continue;
    f->rd.from[0][i] = table_origin(f, i, &s, same);
    if ((may[1] & ~may[0]) == 0) f->pd_bad[0] |= 1u << i;
  }
}

/* PLOP3: lanes are bits */
void flow_predicates(struct mark_flow *f) {
  const struct dop *op = f->op;
  const uint8_t lut[2] = {op->par.lut0, op->par.lut1};
  struct bits3 s;
  memcpy(s.value, f->ps, sizeof s.value);
  memcpy(s.bad, f->ps_bad, sizeof s.bad);
  for (unsigned k = 0; k < 2; k++) {
    uint32_t may[2];
    table_may(lut[k], &s, 0, may);
    f->pd_bad[k] = may[0] & may[1] & f->exec;
  }
}

/* UP2P */
void flow_predicate(struct mark_flow *f) {
  f->pd_bad[0] = f->ps_bad[0];
}

/* P2R: b ? predicates : a, by bit */
void flow_pack_predicates(struct mark_flow *f) {
  const uint8_t b_chooses_c = 0xb8;
  for (uint32_t rest = f->exec; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    struct bits3 s = {{f->value[0][i], f->value[1][i], 0}, {f->src[0].bits[0][i], f->src[1].bits[0][i], 0}};
    uint32_t may[2];
    for (unsigned k = 0; k < PREDS_NAMED; k++) {
      s.value[2] |= (f->p[k] >> i & 1) << k;
      s.bad[2] |= (f->p_bad[k] >> i & 1) << k;
    }
    table_may(b_chooses_c, &s, 0, may);
    f->rd.bits[0][i] = may[0] & may[1];
    const uint32_t of_predicates = may[0] & may[1] & s.bad[2] & ~(s.bad[0] | s.bad[1]);
    if (of_predicates != 0) f->rd.from[0][i] = f->p_from[lowest_lane(of_predicates)][i];
  }
}

/* R2P: which ones are written is defined. */
void flow_unpack_predicates(struct mark_flow *f) {
  for (unsigned k = 0; k < PREDS_NAMED; k++) f->p_bad[k] = flow_marked(f, 0, 1u << k);
}

/* ---- votes */

void flow_vote(struct mark_flow *f) {
  const uint32_t bad = f->ps_bad[0], yes = f->exec & f->ps[0] & ~bad, no = f->exec & ~f->ps[0] & ~bad;
  const bool decided = f->op->par.mode == ISA_VOTE_ALL   ? no != 0
                       : f->op->par.mode == ISA_VOTE_ANY ? yes != 0
                                                         : yes != 0 && no != 0;
  for (uint32_t rest = f->written; rest != 0; rest &= rest - 1) f->rd.bits[0][lowest_lane(rest)] = bad;
  f->pd_bad[0] = decided || bad == 0 ? 0 : f->written;
}

/* Rules of operations that compute numbers and compare them. */

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
