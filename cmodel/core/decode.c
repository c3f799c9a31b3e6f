/* SPDX-License-Identifier: Apache-2.0
 *
 * A program, decoded once at launch: every operand resolved to a row, every
 * field read.
 */
#include <stdlib.h>
#include <string.h>

#include "state.h"

static const uint32_t zero_rows[4][HEDDLE_LANES] __attribute__((aligned(64)));

static void source_modify(struct dsrc *d, const struct isa_src *s, enum sem_neg neg) {
  d->keep = s->abs ? 0x7fffffffu : ~0u;
  if (s->neg && neg == SEM_NEG_FLOAT) d->flip = 0x80000000u;
  if (s->neg && (neg == SEM_NEG_INT || neg == SEM_NEG_NOT)) d->flip = ~0u;
  if (s->neg && neg == SEM_NEG_INT) d->plus = 1;
  d->modified = s->neg || s->abs;
}

/* The word of a constant operand; false when it lies outside its bank. */
static bool constant(const struct heddle_model *m, const struct isa_dec *dec, uint32_t *v) {
  const uint32_t size = dec->cbank < BANKS ? m->launch.cbank_bytes[dec->cbank] : 0;
  if (dec->coff % 4 != 0 || size < 4 || dec->coff > size - 4) return false;
  const uint8_t *p = m->bank[dec->cbank] + dec->coff;
  *v = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
  return true;
}

/* `row`: the row of the pool for an immediate or constant of this instruction. */
static bool source(const struct heddle_model *m, const struct isa_dec *dec, unsigned k, enum sem_neg neg,
                   uint32_t row[HEDDLE_LANES], struct dsrc *d) {
  const struct isa_src *s = &dec->src[k];
  *d = (struct dsrc){.fixed = zero_rows[0], .row = ROW_DEFINED, .words = s->words};
  if (s->kind == ISA_NONE) {
    d->words = 0;
    return true;
  }
  source_modify(d, s, neg);
  if (s->kind == ISA_REG) {
    if (s->reg == ISA_RZ) return true;
    d->fixed = NULL;
    d->row = s->reg;
    return true;
  }
  d->words = 1;
  uint32_t v = dec->imm;
  if (s->kind == ISA_CONST && !constant(m, dec, &v)) return false;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) row[i] = v;
  d->fixed = row;
  return true;
}

static uint16_t special_row(uint64_t sreg) {
  switch (sreg) {
  case ISA_SREG_SR_TID_X:
    return ROW_TID_X;
  case ISA_SREG_SR_TID_Y:
    return ROW_TID_Y;
  case ISA_SREG_SR_TID_Z:
    return ROW_TID_Z;
  case ISA_SREG_SR_CTAID_X:
    return ROW_CTAID_X;
  case ISA_SREG_SR_CTAID_Y:
    return ROW_CTAID_Y;
  case ISA_SREG_SR_CTAID_Z:
    return ROW_CTAID_Z;
  case ISA_SREG_SR_EQMASK:
    return ROW_EQMASK;
  case ISA_SREG_SR_LTMASK:
    return ROW_LTMASK;
  case ISA_SREG_SR_LEMASK:
    return ROW_LEMASK;
  case ISA_SREG_SR_GTMASK:
    return ROW_GTMASK;
  case ISA_SREG_SR_GEMASK:
    return ROW_GEMASK;
  default:
    return ROW_LANEID;
  }
}

static void access_size(struct dop *op, uint64_t size) {
  op->sign_extend = size == ISA_SIZE_S8 || size == ISA_SIZE_S16;
  switch (size) {
  case ISA_SIZE_U8:
  case ISA_SIZE_S8:
    op->bytes = 1;
    break;
  case ISA_SIZE_U16:
  case ISA_SIZE_S16:
    op->bytes = 2;
    break;
  case ISA_SIZE_64:
    op->bytes = 8;
    break;
  case ISA_SIZE_128:
    op->bytes = 16;
    break;
  default:
    op->bytes = 4;
    break;
  }
}

static void memory_fields(struct dop *op, const struct isa_dec *dec, const struct sem_def *def) {
  op->kind = DOP_MEMORY;
  op->space = def->space;
  op->access = def->access;
  op->bank = dec->cbank;
  op->offset = isa_get_signed(dec->word, def->space == SEM_CONST ? ISA_F_COFF16 : ISA_F_OFF24);
  if (def->access == SEM_LOAD || def->access == SEM_STORE)
    access_size(op, isa_get(dec->word, ISA_F_SIZE));
  else
    op->bytes = 4;
}

static void control_fields(struct dop *op, const struct isa_dec *dec, const struct sem_def *def, uint32_t pc) {
  op->kind = DOP_CONTROL;
  op->control = def->control;
  op->bx = (uint8_t)isa_get(dec->word, ISA_F_BX);
  op->bar_id = (uint8_t)isa_get(dec->word, ISA_F_BARID);
  op->bar_count = (uint16_t)isa_get(dec->word, ISA_F_BARCNT);
  op->target = pc + ISA_WORD_BYTES + (uint32_t)isa_get(dec->word, ISA_F_REL);
  op->offset = isa_get_signed(dec->word, ISA_F_OFF32);
}

static void predicates(struct dop *op, const struct isa_dec *dec) {
  op->guard = dec->guard.index;
  op->guard_flip = dec->guard.neg ? ALL_LANES : 0;
  for (unsigned k = 0; k < 3; k++) {
    op->ps[k] = dec->ps[k].index;
    op->ps_flip[k] = dec->ps[k].neg ? ALL_LANES : 0;
  }
  op->pd[0] = !dec->has_pd0 || dec->pd0 == ISA_PT ? PRED_SINK : dec->pd0;
  op->pd[1] = !dec->has_pd1 || dec->pd1 == ISA_PT ? PRED_SINK : dec->pd1;
  op->has_pd = op->pd[0] != PRED_SINK || op->pd[1] != PRED_SINK;
}

static void decode_one(struct heddle_model *m, uint32_t i, uint32_t row[HEDDLE_LANES]) {
  struct dop *op = &m->op[i];
  struct isa_dec *dec = &m->dec[i];
  struct isa_word w = {0, 0};
  const uint8_t *p = m->launch.code + (size_t)i * ISA_WORD_BYTES;
  for (unsigned k = 0; k < 8; k++) {
    w.lo |= (uint64_t)p[k] << (8 * k);
    w.hi |= (uint64_t)p[8 + k] << (8 * k);
  }
  const bool legal =
      isa_decode(w, dec) && isa_max_reg(dec) < (int)m->launch.regs && (m->launch.units >> dec->unit & 1) != 0;
  op->kind = DOP_ILLEGAL;
  if (!legal) {
    *dec = (struct isa_dec){.word = w};
    return;
  }
  const struct sem_def *def = m->sem->op[dec->op];
  predicates(op, dec);
  op->kind = DOP_ROW;
  bool in_bank = true;
  for (unsigned k = 0; k < 3; k++) {
    in_bank = source(m, dec, k, (enum sem_neg)def->neg, row, &op->src[k]) && in_bank;
    op->wide = op->wide || op->src[k].words > 1;
  }
  op->rd = dec->has_rd ? dec->rd : ROW_SINK;
  op->rd_words = dec->has_rd && dec->rd != ISA_RZ ? dec->rd_words : 0;
  op->wide = op->wide || op->rd_words > 1;
  if (def->kind == SEM_MEMORY) memory_fields(op, dec, def);
  if (def->kind == SEM_CONTROL) control_fields(op, dec, def, i * ISA_WORD_BYTES);
  if (op->kind == DOP_ROW) op->fn = def->pick(dec, &op->par);
  if (dec->op == ISA_OP_S2R) op->src[1] = (struct dsrc){.row = special_row(isa_get(w, ISA_F_SREG))};
  op->has_ps = def->reads_ps;
  if (!in_bank) op->kind = DOP_BAD_CONST;
}

/* Does the word have an operand that needs a row of the pool? */
static bool needs_row(const struct isa_dec *dec) {
  for (unsigned k = 0; k < 3; k++)
    if (dec->src[k].kind == ISA_IMM || dec->src[k].kind == ISA_CONST) return true;
  return false;
}

static uint32_t count_rows(const struct heddle_model *m) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->ops; i++) n += needs_row(&m->dec[i]);
  return n;
}

/* Two passes: the pool must not move once operands point into it. */
enum heddle_status program_decode(struct heddle_model *m) {
  m->ops = m->launch.code_bytes / ISA_WORD_BYTES;
  m->op = calloc(m->ops, sizeof *m->op);
  m->dec = calloc(m->ops, sizeof *m->dec);
  if (m->op == NULL || m->dec == NULL) return model_fail(m, HEDDLE_NO_MEMORY, "no memory for %u instructions", m->ops);
  uint32_t scratch[HEDDLE_LANES];
  for (uint32_t i = 0; i < m->ops; i++) decode_one(m, i, scratch);
  const size_t rows = (size_t)count_rows(m) + 1;
  m->pool = aligned_alloc(64, rows * sizeof *m->pool);
  if (m->pool == NULL) return model_fail(m, HEDDLE_NO_MEMORY, "no memory for %zu constants", rows);
  memset(m->op, 0, m->ops * sizeof *m->op);
  uint32_t used = 0;
  for (uint32_t i = 0; i < m->ops; i++) {
    const bool row = needs_row(&m->dec[i]);
    decode_one(m, i, m->pool[used]);
    used += row;
  }
  return HEDDLE_OK;
}
