/* SPDX-License-Identifier: Apache-2.0
 *
 * Source operands as rows: registers, uniform registers, immediates,
 * constants, special registers.
 */
#include "cmodel/core/decode.h"

static const uint32_t zero_rows[4][HEDDLE_LANES] __attribute__((aligned(64)));

static void operand_modify(struct dsrc *d, const struct heddle_isa_src *s, enum heddle_isa_modify how) {
  const uint32_t sign = how == ISA_MODIFY_HALF ? 0x80008000u : 0x80000000u;
  const bool by_core = how != ISA_MODIFY_OWN;
  d->keep = s->abs && by_core ? ~sign : ~0u;
  if (s->neg && (how == ISA_MODIFY_FLOAT || how == ISA_MODIFY_HALF)) d->flip = sign;
  if (s->neg && (how == ISA_MODIFY_INT || how == ISA_MODIFY_NOT)) d->flip = ~0u;
  if (s->neg && how == ISA_MODIFY_INT) d->plus = 1;
  d->modified = (s->neg || s->abs) && by_core;
}

/* The words of a constant operand; false when they lie outside their bank. */
static bool constant_words(const struct heddle_model *m, const struct heddle_isa_dec *dec, unsigned words,
                           uint32_t v[4]) {
  const uint32_t size = dec->cbank < BANKS ? m->launch.cbank_bytes[dec->cbank] : 0, bytes = 4 * words;
  if (size < bytes || dec->coff > size - bytes) return false;
  const uint8_t *p = m->bank[dec->cbank] + dec->coff;
  for (unsigned k = 0; k < words; k++, p += 4)
    v[k] = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
  return true;
}

/* The 32 bits of an immediate are the upper word of an FP64 number, and the lower one of a 64-bit integer. */
static void immediate(const struct heddle_isa_dec *dec, const struct heddle_isa_src *s, uint32_t v[4]) {
  const uint8_t type = heddle_isa_instr_info((enum heddle_isa_op)dec->op)->imm;
  const bool number = type == ISA_IMM_F64 || type == ISA_IMM_F32;
  v[number && s->words == 2 ? 1 : 0] = s->imm;
}

/* One row a word, in the pool. */
static void spread(struct pool *pool, const uint32_t v[4], struct dsrc *d) {
  if (pool->row != NULL) {
    uint32_t(*row)[HEDDLE_LANES] = pool->row + pool->used;
    for (unsigned k = 0; k < d->words; k++)
      for (unsigned i = 0; i < HEDDLE_LANES; i++) row[k][i] = v[k];
    d->fixed = row[0];
  }
  pool->used += d->words;
}

bool operand_decode(const struct heddle_model *m, const struct heddle_isa_dec *dec, unsigned k, struct pool *pool,
                    struct dsrc *d) {
  const struct heddle_isa_src *s = &dec->src[k];
  *d = (struct dsrc){.fixed = zero_rows[0], .row = ROW_DEFINED, .words = s->kind == ISA_NONE ? 0 : s->words};
  if (s->kind == ISA_NONE) return true;
  operand_modify(d, s, (enum heddle_isa_modify)heddle_isa_instr_info((enum heddle_isa_op)dec->op)->modify);
  uint32_t v[4] = {0};
  if (s->kind == ISA_REG || s->kind == ISA_UREG) {
    if (s->reg == ISA_RZ) return true;
    d->fixed = NULL;
    d->row = (uint16_t)(s->kind == ISA_UREG ? ROW_UR + s->reg : s->reg);
    return true;
  }
  if (s->kind == ISA_IMM) immediate(dec, s, v);
  if (s->kind == ISA_CONST && !constant_words(m, dec, s->words, v)) return false;
  spread(pool, v, d);
  return true;
}

/* Row of a special register; ROW_DEFINED for SRZ. */
static uint16_t special_row(uint64_t sreg) {
  static const struct {
    uint8_t sreg;
    uint16_t row;
  } table[] = {
      {ISA_SREG_SR_LANEID, ROW_LANEID},   {ISA_SREG_SR_TID_X, ROW_TID_X},     {ISA_SREG_SR_TID_Y, ROW_TID_Y},
      {ISA_SREG_SR_TID_Z, ROW_TID_Z},     {ISA_SREG_SR_CTAID_X, ROW_CTAID_X}, {ISA_SREG_SR_CTAID_Y, ROW_CTAID_Y},
      {ISA_SREG_SR_CTAID_Z, ROW_CTAID_Z}, {ISA_SREG_SR_EQMASK, ROW_EQMASK},   {ISA_SREG_SR_LTMASK, ROW_LTMASK},
      {ISA_SREG_SR_LEMASK, ROW_LEMASK},   {ISA_SREG_SR_GTMASK, ROW_GTMASK},   {ISA_SREG_SR_GEMASK, ROW_GEMASK},
      {ISA_SREG_SR_WARPID, ROW_WARPID},   {ISA_SREG_SR_SMID, ROW_SMID},       {ISA_SREG_SR_NWARPID, ROW_NWARPID},
      {ISA_SREG_SR_NSMID, ROW_NSMID},     {ISA_SREG_SR_CLOCKLO, ROW_CLOCKLO}, {ISA_SREG_SR_CLOCKHI, ROW_CLOCKHI},
  };
  for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++)
    if (table[i].sreg == sreg) return table[i].row;
  return ROW_DEFINED;
}

/* The sets sreg, sreg2 and usreg number the same registers alike. */
void special_decode(struct dop *op, const struct heddle_isa_dec *dec) {
  enum heddle_isa_field f = ISA_F_SREG;
  if (dec->op == ISA_OP_CS2R)
    f = ISA_F_SREG2;
  else if (dec->op == ISA_OP_S2UR)
    f = ISA_F_USREG;
  else if (dec->op != ISA_OP_S2R)
    return;
  const uint16_t row = special_row(heddle_isa_get(dec->word, f));
  op->src[1] = (struct dsrc){.row = row, .fixed = row == ROW_DEFINED ? zero_rows[0] : NULL};
  op->reads_clock = row == ROW_CLOCKLO || row == ROW_CLOCKHI;
}
