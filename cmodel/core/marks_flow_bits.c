/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules of operations that move, choose and combine bits.
 */
#include "cmodel/core/marks_flow.h"

#include <string.h>

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
