/* SPDX-License-Identifier: Apache-2.0
 *
 * The fields of memory instructions.
 */
#include "cmodel/core/decode.h"

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

void memory_decode(struct dop *op, const struct heddle_isa_dec *dec, const struct sem_def *def) {
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
