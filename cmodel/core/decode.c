/* SPDX-License-Identifier: Apache-2.0
 *
 * A program, decoded once at launch: every operand resolved to a row, every
 * field read.
 */
#include "decode.h"
#include "cmodel/core/pages.h"
#include "cmodel/core/straight.h"

#include <stdlib.h>
#include <string.h>

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
enum heddle_status program_decode(struct heddle_model *m) {
  m->ops = m->launch.code_bytes / ISA_STEP;
  if (m->op == NULL) m->op = calloc(m->ops, sizeof *m->op);
  if (m->dec == NULL) m->dec = calloc(m->ops, sizeof *m->dec);
  if (m->op == NULL || m->dec == NULL) return model_fail(m, HEDDLE_NO_MEMORY, "no memory for %u instructions", m->ops);
  struct pool pool = {NULL, 0};
  memset(m->op, 0, m->ops * sizeof *m->op);
  for (uint32_t i = 0; i < m->ops; i++) decode_one(m, i, &pool);
  const size_t rows = pool.used + 1;
  free(m->pool);
  m->pool = aligned_alloc(64, rows * sizeof *m->pool);
  if (m->pool == NULL) return model_fail(m, HEDDLE_NO_MEMORY, "no memory for %zu constants", rows);
  memset(m->op, 0, m->ops * sizeof *m->op);
  pool = (struct pool){m->pool, 0};
  for (uint32_t i = 0; i < m->ops; i++) decode_one(m, i, &pool);
  for (uint32_t i = 0; i < m->ops; i++)
    if (heddle_line_errs(&m->launch, m->launch.code_at + i * ISA_STEP)) m->op[i].kind = DOP_FETCH_ERROR;
  words_lack(m);
  if (!async_decode(m) || !straight_decode(m))
    return model_fail(m, HEDDLE_NO_MEMORY, "no memory for %u instructions", m->ops);
  return HEDDLE_OK;
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
