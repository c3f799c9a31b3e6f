/* SPDX-License-Identifier: Apache-2.0
 *
 * What the word of an instruction says of memory (isa/doc/04-memory.md, 10-matrices.md).
 */
#include <string.h>

#include "lab/verify/oracle/order/internal.h"

static unsigned size_bytes(unsigned size) {
  switch (size) {
  case ISA_SIZE_U8:
  case ISA_SIZE_S8:
    return 1;
  case ISA_SIZE_U16:
  case ISA_SIZE_S16:
    return 2;
  case ISA_SIZE_64:
    return 8;
  case ISA_SIZE_128:
    return 16;
  default:
    return 4;
  }
}

static void take_registers(const struct heddle_isa_dec *d, struct action *a) {
  memset(a->reg, ISA_RZ, sizeof a->reg);
  for (unsigned s = 0; s < 3; s++)
    for (unsigned k = 0; d->src[s].kind == ISA_REG && d->src[s].reg != ISA_RZ && k < d->src[s].words; k++)
      if (2 * s + k < ACTION_OPERANDS) a->reg[2 * s + k] = (uint8_t)(d->src[s].reg + k);
}

static void take_matrix(const struct heddle_isa_dec *d, struct action *a) {
  a->act = ACT_MATRIX;
  a->bytes = 16;
  a->matrices = (uint8_t)(1u << heddle_isa_get(d->word, ISA_F_NUM));
  a->turned = heddle_isa_get(d->word, ISA_F_TRANS) == ISA_TRANS_MT88;
}

static void take_access(const struct heddle_isa_dec *d, const struct heddle_isa_instr *info, struct action *a) {
  const enum heddle_isa_enc enc = (enum heddle_isa_enc)d->enc;
  a->strong = heddle_isa_enc_owns(enc, ISA_F_STRONG) && heddle_isa_get(d->word, ISA_F_STRONG) >= ISA_STRONG_STRONG_GPU;
  if (info->access == ISA_ACCESS_ATOM || info->access == ISA_ACCESS_RED) {
    a->act = ACT_ATOMIC;
    a->cas = heddle_isa_enc_owns(enc, ISA_F_CAS);
    a->aop = (uint8_t)(a->cas ? 0 : heddle_isa_get(d->word, info->access == ISA_ACCESS_RED ? ISA_F_ROP : ISA_F_AOP));
    a->bytes = (uint8_t)(4u * d->src[1].words);
    return;
  }
  const bool copy = a->copy = info->access == ISA_ACCESS_COPY;
  a->act = copy ? ACT_COPY : info->access == ISA_ACCESS_LOAD ? ACT_LOAD : ACT_STORE;
  a->size = (uint8_t)heddle_isa_get(d->word, copy ? ISA_F_CSIZE : ISA_F_SIZE); /* numbered alike */
  a->bytes = (uint8_t)size_bytes(a->size);
}

bool order_action_of(struct heddle_isa_word w, struct action *a) {
  struct heddle_isa_dec d;
  *a = (struct action){.act = ACT_NONE};
  if (!heddle_isa_decode(w, &d)) return false;
  const struct heddle_isa_instr *info = heddle_isa_instr_info((enum heddle_isa_op)d.op);
  if (info->space == ISA_SPACE_NONE || info->space == ISA_SPACE_CONST) return false;
  a->space = info->space;
  a->wide = d.src[0].words == 2;
  a->offset = (int32_t)heddle_isa_get_signed(w, ISA_F_OFF24);
  a->words = d.has_rd && d.rd != ISA_RZ ? d.rd_words : 0;
  a->rd = d.rd;
  take_registers(&d, a);
  if (d.op == ISA_OP_LDSM_16)
    take_matrix(&d, a);
  else
    take_access(&d, info, a);
  return true;
}

uint32_t order_action_word(const struct action *a, const uint8_t *bytes, unsigned k) {
  uint32_t v = 0;
  memcpy(&v, bytes + 4 * k, a->bytes < 4 ? a->bytes : 4);
  if (a->act == ACT_LOAD && a->size == ISA_SIZE_S8) return (uint32_t)(int8_t)v;
  if (a->act == ACT_LOAD && a->size == ISA_SIZE_S16) return (uint32_t)(int16_t)v;
  return v;
}
