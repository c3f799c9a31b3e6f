/* SPDX-License-Identifier: Apache-2.0
 *
 * The fields of control instructions.
 */
#include "cmodel/core/decode.h"

void control_decode(struct dop *op, const struct heddle_isa_dec *dec, const struct sem_def *def, uint32_t next) {
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
