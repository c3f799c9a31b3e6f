/* SPDX-License-Identifier: Apache-2.0
 *
 * A program decoded once: every operand a row, every operation a function.
 */

#include <stdlib.h>
#include <string.h>
#include "cmodel/core/pages.h"
#include "cmodel/core/straight.h"
#include "cmodel/core/state.h"

/* Where rows of immediates and constants go. `row` NULL: they are only counted. */
struct pool {
  uint32_t (*row)[HEDDLE_LANES];
  size_t used;
};

/* Source operands as rows: registers, uniform registers, immediates,
 * constants, special registers. */

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

/* Operand k. False: a constant outside its bank. */
static bool operand_decode(const struct heddle_model *m, const struct heddle_isa_dec *dec, unsigned k,
                           struct pool *pool, struct dsrc *d) {
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
/* The special register that S2R, S2UR, CS2R read; otherwise nothing. */
static void special_decode(struct dop *op, const struct heddle_isa_dec *dec) {
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

/* The fields of memory instructions. */

_Static_assert((int)SEM_U8 == (int)ISA_SIZE_U8 && (int)SEM_S8 == (int)ISA_SIZE_S8 &&
                   (int)SEM_U16 == (int)ISA_SIZE_U16 && (int)SEM_S16 == (int)ISA_SIZE_S16 &&
                   (int)SEM_32 == (int)ISA_SIZE_32 && (int)SEM_64 == (int)ISA_SIZE_64 &&
                   (int)SEM_128 == (int)ISA_SIZE_128 && (int)SEM_64 == (int)ISA_USIZE_64 &&
                   (int)SEM_64 == (int)ISA_CSIZE_64 && (int)SEM_128 == (int)ISA_CSIZE_128,
               "enum sem_size numbers sizes as the ISA file does");

static void access_size(struct dop *op, const struct heddle_isa_dec *dec) {
  static const uint8_t bytes[SEM_SIZES] = {1, 1, 2, 2, 4, 8, 16};
  const enum heddle_isa_field field = dec->op == ISA_OP_ULDC       ? ISA_F_USIZE
                                      : dec->op == ISA_OP_LDGSTS_E ? ISA_F_CSIZE
                                                                   : ISA_F_SIZE;
  const uint64_t size = heddle_isa_get(dec->word, field);
  op->size = (uint8_t)(size < SEM_SIZES ? size : SEM_32);
  op->bytes = bytes[op->size];
}

static enum sem_access access_of(const struct heddle_isa_dec *dec, const struct heddle_isa_instr *info,
                                 bool whole_warp) {
  switch ((enum heddle_isa_access)info->access) {
  case ISA_ACCESS_STORE:
    return SEM_STORE;
  case ISA_ACCESS_ATOM:
    return dec->src[2].kind != ISA_NONE ? SEM_CAS : SEM_ATOM;
  case ISA_ACCESS_RED:
    return SEM_RED;
  case ISA_ACCESS_COPY:
    return SEM_COPY;
  default:
    return whole_warp ? SEM_LOAD_MATRIX : SEM_LOAD;
  }
}

static void memory_decode(struct dop *op, const struct heddle_isa_dec *dec, const struct sem_def *def) {
  const struct heddle_isa_instr *info = heddle_isa_instr_info((enum heddle_isa_op)dec->op);
  const enum sem_access access = access_of(dec, info, def->whole_warp);
  op->kind = DOP_MEMORY;
  op->space = info->space;
  op->access = (uint8_t)access;
  op->bank = dec->cbank;
  op->offset = heddle_isa_get_signed(dec->word, info->space == ISA_SPACE_CONST ? ISA_F_COFF16 : ISA_F_OFF24);
  switch (access) {
  case SEM_LOAD:
  case SEM_STORE:
  case SEM_COPY:
    access_size(op, dec);
    break;
  case SEM_LOAD_MATRIX:
    op->size = SEM_128;
    op->bytes = 16;
    op->transposed = heddle_isa_get(dec->word, ISA_F_TRANS) == ISA_TRANS_MT88;
    op->matrices = dec->rd_words;
    break;
  case SEM_ATOM:
  case SEM_RED:
  case SEM_CAS:
    op->size = dec->src[1].words == 2 ? SEM_64 : SEM_32;
    op->bytes = (uint8_t)(4 * dec->src[1].words);
    op->atomic = (uint8_t)heddle_isa_get(dec->word, access == SEM_RED ? ISA_F_ROP : ISA_F_AOP);
    break;
  }
}

/* The fields of control instructions. */

static void control_decode(struct dop *op, const struct heddle_isa_dec *dec, const struct sem_def *def, uint32_t next) {
  op->kind = DOP_CONTROL;
  op->control = def->control;
  op->drains = heddle_isa_instr_info((enum heddle_isa_op)dec->op)->drains;
  op->awaits_async = dec->op == ISA_OP_MEMBAR && heddle_isa_get(dec->word, ISA_F_SCOPE) != ISA_SCOPE_CTA;
  op->bx = (uint8_t)heddle_isa_get(dec->word, dec->op == ISA_OP_BMOV_GET ? ISA_F_BXS : ISA_F_BX);
  op->bar_id = (uint8_t)heddle_isa_get(dec->word, ISA_F_BARID);
  op->bar_count = (uint16_t)heddle_isa_get(dec->word, ISA_F_BARCNT);
  op->target = dec->op == ISA_OP_JMP ? (uint32_t)heddle_isa_get(dec->word, ISA_F_ABS32)
                                     : next + (uint32_t)heddle_isa_value(dec->word, ISA_F_REL);
  op->offset = heddle_isa_get_signed(dec->word, ISA_F_OFF32);
  op->clear = dec->op == ISA_OP_BMOV_GET && heddle_isa_get(dec->word, ISA_F_CLEAR) == ISA_CLEAR_CLEAR;
  op->any = heddle_isa_get(dec->word, ISA_F_BARRED) == ISA_BARRED_OR;
}

/* A program, decoded once at launch: every operand resolved to a row, every
 * field read. */

#define SECTOR_BYTES 32u /* what a bus error names */

static uint8_t pred_of(unsigned index, bool uniform) {
  return (uint8_t)(uniform && index != ISA_PT ? PRED_UP + index : index);
}

static void decode_predicates(struct dop *op, const struct heddle_isa_dec *dec) {
  op->guard = pred_of(dec->guard.index, dec->uniform);
  op->guard_flip = dec->guard.neg ? ALL_LANES : 0;
  op->always = dec->uniform ? ALL_LANES : 0;
  for (unsigned k = 0; k < 3; k++) {
    op->ps[k] = pred_of(dec->ps[k].index, dec->ps_uniform);
    op->ps_flip[k] = dec->ps[k].neg ? ALL_LANES : 0;
  }
  op->pd[0] = !dec->has_pd0 || dec->pd0 == ISA_PT ? PRED_SINK : pred_of(dec->pd0, dec->pd_uniform);
  op->pd[1] = !dec->has_pd1 || dec->pd1 == ISA_PT ? PRED_SINK : pred_of(dec->pd1, dec->pd_uniform);
  op->has_pd = op->pd[0] != PRED_SINK || op->pd[1] != PRED_SINK;
}

static void decode_destination(struct dop *op, const struct heddle_isa_dec *dec) {
  const bool written = dec->has_rd && dec->rd != ISA_RZ;
  op->rd = written ? (uint16_t)(dec->rd_uniform ? ROW_UR + dec->rd : dec->rd) : ROW_SINK;
  op->rd_words = written ? dec->rd_words : 0;
  op->wide = op->wide || op->rd_words > 1;
  op->rd_uniform = dec->rd_uniform && !dec->uniform;
  op->pd_uniform = dec->pd_uniform && !dec->uniform;
}

/* P2R reads the predicates that an immediate b names; any of them, when b is no immediate. */
static uint8_t preds_read(const struct heddle_isa_dec *dec) {
  return dec->src[1].kind == ISA_IMM ? dec->src[1].imm & 0x7f : 0x7f;
}

static void row_fields(struct dop *op, const struct heddle_isa_dec *dec, const struct sem_def *def) {
  for (unsigned k = 0; k < 3; k++) {
    op->par.minus |= (uint8_t)(dec->src[k].neg << k);
    op->par.absolute |= (uint8_t)(dec->src[k].abs << k);
    op->par.part[k] = dec->src[k].part;
  }
  op->fn = def->pick(dec, &op->par);
  op->all_preds = def->all_preds;
  op->preds_read = def->all_preds && dec->has_rd ? preds_read(dec) : 0;
  special_decode(op, dec);
  const bool rare = def->all_preds || def->whole_warp || op->reads_clock || op->rd_uniform || op->pd_uniform;
  op->kind = rare ? DOP_RARE : DOP_ROW;
}

static bool legal(const struct heddle_model *m, const struct heddle_isa_dec *dec) {
  if (heddle_isa_max_reg(dec) >= (int)m->launch.regs || !heddle_isa_has_units(dec, m->launch.units)) return false;
  return !m->launch.rtl_only || heddle_isa_in_rtl(dec);
}

/* Some word of its constant operand is answered with an error. */
static bool constant_errs(const struct heddle_model *m, const struct heddle_isa_dec *dec) {
  bool errs = false;
  for (unsigned k = 0; k < 3; k++)
    for (unsigned i = 0; i < dec->src[k].words && dec->src[k].kind == ISA_CONST; i++)
      errs = errs || heddle_line_errs(&m->launch, m->launch.cbank_at[dec->cbank] + dec->coff + 4 * i);
  return errs;
}

/* Some word of its constant operand lies in a page that has not been read. */
static bool constant_lacks(const struct heddle_model *m, const struct heddle_isa_dec *dec) {
  bool lacks = false;
  for (unsigned k = 0; k < 3 && m->pages != NULL; k++)
    if (dec->src[k].kind == ISA_CONST)
      lacks = lacks || !pages_bank_there(m, dec->cbank, dec->coff, 4u * dec->src[k].words);
  return lacks;
}

static void decode_one(struct heddle_model *m, uint32_t i, struct pool *pool) {
  struct dop *op = &m->op[i];
  struct heddle_isa_dec *dec = &m->dec[i];
  struct heddle_isa_word w;
  uint32_t bytes;
  const bool begins = heddle_isa_fetch(m->launch.code, i * ISA_STEP, &w, &bytes);
  op->kind = DOP_ILLEGAL;
  op->next = (uint8_t)bytes;
  if (!begins || !heddle_isa_decode(w, dec) || !legal(m, dec)) {
    *dec = (struct heddle_isa_dec){.word = w};
    return;
  }
  const struct sem_def *def = m->sem->op[dec->op];
  decode_predicates(op, dec);
  bool in_bank = true;
  for (unsigned k = 0; k < 3; k++) {
    in_bank = operand_decode(m, dec, k, pool, &op->src[k]) && in_bank;
    op->wide = op->wide || op->src[k].words > 1;
    for (unsigned i = 1; i < op->src[k].words && op->src[k].fixed == NULL; i++)
      op->more[op->n_more++] = (uint16_t)(op->src[k].row + i);
  }
  decode_destination(op, dec);
  op->has_ps = heddle_isa_enc_reads_preds((enum heddle_isa_enc)dec->enc);
  op->whole_warp = def->whole_warp;
  if (def->kind == SEM_MEMORY) memory_decode(op, dec, def);
  if (def->kind == SEM_CONTROL) control_decode(op, dec, def, i * ISA_STEP + bytes);
  if (def->kind == SEM_ROW) row_fields(op, dec, def);
  if (!in_bank)
    op->kind = DOP_BAD_CONST;
  else if (constant_errs(m, dec))
    op->kind = DOP_CONST_ERROR;
  else if (constant_lacks(m, dec))
    op->kind = DOP_CONST_FAULT;
}

static void words_lack(struct heddle_model *m) {
  for (uint32_t i = 0; i < m->ops && m->pages != NULL; i++) {
    struct dop *op = &m->op[i];
    if (pages_code_there(m, i * ISA_STEP, op->next)) continue;
    op->kind = DOP_FETCH_FAULT;
    op->next = pages_code_there(m, i * ISA_STEP, ISA_STEP) ? op->next : ISA_STEP;
  }
}

/* Two passes: the pool must not move once operands point into it. */
enum heddle_error program_decode(struct heddle_model *m) {
  m->ops = m->launch.code_bytes / ISA_STEP;
  if (m->op == NULL) m->op = calloc(m->ops, sizeof *m->op);
  if (m->dec == NULL) m->dec = calloc(m->ops, sizeof *m->dec);
  if (m->op == NULL || m->dec == NULL)
    return model_fail(m, HEDDLE_ERROR_HOST_MEMORY, "no memory for %u instructions", m->ops);
  struct pool pool = {NULL, 0};
  memset(m->op, 0, m->ops * sizeof *m->op);
  for (uint32_t i = 0; i < m->ops; i++) decode_one(m, i, &pool);
  const size_t rows = pool.used + 1;
  free(m->pool);
  m->pool = aligned_alloc(64, rows * sizeof *m->pool);
  if (m->pool == NULL) return model_fail(m, HEDDLE_ERROR_HOST_MEMORY, "no memory for %zu constants", rows);
  memset(m->op, 0, m->ops * sizeof *m->op);
  pool = (struct pool){m->pool, 0};
  for (uint32_t i = 0; i < m->ops; i++) decode_one(m, i, &pool);
  for (uint32_t i = 0; i < m->ops; i++)
    if (heddle_line_errs(&m->launch, m->launch.code_at + i * ISA_STEP)) m->op[i].kind = DOP_FETCH_ERROR;
  words_lack(m);
  if (!async_decode(m) || !straight_decode(m))
    return model_fail(m, HEDDLE_ERROR_HOST_MEMORY, "no memory for %u instructions", m->ops);
  return HEDDLE_SUCCESS;
}

struct flow decode_trap(const struct heddle_model *m, const struct warp *w) {
  struct flow f = {.trap = HEDDLE_TRAP_NONE, .lanes = w->active};
  const uint32_t i = op_index(w->pc);
  const enum dop_kind kind = i < m->ops ? (enum dop_kind)m->op[i].kind : DOP_ILLEGAL;
  if (i >= m->ops) {
    f.trap = HEDDLE_TRAP_BAD_PC;
    f.addr = w->pc;
  } else if (kind == DOP_FETCH_ERROR) {
    f.trap = HEDDLE_TRAP_BUS;
    f.addr = (m->launch.code_at + w->pc) / SECTOR_BYTES * SECTOR_BYTES;
  } else if (kind == DOP_ILLEGAL) {
    f.trap = HEDDLE_TRAP_ILLEGAL;
  } else if (kind == DOP_BAD_CONST || kind == DOP_CONST_ERROR) {
    f.trap = kind == DOP_BAD_CONST ? HEDDLE_TRAP_CONST_RANGE : HEDDLE_TRAP_BUS;
    f.addr = m->dec[i].coff;
  }
  return f;
}
